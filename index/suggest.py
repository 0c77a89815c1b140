"""Suggestions: completions of what a person types, and the query without its typing errors.

:class:`Suggester` returns the completions; it works on the rows of :func:`suggestion_rows`, which it prepares when the
index is opened. :func:`correct_query` returns the corrected query. :func:`display_title` shows a printed heading
without capitals.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, TypeVar, get_args

from corpus.edition import Identity, sort_key_for_reader
from corpus.letters import fold, tokenize
from corpus.library import Library
from corpus.model import LAW_KINDS, TITLED_KINDS, Node
from corpus.situation.model import Situation
from corpus.term.model import Term
from index.answer import Suggestion
from index.concept import PREFIX_SIGN, Concepts, flatten_names, read_loan_words, read_synonyms, slug_of
from index.documents import Document
from index.lexicon import allowed_errors, edit_distance, letter_mask
from index.opening import Index
from index.query.model import CitationQuery, WordQuery
from index.query.parse import SUGGESTION_SEPARATOR

# Sorts after every word with the same beginning.
_LAST_CHARACTER = "\U0010ffff"
K = TypeVar("K", bound=Hashable)


def numbers_by_key(having: Iterable[Iterable[K]]) -> Mapping[K, set[int]]:
    """Return key → numbers of the things that have it. ``having`` gives the keys of each thing, in the order of the
    numbers.

    >>> numbers_by_key([["a", "b"], ["b"]])
    {'a': {0}, 'b': {0, 1}}
    """
    out: dict[K, set[int]] = {}
    for number, keys in enumerate(having):
        for key in keys:
            out.setdefault(key, set()).add(number)
    return out


class PrefixIndex:
    """Finds things by the beginnings of their words. Immutable once made; shared between threads."""

    def __init__(self, having: Iterable[Collection[str]]):
        """``having`` gives the words of each thing; things are numbered in this order."""
        self._numbers_by_word = numbers_by_key(having)
        self._words = sorted(self._numbers_by_word)
        # (first letter, length) → the beginnings of that length, with their letter masks. Whole words count as
        # beginnings.
        cut = {word[:end] for word in self._words for end in range(1, len(word) + 1)}
        self._prefixes: dict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
        for beginning in sorted(cut):
            self._prefixes[beginning[0], len(beginning)].append((letter_mask(beginning), beginning))

    def find_by_prefix(self, typed: str) -> set[int]:
        """Return the numbers of the things that have a word which begins with ``typed``."""
        first, end = bisect_left(self._words, typed), bisect_left(self._words, typed + _LAST_CHARACTER)
        return set().union(*(self._numbers_by_word[word] for word in self._words[first:end]))

    def find_mistyped(self, typed: str) -> set[int]:
        """Return the numbers of the things that have a word with nearly the beginning ``typed`` and the same first
        letter.

        A word with a digit in it is never changed.
        """
        most = 0 if any(c.isdigit() for c in typed) else allowed_errors(len(typed))
        mask = letter_mask(typed)
        for far in range(1, most + 1):
            similar = [
                other
                for length in range(len(typed) - far, len(typed) + far + 1)
                for other_mask, other in self._prefixes.get((typed[0], length), ())
                if (mask ^ other_mask).bit_count() <= 2 * far and edit_distance(typed, other, far) <= far
            ]
            if similar:
                return set().union(*map(self.find_by_prefix, similar))
        return set()


_WORD = re.compile(r"[^\W\d_]+")
# A heading counts as capitals if at most one letter in this many is small, as in a short word among the capitals.
LETTERS_PER_SMALL_ONE = 5
# The most letters that an abbreviation has.
LONGEST_ABBREVIATION = 4


def find_abbreviations(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that running texts print in capitals amid other words and never in small letters: “LHO”, “IMP”.

    >>> sorted(find_abbreviations(["Gdy LHO spasuje, liczy się IMP.", "UWAGA", "Oto KARA, o której mowa: kara."]))
    ['IMP', 'LHO']
    """
    words = {word for text in texts if not is_in_capitals(text) for word in _WORD.findall(text)}
    return frozenset(w for w in words if 1 < len(w) <= LONGEST_ABBREVIATION and w.isupper() and w.lower() not in words)


