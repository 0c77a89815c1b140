"""``python -m tools.soak``: a server under load, and everything that may happen to it; exit code 1 if anything was
wrong.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from corpus import generation
from tools.soak import report
from tools.soak.built import BuildFolder
from tools.soak.hazards import HAZARDS, Hazard
from tools.soak.in_flight import InFlightRequests
from tools.soak.judged import RunRecord, judge_answers
from tools.soak.load import ReaderLoad
from tools.soak.oracle import ExpectedAnswer, expected_answers
from tools.soak.run import SoakRun
from tools.soak.sample import EACH, Request, sample_requests
from tools.soak.served import ServerGoneError, ServerProcess, WorkerUsage, free_port
from tools.soak.texts import MarkedTexts

GROWTH = 1.5  # how many times its first memory a worker may have at the end
MAX_LEAKED_FILES = 8  # open files that a worker may have more than at first
_MOUNTS_VARIABLE = "LEXBRIDGE_SOAK_MOUNTS"


def main() -> int:
    """Run and report; return 0 when nothing was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[2])
    parser.add_argument("--minutes", type=float, default=25, help="how long at least")
    parser.add_argument("--rebuilds", type=int, default=20, help="how many changes of the texts at least")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--each", type=int, default=EACH, help="addresses of a kind")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds that an answer may take in quiet times")
    parser.add_argument("--corpus", type=Path, default=generation.corpus_dir())
    parser.add_argument("--disk", type=int, default=4096, help="MB of the disk that builds are made on")
    parser.add_argument("--only", nargs="*", choices=[h.__name__ for h in HAZARDS], help="only these hazards")
    parser.add_argument("--hurried", action="store_true", help="each hazard in a few of its ways")
    asked = parser.parse_args()
    _unshare_mounts()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # an exit runs the cleanup, which ends the server
    work = Path(tempfile.mkdtemp(prefix="lexbridge-soak-"))
    try:
        faults = soak(work, asked)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for fault in faults:
        print(f"FAULT: {fault}")
    print("Nothing was wrong." if not faults else f"{len(faults)} faults.")
    return bool(faults)


def _unshare_mounts() -> None:
    """As root, start again in a mount namespace of its own.

    Disks that the run mounts are then invisible to others and vanish with it.
    """
    unshare = shutil.which("unshare")
    if (
        unshare
        and not os.geteuid()
        and _MOUNTS_VARIABLE not in os.environ
        and not os.system(f"{unshare} -m true 2>/dev/null")  # noqa: S605
    ):
        environ = os.environ | {_MOUNTS_VARIABLE: "1"}
        os.execve(unshare, [unshare, "-m", sys.executable, "-m", "tools.soak", *sys.argv[1:]], environ)  # noqa: S606


def soak(work: Path, asked: argparse.Namespace) -> list[str]:
    """Do the whole run in a folder; return what was wrong, in sentences."""
    print_progress(f"seed {asked.seed}: {asked.corpus}")
    texts = MarkedTexts(asked.corpus, work / "corpus", asked.seed)
    print_progress(f"marked: {', '.join(texts.ids)}")
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    built = BuildFolder(work, texts.folder, origin, asked.disk)
    served = ServerProcess(built.env, port, asked.workers, work / "log")
    run = SoakRun(texts, built, served, random.Random(asked.seed), thorough=not asked.hurried)  # noqa: S311
    try:
        first = built.build()
        run.took = first.seconds
        if first.code:
            return [f"The first build ended with {first.code}:\n{first.said}"]
        print_progress(f"built in {first.seconds:.1f} s")
        served.start()
        return _run_under_load(run, asked, origin, work)
    except ServerGoneError as gone:
        return [*run.faults, str(gone)]
    finally:
        served.kill()
        built.unmount()


