"""The search engine: stores the weighted terms of documents in fields, and finds the documents that hold a term.

:class:`Engine` is all that the ranking knows of an engine. :class:`WhooshEngine` is the one in use; only this
module imports Whoosh. :func:`write_postings` writes what ``WhooshEngine`` reads.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from whoosh.analysis import Token, Tokenizer
from whoosh.fields import ID, STORED, TEXT, Schema
from whoosh.filedb.filestore import RamStorage
from whoosh.index import create_in
from whoosh.reading import TermNotFound

from corpus.files import ReadablePath
from corpus.generation import REBUILD_MOVE, StoreError

POSTINGS_FOLDER = "postings"
WeightedTerms = Sequence[tuple[str, float]]  # terms, and the weight of each where it stands


class TermDocuments(NamedTuple):
    """The documents that hold a term, by number, each once, and the sum of the weights of the term in each."""

    numbers: Sequence[int]
    weights: Sequence[float]


class Engine(Protocol):
    """Finds documents by term. Documents have the numbers 0, 1, 2 … that they were written with.

    An engine may be shared between threads.
    """

    def documents_with_term(self, field: str, term: str) -> TermDocuments:
        """Return the documents that hold a term in a field, with its weight in each."""

    def document_lengths(self, field: str) -> Sequence[float]:
        """Return for each document, by number, the sum of the weights in a field; 0 if it does not have the field."""


class _WeightedTermTokenizer(Tokenizer):
    """Splits a value that :func:`encode_terms` wrote: ``term^weight term^weight …``. The words are analysed already."""

    def __call__(self, value: str, mode: str = "", **asked: Any) -> Iterator[Token]:
        """Yield a token for each term. These fields need neither positions nor characters."""
        token = Token(removestops=asked.get("removestops", True), mode=mode, boosts=True)
        for piece in value.split():
            term, _, weight = piece.rpartition("^")
            token.text, token.boost, token.stopped = term, float(weight), False
            yield token


def encode_terms(weighted: WeightedTerms) -> str:
    """Return analysed words as the value of a field. A string, because Whoosh does not pass a list to the analyser.

    >>> encode_terms([("revoke", 2.5), ("#revoke", 1.0)])
    'revoke^2.5 #revoke^1'
    """
    return " ".join(f"{term}^{weight:g}" for term, weight in weighted)


def write_postings(
    folder: Path, fields: Iterable[str], documents: Iterable[tuple[str, Mapping[str, WeightedTerms]]]
) -> None:
    """Write the postings of documents into a folder, which is made.

    ``fields`` names every field. ``documents`` are pairs: the id, and the terms of each field that the document has.
    They are numbered in their order, from 0.
    """
    folder.mkdir()
    texts = {name: TEXT(analyzer=_WeightedTermTokenizer(), phrase=False) for name in fields}
    writer = create_in(str(folder), Schema(id=ID(stored=True, unique=True), number=STORED(), **texts)).writer()
    for number, (id_, terms) in enumerate(documents):
        writer.add_document(id=id_, number=number, **{name: encode_terms(of) for name, of in terms.items()})
    writer.commit()


class WhooshEngine:
    """The engine over the files of a folder, which are read when it is opened.

    A Whoosh reader that threads share gives wrong results without an error, so each thread has its own.
    """

    def __init__(self, files: Mapping[str, bytes]):
        """``files`` maps the name of each file that :func:`write_postings` wrote to its bytes."""
        self._files = files
        self._local = threading.local()

    @classmethod
    def open(cls, search: ReadablePath) -> WhooshEngine:
        """Return the engine over ``postings/`` of a folder.

        Raises :class:`corpus.generation.StoreError` if Whoosh cannot open it; its message says what to do.
        """
        engine = cls({path.name: path.read_bytes() for path in (search / POSTINGS_FOLDER).glob("*")})
        try:
            engine._thread_reader_and_numbers()
        except Exception as error:  # noqa: BLE001 (whatever is wrong, the next move is the same)
            raise StoreError(f"The search index in {search} cannot be opened ({error}). {REBUILD_MOVE}") from None
        return engine

    def documents_with_term(self, field: str, term: str) -> TermDocuments:
        """Return the documents that hold a term in a field, with its weight in each. Whoosh decodes the list at every
        call.
        """
        reader, numbers = self._thread_reader_and_numbers()
        found: list[int] = []
        sums: list[float] = []
        try:
            matcher = reader.postings(field, term)
        except TermNotFound:
            return TermDocuments(found, sums)
        while matcher.is_active():
            found.append(numbers[matcher.id()])
            sums.append(matcher.weight())
            matcher.next()
        return TermDocuments(found, sums)

    def document_lengths(self, field: str) -> list[float]:
        """Return for each document, by number, the sum of the weights in a field, rounded as Whoosh stores it."""
        reader, numbers = self._thread_reader_and_numbers()
        out = [0.0] * len(numbers)
        for place, number in enumerate(numbers):
            out[number] = reader.doc_field_length(place, field) or 0
        return out

    def _thread_reader_and_numbers(self) -> tuple[Any, list[int]]:
        """Return the reader of this thread, and the number of the document at each place of Whoosh."""
        if not hasattr(self._local, "reader"):
            storage = RamStorage()
            storage.files = dict(self._files)
            reader = storage.open_index().reader()
            numbers = [reader.stored_fields(place)["number"] for place in range(reader.doc_count_all())]
            self._local.reader = reader, numbers
        return self._local.reader
