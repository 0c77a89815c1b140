"""The site: turns the address of a request into a page. The entry point is :func:`create_app`.

This layer knows HTML, HTTP and the reader's language. The texts come from ``corpus``, the search hits from ``index``.
Each kind of page is a module, or a folder with ``views.py`` (addresses), ``page.py`` (page model) and ``templates/``.
The views hold the ``blueprint`` that is registered here. What the pages share is in ``app/site``. The data flows one
way: a view asks for a page model, which is built from the Library alone, and hands it to a template or to JSON.
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
from app.score import views as score
from app.search import views as search
from app.site import errors, http, page, reader, snapshot
from app.site.http import page_version_of
from app.site.snapshot import SnapshotHolder
from app.situations import views as situations
from corpus import generation

# The modules of the pages, each with its ``blueprint``. The law comes last because its addresses begin with any word.
PAGE_MODULES: tuple[ModuleType, ...] = (
    home,
    search,
    situations,
    score,
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
    """Writes JSON with the keys in our order and with letters unescaped."""

    ensure_ascii = False
    sort_keys = False


def create_app(config: dict | None = None) -> Flask:
    """Return the WSGI application.

    ``config`` may give:

    - ``BUILD``: the folder of what is built. Default: :func:`corpus.generation.build_dir`.
    - ``SNAPSHOT``: a :class:`app.site.snapshot.Snapshot` from which every request is answered.
    - ``ORIGIN``: scheme and host of the site, ``https://laws.example``. Default: the variable ``LEXBRIDGE_URL``; when
      that is empty too, each page uses the host of its own request.
    - ``REQUEST_SECONDS``: seconds of the processor that a request may take; None: as many as it needs. The middleware
      sets the limit, so a build has none.
    - ``MAKING``: the pages are prerendered, so they are stored and served to all readers.

    Raises :class:`app.site.http.OriginError` when ``ORIGIN`` is not an origin.
    """
    app = Flask(__name__, static_folder=None, template_folder="site/templates")
    app.config.update(
        BUILD=generation.build_dir(),
        SNAPSHOT=None,
        MAKING=False,
        REQUEST_SECONDS=2.0,
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
