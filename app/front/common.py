"""What every answer that is given before the application has in common: its headers, and its line in the log."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

from app.site import delivery, headers, origin

STARTED = "lexbridge.started"  # in the environment of a request: when it came, by the performance counter


def headers_of(environ: Mapping[str, Any], here: str) -> list[tuple[str, str]]:
    """Those that all answers have; ``here``: where the site stands, empty where it has no name of its own."""
    return headers.ready_headers(environ.get("PATH_INFO", ""), origin.is_secure(environ.get("wsgi.url_scheme", ""), here))


def told(logger: logging.Logger, environ: Mapping[str, Any], status: str) -> None:
    """The line of a request that the application does not see."""
    started = environ.get(STARTED) or time.perf_counter()
    path, method = environ.get("PATH_INFO", ""), environ.get("REQUEST_METHOD", "")
    delivery.log(logger, method, path, int(status[:3]), started)
