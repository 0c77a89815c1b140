"""Guesses the lemma of a form that no list has.

The rules of endings are learned from the forms that a list does have (:class:`Endings`). :func:`guess_words` then
takes the lemma that most forms of the texts agree on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from itertools import takewhile

# Letters of the ending that rules look at. Longer endings are more reliable; all lengths count.
LONGEST, SHORTEST = 6, 2
# First letters of a word that no rule changes, and the fewest letters of a form: shorter ones are rarely inflected.
STAYS, FORM_LEAST = 3, 4
# Factors: for a word of the list, and for a word that neither the list nor the texts have.
LISTED, UNSEEN = 2.0, 0.5
# A change that a smaller share of the forms with such an ending makes is chance.
MIN_SHARE = 0.02


class Endings:
    """Rules of endings, learned from listed words. A rule says how an ending of a form becomes the ending of its word,
    and for how many listed forms it does.
    """

    def __init__(self, paradigms: Mapping[str, Collection[str]]):
        """``paradigms``: word → its forms. A word with a single form teaches nothing."""
        self._rules: dict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
        for word, forms in paradigms.items():
            for form in forms if len(forms) > 1 else ():
                kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, form, strict=False)))
                change = len(form) - kept, word[kept:]
                for letters in range(max(SHORTEST, change[0]), min(LONGEST, len(form)) + 1 if kept >= STAYS else 0):
                    self._rules[form[-letters:]][change] += 1

    def likely_words(self, form: str) -> dict[str, float]:
        """Return word → how likely it is that the form belongs to the word, from 0 to 1.

        The value is the share among the listed forms with the same ending, averaged over endings of all lengths.

        >>> Endings({"karta": ["karta", "karty"], "partia": ["partia", "partie"]}).likely_words("kvarty")
        {'kvarta': 1.0}
        """
        said: dict[str, float] = defaultdict(float)
        heard = [form[-n:] for n in range(SHORTEST, LONGEST + 1) if n <= len(form) and form[-n:] in self._rules]
        for ending in heard if len(form) >= FORM_LEAST else ():
            rules = self._rules[ending]
            for (cut, added), count in rules.items():
                if len(form) - cut >= STAYS:
                    said[form[: len(form) - cut] + added] += count / rules.total() / len(heard)
        return {word: share for word, share in said.items() if share >= MIN_SHARE}


def guess_words(forms: Collection[str], endings: Endings, listed: Collection[str]) -> dict[str, str]:
    """Return form → the word that it belongs to, for forms of the texts that no list assigns to a word.

    It is the likeliest word that is ``listed``, or that another of the forms may belong to, too. For each word the
    shares of all these forms are added up. A form that is likeliest a word itself is left out.
    """
    guesses = {form: endings.likely_words(form) for form in sorted(forms)}
    sums: dict[str, float] = defaultdict(float)
    of_word: Counter[str] = Counter()
    for words in guesses.values():
        for word, share in words.items():
            sums[word] += share
            of_word[word] += 1
    out = {}
    for form, words in guesses.items():
        possible = [w for w in words if w != form and (w in listed or of_word[w] > 1)]
        known = lambda word: LISTED if word in listed else 1 if word in guesses else UNSEEN
        best = max((form, *possible), key=lambda w: (sums[w] * known(w), w))
        if best != form:
            out[form] = best
    return out
