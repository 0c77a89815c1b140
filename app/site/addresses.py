"""Every address that the site prints or leads to is made here, and nowhere else.

What all addresses carry is added in one place, :func:`_localized_address`: a page leads on in its own language.
Templates know this module as ``url``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, urlencode

from flask import current_app, g, request

from app.site import reader
from app.site.cache import placeholder_mark
from app.site.snapshot import MAX_QUERY_LENGTH, current_snapshot
from corpus.model import NodeId
from corpus.ruling import Ruling

MAX_PARAMETERS = 60  # more provisions, answers and filters than one reader chooses
SITUATION_ENDPOINT = "situations.sheet"
# Page → the parameters that it reads; the reader's settings are not among them.
KNOWN_PARAMETERS: dict[str, frozenset[str]] = {
    page: frozenset(names.split())
    for page, names in {
        "home.home": "edition code",
        "search.search": "q lang edition kind without qlang list page",
        SITUATION_ENDPOINT: "code closed bid",
        "situations.situations": "q",
        "terms.terms": "by q",
        "topics.topics": "q",
        "compare.side_by_side": "e",
        "changes.changes_between": "kind",
        "rulings.list_rulings": "body kind code condition",
        "rulings.show_ruling": "hl decisions fixes strength",
        "cite.cite": "piece",
        "law.provision": "only hl decisions fixes strength",
        "law.scan": "word",
    }.items()
}


def known_request_parameters(more: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The parameters of this request that its page knows, and ``more`` of them, in their order; at most ``MOST``."""
    names = known_parameter_names() | frozenset(more)
    said = parse_qsl(request.query_string.decode("utf-8", "replace"), keep_blank_values=True)
    return [(name, value) for name, value in said if name in names and len(value) <= MAX_QUERY_LENGTH][:MAX_PARAMETERS]


def known_parameter_names() -> frozenset[str]:
    """The names of the parameters that the page of this request reads; a situation's are its questions, too."""
    page = request.endpoint or ""
    names = KNOWN_PARAMETERS.get(page, frozenset())
    if page == SITUATION_ENDPOINT and (
        situation := current_snapshot().library.situations.get((request.view_args or {})["situation"])
    ):
        return names | {ask.id for ask in situation.ask}
    return names


Query = Iterable[tuple[str, object]]
# Where the site stands, on a page that is read under several names.
ORIGIN_PLACEHOLDER = placeholder_mark("origin")
# The language stands last in every address that is made here.
_LANGUAGE_PARAMETER = re.compile(r"[?&]ui=\w+(?=#|$)")


def build_address(path: str, query: Query = (), jump: str = "") -> str:
    """An address on this site, in no language; ``path`` without its first strokes. A query of None is left out."""
    return _append_query(quote("/" + path.lstrip("/"), safe="/:@!$&'()*+,;=~-._"), query) + (f"#{jump}" if jump else "")


def _append_query(path: str, query: Query) -> str:
    asked = urlencode([(k, v) for k, v in query if v is not None], safe="/", quote_via=quote)
    return path + (f"?{asked}" if asked else "")


def _localized_address(path: str, query: Query = (), jump: str = "", lang: str | None = None) -> str:
    """The same in a language: the one given, else that of the page that prints it."""
    return build_address(path, [*query, ("ui", lang or reader.link_language())], jump)


def strip_language(address: str) -> str:
    """An address of this site in no language: each reader gets his own there.

    >>> strip_language(provision(NodeId("pl-2007/16"), hl="lead"))
    '/pl-2007/16?hl=lead'
    """
    return _LANGUAGE_PARAMETER.sub("", address)


def redirect_address(address: str) -> str:
    """An address to be led on to: in the language that the one asked for names, in none if it names none."""
    return address if reader.language_in_address() else strip_language(address)


def origin() -> str:
    """The site itself, ``https://laws.example``: as the server was told, else as this request reached it; left open on
    a page that is made for all requests.
    """
    return current_app.config["ORIGIN"] or (
        ORIGIN_PLACEHOLDER if current_app.config["MAKING"] else request.url_root.rstrip("/")
    )


def absolute_url(address: str = "") -> str:
    """An address of this site with the site before it: ``https://laws.example/pl-2007/``."""
    return origin() + address


