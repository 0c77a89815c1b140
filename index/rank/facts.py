"""Which facts decide for a provision: those of the rows of the situations that quote it.

The answers of a table state facts (“accepted-no”), and a row quotes the provisions that follow. So a provision has the
facts of the rows that turn on it, in the texts of the code, and its counterparts have them in the other texts.
:class:`ProvisionFacts` keeps them by document. A query that states another value of a kind is not about the provision.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from corpus.library import Library
from corpus.model import NodeId
from corpus.situation.fact import kind_of
from corpus.situation.model import Row, Situation
from index.query.stated import NOT_ANSWERING
from index.rank.candidates import DocumentTable, Ranking
from index.weights import RankingWeights

FactsByKind = Mapping[str, frozenset[str]]


class ProvisionFacts:
    """The facts of every document of a table, by number."""

    def __init__(self, library: Library, table: DocumentTable):
        self._size = table.size
        found = _facts_of_nodes(library)
        # Kind → (numbers of documents, the facts of each).
        self._by_kind: dict[str, list[tuple[int, frozenset[str]]]] = defaultdict(list)
        for id_, facts in found.items():
            number = table.number_of(id_)
            if number is not None:
                for kind, values in facts.items():
                    self._by_kind[kind].append((number, values))

    def agreement(self, stated: Iterable[str]) -> np.ndarray:
        """Return an array by document number: −1 where it has other facts of a stated kind alone, 1 where it has the
        stated ones, else 0.
        """
        out = np.zeros(self._size, dtype=np.int8)
        by_kind: dict[str, set[str]] = defaultdict(set)
        for fact in stated:
            if kind_of(fact) not in NOT_ANSWERING:
                by_kind[kind_of(fact)].add(fact)
        for kind, facts in by_kind.items():
            if len(facts) > 1:
                continue  # the query states both: it does not say which
            for number, values in self._by_kind.get(kind, ()):
                if not facts <= values:
                    out[number] = -1
                elif out[number] == 0:
                    out[number] = 1
        return out


def weigh_facts(ranking: Ranking, agreement: np.ndarray, weights: RankingWeights) -> Ranking:
    """Return the ranking in which hits with the facts of the query are raised, and those with others lowered."""
    for name, sign, value in (("facts", 1, weights.same_fact), ("other facts", -1, weights.other_fact)):
        numbers = ranking.order[agreement[ranking.order] == sign]
        ranking = ranking.with_factor(name, numbers, np.full(len(numbers), value))
    return ranking.sorted_by_score()


def _facts_of_nodes(library: Library) -> dict[NodeId, FactsByKind]:
    """Return provision → kind → facts, where every row that turns on the provision states facts of the kind, and they
    are not all that the tables tell apart. Counterparts in other texts have those of the provision.

    A majority of the rows is not enough: five of eight rows that end with 29A of 1997 begin with “not accepted”.
    """
    seen: dict[NodeId, list[_RowFacts]] = defaultdict(list)
    for situation in library.situations.values():
        for code, table in situation.table.items():
            told_apart = _facts_told_apart(situation, code)
            for row in table.row:
                facts = _facts_of_row(situation, code, row)
                for id_ in _deciding_nodes(row):
                    seen[id_].append(_RowFacts(facts, told_apart))
    own = {id_: _common_facts(rows) for id_, rows in seen.items()}
    out = {id_: facts for id_, facts in own.items() if facts}
    for id_, facts in list(out.items()):
        for others in library.relations.counterparts_of(id_).values():
            for other in others:
                if other.id not in seen:
                    out.setdefault(other.id, facts)
    return out


class _RowFacts(NamedTuple):
    """The ``facts`` of a row by kind, and those that the answers of its table tell apart."""

    facts: FactsByKind
    told_apart: FactsByKind


def _facts_told_apart(situation: Situation, code: str) -> FactsByKind:
    out: dict[str, set[str]] = defaultdict(set)
    for ask in situation.asks(code):
        known = ask.answers(code)
        for fact in (fact for answer in ask.answer if answer.id in known for fact in answer.facts):
            out[kind_of(fact)].add(fact)
    return {kind: frozenset(facts) for kind, facts in out.items()}


def _facts_of_row(situation: Situation, code: str, row: Row) -> FactsByKind:
    """Return the facts of the answers that lead to a row, of each kind that all of them state."""
    out: dict[str, set[str]] = defaultdict(set)
    for ask in situation.asks(code):
        answers = [answer for answer in ask.answer if answer.id in row.if_.get(ask.id, ())]
        kinds = [{kind_of(fact) for fact in answer.facts} for answer in answers]
        for kind in set.intersection(*kinds) if kinds else ():
            out[kind].update(fact for answer in answers for fact in answer.facts if kind_of(fact) == kind)
    return {kind: frozenset(facts) for kind, facts in out.items()}


def _deciding_nodes(row: Row) -> Iterator[NodeId]:
    """Yield the provision that orders what a row orders now, the last that it quotes, in each text of the code."""
    for piece in row.says[-1:]:
        yield from (quote.node for quote in piece.quotes)


def _common_facts(rows: list[_RowFacts]) -> FactsByKind:
    out = {}
    for kind in set.intersection(*({*row.facts} for row in rows)):
        facts = frozenset(fact for row in rows for fact in row.facts[kind])
        apart = frozenset(fact for row in rows for fact in row.told_apart[kind])
        if facts < apart:
            out[kind] = facts
    return out
