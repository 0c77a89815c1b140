"""Quoted words: exactly these, one after the other, in one provision or running on from one to the next."""
from __future__ import annotations

from index.analyser import Word
from index.document import Document
from index.lexicon import Lexicon
from index.ranking import Ranker


class Phrases:
    """Finds sequences of printed words."""

    def __init__(self, documents: list[Document], lexicons: dict[str, Lexicon]):
        self._documents, self._lexicons = documents, lexicons

    def find(self, phrases: tuple[tuple[Word, ...], ...], langs: list[str], ranker: Ranker) -> dict[int, tuple[set[int], set[int]]]:
        """Document number → positions of the quoted words in its heading and in its text.

        The words as typed, diacritics aside; failing that, words that a machine misread; failing that, other forms of the words.
        """
        for alike in (self._same, self._misread, self._inflected):
            found: dict[int, tuple[set[int], set[int]]] = {}
            for lang in langs:
                found.update(self._find(phrases, lang, ranker, alike))
            if found:
                return found
        return {}

    def _find(self, phrases, lang: str, ranker: Ranker, alike) -> dict[int, tuple[set[int], set[int]]]:
        result: dict[int, tuple[set[int], set[int]]] | None = None
        for phrase in phrases:
            choices = [alike(self._lexicons[lang], w.form) for w in phrase]
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
                result = {n: (result[n][0] | found[n][0], result[n][1] | found[n][1]) for n in result.keys() & found.keys()}
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
                    tail, head = before.text[-cut:], (document.heading + document.text)[:len(choices) - cut]
                    if len(tail) == cut and len(head) == len(choices) - cut and \
                            all(f in c for f, c in zip(tail + head, choices)):
                        size = len(before.text)
                        out[number - 1] = (set(), set(range(size - cut, size)))
            before = document
        return out

    @staticmethod
    def _same(lexicon: Lexicon, form: str) -> frozenset[str]:
        return frozenset((form,))

    @staticmethod
    def _misread(lexicon: Lexicon, form: str) -> frozenset[str]:
        return frozenset((form, *lexicon.damaged(form)))

    @staticmethod
    def _inflected(lexicon: Lexicon, form: str) -> frozenset[str]:
        return lexicon.same_lemma(form)


def _runs(forms: tuple[str, ...], choices: list[frozenset[str]]) -> set[int]:
    """Positions covered by the sequence."""
    out: set[int] = set()
    size = len(choices)
    for start in range(len(forms) - size + 1):
        if all(forms[start + k] in choices[k] for k in range(size)):
            out.update(range(start, start + size))
    return out
