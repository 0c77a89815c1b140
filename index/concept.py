"""Concepts: one thing under many names, within a language and across languages.

:class:`Concepts` holds all names and finds them in texts and queries. :func:`read_synonyms` and :func:`read_loan_words`
read the word lists. In the index, a concept is written as ``#`` and its slug.

There are two kinds of names, kept apart:

- **terms** (``library.terms``): the names and wordings of each concept. They stand in the laws. In a language without
  a text of the laws, they are the names by which the laws are known. Only terms are found in documents.
- **players' words**: those of the terms; ``words/synonyms-<lang>.toml``, where ``[synonyms]`` maps a term, or a single
  word of the laws, to what players say for it; and ``words/loans.toml``, with what players of several languages say for
  a term. They are found in queries only, where they lead to the concept or to that word.

The field ``unlike`` of a term lists phrases that do not mean the term although their words name it. “Out of turn” is
not whose turn it is; a right to rectification is not a claim of tricks. There the longer name stands alone, in texts
and in queries.

Names are compared by lemmas, so one form of a name is enough. A “not” is never skipped. “Nie dołożyć do koloru” is
found only where it is denied; in a query, “dołożyć do koloru” is found only where it is not denied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus import files, schema
from corpus.files import InvalidFile, ReadablePath, TomlFile
from corpus.language import WordList
from corpus.letters import WORDS_FOLDER, Token, tokenize
from corpus.term.model import NameKey, Names, Terms, covers
from index.lexicon import NOT, Lexicon, cached_method

# -- Word lists ---

DOCS = "docs/search.md"
LOANS_FILE = "loans.toml"
ANY_LANGUAGE = "any"  # stands for every language
# At the end of a loan word, it stands for all words that begin with it.
PREFIX_SIGN = "*"
_FILE_MISSING = ("The file is gone.", "Put it back, or run the command again.")


@dataclass(frozen=True)
class SynonymList:
    """A list of synonyms: the name of a thing → what players say for it."""

    synonyms: Mapping[str, WordList] = field(default_factory=dict)


@dataclass(frozen=True)
class LoanList:
    """A list of loan words: language, or ``any`` → the slug of a term → what players say for it."""

    loans: Mapping[str, Mapping[str, WordList]] = field(default_factory=dict)


class LoanWord(NamedTuple):
    """What players of a language say for a term."""

    lang: str
    slug: str
    words: str


def read_synonyms(folder: ReadablePath) -> Iterator[tuple[str, SynonymList]]:
    """Yield (language, its list) for every list of synonyms in ``folder/words``.

    Raises :class:`corpus.files.InvalidFile` with what is wrong in a list.
    """
    for path in sorted((folder / WORDS_FOLDER).glob("synonyms-*.toml"), key=lambda path: path.name):
        written = files.read_toml(path, f"{WORDS_FOLDER}/{path.name}", _FILE_MISSING)
        yield path.stem.removeprefix("synonyms-"), schema.build_from_file(SynonymList, written, DOCS)


def read_loan_words(folder: ReadablePath, languages: Collection[str], slugs: Collection[str]) -> Iterator[LoanWord]:
    """Yield every loan word, once for each language that has it. Yields nothing if there is no file.

    Raises :class:`corpus.files.InvalidFile` if the file names an unknown slug or language.
    """
    path = folder / WORDS_FOLDER / LOANS_FILE
    if not files.exists_or_is_link(path):
        return
    written = files.read_toml(path, f"{WORDS_FOLDER}/{path.name}", _FILE_MISSING)
    loans = schema.build_from_file(LoanList, written, DOCS).loans
    for lang, by_slug in loans.items():
        if lang != ANY_LANGUAGE and lang not in languages:
            raise _unknown_name_error(
                written, ("loans", lang), f"“{lang}” is no language.", f"Write {ANY_LANGUAGE}, or one of: ", languages
            )
        for slug, words in by_slug.items():
            if slug not in slugs:
                raise _unknown_name_error(
                    written, ("loans", lang, slug), f"“{slug}” is no term.", "Write the slug of one: ", ["…"]
                )
            for spoken in languages if lang == ANY_LANGUAGE else (lang,):
                yield from (LoanWord(spoken, slug, text) for text in words)


def _unknown_name_error(
    written: TomlFile, place: tuple[str, ...], finding: str, move: str, among: Collection[str]
) -> InvalidFile:
    """Return the error for a name in a word list that is none of ``among``, the known ones. ``place``: its keys in the
    file.
    """
    return InvalidFile([written.problem(place, finding, move + ", ".join(sorted(among)))])


# -- Names and matches ---

_CONCEPT_SIGN = "#"
CACHED_QUERIES = 32


def concept_of(slug: str) -> str:
    """Return the concept of a slug, as the index writes it.

    >>> concept_of("revoke")
    '#revoke'
    """
    return f"{_CONCEPT_SIGN}{slug}"


def slug_of(concept: str) -> str:
    """Return the slug of a concept: ``revoke`` for ``#revoke``."""
    return concept.removeprefix(_CONCEPT_SIGN)


