"""A stage becomes the current generation: synced, named by its digest, and then one rename. Whoever is killed at any
moment leaves ``current`` as it was before or as it is after.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

from corpus.generation import manifest
from corpus.generation.manifest import DIGEST, Files
from corpus.generation.opened import CURRENT, FOLDER, NEXT, Generation, latest
from corpus.generation.stage import GONE, LINK, Stage, remove
from corpus.store import StoreError, sync

KEPT = 2  # generations that stay beside the current one: for who is reading them, and to go back to


def publish(stage: Stage) -> str:
    """Make what stands in a stage the current generation; returns its digest. ``next`` is removed: it is older.

    Raises :class:`OSError` when something cannot be written; then the generation before stays current.
    """
    files = _finished(stage.folder)
    digest = manifest.digest_of(files)
    (stage.folder / manifest.FILE).write_bytes(manifest.written(files))
    _readable(stage.folder)
    generations = stage.build / FOLDER
    generations.mkdir(exist_ok=True)
    generations.chmod(0o755)
    target = generations / digest
    if not _is_sound(target):
        if target.exists() or target.is_symlink():
            target.rename(stage.build / f"{GONE}{digest}-{os.getpid()}")
        stage.folder.rename(target)
    _stamp(generations, target)
    sync(generations)
    link = stage.build / f"{LINK}{os.getpid()}"
    link.symlink_to(f"{FOLDER}/{digest}")
    link.replace(stage.build / CURRENT)
    sync(stage.build)
    clear(stage.build)
    return digest


def _finished(folder: Path) -> Files:
    """The sha256 of every file of a folder."""
    files = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            files[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return files


def _readable(folder: Path) -> None:
    """Everybody may read what stands in a folder, whatever the umask says; and it is on the disk."""
    for path in (*folder.rglob("*"), folder):
        mode = 0o755 if path.is_dir() else 0o644
        if path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
        sync(path)


def _is_sound(folder: Path) -> bool:
    """Whether it holds the generation that it is named after."""
    try:
        Generation.of(folder)
    except StoreError:
        return False
    return True


def _stamp(generations: Path, newest: Path) -> None:
    """The time of each folder orders them by when they became current; a clock that was set back orders them, too."""
    before = max((path.stat().st_mtime_ns for path in generations.iterdir() if path != newest), default=0)
    now = max(time.time_ns(), before + 1)
    os.utime(newest, ns=(now, now))


def clear(build: Path) -> None:
    """What is not the current generation nor one of those before it goes, and so does ``next``. Nothing is left half
    removed under a name of a generation; what cannot be removed now is tried again by the next build.
    """
    current = latest(build)
    known = [p for p in (build / FOLDER).iterdir() if DIGEST.fullmatch(p.name) and p.name != current]
    old = sorted(known, key=lambda path: path.stat().st_mtime_ns, reverse=True)[KEPT:]
    for path in (*old, build / NEXT):
        if path.exists():
            with suppress(OSError):
                path.rename(build / f"{GONE}{path.name}-{os.getpid()}")
    for path in build.glob(f"{GONE}*"):
        remove(path)
