"""The order of provisions for words: gathered, looked at, weighed between editions, merged, spread; each step once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from corpus.edition.identity import Identity
from index.concept import slug_of
from index.opening import Index
from index.query.asked import Asked
from index.rank import candidates, editions, order
from index.rank.candidate import Found, Places, Standing
from index.rank.closer import Closer
from index.rank.confidence import is_sure
from index.rank.look import Look
from index.rank.postings import Postings
from index.rank.quoted import Quotations, only_quoted
from index.rank.table import Table
from index.rank.told import Tells, is_of_the_laws, told
from index.weights import Weights


class Weighed(NamedTuple):
    """What words weigh, whatever they are narrowed down to: what they ``found``, what they are looked at with, by
    language, what they tell of (``lawlike``: in the words of the laws), and where the quoted ones stand.
    """

    found: Found
    looks: Mapping[str, Look]
    closer: Closer
    tells: Tells
    lawlike: bool
    quotations: Quotations


class ByText(NamedTuple):
    """Candidates in order; whether one of them answers."""

    standing: Standing
    sure: bool


def weigh(query: Asked, index: Index, table: Table, postings: Postings, weights: Weights, tells: Tells) -> Weighed:
    """What can be said of every provision before it is known which are asked for; the reader of ``query`` counts for
    nothing.
    """
    found = candidates.find(query, postings, table, weights)
    looks = {lang: Look(query.units, lang, index.lexicons[lang], weights) for lang in table.langs}
    treated = _treated(query, index, table, weights)
    closer = Closer(query, found, looks, treated, index.documents, table, weights)
    quotations = Quotations(index.documents, index.lexicons)
    return Weighed(found, looks, closer, tells, is_of_the_laws(query, index.lexicons), quotations)


def rank(
    query: Asked,
    weighed: Weighed,
    chosen: Collection[Identity],
    among: np.ndarray,
    index: Index,
    table: Table,
    postings: Postings,
    weights: Weights,
) -> ByText:
    """The provisions of the editions chosen, ``among`` those asked for (by number)."""
    ids = {e.id for e in chosen}
    tells = weighed.tells.of(ids)
    found, looked = _first(weighed.found, among, table, weights)
    standing = weighed.closer.look(Standing.of(weighed.found, found), looked)
    standing, verbatim = told(standing, query, tells, weighed.lawlike, among, weights), False
    if query.phrases:
        places, verbatim = _quoted(query, weighed, sorted({e.lang for e in chosen}), postings, among)
        standing = only_quoted(standing, places, weights)
    standing = editions.preferred(standing, query, index.library, table, weights)
    if len(ids) > 1 and not query.phrases:
        standing = editions.agreed(standing, table, weights)
        if not query.excluded:
            home = editions.home_edition(chosen, query.reader)
            standing = editions.at_home(standing, home, query.reader, table, among)
    standing = order.spread(order.merged(standing, table, weights), table, weights)
    return ByText(standing, is_sure(query, standing, verbatim, tells, weights))


def _first(found: Found, among: np.ndarray, table: Table, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """The best of each language that are asked for, and those of them that are looked at."""
    asked_for = found.order[among[found.order]]
    by_lang = [asked_for[table.lang[asked_for] == code][: weights.ranked] for code in range(len(table.langs))]
    return _one(by_lang), _one(of[: weights.looked_at] for of in by_lang)


def _one(lists: Iterable[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0, dtype=np.intp), *lists])


def _quoted(
    query: Asked, weighed: Weighed, langs: Iterable[str], postings: Postings, among: np.ndarray
) -> tuple[dict[int, Places], bool]:
    """Where the quoted words stand, of what is asked for; and whether they stand there as typed."""
    places, verbatim = weighed.quotations.find(query, langs, postings)
    places = {number: where for number, where in places.items() if among[number]}
    return places, verbatim and bool(places)


def _treated(query: Asked, index: Index, table: Table, weights: Weights) -> np.ndarray:
    """Of every document how much it is what a term is that the query names: more where it gives its meaning than where
    it is about it.
    """
    out = np.zeros(table.size)
    for term in (index.library.terms[slug_of(concept)] for concept in query.named):
        for edition in table.editions:
            meaning = term.meaning(edition)
            for id_ in term.places(edition):
                if (number := table.number(id_)) is not None:
                    out[number] = max(out[number], weights.meaning if id_ in meaning else weights.about)
    return out
