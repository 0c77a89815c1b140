"""The layers over the texts of all editions, each checked against them: strengths, terms, situations, thresholds …"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from corpus import condition, telling, threshold
from corpus.checked import Refused
from corpus.edition import manifest
from corpus.ingested import Ingest
from corpus.model import NodeId
from corpus.relation import agreement, strengths
from corpus.relation.relations import Relations
from corpus.ruling.read import Texts as RuledTexts
from corpus.ruling.read import read as read_rulings
from corpus.situation.quotes import QuotedTexts
from corpus.situation.read import read_situations as read_situations
from corpus.strength.read import rows_in
from corpus.subject_index import named
from corpus.term import find, proof
from corpus.term.everyday import Places
from corpus.term.read import read_terms as read_terms
from corpus.term.read import read_reviewed
from corpus.word import lists


def lay(result: Ingest, corpus_dir: Path) -> Ingest:
    """With what is about the texts of all editions; of one that could not be read, its own problems tell."""
    there = replace(
        result,
        readings={id_: reading for id_, reading in result.readings.items() if reading.nodes},
        editions={
            id_: e for id_, e in result.editions.items() if id_ in result.readings and result.readings[id_].nodes
        },
    )
    laid = with_strengths(there.linked(), corpus_dir)
    laid = with_rulings(with_situations(with_terms(laid, corpus_dir), corpus_dir), corpus_dir)
    laid = with_thresholds(with_tellings(laid, corpus_dir), corpus_dir)
    return replace(laid, editions=result.editions, readings=result.readings | laid.readings)


def _unread(result: Ingest, corpus_dir: Path) -> bool:
    """Whether there is an edition that could not be read whole: then nobody knows what its text has."""
    readings = (result.readings.get(id_) for id_ in manifest.list_editions(corpus_dir))
    return any(reading is None or any(p.fatal for p in reading.problems) for reading in readings)


def with_strengths(result: Ingest, corpus_dir: Path) -> Ingest:
    """With what is wrong with the marks of strength, seen beside those of the other editions."""
    files = {id_: rows_in(result.editions[id_].folder) for id_, reading in result.readings.items() if reading.scale}
    relations = Relations(result.listings, result.nodes, result.links)
    found = strengths.problems(files, result.nodes, relations, _unread(result, corpus_dir))
    return replace(result, problems=[*result.problems, *found])


def with_terms(result: Ingest, corpus_dir: Path) -> Ingest:
    """With the terms of the laws, and where each provision uses them first."""
    try:
        forms = {code: lists.read_forms(corpus_dir, code) for code in result.languages}
    except Refused as refused:
        return replace(result, problems=[*result.problems, *refused.problems])
    reviewed, unknown = read_reviewed(corpus_dir, result.editions)
    texts = proof.TermTexts(
        nodes=result.nodes,
        langs={e.id: e.lang for e in result.ordered},
        reviewed=reviewed,
        forms=forms,
        alphabets={code: language.alphabet for code, language in result.languages.items()},
        unread=_unread(result, corpus_dir),
    )
    terms, problems = read_terms(corpus_dir, texts)
    places, readings = Places.of(terms.values(), texts.nodes), {}
    for id_, reading in result.readings.items():
        lang = result.editions[id_].lang
        spoken = texts.spoken(lang)
        finder = find.Finder.of(id_, lang, spoken, terms.values(), places)
        index = named.named(reading.index, texts.nodes, terms, lang, spoken)
        readings[id_] = replace(reading, nodes=tuple(finder.mark(n) for n in reading.nodes), index=index)
    return replace(result, readings=readings, terms=terms, problems=[*result.problems, *unknown, *problems])


def with_situations(result: Ingest, corpus_dir: Path) -> Ingest:
    """With the situations, which quote the texts of all editions."""
    codes = {e.id: e.code for e in result.ordered if not e.is_decisions}
    relations = Relations(result.listings, result.nodes, result.links)
    disagree = lambda situation: agreement.faults(situation, relations)
    situations, problems = read_situations(
        corpus_dir, QuotedTexts(codes, result.nodes, unread=_unread(result, corpus_dir)), disagree
    )
    return replace(result, situations=situations, problems=[*result.problems, *problems])


def with_rulings(result: Ingest, corpus_dir: Path) -> Ingest:
    """With what bodies ruled on the texts, and with what holds only under a condition."""
    known = manifest.list_editions(corpus_dir)
    read = {id_: reading.nodes for id_, reading in result.readings.items()}
    conditions, unread = condition.read_conditions(corpus_dir, result.nodes, known)
    identities = {e.id: e.identity for e in result.ordered}
    rulings, faults = read_rulings(
        corpus_dir, RuledTexts(identities, read, known, _unread(result, corpus_dir)), conditions
    )
    problems = [*result.problems, *unread, *faults]
    return replace(result, rulings=rulings, conditions=conditions, problems=problems)


def with_tellings(result: Ingest, corpus_dir: Path) -> Ingest:
    """With everyday words for what provisions decide."""
    tellings, problems = telling.read_paraphrases(
        corpus_dir, result.nodes, manifest.list_editions(corpus_dir), result.languages.keys()
    )
    return replace(result, tellings=tellings, problems=[*result.problems, *problems])


def with_thresholds(result: Ingest, corpus_dir: Path) -> Ingest:
    """With how sure a Director must be, as the texts print it."""
    whole = frozenset(e.id for e in result.editions.values() if e.complete and not e.is_decisions)
    causes = {
        (NodeId.of(t.older, row.older), NodeId.of(t.newer, row.newer)): (row.cause, ":".join(map(str, row.place)))
        for t in result.tables
        for row in t.rows
        if row.older and row.newer and row.cause and not t.through
    }
    texts = threshold.Texts(result.nodes, manifest.list_editions(corpus_dir), whole, causes)
    thresholds, problems = threshold.read(corpus_dir, texts)
    return replace(result, thresholds=thresholds, problems=[*result.problems, *problems])
