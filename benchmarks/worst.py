"""What the dearest requests cost beside an ordinary one: ``python -m benchmarks.worst`` on what was built.

An ordinary request is the median of searches for words. Each request goes through the front, as a server serves it; a
row says what a kind of request takes at most, and how many times an ordinary one that is.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from urllib.parse import quote

from werkzeug.test import Client

from app import create_app
from app.front.door import front
from corpus.library import Library
from corpus.model import LAWS

ORDINARY = ("fałszywy renons", "licitácia mimo poradia", "izlazna karta", "odzywka niewystarczająca", "claim", "27b1")
TURNS = 3
LIMIT = 20


def requests(library: Library) -> Iterator[tuple[str, str]]:
    """Kind → an address of it, among the dearest that there are."""
    ids = list(library.editions)
    whole = [e.id for e in library.codes if e.complete]
    heavy = max(
        (n for n in library.nodes.values() if n.kind in LAWS),
        key=lambda n: sum(len(m.text) for m in library.nodes.values() if m.id.startswith(f"{n.id}/")),
    )
    words = sorted(
        {w for n in library.nodes.values() for w in n.text.split() if w.isalpha()}, key=lambda w: (-len(w), w)
    )
    common = "karta lew gracz rozgrywający stroštih karta igrač hráč zdvih licitácia prawo zápis wist atut bez renons "
    long = {
        "common words": (common * 9)[:500],
        "one word": ("karta " * 100)[:500],
        "long words": " ".join(words[:60])[:500],
        "one letter words": "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 9,
        "no spaces": "kartalewgraczrozgrywający" * 20,
        "citations": ("27B1 16D2 12C1e 64A " * 40)[:500],
        "range": "16A1-93Z9 1-93 " * 33,
        "quotes": ('"karta lew" "bez atu" ' * 40)[:500],
        "stars": "k* a* l* r* w* " * 33,
        "operators": "karta OR lew AND NOT wist (" * 18,
        "typing errors": ("krata lwe garcz rzogrywajacy " * 20)[:500],
        "bids": ("1NT 2♠ 3♥ 1♣ X XX 7NT " * 25)[:500],
        "marks": "é̀́" * 160,
        "emoji": "🂡" * 500,
        "digits": "1" * 500,
        "text of a law": " ".join(heavy.text.split())[:500] or (heavy.heading or "")[:500],
    }
    for name, q in long.items():
        q = quote(q[:500])
        for at in (
            "/search?list=1&q=",
            "/api/v1/search?limit=100&explain=1&q=",
            "/api/v1/suggest?q=",
            "/api/v1/situations?limit=100&q=",
            "/situations/?q=",
            "/terms/?q=",
            "/topics/?q=",
            "/opensearch/suggestions?q=",
            "/api/v1/terms?q=",
            "/go?edition=" + ids[0] + "&n=",
        ):
            yield at.partition("?")[0], at + q
    beside = "".join(f"&e={e}" for e in ids).lstrip("&")
    for law in {
        heavy.path,
        *(
            n.path
            for n in sorted((n for n in library.nodes.values() if n.kind == "law"), key=lambda n: -len(n.references))[
                :3
            ]
        ),
    }:
        yield "/compare", f"/compare/{law}?{beside}"
        yield "/api/v1/compare", f"/api/v1/compare?path={law}&base={ids[0]}" + "".join(f"&edition={e}" for e in ids[1:])
    for whole_of in ("chapter/VI", "chapter/V", "def"):
        yield "/compare of a chapter", f"/compare/{whole_of}?{beside}"
        yield (
            "/api/v1/compare of a chapter",
            f"/api/v1/compare?path={whole_of}&base={ids[0]}" + "".join(f"&edition={e}" for e in ids[1:]),
        )
    for e in ids:
        yield "/net/<edition>/", f"/net/{e}/"
        yield "/net/<law>", f"/net/{e}/{heavy.path}"
        yield "contents", f"/{e}/"
        yield "about", f"/{e}/about"
    for a in whole:
        for b in whole:
            if a != b:
                yield "/changes", f"/changes/{a}/{b}"
    yield "a law", f"/{heavy.id}?fixes=1&strength=1&hl=" + quote(" ".join(words[:40]))[:900]
    below = [n.path for n in library.nodes.values() if n.edition == heavy.edition and n.path.count("/")]
    below.sort(key=lambda p: -len(library.node(heavy.edition, p).text))
    yield "only=", f"/{heavy.id}?" + "&".join(f"only={quote(p)}" for p in below[:90])
    yield "hl=", f"/{heavy.id}?hl=" + quote("a " * 300)
    yield "scan", f"/scan/{heavy.id}?" + "&".join(f"word={i}.1-999" for i in range(90))
    for kind in ("def", "chapter/V", "1"):
        yield "cite", f"/cite/{heavy.edition}/{kind}"
        yield "peek", f"/peek/{heavy.edition}/{kind}"
        yield "card", f"/card/{heavy.edition}/{kind}"
        yield "/api/v1/nodes", f"/api/v1/nodes/{heavy.edition}/{kind}"
    yield "rulings", "/rulings/?" + "&".join(f"kind=x{i}" for i in range(90))
    yield "rulings of all kinds", "/rulings/"
    yield "rulings as data", "/rulings.json"
    yield "rulings feed", "/rulings/feed.atom"
    yield "all situations", "/situations/"
    yield "all situations as data", "/api/v1/situations"
    yield "all terms", "/terms/"
    yield "all terms as data", "/api/v1/terms"
    yield "all topics", "/topics/"
    yield "home", "/"
    for s in library.situations.values():
        asked = [a.id for a in s.ask]
        yield "a sheet", f"/situations/{s.id}?" + "&".join(f"{a}=no" for a in asked * 20)[:1900]
        yield (
            "a sheet, ticked",
            f"/situations/{s.id}?" + "&".join(f"{a}={i}" for a in asked for i in range(90 // max(1, len(asked)))),
        )
        yield "an outcome", f"/api/v1/situations/{s.id}/outcome?" + "&".join(f"{a}=no" for a in asked * 9)[:1900]
        yield "a situation as data", f"/api/v1/situations/{s.id}"
    for t in library.terms:
        yield "a term", f"/terms/{t}"
        yield "a term as data", f"/api/v1/terms/{t}"
    yield "unknown parameters", "/?" + "&".join(f"a{i}=1" for i in range(99))
    yield "a long path", "/pl-2007/" + "16/" * 300
    yield "an unknown situation", "/situations/" + "a-" * 400
    yield "an unknown term", "/terms/" + "é" * 300
    yield "a path of letters", "/" + "16d2" * 200


def main() -> None:
    """Prints a row for each kind, the dearest first."""
    app = create_app()
    logging.disable(logging.INFO)
    client = Client(front(app))

    def took(address: str) -> float:
        started = perf_counter()
        client.get(address).get_data()
        return (perf_counter() - started) * 1000

    asked = [f"/search?ui=en&q={quote(q)}" for q in ORDINARY]
    for address in asked:
        took(address)
    ordinary = median(median(took(address) for _ in range(5)) for address in asked)
    rows: dict[str, tuple[float, int, str]] = {}
    for kind, address in requests(app.extensions["lexbridge"].snapshot().library):
        times = [took(address) for _ in range(TURNS)]
        row = (min(times), client.get(address).status_code, address)
        rows[kind] = max(rows.get(kind, row), row)
    print(f"an ordinary search: {ordinary:.1f} ms; over {LIMIT} times that is marked")
    for kind, (ms, status, address) in sorted(rows.items(), key=lambda item: -item[1][0]):
        mark = "!" if ms > LIMIT * ordinary else " "
        print(f"{mark} {ms / ordinary:6.1f} × {ms:8.1f} ms  {status}  {kind:28} {address[:70]}")


if __name__ == "__main__":
    main()
