"""Situations as JSON (contract, section 5): the list, one with its questions and tables, the outcome of answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.site import addresses, slips
from app.site.atlas import Atlas
from corpus.exchange import Json, slip_to_json, to_json
from corpus.model import Quote, Slip
from corpus.situation.model import Also, Ask, Duty, Goto, Later, Misprint, Row, Situation, Slice
from corpus.situation.table import Given, next_ask, open_rows, says


def situation_row(atlas: Atlas, situation: Situation, score: float | None = None) -> Json:
    """A situation in a list; ``provisions``: edition → ids, the deciding ones first."""
    library = atlas.library
    return {
        "id": situation.id,
        "name": dict(situation.name),
        "phase": situation.phase,
        "tables": [code for code in atlas.codes if code in situation.table],
        "score": score,
        "provisions": {
            e.id: [n.id for path in paths if (n := library.node(e.id, path))]
            for e in library.codes
            if (paths := situation.bundle.get(e.code))
        },
        "url": addresses.situation(situation.id),
    }


def situation_object(atlas: Atlas, situation: Situation) -> Json:
    """A situation with its questions and tables; ``words``: the closed lists that its rows speak in."""
    vocabulary = atlas.library.vocabulary
    return situation_row(atlas, situation) | {
        "near": list(situation.near),
        "asks": [_ask(situation, a) for a in situation.ask],
        "tables": {
            code: {"asks": list(table.asks), "rows": [row(atlas, situation, code, r) for r in table.row]}
            for code, table in situation.table.items()
        },
        "words": {name: {id_: dict(names) for id_, names in said.items()} for name, said in vars(vocabulary).items()},
    }


def sheet_object(atlas: Atlas, situation: Situation, code: str, given: Given) -> Json:
    """The row that answers meet; else what is asked next, and the rows still possible."""
    rows, following = open_rows(situation, code, given), next_ask(situation, code, given)
    if following is None:
        said = says(rows[0], given, situation.asks(code), code)
        return {"row": row(atlas, situation, code, replace(rows[0], says=said))}
    return {"next": _ask(situation, following), "open": [r.id for r in rows]}


def _ask(situation: Situation, ask: Ask) -> Json:
    said: Json
    codes = [code for code, table in situation.table.items() if ask.id in table.asks]
    texts = {a.id: dict(a.text) for a in ask.answer}
    if ask.ticks:
        said = {"ticks": {code: list(ask.ticks[code]) for code in codes}}
    else:
        said = {"answers": {code: [{"id": id_, "text": texts[id_]} for id_ in ask.answers(code)] for code in codes}}
    return {
        "id": ask.id,
        "kind": ask.kind,
        "by": ask.by or ("director" if ask.kind == "judgment" else None),
        "question": dict(ask.question),
        "see": {code: list(paths) for code, paths in ask.see.items()},
    } | said


def row(atlas: Atlas, situation: Situation, code: str, found: Row) -> Json:
    """A row with its quotations from every text of the code; ``differs``: what each other code orders otherwise."""
    others = (other for other in situation.table if other != code)
    return {
        "id": found.id,
        "if": {ask: _lone(answers) for ask, answers in found.if_.items()},
        "says": _says(atlas, found.says),
        "duties": _duties(atlas, found.duties),
        "off": list(found.off),
        "then": [_later(atlas, later) for later in found.then],
        "also": [_also(atlas, also) for also in found.also],
        "goto": _goto(atlas, found.goto) if found.goto else None,
        "none": {"reason": dict(found.none)} if found.none else None,
        "differs": {other: dict(found.differs[other]) if other in found.differs else None for other in others},
    }


def _later(atlas: Atlas, later: Later) -> Json:
    says, duties = _says(atlas, later.says), _duties(atlas, later.duties)
    return {"when": later.when, "kind": later.kind, "by": later.by or None, "says": says, "duties": duties}


def _also(atlas: Atlas, also: Also) -> Json:
    met = {ask: _lone(answers) for ask, answers in also.if_.items()}
    return {"if": met, "says": _says(atlas, also.says), "duties": _duties(atlas, also.duties), "off": list(also.off)}


def _goto(atlas: Atlas, goto: Goto) -> Json:
    closed = {ask: list(answers) for ask, answers in goto.closed.items()}
    carry = {"answers": dict(goto.answers), "closed": closed, "duties": _duties(atlas, goto.duties)}
    return {"situation": goto.situation, "carry": carry}


def _duties(atlas: Atlas, duties: Iterable[Duty]) -> list[Mapping[str, Any]]:
    ordered = ("do", "who", "what", "until", "if")
    return [
        {key: value or None for key, value in zip(ordered, duty.order, strict=True)}
        | {
            "given": [{"node": q.node, **_span(q)} for q in duty.given],
            "misprints": [_misprint(atlas, m) for m in duty.misprints],
        }
        for duty in duties
    ]


def _span(quote: Quote | Slip) -> Json:
    return {"in": quote.where, "start": quote.start, "end": quote.end}


def _misprint(atlas: Atlas, misprint: Misprint) -> Json:
    """What a duty does with a misprint under its words, and the evidence: a reason, provisions, pages looked up."""
    slip = slips.misprint_of_duty(atlas.library, misprint)
    evidence: list[Json] = [{"reason": misprint.reason}] if misprint.reason else []
    if misprint.state == "corrected":
        evidence += [{"node": q.node, **_span(q), "text": atlas.library.nodes[q.node].words_of(q)} for q in slip.quotes]
        evidence += [to_json(source) for source in slip.sources]
    said = {"print": dict(slip.printed) or None, "law": dict(slip.law) or None}
    return {"node": misprint.node, **_span(slip), "state": misprint.state, "evidence": evidence, **said}


def _lone(answers: Sequence[str]) -> str | list[str]:
    """One answer as it is, several as a list."""
    return answers[0] if len(answers) == 1 else list(answers)


def _says(atlas: Atlas, slices: Iterable[Slice]) -> list[Json]:
    return [{"path": s.path, "quotes": [_quotation(atlas, q) for q in s.quotes]} for s in slices]


def _quotation(atlas: Atlas, quote: Quote) -> Json:
    """A quotation with the notes on slips of the print that its words touch."""
    node = atlas.library.nodes[quote.node]
    return {
        "edition": node.edition,
        "node": node.id,
        "in": quote.where,
        "start": quote.start,
        "end": quote.end,
        "text": node.words_of(quote),
        "in_force": bool(atlas.library.editions[node.edition].force),
        "notes": [slip_to_json(s) for s in node.slips if quote.touches(s)],
    }
