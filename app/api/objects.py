"""The answers of the API as JSON objects.

Each ``…_object`` and ``…_row`` function turns a value of the corpus or the index into what the API returns. Its type is
one of :mod:`app.site.answers`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import cast

from app.site import addresses, answers, excerpt, phrases, ruling_view, speech
from app.site.atlas import Atlas
from app.site.lookup import SituationLink
from app.site.phrases import CounterpartStatement, counterparts_by_edition, statement_between
from app.site.ruling_view import condition_json
from corpus.bid import Overcall
from corpus.changes import Summary
from corpus.compare import ComparedRow, Comparison
from corpus.edition import Identity
from corpus.files import LocalizedText
from corpus.json_values import misprint_to_json, node_to_json, to_json
from corpus.library import Library
from corpus.model import Misprint, Node, NodeId, Quote
from corpus.situation.model import (
    Also,
    Ask,
    Duty,
    DutyMisprint,
    GivenAnswers,
    Goto,
    Later,
    Row,
    Situation,
    Slice,
    SpokenSentence,
    Step,
    Vocabulary,
    also_applies,
    common_first_step,
    next_ask,
    quoted_slices,
    row_label,
    rows_still_possible,
)
from corpus.situation.next_step import next_steps
from corpus.term.model import Names, Paths, Term
from index.answer import ComparisonTarget, Hit, SearchAnswer, Suggestion

# For programs, an entry of a printed subject index is a term and a situation a heading.
SUGGESTION_KINDS: Mapping[str, answers.SuggestionKind] = {
    "citation": "citation",
    "term": "term",
    "heading": "heading",
    "situation": "heading",
    "topic": "term",
}


def edition_object(info: Identity) -> answers.EditionJson:
    """Return an edition as the API gives it. A text that maintainers wrote in several languages is given in its first
    language; ``prose`` has it by language.
    """
    prose = {name: texts for name, texts in vars(info).items() if isinstance(texts, LocalizedText)}
    return cast(
        answers.EditionJson,
        to_json(info)
        | {name: next(iter(texts.values()), "") for name, texts in prose.items()}
        | {"prose": prose, "decisions": info.decisions.kind_by_point}
        | {"in_force": bool(info.is_in_force), "in_force_stated": info.is_in_force is not None},
    )


def node_object(atlas: Atlas, found: Node) -> answers.NodeJson:
    """Return a node as exported, with what is attached to it: references, counterparts, rulings and conditions."""
    library = atlas.library
    return {
        **cast(answers.ExportedNodeJson, node_to_json(found)),
        "children": list(found.children),
        "cited_by": [{"id": n.id, "surface": r.surface} for n, r in atlas.citing_references.get(found.id, ())],
        "counterparts": {
            t.edition.id: [_counterpart_object(twin) for twin in t.statements]
            for t in counterparts_by_edition(library, found)
        },
        "rulings": [r.id for r in atlas.rulings_by_node.get(found.id, ())],
        "conditions": [condition_json(u) for u in ruling_view.conditions_of_node(atlas, found.id)],
        "url": addresses.provision(found.id),
    }


def _counterpart_object(twin: CounterpartStatement) -> answers.CounterpartJson:
    """Return a counterpart as the API gives it. ``relation`` is about its own words, ``summary`` about its parts."""
    found = twin.counterpart
    return {
        "id": found.id,
        "relation": found.relation,
        "reworded": found.pair.reworded,
        "cause": found.pair.cause,
        "basis": found.pair.basis,
        "how": found.how,
        "via": list(found.via),
        "summary": _summary_object(twin.summary),
    }


def _summary_object(found: Summary | None) -> answers.SummaryJson | None:
    return cast(answers.SummaryJson, asdict(found)) if found else None


def _note_objects(misprints: Iterable[Misprint]) -> list[answers.NoteJson]:
    return [cast(answers.NoteJson, misprint_to_json(m)) for m in misprints]


def comparison_object(library: Library, found: Comparison) -> answers.ComparisonJson:
    """Return a comparison as the API gives it. In a row, ``summaries`` holds, for counterparts with children, the
    summary of their parts.
    """
    return {
        "editions": list(found.editions),
        "read_in": found.base_edition,
        "rows": [_comparison_row(library, row, found.base_column) for row in found.rows],
    }


def _comparison_row(library: Library, row: ComparedRow, own: int) -> answers.ComparedRowJson:
    base = next(iter(row.cells[own].ids), None)
    statements = [
        statement_between(library, base, cell.ids[0]) if base and cell.ids and i != own else None
        for i, cell in enumerate(row.cells)
    ]
    return {
        "cells": [list(c.ids) for c in row.cells],
        "relation": row.relation,
        "relations": [c.relation for c in row.cells],
        "basis": "computed" if row.is_computed else "reviewed",
        "notes": row.remarks,
        "differences": [dict(sentences) for sentences in row.difference_sentences],
        "summaries": [_summary_object(t.summary) if t else None for t in statements],
    }


def suggestion_object(found: Suggestion) -> answers.SuggestionJson:
    """Return a suggestion, with its kind for programs."""
    return {"text": found.text, "kind": SUGGESTION_KINDS[found.kind], "url": excerpt.suggestion_address(found)}


def answer_object(found: SearchAnswer, explain: bool = False) -> answers.HitsJson:
    """Return the answer of a search. With ``explain``, each hit has the factors of its score (docs/search.md)."""
    answer: answers.HitsJson = {
        "query": found.query,
        "interpretation": {"kind": found.kind, "paths": list(found.paths), "lang": found.lang},
        "total": found.total,
        "confident": found.confident,
        "state": found.state,
        "facts": [{"kind": f.kind, "value": f.value, "spans": [list(span) for span in f.spans]} for f in found.facts],
        "suggestion": found.suggestion,
        "results": [_result_object(hit, explain) for hit in found.hits],
        "groups": [{"law": card.law, "results": list(card.hits)} for card in found.cards],
        "facets": _facet_counts(found),
        "capped": found.capped,
    }
    if found.compare:
        answer["compare"] = _comparison_link(found.compare)
    return answer


def deciding_question_object(found: SearchAnswer) -> answers.DecidingQuestionJson | None:
    """Return the question that decides between the two best results, if there is one."""
    if found.asks is None:
        return None
    situation, code, ask, possible = found.asks
    return {
        "situation": situation.id,
        "code": code,
        "ask": ask.id,
        "question": dict(ask.question),
        "answers": [{"id": one.id, "text": dict(ask.answer_texts[one.id]), "row": one.row} for one in possible],
    }


def _comparison_link(found: ComparisonTarget) -> answers.ComparisonLinkJson:
    return {"url": addresses.compare(*found), "path": found.path, "editions": list(found.editions)}


def _facet_counts(found: SearchAnswer) -> dict[str, dict[str, int]]:
    """Return facet → value → number of hits. Laws are counted by their path, over all editions."""
    laws: Counter[str] = Counter()
    for id_, count in found.facets.get("law", {}).items():
        laws[NodeId(id_).path] += count
    counted = {facet: dict(counts) for facet, counts in found.facets.items()}
    return counted | ({"law": dict(laws.most_common())} if laws else {})


def _result_object(hit: Hit, explain: bool) -> answers.ResultJson:
    row: answers.ResultJson = {
        "id": hit.node.id,
        "edition": hit.node.edition,
        "path": hit.node.path,
        "citation": hit.node.citation,
        "heading": hit.node.heading,
        "score": round(hit.score, 4),
        "snippet": excerpt.snippet_html(hit.snippet),
        "counterparts": list(hit.counterparts),
        "notes": _note_objects(hit.node.misprints),
    }
    if explain:
        row["factors"] = [{"name": f.name, "value": f.value, "how": f.how} for f in hit.factors]
    return row


def term_row(atlas: Atlas, term: Term) -> answers.TermJson:
    """Return a term in a list.

    ``defined`` and ``about`` map each edition to the ids of the provisions that define the term or are about it; null
    where there are none. ``none`` says why an edition has neither. An edition that nobody has searched for the term is
    left out.
    """
    editions = [e.id for e in atlas.editions_in_order if term.is_known_in(e.id)]
    return {
        "id": term.slug,
        "names": _words_by_lang(term.names),
        "wordings": _words_by_lang(term.wordings),
        "players": _words_by_lang(term.players),
        "defined": {e: _node_ids(atlas, e, term.defined) for e in editions},
        "about": {e: _node_ids(atlas, e, term.about) for e in editions},
        "none": dict(term.none),
        "broader": list(term.broader),
        "related": list(term.related),
        "apart": [{"term": a.term, "why": dict(a.why)} for a in term.apart],
        "unlike": [{"lang": u.lang, "words": u.words} for u in term.unlike],
        "url": addresses.term(term.slug),
    }


def term_object(atlas: Atlas, term: Term) -> answers.WholeTermJson:
    """Return a term with its ``narrower`` terms, the provisions that use it (``used``: edition → ids) and its
    ``situations``.
    """
    return {
        **term_row(atlas, term),
        "narrower": [t.slug for t in atlas.library.terms.values() if term.slug in t.broader],
        "used": {e: [n.id for n in nodes] for e, nodes in atlas.term_uses.get(term.slug, {}).items()},
        "situations": [s.id for s in atlas.situations_of_term(term)],
    }


def _words_by_lang(names: Names) -> answers.Words:
    return {lang: list(words) for lang, words in names.items()}


def _node_ids(atlas: Atlas, edition: str, paths: Paths) -> list[str] | None:
    found = [atlas.library.node_at(edition, path) for path in paths.get(edition, ())]
    return [n.id for n in found if n] or None


def situation_row(
    atlas: Atlas, situation: Situation, score: float | None = None, link: SituationLink | None = None
) -> answers.SituationJson:
    """Return a situation in a list. ``provisions`` maps each edition to ids, the deciding ones first. ``link``: the
    link to it that was made for the words of a query.
    """
    library = atlas.library
    return {
        "id": situation.id,
        "name": dict(situation.name),
        "phase": situation.phase,
        "tables": [code for code in atlas.codes if code in situation.table],
        "score": score,
        "provisions": {
            e.id: [n.id for path in paths if (n := library.node_at(e.id, path))]
            for e in library.law_editions
            if (paths := situation.bundle.get(e.code))
        },
        "answers": dict(link.answers) if link else {},
        "url": link.address if link else addresses.situation(situation.id),
    }


def situation_object(atlas: Atlas, situation: Situation) -> answers.WholeSituationJson:
    """Return a situation with its questions and tables. ``words`` are the closed vocabularies of its rows."""
    vocabulary = atlas.library.vocabulary
    return {
        **situation_row(atlas, situation),
        "near": list(situation.near),
        "asks": [_ask_object(atlas, situation, a) for a in situation.ask],
        "tables": {
            code: {"asks": list(table.asks), "rows": [row_object(atlas, situation, code, r) for r in table.row]}
            for code, table in situation.table.items()
        },
        "words": {name: {id_: dict(names) for id_, names in said.items()} for name, said in vars(vocabulary).items()},
    }


def sheet_object(
    atlas: Atlas, situation: Situation, code: str, given: GivenAnswers, overcall: Overcall | None = None
) -> answers.Outcome:
    """Return ``{"row"}`` if the answers lead to one row, else ``{"next", "open", "now"}``: the next question, the ids
    of the rows that are still possible, and the first step if it is that of all of them.

    ``overcall``: the two bids that the sentences name.
    """
    rows, following = rows_still_possible(situation, code, given), next_ask(situation, code, given)
    if following is None:
        quotations = quoted_slices(rows[0], given, situation.asks(code), code)
        return {"row": row_object(atlas, situation, code, replace(rows[0], says=quotations), given, overcall)}
    now = common_first_step(rows)
    return {
        "next": _ask_object(atlas, situation, following),
        "open": [r.id for r in rows],
        "now": _step_object(atlas, now, now.steps[0], given, overcall) if now else None,
    }


def _step_object(
    atlas: Atlas, row: Row, step: Step, given: GivenAnswers, overcall: Overcall | None
) -> answers.SpokenStepJson:
    """Return a step of a row. Its sentences name the bids of ``overcall``; a condition that ``given`` meets is left
    out.
    """
    vocabulary = atlas.library.vocabulary
    said = [(s, not all(also_applies(row.also[n], given) for n in s.also)) for s in step.say]
    spoken: list[answers.SpokenJson] = [
        {"duties": [*s.duties], "off": [*s.off], "also": [*s.also], "then": [*s.then], "goto": [*s.goto]}
        for s in step.say
    ]
    return {
        "when": dict(vocabulary.moments[step.when]) if step.when else None,
        "say": {
            lang: [_sentence(s, lang, overcall, vocabulary, conditional) for s, conditional in said]
            for lang in vocabulary.languages
        },
        "spoken": dict.fromkeys(vocabulary.languages, spoken),
        "options": None,
    }


def _sentence(
    sentence: SpokenSentence, lang: str, overcall: Overcall | None, vocabulary: Vocabulary, conditional: bool
) -> str:
    """Return a sentence of a step, ``conditional``: after its condition."""
    text = speech.sentence_text(sentence, lang, overcall)
    if not (conditional and sentence.clause):
        return text
    return speech.under_condition(sentence.clause[lang], [text], speech.capitalised_roles(vocabulary, lang))


def _ask_object(atlas: Atlas, situation: Situation, ask: Ask) -> answers.AskJson:
    codes = [code for code, table in situation.table.items() if ask.id in table.asks]
    texts = {a.id: dict(a.text) for a in ask.answer}
    question: answers.AskJson = {
        "id": ask.id,
        "kind": ask.kind,
        "by": ask.by or ("director" if ask.kind == "judgment" else None),
        "when": dict(atlas.library.vocabulary.moments[ask.when]) if ask.when else None,
        "question": dict(ask.question),
        "see": {code: list(paths) for code, paths in ask.see.items()},
    }
    if ask.ticks:
        question["ticks"] = {code: list(ask.ticks[code]) for code in codes}
        question["tick_texts"] = {
            code: {path: dict(text) for path, text in ask.tick_texts.get(code, {}).items()} for code in codes
        }
    else:
        facts = {a.id: list(a.facts) for a in ask.answer}
        question["answers"] = {
            code: [{"id": id_, "text": texts[id_], "facts": facts[id_]} for id_ in ask.answers(code)] for code in codes
        }
    return question


def row_object(
    atlas: Atlas,
    situation: Situation,
    code: str,
    found: Row,
    given: GivenAnswers = MappingProxyType({}),
    overcall: Overcall | None = None,
) -> answers.RowJson:
    """Return a row with its quotations from every edition of the code, and the sentences that are said.

    ``differs`` says what each other code orders instead, by language; None where it orders the same. ``given`` and
    ``overcall``: the answers and the two bids that the sentences take up.
    """
    others = (other for other in situation.table if other != code)
    return {
        "id": found.id,
        "label": dict(row_label(situation, code, found)),
        "steps": [_step_object(atlas, found, step, given, overcall) for step in found.steps],
        "if": {ask: _one_or_list(met) for ask, met in found.if_.items()},
        "says": _slice_objects(atlas, found.says),
        "duties": _duty_objects(atlas, found.duties),
        "off": list(found.off),
        "then": [_later_object(atlas, later) for later in found.then],
        "also": [_further_orders_object(atlas, also) for also in found.also],
        "goto": _goto_object(atlas, found.goto) if found.goto else None,
        "next": [
            {
                "leaves": leaving.id,
                "name": dict(leaving.name),
                "situation": target.situation or None,
                "score": target.score or None,
                "answers": dict(target.answers),
            }
            for leaving, target in next_steps(atlas.library.next_steps, found, code)
            if target.situation != situation.id
        ],
        "none": {"reason": dict(found.none)} if found.none else None,
        "differs": {other: dict(found.differs[other]) if other in found.differs else None for other in others},
    }


def _later_object(atlas: Atlas, later: Later) -> answers.LaterJson:
    says, duties = _slice_objects(atlas, later.says), _duty_objects(atlas, later.duties)
    return {
        "when": later.when,
        "kind": later.kind,
        "by": later.by or None,
        "says": says,
        "duties": duties,
        "off": [*later.off],
    }


def _further_orders_object(atlas: Atlas, also: Also) -> answers.BesidesJson:
    return {
        "if": {ask: _one_or_list(met) for ask, met in also.if_.items()},
        "says": _slice_objects(atlas, also.says),
        "duties": _duty_objects(atlas, also.duties),
        "off": list(also.off),
    }


def _goto_object(atlas: Atlas, goto: Goto) -> answers.GotoJson:
    closed = {ask: list(excluded) for ask, excluded in goto.closed.items()}
    return {
        "situation": goto.situation,
        "carry": {"answers": dict(goto.answers), "closed": closed, "duties": _duty_objects(atlas, goto.duties)},
    }


def _duty_objects(atlas: Atlas, duties: Iterable[Duty]) -> list[answers.DutyJson]:
    return [
        {
            "do": duty.do,
            "who": duty.who,
            "what": duty.what or None,
            "until": duty.until or None,
            "if": duty.if_ or None,
            "given": [_span_object(q.node, q) for q in duty.given],
            "misprints": [_misprint_object(atlas, m) for m in duty.misprints],
        }
        for duty in duties
    ]


def _span_object(node: NodeId, quote: Quote | Misprint) -> answers.SpanJson:
    return {"node": node, "in": quote.where, "start": quote.start, "end": quote.end}


def _misprint_object(atlas: Atlas, misprint: DutyMisprint) -> answers.MisprintJson:
    """Return how a duty treats a misprint in its words (``state``), and the evidence: a reason, provisions, pages
    looked up.
    """
    printed = phrases.misprint_of_duty(atlas.library, misprint)
    evidence: list[answers.EvidenceJson] = [{"reason": misprint.reason}] if misprint.reason else []
    if misprint.state == "corrected":
        evidence += [
            {**_span_object(q.node, q), "text": atlas.library.nodes[q.node].words_of_span(q)} for q in printed.quotes
        ]
        evidence += [to_json(source) for source in printed.sources]
    return {
        **_span_object(misprint.node, printed),
        "state": misprint.state,
        "evidence": evidence,
        "print": dict(printed.printed) or None,
        "law": dict(printed.law) or None,
    }


def _one_or_list(met: Sequence[str]) -> str | list[str]:
    """Return a single answer as it is, several as a list."""
    return met[0] if len(met) == 1 else list(met)


def _slice_objects(atlas: Atlas, slices: Iterable[Slice]) -> list[answers.SliceJson]:
    return [{"path": s.path, "quotes": [_quotation_object(atlas, q) for q in s.quotes]} for s in slices]


def _quotation_object(atlas: Atlas, quote: Quote) -> answers.QuotationJson:
    """Return a quotation. ``notes``: the misprints that its words touch."""
    node = atlas.library.nodes[quote.node]
    return {
        "edition": node.edition,
        "node": node.id,
        "in": quote.where,
        "start": quote.start,
        "end": quote.end,
        "text": node.words_of_span(quote),
        "in_force": bool(atlas.library.editions[node.edition].is_in_force),
        "notes": _note_objects(s for s in node.misprints if quote.touches(s)),
    }
