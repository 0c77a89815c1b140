"""The files of contract section 4: what was built, the alignment of every two editions composed from its joints, and
the terms for other programs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from corpus.exchange import pair_to_json, to_json
from corpus.library import Library
from corpus.model import Pair
from corpus.place import Place
from corpus.term.model import Terms

COPIED = ("nodes.jsonl", "index.jsonl", "corrections.jsonl")
ALIGNMENT = "alignment.jsonl"
# The terms: every field as the API has it, as SKOS, as TBX-Basic.
TERMS = ("terms.json", "terms.ttl", "terms.jsonld", "terms.tbx")


def write_export(corpus: Place, target: Path) -> tuple[str, ...]:
    """Write the files of a parsed corpus into a folder, whole or not at all; returns their names.

    Raises :class:`corpus.store.StoreError` when the build is missing or damaged.
    """
    library = Library.open(corpus)
    target.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        (target / f".{name}.new").write_bytes((corpus / name).read_bytes())
    with (target / f".{ALIGNMENT}.new").open("w", encoding="utf-8") as file:
        for pair in alignment(library):
            file.write(
                json.dumps(
                    {k: v for k, v in pair_to_json(pair).items() if k != "heading"},
                    ensure_ascii=False,
                    separators=(",", ":"),
                )
                + "\n"
            )
    for name, text in zip(TERMS, _terms(library.terms), strict=True):
        (target / f".{name}.new").write_text(text, encoding="utf-8")
    names = (*COPIED, ALIGNMENT, *TERMS)
    for name in names:
        (target / f".{name}.new").rename(target / name)
    return names


def _terms(terms: Terms) -> tuple[str, ...]:
    from corpus.term import skos, tbx  # no other command waits for RDF

    rows = [to_json(term) for term in terms.values()]
    as_json = json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
    return as_json, skos.write_skos(terms, "turtle"), skos.write_skos(terms, "json-ld"), tbx.write_tbx(terms)


def alignment(library: Library) -> Iterator[Pair]:
    """The rows of every two editions, the older pair of editions first; titles that correspond without words are no
    rows.
    """
    for older, newer in combinations(library.relations.order, 2):
        yield from (p for p in library.relations.pairs(older, newer) if not p.heading)
