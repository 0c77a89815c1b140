"""Thresholds: the page, and the same as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, Response, jsonify

from app.site import addresses, reader
from app.site.atlas import Atlas
from app.site.state import current
from app.thresholds.page import thresholds_data, thresholds_page

blueprint = Blueprint("thresholds", __name__, template_folder="templates")


def stored(_atlas: Atlas) -> Iterable[str]:
    """The addresses whose pages are made when the generation is built."""
    return [addresses.thresholds()]


@blueprint.get("/thresholds/")
def thresholds() -> str:
    """Every matter, in the order of the laws."""
    return thresholds_page(current().atlas).render()


@blueprint.get("/thresholds.json")
@reader.for_programs
def data() -> Response:
    """The same as JSON."""
    return jsonify(thresholds_data(current().atlas))
