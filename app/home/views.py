"""The first page: search, the matrix of editions, the laws by number."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request

from app.site import addresses, delivery, reader
from app.site.asked import canonical
from app.site.searching import SearchMissing
from app.site.state import current
from corpus.model import NodeId

blueprint = Blueprint("home", __name__, template_folder="templates")


@blueprint.get("/")
def home():
    """Search box, editions by year and language, a grid of the laws of one edition."""
    atlas = current().atlas
    chosen = atlas.library.editions.get(request.args.get("edition", "")) or atlas.home_edition(reader.ui())
    langs = list(dict.fromkeys([e.lang for e in atlas.codes]))
    years = sorted({e.year for e in atlas.ordered})
    matrix = [
        (year, [[e for e in atlas.ordered if e.year == year and e.lang == lang] for lang in langs]) for year in years
    ]
    return render_template(
        "home.html",
        langs=langs,
        matrix=matrix,
        chosen=chosen,
        all=atlas.ordered,
        laws=atlas.library.laws(chosen.id),
        examples=reader.EXAMPLES.get(reader.ui(), ()),
        definitions=atlas.library.node(chosen.id, "def"),
    )


@blueprint.get("/go")
def go():
    """The jump field: a citation in an edition, or else a search."""
    atlas, typed = current().atlas, request.args.get("n", "").strip()[:200]
    edition = request.args.get("edition", "")
    if edition in atlas.library.editions:
        if not typed:
            return redirect(addresses.contents(edition))
        if path := canonical(atlas.library, edition, typed):
            return redirect(addresses.law(NodeId.of(edition, path)))
    return redirect(addresses.search(typed))


@blueprint.get("/healthz")
def healthz():
    """200 when the texts are there and the index answers, else 503 with what to do."""
    try:
        current().search.ready()
    except SearchMissing as error:
        return Response(f"{error}\n", 503, mimetype="text/plain")
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/favicon.ico")
def favicon():
    """Browsers ask for it unasked."""
    return redirect(delivery.asset("icon.svg"), 301)


@blueprint.get("/robots.txt")
def robots():
    """Everything may be read; the comparison and the search have no end of addresses."""
    return Response(
        "User-agent: *\nDisallow: /search\nDisallow: /compare/\nDisallow: /peek/\nDisallow: /scan/\nDisallow: /go\n",
        mimetype="text/plain",
    )
