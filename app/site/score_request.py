"""What a score is asked for: the parameters of each group, and reading them from an address.

:data:`GROUPS` declares the parameters once; the API, its description and the pages read them from there.
:func:`read_request` returns the values, or what is wrong with each parameter. Its sentences are for the page, which
puts them at the field, and for the API, which adds the name of the parameter. :func:`compute_score` computes what a
complete request asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from flask_babel import gettext as _

from corpus.library import Library
from corpus.model import NodeId
from corpus.score.compute import (
    ArtificialScore,
    ContractScore,
    Imps,
    Matchpoints,
    RevokeFacts,
    RevokeRuling,
    WeightedScore,
    artificial_score,
    contract_score,
    imps_for,
    matchpoints_for,
    rule_on_revoke,
    vulnerability_of_board,
    weighted_score,
)
from corpus.score.model import ALSO, DEFECTIVE, ESTABLISHED, FAULTS, WON_BY, Authority, ScoreRules

MOST_POINTS = 100_000  # far more than any two scores of a board differ by
MOST_SCORES = 200  # results of a board that are compared
MOST_WEIGHTS = 20  # results that one score is weighted from
LEAST_STEP = 10  # every figure of law 77 is a multiple of it, and the tables of law 78 go by it
TRICKS = 13  # of a board
SEATS = ("N", "E", "S", "W")

Kind = Literal["choice", "number", "points", "scores", "weights", "percent", "several"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a score.

    ``kind``: ``choice`` (one of ``values``), ``several`` (some of them), ``number`` (a whole number from ``low`` to
    ``high``), ``points`` (a whole number of either sign), ``percent``, ``scores`` (points with commas between them),
    ``weights`` (score:weight, with commas). ``default``: what it is when it is left out; None: it is required.
    ``by_rules``: returns the values of a code, where these depend on it. ``example``: of a required one.
    """

    name: str
    kind: Kind
    about: str
    values: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    default: str | None = None
    by_rules: Callable[[ScoreRules], tuple[str, ...]] | None = None
    example: str = ""

    def values_in(self, rules: ScoreRules) -> tuple[str, ...]:
        """The values that a code knows."""
        return self.by_rules(rules) if self.by_rules else self.values


@dataclass(frozen=True)
class Group:
    """A kind of score and its ``parameters``."""

    name: str
    parameters: tuple[Parameter, ...]

    def parameter(self, name: str) -> Parameter:
        """The parameter of a name."""
        return next(p for p in self.parameters if p.name == name)


def _authorities(rules: ScoreRules) -> tuple[str, ...]:
    return ("none", *(a.id for a in rules.authority))


def _regulations(rules: ScoreRules) -> tuple[str, ...]:
    return ("none", *(r.id for r in rules.weighted.instead))


def _switch(name: str, about: str, default: str = "0") -> Parameter:
    return Parameter(name, "choice", about, ("0", "1"), default=default)


