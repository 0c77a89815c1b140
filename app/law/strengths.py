"""What the legend of a law page says of the strength of words: each step with the introduction's own sentence."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node
from corpus.strength import Step


@dataclass(frozen=True)
class StrengthLegend:
    """A ``step`` of the scale, and the ``sentence`` of the ``introduction`` that ranks it."""

    step: Step
    sentence: str
    introduction: Node


def strength_legend(library: Library, edition: Identity) -> tuple[StrengthLegend, ...]:
    """The steps of an edition's scale; none where it has no scale."""
    steps = edition.scale.steps if edition.scale else ()
    homes = ((step, library.nodes[step.quote.node]) for step in steps)
    return tuple(StrengthLegend(s, n.words_of(s.quote), n) for s, n in homes)
