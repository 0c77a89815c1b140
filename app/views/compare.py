"""Editions side by side."""
from __future__ import annotations

from dataclasses import dataclass, field

from flask import Blueprint, abort, redirect, render_template, request
from flask_babel import gettext as _
from markupsafe import Markup

from app import addresses, prose
from app.comparing import Comparison, Row, compare
from app.redline import as_html, redline
from app.state import current
from corpus.model import Node

blueprint = Blueprint("compare", __name__)
MOST = 5


@dataclass
class Cell:
    """What an edition has in a row: texts (node, heading, blocks), or a sentence that says why there is none."""

    edition: str
    relation: str | None
    texts: list[tuple[Node, Markup, list]] = field(default_factory=list)
    again: list[Node] = field(default_factory=list)
    words: str = ""
    part_of: list[Node] = field(default_factory=list)


@blueprint.get("/compare/")
def start():
    """Without a path: the first law of the first edition that has one."""
    return redirect("/compare/1")


@blueprint.get("/compare/<path:path>")
def side_by_side(path: str):
    """Two to five editions, the first named is the base."""
    library, atlas = current().library, current().atlas
    asked = [e for e in dict.fromkeys(request.args.getlist("e")) if e in library.editions]
    if not asked:
        asked = [e.id for e in atlas.codes if library.node(e.id, path) and e.complete] or [e.id for e in atlas.codes][:2]
    if len(asked) == 1:
        asked += [e.id for e in reversed(atlas.codes) if e.id not in asked and e.complete][:1]
    asked = asked[:MOST]
    node = library.node(asked[0], path)
    if node is None:
        meant = addresses.canonical(library, asked[0], path)
        if meant is None:
            abort(404)
        return redirect(f"/compare/{meant}?" + "&".join(f"e={e}" for e in asked), 308)
    result = compare(atlas, node, asked[1:])
    law = atlas.page_of(node)
    before, after = library.neighbours(law)
    return render_template("compare.html", node=node, law=law, comparison=result, rows=_rows(result), asked=asked, all=atlas.ordered,
                           bases=_bases(node, asked), redlined=len({library.editions[e].lang for e in asked}) < len(asked), previous=before, next=after)


def _rows(result: Comparison) -> list[tuple[Row, list[Cell], int]]:
    """(row, cells, depth) of the table."""
    library, atlas = current().library, current().atlas
    writer, shown, out = prose.Writer(atlas), set(), []
    top = None
    for row in result.rows:
        cells = []
        for i, (edition, ids) in enumerate(zip(result.editions, row.cells)):
            cell = Cell(edition, row.relations[i])
            for id_ in ids:
                node = library.nodes[id_]
                if id_ in shown:
                    cell.again.append(node)
                    continue
                shown.add(id_)
                cell.texts.append((node, writer.heading(node), _redlined(row, cells, node) or writer.blocks(node, 0, len(node.text))))
            if not ids:
                cell.words, cell.part_of = _absence(result, row, i)
            cells.append(cell)
        first = next(library.nodes[ids[0]] for ids in row.cells if ids)
        depth = len(library.ancestors(first))
        top = depth if top is None else top
        out.append((row, cells, max(0, depth - top)))
    return out


def _redlined(row: Row, before: list[Cell], node: Node) -> list[prose.Block] | None:
    """The text as a redline against the first column of the same language, when one provision stands against one."""
    for cell in before:
        for older, _heading, _blocks in cell.texts:
            if older.lang == node.lang and len(cell.texts) == 1 and older.text and node.text and not node.tables:
                parts = redline(older.text, node.text)
                if any(sign != "=" for sign, _words in parts):
                    return [prose.Block(as_html(parts, _("added"), _("removed")))]
                return None
    return None


def _absence(result: Comparison, row: Row, i: int) -> tuple[str, list[Node]]:
    """Why a cell is empty, in words; and the provision that this one is perhaps a part of."""
    library = current().library
    edition = library.editions[result.editions[i]]
    if i == 0:
        return _("%(edition)s has no such provision.", edition=edition.short), []
    relation = row.relations[i]
    if relation == "dropped":
        return _("Dropped: %(edition)s no longer has it.", edition=edition.short), []
    if relation == "new":
        return _("New: %(edition)s does not have it yet.", edition=edition.short), []
    if row.cells[0]:
        own = library.nodes[row.cells[0][0]]
        if own.children and not own.text and any(r.cells[i] for r in result.rows if r.cells[0] and r.cells[0][0].startswith(own.id + "/")):
            return _("Compared part by part below."), []
        for step in reversed(library.ancestors(library.nodes[row.cells[0][0]])):
            near = [library.nodes[t] for t, _r in library.counterparts(step.id).get(edition.id, ()) if t in library.nodes]
            if near:
                return _("No provision of its own here; see"), near
    return _("%(edition)s has no such provision.", edition=edition.short), []


def _bases(node: Node, asked: list[str]) -> dict[str, str]:
    """edition → address of the same comparison with that edition as the base."""
    library, out = current().library, {}
    for edition in asked[1:]:
        twins = library.counterparts(node.id).get(edition, ())
        path = addresses.split_id(twins[0][0])[1] if twins else node.path
        if library.node(edition, path):
            out[edition] = f"/compare/{path}?" + "&".join(f"e={e}" for e in [edition, *[a for a in asked if a != edition]])
    return out
