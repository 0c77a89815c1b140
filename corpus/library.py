"""The library: the parsed corpus in memory, as the site, the search and the commands read it.

A Library is immutable and may be shared between threads. ``Library.open()`` reads what was built.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from corpus import address, generation
from corpus.edition import Identity
from corpus.exchange import entry_from_json, from_json, node_from_json, pair_from_json
from corpus.files import Place
from corpus.generation import CORPUS, made_last
from corpus.label import NO_WORDS, CitationWords
from corpus.letters import Alphabet
from corpus.model import LAWS, PAGES, Correction, IndexEntry, Node, NodeId, Pair
from corpus.relation import alignment
from corpus.relation.relations import Relations
from corpus.remarks import Conditions, Paraphrase
from corpus.ruling import Ruling, Rulings
from corpus.situation.model import Situation, Situations, Vocabulary
from corpus.term.model import Term, Terms
from corpus.threshold import Threshold


class Library:
    """All editions, nodes and their relations; ``words`` may stand around a typed citation."""

    def __init__(
        self,
        nodes: list[Node],
        editions: list[Identity],
        links: list[Pair],
        index: list[IndexEntry],
        corrections: list[Correction],
        words: CitationWords = NO_WORDS,
        alphabets: Mapping[str, Alphabet] | None = None,
        situations: Situations | None = None,
        terms: Iterable[Term] = (),
        rulings: Rulings | None = None,
        conditions: Conditions | None = None,
        tellings: Iterable[Paraphrase] = (),
        sources: Mapping[str, str] | None = None,
        thresholds: Iterable[Threshold] = (),
    ):
        self.nodes: dict[NodeId, Node] = {n.id: n for n in nodes}
        self.editions = {e.id: e for e in editions}
        self.index, self.corrections, self.words = index, corrections, words
        self._alphabets = alphabets or {}
        self.vocabulary = situations.vocabulary if situations else Vocabulary()
        self.situations = situations.by_id() if situations else {}
        self.terms: Terms = {term.slug: term for term in terms}
        self.bodies = {b.id: b for b in rulings.bodies} if rulings else {}
        self.rulings = {r.id: r for r in rulings.all} if rulings else {}
        self.conditions = conditions or Conditions()
        self.tellings = tuple(tellings)
        self.thresholds = tuple(thresholds)
        self._sources = {id_: tuple(text.split("\n")) for id_, text in (sources or {}).items()}
        self.relations = Relations(self.listings, self.nodes, links)

    @classmethod
    def open(cls, corpus: Place | None = None) -> Library:
        """Read a parsed corpus, ``corpus/`` of a generation; without one that which was made last.

        Raises :class:`corpus.store.StoreError` with what to do when it cannot.
        """
        place = corpus or made_last(generation.build_dir(), (CORPUS,)) / CORPUS
        rows = lambda name: generation.read_stored(place, name)
        return cls(
            [node_from_json(r) for r in rows("nodes.jsonl")],
            [from_json(Identity, r) for r in rows("editions.json")],
            [pair_from_json(r) for r in rows("links.jsonl")],
            [entry_from_json(r) for r in rows("index.jsonl")],
            [Correction(**r) for r in rows("corrections.jsonl")],
            CitationWords.from_json(rows("words.json")),
            {code: from_json(Alphabet, row) for code, row in rows("alphabets.json").items()},
            Situations(
                tuple(from_json(Situation, row) for row in rows("situations.jsonl")),
                from_json(Vocabulary, rows("vocabulary.json")),
            ),
            [from_json(Term, row) for row in rows("terms.json")],
            from_json(Rulings, rows("rulings.json")),
            from_json(Conditions, rows("conditions.json")),
            [from_json(Paraphrase, row) for row in rows("tellings.jsonl")],
            rows("sources.json"),
            [from_json(Threshold, row) for row in rows("thresholds.json")],
        )

    # ── editions ────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def codes(self) -> list[Identity]:
        """Editions of the laws themselves, by year, then id; decisions that modify a code are not among them."""
        return sorted((e for e in self.editions.values() if not e.is_decisions), key=lambda e: e.order)

    @cached_property
    def listings(self) -> list[alignment.Listing]:
        """The editions of the laws as the relations know them, in time order."""
        return [alignment.Listing.of(e, self.of(e.id)) for e in self.codes]

    def alphabet(self, lang: str) -> Alphabet:
        """What the letters of a language do; nothing in one that there is no file for."""
        return self._alphabets.get(lang, Alphabet())

    @cached_property
    def points(self) -> dict[NodeId, Ruling]:
        """Point of an edition of decisions → the ruling that it is."""
        return {r.node: r for r in self.rulings.values() if r.node}

    def source(self, edition: str) -> tuple[str, ...]:
        """The lines of the source that an edition was read from; none when it is not at hand."""
        return self._sources.get(edition, ())

    def turn(self, day: dt.date) -> int:
        """How often, up to a day, a ruling came into force or went out of it: what is said of the present depends on
        the day by this alone.
        """
        return bisect_right(self._turns, day.isoformat())

    # ── nodes ───────────────────────────────────────────────────────────────────────────────────

    def node(self, edition: str, path: str) -> Node | None:
        """The node at an address, or None."""
        return self.nodes.get(NodeId.of(edition, path))

    def in_any_case(self, edition: str) -> Mapping[str, str]:
        """Lower-case path → the path as an edition has it; of two that differ in case alone, the first."""
        return self._in_any_case.get(edition, {})

    def get(self, id_: NodeId | None) -> Node | None:
        """The node of an id, if there is one."""
        return self.nodes.get(id_) if id_ else None

    def of(self, edition: str) -> list[Node]:
        """Nodes of an edition in document order."""
        return self._by_edition.get(edition, [])

    def in_order(self, ids: Collection[NodeId]) -> list[Node]:
        """The nodes of some ids, in document order."""
        return [n for n in self.nodes.values() if n.id in ids]

    def children(self, node: Node) -> list[Node]:
        """Children in reading order."""
        return [self.nodes[i] for i in node.children]

    def subtree(self, node: Node, notes: bool = True) -> list[Node]:
        """The node and its descendants in reading order; ``notes``: with the footnotes that hang on it."""
        out = [node]
        for child in self.children(node):
            if notes or child.kind != "footnote":
                out += self.subtree(child, notes)
        return out

    @cached_property
    def members(self) -> dict[NodeId, list[Node]]:
        """Id → the nodes that name it as parent, in document order (laws name their chapter)."""
        out: dict[NodeId, list[Node]] = defaultdict(list)
        for node in self.nodes.values():
            if node.parent:
                out[node.parent].append(node)
        return out

    def inside(self, node: Node) -> list[Node]:
        """The node and all that stands inside it, the laws of a chapter too."""
        return [node, *(n for m in self.members.get(node.id, ()) for n in self.inside(m))]

    def ancestors(self, node: Node) -> list[Node]:
        """Parents from the outermost to the nearest."""
        out = []
        while node.parent:
            node = self.nodes[node.parent]
            out.append(node)
        return out[::-1]

    def law_of(self, node: Node) -> Node:
        """The page a node is read on: its law or point, the definitions, else its outermost part (a chapter is its
        own).
        """
        chain = [*self.ancestors(node), node]
        for step in chain:
            if step.kind in PAGES:
                return step
        return node

    def page_in(self, id_: NodeId, edition: str) -> Node | None:
        """The page, in an edition, of a node of it or of what corresponds to the node there, as near as there is; None
        where nothing does.
        """
        there = [id_] if id_.edition == edition else [c.id for c in self.relations.nearest_counterparts(id_, edition)]
        return self.law_of(self.nodes[there[0]]) if there else None

    def laws(self, edition: str) -> list[Node]:
        """The laws (or points) of an edition in order."""
        return [n for n in self.of(edition) if n.kind in LAWS]

    def neighbours(self, law: Node) -> tuple[Node | None, Node | None]:
        """The law before and the law after."""
        laws = self.laws(law.edition)
        i = next((i for i, n in enumerate(laws) if n.id == law.id), None)
        if i is None:
            return None, None
        return laws[i - 1] if i else None, laws[i + 1] if i + 1 < len(laws) else None

    def full_text(self, node: Node) -> str:
        """Label, heading and text of a node and its descendants, as one string in reading order."""
        out = []
        for n in self.subtree(node):
            out += [x for x in (n.label if n.kind != "definition" else None, n.heading, n.text) if x]
        return " ".join(out)

    def enclosing(self, edition: str, path: str) -> Node | None:
        """The deepest existing node on the way to an address that does not exist; None when not even the law is
        there.
        """
        for candidate in [path, *address.ancestors(path)]:
            if (found := self.node(edition, candidate)) is not None:
                return found
        return None

    @cached_property
    def meant(self) -> dict[NodeId, Term]:
        """id of what gives the meaning of a term → the term; of a provision that defines two, the first."""
        out: dict[NodeId, Term] = {}
        for term in self.terms.values():
            for edition in term.defined:
                for id_ in term.meaning(edition):
                    out.setdefault(id_, term)
        return out

    @cached_property
    def _turns(self) -> list[str]:
        """The first days on which the standing of a ruling is another than the day before."""
        forces = [ruling.force for ruling in self.rulings.values()]
        after = (dt.date.fromisoformat(f.until) + dt.timedelta(1) for f in forces if f.until)
        return sorted({*(f.since for f in forces if f.since), *(day.isoformat() for day in after)})

    @cached_property
    def _in_any_case(self) -> dict[str, dict[str, str]]:
        return {e: {n.path.lower(): n.path for n in reversed(nodes)} for e, nodes in self._by_edition.items()}

    @cached_property
    def _by_edition(self) -> dict[str, list[Node]]:
        out: dict[str, list[Node]] = defaultdict(list)
        for n in self.nodes.values():
            out[n.edition].append(n)
        return dict(out)
