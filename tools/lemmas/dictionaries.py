"""What the tables need of a dictionary (:class:`Dictionary`), and the two kinds that we have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Protocol

from tools.lemmas.guess import Endings, guess_words


class Dictionary(Protocol):
    """Words of one language, in lower case."""

    def lemmas(self, form: str) -> Collection[str]:
        """Return the lemmas that a form may belong to; empty where the form is unknown."""

    def forms(self, lemma: str) -> Collection[str]:
        """Return all known forms of a lemma."""


class MorfeuszDictionary:
    """Polish with complete paradigms: Morfeusz 2 with its dictionary."""

    def __init__(self) -> None:
        import morfeusz2

        self._it = morfeusz2.Morfeusz()

    @property
    def name(self) -> str:
        """The name and date of its dictionary."""
        return str(self._it.dict_id())

    def lemmas(self, form: str) -> Collection[str]:
        """Return the lemmas that a form may belong to."""
        return {self._negated_lemma(tags[1], tags[2]) for _, _, tags in self._it.analyse(form) if tags[2] != "ign"}

    def forms(self, lemma: str) -> Collection[str]:
        """Return all forms of a lemma."""
        positive = lemma.removeprefix("nie")
        rows = [row for word in {lemma, positive} for row in self._it.generate(word)]
        return {row[0] for row in rows if self._negated_lemma(row[1], row[2]) == lemma}

    @staticmethod
    def _negated_lemma(lemma: str, tags: str) -> str:
        """Return the lemma, with “nie” before it for a negated form.

        Morfeusz analyses “niewystarczająca” as a negated “wystarczająca”; for a director it is the opposite word.
        """
        return ("nie" if "neg" in tags.split(":") and not lemma.startswith("nie") else "") + lemma.split(
            ":", maxsplit=1
        )[0]


class ListedDictionary:
    """The paradigms of a list, completed by guesses (:func:`tools.lemmas.guess.guess_words`).

    A word of the texts that the list does not have, or has without any other form, gets a lemma from rules of
    endings. The rules are learned from the paradigms, and the other words of the texts support a guess.
    """

    def __init__(self, paradigms: Mapping[str, Collection[str]], texts: Collection[str]):
        """``texts``: the words that lemmas are sought for, without those with a reviewed lemma."""
        self._forms: dict[str, set[str]] = defaultdict(set)
        self._lemmas: dict[str, set[str]] = defaultdict(set)
        for word, forms in paradigms.items():
            for form in forms:
                self._add(form, word)
        alone = {w for w in texts if not (self._lemmas.get(w, set()) - {w}) and len(self._forms.get(w, ())) <= 1}
        said = {lemma for form in texts if form not in alone for lemma in self._lemmas[form]}
        for form, lemma in guess_words(alone, Endings(paradigms), said).items():
            self._lemmas[form].discard(form)
            self._add(form, lemma)

    def _add(self, form: str, lemma: str) -> None:
        self._forms[lemma].add(form)
        self._lemmas[form].add(lemma)

    def lemmas(self, form: str) -> Collection[str]:
        """Return the lemmas that a form may belong to."""
        return self._lemmas.get(form, ())

    def forms(self, lemma: str) -> Collection[str]:
        """Return all forms of a lemma."""
        return self._forms.get(lemma, ())