def _run_under_load(run: SoakRun, asked: argparse.Namespace, origin: str, work: Path) -> list[str]:
    """Run hazards while readers ask, judge all answers, and print the report; return what was wrong."""
    requests = sample_requests(origin, asked.seed, asked.each)
    print_progress(f"{len(requests)} requests of {len({r.kind for r in requests})} kinds")
    load = ReaderLoad(work / "seen", run.served.port, requests, asked.readers, asked.seed)
    load.start()
    said: dict[str, list[ExpectedAnswer]] = {}
    held: list[tuple[str, list[WorkerUsage]]] = [("at first", run.served.worker_usages())]
    try:
        _run_rounds(run, asked, lambda: _ask_new_generations(run, origin, requests, said, load.folder))
    finally:
        held.append(("at the end", run.served.worker_usages()))
        load.stop()
    flying = InFlightRequests(run.served, [r.address for r in requests if r.kind == "API search"][:6])
    code = flying.stop_server(run.served)
    if code or set(flying.answered) - {200}:
        run.record_fault(
            f"Told to stop, the server ended with {code} and answered what was under way with {flying.answered}."
        )
    _ask_new_generations(run, origin, requests, said, load.folder)
    world = RunRecord(requests, run.built.timeline, said, run.served.lost, run.built.busy)
    verdict = judge_answers(world, load.observed_answers())
    print("\n".join(report.soak_report_lines(verdict, world, load.folder, held, run.waits)), flush=True)
    return [*run.faults, *_exceeded_bounds(run, verdict, held, asked.pause)]


def _run_rounds(run: SoakRun, asked: argparse.Namespace, ask_alone) -> None:
    """Rebuild and run a hazard in turn, until both were done often enough and the time is over. ``ask_alone`` is called
    after each round.
    """
    end = time.monotonic() + asked.minutes * 60
    hazards: list[Hazard] = [h for h in HAZARDS if asked.only is None or h.__name__ in asked.only]
    todo: list[Hazard] = list(hazards)
    rebuilt = happened = 0
    while happened < len(hazards) or rebuilt < asked.rebuilds or time.monotonic() < end:
        if rebuilt < asked.rebuilds or not hazards:
            run.rebuild()
            rebuilt += 1
        if hazards:
            todo = todo or run.rng.sample(hazards, len(hazards))
            hazard = todo.pop(0)
            before = len(run.faults)
            hazard(run)
            happened += 1
            print_progress(f"{hazard.__name__}: {len(run.faults) - before} faults")
        ask_alone()


def _ask_new_generations(
    run: SoakRun, origin: str, requests: list[Request], said: dict[str, list[ExpectedAnswer]], seen: Path
) -> None:
    """Add to ``said`` (digest → expected answers) those of each generation that has none yet. ``seen``: the folder
    where their bodies are stored.
    """
    for folder in sorted(run.built.copies.iterdir()):
        if folder.name not in said:
            with run.built.record_busy_time():
                said[folder.name] = expected_answers(folder, origin, requests, seen)


def _exceeded_bounds(run: SoakRun, verdict, held: list[tuple[str, list[WorkerUsage]]], pause: float) -> list[str]:
    """Return a sentence for each measured value that is out of bounds.

    ``held``: (moment in words, resources of the workers then), first and last; ``pause``: the longest wait in seconds.
    """
    faults = [f"{len(verdict.wrong)} wrong answers, see above."] if verdict.wrong else []
    if not verdict.answered:
        faults.append("Nobody was answered.")
    if slow := verdict.long_pauses(pause):
        faults.append(f"{len(slow)} answers took more than {pause} s in quiet times.")
    (_, first), (_, last) = held[0], held[-1]
    if first and last:
        if max(w.rss for w in last) > GROWTH * max(w.rss for w in first):
            faults.append(f"A worker has more than {GROWTH} × the memory that it had at first.")
        if max(w.files for w in last) > max(w.files for w in first) + MAX_LEAKED_FILES:
            faults.append("Workers leak open files.")
    if "Traceback" in run.served.log.read_text(encoding="utf-8", errors="replace"):
        faults.append(f"The server's log has a traceback:\n{run.served.log_end()}")
    return faults


def print_progress(sentence: str) -> None:
    """Print a sentence with the time."""
    print(f"{time.strftime('%H:%M:%S')} {sentence}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
