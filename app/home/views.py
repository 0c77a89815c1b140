"""The first page: search, the matrix of editions, the laws by number."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app.home.page import home_page
from app.site import addresses, delivery, reader
from app.site.asked import canonical
from app.site.searching import SearchMissingError
from app.site.state import current
from corpus.model import NodeId

blueprint = Blueprint("home", __name__, template_folder="templates")


@blueprint.get("/")
def home() -> str:
    """Search box, editions by year and language, a grid of the laws of one edition."""
    atlas = current().atlas
    chosen = atlas.library.editions.get(request.args.get("edition", "")) or atlas.home_edition(reader.ui())
    code = request.args.get("code", "")
    return home_page(atlas, chosen, code if code in atlas.codes else next(iter(atlas.codes), "")).render()


@blueprint.get("/go")
def go() -> BaseResponse:
    """The jump field: a citation in an edition, or else a search."""
    atlas, typed = current().atlas, request.args.get("n", "").strip()[:200]
    edition = request.args.get("edition", "")
    if edition in atlas.library.editions:
        if not typed:
            return redirect(addresses.onward(addresses.contents(edition)))
        if path := canonical(atlas.library, edition, typed):
            return redirect(addresses.onward(addresses.law(NodeId.of(edition, path))))
    return redirect(addresses.onward(addresses.search(typed)))


@blueprint.get("/healthz")
@reader.for_programs
def healthz() -> Response:
    """200 when the texts are there and the index answers, else 503 with what to do."""
    try:
        current().search.ready()
    except SearchMissingError as error:
        return Response(f"{error}\n", 503, mimetype="text/plain")
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/favicon.ico")
@reader.for_programs
def favicon() -> BaseResponse:
    """Browsers ask for it unasked."""
    return redirect(delivery.asset("icon.svg"), 301)


@blueprint.get("/robots.txt")
@reader.for_programs
def robots() -> Response:
    """Everything may be read; the comparison and the search have no end of addresses."""
    return Response(
        "User-agent: *\nDisallow: /search\nDisallow: /compare/\nDisallow: /peek/\nDisallow: /scan/\nDisallow: /go\n"
        "Disallow: /settings\n",
        mimetype="text/plain",
    )
