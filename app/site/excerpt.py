"""A provision alone, as one prints it, previews it or puts it on a card: with the notes that hang on its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from app.site import addresses, phrases
from app.site.atlas import Atlas
from app.site.drawing import Drawer, NodeBody
from corpus.edition import Identity, Notice
from corpus.library import Library
from corpus.model import CONTAINER_KINDS, Node
from index.answer import SnippetRun, Suggestion

# Words to mark in a provision that is opened from an answer.
MAX_MARKED_WORDS = 12


def snippet_html(runs: Sequence[SnippetRun]) -> str:
    """Escaped text with ``<mark>``."""
    return "".join(f"<mark>{escape(run.text)}</mark>" if run.is_match else escape(run.text) for run in runs)


def marked_words(runs: Sequence[SnippetRun]) -> list[str]:
    """The words of the runs that are marked, in lower case, each once."""
    words = (w.lower() for run in runs if run.is_match for w in re.findall(r"\w+", run.text))
    return list(dict.fromkeys(words))[:MAX_MARKED_WORDS]


def suggestion_address(suggestion: Suggestion) -> str:
    """The provision, the situation, or the search for its words."""
    if suggestion.situation:
        return addresses.situation(suggestion.situation)
    return addresses.provision(suggestion.node) if suggestion.node else addresses.search(suggestion.query or "")


@dataclass(frozen=True)
class Citation:
    """The forms in one language of the site. ``quotation`` keeps the labels and brings what is said of slips of the
    print along.
    """

    lang: str
    short: str
    full: str
    quotation: str


@dataclass(frozen=True)
class Excerpt:
    """``asked`` is what ``body`` draws, ``law`` the node whose page shows it; ``notes`` are the footnotes whose marks
    stand in it, ``slips`` what is said of slips of the print, ``notices`` what the manifest says of its law.
    """

    edition: Identity
    asked: Node
    law: Node
    body: NodeBody
    notes: tuple[NodeBody, ...]
    notices: tuple[Notice, ...]
    slips: tuple[phrases.MisprintNote, ...]


def excerpt(atlas: Atlas, asked: Node, tells: bool = True) -> Excerpt:
    """A provision without its law; ``tells``: there is room for links to the notes on slips."""
    library, law = atlas.library, atlas.page_node_of(asked)
    drawer = Drawer(atlas, tells=tells, notes=False)
    shown = library.subtree_of(asked, notes=False)
    carried = {m.target for n in shown for m in n.marks}
    notes = [n for n in footnotes_of(library, law) if n.id in carried and n is not asked]
    return Excerpt(
        edition=library.editions[asked.edition],
        asked=asked,
        law=law,
        body=drawer.body(asked),
        notes=tuple(drawer.body(n) for n in notes),
        notices=library.editions[law.edition].notices_for(law.path),
        slips=tuple(phrases.misprint_notes(library, [*shown, *notes])),
    )


def nodes_of_page(library: Library, law: Node) -> list[Node]:
    """The nodes that a law's page shows; what a chapter holds has pages of its own."""
    return library.subtree_of(law) if law.kind not in CONTAINER_KINDS else [law]


def footnotes_of(library: Library, law: Node) -> list[Node]:
    """The footnotes of a page: its own, then those numbered through the book, which are shown where their marks are."""
    tree = nodes_of_page(library, law)
    loose = dict.fromkeys(m.target for n in tree for m in n.marks)
    own = [n for n in tree if n.kind == "footnote"]
    return own + [library.nodes[t] for t in loose if t in library.nodes and library.nodes[t] not in tree]
