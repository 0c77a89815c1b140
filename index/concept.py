"""Concepts: what is one thing under many names, within a language and across languages.

Two kinds of names, kept apart:

- **terms**, ``library.terms``: the names and wordings of each concept. They stand in the laws or, in a language without
  a text here, are what the laws are known by. Only they are found in documents.
- **players' words**: those of the terms, ``words/synonyms-<lang>.toml``, where ``[synonyms]`` maps a term, or a single
  word of the laws, to what players say for it, and ``words/loans.toml``, what players of several languages say for a
  term. They are found in queries only, where they lead to the concept or to that word.

``unlike`` of a term says what a phrase does not mean, though its words name it: “out of turn” is not whose turn it is,
and a right to rectification is no claim of tricks. There the longer name stands alone, in texts and in queries.

Names are compared by lemmas, so one form is enough. A “not” is never skipped: “nie dołożyć do koloru” is found only
where it is denied, and in a query “dołożyć do koloru” only where it is not.
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

DOCS = "docs/search.md"
LOANS_FILE = "loans.toml"
ANY_LANGUAGE = "any"  # every language
# At its end: all words that begin so.
PREFIX_SIGN = "*"
_FILE_MISSING = ("The file is gone.", "Put it back, or run the command again.")


@dataclass(frozen=True)
class SynonymList:
    """A name of a thing → what players say for it."""

    synonyms: Mapping[str, WordList] = field(default_factory=dict)


@dataclass(frozen=True)
class LoanList:
    """Language, or ``any`` → the slug of a term → what players say for it."""

    loans: Mapping[str, Mapping[str, WordList]] = field(default_factory=dict)


class LoanWord(NamedTuple):
    """What players of a language say for a term."""

    lang: str
    slug: str
    words: str


def read_synonyms(folder: ReadablePath) -> Iterator[tuple[str, SynonymList]]:
    """(language, its list) of every list of ``folder/words``; raises :class:`corpus.checked.Refused` with what is wrong
    in one.
    """
    for path in sorted((folder / WORDS_FOLDER).glob("synonyms-*.toml"), key=lambda path: path.name):
        written = files.read_toml(path, f"{WORDS_FOLDER}/{path.name}", _FILE_MISSING)
        yield path.stem.removeprefix("synonyms-"), schema.build_from_file(SynonymList, written, DOCS)


def read_loan_words(folder: ReadablePath, languages: Collection[str], slugs: Collection[str]) -> Iterator[LoanWord]:
    """Every loan word, once for each language that has it; raises :class:`corpus.checked.Refused` for what is no slug
    or language. No file is no loan words.
    """
    path = folder / WORDS_FOLDER / LOANS_FILE
    if not files.exists_or_is_link(path):
        return
    written = files.read_toml(path, f"{WORDS_FOLDER}/{path.name}", _FILE_MISSING)
    said = schema.build_from_file(LoanList, written, DOCS).loans
    for lang, by_slug in said.items():
        if lang != ANY_LANGUAGE and lang not in languages:
            raise _refusal(
                written, ("loans", lang), f"“{lang}” is no language.", f"Write {ANY_LANGUAGE}, or one of: ", languages
            )
        for slug, words in by_slug.items():
            if slug not in slugs:
                raise _refusal(
                    written, ("loans", lang, slug), f"“{slug}” is no term.", "Write the slug of one: ", ["…"]
                )
            for spoken in languages if lang == ANY_LANGUAGE else (lang,):
                yield from (LoanWord(spoken, slug, text) for text in words)


def _refusal(written: TomlFile, place: tuple[str, ...], finding: str, move: str, among: Collection[str]) -> InvalidFile:
    return InvalidFile([written.problem(place, finding, move + ", ".join(sorted(among)))])


_CONCEPT_SIGN = "#"
CACHED_QUERIES = 32  # queries whose names are kept


def concept_of(slug: str) -> str:
    """A concept as a term of the index."""
    return f"{_CONCEPT_SIGN}{slug}"


def slug_of(concept: str) -> str:
    """The slug of a concept of the index."""
    return concept.removeprefix(_CONCEPT_SIGN)


def flatten_names(*lists: Names) -> Iterator[tuple[str, str]]:
    """(language, words) of names by language."""
    return ((lang, text) for names in lists for lang, words in names.items() for text in words)


def is_concept(term: str) -> bool:
    """Whether a term of the index is a concept: its mark and its slug; else it is a lemma."""
    return term.startswith(_CONCEPT_SIGN)


class ConceptMatch(NamedTuple):
    """Words ``first`` to ``last`` (inclusive) name ``concept``, or the lemma that a player's word leads to."""

    concept: str
    first: int
    last: int
    denied: bool = False


