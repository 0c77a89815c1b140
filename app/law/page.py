"""The page model of a law (or of the definitions, the preface, …): everything its template shows, worked out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from app.law import strengths, structured
from app.law.dressing import Dressing, dressings
from app.law.subject import Index, subject_index
from app.site import slips, twins
from app.site.atlas import Atlas
from app.site.drawing import Drawer
from app.site.drawn import Body
from app.site.excerpt import notes_of, page_tree
from app.site.page import Page
from corpus.edition.identity import Identity, Notice
from corpus.model import ALONE, CONTAINERS, Node, NodeId
from corpus.situation.model import Situation


@dataclass(frozen=True)
class LawPage(Page):
    """A law with the provision asked for in view.

    ``edition`` · ``asked``: the provision that the address names, ``law``: the node whose page it is · ``top``: the law
    as it is drawn, ``notes``: its footnotes, ``dress``: id → what hangs on a provision · ``crumbs``: what the law
    stands in, ``members``: what stands in a chapter, ``previous`` and ``next`` law · ``way_out``: where it stands in
    force, on pages that are not, ``tongues``: language → the same in a text of that language · ``notices`` of the
    edition on this law, ``slips``: what is said of slips of the print · ``subjects``: the printed index, where this is
    it · ``situations`` that lead here,
    ``json_ld`` for programs · ``rulings_shown``, ``fixes_shown``, ``strengths_shown``: what the reader asked to see;
    ``corrected``: whether there are any fixes, ``scale``: how the edition's introduction ranks its words.
    """

    template: ClassVar[str] = "law.html"
    edition: Identity
    asked: Node
    law: Node
    top: Body
    notes: tuple[Body, ...]
    dress: Mapping[NodeId, Dressing]
    crumbs: tuple[Node, ...]
    members: tuple[Node, ...]
    previous: Node | None
    next: Node | None
    way_out: twins.Twins | None
    tongues: Mapping[str, Node]
    notices: tuple[Notice, ...]
    slips: tuple[slips.Told, ...]
    subjects: Index | None
    situations: tuple[Situation, ...]
    json_ld: str
    rulings_shown: bool
    fixes_shown: bool
    corrected: bool
    strengths_shown: bool
    scale: tuple[strengths.Told, ...]

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


def law_page(
    atlas: Atlas,
    asked: Node,
    match: frozenset[str] = frozenset(),
    ruled: bool = True,
    fixes: bool = False,
    ranked: bool = False,
) -> LawPage:
    """The page on which a node is read, with that node marked as the one asked for.

    ``match``: folded words to mark in the text; ``ruled``: whether rulings are told under what they are about;
    ``fixes``: whether words that were corrected are marked; ``ranked``: whether those that order or forbid are.
    """
    library, law = atlas.library, atlas.page_of(asked)
    edition = library.editions[law.edition]
    tree, notes = page_tree(library, law), notes_of(library, law)
    if asked.kind == "footnote" and asked not in notes and asked is not law:
        notes.append(asked)
    drawer = Drawer(atlas, match, atlas.corrections if fixes else None, strengths=ranked)
    top = drawer.body(law)
    drawn = tuple(drawer.body(n) for n in notes if n is not law)
    previous, following = library.neighbours(law)
    said = edition.noticed(law.path)
    return LawPage(
        edition=edition,
        asked=asked,
        law=law,
        top=top,
        notes=drawn,
        dress=dressings(atlas, (top, *drawn), drawer, ruled),
        crumbs=tuple(library.ancestors(law)),
        members=tuple(library.members.get(law.id, ())) if law.kind in CONTAINERS else (),
        previous=previous,
        next=following,
        way_out=_way_out(atlas, edition, asked),
        tongues=_tongues(atlas, edition, asked),
        notices=said,
        slips=tuple(slips.told(library, list(dict.fromkeys([n for n in tree if n.kind != "footnote"] + notes)))),
        subjects=subject_index(atlas, law),
        situations=atlas.situations_at.get(law.id, ()),
        json_ld=structured.law(atlas, asked, any(n.paths for n in said)),
        rulings_shown=ruled,
        fixes_shown=fixes,
        corrected=any(n.id in atlas.corrections for n in tree),
        strengths_shown=ranked,
        scale=strengths.legend(library, edition),
    )


def _way_out(atlas: Atlas, edition: Identity, asked: Node) -> twins.Twins | None:
    """Where the provision stands in an edition in force; None on pages that are in force."""
    if edition.force:
        return None
    found = (twins.nearest(atlas.library, asked, e.id) for e in atlas.library.codes if e.force)
    return next(filter(None, found), None)


def _tongues(atlas: Atlas, edition: Identity, asked: Node) -> dict[str, Node]:
    """Language → the provision in a text of that language; ``x-default``: where it stands in force, else itself.

    Only what corresponds to the provision as one to one; of several texts in a language the one that is nearest in
    time, the newer first. A decision has no counterpart in another language. Nothing where there is only the provision
    itself.
    """
    out = {edition.lang: asked}
    library = atlas.library
    found = {} if edition.is_decisions else library.relations.counterparts(asked.id)
    alone = lambda rows: len(rows) == 1 and len(library.relations.counterparts(rows[0].id).get(edition.id, ())) == 1
    own = [library.nodes[rows[0].id] for rows in found.values() if alone(rows)]
    for n in sorted(own, key=lambda n: (abs(n.year - edition.year), -n.year, n.edition)):
        out.setdefault(n.lang, n)
    if len(out) == 1:
        return {}
    in_force = [n for n in out.values() if atlas.library.editions[n.edition].force]
    return out | {"x-default": asked if edition.force or len(in_force) != 1 else in_force[0]}
