"""Proposes which provisions of two editions correspond, and decides which editions are aligned directly.

:func:`propose_pairs` compares the provisions of two editions by content and not by number alone. It returns pairs with
a score, as a proposal for the reviewer. The evidence for a pair is: shared words (across languages, by a lexicon
learned from provisions with the same number), numbers and signs, references, the place in the law, and in a second pass
whether parents and neighbours match. The code contains nothing about any language.

:func:`alignment_pairs` returns the pairs of all editions that are aligned directly. Each code of laws (1997, 2007,
2017 …) has a **code outline**: one whole edition, to which the other editions of that code are aligned. The outlines
of neighbouring codes are aligned to each other. So n editions need n − 1 alignments and not n². Two editions that are
not aligned directly are composed through the editions between them (:func:`find_route`, ``relations.compose_pairs``).

An alignment is a reviewed table where there is one. Otherwise two editions of one code are aligned by the numbers
that both have, and two codes by the proposal. Such pairs have the basis ``computed``.
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

# -- Proposing pairs of provisions ---

THRESHOLD = 0.25  # below it a pair is not proposed; chosen where precision and recall meet on the reviewed tables
_COMMON_REFERENCE = 25  # a target that so many provisions cite does not help to tell them apart
_WEIGHTS = {"words": 0.80, "place": 0.06, "references": 0.12, "numbers": 0.10, "length": 0.04, "around": 0.20}


@dataclass(frozen=True)
class _Profile:
    """The features of a provision that are compared.

    ``references`` holds the paths that the provision cites. ``length`` is in characters of the folded heading and
    text.
    """

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


# Path → profile of each provision of one edition, in the order of the edition.
_ProfilesByPath = dict[str, _Profile]
# Stem of the first language → {stem of the second language: Dice coefficient}.
_Lexicon = dict[str, dict[str, float]]


def propose_pairs(
    first: list[Node], second: list[Node], alphabets: Mapping[str, Alphabet]
) -> dict[tuple[str, str], float]:
    """Return the pairs of provisions of two editions that probably correspond.

    The result maps (path in the first, path in the second) to a score, in the order of the first edition. Scores are
    comparable within these two editions only.

    ``alphabets``, by language, give the stem of a word.
    """
    left, right = _profiles(first, alphabets), _profiles(second, alphabets)
    if not left or not right:
        return {}
    same_language = first[0].lang == second[0].lang
    lexicon = {} if same_language else _learn_lexicon(left, right)
    rarity = _stem_weights([*left.values(), *right.values()])
    candidates = _pairs_worth_scoring(left, right)
    scores = {pair: _evidence_for_pair(left[pair[0]], right[pair[1]], lexicon, rarity) for pair in candidates}
    matched = _mutual_best_pairs({p: _weighted_sum(e) for p, e in scores.items()})
    for (a, b), evidence in scores.items():
        evidence["around"] = _neighbour_score(a, b, matched, left, right)
    final = {p: _weighted_sum(e) for p, e in scores.items()}
    chosen = _mutual_best_pairs(final)
    return {(a, chosen[a]): round(final[a, chosen[a]], 3) for a in left if a in chosen}


def _profiles(nodes: list[Node], alphabets: Mapping[str, Alphabet]) -> _ProfilesByPath:
    """Return the profiles of the provisions of the laws, by path.

    Points of decisions are left out: they have their own numbers and are no laws.
    """
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


def _stem_weights(profiles: list[_Profile]) -> dict[str, float]:
    """Return the weight of each stem: the fewer provisions have it, the higher."""
    count = Counter(s for p in profiles for s in p.stems)
    return {s: math.log(1 + len(profiles) / c) for s, c in count.items()}


def _learn_lexicon(left: _ProfilesByPath, right: _ProfilesByPath) -> _Lexicon:
    """Return stem → {stem of the other language: Dice coefficient}.

    The coefficients are counted over the provisions that have the same number in both editions.
    """
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


def _pairs_worth_scoring(left: _ProfilesByPath, right: _ProfilesByPath) -> set[tuple[str, str]]:
    """Return (path in the first edition, path in the second) of the provisions that are compared with each other.

    They are in the same law or in neighbouring laws, at about the same depth, or cite the same rarely cited path.
    """
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


def _evidence_for_pair(a: _Profile, b: _Profile, lexicon: _Lexicon, rarity: dict[str, float]) -> dict[str, float]:
    """Return kind of evidence → how strongly it speaks for a pair, from 0 to 1.

    The evidence ``around`` (parents and neighbours match) is filled in after a first matching.
    """
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
    """Return the share of the elements of two sets that both have; 0.5 where both sets are empty."""
    return len(a & b) / len(a | b) if a or b else 0.5


def _word_overlap(a: _Profile, b: _Profile, rarity: dict[str, float]) -> float:
    """Return the share of common stems, weighted by rarity, for two texts of one language."""
    shared = sum(rarity[s] * min(a.stems[s], b.stems[s]) for s in a.stems.keys() & b.stems.keys())
    total = sum(rarity[s] * n for s, n in (a.stems | b.stems).items())
    return shared / total if total else 0.0


def _translated_word_overlap(a: _Profile, b: _Profile, lexicon: _Lexicon, rarity: dict[str, float]) -> float:
    """Return the share of stems that the lexicon covers, weighted by rarity, for texts of two languages."""
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
    """Return how alike two paths are, given as steps: 1 for equal paths, and less the earlier they differ."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    return same / max(len(a), len(b))


