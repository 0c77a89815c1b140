"""What a reader takes away from a provision: its citation, and a card to print or to show at the table.

:func:`citation_forms` returns the citations, :func:`to_plain_text` the text of a provision, :func:`qr_code` its QR
code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, request
from flask_babel import force_locale
from flask_babel import gettext as _
from markupsafe import Markup

from app.site import addresses, phrases, reader, wording
from app.site.atlas import Atlas
from app.site.drawing import citation_if_unprinted
from app.site.excerpt import Citation, Excerpt, excerpt
from app.site.lookup import node_or_404
from app.site.page import SitePage
from app.site.qr import qr_code
from app.site.snapshot import current_snapshot
from corpus.edition import Identity
from corpus.library import Library
from corpus.model import CITED_KINDS, Node


def citation_forms(library: Library, node: Node) -> list[Citation]:
    """Return the citations of a node in the languages of the site, the reader's own first."""
    edition = library.editions[node.edition]
    link = addresses.permalink(node.id)
    text = to_plain_text(library, node)
    issued = edition.publisher or edition.short
    if str(edition.year) not in edition.title + issued:
        issued += f", {edition.year}"
    out = []
    for lang in sorted(reader.LANGUAGES, key=lambda code: code != reader.ui_language()):
        with force_locale(lang):
            name = place = wording.citation_of(node)
            if node.kind in CITED_KINDS:
                place = (
                    _("decision %(number)s", number=name) if edition.is_decisions else _("Law %(number)s", number=name)
                )
            short = f"{edition.short}, {name}"
            full = f"{edition.title} ({issued}), {place}"
            quoted = " ".join(filter(None, (citation_if_unprinted(library, node), _("“%(text)s”", text=text))))
            remarks = [*_footnote_lines(library, node), *phrases.misprint_lines(library, node, lang)]
        out.append(Citation(lang, short, full, "\n".join([f"{full}:", quoted, *remarks, link])))
    return out


def _footnote_lines(library: Library, node: Node) -> list[str]:
    """Return a line of plain text for each footnote whose mark stands in a node or below it. A footnote may decide what
    the words mean.
    """
    marks = {
        m.target: m.sign for n in library.subtree_of(node, notes=False) for m in n.marks if m.target in library.nodes
    }
    notes = [(library.nodes[target], sign) for target, sign in marks.items() if target != node.id]
    return [f"[{sign or note.label or '*'} {wording.citation_of(note)}: {note.text}]" for note, sign in notes]


def to_plain_text(library: Library, node: Node) -> str:
    r"""Return a provision with everything below it as plain text. Labels stand on the lines of their texts.

    If the printed labels do not show the citation of a part, it stands before the label in square brackets, which mark
    an addition.

    >>> to_plain_text(library, node)  # doctest: +SKIP
    '1. Hráč môže …\n(a) …'
    """
    lines: list[str] = []
    _append_lines(library, node, lines, True)
    return "\n".join(lines)


def _append_lines(library: Library, node: Node, lines: list[str], first: bool = False) -> None:
    cited = "" if first else citation_if_unprinted(library, node)
    head = " ".join(x for x in (cited and f"[{cited}]", node.label, node.heading) if x)
    pending = head
    if node.heading:
        lines.append(head)
        pending = ""
    for piece in node.content:
        if piece.child:
            child = library.nodes[piece.child]
            if child.kind == "footnote":
                continue
            if pending:
                lines.append(pending)
                pending = ""
            _append_lines(library, child, lines)
        else:
            lines.append(f"{pending} {piece.text}".strip())
            pending = ""
    if pending:
        lines.append(pending)


@dataclass(frozen=True)
class CitePage(SitePage):
    """The page with the ``forms`` in which a ``node`` of an ``edition`` is cited, the reader's language first.

    ``link`` is its permanent address, and ``qr`` the same as a QR code.
    """

    template: ClassVar[str] = "cite.html"
    node: Node
    edition: Identity
    forms: tuple[Citation, ...]
    link: str
    qr: Markup


@dataclass(frozen=True)
class CardPage(SitePage):
    """An ``excerpt`` in large type, with its ``counterparts`` in other editions, for links to their cards.

    ``link`` is its permanent address, and ``qr`` the same as a QR code.
    """

    template: ClassVar[str] = "card.html"
    excerpt: Excerpt
    counterparts: tuple[phrases.EditionCounterparts, ...]
    link: str
    qr: Markup


def cite_page(library: Library, node: Node) -> CitePage:
    """Build the page of a node's citations."""
    link = addresses.permalink(node.id)
    return CitePage(node, library.editions[node.edition], tuple(citation_forms(library, node)), link, qr_code(link))


def card_page(atlas: Atlas, node: Node) -> CardPage:
    """Build the card of a node. A point of decisions gets no counterparts."""
    link = addresses.permalink(node.id)
    decides = atlas.library.editions[node.edition].is_decisions
    return CardPage(
        excerpt(atlas, node),
        () if decides else tuple(phrases.counterparts_by_edition(atlas.library, node)),
        link,
        qr_code(link),
    )


blueprint = Blueprint("cite", __name__)


@blueprint.get("/cite/<edition>/<path:path>")
def cite(edition: str, path: str) -> str:
    """Show a provision's citation in all forms and languages of the site. ``?piece=1`` returns it without the page
    around it.
    """
    page = cite_page(current_snapshot().library, node_or_404(addresses.cite, edition, path))
    return page.render("cite_piece.html" if request.args.get("piece") else "")


@blueprint.get("/card/<edition>/<path:path>")
def card(edition: str, path: str) -> str:
    """Show one provision in large type, for the middle of the table."""
    return card_page(current_snapshot().atlas, node_or_404(addresses.card, edition, path)).render()
