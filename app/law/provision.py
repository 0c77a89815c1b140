"""Pages of single provisions: the requested one, previews and selections; and the page about an edition.

- :func:`render_provision_page`: a provision on the page of its law. The law is drawn once with placeholders
  (:mod:`app.law.page`). A :class:`RequestedProvisionPage` has the values that fill them.
- :func:`peek_page`, :func:`selection_page`: provisions without their law.
- :func:`about_page`: where a text is from. :func:`render_markdown` draws the prose of maintainers there.
- :func:`provision_json_ld`: a provision as JSON-LD.
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

# -- Markdown of maintainers ---

_SAFE_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s<>\"'\\]+", re.IGNORECASE)
_RAW_HTML_RULES = (("preprocessors", "html_block"), ("inlinePatterns", "html"), ("inlinePatterns", "entity"))
_DISABLED_RULES = ("image_link", "image_reference", "short_image_ref", "automail")
LONGEST, LINKS = 20_000, 200  # limits for Markdown, in characters and in "["; a longer text is printed as written


class _LinkFilter(Treeprocessor):
    """Filters the links of a Markdown text. Links to the web and to a mailbox stay and are marked as not ours
    (``nofollow``); all others become plain words.
    """

    def run(self, root: Element) -> None:
        """Change the links of the tree below ``root`` in place."""
        for link in root.iter("a"):
            address = link.get("href", "")
            link.attrib.clear()
            if _SAFE_ADDRESS.fullmatch(address):
                link.attrib.update(href=address, rel="nofollow noopener")
            else:
                link.tag = "span"


def render_markdown(text: str) -> Markup:
    """Return Markdown as HTML that is safe to show.

    HTML in it is shown as text, an image as its words in brackets, and only links to http, https and mailto are kept. A
    text that is too long or has too many brackets is not read as Markdown.

    >>> print(render_markdown("<b> [a](https://x.example) [b](javascript:x)"))
    &lt;b&gt; <a href="https://x.example" rel="nofollow noopener">a</a> <span>b</span>
    """
    if len(text) > LONGEST or text.count("[") > LINKS:
        return escape(text)
    try:
        html = _markdown_parser().convert(text)
    except RecursionError:
        return escape(text)
    return Markup(re.sub(r"^<p>(.*)</p>$", r"\1", html, flags=re.DOTALL))  # noqa: S704 – made here; HTML in the text is dropped


def _markdown_parser() -> Markdown:
    """Return a Markdown parser without the rules that would let HTML through."""
    reader = Markdown()
    for registry, name in (*_RAW_HTML_RULES, *(("inlinePatterns", name) for name in _DISABLED_RULES)):
        getattr(reader, registry).deregister(name)
    reader.treeprocessors.register(_LinkFilter(reader), "links", 0)
    return reader


# -- The page about an edition ---

# How many corrections the page about an edition shows.
MAX_CORRECTIONS_SHOWN = 200


@dataclass(frozen=True)
class AboutPage(SitePage):
    """What is known of an ``edition``.

    - ``references``: how many it has.
    - ``corrections``: (basis, how many); ``corrections_total``; ``corrections_shown``: the first of them; ``scanned``:
      whether the text was read by machine.
    - ``lost``: (node, reference, targets that are not there) of each reference with such targets.
    - ``prose``: what maintainers say, by subject, in the reader's language.
    - ``noticed``: (notice, the nodes that it is about).
    - ``misprints``: the remarks on misprints.
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
    misprints: tuple[phrases.MisprintNote, ...]


def about_page(atlas: Atlas, edition: Identity) -> AboutPage:
    """Return the page about an edition: facts of its manifest, counts, corrections, misprints, and what it lacks."""
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
        misprints=tuple(phrases.misprint_notes(library, nodes)),
    )


def _broken_targets(atlas: Atlas, reference: Reference) -> tuple[ResolvedTarget, ...]:
    """Return the targets of a reference that do not exist in the edition that they name, or in no edition of its code,
    each with where it leads instead.
    """
    ways = [(t in reference.missing, atlas.resolve(t)) for t in reference.targets]
    return tuple(way for missing, way in ways if missing or way.found in ("nearest", "nowhere"))


