"""A library for the tests of the site, read from the sources and the reviewed concordances, without a build."""
from __future__ import annotations

import csv
from dataclasses import asdict, fields
from functools import lru_cache
from pathlib import Path

from corpus import edition, language
from corpus.library import EditionInfo, Library
from corpus.model import Pair
from corpus.reading.reader import read

CORPUS = Path(__file__).parent.parent / "corpus"


@lru_cache
def library() -> Library:
    """All editions that can be read, with the pairs of the concordance tables."""
    nodes, info, index, corrections = [], [], [], []
    for name in edition.list_editions(CORPUS):
        manifest = edition.load(CORPUS / "editions" / name)
        reading = read(manifest, language.load(CORPUS / "languages", manifest.lang))
        nodes += reading.nodes
        index += reading.index
        corrections += reading.corrections
        keep = {f.name for f in fields(EditionInfo)} - {"data"}
        data = {k: v for k, v in asdict(manifest).items() if isinstance(v, (str, int, bool, tuple, type(None)))}
        info.append(EditionInfo(**{k: data[k] for k in keep}, data=data))
    ids = {n.id for n in nodes}
    return Library(nodes, info, list(dict.fromkeys(_pairs(ids))), index, corrections)


def _pairs(ids: set[str]):
    editions = ("hr-1997", "pl-2007", "sk-2017")
    for file in sorted((CORPUS / "concordances").glob("[ld]*.tsv")):
        for row in csv.DictReader(file.open(encoding="utf-8"), delimiter="\t"):
            paths = [row.get("path_1997"), row.get("path_2007"), row.get("path_2017")]
            for i, j in ((0, 1), (1, 2), (0, 2)):
                a, b = (f"{editions[k]}/{paths[k]}" if paths[k] else None for k in (i, j))
                if (a and a not in ids) or (b and b not in ids) or not (a or b):
                    continue
                relation = row["relation"].split("-")[0]
                if a and b and relation in ("new", "dropped", "same", "reworded", "moved"):
                    relation = "moved" if paths[i] != paths[j] else relation if relation != "new" else "same"
                yield Pair(a, b, relation if a and b else "new" if b else "dropped", False, 1.0, "reviewed", row["note"] or "", editions[i], editions[j])
