"""The scale of one edition: its steps, from the weakest order to the strongest, then the prohibitions."""

from __future__ import annotations

from dataclasses import dataclass, field

from corpus.checked.prose import Prose
from corpus.model import Quote


@dataclass(frozen=True)
class Step:
    """A strength as an introduction has it.

    ``strength``: a word of ``vocabulary/strengths.toml``, ``name``: what it is called there · ``quote``: what the
    introduction says of it · ``forms``: the words that carry it, none of a step that is told and not marked ·
    ``unmarked``: then the reason.
    """

    strength: str
    name: Prose
    quote: Quote
    forms: tuple[str, ...] = ()
    unmarked: Prose = field(default_factory=Prose)


@dataclass(frozen=True)
class Scale:
    """The steps of one introduction in their order."""

    steps: tuple[Step, ...]

    def step(self, strength: str) -> Step:
        """The step of a strength that some word of the edition carries."""
        return next(step for step in self.steps if step.strength == strength)
