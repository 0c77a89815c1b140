"""How the laws refer to each other: the net of an edition, and the neighbourhood of a law."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, abort, redirect
from werkzeug.wrappers import Response

from app.net.page import law_net_page, net_page
from app.site import addresses, reader
from app.site.asked import node_at
from app.site.atlas import Atlas
from app.site.state import current

blueprint = Blueprint("net", __name__, template_folder="templates")


def stored(atlas: Atlas) -> Iterable[str]:
    """The addresses whose pages are made when the generation is built."""
    return map(addresses.nets, atlas.library.editions)


@blueprint.get("/net/")
def nets() -> Response:
    """The picture of the edition that the reader probably wants."""
    return redirect(addresses.onward(addresses.nets(current().atlas.home_edition(reader.language()).id)))


@blueprint.get("/net/<edition>/")
def net(edition: str) -> str:
    """All laws of an edition."""
    if edition not in current().library.editions:
        abort(404)
    return net_page(current().atlas, edition).render()


@blueprint.get("/net/<edition>/<path:path>")
def neighbourhood(edition: str, path: str) -> str:
    """One law with those that refer to it and those it refers to."""
    return law_net_page(current().atlas, node_at(addresses.net, edition, path)).render()
