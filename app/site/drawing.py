"""From a node's text to HTML: paragraphs, tables, references, marks, corrected words, words searched for.

Everything is placed by offsets of the published text; whitespace may change its kind (a non-breaking space after a
single letter), never its length, so offsets stay true to the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from markupsafe import Markup, escape

from app.site import addresses, reader, slips, wording
from app.site.addresses import dom_id
from app.site.atlas import Atlas, Way
from corpus.address import fold
from corpus.corrected import Corrected
from corpus.model import Mark, Node, NodeId, Reference, Table

# “w grze”, “s kartom”, “k stolu”: a word of one letter does not end a line (Polish, Slovak and Croatian typography alike).
_LONE = re.compile(r"(?<![^\s(„“])(\w) (?=\S)")
_WORD = re.compile(r"\w+")


@lru_cache(maxsize=64)
def typeset(text: str) -> str:
    """The text with a non-breaking space after every word of one letter; of the same length."""
    return _LONE.sub("\\1\u00a0", text)


@dataclass(frozen=True)
class Block:
    """A paragraph (``html``) or a table of a text, in reading order.

    ``dash``: the paragraph is an item of an unlabelled list; ``said``: the words before the table are its caption already.
    """

    html: Markup = Markup("")
    table: Table | None = None
    dash: bool = False
    said: bool = False


@dataclass
class Writer:
    """Writes the texts of one page, and counts the marks that it wrote, so that notes can point back to them.

    ``match``: folded words that the reader searched for. ``corrected``: node id → the stretches of it to mark as corrected.
    ``tells``: whether the page has the notes on slips of the print, so that their signs lead to them; ``notes``: whether it is
    the page on which the footnotes are read, else a mark leads to that one.
    """

    atlas: Atlas
    match: frozenset[str] = frozenset()
    corrected: dict[str, list[Corrected]] = field(default_factory=dict)
    tells: bool = False
    notes: bool = True
    _marks: dict[str, int] = field(default_factory=dict)

    def heading(self, node: Node) -> Markup:
        """A heading with its references and marks."""
        return self._inline(node, "heading", node.heading or "", 0, len(node.heading or ""))

    def label(self, node: Node) -> Markup:
        """A label as printed."""
        return self._inline(node, "label", node.label or "", 0, len(node.label or ""))

    def blocks(self, node: Node, start: int, end: int) -> list[Block]:
        """``node.text[start:end]`` as paragraphs and tables."""
        out, at = [], start
        tables = sorted((t for t in node.tables if start <= t.start < end), key=lambda t: t.start)
        for table in tables:
            out += self._paragraphs(node, at, table.start)
            out.append(
                Block(
                    table=replace(table, rows=self._rows(node, table)),
                    said=bool(table.caption) and node.text[: table.start].rstrip().endswith(table.caption),
                )
            )
            at = max(at, table.end)
        return out + self._paragraphs(node, at, end)

    def lacking(self, node: Node) -> list[Block]:
        """A paragraph for each provision that is missing at the end of a node."""
        return [Block(slips.lacking(node, s, self.tells)) for s in node.slips if s.kind == "missing"]

    def _rows(self, node: Node, table: Table) -> tuple[tuple[Markup, ...], ...]:
        """The cells of a table, which stand in the node's text between tabs and line ends."""
        at, rows = table.start, []
        for line in node.text[table.start : table.end].split("\n"):
            cells = []
            for cell in line.split("\t"):
                cells.append(self._inline(node, "text", node.text, at, at + len(cell)))
                at += len(cell) + 1
            rows.append(tuple(cells))
        return tuple(rows)

    def _paragraphs(self, node: Node, start: int, end: int) -> list[Block]:
        out = []
        for found in re.finditer(r"(?:(?!\n\n).)+", node.text[start:end], re.DOTALL):
            if not found[0].strip():
                continue
            html = self._inline(node, "text", node.text, start + found.start(), start + found.end())
            out.append(Block(html, dash=bool(re.match(r"\s*[-–—•·]\s", found[0]))))
        return out

    def _inline(self, node: Node, where: str, text: str, start: int, end: int) -> Markup:
        shown = typeset(text)
        refs = [p for r in node.references if r.where == where and start <= r.start < end for p in self._links(node, r)]
        marks = sorted((m for m in node.marks if m.where == where and start <= m.at <= end), key=lambda m: m.at)
        matches = [m.span() for m in _WORD.finditer(text, start, end) if fold(m[0]) in self.match] if self.match else []
        fixes = [
            (*_shown(c, start), c.correction)
            for c in self.corrected.get(node.id, ())
            if c.where == where and c.start <= end and c.end >= start and start < end
        ]
        slipped = [s for s in node.slips if s.where == where and s.kind != "missing" and start < s.end <= end]
        # A link cannot stand in a link: the sign comes after the reference that the words are part of.
        signs = [(max([s.end, *(r[1] for r in refs if r[0] < s.end < r[1])]), s) for s in slipped]

        cuts = {
            start,
            end,
            *(m.at for m in marks),
            *(at for at, _ in signs),
            *(at for s in slipped for at in (max(s.start, start), s.end)),
        }
        for a, b, *_ in [*refs, *matches, *fixes]:
            cuts |= {max(a, start), min(b, end)}
        out: list[str] = []
        edges = sorted(cuts)
        for a, b in zip(edges, edges[1:]):
            out += [self._mark(m) for m in marks if m.at == a and a == start]
            for ref in refs:
                if ref[0] == a:
                    out.append(ref[2])
            piece = escape(shown[a:b])
            if any(s <= a and b <= e for s, e in matches):
                piece = Markup("<mark>%s</mark>") % piece
            for s, e, fix in fixes:
                if s <= a and b <= e:
                    piece = Markup('<span class="fixed" data-at="%s:%s" title="%s">%s</span>') % (
                        fix.line,
                        fix.column,
                        wording.was(fix.source),
                        piece,
                    )
            if any(s.start <= a and b <= s.end for s in slipped):
                piece = Markup('<span class="slip">%s</span>') % piece
            out.append(piece)
            for ref in refs:
                if ref[1] == b:
                    out.append(ref[3])
            out += [slips.sign(node, s, self.tells) for at, s in signs if at == b]
            out += [self._mark(m) for m in marks if m.at == b]
        if start == end:
            out += [self._mark(m) for m in marks]
        return Markup("").join(map(Markup, out))

    def _links(self, node: Node, ref: Reference) -> list[tuple[int, int, Markup, Markup]]:
        """(start, end, opening, closing) of the links that a reference becomes: one for each printed label.

        The first takes the words before its label along, an only one the whole phrase. What must be said of where they
        lead is said once, behind the last link that it holds for.
        """
        ways = [[self.atlas.resolve(t) for t in part.targets] for part in ref.parts]
        said = ["; ".join(dict.fromkeys(filter(None, map(wording.led, row)))) for row in ways]
        out = []
        for i, (part, row) in enumerate(zip(ref.parts, ways)):
            start = part.start if i else ref.start
            end = part.end if len(ref.parts) > 1 else ref.end
            ends_range = i > 0 and len(part.targets) > 1 and part.targets[0] == ref.parts[i - 1].targets[-1]
            opening, closing = _link(row, said[i], ends_range, ref.kind, node.lang)
            if said[i] and said[i] not in said[i + 1 : i + 2]:
                quiet = "" if {w.found for w in row} & {"nearest", "nowhere"} else " quiet"
                closing += Markup('<span class="why%s" lang="%s"> [%s]</span>') % (quiet, reader.ui(), said[i])
            out.append((start, end, opening, closing))
        return out

    def _mark(self, mark: Mark) -> Markup:
        note = self.atlas.library.nodes.get(mark.target)
        sign = mark.sign or (note.label if note else "") or "*"
        path = NodeId(mark.target).path
        if not note:
            return Markup('<sup class="mark missing">%s</sup>') % sign
        if not self.notes:
            return Markup('<sup><a class="mark" href="%s" data-to="%s">%s</a></sup>') % (
                addresses.law(mark.target),
                mark.target,
                sign,
            )
        n = self._marks[mark.target] = self._marks.get(mark.target, 0) + 1
        own = f"mark-{dom_id(path)}" + (f"-{n}" if n > 1 else "")
        return Markup('<sup><a class="mark" id="%s" href="#%s" data-to="%s">%s</a></sup>') % (
            own,
            dom_id(path),
            mark.target,
            sign,
        )

    def marks_of(self, note: Node) -> list[str]:
        """Element ids of the marks written so far that lead to a note."""
        path = dom_id(note.path)
        return (
            [f"mark-{path}" + (f"-{i}" if i else "") for i in [0, *range(2, self._marks.get(note.id, 0) + 1)]]
            if note.id in self._marks
            else []
        )


