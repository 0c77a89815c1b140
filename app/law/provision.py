"""What of a law's page depends on the provision that is asked for: how it is known, where one stands, the mark.

The law is drawn once, with places left open; these values fill them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markupsafe import Markup, escape

from app.law.page import DEFAULT_OPTIONS, DisplayOptions, law_page
from app.site import addresses, phrases, reader, wording
from app.site.atlas import Atlas, ResolvedTarget
from app.site.cache import fill_placeholders, split_parts
from app.site.excerpt import Excerpt, excerpt, footnotes_of
from app.site.lookup import canonical_path
from app.site.page import SitePage
from app.site.snapshot import current_snapshot
from corpus.edition import Identity, Notice
from corpus.files import LocalizedText
from corpus.library import Library
from corpus.model import Correction, Node, Reference

_SAFE_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s<>\"'\\]+", re.IGNORECASE)
_RAW_HTML_RULES = (("preprocessors", "html_block"), ("inlinePatterns", "html"), ("inlinePatterns", "entity"))
_DISABLED_RULES = ("image_link", "image_reference", "short_image_ref", "automail")
LONGEST, LINKS = 20_000, 200  # characters, and brackets of links, that are read as Markdown; more is printed as written


class _LinkFilter(Treeprocessor):
    """Links lead to the web or to a mailbox, and say that they are not ours; others are their words alone."""

    def run(self, root: Element) -> None:
        """Changes the tree in place."""
        for link in root.iter("a"):
            address = link.get("href", "")
            link.attrib.clear()
            if _SAFE_ADDRESS.fullmatch(address):
                link.attrib.update(href=address, rel="nofollow noopener")
            else:
                link.tag = "span"


def render_markdown(text: str) -> Markup:
    """Markdown as HTML. Markup in it is text, an image is its words in brackets, and a link leads nowhere but to http,
    https and mailto.

    >>> print(render_markdown("<b> [a](https://x.example) [b](javascript:x)"))
    &lt;b&gt; <a href="https://x.example" rel="nofollow noopener">a</a> <span>b</span>
    """
    if len(text) > LONGEST or text.count("[") > LINKS:
        return escape(text)
    try:
        html = _markdown_parser().convert(text)
    except RecursionError:
        return escape(text)
    return Markup(re.sub(r"^<p>(.*)</p>$", r"\1", html, flags=re.DOTALL))  # noqa: S704 – made here, its markup dropped


def _markdown_parser() -> Markdown:
    """Markdown without what would let markup through."""
    reader = Markdown()
    for registry, name in (*_RAW_HTML_RULES, *(("inlinePatterns", name) for name in _DISABLED_RULES)):
        getattr(reader, registry).deregister(name)
    reader.treeprocessors.register(_LinkFilter(reader), "links", 0)
    return reader


# Rows of corrections that the page shows.
MAX_CORRECTIONS_SHOWN = 200


@dataclass(frozen=True)
class AboutPage(SitePage):
    """What is known of an ``edition``.

    ``references``: how many it has · ``corrections``: (basis, how
    many), ``corrections_total``, ``corrections_shown``: the first of them, ``scanned``: whether it was read by machine
    · ``lost``: (node, reference, ways) that lead to nothing, ``missing_laws``: their numbers · ``prose``: what
    maintainers say, by subject, in the reader's language · ``noticed``: (notice, the nodes that it is about) ·
    ``precedence``: texts by rank · ``slips``: what other places contradict, ``spelling``: slips that leave the meaning
    alone.
    """

    template: ClassVar[str] = "about.html"
    edition: Identity
    references: int
    corrections: tuple[tuple[str, int], ...]
    corrections_total: int
    corrections_shown: tuple[Correction, ...]
    scanned: bool
    lost: tuple[tuple[Node, Reference, tuple[ResolvedTarget, ...]], ...]
    prose: Mapping[str, Markup]
    noticed: tuple[tuple[Notice, tuple[Node, ...]], ...]
    slips: tuple[phrases.MisprintNote, ...]


def about_page(atlas: Atlas, edition: Identity) -> AboutPage:
    """Facts of the manifest, counts of what the edition has, what was corrected, slips that stay, what it lacks."""
    library = atlas.library
    nodes = library.nodes_of(edition.id)
    corrections = [c for c in library.corrections if c.edition == edition.id]
    return AboutPage(
        edition=edition,
        references=sum(len(n.references) for n in nodes),
        corrections=tuple(Counter(edition.corrections).most_common()),
        corrections_total=sum(edition.corrections.values()),
        corrections_shown=tuple(corrections[:MAX_CORRECTIONS_SHOWN]),
        scanned=atlas.is_scanned(edition),
        lost=tuple((n, r, ways) for n in nodes for r in n.references if (ways := _broken_targets(atlas, r))),
        prose={key: _render_prose(texts) for key, texts in vars(edition).items() if isinstance(texts, LocalizedText)},
        noticed=tuple((n, _nodes_at(atlas, edition, n.paths)) for n in edition.notices if n.paths),
        slips=tuple(phrases.misprint_notes(library, nodes)),
    )


def _broken_targets(atlas: Atlas, reference: Reference) -> tuple[ResolvedTarget, ...]:
    """The ways of those targets that are not where the reference seeks them: missing there, or in no text of a code."""
    ways = [(t in reference.missing, atlas.resolve(t)) for t in reference.targets]
    return tuple(way for missing, way in ways if missing or way.found in ("nearest", "nowhere"))


def _nodes_at(atlas: Atlas, edition: Identity, paths: tuple[str, ...]) -> tuple[Node, ...]:
    return tuple(node for p in paths if (node := atlas.library.node_at(edition.id, p)))


def _render_prose(texts: LocalizedText) -> Markup:
    """Editorial prose in the language that it is in."""
    lang, text = wording.text_for_reader(texts)
    return Markup('<span lang="%s">%s</span>') % (lang, render_markdown(text)) if text else Markup()


# As many provisions as one prints at a time.
MAX_SELECTED = 40


@dataclass(frozen=True)
class PeekPage(SitePage):
    """An ``excerpt`` as a piece of a page: what a reference shows before one goes there."""

    template: ClassVar[str] = "peek.html"
    excerpt: Excerpt


@dataclass(frozen=True)
class SelectionPage(SitePage):
    """``excerpts`` of an ``edition`` with all ``notices`` on them; ``law``: where the reader came from."""

    template: ClassVar[str] = "selection.html"
    edition: Identity
    law: Node
    excerpts: tuple[Excerpt, ...]
    notices: tuple[Notice, ...]


def peek_page(atlas: Atlas, node: Node) -> PeekPage:
    """A node in a small window, which has no room for links to notes of its own."""
    return PeekPage(excerpt(atlas, node, tells=False))


def selection_page(atlas: Atlas, law: Node, chosen: Sequence[Node]) -> SelectionPage:
    """Some provisions alone, as one prints them, with the notes that they carry."""
    excerpts = tuple(excerpt(atlas, n) for n in chosen)
    notices: tuple[Notice, ...] = ()
    for n in (n for x in excerpts for n in x.notices):
        if n not in notices:
            notices += (n,)
    return SelectionPage(excerpts[0].edition, atlas.page_node_of(law), excerpts, notices)


def selected_nodes(library: Library, edition: str, asked: Sequence[str]) -> list[Node]:
    """The provisions that ``?only=16/D,16/B`` names, in the order of the book; what stands in another is not named
    twice.
    """
    paths = {canonical_path(library, edition, p) for names in asked for p in names.split(",")[:MAX_SELECTED]}
    nodes = [n for n in library.nodes_of(edition) if n.path in paths]
    return [n for n in nodes if not any(a in nodes for a in library.ancestors_of(n))][:MAX_SELECTED]


LEGAL_FORCE_URLS = {True: "https://schema.org/InForce", False: "https://schema.org/NotInForce"}


def provision_json_ld(atlas: Atlas, node: Node, noticed: bool) -> str:
    """JSON-LD of a provision, safe inside a script element; ``noticed``: the manifest has something to say on its
    law.
    """
    library, edition = atlas.library, atlas.library.editions[node.edition]
    whole = {"@id": addresses.canonical_url(addresses.contents(edition.id)), **_edition_json_ld(edition)}
    parent = library.nodes[node.parent] if node.parent else None
    data = {
        "@context": "https://schema.org",
        "@type": "Legislation",
        **_node_ids_json_ld(node),
        "name": f"{edition.short}, {wording.title_of(node)}",
        "legislationIdentifier": node.citation,
        "inLanguage": node.lang,
        # A notice on this law ("amended from …") says more of its force than one word could.
        **({} if noticed else legal_force_json_ld(edition)),
        "isPartOf": [whole, *([{"@type": "Legislation", **_node_ids_json_ld(parent)}] if parent else [])],
        "hasPart": [{"@type": "Legislation", **_node_ids_json_ld(child)} for child in library.children_of(node)],
    }
    return (
        json.dumps({k: v for k, v in data.items() if v}, ensure_ascii=False)
        .replace("<", "\\u003c")
        .replace("&", "\\u0026")
    )


def legal_force_json_ld(edition: Identity) -> dict:
    """Whether it is in force, as far as a page says so or a later code is here: a program reads no “not stated”."""
    if edition.is_in_force is None or (edition.is_in_force and edition.in_force_source is None):
        return {}
    return {"legislationLegalForce": LEGAL_FORCE_URLS[edition.is_in_force]}


def _node_ids_json_ld(node: Node) -> dict:
    return dict.fromkeys(("@id", "url"), addresses.permalink(node.id))


def _edition_json_ld(edition: Identity) -> dict:
    """The edition as a whole. The year of a code is that of its laws; decisions on it do not say when they were
    made.
    """
    known = {
        "name": edition.title,
        "inLanguage": edition.lang,
        "legislationDate": "" if edition.is_decisions else str(edition.year),
        "legislationDateOfApplicability": edition.in_force_since,
        "citation": edition.in_force_source and edition.in_force_source.url,  # the page that says it is in force
        **legal_force_json_ld(edition),
        "legislationJurisdiction": edition.country
        and {"@type": "Country", "identifier": edition.country, "name": wording.country_name(edition.country)},
        "datePublished": edition.issued,
        "translator": edition.translator and {"@type": "Person", "name": edition.translator},
        "publisher": edition.body and {"@type": "Organization", "name": edition.body},
    }
    return {"@type": "Legislation"} | {k: v for k, v in known.items() if v}


@dataclass(frozen=True)
class RequestedProvisionPage(SitePage):
    """``asked``: the provision that the address names, on the page of its ``law`` in an ``edition`` · ``way_out``:
    where it stands in force, on pages that are not, ``tongues``: language → the same in a text of that language ·
    ``notices`` of the edition on this law · ``json_ld`` for programs.
    """

    template: ClassVar[str] = "asked.html"
    edition: Identity
    asked: Node
    law: Node
    way_out: phrases.EditionCounterparts | None
    tongues: Mapping[str, Node]
    notices: tuple[Notice, ...]
    json_ld: str

    def placeholder_values(self) -> dict[str, str]:
        """What the places of the page of the law are filled with."""
        path = self.asked.path
        return {
            **split_parts(self.render()),
            "origin": addresses.origin(),
            "path": escape(addresses.page_path(self.asked.id)),
            f"at:{path}": ' aria-current="true"',
            # Brings it into view without JavaScript, and lets a screen reader begin there.
            f"arrive:{path}": ' tabindex="-1" autofocus',
        }


def render_provision_page(atlas: Atlas, asked: Node, shown: DisplayOptions = DEFAULT_OPTIONS) -> bytes:
    """The page on which a node is read, with that node marked as the one asked for."""
    law = atlas.page_node_of(asked)
    beside = () if _is_shown_on(atlas, asked, law) else (asked,)
    draw = lambda: law_page(atlas, law, shown, beside).frame()
    # Kept is the page as most readers ask for it.
    kept = shown == DEFAULT_OPTIONS and not beside
    values = requested_provision_page(atlas, asked, law).placeholder_values()
    frame = current_snapshot().packs.frame(reader.ui_language(), addresses.page_path(law.id), draw) if kept else draw()
    return fill_placeholders(frame, values)


def requested_provision_page(atlas: Atlas, asked: Node, law: Node) -> RequestedProvisionPage:
    """What depends on the provision asked for."""
    edition = atlas.library.editions[law.edition]
    notices = edition.notices_for(law.path)
    return RequestedProvisionPage(
        edition=edition,
        asked=asked,
        law=law,
        way_out=_counterparts_in_force(atlas, edition, asked),
        tongues=_nodes_by_language(atlas, edition, asked),
        notices=notices,
        json_ld=provision_json_ld(atlas, asked, any(n.paths for n in notices)),
    )


def _is_shown_on(atlas: Atlas, asked: Node, law: Node) -> bool:
    """Whether the page of the law shows it in any case; of footnotes it shows those that its marks lead to."""
    return asked is law or asked.kind != "footnote" or asked in footnotes_of(atlas.library, law)


def _counterparts_in_force(atlas: Atlas, edition: Identity, asked: Node) -> phrases.EditionCounterparts | None:
    """Where the provision stands in an edition in force; None on pages that are in force."""
    if edition.is_in_force:
        return None
    found = (
        phrases.nearest_counterparts(atlas.library, asked, e.id) for e in atlas.library.law_editions if e.is_in_force
    )
    return next(filter(None, found), None)


def _nodes_by_language(atlas: Atlas, edition: Identity, asked: Node) -> dict[str, Node]:
    """Language → the provision in a text of that language; ``x-default``: where it stands in force, else itself.

    Only what corresponds to the provision as one to one; of several texts in a language the one that is nearest in
    time, the newer first. A decision has no counterpart in another language. Nothing where there is only the provision
    itself.
    """
    out = {edition.lang: asked}
    library = atlas.library
    found = {} if edition.is_decisions else library.relations.counterparts_of(asked.id)
    alone = lambda rows: len(rows) == 1 and len(library.relations.counterparts_of(rows[0].id).get(edition.id, ())) == 1
    own = [library.nodes[rows[0].id] for rows in found.values() if alone(rows)]
    for n in sorted(own, key=lambda n: (abs(n.year - edition.year), -n.year, n.edition)):
        out.setdefault(n.lang, n)
    if len(out) == 1:
        return {}
    in_force = [n for n in out.values() if atlas.library.editions[n.edition].is_in_force]
    return out | {"x-default": asked if edition.is_in_force or len(in_force) != 1 else in_force[0]}
