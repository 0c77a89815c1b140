"""Lists what changed from one edition to another, and maps provisions from one edition to another.

- :func:`lineage`: what a provision is in each year.
- :func:`summary`: counts of changed provisions inside two corresponding nodes.
- :func:`map_target`: what another edition has for a target of the subject index or for any node.
- :func:`propose_places`: where the concepts of the terms may stand in an edition that no record covers yet.
- :func:`find_changes` and :func:`count_pairs_by_laws`: all changes between two editions, by kind and weight.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from corpus import address
from corpus.address import last_step
from corpus.edition import Identity
from corpus.letters import fold
from corpus.library import Library
from corpus.model import FRAME_KINDS, NUMBERED_KINDS, STANDALONE_KINDS, Node, NodeId, Pair
from corpus.relation.relations import Counterpart, Relations
from corpus.term.model import Slug, Term
from corpus.time_limit import check_time

# -- A provision through the years ---


@dataclass(frozen=True)
class LineageStage:
    """What a provision is in one year. ``counterparts`` is empty for the provision itself."""

    edition: Identity
    nodes: tuple[Node, ...]
    counterparts: tuple[Counterpart, ...]

    @property
    def is_origin(self) -> bool:
        """Whether this is the provision itself."""
        return not self.counterparts

    @property
    def is_computed(self) -> bool:
        """Whether one of the correspondences is computed and not reviewed."""
        return any(c.pair.basis == "computed" for c in self.counterparts)


def lineage(library: Library, node: Node) -> list[LineageStage]:
    """Return what a provision was and is in each year: one stage for each year, in one edition, the provision's own
    included.

    Of several editions of a year, one in the language of ``node`` goes first, then a whole one. The list is empty when
    nothing is known of other years.
    """
    by_year: dict[int, list[tuple[Identity, tuple[Counterpart, ...]]]] = {}
    for id_, found in library.relations.counterparts_of(node.id).items():
        edition = library.editions[id_]
        if edition.year != node.year:
            by_year.setdefault(edition.year, []).append((edition, found))
    if not by_year:
        return []
    stages = [LineageStage(library.editions[node.edition], (node,), ())]
    for rows in by_year.values():
        edition, found = min(rows, key=lambda r: (r[0].lang != node.lang, not r[0].complete))
        stages.append(LineageStage(edition, tuple(library.nodes[c.id] for c in found), found))
    return sorted(stages, key=lambda s: s.edition.year)


# -- Counts for two corresponding nodes ---


@dataclass(frozen=True)
class Summary:
    """Counts over the parts of two corresponding nodes: the nodes with text of their own, the two nodes included.

    - ``parts``: parts of the newer node; equals ``same`` + ``changed`` + ``new``.
    - ``dropped``: parts of the older node that have no counterpart.
    - ``moved``: how many of ``same`` and ``changed`` have another number.
    - ``translated``: how many of ``changed`` differ only in the translation, not in the laws.
    - ``missing``, ``added``: how many of ``dropped`` and of ``new`` may be a gap of a print and no change of the laws.
    """

    parts: int
    same: int
    changed: int
    new: int
    dropped: int
    moved: int
    translated: int = 0
    missing: int = 0
    added: int = 0


def summary(library: Library, older: Node, newer: Node) -> Summary:
    """Return the counts for two nodes that correspond; ``older`` is of the older edition."""
    relations = library.relations
    same = changed = new = moved = translated = added = 0
    for part in _parts_with_words(library, newer):
        every = relations.rows_of(part.id, older.edition)
        rows = [p for p in every if p.joins_provisions]
        if not rows:
            new += 1
            added += any(p.may_differ_only_in_print for p in every)
            continue
        moved += all(p.a.path != part.path for p in rows if p.a)
        differing = [p for p in rows if p.reworded]
        same, changed = (same, changed + 1) if differing else (same + 1, changed)
        translated += bool(differing) and all(p.cause == "translation" for p in differing)
    left = [relations.rows_of(part.id, newer.edition) for part in _parts_with_words(library, older)]
    gone = [rows for rows in left if not any(p.joins_provisions for p in rows)]
    missing = sum(any(p.may_differ_only_in_print for p in rows) for rows in gone)
    return Summary(same + changed + new, same, changed, new, len(gone), moved, translated, missing, added)


def _parts_with_words(library: Library, node: Node) -> list[Node]:
    """Return the node and the nodes inside it, as far as they have text of their own."""
    return [n for n in library.nodes_inside(node) if n.text.strip()]


# -- A target in another edition ---

MappingBasis = Literal["row", "parts", "term", "near", "none"]


@dataclass(frozen=True)
class MappedTarget:
    """What an ``edition`` has for a ``target``. ``how`` gives the basis:

    - ``row``: the concordance names it, or it is a part of the book that both editions have;
    - ``parts``: the concordance names its parts;
    - ``term``: the nodes give the meaning of the same term;
    - ``near``: the nearest provision around it, or a provision about the term that the target defines;
    - ``none``: nothing was found, ``nodes`` is empty.

    ``pair`` is the row that says what became of the target, where nothing corresponds to it. ``term`` is the slug of
    the term that the target defines, where somebody has looked for that term in the edition. ``reviewed`` says
    whether a person has compared the two texts.
    """

    target: NodeId
    edition: str
    how: MappingBasis
    nodes: tuple[Node, ...] = ()
    pair: Pair | None = None
    term: str = ""
    reviewed: bool = True

    @property
    def is_found(self) -> bool:
        """Whether the edition has the target, and not only something near it."""
        return self.how in ("row", "parts", "term")


def map_target(library: Library, target: NodeId, edition: str) -> MappedTarget:
    """Return what an edition has for a target of another edition. In its own edition a target is mapped to itself.

    The concordance is asked first; a provision without a row is looked up through its parts. Then follows what
    defines the same term, then what comes near.
    """
    check_time()
    node = library.find_node(target)
    if target.edition == edition or node is None:
        return MappedTarget(target, edition, "row" if node else "none", (node,) if node else ())
    if rows := library.relations.counterparts_of(target).get(edition, ()):
        return MappedTarget(target, edition, "row", tuple(library.nodes[c.id] for c in rows))
    reviewed = library.relations.is_reviewed(target.edition, edition)
    alone = _absence_row(library, node, edition) if reviewed else None
    if alone is None and (whole := _unlisted_counterparts(library, node, edition)):
        return MappedTarget(
            target, edition, "row" if node.kind in (*FRAME_KINDS, *STANDALONE_KINDS) else "parts", whole
        )
    term = library.terms_by_definition.get(target) if node.kind == "definition" else None
    if term and (meaning := term.meaning(edition)):
        return MappedTarget(target, edition, "term", tuple(library.nodes[id_] for id_ in meaning), term=term.slug)
    about = (
        term.places(edition) if term else tuple(c.id for c in library.relations.nearest_counterparts(target, edition))
    )
    near = tuple(library.nodes[id_] for id_ in about)
    known = term.slug if term and term.is_known_in(edition) else ""
    return MappedTarget(target, edition, "near" if near else "none", near, alone, known, reviewed)


def _absence_row(library: Library, node: Node, edition: str) -> Pair | None:
    """Return the row that says that an edition has nothing for a node, or None.

    A node without a row takes the first row of its parts, if all these rows say so.
    """
    rows = library.relations.rows_of(node.id, edition)
    if not rows and node.kind not in (*FRAME_KINDS, *STANDALONE_KINDS):
        rows = [
            p for part in library.subtree_of(node, notes=False)[1:] for p in library.relations.rows_of(part.id, edition)
        ]
    return rows[0] if rows and not any(p.both_ids for p in rows) else None


def _unlisted_counterparts(library: Library, node: Node, edition: str) -> tuple[Node, ...]:
    """Return what an edition has for a node that no row names.

    That is the same part of the book, or the node that contains the counterparts of the node's parts.
    """
    if node.kind in (*FRAME_KINDS, *STANDALONE_KINDS):
        same = library.node_at(edition, node.path)
        return (same,) if same else ()
    parts = {
        c.id: library.nodes[c.id]
        for part in library.subtree_of(node, notes=False)[1:]
        for c in library.relations.counterparts_of(part.id).get(edition, ())
    }
    outer = [id_ for id_ in parts if not any(other != id_ and other.contains(id_) for other in parts)]
    above = address.ancestor_paths(outer[0].path) if len(outer) > 1 else []
    around = next((path for path in above if all(NodeId.of(edition, path).contains(id_) for id_ in outer)), "")
    # Where only the law as a whole contains them all, its parts say more.
    held = library.node_at(edition, around) if address.without_last_step(around) else None
    return (held,) if held else tuple(parts[id_] for id_ in outer)


# -- Proposed places of terms ---


@dataclass(frozen=True)
class Proposal:
    """Where a concept may stand in an edition.

    ``defined`` and ``about`` are paths of definitions and of provisions about it. ``names`` are the headwords of the
    definitions. ``source`` is the edition whose provisions the paths in ``about`` correspond to; it is empty where
    only a definition was found.
    """

    slug: Slug
    defined: tuple[str, ...]
    about: tuple[str, ...]
    names: tuple[str, ...]
    source: str


def places_by_alignment(relations: Relations, term: Term, edition: str) -> tuple[tuple[NodeId, ...], str]:
    """Return (provisions of an edition on a term, the edition that they were mapped from).

    They correspond to the places of the term in the nearest edition that has some. The result is ``((), "")`` where
    nothing corresponds, or where another edition of the same code does not have the concept.
    """
    for source in relations.editions_by_nearness(edition):
        if source in term.none and relations.code_of(source) == relations.code_of(edition):
            break  # the laws of this code do not have the concept
        rows = (c.id for id_ in term.places(source) for c in relations.counterparts_of(id_).get(edition, ()))
        if found := tuple(dict.fromkeys(rows)):
            return found, source
    return (), ""


def propose_places(
    terms: Iterable[Term], nodes: Iterable[Node], relations: Relations, edition: str
) -> Iterator[Proposal]:
    """Yield a proposal for each term whose record does not mention an edition, where something was found.

    A definition is proposed for the term whose name it has, in its own language or in the foreign name beside it.
    """
    definitions = [n for n in nodes if n.edition == edition and n.kind == "definition"]
    for term in terms:
        if term.is_known_in(edition):
            continue
        defined = [n for n in definitions if _has_name_of_term(term, n)]
        about, source = places_by_alignment(relations, term, edition)
        if defined or about:
            names = tuple(dict.fromkeys((n.heading or "").partition("(")[0].strip() for n in defined))
            yield Proposal(term.slug, tuple(n.path for n in defined), tuple(id_.path for id_ in about), names, source)


def _has_name_of_term(term: Term, node: Node) -> bool:
    """Whether a definition has a name of a term as its headword or as its foreign name."""
    own = fold((node.heading or "").partition("(")[0]).strip()
    foreign = {fold(x).strip() for x in node.aside.split(",") if x.strip()}
    by_lang: Mapping[str, set[str]] = {lang: {fold(n) for n in names} for lang, names in term.names.items()}
    return own in by_lang.get(node.lang, ()) or any(foreign & names for names in by_lang.values())


# -- All changes between two editions ---

# From what a director must know first to what hardly matters. “translation”: the substance of the texts differs, the
# laws do not. “missing”: one of the two prints lacks words, and it is not known that the laws lack them.
CHANGE_KINDS = (
    "new-law",
    "dropped-law",
    "reused",
    "new",
    "dropped",
    "missing",
    "split",
    "merged",
    "moved",
    "along",
    "reworded",
    "translation",
    "references",
)


@dataclass(frozen=True)
class Change:
    """One change: its ``kind`` (of ``CHANGE_KINDS``), what the older and the newer edition have, and the row that says
    so.

    ``pair`` is None for a reused number. Then ``went`` is where the older provision went, and ``came`` where the
    newer one came from.
    """

    kind: str
    older: Node | None
    newer: Node | None
    pair: Pair | None = None
    went: tuple[Node, ...] = ()
    came: tuple[Node, ...] = ()


def find_changes(library: Library, older: str, newer: str) -> list[Change]:
    """Return all changes: the most important kind first, within a kind in the order of the newer edition."""
    pairs = [p for p in library.relations.pairs(older, newer) if not p.heading]
    moved = {(p.a, p.b) for p in library.relations.pairs(older, newer) if p.relation == "moved"}
    out = []
    for p in pairs:
        check_time()
        a, b = library.find_node(p.a), library.find_node(p.b)
        if (kind := _change_kind(library, p, a, b, moved)) is not None:
            out.append(Change(kind, a, b, p))
    out += _reused_numbers(library, pairs, older, newer)
    order = {kind: i for i, kind in enumerate(CHANGE_KINDS)}
    place = {n.id: i for i, n in enumerate([*library.nodes_of(older), *library.nodes_of(newer)])}
    return sorted(out, key=lambda c: (order[c.kind], place[(c.newer or c.older).id]))  # type: ignore[union-attr]


def count_by_kind(rows: Sequence[Change]) -> list[tuple[str, int]]:
    """Return (kind, number of changes) for the kinds that occur, the most important first."""
    found = Counter(c.kind for c in rows)
    return [(kind, found[kind]) for kind in CHANGE_KINDS if found[kind]]


def _change_kind(
    library: Library, p: Pair, a: Node | None, b: Node | None, moved: set[tuple[NodeId | None, NodeId | None]]
) -> str | None:
    """Return the kind of change that a row ``p`` of the alignment stands for, or None where nothing changed.

    ``a`` and ``b`` are its nodes, ``a`` in the older edition. ``moved`` has (older id, newer id) of all moved nodes.
    """
    if p.relation in ("new", "dropped"):
        node = b or a
        if p.may_differ_only_in_print:
            return "missing"
        return f"{p.relation}-law" if node and node.kind == "law" else p.relation
    if p.relation == "moved" and a and b and a.kind in NUMBERED_KINDS:
        # 16D1 → 16C1 says nothing new beside 16D → 16C.
        along = (a.parent, b.parent) in moved and last_step(a.path) == last_step(b.path)
        return "along" if along and not p.reworded else "moved"
    if p.relation in ("split", "merged"):
        return p.relation
    if p.reworded:
        return "translation" if p.cause == "translation" else "reworded"
    return "references" if a and b and _references_differ(library, a, b) else None


def _references_differ(library: Library, a: Node, b: Node) -> bool:
    """Whether two provisions with the same words refer to different places, as far as these places are aligned."""
    theirs = {t for r in b.references for t in r.targets if t in library.nodes}
    mine = {t for r in a.references for t in r.targets if t in library.nodes}
    if len(mine) != len(theirs):
        return bool(mine) and bool(theirs)
    for target in mine:
        found = {c.id for c in library.relations.counterparts_of(target).get(b.edition, ())}
        if found and not found & theirs:
            return True
    return False


def _reused_numbers(library: Library, pairs: Sequence[Pair], older: str, newer: str) -> list[Change]:
    """Return a change for each number that both editions have and that means something else in each.

    Directors easily confuse these. ``pairs`` are the rows between the two editions.
    """
    forth, back = defaultdict(set), defaultdict(set)
    for p in pairs:
        if p.both_ids:
            a, b = p.both_ids
            forth[a].add(b)
            back[b].add(a)
    out = []
    for new in library.nodes_of(newer):
        old = library.node_at(older, new.path)
        if old is None or new.kind not in NUMBERED_KINDS:
            continue
        if new.id in forth[old.id] or not (forth[old.id] and back[new.id]):
            continue
        # Where the number of the parent is reused too, the parent's change covers this one.
        above = library.node_at(older, new.parent.path) if new.parent else None
        if above and new.parent not in forth[above.id] and forth[above.id]:
            continue
        went, came = (tuple(library.nodes[i] for i in sorted(ids)) for ids in (forth[old.id], back[new.id]))
        out.append(Change("reused", old, new, went=went, came=came))
    return out


def count_pairs_by_laws(library: Library, older: str, newer: str) -> list[tuple[Node, Node, int]]:
    """Return (law of the older edition, law of the newer one, number of rows that pair a provision of each).

    The list is in the order of the older edition.
    """
    found: Counter[tuple[NodeId, NodeId]] = Counter()
    for p in library.relations.pairs(older, newer):
        if p.both_ids:
            a, b = (library.page_node_of(library.nodes[id_]) for id_ in p.both_ids)
            if a.kind == b.kind == "law":
                found[a.id, b.id] += 1
    place = {n.id: i for i, n in enumerate([*library.laws_of(older), *library.laws_of(newer)])}
    return [
        (library.nodes[a], library.nodes[b], n)
        for (a, b), n in sorted(found.items(), key=lambda x: (place[x[0][0]], place[x[0][1]]))
    ]
