"""The page model of a law (or of the definitions, the preface, …), and of an edition's contents.

The entry points are :func:`law_page` and :func:`contents_page`. What depends on the requested provision is a
placeholder in the page of a law, so that one drawn page serves all its provisions. :mod:`app.law.provision` fills the
placeholders. This module also makes what belongs to a law's page: the annotations of its provisions
(:func:`annotate_bodies`), the printed subject index (:func:`subject_index`), the legend of strengths
(:func:`strength_legend`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from flask import g

from app.site import addresses, phrases, ruling_view, wording
from app.site.atlas import Atlas, ResolvedTarget
from app.site.cache import placeholder_characters
from app.site.drawing import Drawer, LabelLink, NodeBody, ReferenceContext, TextRun, reference_context
from app.site.excerpt import footnotes_of, nodes_of_page
from app.site.page import SitePage
from app.site.ruling_view import ConditionNote, RulingView
from corpus import address
from corpus.changes import LineageStage, lineage
from corpus.edition import Identity, Notice
from corpus.letters import fold
from corpus.library import Library
from corpus.model import CONTAINER_KINDS, CONTENTS_KINDS, STANDALONE_KINDS, IndexEntry, Node, NodeId
from corpus.ruling import Ruling
from corpus.situation.model import Situation
from corpus.strength import Step
from corpus.term.model import Term


@dataclass(frozen=True)
class Annotations:
    """All that is shown at one provision (``node``) besides its text.

    - ``citing``: (node, words around) of each reference to it.
    - ``counterparts``: what corresponds to it, by edition; ``lineage``: what it is in each year.
    - ``rulings``: those on it; ``elsewhere``: those on what corresponds to it in another code, without their text;
      ``ruled``: whether there are any rulings of these two kinds, shown or not.
    - ``concerns``: the provisions that a point of decisions is about; ``decides``: what it does with them, or "".
    - ``only``: the conditions without which it does not hold, with the words that say so.
    - ``corrections``: how many there are in it.
    - ``marks``: for a footnote, the ids of the elements of the marks that lead to it.
    - ``term``: the term whose meaning it gives, or None.
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
        """Ids of the editions that it can be compared in, its own first; at most ``MAX_COMPARED_EDITIONS``."""
        others = [t.edition.id for t in self.counterparts] + [m.edition for m in self.concerns[:1]]
        return [self.node.edition, *others][: addresses.MAX_COMPARED_EDITIONS]


def annotate_bodies(
    atlas: Atlas, bodies: Iterable[NodeBody], drawer: Drawer, ruled: bool = True
) -> dict[NodeId, Annotations]:
    """Return id → annotations of every node in ``bodies``, which ``drawer`` drew. ``ruled``: include the rulings."""
    return {n.id: _annotate_node(atlas, n, drawer, ruled) for body in bodies for n in _walk_nodes(body)}


def _walk_nodes(body: NodeBody) -> Iterable[Node]:
    yield body.node
    for child in body.children:
        yield from _walk_nodes(child)


def _annotate_node(atlas: Atlas, node: Node, drawer: Drawer, ruled: bool) -> Annotations:
    library, edition = atlas.library, atlas.library.editions[node.edition]
    # A decision is about a provision. It is not one itself, so it has no counterparts in other codes.
    decides = edition.is_decisions
    found = _find_rulings(atlas, node)
    shown = found if ruled else []
    own = (ruling_view.ruling_view(atlas, r, on) for r, on in shown if on.year == node.year)
    far = (ruling_view.ruling_view(atlas, r, on, words=False) for r, on in shown if on.year != node.year)
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
        marks=drawer.mark_ids_of(node),
        term=library.terms_by_definition.get(node.id),
    )


def _find_rulings(atlas: Atlas, node: Node) -> list[tuple[Ruling, Node]]:
    """Return (ruling, the provision it is about) for each ruling on a node.

    When there is none, and the node is not a point of decisions: for each ruling on what corresponds to the node.
    """
    own = [(r, node) for r in atlas.rulings_by_node.get(node.id, ())]
    if own or atlas.library.editions[node.edition].is_decisions:
        return own
    found = atlas.library.relations.counterparts_of(node.id).values()
    others = [atlas.library.nodes[c.id] for rows in found for c in rows]
    return list({r.id: (r, m) for m in others for r in atlas.rulings_by_node.get(m.id, ())}.values())


