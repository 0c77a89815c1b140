"""Draws nodes: turns a node into the pieces that templates show. No HTML is made here.

The entry point is :class:`Drawer`. Its :meth:`~Drawer.body` returns a :class:`NodeBody`: label, heading, paragraphs and
tables, each made of inline pieces. Inline pieces are words (with what is marked on them), links of references and
terms, and signs of footnotes, misprints and strengths. :func:`reference_context` gives the words around a reference.

Everything is placed by offsets of the published text. Drawing may change the kind of a white space (a non-breaking
space after a single letter), never its length. So all offsets stay valid.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import groupby, pairwise
from typing import Any, ClassVar, Generic, TypeVar

from app.site.addresses import dom_id
from app.site.atlas import Atlas, ResolvedTarget
from corpus import address, model
from corpus.corrections import CorrectedSpan
from corpus.edition import Identity
from corpus.letters import fold
from corpus.library import Library
from corpus.model import CITED_KINDS, CONTAINER_KINDS, Correction, Misprint, Node, NodeId, Reference
from corpus.relation import cross_checks
from corpus.strength import Step
from corpus.time_limit import check_time


@dataclass(frozen=True)
class TextRun:
    """Words that are drawn alike.

    - ``matched``: the reader searched for them.
    - ``misprinted``: they are a misprint.
    - ``corrections``: the corrections to show on them.
    - ``change``: "+" or "-" in a redline, else "".
    - ``strength``: the strength of words that order or forbid, ``UNRANKED_STRENGTH`` for those without a rank, else "".
    """

    form: ClassVar = "run"
    text: str
    matched: bool = False
    misprinted: bool = False
    corrections: tuple[Correction, ...] = ()
    change: str = ""
    strength: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the words are drawn without any of these signs."""
        return not (self.matched or self.misprinted or self.corrections or self.change or self.strength)


@dataclass(frozen=True)
class LabelLink:
    """The link of one printed label of a reference.

    - ``pieces``: what is drawn inside the link.
    - ``ways``: where the targets of the label lead; ``to``: the one of them that the link leads to.
    - ``then``: the ways of the next label of the reference. A remark that holds for both labels is printed once, after
      the second.
    - ``external``: the reference leads to another text.
    - ``lang``: the language of the node with the reference.
    """

    form: ClassVar = "arrow"
    pieces: tuple[InlinePiece, ...]
    ways: tuple[ResolvedTarget, ...]
    then: tuple[ResolvedTarget, ...]
    to: ResolvedTarget
    external: bool
    lang: str

    @property
    def several_targets(self) -> tuple[NodeId, ...]:
        """The ids of all provisions that the label leads to, in their order; empty when there is only one."""
        every = tuple(dict.fromkeys(w.node.id for w in self.ways if w.node))
        return every if len(every) > 1 else ()

    @property
    def reaches_target(self) -> bool:
        """Whether all provisions that the label names exist, in the named edition or in another one of the code."""
        return not {w.found for w in self.ways} & {"nearest", "nowhere"}


@dataclass(frozen=True)
class TermUse:
    """The first use of a term in a provision. ``to``: id of the node that gives its meaning in the same edition;
    ``concept``: slug of the term.
    """

    form: ClassVar = "term"
    pieces: tuple[InlinePiece, ...]
    to: NodeId
    concept: str


@dataclass(frozen=True)
class NoteMark:
    """The sign that leads to a footnote.

    ``known``: the footnote exists; ``dom``: the id of the sign's element, where the page has the footnotes.
    """

    form: ClassVar = "mark"
    sign: str
    target: NodeId
    known: bool
    dom: str = ""


@dataclass(frozen=True)
class MisprintSign:
    """The sign at printed words that are a misprint. ``here``: the remark on it is on the same page."""

    form: ClassVar = "slip"
    node: Node
    misprint: Misprint
    here: bool

    @property
    def dom(self) -> str:
        """The id of the sign's HTML element."""
        return misprint_sign_dom(self.node, self.misprint)

    @property
    def note_dom(self) -> str:
        """The id of the HTML element with the remark on the words."""
        return misprint_note_dom(self.node, self.misprint)


