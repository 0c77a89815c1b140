"""The order of provisions for words: gathered, looked at, weighed between editions, merged, spread; each step once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from corpus.edition import Identity
from corpus.library import Library
from index.concept import slug_of
from index.opening import Index
from index.query.model import Asked
from index.rank import candidates
from index.rank.candidates import NOWHERE, Found, Places, Postings, Standing, Table
from index.rank.confidence import Tells, is_of_the_laws, is_sure, told
from index.rank.quoted import Quotations, only_quoted
from index.rank.rerank import Closer, Look
from index.weights import Weights

LANGUAGE, ELSEWHERE, SUPERSEDED, EXTRACT = "language", "decisions elsewhere", "not in force", "extract"


def home_edition(chosen: Iterable[Identity], reader: str | None) -> Identity | None:
    """The edition that a reader reads first, of those chosen: the newest whole text of the laws in his language, else
    the newest of all; None where no whole text is among them.
    """
    whole = [e for e in chosen if e.complete and not e.is_decisions]
    return max(whole, key=lambda e: (e.lang == reader, e.order), default=None)


def at_home(
    standing: Standing, edition: Identity | None, reader: str | None, table: Table, among: np.ndarray
) -> Standing:
    """With what corresponds in the edition that the reader reads first: it says no less to the query than what was
    found in another. Who has no text in his language is led to what stands nearest there, too.
    """
    if edition is None:
        return standing
    order, near = standing.order, table.nearest(edition.id)
    there = near.numbers[order]
    fits = (there != NOWHERE) & among[there]
    if edition.lang == reader:
        fits &= ~near.around[order]
    # The best of those that something is nearest to: it comes first.
    targets, first = np.unique(there[fits], return_index=True)
    others = order[fits][first]
    known = np.zeros(table.size, dtype=bool)
    known[order] = True
    own, best = standing.scores[targets], standing.scores[others]
    raised = np.flatnonzero(own < best)
    raised = raised[np.argsort(first[raised])]
    targets, others, own, best = targets[raised], others[raised], own[raised], best[raised]
    new = targets[~known[targets]]
    by = dict(zip(targets.tolist(), others.tolist(), strict=True))
    standing = standing._replace(order=np.concatenate([order, new]), raised=by)
    standing = standing.said("other editions", targets, best - own, "+")
    # Equal ones stand at home first.
    away = table.edition[standing.order] != table.editions.index(edition.id)
    return standing._replace(order=standing.order[np.argsort(away, kind="stable")]).sorted()


def preferred(standing: Standing, query: Asked, library: Library, table: Table, weights: Weights) -> Standing:
    """Each with what its edition is beside the others that were asked for."""
    order = standing.order
    of = table.edition[order]
    said: dict[str, np.ndarray] = {}
    for code in dict.fromkeys(of.tolist()):
        for name, value in _of_edition(library.editions[table.editions[code]], query, library, weights):
            said.setdefault(name, np.full(len(table.editions), np.nan))[code] = value
    for name in (LANGUAGE, ELSEWHERE, SUPERSEDED, EXTRACT):
        if name in said:
            values = said[name][of]
            says = ~np.isnan(values)
            standing = standing.said(name, order[says], values[says])
    return standing.sorted()


def _of_edition(edition: Identity, query: Asked, library: Library, weights: Weights) -> list[tuple[str, float]]:
    """A language without an edition says nothing of the others."""
    out = []
    if edition.lang != query.reader and any(e.lang == query.reader for e in library.editions.values()):
        out.append((LANGUAGE, weights.other_language))
    if edition.is_decisions and edition.lang != query.reader:
        out.append((ELSEWHERE, weights.elsewhere))
    if edition.force is False:
        out.append((SUPERSEDED, weights.superseded))
        if not edition.complete:
            out.append((EXTRACT, weights.extract))
    return out


def agreed(standing: Standing, table: Table, weights: Weights) -> Standing:
    """What corresponds to good hits of other editions gains from the best of each."""
    voters, rest = standing.order[: weights.voters], standing.order[weights.voters :]
    # One more than there are documents, for what corresponds to none.
    votes = np.full(table.size + 1, -1.0)
    votes[voters] = standing.scores[voters]
    best = votes[table.corresponding[voters]].max(axis=2, initial=-1.0)
    voted = (best >= 0).any(axis=1)
    gains = sum(np.maximum(best, 0.0).T, np.zeros(len(voters)))
    standing = standing.said("other editions", voters[voted], weights.agreement * gains[voted], "+")
    # None of them falls behind the rest: agreement only adds.
    first = standing._replace(order=voters).sorted()
    return first._replace(order=np.concatenate([first.order, rest]))


def merged(standing: Standing, table: Table, weights: Weights) -> Standing:
    """What corresponds to a better hit is among its counterparts and is not shown twice."""
    order = standing.order
    # Nothing corresponds within an edition.
    if not (table.edition[order] != table.edition[order[:1]]).any():
        return standing._replace(order=order[: weights.listed])
    kept: list[int] = []
    taken: set[int] = set()
    for number in order.tolist():
        if len(kept) == weights.listed:
            break
        if number not in taken:
            kept.append(number)
            taken.update(table.same[number])
    return standing._replace(order=np.array(kept, dtype=np.intp))


def spread(standing: Standing, table: Table, weights: Weights) -> Standing:
    """The second hit of a law steps back behind the first of another."""
    _, first = np.unique(table.law[standing.order], return_index=True)
    return standing.said("same law", np.delete(standing.order, first), weights.same_law).sorted()


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
    standing = preferred(standing, query, index.library, table, weights)
    if len(ids) > 1 and not query.phrases:
        standing = agreed(standing, table, weights)
        if not query.excluded:
            home = home_edition(chosen, query.reader)
            standing = at_home(standing, home, query.reader, table, among)
    standing = spread(merged(standing, table, weights), table, weights)
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
