"""Editorial prose: Markdown that whoever gives an edition wrote, as markup that can do nothing to who reads it."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markupsafe import Markup, escape

_SAFE = re.compile(r"(?:https?://|mailto:)[^\s<>\"'\\]+", re.IGNORECASE)
_RAW = (("preprocessors", "html_block"), ("inlinePatterns", "html"), ("inlinePatterns", "entity"))
_UNREAD = ("image_link", "image_reference", "short_image_ref", "automail")
LONGEST, LINKS = 20_000, 200  # characters, and brackets of links, that are read as Markdown; more is printed as written


class _Links(Treeprocessor):
    """Links lead to the web or to a mailbox, and say that they are not ours; others are their words alone."""

    def run(self, root: Element) -> None:
        """Changes the tree in place."""
        for link in root.iter("a"):
            address = link.get("href", "")
            link.attrib.clear()
            if _SAFE.fullmatch(address):
                link.attrib.update(href=address, rel="nofollow noopener")
            else:
                link.tag = "span"


def markdown(text: str) -> Markup:
    """Markdown as HTML. Markup in it is text, an image is its words in brackets, and a link leads nowhere but to http,
    https and mailto.

    >>> print(markdown("<b> [a](https://x.example) [b](javascript:x)"))
    &lt;b&gt; <a href="https://x.example" rel="nofollow noopener">a</a> <span>b</span>
    """
    if len(text) > LONGEST or text.count("[") > LINKS:
        return escape(text)
    try:
        html = _reader().convert(text)
    except RecursionError:
        return escape(text)
    return Markup(re.sub(r"^<p>(.*)</p>$", r"\1", html, flags=re.DOTALL))  # noqa: S704 – made here, its markup dropped


def _reader() -> Markdown:
    """Markdown without what would let markup through."""
    reader = Markdown()
    for registry, name in (*_RAW, *(("inlinePatterns", name) for name in _UNREAD)):
        getattr(reader, registry).deregister(name)
    reader.treeprocessors.register(_Links(reader), "links", 0)
    return reader
