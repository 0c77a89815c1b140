"""The pages of terms: the list in the order of a language, and each term with what every edition says it means.

``blueprint`` is registered by :func:`app.create_app`. The page models are :func:`terms_page` and :func:`term_page`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from flask import Blueprint, request

from app.site import addresses, reader
from app.site.atlas import Atlas
from app.site.drawing import Drawer, NodeBody
from app.site.lookup import term_or_404
from app.site.page import SitePage
from app.site.phrases import CounterpartStatement, statement_between
from app.site.snapshot import current_snapshot
from corpus.changes import places_by_alignment
from corpus.edition import Identity
from corpus.library import Library
from corpus.model import LAW_KINDS, Node
from corpus.situation.model import Situation
from corpus.term.model import Term, search_terms


@dataclass(frozen=True)
class TermNames:
    """The names of a concept in a language, the preferred one first. ``players``: what players say.

    ``printed``: (name, editions) of the names that are printed as the foreign name beside a definition. Only for a
    language that has no text here.
    """

    lang: str
    names: tuple[str, ...]
    players: tuple[str, ...]
    printed: tuple[tuple[str, tuple[Identity, ...]], ...] = ()


@dataclass(frozen=True)
class TermMeaning:
    """What an edition says a concept is.

    - ``defined``: the provisions that define it; ``about``: those that deal with it; ``none``: the reason when there
      are neither.
    - ``changed``: the statements how its definition corresponds to that of an older edition.
    - ``source``: only in an edition in which nobody has looked for the concept. ``about`` then has what corresponds to
      the provisions of the edition ``source``; ``computed``: nobody has compared the two editions.
    """

    edition: Identity
    defined: tuple[NodeBody, ...]
    about: tuple[Node, ...]
    none: str
    changed: tuple[CounterpartStatement, ...]
    source: Identity | None = None
    computed: bool = False


@dataclass(frozen=True)
class EditionUses:
    """The provisions of an edition whose words use a term."""

    edition: Identity
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class TermPage(SitePage):
    """The page of a ``term``.

    - ``names``: by language, the reader's first.
    - ``meanings``: by edition in time order; ``used``: the provisions that use it.
    - ``broader``, ``narrower``, ``related``: other terms.
    - ``apart``: (another term, how the two differ, by language).
    - ``situations``: those that its provisions rule.
    """

    template: ClassVar[str] = "term.html"
    term: Term
    names: tuple[TermNames, ...]
    meanings: tuple[TermMeaning, ...]
    used: tuple[EditionUses, ...]
    broader: tuple[Term, ...]
    narrower: tuple[Term, ...]
    related: tuple[Term, ...]
    apart: tuple[tuple[Term, Mapping[str, str]], ...]
    situations: tuple[Situation, ...]


def term_page(atlas: Atlas, term: Term) -> TermPage:
    """Return the page of a term."""
    library = atlas.library
    every = library.terms
    named_by = {t.slug: a.why for t in every.values() for a in t.apart if a.term == term.slug}
    return TermPage(
        term=term,
        names=tuple(_names_by_language(library, term)),
        meanings=tuple(_meanings(atlas, term)),
        used=tuple(
            EditionUses(e, nodes)
            for e in atlas.editions_in_order
            if (nodes := atlas.term_uses.get(term.slug, {}).get(e.id, ()))
        ),
        broader=tuple(every[slug] for slug in term.broader),
        narrower=tuple(t for t in every.values() if term.slug in t.broader),
        related=_related_terms(library, term),
        apart=tuple((every[slug], why) for slug, why in ({a.term: a.why for a in term.apart} | named_by).items()),
        situations=atlas.situations_of_term(term),
    )


def _names_by_language(library: Library, term: Term) -> list[TermNames]:
    texts = {e.lang for e in library.editions.values()}
    langs = reader.sort_languages({*term.names, *term.players})
    return [
        TermNames(
            lang,
            tuple(term.names.get(lang, ())),
            tuple(term.players.get(lang, ())),
            () if lang in texts else _printed_names(library, term, lang),
        )
        for lang in langs
    ]


def _printed_names(library: Library, term: Term, lang: str) -> tuple[tuple[str, tuple[Identity, ...]], ...]:
    """Return (name, editions) of those names in a language that editions print beside a definition of the concept."""
    beside = {
        edition: {_normalize_name(x) for id_ in term.meaning(edition) for x in library.nodes[id_].aside.split(",")}
        for edition in term.defined
    }
    found = (
        (name, tuple(library.editions[e] for e, asides in beside.items() if _normalize_name(name) in asides))
        for name in term.names.get(lang, ())
    )
    return tuple((name, editions) for name, editions in found if editions)


def _normalize_name(name: str) -> str:
    """Return a name in the form in which it is compared with a printed one: without blanks, capitals and the plural's
    “s”.
    """
    return "".join(name.casefold().split()).removesuffix("s")


def _meanings(atlas: Atlas, term: Term) -> list[TermMeaning]:
    """Return what each edition says the concept is, in time order.

    An edition in which nobody has looked for the concept is included only if it has corresponding provisions.
    """
    out: list[TermMeaning] = []
    drawer = Drawer(atlas, links_misprints=False, notes=False)
    for edition in atlas.editions_in_order:
        if not term.is_known_in(edition.id):
            out += _meaning_by_alignment(atlas.library, term, edition)
            continue
        meaning = term.meaning(edition.id)
        out.append(
            TermMeaning(
                edition=edition,
                defined=tuple(_draw_meaning(drawer, atlas.library.nodes[id_]) for id_ in meaning),
                about=tuple(atlas.library.nodes[id_] for id_ in term.places(edition.id) if id_ not in meaning),
                none=term.none.get(edition.id, ""),
                changed=_definition_changes(atlas.library, term, edition.id),
            )
        )
    return out


def _meaning_by_alignment(library: Library, term: Term, edition: Identity) -> list[TermMeaning]:
    """Return a list with one meaning: the provisions of an edition that correspond to those on a term in another
    edition (:func:`places_by_alignment` chooses it).

    The list is empty when nothing corresponds, and for decisions.
    """
    if edition.is_decisions:
        return []
    ids, source = places_by_alignment(library.relations, term, edition.id)
    about = tuple(library.nodes[id_] for id_ in ids)
    computed = bool(source) and not library.relations.is_reviewed(source, edition.id)
    return [TermMeaning(edition, (), about, "", (), library.editions[source], computed)] if about else []


def _draw_meaning(drawer: Drawer, node: Node) -> NodeBody:
    """Return a node that defines a term, drawn.

    Of a whole law only the words before its parts are drawn, because the parts are rules; unless these words do not end
    their sentence.
    """
    body = drawer.body(node)
    if node.kind not in LAW_KINDS or not node.text.rstrip().endswith("."):
        return body
    return replace(body, parts=tuple(p for p in body.parts if not isinstance(p, NodeBody)))


def _definition_changes(library: Library, term: Term, edition: str) -> tuple[CounterpartStatement, ...]:
    """Return the statements how the definitions in an edition correspond to those in the last older edition that has
    some.
    """
    older = [
        e.id for e in library.law_editions if e.sort_key < library.editions[edition].sort_key and e.id in term.defined
    ]
    pairs = ((a, b) for a in (term.meaning(older[-1]) if older else ()) for b in term.meaning(edition))
    return tuple(statement for a, b in pairs if (statement := statement_between(library, b, a)))


def _related_terms(library: Library, term: Term) -> tuple[Term, ...]:
    """Return the terms that ``term`` names as related, and those that name ``term``."""
    slugs = [*term.related, *(t.slug for t in library.terms.values() if term.slug in t.related)]
    return tuple(library.terms[slug] for slug in dict.fromkeys(slugs))


@dataclass(frozen=True)
class TermsPage(SitePage):
    """The list of terms.

    - ``by``: the language whose order sorts the list; ``languages``: all that terms have names in, ``by`` first.
    - ``letters``: letter → its terms in order; ``unnamed``: the terms without a name in ``by``.
    - ``words``: the words sought in names; ``count``: how many terms they find.
    """

    template: ClassVar[str] = "terms.html"
    by: str
    languages: tuple[str, ...]
    letters: Mapping[str, tuple[Term, ...]]
    unnamed: tuple[Term, ...]
    words: str
    count: int


def listing_languages(atlas: Atlas) -> set[str]:
    """Return the languages by which the terms can be listed: those of the site, and all in which a term has a name."""
    return {*reader.LANGUAGES, *(lang for term in atlas.library.terms.values() for lang in term.names)}


def terms_page(atlas: Atlas, by: str, query: str = "") -> TermsPage:
    """Return the page of the terms that have the words of a query in a name, or of all terms without a query. ``by``:
    the language whose order sorts them.
    """
    found = search_terms(atlas.library.terms, query)
    alphabet = atlas.library.alphabet_of(by)
    letters: dict[str, tuple[Term, ...]] = {}
    named = sorted((t for t in found if t.name(by)), key=lambda t: (alphabet.sort_key(t.name(by)), t.slug))
    for term in named:
        initial = alphabet.index_letter(term.name(by))
        letters[initial] = (*letters.get(initial, ()), term)
    return TermsPage(
        by=by,
        languages=tuple(sorted(reader.sort_languages(listing_languages(atlas)), key=lambda code: code != by)),
        letters=letters,
        unnamed=tuple(t for t in found if not t.name(by)),
        words=query,
        count=len(found),
    )


blueprint = Blueprint("terms", __name__)


def addresses_to_prerender(atlas: Atlas) -> Iterable[str]:
    """Return the addresses whose pages are rendered when the generation is built."""
    return [addresses.terms(), *map(addresses.term, atlas.library.terms)]


@blueprint.get("/terms/")
def terms() -> str:
    """Show the list of terms. ``?by=``: the language whose order sorts it. ``?q=``: words of a name."""
    atlas, by = current_snapshot().atlas, request.args.get("by", "")
    q = request.args.get("q", "").strip()[: addresses.MAX_QUERY_LENGTH]
    return terms_page(atlas, by if by in listing_languages(atlas) else reader.ui_language(), q).render()


@blueprint.get("/terms/<term>")
def term(term: str) -> str:
    """Show a concept: its names, and what every edition says of it."""
    return term_page(current_snapshot().atlas, term_or_404(term)).render()
