"""What the entries of a printed subject index are called in other languages: by a term, or by the heading of what they
name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from corpus.model import TITLED, IndexEntry, Node, NodeId
from corpus.term.model import Slug, Terms
from corpus.term.names import NameKey, Spoken, covers


def named(
    entries: Iterable[IndexEntry], nodes: Mapping[NodeId, Node], terms: Terms, lang: str, spoken: Spoken
) -> tuple[IndexEntry, ...]:
    """Entries of an index in a language, with the term that each is a name of, else the provision that it is the
    heading of; an entry that is neither is known in its own language only.

    A name alone is not enough: the term must deal with the law that the entry leads to, for “Powtarzanie rozdania” is
    the heading of two. Where an entry leads to one definition, its words are that term under whatever printed form.
    """
    keys = [(spoken.key(name), slug) for slug, term in terms.items() for name in term.names.get(lang, ())]
    namer = _Namer(nodes, terms, spoken, keys)
    return tuple(namer.one(entry) for entry in entries)


@dataclass(frozen=True)
class _Namer:
    """``keys``: how the names of the terms are sought, with what each names."""

    nodes: Mapping[NodeId, Node]
    terms: Terms
    spoken: Spoken
    keys: list[tuple[NameKey, Slug]]

    def one(self, entry: IndexEntry) -> IndexEntry:
        said = self.spoken.key(entry.subentry or entry.entry)
        slugs = [slug for key, slug in self.keys if _alike(key, said)]
        heading = next((t for t in entry.targets if self._heads(t, said)), None)
        if fitting := [slug for slug in slugs if self._treats(slug, entry)]:
            return replace(entry, term=fitting[0])
        if defined := self._defined(entry, said):
            return replace(entry, term=defined)
        if heading:
            return replace(entry, heading=heading)
        return replace(entry, term=slugs[0]) if slugs and not entry.targets else entry

    def _heads(self, target: NodeId, said: NameKey) -> bool:
        node = self.nodes.get(target)
        titled = node is not None and node.kind in TITLED and node.heading
        return bool(titled) and _alike(self.spoken.key(node.heading if node and node.heading else ""), said)

    def _treats(self, slug: Slug, entry: IndexEntry) -> bool:
        """Whether a term has places on a page that the entry leads to."""
        places = self.terms[slug].places(entry.edition)
        pages = {t if self._is_definition(t) else t.law for t in entry.targets}
        return any((place if self._is_definition(place) else place.law) in pages for place in places)

    def _defined(self, entry: IndexEntry, said: NameKey) -> Slug:
        """The term of the one definition that an entry leads to, if they have a word in common; empty without one."""
        definitions = [t for t in entry.targets if self._is_definition(t)]
        if len(definitions) != 1:
            return ""
        (id_,) = definitions
        head = self.spoken.key(self.nodes[id_].heading or "")
        alike = any(not a.isdisjoint(b) for a in said for b in head)
        return next((s for s, t in self.terms.items() if alike and id_ in t.meaning(entry.edition)), "")

    def _is_definition(self, id_: NodeId) -> bool:
        return id_ in self.nodes and self.nodes[id_].kind == "definition"


def _alike(key: NameKey, other: NameKey) -> bool:
    """Whether two names have the same words, in whatever form and order."""
    return len(key) == len(other) and covers(key, other)