class ConceptName(NamedTuple):
    """A name as it is sought: the readings of its words, whether all of them count (``printed``: “za wolno”) or only
    those of content, and the kind of negation that belongs to it (None for most).
    """

    key: NameKey
    printed: bool
    denial: str | None


NamesByLemma = defaultdict[str, defaultdict[str, list[tuple[ConceptName, str]]]]


def _empty_names() -> NamesByLemma:
    return defaultdict(lambda: defaultdict(list))


class Concepts:
    """All names of all concepts, found in sequences of words."""

    def __init__(self, lexicons: dict[str, Lexicon]):
        self._lexicons = lexicons
        # language → lemma of the longest word → [(name, concept)]
        self._terms, self._players, self._phrases = (_empty_names() for _ in range(3))
        # concept → the concepts that are not meant by words within a name of it
        self._not_meant_within: dict[str, set[str]] = defaultdict(set)
        # language → [(beginning of a word, concept)], and the beginnings alone: most words have none of them
        self._loan_prefixes: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._prefixes: dict[str, tuple[str, ...]] = {}
        self._concept_by_name: dict[tuple[str, ConceptName], str] = {}
        self._words: dict[str, set[str]] = defaultdict(set)
        self._names: dict[tuple[str, str], list[ConceptName]] = defaultdict(list)
        # (language, the words of a term as they are written) → its concepts
        self._concepts_by_forms: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
        # One query is asked about for its words, for its terms, and for what it tells of: it is sought through once.
        self._find_in_query_cached = cached_method(self._find_in_query, CACHED_QUERIES)

    @classmethod
    def load(cls, folder: ReadablePath, lexicons: dict[str, Lexicon], terms: Terms) -> Concepts:
        """The terms, and the players' words of a folder's ``words/``; what is missing is empty. Raises
        :class:`corpus.checked.Refused` with what is wrong in one of them.
        """
        self = cls(lexicons)
        for slug, term in terms.items():
            if term.common:
                continue
            for lang, text in flatten_names({lang: term.searchable_names(lang) for lang in term.names}, term.wordings):
                self._add_term(concept_of(slug), lang, text)
            for lang, text in flatten_names(term.unmarked, term.players):
                self._add(self._players, lang, text, concept_of(slug))
        self._add_players(folder)
        for loan in read_loan_words(folder, lexicons, terms):
            self._add_loan(loan)
        for slug, term in terms.items():
            for unlike in term.unlike:
                self._add_unlike(unlike.lang, unlike.words, concept_of(slug))
        return self

    def _add_players(self, folder: ReadablePath) -> None:
        for lang, listed in read_synonyms(folder):
            for text, others in listed.synonyms.items():
                for concept in self._targets_of(lang, text):
                    for other in others:
                        self._add(self._players, lang, other, concept)

    def _add_loan(self, loan: LoanWord) -> None:
        concept = concept_of(loan.slug)
        if loan.words.endswith(PREFIX_SIGN):
            self._loan_prefixes[loan.lang] += ((t.form, concept) for t in tokenize(loan.words))
            self._prefixes[loan.lang] = tuple(begun for begun, _ in self._loan_prefixes[loan.lang])
        else:
            self._add(self._players, loan.lang, loan.words, concept)

    def _add_unlike(self, lang: str, phrase: str, concept: str) -> None:
        """A phrase does not mean a concept that its words name. If it is a term itself, no name of its concept does, in
        any language.
        """
        if longer := self.term_of(lang, phrase):
            self._not_meant_within[longer].add(concept)
        else:
            self._add(self._phrases, lang, phrase, concept)

    def term_of(self, lang: str, text: str) -> str | None:
        """The concept that a text is a term of."""
        name = self._parse_name(lang, text)
        return self._concept_by_name.get((lang, name)) if name else None

    def _targets_of(self, lang: str, text: str) -> Iterable[str]:
        """What players' words for a text lead to: the concept that it is a term of, else its lemmas."""
        if concept := self.term_of(lang, text):
            return (concept,)
        name = self._parse_name(lang, text)
        return sorted(set().union(*name.key)) if name else ()

    def _parse_name(self, lang: str, text: str) -> ConceptName | None:
        """How a name is sought; None when there is nothing to seek.

        Words to skip do not count unless only one word would be left of several; a negation is no word of the name but
        a condition on the place where it is found.
        """
        if lang not in self._lexicons:
            return None
        lexicon, tokens = self._lexicons[lang], tokenize(text)
        denial = next((lexicon.denials[w.form] for w in tokens if w.form in lexicon.denials), None)
        said = [w for w in tokens if w.form not in lexicon.denials]
        content = [w for w in said if w.form not in lexicon.stopwords]
        printed = len(said) > 1 and len(content) < 2
        key = tuple(frozenset(lexicon.lemmas_in_name(w.form)) for w in (said if printed else content))
        return ConceptName(key, printed, denial) if key else None

    def _add_term(self, concept: str, lang: str, text: str) -> None:
        if name := self._add(self._terms, lang, text, concept):
            self._concept_by_name.setdefault((lang, name), concept)
            self._concepts_by_forms[lang, tuple(t.form for t in tokenize(text))].add(concept)
            self._names[lang, concept].append(name)

    def _add(self, names: NamesByLemma, lang: str, text: str, concept: str) -> ConceptName | None:
        name = self._parse_name(lang, text)
        if name is not None:
            self._words[lang].update(w.form for w in tokenize(text))
            # The longest word is the rarest: a text is searched for it first.
            for lemma in max(name.key, key=lambda lemmas: len(min(lemmas))):
                if (name, concept) not in names[lang][lemma]:
                    names[lang][lemma].append((name, concept))
        return name

    def names_word(self, lang: str, form: str) -> bool:
        """Whether a name of a concept has this word."""
        return form in self._words.get(lang, ()) or form.startswith(self._prefixes.get(lang, ()))

    def lemmas(self, lang: str, concept: str) -> frozenset[str]:
        """Lemmas of the terms of a concept in a language."""
        return frozenset().union(*(lemmas for name in self._names.get((lang, concept), ()) for lemmas in name.key))

    def find_in_text(self, lang: str, tokens: list[Token]) -> list[ConceptMatch]:
        """Terms that stand in a text, each within a clause. A thing is spoken of where it is denied, too; what is
        named with a “not” is not where it is affirmed.
        """
        found = [
            f for f, _ in self._find_names(self._terms, lang, tokens) if tokens[f.first].clause == tokens[f.last].clause
        ]
        return self._separate_unlike(lang, tokens, found)[0]

    def find_in_query(self, lang: str, tokens: Iterable[Token]) -> tuple[tuple[ConceptMatch, ...], frozenset[int]]:
        """What a query names by terms and by players' words, and the words that do not mean in it what they mean
        alone: those of a name that the query denies (“bez váhania”), and those that are something else within a longer
        name (“mimo poradia”).
        """
        return self._find_in_query_cached(lang, tuple(tokens))

    def _find_in_query(self, lang: str, tokens: Sequence[Token]) -> tuple[tuple[ConceptMatch, ...], frozenset[int]]:
        sought = (*self._find_names(self._terms, lang, tokens), *self._find_names(self._players, lang, tokens))
        found = list(dict.fromkeys((*sought, *self._find_prefixes(lang, tokens))))
        refused = [f for f, before in found if before and not f.denied]
        kept = [
            f
            for f, _ in found
            if f.denied
            or (
                not any(_is_within(f, r) for r in refused)
                and not self._denials(lang, tokens, f.first, f.last, inside=True)
            )
        ]
        named, dropped = self._separate_unlike(lang, tokens, kept)
        unmeant = [*refused, *dropped, *(f for f in named if f.denied)]
        # In an order of their own: what is equal must not follow the order of a set.
        ordered = tuple(sorted(named, key=lambda f: (f.first, f.last, f.concept)))
        return ordered, frozenset(i for f in unmeant for i in range(f.first, f.last + 1))

    def _find_prefixes(self, lang: str, tokens: Sequence[Token]) -> Iterable[tuple[ConceptMatch, bool]]:
        """What words are named for by their beginnings."""
        beginnings = self._prefixes.get(lang, ())
        for i, token in enumerate(tokens):
            for begun, concept in self._loan_prefixes[lang] if token.form.startswith(beginnings) else ():
                if token.form.startswith(begun):
                    yield ConceptMatch(concept, i, i), bool(self._denials(lang, tokens, i, i))

    def _separate_unlike(
        self, lang: str, tokens: Sequence[Token], found: list[ConceptMatch]
    ) -> tuple[list[ConceptMatch], list[ConceptMatch]]:
        """What is meant, and what only seems so: see ``unlike`` of a term."""
        unmeant = [f for f, _ in self._find_names(self._phrases, lang, tokens)]
        for f in found:
            # A “not” that comes after the name may belong to what follows: “strona wykraczająca nie wzięła lewy”.
            if not f.denied or self._denials(lang, tokens, f.first, f.last, inside=True):
                unmeant += (
                    ConceptMatch(concept, f.first, f.last) for concept in self._not_meant_within.get(f.concept, ())
                )
        dropped = [f for f in found if any(u.concept == f.concept and _is_within(f, u) for u in unmeant)]
        return [f for f in found if f not in dropped], dropped

    def concepts_named_alone(self, lang: str, tokens: list[Token]) -> frozenset[str]:
        """The concepts that a query names and speaks of nothing else; by their very names, where it has one."""
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
        """Names found, and whether a negation stands before them; words to skip may stand between, the order within a
        name is free.
        """
        known, lexicon = names.get(lang), self._lexicons[lang]
        if not known:
            return
        said = [i for i, w in enumerate(tokens) if w.form not in lexicon.denials]
        content = [i for i in said if tokens[i].form not in lexicon.stopwords]
        readings = [lexicon.lemmas_in_name(w.form) for w in tokens]
        for kept, printed in ((content, False), (said, True)):
            lemmas = [readings[i] for i in kept]
            seen = set()
            for at, here in enumerate(lemmas):
                for name, concept in (entry for lemma in here for entry in known.get(lemma, ())):
                    if name.printed != printed:
                        continue
                    size = len(name.key)
                    for start in range(max(0, at - size + 1), min(at, len(kept) - size) + 1):
                        if not covers(name.key, lemmas[start : start + size]):
                            continue
                        first, last = kept[start], kept[start + size - 1]
                        before = self._denials(lang, tokens, first, last)
                        if name.denial is not None and name.denial not in self._denials(
                            lang, tokens, first, last, inside=True, after=True
                        ):
                            continue
                        found = ConceptMatch(concept, first, last, name.denial is not None)
                        if found not in seen:
                            seen.add(found)
                            yield found, bool(before)
                        break

    def _denials(
        self, lang: str, tokens: Sequence[Token], first: int, last: int, inside: bool = False, after: bool = False
    ) -> set[str]:
        """Kinds of negation that bear on the words ``first`` to ``last``: right before them in their clause, nothing
        but words to skip between; ``inside``: among them too; ``after``: right after them too, if that kind may follow
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
