"""The index in memory: opened whole or not at all."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus import store
from corpus.library import Library
from corpus.model import NodeId
from index import IndexMissing, build, document
from index.analyser import analyse
from index.concept import Concepts
from index.document import Document
from index.lexicon import Lexicon


@dataclass(frozen=True)
class Index:
    """What was built, beside the postings, which Whoosh reads from ``folder``. Immutable; shared between threads.

    ``numbers``: id → number of its document; ``printed``: language → the concepts that its texts name; ``topics``:
    language → lemma of an entry of a printed subject index → numbers of the documents that it names.
    """

    folder: Path
    library: Library
    documents: list[Document]
    numbers: Mapping[NodeId, int]
    lexicons: Mapping[str, Lexicon]
    concepts: Concepts
    printed: Mapping[str, frozenset[str]]
    topics: Mapping[str, Mapping[str, frozenset[int]]]


def digest(build_dir: Path) -> str:
    """The digest of the index of a build folder, all of whose files are those that were built from its corpus.

    Raises :class:`IndexMissing`, with what to do, when it is missing, damaged or made from another corpus.
    """
    folder = build_dir / "search"
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise IndexMissing(f"There is no search index in {folder}. Run: lexbridge index") from None
    if (found := manifest.get("schema")) != build.SCHEMA:
        raise IndexMissing(
            f"The search index in {folder} is of schema {found}, not {build.SCHEMA}. Run: lexbridge index"
        )
    if manifest.get("corpus") != build.corpus_digest(build_dir):
        raise IndexMissing(f"The search index in {folder} was made from another corpus. Run: lexbridge index")
    for name, expected in manifest["files"].items():
        path = folder / name
        if not path.is_file() or store.digest(path) != expected:
            raise IndexMissing(f"{path} is not the file that was built. Run: lexbridge index")
    return store.digest(folder / "manifest.json")


def read(build_dir: Path, library: Library) -> Index:
    """The index of a build folder; raises :class:`IndexMissing` when the library has not all that it knows."""
    folder = build_dir / "search"
    try:
        documents = document.read(folder / "documents.jsonl", library)
    except KeyError as error:
        raise IndexMissing(
            f"The search index in {folder} knows {error}, which the corpus has not. Run: lexbridge index"
        ) from None
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    printed: dict[str, set[str]] = defaultdict(set)
    for doc in documents:
        counts[doc.node.lang].update((*doc.heading, *doc.text))
        printed[doc.node.lang].update(p for p in (*doc.heading_places, *doc.text_places) if p[0] == "#")
    lexicons = build.read_lexicons(folder, counts)
    for lexicon in lexicons.values():
        lexicon.prepare()
    numbers = {d.node.id: i for i, d in enumerate(documents)}
    return Index(
        folder,
        library,
        documents,
        numbers,
        lexicons,
        Concepts.read(folder / "terms", lexicons),
        {lang: frozenset(concepts) for lang, concepts in printed.items()},
        _topics(library, numbers, lexicons),
    )


def _topics(
    library: Library, numbers: Mapping[NodeId, int], lexicons: Mapping[str, Lexicon]
) -> dict[str, dict[str, frozenset[int]]]:
    """What the printed subject indexes name under each word."""
    out: dict[str, dict[str, frozenset[int]]] = defaultdict(dict)
    for entry in library.index:
        lang = library.editions[entry.edition].lang
        named = frozenset(numbers[t] for t in entry.targets if t in numbers)
        for token in analyse(f"{entry.entry} {entry.subentry or ''}"):
            for lemma in () if token.form in lexicons[lang].stopwords else lexicons[lang].lemmas(token.form):
                out[lang][lemma] = out[lang].get(lemma, frozenset()) | named
    return out
