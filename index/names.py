"""Situations for bare names: a query that is the name of a situation or a term and nothing else.

:class:`SituationNames` finds them. A word of five letters and more may lack a letter, or have one too many or another.
What people tell in a sentence is for the classifier.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from corpus.address import ancestor_paths
from corpus.letters import tokenize
from corpus.library import Library
from corpus.term.model import Term
from index.concept import slug_of
from index.lexicon import Lexicon, cached_method

MOST_WORDS = 5  # content words of a bare name
LEAST_LETTERS = 5  # of a word that may have a wrong letter
CACHED_WORDS = 512
ONE_WORD_IN = 2  # words of a situation's name a query must have, where it names no term


class SituationNames:
    """The names of the situations of a library, in every language."""

    def __init__(self, library: Library, lexicons: Mapping[str, Lexicon]):
        self._library, self._lexicons = library, lexicons
        # Language → word → situation → which content word of its name it is; and how many words each name has.
        self._places: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
        self._lengths: dict[tuple[str, str], int] = {}
        for situation in library.situations.values():
            for lang, name in situation.name.items():
                content = self._content(name, lang) if lang in lexicons else []
                self._lengths[lang, situation.id] = len(content)
                for n, words in enumerate(content):
                    for word in words:
                        self._places[lang][word].setdefault(situation.id, n)
        self._by_path = _situations_by_path(library)
        self._places_of_cached = cached_method(self._places_of, CACHED_WORDS)

    def find(self, forms: Sequence[str], lang: str, concepts: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of the situations that a bare name means, the likeliest first; () where it is none.

        ``forms``: the content words of the query; ``lang``: its language; ``concepts``: those that it names alone.
        """
        if not 0 < len(forms) <= MOST_WORDS or lang not in self._lexicons:
            return ()
        shares = self._shares(forms, lang)
        of_terms: dict[str, int] = {}
        for slug in map(slug_of, concepts):
            for n, id_ in enumerate(self._situations_of(self._library.terms[slug])):
                of_terms[id_] = min(n, of_terms.get(id_, n))
        if not of_terms:
            shares = {id_: share for id_, share in shares.items() if share * ONE_WORD_IN >= 1}
        every = self._library.situations
        found = {*shares, *of_terms}
        rank = lambda id_: (-(shares.get(id_, 0) == 1), id_ not in of_terms, -(id_ in shares), of_terms.get(id_, 0))
        return tuple(sorted(found, key=lambda id_: (*rank(id_), -shares.get(id_, 0), every[id_].tile or 99, id_)))

    def _content(self, words: str, lang: str) -> list[frozenset[str]]:
        lexicon = self._lexicons[lang]
        forms = [t.form for t in tokenize(words) if t.form not in lexicon.stopwords]
        return [frozenset((form, *lexicon.lemmas(form))) for form in dict.fromkeys(forms)]

    def _shares(self, forms: Sequence[str], lang: str) -> dict[str, float]:
        """Return situation → the share of the words of its name that a query has. Where the query has another word, the
        situation is left out.
        """
        first, *others = (self._places_of_cached(form, lang) for form in forms)
        met = {id_: {n} for id_, n in first.items()}
        for places in others:
            met = {id_: {*ns, places[id_]} for id_, ns in met.items() if id_ in places}
        return {id_: len(ns) / self._lengths[lang, id_] for id_, ns in met.items()}

    def _places_of(self, form: str, lang: str) -> Mapping[str, int]:
        """Return situation → which word of its name a word is: one of its lemmas. A word that is in no name may be one
        much like it.
        """
        known = self._places[lang]
        words = {form, *self._lexicons[lang].lemmas(form)} & known.keys()
        out: dict[str, int] = {}
        for word in words or {word for word in known if _is_near(form, word)}:
            for id_, n in known[word].items():
                out[id_] = min(n, out.get(id_, n))
        return out

    def _situations_of(self, term: Term) -> list[str]:
        """Return the situations that the provisions on a term rule: those first where such a provision decides."""
        first: dict[str, int] = {}
        for edition in self._library.law_editions:
            for id_ in term.places(edition.id) if edition.complete else ():
                for situation, n in self._by_path.get((edition.code, id_.path), {}).items():
                    first[situation] = min(n, first.get(situation, n))
        tile = {id_: self._library.situations[id_].tile or 99 for id_ in first}
        return sorted(first, key=lambda id_: (first[id_], tile[id_], id_))


def _situations_by_path(library: Library) -> dict[tuple[str, str], dict[str, int]]:
    """Return (code, path) → {situation: place in its list of provisions} of those that list it, or one below it."""
    out: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for situation in library.situations.values():
        for code, paths in situation.provisions.items():
            for n, path in enumerate(paths):
                for at in (path, *ancestor_paths(path)):
                    out[code, at].setdefault(situation.id, n)
    return out


def _is_near(typed: str, word: str) -> bool:
    """Whether two words of at least :data:`LEAST_LETTERS` letters differ in one: missing, too many, or another.

    >>> _is_near("revke", "revoke"), _is_near("revoke", "revokes"), _is_near("led", "lead")
    (True, True, False)
    """
    if min(len(typed), len(word)) < LEAST_LETTERS - 1 or len(word) < LEAST_LETTERS or abs(len(typed) - len(word)) > 1:
        return False
    short, long = sorted((typed, word), key=len)
    at = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]
