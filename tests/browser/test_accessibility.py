"""WCAG 2.2 AA by axe-core on every kind of page; small windows and large letters; what a screen reader is told."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.browser.conftest import WIDTHS
from tests.budget import IS_FULL
from tools.screenshots import PAGES, THEMES

AXE = (Path(__file__).parent.parent / "vendor" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What a theme can change; all else was asked in the light one already.
OF_COLOUR = ["color-contrast", "link-in-text-block"]
MORE = {
    "nothing-found": "/search?q=qwxzqwxz",
    "search-empty": "/search",
    "chapter": "/hr-1997/chapter/V",
    "preface": "/pl-2007/preface",
    "scan": "/scan/pl-2007/16/D/2?word=826.15-29",
    "all-changes": "/changes/",
    "api": "/api/",
    "thresholds": "/thresholds/",
}
# The whole list of changes says the same kinds of row hundreds of times; between an extract and its successor it is
# short.
KINDS = PAGES | MORE | {"changes": "/changes/pl-1997/pl-2007"}


def status(kind: str) -> int:
    return 404 if kind == "not-found" else 200


def violations(page, run_only: dict, part: str = "html") -> list[str]:
    found = page.evaluate(
        "([part, only]) => axe.run(part, {runOnly: only, resultTypes: ['violations']})", [part, run_only]
    )
    assert found["testEngine"]["name"] == "axe-core"
    return [
        f"{v['id']} ({v['impact']}): {n['html'][:140]} {n['failureSummary'][:200]}"
        for v in found["violations"]
        for n in v["nodes"][:3]
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_in_two_widths_and_two_themes(visit, kind):
    reader = visit()
    page = reader.open(KINDS[kind], status(kind))
    page.evaluate(AXE)
    wrong = []
    for width in WIDTHS if IS_FULL else WIDTHS[:1]:
        page.set_viewport_size({"width": width, "height": 844})
        for theme in ("light", "dark") if IS_FULL else ("light",):
            page.emulate_media(color_scheme=theme)
            only = {"type": "tag", "values": TAGS} if theme == "light" else {"type": "rule", "values": OF_COLOUR}
            wrong += [f"{KINDS[kind]} {width} {theme}: {v}" for v in violations(page, only)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("theme", ["contrast", "dark", "light"])
def test_axe_finds_nothing_in_what_opens(visit, theme):
    """Popover, citation, what hangs on a provision, suggestions – each as it stands open, in each chosen theme."""
    reader = visit()
    reader.choose(theme=theme)
    page = reader.open("/pl-2007/16/D/2")
    page.evaluate(AXE)
    only = {"type": "tag", "values": TAGS}
    page.locator('[data-id="pl-2007/16/D/2"] details').evaluate_all("all => all.forEach(d => d.open = true)")
    wrong = violations(page, only, '[data-id="pl-2007/16/D"]')
    page.locator("article a[data-to]").first.focus()
    page.locator("#pop").wait_for()
    wrong += violations(page, only, "#pop")
    page.keyboard.press("Escape")
    page.locator("#q").fill("16d")
    page.locator("#suggestions li").first.wait_for()
    wrong += violations(page, only, "header")
    page.locator("#q").press("Escape")
    page.locator('[data-id="pl-2007/16/D/2"] > details.more a[data-cite]').click()
    page.locator("dialog[open]").wait_for()
    wrong += violations(page, only, "dialog")
    assert not wrong, "\n".join(wrong)


WINDOWS = {
    "320-px": {"viewport": {"width": 320, "height": 568}},
    "zoom-200": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
}


@pytest.mark.parametrize("window", WINDOWS)
def test_no_page_scrolls_sideways(visit, window):
    """Wide tables scroll inside themselves; the page does not, however small the window or large the letters."""
    wrong = []
    reader = visit(**WINDOWS[window])
    for kind, address in KINDS.items():
        page = reader.open(address, status(kind))
        for size in ("", "large"):
            page.evaluate("size => document.documentElement.dataset.size = size", size)
            over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if over > 0:
                wrong.append(f"{address} {size}: {over} px too wide")
    assert not wrong, "\n".join(wrong)


def test_fingers_find_what_they_look_for(visit):
    """On a phone every link outside running text is at least 24 px high and wide (WCAG 2.2, 2.5.8)."""
    page = visit(390, has_touch=True, is_mobile=True).open("/pl-2007/16/D/2")
    small = page.locator(
        "header a, header button, .strip a, .turn a, summary, .tools a, .tools button, footer a"
    ).evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => [e.getBoundingClientRect(), e.outerHTML])"
        ".filter(([r]) => r.height < 24 || r.width < 24)"
        ".map(([r, h]) => Math.round(r.width) + '×' + Math.round(r.height) + ' ' + h.slice(0, 80))"
    )
    assert not small, "\n".join(small)


def plain(words: str) -> str:
    return re.sub(r"\W+", " ", words).strip().lower()


def spoken(snapshot: str) -> str:
    """What is read aloud of an accessibility tree: names and texts in their order, without roles and addresses."""
    lines = (line.strip() for line in snapshot.splitlines() if "- /url:" not in line)
    said = (re.fullmatch(r"""- '?\w+(?: "(.*?)")?(?: \[[^\]]*\])*'?(?::(.*))?""", line) for line in lines)
    return plain(" ".join(f"{m[1] or ''} {m[2] or ''}" for m in said if m))


@pytest.mark.parametrize("path", ["pl-2007/16", "sk-2017/12", "hr-1997/64"])
def test_read_aloud_a_law_makes_sense(visit, library, path):
    """In the accessibility tree every provision comes in order: its label,
    then its heading, then its text, then the notes.
    """
    page = visit().open(f"/{path}")
    heard = page.locator("article").aria_snapshot()
    assert heard.startswith("- article:\n  - heading") and "[level=1]" in heard.splitlines()[1]
    stream, at = spoken(heard), 0
    law = library.nodes[path]
    in_law = [n for n in library.nodes_of(law.edition) if n.id == law.id or n.id.startswith(law.id + "/")]
    texts, notes = [n for n in in_law if n.kind != "footnote"], [n for n in in_law if n.kind == "footnote"]
    assert len(texts) > 5
    for node in [*texts, *notes]:
        for part in (node.label, node.heading, " ".join(node.text.split()[:4]) if not node.marks else ""):
            words = plain(part or "")
            if not words:
                continue
            found = stream.find(words, at)
            assert found >= 0, f"{node.id}: “{part}” is not heard after what comes before it"
            at = found + len(words) if part != node.label else found


def test_headings_and_landmarks_of_a_law_page(visit):
    """One h1, no level left out, every region has a name of its own."""
    page = visit(ui="en").open("/pl-2007/16")
    levels = page.locator("main h1, main h2, main h3, main h4, main h5, main h6").evaluate_all(
        "all => all.map(e => +e.tagName[1])"
    )
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels)), levels
    heard = page.locator("body").aria_snapshot()
    for landmark in ("banner", "search", "main", "contentinfo"):
        assert len(re.findall(rf"^\s*- {landmark}\b", heard, re.MULTILINE)) == 1, landmark
    names = re.findall(r'^\s*- navigation "([^"]+)"', heard, re.MULTILINE)
    assert len(names) == len(set(names)) >= 4 and not re.search(r"- navigation:", heard)


def test_the_design_document_shows_every_kind_of_page():
    """Each kind in two widths and two themes, and no picture that is not there."""
    docs = Path(__file__).parent.parent.parent / "docs"
    shown = re.findall(r"\((screenshots/[^)]+\.png)\)", (docs / "design.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(
        f"screenshots/{kind}-{theme}-{width}.png" for kind in PAGES for theme in THEMES for width in WIDTHS
    )
    assert [name for name in shown if not (docs / name).is_file()] == []
