"""What may happen to a site that runs: each hazard does it once, and says what should not have come of it."""

from __future__ import annotations

import hashlib
import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from corpus import generation
from corpus.generation import CURRENT, FOLDER
from scripts.soak.built import Done, kill
from scripts.soak.run import Run

Hazard = Callable[[Run], None]


def build_is_killed(run: Run) -> None:
    """Builds are killed at any moment: what was current stays, and the next build is whole and clears up."""
    for _ in run.some(range(3), 1):
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
    run.goes_on()


def folder_is_read_only(run: Run) -> None:
    """A build where nothing can be written says so in a sentence."""
    run.changed()
    with run.built.read_only() as is_so:
        if is_so:
            _refused(run, run.built.build(), "where nothing can be written")
    run.goes_on()


def _refused(run: Run, done: Done, where: str) -> None:
    if done.code == 0 or "Traceback" in done.said or not done.said.strip():
        run.fault(f"A build {where} ends with {done.code} and says:\n{done.said[-2000:]}")


def file_is_damaged(run: Run) -> None:
    """A byte of a file is another, one kind of file after the other: nothing of it is taken."""
    older, newer = _two(run)
    for name in run.some(list(_kinds(run.built.copied(newer))), 3):
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
        names = [p.relative_to(mixed).as_posix() for p in mixed.rglob("*") if p.is_file() and p.name != generation.FILE]
        names += [f"{p.parent.relative_to(mixed).as_posix()}/{p.name}" for p in mixed.rglob(f"*/{generation.FILE}")]
        files = {name: hashlib.sha256((mixed / name).read_bytes()).hexdigest() for name in names}
        ways = [("1" * 64, b""), (newer, b""), (generation.digest_of(files), generation.written(files))]
        for name, says in ways if run.thorough else ways[-1:]:
            target = run.built.of(name)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(mixed, target)
            if says:
                (target / generation.FILE).write_bytes(says)
            run.built.point(f"{FOLDER}/{name}")
            run.stays()
            shutil.rmtree(target)
        shutil.rmtree(mixed)
    run.taken()


def current_leads_astray(run: Run) -> None:
    """``current`` leads nowhere, is gone, is a file, is a folder: what was served is served."""
    place = run.built.folder / CURRENT
    ways: dict[str, str | Callable[[], object]] = {
        "nowhere": f"{FOLDER}/{'0' * 64}",
        "gone": lambda: None,
        "a file": lambda: place.write_text(FOLDER),
        "a folder": place.mkdir,
        "elsewhere": "/etc",
        "itself": CURRENT,
    }
    for name in run.some(list(ways), 3):
        way = ways[name]
        with run.built.spoiled():
            if isinstance(way, str):
                run.built.point(way)
            else:
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
    run.goes_on()


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
