"""The scale of one edition: its steps, from the weakest order to the strongest, then the prohibitions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from corpus.checked.prose import Prose
from corpus.model import Quote

Kind = Literal["permission", "order", "prohibition"]


def kind(strength: str) -> Kind:
    """What a strength is one of: only within these are words stronger and weaker.

    >>> kind("may"), kind("must"), kind("strong-prohibition")
    ('permission', 'order', 'prohibition')
    """
    if strength == "may":
        return "permission"
    return "prohibition" if strength.endswith("prohibition") else "order"


@dataclass(frozen=True)
class Step:
    """A strength as an introduction has it.

    ``strength``: a word of ``vocabulary/strengths.toml``, ``name``: what it is called there · ``quote``: what the
    introduction says of it · ``forms``: the words that carry it, none of a step that is told and not marked ·
    ``unmarked``: then the reason · ``loose``: what the text does with the words instead, where it does not keep to
    its introduction.
    """

    strength: str
    name: Prose
    quote: Quote
    forms: tuple[str, ...] = ()
    unmarked: Prose = field(default_factory=Prose)
    loose: Prose = field(default_factory=Prose)


@dataclass(frozen=True)
class Scale:
    """The steps of one introduction in their order."""

    steps: tuple[Step, ...]

    def step(self, strength: str) -> Step:
        """The step of a strength that some word of the edition carries."""
        return next(step for step in self.steps if step.strength == strength)
