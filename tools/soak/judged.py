"""Judges all answers that readers saw: each is compared with that of the generation that it names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tools.soak.load import LATE, REFUSED, RESET, ObservedAnswer
from tools.soak.oracle import ExpectedAnswer
from tools.soak.sample import Request

_TAGGED_DIGEST = re.compile(r'^(?:W/)?"([0-9a-f]{16})\.')
LAG = 30.0  # seconds for which an older generation may still be answered with


@dataclass(frozen=True)
class RunRecord:
    """What was going on while readers asked.

    - ``timeline``: (moment, digest that was current from then on; "" where nothing was sound).
    - ``expected``: digest → the right answer to each request.
    - ``lost``: (from, to, how) when answers may be lost; how: ``reset`` or ``refused``.
    - ``busy``: (from, to) when the machine was busy with other work.
    """

    requests: Sequence[Request]
    timeline: Sequence[tuple[float, str]]
    expected: Mapping[str, Sequence[ExpectedAnswer]]
    lost: Sequence[tuple[float, float, str]]
    busy: Sequence[tuple[float, float]]

    def current_generations(self, began: float, ended: float) -> list[str]:
        """Return the digests of the generations that a request may be answered with, the newest first. ``began`` and
        ``ended``: moments of the request.

        While nothing is sound, the last sound generation is right.
        """
        sound = [(moment, digest) for moment, digest in self.timeline if digest]
        until = [moment for moment, _ in sound[1:]] + [float("inf")]
        held = [d for (moment, d), end in zip(sound, until, strict=True) if moment <= ended and end >= began - LAG]
        return list(dict.fromkeys(reversed(held)))

    def may_be_lost(self, seen: ObservedAnswer) -> bool:
        """Whether a process that may have had this request was killed at that time."""
        hows = {RESET: {"reset", "refused"}, REFUSED: {"refused"}}.get(str(seen.status), set())
        return any(how in hows and a <= seen.ended and seen.began <= b for a, b, how in self.lost)

    def is_quiet(self, seen: ObservedAnswer) -> bool:
        """Whether nothing else ran during the request."""
        beside = [*self.busy, *((a, b) for a, b, _ in self.lost)]
        return not any(a <= seen.ended and seen.began <= b for a, b in beside)


@dataclass
class Verdict:
    """The verdict on all answers.

    - ``counts``: (kind, status) → number of answers.
    - ``wrong``: (sentence, answer) for each wrong one.
    - ``times``: kind → (seconds, when it was asked) in quiet times.
    - ``slowest_of_all``: (seconds, when it was asked, kind) at any time.
    - ``lost``: how many answers were lost where that is allowed; ``answered``: how many others there are.
    - ``named``: how many answers name their generation.
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[tuple[str, ObservedAnswer]] = field(default_factory=list)
    times: defaultdict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    slowest_of_all: tuple[float, float, str] = (0.0, 0.0, "")
    lost: int = 0
    named: int = 0
    answered: int = 0

    @property
    def slowest(self) -> tuple[float, str]:
        """(seconds, kind) of the longest wait of a reader in quiet times."""
        return max(((max(times)[0], kind) for kind, times in self.times.items()), default=(0.0, ""))

    def long_pauses(self, seconds: float) -> list[tuple[float, float, str]]:
        """Return (seconds, when it was asked, kind) of each answer in quiet times that took more than ``seconds``, the
        longest first.
        """
        found = ((took, began, kind) for kind, times in self.times.items() for took, began in times)
        return sorted((row for row in found if row[0] > seconds), reverse=True)


def judge_answers(world: RunRecord, all_seen: Iterable[ObservedAnswer]) -> Verdict:
    """Return the verdict on all answers that readers saw (``all_seen``). ``world``: what was going on meanwhile."""
    verdict = Verdict()
    for seen in all_seen:
        kind = world.requests[seen.asked].kind
        verdict.counts[kind, str(seen.status)] += 1
        if isinstance(seen.status, str) and world.may_be_lost(seen):
            verdict.lost += 1
            continue
        verdict.answered += 1
        verdict.named += bool(_TAGGED_DIGEST.match(seen.tag))
        took = seen.ended - seen.began
        verdict.slowest_of_all = max(verdict.slowest_of_all, (took, seen.began, kind))
        if world.is_quiet(seen):
            verdict.times[kind].append((took, seen.began))
        if fault := _answer_fault(world, seen):
            verdict.wrong.append((fault, seen))
    return verdict


def _answer_fault(world: RunRecord, seen: ObservedAnswer) -> str:
    """Return what is wrong with an answer, or ""."""
    if isinstance(seen.status, str):
        said = {RESET: "lost its connection", REFUSED: "was refused", LATE: "had no answer in time"}
        return f"{said.get(seen.status, 'could not be decoded')}, and nothing was killed"
    if seen.status >= 500:
        return f"was answered with {seen.status}"
    allowed, named = world.current_generations(seen.began, seen.ended), _TAGGED_DIGEST.match(seen.tag)
    known = [digest for digest in world.expected if named and digest.startswith(named[1])]
    if named and not set(known) & set(allowed):
        return f"names a generation that {'was not current' if known else 'never was'}: {seen.tag}"
    if seen.status == 304:
        return "" if seen.sent and seen.tag == seen.sent else "is “not modified” under another tag than was asked with"
    right = [world.expected[digest][seen.asked] for digest in known or allowed if digest in world.expected]
    if any(_is_expected(seen, said) for said in right):
        return ""
    statuses = ", ".join(sorted({str(said.status) for said in right}))
    return f"is not what {'its generation says' if named else 'any generation of that time says'} (there: {statuses})"


def _is_expected(seen: ObservedAnswer, said: ExpectedAnswer) -> bool:
    return seen.status == said.status and seen.to == said.to and (seen.how == "HEAD" or seen.body == said.body)