def _nodes_at(atlas: Atlas, edition: Identity, paths: tuple[str, ...]) -> tuple[Node, ...]:
    return tuple(node for p in paths if (node := atlas.library.node_at(edition.id, p)))


def _render_prose(texts: LocalizedText) -> Markup:
    """Return a text that maintainers wrote in Markdown as HTML, marked with its language."""
    lang, text = wording.text_for_reader(texts)
    return Markup('<span lang="%s">%s</span>') % (lang, render_markdown(text)) if text else Markup()


# -- Provisions without their law ---


@dataclass(frozen=True)
class PeekPage(SitePage):
    """An ``excerpt`` as a piece of a page: the preview of a provision to which a reference leads."""

    template: ClassVar[str] = "peek.html"
    excerpt: Excerpt


@dataclass(frozen=True)
class SelectionPage(SitePage):
    """``excerpts`` of an ``edition`` with all ``notices`` on them. ``law``: the page from which the reader came."""

    template: ClassVar[str] = "selection.html"
    edition: Identity
    law: Node
    excerpts: tuple[Excerpt, ...]
    notices: tuple[Notice, ...]


def peek_page(atlas: Atlas, node: Node) -> PeekPage:
    """Return the preview of a node. Its signs of misprints do not link to the remarks in the preview."""
    return PeekPage(excerpt(atlas, node, links_misprints=False))


def selection_page(atlas: Atlas, law: Node, chosen: Sequence[Node]) -> SelectionPage:
    """Return some provisions alone, for printing, with their footnotes and notices. ``law``: the node from whose page
    the reader came.
    """
    excerpts = tuple(excerpt(atlas, n) for n in chosen)
    notices: tuple[Notice, ...] = ()
    for n in (n for x in excerpts for n in x.notices):
        if n not in notices:
            notices += (n,)
    return SelectionPage(excerpts[0].edition, atlas.page_node_of(law), excerpts, notices)


def selected_nodes(library: Library, edition: str, requested: Sequence[str]) -> list[Node]:
    """Return the provisions that the values of ``?only=`` (``requested``: “16/D,16/B”) name, in the order of the book.

    A provision inside another selected one is left out. At most ``MAX_SELECTED`` are returned.
    """
    paths = {
        canonical_path(library, edition, p) for names in requested for p in names.split(",")[: addresses.MAX_SELECTED]
    }
    nodes = [n for n in library.nodes_of(edition) if n.path in paths]
    return [n for n in nodes if not any(a in nodes for a in library.ancestors_of(n))][: addresses.MAX_SELECTED]


# -- JSON-LD ---

LEGAL_FORCE_URLS = {True: "https://schema.org/InForce", False: "https://schema.org/NotInForce"}


def provision_json_ld(atlas: Atlas, node: Node, noticed: bool) -> str:
    """Return the JSON-LD of a provision, safe inside a script element. ``noticed``: the manifest has a notice on its
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
        # A notice on this law ("amended from …") says more about its force than one word could.
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
    """Return whether an edition is in force, as JSON-LD.

    In force: only when a page was looked up that says so. Not in force: when the manifest says so or names a later
    code. Else the result is empty, because a program cannot read “not stated”.
    """
    if edition.is_in_force is None or (edition.is_in_force and edition.in_force_source is None):
        return {}
    return {"legislationLegalForce": LEGAL_FORCE_URLS[edition.is_in_force]}


def _node_ids_json_ld(node: Node) -> dict:
    return dict.fromkeys(("@id", "url"), addresses.permalink(node.id))


def _edition_json_ld(edition: Identity) -> dict:
    """Return an edition as JSON-LD.

    The year of a code is the date of its laws. Decisions on it have no such date: their edition does not say when they
    were made.
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


# -- The requested provision on the page of its law ---


