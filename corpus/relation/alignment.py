"""Which editions are joined directly, so that any two can be read one through the other.

Each code of laws (1997, 2007, 2017 …) has a **spine**: the list of provisions of one whole edition, to which the
other editions of that code are joined; the spines of neighbouring codes are joined to each other. With n editions there
are n − 1 joints and not n²; what stands between two editions that are not joined is composed along the way
(``compose``).

A joint is a reviewed table where there is one. Else two editions of one code are joined by the numbers that both have,
two codes by the computed proposal; such pairs say that they are computed.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from corpus.address import join_path, last_step, split_path, without_last_step
from corpus.edition import Identity
from corpus.letters import Alphabet, fold
from corpus.model import NUMBERED_KINDS, Node, NodeId, Pair
from corpus.relation.concordance import ConcordanceRow, ConcordanceTable, relation_of

THRESHOLD = 0.25  # below it a pair is not proposed; chosen where precision and recall meet on the reviewed tables
_COMMON_REFERENCE = 25  # what so many provisions cite says nothing of any
_WEIGHTS = {"words": 0.80, "place": 0.06, "references": 0.12, "numbers": 0.10, "length": 0.04, "around": 0.20}


@dataclass(frozen=True)
class _Profile:
    """What is compared of a provision; ``references``: the paths that it cites."""

    node: Node
    steps: tuple[str, ...]
    stems: Counter[str]
    numbers: frozenset[str]
    references: frozenset[str]
    length: int

    @property
    def law(self) -> int:
        return int(self.steps[0])

    @property
    def depth(self) -> int:
        return len(self.steps) - 1


# Path → profile, of the provisions of one edition, in its order.
_ProfilesByPath = dict[str, _Profile]
_Lexicon = dict[str, dict[str, float]]


def propose_pairs(
    first: list[Node], second: list[Node], alphabets: Mapping[str, Alphabet]
) -> dict[tuple[str, str], float]:
    """Paths of provisions of two editions that probably correspond, in the order of the first, each pair with its
    score, which is comparable within these two editions.

    ``alphabets``, by language, say what of a word is its stem.
    """
    left, right = _profiles(first, alphabets), _profiles(second, alphabets)
    if not left or not right:
        return {}
    same_language = first[0].lang == second[0].lang
    lexicon = {} if same_language else _lexicon(left, right)
    rarity = _rarity([*left.values(), *right.values()])
    candidates = _candidates(left, right)
    scores = {pair: _score(left[pair[0]], right[pair[1]], lexicon, rarity) for pair in candidates}
    matched = _mutual_best({p: _weighted_sum(e) for p, e in scores.items()})
    for (a, b), evidence in scores.items():
        evidence["around"] = _neighbour_score(a, b, matched, left, right)
    final = {p: _weighted_sum(e) for p, e in scores.items()}
    chosen = _mutual_best(final)
    return {(a, chosen[a]): round(final[a, chosen[a]], 3) for a in left if a in chosen}


def _profiles(nodes: list[Node], alphabets: Mapping[str, Alphabet]) -> _ProfilesByPath:
    """Provisions of the laws by path; points of decisions number otherwise and are no laws."""
    laws = {n.path for n in nodes if n.kind == "law"}
    return {
        n.path: _profile(n, alphabets.get(n.lang, Alphabet()))
        for n in nodes
        if n.kind in NUMBERED_KINDS and n.id.law in laws
    }


def _profile(node: Node, alphabet: Alphabet) -> _Profile:
    words = fold(f"{node.heading or ''} {node.text}")
    stems = Counter(alphabet.stem_of(w) for w in re.findall(r"[^\W\d_]{4,}", words))
    numbers = frozenset(re.findall(r"\d+(?:[.,]\d+)?%?|[♠♥♦♣½]", node.text))
    references = frozenset(t.path for r in node.references for t in r.targets)
    return _Profile(node, tuple(split_path(node.path)), stems, numbers, references, len(words))


def _rarity(profiles: list[_Profile]) -> dict[str, float]:
    count = Counter(s for p in profiles for s in p.stems)
    return {s: math.log(1 + len(profiles) / c) for s, c in count.items()}


def _lexicon(left: _ProfilesByPath, right: _ProfilesByPath) -> _Lexicon:
    """stem → {stem of the other language: Dice coefficient}, over provisions that bear the same number."""
    together: Counter[tuple[str, str]] = Counter()
    alone_a: Counter[str] = Counter()
    alone_b: Counter[str] = Counter()
    for path in left.keys() & right.keys():
        a, b = set(left[path].stems), set(right[path].stems)
        alone_a.update(a)
        alone_b.update(b)
        if len(a) * len(b) <= 20_000:
            together.update((x, y) for x in a for y in b)
    out: _Lexicon = defaultdict(dict)
    for (x, y), n in together.items():
        dice = 2 * n / (alone_a[x] + alone_b[y])
        if n >= 2 and dice > 0.25:
            out[x][y] = dice
    return out


def _candidates(left: _ProfilesByPath, right: _ProfilesByPath) -> set[tuple[str, str]]:
    """Pairs worth scoring: of one law, of neighbouring laws, or sharing a reference."""
    by_law, by_reference = defaultdict(list), defaultdict(list)
    for path, profile in right.items():
        by_law[profile.law].append(path)
        for r in profile.references:
            by_reference[r].append(path)
    out: set[tuple[str, str]] = set()
    for path, profile in left.items():
        for law in (profile.law - 1, profile.law, profile.law + 1):
            levels = ((p, right[p].depth) for p in by_law[law])
            out.update((path, p) for p, d in levels if abs(d - profile.depth) <= 1 and bool(d) == bool(profile.depth))
        for r in profile.references:
            if len(by_reference[r]) < _COMMON_REFERENCE and profile.depth:
                out.update((path, p) for p in by_reference[r] if right[p].depth)
    return out


def _score(a: _Profile, b: _Profile, lexicon: _Lexicon, rarity: dict[str, float]) -> dict[str, float]:
    return {
        "words": _word_overlap(a, b, rarity) if not lexicon else _translated_word_overlap(a, b, lexicon, rarity),
        "place": _path_likeness(a.steps, b.steps),
        "references": _jaccard(a.references, b.references),
        "numbers": _jaccard(a.numbers, b.numbers),
        "length": min(a.length, b.length) / max(a.length, b.length, 1),
        "around": 0.0,
    }


def _weighted_sum(evidence: dict[str, float]) -> float:
    return sum(_WEIGHTS[k] * v for k, v in evidence.items())


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.5


def _word_overlap(a: _Profile, b: _Profile, rarity: dict[str, float]) -> float:
    shared = sum(rarity[s] * min(a.stems[s], b.stems[s]) for s in a.stems.keys() & b.stems.keys())
    total = sum(rarity[s] * n for s, n in (a.stems | b.stems).items())
    return shared / total if total else 0.0


def _translated_word_overlap(a: _Profile, b: _Profile, lexicon: _Lexicon, rarity: dict[str, float]) -> float:
    if not a.stems or not b.stems:
        return 0.3
    nearest_a, nearest_b = dict.fromkeys(a.stems, 0.0), dict.fromkeys(b.stems, 0.0)
    for s in lexicon.keys() & a.stems.keys():
        for t, dice in lexicon[s].items():
            if t in nearest_b:
                nearest_a[s], nearest_b[t] = max(nearest_a[s], dice), max(nearest_b[t], dice)
    covered = sum(rarity[s] * dice for s, dice in nearest_a.items())
    covered_back = sum(rarity[t] * dice for t, dice in nearest_b.items())
    return (covered + covered_back) / (sum(rarity[s] for s in a.stems) + sum(rarity[t] for t in b.stems))


def _path_likeness(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """1 for the same path, less the earlier the paths part."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    return same / max(len(a), len(b))


