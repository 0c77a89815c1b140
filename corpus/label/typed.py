"""Query mode: the provision that a person means who types labels, however spelt. No number is changed or guessed.

What letters mean follows from what they stand after: after a law a section, after a number a clause, after a clause a
small roman number. Where two readings are possible ("12C1ii") both are given, for only the editions can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields

from corpus.alphabet import fold
from corpus.checked.table import keyed
from corpus.label.grammar import (
    DASH,
    ROMAN,
    TYPED_AFTER,
    TYPED_BEFORE,
    TYPED_GAP,
    TYPED_GAP_OF_NUMBERS,
    alike,
    between,
    rises,
    step_shape,
)
from corpus.language import Language

_PIECE = re.compile(r"\d+|[^\W\d_]+|[\W_]+")
_BEFORE, _AFTER = re.compile(rf"[{re.escape(TYPED_BEFORE)}]*"), re.compile(rf"[{re.escape(TYPED_AFTER)}]*")


@dataclass(frozen=True)
class CitationWords:
    """Words of all languages that may stand with labels, folded.

    ``law``, ``point``, ``note``, ``chapter`` say what is cited; ``number`` that a number follows ("nr"); ``level``
    names a step in the middle of a citation ("12 C pkt 1 lit. e"); ``joiner`` joins citations or leads in to them
    ("i", "zobacz"); ``about`` stands between a point and what it is about ("decyzja do 12C"); ``numbers``: beginnings
    of numbers in words ("sixt:60"); ``counted``: of what numbers count ("52 karty").
    """

    law: frozenset[str] = frozenset()
    point: frozenset[str] = frozenset()
    note: frozenset[str] = frozenset()
    chapter: frozenset[str] = frozenset()
    number: frozenset[str] = frozenset()
    level: frozenset[str] = frozenset()
    joiner: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()

    @classmethod
    def of(cls, languages: Iterable[Language]) -> CitationWords:
        """From the language files: ``[search]``, and the law words of ``[reference]``."""
        keys = {"note": ("footnote",), "joiner": ("cited_joiners", "stopwords")}
        out: dict[str, set[str]] = {field.name: set() for field in fields(cls)}
        for language in languages:
            search = keyed(language.search)
            for name, found in out.items():
                found |= {_word(w) for key in keys.get(name, (name,)) for w in search.get(key, ())}
            out["law"] |= {_word(w) for key in ("law", "law_after") for w in language.words(key)}
        return cls(**{name: frozenset(found - {""}) for name, found in out.items()})

    def to_json(self) -> dict[str, list[str]]:
        """Lists in order, as :meth:`from_json` reads them."""
        return {name: sorted(found) for name, found in asdict(self).items()}

    @classmethod
    def from_json(cls, data: dict[str, list[str]]) -> CitationWords:
        """The words of lists that :meth:`to_json` made."""
        return cls(**{name: frozenset(found) for name, found in data.items()})


NO_WORDS = CitationWords()


def _word(printed: str) -> str:
    """A word as a piece of a query is compared with it: "Art." → "art"."""
    return fold(alike(printed)).strip(" .'§")


def readings(text: str, words: CitationWords = NO_WORDS) -> tuple[str, ...]:
    """The paths that one citation may mean, the likeliest first; () when the text is not only a citation.

    >>> readings("27b1a"), readings("12 C 1 (e)(ii)"), readings("35.1"), readings("70-E-2")
    (('27/B/1/a',), ('12/C/1/e/ii',), ('35/1',), ('70/E/2',))
    >>> readings("12C1ii"), readings("7-2")
    (('12/C/1/ii', '12/C/1/i/i'), ())
    """
    found: list[tuple[str, ...]] = []
    gap, gaps, worded = "", [], False
    for piece in _PIECE.findall(alike(text)):
        if not (piece.isalpha() or piece.isdecimal()):
            gap += piece
            continue
        if not found:
            if not _BEFORE.fullmatch(gap.lstrip(".:") if worded else gap):
                return ()
            if piece.isdecimal() and len(piece) < 4:
                found, worded = [(str(int(piece)),)], False
            elif fold(piece) in words.law | words.point | words.number:
                worded = True
            else:
                return ()
        elif longer := [steps + more for steps in found for more in _further(steps, piece, gap)]:
            found, worded = longer, False
            gaps.append(gap)
        elif len(piece) > 1 and fold(piece) in words.level | words.number and TYPED_GAP.fullmatch(gap):
            worded = True
        else:
            return ()
        gap = ""
    if worded or not _AFTER.fullmatch(gap) or not _is_even(gaps):
        return ()
    return tuple("/".join(steps) for steps in found)


def _is_even(gaps: list[str]) -> bool:
    """Whether dashes, where one parts more than the law from the rest, part every step: 12-C-1 and 16-C2; 16A-17C is
    two labels.
    """
    dashes = ["-" in gap for gap in gaps]
    return not any(dashes[1:]) or all(dashes)


def span(text: str, words: CitationWords = NO_WORDS) -> tuple[str, ...]:
    """The paths of a range of neighbours, ends included; () when the text is not only a range.

    >>> span("12C1b–d"), span("27B1-27B3"), span("30–32"), span("7-2")
    (('12/C/1/b', '12/C/1/c', '12/C/1/d'), ('27/B/1', '27/B/2', '27/B/3'), ('30', '31', '32'), ())
    """
    plain = alike(text)
    for dash in DASH.finditer(plain):
        for first in readings(plain[: dash.start()], words):
            above, _, step = first.rpartition("/")
            right = plain[dash.end() :]
            for last in (*readings(right, words), *(readings(f"{above}/{right}", words) if above else ())):
                base, _, end = last.rpartition("/")
                if base == above and rises(step, end):
                    return first, *between(first, last), last
    return ()


def is_label(letters: str) -> bool:
    """Whether letters may be steps of a citation: one, a small roman number, or a clause with its own ("eii")."""
    return letters.isascii() and (len(letters) == 1 or _is_roman(letters) or _is_roman(letters[1:]))


def _is_roman(letters: str) -> bool:
    return letters.lower() in ROMAN


def _further(  # noqa: PLR0911 – each return is one kind of step
    steps: tuple[str, ...], piece: str, gap: str
) -> list[tuple[str, ...]]:
    """The steps that a piece after these steps may be."""
    before, small = step_shape(steps[-1]), piece.lower()
    if piece.isdecimal():
        apart = TYPED_GAP_OF_NUMBERS if before == "1" else TYPED_GAP
        below = (before == "A" and len(steps) == 2) or (before == "1" and len(steps) == 1)
        return [(str(int(piece)),)] if below and len(piece) < 3 and apart.fullmatch(gap) else []
    if not is_label(piece) or not TYPED_GAP.fullmatch(gap):
        return []
    if len(steps) == 1:
        return [(piece.upper(),)] if len(piece) == 1 else []
    if before == "a" or (before == "A" and len(steps) == 3):
        return [(small,)] if _is_roman(piece) and len(steps[-1]) == 1 and step_shape(steps[-2]) != "a" else []
    if before == "A":
        return [(piece,)] if len(piece) == 1 and piece.islower() else []
    # Points count 3.1.A, laws 35.1(a): there the case is the writer's.
    first = piece[0] if len(steps) == 2 else small[0]
    if len(piece) == 1:
        return [(first,)]
    return [(small,)] * _is_roman(piece) + [(first, small[1:])] * _is_roman(piece[1:])
