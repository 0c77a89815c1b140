"""Makes every address that the site prints or redirects to. No other module makes one.

Templates know this module as ``url``. Each kind of page has a function here: :func:`law`, :func:`search`, :func:`terms`
… Its result ends in ``?ui=<language>``, so that a page links to pages in its own language. :func:`_localized_address`
adds that. Addresses for programs (:func:`data`, :func:`static` …) have no language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, quote, unquote_plus, urlencode

from flask import current_app, g, request

from app.site import reader
from app.site.cache import placeholder_characters
from app.site.snapshot import current_snapshot
from corpus.model import NodeId
from corpus.ruling import Ruling
from corpus.time_limit import check_time
from index.query.parse import MOST_CHARACTERS

# -- Limits on what an address may say ---

# Views refuse or cut what is over one of these limits. What is too long to be read at all is refused before, in bytes
# (app/middleware.py).

MAX_QUERY_LENGTH = MOST_CHARACTERS  # characters of “q”: what the search reads; more is not a question
MAX_CITATION_LENGTH = 200  # characters of a path or citation: four times the longest path of a text
MAX_QUOTED_LENGTH = 80  # characters of an unknown name that a page of an error repeats: enough to see the typing error
MAX_PARAMETERS = 60  # parameters that links keep: more than the provisions, answers and filters that one reader chooses
MAX_COMPARED_EDITIONS = 5  # editions side by side: more columns are too narrow to read
MAX_SELECTED = 40  # provisions printed at a time: they fill some sheets of paper
MAX_HIGHLIGHT_LENGTH = 300  # characters of the words to highlight: they come from a query
MAX_SCAN_WORDS = 20  # words of a source whose corrections are shown: each is looked up in its lines
LAST_SEARCH_PAGE = 5000  # number of the last page of a search: more hits than the texts have nodes

SITUATION_ENDPOINT = "situations.sheet"
SCORE_ENDPOINT = "score.score"
LANGUAGE_PARAMETER = "ui"  # every view reads it
# Kind of score → its parameters; app/score/views.py fills it in.
SCORE_PARAMETERS: dict[str, frozenset[str]] = {}
# Endpoint of a view → the other parameters that it reads. Those of the API are added where it declares them
# (app/api/views.py). A view that is not here reads none.
KNOWN_PARAMETERS: dict[str, frozenset[str]] = {
    page: frozenset(names.split())
    for page, names in {
        "home.home": "edition code",
        "home.go": "n edition",
        "home.healthz": "strict",
        "search.search": "q lang edition kind without qlang list page code nofact",
        "search.opensearch.suggestions": "q",
        SITUATION_ENDPOINT: "code closed bid show from",
        "score.scores": "code from",
        SCORE_ENDPOINT: "code from show",
        "situations.situations": "q",
        "terms.terms": "by q",
        "topics.topics": "q",
        "compare.side_by_side": "e",
        "changes.changes_between": "kind",
        "changes.changes_of_law": "kind",
        "rulings.list_rulings": "body kind code condition",
        "rulings.list_rulings_data": "body kind code condition",
        "rulings.show_ruling": "hl decisions fixes strength",
        "cite.cite": "piece",
        "law.contents": "code",
        "law.provision": "only hl decisions fixes strength code",
        "law.scan": "word",
    }.items()
}
# Endpoints that report an unknown parameter, so what they answer depends on it. They cache no such answer.
REPORTING_ENDPOINTS = frozenset({
    SITUATION_ENDPOINT, SCORE_ENDPOINT, "api.outcome", "compare.redirect_to_first_law",
    *(f"api.score_{group}" for group in ("contract", "imps", "matchpoints", "revoke", "artificial", "weighted")),
})  # fmt: skip


def known_part(endpoint: str, query: str) -> str:
    """Return the query of an address without the parameters that the view of an endpoint does not read.

    A language that the site does not have is left out, too. What stays is spelt as it was.

    >>> known_part("topics.topics", "q=a%62&utm_source=x&ui=pl&ui=xx")
    'q=a%62&ui=pl'
    """
    if endpoint in REPORTING_ENDPOINTS:
        return query
    names = KNOWN_PARAMETERS.get(endpoint, frozenset())
    pairs = ((pair, *map(unquote_plus, pair.partition("=")[::2])) for pair in query.split("&"))
    return "&".join(
        pair
        for pair, name, value in pairs
        if (value in reader.LANGUAGES if name == LANGUAGE_PARAMETER else name in names)
    )


def known_request_parameters(more: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return the query parameters of this request that its page reads, as (name, value) in the order of the request.

    ``more`` names parameters that are kept as well. Values longer than ``MAX_QUERY_LENGTH`` are dropped. At most
    ``MAX_PARAMETERS`` are returned.
    """
    names = known_parameter_names() | frozenset(more)
    pairs = parse_qsl(request.query_string.decode("utf-8", "replace"), keep_blank_values=True)
    return [(name, value) for name, value in pairs if name in names and len(value) <= MAX_QUERY_LENGTH][:MAX_PARAMETERS]


