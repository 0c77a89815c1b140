"""A provision alone, as one prints it, previews it or puts it on a card: with the notes that hang on its words."""

from __future__ import annotations

from dataclasses import dataclass

from app.site import slips
from app.site.atlas import Atlas
from app.site.drawing import Drawer
from app.site.drawn import Body
from corpus.edition.identity import Identity, Notice
from corpus.library import Library
from corpus.model import CONTAINERS, Node


@dataclass(frozen=True)
class Excerpt:
    """``asked`` is what ``body`` draws, ``law`` the node whose page shows it; ``notes`` are the footnotes whose marks
    stand in it, ``slips`` what is said of slips of the print, ``notices`` what the manifest says of its law.
    """

    edition: Identity
    asked: Node
    law: Node
    body: Body
    notes: tuple[Body, ...]
    notices: tuple[Notice, ...]
    slips: tuple[slips.MisprintNote, ...]


def excerpt(atlas: Atlas, asked: Node, tells: bool = True) -> Excerpt:
    """A provision without its law; ``tells``: there is room for links to the notes on slips."""
    library, law = atlas.library, atlas.page_of(asked)
    drawer = Drawer(atlas, tells=tells, notes=False)
    shown = library.subtree(asked, notes=False)
    carried = {m.target for n in shown for m in n.marks}
    notes = [n for n in notes_of(library, law) if n.id in carried and n is not asked]
    return Excerpt(
        edition=library.editions[asked.edition],
        asked=asked,
        law=law,
        body=drawer.body(asked),
        notes=tuple(drawer.body(n) for n in notes),
        notices=library.editions[law.edition].noticed(law.path),
        slips=tuple(slips.misprint_notes(library, [*shown, *notes])),
    )


def page_tree(library: Library, law: Node) -> list[Node]:
    """The nodes that a law's page shows; what a chapter holds has pages of its own."""
    return library.subtree(law) if law.kind not in CONTAINERS else [law]


def notes_of(library: Library, law: Node) -> list[Node]:
    """The footnotes of a page: its own, then those numbered through the book, which are shown where their marks are."""
    tree = page_tree(library, law)
    loose = dict.fromkeys(m.target for n in tree for m in n.marks)
    own = [n for n in tree if n.kind == "footnote"]
    return own + [library.nodes[t] for t in loose if t in library.nodes and library.nodes[t] not in tree]
