"""Talk around a question: “okay so I need a ruling, …”. The search answers the question without it.

Two things find it: the phrases of a language, its list ``talk`` (``languages/<language>.toml``), and a model that knows
what talk sounds like (:mod:`index.talk_model`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from corpus.letters import fold
from index.lexicon import Lexicon
from index.talk_model import TalkModel

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_END_OF_CLAUSE = re.compile(r"[.,;:?!–—]")
_END_OF_SENTENCE = re.compile(r"[.?!]")
_LOOSE_SIGNS = " ,;:.–—-…"


class _Word(NamedTuple):
    """A word of a text, folded and without apostrophes, and where it stands."""

    form: str
    start: int
    end: int


class TalkRemover:
    """Removes talk in every language that has a list, or that the ``model`` knows."""

    def __init__(self, lexicons: Mapping[str, Lexicon], model: TalkModel | None = None):
        self._model = model
        # Language → first word → phrases as lists of folded words, the longest first.
        self._phrases: dict[str, dict[str, list[tuple[str, ...]]]] = {}
        for lang, lexicon in lexicons.items():
            phrases = [tuple(_forms(phrase)) for phrase in lexicon.language.search.talk]
            by_first = defaultdict(list)
            for phrase in sorted(filter(None, phrases), key=len, reverse=True):
                by_first[phrase[0]].append(phrase)
            self._phrases[lang] = by_first
        self._stopwords = {lang: lexicon.stopwords for lang, lexicon in lexicons.items()}
        self._conditional = {lang: set(map(fold, x.language.search.conditional)) for lang, x in lexicons.items()}

    def remove_from(self, text: str, lang: str | None) -> str:
        """Return a text in a language without talk; the text itself where nothing but talk and stopwords is in it."""
        rest = self.blank_out(text, lang)
        return text if rest == text else " ".join(rest.split()).strip(_LOOSE_SIGNS)

    def blank_out(self, text: str, lang: str | None) -> str:
        """Return a text in a language with blanks in the place of talk, so all else stands where it stood.

        Nothing is taken from a text that holds only talk and stopwords. A phrase of one word is talk only where a
        clause begins or ends: “so, he led”, but not “he did so then”. “What happens if …?” asks for the ruling and
        states the rest, so its question mark goes, too.
        """
        if self._model is not None:
            for start, end in self._model.find(text, lang):
                text = text[:start] + " " * (end - start) + text[end:]
        return self._blank_out_phrases(text, lang)

    def _blank_out_phrases(self, text: str, lang: str | None) -> str:
        if lang not in self._phrases:
            return text
        words = list(_words(text))
        signs, kept, at = list(text), list[_Word](), 0
        while at < len(words):
            length = self._talk_at(words, at, text, lang, begins=not kept)
            if length:
                start, end = words[at].start, words[at + length - 1].end
                signs[start:end] = " " * (end - start)
                asked = _END_OF_SENTENCE.search(text, end)
                if asked and asked[0] == "?" and words[at + length - 1].form in self._conditional[lang]:
                    signs[asked.start()] = " "
            else:
                kept.append(words[at])
            at += length or 1
        return text if all(word.form in self._stopwords[lang] for word in kept) else "".join(signs)

    def _talk_at(self, words: list[_Word], at: int, text: str, lang: str, begins: bool) -> int:
        """Return how many words of talk begin at a word. ``begins``: only talk stands before it."""
        for phrase in self._phrases[lang].get(words[at].form, ()):
            end = at + len(phrase)
            if tuple(word.form for word in words[at:end]) != phrase:
                continue
            ends = end == len(words) or _END_OF_CLAUSE.search(text, words[end - 1].end, words[end].start)
            starts = begins or _END_OF_CLAUSE.search(text, words[at - 1].end, words[at].start)
            is_whole = fold(text[words[at].start : words[at].end]) == phrase[0]  # not “we’ll” for “well”
            if len(phrase) > 1 or (is_whole and (starts or ends)):
                return len(phrase)
        return 0


def _words(text: str) -> Iterator[_Word]:
    for found in _WORD.finditer(text):
        yield _Word(fold(re.sub("['’]", "", found[0])), found.start(), found.end())


def _forms(phrase: str) -> list[str]:
    return [word.form for word in _words(phrase)]
