"""What the entries of a printed subject index are called in other languages: by a term, or by the heading of what they
name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from corpus.model import TITLED, IndexEntry, Node, NodeId
from corpus.term.model import Terms
from corpus.term.names import Key, Spoken


def named(
    entries: Iterable[IndexEntry], nodes: Mapping[NodeId, Node], terms: Terms, lang: str, spoken: Spoken
) -> tuple[IndexEntry, ...]:
    """Entries of an index in a language, with the term that each is a name of, else the provision that it is the
    heading of; an entry that is neither is known in its own language only.
    """
    of_key = {_key(spoken, name): slug for slug, term in terms.items() for name in term.names.get(lang, ())}

    def one(entry: IndexEntry) -> IndexEntry:
        said = _key(spoken, entry.subentry or entry.entry)
        if slug := of_key.get(said):
            return replace(entry, term=slug)
        titled = (nodes[t] for t in entry.targets if t in nodes and nodes[t].kind in TITLED)
        heading = next((n.id for n in titled if n.heading and _key(spoken, n.heading) == said), None)
        return replace(entry, heading=heading)

    return tuple(one(entry) for entry in entries)


def _key(spoken: Spoken, words: str) -> frozenset[frozenset[str]]:
    """The words of a name, in whatever order."""
    key: Key = spoken.key(words)
    return frozenset(key)
