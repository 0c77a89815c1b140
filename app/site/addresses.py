"""Makes every address that the site prints or redirects to. No other module makes one.

Templates know this module as ``url``. Each kind of page has a function here: :func:`law`, :func:`search`, :func:`terms`
… Its result ends in ``?ui=<language>``, so that a page links to pages in its own language. :func:`_localized_address`
adds that. Addresses for programs (:func:`data`, :func:`static` …) have no language.
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

MAX_PARAMETERS = 60  # more than the provisions, answers and filters that one reader chooses
SITUATION_ENDPOINT = "situations.sheet"
# Endpoint of a page → the parameters that it reads, without the reader's settings.
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
    """Return the query parameters of this request that its page reads, as (name, value) in the order of the request.

    ``more`` names parameters that are kept as well. Values longer than ``MAX_QUERY_LENGTH`` are dropped. At most
    ``MAX_PARAMETERS`` are returned.
    """
    names = known_parameter_names() | frozenset(more)
    pairs = parse_qsl(request.query_string.decode("utf-8", "replace"), keep_blank_values=True)
    return [(name, value) for name, value in pairs if name in names and len(value) <= MAX_QUERY_LENGTH][:MAX_PARAMETERS]


def known_parameter_names() -> frozenset[str]:
    """The names of the parameters that the page of this request reads. A situation's sheet also reads its questions."""
    page = request.endpoint or ""
    names = KNOWN_PARAMETERS.get(page, frozenset())
    if page == SITUATION_ENDPOINT and (
        situation := current_snapshot().library.situations.get((request.view_args or {})["situation"])
    ):
        return names | {ask.id for ask in situation.ask}
    return names


Query = Iterable[tuple[str, object]]
# Stands for the origin on a prerendered page, which may be served under several hosts.
ORIGIN_PLACEHOLDER = placeholder_mark("origin")
# The language is the last parameter of every address that is made here.
_LANGUAGE_PARAMETER = re.compile(r"[?&]ui=\w+(?=#|$)")


def build_address(path: str, query: Query = (), jump: str = "") -> str:
    """Return an address on this site without a language. Slashes at the beginning of ``path`` do not count.

    A parameter whose value is None is left out. ``jump`` is the id of an element on the page.
    """
    return _append_query(quote("/" + path.lstrip("/"), safe="/:@!$&'()*+,;=~-._"), query) + (f"#{jump}" if jump else "")


def _append_query(path: str, query: Query) -> str:
    asked = urlencode([(k, v) for k, v in query if v is not None], safe="/", quote_via=quote)
    return path + (f"?{asked}" if asked else "")


def _localized_address(path: str, query: Query = (), jump: str = "", lang: str | None = None) -> str:
    """The same as :func:`build_address`, with a language: ``lang``, else that of the page that prints the address."""
    return build_address(path, [*query, ("ui", lang or reader.link_language())], jump)


def strip_language(address: str) -> str:
    """Return an address of this site without its language, so that each reader gets his own there.

    >>> strip_language(provision(NodeId("pl-2007/16"), hl="lead"))
    '/pl-2007/16?hl=lead'
    """
    return _LANGUAGE_PARAMETER.sub("", address)


def redirect_address(address: str) -> str:
    """Return an address to redirect to. It has a language only when the requested address names one."""
    return address if reader.language_in_address() else strip_language(address)


def origin() -> str:
    """Return scheme and host of the site, ``https://laws.example``.

    This is the configured ``ORIGIN``, else the host of this request. A page that is prerendered for all requests gets a
    placeholder instead.
    """
    return current_app.config["ORIGIN"] or (
        ORIGIN_PLACEHOLDER if current_app.config["MAKING"] else request.url_root.rstrip("/")
    )


def absolute_url(address: str = "") -> str:
    """Return an address of this site with the origin before it: ``https://laws.example/pl-2007/``."""
    return origin() + address


def canonical_url(address: str) -> str:
    """Return the absolute URL, without a language, by which people cite a thing and programs identify it."""
    return absolute_url(strip_language(address))


def page_path(id_: NodeId) -> str:
    """Return the path of a node's address. Its page is stored under this path."""
    return build_address(id_)


