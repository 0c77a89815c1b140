"""Topics: the index of the site."""

from __future__ import annotations

from flask import Blueprint, request

from app.site import reader
from app.site.searching import LONGEST
from app.site.state import current
from app.topics.page import topics_page

blueprint = Blueprint("topics", __name__, template_folder="templates")


@blueprint.get("/topics/")
def topics() -> str:
    """All topics by letter; ``?q=``: words of their names."""
    return topics_page(current().atlas, reader.ui(), request.args.get("q", "").strip()[:LONGEST]).render()
