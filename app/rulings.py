"""Rulings: the list, a body, one of them, each as JSON too, and the feed."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, jsonify, redirect, request
from flask_babel import force_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from app.site import addresses, reader, rulings, wording
from app.site.addresses import queried
from app.site.atlas import Atlas
from app.site.excerpt import Citation
from app.site.page import Page
from app.site.requests import Filters, body_at, known_filters, narrowed, ruling_at
from app.site.state import current
from corpus.model import Node
from corpus.ruling import Ruling, RulingBody


def forms(atlas: Atlas, told: rulings.RulingView) -> list[Citation]:
    """Citations of a ruling that stands in no edition, in the languages of the site; quoted in that of its body."""
    one, body = told.ruling, told.body
    text = rulings.plain(atlas, one)
    quoted = text.get(body.lang) or next(iter(text.values()))
    link = addresses.known_as(addresses.ruling(one))
    cited = ", ".join(dict.fromkeys(node.citation for node in atlas.concerns[one.id])) or ", ".join(one.provisions)
    out = []
    for lang in sorted(reader.LANGUAGES, key=lambda code: code != reader.ui()):
        with force_locale(lang):
            day = wording.day(one.date) if one.date else ""
            about = _("on %(citations)s of the laws of %(code)s", citations=cited, code=one.code)
            named = f"{wording.ruling_kind(one.kind)} {one.number}"
            full = ", ".join(filter(None, (f"{body.title} ({body.name})", named, day, about, one.source.name)))
            quotation = "\n".join([f"{full}:", _("“%(text)s”", text=quoted), link])
        out.append(Citation(lang, f"{body.name}, {one.number}", full, quotation))
    return out


# What ids are made in: an id says which ruling it is, wherever the site stands.
IDS = uuid.uuid5(uuid.NAMESPACE_DNS, "rulings.lexbridge")


@dataclass(frozen=True)
class Entry:
    """A ruling in the feed, as it is ``told``: its stable ``id``, the time when it was ``updated``, its ``text``."""

    id: str
    updated: str
    told: rulings.RulingView
    link: str
    text: str


@dataclass(frozen=True)
class FeedPage(Page):
    """The ``entries``, the newest first; ``id`` of the feed, ``updated`` with the newest; ``link``: the page of the
    same, ``own``: where the feed is.
    """

    template: ClassVar[str] = "feed.xml"
    led: ClassVar[bool] = False
    id: str
    updated: str
    link: str
    own: str
    entries: tuple[Entry, ...]


def feed_page(atlas: Atlas) -> FeedPage:
    """All rulings; of none, a feed that was never updated."""
    entries = sorted(_entries(atlas), key=lambda e: e.updated, reverse=True)
    updated = entries[0].updated if entries else moment("1970-01-01")
    link, own = addresses.whole(addresses.rulings()), addresses.whole(addresses.feed())
    return FeedPage(urn(""), updated, link, own, tuple(entries))


def _entries(atlas: Atlas) -> Iterator[Entry]:
    for ruling in atlas.library.rulings.values():
        told = rulings.told(atlas, ruling, words=False)
        link = addresses.whole(addresses.ruling(ruling))
        text = rulings.plain(atlas, ruling).get(told.lang, "")
        yield Entry(urn(ruling.id), moment(_day(atlas, ruling, told.body)), told, link, text)


def _day(atlas: Atlas, ruling: Ruling, body: RulingBody) -> str:
    """The day of a ruling, else from which it is in force, else from which its code is; else its year begins."""
    year = atlas.library.editions[ruling.edition].year if ruling.edition else ruling.code
    return ruling.date or ruling.force.since or body.laws.get(ruling.code, "") or f"{year}-01-01"


def urn(id_: str) -> str:
    """The id of a ruling in feeds; without one, of the feed.

    >>> urn("pzbs/3") == urn("pzbs/3") != urn("pzbs/4")
    True
    """
    return uuid.uuid5(IDS, id_).urn


def moment(day: str) -> str:
    """The beginning of a day, as feeds write it.

    >>> moment("2018-01-01")
    '2018-01-01T00:00:00Z'
    """
    return f"{day}T00:00:00Z"


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


blueprint = Blueprint("rulings", __name__)


def stored(atlas: Atlas) -> Iterable[str]:
    """The addresses whose pages are made when the generation is built."""
    own = (r for r in atlas.library.rulings.values() if not r.node)
    return [addresses.rulings(), *map(addresses.rulings, atlas.library.bodies), *map(addresses.ruling, own)]


@blueprint.get("/rulings/")
def every() -> str:
    """All rulings, body by body; ``?body=``, ``?kind=``, ``?code=``, ``?condition=`` narrow them down."""
    return rulings_page(current().atlas, _filters()).render()


@blueprint.get("/rulings.json")
@reader.for_programs
def every_data() -> Response:
    """The same as JSON."""
    return jsonify(rulings.several(current().atlas, narrowed(current().atlas, _filters())))


@blueprint.get("/rulings/feed.atom")
@reader.for_programs
def atom() -> Response:
    """The newest first."""
    return Response(feed_page(current().atlas).render(), mimetype="application/atom+xml")


@blueprint.get("/rulings/<body>/")
def body(body: str) -> str:
    """Who rules, in which order of precedence, and what."""
    return body_page(current().atlas, body_at(body)).render()


@blueprint.get("/rulings/<body>.json")
@reader.for_programs
def body_data(body: str) -> Response:
    """The same as JSON."""
    return jsonify(rulings.of_body(current().atlas, body_at(body)))


@blueprint.get("/rulings/<body>/<number>")
def one(body: str, number: str) -> str | AnyResponse:
    """A ruling; a point of an edition is read there."""
    ruling = ruling_at(body, number)
    if ruling.node:
        return redirect(addresses.asked_as(addresses.provision(ruling.node)), 303)
    return ruling_page(current().atlas, ruling).render()


@blueprint.get("/rulings/<body>/<number>.json")
@reader.for_programs
def one_data(body: str, number: str) -> Response:
    """The same as JSON."""
    return jsonify(rulings.ruling(current().atlas, ruling_at(body, number)))


def _filters() -> Filters:
    """The filters of the address; unknown values are dropped, a page for people does not scold."""
    return {
        name: [v for v in dict.fromkeys(request.args.getlist(name)) if v in allowed]
        for name, allowed in known_filters(current().atlas).items()
    }
