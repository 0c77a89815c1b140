"""The build folder of a run: its builds, what was current when, and a copy of each generation for the judges."""

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

from corpus.generation import CURRENT_LINK, DIGEST_PATTERN, GENERATIONS_FOLDER, SERVED_LINK, current_digest

LOOK_INTERVAL = 0.01  # seconds between two checks of what is current
PATIENCE = 900  # seconds that a build may take
SMALL_FILE = 64 * 1024  # bytes of the longest file, where a full disk is imitated
# Names that may stand in a build folder when no build runs.
EXPECTED_NAMES = re.compile(rf"{GENERATIONS_FOLDER}|{CURRENT_LINK}|{SERVED_LINK}|next|\.lock")
MAX_GENERATIONS = 4  # generations that may be in it: the current one, two before it, and one that is served


class BuildResult(NamedTuple):
    """A build that has ended: exit ``code`` (negative: the signal), output ``said``, and ``seconds``."""

    code: int
    said: str
    seconds: float


class BuildFolder:
    """The build folder of a run.

    - ``folder``: the build folder.
    - ``copies``: a build folder for each generation that was ever published, under its digest, with nothing else in
      it.
    - ``timeline``: (moment, digest that was current from then on; "" where nothing was sound).
    """

    def __init__(self, work: Path, corpus: Path, origin: str, disk: int):
        self.folder, self.copies = work / "build", work / "copies"
        self._env = os.environ | {"LEXBRIDGE_CORPUS": str(corpus), "LEXBRIDGE_BUILD": str(self.folder)}
        self._env["LEXBRIDGE_URL"] = origin
        self.timeline: list[tuple[float, str]] = []
        self.busy: list[tuple[float, float]] = []  # (from, to) when a build or an oracle kept the machine busy
        self._spoiled = threading.Event()
        self.folder.mkdir()
        self.copies.mkdir()
        self.mounted = _mount_disk(self.folder, disk)
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def env(self) -> dict[str, str]:
        """The environment of a command that uses this folder."""
        return self._env

    @property
    def current(self) -> str:
        """The digest that is current; "" where there is none."""
        return current_digest(self.folder) or ""

    @contextmanager
    def record_busy_time(self) -> Iterator[None]:
        """Record in ``busy`` when the block began and ended: meanwhile the machine was busy."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.busy.append((began, time.monotonic()))

    def start(self, small_disk: bool = False) -> subprocess.Popen:
        """Start a build in a process group of its own. ``small_disk``: the build cannot write long files, as if the
        disk were full.
        """
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
        """Run a build to its end, copy what it published, and return its result."""
        with self.record_busy_time():
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
        """Copy the current generation for the judges."""
        digest, target = self.current, self.copies / self.current
        if digest and not target.exists():
            shutil.copytree(self.folder / GENERATIONS_FOLDER / digest, target / GENERATIONS_FOLDER / digest)
            (target / CURRENT_LINK).symlink_to(f"{GENERATIONS_FOLDER}/{digest}")

    def generation_folder(self, digest: str) -> Path:
        """Return the folder of a generation in the build folder."""
        return self.folder / GENERATIONS_FOLDER / digest

    def copied_generation_folder(self, digest: str) -> Path:
        """Return the copy of a generation's folder."""
        return self.copies / digest / GENERATIONS_FOLDER / digest

    def point_current(self, target: str) -> None:
        """Point ``current`` at a target in one step, as a skilled administrator does it."""
        fresh = self.folder / ".pointed"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target)
        with suppress(OSError):
            if (self.folder / CURRENT_LINK).is_dir() and not (self.folder / CURRENT_LINK).is_symlink():
                shutil.rmtree(self.folder / CURRENT_LINK)
        fresh.replace(self.folder / CURRENT_LINK)

    @contextmanager
    def allow_spoiled_current(self) -> Iterator[None]:
        """Allow that ``current`` is spoiled in the block; afterwards restore the generation that it pointed at."""
        good = self.current
        self._spoiled.set()
        try:
            yield
        finally:
            if not self.generation_folder(good).is_dir():
                shutil.copytree(self.copied_generation_folder(good), self.generation_folder(good))
            self.point_current(f"{GENERATIONS_FOLDER}/{good}")
            self._spoiled.clear()

    def find_debris(self) -> list[str]:
        """Return the names of what stands in the build folder and should not be there when no build runs, and the
        number of generations if there are too many.
        """
        odd = [p.name for p in self.folder.iterdir() if not EXPECTED_NAMES.fullmatch(p.name)]
        kept = sorted(p.name for p in (self.folder / GENERATIONS_FOLDER).iterdir())
        odd += [f"{GENERATIONS_FOLDER}/{name}" for name in kept if not DIGEST_PATTERN.fullmatch(name)]
        return odd + ([f"{len(kept)} generations"] if len(kept) > MAX_GENERATIONS else [])

    @contextmanager
    def fill_disk(self) -> Iterator[bool]:
        """Keep the disk full during the block; yield whether it is.

        Without a disk of its own the folder cannot be filled. Then start builds with ``small_disk``.
        """
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
        """Keep the folder read-only during the block; yield whether it is. For root without a disk it never is."""
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
        """Unmount the disk, with everything on it."""
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=False)  # noqa: S603, S607

    def _watch(self) -> None:
        """Record in ``timeline``, for ever, when another generation becomes current."""
        while True:
            now = "" if self._spoiled.is_set() else self.current
            if not self.timeline or self.timeline[-1][1] != now:
                self.timeline.append((time.monotonic(), now))
            time.sleep(LOOK_INTERVAL)


def kill_group(running: subprocess.Popen) -> None:
    """Kill a program and everything that it started."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.wait()


def _mount(*arguments: str) -> bool:
    done = subprocess.run(["mount", *arguments], capture_output=True, check=False)  # noqa: S603, S607
    return done.returncode == 0


def _mount_disk(folder: Path, megabytes: int) -> bool:
    """Mount a disk of this size at the folder; return whether it is mounted.

    It is only mounted where it vanishes with the run (``__main__._unshare_mounts``).
    """
    ours = os.environ.get("LEXBRIDGE_SOAK_MOUNTS") == "1"
    return ours and _mount("-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder))
