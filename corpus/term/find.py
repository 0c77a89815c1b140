"""Where the terms of the laws stand in the provisions of an edition: what a reader may open the meaning of.

What is guaranteed, and tested for every edition:

1.  A mark names a concept whose meaning the same edition gives, and never stands in what gives it.
2.  It is the first use in the own words of a provision, definition or note: heading, then text. A title of a law is
    no use, and a preface or an index speaks about the laws.
3.  It is the longest name there; none stands inside a reference, a table or another mark.
4.  None stands where the name means something else: words that ``unlike`` lists, places that ``everyday`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from corpus.model import LAWS, ORDERING, Node, NodeId, TermMark, Where
from corpus.term.everyday import Places
from corpus.term.model import Slug, Term
from corpus.term.names import Match, NameIndex, Spoken
from corpus.word.token import Token, analyse

# Whose heading is a title.
NAMED = (*LAWS, "definition")


class Use(NamedTuple):
    """Words of a provision that may be the use of a term."""

    start: int
    end: int
    match: Match[Slug]


@dataclass(frozen=True)
class Finder:
    """The terms whose meaning one edition gives. ``unlike``: words that mean no term, or not this one."""

    names: NameIndex[Slug]
    unlike: NameIndex[Slug]
    meaning: Mapping[Slug, tuple[NodeId, ...]]
    everyday: Places

    @classmethod
    def of(cls, edition: str, lang: str, spoken: Spoken, terms: Iterable[Term], everyday: Places) -> Finder:
        """What is found in an edition of a language. A name that two terms share, and whose meanings the edition
        gives, means the one that stands first in the order of the slugs: both lists are on its page.
        """
        here = {term.slug: term for term in terms if edition in term.defined}
        return cls(
            NameIndex(spoken, [(name, slug) for slug, term in here.items() for name in term.sought(lang)]),
            NameIndex(spoken, [(u.words, slug) for slug, term in here.items() for u in term.unlike if u.lang == lang]),
            {slug: term.meaning(edition) for slug, term in here.items()},
            everyday,
        )

    def mark(self, node: Node) -> Node:
        """The node with its term marks."""
        if node.kind not in ORDERING:
            return node
        used: set[Slug] = set()
        marks: list[TermMark] = []
        places: tuple[Where, ...] = ("text",) if node.kind in NAMED else ("heading", "text")
        for where in places:
            for use in self._uses(node, where):
                slug = use.match.meant
                if slug not in used:
                    used.add(slug)
                    marks.append(TermMark(use.start, use.end, where, slug))
        return replace(node, terms=tuple(marks))

    def _uses(self, node: Node, where: Where) -> Iterator[Use]:
        """Uses of terms in a text, as they stand, none overlapping another."""
        tokens = analyse(node.words(where))
        matches = list(self.names.find(tokens))
        if not matches:
            return
        unmeant = list(self.unlike.find(tokens))
        taken = [(r.start, r.end) for r in node.references if r.where == where]
        taken += [(t.start, t.end) for t in node.tables] if where == "text" else []
        free: list[Use] = []
        for match in sorted(matches, key=lambda m: (m.first - m.last, m.first, m.meant)):
            use = _use(tokens, match)
            if any(match.meant == u.meant and match.within(u) for u in unmeant):
                continue
            if self.everyday.touch(node.id, match.meant, where, use.start, use.end):
                continue
            if not any(use.start < end and start < use.end for start, end in taken):
                taken.append((use.start, use.end))
                free.append(use)
        yield from sorted(u for u in free if not self._is_meaning(node, u.match.meant))

    def _is_meaning(self, node: Node, slug: Slug) -> bool:
        """Whether the node is, or stands in, what gives the meaning."""
        return any(id_.holds(node.id) for id_ in self.meaning[slug])


def _use(tokens: list[Token], match: Match[Slug]) -> Use:
    return Use(tokens[match.first].start, tokens[match.last].end, match)
