"""Where the next generation is made: a new folder beside what is served, by one build at a time.

The lock dies with its process, so what stands here under a name of ours and is locked by nobody is debris of a build
that was killed, and is removed by the next.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from corpus.generation.opened import NEXT, Generation

LOCK = ".lock"
MAKING, LINK, GONE = ".making-", ".current-", ".gone-"  # names of what is not finished, or no longer wanted


class Busy(Exception):  # noqa: N818 – nothing went wrong: another build is at work
    """Another build is at work in the folder; the message says what to do."""


@dataclass(frozen=True)
class Stage:
    """``folder``: what a build fills with ``corpus/``, ``search/``, ``pages/`` · ``build``: the folder it stands in."""

    folder: Path
    build: Path

    def take_over(self, part: str, previous: Generation) -> None:
        """The files of a part as they are in a generation that holds them, proved: by hard link where the disk can."""
        for name in previous.names(f"{part}/"):
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(previous.folder / name, target)
            except OSError:
                target.write_bytes(previous.data(name))


@contextmanager
def alone(build: Path) -> Iterator[None]:
    """For the time, nobody else makes anything in a build folder; debris of those that were killed is removed.

    Raises :class:`Busy` when somebody does, :class:`OSError` when the folder cannot be written.
    """
    if not build.is_dir():
        build.mkdir(parents=True)
        build.chmod(0o755)
    with (build / LOCK).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            other = f" (process {lock.read(20).strip()})"
            raise Busy(f"Another build is at work in {build}{other}. Wait until it has ended.") from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        for prefix in (MAKING, LINK, GONE):
            for debris in build.glob(f"{prefix}*"):
                remove(debris)
        for debris in (build / NEXT).glob(".*"):
            remove(debris)
        yield


@contextmanager
def making(build: Path) -> Iterator[Stage]:
    """A stage that is removed in the end, unless it was published; who makes it is :func:`alone`."""
    folder = Path(tempfile.mkdtemp(prefix=MAKING, dir=build))
    try:
        yield Stage(folder, build)
    finally:
        remove(folder)


def remove(path: Path) -> None:
    """Whatever stands at a path is gone, as far as it can be removed; a link and not what it leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
