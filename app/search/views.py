"""The search page."""

from __future__ import annotations

import re
from html import unescape

from flask import Blueprint, render_template, request
from markupsafe import Markup

from app.search import opensearch
from app.site import addresses, reader, wording
from app.site.searching import LONGEST
from app.site.state import current

blueprint = Blueprint("search", __name__, template_folder="templates")
blueprint.register_blueprint(opensearch.blueprint)
PAGE = 20
# A snippet holds escaped text and mark elements only; what else looks like a tag is shown as text.
_TAG = re.compile(r"<(?!/?mark>)")


@blueprint.get("/search")
def search():
    """Results with facets. A citation alone that one edition answers in full is still a page of results: one click away."""
    library, atlas = current().library, current().atlas
    q = request.args.get("q", "").strip()[:LONGEST]
    filters = _filters()
    page = _page()
    if not q:
        return render_template(
            "search.html", query="", answer=None, filters=filters, facets=[], page=0, pages=0, hits=[]
        )
    # Only a language that texts here are in is a hint; a reader of the English pages may type any.
    spoken = {e.lang for e in library.editions.values()}
    named = request.args.get("qlang")
    hint = named or reader.ui()
    ask = lambda qlang: (
        current()
        .search.answer(
            q,
            langs=tuple(filters["lang"]),
            editions=tuple(filters["edition"]),
            kinds=tuple(filters["kind"]),
            qlang=qlang,
            limit=PAGE,
            offset=page * PAGE,
        )
        .to_json()
    )
    answer = ask(hint if hint in spoken else None)
    # A language that the address names is taken as the API takes it; the reader's own is only a guess at the query's.
    if not named and hint in spoken and not answer["confident"] and (freely := ask(None))["confident"]:
        answer = freely
    hits = [_hit(library.nodes[r["id"]], r) for r in answer["results"] if r["id"] in library.nodes]
    return render_template(
        "search.html",
        query=q,
        answer=answer,
        filters=filters,
        hits=hits,
        page=page,
        pages=(answer["total"] + PAGE - 1) // PAGE,
        facets=_facets(q, filters, answer.get("facets") or {}, atlas),
    )


def _filters() -> dict[str, list[str]]:
    """The filters of the address; unknown values are dropped, a page for people does not scold."""
    library = current().library
    known = {
        "edition": set(library.editions),
        "lang": {e.lang for e in library.editions.values()},
        "kind": set(wording.KINDS),
    }
    return {
        name: [v for v in dict.fromkeys(request.args.getlist(name)) if v in allowed] for name, allowed in known.items()
    }


def _page() -> int:
    text = request.args.get("page", "0")
    return min(int(text), 5000) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def _hit(node, result: dict) -> dict:
    """A result with the words to mark after opening and its counterparts as nodes."""
    library = current().library
    found = dict.fromkeys(
        w.lower()
        for m in re.findall(r"<mark>(.*?)</mark>", result.get("snippet") or "", re.DOTALL)
        for w in re.findall(r"\w+", unescape(m))
    )
    return {
        "node": node,
        "edition": library.editions[node.edition],
        "law": library.law_of(node),
        "url": addresses.law(node.id, hl=" ".join(list(found)[:12]) or None),
        "snippet": Markup(_TAG.sub("&lt;", result.get("snippet") or "")),
        "counterparts": [library.nodes[i] for i in result.get("counterparts", ()) if i in library.nodes],
    }


def _facets(q: str, filters: dict, counted: dict, atlas) -> list[dict]:
    """For each facet its values with counts; each a link that puts the value on or takes it off."""
    names = {"edition": lambda v: atlas.library.editions[v].short, "lang": wording.language, "kind": wording.kind}
    out = []
    for name, name_of in names.items():
        rows = []
        for value, count in (counted.get(name) or {}).items():
            on = value in filters[name]
            changed = {**filters, name: [v for v in filters[name] if v != value] if on else [*filters[name], value]}
            rows.append({"text": name_of(value), "count": count, "on": on, "url": addresses.search(q, changed)})
        for value in filters[name]:
            if not any(r["on"] for r in rows):
                changed = {**filters, name: [v for v in filters[name] if v != value]}
                rows.append({"text": name_of(value), "count": 0, "on": True, "url": addresses.search(q, changed)})
        if rows:
            out.append({"name": name, "rows": rows})
    laws = list((counted.get("law") or {}).items())[:12]
    if laws:
        named = {
            n.path: wording.cited(n)
            for e in reversed(atlas.codes)
            for n in atlas.library.of(e.id)
            if n.kind == "footnote"
        }
        out.append(
            {
                "name": "law",
                "rows": [
                    {"text": named.get(value, value), "count": count, "on": False, "url": None} for value, count in laws
                ],
            }
        )
    return out
