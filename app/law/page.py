"""The page model of a law (or of the definitions, the preface, …): everything its template shows, worked out.

What depends on the provision that is asked for is left open (:mod:`app.law.asking`), so that one page serves them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from flask import g

from app.site import addresses, rulings, statements, wording
from app.site.atlas import Atlas, Way
from app.site.cache import place
from app.site.drawing import Arrow, Body, Drawer, Run, Sentence, sentence
from app.site.excerpt import notes_of, page_tree
from app.site.page import Page
from app.site.rulings import RulingView, Under
from corpus import address
from corpus.edition import Identity, Notice
from corpus.letters import fold
from corpus.library import Library
from corpus.model import ALONE, CONTAINERS, OUTLINED, IndexEntry, Node, NodeId
from corpus.relation.changes import Stage, lineage
from corpus.ruling import Ruling
from corpus.situation.model import Situation
from corpus.strength import Step
from corpus.term.model import Term


@dataclass(frozen=True)
class Dressing:
    """All that hangs on one provision.

    ``citing``: who refers to it, with the words around; ``counterparts`` by edition; ``lineage`` through the years;
    ``rulings`` on it and, ``elsewhere``, on what corresponds to it in another code (without what they say);
    ``ruled``: whether there are any; ``concerns``: what a point of decisions is about and ``decides`` of it; ``only``:
    under which conditions it holds, with the words; ``corrections``: how many there are in it; ``marks``: elements of
    the marks of a note; ``term``: that it gives the meaning of.
    """

    node: Node
    citing: tuple[tuple[Node, Sentence], ...] = ()
    counterparts: tuple[statements.Twins, ...] = ()
    lineage: tuple[Stage, ...] = ()
    rulings: tuple[RulingView, ...] = ()
    elsewhere: tuple[RulingView, ...] = ()
    ruled: bool = False
    concerns: tuple[Node, ...] = ()
    decides: str = ""
    only: tuple[Under, ...] = ()
    corrections: int = 0
    marks: tuple[str, ...] = ()
    term: Term | None = None

    @property
    def beside(self) -> list[str]:
        """The editions that it can be compared with, its own first."""
        others = [t.edition.id for t in self.counterparts] + [m.edition for m in self.concerns[:1]]
        return [self.node.edition, *others][: addresses.MOST_BESIDE]


def dressings(atlas: Atlas, bodies: Iterable[Body], drawer: Drawer, ruled: bool = True) -> dict[NodeId, Dressing]:
    """Id → what hangs on it, for what ``drawer`` drew; ``ruled``: whether rulings are told."""
    return {n.id: _dressing(atlas, n, drawer, ruled) for body in bodies for n in _nodes(body)}


def _nodes(body: Body) -> Iterable[Node]:
    yield body.node
    for child in body.children:
        yield from _nodes(child)


def _dressing(atlas: Atlas, node: Node, drawer: Drawer, ruled: bool) -> Dressing:
    library, edition = atlas.library, atlas.library.editions[node.edition]
    # A decision is about a provision; it is none that a code took over from another.
    decides = edition.is_decisions
    found = _ruled(atlas, node)
    told = found if ruled else []
    own = (rulings.told(atlas, r, on) for r, on in told if on.year == node.year)
    far = (rulings.told(atlas, r, on, words=False) for r, on in told if on.year != node.year)
    point = atlas.library.points.get(node.id)
    return Dressing(
        node,
        citing=tuple((n, sentence(n, r)) for n, r in atlas.citing.get(node.id, ())),
        counterparts=() if decides else tuple(statements.twins(library, node)),
        lineage=() if decides else tuple(lineage(library, node)),
        rulings=rulings.in_order(atlas, own, node.lang),
        elsewhere=rulings.in_order(atlas, far, node.lang),
        ruled=bool(found),
        concerns=tuple(atlas.concerns[point.id]) if point else (),
        decides=point.effect if point else "",
        only=rulings.of_node(atlas, node.id),
        corrections=len({c.correction for c in atlas.corrections.get(node.id, ())}),
        marks=drawer.marks_of(node),
        term=library.meant.get(node.id),
    )


def _ruled(atlas: Atlas, node: Node) -> list[tuple[Ruling, Node]]:
    """(ruling, the provision it is about) of what bodies ruled on a node itself, else on what corresponds to it."""
    own = [(r, node) for r in atlas.rulings.get(node.id, ())]
    if own or atlas.library.editions[node.edition].is_decisions:
        return own
    found = atlas.library.relations.counterparts(node.id).values()
    others = [atlas.library.nodes[c.id] for rows in found for c in rows]
    return list({r.id: (r, m) for m in others for r in atlas.rulings.get(m.id, ())}.values())


@dataclass(frozen=True)
class Pointer:
    """A row of the index: its ``name`` under an entry, empty on the entry's own line; ``arrows`` to what it names;
    ``see``: (entry, its address where there is one) of each “see also”.
    """

    name: str
    arrows: tuple[Arrow, ...]
    see: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class Subject:
    """An entry of the index; ``dom`` is its element, ``own`` the rows on its own line, ``under`` its sub-entries."""

    name: str
    dom: str
    own: tuple[Pointer, ...]
    under: tuple[Pointer, ...]


@dataclass(frozen=True)
class Index:
    """The index as it is shown; ``remarks``: what its maker says around it."""

    remarks: tuple[str, ...]
    letters: Mapping[str, tuple[Subject, ...]]


def subject_index(atlas: Atlas, node: Node) -> Index | None:
    """The index whose node this is; None when the edition's index was not read into entries."""
    rows: dict[str, list[IndexEntry]] = {}
    for r in atlas.library.index if node.kind == "index" else ():
        if r.edition == node.edition:
            rows.setdefault(r.entry, []).append(r)
    if not rows:
        return None
    places = _places(atlas, node.edition, rows)
    alphabet = atlas.library.alphabet(node.lang)
    letters: dict[str, tuple[Subject, ...]] = {}
    for name, found in rows.items():
        lines = [_pointer(atlas, r, node.lang, places) for r in found]
        own, under = (tuple(x for x in lines if bool(x.name) == below) for below in (False, True))
        initial = alphabet.initial(name)
        letters[initial] = (*letters.get(initial, ()), Subject(name, _dom(name), own, under))
    return Index(node.remarks, letters)