# -- The printed subject index ---


@dataclass(frozen=True)
class SubjectRow:
    """A row of the printed index.

    - ``name``: its name under an entry; "" on the entry's own line.
    - ``links``: links to the places that it names.
    - ``see``: (entry, address or None) of each “see also”.
    """

    name: str
    links: tuple[LabelLink, ...]
    see: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class SubjectEntry:
    """An entry of the printed index.

    ``dom``: the id of its element; ``own``: the rows on its own line; ``under``: its sub-entries.
    """

    name: str
    dom: str
    own: tuple[SubjectRow, ...]
    under: tuple[SubjectRow, ...]


@dataclass(frozen=True)
class PrintedIndex:
    """The printed index as it is shown: letter → its entries. ``remarks``: what its author says around it."""

    remarks: tuple[str, ...]
    letters: Mapping[str, tuple[SubjectEntry, ...]]


def subject_index(atlas: Atlas, node: Node) -> PrintedIndex | None:
    """Return the printed index that a node holds; None when the node is no index, or its index was not read into
    entries.
    """
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
    """Return name → address to which a “see also” with this name leads. The names are those of the ``entries`` and of
    the definitions, folded (lower case, no diacritics). An entry wins over a definition of the same name.
    """
    defined = (n for n in atlas.library.nodes_of(edition) if n.kind == "definition" and n.heading)
    return {fold(n.heading or ""): addresses.law(n.id) for n in defined} | {
        fold(e): "#" + _entry_dom(e) for e in entries
    }


def _entry_dom(entry: str) -> str:
    return f"entry-{address.slugify(entry)}"


def _subject_row(atlas: Atlas, row: IndexEntry, lang: str, places: Mapping[str, str]) -> SubjectRow:
    links = tuple(_label_link(atlas, target, lang) for target in row.targets)
    return SubjectRow(row.subentry or "", links, tuple((name, places.get(fold(name))) for name in row.see))


def _label_link(atlas: Atlas, target: NodeId, lang: str) -> LabelLink:
    way = atlas.resolve(target)
    return LabelLink((TextRun(_place_name(atlas, way)),), (way,), (), way, way.found == "text", lang)


def _place_name(atlas: Atlas, way: ResolvedTarget) -> str:
    """Return what the index prints for a place to which it leads (``way``): its citation; for a definition, the name of
    the list that it is in.
    """
    if way.node is None or way.found != "here":
        return address.cite(way.path)
    whole = atlas.library.find_node(way.node.parent) if way.node.kind == "definition" else None
    return wording.citation_of(whole or way.node)


# -- The legend of strengths, and the contents ---


@dataclass(frozen=True)
class StrengthLegend:
    """A ``step`` of the scale, and the ``sentence`` of the ``introduction`` that ranks it."""

    step: Step
    sentence: str
    introduction: Node


def strength_legend(library: Library, edition: Identity) -> tuple[StrengthLegend, ...]:
    """Return each step of an edition's scale with the sentence that ranks it; () when the edition has no scale."""
    steps = edition.scale.steps if edition.scale else ()
    homes = ((step, library.nodes[step.quote.node]) for step in steps)
    return tuple(StrengthLegend(s, n.words_of_span(s.quote), n) for s, n in homes)


@dataclass(frozen=True)
class ContentsPage(SitePage):
    """The contents of an ``edition``. ``rows``: (depth, node) in the order of the book."""

    template: ClassVar[str] = "contents.html"
    edition: Identity
    rows: tuple[tuple[int, Node], ...]


def contents_page(library: Library, edition: str) -> ContentsPage:
    """Return the contents of an edition of the library."""
    rows = ((len(library.ancestors_of(n)), n) for n in library.nodes_of(edition) if n.kind in CONTENTS_KINDS)
    return ContentsPage(library.editions[edition], tuple(rows))


# -- The page of a law ---


@dataclass(frozen=True)
class DisplayOptions:
    """What the reader wants to see.

    - ``match``: words to mark in the text, folded (lower case, no diacritics).
    - ``rulings``: show rulings under the provisions that they are about.
    - ``corrections``: mark the words that were corrected.
    - ``strengths``: mark the words that order or forbid.
    """

    match: frozenset[str] = field(default_factory=frozenset)
    rulings: bool = True
    corrections: bool = False
    strengths: bool = False


