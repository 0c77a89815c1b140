"""The addresses of situations: the list, and the sheet of each. An answer is a link: each state of a sheet has its
address.

``blueprint`` is registered by :func:`app.create_app`. The page model of a sheet is in :mod:`app.situations.page`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, abort, request

from app.site import addresses, reader
from app.site.atlas import Atlas
from app.site.lookup import SituationLink, code_of_sheet, situation_links, situation_or_404
from app.site.page import SitePage
from app.site.snapshot import current_snapshot
from app.situations.page import outcomes_page, players_page, sheet_page
from corpus.bid import Overcall
from corpus.files import LocalizedText
from corpus.situation.model import RESERVED, Situation


@dataclass(frozen=True)
class SituationsPage(SitePage):
    """The list of situations.

    ``phases``: (id, name, situations) in their order. ``found``: the situations that the words of ``query`` describe,
    best first; None when there is no query.
    """

    template: ClassVar[str] = "situations.html"
    phases: tuple[tuple[str, LocalizedText, tuple[Situation, ...]], ...]
    query: str = ""
    found: tuple[SituationLink, ...] | None = None


def situations_page(atlas: Atlas, query: str = "", found: tuple[SituationLink, ...] | None = None) -> SituationsPage:
    """Return the list of all situations. ``found``: those that the words of the query describe."""
    every = atlas.library.situations.values()
    return SituationsPage(
        phases=tuple(
            (id_, name, tuple(s for s in every if s.phase == id_))
            for id_, name in atlas.library.vocabulary.phases.items()
        ),
        query=query,
        found=found,
    )


blueprint = Blueprint("situations", __name__, template_folder="templates")
MAX_SITUATIONS = 10  # how many situations a query finds
# In the environment of a request for a sheet: all its outcomes are shown. The build requests that for the pages which
# stand in for sheets with answers while the site is away.
ALL_OUTCOMES_KEY = "lexbridge.outcomes"


def addresses_to_prerender(atlas: Atlas) -> Iterable[str]:
    """Return the addresses whose pages are rendered when the generation is built."""
    return [addresses.situations(), *map(addresses.situation, atlas.library.situations)]


@blueprint.get("/situations/")
def situations() -> str:
    """Show all situations by phase. ``?q=``: those that the words describe come first."""
    q = request.args.get("q", "").strip()[: addresses.MAX_QUERY_LENGTH]
    found = None
    if q:
        matches = current_snapshot().search.situations(q, limit=MAX_SITUATIONS)
        found = situation_links(q, reader.ui_language(), matches)
    return situations_page(current_snapshot().atlas, q, found).render()


@blueprint.get("/situations/<situation>")
def sheet(situation: str) -> Response:
    """Show the sheet of a situation, with the answers that the address gives. No cache stores one that reports a wrong
    answer, because there is no end of those.
    """
    atlas, found = current_snapshot().atlas, situation_or_404(situation)
    if ALL_OUTCOMES_KEY in request.environ:
        return Response(outcomes_page(atlas, found).render(), mimetype="text/html")
    code = request.args.get("code", "")
    if code not in atlas.codes:
        code = code_of_sheet(atlas, found)
    if not code:
        abort(404, "No whole text of these laws is here.")
    answers = {name: request.args.getlist(name) for name in request.args if name not in RESERVED}
    pairs = (pair.partition(":") for pair in request.args.getlist("closed"))
    known = {(ask.id, answer.id) for ask in found.ask for answer in ask.answer}
    closed = frozenset((ask, answer) for ask, _, answer in pairs if (ask, answer) in known)
    chain = request.args.getlist("from")
    page = sheet_page(atlas, found, code, answers, closed, Overcall.parse(request.args.get("bid", "")), chain)
    shown = players_page(page) if page.remedy and request.args.get("show") == "players" else page
    response = Response(shown.render(), mimetype="text/html")
    if page.wrong or page.board.broken:
        response.headers["Cache-Control"] = "no-store"
    return response
