"""Knows which letters a scan confuses, and finds the words that a damaged word can have been.

An edition's confusions.tsv has a row for each printed letter and what it was read as. `share` is a rough share,
counted on a hand-checked sample; it is only used for ranking. `always` says that the sign is never anything else. A
letter without a row was read correctly.
"""

import csv
import heapq
from math import log10
from pathlib import Path

COMMON = 0.01  # share of a usual confusion
SHORT = 4  # letters; for words up to this length all confusions are tried at once
ODD = set("¢$@é§|?0123456789;}ç")  # signs that are letters of no word, so they must (nearly always) be replaced
KEEP_ODD, DROP = -4.0, -4.5


class Confusions:
    """The table of one scan. `known` says whether a form is a word."""

    def __init__(self, path, known):
        self.known, self.usual, self.all, self.rules = known, {}, {}, set()
        with Path(path).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                share = float(row["share"])
                for table in (self.usual, self.all) if share >= COMMON else (self.all,):
                    table.setdefault(row["read"], []).append((row["printed"], log10(share)))
                if row["always"]:
                    self.rules.add((row["read"], row["printed"]))
        self.longest = max(map(len, self.all))
        self.found = {}

    def possible_words(self, word):
        """Return {word: log10 share} for the words that a damaged word can have been in print.

        The share is an estimate of how often the scan reads the printed word so.

        A word with capitals is searched in small letters and gets its capitals back. The usual confusions are tried
        first; the rare ones, then a lost letter, only when those give no word.
        """
        if word not in self.found:
            upper = word.isupper() and len(word) > 1
            plain = word.lower() if upper else word[:1].lower() + word[1:]
            recase = str.upper if upper else (lambda w: w[:1].upper() + w[1:]) if word[:1].isupper() else str
            name = word[:1].isupper() and not upper

            def check(form):
                return self.known(form) or self.known(recase(form))

            found = (
                dict(self._search(plain, self.usual if len(word) > SHORT else self.all, check, 6000, False))
                or dict(self._search(plain, self.all, check, 5000, False))
                or dict(self._search(plain, self.all, check, 5000, len(word) > 4 and not name))
            )
            best = {}
            for form, share in found.items():
                best[recase(form)] = max(share, best.get(recase(form), -99))
            self.found[word] = best
        return self.found[word]

    def _search(self, word, table, check, limit, drop):
        """Yield (form, log10 share) for the forms that `check` accepts, the fewest and likeliest changes first
        (uniform-cost search).

        `table`: what was read → (what may have been printed, log10 share) of each confusion. `limit` bounds the number
        of complete forms; `drop` allows lost letters.
        """
        heap, seen = [(0.0, 0, "", 0.0)], set()
        while heap and limit:
            effort, i, text, share = heapq.heappop(heap)
            if i == len(word):
                limit -= 1
                if text not in seen and check(text):
                    yield text, share
                seen.add(text)
                continue
            odd = word[i] in ODD
            heapq.heappush(heap, (effort + 4 * odd, i + 1, text + word[i], share + KEEP_ODD * odd))
            for size in range(1, min(self.longest, len(word) - i) + 1):
                for printed, cost in table.get(word[i : i + size], ()):
                    heapq.heappush(heap, (effort + 0.5 - cost / 1.5, i + size, text + printed, share + cost))
            if drop:
                heapq.heappush(heap, (effort + 4.5, i + 1, text, share + DROP))
