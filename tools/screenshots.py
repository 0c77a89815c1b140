"""``python -m tools.screenshots``: photographs every kind of page of the real site into ``docs/screenshots/``.

It needs what ``make test`` installs (a Chromium, Playwright) and a build (``make build``). The browser tests use the
same list of pages, ``docs/screenshots/pages.toml``.
"""

from __future__ import annotations

import logging
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from flask import Flask
from waitress.server import create_server

from app import create_app
from tools import chromium as browser

FOLDER = Path(__file__).parent.parent / "docs" / "screenshots"
# The name under which the pictures show the site, whatever port it has here.
SITE_NAME = "lexbridge.example"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIZES = {390: 844, 1280: 860}

# Kind of page → an address that shows it well.
PAGES: dict[str, str] = tomllib.loads((FOLDER / "pages.toml").read_text(encoding="utf-8"))


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


def photograph(origin: str, executable: str, folder: Path) -> Iterator[Path]:
    """Photograph every page in two widths and two themes; yield each file when it is written."""
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
            for width, height in SIZES.items():
                context = chromium.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme=theme,
                    locale="pl-PL",
                    reduced_motion="reduce",
                )
                page = context.new_page()
                for kind, path in PAGES.items():
                    page.goto(f"http://{SITE_NAME}{path}")
                    page.wait_for_load_state("networkidle")
                    target = folder / f"{kind}-{theme}-{width}.png"
                    page.screenshot(path=target, animations="disabled", caret="hide")
                    yield target
                context.close()
        chromium.close()


def main() -> None:
    """Photograph every page of the table into ``docs/screenshots``."""
    executable = browser.find_browser()
    if not executable:
        sys.exit("No Chromium found. Run `python -m tools.chromium`, or set LEXBRIDGE_CHROMIUM to one.")
    app = create_app()
    app.logger.setLevel(logging.ERROR)
    with serve_in_thread(app) as origin:
        count = sum(1 for _ in photograph(origin, executable, FOLDER))
    print(f"{count} screenshots → {FOLDER}")


if __name__ == "__main__":
    main()
