"""Derived facts about a whole library, each computed once: where references lead, who cites a node, who ruled on it.

The entry point is :class:`Atlas`. It is made from a :class:`corpus.library.Library`, and every page model gets it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar, cast

from corpus import address, corrections
from corpus.corrections import CorrectedSpan
from corpus.edition import Identity, sort_key_for_reader
from corpus.library import Library
from corpus.model import CODE_KINDS, Node, NodeId, Reference
from corpus.ruling import Ruling
from corpus.situation.model import Situation
from corpus.term.model import Term

ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class ResolvedTarget:
    """Where a target of a reference leads, and why there. A target that leads nowhere has a value too.

    - ``path``: the path that the target names.
    - ``found``: how far the search came. "here": the named edition has the path. "text": the named edition lacks it or
      is not in the collection, and another edition of the same code has it. "nearest": no edition of the code has it,
      and ``node`` is the nearest provision around it. "nowhere": ``node`` is None.
    - ``named``: the edition that the target names; None when it is not in the collection.
    - ``texts``: all editions in which the path was sought.
    """

    path: str
    found: Literal["here", "text", "nearest", "nowhere"]
    node: Node | None
    named: Identity | None
    texts: tuple[Identity, ...]

    @property
    def found_edition(self) -> Identity:
        """The edition of ``node``. Ask only a target that has a node."""
        return next(e for e in self.texts if self.node and e.id == self.node.edition)


class Atlas:
    """Facts that are derived from an immutable library. They never change either."""

    def __init__(self, library: Library):
        self.library = library
        self._cached_results: dict[object, object] = {}

    def cached(self, make: Callable[[Atlas], ResultT]) -> ResultT:
        """Return ``make(atlas)``. The result is computed at the first call and then cached.

        It must depend on the library alone.
        """
        if make not in self._cached_results:
            self._cached_results[make] = make(self)
        return cast(ResultT, self._cached_results[make])

    def cached_for_language(self, make: Callable[[Atlas, str], ResultT], lang: str) -> ResultT:
        """Return ``make(atlas, lang)``. The result is computed at the first call and then cached.

        It must depend on the library and the language alone.
        """
        if (make, lang) not in self._cached_results:
            self._cached_results[make, lang] = make(self, lang)
        return cast(ResultT, self._cached_results[make, lang])

    # -- Editions ---

    @cached_property
    def editions_in_order(self) -> tuple[Identity, ...]:
        """All editions: those of the laws by year, then the decisions that modify them."""
        rest = [e for e in self.library.editions.values() if e.is_decisions]
        return (*self.library.law_editions, *sorted(rest, key=lambda e: e.id))

    def default_edition(self, lang: str, code: str = "") -> Identity:
        """Return the edition that a reader of a language probably wants: a complete one, of the laws of ``code`` if
        they have one, and in the language if there is such a one.
        """
        whole = [e for e in self.library.law_editions if e.complete] or [*self.editions_in_order]
        return min(whole, key=sort_key_for_reader(lang, code))

    def editions_of_code(self, code: str, lang: str = "") -> list[Identity]:
        """Return the editions of a code ("2017") in the order of a reader of a language."""
        return sorted((e for e in self.library.law_editions if e.code == code.lower()), key=sort_key_for_reader(lang))

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes that have a complete edition here: the one in force first, then by year, newest first."""
        whole = (e for e in self.library.law_editions if e.complete and e.code)
        return tuple(dict.fromkeys(e.code for e in sorted(whole, key=sort_key_for_reader())))

    def editions_to_search(self, code: str) -> list[Identity]:
        """Return the editions in which a path is sought: the named one first, then others of its code.

        Of these others, those in the language of the named one go first. ``code`` is the first part of an address: the
        id of an edition, or a code. An edition that is not in the collection (``mpb-2017``) belongs to the code of the
        decisions that modify it. For an edition of decisions only that edition is returned.
        """
        named = self.library.editions.get(code)
        if named and named not in self.library.law_editions:
            return [named]
        found = self.editions_of_code(named.code if named else self._code_by_modified_edition.get(code, code))
        return sorted(found, key=lambda e: (e is not named, named is not None and e.lang != named.lang))

    @cached_property
    def _code_by_modified_edition(self) -> dict[str, str]:
        """Id of an edition that decisions modify → the code of these decisions. The library may lack that edition."""
        return {e.modifies: e.code for e in self.library.editions.values() if e.is_decisions}

    # -- Situations ---

    @cached_property
    def situation_positions_by_path(self) -> dict[tuple[str, str], dict[str, int]]:
        """(code, path) → {id of a situation: position} of the situations that list a provision at the path or below it.

        The position is that of the provision in the situation's list. The deciding provision has position 0.
        """
        out: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
        for situation in self.library.situations.values():
            for code, paths in situation.provisions.items():
                for n, path in enumerate(paths):
                    for at in (path, *address.ancestor_paths(path)):
                        out[code, at].setdefault(situation.id, n)
        return dict(out)

    @cached_property
    def situations_by_law(self) -> dict[NodeId, tuple[Situation, ...]]:
        """Id of a law → the situations that its provisions rule.

        The commonest situations (those with a tile) come first, then those in whose list a provision of the law stands
        first, then those that list most provisions of it.
        """
        found = self.library.situations

        def order(at: Mapping[str, int], code: str, law: str) -> list[str]:
            listed = lambda id_: sum(address.contains_path(law, path) for path in found[id_].provisions[code])
            return sorted(at, key=lambda id_: (not found[id_].tile, at[id_], -listed(id_)))

        return {
            NodeId.of(edition.id, path): tuple(found[id_] for id_ in order(at, code, path))
            for edition in self.library.law_editions
            for (code, path), at in self.situation_positions_by_path.items()
            if code == edition.code and address.split_path(path) == [path]
        }

    @cached_property
    def threshold_by_law(self) -> dict[NodeId, str]:
        """Id of a law → id of the first threshold that quotes one of its provisions."""
        out: dict[NodeId, str] = {}
        for threshold in self.library.thresholds:
            for id_ in threshold.nodes:
                out.setdefault(self.page_node_of(self.library.nodes[id_]).id, threshold.id)
        return out

    # -- Terms ---

    @cached_property
    def term_uses(self) -> dict[str, dict[str, tuple[Node, ...]]]:
        """Slug of a term → edition → the provisions that use it, in document order."""
        out: dict[str, dict[str, tuple[Node, ...]]] = defaultdict(dict)
        for node in self.library.nodes.values():
            for mark in node.terms:
                out[mark.concept][node.edition] = (*out[mark.concept].get(node.edition, ()), node)
        return out

    def situations_of_term(self, term: Term) -> tuple[Situation, ...]:
        """Return the situations that the provisions on a term rule. First come those where such a provision is the
        first in the situation's list.
        """
        first: dict[str, int] = {}
        for place in {(e.code, id_.path) for e in self.library.law_editions if e.complete for id_ in term.places(e.id)}:
            for id_, n in self.situation_positions_by_path.get(place, {}).items():
                first[id_] = min(n, first.get(id_, n))
        found = self.library.situations
        return tuple(sorted((s for s in found.values() if s.id in first), key=lambda s: (first[s.id], not s.tile)))

    # -- Footnotes ---

    @cached_property
    def nodes_by_footnote(self) -> dict[NodeId, list[NodeId]]:
        """Id of a footnote → ids of the nodes that carry its mark, in document order."""
        out: dict[NodeId, list[NodeId]] = defaultdict(list)
        for node in self.library.nodes.values():
            for mark in node.marks:
                if node.id not in out[mark.target]:
                    out[mark.target].append(node.id)
        return out

    def page_node_of(self, node: Node) -> Node:
        """Return the node on whose page ``node`` is shown.

        A footnote that is numbered through the book is read on the page of the law that carries its mark.
        """
        if node.kind == "footnote" and not node.parent and (homes := self.nodes_by_footnote.get(node.id)):
            return self.library.page_node_of(self.library.nodes[homes[0]])
        return self.library.page_node_of(node)

    # -- References ---

    def resolve(self, target: NodeId) -> ResolvedTarget:
        """Return where a target leads.

        It leads to the node that it names, else to the same provision in another edition of the code, else to the
        nearest provision that exists.
        """
        code, path = target.edition, target.path
        named = self.library.editions.get(code)
        if (node := self.library.nodes.get(target)) is not None:
            return ResolvedTarget(path, "here", node, named, (named,) if named else ())
        texts = tuple(self.editions_to_search(code))
        for text in texts:
            node = self.library.node_at(text.id, path) or self._definitions_by_foreign_name.get(
                NodeId.of(text.id, path)
            )
            if node is not None and node.kind in CODE_KINDS:
                return ResolvedTarget(path, "text", node, named, texts)
        for text in texts:
            node = self.library.nearest_existing_node(text.id, path)
            if node is not None and (text is named or node.kind in CODE_KINDS):
                return ResolvedTarget(path, "nearest", node, named, texts)
        return ResolvedTarget(path, "nowhere", None, named, texts)

    def nodes_referenced_by(self, reference: Reference) -> list[Node]:
        """Return the nodes that a reference names, each once.

        They are in the edition that the reference names, or in another one of the code when that edition is not in the
        collection.
        """
        ways = [self.resolve(t) for t in reference.targets if t not in reference.missing]
        return list({w.node.id: w.node for w in ways if w.node and w.found in ("here", "text")}.values())

    @cached_property
    def _definitions_by_foreign_name(self) -> dict[NodeId, Node]:
        """Id made of a foreign name, ``<edition>/def/<slug>`` → the definition beside which the name is printed."""
        named = (n for n in self.library.nodes.values() if n.aside)
        return {NodeId.of(n.edition, address.join_path("def", address.slugify(n.aside or ""))): n for n in named}

    @cached_property
    def citing_references(self) -> dict[NodeId, list[tuple[Node, Reference]]]:
        """Node id → (node, reference) of all references that lead to it, in document order. External references count
        too.
        """
        out: dict[NodeId, list[tuple[Node, Reference]]] = defaultdict(list)
        for node in self.library.nodes.values():
            for ref in node.references:
                for target in self.nodes_referenced_by(ref):
                    out[target.id].append((node, ref))
        return out

    # -- Rulings ---

    @cached_property
    def rulings_by_node(self) -> dict[NodeId, list[Ruling]]:
        """Node id → the rulings on it, in the order of their files. A ruling counts in every edition of its code."""
        out: dict[NodeId, list[Ruling]] = defaultdict(list)
        for ruling in self.library.rulings.values():
            for node in self.nodes_by_ruling[ruling.id]:
                out[node.id].append(ruling)
        return out

    @cached_property
    def nodes_by_ruling(self) -> dict[str, list[Node]]:
        """Id of a ruling → the nodes that it modifies or explains, in the order in which it names them."""
        return {id_: list(self._find_ruled_nodes(ruling)) for id_, ruling in self.library.rulings.items()}

    def _find_ruled_nodes(self, ruling: Ruling) -> Iterator[Node]:
        for path in dict.fromkeys(ruling.provisions):
            for text in self.editions_of_code(ruling.code):
                node = self._node_or_ancestor(text.id, path)
                if node is not None and node.kind in CODE_KINDS:
                    yield node

    def _node_or_ancestor(self, edition: str, path: str) -> Node | None:
        """Return the provision at a path in an edition. Where the print lacks it, return the nearest provision that
        would contain it. None when there is none of these.
        """
        node = self.library.node_at(edition, path) or self._definitions_by_foreign_name.get(NodeId.of(edition, path))
        above = address.parent_path(path)
        return node if node or above is None else self._node_or_ancestor(edition, above)

    def decision_counterparts(self, node: Node, edition: str) -> list[Node]:
        """Return what an edition of decisions has beside a provision: the points that modify or explain it.

        For a point of decisions it is the other way round: the provisions of ``edition`` that the point is about.
        """
        if node.edition == edition:
            return []
        if self.library.editions[node.edition].is_decisions:
            point = self.library.rulings_by_point.get(node.id)
            return [m for m in self.nodes_by_ruling[point.id] if m.edition == edition] if point else []
        return [
            self.library.nodes[r.node] for r in self.rulings_by_node.get(node.id, ()) if r.node and r.edition == edition
        ]

    # -- Quality of the source ---

    def is_scanned(self, edition: Identity) -> bool:
        """Whether an edition was read by machine from paper. The sign of it: it has more corrections than nodes."""
        return sum(edition.corrections.values()) > sum(edition.kinds.values())

    def is_unproofread_scan(self, edition: Identity) -> bool:
        """Whether an edition was read by machine from paper and nobody has proofread it since."""
        return not edition.proofread and self.is_scanned(edition)

    # -- Corrections ---

    @cached_property
    def corrections_by_node(self) -> dict[NodeId, list[CorrectedSpan]]:
        """Node id → what was corrected in it, in the order of the source."""
        rows = defaultdict(list)
        for c in self.library.corrections:
            rows[c.edition].append(c)
        return {
            id_: found
            for edition, own in rows.items()
            for id_, found in corrections.corrected_spans_by_node(self.library.nodes_of(edition), own).items()
        }