def is_in_capitals(text: str) -> bool:
    """Whether a text is printed in capitals.

    >>> is_in_capitals("SPÔSOBY HODNOTENIA a SÚŤAŽE"), is_in_capitals("LHO pasuje"), is_in_capitals("12")
    (True, False, False)
    """
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 1 and LETTERS_PER_SMALL_ONE * sum(not c.isupper() for c in letters) <= len(letters)


def to_small_letters(text: str, kept: Collection[str] = ()) -> str:
    """Return a heading that is printed in capitals in small letters, except its first letter and the words ``kept``.

    Any other heading is returned unchanged.

    >>> to_small_letters("ODZYWKA RHO", {"RHO"}), to_small_letters("Pas"), to_small_letters("LHO", {"LHO"})
    ('Odzywka RHO', 'Pas', 'LHO')
    """
    if not is_in_capitals(text):
        return text
    small = _WORD.sub(lambda word: word[0] if word[0] in kept else word[0].lower(), text)
    return small[:1].upper() + small[1:]


def correct_query(query: WordQuery, holding: Callable[[str], Iterable[Document]]) -> str | None:
    """Return the query spelt as the texts spell it, or None if there is nothing to correct.

    ``holding`` returns the documents that have a form in their text.
    """
    out = query.text
    for unit in query.units:
        if unit.corrected:
            out = re.sub(
                rf"(?i)\b{re.escape(unit.typed)}\b", _usual_spelling(unit.corrected, holding(unit.corrected)), out
            )
    return out if out != query.text else None


def _usual_spelling(form: str, documents: Iterable[Document]) -> str:
    """Return a folded form in the spelling that the documents print most often, in lower case."""
    seen = Counter(
        doc.text.printed[slice(*doc.text.offsets[first])].lower()
        for doc in documents
        for first, _ in doc.text.places.get(form, ())
    )
    return seen.most_common(1)[0][0] if seen else form


SuggestionSort = Literal["law", "name", "situation", "section", "definition", "player", "topic"]
SuggestionTarget: TypeAlias = Node | Term | Situation | str
# The order of things with the same name: a law before its definition, words of the laws before players' words.
SORT_ORDER: dict[SuggestionSort, int] = {sort: i for i, sort in enumerate(get_args(SuggestionSort))}


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """A name that may be suggested.

    ``name`` is shown, in ``lang``; ``words`` are compared. It leads to ``target``. ``beside`` are other words that may
    be typed with it: the number and the edition. ``is_prefix``: a longer word with this beginning is meant as well
    (“apelac*”).
    """

    sort: SuggestionSort
    lang: str
    name: str
    target: SuggestionTarget
    beside: tuple[str, ...] = ()
    is_prefix: bool = False
    words: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", tuple(t.form for t in tokenize(self.name)))


def suggestion_rows(index: Index, kept: Collection[str]) -> list[SuggestionRow]:
    """Return all names that may be suggested. Of equal names of one thing only the first is kept.

    ``kept`` are the abbreviations that stay in capitals.
    """
    library = index.library
    found = (
        *_title_rows(library, kept),
        *_term_rows(library),
        *_player_rows(index),
        *_situation_rows(library),
        *_topic_rows(library),
    )
    once = {(row.lang, row.words, _target_key(row.target)): row for row in reversed(found) if row.words}
    return list(once.values())[::-1]


def _target_key(of: SuggestionTarget) -> str:
    """Return a text that identifies what a name leads to. A provision has one key for all editions of its language."""
    match of:
        case Node():
            return f"/{of.path}"
        case Term():
            return f"#{of.slug}"
        case Situation():
            return f"?{of.id}"
    return of


