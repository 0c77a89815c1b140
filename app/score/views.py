"""The addresses of scores: ``/score`` and ``/score/<group>``. Each state of a page has its address; a tap is a link.

``blueprint`` is registered by :func:`app.create_app`. The page models are in :mod:`app.score.page`.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from app.score.page import codes_with_scores, score_card, score_page, scores_page
from app.site import addresses, reader
from app.site.board import read_board
from app.site.lookup import nearest_name
from app.site.score_request import GROUPS, read_request
from app.site.snapshot import current_snapshot

blueprint = Blueprint("score", __name__, template_folder="templates")
addresses.SCORE_PARAMETERS.update(
    {name: frozenset(parameter.name for parameter in group.parameters) for name, group in GROUPS.items()}
)


def _code_or_404() -> str:
    """Return the code of this request: that of its address, else the one in force."""
    codes = codes_with_scores(current_snapshot().atlas)
    if not codes:
        abort(404, "No figures of any laws are here.")
    return reader.code_in_address(codes)


@blueprint.get("/score")
def scores() -> Response:
    """Show the kinds of score."""
    code, atlas = _code_or_404(), current_snapshot().atlas
    board = read_board(atlas, code, reader.ui_language(), request.args.getlist("from"))
    return Response(scores_page(code, codes_with_scores(atlas), board).render(), mimetype="text/html")


@blueprint.get("/score/<group>")
def score(group: str) -> Response:
    """Show a kind of score. What is wrong in the address stands at its field; no cache stores such a page."""
    if group not in GROUPS:
        near = nearest_name(GROUPS, group)
        abort(404, f"There is no score “{group[: addresses.MAX_QUOTED_LENGTH]}”. The nearest is “{near}”.")
    atlas, code = current_snapshot().atlas, _code_or_404()
    rules = next(rules for rules in atlas.library.scores.codes if rules.code == code)
    board = read_board(atlas, code, reader.ui_language(), request.args.getlist("from"))
    given = {name: request.args.getlist(name) for name in addresses.SCORE_PARAMETERS[group]}
    asked = read_request(GROUPS[group], rules, given, atlas.library)
    page = score_page(atlas, asked, codes_with_scores(atlas), board)
    shown = score_card(page) if page.result and request.args.get("show") == "players" else page
    response = Response(shown.render(), mimetype="text/html")
    if asked.faults or board.broken:
        response.headers["Cache-Control"] = "no-store"
    return response
