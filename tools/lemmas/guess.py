"""Of which word a form may be that no list gives to one: rules of endings, learned from the forms that a list does
give, and what the forms of the texts agree on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from itertools import takewhile

# Letters of the ending that a rule looks at: the more, the surer; all of them are heard.
LONGEST, SHORTEST = 6, 2
# So many first letters of a word stay as they are, and a shorter form is rarely a form of another word.
STAYS, FORM_LEAST = 3, 4
# A word of the list is so much likelier than one that the texts have alone, and one that neither has is less likely.
LISTED, UNSEEN = 2.0, 0.5
# What less of the forms with such an ending do is chance.
MIN_SHARE = 0.02


class Endings:
    """Ending of a form → what it is in the word itself, and how many forms of the list have it so."""

    def __init__(self, paradigms: Mapping[str, Collection[str]]):
        """``paradigms``: word → its forms; a word with one form alone teaches nothing."""
        self._rules: dict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
        for word, forms in paradigms.items():
            for form in forms if len(forms) > 1 else ():
                kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, form, strict=False)))
                change = len(form) - kept, word[kept:]
                for letters in range(max(SHORTEST, change[0]), min(LONGEST, len(form)) + 1 if kept >= STAYS else 0):
                    self._rules[form[-letters:]][change] += 1

    def words(self, form: str) -> dict[str, float]:
        """Word that a form may be of → how likely: its share among the forms that end so, over endings of all lengths.

        >>> Endings({"karta": ["karta", "karty"], "partia": ["partia", "partie"]}).words("kvarty")
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
    """Form → the word that it is of, for forms of the texts that no list gives to one: the likeliest, where the word is
    ``listed`` or another form may be of it, too. The shares of all such forms are summed up for a word.
    """
    guesses = {form: endings.words(form) for form in sorted(forms)}
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
