"""The library: the parsed corpus in memory, for the site, the search and the commands.

``Library.open()`` reads what was built. A Library is immutable and may be shared between threads.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from corpus import address
from corpus.edition import Identity
from corpus.generation import CORPUS_PART, Generation, build_dir, read_corpus_file, refuse_unreadable
from corpus.json_values import from_json, from_rows, node_from_json, pair_from_json
from corpus.label import NO_CITATION_WORDS, CitationWords
from corpus.layers import LAYERS
from corpus.letters import Alphabet
from corpus.model import LAW_KINDS, PAGE_KINDS, Correction, IndexEntry, Node, NodeId, Pair
from corpus.relation import alignment
from corpus.relation.relations import Relations
from corpus.remarks import Conditions, Paraphrase
from corpus.ruling import Ruling, Rulings
from corpus.score.model import Scores
from corpus.situation.fact import FactPhrases
from corpus.situation.model import Situations
from corpus.subject_line import lines_by_node
from corpus.term.model import Term, Terms
from corpus.threshold import Threshold


class Library:
    """All editions, their nodes and relations, and the data about them.

    ``citation_words`` are words that may stand beside a typed citation. ``layers`` maps the name of each layer of
    :data:`corpus.layers.LAYERS` to its value.
    """

    def __init__(
        self,
        nodes: list[Node],
        editions: list[Identity],
        links: list[Pair],
        index: list[IndexEntry],
        corrections: list[Correction],
        words: CitationWords = NO_CITATION_WORDS,
        alphabets: Mapping[str, Alphabet] | None = None,
        layers: Mapping[str, Any] | None = None,
        sources: Mapping[str, str] | None = None,
    ):
        self.nodes: dict[NodeId, Node] = {n.id: n for n in nodes}
        self.editions = {e.id: e for e in editions}
        self.index, self.corrections, self.citation_words = index, corrections, words
        self._alphabets = alphabets or {}
        self.layers = {layer.name: layer.empty() for layer in LAYERS} | dict(layers or {})
        situations: Situations = self.layers["situations"]
        rulings: Rulings = self.layers["rulings"]
        self.vocabulary, self.situations = situations.vocabulary, situations.by_id()
        self.next_steps = situations.next_steps
        self.terms: Terms = self.layers["terms"]
        self.bodies = {b.id: b for b in rulings.bodies}
        self.rulings = {r.id: r for r in rulings.all}
        self.conditions: Conditions = self.layers["conditions"]
        self.paraphrases: tuple[Paraphrase, ...] = self.layers["paraphrases"]
        self.thresholds: tuple[Threshold, ...] = self.layers["thresholds"]
        self.fact_phrases: tuple[FactPhrases, ...] = self.layers["fact_phrases"]
        self.subject_lines = lines_by_node(self.layers["subject_lines"])
        self.scores: Scores = self.layers["scores"]
        self._sources = {id_: tuple(text.split("\n")) for id_, text in (sources or {}).items()}
        self.relations = Relations(self.editions_to_align, self.nodes, links)

    @classmethod
    def open(cls, generation: Generation | None = None) -> Library:
        """Read the parsed corpus of a generation; by default of the one that was made last.

        Raises :class:`corpus.generation.StoreError` when it cannot be read; the message says what to do.
        """
        made = generation or Generation.open_latest(build_dir(), (CORPUS_PART,))
        with refuse_unreadable(made.folder / CORPUS_PART):
            return cls._read(made)

    @classmethod
    def _read(cls, made: Generation) -> Library:
        """Read the parsed corpus of a generation. Raises anything when a file is not what was written."""
        rows = lambda name: read_corpus_file(made, name)
        return cls(
            [node_from_json(r) for r in rows("nodes.jsonl")],
            [from_json(Identity, r) for r in rows("editions.json")],
            [pair_from_json(r) for r in rows("links.jsonl")],
            [from_json(IndexEntry, r) for r in rows("index.jsonl")],
            [from_json(Correction, r) for r in rows("corrections.jsonl")],
            from_json(CitationWords, rows("words.json")),
            {code: from_json(Alphabet, row) for code, row in rows("alphabets.json").items()},
            {layer.name: from_rows(layer.type, rows(layer.file)) for layer in LAYERS},
            rows("sources.json"),
        )

    # ── Editions ────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def law_editions(self) -> list[Identity]:
        """Editions of the laws themselves, by year, then id. Decisions that modify a code are left out."""
        return sorted((e for e in self.editions.values() if not e.is_decisions), key=lambda e: e.sort_key)

    @cached_property
    def editions_to_align(self) -> list[alignment.EditionToAlign]:
        """The editions of the laws, in the order of time, with what the relations need of them; no decisions."""
        return [alignment.EditionToAlign.of(e, self.nodes_of(e.id)) for e in self.law_editions]

    def alphabet_of(self, lang: str) -> Alphabet:
        """The alphabet of a language; one without any rules when the language has no file."""
        return self._alphabets.get(lang, Alphabet())

    @cached_property
    def rulings_by_point(self) -> dict[NodeId, Ruling]:
        """Id of a point in an edition of decisions → the ruling that it is."""
        return {r.node: r for r in self.rulings.values() if r.node}

    def source_lines(self, edition: str) -> tuple[str, ...]:
        """The lines of the source of an edition; () when the source is not available."""
        return self._sources.get(edition, ())

    def count_ruling_changes(self, day: dt.date) -> int:
        """How often a ruling came into force or went out of force, up to a day.

        While this number stays the same, answers about the present stay the same.
        """
        return bisect_right(self._ruling_change_days, day.isoformat())

    # ── Nodes ───────────────────────────────────────────────────────────────────────────────────

    def node_at(self, edition: str, path: str) -> Node | None:
        """The node with a path in an edition, or None."""
        return self.nodes.get(NodeId.of(edition, path))

    def paths_by_lower_case(self, edition: str) -> Mapping[str, str]:
        """Lower-case path → the path in an edition. Of two paths that differ only in case, it has the first."""
        return self._paths_by_lower_case.get(edition, {})

    def find_node(self, id_: NodeId | None) -> Node | None:
        """The node of an id, or None."""
        return self.nodes.get(id_) if id_ else None

    def nodes_of(self, edition: str) -> list[Node]:
        """The nodes of an edition in document order."""
        return self._nodes_by_edition.get(edition, [])

    def nodes_in_order(self, ids: Collection[NodeId]) -> list[Node]:
        """The nodes with some ids, in document order."""
        return [n for n in self.nodes.values() if n.id in ids]

    def children_of(self, node: Node) -> list[Node]:
        """The children of a node in reading order."""
        return [self.nodes[i] for i in node.children]

    def subtree_of(self, node: Node, notes: bool = True) -> list[Node]:
        """The node and its descendants in reading order. Without ``notes`` footnotes are left out."""
        out = [node]
        for child in self.children_of(node):
            if notes or child.kind != "footnote":
                out += self.subtree_of(child, notes)
        return out

    @cached_property
    def members_by_parent(self) -> dict[NodeId, list[Node]]:
        """Id → the nodes whose parent it is, in document order (the parent of a law is its chapter)."""
        out: dict[NodeId, list[Node]] = defaultdict(list)
        for node in self.nodes.values():
            if node.parent:
                out[node.parent].append(node)
        return out

    def nodes_inside(self, node: Node) -> list[Node]:
        """The node and everything inside it, including the laws of a chapter."""
        return [node, *(n for m in self.members_by_parent.get(node.id, ()) for n in self.nodes_inside(m))]

    def ancestors_of(self, node: Node) -> list[Node]:
        """The parents of a node, from the outermost to the nearest."""
        out = []
        while node.parent:
            node = self.nodes[node.parent]
            out.append(node)
        return out[::-1]

    def page_node_of(self, node: Node) -> Node:
        """The node whose page shows this node.

        It is the law or point, the definitions, or another part with a page. A node outside of these (a chapter) is its
        own page.
        """
        chain = [*self.ancestors_of(node), node]
        for step in chain:
            if step.kind in PAGE_KINDS:
                return step
        return node

    def page_node_in(self, id_: NodeId, edition: str) -> Node | None:
        """Return the node whose page in ``edition`` shows a node, or the nearest counterpart of that node there.

        None when the edition has no counterpart of it.
        """
        there = [id_] if id_.edition == edition else [c.id for c in self.relations.nearest_counterparts(id_, edition)]
        return self.page_node_of(self.nodes[there[0]]) if there else None

    def laws_of(self, edition: str) -> list[Node]:
        """The laws (or points) of an edition, in order."""
        return [n for n in self.nodes_of(edition) if n.kind in LAW_KINDS]

    def neighbouring_laws(self, law: Node) -> tuple[Node | None, Node | None]:
        """Return (the law before, the law after). The first law has None before it, the last one None after it."""
        laws = self.laws_of(law.edition)
        i = next((i for i, n in enumerate(laws) if n.id == law.id), None)
        if i is None:
            return None, None
        return laws[i - 1] if i else None, laws[i + 1] if i + 1 < len(laws) else None

    def full_text_of(self, node: Node) -> str:
        """Label, heading and text of a node and of its descendants, as one string in reading order."""
        out = []
        for n in self.subtree_of(node):
            out += [x for x in (n.label if n.kind != "definition" else None, n.heading, n.text) if x]
        return " ".join(out)

    def nearest_existing_node(self, edition: str, path: str) -> Node | None:
        """Return the node with a path, else the nearest existing node around it; None when not even its law exists."""
        for candidate in [path, *address.ancestor_paths(path)]:
            if (found := self.node_at(edition, candidate)) is not None:
                return found
        return None

    @cached_property
    def terms_by_definition(self) -> dict[NodeId, Term]:
        """Id of a node that gives the meaning of a term → the term. Where it defines two, it has the first."""
        out: dict[NodeId, Term] = {}
        for term in self.terms.values():
            for edition in term.defined:
                for id_ in term.meaning(edition):
                    out.setdefault(id_, term)
        return out

    @cached_property
    def _ruling_change_days(self) -> list[str]:
        """The first days on which the force of a ruling differs from that of the day before."""
        forces = [ruling.force for ruling in self.rulings.values()]
        after = (dt.date.fromisoformat(f.until) + dt.timedelta(1) for f in forces if f.until)
        return sorted({*(f.since for f in forces if f.since), *(day.isoformat() for day in after)})

    @cached_property
    def _paths_by_lower_case(self) -> dict[str, dict[str, str]]:
        return {e: {n.path.lower(): n.path for n in reversed(nodes)} for e, nodes in self._nodes_by_edition.items()}

    @cached_property
    def _nodes_by_edition(self) -> dict[str, list[Node]]:
        out: dict[str, list[Node]] = defaultdict(list)
        for n in self.nodes.values():
            out[n.edition].append(n)
        return dict(out)
