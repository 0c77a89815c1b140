"""Exact searches: the provisions of a citation, and the documents that hold quoted words.

:class:`CitationRanker` orders the provisions that a citation means. :class:`PhraseFinder` finds quoted words: exactly
these words, one after the other, in one provision or running on into the next. :func:`keep_quoted` narrows a ranking
down to them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corpus import address
from corpus.edition import Identity, sort_key_for_reader
from corpus.letters import fold
from corpus.library import Library
from corpus.model import Node, NodeId
from index.answer import Factor
from index.documents import Document
from index.lexicon import Lexicon
from index.query.model import CitationQuery, WordQuery
from index.rank.candidates import Candidate, Postings, Ranking, WordPositions
from index.weights import RankingWeights

# -- Citations ---


class CitationRanking(NamedTuple):
    """The candidates of a citation in order. ``paths`` are spelt as the editions spell them. ``confident``: the
    candidates are exactly what was cited.
    """

    candidates: list[Candidate]
    paths: tuple[str, ...]
    confident: bool


class CitationRanker:
    """Finds the provisions of all editions by their paths. Upper and lower case are the same."""

    def __init__(self, library: Library, by_id: Mapping[NodeId, Document], weights: RankingWeights):
        self._library, self._by_id, self._weights = library, by_id, weights
        self._by_path = {e: {n.path.lower(): n for n in reversed(library.nodes_of(e))} for e in library.editions}

    def _decisions_about(self, path: str) -> list[Node]:
        """Return the points of decisions about a provision (``path``), then those about one inside it, then those about
        one that it stands in.
        """
        found: list[tuple[int, Node]] = []
        for id_, ruling in self._library.rulings_by_point.items():
            near = [_containment_rank(path, other) for other in ruling.provisions]
            if near := [n for n in near if n is not None]:
                found.append((min(near), self._library.nodes[id_]))
        return [node for _, node in sorted(found, key=lambda pair: pair[0])]

    @cached_property
    def _decision_editions(self) -> frozenset[str]:
        """The ids of the editions whose provisions are points of decisions."""
        return frozenset(n.edition for n in self._library.nodes.values() if n.kind == "point")

    def rank(
        self,
        query: CitationQuery,
        editions: Collection[Identity],
        accept: Callable[[Node], bool],
        lang: str | None,
        code: str = "",
    ) -> CitationRanking:
        """Return the provisions of the cited paths in every edition.

        The laws of ``code``, the reader's language and what is in force come first. If no edition has a path, the
        nearest provision above it is returned. ``accept`` says whether a node passes the filters.

        If decisions are meant, those about a provision are added. They come before it if the query says “about”. Else
        they come after it, and only if no decision has the cited number.
        """
        named = [e for e in editions if e.id in query.editions] if query.editions else list(editions)
        key, elsewhere = sort_key_for_reader(lang, code), False
        order = self._order_editions(named, query, key)
        if query.editions and not self._has_any_path(query, order) and self._has_any_path(query, editions):
            # The named edition has no such provision. The other editions are offered, and the answer is not confident.
            order = self._order_editions((e for e in editions if e.id not in query.editions), query, key)
            elsewhere = True
        found = {path: [n for e in order if (n := self._node_at(e, path))] for path in query.paths}
        paths = tuple(nodes[0].path if nodes else path for path, nodes in found.items())
        if query.points and (
            query.about or not self._has_any_path(query, [e for e in order if e.id in self._decision_editions])
        ):
            ids = {e.id for e in editions}
            about = {path: [n for n in self._decisions_about(path) if n.edition in ids] for path in found}
            found = {p: about[p] + of if query.about else of + about[p] for p, of in found.items()}
        exact = [n for nodes in found.values() for n in nodes]
        factor = Factor("cited", 1.0, "+") if exact else Factor("the nearest that exists", self._weights.nearest, "+")
        nodes = exact or [n for path in query.paths for e in order if (n := self._nearest_ancestor(e, path))]
        candidates = [
            Candidate.of(self._by_id.get(n.id) or Document.wordless(n, self._library), (factor,))
            for n in dict.fromkeys(nodes)
            if accept(n)
        ]
        return CitationRanking(candidates, paths, bool(exact) and not elsewhere)

    def _order_editions(
        self, editions: Iterable[Identity], query: CitationQuery, key: Callable[[Identity], tuple[object, ...]]
    ) -> list[Identity]:
        """Return editions in the order of ``key``; points of decisions come first or last, as the query means them."""
        return sorted(editions, key=lambda e: ((e.id in self._decision_editions) != query.points, *key(e)))

    def _node_at(self, edition: Identity, path: str) -> Node | None:
        return self._by_path[edition.id].get(path.lower())

    def _has_any_path(self, query: CitationQuery, editions: Iterable[Identity]) -> bool:
        return any(self._node_at(e, path) for e in editions for path in query.paths)

    def _nearest_ancestor(self, edition: Identity, path: str) -> Node | None:
        return next((n for above in address.ancestor_paths(path) if (n := self._node_at(edition, above))), None)


def _containment_rank(path: str, other: str) -> int | None:
    """Return 0 if ``other`` is the same path, 1 if it is inside ``path``, 2 if ``path`` is inside it, else None."""
    if path == other:
        return 0
    return 1 if address.contains_path(path, other) else 2 if address.contains_path(other, path) else None


# -- Quoted words ---

FormChoices = tuple[frozenset[str], ...]  # for each word of a phrase, the forms that may stand for it
_NO_POSITIONS: frozenset[int] = frozenset()


class PhraseFinder:
    """Finds the sequences of printed words that a query quotes. One object serves one query."""

    def __init__(self, documents: list[Document], lexicons: Mapping[str, Lexicon]):
        self._documents, self._lexicons = documents, lexicons
        self._found: dict[tuple[FormChoices, str], dict[int, WordPositions]] = {}

    def find(self, query: WordQuery, langs: Iterable[str], postings: Postings) -> tuple[dict[int, WordPositions], bool]:
        """Return document number → the positions of the quoted words, and whether the words stand there as typed.

        The words are sought as typed, apart from diacritics. If no document has them, other forms of the words are
        sought.
        """
        exactly: Callable[[Lexicon, str], frozenset[str]] = lambda _, form: frozenset((form,))
        if found := self._keep_with_signs(self._find_in_languages(query, langs, postings, exactly), query.quoted):
            return found, True
        return self._find_in_languages(query, langs, postings, Lexicon.forms_sharing_lemma), False

    def _find_in_languages(
        self,
        query: WordQuery,
        langs: Iterable[str],
        postings: Postings,
        alike: Callable[[Lexicon, str], frozenset[str]],
    ) -> dict[int, WordPositions]:
        """Return document number → positions, for the documents of these languages that hold every phrase.

        ``alike`` returns the forms that may stand for a form of the query.
        """
        out: dict[int, WordPositions] = {}
        for lang in langs:
            lexicon = self._lexicons[lang]
            found = [
                self._find_phrase_cached(tuple(alike(lexicon, t.form) for t in phrase), lang, postings)
                for phrase in query.phrases
            ]
            for number in set(found[0]).intersection(*found[1:]):
                headings, texts = zip(*(places[number] for places in found), strict=True)
                out[number] = WordPositions(frozenset().union(*headings), frozenset().union(*texts))
        return out

    def _keep_with_signs(self, found: dict[int, WordPositions], quoted: Iterable[str]) -> dict[int, WordPositions]:
        """Return those of the ``found`` documents (number → positions) that have the signs between the quoted words,
        too.

        Signs are not words, so the text itself is searched. If no document has exactly these signs, other punctuation
        is accepted; a symbol (“2♦”) must be there.
        """
        signs = [q for q in quoted if any(not c.isalnum() and not c.isspace() for c in q)]
        if not signs:
            return found
        patterns = [_exact_pattern(q) for q in signs]
        stored: Callable[[Node], str] = lambda node: _normalise_signs(f"{node.heading or ''}\n{node.text}")
        verified = {
            number: places
            for number, places in found.items()
            if all(p.search(stored(self._documents[number].node)) for p in patterns)
        }
        if verified:
            return verified
        return {} if any(unicodedata.category(c)[0] == "S" for q in signs for c in q) else found

    def _find_phrase_cached(self, choices: FormChoices, lang: str, postings: Postings) -> dict[int, WordPositions]:
        """Return document number → the positions of one phrase. The result is cached, because every filter needs it."""
        if (choices, lang) not in self._found:
            self._found[choices, lang] = self._find_phrase(choices, lang, postings)
        return self._found[choices, lang]

    def _find_phrase(self, choices: FormChoices, lang: str, postings: Postings) -> dict[int, WordPositions]:
        """Return document number → the positions of one phrase.

        For a phrase of nothing but signs it is every document of the language, without positions.
        """
        if not choices:
            return {
                n: WordPositions(_NO_POSITIONS, _NO_POSITIONS)
                for n, d in enumerate(self._documents)
                if d.node.lang == lang
            }
        found = {}
        for number in set.intersection(*(postings.documents_with_forms(lang, choice) for choice in choices)):
            document = self._documents[number]
            places = WordPositions(
                _phrase_positions(document.heading.forms, choices), _phrase_positions(document.text.forms, choices)
            )
            if any(places):
                found[number] = places
        return found or self._find_across_provisions(choices, lang)

    def _find_across_provisions(self, choices: FormChoices, lang: str) -> dict[int, WordPositions]:
        """Return where a phrase begins that runs on into the next provision: document number → its positions there.

        Only phrases of three words or more are sought.
        """
        out: dict[int, WordPositions] = {}
        all_forms = frozenset().union(*choices)
        pairs = pairwise(self._documents) if len(choices) > 2 else ()
        for before, after in pairs:
            forms = before.text.forms
            # A quick check first: the last word of nearly every text is not in the quotation.
            if not forms or forms[-1] not in all_forms or before.node.lang != lang:
                continue
            if before.node.edition != after.node.edition:
                continue
            for cut in range(1, len(choices)):
                tail, head = forms[-cut:], (after.heading.forms + after.text.forms)[: len(choices) - cut]
                if len(tail) + len(head) == len(choices) and all(
                    f in c for f, c in zip(tail + head, choices, strict=True)
                ):
                    out[before.number] = WordPositions(_NO_POSITIONS, frozenset(range(len(forms) - cut, len(forms))))
        return out


def keep_quoted(ranking: Ranking, found: Mapping[int, WordPositions], weights: RankingWeights) -> Ranking:
    """Return the ranking of only those documents that hold the quoted words.

    ``found``: document number → the positions of these words. If it is empty, return the ranking of the words without
    the quotation marks. That answer is never confident.
    """
    if not found:
        return ranking
    numbers, ranked = np.array(list(found), dtype=np.intp), np.zeros(len(ranking.scores), dtype=bool)
    ranked[ranking.order] = True
    alone = numbers[~ranked[numbers]]
    ranking = ranking._replace(order=numbers, quoted=found)
    return ranking.with_factor("quoted", alone, weights.quoted, "+").sorted_by_score()


def _normalise_signs(text: str) -> str:
    """Return folded text without the blanks around signs: “2 ♦” and “2♦” become the same."""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", " ".join(fold(text).split()))


def _exact_pattern(quoted: str) -> re.Pattern[str]:
    text = _normalise_signs(quoted)
    before, after = (r"(?<!\w)" if text[:1].isalnum() else ""), (r"(?!\w)" if text[-1:].isalnum() else "")
    return re.compile(before + re.escape(text) + after)


def _phrase_positions(forms: tuple[str, ...], choices: FormChoices) -> frozenset[int]:
    """Return the positions of all words that belong to the phrase, at every place where it stands in ``forms``."""
    size = len(choices)
    fits: Callable[[int], bool] = lambda at: all(form in c for form, c in zip(forms[at:], choices, strict=False))
    starts = (at for at in range(len(forms) - size + 1) if fits(at))
    return frozenset(i for at in starts for i in range(at, at + size))