def _neighbour_score(a: str, b: str, matched: dict[str, str], left: _ProfilesByPath, right: _ProfilesByPath) -> float:
    parent_a, parent_b = without_last_step(a), without_last_step(b)
    parent = 1.0 if matched.get(parent_a) == parent_b and parent_a else 0.0
    before_a, before_b = _sibling(a, left, -1), _sibling(b, right, -1)
    after_a, after_b = _sibling(a, left, 1), _sibling(b, right, 1)
    before = 1.0 if (before_a and matched.get(before_a) == before_b) or (not before_a and not before_b) else 0.0
    after = 1.0 if (after_a and matched.get(after_a) == after_b) or (not after_a and not after_b) else 0.0
    return 0.5 * parent + 0.25 * before + 0.25 * after


def _sibling(path: str, side: _ProfilesByPath, step: int) -> str | None:
    own = last_step(path)
    if own.isdigit():
        other = str(int(own) + step)
    elif len(own) == 1:
        other = chr(ord(own) + step)
    else:
        return None
    other = join_path(without_last_step(path), other)
    return other if other in side else None


def _mutual_best(scores: dict[tuple[str, str], float]) -> dict[str, str]:
    """Pairs that are each other's best, above the threshold."""
    best_a: dict[str, tuple[float, str]] = {}
    best_b: dict[str, tuple[float, str]] = {}
    for (a, b), s in scores.items():
        if s >= THRESHOLD:
            best_a[a] = max(best_a.get(a, (0.0, "")), (s, b))
            best_b[b] = max(best_b.get(b, (0.0, "")), (s, a))
    return {a: b for a, (_, b) in best_a.items() if best_b[b][1] == a}


