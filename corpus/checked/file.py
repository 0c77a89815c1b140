"""A file of the corpus: one that stands where its name says, is no larger than a person writes, and holds text.

An edition may come from a stranger, so nothing is opened before it is known what it is: a link may lead to a file of
this computer that is nobody's business, a pipe never ends.
"""

from __future__ import annotations

import re
import stat
from pathlib import Path

from corpus.checked import Refused
from corpus.model import Problem
from corpus.place import Place

MOST = 5_000_000  # bytes, ten books of laws: of each character that is read the place is kept, and takes 400 bytes
# Tab, line feed, form feed and vertical tab are layout. The signs that turn the direction of a line around hide what
# stands in it; XML has no place for the last two.
STRANGE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffd\ufffe\uffff]"
)


def data(path: Place, name: str) -> bytes:
    """The bytes of a file; ``name``: its place in the corpus.

    Raises FileNotFoundError when there is none, :class:`corpus.checked.Refused` for anything but a plain file of that
    size at that place.
    """
    if not isinstance(path, Path):  # held in memory, and proved when it was read
        return path.read_bytes()
    if any(at.is_symlink() for at in (path, *path.parents[: name.count("/")])):
        raise _refused(name, "It is a link, or stands behind one.", "Put the file itself here; links are not followed.")
    try:
        found = path.stat()
    except FileNotFoundError:
        raise
    except OSError as error:
        finding = f"The file cannot be read ({error.strerror})."
        raise _refused(name, finding, "Make it a readable file.") from None
    if not stat.S_ISREG(found.st_mode):
        raise _refused(name, "The file cannot be read: it is no plain file.", "Make it a readable file.")
    if found.st_size > MOST:
        finding = f"The file has {found.st_size:,} bytes, more than {MOST:,}."
        raise _refused(name, finding, "Take out what is no text of it, or divide it.")
    try:
        return path.read_bytes()
    except OSError as error:
        finding = f"The file cannot be read ({error.strerror})."
        raise _refused(name, finding, "Make it a readable file.") from None


def is_there(path: Place) -> bool:
    """Whether anything stands at a place, be it a link that leads nowhere: then it is told, and not passed over."""
    return path.exists() or (isinstance(path, Path) and path.is_symlink())


def read_text(path: Place, name: str) -> str:
    """A file about the texts: UTF-8, its lines ended by a line feed. Raises as :func:`data` does."""
    written = data(path, name)
    try:
        return written.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = written[: error.start].count(b"\n") + 1
        finding = f"The file cannot be read. Byte {written[error.start]:#04x} is not UTF-8."
        raise Refused([Problem(name, line, finding, "Save it as UTF-8.")]) from None


def strange(line: str) -> str:
    r"""What no text has, as “U+0007”; empty for a text.

    >>> strange("Law\t16"), strange("a\u202eb")
    ('', 'U+202E')
    """
    found = STRANGE.search(line)
    return f"U+{ord(found[0]):04X}" if found else ""


def _refused(name: str, finding: str, move: str) -> Refused:
    return Refused([Problem(name, 1, finding, move)])
