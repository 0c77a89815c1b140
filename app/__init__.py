"""THE SITE: turns an address into a page. ``create_app()`` is the way in.

It knows HTML, HTTP and languages of the reader; texts come from ``corpus``, hits from ``index``. The data flows one
way: a view asks a module of this folder for a page model (built from the Library alone) and hands it to a template or
to JSON.
Never imported here: ``whoosh``, ``bs4``, ``corpus.reading``, ``corpus.ingest``, ``scripts``.
"""

from __future__ import annotations

import logging
from pathlib import Path

from flask import Flask, g, request

from app import delivery, reader, reasons, state, words
from app.addresses import dom_id, url_of
from app.state import State
from app.views import api, cited, compare, errors, home, law, pages, search
from corpus import store


def create_app(config: dict | None = None) -> Flask:
    """The WSGI application.

    ``config`` may give ``BUILD`` (folder of what is built; default :func:`corpus.store.build_dir`), and for tests
    ``LIBRARY`` (an open :class:`corpus.library.Library`) and ``SEARCHER`` (anything with ``search`` and ``suggest``).
    """
    app = Flask(__name__, static_folder=None)
    app.config.update(
        BUILD=store.build_dir(), LIBRARY=None, SEARCHER=None, BABEL_TRANSLATION_DIRECTORIES=str(reader.FOLDER)
    )
    app.config.update(config or {})
    app.json.ensure_ascii = False
    app.json.sort_keys = False
    app.url_map.merge_slashes = False
    app.url_map.strict_slashes = False
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.logger.setLevel(logging.INFO)

    site = State(Path(app.config["BUILD"]), app.config["LIBRARY"], app.config["SEARCHER"])
    app.extensions["lexbridge"] = site

    reader.init_app(app)
    delivery.init_app(app)
    app.before_request(lambda: g.setdefault("state", site) and None)
    for view in (home, search, compare, pages, api, cited, law):
        app.register_blueprint(view.blueprint)
    errors.init_app(app)

    app.context_processor(_known)
    app.jinja_env.globals.update(url_of=url_of, dom_id=dom_id, words=words, reasons=reasons, here=_here)
    return app


def _known() -> dict:
    """What every template may use; a page for an error must do without the corpus."""
    try:
        found = state.current()
    except store.StoreError:
        return {"library": None, "atlas": None, "editions": {}, "origin": request.url_root.rstrip("/")}
    return {
        "library": found.library,
        "atlas": found.atlas,
        "editions": found.library.editions,
        "origin": request.url_root.rstrip("/"),
    }


def _here(**changes: str) -> str:
    """The address of this page with some query values changed; never another host."""
    from urllib.parse import quote, urlencode

    pairs = [(k, v) for k, v in request.args.items(multi=True) if k not in changes and k not in reader.SETTINGS]
    pairs += [(k, v) for k, v in changes.items() if v is not None]
    return "/" + quote(request.path.lstrip("/"), safe="/:@!$&'()*+,;=~-._") + ("?" + urlencode(pairs) if pairs else "")
