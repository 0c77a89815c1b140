"""What was added and what was removed between two texts of one language, word by word, from the older to the newer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

# A word or a sign with the blanks after it; only what is before the blanks is compared.
_TOKEN = re.compile(r"\w+\s*|[^\w\s]\s*|^\s+")
_PARAGRAPH = "\n\n"

# ``=``, ``-`` (only in the older) or ``+`` (only in the newer), and the words.
Stretch = tuple[str, str]


def redline(old: str, new: str) -> list[Stretch]:
    """``[(sign, words)]``; joined ``=`` and ``+`` give ``new``.

    >>> redline("a small penalty", "a penalty card")
    [('=', 'a '), ('-', 'small '), ('=', 'penalty '), ('+', 'card')]
    """
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    out: list[Stretch] = []
    matcher = SequenceMatcher(None, [t.rstrip() for t in a], [t.rstrip() for t in b], autojunk=False)
    for op, i1, i2, j1, j2 in matcher.get_opcodes():
        if op == "equal":
            out.append(("=", "".join(b[j1:j2])))
            continue
        for sign, words in (("-", "".join(a[i1:i2])), ("+", "".join(b[j1:j2]))):
            if words:
                out.append((sign, words))
    return out


def redline_parts(old: Sequence[str], new: Sequence[str]) -> list[list[Stretch]]:
    """The redline of several texts that stand against several: each side joined, the result cut into the newer texts.

    A split is so compared with its parts joined: words that went into the second part are not removed from the first.

    >>> redline_parts(["one two"], ["one", "two"])
    [[('=', 'one')], [('=', 'two')]]
    """
    out: list[list[Stretch]] = [[] for _ in new]
    at, left = 0, len(new[0]) if new else 0
    for sign, stretch in redline(_PARAGRAPH.join(old), _PARAGRAPH.join(new)) if new else ():
        if sign == "-":
            out[at].append((sign, stretch))
            continue
        words = stretch
        while words:
            piece, words = words[:left], words[left:]
            if piece:
                out[at].append((sign, piece))
            left -= len(piece)
            if words and not left:
                # The blank line between two texts belongs to neither.
                words = words.removeprefix(_PARAGRAPH)
                at, left = (at + 1, len(new[at + 1])) if at + 1 < len(new) else (at, len(words))
                if not words:
                    break
    return out
