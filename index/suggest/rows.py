"""What may be suggested, each with the words that it begins with: provisions with a title, names of terms and what
players say for them, situations, and entries of the printed subject indexes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from corpus.alphabet import fold
from corpus.library import Library
from corpus.model import LAWS, TITLED, Node
from corpus.situation.model import Situation
from corpus.term.model import Term
from corpus.word.token import analyse
from index import players
from index.concept import Concepts, said, slug_of
from index.opening import Index
from index.suggest.calm import calm

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
    for loan in players.loans(index.folder, index.lexicons, terms):
        begun = loan.words.endswith(players.LOANS_BEGIN)
        yield Row("player", loan.lang, loan.words.removesuffix(players.LOANS_BEGIN), terms[loan.slug], begun=begun)
    for lang, listed in players.read_loans(index.folder):
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
