"""The comparison of editions side by side: two to five editions in columns, one provision in a row.

:func:`compare_page` builds the page model from :func:`corpus.compare.compare`, which aligns the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, abort, redirect, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app.site import addresses, phrases
from app.site.atlas import Atlas
from app.site.drawing import Drawer, InlinePiece, ParagraphBlock, TextBlock, TextRun
from app.site.lookup import canonical_path
from app.site.page import SitePage
from app.site.phrases import CounterpartStatement, statement_between
from app.site.snapshot import current_snapshot
from corpus.compare import ComparedRow, Comparison, RedlineChunk, compare, find_compared_node, redline_of_node
from corpus.edition import Identity
from corpus.library import Library
from corpus.model import CONTAINER_KINDS, LAW_KINDS, Node, Pair


def redline_paragraphs(
    parts: Sequence[RedlineChunk], signs: tuple[InlinePiece, ...] = ()
) -> tuple[ParagraphBlock, ...]:
    """Return the paragraphs of a redline, with the stretches marked that only one of the two texts has.

    ``parts`` are the chunks of the redline. ``signs`` are signs of misprints, which are added at the end of the last
    paragraph.
    """
    out: list[list[InlinePiece]] = [[]]
    for sign, words in parts:
        first, *further = words.split("\n\n")
        for text, paragraph in [(first, out[-1]), *((text, []) for text in further)]:
            if paragraph is not out[-1]:
                out.append(paragraph)
            if text:
                paragraph.append(TextRun(text, change="" if sign == "=" else sign))
    out[-1] += signs
    return tuple(ParagraphBlock(tuple(pieces)) for pieces in out if pieces)


@dataclass(frozen=True)
class CellText:
    """The text of a ``node`` in a cell, drawn as ``heading`` and ``blocks``.

    ``statement``: how the node corresponds to the provision of the base; None when nothing is to be stated.
    """

    node: Node
    heading: tuple[InlinePiece, ...]
    blocks: tuple[TextBlock, ...]
    statement: CounterpartStatement | None


@dataclass(frozen=True)
class Absence:
    """Why a cell is empty, in words. ``near`` are provisions that perhaps contain the missing one."""

    words: str
    near: tuple[Node, ...] = ()


@dataclass(frozen=True)
class ComparisonCell:
    """What an ``edition`` has in a row.

    ``texts`` are shown in full. ``again`` are nodes that a row above shows already. ``absence`` explains an empty cell.
    ``alone``: the remark on a provision that the base lacks, such as “new” or “later dropped”, else "". ``lone``: the
    pair of the concordance that is the reason for it, or None.
    """

    edition: Identity
    relation: str | None
    alone: str
    lone: Pair | None
    texts: tuple[CellText, ...]
    again: tuple[tuple[Node, CounterpartStatement | None], ...]
    absence: Absence | None

    @property
    def has_several(self) -> bool:
        """Whether the cell has more than one text, or its ``relation`` is ``merged``."""
        return len(self.texts) + len(self.again) > 1 or self.relation == "merged"


@dataclass(frozen=True)
class ComparePage(SitePage):
    """A ``node`` in several editions, side by side in ``columns`` in time order. It is read in the first edition that
    has it.

    ``requested`` are the ids of the editions in the address, the base first. ``all`` are the editions to choose from.
    ``unknown`` are names in the address that are not editions. ``path`` is the path of the address. ``read_in`` is the
    edition in which the node was read, if the base lacks it. ``rows`` holds (cells, depth). ``by_law``: the node is a
    chapter or a part, whose rows are its laws; each law has a comparison of its own. ``computed``: some row is a
    computed proposal. ``redlined``: two of the texts have one language. ``bases`` maps an edition to the address of the
    same comparison with that edition as the base. ``previous`` and ``next`` are the neighbouring laws.
    """

    template: ClassVar[str] = "compare.html"
    node: Node
    columns: tuple[Identity, ...]
    requested: tuple[str, ...]
    all: tuple[Identity, ...]
    unknown: tuple[str, ...]
    path: str
    read_in: Identity | None
    rows: tuple[tuple[tuple[ComparisonCell, ...], int], ...]
    by_law: bool
    computed: bool
    redlined: bool
    bases: Mapping[str, str]
    previous: Node | None
    next: Node | None


def compare_page(atlas: Atlas, node: Node, path: str, requested: list[str], unknown: list[str]) -> ComparePage:
    """Build the page for ``node`` in two to five editions. The first of ``requested`` is the base; it sets the order of
    the rows.
    """
    library = atlas.library
    columns = sorted((library.editions[e] for e in requested), key=lambda e: e.sort_key)
    result = compare(library, node, [e.id for e in columns], atlas.decision_counterparts)
    by_law = node.kind in CONTAINER_KINDS and any(n.kind in LAW_KINDS for n in library.nodes_inside(node))
    previous, following = library.neighbouring_laws(atlas.page_node_of(node))
    return ComparePage(
        node=node,
        columns=tuple(columns),
        requested=tuple(requested),
        all=atlas.editions_in_order,
        unknown=tuple(unknown),
        path=path,
        read_in=library.editions[node.edition] if node.edition != requested[0] else None,
        rows=tuple(_table_rows(atlas, result, by_law)),
        by_law=by_law,
        computed=any(row.is_computed for row in result.rows),
        redlined=len({e.lang for e in columns}) < len(columns),
        bases=_base_addresses(atlas, node, requested),
        previous=previous,
        next=following,
    )


def _is_row_of_laws(library: Library, row: ComparedRow) -> bool:
    """Whether a row has a law or a decision, and not only what is inside laws."""
    ids = (id_ for cell in row.cells for id_ in cell.ids)
    return any(library.nodes[id_].kind in LAW_KINDS or library.editions[id_.edition].is_decisions for id_ in ids)


def _table_rows(atlas: Atlas, result: Comparison, by_law: bool) -> list[tuple[tuple[ComparisonCell, ...], int]]:
    """Return (cells, depth) for each row; ``by_law``: for the rows of laws alone.

    A text is shown in full only in the first row that has it.
    """
    library = atlas.library
    shown: set[str] = set()
    rows = [row for row in result.rows if not by_law or _is_row_of_laws(library, row)]
    firsts = [next(library.nodes[id_] for c in row.cells for id_ in c.ids) for row in rows]
    depths = [len(library.ancestors_of(n)) for n in firsts]
    out = []
    for row, depth in zip(rows, depths, strict=True):
        cells = tuple(_make_cell(atlas, result, row, i, shown) for i in range(len(row.cells)))
        shown |= {id_ for c in row.cells for id_ in c.ids}
        out.append((cells, max(0, depth - depths[0])))
    return out


def _make_cell(atlas: Atlas, result: Comparison, row: ComparedRow, i: int, before: set[str]) -> ComparisonCell:
    library, cell = atlas.library, row.cells[i]
    base = next(iter(row.cells[result.base_column].ids), None)
    lone = next((p for p in cell.pairs if not p.both_ids), None)
    found = [
        (library.nodes[id_], statement_between(library, base, id_) if base and base != id_ else None)
        for id_ in cell.ids
    ]
    return ComparisonCell(
        edition=library.editions[result.editions[i]],
        relation=cell.relation,
        alone=phrases.describe_extra_provision(lone) if lone and cell.ids else "",
        lone=lone,
        texts=tuple(_make_cell_text(atlas, n, t, result.editions[:i]) for n, t in found if n.id not in before),
        again=tuple((n, t) for n, t in found if n.id in before),
        absence=None if cell.ids else _explain_absence(atlas, result, row, i),
    )


def _make_cell_text(
    atlas: Atlas, node: Node, statement: CounterpartStatement | None, columns: Sequence[str]
) -> CellText:
    """Return a text for a cell. It is a redline if one of ``columns``, the ids of the older editions beside it, is in
    the same language and has an older text that differs.
    """
    library, drawer = atlas.library, Drawer(atlas, links_misprints=False, notes=False)
    older = [e for e in columns if library.editions[e].lang == node.lang]
    red = redline_of_node(library, node, older[-1]) if older else None
    # A redline shows every word of the text, so the misprints in it are marked at its end.
    signs = tuple(drawer.misprint_sign(node, s) for s in node.misprints)
    blocks = redline_paragraphs(red, signs) if red else tuple(drawer.blocks(node, 0, len(node.text)))
    return CellText(node, drawer.heading(node), blocks, statement)


def _explain_absence(atlas: Atlas, result: Comparison, row: ComparedRow, i: int) -> Absence:
    """Return why the edition of column ``i`` has nothing in a row. When several reasons are possible, the surest is
    given.
    """
    library, edition = atlas.library, atlas.library.editions[result.editions[i]]
    own = result.base_column
    if library.relations.code_of(edition.id) is None:
        return Absence(_("No decision on this provision."))
    unreviewed = i != own and not library.relations.is_reviewed(result.editions[own], edition.id)
    if i != own and row.cells[i].pairs and not unreviewed:
        return Absence(phrases.describe_absence(row.cells[i].pairs[0], edition))
    near = _absence_with_near_provisions(atlas, result, row, i) if i != own and row.cells[own].ids else None
    if near and (not near.near or not unreviewed):
        return near
    if i != own and not edition.complete:
        return Absence(_("Not in this extract."))
    if unreviewed:
        words = _("The computer found nothing that corresponds here; nobody has looked.")
        return Absence(words, near.near if near else ())
    return Absence(_("%(edition)s has no such provision.", edition=edition.short))


def _absence_with_near_provisions(atlas: Atlas, result: Comparison, row: ComparedRow, i: int) -> Absence | None:
    """Return the absence of column ``i``, with where its edition probably has the words of the row's provision.

    The words are compared in the rows of the provision's parts, or stand in the counterparts of the nearest provision
    around it. None when the edition has neither.
    """
    library, own = atlas.library, result.base_column
    node = library.nodes[row.cells[own].ids[0]]
    parts = [r for r in result.rows if any(node.id.contains(id_) for id_ in r.cells[own].ids if id_ != node.id)]
    if node.children and not node.text and any(r.cells[i].ids for r in parts):
        return Absence(_("Compared part by part."))
    near = library.relations.nearest_counterparts(node.id, result.editions[i])
    nodes = tuple(library.nodes[c.id] for c in near)
    return Absence(_("No provision of its own here; see"), nodes) if near else None


def _base_addresses(atlas: Atlas, node: Node, requested: list[str]) -> dict[str, str]:
    """Return edition → address of the same comparison with that edition as the base. ``requested``: the editions of the
    address.
    """
    counterparts = atlas.library.relations.counterparts_of(node.id)
    return {
        e: addresses.compare(counterparts[e][0].id.path, [e, *[a for a in requested if a != e]])
        for e in requested[1:]
        if counterparts.get(e)
    }


blueprint = Blueprint("compare", __name__)


@blueprint.get("/compare/")
def redirect_to_first_law() -> Response:
    """Redirect ``/compare/``, which names no provision, to the comparison of the first law."""
    if set(request.args) - {"ui"}:
        abort(404)
    return redirect(addresses.redirect_address(addresses.compare("1")))


@blueprint.get("/compare/<path:path>")
def side_by_side(path: str) -> str | Response:
    """Show two to five editions in time order. The first edition named is the base."""
    library, atlas = current_snapshot().library, current_snapshot().atlas
    named = list(dict.fromkeys(request.args.getlist("e")))
    chosen = _choose_editions(atlas, path, [e for e in named if e in library.editions])
    node = find_compared_node(library, path, chosen)
    if node is None:
        meant = next((m for e in chosen if (m := canonical_path(library, e, path))), None)
        return redirect(addresses.redirect_address(addresses.compare(meant, chosen)), 308) if meant else abort(404)
    return compare_page(atlas, node, path, chosen, [e for e in named if e not in library.editions]).render()


def _choose_editions(atlas: Atlas, path: str, named: list[str]) -> list[str]:
    """Return the ids of the editions to compare. These are the ``named`` ones, the base first; when none is named, the
    complete editions that have the path, else the first two complete ones. A single edition gets a second one beside
    it.
    """
    whole = [e.id for e in atlas.library.law_editions if e.complete]
    chosen = named or [e for e in whole if canonical_path(atlas.library, e, path)] or whole[:2]
    if len(chosen) == 1:
        chosen = chosen + [e for e in reversed(whole) if e not in chosen][:1]
    return chosen[: addresses.MAX_COMPARED_EDITIONS]
