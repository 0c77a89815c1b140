"""The page models of rulings: the list, a body, one ruling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.rulings.citation import forms
from app.site import addresses, rulings, wording
from app.site.atlas import Atlas
from app.site.citing import Citation
from app.site.narrowed import Filters, known_filters, narrowed
from app.site.page import Page
from app.site.queried import queried
from corpus.model import Node
from corpus.ruling.model import Ruling, RulingBody


@dataclass(frozen=True)
class Row:
    """A ruling in a list: ``told``, the provisions that it ``concerns``, ``under`` which conditions it holds."""

    told: rulings.RulingView
    concerns: tuple[Node, ...]
    under: tuple[rulings.Under, ...]


@dataclass(frozen=True)
class RulingsPage(Page):
    """``bodies``: (body, its rulings that were asked for); ``choices``: filter → (value, its name); ``chosen``: filter
    → the value asked for, empty for all; ``data``: the address of the same as JSON.
    """

    template: ClassVar[str] = "rulings.html"
    bodies: tuple[tuple[RulingBody, tuple[Row, ...]], ...]
    choices: Mapping[str, tuple[tuple[str, str], ...]]
    chosen: Mapping[str, str]
    data: str

    @property
    def total(self) -> int:
        """How many rulings there are."""
        return sum(len(rows) for _, rows in self.bodies)


@dataclass(frozen=True)
class BodyPage(Page):
    """A ``body`` with all ``rows`` of its rulings, those in force first; ``data``: the same as JSON."""

    template: ClassVar[str] = "body.html"
    body: RulingBody
    rows: tuple[Row, ...]
    data: str


@dataclass(frozen=True)
class RulingPage(Page):
    """One ruling, as a ``row``; the ``forms`` in which it is cited, the reader's language first; ``link``: its address,
    ``data``: the same as JSON.
    """

    template: ClassVar[str] = "one_ruling.html"
    row: Row
    forms: tuple[Citation, ...]
    link: str
    data: str


def rulings_page(atlas: Atlas, filters: Filters) -> RulingsPage:
    """The rulings that the filters leave, body by body: the reader's first, then by country."""
    rows = _rows(atlas, narrowed(atlas, filters))
    bodies = dict.fromkeys(row.told.body.id for row in rows)
    named: dict[str, Callable[[str], str]] = {
        "body": lambda v: atlas.library.bodies[v].name,
        "kind": wording.ruling_kind,
        "code": str,
        "condition": lambda v: wording.named(atlas.library.conditions.names[v]),
    }
    return RulingsPage(
        bodies=tuple((atlas.library.bodies[b], tuple(r for r in rows if r.told.body.id == b)) for b in bodies),
        choices={name: tuple((v, named[name](v)) for v in values) for name, values in known_filters(atlas).items()},
        chosen={name: next(iter(values), "") for name, values in filters.items()},
        data=addresses.rulings_data(query=queried()),
    )


def body_page(atlas: Atlas, body: RulingBody) -> BodyPage:
    """Who it is, the order of precedence of its own, and all that it ruled."""
    rows = _rows(atlas, [r for r in atlas.library.rulings.values() if r.body == body.id])
    return BodyPage(body, rows, addresses.rulings_data(body.id))


def ruling_page(atlas: Atlas, ruling: Ruling) -> RulingPage:
    """One ruling that stands in no edition."""
    row = _row(atlas, ruling, words=True)
    link = addresses.known_as(addresses.ruling(ruling))
    return RulingPage(row, tuple(forms(atlas, row.told)), link, addresses.rulings_data(ruling.id))


def _rows(atlas: Atlas, found: Sequence[Ruling]) -> tuple[Row, ...]:
    rows = {ruling.id: _row(atlas, ruling) for ruling in found}
    return tuple(rows[told.ruling.id] for told in rulings.in_order(atlas, (row.told for row in rows.values())))


def _row(atlas: Atlas, ruling: Ruling, words: bool = False) -> Row:
    told = rulings.told(atlas, ruling, words=words)
    return Row(told, tuple(atlas.concerns[ruling.id]), rulings.of_ruling(atlas, ruling))
