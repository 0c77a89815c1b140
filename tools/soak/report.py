"""Reports a run to a person: counts, waits, memory, and each thing that went wrong with where to look."""

from __future__ import annotations

import difflib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from tools.soak import bodies
from tools.soak.judged import RunRecord, Verdict
from tools.soak.served import WorkerUsage

SHOWN, PAUSES = 5, 20  # the most wrong answers, and the most long waits, that are printed


def soak_report_lines(
    verdict: Verdict,
    world: RunRecord,
    folder: Path,
    held: Sequence[tuple[str, list[WorkerUsage]]],
    waits: Sequence[float],
) -> Iterator[str]:
    """Yield the lines of the report, without the faults that hazards recorded. ``folder``: where bodies are stored.

    ``held``: (moment in words, resources of the workers then). ``waits``: seconds until all workers had taken each
    generation.
    """
    yield from _status_table(verdict)
    yield ""
    yield f"{verdict.answered} answers, {verdict.named} of them named their generation"
    yield f"{verdict.lost} requests were lost with what was killed"
    yield f"{len(world.expected)} generations; taken by all workers within {_seconds_range(waits)} s"
    seconds, kind = verdict.slowest
    yield f"longest wait in quiet times: {seconds * 1000:.0f} ms ({kind}); over 0.5 s: {len(verdict.long_pauses(0.5))}"
    yield from (f"  {_pause_line(world, *row)}" for row in verdict.long_pauses(0.5)[:PAUSES])
    yield f"longest wait at any time: {_pause_line(world, *verdict.slowest_of_all)}"
    for when, workers in held:
        each = ", ".join(f"{w.rss:.0f} MB, {w.files} files, {w.mapped} generations mapped" for w in workers)
        yield f"workers {when}: {each}"
    yield f"wrong answers: {len(verdict.wrong)}"
    for (kind, fault), count in Counter((world.requests[s.asked].kind, f) for f, s in verdict.wrong).most_common():
        yield f"  {count} × {kind}: {fault}"
    shown = {(seen.asked, fault): (fault, seen) for fault, seen in reversed(verdict.wrong)}
    for fault, seen in list(shown.values())[:SHOWN]:
        request = world.requests[seen.asked]
        yield f"  {seen.how or 'GET'} {request.address} ({request.speaks or 'a program'}): {seen.status}, {fault}"
        yield from (f"    {line}" for line in _difference_lines(world, folder, seen))


def _pause_line(world: RunRecord, seconds: float, began: float, kind: str) -> str:
    """Return a line on a wait of ``seconds`` that ``began`` at a moment, with the last event before it. ``kind``: that
    of the request.
    """
    events = [*((moment, "another generation was current") for moment, _ in world.timeline)]
    events += [(end, "other work ended") for _, end in world.busy] + [(end, "a death") for _, end, _ in world.lost]
    moment, event = max((row for row in events if row[0] <= began), default=(began, "nothing yet"))
    clock = time.strftime("%H:%M:%S", time.localtime(began + time.time() - time.monotonic()))
    return f"{clock} {seconds * 1000:.0f} ms, {kind}: {began - moment:.1f} s after {event}"


def _status_table(verdict: Verdict) -> Iterator[str]:
    """Yield a line for each kind of request: how long answers took in quiet times, and how many had each status."""
    by_kind: dict[str, Counter[str]] = {}
    for (kind, status), count in verdict.counts.items():
        by_kind.setdefault(kind, Counter())[status] += count
    yield f"{'':24}{'median':>9}{'longest':>9}   answers by status"
    for kind in sorted(by_kind):
        times = [took * 1000 for took, _ in verdict.times.get(kind, ())]
        took = f"{median(times):6.1f} ms{max(times):6.0f} ms" if times else " " * 18
        yield f"{kind:24}{took}   " + "  ".join(f"{status}: {n}" for status, n in sorted(by_kind[kind].items()))


def _difference_lines(world: RunRecord, folder: Path, seen) -> list[str]:
    """Return the first lines in which a wrong answer (``seen``) differs from the right one.

    Empty where one of the two bodies is not stored. ``folder``: where bodies are stored.
    """
    allowed = world.current_generations(seen.began, seen.ended)
    right = next(
        (bodies.load_body(folder, world.expected[d][seen.asked].body) for d in allowed if d in world.expected), b""
    )
    old, new = (body.decode("utf-8", "replace").splitlines() for body in (right, bodies.load_body(folder, seen.body)))
    if not old or not new:
        return []
    return [line[:200] for line in difflib.unified_diff(old, new, "right", "seen", lineterm="", n=0)][:12]


def _seconds_range(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.1f} (median), {max(seconds):.1f} (longest)" if seconds else "–"