GROUPS: Mapping[str, Group] = {
    group.name: group
    for group in (
        Group(
            "contract",
            (
                Parameter("level", "number", "Level of the contract.", low=1, high=7, example="3"),
                Parameter("denomination", "choice", "Its denomination.", ("C", "D", "H", "S", "NT"), example="NT"),
                Parameter("doubled", "choice", "0, 1 doubled, 2 redoubled.", ("0", "1", "2"), default="0"),
                _switch("vulnerable", "1: declarer's side is vulnerable."),
                Parameter("tricks", "number", "All tricks of declarer's side.", high=13, example="9"),
                Parameter(
                    "transfer",
                    "choice",
                    "Tricks that the offending side gives to the other one.",
                    ("0", "1", "2"),
                    default="0",
                ),
                Parameter("offenders", "choice", "Which side gives them.", ("declarer", "defenders"), default=""),
                Parameter(
                    "board",
                    "number",
                    "Number of the board: with “declarer” it says who is vulnerable, where “vulnerable” is left out.",
                    low=1,
                    high=999,
                    default="",
                ),
                Parameter("declarer", "choice", "Seat of declarer.", SEATS, default=""),
            ),
        ),
        Group(
            "imps",
            (
                Parameter("difference", "points", "Difference of two scores; its sign is carried over.", example="620"),
                Parameter("ours", "points", "With “theirs” in place of “difference”: our score.", default=""),
                Parameter("theirs", "points", "Score at the other table, in the same direction.", default=""),
            ),
        ),
        Group(
            "matchpoints",
            (
                Parameter("scores", "scores", "All scores of the board in one direction.", example="420,450,-50"),
                Parameter("scale", "choice", "Matchpoints for one lower score.", ("2", "1"), default="2"),
            ),
        ),
        Group(
            "revoke",
            (
                Parameter(
                    "won_by", "choice", "Who won the revoke trick, as it stands in the end.", WON_BY, example="offender"
                ),
                Parameter("later", "number", "Tricks that the offending side won after it.", high=13, example="2"),
                Parameter(
                    "by_card",
                    "number",
                    "How many of these the offender won with a card that he could legally "
                    "have played to the revoke trick; counts in 1997 only.",
                    high=13,
                    default="0",
                ),
                _switch("trick_twelve", "1: the revoke happened in the twelfth trick."),
                Parameter("established", "choice", "By what it was established.", ESTABLISHED, default="play"),
                Parameter(
                    "defective",
                    "choice",
                    "No card was played to the trick; the offender holds the suit led or is void in it.",
                    DEFECTIVE,
                    default="none",
                ),
                Parameter("also", "several", "What else is so.", ALSO, default=""),
            ),
        ),
        Group(
            "artificial",
            (
                Parameter("ns", "choice", "Fault of North-South.", FAULTS, example="none"),
                Parameter("ew", "choice", "Fault of East-West.", FAULTS, example="full"),
                Parameter("scoring", "choice", "How the event is scored.", ("pairs", "imps"), default="pairs"),
                Parameter("session_ns", "percent", "Percentage of North-South on its other boards.", default=""),
                Parameter("session_ew", "percent", "Percentage of East-West on its other boards.", default=""),
                Parameter("board", "number", "Matchpoints available on the board.", low=1, high=9999, default=""),
                Parameter(
                    "authority", "choice", "Whose decisions give the IMPs.", by_rules=_authorities, default="none"
                ),
                Parameter(
                    "nth",
                    "number",
                    "The how manyth board of the match on which it is given.",
                    low=1,
                    high=999,
                    default="1",
                ),
            ),
        ),
        Group(
            "weighted",
            (
                Parameter(
                    "scores", "weights", "Scores with their weights, which add up to 1.", example="620:0.5,-100:0.5"
                ),
                Parameter(
                    "scoring", "choice", "What the result is in.", ("total", "imps", "matchpoints"), default="total"
                ),
                Parameter(
                    "field",
                    "scores",
                    "The score at the other table, or the other scores of the board, in the direction of “scores”.",
                    default="",
                ),
                Parameter(
                    "regulation",
                    "choice",
                    "What the regulating authority uses in place of weights.",
                    by_rules=_regulations,
                    default="none",
                ),
            ),
        ),
    )
}


