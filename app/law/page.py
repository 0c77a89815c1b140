"""The page model of a law (or of the definitions, the preface, …): everything its template shows, worked out.

What depends on the provision that is asked for is left open (:mod:`app.law.asking`), so that one page serves them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from flask import g

from app.site import addresses, phrases, ruling_view, wording
from app.site.atlas import Atlas, ResolvedTarget
from app.site.cache import placeholder_mark
from app.site.drawing import Drawer, LabelLink, NodeBody, ReferenceContext, TextRun, reference_context
from app.site.excerpt import footnotes_of, nodes_of_page
from app.site.page import SitePage
from app.site.ruling_view import ConditionNote, RulingView
from corpus import address
from corpus.edition import Identity, Notice
from corpus.letters import fold
from corpus.library import Library
from corpus.model import CONTAINER_KINDS, CONTENTS_KINDS, STANDALONE_KINDS, IndexEntry, Node, NodeId
from corpus.relation.changes import LineageStage, lineage
from corpus.ruling import Ruling
from corpus.situation.model import Situation
from corpus.strength import Step
from corpus.term.model import Term


@dataclass(frozen=True)
class Annotations:
    """All that hangs on one provision.

    ``citing``: who refers to it, with the words around; ``counterparts`` by edition; ``lineage`` through the years;
    ``rulings`` on it and, ``elsewhere``, on what corresponds to it in another code (without what they say);
    ``ruled``: whether there are any; ``concerns``: what a point of decisions is about and ``decides`` of it; ``only``:
    under which conditions it holds, with the words; ``corrections``: how many there are in it; ``marks``: elements of
    the marks of a note; ``term``: that it gives the meaning of.
    """

    node: Node
    citing: tuple[tuple[Node, ReferenceContext], ...] = ()
    counterparts: tuple[phrases.EditionCounterparts, ...] = ()
    lineage: tuple[LineageStage, ...] = ()
    rulings: tuple[RulingView, ...] = ()
    elsewhere: tuple[RulingView, ...] = ()
    ruled: bool = False
    concerns: tuple[Node, ...] = ()
    decides: str = ""
    only: tuple[ConditionNote, ...] = ()
    corrections: int = 0
    marks: tuple[str, ...] = ()
    term: Term | None = None

    @property
    def comparable_editions(self) -> list[str]:
        """The editions that it can be compared with, its own first."""
        others = [t.edition.id for t in self.counterparts] + [m.edition for m in self.concerns[:1]]
        return [self.node.edition, *others][: addresses.MAX_COMPARED_EDITIONS]


def annotate_bodies(
    atlas: Atlas, bodies: Iterable[NodeBody], drawer: Drawer, ruled: bool = True
) -> dict[NodeId, Annotations]:
    """Id → what hangs on it, for what ``drawer`` drew; ``ruled``: whether rulings are told."""
    return {n.id: _annotate_node(atlas, n, drawer, ruled) for body in bodies for n in _walk_nodes(body)}


def _walk_nodes(body: NodeBody) -> Iterable[Node]:
    yield body.node
    for child in body.children:
        yield from _walk_nodes(child)


def _annotate_node(atlas: Atlas, node: Node, drawer: Drawer, ruled: bool) -> Annotations:
    library, edition = atlas.library, atlas.library.editions[node.edition]
    # A decision is about a provision; it is none that a code took over from another.
    decides = edition.is_decisions
    found = _find_rulings(atlas, node)
    told = found if ruled else []
    own = (ruling_view.ruling_view(atlas, r, on) for r, on in told if on.year == node.year)
    far = (ruling_view.ruling_view(atlas, r, on, words=False) for r, on in told if on.year != node.year)
    point = atlas.library.rulings_by_point.get(node.id)
    return Annotations(
        node,
        citing=tuple((n, reference_context(n, r)) for n, r in atlas.citing_references.get(node.id, ())),
        counterparts=() if decides else tuple(phrases.counterparts_by_edition(library, node)),
        lineage=() if decides else tuple(lineage(library, node)),
        rulings=ruling_view.sort_ruling_views(atlas, own, node.lang),
        elsewhere=ruling_view.sort_ruling_views(atlas, far, node.lang),
        ruled=bool(found),
        concerns=tuple(atlas.nodes_by_ruling[point.id]) if point else (),
        decides=point.effect if point else "",
        only=ruling_view.conditions_of_node(atlas, node.id),
        corrections=len({c.correction for c in atlas.corrections_by_node.get(node.id, ())}),
        marks=drawer.marks_of(node),
        term=library.terms_by_definition.get(node.id),
    )


def _find_rulings(atlas: Atlas, node: Node) -> list[tuple[Ruling, Node]]:
    """(ruling, the provision it is about) of what bodies ruled on a node itself, else on what corresponds to it."""
    own = [(r, node) for r in atlas.rulings_by_node.get(node.id, ())]
    if own or atlas.library.editions[node.edition].is_decisions:
        return own
    found = atlas.library.relations.counterparts_of(node.id).values()
    others = [atlas.library.nodes[c.id] for rows in found for c in rows]
    return list({r.id: (r, m) for m in others for r in atlas.rulings_by_node.get(m.id, ())}.values())


@dataclass(frozen=True)
class SubjectRow:
    """A row of the index: its ``name`` under an entry, empty on the entry's own line; ``arrows`` to what it names;
    ``see``: (entry, its address where there is one) of each “see also”.
    """

    name: str
    arrows: tuple[LabelLink, ...]
    see: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class SubjectEntry:
    """An entry of the index; ``dom`` is its element, ``own`` the rows on its own line, ``under`` its sub-entries."""

    name: str
    dom: str
    own: tuple[SubjectRow, ...]
    under: tuple[SubjectRow, ...]


@dataclass(frozen=True)
class PrintedIndex:
    """The index as it is shown; ``remarks``: what its maker says around it."""

    remarks: tuple[str, ...]
    letters: Mapping[str, tuple[SubjectEntry, ...]]


def subject_index(atlas: Atlas, node: Node) -> PrintedIndex | None:
    """The index whose node this is; None when the edition's index was not read into entries."""
    rows: dict[str, list[IndexEntry]] = {}
    for r in atlas.library.index if node.kind == "index" else ():
        if r.edition == node.edition:
            rows.setdefault(r.entry, []).append(r)
    if not rows:
        return None
    places = _see_also_addresses(atlas, node.edition, rows)
    alphabet = atlas.library.alphabet_of(node.lang)
    letters: dict[str, tuple[SubjectEntry, ...]] = {}
    for name, found in rows.items():
        lines = [_subject_row(atlas, r, node.lang, places) for r in found]
        own, under = (tuple(x for x in lines if bool(x.name) == below) for below in (False, True))
        initial = alphabet.index_letter(name)
        letters[initial] = (*letters.get(initial, ()), SubjectEntry(name, _entry_dom(name), own, under))
    return PrintedIndex(node.remarks, letters)


