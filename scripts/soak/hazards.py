"""What may happen to a site that runs: each hazard does it once, and says what should not have come of it."""

from __future__ import annotations

import hashlib
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from corpus.generation import manifest
from corpus.generation.opened import CURRENT, FOLDER
from scripts.soak.built import Built, Done, kill
from scripts.soak.served import Served
from scripts.soak.texts import Texts

LOOKED = 3.0  # seconds in which a server has seen that something else is current


@dataclass
class Run:
    """What a hazard acts on. ``faults``: what was wrong, in sentences · ``took``: seconds of the last whole build ·
    ``waits``: seconds until each generation was taken by all workers.
    """

    texts: Texts
    built: Built
    served: Served
    chosen: random.Random
    number: int = 0
    took: float = 0.0
    faults: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def fault(self, sentence: str) -> None:
        """Write down what was wrong."""
        self.faults.append(sentence)

    def changed(self) -> None:
        """Words of the texts change; nothing is built."""
        self.number += 1
        self.texts.change(self.number)

    def rebuilt(self) -> Done:
        """Words change, a build is made, published and taken."""
        self.changed()
        before = self.built.current
        done = self.built.build()
        self.took = done.seconds
        if done.code or self.built.current == before:
            self.fault(f"A build after words had changed ended with {done.code} and published nothing:\n{done.said}")
        else:
            self.taken()
        if odd := self.built.debris():
            self.fault(f"After a build there stand in its folder: {', '.join(odd)}.")
        return done

    def taken(self) -> None:
        """All workers answer with what is current."""
        self.waits.append(self.served.taken(self.built.current))

    def stays(self) -> None:
        """Nothing that lies there now is taken: every worker answers with what it had."""
        had = self.served.health()
        end = time.monotonic() + LOOKED
        while time.monotonic() < end:
            now = self.served.health()
            if now != had:
                self.fault(f"/healthz answers {now[0]} {now[1][:16]} where it answered {had[0]} {had[1][:16]}.")
                return
            time.sleep(0.05)


Hazard = Callable[[Run], None]


def build_is_killed(run: Run) -> None:
    """Builds are killed at any moment: what was current stays, and the next build is whole and clears up."""
    for _ in range(3):
        run.changed()
        before = run.built.current
        with run.built.working():
            building = run.built.start()
            time.sleep(run.chosen.uniform(0.05, 1.0) * run.took)
            kill(building)
        if run.built.current != before:
            run.built.copy()
            run.taken()
    run.rebuilt()


def worker_is_killed(run: Run) -> None:
    """A worker is killed, then two within a second: others go on, new ones come."""
    for count in (1, 1, 1):
        with run.served.losing("reset"):
            run.served.kill_workers(count)
            time.sleep(0.3)
    run.served.whole()
    run.taken()


def workers_are_killed(run: Run) -> None:
    """All workers at once, and again."""
    for _ in range(2):
        with run.served.losing("reset"):
            run.served.kill_workers(99)
            run.served.whole()
    run.taken()


def server_is_killed(run: Run) -> None:
    """The main process is killed and started again: nobody holds its port, and it has what is current."""
    with run.served.losing("refused"):
        run.served.kill()
        run.served.start()
    run.served.whole()
    run.taken()


def disk_is_full(run: Run) -> None:
    """A build on a full disk says so in a sentence, changes nothing and leaves nothing."""
    run.changed()
    with run.built.full() as full:
        _refused(run, run.built.build(small_disk=not full), "on a full disk")
    run.rebuilt()


def folder_is_read_only(run: Run) -> None:
    """A build where nothing can be written says so in a sentence."""
    run.changed()
    with run.built.read_only() as is_so:
        if is_so:
            _refused(run, run.built.build(), "where nothing can be written")
    run.rebuilt()


def _refused(run: Run, done: Done, where: str) -> None:
    if done.code == 0 or "Traceback" in done.said or not done.said.strip():
        run.fault(f"A build {where} ends with {done.code} and says:\n{done.said[-2000:]}")


def file_is_damaged(run: Run) -> None:
    """A byte of a file is another, one kind of file after the other: nothing of it is taken."""
    older, newer = _two(run)
    for name in _kinds(run.built.copied(newer)):
        with run.built.spoiled():
            run.built.point(f"{FOLDER}/{older}")
            _fresh(run, newer)
            _flip(run.built.of(newer) / name, run.chosen)
            run.built.point(f"{FOLDER}/{newer}")
            run.stays()
            shutil.rmtree(run.built.of(newer))
    run.taken()


def parts_do_not_match(run: Run) -> None:
    """The search of one generation beside the corpus of another is never taken, whatever the manifest says."""
    older, newer = _two(run)
    with run.built.spoiled():
        mixed = run.built.folder / FOLDER / "mixed"
        shutil.copytree(run.built.copied(newer), mixed)
        shutil.rmtree(mixed / "search")
        shutil.copytree(run.built.copied(older) / "search", mixed / "search")
        names = [p.relative_to(mixed).as_posix() for p in mixed.rglob("*") if p.is_file() and p.name != manifest.FILE]
        names += [f"{p.parent.relative_to(mixed).as_posix()}/{p.name}" for p in mixed.rglob(f"*/{manifest.FILE}")]
        files = {name: hashlib.sha256((mixed / name).read_bytes()).hexdigest() for name in names}
        for name, says in (("1" * 64, None), (newer, None), (manifest.digest(files), manifest.written(files))):
            target = run.built.of(name)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(mixed, target)
            if says:
                (target / manifest.FILE).write_bytes(says)
            run.built.point(f"{FOLDER}/{name}")
            run.stays()
            shutil.rmtree(target)
        shutil.rmtree(mixed)
    run.taken()


