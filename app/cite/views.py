"""What one takes away from a provision: its citation, a card to print."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from app.cite import citation
from app.law.page import law_page
from app.site import addresses
from app.site.asked import node_at
from app.site.state import current

blueprint = Blueprint("cite", __name__, template_folder="templates")


@blueprint.get("/cite/<edition>/<path:path>")
def cite(edition: str, path: str):
    """A provision's citation in all forms and languages of the site."""
    node, library = node_at(addresses.cite, edition, path), current().library
    forms = citation.forms(library, node)
    template = "cite_piece.html" if request.args.get("piece") else "cite.html"
    return render_template(
        template, node=node, edition=library.editions[edition], forms=forms, qr=citation.qr(forms[0].link)
    )


@blueprint.get("/card/<edition>/<path:path>")
def card(edition: str, path: str):
    """One provision in large type, for the middle of the table."""
    page = law_page(current().atlas, node_at(addresses.card, edition, path), decisions=False, alone=True)
    link = addresses.link(page.asked.id)
    return render_template("card.html", page=page, qr=citation.qr(link), link=link)
