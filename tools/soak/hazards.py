"""What may happen to a running site: each hazard does it once, and records what should not have come of it."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from corpus.generation import CURRENT_LINK, GENERATIONS_FOLDER, MANIFEST_FILE, SEARCH_PART, BuildStage, read_manifest
from tools.soak.built import BuildResult, kill_group
from tools.soak.run import SoakRun

Hazard = Callable[[SoakRun], None]


def kill_builds(run: SoakRun) -> None:
    """Kill builds at any moment. What was current must stay, and the next build must be complete and clean up."""
    for _ in run.select_ways(range(3), 1):
        run.change_texts()
        before = run.built.current
        with run.built.record_busy_time():
            building = run.built.start()
            time.sleep(run.rng.uniform(0.05, 1.0) * run.took)
            kill_group(building)
        if run.built.current != before:
            run.built.copy_current()
            run.wait_until_taken()
    run.rebuild()


def kill_one_worker(run: SoakRun) -> None:
    """Kill a worker, three times in a row. The others must go on, and new ones must come."""
    for count in (1, 1, 1):
        with run.served.allow_losses("reset"):
            run.served.kill_workers(count)
            time.sleep(0.3)
    run.served.wait_until_complete()
    run.wait_until_taken()


def kill_all_workers(run: SoakRun) -> None:
    """Kill all workers at once, twice."""
    for _ in range(2):
        with run.served.allow_losses("reset"):
            run.served.kill_workers(99)
            run.served.wait_until_complete()
    run.wait_until_taken()


def kill_server(run: SoakRun) -> None:
    """Kill the main process and start it again. Its port must be free, and it must serve what is current."""
    with run.served.allow_losses("refused"):
        run.served.kill()
        run.served.start()
    run.served.wait_until_complete()
    run.wait_until_taken()


def build_while_server_is_away(run: SoakRun) -> None:
    """Kill the main process, publish a generation, and start the server again. It must serve the new generation."""
    with run.served.allow_losses("refused"):
        run.served.kill()
        run.change_texts()
        run.built.build()
        run.served.start()
    run.served.wait_until_complete()
    run.wait_until_taken()


def kill_workers_over_damage(run: SoakRun) -> None:
    """Damage what is current, and kill workers. Those that replace them must serve what the others serve."""
    with _damaged_newer_generation(run) as older:
        for count in (1, 99):
            with run.served.allow_losses("reset"):
                run.served.kill_workers(count)
                run.served.wait_until_complete()
            run.served.wait_until_taken(older)
        run.expect_no_change()
    run.wait_until_taken()


def restart_over_damage(run: SoakRun) -> None:
    """Damage what is current, and start the server again. It must serve the newest sound generation."""
    with _damaged_newer_generation(run) as older:
        with run.served.allow_losses("refused"):
            run.served.kill()
            run.served.start()
        run.served.wait_until_complete()
        run.served.wait_until_taken(older)
    run.wait_until_taken()


def publish_other_layout(run: SoakRun) -> None:
    """Make a generation of other code current, and kill workers. It must be refused, once."""
    older, newer = _make_two_generations(run)
    with run.built.allow_spoiled_current():
        digest = copy_with_other_layout(run.built.copied_generation_folder(newer), run.built.folder)
        run.built.point_current(f"{GENERATIONS_FOLDER}/{digest}")
        run.expect_no_change()
        with run.served.allow_losses("reset"):
            run.served.kill_workers(99)
            run.served.wait_until_complete()
        run.served.wait_until_taken(older)
        if (count := run.served.count_refusals(digest)) != 1:
            run.record_fault(f"A generation of other code was refused {count} times.")
        shutil.rmtree(run.built.generation_folder(digest))
    run.wait_until_taken()


def build_on_full_disk(run: SoakRun) -> None:
    """Build on a full disk. The build must say so in a sentence, change nothing and leave nothing behind."""
    run.change_texts()
    with run.built.fill_disk() as full:
        _expect_refusal(run, run.built.build(small_disk=not full), "on a full disk")
    run.rebuild_if_thorough()


def build_in_read_only_folder(run: SoakRun) -> None:
    """Build where nothing can be written. The build must say so in a sentence."""
    run.change_texts()
    with run.built.make_read_only() as is_so:
        if is_so:
            _expect_refusal(run, run.built.build(), "where nothing can be written")
    run.rebuild_if_thorough()


def _expect_refusal(run: SoakRun, done: BuildResult, where: str) -> None:
    """Record a fault when a build succeeded, printed a traceback or printed nothing. ``where``: words for the message,
    such as “on a full disk”.
    """
    if done.code == 0 or "Traceback" in done.said or not done.said.strip():
        run.record_fault(f"A build {where} ends with {done.code} and says:\n{done.said[-2000:]}")


def damage_files(run: SoakRun) -> None:
    """Flip a bit of a file, in one kind of file after the other. The damaged generation must never be taken."""
    older, newer = _make_two_generations(run)
    for name in run.select_ways(list(_one_file_of_each_kind(run.built.copied_generation_folder(newer))), 3):
        with run.built.allow_spoiled_current():
            run.built.point_current(f"{GENERATIONS_FOLDER}/{older}")
            _restore_copy(run, newer)
            flip_bit(run.built.generation_folder(newer) / name, run.rng)
            run.built.point_current(f"{GENERATIONS_FOLDER}/{newer}")
            run.expect_no_change()
            shutil.rmtree(run.built.generation_folder(newer))
    run.wait_until_taken()


def mix_generations(run: SoakRun) -> None:
    """Put the search of one generation beside the corpus of another. That must never be taken, whatever its manifest
    says.
    """
    older, newer = _make_two_generations(run)
    with run.built.allow_spoiled_current():
        mixed = run.built.folder / GENERATIONS_FOLDER / "mixed"
        shutil.copytree(run.built.copied_generation_folder(newer), mixed)
        shutil.rmtree(mixed / SEARCH_PART)
        shutil.copytree(run.built.copied_generation_folder(older) / SEARCH_PART, mixed / SEARCH_PART)
        parts = read_manifest(run.built.copied_generation_folder(newer)).parts
        search = read_manifest(run.built.copied_generation_folder(older)).parts[SEARCH_PART]
        as_built = (mixed / MANIFEST_FILE).read_bytes()
        manifest = BuildStage(mixed, run.built.folder, parts={**parts, SEARCH_PART: search}).seal()
        ways = [("1" * 64, as_built), (newer, as_built), (manifest.digest, manifest.to_json())]
        for name, says in ways if run.thorough else ways[-1:]:
            target = run.built.generation_folder(name)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(mixed, target)
            (target / MANIFEST_FILE).write_bytes(says)
            run.built.point_current(f"{GENERATIONS_FOLDER}/{name}")
            run.expect_no_change()
            shutil.rmtree(target)
        shutil.rmtree(mixed)
    run.wait_until_taken()


def lead_current_astray(run: SoakRun) -> None:
    """Let ``current`` lead nowhere, be missing, be a file, be a folder. The site must go on serving what it served."""
    place = run.built.folder / CURRENT_LINK
    ways: dict[str, str | Callable[[], object]] = {
        "nowhere": f"{GENERATIONS_FOLDER}/{'0' * 64}",
        "gone": lambda: None,
        "a file": lambda: place.write_text(GENERATIONS_FOLDER),
        "a folder": place.mkdir,
        "elsewhere": "/etc",
        "itself": CURRENT_LINK,
    }
    for name in run.select_ways(list(ways), 3):
        way = ways[name]
        with run.built.allow_spoiled_current():
            if isinstance(way, str):
                run.built.point_current(way)
            else:
                place.unlink()
                way()
            run.expect_no_change()
    run.wait_until_taken()


def remove_generation(run: SoakRun) -> None:
    """Delete the folder that is served. It must still be served, and the next build must restore it."""
    with run.built.allow_spoiled_current():
        shutil.rmtree(run.built.generation_folder(run.built.current))
        run.expect_no_change()
    run.rebuild()


def roll_back(run: SoakRun) -> None:
    """Point ``current`` at an older generation. It must be taken, and the next build must go on from it."""
    now = run.built.current
    older = [p.name for p in (run.built.folder / GENERATIONS_FOLDER).iterdir() if p.name != now]
    if older:
        run.built.point_current(f"{GENERATIONS_FOLDER}/{run.rng.choice(sorted(older))}")
        # A build that was killed just before its generation became current leaves one that nobody has copied.
        run.built.copy_current()
        run.wait_until_taken()
    run.rebuild_if_thorough()


def build_faulty_text(run: SoakRun) -> None:
    """Build while a source has a mistake. The build must say where, and nothing may change."""
    id_ = run.texts.ids[0]
    place = run.texts.folder / "editions" / id_ / "edition.toml"
    sound = place.read_bytes()
    place.write_bytes(sound + b"\nnonsense = [\n")
    try:
        done = run.built.build()
    finally:
        place.write_bytes(sound)
    _expect_refusal(run, done, "of texts with a mistake")
    if id_ not in done.said:
        run.record_fault(f"A build of texts with a mistake in {id_} does not name it:\n{done.said[-2000:]}")


def run_two_builds(run: SoakRun) -> None:
    """Run two builds at once. At least one must succeed; the other waits or says why not."""
    run.change_texts()
    with run.built.record_busy_time():
        both = [run.built.start(), run.built.start()]
        said = [building.communicate(timeout=900)[0] for building in both]
    codes = [building.returncode for building in both]
    if 0 not in codes or any("Traceback" in text for text in said):
        run.record_fault(f"Two builds at once end with {codes}:\n" + "\n".join(said)[-2000:])
    run.built.copy_current()
    run.wait_until_taken()


HAZARDS: tuple[Hazard, ...] = (
    kill_builds,
    kill_one_worker,
    kill_all_workers,
    kill_server,
    build_while_server_is_away,
    kill_workers_over_damage,
    restart_over_damage,
    publish_other_layout,
    build_on_full_disk,
    build_in_read_only_folder,
    damage_files,
    mix_generations,
    lead_current_astray,
    remove_generation,
    roll_back,
    build_faulty_text,
    run_two_builds,
)


def _make_two_generations(run: SoakRun) -> tuple[str, str]:
    """Build a newer generation and go back to the current one. Return (digest of the current one, of the newer).

    The folder of the newer one is removed from the build folder again.
    """
    older = run.built.current
    run.rebuild()
    newer = run.built.current
    run.built.point_current(f"{GENERATIONS_FOLDER}/{older}")
    run.wait_until_taken()
    shutil.rmtree(run.built.generation_folder(newer))
    return older, newer


@contextmanager
def _damaged_newer_generation(run: SoakRun) -> Iterator[str]:
    """A context in which ``current`` leads to a damaged generation, and an older one is served, whose digest it yields.

    No third generation is there, so a server that starts has only the older one to fall back on.
    """
    older, newer = _make_two_generations(run)
    with run.built.allow_spoiled_current():
        for folder in (run.built.folder / GENERATIONS_FOLDER).iterdir():
            if folder.name != older:
                shutil.rmtree(folder)
        _restore_copy(run, newer)
        name = run.rng.choice(list(_one_file_of_each_kind(run.built.generation_folder(newer))))
        flip_bit(run.built.generation_folder(newer) / name, run.rng)
        run.built.point_current(f"{GENERATIONS_FOLDER}/{newer}")
        run.expect_no_change()
        yield older
        shutil.rmtree(run.built.generation_folder(newer))


def _restore_copy(run: SoakRun, digest: str) -> None:
    shutil.rmtree(run.built.generation_folder(digest), ignore_errors=True)
    shutil.copytree(run.built.copied_generation_folder(digest), run.built.generation_folder(digest))


def _one_file_of_each_kind(folder: Path) -> Iterator[str]:
    """Yield the name, relative to the folder, of one file of each kind: by part and by suffix."""
    seen = set()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.stat().st_size):
        name = path.relative_to(folder)
        kind = (name.parts[0], path.suffix)
        if kind not in seen:
            seen.add(kind)
            yield name.as_posix()


def copy_with_other_layout(generation: Path, build: Path) -> str:
    """Copy the folder of a generation into a build folder, as other code would have made it. Return its digest."""
    folder = build / GENERATIONS_FOLDER / "other"
    shutil.copytree(generation, folder)
    records = read_manifest(folder).parts
    parts = {name: replace(record, layout=f"{record.layout} of other code") for name, record in records.items()}
    digest = BuildStage(folder, build, parts=parts).seal().digest
    folder.rename(build / GENERATIONS_FOLDER / digest)
    return digest


def flip_bit(path: Path, chosen: random.Random) -> None:
    """Flip one bit of a file."""
    data = bytearray(path.read_bytes())
    data[chosen.randrange(len(data))] ^= 1 << chosen.randrange(7)
    path.write_bytes(data)