@dataclass(frozen=True)
class RankedWords:
    """Words of a provision that order or forbid, and their step on the scale of their edition."""

    edition: Identity
    node: Node
    words: str
    step: Step


@dataclass(frozen=True)
class StrengthSign:
    """The sign after words that order or forbid. ``step``: their step on the scale of the edition.

    ``beside`` is empty where the text uses the words as strictly as that step says. Elsewhere it holds the ranked words
    of other editions in the same provision.
    """

    form: ClassVar = "strength"
    step: Step
    beside: tuple[RankedWords, ...] = ()


def misprint_note_dom(node: Node, misprint: Misprint) -> str:
    """Return the id of the HTML element with the remark on a misprint."""
    return f"slip-{dom_id(node.path)}-{node.misprints.index(misprint) + 1}"


def misprint_sign_dom(node: Node, misprint: Misprint) -> str:
    """Return the id of the HTML element of the sign at the misprint's words."""
    return f"at-{misprint_note_dom(node, misprint)}"


def strip_dash(printed: str) -> str:
    """Return a label without the dash that leads to its heading in print.

    >>> strip_dash("CAPITOLO I –")
    'CAPITOLO I'
    """
    return re.sub(r"\s+[-–—]$", "", printed.strip())


InlinePiece = TextRun | LabelLink | TermUse | NoteMark | MisprintSign | StrengthSign


# -- Blocks and bodies ---


@dataclass(frozen=True)
class ParagraphBlock:
    """A paragraph.

    ``dash``: it is an item of an unlabelled list. ``lacking``: it has no words of the text, and marks the place of a
    missing provision.
    """

    form: ClassVar = "paragraph"
    pieces: tuple[InlinePiece, ...]
    dash: bool = False
    lacking: bool = False


@dataclass(frozen=True)
class TableBlock:
    """A table: ``rows`` of cells of pieces. ``caption_in_text``: the text before the table ends with its caption."""

    form: ClassVar = "table"
    caption: str | None
    rows: tuple[tuple[tuple[InlinePiece, ...], ...], ...]
    caption_in_text: bool

    @property
    def width(self) -> int:
        """The number of cells of the longest row."""
        return max((len(row) for row in self.rows), default=1)


@dataclass(frozen=True)
class NodeBody:
    """A node as it is read: label, heading, then ``parts``: paragraphs, tables and child nodes in reading order.

    ``beside``: the citation, where the printed labels do not show it, else "".
    """

    form: ClassVar = "body"
    node: Node
    label: tuple[InlinePiece, ...]
    heading: tuple[InlinePiece, ...]
    beside: str
    parts: tuple[TextBlock | NodeBody, ...] = ()

    @property
    def dom(self) -> str:
        """The id of its HTML element."""
        return dom_id(self.node.path)

    @property
    def plain_label(self) -> str:
        """The label without a dash, for a list."""
        return strip_dash(self.node.label or "")

    @property
    def opening_pieces(self) -> tuple[InlinePiece, ...]:
        """The pieces of the paragraph on the line of the label. Empty when the node has a heading, or does not begin
        with a paragraph.
        """
        first = self.parts[0] if self.parts and not self.node.heading else None
        return first.pieces if isinstance(first, ParagraphBlock) else ()

    @property
    def parts_after_opening(self) -> tuple[TextBlock | NodeBody, ...]:
        """The parts after the opening line."""
        return self.parts[1:] if self.opening_pieces else self.parts

    @cached_property
    def children(self) -> tuple[NodeBody, ...]:
        """The parts that are nodes."""
        return tuple(p for p in self.parts if isinstance(p, NodeBody))

    def without_label(self, heading: bool = False) -> NodeBody:
        """Return the same without its own label, for a page whose title shows it. ``heading``: drop the heading,
        too.
        """
        return replace(self, label=(), beside="", heading=() if heading else self.heading)