def _link(ways: list[Way], said: str, ends_range: bool, kind: str, lang: str) -> tuple[Markup, Markup]:
    """Opening and closing of one label's link: to the first of its provisions, at the end of a range to the last.

    ``data-more`` lists all of them, in their order, for the preview.
    """
    to = ways[-1 if ends_range else 0]
    if to.node is None:
        return Markup('<span class="ref missing">'), Markup("</span>")
    every = list(dict.fromkeys(w.node.id for w in ways if w.node))
    known = (" external" if kind == "external" or to.found == "text" else "") + (
        " nearest" if to.found == "nearest" else ""
    )
    more = Markup(' data-more="%s"') % " ".join(every) if len(every) > 1 else ""
    title = Markup(' title="%s (%s)"') % (said, to.text.title) if said else ""
    tongue = Markup(' hreflang="%s"') % to.node.lang if to.node.lang != lang else ""
    return Markup('<a class="ref%s" href="%s" data-to="%s"%s%s%s>') % (
        known,
        addresses.law(to.node.id),
        to.node.id,
        more,
        title,
        tongue,
    ), Markup("</a>")


def _shown(row: Corrected, start: int) -> tuple[int, int]:
    """The characters that show a correction: its own; where something is gone, the one before, or the first of all."""
    if row.start < row.end:
        return row.start, row.end
    return (row.start - 1, row.start) if row.start > start else (start, start + 1)


def sentence(node: Node, ref: Reference, width: int = 110) -> Markup:
    """The words around a reference, with the reference marked: what “cited by” shows."""
    text = node.heading if ref.where == "heading" else node.text
    a = max(0, ref.start - width)
    b = min(len(text), ref.end + width)
    # Prefer whole sentences, else whole words.
    if a and (cut := max(text.rfind(". ", a, ref.start), text.rfind("\n", a, ref.start))) > 0:
        a = cut + 1
    elif a:
        a = text.find(" ", a, ref.start) + 1 or a
    if b < len(text) and (cut := text.find(". ", ref.end, b)) > 0:
        b = cut + 1
    elif b < len(text):
        b = max(text.rfind(" ", ref.end, b), ref.end)
    before = ("… " if a and text[a - 1 : a] not in ".\n" else "") + text[a : ref.start].lstrip()
    after = text[ref.end : b].rstrip() + (" …" if b < len(text) and text[b - 1 : b] != "." else "")
    return Markup("%s<b>%s</b>%s") % (before, ref.surface, after)
