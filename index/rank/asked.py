"""The order of provisions for words: gathered, looked at, weighed between editions, merged, spread; each step once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from corpus.edition.identity import Identity
from corpus.model import NodeId
from index.concept import slug_of
from index.opening import Index
from index.query.asked import Asked, Unit
from index.rank import editions, order
from index.rank.candidate import Candidate
from index.rank.candidates import candidates
from index.rank.closer import closer
from index.rank.confidence import is_sure
from index.rank.look import Look
from index.rank.postings import Postings
from index.rank.quoted import Quotations, only_quoted
from index.rank.told import Told, told
from index.weights import Weights


class ByText(NamedTuple):
    """Candidates in order; what their words are looked at with, by language; whether one of them answers."""

    candidates: list[Candidate]
    looks: Mapping[str, Look]
    sure: bool


def rank(
    query: Asked,
    chosen: Collection[Identity],
    among: np.ndarray,
    index: Index,
    postings: Postings,
    weights: Weights,
    tells: Told,
) -> ByText:
    """The provisions of the editions chosen, ``among`` those asked for (by number); ``tells``: what the query tells
    of.
    """
    ids, langs = {e.id for e in chosen}, sorted({e.lang for e in chosen})
    looks = {lang: Look(query.units, lang, index.lexicons[lang], weights) for lang in langs}
    treated = _treated(query, ids, index, weights)
    found: list[Candidate] = []
    for lang in langs if query.units else ():
        gathered = candidates(query, lang, postings, index.documents, among, weights)
        topics = [_topic(u, lang, index, weights) for u in query.units]
        found += closer(gathered, query, looks[lang], topics, treated, weights)
    found, verbatim = told(found, query, tells, index, among, weights), False
    if query.phrases:
        places, verbatim = Quotations(index.documents, index.lexicons, postings).find(query, langs)
        places = {n: where for n, where in places.items() if among[n]}
        found, verbatim = only_quoted(found, places, index.documents, weights), verbatim and bool(places)
    found = editions.preferred(found, query, index.library, weights)
    if len(ids) > 1 and not query.phrases:
        found = editions.agreed(found, index.library, weights)
        if not query.excluded:
            home = editions.home(chosen, query.reader)
            found = editions.at_home(found, home, query.reader, index.library, index.by_id, among)
    found = order.spread(order.merged(found, index.library, weights), weights)
    return ByText(found, looks, is_sure(query, found, verbatim, tells, weights))


def _treated(query: Asked, editions: Collection[str], index: Index, weights: Weights) -> dict[NodeId, float]:
    """Provisions that give the meaning of a term that the query names, and those about it: how much they are it."""
    found: dict[NodeId, float] = {}
    for term in (index.library.terms[slug_of(concept)] for concept in query.named):
        for edition in editions:
            meaning = term.meaning(edition)
            for id_ in term.places(edition):
                found[id_] = max(found.get(id_, 0.0), weights.meaning if id_ in meaning else weights.about)
    return found


def _topic(unit: Unit, lang: str, index: Index, weights: Weights) -> frozenset[NodeId]:
    """Provisions that the printed subject index names under a word."""
    entries = index.topics.get(lang, {})
    meant = (t.term for t in unit.terms.get(lang, ()) if t.strength >= weights.meant)
    return frozenset().union(*(entries.get(term, ()) for term in meant))
