"""Scores how likely a word is: first by the clean texts of the same field, then by the language in general."""

import re
from collections import Counter
from itertools import pairwise
from math import log10

from wordfreq import zipf_frequency

from .dictionary import analyses

WORD = re.compile(r"[^\W\d_]+")


class WordFrequencies:
    """Single words and pairs of words of the field, counted."""

    def __init__(self, language):
        self.language = language
        self.forms, self.lemmas, self.pairs = Counter(), Counter(), Counter()

    def learn(self, text, weight=1.0):
        """Add the words and pairs of a text. Repaired text gets a lower weight."""
        words = [w.lower() for w in WORD.findall(text)]
        for word in words:
            self.forms[word] += weight
            for lemma in {a[0] for a in analyses(word)}:
                self.lemmas[lemma] += weight
        for pair in pairwise(words):
            self.pairs[pair] += weight

    def word_score(self, form):
        """Return log10 of a rough probability; a word that no dictionary knows is very unlikely."""
        low = form.lower()
        general = 10 ** (zipf_frequency(low, self.language, minimum=0.8) - 9)
        field = self.forms[low] / 20000
        lemma = max((self.lemmas[a[0]] for a in analyses(form)), default=0) / 50000
        score = log10(0.35 * general + 0.6 * field + 0.3 * lemma + 1e-9)
        found = analyses(form)
        if not found:
            score -= 4.5
        elif all(rare for _, _, rare in found):
            score -= 1
        return score

    def pair_bonus(self, left, right):
        """Return the bonus for two words that occur together."""
        return min(1.2, 0.5 * log10(1 + 3 * self.pairs[left.lower(), right.lower()]))
