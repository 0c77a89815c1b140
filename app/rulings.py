"""The pages of rulings: the list, a body, one ruling, each also as JSON; and the Atom feed.

``blueprint`` is registered by :func:`app.create_app`. The page models are :func:`rulings_page`, :func:`body_page`,
:func:`ruling_page` and :func:`feed_page`. A ruling that is a point of an edition is read on the page of its law. The
JSON is made in :mod:`app.site.ruling_view`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, jsonify, redirect, request
from flask_babel import force_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from app.site import addresses, reader, ruling_view, wording
from app.site.addresses import known_request_parameters
from app.site.atlas import Atlas
from app.site.excerpt import Citation
from app.site.lookup import RulingFilters, body_or_404, filter_rulings, ruling_filter_values, ruling_or_404
from app.site.page import SitePage
from app.site.snapshot import current_snapshot
from corpus.model import Node
from corpus.ruling import Ruling, RulingBody


def citation_forms(atlas: Atlas, view: ruling_view.RulingView) -> list[Citation]:
    """Return citations of a ruling (``view``) that stands in no edition, one for each language of the site, the
    reader's first.

    The ruling is quoted in the language of its body, else in any that it has.
    """
    one, body = view.ruling, view.body
    text = ruling_view.plain_texts(atlas, one)
    quoted = text.get(body.lang) or next(iter(text.values()))
    link = addresses.canonical_url(addresses.ruling(one))
    cited = ", ".join(dict.fromkeys(node.citation for node in atlas.nodes_by_ruling[one.id])) or ", ".join(
        one.provisions
    )
    out = []
    for lang in sorted(reader.LANGUAGES, key=lambda code: code != reader.ui_language()):
        with force_locale(lang):
            day = wording.format_day(one.date) if one.date else ""
            about = _("on %(citations)s of the laws of %(code)s", citations=cited, code=one.code)
            named = f"{wording.ruling_kind_name(one.kind)} {one.number}"
            full = ", ".join(filter(None, (f"{body.title} ({body.name})", named, day, about, one.source.name)))
            quotation = "\n".join([f"{full}:", _("“%(text)s”", text=quoted), link])
        out.append(Citation(lang, f"{body.name}, {one.number}", full, quotation))
    return out


# -- The feed ---

# The namespace of the ids. An id names a ruling independently of the site's address.
UUID_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "rulings.lexbridge")


@dataclass(frozen=True)
class FeedEntry:
    """A ruling (``view``) in the feed: its permanent ``id``, the time when it was ``updated``, its ``link`` and its
    ``text``.
    """

    id: str
    updated: str
    view: ruling_view.RulingView
    link: str
    text: str


@dataclass(frozen=True)
class FeedPage(SitePage):
    """The feed with its ``entries``, newest first.

    ``id`` of the feed; ``updated``: that of the newest entry; ``link``: the page of rulings; ``own``: the address of
    the feed.
    """

    template: ClassVar[str] = "feed.xml"
    led: ClassVar[bool] = False
    id: str
    updated: str
    link: str
    own: str
    entries: tuple[FeedEntry, ...]


def feed_page(atlas: Atlas) -> FeedPage:
    """Return the feed of all rulings. Without rulings it was last updated in 1970."""
    entries = sorted(_feed_entries(atlas), key=lambda e: e.updated, reverse=True)
    updated = entries[0].updated if entries else feed_timestamp("1970-01-01")
    link, own = addresses.absolute_url(addresses.rulings()), addresses.absolute_url(addresses.feed())
    return FeedPage(feed_urn(""), updated, link, own, tuple(entries))


def _feed_entries(atlas: Atlas) -> Iterator[FeedEntry]:
    for ruling in atlas.library.rulings.values():
        view = ruling_view.ruling_view(atlas, ruling, words=False)
        link = addresses.absolute_url(addresses.ruling(ruling))
        text = ruling_view.plain_texts(atlas, ruling).get(view.lang, "")
        yield FeedEntry(feed_urn(ruling.id), feed_timestamp(_update_day(atlas, ruling, view.body)), view, link, text)


def _update_day(atlas: Atlas, ruling: Ruling, body: RulingBody) -> str:
    """Return the day on which a ruling was last updated, for the feed: ``2018-01-31``.

    It is the day of the ruling; without one the day since which it is in force, else the day since which its body plays
    the code, else 1 January of the year of its edition or code.
    """
    year = atlas.library.editions[ruling.edition].year if ruling.edition else ruling.code
    return ruling.date or ruling.force.since or body.laws.get(ruling.code, "") or f"{year}-01-01"


def feed_urn(id_: str) -> str:
    """Return the id of a ruling in feeds; for "" the id of the feed.

    >>> feed_urn("pzbs/3") == feed_urn("pzbs/3") != feed_urn("pzbs/4")
    True
    """
    return uuid.uuid5(UUID_NAMESPACE, id_).urn


def feed_timestamp(day: str) -> str:
    """Return the beginning of a day, as feeds write it.

    >>> feed_timestamp("2018-01-01")
    '2018-01-01T00:00:00Z'
    """
    return f"{day}T00:00:00Z"


# -- The pages ---


@dataclass(frozen=True)
class RulingRow:
    """A ruling (``view``) in a list. ``concerns``: the provisions that it is about; ``under``: the conditions under
    which it holds.
    """

    view: ruling_view.RulingView
    concerns: tuple[Node, ...]
    under: tuple[ruling_view.ConditionNote, ...]


@dataclass(frozen=True)
class RulingsPage(SitePage):
    """The list of rulings.

    - ``bodies``: (body, those of its rulings that match the filters).
    - ``choices``: filter → (value, its name) of each possible value.
    - ``chosen``: filter → the chosen value, "" for all.
    - ``data``: the address of the same as JSON.
    """

    template: ClassVar[str] = "rulings.html"
    bodies: tuple[tuple[RulingBody, tuple[RulingRow, ...]], ...]
    choices: Mapping[str, tuple[tuple[str, str], ...]]
    chosen: Mapping[str, str]
    data: str

    @property
    def total(self) -> int:
        """The number of rulings in the list."""
        return sum(len(rows) for _, rows in self.bodies)


@dataclass(frozen=True)
class BodyPage(SitePage):
    """A ``body`` with ``rows`` of all its rulings, those in force first. ``data``: the address of the same as JSON."""

    template: ClassVar[str] = "body.html"
    body: RulingBody
    rows: tuple[RulingRow, ...]
    data: str


@dataclass(frozen=True)
class RulingPage(SitePage):
    """One ruling, as a ``row``.

    ``forms``: its citations, the reader's language first; ``link``: its canonical address; ``data``: the address of the
    same as JSON.
    """

    template: ClassVar[str] = "one_ruling.html"
    row: RulingRow
    forms: tuple[Citation, ...]
    link: str
    data: str


def rulings_page(atlas: Atlas, filters: RulingFilters) -> RulingsPage:
    """Return the rulings that match the filters, body by body: the reader's bodies first, then by country."""
    rows = _ruling_rows(atlas, filter_rulings(atlas, filters))
    bodies = dict.fromkeys(row.view.body.id for row in rows)
    named: dict[str, Callable[[str], str]] = {
        "body": lambda v: atlas.library.bodies[v].name,
        "kind": wording.ruling_kind_name,
        "code": str,
        "condition": lambda v: wording.in_reader_language(atlas.library.conditions.names[v]),
    }
    return RulingsPage(
        bodies=tuple((atlas.library.bodies[b], tuple(r for r in rows if r.view.body.id == b)) for b in bodies),
        choices={
            name: tuple((v, named[name](v)) for v in values) for name, values in ruling_filter_values(atlas).items()
        },
        chosen={name: next(iter(values), "") for name, values in filters.items()},
        data=addresses.rulings_data(query=known_request_parameters()),
    )