def dom_id(path: str) -> str:
    """Return the id of the element that shows a path.

    >>> dom_id("16/D/2")
    '16-D-2'
    """
    return path.replace("/", "-")


# -- Pages of a text ---


def contents(edition: str) -> str:
    """The contents of an edition."""
    return _localized_address(f"{edition}/")


def about(edition: str, jump: str = "") -> str:
    """The page that says where an edition's text is from."""
    return _localized_address(f"{edition}/about", jump=jump)


def provision(id_: NodeId, **query: object) -> str:
    """The address of a node, as programs name it.

    >>> provision(NodeId("pl-2007/16/D/2"))
    '/pl-2007/16/D/2?ui=en'
    """
    return _localized_address(id_, query.items())


def law(id_: NodeId, at: str = "", **query: object) -> str:
    """A node on the page of its law, scrolled into view without JavaScript. ``at`` jumps to another place of that page.

    >>> *map(law, map(NodeId, ("pl-2007/16/D/2", "pl-2007/16"))), law(NodeId("pl-2007/fn/7"), hl="lead")
    ('/pl-2007/16/D/2?ui=en#16-D-2', '/pl-2007/16?ui=en', '/pl-2007/fn/7?hl=lead&ui=en#fn-7')
    """
    path = id_.path
    # A law is the top of its own page: no jump is needed.
    return _localized_address(id_, query.items(), at or (dom_id(path) if "/" in path else ""))


def permalink(id_: NodeId) -> str:
    """The canonical URL of a node, for citations and for programs elsewhere."""
    return canonical_url(provision(id_))


def peek(id_: NodeId) -> str:
    """A provision alone, as a piece of HTML."""
    return _localized_address(f"peek/{id_}")


def scan(id_: NodeId, words: Iterable[object] = ()) -> str:
    """A provision as its source has it. ``words`` are spans (“580.12-18”) whose rows of corrections are requested."""
    return _localized_address(f"scan/{id_}", [("word", w) for w in words])


# -- Pages made from the texts ---


# How many editions stand side by side.
MAX_COMPARED_EDITIONS = 5


def compare(path: str = "", editions: Iterable[str] = ()) -> str:
    """Editions side by side. The first of them is the base.

    >>> compare("16/D", ["pl-2007", "sk-2017"])
    '/compare/16/D?e=pl-2007&e=sk-2017&ui=en'
    """
    return _localized_address(f"compare/{path}", [("e", e) for e in editions])


def changes(older: str = "", newer: str = "", kind: str | None = None) -> str:
    """What changed between two editions. Without editions: the list of pairs."""
    return _localized_address(f"changes/{older}/{newer}" if older else "changes/", [("kind", kind)])


def net(id_: NodeId) -> str:
    """The references of a law."""
    return _localized_address(f"net/{id_}")


def nets(edition: str = "") -> str:
    """The references of all laws of an edition. Without one: of the edition that the reader probably wants."""
    return _localized_address(f"net/{edition}/" if edition else "net/")


def cite(id_: NodeId) -> str:
    """The citation of a provision."""
    return _localized_address(f"cite/{id_}")


def card(id_: NodeId) -> str:
    """A provision as a card to print."""
    return _localized_address(f"card/{id_}")


def situation(id_: str, query: Query = (), jump: str = "") -> str:
    """The sheet of a situation, with the answers given so far in ``query``.

    >>> situation("insufficient-bid", [("accepted", "no"), ("code", "2017")])
    '/situations/insufficient-bid?accepted=no&code=2017&ui=en'
    """
    return _localized_address(f"situations/{id_}", query, jump)


def situations(q: str | None = None, jump: str = "") -> str:
    """The list of situations. ``q``: words that describe the ones to find."""
    return _localized_address("situations/", [("q", q)], jump)


def term(slug: str) -> str:
    """A concept of the laws: its names, and what every edition says it is.

    >>> term("revoke")
    '/terms/revoke?ui=en'
    """
    return _localized_address(f"terms/{slug}")


def terms(by: str | None = None, q: str | None = None, jump: str = "") -> str:
    """The list of concepts. ``by``: the language whose order sorts it. ``q``: words that a name must contain."""
    return _localized_address("terms/", [("by", by), ("q", q)], jump)


