"""A page with places left open: bytes in which a mark stands wherever something depends on what is asked for.

>>> fill(b"<p" + place("at:16/D").encode() + b">", {"at:16/D": ' aria-current="true"'})
b'<p aria-current="true">'
>>> fill(b"<p" + place("at:16/D").encode() + b">", {})
b'<p>'
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# Unicode keeps these for such marks: no text has them (corpus.checked.file), and JSON leaves them as they are.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"  # of a place
_NAMES, _NAMED = "\ufdd2", "\ufdd3"  # of what fills it
_PLACE = re.compile(f"{_OPEN}(.*?){_CLOSE}".encode())
_PART = re.compile(f"{_NAMES}([^{_NAMED}]*){_NAMED}([^{_NAMES}]*)")


def place(name: str) -> str:
    """The mark of a place that is left open."""
    return f"{_OPEN}{name}{_CLOSE}"


def part(name: str) -> str:
    """The mark before what fills the places of a name."""
    return f"{_NAMES}{name}{_NAMED}"


def parts(text: str) -> dict[str, str]:
    """What stands behind each such mark of a text, up to the next.

    >>> parts(part("head") + "<title>…</title>" + part("tools") + "")
    {'head': '<title>…</title>', 'tools': ''}
    """
    return dict(_PART.findall(text))


def fill(frame: bytes, values: Mapping[str, str]) -> bytes:
    """The page; a place without a value is left empty."""
    return _PLACE.sub(lambda found: values.get(found[1].decode(), "").encode(), frame)
