"""A provision without the rest of its law: for printing, a preview or a card, with the footnotes that it refers to.

The entry point is :func:`excerpt`. Beside it stand helpers of the pages that show snippets and citations.
"""

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

# How many words are marked in a provision that is opened from a search result.
MAX_MARKED_WORDS = 12


def snippet_html(runs: Sequence[SnippetRun]) -> str:
    """Return the runs of a snippet as escaped HTML, with ``<mark>`` around the words that match."""
    return "".join(f"<mark>{escape(run.text)}</mark>" if run.is_match else escape(run.text) for run in runs)


def marked_words(runs: Sequence[SnippetRun]) -> list[str]:
    """Return the words of the matching runs in lower case, each once, at most ``MAX_MARKED_WORDS``."""
    words = (w.lower() for run in runs if run.is_match for w in re.findall(r"\w+", run.text))
    return list(dict.fromkeys(words))[:MAX_MARKED_WORDS]


def suggestion_address(suggestion: Suggestion) -> str:
    """Return the address that a suggestion leads to: a situation, a provision, or the search for its words."""
    if suggestion.situation:
        return addresses.situation(suggestion.situation)
    return addresses.provision(suggestion.node) if suggestion.node else addresses.search(suggestion.query or "")


@dataclass(frozen=True)
class Citation:
    """The forms of a citation in one language of the site.

    ``quotation`` keeps the labels and includes the remarks on misprints.
    """

    lang: str
    short: str
    full: str
    quotation: str


@dataclass(frozen=True)
class Excerpt:
    """A provision with what belongs to it.

    - ``node``: the node that ``body`` draws; ``law``: the node whose page shows it.
    - ``notes``: the footnotes whose marks stand in it.
    - ``notices``: the notices of the edition's manifest on the law.
    - ``misprints``: the remarks on misprints in it.
    """

    edition: Identity
    node: Node
    law: Node
    body: NodeBody
    notes: tuple[NodeBody, ...]
    notices: tuple[Notice, ...]
    misprints: tuple[phrases.MisprintNote, ...]


def excerpt(atlas: Atlas, node: Node, links_misprints: bool = True) -> Excerpt:
    """Return a provision without its law. ``links_misprints``: the page has room for links between signs and remarks of
    misprints.
    """
    library, law = atlas.library, atlas.page_node_of(node)
    drawer = Drawer(atlas, links_misprints=links_misprints, notes=False)
    shown = library.subtree_of(node, notes=False)
    carried = {m.target for n in shown for m in n.marks}
    notes = [n for n in footnotes_of(library, law) if n.id in carried and n is not node]
    return Excerpt(
        edition=library.editions[node.edition],
        node=node,
        law=law,
        body=drawer.body(node),
        notes=tuple(drawer.body(n) for n in notes),
        notices=library.editions[law.edition].notices_for(law.path),
        misprints=tuple(phrases.misprint_notes(library, [*shown, *notes])),
    )


def nodes_of_page(library: Library, law: Node) -> list[Node]:
    """Return the nodes that the page of a law shows. A chapter shows itself only: its laws have pages of their own."""
    return library.subtree_of(law) if law.kind not in CONTAINER_KINDS else [law]


def footnotes_of(library: Library, law: Node) -> list[Node]:
    """Return the footnotes of a page: first its own, then those that are numbered through the book and whose marks it
    has.
    """
    tree = nodes_of_page(library, law)
    loose = dict.fromkeys(m.target for n in tree for m in n.marks)
    own = [n for n in tree if n.kind == "footnote"]
    return own + [library.nodes[t] for t in loose if t in library.nodes and library.nodes[t] not in tree]
