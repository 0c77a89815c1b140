"""Editions side by side."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask import Blueprint, abort, redirect, render_template, request
from flask_babel import gettext as _
from markupsafe import Markup

from app.compare.redline import as_html
from app.site import addresses, drawing, slips, wording
from app.site.asked import canonical
from app.site.state import current
from app.site.twins import Twin, between
from corpus.model import Node
from corpus.relation.compare import Comparison, Row, compare, read_in, redlined

blueprint = Blueprint("compare", __name__, template_folder="templates")
MOST = 5


@dataclass
class Shown:
    """A cell as it is shown: texts (node, heading, blocks, what is said of it), or a sentence that says why there is none."""

    edition: str
    relation: str | None
    alone: str = ""
    texts: list[tuple[Node, Markup, list, Twin | None]] = field(default_factory=list)
    again: list[tuple[Node, Twin | None]] = field(default_factory=list)
    words: str = ""
    part_of: list[Node] = field(default_factory=list)


@blueprint.get("/compare/")
def start():
    """Without a path: the first law."""
    if request.args:
        abort(404)
    return redirect(addresses.compare("1"))


@blueprint.get("/compare/<path:path>")
def side_by_side(path: str):
    """Two to five editions in time order; the first one named is the base and rules the order of the rows."""
    library, atlas = current().library, current().atlas
    unknown = [e for e in dict.fromkeys(request.args.getlist("e")) if e not in library.editions]
    asked = _asked(path)
    node = read_in(library, path, asked)
    if node is None:
        meant = next((m for e in asked if (m := canonical(library, e, path))), None)
        if meant is None:
            abort(404)
        return redirect(addresses.compare(meant, asked), 308)
    order = [e.id for e in sorted((library.editions[e] for e in asked), key=lambda e: (e.year, e.id))]
    result = compare(library, node, order, atlas.beside)
    law = atlas.page_of(node)
    before, after = library.neighbours(law)
    return render_template(
        "compare.html",
        node=node,
        law=law,
        comparison=result,
        rows=_rows(result),
        order=order,
        asked=asked,
        all=atlas.ordered,
        read_in=node.edition if node.edition != asked[0] else None,
        unknown=unknown,
        path=path,
        bases=_bases(node, asked),
        redlined=len({library.editions[e].lang for e in asked}) < len(asked),
        previous=before,
        next=after,
    )


def _asked(path: str) -> list[str]:
    """The editions that the address names, the base first, or those that a reader of the path probably wants."""
    library, atlas = current().library, current().atlas
    asked = [e for e in dict.fromkeys(request.args.getlist("e")) if e in library.editions]
    if not asked:
        asked = [e.id for e in atlas.codes if e.complete and canonical(library, e.id, path)] or [
            e.id for e in atlas.codes if e.complete
        ][:2]
    if len(asked) == 1:
        asked += [e.id for e in reversed(atlas.codes) if e.id not in asked and e.complete][:1]
    return asked[:MOST]


def _rows(result: Comparison) -> list[tuple[Row, list[Shown], int]]:
    """(row, cells, depth) of the table."""
    library = current().library
    shown: set[str] = set()
    out, top = [], None
    for row in result.rows:
        cells = [_shown(result, row, i, shown) for i in range(len(result.editions))]
        first = next(library.nodes[id_] for c in row.cells for id_ in c.ids)
        depth = len(library.ancestors(first))
        top = depth if top is None else top
        out.append((row, cells, max(0, depth - top)))
    return out


def _shown(result: Comparison, row: Row, i: int, before: set[str]) -> Shown:
    library, writer = current().library, drawing.Writer(current().atlas, notes=False)
    edition, cell = result.editions[i], row.cells[i]
    lone = next((p for p in cell.pairs if not (p.a and p.b)), None)
    out = Shown(edition, cell.relation, wording.alone(lone) if lone and cell.ids else "")
    base = next(iter(row.cells[result.editions.index(result.read_in)].ids), None)
    for id_ in cell.ids:
        node = library.nodes[id_]
        statement = between(library, base, id_) if base and base != id_ else None
        if id_ in before:
            out.again.append((node, statement))
            continue
        before.add(id_)
        older = [e for e in result.editions[:i] if library.editions[e].lang == node.lang]
        red = redlined(library, node, older[-1]) if older else None
        # A redline shows every word of the text; what is known of a slip among them is told at its end.
        told = Markup("").join(slips.sign(node, s, False) for s in node.slips)
        blocks = (
            [drawing.Block(as_html(red, _("added"), _("removed")) + told)]
            if red
            else writer.blocks(node, 0, len(node.text))
        )
        out.texts.append((node, writer.heading(node), blocks, statement))
    if not cell.ids:
        out.words, out.part_of = _absence(result, row, i)
    return out


def _absence(result: Comparison, row: Row, i: int) -> tuple[str, list[Node]]:
    """Why a cell is empty, in words; and the provision that this one is perhaps a part of."""
    library, edition = current().library, current().library.editions[result.editions[i]]
    own = result.editions.index(result.read_in)
    pairs = row.cells[i].pairs
    if library.relations.code_of(edition.id) is None:
        return _("No decision on this provision."), []
    if i == own:
        return _("%(edition)s has no such provision.", edition=edition.short), []
    if pairs:
        return wording.absent(pairs[0], edition), []
    if row.cells[own].ids:
        node = library.nodes[row.cells[own].ids[0]]
        inside = f"{node.id}/"
        if (
            node.children
            and not node.text
            and any(r.cells[i].ids for r in result.rows if any(id_.startswith(inside) for id_ in r.cells[own].ids))
        ):
            return _("Compared part by part below."), []
        if near := library.relations.nearest(node.id, edition.id):
            return _("No provision of its own here; see"), [library.nodes[c.id] for c in near]
    if not edition.complete:
        return _("Not in this extract."), []
    return _("%(edition)s has no such provision.", edition=edition.short), []


def _bases(node: Node, asked: list[str]) -> dict[str, str]:
    """edition → address of the same comparison with that edition as the base."""
    library, out = current().library, {}
    for edition in asked[1:]:
        found = library.relations.counterparts(node.id).get(edition, ())
        if found:
            out[edition] = addresses.compare(found[0].id.path, [edition, *[a for a in asked if a != edition]])
    return out