def body_page(atlas: Atlas, body: RulingBody) -> BodyPage:
    """Return the page of a body: who it is, its order of precedence, and all its rulings."""
    rows = _ruling_rows(atlas, [r for r in atlas.library.rulings.values() if r.body == body.id])
    return BodyPage(body, rows, addresses.rulings_data(body.id))


def ruling_page(atlas: Atlas, ruling: Ruling) -> RulingPage:
    """Return the page of a ruling that stands in no edition."""
    row = _ruling_row(atlas, ruling, words=True)
    link = addresses.canonical_url(addresses.ruling(ruling))
    return RulingPage(row, tuple(citation_forms(atlas, row.view)), link, addresses.rulings_data(ruling.id))


def _ruling_rows(atlas: Atlas, found: Sequence[Ruling]) -> tuple[RulingRow, ...]:
    rows = {ruling.id: _ruling_row(atlas, ruling) for ruling in found}
    return tuple(
        rows[view.ruling.id] for view in ruling_view.sort_ruling_views(atlas, (row.view for row in rows.values()))
    )


def _ruling_row(atlas: Atlas, ruling: Ruling, words: bool = False) -> RulingRow:
    view = ruling_view.ruling_view(atlas, ruling, words=words)
    return RulingRow(view, tuple(atlas.nodes_by_ruling[ruling.id]), ruling_view.conditions_of_ruling(atlas, ruling))


