"""How the laws refer to each other: the net of an edition, and the neighbourhood of a law."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template

from app.net import picture
from app.site import addresses, reader
from app.site.asked import node_at
from app.site.state import current

blueprint = Blueprint("net", __name__, template_folder="templates")


@blueprint.get("/net/")
def nets():
    """The picture of the edition that the reader probably wants."""
    return redirect(addresses.nets(current().atlas.home_edition(reader.ui()).id))


@blueprint.get("/net/<edition>/")
def net(edition: str):
    """How the laws of an edition refer to each other."""
    atlas = current().atlas
    if edition not in atlas.library.editions:
        abort(404)
    return render_template(
        "net.html",
        edition=atlas.library.editions[edition],
        law=None,
        picture=picture.net(atlas, edition),
        all=atlas.ordered,
    )


@blueprint.get("/net/<edition>/<path:path>")
def neighbourhood(edition: str, path: str):
    """One law with those that refer to it and those it refers to."""
    atlas = current().atlas
    law = atlas.page_of(node_at(addresses.net, edition, path))
    return render_template(
        "net.html",
        edition=atlas.library.editions[edition],
        law=law,
        picture=picture.neighbourhood(atlas, law),
        all=atlas.ordered,
    )
