"""What pages need to know about a whole library, worked out once: where notes are read, which decisions modify what, …"""
from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from functools import cached_property

from corpus import address
from corpus.library import EditionInfo, Library
from corpus.model import Correction, Node, Reference


class Atlas:
    """Derived once from an immutable library, and as immutable."""

    def __init__(self, library: Library):
        self.library = library

    # ── editions ────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def codes(self) -> list[EditionInfo]:
        """Editions of the laws themselves, by year, then id; decisions that modify a code are not among them."""
        rows = [e for e in self.library.editions.values() if not e.data.get("modifies")]
        return sorted(rows, key=lambda e: (e.year, not e.complete, e.id))

    @cached_property
    def ordered(self) -> list[EditionInfo]:
        """All editions: codes by year, then what modifies them."""
        rest = [e for e in self.library.editions.values() if e.data.get("modifies")]
        return [*self.codes, *sorted(rest, key=lambda e: e.id)]

    def home_edition(self, lang: str) -> EditionInfo:
        """The edition a reader of a language probably wants: the newest whole one in it, else the one in force."""
        whole = [e for e in self.codes if e.complete] or self.ordered
        own = [e for e in whole if e.lang == lang]
        return max(own or whole, key=lambda e: (e.year, e.in_force, e.id))

    def edition_of_code(self, code: str) -> EditionInfo | None:
        """The edition of the code that an external address names: ``mpb-2017`` → the whole edition of 2017."""
        year = re.search(r"(\d{4})$", code)
        found = [e for e in self.codes if e.complete and year and e.year == int(year[1])]
        return found[0] if found else None

    # ── notes ───────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def marked_by(self) -> dict[str, list[str]]:
        """note id → ids of the nodes that carry its mark, in document order."""
        out = defaultdict(list)
        for node in self.library.nodes.values():
            for mark in node.marks:
                if node.id not in out[mark.target]:
                    out[mark.target].append(node.id)
        return out

    def page_of(self, node: Node) -> Node:
        """The node whose page shows another: a note of the book is read under the law that carries its mark."""
        if node.kind == "footnote" and not node.parent and (homes := self.marked_by.get(node.id)):
            return self.library.law_of(self.library.nodes[homes[0]])
        return self.library.law_of(node)

    @cached_property
    def members(self) -> dict[str, list[Node]]:
        """Container id → the nodes printed under it (laws name their chapter as parent)."""
        out = defaultdict(list)
        for node in self.library.nodes.values():
            if node.parent:
                out[node.parent].append(node)
        return out

    # ── references ──────────────────────────────────────────────────────────────────────────────

    def resolve(self, target: str) -> str | None:
        """The id of the node a reference leads to, looking through external addresses; None when there is none."""
        if target in self.library.nodes:
            return target
        code, _, path = target.partition("/")
        if code in self.library.editions or (edition := self.edition_of_code(code)) is None:
            return None
        if f"{edition.id}/{path}" in self.library.nodes:
            return f"{edition.id}/{path}"
        return self._definitions(edition.id).get(path)

    def _definitions(self, edition: str) -> dict[str, str]:
        """``def/<slug>`` of the foreign term in brackets → id: a definition found by the name it has in the original."""
        out = {}
        for node in self.library.of(edition):
            if node.kind == "definition" and (term := re.search(r"\(([^)]+)\)", node.heading or "")):
                out[f"def/{address.slug(term[1])}"] = node.id
        return out

    @cached_property
    def citing(self) -> dict[str, list[tuple[Node, Reference]]]:
        """node id → the references that lead to it, external ones included, in document order."""
        out = defaultdict(list)
        for node in self.library.nodes.values():
            for ref in node.references:
                for target in dict.fromkeys(filter(None, map(self.resolve, ref.targets))):
                    out[target].append((node, ref))
        return out

    @cached_property
    def decisions(self) -> dict[str, list[Node]]:
        """id of a modified node → the points of a federation that modify it, in document order."""
        out = defaultdict(list)
        for edition in self.library.editions.values():
            code = edition.data.get("modifies")
            if not code:
                continue
            for node in self.library.of(edition.id):
                # A point says in its title what it modifies; what it only mentions further on it does not modify.
                if node.kind != "point":
                    continue
                refs = [r for r in node.references if r.kind == "external"]
                for target in dict.fromkeys(self.resolve(t) for r in refs for t in r.targets):
                    if target and node not in out[target]:
                        out[target].append(node)
        return out

    @cached_property
    def concerns(self) -> dict[str, list[Node]]:
        """id of a point of a federation → the nodes that it modifies or explains, in the order in which it names them."""
        out = defaultdict(list)
        for target, points in self.decisions.items():
            for point in points:
                out[point.id].append(self.library.nodes[target])
        return out

    def scanned(self, edition: EditionInfo) -> bool:
        """Whether a text was read by machine from paper: it has more corrections than nodes."""
        return self._corrected[edition.id] > len(self.library.of(edition.id))

    def machine_read(self, edition: EditionInfo) -> bool:
        """Whether a text must be read with care: read by machine and not proofread."""
        return not edition.proofread and self.scanned(edition)

    def force(self, edition: EditionInfo) -> bool | None:
        """Whether an edition is in force; None when its manifest does not say so and names no successor."""
        stated = edition.data.get("in_force_stated", True) or edition.in_force or edition.superseded_by
        return edition.in_force if stated else None

    @cached_property
    def _computed(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset((p.a, p.b)) for p in self.library.alignment if p.a and p.b and p.basis == "computed")

    def computed(self, a: str, b: str) -> bool:
        """Whether two provisions correspond by computation only, unreviewed."""
        return frozenset((a, b)) in self._computed

    @cached_property
    def _corrected(self) -> Counter:
        return Counter(c.edition for c in self.library.corrections)

    # ── corrections ─────────────────────────────────────────────────────────────────────────────

    @cached_property
    def corrections(self) -> dict[str, list[Correction]]:
        """node id → the corrections that lie inside its own characters of the source."""
        by_edition = defaultdict(list)
        for c in self.library.corrections:
            by_edition[c.edition].append(c)
        out = defaultdict(list)
        for edition, rows in by_edition.items():
            spans = sorted((tuple(s), n.id) for n in self.library.of(edition) for s in n.source_spans)
            starts = [(s[0], s[1]) for s, _ in spans]
            for c in sorted(rows, key=lambda c: (c.line, c.column)):
                i = bisect_right(starts, (c.line, c.column)) - 1
                if i >= 0 and (c.line, c.column) <= (spans[i][0][2], spans[i][0][3] + 1):
                    out[spans[i][1]].append(c)
        return out