def _title_rows(library: Library, kept: Collection[str]) -> Iterator[SuggestionRow]:
    """Yield a row for each provision that has a title, in the order of :func:`corpus.edition.sort_key_for_reader`."""
    key = sort_key_for_reader()
    order = {e.id: key(e) for e in library.editions.values()}
    for node in sorted(library.nodes.values(), key=lambda n: order[n.edition]):
        if node.heading and node.kind in TITLED_KINDS:
            of_definition = node.kind == "definition"
            sort: SuggestionSort = "definition" if of_definition else "law" if node.kind in LAW_KINDS else "section"
            number = "" if of_definition else node.citation
            beside = tuple(t.form for t in tokenize(f"{number} {library.editions[node.edition].short}"))
            yield SuggestionRow(sort, node.lang, display_title(node, kept), node, beside)


def display_title(node: Node, kept: Collection[str]) -> str:
    """Return the heading of a provision without capitals, except for the abbreviations ``kept``.

    What stands beside the headword of a definition is unchanged: “Adut (Trump)”.
    """
    heading = node.heading or ""
    if node.kind != "definition" or not heading.startswith(node.citation):
        return to_small_letters(heading, kept)
    return to_small_letters(node.citation, kept) + heading.removeprefix(node.citation)


def _term_rows(library: Library) -> Iterator[SuggestionRow]:
    for term in library.terms.values():
        if not term.common:
            yield from (SuggestionRow("name", lang, name, term) for lang, name in flatten_names(term.names))
            yield from (SuggestionRow("player", lang, words, term) for lang, words in flatten_names(term.players))


def _player_rows(index: Index) -> Iterator[SuggestionRow]:
    terms = index.library.terms
    for loan in read_loan_words(index.folder, index.lexicons, terms):
        begun = loan.words.endswith(PREFIX_SIGN)
        yield SuggestionRow(
            "player", loan.lang, loan.words.removesuffix(PREFIX_SIGN), terms[loan.slug], is_prefix=begun
        )
    for lang, listed in read_synonyms(index.folder):
        for words, others in listed.synonyms.items():
            if term := _find_term(lang, words, index.concepts, index.library):
                yield from (SuggestionRow("player", lang, other, term) for other in others)


def _find_term(lang: str, words: str, concepts: Concepts, library: Library) -> Term | None:
    concept = concepts.concept_named(lang, words)
    return library.terms[slug_of(concept)] if concept else None


def _situation_rows(library: Library) -> Iterator[SuggestionRow]:
    for situation in library.situations.values():
        yield from (SuggestionRow("situation", lang, name, situation) for lang, name in situation.name.items())


def _topic_rows(library: Library) -> Iterator[SuggestionRow]:
    for entry in library.index:
        yield SuggestionRow(
            "topic", library.editions[entry.edition].lang, to_small_letters(entry.entry), fold(entry.entry)
        )


MOST_SUGGESTIONS, MOST_TYPED, MOST_CITED = 8, 6, 2
# A single letter would suggest everything.
LEAST_LETTERS = 2
# A name with at most this many more words than were typed still counts as what was typed.
MOST_EXTRA = 1
# How many suggestions are situations, if there are enough and more provisions than can be shown.
MOST_SITUATIONS = 2


class _TypedText(NamedTuple):
    """What was typed: its folded words, and the same as one string."""

    words: list[str]
    whole: str


