"""The search engine: stores the weighted terms of documents in fields, and finds the documents that hold a term.

:class:`Engine` is all that the ranking knows of an engine. A build analyses and counts with Whoosh
(:func:`write_postings`) and stores the result as plain arrays. :class:`ArrayEngine` reads them; a server needs no
Whoosh. Only this module imports Whoosh.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from corpus.files import ReadablePath
from corpus.generation import REBUILD_MOVE, StoreError
from corpus.processes import run_in_processes
from index.arrays import read_arrays, write_arrays

POSTINGS_FOLDER = "postings"
WeightedTerms = Sequence[tuple[str, float]]  # terms, and the weight of each where it stands


class TermDocuments(NamedTuple):
    """The documents that hold a term, by number, each once, and the sum of the weights of the term in each."""

    numbers: np.ndarray
    weights: np.ndarray


class Engine(Protocol):
    """Finds documents by term. Documents have the numbers 0, 1, 2 … that they were written with.

    An engine may be shared between threads.
    """

    def documents_with_term(self, field: str, term: str) -> TermDocuments:
        """Return the documents that hold a term in a field, with its weight in each."""

    def document_lengths(self, field: str) -> np.ndarray:
        """Return for each document, by number, how many places terms have in a field; 0 if it does not have the field.

        Long ones are rounded.
        """


# -- Postings from Whoosh ---


def _weighted_tokens(value: str, mode: str = "", **asked: Any) -> Iterator[Any]:
    """Yield a token for each term of a value that :func:`encode_terms` wrote: ``term^weight term^weight …``.

    It is an analyser of Whoosh for words that are analysed already. These fields need neither positions nor characters.
    """
    from whoosh.analysis import Token

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


class _Field(NamedTuple):
    """A field as Whoosh has it: its terms in order, and the length of each document.

    The postings of all terms stand one after the other in ``numbers`` and ``weights``; ``counts`` has how many each
    term has.
    """

    terms: list[str]
    counts: list[int]
    numbers: np.ndarray
    weights: np.ndarray
    lengths: np.ndarray


def _index_with_whoosh(documents: Sequence[Mapping[str, WeightedTerms]], field: str) -> _Field:
    """Return a field of documents. Lengths are rounded as Whoosh stores them: ranking was measured with these."""
    from whoosh.fields import STORED, TEXT, Schema
    from whoosh.index import create_in

    with TemporaryDirectory() as folder:
        schema = Schema(number=STORED(), terms=TEXT(analyzer=_weighted_tokens, phrase=False))
        index = create_in(folder, schema)
        writer = index.writer()
        for number, document in enumerate(documents):
            if field in document:
                writer.add_document(number=number, terms=encode_terms(document[field]))
        writer.commit()
        with index.reader() as reader:
            places = range(reader.doc_count_all())
            numbers = [reader.stored_fields(place)["number"] for place in places]
            terms = sorted(term.decode("utf-8") for term in reader.lexicon("terms"))
            postings = [_sorted_postings(reader.postings("terms", term), numbers) for term in terms]
            lengths = np.zeros(len(documents))
            lengths[numbers] = [reader.doc_field_length(place, "terms") or 0 for place in places]
            return _Field(
                terms,
                [len(found) for found in postings],
                np.array([number for found in postings for number, _ in found], dtype=np.uint32),
                np.array([weight for found in postings for _, weight in found], dtype=np.float32),
                lengths,
            )


def _sorted_postings(matcher: Any, numbers: Sequence[int]) -> list[tuple[int, float]]:
    """Return (document, weight) of the postings that a matcher of Whoosh runs through, by document.

    ``numbers``: the number of each document, by place.
    """
    found = []
    while matcher.is_active():
        found.append((numbers[matcher.id()], matcher.weight()))
        matcher.next()
    return sorted(found)


# -- Postings as arrays ---

TERMS_FILE, ARRAYS_FILE = "terms.json", "postings.arrays"
# The terms of all fields have one numbering. Term t has the postings from begins[t] to begins[t + 1], in numbers and
# weights; lengths has a row for each field.
_ARRAYS = {"begins": "<u4 1", "numbers": "<u4 1", "weights": "<f4 1", "lengths": "<f4 2"}
LEAST_FOR_PROCESSES = 500  # fewer documents are counted before other processes have started


def write_postings(folder: Path, fields: Iterable[str], documents: Sequence[Mapping[str, WeightedTerms]]) -> None:
    """Write the postings of documents into a folder, which is made. Equal documents give equal bytes.

    ``fields`` names every field. ``documents`` are the terms of each field that a document has. They are numbered in
    their order, from 0.
    """
    folder.mkdir()
    names = list(fields)
    with run_in_processes(_index_with_whoosh, documents, names, alone=len(documents) < LEAST_FOR_PROCESSES) as indexed:
        found = indexed()
    arrays = {
        "begins": np.cumsum([0, *(count for of in found for count in of.counts)]).astype(np.uint32),
        "numbers": np.concatenate([np.zeros(0, np.uint32), *(of.numbers for of in found)]),
        "weights": np.concatenate([np.zeros(0, np.float32), *(of.weights for of in found)]),
        "lengths": np.array([of.lengths for of in found], dtype=np.float32).reshape(len(found), len(documents)),
    }
    terms = {name: of.terms for name, of in zip(names, found, strict=True)}
    (folder / TERMS_FILE).write_bytes(msgspec.json.encode(terms))
    write_arrays(folder / ARRAYS_FILE, arrays)


class ArrayEngine:
    """The engine over the arrays of a folder. Immutable; shared between threads, and between forked processes."""

    def __init__(self, terms: Mapping[str, Sequence[str]], arrays: Mapping[str, np.ndarray], documents: int):
        """``terms``: field → its terms, in order. ``arrays``: as :func:`write_postings` writes them. ``documents``: how
        many there are.

        Raises :class:`ValueError` when these do not fit each other.
        """
        self._begins, self._numbers = arrays["begins"], arrays["numbers"]
        self._weights, self._lengths = arrays["weights"], arrays["lengths"]
        self._rows: dict[str, dict[str, int]] = {}
        count = 0
        for name, of in terms.items():
            self._rows[name] = {term: row for row, term in enumerate(of, count)}
            count += len(of)
            if any(a >= b for a, b in pairwise(of)):
                raise ValueError(f"the terms of {name} are not in order")
        self._fields = {name: row for row, name in enumerate(terms)}
        if fault := self._find_fault(count, documents):
            raise ValueError(fault)

    def _find_fault(self, terms: int, documents: int) -> str:
        """Return why the arrays are not those of so many terms and documents; "" if they are."""
        begins, numbers = self._begins.astype(np.int64), self._numbers.astype(np.int64)
        if len(begins) != terms + 1 or begins[0] or begins[-1] != len(numbers) or (np.diff(begins) < 1).any():
            return "the terms do not divide the postings"
        if len(self._weights) != len(numbers) or self._lengths.shape != (len(self._fields), documents):
            return "the weights or the lengths are not as many as the postings or the documents"
        rises = np.diff(numbers) > 0
        rises[begins[1:-1] - 1] = True  # between two terms
        if not rises.all() or (numbers >= documents).any():
            return "the documents of a term are not in order, or there are more of them than documents"
        if not all((np.isfinite(of) & (of >= 0)).all() for of in (self._weights, self._lengths)):
            return "a weight or a length is no number, or less than 0"
        return ""

    @classmethod
    def open(cls, search: ReadablePath, documents: int) -> ArrayEngine:
        """Return the engine over ``postings/`` of a folder. ``documents``: how many documents the index has.

        Raises :class:`corpus.generation.StoreError` if they are not what :func:`write_postings` wrote of so many
        documents; its message says what to do.
        """
        folder = search / POSTINGS_FOLDER
        try:
            terms = msgspec.json.decode((folder / TERMS_FILE).read_bytes(), type=dict[str, list[str]])
            return cls(terms, read_arrays(folder / ARRAYS_FILE, _ARRAYS), documents)
        except (OSError, ValueError) as error:
            raise StoreError(f"The search index in {search} cannot be opened ({error}). {REBUILD_MOVE}") from None

    def documents_with_term(self, field: str, term: str) -> TermDocuments:
        """Return the documents that hold a term in a field, with its weight in each."""
        row = self._rows.get(field, {}).get(term)
        begin, end = (0, 0) if row is None else self._begins[row : row + 2].tolist()
        return TermDocuments(self._numbers[begin:end].astype(np.intp), self._weights[begin:end].astype(float))

    def document_lengths(self, field: str) -> np.ndarray:
        """Return for each document, by number, how many places terms have in a field, rounded as Whoosh stores it."""
        row = self._fields.get(field)
        return np.zeros(self._lengths.shape[1]) if row is None else self._lengths[row].astype(float)
