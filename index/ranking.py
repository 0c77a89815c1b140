"""From a query to an order of provisions.

First the postings: every word of the query brings the documents that hold one of its terms, in their own words or around
them. The best of these are then looked at word by word: how much of the query is covered, how close together, in the
heading or not, and what the provision is. Every factor is kept, so that any hit can be explained.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

from whoosh.reading import TermNotFound

from index import schema
from index.document import Document
from index.lexicon import Lexicon
from index.query import MARKED, Query, Unit

# Saturation of repeated words and normalisation by length, as in BM25.
K1, B = 1.1, 0.35
AROUND, AROUND_COVER = 0.35, 0.65
# A definition answers a term; what asks for more than two words is about a rule.
MENTIONED = 0.8
# How many documents are looked at word by word.
CLOSELY = 60
# How many are ranked at all, and what the others are worth beside those that were looked at.
MOST, FROM_AFAR = 300, 0.3
PRIOR = {
    "chapter": 0.45,
    "part": 0.45,
    "division": 0.45,
    "container": 0.4,
    "preface": 0.45,
    "intro": 0.5,
    "example": 0.7,
    "footnote": 0.93,
}
HEADING, NEARNESS, DEFINITION, TOPIC = 0.8, 0.3, 1.6, 0.35
# Another form of a word than the one typed.
OTHER_FORM = 0.93


@dataclass(slots=True)
class Hit:
    """A document with its score and the reasons for it; ``matched``: unit → where it was found."""

    number: int
    document: Document
    score: float
    coverage: float
    reasons: dict = field(default_factory=dict)
    # For each word of the query: how rare it is, and how well the hit has it.
    found: tuple[tuple[float, float], ...] = ()


class Ranker:
    """Ranks the documents of one open index. Belongs to the thread of its Whoosh reader."""

    def __init__(
        self,
        reader,
        documents: list[Document],
        numbers: list[int],
        lexicons: dict[str, Lexicon],
        topics: dict[str, dict[str, set[int]]],
        decoded: dict[tuple[str, str], list[tuple[int, float]]],
    ):
        """``decoded`` may be shared between threads: postings that were read once, see :meth:`_postings`."""
        self._reader, self._documents, self._numbers, self._lexicons = reader, documents, numbers, lexicons
        self._topics, self._decoded = topics, decoded
        self._lengths: dict[str, tuple] = {}

    def rank(self, query: Query, langs: list[str], accept) -> list[Hit]:
        """Hits among the documents of the languages that ``accept(document)`` lets through, the best first."""
        out: list[Hit] = []
        for lang in langs:
            out += self._rank_one(query, lang, accept)
        out.sort(key=lambda h: (-h.score, h.number))
        return out

    def _postings(self, name: str, term: str) -> list[tuple[int, float]]:
        """(document, weight saturated and normalised by length) of a term. Whoosh decodes a list once; it is kept."""
        rows = self._decoded.get((name, term))
        if rows is None:
            rows = []
            norm, _ = self._length(name)
            try:
                matcher = self._reader.postings(name, term)
                while matcher.is_active():
                    doc, weight = matcher.id(), matcher.weight()
                    rows.append((doc, weight * (K1 + 1) / (weight + K1 * norm[doc])))
                    matcher.next()
            except TermNotFound:
                return rows
            self._decoded[name, term] = rows
        return rows

    def _length(self, name: str) -> tuple[list[float], int]:
        """Length norm of every document in a field, and how many documents have it."""
        if name not in self._lengths:
            reader = self._reader
            lengths = [reader.doc_field_length(d, name) or 0 for d in range(reader.doc_count_all())]
            count = sum(1 for n in lengths if n) or 1
            average = sum(lengths) / count or 1
            self._lengths[name] = ([1 - B + B * n / average for n in lengths], count)
        return self._lengths[name]

    def _rank_one(self, query: Query, lang: str, accept) -> list[Hit]:
        own_name, around_name = schema.own(lang), schema.around(lang)
        _, count = self._length(own_name)
        scores: dict[int, float] = defaultdict(float)
        covered: dict[int, float] = defaultdict(float)
        weights, covers, total, found_any = [], [], 0.0, False
        for unit in query.units:
            best: dict[int, float] = {}
            cover: dict[int, float] = {}
            strong = 0
            for term, strength, _ in unit.terms.get(lang, ()):
                rows = self._postings(own_name, term)
                if strength >= 0.6 and len(rows) > strong:
                    strong = len(rows)
                for found, value, share in (
                    (rows, strength, strength),
                    (self._postings(around_name, term), AROUND * strength, AROUND_COVER * strength),
                ):
                    for doc, weight in found:
                        weight *= value
                        if doc not in best:
                            best[doc], cover[doc] = weight, share
                        else:
                            best[doc] = max(best[doc], weight)
                            cover[doc] = max(cover[doc], share)
            strong = strong or len(best)
            idf = math.log(1 + (count - strong + 0.5) / (strong + 0.5)) if best else math.log(1 + count)
            weights.append(idf)
            covers.append(cover)
            total += idf
            found_any = found_any or bool(best)
            for doc, value in best.items():
                scores[doc] += idf * value
                covered[doc] += idf * cover[doc]
        if not found_any:
            return []
        must = [u for u in query.units if u.required]
        documents, numbers = self._documents, self._numbers
        candidates = [(score * (0.3 + 0.7 * covered[doc] / total), doc) for doc, score in scores.items()]
        if must or query.excluded:
            needed = [self._holding(u, lang) for u in must]
            banned = (
                set().union(*(self._holding(u, lang, own_only=True) for u in query.excluded))
                if query.excluded
                else set()
            )
            candidates = [c for c in candidates if c[1] not in banned and all(c[1] in n for n in needed)]
        candidates.sort(reverse=True)
        hits = []
        topics = [self._topic(u, lang) for u in query.units]
        look = Look(query, lang, self._lexicons[lang], weights, total)
        for score, doc in candidates:
            document = documents[numbers[doc]]
            if not accept(document):
                continue
            coverage = covered[doc] / total
            hit = Hit(numbers[doc], document, score, coverage, {"words": score, "coverage": coverage})
            if len(hits) < CLOSELY:
                hit.found = tuple((weight, cover.get(doc, 0.0)) for weight, cover in zip(weights, covers))
                look.closer(hit, topics)
            else:
                hit.score *= FROM_AFAR
            hits.append(hit)
            if len(hits) == MOST:
                break
        return hits

    def _topic(self, unit: Unit, lang: str) -> set[int]:
        """Documents that the printed subject index names under a word."""
        entries = self._topics.get(lang)
        return (
            set().union(*(entries.get(term, ()) for term, strength, _ in unit.terms.get(lang, ()) if strength >= 0.6))
            if entries
            else set()
        )

    def _holding(self, unit: Unit, lang: str, own_only: bool = False) -> set[int]:
        fields = (schema.own(lang),) if own_only else (schema.own(lang), schema.around(lang))
        return {
            doc
            for term, strength, _ in unit.terms.get(lang, ())
            if strength >= 0.6
            for name in fields
            for doc, _ in self._postings(name, term)
        }

    def holding_forms(self, lang: str, forms: list[str]) -> list[int]:
        """Numbers of the documents that hold all these printed words."""
        found: set[int] | None = None
        for form in set(forms):
            here = {doc for doc, _ in self._postings(schema.forms(lang), form)}
            found = here if found is None else found & here
            if not found:
                return []
        return sorted(self._numbers[d] for d in found or ())


class Look:
    """A closer look at documents of one language for one query."""

    def __init__(
        self, query: Query, lang: str, lexicon: Lexicon, weights: list[float] | None = None, total: float = 1.0
    ):
        self._query, self._stopwords = query, lexicon.stopwords
        self._defining = lexicon.words("define")
        self._weights, self._total = weights or [1.0] * len(query.units), total
        # printed form or concept → {unit: strength}
        self._wanted: dict[str, dict[int, float]] = {}
        # Those of them that may be marked in a text, with the reason.
        self._marked: dict[str, str] = {}
        for i, unit in enumerate(query.units):
            for term, strength, why in unit.terms.get(lang, ()):
                for form in (term,) if term[0] == "#" else lexicon.forms_of(term):
                    if form in lexicon.stopwords:
                        continue
                    # The form as typed before another form of the word.
                    value = strength if form == unit.form or term[0] == "#" else OTHER_FORM * strength
                    if why in MARKED:
                        self._marked.setdefault(form, why)
                    here = self._wanted.setdefault(form, {})
                    if value > here.get(i, 0.0):
                        here[i] = value

    def places(self, found: dict[str, tuple[tuple[int, int], ...]]) -> dict[int, dict[int, float]]:
        """Position → {unit: strength} of the words of a heading or text that answer the query."""
        return self._places(self._wanted.keys() & found.keys(), found)

    def marks(self, found: dict[str, tuple[tuple[int, int], ...]]) -> dict[int, dict[int, float]]:
        """Those of :meth:`places` that a snippet marks: reviewed terms and the query's own words."""
        return self._places(self._marked.keys() & found.keys(), found)

    def reasons(self, found: dict[str, tuple[tuple[int, int], ...]]) -> dict[tuple[int, int], str]:
        """(first, last) position of each mark → why it is one; a term before a word."""
        keys = sorted(self._marked.keys() & found.keys(), key=lambda k: (k[0] != "#", k))
        return {place: self._marked[key] for key in reversed(keys) for place in found[key]}

    def _places(self, keys, found: dict[str, tuple[tuple[int, int], ...]]) -> dict[int, dict[int, float]]:
        out: dict[int, dict[int, float]] = {}
        for key in keys:
            units = self._wanted[key]
            for first, last in found[key]:
                for i in range(first, last + 1):
                    here = out.setdefault(i, {})
                    for unit, strength in units.items():
                        if strength > here.get(unit, 0.0):
                            here[unit] = strength
        return out

    def closer(self, hit: Hit, topics: list[set[int]]) -> None:
        """Multiply the score by what only the words themselves tell."""
        document, query, weights, total = hit.document, self._query, self._weights, self._total
        stop = self._stopwords
        reasons = hit.reasons
        heading = self.places(document.heading_places)
        factor = PRIOR.get(document.node.kind, 1.0)
        if document.node.kind == "definition" and not query.define and len(query.units) > 2:
            factor = MENTIONED
        if factor != 1.0:
            reasons["kind"] = factor
        if heading:
            units: dict[int, float] = {}
            for here in heading.values():
                for u, s in here.items():
                    units[u] = max(units.get(u, 0.0), s)
            of_query = sum(weights[u] * s for u, s in units.items()) / total
            content = [i for i, f in enumerate(document.heading) if f not in stop]
            of_heading = sum(i in heading for i in content) / (len(content) or 1)
            share = of_query * (0.4 + 0.6 * of_heading)
            gain = 1 + HEADING * share
            reasons["heading"] = gain
            factor *= gain
            if query.define and document.heading[0] in self._defining and of_query > 0.6:
                # “Definicja fałszywego renonsu” heads a section: a term may be defined within a law.
                reasons["definition"] = 1 + DEFINITION * of_query
                factor *= 1 + DEFINITION * of_query
            if document.node.kind == "definition" and query.define and of_query > 0.6 and of_heading > 0.45:
                factor *= 1 + DEFINITION * of_query * of_heading
                reasons["definition"] = 1 + DEFINITION * of_query * of_heading
        text = self.places(document.text_places)
        if text and len(query.units) > 1:
            near = _nearness(text, len(query.units))
            if near:
                reasons["closeness"] = 1 + NEARNESS * near
                factor *= 1 + NEARNESS * near
        topic = sum(weights[u] for u, numbers in enumerate(topics) if hit.number in numbers) / total
        if topic:
            factor *= 1 + TOPIC * topic
            reasons["subject index"] = 1 + TOPIC * topic
        if query.years and str(document.node.year) in query.years:
            factor *= 1.5
            reasons["year"] = 1.5
        hit.score *= factor


def _nearness(places: dict[int, dict[int, float]], units: int) -> float:
    """1 when all words of the query stand side by side, towards 0 the wider they are spread."""
    order = sorted(places)
    last: dict[int, int] = {}
    best = 0.0
    for position in order:
        for unit in places[position]:
            last[unit] = position
        if len(last) < 2:
            continue
        seen = sorted(last.values(), reverse=True)
        for k in range(2, len(seen) + 1):
            span = position - seen[k - 1] + 1
            best = max(best, (k - 1) / max(1, units - 1) * min(1.0, k / span))
    return best
