"""Answers a query: understanding, ranking, one hit for one provision with its counterparts, snippets, honesty.

>>> searcher = Searcher.open(build_dir, library)           # doctest: +SKIP
>>> searcher.search("27b1").to_json()["results"][0]["id"]   # doctest: +SKIP
'pl-2007/27/B/1'
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from whoosh.index import open_dir

from corpus import address, store
from corpus.library import Library
from corpus.model import Node
from index import IndexMissing, build, confidence, document, phrase
from index.analyser import analyse
from index.concept import Concepts
from index.query import Query, QueryReader
from index.ranking import Hit, Look, Ranker
from index.snippet import snippet
from index.suggest import Suggester

__all__ = ["Answer", "IndexMissing", "Searcher"]

# No answer is longer; what stands further down answers nothing.
MOST_HITS = 200
# A hit near a better one of the same law, and a hit in an edition that is not in force.
SAME_LAW, SUPERSEDED, OTHER_LANGUAGE, AGREEMENT = 0.8, 0.97, 0.9, 0.25
# An extract of what is no longer in force says nothing that a full edition does not.
EXTRACT = 0.9
# How many hits are listened to when editions are compared.
VOTERS = 90


@dataclass(frozen=True)
class Answer:
    """What the API returns (contract, section 5)."""

    query: str
    kind: str
    paths: tuple[str, ...]
    lang: str | None
    total: int
    confident: bool
    suggestion: str | None
    results: list[dict]
    facets: dict = field(default_factory=dict)
    capped: bool = False  # more may be found than are listed

    def to_json(self) -> dict:
        """The object of the API."""
        return {
            "query": self.query,
            "interpretation": {"kind": self.kind, "paths": list(self.paths), "lang": self.lang},
            "total": self.total,
            "confident": self.confident,
            "suggestion": self.suggestion,
            "results": self.results,
            "facets": self.facets,
            "capped": self.capped,
        }


class Searcher:
    """The search over one library and its index. May be shared between threads: each has its own Whoosh reader."""

    def __init__(self, folder: Path, library: Library):
        self._folder, self._library = folder, library
        self._documents = document.read(folder / "documents.jsonl", library)
        counts: dict[str, Counter] = {}
        for doc in self._documents:
            counts.setdefault(doc.node.lang, Counter()).update((*doc.heading, *doc.text))
        self._lexicons = build.read_lexicons(folder, counts)
        for lexicon in self._lexicons.values():
            lexicon.prepare()
        concepts = Concepts.read(folder / "terms", self._lexicons)
        printed: dict[str, set[str]] = {}
        for doc in self._documents:
            printed.setdefault(doc.node.lang, set()).update(
                p for p in (*doc.heading_places, *doc.text_places) if p[0] == "#"
            )
        self._reader = QueryReader(library, self._lexicons, concepts, printed)
        self._numbers = {d.node.id: i for i, d in enumerate(self._documents)}
        self._topics = self._read_topics()
        self._phrases = phrase.Phrases(self._documents, self._lexicons)
        self._suggester = Suggester(library, self._reader, concepts, self._lexicons)
        self._langs = sorted({e.lang for e in library.editions.values()})
        self._by_path = {e: {n.path.lower(): n for n in reversed(library.of(e))} for e in library.editions}
        self._decoded: dict[tuple[str, str], list[tuple[int, float]]] = {}
        self._local = threading.local()

    # ── opening ─────────────────────────────────────────────────────────────────────────────────

    @classmethod
    def open(cls, build_dir: Path, library: Library) -> Searcher:
        """Raises :class:`IndexMissing` when the index is missing, damaged or made from another corpus."""
        folder = Path(build_dir) / "search"
        try:
            text = (folder / "manifest.json").read_text(encoding="utf-8")
            manifest = json.loads(text)
        except (OSError, ValueError):
            raise IndexMissing(f"There is no search index in {folder}. Run: lexbridge index") from None
        if manifest.get("schema") != build.SCHEMA:
            raise IndexMissing(
                f"The search index in {folder} is of schema {manifest.get('schema')}, not {build.SCHEMA}. Run: lexbridge index"
            )
        if manifest.get("corpus") != build.corpus_digest(Path(build_dir)):
            raise IndexMissing(f"The search index in {folder} was made from another corpus. Run: lexbridge index")
        for name, expected in manifest["files"].items():
            path = folder / name
            if not path.is_file() or store.digest(path) != expected:
                raise IndexMissing(f"{path} is not the file that was built. Run: lexbridge index")
        with _lock:
            key = (str(folder), text)
            held = _opened.get("searcher")
            if held and held[0] == key and held[1] is library:
                return held[2]
            try:
                searcher = cls(folder, library)
            except KeyError as error:
                raise IndexMissing(
                    f"The search index in {folder} knows {error}, which the corpus has not. Run: lexbridge index"
                ) from None
            _opened["searcher"] = (key, library, searcher)
            return searcher

    def _ranker(self) -> Ranker:
        if getattr(self._local, "ranker", None) is None:
            try:
                reader = open_dir(str(self._folder / "postings")).reader()
            except Exception as error:
                raise IndexMissing(
                    f"The search index in {self._folder} cannot be opened ({error}). Run: lexbridge index"
                ) from None
            numbers = [reader.stored_fields(d)["number"] for d in range(reader.doc_count_all())]
            self._local.ranker = Ranker(reader, self._documents, numbers, self._lexicons, self._topics, self._decoded)
        return self._local.ranker

    def _read_topics(self) -> dict[str, dict[str, set[int]]]:
        """Language → lemma of an entry of a printed subject index → the documents that it names."""
        out: dict[str, dict[str, set[int]]] = {}
        for entry in self._library.index:
            lang = self._library.editions[entry.edition].lang
            lexicon = self._lexicons[lang]
            for word in analyse(f"{entry.entry} {entry.subentry or ''}"):
                if word.form not in lexicon.stopwords:
                    for lemma in lexicon.lemmas(word.form):
                        out.setdefault(lang, {}).setdefault(lemma, set()).update(
                            self._numbers[t] for t in entry.targets if t in self._numbers
                        )
        return out

    # ── answering ───────────────────────────────────────────────────────────────────────────────

    def suggest(self, q: str, lang: str | None = None) -> list[dict]:
        """At most a handful of ``{"text", "kind", "url"}`` for what has been typed so far."""
        return self._suggester.suggest(q, lang)

    def search(
        self,
        q: str,
        langs=(),
        editions=(),
        kinds=(),
        qlang: str | None = None,
        limit: int = 20,
        offset: int = 0,
        explain: bool = False,
    ) -> Answer:
        """The answer to a query; filters are sequences of languages, edition ids and kinds, empty for no filter."""
        langs, editions, kinds = tuple(langs or ()), tuple(editions or ()), tuple(kinds or ())
        hint = langs[0] if len(langs) == 1 else qlang
        query = self._reader.read(q or "", hint)
        chosen = [
            e
            for e in self._library.editions.values()
            if (not langs or e.lang in langs) and (not editions or e.id in editions)
        ]
        if query.citations:
            return self._cited(query, chosen, kinds, qlang or hint, limit, offset, explain)
        return self._found(query, chosen, kinds, limit, offset, explain)

    # ── citations ───────────────────────────────────────────────────────────────────────────────

    def _cited(self, query: Query, chosen: list, kinds, lang, limit, offset, explain) -> Answer:
        cited = query.citations
        named = [e for e in chosen if e.id in cited.editions] if cited.editions else chosen
        ranked = lambda among: sorted(
            among,
            key=lambda e: (
                (e.id in self._pointed) != cited.points,
                bool(lang) and e.lang != lang,
                not e.complete,
                not e.force,
                -e.year,
                e.id,
            ),
        )
        order = ranked(named)
        has = lambda among: any(path.lower() in self._by_path[e.id] for e in among for path in cited.paths)
        missing = bool(cited.editions) and not has(order)
        if missing and has(chosen):
            # The edition named has no such provision: the others are offered, and the answer does not call itself sure.
            order = ranked(e for e in chosen if e.id not in cited.editions)
        nodes: list[Node] = []
        exact: dict[str, None] = {}
        paths = []
        for path in cited.paths:
            found = [n for e in order if (n := self._by_path[e.id].get(path.lower())) is not None]
            paths.append(found[0].path if found else path)
            nodes += found
            exact.update((n.id, None) for n in found)
        if not nodes:
            for path in cited.paths:
                for edition in order:
                    for above in address.ancestors(path):
                        if (node := self._by_path[edition.id].get(above.lower())) is not None:
                            nodes.append(node)
                            break
        nodes = [n for n in dict.fromkeys(nodes) if not kinds or n.kind in kinds]
        rows = [
            (
                n,
                1.0 if n.id in exact else 0.3,
                {"citation": address.cite(n.path) if n.id in exact else "the nearest that exists"},
            )
            for n in nodes
        ]
        results = [
            self._result(n, score, self._plain_snippet(n), reasons if explain else None)
            for n, score, reasons in rows[offset : offset + limit]
        ]
        return Answer(
            query.raw,
            "citation",
            tuple(paths),
            query.lang,
            len(rows),
            bool(exact) and not missing,
            None,
            results,
            self._facets(nodes),
        )

    @property
    def _pointed(self) -> frozenset[str]:
        return self._reader.pointed

    def _plain_snippet(self, node: Node) -> str:
        number = self._numbers.get(node.id)
        if number is None:
            return snippet_of_nothing(self._library, node)
        return snippet(self._documents[number], {}, {}, self._below(node))

    def _below(self, node: Node) -> str:
        text = " ".join(filter(None, (x for n in self._library.subtree(node)[1:6] for x in (n.heading, n.text))))
        return text[:220] + ("…" if len(text) > 220 else "")

    # ── words ───────────────────────────────────────────────────────────────────────────────────

    def _found(self, query: Query, chosen: list, kinds, limit, offset, explain) -> Answer:
        ids = {e.id for e in chosen}
        accept = lambda doc: doc.node.edition in ids and (not kinds or doc.node.kind in kinds)
        langs = sorted({e.lang for e in chosen})
        ranker = self._ranker()
        exact: dict[int, tuple] = {}
        verbatim = False
        if query.phrases:
            exact, verbatim = self._phrases.find(query.phrases, query.quoted, langs, ranker)
            exact = {n: where for n, where in exact.items() if accept(self._documents[n])}
        hits = ranker.rank(query, langs, accept) if query.units else []
        if query.phrases:
            hits = self._phrase_hits(query, hits, exact)
        hits = self._ordered(query, hits, len(langs) > 1)
        if len(ids) > 1 and not query.phrases:
            hits = self._agreed(hits)
        hits = self._spread(hits)
        kept = self._merged(hits)
        confident = confidence.confident(query, kept, bool(exact), verbatim and bool(exact))
        looks = {lang: Look(query, lang, self._lexicons[lang]) for lang in langs}
        results = []
        for hit in kept[offset : offset + limit]:
            doc = hit.document
            look = looks[doc.node.lang]
            heading, text = look.marks(doc.heading_places), look.marks(doc.text_places)
            if hit.number in exact:
                heading, text = ({i: {0: 1.0} for i in places} for places in exact[hit.number])
            below = self._below(doc.node) if not doc.text else ""
            reasons = {**hit.reasons, "marks": _why_marked(doc, look)} if explain else None
            results.append(self._result(doc.node, hit.score, snippet(doc, heading, text, below), reasons))
        return Answer(
            query.raw,
            "text",
            (),
            query.lang,
            len(kept),
            confident,
            self._suggestion(query),
            results,
            self._facets([h.document.node for h in kept]),
            len(kept) >= MOST_HITS,
        )

    def _suggestion(self, query: Query) -> str | None:
        """The query with its typing errors corrected, spelt as the texts spell it; None when there is nothing to correct."""
        out = query.text
        for unit in query.units:
            if unit.corrected:
                out = re.sub(rf"(?i)\b{re.escape(unit.word)}\b", self._printed(unit.corrected), out)
        return out if out != query.text else None

    def _printed(self, form: str) -> str:
        """A folded form as it is printed most often, in lower case."""
        seen = Counter(
            doc.node.text[slice(*doc.text_spans[first])].lower()
            for doc in self._documents
            for first, _ in doc.text_places.get(form, ())
        )
        return seen.most_common(1)[0][0] if seen else form

    def _phrase_hits(self, query: Query, hits: list[Hit], exact: dict) -> list[Hit]:
        """Only what holds the quoted words; when nothing does, the words without the quotation marks (never confident)."""
        if not exact:
            return hits
        by_number = {h.number: h for h in hits}
        out = []
        for number in exact:
            hit = by_number.get(number) or Hit(number, self._documents[number], 0.1, 1.0, {})
            hit.score *= 3
            hit.reasons["quoted"] = 3
            out.append(hit)
        return sorted(out, key=lambda h: (-h.score, h.number))

    def _ordered(self, query: Query, hits: list[Hit], several: bool) -> list[Hit]:
        """The reader's language and the edition in force before others."""
        for hit in hits:
            edition = self._library.editions[hit.document.node.edition]
            if several and query.reader in self._langs and edition.lang != query.reader:
                hit.score *= OTHER_LANGUAGE
                hit.reasons["language"] = OTHER_LANGUAGE
            if edition.superseded_by:
                hit.score *= SUPERSEDED
            if not edition.complete and edition.superseded_by:
                hit.score *= EXTRACT
        return sorted(hits, key=lambda h: (-h.score, h.number))

    def _agreed(self, hits: list[Hit]) -> list[Hit]:
        """What corresponds to a good hit of another edition moves up: what the editions agree on is more than what one says."""
        top = hits[:VOTERS]
        score = {h.document.node.id: h.score for h in top}
        gains = {}
        for hit in top:
            best: dict[str, float] = {}
            for id_ in self.counterparts(hit.document.node):
                if id_ in score:
                    edition = id_.edition
                    best[edition] = max(best.get(edition, 0.0), score[id_])
            if best:
                gains[hit.number] = AGREEMENT * sum(best.values())
        for hit in top:
            if gain := gains.get(hit.number):
                hit.score += gain
                hit.reasons["other editions"] = gain
        return sorted(hits, key=lambda h: (-h.score, h.number))

    def _spread(self, hits: list[Hit]) -> list[Hit]:
        """One law after another: the second clause of a law says less than the first of the next."""
        out, rest, seen = [], hits[:40], {}
        while rest and len(out) < 12:
            best = max(rest, key=lambda h: h.score * SAME_LAW ** min(3, seen.get(h.document.law, 0)))
            rest.remove(best)
            seen[best.document.law] = seen.get(best.document.law, 0) + 1
            out.append(best)
        return out + rest + hits[40:]

    def _merged(self, hits: list[Hit]) -> list[Hit]:
        """One hit for one provision: what corresponds to a better hit is among its counterparts and is not shown twice."""
        kept: list[Hit] = []
        taken: set[str] = set()
        for hit in hits:
            if len(kept) >= MOST_HITS:
                break
            id_ = hit.document.node.id
            if id_ in taken:
                continue
            kept.append(hit)
            taken.add(id_)
            found = self._library.relations.counterparts(id_)
            taken.update(c.id for rows in found.values() for c in rows if c.relation in ("same", "reworded", "moved"))
        return kept

    # ── results ─────────────────────────────────────────────────────────────────────────────────

    def counterparts(self, node: Node) -> list[str]:
        """Ids of the provisions that correspond, in every edition that has one."""
        return [c.id for rows in self._library.relations.counterparts(node.id).values() for c in rows]

    def _result(self, node: Node, score: float, piece: str, reasons: dict | None) -> dict:
        row = {
            "id": node.id,
            "edition": node.edition,
            "path": node.path,
            "citation": node.citation,
            "heading": node.heading,
            "score": round(score, 4),
            "snippet": piece,
            "counterparts": self.counterparts(node),
        }
        if reasons is not None:
            row["explain"] = {k: round(v, 3) if isinstance(v, float) else v for k, v in reasons.items()}
        return row

    def _facets(self, nodes: list[Node]) -> dict:
        law = lambda n: (
            self._documents[self._numbers[n.id]].law if n.id in self._numbers else self._library.law_of(n).id
        )
        values = {
            "edition": (n.edition for n in nodes),
            "lang": (n.lang for n in nodes),
            "kind": (n.kind for n in nodes),
            "law": (law(n).path for n in nodes),
        }
        return {name: dict(Counter(of).most_common()) for name, of in values.items()}


def _why_marked(doc: document.Document, look: Look) -> dict[str, str]:
    """Words of a provision that answer the query → why: a term, the word itself, …"""
    out = {}
    for text, spans, places in (
        (doc.node.heading or "", doc.heading_spans, doc.heading_places),
        (doc.node.text, doc.text_spans, doc.text_places),
    ):
        for (first, last), why in look.reasons(places).items():
            out[text[spans[first][0] : spans[last][1]]] = why
    return out


def snippet_of_nothing(library: Library, node: Node) -> str:
    """What is shown of a node that is no document: the words under it."""
    return escape(library.full_text(node)[:220])


# One searcher is kept for all threads; it is replaced when the index or the library is.
_opened: dict[str, tuple] = {}
_lock = threading.Lock()
