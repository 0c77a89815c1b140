"""Where the site stands for its readers, as its operator says it: scheme and host, and nothing after them."""

from __future__ import annotations

import re

NAME = "LEXBRIDGE_URL"
_ORIGIN = re.compile(r"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.IGNORECASE)


class OriginError(ValueError):
    """What is set is not an origin."""


def read(text: str) -> str:
    """The origin that a setting names, empty where it names none; a stroke at its end is dropped.

    >>> read("https://laws.example/")
    'https://laws.example'
    """
    asked = text.strip().removesuffix("/").lower()
    if asked and not _ORIGIN.fullmatch(asked):
        raise OriginError(
            f"{NAME}={text!r} does not say where the site is. Give scheme and host alone, like https://laws.example."
        )
    return asked


def is_secure(scheme: str, origin: str) -> bool:
    """Whether readers reach the site by https: a request by this ``scheme`` did, or the site's own address says so."""
    return scheme == "https" or origin.startswith("https:")
