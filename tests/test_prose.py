"""Prose of a manifest is Markdown of whoever wrote it: it can print words, and do nothing."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from app.law.provision import LINKS, LONGEST, render_markdown

TAGS = {
    "a",
    "span",
    "em",
    "strong",
    "code",
    "pre",
    "p",
    "ul",
    "ol",
    "li",
    "blockquote",
    "hr",
    "br",
    *"h1 h2 h3 h4 h5 h6".split(),
}


def harmless(html: str) -> BeautifulSoup:
    page = BeautifulSoup(html, "html.parser")
    for tag in page.find_all(True):
        assert tag.name in TAGS, html
        if tag.name == "a":
            assert set(tag.attrs) == {"href", "rel"} and tag["rel"] == ["nofollow", "noopener"]
            assert tag["href"].lower().startswith(("http://", "https://", "mailto:"))
        else:
            assert not tag.attrs, html
    return page


ATTACKS = [
    "<script>alert(1)</script>",
    "<div>\n<script>x</script>\n</div>",
    '"><img src=x onerror=alert(1)>',
    "<a href=javascript:x>x</a>",
    "<!-- x --><?php ?><![CDATA[x]]>",
    "`<script>`",
    "    <script>",
    "&lt;script&gt; &amp;",
    "\\<b>",
    "\x02wzxhzdk:0\x03<script>",
]
LINKED = [
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](&#106;avascript:x)",
    "[a](data:text/html,x)",
    "[a](//evil.example)",
    "[a](/search)",
    "[a]: javascript:x 't'\n\n[a]",
    "<javascript:alert(1)>",
    '<https://x.y/"onclick=alert(1)>',
    "![a](https://x.example/a.png)",
    "![a][b]\n\n[b]: https://x.example/a.png",
    "<someone@x.example>",
]


@pytest.mark.parametrize("text", ATTACKS)
def test_markup_in_prose_is_text(text):
    page = harmless(render_markdown(text))
    words = "script" if "script" in text else "img" if "img" in text else ""
    assert words in page.text and not page.find(["script", "img", "a"])


@pytest.mark.parametrize("text", LINKED)
def test_a_link_that_leads_elsewhere_is_its_words(text):
    assert not harmless(render_markdown(text)).find(["img"])
    assert [a["href"] for a in harmless(render_markdown(text)).find_all("a")] in ([], ["https://x.example/a.png"])


def test_a_link_to_the_web_is_one():
    text = '*See* [this](https://x.example/a?b=c&d "title"), <http://y.example/> or [write](mailto:a@b.example).'
    assert [a["href"] for a in harmless(render_markdown(text)).find_all("a")] == [
        "https://x.example/a?b=c&d",
        "http://y.example/",
        "mailto:a@b.example",
    ]


@pytest.mark.parametrize("text", ["[" * (LINKS + 1), "x" * (LONGEST + 1), "[a](" * 5000 + "<b>", "> " * 3000 + "x"])
def test_what_nobody_writes_is_printed_as_it_stands(text):
    assert not harmless(render_markdown(text)).find(["a", "b"])


@given(st.text(alphabet="<>\"&'[]()!*_`# \n:/ajvscripthtml", max_size=80))
def test_whatever_is_written_does_nothing(text):
    harmless(render_markdown(text))
