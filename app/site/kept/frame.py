"""A page with places left open: bytes in which a mark stands wherever something depends on what is asked for.

>>> fill(b"<p" + place("at:16/D").encode() + b">", {"at:16/D": ' aria-current="true"'})
b'<p aria-current="true">'
>>> fill(b"<p" + place("at:16/D").encode() + b">", {})
b'<p>'
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# Control characters that no text and no template holds: a source with one of them is refused when it is read.
_OPEN, _CLOSE = "\x1e", "\x1f"
_PLACE = re.compile(rb"\x1e([^\x1f]*)\x1f")
_PART = re.compile(r"\x1e([^\x1f]*)\x1f([^\x1e]*)")


def place(name: str) -> str:
    """The mark of a place that is left open."""
    return f"{_OPEN}{name}{_CLOSE}"


def parts(text: str) -> dict[str, str]:
    """What stands behind each mark of a text, up to the next: what the places of that name are filled with.

    >>> parts(place("head") + "<title>…</title>" + place("tools") + "")
    {'head': '<title>…</title>', 'tools': ''}
    """
    return dict(_PART.findall(text))


def fill(frame: bytes, values: Mapping[str, str]) -> bytes:
    """The page; a place without a value is left empty."""
    return _PLACE.sub(lambda found: values.get(found[1].decode(), "").encode(), frame)


def is_frame(page: bytes) -> bool:
    """Whether anything is left open."""
    return _PLACE.search(page) is not None
