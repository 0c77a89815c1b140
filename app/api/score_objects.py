"""Scores as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from app.site import answers
from app.site.score_request import ScoreRequest
from corpus.library import Library
from corpus.model import NodeId
from corpus.score.compute import ArtificialScore, ContractScore, Imps, Matchpoints, RevokeRuling, WeightedScore
from corpus.score.figures import Figure


def number(value: Fraction | int) -> int | float:
    """Return a number of JSON: whole numbers without a point."""
    return int(value) if value == int(value) else float(value)


def figure_object(figure: Figure) -> answers.FigureJson:
    """Return a figure with its places in the text and in the source."""
    return {
        "node": figure.node,
        "start": figure.start,
        "end": figure.end,
        "value": None if figure.value is None else number(Fraction(figure.value)),
        "line": figure.line,
        "column": figure.column,
        "printed": figure.printed,
        "mark": figure.mark or None,
    }


def known_ids(ids: Iterable[NodeId], library: Library) -> list[str]:
    """Return the provisions that the texts of this build have."""
    return [id_ for id_ in ids if id_ in library.nodes]


def contract_object(score: ContractScore, library: Library) -> answers.ContractScoreJson:
    """Return the score of a contract."""
    return {
        "score": score.score,
        "over": score.over,
        "parts": [
            {"name": p.name, "points": p.points, "count": p.count, "figures": [figure_object(f) for f in p.figures]}
            for p in score.parts
        ],
        "provisions": known_ids(score.provisions, library),
    }


def imps_object(score: Imps, library: Library) -> answers.ImpsJson:
    """Return IMPs."""
    return {
        "imps": score.imps,
        "figures": [figure_object(f) for f in score.figures],
        "provisions": known_ids(score.provisions, library),
    }


def matchpoints_object(score: Matchpoints, library: Library) -> answers.MatchpointsJson:
    """Return matchpoints in the order of the scores."""
    return {
        "matchpoints": [number(points) for points in score.matchpoints],
        "figures": [figure_object(f) for f in score.figures],
        "provisions": known_ids(score.provisions, library),
    }


def revoke_object(ruling: RevokeRuling, library: Library) -> answers.RevokeJson:
    """Return what follows from a revoke."""
    return {
        "transfer": ruling.transfer,
        "adjusted": ruling.adjusted,
        "established": not ruling.unestablished,
        "provisions": known_ids(ruling.provisions, library),
    }


def artificial_object(asked: ScoreRequest, score: ArtificialScore, library: Library) -> answers.ArtificialJson:
    """Return artificial adjusted scores, North-South first."""
    ns, ew = score.sides
    out: answers.ArtificialJson = {"ns": ns.name, "ew": ew.name, "provisions": known_ids(score.provisions, library)}
    if asked.values["scoring"] == "imps":
        out["imps"] = [ns.imps, ew.imps]
        return out
    percents = [ns.percent or Fraction(0), ew.percent or Fraction(0)]
    out["percent"] = [number(p) for p in percents]
    if (available := asked.values["board"]) is not None:
        out["matchpoints"] = [number(p * available / 100) for p in percents]
    return out


def weighted_object(score: WeightedScore, library: Library) -> answers.WeightedJson:
    """Return a weighted score."""
    return {
        "result": number(score.result),
        "unit": score.unit,
        "terms": [{"score": s, "weight": number(w), "worth": number(v)} for s, w, v in score.terms],
        "provisions": known_ids(score.provisions, library),
    }