@dataclass(frozen=True)
class RequestedProvisionPage(SitePage):
    """The parts of a law's page that depend on the requested provision.

    - ``requested``: the provision that the address names; ``law``: the node whose page shows it; ``edition``.
    - ``way_out``: its counterparts in an edition in force, when its own edition is not in force; else None.
    - ``tongues``: language → the same provision in an edition of that language.
    - ``notices``: those of the edition on this law.
    - ``json_ld``: the provision for programs.
    """

    template: ClassVar[str] = "asked.html"
    edition: Identity
    requested: Node
    law: Node
    way_out: phrases.EditionCounterparts | None
    tongues: Mapping[str, Node]
    notices: tuple[Notice, ...]
    json_ld: str

    def placeholder_values(self) -> dict[str, str]:
        """Return name → value of the placeholders on the page of the law."""
        path = self.requested.path
        return {
            **split_parts(self.render()),
            "origin": addresses.origin(),
            "path": escape(addresses.page_path(self.requested.id)),
            f"at:{path}": ' aria-current="true"',
            # Scrolls it into view without JavaScript, and lets a screen reader begin there.
            f"arrive:{path}": ' tabindex="-1" autofocus',
        }


def render_provision_page(atlas: Atlas, requested: Node, shown: DisplayOptions = DEFAULT_OPTIONS) -> bytes:
    """Return the page of the law that shows a provision, as HTML bytes, with ``requested`` marked as the requested
    provision.
    """
    law = atlas.page_node_of(requested)
    beside = () if _is_shown_on(atlas, requested, law) else (requested,)
    draw = lambda: law_page(atlas, law, shown, beside).render_frame()
    # Only the page with default options is stored.
    kept = shown == DEFAULT_OPTIONS and not beside
    values = requested_provision_page(atlas, requested, law).placeholder_values()
    frame = current_snapshot().packs.frame(reader.ui_language(), addresses.page_path(law.id), draw) if kept else draw()
    return fill_placeholders(frame, values)


def requested_provision_page(atlas: Atlas, requested: Node, law: Node) -> RequestedProvisionPage:
    """Return what depends on the requested provision."""
    edition = atlas.library.editions[law.edition]
    notices = edition.notices_for(law.path)
    return RequestedProvisionPage(
        edition=edition,
        requested=requested,
        law=law,
        way_out=_counterparts_in_force(atlas, edition, requested),
        tongues=_nodes_by_language(atlas, edition, requested),
        notices=notices,
        json_ld=provision_json_ld(atlas, requested, any(n.paths for n in notices)),
    )


def _is_shown_on(atlas: Atlas, requested: Node, law: Node) -> bool:
    """Whether the page of a law shows a node even if nobody asks for it. Of the footnotes it shows only those to which
    marks on the page lead.
    """
    return requested is law or requested.kind != "footnote" or requested in footnotes_of(atlas.library, law)


def _counterparts_in_force(atlas: Atlas, edition: Identity, requested: Node) -> phrases.EditionCounterparts | None:
    """Return the counterparts of a provision in an edition in force, or those of the nearest provision around it.

    None when ``edition``, the provision's own, is in force, or when no edition in force has such counterparts.
    """
    if edition.is_in_force:
        return None
    found = (
        phrases.nearest_counterparts(atlas.library, requested, e.id)
        for e in atlas.library.law_editions
        if e.is_in_force
    )
    return next(filter(None, found), None)


def _nodes_by_language(atlas: Atlas, edition: Identity, requested: Node) -> dict[str, Node]:
    """Return language → the provision in an edition of that language. Empty when no other language has it.

    The key ``x-default`` has the provision in force: one of these nodes, if it alone is in force, else ``requested``.
    Only a counterpart that corresponds one to one counts. Of several editions in a language the nearest in time goes
    first, and of two equally near the newer. A decision has no counterpart in another language.
    """
    out = {edition.lang: requested}
    library = atlas.library
    found = {} if edition.is_decisions else library.relations.counterparts_of(requested.id)
    alone = lambda rows: len(rows) == 1 and len(library.relations.counterparts_of(rows[0].id).get(edition.id, ())) == 1
    own = [library.nodes[rows[0].id] for rows in found.values() if alone(rows)]
    for n in sorted(own, key=lambda n: (abs(n.year - edition.year), -n.year, n.edition)):
        out.setdefault(n.lang, n)
    if len(out) == 1:
        return {}
    in_force = [n for n in out.values() if atlas.library.editions[n.edition].is_in_force]
    return out | {"x-default": requested if edition.is_in_force or len(in_force) != 1 else in_force[0]}
