"""The manifest of an index: the digests of its files and of the corpus that they were made from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whoosh.analysis import Token, Tokenizer
from whoosh.fields import ID, STORED, TEXT, Schema

from corpus import generation
from corpus.files import MemoryPath, ReadablePath
from corpus.generation import CORPUS_REBUILD_MOVE
from corpus.library import Library
from corpus.model import Node, NodeId
from index import IndexMissing

# Word or concept → where it stands: (first, last) positions among the words.
Spans = Mapping[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """The words of a heading or a text as ``printed``: their forms, their offsets in it (code points), and where each
    of them, and each concept that they name, stands among them.
    """

    printed: str
    forms: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    places: Spans

    @classmethod
    def of(
        cls,
        printed: str | None,
        tokens: Iterable[tuple[str, int, int]] = (),
        concepts: Iterable[tuple[str, int, int]] = (),
    ) -> TokenizedText:
        """``tokens``: form, start and end of each word; ``concepts``: the first and the last word that name each."""
        tokens = tuple(tokens)
        places: dict[str, list[tuple[int, int]]] = {}
        for key, first, last in (*((form, i, i) for i, (form, *_) in enumerate(tokens)), *concepts):
            places.setdefault(key, []).append((first, last))
        spans = {key: tuple(where) for key, where in places.items()}
        return cls(printed or "", tuple(t[0] for t in tokens), tuple((t[1], t[2]) for t in tokens), spans)


@dataclass(frozen=True, slots=True)
class Document:
    """A provision as the ranking sees it, and the page (``law``) that it is read on.

    ``alone``: the conditions without which it does not hold, each of itself. ``number``: its place among the documents,
    as postings name it; -1 for a node without words of its own, which has none.
    """

    node: Node
    law: NodeId
    heading: TokenizedText
    text: TokenizedText
    conditions: tuple[str, ...] = ()
    number: int = -1

    @classmethod
    def wordless(cls, node: Node, library: Library) -> Document:
        """A node that is no document of the index: only who knows its address finds it."""
        heading, text = TokenizedText.of(node.heading), TokenizedText.of(node.text)
        return cls(node, library.page_node_of(node).id, heading, text, library.conditions.required_conditions(node.id))


def read_documents(path: ReadablePath, library: Library) -> list[Document]:
    """The documents of an index in the order of their numbers."""
    out = []
    for number, line in enumerate(path.read_bytes().splitlines()):
        row = json.loads(line)
        node = library.nodes[row["id"]]
        heading = TokenizedText.of(node.heading, row["heading"], row["heading_concepts"])
        text = TokenizedText.of(node.text, row["text"], row["text_concepts"])
        alone = library.conditions.required_conditions(node.id)
        out.append(Document(node, library.page_node_of(node).id, heading, text, alone, number))
    return out


class WeightedTermTokenizer(Tokenizer):
    """Takes words that were analysed already, as :func:`encode_terms` writes them: ``term^weight term^weight …``."""

    def __call__(self, value: str, mode: str = "", **asked: Any) -> Iterator[Token]:
        """A token for each; Whoosh asks for neither positions nor characters of these fields."""
        token = Token(removestops=asked.get("removestops", True), mode=mode, boosts=True)
        for piece in value.split():
            term, _, weight = piece.rpartition("^")
            token.text, token.boost, token.stopped = term, float(weight), False
            yield token


def encode_terms(weighted: list[tuple[str, float]]) -> str:
    """Analysed words as the value of a field (Whoosh would not pass a list to the analyser)."""
    return " ".join(f"{term}^{weight:g}" for term, weight in weighted)


def own_field(lang: str) -> str:
    """Name of the field that holds the lemmas and concepts of a provision's own heading and text."""
    return f"own_{lang}"


def context_field(lang: str) -> str:
    """Name of the field that holds those of the headings above and of the provisions below."""
    return f"around_{lang}"


def forms_field(lang: str) -> str:
    """Name of the field that holds the words as printed, without diacritics: for quoted phrases."""
    return f"forms_{lang}"


def index_schema(langs: list[str]) -> Schema:
    """One document for each provision; three fields for each language of the corpus."""
    fields = {"id": ID(stored=True, unique=True), "number": STORED()}
    for lang in langs:
        for name in (own_field(lang), context_field(lang), forms_field(lang)):
            fields[name] = TEXT(analyzer=WeightedTermTokenizer(), phrase=False)  # type: ignore[arg-type]  # a tokenizer is an analyser
    return Schema(**fields)


INDEX_SCHEMA = 8
MANIFEST_FILE = "manifest.json"


def write_index_manifest(folder: Path, build: ReadablePath) -> None:
    """Make the manifest of all files of a folder, made from the parsed corpus beside it, ``corpus/`` of ``build``."""
    files = {
        p.relative_to(folder).as_posix(): generation.file_digest(p) for p in sorted(folder.rglob("*")) if p.is_file()
    }
    data = {"schema": INDEX_SCHEMA, "corpus": _corpus_digest(build), "files": files}
    (folder / MANIFEST_FILE).write_text(json.dumps(data, indent=1), encoding="utf-8")


def read_index_manifest(build: ReadablePath) -> MemoryPath:
    """The index of a folder with ``corpus/`` and ``search/``, all of whose files are those that were built from that
    corpus, each read once.

    Raises :class:`IndexMissing`, with what to do, when it is missing, damaged or made from another corpus.
    """
    folder = build / "search"
    try:
        said = json.loads((folder / MANIFEST_FILE).read_bytes())
        schema, corpus, files = said["schema"], said["corpus"], dict(said["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise IndexMissing(f"There is no search index in {folder}. {CORPUS_REBUILD_MOVE}") from None
    if schema != INDEX_SCHEMA:
        raise IndexMissing(
            f"The search index in {folder} is of schema {schema}, not {INDEX_SCHEMA}. {CORPUS_REBUILD_MOVE}"
        )
    if corpus != _corpus_digest(build):
        raise IndexMissing(f"The search index in {folder} was made from another corpus. {CORPUS_REBUILD_MOVE}")
    held = {}
    for name, expected in files.items():
        try:
            held[name] = (folder / name).read_bytes()
        except OSError:
            held[name] = b""
        if hashlib.sha256(held[name]).hexdigest() != expected:
            raise IndexMissing(f"{folder / name} is not the file that was built. {CORPUS_REBUILD_MOVE}")
    return MemoryPath(held, Path(str(folder)))


def _corpus_digest(build: ReadablePath) -> str | None:
    """Digest of the manifest of the parsed corpus, None when there is none."""
    try:
        return hashlib.sha256((build / "corpus" / "manifest.json").read_bytes()).hexdigest()
    except OSError:
        return None