def known_parameter_names() -> frozenset[str]:
    """Return the names of the parameters that the page of this request reads. A situation's sheet also reads its
    questions, and the page of a score the parameters of its kind.
    """
    page = request.endpoint or ""
    names = KNOWN_PARAMETERS.get(page, frozenset())
    if page == SCORE_ENDPOINT:
        return names | SCORE_PARAMETERS.get((request.view_args or {})["group"], frozenset())
    if page == SITUATION_ENDPOINT and (
        situation := current_snapshot().library.situations.get((request.view_args or {})["situation"])
    ):
        return names | {ask.id for ask in situation.ask}
    return names


Query = Iterable[tuple[str, object]]
# Stands for the origin on a prerendered page, which may be served under several hosts.
ORIGIN_PLACEHOLDER = placeholder_characters("origin")
# The language is the last parameter of every address that is made here.
_LANGUAGE_PARAMETER = re.compile(r"[?&]ui=\w+(?=#|$)")


def build_address(path: str, query: Query = (), jump: str = "") -> str:
    """Return an address on this site without a language. Slashes at the beginning of ``path`` do not count.

    ``query``: (name, value) of each parameter; one whose value is None is left out. ``jump`` is the id of an element on
    the page.

    Every page prints addresses, the longest ones thousands. So the time of a request is checked here.
    """
    check_time()
    return _append_query(quote("/" + path.lstrip("/"), safe="/:@!$&'()*+,;=~-._"), query) + (f"#{jump}" if jump else "")


def _append_query(path: str, query: Query) -> str:
    asked = urlencode([(k, v) for k, v in query if v is not None], safe="/", quote_via=quote)
    return path + (f"?{asked}" if asked else "")


def _localized_address(path: str, query: Query = (), jump: str = "", lang: str | None = None) -> str:
    """Return what :func:`build_address` returns, with a language: ``lang``, else that of the page that prints the
    address.
    """
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
    """Return the absolute URL of a page, without a language: people cite it, and programs identify the page by it."""
    return absolute_url(strip_language(address))


def page_path(id_: NodeId) -> str:
    """Return the path of the address of a node's page: stored pages are found by it."""
    return build_address(id_)


def dom_id(path: str) -> str:
    """Return the id of the HTML element that shows the provision of a path.

    >>> dom_id("16/D/2")
    '16-D-2'
    """
    return path.replace("/", "-")


# -- Pages of a text ---


def contents(edition: str) -> str:
    """Return the address of the contents of an edition."""
    return _localized_address(f"{edition}/")


def about(edition: str, jump: str = "") -> str:
    """Return the address of the page that says where an edition's text is from. ``jump``: the id of an element."""
    return _localized_address(f"{edition}/about", jump=jump)


def provision(id_: NodeId, **query: object) -> str:
    """Return the address of a node, as programs name it. ``query``: the query parameters.

    >>> provision(NodeId("pl-2007/16/D/2"))
    '/pl-2007/16/D/2?ui=en'
    """
    return _localized_address(id_, query.items())


def law(id_: NodeId, at: str = "", **query: object) -> str:
    """Return the address of a node on the page of its law, scrolled into view without JavaScript.

    ``at``: the id of another element of that page to jump to. ``query``: the query parameters.

    >>> *map(law, map(NodeId, ("pl-2007/16/D/2", "pl-2007/16"))), law(NodeId("pl-2007/fn/7"), hl="lead")
    ('/pl-2007/16/D/2?ui=en#16-D-2', '/pl-2007/16?ui=en', '/pl-2007/fn/7?hl=lead&ui=en#fn-7')
    """
    path = id_.path
    # A law is the top of its own page: no jump is needed.
    return _localized_address(id_, query.items(), at or (dom_id(path) if "/" in path else ""))