def _see_also_addresses(atlas: Atlas, edition: str, entries: Mapping[str, object]) -> dict[str, str]:
    """Folded name of an entry, or else of a definition → its address, for “see also”."""
    defined = (n for n in atlas.library.nodes_of(edition) if n.kind == "definition" and n.heading)
    return {fold(n.heading or ""): addresses.law(n.id) for n in defined} | {
        fold(e): "#" + _entry_dom(e) for e in entries
    }


def _entry_dom(entry: str) -> str:
    return f"entry-{address.slugify(entry)}"


def _subject_row(atlas: Atlas, row: IndexEntry, lang: str, places: Mapping[str, str]) -> SubjectRow:
    arrows = tuple(_label_link(atlas, target, lang) for target in row.targets)
    return SubjectRow(row.subentry or "", arrows, tuple((name, places.get(fold(name))) for name in row.see))


def _label_link(atlas: Atlas, target: NodeId, lang: str) -> LabelLink:
    way = atlas.resolve(target)
    return LabelLink((TextRun(_place_name(atlas, way)),), (way,), (), way, way.found == "text", lang)


def _place_name(atlas: Atlas, way: ResolvedTarget) -> str:
    """What the index prints for a place: its citation; of a definition, the list that it stands in."""
    if way.node is None or way.found != "here":
        return address.cite(way.path)
    whole = atlas.library.find_node(way.node.parent) if way.node.kind == "definition" else None
    return wording.citation_of(whole or way.node)


@dataclass(frozen=True)
class StrengthLegend:
    """A ``step`` of the scale, and the ``sentence`` of the ``introduction`` that ranks it."""

    step: Step
    sentence: str
    introduction: Node


def strength_legend(library: Library, edition: Identity) -> tuple[StrengthLegend, ...]:
    """The steps of an edition's scale; none where it has no scale."""
    steps = edition.scale.steps if edition.scale else ()
    homes = ((step, library.nodes[step.quote.node]) for step in steps)
    return tuple(StrengthLegend(s, n.words_of_span(s.quote), n) for s, n in homes)


@dataclass(frozen=True)
class ContentsPage(SitePage):
    """All that an ``edition`` has; ``rows``: (depth, node), in its order."""

    template: ClassVar[str] = "contents.html"
    edition: Identity
    rows: tuple[tuple[int, Node], ...]