# -- Views ---

blueprint = Blueprint("rulings", __name__)


def addresses_to_prerender(atlas: Atlas) -> Iterable[str]:
    """Return the addresses whose pages are rendered when the generation is built."""
    own = (r for r in atlas.library.rulings.values() if not r.node)
    return [addresses.rulings(), *map(addresses.rulings, atlas.library.bodies), *map(addresses.ruling, own)]


@blueprint.get("/rulings/")
def list_rulings() -> str:
    """Show all rulings, body by body. ``?body=``, ``?kind=``, ``?code=`` and ``?condition=`` filter them."""
    return rulings_page(current_snapshot().atlas, _requested_filters()).render()


@blueprint.get("/rulings.json")
@reader.for_programs
def list_rulings_data() -> Response:
    """Return the list of rulings as JSON, with the same filters as the page."""
    return jsonify(
        ruling_view.rulings_json(
            current_snapshot().atlas, filter_rulings(current_snapshot().atlas, _requested_filters())
        )
    )


@blueprint.get("/rulings/feed.atom")
@reader.for_programs
def atom() -> Response:
    """Return the feed of rulings, newest first."""
    return Response(feed_page(current_snapshot().atlas).render(), mimetype="application/atom+xml")


@blueprint.get("/rulings/<body>/")
def body(body: str) -> str:
    """Show a body: who it is, its order of precedence, and its rulings."""
    return body_page(current_snapshot().atlas, body_or_404(body)).render()


@blueprint.get("/rulings/<body>.json")
@reader.for_programs
def body_data(body: str) -> Response:
    """Return a body and its rulings as JSON."""
    return jsonify(ruling_view.body_rulings_json(current_snapshot().atlas, body_or_404(body)))


@blueprint.get("/rulings/<body>/<number>")
def show_ruling(body: str, number: str) -> str | AnyResponse:
    """Show a ruling. A point of an edition redirects to the page of its law."""
    ruling = ruling_or_404(body, number)
    if ruling.node:
        return redirect(addresses.add_request_query(addresses.provision(ruling.node)), 303)
    return ruling_page(current_snapshot().atlas, ruling).render()


@blueprint.get("/rulings/<body>/<number>.json")
@reader.for_programs
def show_ruling_data(body: str, number: str) -> Response:
    """Return a ruling as JSON."""
    return jsonify(ruling_view.ruling_json(current_snapshot().atlas, ruling_or_404(body, number)))


def _requested_filters() -> RulingFilters:
    """Return the filters of the address. Unknown values are dropped, because a page for people does not report them."""
    return {
        name: [v for v in dict.fromkeys(request.args.getlist(name)) if v in allowed]
        for name, allowed in ruling_filter_values(current_snapshot().atlas).items()
    }
