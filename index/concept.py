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
from corpus.files import Place, Refused, Written
from corpus.language import Words
from corpus.letters import FOLDER, Token, analyse
from corpus.term.model import NameKey, Names, Terms, covers
from index.lexicon import NOT, Lexicon
from index.lexicon import kept as kept_of

DOCS = "docs/search.md"
LOANS = "loans.toml"
ANY = "any"  # every language
# At its end: all words that begin so.
LOANS_BEGIN = "*"
_GONE = ("The file is gone.", "Put it back, or run the command again.")


@dataclass(frozen=True)
class Players:
    """A name of a thing → what players say for it."""

    synonyms: Mapping[str, Words] = field(default_factory=dict)


@dataclass(frozen=True)
class Loans:
    """Language, or ``any`` → the slug of a term → what players say for it."""

    loans: Mapping[str, Mapping[str, Words]] = field(default_factory=dict)


class Loan(NamedTuple):
    """What players of a language say for a term."""

    lang: str
    slug: str
    words: str


def read_loans(folder: Place) -> Iterator[tuple[str, Players]]:
    """(language, its list) of every list of ``folder/words``; raises :class:`corpus.checked.Refused` with what is wrong
    in one.
    """
    for path in sorted((folder / FOLDER).glob("synonyms-*.toml"), key=lambda path: path.name):
        written = files.read_toml(path, f"{FOLDER}/{path.name}", _GONE)
        yield path.stem.removeprefix("synonyms-"), schema.build(Players, written, DOCS)


def loans(folder: Place, languages: Collection[str], slugs: Collection[str]) -> Iterator[Loan]:
    """Every loan word, once for each language that has it; raises :class:`corpus.checked.Refused` for what is no slug
    or language. No file is no loan words.
    """
    path = folder / FOLDER / LOANS
    if not files.is_there(path):
        return
    written = files.read_toml(path, f"{FOLDER}/{path.name}", _GONE)
    said = schema.build(Loans, written, DOCS).loans
    for lang, by_slug in said.items():
        if lang != ANY and lang not in languages:
            raise _refused(
                written, ("loans", lang), f"“{lang}” is no language.", f"Write {ANY}, or one of: ", languages
            )
        for slug, words in by_slug.items():
            if slug not in slugs:
                raise _refused(
                    written, ("loans", lang, slug), f"“{slug}” is no term.", "Write the slug of one: ", ["…"]
                )
            for spoken in languages if lang == ANY else (lang,):
                yield from (Loan(spoken, slug, text) for text in words)


def _refused(written: Written, place: tuple[str, ...], finding: str, move: str, among: Collection[str]) -> Refused:
    return Refused([written.problem(place, finding, move + ", ".join(sorted(among)))])


_MARK = "#"
ASKED = 32  # queries whose names are kept


def concept_of(slug: str) -> str:
    """A concept as a term of the index."""
    return f"{_MARK}{slug}"


def slug_of(concept: str) -> str:
    """The slug of a concept of the index."""
    return concept.removeprefix(_MARK)


def said(*lists: Names) -> Iterator[tuple[str, str]]:
    """(language, words) of names by language."""
    return ((lang, text) for names in lists for lang, words in names.items() for text in words)


def is_concept(term: str) -> bool:
    """Whether a term of the index is a concept: its mark and its slug; else it is a lemma."""
    return term.startswith(_MARK)


class Found(NamedTuple):
    """Words ``first`` to ``last`` (inclusive) name ``concept``, or the lemma that a player's word leads to."""

    concept: str
    first: int
    last: int
    denied: bool = False


class Name(NamedTuple):
    """A name as it is sought: the readings of its words, whether all of them count (``printed``: “za wolno”) or only
    those of content, and the kind of negation that belongs to it (None for most).
    """

    key: NameKey
    printed: bool
    denial: str | None


Sought = defaultdict[str, defaultdict[str, list[tuple[Name, str]]]]


def _names() -> Sought:
    return defaultdict(lambda: defaultdict(list))


