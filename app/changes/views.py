"""What changed between two editions: one list of changes, and the picture of moves."""

from __future__ import annotations

from itertools import combinations

from flask import Blueprint, abort, redirect, render_template, request

from app.changes import picture
from app.site import addresses, twins, wording
from app.site.state import current
from corpus.relation import changes

blueprint = Blueprint("changes", __name__, template_folder="templates")


@blueprint.get("/changes/")
def all_changes():
    """The pairs of editions whose laws can be compared."""
    atlas = current().atlas
    rows = [
        (a, b, changes.counts(changes.changes(atlas.library, a.id, b.id)))
        for a, b in combinations(atlas.codes, 2)
        if atlas.library.relations.pairs(a.id, b.id)
    ]
    return render_template("changes_start.html", pairs=rows)


@blueprint.get("/changes/<older>/<newer>")
def changed(older: str, newer: str):
    """One list of changes, by kind, and the picture of moves."""
    atlas = current().atlas
    order = [e.id for e in atlas.codes]
    if older not in order or newer not in order or older == newer:
        abort(404)
    if order.index(older) > order.index(newer):
        return redirect(addresses.changes(newer, older), 308)
    rows = changes.changes(atlas.library, older, newer)
    chosen = [k for k in request.args.getlist("kind") if k in wording.CHANGES]
    editions = atlas.library.editions
    return render_template(
        "changes.html",
        older=editions[older],
        newer=editions[newer],
        counts=changes.counts(rows),
        chosen=chosen,
        rows=[
            (r, twins.between(atlas.library, r.pair.a, r.pair.b) if r.pair and r.pair.a and r.pair.b else None)
            for r in rows
            if not chosen or r.kind in chosen
        ],
        picture=picture.moves(atlas, older, newer),
    )