# Computed pairs of two editions: {(path of the older, path of the newer): score}.
PairProposer = Callable[[str, str], dict[tuple[str, str], float]]


@dataclass(frozen=True)
class Listing:
    """What the spine must know of an edition: its code of laws, whether it is whole, the paths that the laws number.

    The printer numbers notes and chapters: what bears the same number in two texts need not be the same.
    """

    id: str
    code: str
    year: int
    complete: bool
    numbered: frozenset[str]

    @classmethod
    def of(cls, edition: Identity, nodes: Iterable[Node]) -> Listing:
        """An edition with these nodes."""
        numbered = frozenset(n.path for n in nodes if n.kind in NUMBERED_KINDS)
        return cls(edition.id, edition.code, edition.year, edition.complete, numbered)


def code_outlines(listings: Iterable[Listing], bridges: Iterable[tuple[str, str]] = ()) -> dict[str, str]:
    """Code → the edition whose provisions are its list; the codes by year.

    A whole edition before an extract; of several the one that a table joins to another code (``bridges``: older and
    newer of each), then by id.
    """
    by_code: dict[str, list[Listing]] = defaultdict(list)
    for listing in sorted(listings, key=lambda t: (t.year, t.id)):
        by_code[listing.code].append(listing)
    code_of = {t.id: t.code for several in by_code.values() for t in several}
    bridging = {e for a, b in bridges if code_of.get(a) != code_of.get(b) for e in (a, b)}
    return {
        code: min(several, key=lambda t: (not t.complete, t.id not in bridging, t.id)).id
        for code, several in by_code.items()
    }


def alignment_pairs(
    listings: Sequence[Listing], tables: Sequence[ConcordanceTable], propose: PairProposer
) -> list[Pair]:
    """The pairs of all editions that are joined directly; ``listings`` in time order."""
    order = [t.id for t in listings]
    by_id = {t.id: t for t in listings}
    reviewed = {(t.older, t.newer): t.rows for t in tables if not t.through and t.older in by_id and t.newer in by_id}
    out: list[Pair] = []
    for (older, newer), rows in reviewed.items():
        out += [_reviewed_pair(older, newer, row) for row in rows] + _proposals_beside_table(
            by_id[older], by_id[newer], rows, propose
        )
    joined = list(reviewed)
    for a, b in _required_edition_pairs(listings, code_outlines(listings, [(t.older, t.newer) for t in tables])):
        if find_route(a, b, joined) is None:
            older, newer = sorted((a, b), key=order.index)
            joined.append((older, newer))
            out += _computed_pairs(by_id[older], by_id[newer], propose(older, newer))
    return out


