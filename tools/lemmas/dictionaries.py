"""What is asked of a dictionary, and the two kinds that we have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Protocol

from tools.lemmas.guess import Endings, guess_words


class Dictionary(Protocol):
    """Words of one language, in lower case."""

    def lemmas(self, form: str) -> Collection[str]:
        """What a form may be a form of."""

    def forms(self, lemma: str) -> Collection[str]:
        """All forms of a lemma, as far as it knows any."""


class MorfeuszDictionary:
    """Polish, complete paradigms: Morfeusz 2 with its dictionary."""

    def __init__(self) -> None:
        import morfeusz2

        self._it = morfeusz2.Morfeusz()

    @property
    def name(self) -> str:
        """Which dictionary it has, and of which day."""
        return str(self._it.dict_id())

    def lemmas(self, form: str) -> Collection[str]:
        """What a form may be a form of."""
        return {self._negated_lemma(tags[1], tags[2]) for _, _, tags in self._it.analyse(form) if tags[2] != "ign"}

    def forms(self, lemma: str) -> Collection[str]:
        """All forms of a lemma."""
        positive = lemma.removeprefix("nie")
        rows = [row for word in {lemma, positive} for row in self._it.generate(word)]
        return {row[0] for row in rows if self._negated_lemma(row[1], row[2]) == lemma}

    @staticmethod
    def _negated_lemma(lemma: str, tags: str) -> str:
        """“niewystarczająca” is analysed as a denied “wystarczająca”; for a director it is the opposite word."""
        return ("nie" if "neg" in tags.split(":") and not lemma.startswith("nie") else "") + lemma.split(
            ":", maxsplit=1
        )[0]


class ListedDictionary:
    """Paradigms of a list; for what it holds, or lacks, without saying of which word it is a form, rules of endings
    learned from these paradigms decide, and what else stands in the texts.

    What stands alone in the list, or not at all, is a form of what other words of the texts say (:func:`agreed`).
    """

    def __init__(self, paradigms: Mapping[str, Collection[str]], texts: Collection[str]):
        """``texts``: the words that lemmas are sought for, without those that a person gave theirs."""
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
        """What a form may be a form of."""
        return self._lemmas.get(form, ())

    def forms(self, lemma: str) -> Collection[str]:
        """All forms of a lemma."""
        return self._forms.get(lemma, ())
