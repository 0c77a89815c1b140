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
from corpus.situation.model import Situation
from corpus.term.model import Term
from index.concept import slug_of
from index.lexicon import Lexicon

MOST_WORDS = 5  # content words of a bare name
LEAST_LETTERS = 5  # of a word that may have a wrong letter
ONE_WORD_IN = 2  # words of a situation's name a query must have, where it names no term


class SituationNames:
    """The names of the situations of a library, in every language."""

    def __init__(self, library: Library, lexicons: Mapping[str, Lexicon]):
        self._library, self._lexicons = library, lexicons
        # Language → (situation, its name as sets of lemmas, one for each content word).
        self._names: dict[str, list[tuple[Situation, list[frozenset[str]]]]] = defaultdict(list)
        for situation in library.situations.values():
            for lang, name in situation.name.items():
                if lang in lexicons:
                    self._names[lang].append((situation, self._content(name, lang)))
        self._by_path = _situations_by_path(library)

    def find(self, forms: Sequence[str], lang: str, concepts: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of the situations that a bare name means, the likeliest first; () where it is none.

        ``forms``: the content words of the query; ``lang``: its language; ``concepts``: those that it names alone.
        """
        if not 0 < len(forms) <= MOST_WORDS or lang not in self._lexicons:
            return ()
        shares = {s.id: share for s, name in self._names[lang] if (share := self._share(forms, name, lang))}
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

    def _share(self, forms: Sequence[str], name: list[frozenset[str]], lang: str) -> float:
        """Return the share of the words of a name that a query has; 0 where the query has another word."""
        lexicon = self._lexicons[lang]
        met = set[int]()
        for form in forms:
            own = {form, *lexicon.lemmas(form)}
            at = next((n for n, words in enumerate(name) if own & words), None)
            if at is None:
                at = next((n for n, words in enumerate(name) if any(_is_near(form, word) for word in words)), None)
            if at is None:
                return 0.0
            met.add(at)
        return len(met) / len(name) if name else 0.0

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