@dataclass(frozen=True)
class ScoreRequest:
    """A request for a score: its ``group``, the ``rules`` of its code, and what the address says.

    ``said``: parameter → text, as it was typed. ``values``: parameter → value, for every parameter that is right or
    left out. ``faults``: parameter → what is wrong with it, in a sentence. ``missing``: required ones that are not
    given yet. ``refused``: why these laws know no such score; the sentence names the provisions.
    """

    group: Group
    rules: ScoreRules
    said: Mapping[str, str]
    values: Mapping[str, Any]
    faults: Mapping[str, str]
    missing: tuple[str, ...]
    refused: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether a score can be computed."""
        return not (self.faults or self.missing or self.refused)


def read_request(group: Group, rules: ScoreRules, said: Mapping[str, Sequence[str]], library: Library) -> ScoreRequest:
    """Return what an address asks for. ``said``: parameter → its values as typed, of the parameters that are given.

    ``library`` has the provisions that a refusal names.
    """
    typed: dict[str, str] = {}
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    missing = []
    for parameter in group.parameters:
        given = [text.strip() for text in said.get(parameter.name, ()) if text.strip()]
        if len(given) > 1 and parameter.kind != "several":
            faults[parameter.name] = _("Give it once.")
            continue
        text = ",".join(given)
        typed[parameter.name] = text
        if not text and parameter.default is None:
            missing.append(parameter.name)
        elif not text and not parameter.default:
            values[parameter.name] = () if parameter.kind in ("several", "scores") else None
        else:
            value = _READERS[parameter.kind](parameter, text or parameter.default or "", rules)
            if isinstance(value, str) and parameter.kind != "choice":
                faults[parameter.name] = value
            elif parameter.kind == "choice" and value not in parameter.values_in(rules):
                faults[parameter.name] = _one_of(parameter.values_in(rules))
            else:
                values[parameter.name] = value
    refused = _refusal(group, rules, values, library)
    asked = ScoreRequest(group, rules, MappingProxyType(typed), values, faults, tuple(missing), refused)
    return _check_together(asked)


def _one_of(values: Sequence[str]) -> str:
    return _("Choose one of: %(values)s.", values=", ".join(values))


def _read_choice(_parameter: Parameter, text: str, _rules: ScoreRules) -> str:
    return text


def _read_several(parameter: Parameter, text: str, rules: ScoreRules) -> tuple[str, ...] | str:
    chosen = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    known = parameter.values_in(rules)
    return chosen if set(chosen) <= set(known) else _one_of(known)


def _read_number(parameter: Parameter, text: str, _rules: ScoreRules) -> int | str:
    number = int(text) if re.fullmatch("[0-9]{1,6}", text) else -1
    if not parameter.low <= number <= parameter.high:
        return _("Write a whole number from %(low)s to %(high)s.", low=parameter.low, high=parameter.high)
    return number


def _points(text: str) -> int | None:
    """The number of points in a text, or None: a whole number of either sign, with the minus of a book as well."""
    text = text.strip().replace("−", "-")
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,6}", text) and abs(int(text)) <= MOST_POINTS else None


def _read_points(_parameter: Parameter, text: str, _rules: ScoreRules) -> int | str:
    points = _points(text)
    if points is None or points % LEAST_STEP:
        return _("Write a number of points, a multiple of ten.")
    return points


def _read_scores(_parameter: Parameter, text: str, _rules: ScoreRules) -> tuple[int, ...] | str:
    scores = [_points(part) for part in text.split(",")]
    if None in scores or len(scores) > MOST_SCORES:
        return _("Write at most %(most)s whole numbers, with commas between them.", most=MOST_SCORES)
    return tuple(score for score in scores if score is not None)


def _fraction(text: str) -> Fraction | None:
    """The number in a text, or None: 0.25, 1/4 or 25%."""
    text = text.strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) or re.fullmatch(r"[0-9]{1,9}/[1-9][0-9]{0,8}", text):
        return Fraction(text)
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?\s?%", text):
        return Fraction(text.rstrip("% ")) / 100
    return None


def _read_percent(_parameter: Parameter, text: str, _rules: ScoreRules) -> Fraction | str:
    percent = _fraction(text.removesuffix("%").strip().replace(",", "."))
    if percent is None or percent > 100:
        return _("Write a percentage from 0 to 100.")
    return percent


def _read_weights(_parameter: Parameter, text: str, _rules: ScoreRules) -> tuple[tuple[int, Fraction], ...] | str:
    pairs = list[tuple[int, Fraction]]()
    for part in text.split(","):
        score, colon, weight = part.partition(":")
        points, share = _points(score), _fraction(weight)
        if not colon or points is None or share is None or share <= 0 or len(pairs) == MOST_WEIGHTS:
            return _("Write each score with its weight, as in 620:0.5,-100:0.5. A weight is 0.5, 1/2 or 50%.")
        pairs.append((points, share))
    if sum(share for _score, share in pairs) != 1:
        return _("The weights must add up to 1.")
    return tuple(pairs)


_READERS: Mapping[Kind, Callable[[Parameter, str, ScoreRules], Any]] = {
    "choice": _read_choice,
    "several": _read_several,
    "number": _read_number,
    "points": _read_points,
    "scores": _read_scores,
    "weights": _read_weights,
    "percent": _read_percent,
}


def _refusal(group: Group, rules: ScoreRules, values: Mapping[str, Any], library: Library) -> str:
    """Return why a code knows no such score, in a sentence; "" where it does."""
    if group.name != "weighted":
        return ""

    def cited(says: Sequence[NodeId]) -> str:
        return ", ".join(dict.fromkeys(library.nodes[id_].citation for id_ in says if id_ in library.nodes))

    if not rules.weighted.allowed:
        return _(
            "The laws of %(code)s have no weighted scores; they go by %(laws)s.",
            code=rules.code,
            laws=cited(rules.weighted.says),
        )
    instead = next((r for r in rules.weighted.instead if r.id == values.get("regulation")), None)
    if instead:
        return _("%(laws)s stands in place of weighted scores.", laws=cited(instead.says))
    return ""


def _check_together(asked: ScoreRequest) -> ScoreRequest:
    """Return the request with what is wrong with several parameters together."""
    values, faults, missing = dict(asked.values), dict(asked.faults), list(asked.missing)
    name = asked.group.name
    if name == "contract":
        _settle_vulnerability(asked, values)
        _settle_transfer(values, faults, missing)
    if name == "revoke" and values.get("by_card", 0) > values.get("later", 13):
        faults["by_card"] = _("It cannot be more than the tricks won later.")
    if name == "imps" and values.get("ours") is not None and values.get("theirs") is not None:
        values.setdefault("difference", values["ours"] - values["theirs"])
        missing = [m for m in missing if m != "difference"]
    if name == "weighted" and "scores" in values and "field" in values and "scoring" in values:
        scoring, field = values["scoring"], values["field"]
        if scoring != "total" and not field:
            missing.append("field")
        elif scoring == "imps" and len(field) != 1:
            faults["field"] = _("Write one score, that of the other table.")
        elif scoring == "imps" and any((score - field[0]) % LEAST_STEP for score, _weight in values["scores"]):
            faults["field"] = _("Write a number of points, a multiple of ten.")
    return ScoreRequest(asked.group, asked.rules, asked.said, values, faults, tuple(missing), asked.refused)


def _settle_transfer(values: dict[str, Any], faults: dict[str, str], missing: list[str]) -> None:
    """Add ``final_tricks``, the tricks of declarer's side after a transfer."""
    moved = int(values.get("transfer") or 0)
    if moved and "offenders" in values and not values["offenders"]:
        missing.append("offenders")
    if "tricks" in values and not missing:
        values["final_tricks"] = values["tricks"] + (-moved if values.get("offenders") == "declarer" else moved)
        if not 0 <= values["final_tricks"] <= TRICKS:
            faults["transfer"] = _("Declarer’s side would have %(tricks)s tricks.", tricks=values["final_tricks"])


