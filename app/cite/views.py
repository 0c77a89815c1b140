"""What one takes away from a provision: its citation, a card to print."""

from __future__ import annotations

from flask import Blueprint, request

from app.cite.page import card_page, cite_page
from app.site import addresses
from app.site.asked import node_at
from app.site.state import current

blueprint = Blueprint("cite", __name__, template_folder="templates")


@blueprint.get("/cite/<edition>/<path:path>")
def cite(edition: str, path: str) -> str:
    """A provision's citation in all forms and languages of the site; ``?piece=1``: without the page around it."""
    page = cite_page(current().library, node_at(addresses.cite, edition, path))
    return page.render("cite_piece.html" if request.args.get("piece") else "")


@blueprint.get("/card/<edition>/<path:path>")
def card(edition: str, path: str) -> str:
    """One provision in large type, for the middle of the table."""
    return card_page(current().atlas, node_at(addresses.card, edition, path)).render()