def flatten_names(*lists: Names) -> Iterator[tuple[str, str]]:
    """Yield (language, words) for every name in the lists."""
    return ((lang, text) for names in lists for lang, words in names.items() for text in words)


def is_concept(term: str) -> bool:
    """Whether a term of the index is a concept (``#`` and its slug) and not a lemma."""
    return term.startswith(_CONCEPT_SIGN)


class ConceptMatch(NamedTuple):
    """Words ``first`` to ``last`` (inclusive) name ``concept``.

    ``concept`` is an index term: ``#`` and the slug of a concept; or a lemma, when a player's word stands for
    words of the laws that name no concept. ``denied``: the name itself includes a negation.
    """

    concept: str
    first: int
    last: int
    denied: bool = False


class ConceptName(NamedTuple):
    """A name in the form in which it is sought in texts and queries.

    ``key`` holds, for each word, the lemmas that it may have. ``printed``: all words count (“za wolno”), not only the
    content words. ``denial`` is the kind of negation that belongs to the name; None for most names.
    """

    key: NameKey
    printed: bool
    denial: str | None


NamesByLemma = defaultdict[str, defaultdict[str, list[tuple[ConceptName, str]]]]


def _empty_names() -> NamesByLemma:
    return defaultdict(lambda: defaultdict(list))


