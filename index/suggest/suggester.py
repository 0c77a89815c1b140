"""What is suggested for something typed so far: the provision cited, else what has words that begin so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from corpus.edition.identity import Identity
from corpus.model import Node
from corpus.situation.model import Situation
from corpus.term.model import Term
from corpus.word.token import analyse
from index.answer import Suggestion
from index.opening import Index
from index.query.asked import Cited
from index.query.parse import BETWEEN
from index.suggest.beginnings import Beginnings, numbered
from index.suggest.calm import abbreviations, calm
from index.suggest.rows import ORDER, Row, rows, title

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