def canonical_url(address: str) -> str:
    """The whole address by which a thing is cited, and which programs know it by: in no language."""
    return absolute_url(strip_language(address))


def page_path(id_: NodeId) -> str:
    """The path of a node's address, by which its page is kept."""
    return build_address(id_)


def dom_id(path: str) -> str:
    """The id of the element that shows a path.

    >>> dom_id("16/D/2")
    '16-D-2'
    """
    return path.replace("/", "-")


# ── texts ─────────────────────────────────────────────────────────────────────────────────────────


def contents(edition: str) -> str:
    """All that an edition has."""
    return _localized_address(f"{edition}/")


def about(edition: str, jump: str = "") -> str:
    """Where an edition's text is from."""
    return _localized_address(f"{edition}/about", jump=jump)


def provision(id_: NodeId, **query: object) -> str:
    """The address of a node, as programs name it.

    >>> provision(NodeId("pl-2007/16/D/2"))
    '/pl-2007/16/D/2?ui=en'
    """
    return _localized_address(id_, query.items())


def law(id_: NodeId, at: str = "", **query: object) -> str:
    """A node on the page of its law, brought into view without JavaScript; ``at``: another place of that page.

    >>> *map(law, map(NodeId, ("pl-2007/16/D/2", "pl-2007/16"))), law(NodeId("pl-2007/fn/7"), hl="lead")
    ('/pl-2007/16/D/2?ui=en#16-D-2', '/pl-2007/16?ui=en', '/pl-2007/fn/7?hl=lead&ui=en#fn-7')
    """
    path = id_.path
    # A law is the top of its own page: no jump is needed.
    return _localized_address(id_, query.items(), at or (dom_id(path) if "/" in path else ""))


def permalink(id_: NodeId) -> str:
    """The whole address of a node, for a citation and for programs elsewhere."""
    return canonical_url(provision(id_))


def peek(id_: NodeId) -> str:
    """A provision alone, as a piece of a page."""
    return _localized_address(f"peek/{id_}")


def scan(id_: NodeId, words: Iterable[object] = ()) -> str:
    """A provision as its source has it; ``words``: spans whose rows of corrections are asked for."""
    return _localized_address(f"scan/{id_}", [("word", w) for w in words])


# ── what is made of them ──────────────────────────────────────────────────────────────────────────


# As many editions as stand side by side.
MAX_COMPARED_EDITIONS = 5


def compare(path: str = "", editions: Iterable[str] = ()) -> str:
    """Editions side by side, the first of them the base.

    >>> compare("16/D", ["pl-2007", "sk-2017"])
    '/compare/16/D?e=pl-2007&e=sk-2017&ui=en'
    """
    return _localized_address(f"compare/{path}", [("e", e) for e in editions])


def changes(older: str = "", newer: str = "", kind: str | None = None) -> str:
    """What changed between two editions; without them, the list of pairs."""
    return _localized_address(f"changes/{older}/{newer}" if older else "changes/", [("kind", kind)])


def net(id_: NodeId) -> str:
    """The references of a law."""
    return _localized_address(f"net/{id_}")


def nets(edition: str = "") -> str:
    """The references of all laws of an edition, else of the one that the reader probably wants."""
    return _localized_address(f"net/{edition}/" if edition else "net/")


def cite(id_: NodeId) -> str:
    """A provision's citation."""
    return _localized_address(f"cite/{id_}")


def card(id_: NodeId) -> str:
    """A provision as a card to print."""
    return _localized_address(f"card/{id_}")


def situation(id_: str, query: Query = (), jump: str = "") -> str:
    """The sheet of a situation, with the answers given so far.

    >>> situation("insufficient-bid", [("accepted", "no"), ("code", "2017")])
    '/situations/insufficient-bid?accepted=no&code=2017&ui=en'
    """
    return _localized_address(f"situations/{id_}", query, jump)


def situations(q: str | None = None, jump: str = "") -> str:
    """All situations, or those that words describe."""
    return _localized_address("situations/", [("q", q)], jump)


def term(slug: str) -> str:
    """A concept of the laws: its names, and what every edition says it is.

    >>> term("revoke")
    '/terms/revoke?ui=en'
    """
    return _localized_address(f"terms/{slug}")


