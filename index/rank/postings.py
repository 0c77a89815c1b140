"""Which documents hold a term, and how much it weighs there: Whoosh's postings, saturated and normalised as in BM25."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from whoosh.reading import TermNotFound

from index import schema
from index.query.asked import Unit
from index.weights import Weights


class Rows(NamedTuple):
    """The documents that hold a term, by number, each once; and the weight of the term in each."""

    numbers: np.ndarray
    weights: np.ndarray


_NONE = Rows(np.zeros(0, dtype=np.intp), np.zeros(0))


class Postings:
    """Belongs to the thread that opened the Whoosh reader."""

    def __init__(self, reader: Any, decoded: dict[tuple[str, str], Rows], weights: Weights):
        """``decoded``: lists that were read once, by whatever thread with the same weights."""
        self._reader, self._decoded, self._weights = reader, decoded, weights
        self._numbers: list[int] = [reader.stored_fields(d)["number"] for d in range(reader.doc_count_all())]
        self._lengths: dict[str, tuple[list[float], int]] = {}

    def own(self, lang: str, term: str) -> Rows:
        """Documents that have a term in their own heading or text."""
        return self._rows(schema.own(lang), term)

    def around(self, lang: str, term: str) -> Rows:
        """Documents that have it above or below them."""
        return self._rows(schema.around(lang), term)

    def count(self, lang: str) -> int:
        """How many documents a language has."""
        return self._length(schema.own(lang))[1]

    def holding_unit(self, unit: Unit, lang: str, own_only: bool = False) -> set[int]:
        """Documents with a term that stands for a word of the query well enough to be meant by it."""
        terms = [t.term for t in unit.terms.get(lang, ()) if t.strength >= self._weights.meant]
        where = (self.own,) if own_only else (self.own, self.around)
        return {number for term in terms for rows in where for number in rows(lang, term).numbers.tolist()}

    def holding_forms(self, lang: str, forms: Iterable[str]) -> set[int]:
        """Documents with one of these printed words."""
        return {number for form in forms for number in self._rows(schema.forms(lang), form).numbers.tolist()}

    def _rows(self, name: str, term: str) -> Rows:
        """Whoosh decodes a list once; it is kept."""
        rows = self._decoded.get((name, term))
        if rows is None:
            k1, (norms, _) = self._weights.saturation, self._length(name)
            numbers, amounts = [], []
            try:
                matcher = self._reader.postings(name, term)
            except TermNotFound:
                return _NONE
            while matcher.is_active():
                doc, weight = matcher.id(), matcher.weight()
                numbers.append(self._numbers[doc])
                amounts.append(weight * (k1 + 1) / (weight + k1 * norms[doc]))
                matcher.next()
            rows = self._decoded[name, term] = Rows(np.array(numbers, dtype=np.intp), np.array(amounts))
        return rows

    def _length(self, name: str) -> tuple[list[float], int]:
        """Norm of the length of every document in a field, and how many documents have it."""
        if name not in self._lengths:
            lengths = [self._reader.doc_field_length(d, name) or 0 for d in range(self._reader.doc_count_all())]
            count = sum(1 for n in lengths if n) or 1
            average, b = sum(lengths) / count or 1, self._weights.length
            self._lengths[name] = ([1 - b + b * n / average for n in lengths], count)
        return self._lengths[name]