def contents_page(library: Library, edition: str) -> ContentsPage:
    """The contents of an edition of the library."""
    rows = ((len(library.ancestors_of(n)), n) for n in library.nodes_of(edition) if n.kind in CONTENTS_KINDS)
    return ContentsPage(library.editions[edition], tuple(rows))


@dataclass(frozen=True)
class DisplayOptions:
    """What the reader asked to see: folded words to ``match`` in the text; ``rulings`` under what they are about;
    ``fixes``: words that were corrected marked; ``strengths``: those that order or forbid marked.
    """

    match: frozenset[str] = field(default_factory=frozenset)
    rulings: bool = True
    fixes: bool = False
    strengths: bool = False


DEFAULT_OPTIONS = DisplayOptions()


@dataclass(frozen=True)
class LawPage(SitePage):
    """A law, whichever of its provisions is asked for.

    ``edition`` · ``law``: the node whose page it is · ``top``: the law as it is drawn, ``notes``: its footnotes,
    ``dress``: id → what hangs on a provision · ``crumbs``: what the law stands in, ``members``: what stands in a
    chapter, ``previous`` and ``next`` law · ``notices`` of the edition on this law, ``slips``: what is said of slips of
    the print · ``subjects``: the printed index, where this is it · ``situations`` that lead here · ``threshold``: the
    first that quotes words from here, empty without one · ``shown``: what the
    reader asked to see; ``corrected``: whether there are any corrections, ``scale``: how the edition's introduction
    ranks its words.
    """

    template: ClassVar[str] = "law.html"
    led: ClassVar[bool] = False  # who asks for a provision is led by AskedPage
    edition: Identity
    law: Node
    top: NodeBody
    notes: tuple[NodeBody, ...]
    dress: Mapping[NodeId, Annotations]
    crumbs: tuple[Node, ...]
    members: tuple[Node, ...]
    previous: Node | None
    next: Node | None
    notices: tuple[Notice, ...]
    slips: tuple[phrases.MisprintNote, ...]
    subjects: PrintedIndex | None
    situations: tuple[Situation, ...]
    threshold: str
    shown: DisplayOptions
    corrected: bool
    scale: tuple[StrengthLegend, ...]

    @property
    def has_counterparts(self) -> bool:
        """Whether anything here has a counterpart."""
        return any(d.counterparts for d in self.dress.values())

    @property
    def has_rulings(self) -> bool:
        """Whether a body ruled on anything here."""
        return any(d.ruled for d in self.dress.values())

    @property
    def has_provisions(self) -> bool:
        """Whether provisions stand here, whose words may order."""
        return self.law.kind not in STANDALONE_KINDS

    def frame(self) -> bytes:
        """The page with its places left open, in the language of this request."""
        g.path = placeholder_mark("path")
        try:
            return self.render().encode()
        finally:
            del g.path


def law_page(atlas: Atlas, law: Node, shown: DisplayOptions = DEFAULT_OPTIONS, notes: tuple[Node, ...] = ()) -> LawPage:
    """The page of a law; ``notes``: footnotes that are read there though no mark of it leads to them."""
    library = atlas.library
    edition = library.editions[law.edition]
    tree, footnotes = nodes_of_page(library, law), [*footnotes_of(library, law)]
    footnotes += [n for n in notes if n not in footnotes and n is not law]
    drawer = Drawer(atlas, shown.match, atlas.corrections_by_node if shown.fixes else None, strengths=shown.strengths)
    top = drawer.body(law)
    drawn = tuple(drawer.body(n) for n in footnotes if n is not law)
    previous, following = library.neighbouring_laws(law)
    return LawPage(
        edition=edition,
        law=law,
        top=top,
        notes=drawn,
        dress=annotate_bodies(atlas, (top, *drawn), drawer, shown.rulings),
        crumbs=tuple(library.ancestors_of(law)),
        members=tuple(library.members_by_parent.get(law.id, ())) if law.kind in CONTAINER_KINDS else (),
        previous=previous,
        next=following,
        notices=edition.notices_for(law.path),
        slips=tuple(
            phrases.misprint_notes(library, list(dict.fromkeys([n for n in tree if n.kind != "footnote"] + footnotes)))
        ),
        subjects=subject_index(atlas, law),
        situations=atlas.situations_by_law.get(law.id, ()),
        threshold=atlas.threshold_by_law.get(law.id, ""),
        shown=shown,
        corrected=any(n.id in atlas.corrections_by_node for n in tree),
        scale=strength_legend(library, edition),
    )
