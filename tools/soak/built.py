"""The build folder of a run: builds in it, what was current when, and a copy of each generation for those who judge."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from corpus.generation import CURRENT_LINK, DIGEST_PATTERN, GENERATIONS_FOLDER, current_digest

LOOK_INTERVAL = 0.01  # seconds between two looks at what is current
PATIENCE = 900  # seconds that a build may take
SMALL_FILE = 64 * 1024  # bytes of the longest file where the disk is full
# What may stand in a build folder when nobody builds.
EXPECTED_NAMES = re.compile(rf"{GENERATIONS_FOLDER}|{CURRENT_LINK}|next|\.lock")
MAX_GENERATIONS = 3  # generations that may stand in it


class BuildResult(NamedTuple):
    """A build that has ended: ``code`` of its process (negative: the signal), what it ``said``, in ``seconds``."""

    code: int
    said: str
    seconds: float


class BuildFolder:
    """``folder``: the build folder · ``copies``: a build folder for each generation that was ever published, under its
    digest, with nothing else in it · ``timeline``: (moment, what was current from then on, "" for nothing sound).
    """

    def __init__(self, work: Path, corpus: Path, origin: str, disk: int):
        self.folder, self.copies = work / "build", work / "copies"
        self._env = os.environ | {"LEXBRIDGE_CORPUS": str(corpus), "LEXBRIDGE_BUILD": str(self.folder)}
        self._env["LEXBRIDGE_URL"] = origin
        self.timeline: list[tuple[float, str]] = []
        self.busy: list[tuple[float, float]] = []  # when somebody built or judged: the machine was not quiet
        self._spoiled = threading.Event()
        self.folder.mkdir()
        self.copies.mkdir()
        self.mounted = _mount_disk(self.folder, disk)
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def env(self) -> dict[str, str]:
        """What a command needs to know of this folder."""
        return self._env

    @property
    def current(self) -> str:
        """The digest that is current; "" where there is none."""
        return current_digest(self.folder) or ""

    @contextmanager
    def mark_busy(self) -> Iterator[None]:
        """For the time the machine is not quiet."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.busy.append((began, time.monotonic()))

    def start(self, small_disk: bool = False) -> subprocess.Popen:
        """A build in a group of processes of its own; ``small_disk``: no file of it may be long."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_FILE, SMALL_FILE))
        return subprocess.Popen(
            [sys.executable, "-m", "scripts.cli", "build"],
            env=self._env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=limit if small_disk else None,  # noqa: PLW1509 – it calls nothing that waits
        )

    def build(self, small_disk: bool = False) -> BuildResult:
        """A build to its end; what it published is copied."""
        with self.mark_busy():
            began = time.monotonic()
            running = self.start(small_disk)
            try:
                said, _ = running.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                kill_group(running)
                said = f"It had not ended after {PATIENCE} s."
            seconds = time.monotonic() - began
            if running.returncode == 0:
                self.copy_current()
        return BuildResult(running.returncode, said, seconds)

    def copy_current(self) -> None:
        """The current generation is kept for those who judge."""
        digest, target = self.current, self.copies / self.current
        if digest and not target.exists():
            shutil.copytree(self.folder / GENERATIONS_FOLDER / digest, target / GENERATIONS_FOLDER / digest)
            (target / CURRENT_LINK).symlink_to(f"{GENERATIONS_FOLDER}/{digest}")

    def generation_folder(self, digest: str) -> Path:
        """The folder of a generation in the build folder."""
        return self.folder / GENERATIONS_FOLDER / digest

    def copied_generation(self, digest: str) -> Path:
        """The copy of a generation's folder."""
        return self.copies / digest / GENERATIONS_FOLDER / digest

    def point_current(self, target: str) -> None:
        """``current`` leads there: at once, as a person would do it who knows how."""
        fresh = self.folder / ".pointed"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target)
        with suppress(OSError):
            if (self.folder / CURRENT_LINK).is_dir() and not (self.folder / CURRENT_LINK).is_symlink():
                shutil.rmtree(self.folder / CURRENT_LINK)
        fresh.replace(self.folder / CURRENT_LINK)

    @contextmanager
    def spoil_current(self) -> Iterator[None]:
        """For the time nothing that ``current`` leads to is sound; afterwards it leads to what it led to before."""
        good = self.current
        self._spoiled.set()
        try:
            yield
        finally:
            if not self.generation_folder(good).is_dir():
                shutil.copytree(self.copied_generation(good), self.generation_folder(good))
            self.point_current(f"{GENERATIONS_FOLDER}/{good}")
            self._spoiled.clear()

    def find_debris(self) -> list[str]:
        """What stands in the build folder and should not, when nobody builds."""
        odd = [p.name for p in self.folder.iterdir() if not EXPECTED_NAMES.fullmatch(p.name)]
        kept = sorted(p.name for p in (self.folder / GENERATIONS_FOLDER).iterdir())
        odd += [f"{GENERATIONS_FOLDER}/{name}" for name in kept if not DIGEST_PATTERN.fullmatch(name)]
        return odd + ([f"{len(kept)} generations"] if len(kept) > MAX_GENERATIONS else [])

    @contextmanager
    def fill_disk(self) -> Iterator[bool]:
        """For the time the disk is full; whether it is, or whoever builds must be told that files are to be small."""
        if not self.mounted:
            yield False
            return
        ballast = self.folder / GENERATIONS_FOLDER / "ballast"
        space = os.statvfs(self.folder)
        try:
            with ballast.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, max(1, (space.f_bavail - 16) * space.f_frsize))
            yield True
        finally:
            ballast.unlink(missing_ok=True)

    @contextmanager
    def make_read_only(self) -> Iterator[bool]:
        """For the time nothing can be written; whether that could be done (nothing is read-only to root)."""
        if self.mounted:
            _mount("-o", "remount,ro", str(self.folder))
        elif os.geteuid():
            self.folder.chmod(0o555)
            (self.folder / GENERATIONS_FOLDER).chmod(0o555)
        try:
            yield self.mounted or bool(os.geteuid())
        finally:
            if self.mounted:
                _mount("-o", "remount,rw", str(self.folder))
            elif os.geteuid():
                self.folder.chmod(0o755)
                (self.folder / GENERATIONS_FOLDER).chmod(0o755)

    def unmount(self) -> None:
        """The disk goes, with all that is on it."""
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=False)  # noqa: S603, S607

    def _watch(self) -> None:
        while True:
            now = "" if self._spoiled.is_set() else self.current
            if not self.timeline or self.timeline[-1][1] != now:
                self.timeline.append((time.monotonic(), now))
            time.sleep(LOOK_INTERVAL)


def kill_group(running: subprocess.Popen) -> None:
    """A program and all that it started are killed."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.wait()


def _mount(*arguments: str) -> bool:
    done = subprocess.run(["mount", *arguments], capture_output=True, check=False)  # noqa: S603, S607
    return done.returncode == 0


def _mount_disk(folder: Path, megabytes: int) -> bool:
    """Whether the folder is a disk of its own, of that size: only where it goes with the run (see ``__main__``)."""
    ours = os.environ.get("LEXBRIDGE_SOAK_MOUNTS") == "1"
    return ours and _mount("-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder))
