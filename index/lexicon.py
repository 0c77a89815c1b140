"""The words of a language as the search knows them: forms and lemmas, words to skip, and the nearest known word.

Everything is data: ``languages/<code>.toml`` under ``[search]``, the lists of ``words/``, and the words of the texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from math import ceil
from typing import TypeVar, cast
from weakref import WeakMethod

import numpy as np

from corpus.files import ReadablePath
from corpus.language import Language, load_language
from corpus.letters import LemmasByForm, fold, read_everyday, read_forms, read_lookalikes

Result = TypeVar("Result")


def weak_method(method: Callable[..., Result]) -> Callable[..., Result]:
    """The method of somebody who lives as long as it is asked."""
    weak = WeakMethod(method)

    def call(*question: object) -> Result:
        return cast(Callable[..., Result], weak())(*question)

    return call


def cached_method(method: Callable[..., Result], most: int) -> Callable[..., Result]:
    """The same with the answers to the last questions kept, so many of them; may be asked from any thread."""
    return lru_cache(maxsize=most)(weak_method(method))


# How words are read, not what they are worth: that stands in weights.py.
# Letters that kin, and a word with its unfinished beginning, have in common at least: with fewer, half a column of a
# dictionary is one family.
FAMILY_LEAST = 5
# A word of fewer letters is another word when one of them is another (“wist”, “list”); a longer one is rarely.
SHORT_WORD = 6
# From so many letters on a word with one error, and with two, is still nearer to itself than to most others.
ONE_ERROR, TWO_ERRORS = 4, 8
# So many words that an unfinished one may become, and that a mistyped one may have been, are followed up.
MOST_COMPLETIONS, MOST_NEAR = 6, 3
CACHED_FORMS = 256  # mistyped words whose nearest are kept
# Kinds of negation.
NOT, WITHOUT = "not", "without"


def distance(a: str, b: str, limit: int) -> int:
    """Edit distance with swapped neighbours counted once; anything over ``limit`` is ``limit + 1``.

    >>> distance("niewystraczajaca", "niewystarczajaca", 2), distance("karta", "lewa", 1)
    (1, 2)
    """
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    start = 0
    while start < len(a) and start < len(b) and a[start] == b[start]:
        start += 1
    end = 0
    while end < len(a) - start and end < len(b) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    a, b = a[start : len(a) - end], b[start : len(b) - end]
    if not a or not b:
        return min(len(a) + len(b), limit + 1)
    if limit == 1:
        return 1 if len(a) == len(b) == 1 or (len(a) == len(b) == 2 and a == b[::-1]) else 2
    before, row = [], list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and (not before or min(before) > limit):
            return limit + 1
    return min(row[-1], limit + 1)


def allowed_errors(length: int) -> int:
    """How many typing errors a word of this length may have."""
    return 0 if length < ONE_ERROR else 1 if length < TWO_ERRORS else 2


def _is_typing_error(form: str, other: str, far: int) -> bool:
    """Whether one may have been typed for the other.

    Two errors, and one of them in the first letter, is too much to guess at. A short word with another letter in it is
    another word; a letter too many, too few or swapped is a slip, unless the word then begins otherwise.
    """
    if far == 1 and len(form) >= SHORT_WORD:
        return True
    return other[0] == form[0] and (len(form) >= SHORT_WORD or len(other) != len(form) or sorted(other) == sorted(form))


def letter_mask(word: str) -> int:
    """The letters of a word as a mask: words that have few in common are far apart."""
    mask = 0
    for c in word:
        mask |= 1 << (ord(c) & 63)
    return mask


class Lexicon:
    """Forms and lemmas of one language, all folded. Immutable once made."""

    def __init__(
        self,
        language: Language,
        forms: LemmasByForm,
        counts: dict[str, int],
        lookalikes: frozenset[tuple[str, str]] = frozenset(),
        everyday: frozenset[str] = frozenset(),
    ):
        """``forms``: form → lemmas of the table, look-alikes aside; ``counts``: form → how often it stands in the
        texts; ``lookalikes``: (word, other) that are not to be read as each other; ``everyday``: words that are no
        typing errors, though the laws have no use for them.
        """
        self.language, self.counts, self._lookalikes, self.everyday = language, counts, lookalikes, everyday
        self.forms = forms
        said = language.search
        self.stopwords, self.define = frozenset(map(fold, said.stopwords)), frozenset(map(fold, said.define))
        self.letters, self.conditional = frozenset(said.letters), frozenset(map(fold, said.conditional))
        told = (
            *said.aside,
            *(w for names in (*language.bids.level_words, *language.bids.denomination_words) for w in names),
        )
        self._aside = frozenset(lemma for word in told for lemma in self.lemmas(fold(word)))
        # The same word is asked about under every filter of a page.
        self._nearest_cached = cached_method(self._find_nearest, CACHED_FORMS)
        # Word that denies → its kind: “nie” denies what it stands beside, “bez” only what follows it.
        self.denials = {
            **dict.fromkeys(map(fold, said.negations), NOT),
            **dict.fromkeys(map(fold, said.without), WITHOUT),
        }

    def prepare(self) -> None:
        """Make the tables that unknown words are looked up in, so that no query has to wait for them."""
        _ = self._forms_by_lemma, self._lemmas_by_start, self._forms_by_length

    def lemmas(self, form: str) -> tuple[str, ...]:
        """Lemmas of a form; a form that no table knows stands for itself."""
        return self.forms.get(form) or (form,)

    def is_aside(self, form: str) -> bool:
        """Whether a word tells who, or which card or bid, and not what happened."""
        return form.isdecimal() or not self._aside.isdisjoint(self.lemmas(form))

    def lemmas_in_name(self, form: str) -> tuple[str, ...]:
        """Lemmas of a word within a name; a word to skip is only itself."""
        return (form,) if form in self.stopwords else self.lemmas(form)

    def knows(self, form: str) -> bool:
        """Whether the form belongs to a word of the texts or of the term lists."""
        return form in self.forms or form in self.counts

    def is_word(self, form: str) -> bool:
        """Whether it is spelt as a word is: it is neither mended nor completed."""
        return self.knows(form) or form in self.everyday

    def _are_lookalikes(self, word: str, other: str) -> bool:
        """Whether two words only look alike."""
        return (word, other) in self._lookalikes or (other, word) in self._lookalikes

    def kindred_lemmas(self, lemma: str, share: float) -> tuple[str, ...]:
        """Other lemmas that begin like this one for a share of the longer of the two, look-alikes aside:
        “alertować” and “alertowanie”, not “protiv” and “protivnik”.
        """
        if len(lemma) < FAMILY_LEAST + 1:
            return ()
        return tuple(
            o
            for o in self._lemmas_by_start.get(lemma[:FAMILY_LEAST], ())
            if o != lemma
            and o.startswith(lemma[: ceil(share * max(len(o), len(lemma)))])
            and not self._are_lookalikes(lemma, o)
        )

    def forms_of(self, lemma: str) -> tuple[str, ...]:
        """Forms of the texts that have this lemma."""
        return tuple(self._forms_by_lemma.get(lemma, ()))

    def forms_sharing_lemma(self, form: str) -> frozenset[str]:
        """Forms of the texts that share a lemma with this one, and itself."""
        return frozenset((form,)).union(*(self._forms_by_lemma.get(lemma, ()) for lemma in self.lemmas(form)))

    def completions_of(self, form: str) -> tuple[str, ...]:
        """Lemmas of known forms that begin with an unfinished word, the shortest first."""
        found = (
            [
                f
                for f in self._lemmas_by_start.get(form[:FAMILY_LEAST], ())
                if f.startswith(form) and not self._are_lookalikes(form, f)
            ]
            if len(form) >= FAMILY_LEAST
            else []
        )
        return tuple(sorted(found, key=len)[:MOST_COMPLETIONS])

    def nearest_forms(self, form: str) -> tuple[tuple[str, int], ...]:
        """Known forms nearest to a mistyped one, with their distance, one of each word; numbers are never changed."""
        return self._nearest_cached(form)

    def _find_nearest(self, form: str) -> tuple[tuple[str, int], ...]:
        most = 0 if any(c.isdigit() for c in form) else allowed_errors(len(form))
        for far in range(1, most + 1):
            # The same first letter and a word that stands in the texts are better guesses at equal distance.
            key = lambda other: (other[0] != form[0], -self.counts.get(other, 0), other)
            of_word: dict[tuple[str, ...], str] = {}
            for other in sorted(self._forms_at_distance(form, far), key=key):
                of_word.setdefault(self.lemmas(other), other)
            if of_word:
                return tuple((other, far) for other in list(of_word.values())[:MOST_NEAR])
        return ()

    def _forms_at_distance(self, form: str, far: int) -> list[str]:
        """Known forms at most so many typing errors away that are no look-alikes."""
        mask = letter_mask(form)
        return [
            other
            for length in range(len(form) - far, len(form) + far + 1)
            for other in self._forms_with_like_letters(mask, length, 2 * far)
            if _is_typing_error(form, other, far)
            and distance(form, other, far) <= far
            and not any(self._are_lookalikes(form, word) for word in (other, *self.lemmas(other)))
        ]

    @cached_property
    def _forms_by_lemma(self) -> dict[str, list[str]]:
        out = defaultdict(list)
        for form in self.counts:
            for lemma in self.lemmas(form):
                out[lemma].append(form)
        return out

    @cached_property
    def _lemmas_by_start(self) -> dict[str, list[str]]:
        out: dict[str, set[str]] = defaultdict(set)
        for form in self.counts:
            for lemma in self.lemmas(form):
                out[lemma[:FAMILY_LEAST]].add(lemma)
        return {k: sorted(v) for k, v in out.items()}

    def _forms_with_like_letters(self, mask: int, length: int, most: int) -> list[str]:
        """Known forms of a length in which so few letters are others; thousands are compared at once."""
        masks, forms = self._forms_by_length.get(length, (np.zeros(0, dtype=np.uint64), []))
        return [forms[i] for i in np.flatnonzero(np.bitwise_count(masks ^ np.uint64(mask)) <= most).tolist()]

    @cached_property
    def _forms_by_length(self) -> dict[int, tuple[np.ndarray, list[str]]]:
        """Length → the letters of each form that has it, as bits, and the forms."""
        out = defaultdict(list)
        for form in sorted({*self.forms, *(f for f in self.counts if f.isalpha())}):
            out[len(form)].append(form)
        return {n: (np.array([letter_mask(f) for f in forms], dtype=np.uint64), forms) for n, forms in out.items()}


def read_lexicons(folder: ReadablePath, counts: Mapping[str, Mapping[str, int]]) -> dict[str, Lexicon]:
    """A lexicon for every language file of a folder; ``counts``: language → form → how often it stands in the texts.

    Raises :class:`corpus.checked.Refused` with what is wrong in a list of words.
    """
    out = {}
    for code in sorted(path.stem for path in (folder / "languages").glob("*.toml")):
        out[code] = Lexicon(
            load_language(folder / "languages", code),
            read_forms(folder, code),
            dict(counts.get(code, {})),
            read_lookalikes(folder, code),
            read_everyday(folder, code),
        )
    return out