def _neighbour_score(a: str, b: str, matched: dict[str, str], left: _ProfilesByPath, right: _ProfilesByPath) -> float:
    """Return how well the parents and the neighbouring siblings of two paths match, from 0 to 1.

    ``a`` is a path of the first edition, ``b`` of the second. ``matched``: path in the first edition → its path in the
    second, as matched so far. ``left`` and ``right`` have the provisions of the two editions.
    """
    parent_a, parent_b = without_last_step(a), without_last_step(b)
    parent = 1.0 if matched.get(parent_a) == parent_b and parent_a else 0.0
    before_a, before_b = _sibling(a, left, -1), _sibling(b, right, -1)
    after_a, after_b = _sibling(a, left, 1), _sibling(b, right, 1)
    before = 1.0 if (before_a and matched.get(before_a) == before_b) or (not before_a and not before_b) else 0.0
    after = 1.0 if (after_a and matched.get(after_a) == after_b) or (not after_a and not after_b) else 0.0
    return 0.5 * parent + 0.25 * before + 0.25 * after


def _sibling(path: str, side: _ProfilesByPath, step: int) -> str | None:
    """Return the path of the sibling before (``step`` −1) or after (1), or None."""
    own = last_step(path)
    if own.isdigit():
        other = str(int(own) + step)
    elif len(own) == 1:
        other = chr(ord(own) + step)
    else:
        return None
    other = join_path(without_last_step(path), other)
    return other if other in side else None


def _mutual_best_pairs(scores: dict[tuple[str, str], float]) -> dict[str, str]:
    """Return path in the first edition → path in the second, for the pairs in which each is the best partner of the
    other.

    ``scores`` maps (path, path) to the score of the pair. Pairs below ``THRESHOLD`` are left out.
    """
    best_a: dict[str, tuple[float, str]] = {}
    best_b: dict[str, tuple[float, str]] = {}
    for (a, b), s in scores.items():
        if s >= THRESHOLD:
            best_a[a] = max(best_a.get(a, (0.0, "")), (s, b))
            best_b[b] = max(best_b.get(b, (0.0, "")), (s, a))
    return {a: b for a, (_, b) in best_a.items() if best_b[b][1] == a}


# -- Aligning the editions ---

# Takes the ids of the older and the newer edition; returns {(older path, newer path): score}.
PairProposer = Callable[[str, str], dict[tuple[str, str], float]]


@dataclass(frozen=True)
class EditionToAlign:
    """What the alignment needs to know of an edition of the laws.

    ``numbered`` holds the paths of laws and their parts. Notes and chapters are left out: each book numbers them by
    itself, so an equal number in two editions need not mean the same there.
    """

    id: str
    code: str
    year: int
    complete: bool
    numbered: frozenset[str]

    @classmethod
    def of(cls, edition: Identity, nodes: Iterable[Node]) -> EditionToAlign:
        """Return what the alignment needs of an edition with these nodes."""
        numbered = frozenset(n.path for n in nodes if n.kind in NUMBERED_KINDS)
        return cls(edition.id, edition.code, edition.year, edition.complete, numbered)


def code_outlines(editions: Iterable[EditionToAlign], bridges: Iterable[tuple[str, str]] = ()) -> dict[str, str]:
    """Return code → id of the edition that is its code outline, the codes by year.

    A whole edition goes before an extract. Of several whole ones, an edition that some table aligns to another code
    goes first, then the first id. ``bridges`` holds the (older, newer) ids of each table.
    """
    by_code: dict[str, list[EditionToAlign]] = defaultdict(list)
    for edition in sorted(editions, key=lambda t: (t.year, t.id)):
        by_code[edition.code].append(edition)
    code_of = {t.id: t.code for several in by_code.values() for t in several}
    bridging = {e for a, b in bridges if code_of.get(a) != code_of.get(b) for e in (a, b)}
    return {
        code: min(several, key=lambda t: (not t.complete, t.id not in bridging, t.id)).id
        for code, several in by_code.items()
    }


