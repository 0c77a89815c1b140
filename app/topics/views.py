"""Topics: the index of the site."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, request

from app.site import addresses, reader
from app.site.atlas import Atlas
from app.site.searching import LONGEST
from app.site.state import current
from app.topics.page import topics_page

blueprint = Blueprint("topics", __name__, template_folder="templates")


def stored(_atlas: Atlas) -> Iterable[str]:
    """The addresses whose pages are made when the generation is built."""
    return [addresses.topics()]


@blueprint.get("/topics/")
def topics() -> str:
    """All topics by letter; ``?q=``: words of their names."""
    return topics_page(current().atlas, reader.ui(), request.args.get("q", "").strip()[:LONGEST]).render()
