"""Suggestions while typing: citations, terms, headings and topics."""

from __future__ import annotations

from urllib.parse import quote

from corpus.alphabet import fold
from corpus.library import Library
from corpus.model import TITLED

MOST = 8


class Suggester:
    """Beginnings of terms, headings and subject index entries; every word may be unfinished."""

    def __init__(self, library: Library, reader, concepts, lexicons):
        self._library, self._reader = library, reader
        rows: dict[tuple[str, str], tuple] = {}
        order = {e.id: (not e.in_force, not e.complete, -e.year) for e in library.editions.values()}
        for node in sorted(library.nodes.values(), key=lambda n: order[n.edition]):
            if node.heading and node.kind in TITLED:
                text = node.heading.split(" (")[0] if node.kind == "definition" else node.heading
                kind = "term" if node.kind == "definition" else "heading"
                rows.setdefault((fold(text), node.lang), (text, kind, f"/{quote(node.id)}", node.lang))
        for entry in library.index:
            lang = library.editions[entry.edition].lang
            rows.setdefault((fold(entry.entry), lang), (entry.entry, "topic", f"/search?q={quote(entry.entry)}", lang))
        self._rows = [(key[0], key[0].split(), row) for key, row in rows.items()]
        self._rank = {"term": 0, "heading": 1, "topic": 2}

    def suggest(self, q: str, lang: str | None = None) -> list[dict]:
        """Suggestions for what has been typed, the reader's language first."""
        query = self._reader.read(q or "", lang)
        out = []
        if query.citations:
            for path in query.citations.paths[:2]:
                for edition in sorted(
                    self._library.editions.values(),
                    key=lambda e: (bool(lang) and e.lang != lang, not e.complete, -e.year),
                ):
                    if (node := self._library.node(edition.id, path)) is not None:
                        text = f"{node.citation} · {edition.short}" + (f" · {node.heading}" if node.heading else "")
                        out.append({"text": text, "kind": "citation", "url": f"/{quote(node.id)}"})
            return out[:MOST]
        typed = fold(query.text).split()[:6]
        if not typed or (len(typed[-1]) < 2 and len(typed) == 1):
            return []
        found = []
        for key, words, row in self._rows:
            if all(any(w.startswith(t) for w in words) for t in typed):
                found.append(
                    (
                        bool(lang) and row[3] != lang,
                        not key.startswith(" ".join(typed)),
                        self._rank[row[1]],
                        len(key),
                        row,
                    )
                )
        found.sort(key=lambda f: f[:4])
        for *_, (text, kind, url, _lang) in found[:MOST]:
            out.append({"text": text.capitalize() if text.isupper() else text, "kind": kind, "url": url})
        return out