def alignment_pairs(
    editions: Sequence[EditionToAlign], tables: Sequence[ConcordanceTable], propose: PairProposer
) -> list[Pair]:
    """Return the pairs of provisions of all editions that are aligned directly.

    ``editions`` are in time order. ``tables`` are the reviewed tables; ``propose`` gives the pairs where none decides.
    """
    order = [t.id for t in editions]
    by_id = {t.id: t for t in editions}
    reviewed = {(t.older, t.newer): t.rows for t in tables if not t.through and t.older in by_id and t.newer in by_id}
    out: list[Pair] = []
    for (older, newer), rows in reviewed.items():
        out += [_reviewed_pair(older, newer, row) for row in rows] + _proposals_beside_table(
            by_id[older], by_id[newer], rows, propose
        )
    joined = list(reviewed)
    for a, b in _required_edition_pairs(editions, code_outlines(editions, [(t.older, t.newer) for t in tables])):
        if find_route(a, b, joined) is None:
            older, newer = sorted((a, b), key=order.index)
            joined.append((older, newer))
            out += _computed_pairs(by_id[older], by_id[newer], propose(older, newer))
    return out


def exception_pairs(tables: Sequence[ConcordanceTable]) -> list[Pair]:
    """Return the rows in which a reviewer contradicts what two alignments through a third edition yield.

    ``via`` of each pair names that edition.
    """
    return [_reviewed_pair(t.older, t.newer, row, (t.through,)) for t in tables if t.through for row in t.rows]


def find_route(a: str, b: str, joined: Iterable[tuple[str, str]]) -> list[str] | None:
    """Return the shortest way from one edition to another over aligned editions, both ends included.

    Return None where there is none.

    >>> find_route("a", "c", [("a", "b"), ("b", "c")])
    ['a', 'b', 'c']
    """
    beside: dict[str, list[str]] = defaultdict(list)
    for x, y in joined:
        beside[x].append(y)
        beside[y].append(x)
    previous: dict[str, str] = {a: a}
    todo = deque([a])
    while todo:
        current = todo.popleft()
        if current == b:
            steps = [b]
            while steps[-1] != a:
                steps.append(previous[steps[-1]])
            return steps[::-1]
        for other in beside[current]:
            if other not in previous:
                previous[other] = current
                todo.append(other)
    return None


def _required_edition_pairs(editions: Sequence[EditionToAlign], outlines: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the pairs of editions that must be aligned: each edition with its code outline, each outline with the one
    before.
    """
    outline_ids = list(outlines.values())
    return [(outlines[t.code], t.id) for t in editions if t.id != outlines[t.code]] + list(pairwise(outline_ids))


def _reviewed_pair(older: str, newer: str, row: ConcordanceRow, via: tuple[str, ...] = ()) -> Pair:
    """Return a row of a table as a pair. The score is 1.0 where the reviewer is confident, else 0.6.

    ``via`` names the third edition where the row is an exception.
    """
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
    older: EditionToAlign, newer: EditionToAlign, rows: Sequence[ConcordanceRow], propose: PairProposer
) -> list[Pair]:
    """Return proposals for provisions that a table does not name, so that an unfinished table does not hide the rest.

    A table that names at least half of the numbered provisions of one of its editions counts as complete: then there
    are no proposals. ``rows`` are the rows of the table.
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


def _computed_pairs(older: EditionToAlign, newer: EditionToAlign, proposed: dict[tuple[str, str], float]) -> list[Pair]:
    """Return the computed pairs of two editions that no table covers.

    Two editions of one code are paired by equal numbers; what is left is paired as ``proposed``. Editions of two codes
    are paired only as ``proposed``.
    """
    found: dict[tuple[str, str], float] = {}
    if older.code == newer.code:
        found = {(path, path): 1.0 for path in older.numbered & newer.numbered}
    left, right = {x for x, _ in found}, {y for _, y in found}
    found |= {(x, y): score for (x, y), score in proposed.items() if x not in left and y not in right}
    return [_computed_pair(older.id, newer.id, x, y, score) for (x, y), score in sorted(found.items())]


def _computed_pair(older: str, newer: str, x: str, y: str, score: float) -> Pair:
    """Return a pair that nobody has reviewed: the path ``x`` of the older edition with ``y`` of the newer one."""
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
