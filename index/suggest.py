"""Suggestions: what may be about to be typed, and the query without its typing errors."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, TypeVar, get_args

from corpus.edition import Identity
from corpus.letters import analyse, fold
from corpus.library import Library
from corpus.model import LAWS, TITLED, Node
from corpus.situation.model import Situation
from corpus.term.model import Term
from index.answer import Suggestion
from index.concept import LOANS_BEGIN, Concepts, loans, read_loans, said, slug_of
from index.documents import Document
from index.lexicon import allowed, distance, letters
from index.opening import Index
from index.query.model import Asked, Cited
from index.query.parse import BETWEEN

# After every word that begins so.
_LAST = "\U0010ffff"
K = TypeVar("K", bound=Hashable)


def numbered(having: Iterable[Iterable[K]]) -> Mapping[K, set[int]]:
    """What each thing has → the numbers of the things that have it.

    >>> numbered([["a", "b"], ["b"]])
    {'a': {0}, 'b': {0, 1}}
    """
    out: dict[K, set[int]] = {}
    for number, keys in enumerate(having):
        for key in keys:
            out.setdefault(key, set()).add(number)
    return out


class Beginnings:
    """Words → numbers of what has them. Immutable once made; shared between threads."""

    def __init__(self, having: Iterable[Collection[str]]):
        """``having``: the words of each thing, by its number."""
        self._having = numbered(having)
        self._words = sorted(self._having)
        # (first letter, length) → the beginnings of that length, or whole words: with a mask of their letters
        cut = {word[:end] for word in self._words for end in range(1, len(word) + 1)}
        self._cut: dict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
        for beginning in sorted(cut):
            self._cut[beginning[0], len(beginning)].append((letters(beginning), beginning))

    def begun(self, typed: str) -> set[int]:
        """What has a word that begins so."""
        first, end = bisect_left(self._words, typed), bisect_left(self._words, typed + _LAST)
        return set().union(*(self._having[word] for word in self._words[first:end]))

    def mistyped(self, typed: str) -> set[int]:
        """What has a word that begins nearly so, and with the same letter; numbers are never changed."""
        most = 0 if any(c.isdigit() for c in typed) else allowed(len(typed))
        mask = letters(typed)
        for far in range(1, most + 1):
            near = [
                other
                for length in range(len(typed) - far, len(typed) + far + 1)
                for other_mask, other in self._cut.get((typed[0], length), ())
                if (mask ^ other_mask).bit_count() <= 2 * far and distance(typed, other, far) <= far
            ]
            if near:
                return set().union(*map(self.begun, near))
        return set()


_WORD = re.compile(r"[^\W\d_]+")
# Of so many letters of a heading one may be small, for a small word among the capitals.
MOSTLY = 5
# Letters of an abbreviation.
LONGEST = 4


def abbreviations(texts: Iterable[str]) -> frozenset[str]:
    """What running texts print in capitals amid other words and never in small letters: “LHO”, “IMP”.

    >>> sorted(abbreviations(["Gdy LHO spasuje, liczy się IMP.", "UWAGA", "Oto KARA, o której mowa: kara."]))
    ['IMP', 'LHO']
    """
    words = {word for text in texts if not is_loud(text) for word in _WORD.findall(text)}
    return frozenset(w for w in words if 1 < len(w) <= LONGEST and w.isupper() and w.lower() not in words)


def is_loud(text: str) -> bool:
    """Whether a text is printed in capitals.

    >>> is_loud("SPÔSOBY HODNOTENIA a SÚŤAŽE"), is_loud("LHO pasuje"), is_loud("12")
    (True, False, False)
    """
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 1 and MOSTLY * sum(not c.isupper() for c in letters) <= len(letters)


def calm(text: str, kept: Collection[str] = ()) -> str:
    """A heading in small letters after its first one, but for the abbreviations ``kept``; another one as it is.

    >>> calm("ODZYWKA RHO", {"RHO"}), calm("Pas"), calm("LHO", {"LHO"})
    ('Odzywka RHO', 'Pas', 'LHO')
    """
    if not is_loud(text):
        return text
    small = _WORD.sub(lambda word: word[0] if word[0] in kept else word[0].lower(), text)
    return small[:1].upper() + small[1:]


def corrected(query: Asked, holding: Callable[[str], Iterable[Document]]) -> str | None:
    """The query spelt as the texts spell it; None when there is nothing to correct. ``holding``: the documents that
    have a form in their text.
    """
    out = query.text
    for unit in query.units:
        if unit.corrected:
            out = re.sub(rf"(?i)\b{re.escape(unit.typed)}\b", _printed(unit.corrected, holding(unit.corrected)), out)
    return out if out != query.text else None


def _printed(form: str, documents: Iterable[Document]) -> str:
    """A folded form as it is printed most often, in lower case."""
    seen = Counter(
        doc.text.printed[slice(*doc.text.offsets[first])].lower()
        for doc in documents
        for first, _ in doc.text.places.get(form, ())
    )
    return seen.most_common(1)[0][0] if seen else form


Sort = Literal["law", "name", "situation", "section", "definition", "player", "topic"]
Of: TypeAlias = Node | Term | Situation | str
# What stands first of all that is named alike: the law before its definition, the laws' words before players' words.
ORDER: dict[Sort, int] = {sort: i for i, sort in enumerate(get_args(Sort))}


@dataclass(frozen=True, slots=True)
class Row:
    """``name``: the words that lead ``of`` something, in ``lang``, as they are shown; ``words``: as they are compared.

    ``beside``: other words that may be typed with them, the number and the edition; ``begun``: whether a longer word
    that begins like the name's is meant, too (“apelac*”).
    """

    sort: Sort
    lang: str
    name: str
    of: Of
    beside: tuple[str, ...] = ()
    begun: bool = False
    words: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", tuple(t.form for t in analyse(self.name)))


def rows(index: Index, kept: Collection[str]) -> list[Row]:
    """All that may be suggested, what has no words left out; of equal names of one thing the first. ``kept``: the
    abbreviations that stay in capitals.
    """
    library = index.library
    found = (*_titles(library, kept), *_terms(library), *_players(index), *_situations(library), *_topics(library))
    once = {(row.lang, row.words, _key(row.of)): row for row in reversed(found) if row.words}
    return list(once.values())[::-1]


def _key(of: Of) -> str:
    """What is one thing: the provision of one path in every text of its language, a term, a situation, a topic."""
    match of:
        case Node():
            return f"/{of.path}"
        case Term():
            return f"#{of.slug}"
        case Situation():
            return f"?{of.id}"
    return of


def _titles(library: Library, kept: Collection[str]) -> Iterator[Row]:
    """Provisions with a title; what is in force first."""
    order = {e.id: (e.force is False, not e.complete, -e.year) for e in library.editions.values()}
    for node in sorted(library.nodes.values(), key=lambda n: order[n.edition]):
        if node.heading and node.kind in TITLED:
            of_definition = node.kind == "definition"
            sort: Sort = "definition" if of_definition else "law" if node.kind in LAWS else "section"
            number = "" if of_definition else node.citation
            beside = tuple(t.form for t in analyse(f"{number} {library.editions[node.edition].short}"))
            yield Row(sort, node.lang, title(node, kept), node, beside)


def title(node: Node, kept: Collection[str]) -> str:
    """The heading of a provision without shouting, but for the abbreviations ``kept``; what stands beside the headword
    of a definition stays: “Adut (Trump)”.
    """
    heading = node.heading or ""
    if node.kind != "definition" or not heading.startswith(node.citation):
        return calm(heading, kept)
    return calm(node.citation, kept) + heading.removeprefix(node.citation)


def _terms(library: Library) -> Iterator[Row]:
    for term in library.terms.values():
        if not term.common:
            yield from (Row("name", lang, name, term) for lang, name in said(term.names))
            yield from (Row("player", lang, words, term) for lang, words in said(term.players))


def _players(index: Index) -> Iterator[Row]:
    terms = index.library.terms
    for loan in loans(index.folder, index.lexicons, terms):
        begun = loan.words.endswith(LOANS_BEGIN)
        yield Row("player", loan.lang, loan.words.removesuffix(LOANS_BEGIN), terms[loan.slug], begun=begun)
    for lang, listed in read_loans(index.folder):
        for words, others in listed.synonyms.items():
            if term := _term(lang, words, index.concepts, index.library):
                yield from (Row("player", lang, other, term) for other in others)


def _term(lang: str, words: str, concepts: Concepts, library: Library) -> Term | None:
    concept = concepts.term_of(lang, words)
    return library.terms[slug_of(concept)] if concept else None


def _situations(library: Library) -> Iterator[Row]:
    for situation in library.situations.values():
        yield from (Row("situation", lang, name, situation) for lang, name in situation.name.items())


def _topics(library: Library) -> Iterator[Row]:
    for entry in library.index:
        yield Row("topic", library.editions[entry.edition].lang, calm(entry.entry), fold(entry.entry))


MOST, MOST_TYPED, MOST_CITED = 8, 6, 2
# One letter alone suggests everything.
LEAST = 2
# So many words more than were typed still name little else.
MORE = 1
# So many of them are situations, where there are enough and more provisions than can be shown.
SITUATIONS = 2


class _Typed(NamedTuple):
    """What was typed: its words, folded, and the same in one string."""

    words: list[str]
    whole: str


class Suggester:
    """All that may be suggested, prepared when the index is opened. Immutable; shared between threads."""

    def __init__(self, index: Index):
        self._library, self._lexicons = index.library, index.lexicons
        self._kept = abbreviations(node.text for node in index.library.nodes.values())
        editions = index.library.editions
        force = lambda r: editions[r.of.edition].force is False if isinstance(r.of, Node) else False
        # In force first, then the shorter name; what is left is in the order of the texts.
        self._rows = sorted(rows(index, self._kept), key=lambda r: (ORDER[r.sort], force(r), len(r.name)))
        self._keys = [" ".join(r.words) for r in self._rows]
        self._sizes = [sum(not self._is_skipped(r.lang, word) for word in r.words) for r in self._rows]
        self._words = Beginnings((*r.words, *r.beside) for r in self._rows)
        self._lemmas = numbered(
            {(r.lang, lemma) for word in r.words for lemma in self._lemmas_of(r.lang, word)} for r in self._rows
        )
        self._longer = numbered(r.words if r.begun else () for r in self._rows)

    def of_citation(self, query: Cited, lang: str | None) -> tuple[Suggestion, ...]:
        """The provision cited in every edition, the reader's language and whole editions first."""
        found = (self._library.node(e.id, path) for path in query.paths[:MOST_CITED] for e in self._editions(lang))
        return tuple(self._of_node(n, title(n, self._kept), "citation") for n in found if n)[:MOST]

    def of_words(self, text: str, lang: str | None) -> tuple[Suggestion, ...]:
        """What has words that begin as those typed, the reader's language first."""
        words = [t.form for t in analyse(text)][:MOST_TYPED]
        if not words or (len(words) == 1 and len(words[0]) < LEAST):
            return ()
        typed, editions = _Typed(words, " ".join(words)), self._editions(lang)
        provisions: dict[object, tuple[int, Suggestion]] = {}
        situations: dict[object, tuple[int, Suggestion]] = {}
        for place, number in enumerate(sorted(self._having(typed), key=lambda n: self._order(n, typed, lang))):
            row, full = self._rows[number], len(provisions) >= MOST
            if full and (row.sort != "situation" or (lang and row.lang != lang)):
                continue
            out = situations if row.sort == "situation" else provisions
            for found in self._shown(row, lang, editions):
                out.setdefault(found.node or found.situation or found.query, (place, found))
            if full and len(situations) >= SITUATIONS:
                break
        left = MOST - min(len(situations), max(SITUATIONS, MOST - len(provisions)))
        both = [*list(provisions.values())[:left], *list(situations.values())[: MOST - left]]
        return tuple(found for _, found in sorted(both, key=lambda one: one[0]))[:MOST]

    def _having(self, typed: _Typed) -> set[int]:
        """The rows that have all that was typed: beginnings of words, forms of them, typing errors where there is
        nothing else.
        """
        having = [self._words_begun(w) or self._words.mistyped(w) for w in typed.words]
        return set.intersection(*having) or set.intersection(
            *(found | self._words.mistyped(w) for w, found in zip(typed.words, having, strict=True))
        )

    def _words_begun(self, word: str) -> set[int]:
        """The rows that have a word that begins so, or one that this is a form of."""
        forms = (self._lemmas.get((lang, x), ()) for lang in self._lexicons for x in self._lemmas_of(lang, word))
        longer = (self._longer.get(word[:end], ()) for end in range(LEAST, len(word) + 1))
        return self._words.begun(word).union(*forms, *longer)

    def _lemmas_of(self, lang: str, word: str) -> tuple[str, ...]:
        return self._lexicons[lang].forms.get(word, ()) if lang in self._lexicons else ()

    def _is_skipped(self, lang: str, word: str) -> bool:
        return lang in self._lexicons and word in self._lexicons[lang].stopwords

    def _order(self, number: int, typed: _Typed, lang: str | None) -> tuple[bool, int, int, bool, int]:
        """The reader's language; what is named by what was typed, or by little more; what begins so; the law first."""
        row, begins = self._rows[number], self._keys[number].startswith(typed.whole)
        more = self._sizes[number] - len(typed.words)
        whole = 0 if begins and more <= 0 else 1 if more <= MORE else 2 if begins else 3
        # The words of the texts before those of players, and what is only searched for behind all that is found.
        whole = max(whole, 1) if row.sort == "player" else 4 if row.sort == "topic" else whole
        return (bool(lang) and row.lang != lang, whole, ORDER[row.sort], not begins, number)

    def _editions(self, lang: str | None) -> list[Identity]:
        """The editions in the order in which a reader is shown them: his language, whole texts of the laws, newest."""
        key = lambda e: (bool(lang) and e.lang != lang, not e.complete, e.is_decisions, -e.year)
        return sorted(self._library.editions.values(), key=key)

    def _shown(self, row: Row, lang: str | None, editions: list[Identity]) -> Iterator[Suggestion]:
        match row.of:
            case Node() as node:
                yield self._of_node(node, row.name, "term" if row.sort == "definition" else "heading")
            case Term() as term:
                named = row.sort == "name" and lang in (None, row.lang)
                name = row.name if named else term.name(lang or row.lang) or term.name(row.lang)
                for node in self._places(term, editions):
                    own = name or term.name(node.lang)
                    yield self._of_node(node, own[:1].upper() + own[1:], "term")
            case Situation() as situation:
                yield self._of_situation(situation, situation.name.get(lang or row.lang, row.name), editions)
            case str():
                yield Suggestion(row.name, "topic", query=row.name)

    def _places(self, term: Term, editions: list[Identity]) -> list[Node]:
        """Where the first edition that knows a term deals with it, and then where it gives its meaning."""
        for edition in editions:
            paths = (*term.about.get(edition.id, ())[:1], *term.defined.get(edition.id, ())[:1])
            if found := [n for path in paths if (n := self._library.node(edition.id, path))]:
                return found
        return []

    def _of_node(self, node: Node, name: str, kind: Literal["citation", "term", "heading"]) -> Suggestion:
        """“27 · Odzywka niewystarczająca · MPB 2007”; a definition has no number but its headword."""
        number = node.citation
        if node.kind == "definition":
            same = {t.form for t in analyse(number)} <= {t.form for t in analyse(name)}
            number = "" if same else calm(number, self._kept)
        short = self._library.editions[node.edition].short
        return Suggestion(BETWEEN.join(filter(None, (number, name, short))), kind, node=node.id)

    def _of_situation(self, situation: Situation, name: str, editions: list[Identity]) -> Suggestion:
        """“Odzywka niewystarczająca · 27B1 · MPB 2007”: its name first, and what decides."""
        deciding = ((e, path) for e in editions for path in situation.provisions.get(e.code, ())[:1])
        found = ((e, node) for e, path in deciding if (node := self._library.node(e.id, path)))
        where = next(((node.citation, e.short) for e, node in found), ())
        return Suggestion(BETWEEN.join((name, *where)), "situation", situation=situation.id)
