"""``python -m tools.screenshots``: photographs every kind of page of the real site into ``docs/screenshots/``.

With ``--states FOLDER`` it photographs the states that a director passes into a folder, in every language of the site.
It needs what ``make test`` installs (a Chromium, Playwright) and a build (``make build``). The browser tests use the
same lists, ``docs/screenshots/pages.toml`` and ``states.toml``.
"""

from __future__ import annotations

import argparse
import logging
import sys
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from flask import Flask
from waitress.server import create_server

from app import create_app
from app.site import reader
from tools import chromium as browser

FOLDER = Path(__file__).parent.parent / "docs" / "screenshots"
# The name under which the pictures show the site, whatever port it has here.
SITE_NAME = "lexbridge.example"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIZES = {390: 844, 1280: 860}
SIZES_OF_STATES = {390: 844, 1440: 900}

# Kind of page → an address that shows it well; name of a state → its address.
PAGES: dict[str, str] = tomllib.loads((FOLDER / "pages.toml").read_text(encoding="utf-8"))
STATES: dict[str, str] = tomllib.loads((FOLDER / "states.toml").read_text(encoding="utf-8"))


@contextmanager
def serve_in_thread(app: Flask) -> Iterator[str]:
    """Serve the site on a free port of this machine, in a thread; yield its address."""
    logging.getLogger("waitress").setLevel(logging.ERROR)
    server = create_server(app, host="127.0.0.1", port=0, threads=4, ident=None)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        server.close()
        thread.join(timeout=5)


def photograph(
    origin: str, executable: str, folder: Path, pages: Mapping[str, str], sizes: Mapping[int, int], lang: str = "pl"
) -> Iterator[Path]:
    """Photograph pages (name → address) in some sizes (width → height, px) and two themes; yield each file when it is
    written. ``lang``: the language of the browser.
    """
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable,
            args=[
                "--no-sandbox",
                "--font-render-hinting=none",
                f"--host-resolver-rules=MAP {SITE_NAME}:80 {origin.removeprefix('http://')}",
            ],
        )
        for theme in THEMES:
            for width, height in sizes.items():
                context = chromium.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme=theme,
                    locale=lang,
                    reduced_motion="reduce",
                )
                page = context.new_page()
                for kind, path in pages.items():
                    page.goto(f"http://{SITE_NAME}{path}")
                    page.wait_for_load_state("networkidle")
                    target = folder / f"{kind}-{theme}-{width}.png"
                    page.screenshot(path=target, animations="disabled", caret="hide")
                    yield target
                context.close()
        chromium.close()


def main() -> None:
    """Photograph every page of the table into ``docs/screenshots``, or every state into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", metavar="FOLDER", type=Path, help="the states of a director, in every language")
    states: Path | None = parser.parse_args().states
    executable = browser.find_browser()
    if not executable:
        sys.exit("No Chromium found. Run `python -m tools.chromium`, or set LEXBRIDGE_CHROMIUM to one.")
    app = create_app()
    app.logger.setLevel(logging.ERROR)
    with serve_in_thread(app) as origin:
        if states:
            every = (
                photograph(origin, executable, states / lang, STATES, SIZES_OF_STATES, lang)
                for lang in reader.LANGUAGES
            )
            count = sum(1 for of_language in every for _ in of_language)
        else:
            count = sum(1 for _ in photograph(origin, executable, FOLDER, PAGES, SIZES))
    print(f"{count} screenshots → {states or FOLDER}")


if __name__ == "__main__":
    main()
