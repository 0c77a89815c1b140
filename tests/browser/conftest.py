"""A real Chromium against the real site on the session's build. A page that
logs an error, or a server that does, fails its test.
"""

from __future__ import annotations

import logging
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from app.site import reader
from tools import chromium as finder
from tools.screenshots import SIZES, serve_in_thread

ARTEFACTS = Path(__file__).parent.parent / "artefacts"
WIDTHS = tuple(SIZES)
FAILED = pytest.StashKey[bool]()


class Log(logging.Handler):
    """What the server logged as wrong."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.wrong: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.wrong.append(logging.Formatter().format(record))


@pytest.fixture(scope="session")
def server(application):
    """(address of the site, its log)."""
    log = Log()
    loggers = (application.logger, logging.getLogger("waitress"))
    for logger in loggers:
        logger.addHandler(log)
    with serve_in_thread(application) as origin:
        yield origin, log
    for logger in loggers:
        logger.removeHandler(log)


@pytest.fixture(scope="session")
def chromium():
    """One browser a session. It can reach this machine and nothing else."""
    executable = finder.find_browser()
    assert executable, "No Chromium for the browser tests: run `python -m tools.chromium`, or set LEXBRIDGE_CHROMIUM."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=[
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--font-render-hinting=none",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        )
        yield browser
        browser.close()


class Visitor:
    """One reader with a window: opens addresses of the site and takes note of what goes wrong on the way."""

    def __init__(self, page: Page, origin: str):
        self.page, self.origin = page, origin
        self.wrong: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        page.on("request", self._asked)

    def open(self, address: str, status: int = 200) -> Page:
        """Go to an address of the site, which must answer with the status."""
        response = self.page.goto(self.origin + address)
        assert response.status == status, f"{address} answered {response.status}"
        return self.page

    def choose(self, **choices: str) -> None:
        """Have chosen: a theme, a size, a language."""
        self.page.context.add_cookies([{"name": k, "value": v, "url": self.origin} for k, v in choices.items()])

    def path(self) -> str:
        """Where the reader is: the address after the host, without query and fragment."""
        return self.page.url.removeprefix(self.origin).partition("#")[0].partition("?")[0]

    def _said(self, message) -> None:
        # The browser logs the status of a page that a test opened to see just that status; ``open`` has checked it.
        own = message.location.get("url") == self.page.url and "status of 4" in message.text
        if message.type == "error" and not own:
            self.wrong.append(f"{self.page.url}: {message.text}")

    def _asked(self, request) -> None:
        if not request.url.startswith((self.origin + "/", "data:", "about:")):
            self.wrong.append(f"{self.page.url} asked for {request.url}")


@pytest.fixture
def visit(chromium, server, request):
    """``visit(width=390, ui="sk", js=False, …)`` gives a Visitor; afterwards nothing may have gone wrong.

    What the window showed when a test failed is kept in ``tests/artefacts/``.
    """
    origin, log = server
    opened: list[tuple] = []
    before = len(log.wrong)

    def new(width: int = 1280, ui: str = "pl", js: bool = True, **options) -> Visitor:
        options.setdefault("viewport", {"width": width, "height": SIZES.get(width, 800)})
        context = chromium.new_context(locale=ui, java_script_enabled=js, reduced_motion="reduce", **options)
        context.set_default_timeout(10_000)
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
        visitor = Visitor(context.new_page(), origin)
        opened.append((context, visitor))
        return visitor

    yield new
    for n, (context, visitor) in enumerate(opened):
        if request.node.stash.get(FAILED, False):
            ARTEFACTS.mkdir(exist_ok=True)
            name = re.sub(r"[^\w.-]+", "-", request.node.name)
            visitor.page.screenshot(path=ARTEFACTS / f"{name}-{n}.png")
        context.close()
    wrong = [w for _context, visitor in opened for w in visitor.wrong] + log.wrong[before:]
    assert not wrong, "\n".join(wrong)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Lets ``visit`` know that its test failed."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


def in_view(page: Page, selector: str, within: float = 5) -> bool:
    """Whether the top of the element, with its first line, comes to lie inside the window.

    The browser scrolls to what has the focus or the fragment in a frame after the page is loaded; a busy machine
    draws that frame late. ``within`` is the time to wait for it, in seconds.
    """
    size, end = page.viewport_size, time.monotonic() + within
    while True:
        box = page.locator(selector).first.bounding_box()
        if box and -1 <= box["y"] <= size["height"] - 24 and -1 <= box["x"] < size["width"]:
            return True
        if time.monotonic() > end:
            return False
        page.wait_for_timeout(20)


def pytest_generate_tests(metafunc):
    """``width`` and ``ui``, where a test asks for them: both widths, all languages of the site."""
    if "width" in metafunc.fixturenames:
        metafunc.parametrize("width", WIDTHS)
    if "ui" in metafunc.fixturenames:
        metafunc.parametrize("ui", reader.LANGUAGES)
