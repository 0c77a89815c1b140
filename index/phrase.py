"""Quoted words: exactly these, one after the other, in one provision or running on from one to the next."""

from __future__ import annotations

import re
import unicodedata

from corpus.alphabet import fold
from index.analyser import Word
from index.document import Document
from index.lexicon import Lexicon
from index.ranking import Ranker


class Phrases:
    """Finds sequences of printed words."""

    def __init__(self, documents: list[Document], lexicons: dict[str, Lexicon]):
        self._documents, self._lexicons = documents, lexicons

    def find(
        self, phrases: tuple[tuple[Word, ...], ...], quoted: tuple[str, ...], langs: list[str], ranker: Ranker
    ) -> tuple[dict[int, tuple[set[int], set[int]]], bool]:
        """Document number → positions of the quoted words in its heading and in its text; and whether they stand there as typed.

        The words as typed, diacritics aside; failing that, other forms of the words.
        """
        for alike in (self._same, self._inflected):
            found: dict[int, tuple[set[int], set[int]]] = {}
            for lang in langs:
                found.update(self._find(phrases, lang, ranker, alike))
            if alike == self._same:
                found = self._as_stored(found, quoted)
            if found:
                return found, alike == self._same
        return {}, False

    def _as_stored(self, found: dict, quoted: tuple[str, ...]) -> dict:
        """Signs are no words: those between the quoted words are compared with the text itself. Other punctuation is
        forgiven when nothing has exactly this one; a symbol (“2♦”) is not.
        """
        signs = [q for q in quoted if any(not c.isalnum() and not c.isspace() for c in q)]
        if not signs:
            return found
        patterns = [_exactly(q) for q in signs]
        stored = lambda n: (self._documents[n].node.heading or "") + "\n" + self._documents[n].node.text
        verified = {n: where for n, where in found.items() if all(p.search(_squeezed(stored(n))) for p in patterns)}
        if verified:
            return verified
        return {} if any(unicodedata.category(c)[0] == "S" for q in signs for c in q) else found

    def _find(self, phrases, lang: str, ranker: Ranker, alike) -> dict[int, tuple[set[int], set[int]]]:
        result: dict[int, tuple[set[int], set[int]]] | None = None
        for phrase in phrases:
            choices = [alike(self._lexicons[lang], w.form) for w in phrase]
            if not choices:
                # Nothing but signs: every text is looked at.
                here = {n: (set(), set()) for n, d in enumerate(self._documents) if d.node.lang == lang}
                result = here if result is None else result
                continue
            numbers = None
            for choice in choices:
                here = set().union(*(ranker.holding_forms(lang, [form]) for form in choice)) if choice else set()
                numbers = here if numbers is None else numbers & here
                if not numbers:
                    break
            found = {}
            for number in sorted(numbers or ()):
                document = self._documents[number]
                heading, text = _runs(document.heading, choices), _runs(document.text, choices)
                if heading or text:
                    found[number] = (heading, text)
            if not numbers or not found:
                found = found or self._across(choices, lang)
            if result is None:
                result = found
            else:
                result = {
                    n: (result[n][0] | found[n][0], result[n][1] | found[n][1]) for n in result.keys() & found.keys()
                }
        return result or {}

    def _across(self, choices: list[frozenset[str]], lang: str) -> dict[int, tuple[set[int], set[int]]]:
        """A quotation that begins in one provision and goes on in the next: both halves are found."""
        out: dict[int, tuple[set[int], set[int]]] = {}
        if len(choices) < 3:
            return out
        before: Document | None = None
        for number, document in enumerate(self._documents):
            if document.node.lang != lang:
                before = None
                continue
            if before is not None and before.node.edition == document.node.edition:
                for cut in range(1, len(choices)):
                    tail, head = before.text[-cut:], (document.heading + document.text)[: len(choices) - cut]
                    if (
                        len(tail) == cut
                        and len(head) == len(choices) - cut
                        and all(f in c for f, c in zip(tail + head, choices))
                    ):
                        size = len(before.text)
                        out[number - 1] = (set(), set(range(size - cut, size)))
            before = document
        return out

    @staticmethod
    def _same(lexicon: Lexicon, form: str) -> frozenset[str]:
        return frozenset((form,))

    @staticmethod
    def _inflected(lexicon: Lexicon, form: str) -> frozenset[str]:
        return lexicon.same_lemma(form)


def _squeezed(text: str) -> str:
    """Folded text without the blanks around signs: “2 ♦” and “2♦” are the same."""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", " ".join(fold(text).split()))


def _exactly(quoted: str) -> re.Pattern:
    text = _squeezed(quoted)
    before, after = (r"(?<!\w)" if text[:1].isalnum() else ""), (r"(?!\w)" if text[-1:].isalnum() else "")
    return re.compile(before + re.escape(text) + after)


def _runs(forms: tuple[str, ...], choices: list[frozenset[str]]) -> set[int]:
    """Positions covered by the sequence."""
    out: set[int] = set()
    size = len(choices)
    for start in range(len(forms) - size + 1):
        if all(forms[start + k] in choices[k] for k in range(size)):
            out.update(range(start, start + size))
    return out