TextBlock = ParagraphBlock | TableBlock


# -- Drawing ---

UNRANKED_STRENGTH = "loose"  # drawn as the strength of words that have no rank

_WORD_PATTERN = re.compile(r"\w+")


@lru_cache(maxsize=64)
def bind_short_words(text: str, bound: int) -> str:
    """Return the text with a non-breaking space after every word of at most ``bound`` letters. The length is the same.

    >>> bind_short_words("gra w karty", 1) == "gra w\N{NO-BREAK SPACE}karty", bind_short_words("a card", 0)
    (True, 'a card')
    """
    return _short_word_pattern(bound).sub("\\1\N{NO-BREAK SPACE}", text) if bound else text


@cache
def _short_word_pattern(letters: int) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\s(„“])(\w{{1,{letters}}}) (?=\S)")


P = TypeVar("P", bound=InlinePiece)


@dataclass(frozen=True)
class PlacedPiece(Generic[P]):
    """A piece and the characters of the text that it covers. A sign stands between two characters: ``start == end``."""

    start: int
    end: int
    piece: P

    def is_inside(self, other: PlacedPiece[Any]) -> bool:
        """Whether this piece is part of another one. A sign at an edge of the other piece is not."""
        if self.start == self.end:
            return other.start < self.start < other.end
        return other.start <= self.start and self.end <= other.end


