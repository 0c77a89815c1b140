"""What was read of all editions, before it is written: the value that the layers are laid on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from corpus.account import Reading
from corpus.condition import Conditions
from corpus.edition import Edition
from corpus.language import Language
from corpus.model import Node, NodeId, Pair, Problem
from corpus.relation import concordance, proposal, spine
from corpus.ruling.model import Rulings
from corpus.situation.model import Situations
from corpus.telling import Telling
from corpus.term.model import Terms
from corpus.threshold import Threshold


@dataclass(frozen=True)
class Ingest:
    """What was read: editions and readings by id, the reviewed tables of the concordance, every problem found, and
    every language that there is a file for, by code; the terms, situations, rulings, conditions, tellings and
    thresholds where every edition was read; ``links``: the joints of the editions of the laws, and the exceptions,
    which ``corpus.relation.relations`` reads, once they were made (:meth:`linked`).
    """

    editions: dict[str, Edition]
    readings: dict[str, Reading]
    tables: list[concordance.Table]
    problems: list[Problem]
    languages: Mapping[str, Language] = field(default_factory=dict)
    situations: Situations = field(default_factory=Situations)
    terms: Terms = field(default_factory=dict)
    rulings: Rulings = field(default_factory=Rulings)
    conditions: Conditions = field(default_factory=Conditions)
    tellings: tuple[Telling, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    links: tuple[Pair, ...] = ()

    @property
    def fatal(self) -> list[Problem]:
        """The problems that keep the corpus from being published."""
        return [p for p in self.problems if p.fatal]

    @cached_property
    def nodes(self) -> dict[NodeId, Node]:
        """The nodes of every edition by id."""
        return {n.id: n for reading in self.readings.values() for n in reading.nodes}

    @property
    def ordered(self) -> list[Edition]:
        """The editions in time."""
        return in_time(self.editions)

    @property
    def listings(self) -> list[spine.Listing]:
        """What the spine joins: the texts of the laws."""
        return [spine.Listing.of(e, self.readings[e.id].nodes) for e in self.ordered if not e.is_decisions]

    def linked(self) -> Ingest:
        """With its links: they take long to make where no table was reviewed, so they are made once."""
        joints = spine.joints(self.listings, self.tables, self.proposer())
        return replace(self, links=(*joints, *spine.exceptions(self.tables)))

    def proposer(self) -> spine.Propose:
        """A function that computes the alignment of two editions as {(path, path): score}."""
        alphabets = {code: language.alphabet for code, language in self.languages.items()}

        def propose(a: str, b: str) -> dict[tuple[str, str], float]:
            return proposal.propose(list(self.readings[a].nodes), list(self.readings[b].nodes), alphabets)

        return propose


def in_time(editions: Mapping[str, Edition]) -> list[Edition]:
    """Editions in the order of their dates."""
    return sorted(editions.values(), key=lambda e: e.order)
