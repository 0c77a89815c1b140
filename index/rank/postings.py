"""Which documents hold a term, and how much it weighs there: Whoosh's postings, saturated and normalised as in BM25."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whoosh.reading import TermNotFound

from index import schema
from index.query.asked import Unit
from index.weights import Weights

Posting = tuple[int, float]  # number of a document, weight of the term in it


class Postings:
    """Belongs to the thread that opened the Whoosh reader."""

    def __init__(self, reader: Any, decoded: dict[tuple[str, str], list[Posting]], weights: Weights):
        """``decoded``: lists that were read once, by whatever thread with the same weights."""
        self._reader, self._decoded, self._weights = reader, decoded, weights
        self._numbers: list[int] = [reader.stored_fields(d)["number"] for d in range(reader.doc_count_all())]
        self._lengths: dict[str, tuple[list[float], int]] = {}

    def own(self, lang: str, term: str) -> list[Posting]:
        """Documents that have a term in their own heading or text."""
        return self._rows(schema.own(lang), term)

    def around(self, lang: str, term: str) -> list[Posting]:
        """Documents that have it above or below them."""
        return self._rows(schema.around(lang), term)

    def count(self, lang: str) -> int:
        """How many documents a language has."""
        return self._length(schema.own(lang))[1]

    def holding_unit(self, unit: Unit, lang: str, own_only: bool = False) -> set[int]:
        """Documents with a term that stands for a word of the query well enough to be meant by it."""
        terms = [t.term for t in unit.terms.get(lang, ()) if t.strength >= self._weights.meant]
        where = (self.own,) if own_only else (self.own, self.around)
        return {number for term in terms for rows in where for number, _ in rows(lang, term)}

    def holding_forms(self, lang: str, forms: Iterable[str]) -> set[int]:
        """Documents with one of these printed words."""
        return {number for form in forms for number, _ in self._rows(schema.forms(lang), form)}

    def _rows(self, name: str, term: str) -> list[Posting]:
        """Whoosh decodes a list once; it is kept."""
        rows = self._decoded.get((name, term))
        if rows is None:
            k1, (norms, _) = self._weights.saturation, self._length(name)
            rows = []
            try:
                matcher = self._reader.postings(name, term)
            except TermNotFound:
                return rows
            while matcher.is_active():
                doc, weight = matcher.id(), matcher.weight()
                rows.append((self._numbers[doc], weight * (k1 + 1) / (weight + k1 * norms[doc])))
                matcher.next()
            self._decoded[name, term] = rows
        return rows

    def _length(self, name: str) -> tuple[list[float], int]:
        """Norm of the length of every document in a field, and how many documents have it."""
        if name not in self._lengths:
            lengths = [self._reader.doc_field_length(d, name) or 0 for d in range(self._reader.doc_count_all())]
            count = sum(1 for n in lengths if n) or 1
            average, b = sum(lengths) / count or 1, self._weights.length
            self._lengths[name] = ([1 - b + b * n / average for n in lengths], count)
        return self._lengths[name]
