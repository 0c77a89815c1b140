"""Which terms are entries and which are sub-entries, where print told them apart by indentation that is lost.

Entries stand in alphabetical order, and so do the sub-entries of each. Of all ways to divide the terms that one is
chosen which disturbs both orders least and agrees best with the other signs: a blank line before an entry, a
definition of that name, “see” lines that lead to it or follow it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from corpus.alphabet import Alphabet, fold
from corpus.subject_index.printed import Row
from corpus.subject_index.stems import stems

_OTHER_LETTER, _OUT_OF_ORDER, _SUBENTRY_OUT_OF_ORDER = 40.0, 4.0, 1.5
_PLAIN, _GAP, _NAMED, _SEE, _GOES_ON, _TWICE = 0.4, 0.6, 2.0, 3.0, -2.2, -2.0
_SHORT = 4  # letters of a word whose ending is half of it
_LONGEST = 80  # terms below one entry

_Key = tuple[tuple[str, int], ...]


def entries(rows: list[Row], named: set[str], fixed: dict[int, bool], alphabet: Alphabet) -> set[int]:
    """Lines of the terms that are entries. ``named``: folded names of definitions; ``fixed``: decided by a reviewer."""
    terms = [r for r in rows if r.term]
    if not terms:
        return set()
    known = named | {fold(r.entry) for r in rows if r.kind == "see"}
    followed = {a.line for a, b in pairwise(rows) if a.kind == "term" and b.kind == "see" and not b.term}
    keys = [_key(t.term, alphabet) for t in terms]
    words = [stems(t.term, alphabet) for t in terms]
    best: list[float] = []
    back: list[int] = []
    for i, term in enumerate(terms):
        if i == 0:
            best.append(0.0)
            back.append(-1)
            continue
        top, chosen, between = float("-inf"), 0, 0.0
        for j in range(i - 1, max(-1, i - 2 - _LONGEST), -1):
            # terms j+1 … i-1 are sub-entries of j; ``between`` is what that costs
            if j + 2 < i and keys[j + 2] < keys[j + 1]:
                between -= _SUBENTRY_OUT_OF_ORDER
            if j + 1 < i and (terms[j + 1].line in followed or fixed.get(terms[j + 1].line)):
                break
            value = best[j] + between + _bonus(term, terms[j], keys[i], keys[j], words[j] <= words[i], known, followed)
            if value > top:
                top, chosen = value, j
        if fixed.get(term.line) is False or term.kind == "see":
            top = float("-inf")
        best.append(top)
        back.append(chosen)
    end = len(terms) - 1
    last = max(range(max(0, end - _LONGEST), end + 1), key=lambda j: best[j])
    out = set()
    while last >= 0:
        out.add(terms[last].line)
        last = back[last]
    return out


def _key(term: str, alphabet: Alphabet) -> _Key:
    """Alphabetical order of an index: letters only, endings of long words aside."""
    words = re.findall(r"\w+", term.lower())
    return alphabet.sort_key("".join(alphabet.without_ending(w) if len(w) > _SHORT else w for w in words))


def _bonus(
    term: Row, before: Row, key: _Key, key_before: _Key, goes_on: bool, known: set[str], followed: set[int]
) -> float:
    """What speaks for a term being an entry after another; ``goes_on``: it has all words of that one."""
    value = _PLAIN + _GAP * term.gap + _SEE * (term.line in followed)
    name = fold(term.term)
    if name in known:
        value += _NAMED
    if name == fold(before.term):
        value += _TWICE
    elif goes_on and key > key_before:
        value += _GOES_ON
    if key < key_before:
        value -= _OTHER_LETTER if key[:1] < key_before[:1] else _OUT_OF_ORDER
    return value
