"""The first page: search, the matrix of editions, the laws by number."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, Response, current_app, redirect, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as BaseResponse

from app.home.health import Checks
from app.home.page import home_page
from app.site import addresses, reader
from app.site.asked import canonical
from app.site.atlas import Atlas
from app.site.state import current
from corpus.model import NodeId

blueprint = Blueprint("home", __name__, template_folder="templates")


def stored(_atlas: Atlas) -> Iterable[str]:
    """The addresses whose pages are made when the generation is built."""
    return [addresses.home()]


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


@blueprint.record
def _checks(setup: BlueprintSetupState) -> None:
    setup.app.extensions["health"] = Checks()


@blueprint.get("/healthz")
@reader.for_programs
def healthz() -> Response:
    """200 and the digest of what was built when questions taken from it are answered rightly, else 503 with what to
    do.
    """
    snapshot = current()
    fault = current_app.extensions["health"].fault(snapshot)
    said, status = (f"{fault}\n", 503) if fault else (f"ok {snapshot.digest}\n", 200)
    return Response(said, status, {"Cache-Control": "no-store"}, mimetype="text/plain")


@blueprint.get("/favicon.ico")
@reader.for_programs
def favicon() -> BaseResponse:
    """Browsers ask for it unasked."""
    return redirect(addresses.static("icon.svg"), 301)


@blueprint.get("/robots.txt")
@reader.for_programs
def robots() -> Response:
    """Everything may be read; the comparison and the search have no end of addresses."""
    return Response(
        "User-agent: *\nDisallow: /search\nDisallow: /compare/\nDisallow: /peek/\nDisallow: /scan/\nDisallow: /go\n"
        "Disallow: /settings\n",
        mimetype="text/plain",
    )