class Drawer:
    """Draws the texts of one page, and remembers which marks of footnotes it drew, so that the footnotes can point
    back.

    - ``match``: folded words that the reader searched for.
    - ``corrected``: node id → the spans to mark as corrected.
    - ``links_misprints``: the page has the sentences on misprints; ``notes``: it has the footnotes. Else the signs
      lead elsewhere.
    - ``strengths``: words that order or forbid are marked.
    """

    def __init__(
        self,
        atlas: Atlas,
        match: frozenset[str] = frozenset(),
        corrected: Mapping[NodeId, Sequence[CorrectedSpan]] | None = None,
        links_misprints: bool = True,
        notes: bool = True,
        strengths: bool = False,
    ):
        self.atlas, self.match, self.corrected = atlas, match, corrected or {}
        self.links_misprints, self.notes, self.strengths = links_misprints, notes, strengths
        self._marks: dict[str, list[str]] = defaultdict(list)

    def body(self, node: Node) -> NodeBody:
        """Draw a node with everything inside it, except footnotes and the laws of a chapter.

        Footnotes stand together at the end of a page, and the laws of a chapter have their own pages.
        """
        label, heading = self.label(node), self.heading(node)
        parts: list[TextBlock | NodeBody] = []
        for piece in node.content:
            if piece.child is None:
                parts += self.blocks(node, piece.at, piece.at + len(piece.text or ""))
                continue
            child = self.atlas.library.nodes[piece.child]
            if child.kind != "footnote" and node.kind not in CONTAINER_KINDS:
                parts.append(self.body(child))
        cited = citation_if_unprinted(self.atlas.library, node)
        return NodeBody(node, label, heading, cited, (*parts, *self._missing_provisions(node)))

    def label(self, node: Node) -> tuple[InlinePiece, ...]:
        """Draw the label as printed."""
        return self._inline_pieces(node, "label", 0, len(node.label or ""))

    def heading(self, node: Node) -> tuple[InlinePiece, ...]:
        """Draw the heading with its references and marks."""
        return self._inline_pieces(node, "heading", 0, len(node.heading or ""))

    def blocks(self, node: Node, start: int, end: int) -> list[TextBlock]:
        """Draw ``node.text[start:end]`` as paragraphs and tables."""
        check_time()
        out: list[TextBlock] = []
        at = start
        for table in sorted((t for t in node.tables if start <= t.start < end), key=lambda t: t.start):
            out += self._paragraphs(node, at, table.start)
            caption_in_text = bool(table.caption and node.text[: table.start].rstrip().endswith(table.caption))
            out.append(TableBlock(table.caption, tuple(self._table_rows(node, table)), caption_in_text))
            at = max(at, table.end)
        return out + list(self._paragraphs(node, at, end))

    def mark_ids_of(self, note: Node) -> tuple[str, ...]:
        """Return the ids of the HTML elements of the marks that lead to a footnote, as far as they were drawn."""
        return tuple(self._marks.get(note.id, ()))

    def misprint_sign(self, node: Node, misprint: model.Misprint) -> MisprintSign:
        """Return the sign of a misprint in a node."""
        return MisprintSign(node, misprint, self.links_misprints)

    def _missing_provisions(self, node: Node) -> list[ParagraphBlock]:
        """Return a paragraph with a sign for each provision that is missing at the end of a node."""
        return [
            ParagraphBlock((self.misprint_sign(node, s),), lacking=True) for s in node.misprints if s.kind == "missing"
        ]

    def _table_rows(self, node: Node, table: model.Table) -> Iterator[tuple[tuple[InlinePiece, ...], ...]]:
        """Draw the cells of a table. In the node's text they are separated by tabs and line ends."""
        at = table.start
        for line in node.text[table.start : table.end].split("\n"):
            cells = []
            for cell in line.split("\t"):
                cells.append(self._inline_pieces(node, "text", at, at + len(cell)))
                at += len(cell) + 1
            yield tuple(cells)

    def _paragraphs(self, node: Node, start: int, end: int) -> Iterator[ParagraphBlock]:
        for found in re.finditer(r"(?:(?!\n\n).)+", node.text[start:end], re.DOTALL):
            if found[0].strip():
                pieces = self._inline_pieces(node, "text", start + found.start(), start + found.end())
                yield ParagraphBlock(pieces, dash=bool(re.match(r"\s*[-–—•·]\s", found[0])))

    def _inline_pieces(self, node: Node, where: str, start: int, end: int) -> tuple[InlinePiece, ...]:
        """Return the pieces of ``[start:end]`` of a node's text, heading or label (``where``). What a reference or a
        term covers becomes its link.
        """
        arrows: list[PlacedPiece[LabelLink]] = [
            a
            for r in node.references
            if r.where == where and start <= r.start < end
            for a in self._label_links(node, r)
        ]
        slipped = [s for s in node.misprints if s.where == where and s.kind != "missing" and start < s.end <= end]
        ranked = [m for m in node.strengths if self.strengths and m.where == where and start <= m.start < end]
        signs: list[PlacedPiece[Any]] = [
            *self._strength_signs(node, ranked),
            *(self._place_misprint_sign(node, s, arrows) for s in slipped),
            *self._note_marks(node, where, start, end),
        ]
        links: list[PlacedPiece[Any]] = [*arrows, *self._term_uses(node, where, start, end)]
        runs = self._text_runs(node, where, (start, end), [*links, *signs], slipped, ranked)
        flat: list[PlacedPiece[Any]] = sorted([*runs, *signs], key=lambda p: (p.end, p.start == p.end))
        out: list[InlinePiece] = []
        for link, group in groupby(flat, key=lambda p: next((x for x in links if p.is_inside(x)), None)):
            pieces = tuple(p.piece for p in group)
            out += pieces if link is None else [replace(link.piece, pieces=pieces)]
        return tuple(out)

    def _text_runs(
        self,
        node: Node,
        where: str,
        span: tuple[int, int],
        cuts: Sequence[PlacedPiece[Any]],
        slipped: Sequence[model.Misprint],
        ranked: Sequence[model.StrengthMark],
    ) -> Iterator[PlacedPiece[TextRun]]:
        """Yield the words of a span of a node's text, heading or label (``where``), cut wherever a piece of another
        kind or another look begins or ends.

        ``cuts``: links and signs in it; ``slipped``: misprints in it; ``ranked``: words in it that order or forbid.
        """
        start, end = span
        whole = str(node.words_in(where))
        shown = bind_short_words(whole, self.atlas.library.alphabet_of(node.lang).bound)
        matches = (
            [m.span() for m in _WORD_PATTERN.finditer(whole, start, end) if fold(m[0]) in self.match]
            if self.match
            else []
        )
        fixes = [
            (*_correction_span(c, start), c.correction)
            for c in self.corrected.get(node.id, ())
            if c.where == where and c.start <= end and c.end >= start and start < end
        ]
        wrong = [(s.start, s.end) for s in slipped]
        orders = [(m.start, m.end) for m in ranked]
        places = [(p.start, p.end) for p in cuts] + matches + [(a, b) for a, b, _ in fixes] + wrong + orders
        edges = sorted({start, end, *(min(max(at, start), end) for place in places for at in place)})
        for a, b in pairwise(edges):
            held = lambda spans: any(s <= a and b <= e for s, e in spans)  # noqa: B023 – called within the same turn of the loop
            marked = tuple(fix for s, e, fix in fixes if s <= a and b <= e)
            strength = next(
                (UNRANKED_STRENGTH if m.loose else m.strength for m in ranked if m.start <= a and b <= m.end), ""
            )
            yield PlacedPiece(a, b, TextRun(shown[a:b], held(matches), held(wrong), marked, strength=strength))

    def _label_links(self, node: Node, ref: Reference) -> Iterator[PlacedPiece[LabelLink]]:
        """Yield a link, still without its pieces, for each printed label of a reference.

        The first link includes the words before its label. An only link covers the whole phrase.
        """
        ways = [tuple(self.atlas.resolve(t) for t in part.targets) for part in ref.parts]
        for i, (part, row) in enumerate(zip(ref.parts, ways, strict=True)):
            ends_range = i > 0 and len(part.targets) > 1 and part.targets[0] == ref.parts[i - 1].targets[-1]
            to = link_target(row, ends_range)
            then = ways[i + 1] if i + 1 < len(ways) else ()
            external = ref.kind == "external" or to.found == "text"
            arrow = LabelLink((), row, then, to, external, node.lang)
            yield PlacedPiece(part.start if i else ref.start, part.end if len(ref.parts) > 1 else ref.end, arrow)

    def _term_uses(self, node: Node, where: str, start: int, end: int) -> Iterator[PlacedPiece[TermUse]]:
        """Yield a link, still without its pieces, for each term in ``[start:end]`` of a node's text or heading
        (``where``). A term with the sign of a footnote or misprint inside is left out, because a link cannot stand
        around the sign.
        """
        signs = {m.at for m in node.marks if m.where == where} | {s.end for s in node.misprints if s.where == where}
        for mark in node.terms:
            inside = mark.where == where and start <= mark.start and mark.end <= end
            if inside and not any(mark.start < at < mark.end for at in signs):
                meaning = self.atlas.library.terms[mark.concept].meaning(node.edition)
                yield PlacedPiece(mark.start, mark.end, TermUse((), meaning[0], mark.concept))

    def _place_misprint_sign(
        self, node: Node, misprint: model.Misprint, label_links: Sequence[PlacedPiece[LabelLink]]
    ) -> PlacedPiece[MisprintSign]:
        """Return the sign of a misprint and its place. It stands after its words; where these end inside the link of a
        reference, after that link, because a link cannot stand in a link. ``label_links``: the links of references.
        """
        at = max([misprint.end, *(a.end for a in label_links if a.start < misprint.end < a.end)])
        return PlacedPiece(at, at, self.misprint_sign(node, misprint))

    def _strength_signs(self, node: Node, ranked: Sequence[model.StrengthMark]) -> Iterator[PlacedPiece[StrengthSign]]:
        """Yield the sign after each of the ``ranked`` words, which order or forbid. Nothing when the edition has no
        scale.
        """
        if scale := self.atlas.library.editions[node.edition].scale:
            for m in ranked:
                yield PlacedPiece(
                    m.end, m.end, StrengthSign(scale.step(m.strength), tuple(self._ranked_words_elsewhere(node, m)))
                )

    def _ranked_words_elsewhere(self, node: Node, mark: model.StrengthMark) -> Iterator[RankedWords]:
        """Yield the ranked words that other editions have in the same provision, for a mark without a rank."""
        library = self.atlas.library
        for other, m in cross_checks.strict_marks_elsewhere(
            node, mark, library.editions, library.nodes, library.relations
        ):
            edition = library.editions[other.edition]
            if edition.scale:
                yield RankedWords(edition, other, other.words_of_span(m).lower(), edition.scale.step(m.strength))

    def _note_marks(self, node: Node, where: str, start: int, end: int) -> list[PlacedPiece[NoteMark]]:
        marks = sorted((m for m in node.marks if m.where == where and start <= m.at <= end), key=lambda m: m.at)
        return [PlacedPiece(m.at, m.at, self._note_mark(m)) for m in marks]

    def _note_mark(self, mark: model.Mark) -> NoteMark:
        note = self.atlas.library.nodes.get(mark.target)
        drawn = NoteMark(mark.sign or (note.label if note else "") or "*", mark.target, note is not None)
        if not note or not self.notes:
            return drawn
        doms = self._marks[mark.target]
        dom = f"mark-{dom_id(note.path)}"
        doms.append(f"{dom}-{len(doms) + 1}" if doms else dom)
        return replace(drawn, dom=doms[-1])


