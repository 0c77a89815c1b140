"""Whether a query asks what changed between codes: “co się zmieniło w 27”, “claim 1997 vs 2017”; and what is left of
it.

What asks are words of the languages (``changes``, ``changed``, ``code`` in ``[search]`` of their files): some by
themselves, some only beside a year or a citation, for “changed” alone is said of calls and cards, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from corpus.alphabet import fold
from corpus.language import Language
from corpus.word.token import Token, analyse


class Changes(NamedTuple):
    """That a query asks what changed. ``years``: the codes it names, in the order typed; () where it names none."""

    years: tuple[str, ...]


class Cut(NamedTuple):
    """A query without what asks for changes: the ``rest``, the years named, and whether the words ask by themselves or
    beside the name of a code.
    """

    rest: str
    years: tuple[str, ...]
    asks: bool


class Changing:
    """What asks for changes, in all languages; ``years``: those that texts here are of."""

    def __init__(self, languages: Iterable[Language], years: Collection[str]):
        said = [language.search for language in languages]
        self._asking = {_phrase(p) for search in said for p in search.changes}
        self._beside = {_phrase(p) for search in said for p in search.changed}
        self._code = {_phrase(p) for search in said for p in search.code}
        self._since = {_phrase(p) for search in said for p in search.since}
        self._longest = max((len(p) for p in (*self._asking, *self._beside, *self._code, *self._since)), default=0)
        self._years = frozenset(years)

    def cut(self, text: str) -> Cut | None:
        """The query without what asks for changes; None where nothing in it does. Two years ask by themselves.

        ``"co się zmieniło w 27 od 1997"`` → ``Cut("w 27 od", ("1997",), True)``
        """
        tokens = analyse(text)
        years = tuple(dict.fromkeys(t.form for t in tokens if t.form in self._years))
        asking, beside = self._places(tokens, self._asking), self._places(tokens, self._beside)
        if not asking and not beside and len(years) < 2:
            return None
        code, dates = self._places(tokens, self._code), {i for i, t in enumerate(tokens) if t.form in years}
        since = self._places(tokens, self._since) if dates or code else set()
        asks = bool(asking) or (bool(beside) and bool(code))
        gone = asking | beside | code | dates | since
        # “w 2017 a w 2007”: what leads in to a word that goes would be taken for a label.
        for i in range(len(tokens) - 1, -1, -1):
            alone = text[max(0, tokens[i].start - 1) : tokens[i].start].isspace() and tokens[i].form.isalpha()
            if i + 1 in gone and alone and len(tokens[i].form) == 1:
                gone.add(i)
        return Cut(_without(text, tokens, gone), years, asks)

    def _places(self, tokens: list[Token], phrases: Collection[tuple[str, ...]]) -> set[int]:
        """The places of the words of every phrase that stands there."""
        found: set[int] = set()
        for at in range(len(tokens)):
            for size in range(1, min(self._longest, len(tokens) - at) + 1):
                if tuple(t.form for t in tokens[at : at + size]) in phrases:
                    found.update(range(at, at + size))
        return found


def _phrase(words: str) -> tuple[str, ...]:
    return tuple(t.form for t in analyse(fold(words)))


def _without(text: str, tokens: list[Token], gone: Collection[int]) -> str:
    """The text without some of its words; what stands between the others stays, for labels are told by it."""
    out, at = [], 0
    for i in sorted(gone):
        out.append(text[at : tokens[i].start])
        at = tokens[i].end
    return " ".join("".join([*out, text[at:]]).split()).strip(" ?!.,;:–—-/")
