"""The page model of a law (or of the definitions, the preface, …): everything its template shows, worked out."""

from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup

from app.site import addresses, drawing, slips, twins
from app.site.addresses import dom_id
from app.site.atlas import Atlas
from corpus.library import EditionInfo
from corpus.model import CONTAINERS, Node
from corpus.relation.lineage import lineage


@dataclass(frozen=True)
class Decision:
    """A point of a body's decisions as it hangs on a provision; what it says (``rows``: label, words) as the body prints it.

    ``on`` is the provision that it is about: another text's where the reader's is not of that code (then without rows).
    """

    point: Node
    edition: EditionInfo
    kind: str
    on: Node
    rows: tuple[tuple[str | None, Markup], ...] = ()

    @property
    def after(self) -> str:
        """The text that comes before the decisions in their order of precedence; empty where none does."""
        ranks = sorted(self.edition.data.get("precedence") or (), key=lambda r: r["rank"])
        titles = [r["text"] for r in ranks]
        at = titles.index(self.edition.title) if self.edition.title in titles else 0
        return titles[at - 1] if at else ""


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
    decisions: list[Decision] = field(default_factory=list)
    elsewhere: list[Decision] = field(default_factory=list)
    concerns: list[Node] = field(default_factory=list)
    corrections: int = 0
    marks: list[str] = field(default_factory=list)

    @property
    def opening(self) -> Markup | None:
        """The paragraph that stands on the line of the label: the first one, when there is no heading."""
        if self.node.heading or not self.parts or not isinstance(self.parts[0], drawing.Block) or self.parts[0].table:
            return None
        return self.parts[0].html

    @property
    def rest(self) -> list:
        """What follows the opening line."""
        return self.parts[1:] if self.opening is not None else self.parts

    @property
    def beside(self) -> list[str]:
        """The editions that it can be compared with, its own first."""
        others = [t.edition.id for t in self.counterparts[:4]] + [m.edition for m in self.concerns[:1]]
        return [self.node.edition, *others]

    @property
    def children(self) -> list[Entry]:
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
    tongues: dict[str, Node]
    notices: list[dict]
    related: bool
    modified: bool
    decisions_shown: bool
    fixes_shown: bool
    corrected: bool
    slips: list[slips.Told]


def law_page(
    atlas: Atlas,
    asked: Node,
    match: frozenset[str] = frozenset(),
    decisions: bool = True,
    fixes: bool = False,
    tells: bool = True,
    alone: bool = False,
) -> LawPage:
    """The page on which a node is read, with that node marked as the one asked for.

    ``match``: folded words to mark in the text; ``decisions``: whether those of a body are told under what they are about;
    ``fixes``: whether words that were corrected are marked; ``tells``: whether the page has room for links to its own notes on
    slips; ``alone``: only the provision asked for is shown, with the footnotes and the notes on slips that hang on its words.
    """
    library = atlas.library
    law = atlas.page_of(asked)
    edition = library.editions[law.edition]
    tree = library.subtree(law) if law.kind not in CONTAINERS else [law]
    # Notes numbered through the book hang on no law: they are shown where their marks are.
    loose = list(dict.fromkeys(m.target for n in tree for m in n.marks))
    notes = [n for n in tree if n.kind == "footnote"] + [
        library.nodes[t] for t in loose if t in library.nodes and library.nodes[t] not in tree
    ]
    if asked.kind == "footnote" and asked not in notes and asked is not law:
        notes.append(asked)
    shown = [n for n in tree if n.kind != "footnote"]
    if alone:
        shown = slips.inside(library, asked)
        carried = {m.target for n in shown for m in n.marks}
        notes = [n for n in notes if n.id in carried or n is asked]
    writer = drawing.Writer(atlas, match, atlas.corrections if fixes else {}, tells=tells, notes=not alone)
    build = _Builder(atlas, writer, asked, decisions)
    top = build.entry(law, 0)
    note_entries = [build.entry(n, 1) for n in notes if n is not law]
    return LawPage(
        edition=edition,
        asked=asked,
        law=law,
        top=top,
        entry=build.asked_entry or top,
        notes=[x for x in note_entries if not (alone and x.node is asked)],
        crumbs=library.ancestors(law),
        members=list(library.members.get(law.id, ())) if law.kind in CONTAINERS else [],
        previous=library.neighbours(law)[0],
        next=library.neighbours(law)[1],
        counterparts=top.counterparts,
        way_out=_way_out(atlas, edition, asked),
        tongues=_tongues(atlas, edition, asked),
        notices=_notices(edition, law),
        related=build.related,
        modified=build.told,
        decisions_shown=decisions,
        fixes_shown=fixes,
        corrected=any(n.id in atlas.corrections for n in tree),
        slips=slips.told(library, list(dict.fromkeys(shown + notes))),
    )