class Concepts:
    """All names of all concepts, and the search for them in sequences of words."""

    def __init__(self, lexicons: dict[str, Lexicon]):
        self._lexicons = lexicons
        # Language → lemma of the longest word → [(name, concept)].
        self._terms, self._players, self._phrases = (_empty_names() for _ in range(3))
        # Concept → the concepts that words within a name of it do not mean.
        self._not_meant_within: dict[str, set[str]] = defaultdict(set)
        # Language → [(beginning of a word, concept)]; and the beginnings alone, because most words have none of them.
        self._loan_prefixes: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._prefixes: dict[str, tuple[str, ...]] = {}
        self._concept_by_name: dict[tuple[str, ConceptName], str] = {}
        self._words: dict[str, set[str]] = defaultdict(set)
        # (language, the words of a term as written) → its concepts.
        self._concepts_by_forms: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
        # The same query is needed for its units, for its terms and for the classifier, so the result is cached.
        self._find_in_query_cached = cached_method(self._find_in_query, CACHED_QUERIES)

    @classmethod
    def load(cls, folder: ReadablePath, lexicons: dict[str, Lexicon], terms: Terms) -> Concepts:
        """Return the concepts of the terms and of the players' words in ``folder/words``. A missing file counts as
        empty.

        Raises :class:`corpus.files.InvalidFile` with what is wrong in a list.
        """
        self = cls(lexicons)
        for slug, term in terms.items():
            if term.common:
                continue
            for lang, text in flatten_names({lang: term.searchable_names(lang) for lang in term.names}, term.wordings):
                self._add_term(concept_of(slug), lang, text)
            for lang, text in flatten_names(term.unmarked, term.players):
                self._add_name(self._players, lang, text, concept_of(slug))
        self._add_synonyms(folder)
        for loan in read_loan_words(folder, lexicons, terms):
            self._add_loan(loan)
        for slug, term in terms.items():
            for unlike in term.unlike:
                self._add_unlike(unlike.lang, unlike.words, concept_of(slug))
        return self

    def _add_synonyms(self, folder: ReadablePath) -> None:
        for lang, listed in read_synonyms(folder):
            for text, others in listed.synonyms.items():
                for concept in self._concept_or_lemmas_of(lang, text):
                    for other in others:
                        self._add_name(self._players, lang, other, concept)

    def _add_loan(self, loan: LoanWord) -> None:
        concept = concept_of(loan.slug)
        if loan.words.endswith(PREFIX_SIGN):
            self._loan_prefixes[loan.lang] += ((t.form, concept) for t in tokenize(loan.words))
            self._prefixes[loan.lang] = tuple(begun for begun, _ in self._loan_prefixes[loan.lang])
        else:
            self._add_name(self._players, loan.lang, loan.words, concept)

    def _add_unlike(self, lang: str, phrase: str, concept: str) -> None:
        """Record that a phrase does not mean a concept that its words name.

        If the phrase is itself a term, no name of that term means the concept, in any language.
        """
        if longer := self.concept_named(lang, phrase):
            self._not_meant_within[longer].add(concept)
        else:
            self._add_name(self._phrases, lang, phrase, concept)

    def concept_named(self, lang: str, text: str) -> str | None:
        """Return the concept (``#`` and its slug) that has a text as a name among the terms; None when no term has that
        name.
        """
        name = self._parse_name(lang, text)
        return self._concept_by_name.get((lang, name)) if name else None

    def _concept_or_lemmas_of(self, lang: str, text: str) -> Iterable[str]:
        """Return the index terms to which a player's word leads that stands for ``text``.

        That is the concept of which ``text`` is a name. When it is none, as for a single word of the laws, it is its
        lemmas.
        """
        if concept := self.concept_named(lang, text):
            return (concept,)
        name = self._parse_name(lang, text)
        return sorted(set().union(*name.key)) if name else ()

    def _parse_name(self, lang: str, text: str) -> ConceptName | None:
        """Return a name in the form in which it is sought, or None if it has no word to seek.

        Stop words do not count, unless only one word of several would be left. A negation is not a word of the name; it
        is a condition on the place where the name is found.
        """
        if lang not in self._lexicons:
            return None
        lexicon, tokens = self._lexicons[lang], tokenize(text)
        denial = next((lexicon.denials[w.form] for w in tokens if w.form in lexicon.denials), None)
        words_left = [w for w in tokens if w.form not in lexicon.denials]
        content = [w for w in words_left if w.form not in lexicon.stopwords]
        printed = len(words_left) > 1 and len(content) < 2
        key = tuple(frozenset(lexicon.lemmas_in_name(w.form)) for w in (words_left if printed else content))
        return ConceptName(key, printed, denial) if key else None

    def _add_term(self, concept: str, lang: str, text: str) -> None:
        if name := self._add_name(self._terms, lang, text, concept):
            self._concept_by_name.setdefault((lang, name), concept)
            self._concepts_by_forms[lang, tuple(t.form for t in tokenize(text))].add(concept)

    def _add_name(self, names: NamesByLemma, lang: str, text: str, concept: str) -> ConceptName | None:
        name = self._parse_name(lang, text)
        if name is not None:
            self._words[lang].update(w.form for w in tokenize(text))
            # The longest word is usually the rarest, so a text is searched for it first.
            for lemma in max(name.key, key=lambda lemmas: len(min(lemmas))):
                if (name, concept) not in names[lang][lemma]:
                    names[lang][lemma].append((name, concept))
        return name

    def has_name_with_word(self, lang: str, form: str) -> bool:
        """Whether a word (``form``) is part of a name of some concept."""
        return form in self._words.get(lang, ()) or form.startswith(self._prefixes.get(lang, ()))

    def find_in_text(self, lang: str, tokens: list[Token]) -> list[ConceptMatch]:
        """Return the terms that stand in a text, each within one clause.

        A text speaks of a thing also where it denies it. A name with a “not” is found only where the text denies it.
        """
        found = [
            f for f, _ in self._find_names(self._terms, lang, tokens) if tokens[f.first].clause == tokens[f.last].clause
        ]
        return self._separate_seeming_matches(lang, tokens, found)[0]

    def find_in_query(self, lang: str, tokens: Iterable[Token]) -> tuple[tuple[ConceptMatch, ...], frozenset[int]]:
        """Return the concepts that a query names, and the positions of words that must not be searched by themselves.

        Terms and players' words are sought. The words of a name that the query denies do not mean it (“bez váhania”),
        nor do words that mean something else within a longer name (“mimo poradia”).
        """
        return self._find_in_query_cached(lang, tuple(tokens))

    def _find_in_query(self, lang: str, tokens: Sequence[Token]) -> tuple[tuple[ConceptMatch, ...], frozenset[int]]:
        sought = (*self._find_names(self._terms, lang, tokens), *self._find_names(self._players, lang, tokens))
        found = list(dict.fromkeys((*sought, *self._find_names_by_prefix(lang, tokens))))
        refused = [f for f, before in found if before and not f.denied]
        kept = [
            f
            for f, _ in found
            if f.denied
            or (
                not any(_is_within(f, r) for r in refused)
                and not self._negations_at(lang, tokens, f.first, f.last, inside=True)
            )
        ]
        named, dropped = self._separate_seeming_matches(lang, tokens, kept)
        unmeant = [*refused, *dropped, *(f for f in named if f.denied)]
        # Sorted, because the order of a set is not stable.
        ordered = tuple(sorted(named, key=lambda f: (f.first, f.last, f.concept)))
        return ordered, frozenset(i for f in unmeant for i in range(f.first, f.last + 1))

    def _find_names_by_prefix(self, lang: str, tokens: Sequence[Token]) -> Iterable[tuple[ConceptMatch, bool]]:
        """Yield (match, whether a negation stands before it) for words that begin as a loan word with “*” does."""
        beginnings = self._prefixes.get(lang, ())
        for i, token in enumerate(tokens):
            for begun, concept in self._loan_prefixes[lang] if token.form.startswith(beginnings) else ():
                if token.form.startswith(begun):
                    yield ConceptMatch(concept, i, i), bool(self._negations_at(lang, tokens, i, i))

    def _separate_seeming_matches(
        self, lang: str, tokens: Sequence[Token], found: list[ConceptMatch]
    ) -> tuple[list[ConceptMatch], list[ConceptMatch]]:
        """Return (matches that are meant, matches that only seem so).

        The latter stand within a longer phrase that does not mean their concept (``unlike`` in the module docstring).
        """
        unmeant = [f for f, _ in self._find_names(self._phrases, lang, tokens)]
        for f in found:
            # A “not” after the name may belong to what follows: “strona wykraczająca nie wzięła lewy”.
            if not f.denied or self._negations_at(lang, tokens, f.first, f.last, inside=True):
                unmeant += (
                    ConceptMatch(concept, f.first, f.last) for concept in self._not_meant_within.get(f.concept, ())
                )
        dropped = [f for f in found if any(u.concept == f.concept and _is_within(f, u) for u in unmeant)]
        return [f for f in found if f not in dropped], dropped

    def concepts_named_alone(self, lang: str, tokens: list[Token]) -> frozenset[str]:
        """Return the concepts that a query names, if it speaks of nothing else.

        If the query is exactly a name of some of them, only those are returned.
        """
        content = [i for i, t in enumerate(tokens) if t.form not in self._lexicons[lang].stopwords]
        whole = {
            f.concept
            for f in self.find_in_query(lang, tokens)[0]
            if is_concept(f.concept) and all(f.first <= i <= f.last for i in content)
        }
        exact = self._concepts_by_forms.get((lang, tuple(t.form for t in tokens)), set())
        return frozenset(exact & whole or whole)

    def _find_names(
        self, names: NamesByLemma, lang: str, tokens: Sequence[Token]
    ) -> Iterable[tuple[ConceptMatch, bool]]:
        """Yield the names found, and whether a negation stands before each.

        Stop words may stand between the words of a name. The words of a name may be in any order.
        """
        known, lexicon = names.get(lang), self._lexicons[lang]
        if not known:
            return
        not_denials = [i for i, w in enumerate(tokens) if w.form not in lexicon.denials]
        content = [i for i in not_denials if tokens[i].form not in lexicon.stopwords]
        lemmas_by_word = [lexicon.lemmas_in_name(w.form) for w in tokens]
        for positions, printed in ((content, False), (not_denials, True)):
            lemmas = [lemmas_by_word[i] for i in positions]
            seen = set()
            for at, word_lemmas in enumerate(lemmas):
                for name, concept in (entry for lemma in word_lemmas for entry in known.get(lemma, ())):
                    if name.printed != printed:
                        continue
                    size = len(name.key)
                    for start in range(max(0, at - size + 1), min(at, len(positions) - size) + 1):
                        if not covers(name.key, lemmas[start : start + size]):
                            continue
                        first, last = positions[start], positions[start + size - 1]
                        before = self._negations_at(lang, tokens, first, last)
                        if name.denial is not None and name.denial not in self._negations_at(
                            lang, tokens, first, last, inside=True, after=True
                        ):
                            continue
                        found = ConceptMatch(concept, first, last, name.denial is not None)
                        if found not in seen:
                            seen.add(found)
                            yield found, bool(before)
                        break

    def _negations_at(
        self, lang: str, tokens: Sequence[Token], first: int, last: int, inside: bool = False, after: bool = False
    ) -> set[str]:
        """Return the kinds of negation (``not``, ``without``) that bear on the words ``first`` to ``last``.

        Those are the negations right before the words in their clause, with nothing but stop words between. ``inside``:
        negations among the words count, too. ``after``: so do negations right after the words, if their kind may follow
        what it denies.
        """
        lexicon = self._lexicons[lang]
        kind = lambda i: lexicon.denials.get(tokens[i].form)
        out = {kind(i) for i in range(first, last + 1)} if inside else set()
        for step, edge in ((-1, first), *(((1, last),) if after else ())):
            i = edge + step
            while 0 <= i < len(tokens) and tokens[i].clause == tokens[edge].clause:
                if kind(i):
                    out |= {kind(i)} if step < 0 or kind(i) == NOT else set()
                    break
                if tokens[i].form not in lexicon.stopwords:
                    break
                i += step
        return {k for k in out if k}


def _is_within(found: ConceptMatch, other: ConceptMatch) -> bool:
    return other.first <= found.first and found.last <= other.last
