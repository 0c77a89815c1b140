"""Capital AND, OR and NOT in every language, ``+`` and ``-``: which words must be there, which must not, which may
stand for each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from corpus.word.token import Token, analyse
from index.lexicon import Lexicon


class Sorted(NamedTuple):
    """Tokens by what was said of them; ``either``: pairs joined by OR, by where they start."""

    required: list[Token]
    excluded: list[Token]
    loose: list[Token]
    either: list[tuple[int, int]]


class Operators:
    """The operators of all languages."""

    def __init__(self, lexicons: Iterable[Lexicon]):
        self._kinds: dict[str, str] = {}
        for said in (x.language.search for x in lexicons):
            for kind, words in (("and", said.and_), ("not", said.not_), ("or", said.or_)):
                self._kinds |= dict.fromkeys(words, kind)

    def sort(self, text: str, most: int) -> Sorted:
        """The first ``most`` words of a text. An operator stands between words, and is none where all are capitals."""
        tokens = analyse(text)[:most]
        out = Sorted([], [], [], [])
        between = range(1, len(tokens) - 1) if not all(text[t.start : t.end].isupper() for t in tokens) else ()
        said = None
        for i, token in enumerate(tokens):
            kind = self._kinds.get(text[token.start : token.end]) if i in between else None
            # A capital letter alone is a label sooner than an AND: “12 A”.
            if kind and not (kind == "and" and token.end - token.start < 2):
                if kind == "and" and out.loose and out.loose[-1] is tokens[i - 1]:
                    out.required.append(out.loose.pop())
                said = kind
                continue
            before = text[token.start - 1 : token.start]
            sign = before if before and (token.start < 2 or text[token.start - 2].isspace()) else ""
            if said == "not" or (sign == "-" and i > 0):
                out.excluded.append(token)
            elif said == "and" or sign == "+":
                out.required.append(token)
            else:
                if said == "or" and out.loose:
                    out.either.append((out.loose[-1].start, token.start))
                out.loose.append(token)
            said = None
        return out
