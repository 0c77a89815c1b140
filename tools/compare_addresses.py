"""Compares the answers of two versions of the site, address by address.

    python -m tools.compare_addresses list > addresses.txt          # from the current build, spread over every kind
    python -m tools.compare_addresses fetch http://127.0.0.1:8000 addresses.txt old.jsonl
    python -m tools.compare_addresses fetch http://127.0.0.1:8001 addresses.txt new.jsonl
    python -m tools.compare_addresses compare old.jsonl new.jsonl

``list`` needs a build (``lexbridge build``). ``compare`` names each address whose status, type or body differs and ends
with exit code 1 if there is one.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import click

from corpus.generation import CORPUS_PART, Generation, build_dir
from corpus.library import Library
from scripts.evaluate import QUERIES, read_queries

LANGUAGES = ("pl", "sk", "hr", "en")  # languages of the site; the query parameter ``ui`` names one
MAX_SHOWN = 20  # differences that are printed in full
SEED = 20261123
HOST = "laws.example"  # addresses and QR codes of a page have the name under which it was asked for
# The name of a static file has its digest: a comment in a script changes every page.
STATIC_FILE = re.compile(r'(?<=\.)[0-9a-f]{10}\.(?=js|css|svg)|integrity="[^"]*"')


def addresses_of(library: Library, count: int) -> list[str]:
    """Return ``count`` addresses, spread evenly over :func:`addresses_by_kind`; the same for the same library."""
    chance = random.Random(SEED)  # noqa: S311 – the same list for the same library
    kinds = [list(kind) for kind in addresses_by_kind(library)]
    for kind in kinds:
        chance.shuffle(kind)
    out: list[str] = []
    while len(out) < count and any(kinds):
        for kind in filter(None, kinds):
            address = kind.pop()
            sign = "&" if "?" in address else "?"
            out.append(address if address.startswith("/api/") else f"{address}{sign}ui={chance.choice(LANGUAGES)}")
    return out[:count]


def addresses_by_kind(library: Library) -> Iterator[Iterable[str]]:
    """Yield the addresses of each kind of page and of each kind of API answer."""
    nodes = [n for n in library.nodes.values() if n.kind not in ("edition", "index")]
    ids = [n.id for n in nodes]
    editions = list(library.editions)
    yield ["/", "/search", "/settings", *(f"/{page}/" for page in ("terms", "topics", "situations", "rulings"))]
    yield ["/thresholds/", "/changes/", "/api/", "/api/openapi.json", "/api/v1/editions", "/opensearch.xml"]
    yield (page.format(edition) for edition in editions for page in ("/{}/", "/{}/about", "/net/{}/"))
    yield (f"/{id_}" for id_ in ids)
    yield (f"/cite/{id_}" for id_ in ids)
    yield (f"/api/v1/nodes/{id_}" for id_ in ids)
    yield (f"/compare/{id_.path}?e={id_.edition}&e={other}" for id_ in ids[::7] for other in editions)
    yield (f"/api/v1/compare?path={id_.path}&base={id_.edition}&edition={e}" for id_ in ids[::7] for e in editions)
    yield (f"/{address}/{slug}" for slug in library.terms for address in ("terms", "api/v1/terms"))
    yield (f"/{address}/{id_}" for id_ in library.situations for address in ("situations", "api/v1/situations"))
    yield (f"/rulings/{id_}" for id_ in library.rulings)
    yield (f"/changes/{a}/{b}" for a in editions for b in editions if a != b)
    queries = [quote(row.query) for row in read_queries(QUERIES)]
    for address in ("/search", "/api/v1/search", "/api/v1/suggest", "/api/v1/situations"):
        yield (f"{address}?q={query}" for query in queries)


def fetch_answers(origin: str, addresses: Iterable[str]) -> Iterator[dict[str, object]]:
    """Yield a mapping with address, status, type, redirect location and body for each address, fetched one after the
    other.
    """
    where = urlsplit(origin)
    connection = http.client.HTTPConnection(where.hostname or "", where.port or 80, timeout=60)
    for address in addresses:
        connection.request("GET", address, headers={"Accept-Encoding": "identity", "Host": HOST})
        response = connection.getresponse()
        body = response.read().decode("utf-8", "replace")
        yield {
            "address": address,
            "status": response.status,
            "type": response.getheader("Content-Type"),
            "location": response.getheader("Location") or "",
            "body": body,
        }


@click.group()
def main() -> None:
    """Compare the answers of two versions of the site."""


@main.command("list")
@click.option("--count", default=2000, show_default=True)
def list_addresses(count: int) -> None:
    """Print addresses of the current build."""
    for address in addresses_of(Library.open(Generation.open(build_dir(), (CORPUS_PART,))), count):
        click.echo(address)


@main.command()
@click.argument("origin")
@click.argument("addresses", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
def fetch(origin: str, addresses: Path, out: Path) -> None:
    """Fetch every address of the file ADDRESSES from a running site."""
    with out.open("w", encoding="utf-8") as file:
        for answer in fetch_answers(origin.rstrip("/"), addresses.read_text(encoding="utf-8").split()):
            file.write(json.dumps(answer, ensure_ascii=False) + "\n")


@main.command()
@click.argument("older", type=click.Path(exists=True, path_type=Path))
@click.argument("newer", type=click.Path(exists=True, path_type=Path))
def compare(older: Path, newer: Path) -> None:
    """Print what differs between two fetched files, apart from the digests of static files."""
    a, b = ([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in (older, newer))
    if [row["address"] for row in a] != [row["address"] for row in b]:
        raise click.ClickException("The two files have other addresses. Fetch both with the same list.")
    for row in (*a, *b):
        row["body"] = STATIC_FILE.sub("", row["body"])
    differing = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    for x, y in differing[:MAX_SHOWN]:
        keys = [key for key in x if x[key] != y[key]]
        click.echo(f"{x['address']}: {', '.join(keys)}")
        for key in keys:
            at = next((i for i, (c, d) in enumerate(zip(str(x[key]), str(y[key]), strict=False)) if c != d), 0)
            click.echo(
                f"  - …{str(x[key])[max(0, at - 60) : at + 100]!r}\n  + …{str(y[key])[max(0, at - 60) : at + 100]!r}"
            )
    click.echo(f"{len(differing)} of {len(a)} addresses differ.")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
