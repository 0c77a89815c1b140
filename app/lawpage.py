"""The page model of a law (or of the definitions, the preface, …): everything its template shows, worked out."""
from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup

from app import prose, slips, twins
from app.addresses import dom_id, url_of
from app.atlas import Atlas
from corpus.library import EditionInfo
from corpus.model import CONTAINERS, Node
from corpus.relation.lineage import lineage


@dataclass
class Entry:
    """A node as it is shown: heading, then blocks and children in reading order."""

    node: Node
    dom: str
    url: str
    depth: int
    label: Markup
    heading: Markup
    parts: list = field(default_factory=list)
    current: bool = False
    citing: list = field(default_factory=list)
    counterparts: list = field(default_factory=list)
    lineage: list = field(default_factory=list)
    decisions: list = field(default_factory=list)
    corrections: int = 0
    marks: list[str] = field(default_factory=list)

    @property
    def opening(self) -> Markup | None:
        """The paragraph that stands on the line of the label: the first one, when there is no heading."""
        if self.node.heading or not self.parts or not isinstance(self.parts[0], prose.Block) or self.parts[0].table:
            return None
        return self.parts[0].html

    @property
    def rest(self) -> list:
        """What follows the opening line."""
        return self.parts[1:] if self.opening is not None else self.parts

    @property
    def children(self) -> list["Entry"]:
        return [p for p in self.parts if isinstance(p, Entry)]


@dataclass
class LawPage:
    """All that a law page shows."""

    edition: EditionInfo
    asked: Node
    law: Node
    top: Entry
    entry: Entry
    notes: list[Entry]
    crumbs: list[Node]
    members: list[Node]
    previous: Node | None
    next: Node | None
    counterparts: list
    way_out: twins.Twins | None
    notices: list[dict]
    modified: bool
    decisions_shown: bool
    fixes_shown: bool
    corrected: bool
    slips: list[slips.Told]


def law_page(atlas: Atlas, asked: Node, match: frozenset[str] = frozenset(), decisions: bool = True, fixes: bool = False, tells: bool = True) -> LawPage:
    """The page on which a node is read, with that node marked as the one asked for.

    ``match``: folded words to mark in the text; ``decisions``: whether those of federations stand under what they modify;
    ``fixes``: whether words that were corrected are marked; ``tells``: whether the page has room for links to its own notes on slips.
    """
    library = atlas.library
    law = atlas.page_of(asked)
    edition = library.editions[law.edition]
    tree = library.subtree(law) if law.kind not in CONTAINERS else [law]
    # Notes numbered through the book hang on no law: they are shown where their marks are.
    loose = list(dict.fromkeys(m.target for n in tree for m in n.marks))
    notes = [n for n in tree if n.kind == "footnote"] + [library.nodes[t] for t in loose if t in library.nodes and library.nodes[t] not in tree]
    if asked.kind == "footnote" and asked not in notes and asked is not law:
        notes.append(asked)
    writer = prose.Writer(atlas, match, atlas.corrections if fixes else {}, tells=tells)
    build = _Builder(atlas, writer, asked, decisions)
    top = build.entry(law, 0)
    note_entries = [build.entry(n, 1) for n in notes if n is not law]
    others = twins.twins(library, law)
    return LawPage(
        edition=edition, asked=asked, law=law, top=top, entry=build.asked_entry or top, notes=note_entries,
        crumbs=library.ancestors(law), members=list(library.members.get(law.id, ())) if law.kind in CONTAINERS else [],
        previous=library.neighbours(law)[0], next=library.neighbours(law)[1], counterparts=others,
        way_out=_way_out(atlas, edition, asked), notices=_notices(edition, law),
        modified=any(n.id in atlas.decisions for n in tree), decisions_shown=decisions, fixes_shown=fixes,
        corrected=any(n.id in atlas.corrections for n in tree), slips=slips.told(library, [n for n in tree if n.kind != "footnote"] + notes))


class _Builder:
    def __init__(self, atlas: Atlas, writer: prose.Writer, asked: Node, decisions: bool):
        self.atlas, self.writer, self.asked, self.decisions = atlas, writer, asked, decisions
        self.asked_entry: Entry | None = None

    def entry(self, node: Node, depth: int) -> Entry:
        atlas = self.atlas
        out = Entry(node, dom_id(node.path), url_of(node.id), depth, self.writer.label(node), self.writer.heading(node), current=node.id == self.asked.id)
        for piece in node.content:
            if piece.child:
                child = atlas.library.nodes[piece.child]
                # Notes stand together at the end; what a chapter holds has pages of its own.
                if child.kind != "footnote" and node.kind not in CONTAINERS:
                    out.parts.append(self.entry(child, depth + 1))
            else:
                out.parts += self.writer.blocks(node, piece.at, piece.at + len(piece.text))
        out.parts += self.writer.lacking(node)
        out.citing = [(n, prose.sentence(n, r)) for n, r in atlas.citing.get(node.id, ())]
        out.counterparts = twins.twins(atlas.library, node)
        out.lineage = lineage(atlas.library, node)
        out.corrections = len({c.correction for c in atlas.corrections.get(node.id, ())})
        if node.kind == "footnote":
            out.marks = self.writer.marks_of(node)
        if self.decisions:
            plain = prose.Writer(atlas)
            out.decisions = [(d, _flat(atlas, plain, d)) for d in atlas.decisions.get(node.id, ())]
        if out.current:
            self.asked_entry = out
        return out


def _flat(atlas: Atlas, writer: prose.Writer, node: Node) -> list[tuple[str | None, Markup]]:
    """(label, words) of a node and its descendants, for showing it inside another page."""
    out = []
    for n in atlas.library.subtree(node):
        blocks = writer.blocks(n, 0, len(n.text))
        for i, block in enumerate(blocks):
            if block.html:
                out.append((n.label if i == 0 and n is not node else None, block.html))
    return out


def _way_out(atlas: Atlas, edition: EditionInfo, asked: Node) -> twins.Twins | None:
    """Where the provision stands in an edition in force; None on pages that are in force."""
    if edition.in_force:
        return None
    found = (twins.nearest(atlas.library, asked, e.id) for e in atlas.codes if e.in_force)
    return next(filter(None, found), None)


def _notices(edition: EditionInfo, law: Node) -> list[dict]:
    """What the manifest has to say on this law (“amended from …”); a notice without paths is said on every page."""
    return [n for n in edition.data.get("notices") or () if not n.get("paths") or law.path in n["paths"]]
