"""The words of a language as the search knows them: forms and lemmas, stop words, and the nearest known word.

:func:`read_lexicons` returns a :class:`Lexicon` for each language. All of it is data: ``languages/<code>.toml`` under
``[search]``, the lists in ``words/``, and the words of the texts. The module also has the edit distance
(:func:`edit_distance`) and the caches for methods (:func:`cached_method`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import ceil
from typing import TypeVar, cast
from weakref import WeakMethod

import numpy as np

from corpus.files import ReadablePath
from corpus.language import Language, load_language
from corpus.letters import LemmasByForm, fold, read_everyday_words, read_lemmas_by_form, read_lookalikes

Result = TypeVar("Result")


def weak_method(method: Callable[..., Result]) -> Callable[..., Result]:
    """Return a function that calls a bound method and does not keep the method's object alive.

    It must not be called after that object is gone.
    """
    weak = WeakMethod(method)

    def call(*question: object) -> Result:
        return cast(Callable[..., Result], weak())(*question)

    return call


def cached_method(method: Callable[..., Result], most: int) -> Callable[..., Result]:
    """Return a function that calls a bound method and caches its last ``most`` results.

    It may be called from any thread. Like :func:`weak_method` it does not keep the method's object alive.
    """
    return lru_cache(maxsize=most)(weak_method(method))


# The constants below say how words are read. What words are worth is in weights.py. FAMILY_LEAST is the least number of
# first letters that kindred words have in common, and a word with its unfinished beginning. With fewer, half a column
# of a dictionary would be one family.
FAMILY_LEAST = 5
# A shorter word becomes another word when one letter changes (“wist”, “list”); a longer one rarely does.
SHORT_WORD = 6
# From this many letters on, a word with one error, or with two, is still nearer to itself than to most others.
ONE_ERROR, TWO_ERRORS = 4, 8
# How many completions of an unfinished word, and how many corrections of a mistyped one, are used.
MOST_COMPLETIONS, MOST_NEAR = 6, 3
CACHED_FORMS = 256  # mistyped words whose nearest forms are cached
# Kinds of negation.
NOT, WITHOUT = "not", "without"


def edit_distance(a: str, b: str, limit: int) -> int:
    """Return the edit distance of two words; two swapped neighbours count once.

    A distance over ``limit`` is returned as ``limit + 1``.

    >>> edit_distance("niewystraczajaca", "niewystarczajaca", 2), edit_distance("karta", "lewa", 1)
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
    """Return how many typing errors a word of this length may have."""
    return 0 if length < ONE_ERROR else 1 if length < TWO_ERRORS else 2


def _may_be_typing_error(form: str, other: str, errors: int) -> bool:
    """Whether ``form`` may be a misspelt ``other``. ``errors`` is the edit distance of the two, which was measured
    before.

    Two errors, one of them in the first letter, are too much to guess at. A short word with a changed letter is another
    word. A letter too many, too few or swapped is a typing error, unless the first letter then differs.
    """
    if errors == 1 and len(form) >= SHORT_WORD:
        return True
    return other[0] == form[0] and (len(form) >= SHORT_WORD or len(other) != len(form) or sorted(other) == sorted(form))


def letter_mask(word: str) -> int:
    """Return the letters of a word as a bit mask. Words whose masks differ much are far apart."""
    mask = 0
    for c in word:
        mask |= 1 << (ord(c) & 63)
    return mask


def letter_masks(words: Sequence[str]) -> np.ndarray:
    """Return the :func:`letter_mask` of each of some words of one length, which is not 0.

    >>> letter_masks(["pik", "kip"]).tolist() == [letter_mask("pik")] * 2
    True
    """
    codes = np.frombuffer("".join(words).encode("utf-32-le"), dtype="<u4").reshape(len(words), -1)
    return np.bitwise_or.reduce(np.uint64(1) << (codes & 63).astype(np.uint64), axis=1)


