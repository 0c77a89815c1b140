"""Chooses what readers ask for: some addresses of each kind, found by following the links of the site itself."""

from __future__ import annotations

import html
import json
import random
import re
import urllib.request
from typing import NamedTuple
from urllib.parse import quote, urlencode

from app.site.reader import LANGUAGES
from tools.soak.texts import MARK_WORD

_LINK = re.compile(r'(?:href|action)="(/[^"#]*)')
_WORD = re.compile(r"[^\W\d_]{4,}")
SPEAKERS = tuple(form.format(code) for code in LANGUAGES for form in ("{}", "de, {};q=0.5"))
PAGES = 60  # pages that are read for their links
EACH = 25  # addresses of a kind
MARKS = 8  # different marked words that are searched for


class Request(NamedTuple):
    """A request of a reader. ``kind``: the group that it is counted in; ``speaks``: its Accept-Language, empty for a
    program.
    """

    kind: str
    address: str
    speaks: str = ""


def sample_requests(origin: str, seed: int, each: int = EACH) -> list[Request]:
    """Return requests of every kind, the same for the same site and seed."""
    chosen = random.Random(seed)  # noqa: S311
    found, words = _crawl_site(origin, chosen)
    editions = [e["id"] for e in json.loads(_fetch_page(f"{origin}/api/v1/editions"))["editions"]]
    by_kind: dict[str, list[str]] = {}
    for address in sorted(found):
        by_kind.setdefault(_page_kind(address, editions), []).append(address)
    out = []
    for kind, addresses in by_kind.items():
        for address in chosen.sample(addresses, min(each, len(addresses))):
            path, _, query = address.partition("?")
            own = "&".join(p for p in query.split("&") if p and not p.startswith(("ui=", "theme=", "size=")))
            out.append(Request(kind, f"{path}?{own}&ui={chosen.choice(LANGUAGES)}".replace("?&", "?")))
            if chosen.random() < 0.4:
                out.append(Request(f"{kind}, bare", path + (f"?{own}" if own else ""), chosen.choice(SPEAKERS)))
    nodes, laws = _sample_paths(by_kind, "law", "provision", chosen, each), _sample_paths(by_kind, "law", "", chosen, 6)
    out += [Request("API node", f"/api/v1/nodes{path}") for path in nodes]
    out += [Request("API compare", f"/api/v1/compare?{_compare_query(path, editions)}") for path in laws]
    out += list(_search_requests(words, editions, chosen, each))
    out += [Request("API", f"/api/v1/{name}") for name in ("editions", "terms", "situations")]
    # /healthz is left out: it says what becomes of the disk, which depends on the moment.
    return [*out, Request("unknown", "/there-is-no-such-page?ui=en")]


def _crawl_site(origin: str, chosen: random.Random) -> tuple[set[str], list[str]]:
    """Return (addresses on this site, words of its pages), found by following links from a few pages."""
    todo, seen, words = ["/?ui=en", "/situations/?ui=pl", "/terms/?ui=en"], set(), set()
    for read in range(PAGES):
        if not todo:
            break
        address = todo.pop(0 if read < 8 else chosen.randrange(len(todo)))
        page = _fetch_page(origin + address)
        text = re.sub(r"<[^>]*>", " ", page[page.find("<main") :])
        words |= set(_WORD.findall(html.unescape(text))[:300])
        for link in sorted(map(html.unescape, _LINK.findall(page))):
            if link not in seen and not link.startswith(("//", "/static", "/api")):
                seen.add(link)
                todo.append(link)
    return seen, sorted(words)


def _fetch_page(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310 – a server of ours
            return answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as refused:
        return refused.read().decode("utf-8", "replace")


def _page_kind(address: str, editions: list[str]) -> str:
    """Return the kind of the page at an address, by the first step of its path."""
    path = address.partition("?")[0].strip("/")
    first, _, rest = path.partition("/")
    if first in editions:
        return "law" if rest.isdigit() else "provision" if rest else "contents"
    if first == "situations" and "?" in address and re.search(r"[?&](?!ui=)\w+=", address):
        return "sheet with answers"
    return first or "home"


def _sample_paths(
    by_kind: dict[str, list[str]], first: str, second: str, chosen: random.Random, each: int
) -> list[str]:
    """Return at most ``each`` paths of pages whose kind is ``first`` or ``second``, chosen at random."""
    paths = sorted({a.partition("?")[0] for a in (*by_kind.get(first, ()), *by_kind.get(second, ()))})
    return chosen.sample(paths, min(each, len(paths)))


def _compare_query(path: str, editions: list[str]) -> str:
    """Return the query of the API address that compares a provision with the first other edition of ``editions``.

    ``path``: the address of the provision's page, ``/pl-2007/16/D``.
    """
    _, edition, rest = path.split("/", 2)
    other = next((e for e in editions if e != edition), edition)
    return urlencode([("path", rest), ("base", edition), ("edition", other)])


def _search_requests(words: list[str], editions: list[str], chosen: random.Random, each: int):
    """Yield requests for searches and suggestions, with words of the pages and with the words that mark the texts."""
    marks = [MARK_WORD.format(n) for n in range(MARKS)]
    for number in range(each):
        said = " ".join(chosen.sample(words, min(len(words), chosen.randint(1, 3))))
        q = quote(marks[number % MARKS] if number % 3 == 0 else said)
        yield Request("API search", f"/api/v1/search?q={q}&limit={chosen.choice((5, 20, 50))}")
        yield Request("search page", f"/search?q={q}&ui={chosen.choice(LANGUAGES)}")
        yield Request("API suggest", f"/api/v1/suggest?q={quote(said[: chosen.randint(2, 6)])}")
    yield Request("API search", f"/api/v1/search?q={quote(words[0] if words else 'a')}&edition={editions[0]}")