class Suggester:
    """Suggests completions from rows that are prepared when the index is opened. Immutable; shared between threads."""

    def __init__(self, index: Index):
        self._library, self._lexicons = index.library, index.lexicons
        self._abbreviations = find_abbreviations(node.text for node in index.library.nodes.values())
        editions = index.library.editions
        force = lambda r: editions[r.target.edition].is_in_force is False if isinstance(r.target, Node) else False
        # In force first, then the shorter name. Sorting is stable, so the rest stays in the order of the texts.
        self._rows = sorted(
            suggestion_rows(index, self._abbreviations), key=lambda r: (SORT_ORDER[r.sort], force(r), len(r.name))
        )
        self._keys = [" ".join(r.words) for r in self._rows]
        self._sizes = [sum(not self._is_stop_word(r.lang, word) for word in r.words) for r in self._rows]
        self._words = PrefixIndex((*r.words, *r.beside) for r in self._rows)
        self._lemmas = numbers_by_key(
            {(r.lang, lemma) for word in r.words for lemma in self._lemmas_of(r.lang, word)} for r in self._rows
        )
        self._prefix_rows = numbers_by_key(r.words if r.is_prefix else () for r in self._rows)

    def suggest_citations(self, query: CitationQuery, lang: str | None, code: str = "") -> tuple[Suggestion, ...]:
        """Return the cited provision in every edition: those of the laws of ``code``, in the reader's language and in
        complete editions come first.
        """
        found = (
            self._library.node_at(e.id, path)
            for path in query.paths[:MOST_CITED]
            for e in self._sorted_editions(lang, code)
        )
        return tuple(self._suggest_node(n, display_title(n, self._abbreviations), "citation") for n in found if n)[
            :MOST_SUGGESTIONS
        ]

    def suggest_words(self, text: str, lang: str | None, code: str = "") -> tuple[Suggestion, ...]:
        """Return the suggestions whose words have the typed beginnings. The language of the reader comes first; where
        one thing stands in several laws, those of ``code``.
        """
        words = [t.form for t in tokenize(text)][:MOST_TYPED]
        if not words or (len(words) == 1 and len(words[0]) < LEAST_LETTERS):
            return ()
        typed, editions = _TypedText(words, " ".join(words)), self._sorted_editions(lang, code)
        provisions: dict[object, tuple[int, Suggestion]] = {}
        situations: dict[object, tuple[int, Suggestion]] = {}
        for place, number in enumerate(
            sorted(self._rows_with(typed), key=lambda n: self._sort_key(n, typed, lang, code))
        ):
            row, full = self._rows[number], len(provisions) >= MOST_SUGGESTIONS
            if full and (row.sort != "situation" or (lang and row.lang != lang)):
                continue
            out = situations if row.sort == "situation" else provisions
            for found in self._make_suggestions(row, lang, editions):
                out.setdefault(found.node or found.situation or found.query, (place, found))
            if full and len(situations) >= MOST_SITUATIONS:
                break
        left = MOST_SUGGESTIONS - min(len(situations), max(MOST_SITUATIONS, MOST_SUGGESTIONS - len(provisions)))
        both = [*list(provisions.values())[:left], *list(situations.values())[: MOST_SUGGESTIONS - left]]
        return tuple(found for _, found in sorted(both, key=lambda one: one[0]))[:MOST_SUGGESTIONS]

    def _rows_with(self, typed: _TypedText) -> set[int]:
        """Return the numbers of the rows that have all the typed words.

        A typed word may be the beginning of a word or another form of it. Typing errors are allowed where nothing else
        is found.
        """
        having = [self._rows_with_word(w) or self._words.find_mistyped(w) for w in typed.words]
        return set.intersection(*having) or set.intersection(
            *(found | self._words.find_mistyped(w) for w, found in zip(typed.words, having, strict=True))
        )

    def _rows_with_word(self, word: str) -> set[int]:
        """Return the numbers of the rows that have a word with this beginning, or another form of this word."""
        forms = (self._lemmas.get((lang, x), ()) for lang in self._lexicons for x in self._lemmas_of(lang, word))
        longer = (self._prefix_rows.get(word[:end], ()) for end in range(LEAST_LETTERS, len(word) + 1))
        return self._words.find_by_prefix(word).union(*forms, *longer)

    def _lemmas_of(self, lang: str, word: str) -> tuple[str, ...]:
        return self._lexicons[lang].forms.get(word, ()) if lang in self._lexicons else ()

    def _is_stop_word(self, lang: str, word: str) -> bool:
        return lang in self._lexicons and word in self._lexicons[lang].stopwords

    def _sort_key(
        self, number: int, typed: _TypedText, lang: str | None, code: str
    ) -> tuple[bool, int, int, bool, bool, int]:
        """Return the sort key of a row.

        First comes the reader's language; then names that are what was typed, or little more; then names that begin
        with it; then the order of :data:`SORT_ORDER`; then the laws of ``code``.
        """
        row, begins = self._rows[number], self._keys[number].startswith(typed.whole)
        more = self._sizes[number] - len(typed.words)
        whole = 0 if begins and more <= 0 else 1 if more <= MOST_EXTRA else 2 if begins else 3
        # Words of the texts come before players' words. What is only searched for comes last.
        whole = max(whole, 1) if row.sort == "player" else 4 if row.sort == "topic" else whole
        return (
            bool(lang) and row.lang != lang,
            whole,
            SORT_ORDER[row.sort],
            not begins,
            self._is_of_other_code(row, code),
            number,
        )

    def _is_of_other_code(self, row: SuggestionRow, code: str) -> bool:
        return bool(code) and isinstance(row.target, Node) and self._library.editions[row.target.edition].code != code

    def _sorted_editions(self, lang: str | None, code: str) -> list[Identity]:
        """Return the editions in the order of a reader of the language who has chosen the laws of ``code``."""
        return sorted(self._library.editions.values(), key=sort_key_for_reader(lang, code))

    def _make_suggestions(self, row: SuggestionRow, lang: str | None, editions: list[Identity]) -> Iterator[Suggestion]:
        match row.target:
            case Node() as node:
                yield self._suggest_node(node, row.name, "term" if row.sort == "definition" else "heading")
            case Term() as term:
                named = row.sort == "name" and lang in (None, row.lang)
                name = row.name if named else term.name(lang or row.lang) or term.name(row.lang)
                for node in self._places_of_term(term, editions):
                    own = name or term.name(node.lang)
                    yield self._suggest_node(node, own[:1].upper() + own[1:], "term")
            case Situation() as situation:
                yield self._suggest_situation(situation, situation.name.get(lang or row.lang, row.name), editions)
            case str():
                yield Suggestion(row.name, "topic", query=row.name)

    def _places_of_term(self, term: Term, editions: list[Identity]) -> list[Node]:
        """Return the nodes for a term in the first edition that has it: where it is treated, then where it is
        defined.
        """
        for edition in editions:
            paths = (*term.about.get(edition.id, ())[:1], *term.defined.get(edition.id, ())[:1])
            if found := [n for path in paths if (n := self._library.node_at(edition.id, path))]:
                return found
        return []

    def _suggest_node(self, node: Node, name: str, kind: Literal["citation", "term", "heading"]) -> Suggestion:
        """Return a suggestion like “27 · Odzywka niewystarczająca · MPB 2007”. A definition has its headword for a
        number.
        """
        number = node.citation
        if node.kind == "definition":
            same = {t.form for t in tokenize(number)} <= {t.form for t in tokenize(name)}
            number = "" if same else to_small_letters(number, self._abbreviations)
        short = self._library.editions[node.edition].short
        return Suggestion(SUGGESTION_SEPARATOR.join(filter(None, (number, name, short))), kind, node=node.id)

    def _suggest_situation(self, situation: Situation, name: str, editions: list[Identity]) -> Suggestion:
        """Return a suggestion like “Odzywka niewystarczająca · 27B1 · MPB 2007”: the name, then the deciding
        provision.
        """
        deciding = ((e, path) for e in editions for path in situation.provisions.get(e.code, ())[:1])
        found = ((e, node) for e, path in deciding if (node := self._library.node_at(e.id, path)))
        where = next(((node.citation, e.short) for e, node in found), ())
        return Suggestion(SUGGESTION_SEPARATOR.join((name, *where)), "situation", situation=situation.id)
