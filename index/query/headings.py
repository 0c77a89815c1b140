"""The words of headings, as they may stand beside a citation: “27 insufficient bid”, “25 zmiany zapowiedzi”."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from corpus.alphabet import fold
from corpus.library import Library
from corpus.model import CONTAINERS, NodeId

# Words are compared by so many of their letters: a heading is typed in any form.
STEM = 5

Names = Callable[[str, str | None], Collection[str]]


class Headings:
    """What is headed how, in every edition. ``names``: (words, language) → slugs of the terms that they name."""

    def __init__(self, library: Library, names: Names):
        # Lower-case path → the beginnings of the words of its headings and of those above it, and the terms they name.
        self._said: dict[str, frozenset[str]] = {}
        around: dict[NodeId | None, frozenset[str]] = {}
        for node in library.nodes.values():
            own: frozenset[str] = frozenset()
            if node.heading and node.kind not in CONTAINERS:
                own = frozenset(word[:STEM] for word in re.findall(r"[^\W\d_]+", fold(node.heading)))
                own |= frozenset(names(node.heading, node.lang))
            around[node.id] = around.get(node.parent, frozenset()) | own
            self._said[node.path.lower()] = self._said.get(node.path.lower(), frozenset()) | around[node.id]

    def have(self, words: Sequence[str], paths: Iterable[str]) -> bool:
        """Whether folded words stand in the headings of paths."""
        said = frozenset().union(*(self._said.get(path.lower(), frozenset()) for path in paths))
        return all(word[:STEM] in said for word in words)

    def name(self, terms: Collection[str], paths: Iterable[str]) -> bool:
        """Whether the headings of paths name one of the terms."""
        return any(not self._said.get(path.lower(), frozenset()).isdisjoint(terms) for path in paths)
