"""What to lay side by side for who asks what changed: a path, and the editions that it is compared in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node
from index.answer import Compared
from index.query.asked import Asked, Cited


def compared(query: Cited | Asked, found: Sequence[Node], library: Library, lang: str | None) -> Compared | None:
    """Where a comparison answers: of what is cited, else of the law that words find first (``found``: what they find,
    best first). The newest text is the base; None where changes are not asked for, or nothing is found.
    """
    if query.changes is None:
        return None
    texts = _texts(library, query.changes.years, lang)
    if isinstance(query, Cited):
        base = next((e for e in texts for path in query.paths if library.node(e.id, path)), None)
        return _laid(query.paths[0], base, texts) if base and query.paths else None
    node = next((n for n in found if library.relations.code_of(n.edition) and n.kind != "definition"), None)
    return _of_node(node, texts, library) if node else None


def _of_node(node: Node, texts: Sequence[Identity], library: Library) -> Compared | None:
    """The law of a node in the newest text that has what corresponds to it."""
    pages = ((library.page_in(node.id, text.id), text) for text in texts)
    return next((_laid(page.path, text, texts) for page, text in pages if page), None)


def _laid(path: str, base: Identity, texts: Iterable[Identity]) -> Compared:
    return Compared(path, (base.id, *(e.id for e in texts if e.id != base.id)))


def _texts(library: Library, years: Iterable[str], lang: str | None) -> list[Identity]:
    """A whole text of each code, the newest first, in the reader's language where there is one; of those named where
    these are several.
    """
    named = set(years)
    best: dict[str, Identity] = {}
    for edition in sorted(library.codes, key=lambda e: (e.lang == lang, e.order), reverse=True):
        if edition.complete:
            best.setdefault(edition.code, edition)
    chosen = {code: e for code, e in best.items() if str(e.year) in named or code in named}
    return sorted((chosen if len(chosen) > 1 else best).values(), key=lambda e: e.order, reverse=True)
