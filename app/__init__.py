"""THE SITE: turns an address into a page. ``create_app()`` is the way in.

It knows HTML, HTTP and languages of the reader; texts come from ``corpus``, hits from ``index``. Each kind of page is a
folder with its addresses (``views.py``, whose ``blueprint`` is registered here), its page model and its templates; what
they share is ``site/``. The data flows one way: a view asks for a page model (built from the Library alone) and hands
it to a template or to JSON.
Never imported here: ``whoosh``, ``bs4``, ``corpus.reading``, ``corpus.ingest``, ``corpus.ingested``, ``corpus.layers``,
``scripts``.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from types import ModuleType

from flask import Flask
from flask.json.provider import DefaultJSONProvider

from app import changes, cite, compare, home, net, rulings, settings, terms, thresholds, topics
from app.api import views as api
from app.law import views as law
from app.search import views as search
from app.site import errors, http, page, reader, snapshot
from app.site.http import page_version_of
from app.site.snapshot import SnapshotHolder
from app.situations import views as situations
from corpus import generation

# The modules of the pages, each with its ``blueprint``. The law comes last, for its addresses begin with any word.
PAGE_MODULES: tuple[ModuleType, ...] = (
    home,
    search,
    situations,
    terms,
    topics,
    thresholds,
    compare,
    changes,
    net,
    cite,
    rulings,
    api,
    settings,
    law,
)


class _JsonProvider(DefaultJSONProvider):
    """Keys in our order, letters as they are."""

    ensure_ascii = False
    sort_keys = False


def create_app(config: dict | None = None) -> Flask:
    """The WSGI application.

    ``config`` may give ``BUILD`` (folder of what is built; default :func:`corpus.store.build_dir`), or ``SNAPSHOT``,
    a :class:`app.site.snapshot.Snapshot` that all is answered from; ``ORIGIN``: where the site stands,
    ``https://laws.example`` (default ``LEXBRIDGE_URL``, else as each request reaches it); ``MAKING``: pages are made to
    be kept, for whoever will ask.
    Raises :class:`app.site.origin.OriginError` for an origin that is none.
    """
    app = Flask(__name__, static_folder=None, template_folder="site/templates")
    app.config.update(
        BUILD=generation.build_dir(),
        SNAPSHOT=None,
        MAKING=False,
        ORIGIN=os.environ.get(http.ORIGIN_VARIABLE, ""),
        BABEL_TRANSLATION_DIRECTORIES=str(reader.TRANSLATIONS_FOLDER),
    )
    app.config.update(config or {})
    app.config["ORIGIN"] = http.parse_origin(app.config["ORIGIN"])
    app.json = _JsonProvider(app)
    app.url_map.merge_slashes = False
    app.url_map.strict_slashes = False
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.logger.setLevel(logging.INFO)

    snapshot.init_app(
        app,
        SnapshotHolder(Path(app.config["BUILD"]), page_version_of(app), http.make_warm_up(app), app.config["SNAPSHOT"]),
    )
    reader.init_app(app)
    http.init_app(app)
    for module in PAGE_MODULES:
        app.register_blueprint(module.blueprint)
        if hasattr(module, "addresses_to_prerender"):
            http.prerender_sources(app).append(module.addresses_to_prerender)
    errors.init_app(app)
    page.init_app(app)

    return app
