"""Rulings: the list, a body, one of them, each as JSON too, and the feed."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, Response, jsonify, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from app.rulings.feed import feed_page
from app.rulings.page import body_page, ruling_page, rulings_page
from app.site import addresses, reader, ruling_data
from app.site.asked import body_at, ruling_at
from app.site.atlas import Atlas
from app.site.narrowed import Filters, known_filters, narrowed
from app.site.state import current

blueprint = Blueprint("rulings", __name__, template_folder="templates")


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
    return jsonify(ruling_data.several(current().atlas, narrowed(current().atlas, _filters())))


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
    return jsonify(ruling_data.of_body(current().atlas, body_at(body)))


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
    return jsonify(ruling_data.ruling(current().atlas, ruling_at(body, number)))


def _filters() -> Filters:
    """The filters of the address; unknown values are dropped, a page for people does not scold."""
    return {
        name: [v for v in dict.fromkeys(request.args.getlist(name)) if v in allowed]
        for name, allowed in known_filters(current().atlas).items()
    }
