"""The computed alignment of two editions: a proposal for the reviewer, by content and not by number alone.

Evidence for a pair of provisions: words (shared ones in one language; across languages a lexicon learned from
provisions that bear the same number), numbers and signs, references, place in the law, and – in a second pass –
whether parents and neighbours were matched. Nothing here knows a language; the lexicon is made from the texts.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile

from corpus.address import above, last, steps, under
from corpus.alphabet import Alphabet, fold
from corpus.model import NUMBERED, Node

THRESHOLD = 0.25  # below it a pair is not proposed; chosen where precision and recall meet on the reviewed tables
_OFTEN = 25  # what so many provisions cite says nothing of any
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
_Side = dict[str, _Profile]
_Lexicon = dict[str, dict[str, float]]


def propose(first: list[Node], second: list[Node], alphabets: Mapping[str, Alphabet]) -> dict[tuple[str, str], float]:
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
    matched = _reciprocal({p: _total(e) for p, e in scores.items()})
    for (a, b), evidence in scores.items():
        evidence["around"] = _around(a, b, matched, left, right)
    final = {p: _total(e) for p, e in scores.items()}
    chosen = _reciprocal(final)
    return {(a, chosen[a]): round(final[a, chosen[a]], 3) for a in left if a in chosen}


def _profiles(nodes: list[Node], alphabets: Mapping[str, Alphabet]) -> _Side:
    """Provisions of the laws by path; points of decisions number otherwise and are no laws."""
    laws = {n.path for n in nodes if n.kind == "law"}
    return {
        n.path: _profile(n, alphabets.get(n.lang, Alphabet())) for n in nodes if n.kind in NUMBERED and n.id.law in laws
    }


def _profile(node: Node, alphabet: Alphabet) -> _Profile:
    words = fold(f"{node.heading or ''} {node.text}")
    stems = Counter(alphabet.stem_of(w) for w in re.findall(r"[^\W\d_]{4,}", words))
    numbers = frozenset(re.findall(r"\d+(?:[.,]\d+)?%?|[♠♥♦♣½]", node.text))
    references = frozenset(t.path for r in node.references for t in r.targets)
    return _Profile(node, tuple(steps(node.path)), stems, numbers, references, len(words))


def _rarity(profiles: list[_Profile]) -> dict[str, float]:
    count = Counter(s for p in profiles for s in p.stems)
    return {s: math.log(1 + len(profiles) / c) for s, c in count.items()}


def _lexicon(left: _Side, right: _Side) -> _Lexicon:
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


def _candidates(left: _Side, right: _Side) -> set[tuple[str, str]]:
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
            if len(by_reference[r]) < _OFTEN and profile.depth:
                out.update((path, p) for p in by_reference[r] if right[p].depth)
    return out


def _score(a: _Profile, b: _Profile, lexicon: _Lexicon, rarity: dict[str, float]) -> dict[str, float]:
    return {
        "words": _same_words(a, b, rarity) if not lexicon else _like_words(a, b, lexicon, rarity),
        "place": _place(a.steps, b.steps),
        "references": _jaccard(a.references, b.references),
        "numbers": _jaccard(a.numbers, b.numbers),
        "length": min(a.length, b.length) / max(a.length, b.length, 1),
        "around": 0.0,
    }


def _total(evidence: dict[str, float]) -> float:
    return sum(_WEIGHTS[k] * v for k, v in evidence.items())


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.5


def _same_words(a: _Profile, b: _Profile, rarity: dict[str, float]) -> float:
    shared = sum(rarity[s] * min(a.stems[s], b.stems[s]) for s in a.stems.keys() & b.stems.keys())
    total = sum(rarity[s] * n for s, n in (a.stems | b.stems).items())
    return shared / total if total else 0.0


def _like_words(a: _Profile, b: _Profile, lexicon: _Lexicon, rarity: dict[str, float]) -> float:
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


def _place(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """1 for the same path, less the earlier the paths part."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    return same / max(len(a), len(b))


def _around(a: str, b: str, matched: dict[str, str], left: _Side, right: _Side) -> float:
    parent_a, parent_b = above(a), above(b)
    parent = 1.0 if matched.get(parent_a) == parent_b and parent_a else 0.0
    before_a, before_b = _sibling(a, left, -1), _sibling(b, right, -1)
    after_a, after_b = _sibling(a, left, 1), _sibling(b, right, 1)
    before = 1.0 if (before_a and matched.get(before_a) == before_b) or (not before_a and not before_b) else 0.0
    after = 1.0 if (after_a and matched.get(after_a) == after_b) or (not after_a and not after_b) else 0.0
    return 0.5 * parent + 0.25 * before + 0.25 * after


def _sibling(path: str, side: _Side, step: int) -> str | None:
    own = last(path)
    if own.isdigit():
        other = str(int(own) + step)
    elif len(own) == 1:
        other = chr(ord(own) + step)
    else:
        return None
    other = under(above(path), other)
    return other if other in side else None


def _reciprocal(scores: dict[tuple[str, str], float]) -> dict[str, str]:
    """Pairs that are each other's best, above the threshold."""
    best_a: dict[str, tuple[float, str]] = {}
    best_b: dict[str, tuple[float, str]] = {}
    for (a, b), s in scores.items():
        if s >= THRESHOLD:
            best_a[a] = max(best_a.get(a, (0.0, "")), (s, b))
            best_b[b] = max(best_b.get(b, (0.0, "")), (s, a))
    return {a: b for a, (_, b) in best_a.items() if best_b[b][1] == a}
