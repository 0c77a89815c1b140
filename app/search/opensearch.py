"""Search from the browser's address bar: the OpenSearch description and its suggestions."""

from __future__ import annotations

import json

from flask import Blueprint, Response, abort, render_template, request

from app.site import addresses, answers, reader
from app.site.searching import LONGEST
from app.site.state import current

opensearch = Blueprint("opensearch", __name__)


@opensearch.get("/opensearch.xml")
@reader.for_programs
def description():
    """Lets a browser search here from its address bar."""
    return Response(render_template("opensearch.xml"), mimetype="application/opensearchdescription+xml")


@opensearch.get("/opensearch/suggestions")
@reader.for_programs
def suggestions():
    """What a browser offers under its address bar, in the form of the OpenSearch suggestions extension:
    ``["27b", ["27B · MPB 2007", …], ["", …], ["https://…/pl-2007/27/B", …]]``.
    """
    q = request.args.get("q", "")
    if len(q) > LONGEST:
        abort(400, f"“q” may have {LONGEST} characters; this one has {len(q)}.")
    found = current().search.suggest(q, lang=reader.ui())
    links = [addresses.whole(answers.address_of(s)) for s in found]
    body = [q, [s.text for s in found], ["" for _ in found], links]
    return Response(json.dumps(body, ensure_ascii=False), mimetype="application/x-suggestions+json")