def permalink(id_: NodeId) -> str:
    """Return the canonical URL of a node, for citations and for programs elsewhere."""
    return canonical_url(provision(id_))


def peek(id_: NodeId) -> str:
    """Return the address of a provision alone, as a piece of HTML."""
    return _localized_address(f"peek/{id_}")


def scan(id_: NodeId, words: Iterable[object] = ()) -> str:
    """Return the address of the page that shows a provision as its source has it. ``words`` are spans (“580.12-18”)
    whose rows of corrections are requested.
    """
    return _localized_address(f"scan/{id_}", [("word", w) for w in words])


# -- Pages made from the texts ---


def compare(path: str = "", editions: Iterable[str] = ()) -> str:
    """Return the address of the comparison of editions, side by side. The first of them is the base.

    >>> compare("16/D", ["pl-2007", "sk-2017"])
    '/compare/16/D?e=pl-2007&e=sk-2017&ui=en'
    """
    return _localized_address(f"compare/{path}", [("e", e) for e in editions])


def changes(older: str = "", newer: str = "", kind: str | None = None, law: str = "") -> str:
    """Return the address of the changes between two editions. Without editions: of the list of pairs. ``kind``: the
    kind of changes to show; None for all. ``law``: the path of the law whose changes are shown; "" for the list of
    laws.
    """
    path = "/".join(filter(None, (older, newer, law)))
    return _localized_address(f"changes/{path}", [("kind", kind)])


def net(id_: NodeId) -> str:
    """Return the address of the picture of the references of one law: to it and from it."""
    return _localized_address(f"net/{id_}")


def edition_net(edition: str = "") -> str:
    """Return the address of the picture of all references between the laws of an edition.

    Without an edition it is the address that redirects to the picture of the one that the reader probably wants.
    """
    return _localized_address(f"net/{edition}/" if edition else "net/")


def cite(id_: NodeId) -> str:
    """Return the address of the page with the citation of a provision."""
    return _localized_address(f"cite/{id_}")


def card(id_: NodeId) -> str:
    """Return the address of the page that shows a provision as a card to print."""
    return _localized_address(f"card/{id_}")


def situation(id_: str, query: Query = (), jump: str = "") -> str:
    """Return the address of the sheet of a situation, in the language of the page that prints it.

    ``query``: the answers given so far; ``jump``: the id of an element on the page.

    >>> situation("insufficient-bid", [("accepted", "no"), ("code", "2017")])
    '/situations/insufficient-bid?accepted=no&code=2017&ui=en'
    """
    return _localized_address(f"situations/{id_}", query, jump)


def situations(q: str | None = None, jump: str = "") -> str:
    """Return the address of the list of situations. ``q``: words that describe the ones to find; ``jump``: the id of an
    element on the page.
    """
    return _localized_address("situations/", [("q", q)], jump)


def score(group: str = "", query: Query = (), jump: str = "") -> str:
    """Return the address of a kind of score, or of the list of all kinds. ``query``: what is known already.

    >>> score("contract", [("level", "3"), ("code", "2017")])
    '/score/contract?level=3&code=2017&ui=en'
    """
    return _localized_address(f"score/{group}" if group else "score", query, jump)


def term(slug: str) -> str:
    """Return the address of the page of a concept: its names, and what every edition says it is.

    >>> term("revoke")
    '/terms/revoke?ui=en'
    """
    return _localized_address(f"terms/{slug}")


def terms(by: str | None = None, q: str | None = None, jump: str = "") -> str:
    """Return the address of the list of concepts. ``by``: the language whose order sorts it. ``q``: words that a name
    must contain. ``jump``: the id of an element on the page.
    """
    return _localized_address("terms/", [("by", by), ("q", q)], jump)


def topics(q: str | None = None, jump: str = "") -> str:
    """Return the address of the subject index of the site. ``q``: words that a name must contain; ``jump``: the id of
    an element on the page.
    """
    return _localized_address("topics/", [("q", q)], jump)


def thresholds(jump: str = "") -> str:
    """Return the address of the page on how confident a Director must be. ``jump``: the id of a threshold."""
    return _localized_address("thresholds/", jump=jump)