def exception_pairs(tables: Sequence[ConcordanceTable]) -> list[Pair]:
    """What a reviewer reads otherwise than the way over a third edition says: ``via`` is that edition."""
    return [_reviewed_pair(t.older, t.newer, row, (t.through,)) for t in tables if t.through for row in t.rows]


def find_route(a: str, b: str, joined: Iterable[tuple[str, str]]) -> list[str] | None:
    """The shortest way from one edition to another along the joints, both ends included; None where there is none.

    >>> find_route("a", "c", [("a", "b"), ("b", "c")])
    ['a', 'b', 'c']
    """
    beside: dict[str, list[str]] = defaultdict(list)
    for x, y in joined:
        beside[x].append(y)
        beside[y].append(x)
    came: dict[str, str] = {a: a}
    todo = deque([a])
    while todo:
        here = todo.popleft()
        if here == b:
            steps = [b]
            while steps[-1] != a:
                steps.append(came[steps[-1]])
            return steps[::-1]
        for other in beside[here]:
            if other not in came:
                came[other] = here
                todo.append(other)
    return None


def _required_edition_pairs(listings: Sequence[Listing], spine: Mapping[str, str]) -> list[tuple[str, str]]:
    """The joints that there must be: each edition with its spine, each spine with the one before it."""
    ends = list(spine.values())
    return [(spine[t.code], t.id) for t in listings if t.id != spine[t.code]] + list(pairwise(ends))


def _reviewed_pair(older: str, newer: str, row: ConcordanceRow, via: tuple[str, ...] = ()) -> Pair:
    return Pair(
        a=NodeId.of(older, row.older) if row.older else None,
        b=NodeId.of(newer, row.newer) if row.newer else None,
        relation=row.relation,
        reworded=row.reworded,
        score=1.0 if row.confident else 0.6,
        basis="reviewed",
        remark=row.remark,
        older=older,
        newer=newer,
        cause=row.cause,
        via=via,
        heading=row.heading,
        differences=(row.difference,) if row.difference else (),
    )


def _proposals_beside_table(
    older: Listing, newer: Listing, rows: Sequence[ConcordanceRow], propose: PairProposer
) -> list[Pair]:
    """Proposals for provisions that a table does not name: a table that is begun does not hide the rest.

    A table that names at least half of the numbered provisions of one of its editions is the reviewer's whole answer.
    """
    left, right = {r.older for r in rows}, {r.newer for r in rows}
    if any(
        2 * len(numbered & named) >= len(numbered)
        for numbered, named in ((older.numbered, left), (newer.numbered, right))
    ):
        return []
    return [
        _computed_pair(older.id, newer.id, x, y, score)
        for (x, y), score in propose(older.id, newer.id).items()
        if x not in left and y not in right
    ]


def _computed_pairs(older: Listing, newer: Listing, proposed: dict[tuple[str, str], float]) -> list[Pair]:
    """Two texts of one code number alike; what is left over, and two codes, correspond as the proposal says."""
    found: dict[tuple[str, str], float] = {}
    if older.code == newer.code:
        found = {(path, path): 1.0 for path in older.numbered & newer.numbered}
    left, right = {x for x, _ in found}, {y for _, y in found}
    found |= {(x, y): score for (x, y), score in proposed.items() if x not in left and y not in right}
    return [_computed_pair(older.id, newer.id, x, y, score) for (x, y), score in sorted(found.items())]


def _computed_pair(older: str, newer: str, x: str, y: str, score: float) -> Pair:
    return Pair(
        a=NodeId.of(older, x),
        b=NodeId.of(newer, y),
        relation=relation_of(x, y, 1, 1, False),
        reworded=False,
        score=score,
        basis="computed",
        older=older,
        newer=newer,
    )
