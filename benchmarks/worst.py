"""What the dearest requests cost beside an ordinary one: ``python -m benchmarks.worst`` on what was built.

An ordinary request is the median of searches for words. Each answer is drawn anew: nothing comes from the packs of
pages or from the cache of responses. A row says how much time of the processor a kind of request takes at most, how
many times an ordinary one that is, and how many bytes are sent, before compression.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from statistics import median
from time import thread_time
from urllib.parse import quote

from app import create_app
from app.site.cache import PagePacks
from corpus.library import Library
from corpus.model import LAW_KINDS, Node

ORDINARY = ("fałszywy renons", "licitácia mimo poradia", "izlazna karta", "odzywka niewystarczająca", "claim", "27b1")
# Where one may ask in words.
QUESTIONS = (
    "/search?list=1&q=",
    "/api/v1/search?limit=100&explain=1&q=",
    "/api/v1/suggest?q=",
    "/api/v1/situations?limit=100&q=",
    "/api/v1/terms?q=",
    "/opensearch/suggestions?q=",
    "/situations/?q=",
    "/terms/?q=",
    "/topics/?q=",
    "/go?n=",
)
TURNS = 2
LIMIT = 20


def requests(library: Library) -> Iterator[tuple[str, str]]:
    """Kind → an address of it, among the dearest that there are."""
    under = lambda n: sum(len(m.text) for m in library.nodes.values() if m.id.startswith(f"{n.id}/"))
    heavy = max((n for n in library.nodes.values() if n.kind in LAW_KINDS), key=under)
    yield from questions(library, heavy)
    yield from comparisons(library, heavy)
    yield from texts(library, heavy)
    yield from records(library)
    yield from strange()


def questions(library: Library, heavy: Node) -> Iterator[tuple[str, str]]:
    """Five hundred characters of every sort, asked wherever one may ask."""
    words = sorted(
        {w for n in library.nodes.values() for w in n.text.split() if w.isalpha()}, key=lambda w: (-len(w), w)
    )
    for q in (
        "karta lew gracz rozgrywający stroštih igrač hráč zdvih licitácia prawo zápis wist atut bez renons " * 9,
        "karta " * 100,
        " ".join(words[:60]),
        "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 9,
        "kartalewgraczrozgrywający" * 20,
        "27B1 16D2 12C1e 64A " * 40,
        "16A1-93Z9 1-93 " * 33,
        '"karta lew" "bez atu" ' * 40,
        "k* a* l* r* w* " * 33,
        "karta OR lew AND NOT wist (" * 18,
        "krata lwe garcz rzogrywajacy " * 20,
        "1NT 2♠ 3♥ 1♣ X XX 7NT " * 25,
        "é̀́" * 160,
        "🂡" * 500,
        "1" * 500,
        " ".join(heavy.text.split()) or heavy.heading or "",
    ):
        for at in QUESTIONS:
            yield at.partition("?")[0], at + quote(q[:500])


def comparisons(library: Library, heavy: Node) -> Iterator[tuple[str, str]]:
    """All editions side by side, and every two of them."""
    ids = list(library.editions)
    beside = "&".join(f"e={e}" for e in ids)
    others = "&".join(f"edition={e}" for e in ids[1:])
    for path in (heavy.path, "chapter/VI", "chapter/V", "def"):
        yield f"/compare/{path}", f"/compare/{path}?{beside}"
        yield f"/api/v1/compare {path}", f"/api/v1/compare?path={path}&base={ids[0]}&{others}"
    for a, b in permutations((e.id for e in library.law_editions if e.complete), 2):
        yield "/changes", f"/changes/{a}/{b}"
        yield "/changes of a law", f"/changes/{a}/{b}/{heavy.path}"


def texts(library: Library, heavy: Node) -> Iterator[tuple[str, str]]:
    """The heaviest law in all its dresses, and what is drawn of whole editions."""
    for e in library.editions:
        yield from (("/net/", f"/net/{e}/"), ("/net/ of a law", f"/net/{e}/{heavy.path}"))
        yield from (("contents", f"/{e}/"), ("about", f"/{e}/about"))
    below = [n for n in library.nodes.values() if n.edition == heavy.edition and "/" in n.path]
    below.sort(key=lambda n: -len(n.text))
    yield "only=", f"/{heavy.id}?" + "&".join(f"only={quote(n.path)}" for n in below[:90])
    yield "hl=", f"/{heavy.id}?fixes=1&strength=1&hl=" + quote("a e i o u w z " * 40)[:1900]
    yield "scan", f"/scan/{heavy.id}?" + "&".join(f"word={i}.1-999" for i in range(90))
    for path in ("def", "chapter/V", "1"):
        for page in ("cite", "peek", "card", "api/v1/nodes"):
            yield page, f"/{page}/{heavy.edition}/{path}"


def records(library: Library) -> Iterator[tuple[str, str]]:
    """Situations with more answers than they have questions, terms, rulings; and all of each."""
    for at in ("/", "/topics/", "/situations/", "/api/v1/situations", "/terms/", "/api/v1/terms", "/rulings/"):
        yield f"all of {at}", at
    yield from (("rulings as data", "/rulings.json"), ("rulings feed", "/rulings/feed.atom"))
    yield "rulings narrowed", "/rulings/?" + "&".join(f"kind=x{i}" for i in range(90))
    for s in library.situations.values():
        asked = [a.id for a in s.ask] or ["none"]
        many = "&".join(f"{a}={i}" for a in asked for i in range(90 // len(asked)))
        yield "a sheet", f"/situations/{s.id}?{many}"
        yield "an outcome", f"/api/v1/situations/{s.id}/outcome?{many}"
        yield "a situation as data", f"/api/v1/situations/{s.id}"
    for term in library.terms:
        yield from (("a term", f"/terms/{term}"), ("a term as data", f"/api/v1/terms/{term}"))


def strange() -> Iterator[tuple[str, str]]:
    """What nobody would ask."""
    yield "unknown parameters", "/?" + "&".join(f"a{i}=1" for i in range(99))
    yield "a long path", "/pl-2007/" + "16/" * 300
    yield "a path of labels", "/" + "16d2" * 200
    yield "an unknown situation", "/situations/" + "a-" * 400
    yield "an unknown term", "/terms/" + quote("é" * 300)


def main() -> None:
    """Prints a row for each kind, the dearest first."""
    app = create_app()
    logging.disable(logging.INFO)
    snapshot = app.extensions["lexbridge"].snapshot()
    app = create_app({"SNAPSHOT": replace(snapshot, packs=PagePacks())})
    client = app.test_client(use_cookies=False)

    def took(address: str) -> tuple[float, int, int]:
        started = thread_time()
        answer = client.get(address)
        return (thread_time() - started) * 1000, len(answer.data), answer.status_code

    asked = [f"/search?ui=en&q={quote(q)}" for q in ORDINARY]
    for address in asked:
        took(address)
    ordinary = median(median(took(address)[0] for _ in range(5)) for address in asked)
    rows: dict[str, tuple[float, int, int, str]] = {}
    for kind, address in requests(snapshot.library):
        row = (*min(took(address) for _ in range(TURNS)), address)
        rows[kind] = max(rows.get(kind, row), row)
    print(f"an ordinary search: {ordinary:.1f} ms; over {LIMIT} times that is marked")
    for kind, (ms, size, status, address) in sorted(rows.items(), key=lambda item: -item[1][0]):
        mark = "!" if ms > LIMIT * ordinary else " "
        print(f"{mark} {ms / ordinary:6.1f} × {ms:8.1f} ms {size / 1000:6.0f} kB  {status}  {kind:28} {address[:70]}")


if __name__ == "__main__":
    main()