def terms(by: str | None = None, q: str | None = None, jump: str = "") -> str:
    """All concepts; ``by``: the language in whose order they stand, ``q``: words that must be in a name."""
    return _localized_address("terms/", [("by", by), ("q", q)], jump)


def topics(q: str | None = None, jump: str = "") -> str:
    """The index of the site."""
    return _localized_address("topics/", [("q", q)], jump)


def thresholds(jump: str = "") -> str:
    """How sure a Director must be; ``jump``: to a matter."""
    return _localized_address("thresholds/", jump=jump)


def thresholds_data() -> str:
    """The same as JSON."""
    return "/thresholds.json"


def ruling(one: Ruling) -> str:
    """A ruling: a point of an edition on its own page."""
    return law(one.node) if one.node else _localized_address(f"rulings/{one.id}")


def rulings(body: str = "", query: Query = ()) -> str:
    """All rulings, or those of a body and what it is."""
    return _localized_address(f"rulings/{body}/" if body else "rulings/", query)


def rulings_data(id_: str = "", query: Query = ()) -> str:
    """The same as JSON: all or those that a query leaves, those of a body, or one.

    >>> rulings_data(), rulings_data("pzbs/3")
    ('/rulings.json', '/rulings/pzbs/3.json')
    """
    return build_address(f"rulings/{id_}.json" if id_ else "rulings.json", query)


def feed() -> str:
    """The rulings as a feed, the newest first."""
    return _localized_address("rulings/feed.atom")


# ── ways in ───────────────────────────────────────────────────────────────────────────────────────


def home(edition: str | None = None, jump: str = "", code: str | None = None) -> str:
    """The first page; ``edition``: whose laws its grid shows, ``code``: the laws that its calls are ruled by."""
    return _localized_address("", [("edition", edition), ("code", code)], jump)


def go() -> str:
    """Where the jump field asks."""
    return _localized_address("go")


def search(q: str | None = None, filters: Mapping[str, Iterable[str]] = {}) -> str:
    """The search page.

    >>> search("lead out", {"lang": ["en"]})
    '/search?q=lead%20out&lang=en&ui=en'
    """
    return _localized_address("search", [("q", q), *((name, v) for name, values in filters.items() for v in values)])


def current_address(ui: str | None = None, **changes: object) -> str:
    """The whole address of this page with some query values changed, or in another language; never another host."""
    query = [
        *((k, v) for k, v in known_request_parameters() if k not in changes),
        *changes.items(),
        ("ui", ui or reader.link_language()),
    ]
    # A page that is drawn for several addresses leaves open which of them it is read at.
    return _append_query(g.get("path") or build_address(request.path), query)


def current_page_url(ui: str | None = None) -> str:
    """The whole address of this page, without its query: the one that it is known by, or the one in a language."""
    return absolute_url(build_address(request.path, [("ui", ui)]))


def add_request_query(address: str) -> str:
    """An address without a query, with what its page knows of the query of this request, and its language."""
    return _append_query(strip_language(address), known_request_parameters(("ui",)))


# ── for programs ──────────────────────────────────────────────────────────────────────────────────


def health() -> str:
    """Whether the site works."""
    return build_address("healthz")


def api(rest: str = "") -> str:
    """The JSON API: its page, or one of its addresses, which are in no language."""
    return build_address(f"api/{rest}") if rest else _localized_address("api/")


def data(id_: NodeId) -> str:
    """A node as JSON."""
    return api(f"v1/nodes/{id_}")


def opensearch() -> str:
    """The description of the search for browsers."""
    return _localized_address("opensearch.xml")


def suggestions(q: str) -> str:
    """What a browser asks for its address bar."""
    return _localized_address("opensearch/suggestions", [("q", q)])


def static(name: str, digest: str = "") -> str:
    """A file of the site; ``digest`` changes with its content.

    >>> static("site.css", "0123456789")
    '/static/site.0123456789.css'
    """
    stem, _, kind = name.rpartition(".")
    return build_address(f"static/{stem}.{digest}.{kind}" if digest else f"static/{name}")


def settings(name: str, value: str) -> str:
    """Where a choice of the reader's is remembered: ``settings("theme", "dark")``."""
    return build_address("settings", [(name, value)])


def look_stylesheet() -> str:
    """The theme and the size that the reader chose, as a style sheet."""
    return build_address("look.css")