def _places(atlas: Atlas, edition: str, entries: Mapping[str, object]) -> dict[str, str]:
    """Folded name of an entry, or else of a definition → its address, for “see also”."""
    defined = (n for n in atlas.library.of(edition) if n.kind == "definition" and n.heading)
    return {fold(n.heading or ""): addresses.law(n.id) for n in defined} | {fold(e): "#" + _dom(e) for e in entries}


def _dom(entry: str) -> str:
    return f"entry-{address.slug(entry)}"


def _pointer(atlas: Atlas, row: IndexEntry, lang: str, places: Mapping[str, str]) -> Pointer:
    arrows = tuple(_arrow(atlas, target, lang) for target in row.targets)
    return Pointer(row.subentry or "", arrows, tuple((name, places.get(fold(name))) for name in row.see))


def _arrow(atlas: Atlas, target: NodeId, lang: str) -> Arrow:
    way = atlas.resolve(target)
    return Arrow((Run(_named(atlas, way)),), (way,), (), way, way.found == "text", lang)


def _named(atlas: Atlas, way: Way) -> str:
    """What the index prints for a place: its citation; of a definition, the list that it stands in."""
    if way.node is None or way.found != "here":
        return address.cite(way.path)
    whole = atlas.library.get(way.node.parent) if way.node.kind == "definition" else None
    return wording.cited(whole or way.node)


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
    return tuple(StrengthLegend(s, n.words_of(s.quote), n) for s, n in homes)


@dataclass(frozen=True)
class ContentsPage(Page):
    """All that an ``edition`` has; ``rows``: (depth, node), in its order."""

    template: ClassVar[str] = "contents.html"
    edition: Identity
    rows: tuple[tuple[int, Node], ...]


def contents_page(library: Library, edition: str) -> ContentsPage:
    """The contents of an edition of the library."""
    rows = ((len(library.ancestors(n)), n) for n in library.of(edition) if n.kind in OUTLINED)
    return ContentsPage(library.editions[edition], tuple(rows))


@dataclass(frozen=True)
class Shown:
    """What the reader asked to see: folded words to ``match`` in the text; ``rulings`` under what they are about;
    ``fixes``: words that were corrected marked; ``strengths``: those that order or forbid marked.
    """

    match: frozenset[str] = field(default_factory=frozenset)
    rulings: bool = True
    fixes: bool = False
    strengths: bool = False


PLAIN = Shown()


@dataclass(frozen=True)
class LawPage(Page):
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
    top: Body
    notes: tuple[Body, ...]
    dress: Mapping[NodeId, Dressing]
    crumbs: tuple[Node, ...]
    members: tuple[Node, ...]
    previous: Node | None
    next: Node | None
    notices: tuple[Notice, ...]
    slips: tuple[statements.MisprintNote, ...]
    subjects: Index | None
    situations: tuple[Situation, ...]
    threshold: str
    shown: Shown
    corrected: bool
    scale: tuple[StrengthLegend, ...]

    @property
    def related(self) -> bool:
        """Whether anything here has a counterpart."""
        return any(d.counterparts for d in self.dress.values())

    @property
    def ruled(self) -> bool:
        """Whether a body ruled on anything here."""
        return any(d.ruled for d in self.dress.values())

    @property
    def orders(self) -> bool:
        """Whether provisions stand here, whose words may order."""
        return self.law.kind not in ALONE

    def frame(self) -> bytes:
        """The page with its places left open, in the language of this request."""
        g.path = place("path")
        try:
            return self.render().encode()
        finally:
            del g.path


def law_page(atlas: Atlas, law: Node, shown: Shown = PLAIN, notes: tuple[Node, ...] = ()) -> LawPage:
    """The page of a law; ``notes``: footnotes that are read there though no mark of it leads to them."""
    library = atlas.library
    edition = library.editions[law.edition]
    tree, footnotes = page_tree(library, law), [*notes_of(library, law)]
    footnotes += [n for n in notes if n not in footnotes and n is not law]
    drawer = Drawer(atlas, shown.match, atlas.corrections if shown.fixes else None, strengths=shown.strengths)
    top = drawer.body(law)
    drawn = tuple(drawer.body(n) for n in footnotes if n is not law)
    previous, following = library.neighbours(law)
    return LawPage(
        edition=edition,
        law=law,
        top=top,
        notes=drawn,
        dress=dressings(atlas, (top, *drawn), drawer, shown.rulings),
        crumbs=tuple(library.ancestors(law)),
        members=tuple(library.members.get(law.id, ())) if law.kind in CONTAINERS else (),
        previous=previous,
        next=following,
        notices=edition.noticed(law.path),
        slips=tuple(
            statements.misprint_notes(
                library, list(dict.fromkeys([n for n in tree if n.kind != "footnote"] + footnotes))
            )
        ),
        subjects=subject_index(atlas, law),
        situations=atlas.situations_at.get(law.id, ()),
        threshold=atlas.thresholds_at.get(law.id, ""),
        shown=shown,
        corrected=any(n.id in atlas.corrections for n in tree),
        scale=strength_legend(library, edition),
    )