def thresholds_data() -> str:
    """Return the address of the thresholds as JSON."""
    return "/thresholds.json"


def ruling(one: Ruling) -> str:
    """Return the address of a ruling. A point of an edition of decisions is read on the page of its own law."""
    return law(one.node) if one.node else _localized_address(f"rulings/{one.id}")


def rulings(body: str = "", query: Query = ()) -> str:
    """Return the address of the list of rulings, or of the page of one body. ``query``: the filters of the list."""
    return _localized_address(f"rulings/{body}/" if body else "rulings/", query)


def rulings_data(id_: str = "", query: Query = ()) -> str:
    """Return the address of rulings as JSON: all that match a query, those of a body (its id), or one ruling (its id).

    >>> rulings_data(), rulings_data("pzbs/3")
    ('/rulings.json', '/rulings/pzbs/3.json')
    """
    return build_address(f"rulings/{id_}.json" if id_ else "rulings.json", query)


def feed() -> str:
    """Return the address of the feed of rulings, newest first."""
    return _localized_address("rulings/feed.atom")


# -- Ways into the site ---


def home(edition: str | None = None, jump: str = "", code: str | None = None) -> str:
    """Return the address of the home page. ``edition``: whose laws its grid shows. ``code``: the laws that rule its
    common situations. ``jump``: the id of an element on the page.
    """
    return _localized_address("", [("edition", edition), ("code", code)], jump)


def go() -> str:
    """Return the address that the jump field submits to."""
    return _localized_address("go")


def search(q: str | None = None, filters: Mapping[str, Iterable[str]] = {}) -> str:
    """Return the address of the search page. ``filters``: name of a filter → its values.

    >>> search("lead out", {"lang": ["en"]})
    '/search?q=lead%20out&lang=en&ui=en'
    """
    return _localized_address("search", [("q", q), *((name, v) for name, values in filters.items() for v in values)])


def current_address(ui: str | None = None, **changes: object) -> str:
    """Return this page's path and query, without a host. ``ui``: another language; ``changes``: other values of the
    query.
    """
    query = [
        *((k, v) for k, v in known_request_parameters() if k not in changes),
        *changes.items(),
        ("ui", ui or reader.link_language()),
    ]
    # A law's page is drawn once for several addresses: then ``g.path`` is a placeholder for the path.
    return _append_query(g.get("path") or build_address(request.path), query)


def current_page_url(ui: str | None = None) -> str:
    """Return this page's absolute URL without its query. It has the language ``ui``; for None it has no language."""
    return absolute_url(build_address(request.path, [("ui", ui)]))


def add_request_query(address: str) -> str:
    """Return an address with the query of this request added: those of its parameters that the page of the request
    reads, and the language.

    The query of ``address`` itself may have the language, and must have nothing else.
    """
    return _append_query(strip_language(address), known_request_parameters(("ui",)))


# -- Addresses for programs and browsers ---


def health() -> str:
    """Return the address that says whether the site works."""
    return build_address("healthz")


def api(rest: str = "") -> str:
    """Return the address of the page about the JSON API, with a language. ``rest``: one of the API's own addresses
    instead, which have no language: ``v1/editions``.
    """
    return build_address(f"api/{rest}") if rest else _localized_address("api/")


def data(id_: NodeId) -> str:
    """Return the address of a node as JSON, in the API."""
    return api(f"v1/nodes/{id_}")


def opensearch() -> str:
    """Return the address of the OpenSearch description, with which a browser adds the site's search."""
    return _localized_address("opensearch.xml")


def suggestions(q: str) -> str:
    """Return the address of the suggestions for a browser's address bar. ``q``: what the reader typed."""
    return _localized_address("opensearch/suggestions", [("q", q)])


def static(name: str, digest: str = "") -> str:
    """Return the address of a static file of the site. ``digest`` changes with its content.

    >>> static("site.css", "0123456789")
    '/static/site.0123456789.css'
    """
    stem, _, kind = name.rpartition(".")
    return build_address(f"static/{stem}.{digest}.{kind}" if digest else f"static/{name}")


def settings() -> str:
    """Return the address to which a reader's choices are posted."""
    return build_address("settings")


def look_stylesheet() -> str:
    """Return the address of the style sheet with the theme and the size that the reader chose."""
    return build_address("look.css")