def topics(q: str | None = None, jump: str = "") -> str:
    """The subject index of the site."""
    return _localized_address("topics/", [("q", q)], jump)


def thresholds(jump: str = "") -> str:
    """How confident a Director must be. ``jump``: the matter to jump to."""
    return _localized_address("thresholds/", jump=jump)


def thresholds_data() -> str:
    """The thresholds as JSON."""
    return "/thresholds.json"


def ruling(one: Ruling) -> str:
    """A ruling. A point of an edition is read on its own law page."""
    return law(one.node) if one.node else _localized_address(f"rulings/{one.id}")


def rulings(body: str = "", query: Query = ()) -> str:
    """The list of rulings, or the page of one body."""
    return _localized_address(f"rulings/{body}/" if body else "rulings/", query)


def rulings_data(id_: str = "", query: Query = ()) -> str:
    """The rulings as JSON: all that match a query, those of a body, or one.

    >>> rulings_data(), rulings_data("pzbs/3")
    ('/rulings.json', '/rulings/pzbs/3.json')
    """
    return build_address(f"rulings/{id_}.json" if id_ else "rulings.json", query)


def feed() -> str:
    """The rulings as a feed, newest first."""
    return _localized_address("rulings/feed.atom")


# -- Ways into the site ---


def home(edition: str | None = None, jump: str = "", code: str | None = None) -> str:
    """The first page. ``edition``: whose laws its grid shows. ``code``: the laws that rule its common situations."""
    return _localized_address("", [("edition", edition), ("code", code)], jump)


def go() -> str:
    """The address that the jump field submits to."""
    return _localized_address("go")


def search(q: str | None = None, filters: Mapping[str, Iterable[str]] = {}) -> str:
    """The search page.

    >>> search("lead out", {"lang": ["en"]})
    '/search?q=lead%20out&lang=en&ui=en'
    """
    return _localized_address("search", [("q", q), *((name, v) for name, values in filters.items() for v in values)])


def current_address(ui: str | None = None, **changes: object) -> str:
    """Return this page's path and query, with some query values changed or in another language. It has no host."""
    query = [
        *((k, v) for k, v in known_request_parameters() if k not in changes),
        *changes.items(),
        ("ui", ui or reader.link_language()),
    ]
    # A law's page is drawn once for several addresses: then ``g.path`` is a placeholder for the path.
    return _append_query(g.get("path") or build_address(request.path), query)


def current_page_url(ui: str | None = None) -> str:
    """Return this page's absolute URL without its query: in the language ``ui``, or in none."""
    return absolute_url(build_address(request.path, [("ui", ui)]))


def add_request_query(address: str) -> str:
    """Return an address with the query of this request: the parameters that its page knows, and the language.

    ``address`` must have no query of its own but the language.
    """
    return _append_query(strip_language(address), known_request_parameters(("ui",)))


# -- Addresses for programs and browsers ---


def health() -> str:
    """The address that says whether the site works."""
    return build_address("healthz")


def api(rest: str = "") -> str:
    """The page of the JSON API, in a language. ``rest``: one of the API's own addresses, which have none."""
    return build_address(f"api/{rest}") if rest else _localized_address("api/")


def data(id_: NodeId) -> str:
    """A node as JSON."""
    return api(f"v1/nodes/{id_}")


def opensearch() -> str:
    """The OpenSearch description, with which a browser adds the site's search."""
    return _localized_address("opensearch.xml")


def suggestions(q: str) -> str:
    """The suggestions for a browser's address bar."""
    return _localized_address("opensearch/suggestions", [("q", q)])


def static(name: str, digest: str = "") -> str:
    """A file of the site. ``digest`` changes with its content.

    >>> static("site.css", "0123456789")
    '/static/site.0123456789.css'
    """
    stem, _, kind = name.rpartition(".")
    return build_address(f"static/{stem}.{digest}.{kind}" if digest else f"static/{name}")


def settings(name: str, value: str) -> str:
    """The address that stores a choice of the reader: ``settings("theme", "dark")``."""
    return build_address("settings", [(name, value)])


def look_stylesheet() -> str:
    """The theme and the size that the reader chose, as a style sheet."""
    return build_address("look.css")