class Concepts:
    """All names of all concepts, found in sequences of words."""

    def __init__(self, lexicons: dict[str, Lexicon]):
        self._lexicons = lexicons
        # language → lemma of the longest word → [(name, concept)]
        self._terms, self._players, self._phrases = (_names() for _ in range(3))
        # concept → the concepts that are not meant by words within a name of it
        self._never: dict[str, set[str]] = defaultdict(set)
        # language → [(beginning of a word, concept)], and the beginnings alone: most words have none of them
        self._begun: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._beginnings: dict[str, tuple[str, ...]] = {}
        self._by_name: dict[tuple[str, Name], str] = {}
        self._words: dict[str, set[str]] = defaultdict(set)
        self._names: dict[tuple[str, str], list[Name]] = defaultdict(list)
        # (language, the words of a term as they are written) → its concepts
        self._called: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
        # One query is asked about for its words, for its terms, and for what it tells of: it is sought through once.
        self._asked = kept_of(self._sought, ASKED)

    @classmethod
    def read(cls, folder: Place, lexicons: dict[str, Lexicon], terms: Terms) -> Concepts:
        """The terms, and the players' words of a folder's ``words/``; what is missing is empty. Raises
        :class:`corpus.checked.Refused` with what is wrong in one of them.
        """
        self = cls(lexicons)
        for slug, term in terms.items():
            if term.common:
                continue
            for lang, text in said({lang: term.sought(lang) for lang in term.names}, term.wordings):
                self._add_term(concept_of(slug), lang, text)
            for lang, text in said(term.unmarked, term.players):
                self._add(self._players, lang, text, concept_of(slug))
        self._add_players(folder)
        for loan in loans(folder, lexicons, terms):
            self._add_loan(loan)
        for slug, term in terms.items():
            for unlike in term.unlike:
                self._part(unlike.lang, unlike.words, concept_of(slug))
        return self

    def _add_players(self, folder: Place) -> None:
        for lang, listed in read_loans(folder):
            for text, others in listed.synonyms.items():
                for concept in self._meant(lang, text):
                    for other in others:
                        self._add(self._players, lang, other, concept)

    def _add_loan(self, loan: Loan) -> None:
        concept = concept_of(loan.slug)
        if loan.words.endswith(LOANS_BEGIN):
            self._begun[loan.lang] += ((t.form, concept) for t in analyse(loan.words))
            self._beginnings[loan.lang] = tuple(begun for begun, _ in self._begun[loan.lang])
        else:
            self._add(self._players, loan.lang, loan.words, concept)

    def _part(self, lang: str, phrase: str, concept: str) -> None:
        """A phrase does not mean a concept that its words name. If it is a term itself, no name of its concept does, in
        any language.
        """
        if longer := self.term_of(lang, phrase):
            self._never[longer].add(concept)
        else:
            self._add(self._phrases, lang, phrase, concept)

    def term_of(self, lang: str, text: str) -> str | None:
        """The concept that a text is a term of."""
        name = self._name(lang, text)
        return self._by_name.get((lang, name)) if name else None

    def _meant(self, lang: str, text: str) -> Iterable[str]:
        """What players' words for a text lead to: the concept that it is a term of, else its lemmas."""
        if concept := self.term_of(lang, text):
            return (concept,)
        name = self._name(lang, text)
        return sorted(set().union(*name.key)) if name else ()

    def _name(self, lang: str, text: str) -> Name | None:
        """How a name is sought; None when there is nothing to seek.

        Words to skip do not count unless only one word would be left of several; a negation is no word of the name but
        a condition on the place where it is found.
        """
        if lang not in self._lexicons:
            return None
        lexicon, tokens = self._lexicons[lang], analyse(text)
        denial = next((lexicon.denials[w.form] for w in tokens if w.form in lexicon.denials), None)
        said = [w for w in tokens if w.form not in lexicon.denials]
        content = [w for w in said if w.form not in lexicon.stopwords]
        printed = len(said) > 1 and len(content) < 2
        key = tuple(frozenset(lexicon.read(w.form)) for w in (said if printed else content))
        return Name(key, printed, denial) if key else None

    def _add_term(self, concept: str, lang: str, text: str) -> None:
        if name := self._add(self._terms, lang, text, concept):
            self._by_name.setdefault((lang, name), concept)
            self._called[lang, tuple(t.form for t in analyse(text))].add(concept)
            self._names[lang, concept].append(name)

    def _add(self, names: Sought, lang: str, text: str, concept: str) -> Name | None:
        name = self._name(lang, text)
        if name is not None:
            self._words[lang].update(w.form for w in analyse(text))
            # The longest word is the rarest: a text is searched for it first.
            for lemma in max(name.key, key=lambda lemmas: len(min(lemmas))):
                if (name, concept) not in names[lang][lemma]:
                    names[lang][lemma].append((name, concept))
        return name

    def names_word(self, lang: str, form: str) -> bool:
        """Whether a name of a concept has this word."""
        return form in self._words.get(lang, ()) or form.startswith(self._beginnings.get(lang, ()))

    def lemmas(self, lang: str, concept: str) -> frozenset[str]:
        """Lemmas of the terms of a concept in a language."""
        return frozenset().union(*(lemmas for name in self._names.get((lang, concept), ()) for lemmas in name.key))

    def in_text(self, lang: str, tokens: list[Token]) -> list[Found]:
        """Terms that stand in a text, each within a clause. A thing is spoken of where it is denied, too; what is
        named with a “not” is not where it is affirmed.
        """
        found = [f for f, _ in self._seek(self._terms, lang, tokens) if tokens[f.first].clause == tokens[f.last].clause]
        return self._parted(lang, tokens, found)[0]

    def asked(self, lang: str, tokens: Iterable[Token]) -> tuple[tuple[Found, ...], frozenset[int]]:
        """What a query names by terms and by players' words, and the words that do not mean in it what they mean
        alone: those of a name that the query denies (“bez váhania”), and those that are something else within a longer
        name (“mimo poradia”).
        """
        return self._asked(lang, tuple(tokens))

    def _sought(self, lang: str, tokens: Sequence[Token]) -> tuple[tuple[Found, ...], frozenset[int]]:
        sought = (*self._seek(self._terms, lang, tokens), *self._seek(self._players, lang, tokens))
        found = list(dict.fromkeys((*sought, *self._beginning(lang, tokens))))
        refused = [f for f, before in found if before and not f.denied]
        kept = [
            f
            for f, _ in found
            if f.denied
            or (
                not any(_within(f, r) for r in refused)
                and not self._denials(lang, tokens, f.first, f.last, inside=True)
            )
        ]
        named, dropped = self._parted(lang, tokens, kept)
        unmeant = [*refused, *dropped, *(f for f in named if f.denied)]
        # In an order of their own: what is equal must not follow the order of a set.
        ordered = tuple(sorted(named, key=lambda f: (f.first, f.last, f.concept)))
        return ordered, frozenset(i for f in unmeant for i in range(f.first, f.last + 1))

    def _beginning(self, lang: str, tokens: Sequence[Token]) -> Iterable[tuple[Found, bool]]:
        """What words are named for by their beginnings."""
        beginnings = self._beginnings.get(lang, ())
        for i, token in enumerate(tokens):
            for begun, concept in self._begun[lang] if token.form.startswith(beginnings) else ():
                if token.form.startswith(begun):
                    yield Found(concept, i, i), bool(self._denials(lang, tokens, i, i))

    def _parted(self, lang: str, tokens: Sequence[Token], found: list[Found]) -> tuple[list[Found], list[Found]]:
        """What is meant, and what only seems so: see ``unlike`` of a term."""
        unmeant = [f for f, _ in self._seek(self._phrases, lang, tokens)]
        for f in found:
            # A “not” that comes after the name may belong to what follows: “strona wykraczająca nie wzięła lewy”.
            if not f.denied or self._denials(lang, tokens, f.first, f.last, inside=True):
                unmeant += (Found(concept, f.first, f.last) for concept in self._never.get(f.concept, ()))
        dropped = [f for f in found if any(u.concept == f.concept and _within(f, u) for u in unmeant)]
        return [f for f in found if f not in dropped], dropped

    def named(self, lang: str, tokens: list[Token]) -> frozenset[str]:
        """The concepts that a query names and speaks of nothing else; by their very names, where it has one."""
        content = [i for i, t in enumerate(tokens) if t.form not in self._lexicons[lang].stopwords]
        whole = {
            f.concept
            for f in self.asked(lang, tokens)[0]
            if is_concept(f.concept) and all(f.first <= i <= f.last for i in content)
        }
        exact = self._called.get((lang, tuple(t.form for t in tokens)), set())
        return frozenset(exact & whole or whole)

    def _seek(self, names: Sought, lang: str, tokens: Sequence[Token]) -> Iterable[tuple[Found, bool]]:
        """Names found, and whether a negation stands before them; words to skip may stand between, the order within a
        name is free.
        """
        known, lexicon = names.get(lang), self._lexicons[lang]
        if not known:
            return
        said = [i for i, w in enumerate(tokens) if w.form not in lexicon.denials]
        content = [i for i in said if tokens[i].form not in lexicon.stopwords]
        readings = [lexicon.read(w.form) for w in tokens]
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
                        found = Found(concept, first, last, name.denial is not None)
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


def _within(found: Found, other: Found) -> bool:
    return other.first <= found.first and found.last <= other.last
