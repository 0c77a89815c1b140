"""What is said of a node with children: the sum of what is said of its parts (contract, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.library import Library
from corpus.model import Node


@dataclass(frozen=True)
class Summary:
    """Counts over the nodes with words of their own inside two corresponding nodes, the nodes themselves included.

    ``parts`` of the younger text = ``same`` + ``changed`` + ``new``; ``dropped``: such parts of the older text that
    have no counterpart; ``moved``: how many of same + changed stand under another number; ``translated``: how many of
    changed differ only because a text does, not the laws; ``missing`` and ``added``: how many of dropped and of new
    are not known to be a change of the laws, since only a print may lack them or have them.
    """

    parts: int
    same: int
    changed: int
    new: int
    dropped: int
    moved: int
    translated: int = 0
    missing: int = 0
    added: int = 0


def summary(library: Library, older: Node, newer: Node) -> Summary:
    """The sum over two nodes that correspond; ``older`` is of the older edition."""
    relations = library.relations
    same = changed = new = moved = translated = added = 0
    for part in _worded(library, newer):
        every = relations.rows_of(part.id, older.edition)
        rows = [p for p in every if p.joins_words]
        if not rows:
            new += 1
            added += any(p.of_a_print for p in every)
            continue
        moved += all(p.a.path != part.path for p in rows if p.a)
        differing = [p for p in rows if p.reworded]
        same, changed = (same, changed + 1) if differing else (same + 1, changed)
        translated += bool(differing) and all(p.cause == "translation" for p in differing)
    left = [relations.rows_of(part.id, newer.edition) for part in _worded(library, older)]
    gone = [rows for rows in left if not any(p.joins_words for p in rows)]
    missing = sum(any(p.of_a_print for p in rows) for rows in gone)
    return Summary(same + changed + new, same, changed, new, len(gone), moved, translated, missing, added)


def _worded(library: Library, node: Node) -> list[Node]:
    """The node and what stands inside it, as far as it has words of its own."""
    return [n for n in library.inside(node) if n.text.strip()]
