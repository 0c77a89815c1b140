"""Whether the site works: questions taken from what was built, asked as a reader would, by a rule that knows no text.

Of each edition its middle law is taken. Its number must find it, a word of its heading that few headings have must find
a provision under such a heading, and its words must be there to be read.
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Iterator

from app.site.searching import Search
from app.site.state import Snapshot
from corpus.library import Library
from corpus.model import Node

SECONDS = 5.0  # how long a finding holds: whoever asks often costs nothing
TRIED = 3  # one of which must find what it stands for
SHORTEST = 4  # letters of a word that is asked for
MOST = 100  # hits among which the right one must be: an ending may make a rare word a common one


class Checks:
    """The last finding, until another generation is there or ``SECONDS`` have gone by."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: tuple[str, float, str] | None = None

    def fault(self, snapshot: Snapshot) -> str:
        """What is wrong, in a sentence that says what to do; empty where every question is answered rightly."""
        with self._lock:
            now = time.monotonic()
            if self._found and self._found[0] == snapshot.digest and now - self._found[1] < SECONDS:
                return self._found[2]
            fault = _fault(snapshot)
            self._found = snapshot.digest, now, fault
            return fault


def _fault(snapshot: Snapshot) -> str:
    try:
        wrong = next(faults(snapshot.library, snapshot.search), "")
    except Exception as error:  # noqa: BLE001 – whatever is wrong, the next move is the same
        wrong = f"A question ended in {type(error).__name__}"
    return f"{wrong}. Run: lexbridge build" if wrong else ""


def faults(library: Library, search: Search) -> Iterator[str]:
    """What is answered wrongly, edition by edition."""
    if not library.editions:
        yield "There is no edition"
    for edition in library.editions:
        laws = library.laws(edition)
        if not laws:
            continue
        law = laws[len(laws) // 2]
        hits = search.answer(law.citation, editions=(edition,), limit=1).hits
        if [hit.node.id for hit in hits] != [law.id]:
            yield f"{law.id} is not found by its number"
        if not any(n.text.strip() for n in library.of(edition)):
            yield f"{edition} has no words"
        if (words := _rare(laws)) and not any(_finds(search, edition, word, laws) for word in words):
            yield f"{edition}: “{words[0]}” finds nothing under a heading that has it, and neither do others"


def _finds(search: Search, edition: str, word: str, laws: list[Node]) -> bool:
    """Whether a word finds something in a law in whose heading it stands."""
    under = [n for n in laws if word in _words(n)]
    hits = search.answer(word, editions=(edition,), limit=MOST).hits
    return any(law.id.holds(hit.node.id) for hit in hits for law in under)


def _rare(laws: list[Node]) -> list[str]:
    """Words of headings that the fewest headings have, the longest of them. Several, for any one may be a word that the
    search leaves out, or that means much else in the texts.
    """
    often = Counter(word for n in laws for word in _words(n))
    return sorted(often, key=lambda word: (often[word], -len(word), word))[:TRIED]


def _words(node: Node) -> set[str]:
    return {w for w in re.findall(r"[^\W\d_]+", (node.heading or "").lower()) if len(w) >= SHORTEST}