DEFAULT_OPTIONS = DisplayOptions()


@dataclass(frozen=True)
class LawPage(SitePage):
    """The page of a law, the same for all its provisions.

    - ``edition``; ``law``: the node whose page it is.
    - ``top``: the law as it is drawn; ``notes``: its footnotes; ``annotations``: id of a node → its annotations.
    - ``crumbs``: the nodes that the law stands in; ``members``: the nodes in a chapter; ``previous`` and ``next``: the
      laws before and after it, or None.
    - ``notices``: those of the edition on this law; ``misprints``: the remarks on misprints.
    - ``subjects``: the printed index, where this is its page, else None.
    - ``situations``: those that its provisions rule; ``threshold``: the id of the first threshold that quotes words
      from here, or "".
    - ``shown``: what the reader wants to see.
    - ``corrected``: whether there are any corrections.
    - ``scale``: how the edition's introduction ranks its words.
    """

    template: ClassVar[str] = "law.html"
    led: ClassVar[bool] = False  # RequestedProvisionPage redirects readers
    edition: Identity
    law: Node
    top: NodeBody
    notes: tuple[NodeBody, ...]
    annotations: Mapping[NodeId, Annotations]
    crumbs: tuple[Node, ...]
    members: tuple[Node, ...]
    previous: Node | None
    next: Node | None
    notices: tuple[Notice, ...]
    misprints: tuple[phrases.MisprintNote, ...]
    subjects: PrintedIndex | None
    situations: tuple[Situation, ...]
    threshold: str
    shown: DisplayOptions
    corrected: bool
    scale: tuple[StrengthLegend, ...]

    @property
    def has_counterparts(self) -> bool:
        """Whether any provision here has a counterpart."""
        return any(d.counterparts for d in self.annotations.values())

    @property
    def has_rulings(self) -> bool:
        """Whether there is a ruling on any provision here."""
        return any(d.ruled for d in self.annotations.values())

    @property
    def has_provisions(self) -> bool:
        """Whether there are provisions here, whose words may order or forbid."""
        return self.law.kind not in STANDALONE_KINDS

    def render_frame(self) -> bytes:
        """Return the page with its placeholders, as HTML bytes, in the language of this request."""
        g.path = placeholder_characters("path")
        try:
            return self.render().encode()
        finally:
            del g.path


def law_page(atlas: Atlas, law: Node, shown: DisplayOptions = DEFAULT_OPTIONS, notes: tuple[Node, ...] = ()) -> LawPage:
    """Return the page of a law. ``shown``: what the reader wants to see.

    ``notes``: footnotes to show there although no mark of the law leads to them.
    """
    library = atlas.library
    edition = library.editions[law.edition]
    tree, footnotes = nodes_of_page(library, law), [*footnotes_of(library, law)]
    footnotes += [n for n in notes if n not in footnotes and n is not law]
    drawer = Drawer(
        atlas, shown.match, atlas.corrections_by_node if shown.corrections else None, strengths=shown.strengths
    )
    top = drawer.body(law)
    drawn = tuple(drawer.body(n) for n in footnotes if n is not law)
    previous, following = library.neighbouring_laws(law)
    return LawPage(
        edition=edition,
        law=law,
        top=top,
        notes=drawn,
        annotations=annotate_bodies(atlas, (top, *drawn), drawer, shown.rulings),
        crumbs=tuple(library.ancestors_of(law)),
        members=tuple(library.members_by_parent.get(law.id, ())) if law.kind in CONTAINER_KINDS else (),
        previous=previous,
        next=following,
        notices=edition.notices_for(law.path),
        misprints=tuple(
            phrases.misprint_notes(library, list(dict.fromkeys([n for n in tree if n.kind != "footnote"] + footnotes)))
        ),
        subjects=subject_index(atlas, law),
        situations=atlas.situations_by_law.get(law.id, ()),
        threshold=atlas.threshold_by_law.get(law.id, ""),
        shown=shown,
        corrected=any(n.id in atlas.corrections_by_node for n in tree),
        scale=strength_legend(library, edition),
    )
