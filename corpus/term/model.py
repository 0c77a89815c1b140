"""The values of terms, how their names are found among words, and which terms a query asks for.

- :class:`Term` and its parts: what ``terms/<slug>.toml`` states.
- :class:`NameIndex`: finds names in a text. The words of a name may have any form and order; they stand side by side
  in one clause.
- :class:`EverydayPlaces`: where names stand in their everyday sense.
- :func:`search_terms`: the terms that words ask for, by name first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from corpus import model
from corpus.files import LocalizedText
from corpus.language import WordList
from corpus.letters import Alphabet, LemmasByForm, Token, fold, tokenize
from corpus.model import Node, NodeId, Quote, Where
from corpus.schema import NOT_IN_FILE, Fault, KeyName, ValueHint, check_at_least_one, check_not_empty

# -- The record of a term ---

MAX_VARIANTS = 4  # names beside the first, in one language; others belong under ``wordings``
Slug: TypeAlias = str
Names: TypeAlias = Mapping[str, WordList]  # by language
Paths: TypeAlias = Mapping[str, WordList]  # by edition

# Why an edition does not have a concept: it came with a later code, only an earlier code has it, or the text mentions
# it without a name or a provision of its own.
Reason = Literal["later", "earlier", "unnamed"]
Reasons: TypeAlias = Mapping[str, Reason]


@dataclass(frozen=True, kw_only=True)
class UnlikeWords:
    """Words of a language that contain a name of the concept and do not mean it: “je na rade” is not out of turn.

    ``reason`` is for those who review the record.
    """

    lang: str
    words: Annotated[str, check_not_empty]
    reason: Annotated[str, check_not_empty]


@dataclass(frozen=True, kw_only=True)
class TermPlace:
    """Words at a place of a text. ``at`` is the node.

    ``occurrence`` counts equal words in it from 1; 0 says that they stand there only once.
    """

    at: Annotated[NodeId, ValueHint('the id of the provision, with its edition: "<edition>/12/C/1"')]
    where: Annotated[Where, KeyName("in")] = "text"
    words: Annotated[str, check_not_empty]
    occurrence: Annotated[int, check_at_least_one] = 0


@dataclass(frozen=True, kw_only=True)
class EverydayUse(TermPlace):
    """A place where a name of the concept stands in its everyday sense."""

    reason: Annotated[str, check_not_empty]


@dataclass(frozen=True, kw_only=True)
class SplitName(TermPlace):
    """A place where the words of a name are apart: “the score may be weighted” has “weighted score”."""

    name: Annotated[str, check_not_empty]


@dataclass(frozen=True, kw_only=True)
class SimilarTerm:
    """Another concept that shares a name with this one or is easily confused with it, and how to tell them apart."""

    term: Slug
    why: LocalizedText


@dataclass(frozen=True, kw_only=True)
class Term:
    """A concept. ``slug`` is its name in addresses and never changes.

    - ``names``: by language, the preferred one first. Each stands in a text of its language and in a provision on the
      concept there. In a language where nobody has looked for the concept, they are the names by which the laws are
      known.
    - ``wordings``: other words of the texts for it, including verbs. They are found in texts and are no names.
    - ``players``: what players say. The search understands them; texts are not searched for them.
    - ``defined``: edition → paths of the definitions or provisions that give the meaning.
    - ``about``: edition → paths of those that deal with it.
    - ``none``: edition → why it has neither.
    - ``split``: places of names whose words no text has side by side.
    - ``broader``, ``related``: other concepts.
    - ``unlike``, ``everyday``, ``apart``: what it is not.
    - ``common``: its names are words of every sentence, so no search looks for them.
    - ``unmarked``: names that mostly stand in the texts as everyday words, so no text is searched for them.
    - ``remark``: for those who review the record.
    """

    slug: Annotated[Slug, NOT_IN_FILE] = ""
    names: Names
    wordings: Names = field(default_factory=dict)
    players: Names = field(default_factory=dict)
    defined: Paths = field(default_factory=dict)
    about: Paths = field(default_factory=dict)
    none: Reasons = field(default_factory=dict)
    broader: WordList = ()
    related: WordList = ()
    split: tuple[SplitName, ...] = ()
    unlike: tuple[UnlikeWords, ...] = ()
    everyday: tuple[EverydayUse, ...] = ()
    apart: tuple[SimilarTerm, ...] = ()
    common: bool = False
    unmarked: Names = field(default_factory=dict)
    remark: str = ""

    def check(self) -> Iterator[Fault]:
        """Yield a fault for each rule that the record breaks.

        There are names, and not too many. Nothing is listed twice. No edition is in ``none`` and has provisions.
        """
        if not any(self.names.values()):
            yield Fault("The concept has no name.", 'Write [names] with en = ["…"], pl = ["…"].', ("names",))
        for lang, names in self.names.items():
            if len(names) > MAX_VARIANTS + 1:
                move = f"Keep at most {MAX_VARIANTS} beside the first; others that stand in a text are “wordings”."
                yield Fault(f"There are {len(names)} names in “{lang}”.", move, ("names", lang))
        yield from self._check_duplicates()
        for lang, unmarked in self.unmarked.items():
            for name in set(unmarked) - set(self.names.get(lang, ())):
                yield Fault(f"“{name}” is no name.", "List it under [names], too.", ("unmarked", lang), name)
        for edition in self.none.keys() & {*self.defined, *self.about}:
            move = "Remove “none”, or the provisions."
            yield Fault(f"“{edition}” has provisions and has none.", move, ("none", edition))

    def _check_duplicates(self) -> Iterator[Fault]:
        """Yield a fault for each name or wording that is listed twice in a language."""
        said: set[tuple[str, str]] = set()
        for key, lists in (("names", self.names), ("wordings", self.wordings), ("players", self.players)):
            for lang, one in ((lang, one) for lang, words in lists.items() for one in words):
                if (lang, one.casefold()) in said:
                    yield Fault(f"“{one}” is said twice in “{lang}”.", "Keep it once.", (key, lang), one)
                said.add((lang, one.casefold()))

    def searchable_names(self, lang: str) -> tuple[str, ...]:
        """Return the names in a language that texts are searched for."""
        return tuple(name for name in self.names.get(lang, ()) if name not in self.unmarked.get(lang, ()))

    def name(self, lang: str) -> str:
        """Return the preferred name in a language; empty where there is none."""
        return next(iter(self.names.get(lang, ())), "")

    def places(self, edition: str) -> tuple[NodeId, ...]:
        """Return the provisions of an edition that deal with the concept, those that define it first."""
        paths = dict.fromkeys((*self.defined.get(edition, ()), *self.about.get(edition, ())))
        return tuple(NodeId.of(edition, path) for path in paths)

    def meaning(self, edition: str) -> tuple[NodeId, ...]:
        """Return the provisions that give the meaning in an edition."""
        return tuple(NodeId.of(edition, path) for path in self.defined.get(edition, ()))

    def is_known_in(self, edition: str) -> bool:
        """Whether the record mentions an edition, even if only to say that it lacks the concept."""
        return any(edition in known for known in (self.defined, self.about, self.none))


Terms: TypeAlias = Mapping[Slug, Term]


# -- Finding names among words ---

Meaning = TypeVar("Meaning", bound=Hashable)
NameKey = tuple[frozenset[str], ...]  # for each word of a name, its readings: lemmas, or its stem


class LanguageForms(NamedTuple):
    """What the search for names needs of a language: form → lemmas, and the alphabet with the endings of words."""

    forms: LemmasByForm
    alphabet: Alphabet

    def lemmas_or_stem(self, token: Token) -> frozenset[str]:
        """Return the lemmas of a word; for a word that no table has, its stem with a hyphen: ``karta`` or ``kart-``."""
        return frozenset(self.forms.get(token.form) or (f"{self.alphabet.stem_of(token.form)}-",))

    def key(self, words: str) -> NameKey:
        """Return the lemmas (or stem) of each word of a name, in order. Names are compared by this key."""
        return tuple(self.lemmas_or_stem(token) for token in tokenize(words))

    def lemmas_and_stem(self, token: Token) -> frozenset[str]:
        """Return the lemmas of a word together with its stem. Two words with a common element are forms of kindred
        words.
        """
        return self.lemmas_or_stem(token) | {f"{self.alphabet.stem_of(token.form)}-"}


class Match(NamedTuple, Generic[Meaning]):
    """The words ``first`` to ``last`` (both included) of a text mean ``meant``."""

    meant: Meaning
    first: int
    last: int

    def is_within(self, other: Match) -> bool:
        """Whether its words are among those of another match."""
        return other.first <= self.first and self.last <= other.last


class NameIndex(Generic[Meaning]):
    """Names of a language with the meaning of each, to be found in sequences of words."""

    def __init__(self, spoken: LanguageForms, named: Iterable[tuple[str, Meaning]]):
        self._spoken = spoken
        self._by_word: Mapping[str, list[tuple[NameKey, Meaning]]] = defaultdict(list)
        for words, meant in dict.fromkeys(named):
            # Each name is indexed by its longest word, which is the rarest in texts.
            if key := spoken.key(words):
                for reading in max(key, key=lambda readings: len(min(readings))):
                    self._by_word[reading].append((key, meant))

    def find(self, tokens: Sequence[Token]) -> Iterator[Match[Meaning]]:
        """Yield a match for every name among the words, also for names inside longer names."""
        readings = [self._spoken.lemmas_or_stem(token) for token in tokens]
        found: set[Match[Meaning]] = set()
        for at, here in enumerate(readings):
            for key, meant in (entry for reading in here for entry in self._by_word.get(reading, ())):
                size = len(key)
                for first in range(max(0, at - size + 1), min(at, len(tokens) - size) + 1):
                    last = first + size - 1
                    match = Match(meant, first, last)
                    if match in found or tokens[first].clause != tokens[last].clause:
                        continue
                    if covers(key, readings[first : last + 1]):
                        found.add(match)
                        yield match


def covers(key: NameKey, window: Sequence[Collection[str]]) -> bool:
    """Whether the words of a window, in any order, have each word of a name. Words are given by their lemmas."""
    left = list(window)
    for wanted in key:
        for i, have in enumerate(left):
            if not wanted.isdisjoint(have):
                del left[i]
                break
        else:
            return False
    return True


# -- Names in their everyday sense ---


@dataclass(frozen=True)
class EverydayPlaces:
    """Places where names do not mean their term. ``quotes``: (node, slug) → the words there."""

    quotes: Mapping[tuple[NodeId, Slug], tuple[Quote, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, terms: Iterable[Term], nodes: Mapping[NodeId, Node]) -> EverydayPlaces:
        """Return the places that the records state, as far as the texts have them."""
        out: dict[tuple[NodeId, Slug], list[Quote]] = defaultdict(list)
        for term in terms:
            for place in term.everyday:
                found = quote_term_place(place, nodes)
                if isinstance(found, Quote):
                    out[place.at, term.slug].append(found)
        return cls({at: tuple(quotes) for at, quotes in out.items()})

    def overlaps(self, id_: NodeId, slug: Slug, where: Where, start: int, end: int) -> bool:
        """Whether ``[start:end]`` of a text or heading overlaps words that do not mean the term ``slug`` there."""
        quotes = self.quotes.get((id_, slug), ())
        return any(q.where == where and q.start < end and start < q.end for q in quotes)


def quote_term_place(place: TermPlace, nodes: Mapping[NodeId, Node]) -> Quote | tuple[str, str]:
    """Return the words of a place as a quotation.

    When the text does not have them, return (finding, next move) instead.
    """
    if place.at not in nodes:
        return f"There is no {place.at}.", "Write the id of a node, with its edition."
    return model.find_quote(nodes[place.at], place.where, place.words, place.occurrence)


# -- Terms for a query ---

# How well words match a term, the best first: they are a name; they are a wording or a players' word; a name begins
# with them; a name contains them.
EXACT_NAME, OTHER_WORDS, NAME_PREFIX, IN_NAME = range(4)


def search_terms(terms: Terms, words: str) -> tuple[Term, ...]:
    """Return the terms that words ask for, the best match first; all terms for no words.

    Case and diacritics are ignored.

    >>> revoke = Term(slug="revoke", names={"pl": ("fałszywy renons",), "en": ("revoke",)})
    >>> [t.slug for t in search_terms({"revoke": revoke}, "falszywy")], search_terms({"revoke": revoke}, "claim")
    (['revoke'], ())
    """
    sought = " ".join(fold(words).split())
    near = ((rank, term) for term in terms.values() if (rank := _best_match_rank(term, sought)) is not None)
    return tuple(term for _, term in sorted(near, key=lambda row: (row[0], row[1].slug)))


def _best_match_rank(term: Term, sought: str) -> int | None:
    """Return how well a term matches ``sought`` (folded words), from ``EXACT_NAME`` (the best) to ``IN_NAME``; else
    None.
    """
    return min(_match_ranks(term, sought), default=None)


def _match_ranks(term: Term, sought: str) -> Iterator[int]:
    """Yield the rank of each name, wording, players' word and slug of a term that matches ``sought``, unsorted."""
    for name in (fold(name) for of_lang in term.names.values() for name in of_lang):
        if name == sought:
            yield EXACT_NAME
        elif name.startswith(sought):
            yield NAME_PREFIX
        elif sought in name:
            yield IN_NAME
    for said in (term.wordings, term.players):
        if any(fold(words) == sought for of_lang in said.values() for words in of_lang):
            yield OTHER_WORDS
    if sought == fold(term.slug):
        yield EXACT_NAME