def _correction_span(row: CorrectedSpan, start: int) -> tuple[int, int]:
    """Return (start, end) of the characters that show a correction: its own, or where characters were removed, the one
    before.

    ``start``: where the drawn stretch begins. Where characters were removed there, it is the first one of the stretch.
    """
    if row.start < row.end:
        return row.start, row.end
    return (row.start - 1, row.start) if row.start > start else (start, start + 1)


def citation_if_unprinted(library: Library, node: Node) -> str:
    """Return the citation of a node where the printed labels do not show it, else "".

    The labels show it when each label, that of the node and those above it, is the last step of its node's path. ``2.``
    printed for 27B gives ``27B``, and the ``1.`` under it ``27B1``. ``B.`` gives "".
    """
    chain = [n for n in (*library.ancestors_of(node), node) if n.kind in CITED_KINDS]
    return node.citation if node.kind in CITED_KINDS and not all(_label_ends_path(n) for n in chain) else ""


def _label_ends_path(node: Node) -> bool:
    """Whether a node's printed label ends in the last step of its path."""
    runs = re.findall(r"\d+|[^\W\d_]+", unicodedata.normalize("NFKC", node.label or ""))
    return not runs or runs[-1] == address.last_step(node.path)


def link_target(ways: Sequence[ResolvedTarget], ends_range: bool) -> ResolvedTarget:
    """Return where a label's link leads: to the first of its targets (``ways``); at the end of a range, to the last
    one.
    """
    return ways[-1 if ends_range else 0]


# -- The words around a reference ---


@dataclass(frozen=True)
class ReferenceContext:
    """The words of a reference (``surface``), and the words around it."""

    before: str
    surface: str
    after: str


def reference_context(node: Node, ref: Reference, width: int = 110) -> ReferenceContext:
    """Return what “cited by” shows of a reference: whole sentences within ``width`` characters, else whole words."""
    text = node.words_in(ref.where)
    a = max(0, ref.start - width)
    b = min(len(text), ref.end + width)
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
    return ReferenceContext(before, ref.surface, after)