class _Builder:
    def __init__(self, atlas: Atlas, writer: drawing.Writer, asked: Node, decisions: bool):
        self.atlas, self.writer, self.asked, self.decisions = atlas, writer, asked, decisions
        self.asked_entry: Entry | None = None
        self.related = self.told = False

    def entry(self, node: Node, depth: int) -> Entry:
        atlas = self.atlas
        out = Entry(
            node,
            dom_id(node.path),
            addresses.law(node.id),
            depth,
            self.writer.label(node),
            self.writer.heading(node),
            current=node.id == self.asked.id,
        )
        for piece in node.content:
            if piece.child:
                child = atlas.library.nodes[piece.child]
                # Notes stand together at the end; what a chapter holds has pages of its own.
                if child.kind != "footnote" and node.kind not in CONTAINERS:
                    out.parts.append(self.entry(child, depth + 1))
            else:
                out.parts += self.writer.blocks(node, piece.at, piece.at + len(piece.text))
        out.parts += self.writer.lacking(node)
        out.citing = [(n, drawing.sentence(n, r)) for n, r in atlas.citing.get(node.id, ())]
        edition = atlas.library.editions[node.edition]
        # A decision is about a provision; it is none that a code took over from another.
        if edition.data.get("modifies"):
            out.concerns = atlas.concerns.get(node.id, [])
        else:
            out.counterparts = twins.twins(atlas.library, node)
            out.lineage = lineage(atlas.library, node)
            self.related |= bool(out.counterparts)
        out.corrections = len({c.correction for c in atlas.corrections.get(node.id, ())})
        if node.kind == "footnote":
            out.marks = self.writer.marks_of(node)
        told = self.decided(node)
        self.told |= bool(told)
        if self.decisions and told:
            plain = drawing.Writer(atlas)
            out.decisions = [
                self.decision(d, on, tuple(_flat(atlas, plain, d))) for d, on in told if on.year == node.year
            ]
            out.elsewhere = [self.decision(d, on) for d, on in told if on.year != node.year]
        if out.current:
            self.asked_entry = out
        return out

    def decided(self, node: Node) -> list[tuple[Node, Node]]:
        """(point, the provision that it is about) of what a body decided on a node itself, else on what corresponds to it."""
        atlas = self.atlas
        own = [(d, node) for d in atlas.decisions.get(node.id, ())]
        if own or atlas.library.editions[node.edition].data.get("modifies"):
            return own
        found = atlas.library.relations.counterparts(node.id).values()
        others = [atlas.library.nodes[c.id] for rows in found for c in rows]
        return list({d.id: (d, m) for m in others for d in atlas.decisions.get(m.id, ())}.values())

    def decision(self, point: Node, on: Node, rows: tuple = ()) -> Decision:
        edition = self.atlas.library.editions[point.edition]
        return Decision(point, edition, edition.data["decisions"][point.path], on, rows)


def _flat(atlas: Atlas, writer: drawing.Writer, node: Node) -> list[tuple[str | None, Markup]]:
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


def _tongues(atlas: Atlas, edition: EditionInfo, asked: Node) -> dict[str, Node]:
    """Language → the provision in a text of that language; ``x-default``: where it stands in force, else itself.

    Only what corresponds to the provision as one to one; of several texts in a language the one that is nearest in
    time, the newer first. A decision has no counterpart in another language. Nothing where there is only the provision itself.
    """
    out = {edition.lang: asked}
    library = atlas.library
    found = {} if edition.data.get("modifies") else library.relations.counterparts(asked.id)
    alone = lambda rows: len(rows) == 1 and len(library.relations.counterparts(rows[0].id).get(edition.id, ())) == 1
    own = [library.nodes[rows[0].id] for rows in found.values() if alone(rows)]
    for n in sorted(own, key=lambda n: (abs(n.year - edition.year), -n.year, n.edition)):
        out.setdefault(n.lang, n)
    if len(out) == 1:
        return {}
    in_force = [n for n in out.values() if atlas.library.editions[n.edition].in_force]
    return out | {"x-default": asked if edition.in_force or len(in_force) != 1 else in_force[0]}


def _notices(edition: EditionInfo, law: Node) -> list[dict]:
    """What the manifest has to say on this law (“amended from …”); a notice without paths is said on every page."""
    here = lambda path: path == law.path or path.startswith(law.path + "/")
    return [n for n in edition.data["notices"] if not n["paths"] or any(map(here, n["paths"]))]