class Lexicon:
    """The forms and lemmas of one language, all folded. Immutable once made."""

    def __init__(
        self,
        language: Language,
        forms: LemmasByForm,
        counts: dict[str, int],
        lookalikes: frozenset[tuple[str, str]] = frozenset(),
        everyday: frozenset[str] = frozenset(),
    ):
        """``forms`` maps a form to its lemmas in the table, without look-alikes. ``counts`` maps a form to how often
        the texts have it. ``lookalikes`` are pairs (word, other) that must not be read as each other. ``everyday``
        are words that are not typing errors although the laws do not use them.
        """
        self.language, self.counts, self._lookalikes, self.everyday = language, counts, lookalikes, everyday
        self.forms = forms
        search = language.search
        self.stopwords, self.define = frozenset(map(fold, search.stopwords)), frozenset(map(fold, search.define))
        self.letters, self.conditional = frozenset(search.letters), frozenset(map(fold, search.conditional))
        aside_words = (
            *search.aside,
            *(w for names in (*language.bids.bid_level_words, *language.bids.denomination_words) for w in names),
        )
        self._aside = frozenset(lemma for word in aside_words for lemma in self.lemmas(fold(word)))
        # A page needs the same word for every filter.
        self._nearest_forms_cached = cached_method(self._find_nearest_forms, CACHED_FORMS)
        # Word that denies → its kind: “nie” denies what stands beside it, “bez” only what follows it.
        self.denials = {
            **dict.fromkeys(map(fold, search.negations), NOT),
            **dict.fromkeys(map(fold, search.without), WITHOUT),
        }

    def build_lookup_tables(self) -> None:
        """Build the tables in which unknown words are looked up, so that no query has to wait for them."""
        _ = self._forms_by_lemma, self._lemmas_by_start, self._forms_by_length

    def lemmas(self, form: str) -> tuple[str, ...]:
        """Return the lemmas of a form. A form that is not in the table is its own lemma."""
        return self.forms.get(form) or (form,)

    def names_person_or_card(self, form: str) -> bool:
        """Whether a word says who acted or names a card or a bid, and does not say what happened."""
        return form.isdecimal() or not self._aside.isdisjoint(self.lemmas(form))

    def lemmas_in_name(self, form: str) -> tuple[str, ...]:
        """Return the lemmas of a word within a name. A stop word has only itself."""
        return (form,) if form in self.stopwords else self.lemmas(form)

    def knows_form(self, form: str) -> bool:
        """Whether the form is in the texts or in the table of forms."""
        return form in self.forms or form in self.counts

    def is_spelt_correctly(self, form: str) -> bool:
        """Whether a form is known from the texts, the table of forms or the list of everyday words.

        Such a form is neither corrected nor completed.
        """
        return self.knows_form(form) or form in self.everyday

    def _are_lookalikes(self, word: str, other: str) -> bool:
        """Whether two words are listed as look-alikes."""
        return (word, other) in self._lookalikes or (other, word) in self._lookalikes

    def kindred_lemmas(self, lemma: str, share: float) -> tuple[str, ...]:
        """Return other lemmas that share their beginning with this one, for at least ``share`` of the longer of the
        two.

        Look-alikes are left out. “Alertować” and “alertowanie” are kindred; “protiv” and “protivnik” are not.
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
        """Return the forms in the texts that have this lemma."""
        return tuple(self._forms_by_lemma.get(lemma, ()))

    def forms_sharing_lemma(self, form: str) -> frozenset[str]:
        """Return the forms in the texts that share a lemma with this form, and the form itself."""
        return frozenset((form,)).union(*(self._forms_by_lemma.get(lemma, ()) for lemma in self.lemmas(form)))

    def completions_of(self, form: str) -> tuple[str, ...]:
        """Return the lemmas of the texts that begin with an unfinished word, the shortest first."""
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
        """Return the known forms nearest to a mistyped one, with their distance, one form for each word.

        A form with a digit in it is never changed.
        """
        return self._nearest_forms_cached(form)

    def _find_nearest_forms(self, form: str) -> tuple[tuple[str, int], ...]:
        most = 0 if any(c.isdigit() for c in form) else allowed_errors(len(form))
        for far in range(1, most + 1):
            # At equal distance, the same first letter and a frequent word are better guesses.
            key = lambda other: (other[0] != form[0], -self.counts.get(other, 0), other)
            of_word: dict[tuple[str, ...], str] = {}
            for other in sorted(self._forms_at_distance(form, far), key=key):
                of_word.setdefault(self.lemmas(other), other)
            if of_word:
                return tuple((other, far) for other in list(of_word.values())[:MOST_NEAR])
        return ()

    def _forms_at_distance(self, form: str, far: int) -> list[str]:
        """Return the known forms that are at most ``far`` typing errors away from a form. Look-alikes of it are left
        out.
        """
        mask = letter_mask(form)
        return [
            other
            for length in range(len(form) - far, len(form) + far + 1)
            for other in self._forms_with_like_letters(mask, length, 2 * far)
            if _may_be_typing_error(form, other, far)
            and edit_distance(form, other, far) <= far
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
        """Return the known forms of a length whose letter masks differ in at most ``most`` bits.

        Thousands of forms are compared at once.
        """
        masks, forms = self._forms_by_length.get(length, (np.zeros(0, dtype=np.uint64), []))
        return [forms[i] for i in np.flatnonzero(np.bitwise_count(masks ^ np.uint64(mask)) <= most).tolist()]

    @cached_property
    def _forms_by_length(self) -> dict[int, tuple[np.ndarray, list[str]]]:
        """Length → the letter masks of the forms of that length, and the forms."""
        out = defaultdict(list)
        for form in sorted({*self.forms, *(f for f in self.counts if f.isalpha())}):
            out[len(form)].append(form)
        return {n: (letter_masks(forms), forms) for n, forms in out.items()}


def read_lexicons(folder: ReadablePath, counts: Mapping[str, Mapping[str, int]]) -> dict[str, Lexicon]:
    """Return a lexicon for every language file in ``folder``. ``counts`` maps language → form → how often the texts
    have it.

    Raises :class:`corpus.files.InvalidFile` with what is wrong in a list of words.
    """
    out = {}
    for code in sorted(path.stem for path in (folder / "languages").glob("*.toml")):
        out[code] = Lexicon(
            load_language(folder / "languages", code),
            read_lemmas_by_form(folder, code),
            dict(counts.get(code, {})),
            read_lookalikes(folder, code),
            read_everyday_words(folder, code),
        )
    return out
