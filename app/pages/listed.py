"""Which pages are made when the generation is built: what each room of the site says of its own."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask

from app.site.delivery import stored
from app.site.state import current


def listed(app: Flask) -> list[str]:
    """Their addresses without the site's language, room by room."""
    with app.test_request_context():
        app.preprocess_request()
        found = (address for of_room in stored(app) for address in of_room(current().atlas))
        return list(dict.fromkeys(urlsplit(address).path for address in found))