def current_leads_astray(run: Run) -> None:
    """``current`` leads nowhere, is gone, is a file, is a folder: what was served is served."""
    place = run.built.folder / CURRENT
    ways: list[Callable[[], object]] = [
        lambda: run.built.point(f"{FOLDER}/{'0' * 64}"),
        place.unlink,
        lambda: place.write_text("generations"),
        place.mkdir,
        lambda: run.built.point("/etc"),
        lambda: run.built.point(CURRENT),
    ]
    for way in ways:
        with run.built.spoiled():
            if way in ways[2:4]:
                place.unlink()
            way()
            run.stays()
    run.taken()


def generation_is_removed(run: Run) -> None:
    """The folder that is served is deleted: it is served on, and the next build makes it good."""
    with run.built.spoiled():
        shutil.rmtree(run.built.of(run.built.current))
        run.stays()
    run.rebuilt()


def rolled_back(run: Run) -> None:
    """``current`` leads to an older generation that stayed: it is taken, and the next build goes on."""
    now = run.built.current
    older = [p.name for p in (run.built.folder / FOLDER).iterdir() if p.name != now]
    if older:
        run.built.point(f"{FOLDER}/{run.chosen.choice(sorted(older))}")
        run.taken()
    run.rebuilt()


def texts_are_at_fault(run: Run) -> None:
    """A source with a mistake: the build says where, and nothing changes."""
    id_ = run.texts.ids[0]
    place = run.texts.folder / "editions" / id_ / "edition.toml"
    sound = place.read_bytes()
    place.write_bytes(sound + b"\nnonsense = [\n")
    try:
        done = run.built.build()
    finally:
        place.write_bytes(sound)
    _refused(run, done, "of texts with a mistake")
    if id_ not in done.said:
        run.fault(f"A build of texts with a mistake in {id_} does not name it:\n{done.said[-2000:]}")


def two_builds_meet(run: Run) -> None:
    """Two builds at once: one at least is whole, the other waits or says why not."""
    run.changed()
    with run.built.working():
        both = [run.built.start(), run.built.start()]
        said = [building.communicate(timeout=900)[0] for building in both]
    codes = [building.returncode for building in both]
    if 0 not in codes or any("Traceback" in text for text in said):
        run.fault(f"Two builds at once end with {codes}:\n" + "\n".join(said)[-2000:])
    run.built.copy()
    run.taken()


HAZARDS: tuple[Hazard, ...] = (
    build_is_killed,
    worker_is_killed,
    workers_are_killed,
    server_is_killed,
    disk_is_full,
    folder_is_read_only,
    file_is_damaged,
    parts_do_not_match,
    current_leads_astray,
    generation_is_removed,
    rolled_back,
    texts_are_at_fault,
    two_builds_meet,
)


def _two(run: Run) -> tuple[str, str]:
    """The current generation, and a newer one that is taken away from the build folder again."""
    older = run.built.current
    run.rebuilt()
    newer = run.built.current
    run.built.point(f"{FOLDER}/{older}")
    run.taken()
    shutil.rmtree(run.built.of(newer))
    return older, newer


def _fresh(run: Run, digest: str) -> None:
    shutil.rmtree(run.built.of(digest), ignore_errors=True)
    shutil.copytree(run.built.copied(digest), run.built.of(digest))


def _kinds(folder: Path) -> Iterator[str]:
    """A file of each kind: by part and by how its name ends."""
    seen = set()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.stat().st_size):
        name = path.relative_to(folder)
        kind = (name.parts[0], path.suffix)
        if kind not in seen:
            seen.add(kind)
            yield name.as_posix()


def _flip(path: Path, chosen: random.Random) -> None:
    """A bit of a file is the other."""
    data = bytearray(path.read_bytes())
    data[chosen.randrange(len(data))] ^= 1 << chosen.randrange(7)
    path.write_bytes(data)


class InFlight:
    """Requests under way while a server is told to stop: every one that was sent is answered."""

    def __init__(self, served: Served, addresses: list[str]):
        self.answered: list[int] = []
        self._threads = [threading.Thread(target=self._ask, args=(served, address)) for address in addresses]

    def _ask(self, served: Served, address: str) -> None:
        import http.client

        line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
        try:
            line.request("GET", address)
            answer = line.getresponse()
            answer.read()
            self.answered.append(answer.status)
        except (OSError, http.client.HTTPException):
            self.answered.append(0)

    def stopped(self, served: Served) -> int:
        """Send them, tell the server to stop, wait for both; its exit code."""
        for thread in self._threads:
            thread.start()
        time.sleep(0.03)
        code = served.stop()
        for thread in self._threads:
            thread.join()
        return code
