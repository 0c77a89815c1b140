"""The page model of a law (or of the definitions, the preface, …): everything its template shows, worked out.

What depends on the provision that is asked for is left open (:mod:`app.law.asking`), so that one page serves them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from flask import g

from app.law import strengths
from app.law.dressing import Dressing, dressings
from app.law.subject import Index, subject_index
from app.site import slips
from app.site.atlas import Atlas
from app.site.drawing import Drawer
from app.site.drawn import Body
from app.site.excerpt import notes_of, page_tree
from app.site.kept.frame import place
from app.site.page import Page
from corpus.edition.identity import Identity, Notice
from corpus.model import ALONE, CONTAINERS, Node, NodeId
from corpus.situation.model import Situation


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
    slips: tuple[slips.MisprintNote, ...]
    subjects: Index | None
    situations: tuple[Situation, ...]
    threshold: str
    shown: Shown
    corrected: bool
    scale: tuple[strengths.StrengthLegend, ...]

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
        slips=tuple(slips.misprint_notes(library, list(dict.fromkeys([n for n in tree if n.kind != "footnote"] + footnotes)))),
        subjects=subject_index(atlas, law),
        situations=atlas.situations_at.get(law.id, ()),
        threshold=atlas.thresholds_at.get(law.id, ""),
        shown=shown,
        corrected=any(n.id in atlas.corrections for n in tree),
        scale=strengths.strength_legend(library, edition),
    )