def _settle_vulnerability(asked: ScoreRequest, values: dict[str, Any]) -> None:
    """Take the vulnerability from the number of the board and the seat of declarer, where it is not given itself."""
    board, seat = values.get("board"), values.get("declarer")
    if asked.said.get("vulnerable") or not board or not seat:
        return
    vulnerable = vulnerability_of_board(asked.rules, board)
    sides = {"nobody": "", "north-south": "NS", "east-west": "EW", "everybody": "NESW"}
    if vulnerable:
        values["vulnerable"] = str(int(seat in sides[vulnerable]))


# -- The score ---

Score: TypeAlias = ContractScore | Imps | Matchpoints | RevokeRuling | ArtificialScore | WeightedScore


def compute_score(asked: ScoreRequest) -> Score:
    """Return the score of a complete request."""
    rules, values = asked.rules, asked.values
    match asked.group.name:
        case "contract":
            return contract_score(
                rules,
                values["level"],
                values["denomination"],
                int(values["doubled"]),
                int(values["vulnerable"]),
                values["final_tricks"],
            )
        case "imps":
            return imps_for(rules, values["difference"])
        case "matchpoints":
            return matchpoints_for(rules, values["scores"], int(values["scale"]))
        case "revoke":
            return rule_on_revoke(rules, revoke_facts(asked))
        case "artificial":
            return artificial_score(
                rules,
                (values["ns"], values["ew"]),
                imps=values["scoring"] == "imps",
                sessions=(values["session_ns"], values["session_ew"]),
                authority=authority_of(asked),
                nth=values["nth"],
            )
        case _:
            return weighted_score(rules, values["scores"], values["scoring"], values["field"])


def revoke_facts(asked: ScoreRequest) -> RevokeFacts:
    """Return what a request says of a revoke."""
    values = asked.values
    return RevokeFacts(
        won_by=values["won_by"],
        later=values["later"],
        by_card=values["by_card"],
        trick_twelve=int(values["trick_twelve"]),
        established=values["established"],
        defective=values["defective"],
        also=values["also"],
    )


def authority_of(asked: ScoreRequest) -> Authority | None:
    """Return the authority that a request names, or None."""
    return next((a for a in asked.rules.authority if a.id == asked.values["authority"]), None)
