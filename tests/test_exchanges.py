"""A real server over real builds, while workers and the main process are killed: all answers are of one generation."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from strangers import write_edition

from corpus.generation import CURRENT_LINK, GENERATIONS_FOLDER, current_digest
from tests.broken import KEYS, WITH_BREAK
from tools.soak.hazards import copy_with_other_layout, flip_bit
from tools.soak.served import ServerProcess, free_port
from tools.structure import ROOT

ANSWERS = 1000  # after each exchange
PER_CONNECTION = 25  # a new connection may lead to another worker
EXCHANGES = 10
GROWTH = 1.5  # times its first memory that a server may have after so many exchanges
PATIENCE = 30  # seconds


@pytest.fixture(scope="module")
def two_builds(tmp_path_factory) -> tuple[Path, str, str]:
    """A build folder with two generations of two texts: (folder, the older, the newer); the newer one is current."""
    work = tmp_path_factory.mktemp("two")
    digests = []
    for name, text in (("one", WITH_BREAK), ("two", WITH_BREAK.replace("for tests", "for all tests"))):
        corpus = write_edition(work / name, text, KEYS)
        env = os.environ | {"LEXBRIDGE_CORPUS": str(corpus), "LEXBRIDGE_BUILD": str(work / "build")}
        subprocess.run([sys.executable, "-m", "scripts.cli", "build"], cwd=ROOT, env=env, check=True)
        digests.append(current_digest(work / "build"))
    assert len(set(digests)) == 2
    return work / "build", *digests


class Site:
    """A build folder with two generations, and the server over it. It serves the older one at first."""

    def __init__(self, folder: Path, older: str, newer: str, served: ServerProcess):
        self.folder, self.older, self.newer, self.served = folder, older, newer, served

    def generation(self, digest: str) -> Path:
        return self.folder / GENERATIONS_FOLDER / digest

    def point_current(self, digest: str) -> None:
        link = self.folder / ".pointed"
        link.symlink_to(f"{GENERATIONS_FOLDER}/{digest}")
        link.replace(self.folder / CURRENT_LINK)

    def damage(self, digest: str) -> None:
        path = next(p for p in sorted((self.generation(digest) / "corpus").iterdir()) if p.stat().st_size > 9)
        flip_bit(path, random.Random(1))

    def kill_workers(self, count: int = 99) -> None:
        before = set(self.served.workers()[:count])
        self.served.kill_workers(count)
        until(lambda: not before & set(self.served.workers()), "the end of what was killed")
        self.served.wait_until_complete()

    def answers(self, count: int = ANSWERS) -> set[str]:
        """The digests, shortened, that so many answers name."""
        named = set()
        for _ in range(count // PER_CONNECTION):
            connection = HTTPConnection("127.0.0.1", self.served.port, timeout=PATIENCE)
            for _ in range(PER_CONNECTION):
                connection.request("GET", "/xx-2030/1?ui=en")
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200
                named.add(re.match(r'(?:W/)?"([0-9a-f]{16})\.', answer.getheader("ETag"))[1])
            connection.close()
        return named

    def memory(self) -> float:
        """The memory of the server in MB: what several of its processes share is counted once."""
        kilobytes = 0
        for pid in (self.served.main, *self.served.workers()):
            text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
            kilobytes += int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1])
        return kilobytes / 1024

    def main_seconds(self) -> float:
        """The seconds of a core that the main process and its trials have used."""
        fields = Path(f"/proc/{self.served.main}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def until(holds, what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.02)


@contextmanager
def running(two_builds: tuple[Path, str, str], work: Path) -> Iterator[Site]:
    built, older, newer = two_builds
    shutil.copytree(built, work / "build", symlinks=True)
    env = os.environ | {"LEXBRIDGE_BUILD": str(work / "build"), "LEXBRIDGE_URL": ""}
    site = Site(work / "build", older, newer, ServerProcess(env, free_port(), 2, work / "log"))
    site.point_current(older)
    site.served.start()
    try:
        yield site
    finally:
        site.served.kill()


@pytest.fixture
def site(two_builds, tmp_path) -> Iterator[Site]:
    with running(two_builds, tmp_path) as made:
        yield made


def test_after_ten_exchanges_with_deaths_all_answers_are_of_one_generation(site):
    assert site.answers() == {site.older[:16]}
    first = site.memory()
    for number in range(EXCHANGES):
        digest = (site.newer, site.older)[number % 2]
        before = set(site.served.workers())
        site.point_current(digest)
        if number % 3 == 1:  # while it is opened
            os.kill(min(before), signal.SIGKILL)
        site.served.wait_until_taken(digest)
        until(lambda old=before: not old & set(site.served.workers()), "the end of the workers before")
        if number % 3 == 2:
            site.kill_workers()
        assert site.answers() == {digest[:16]}
    site.served.wait_until_complete()
    assert site.memory() < GROWTH * first


def test_damage_and_then_deaths_bring_nothing_old_and_nothing_damaged(site):
    site.damage(site.newer)
    site.point_current(site.newer)
    until(lambda: site.served.read_health()[1]["refused"], "the refusal")
    for count in (1, 99):
        site.kill_workers(count)
        assert site.answers() == {site.older[:16]}
    status, said = site.served.read_health()
    assert (status, said["served"], said["current"]) == (200, site.older, site.newer)
    (refusal,) = said["refused"]
    assert refusal["digest"] == site.newer and "is not the file that was built" in refusal["why"]
    assert said["reason"] == refusal["why"] and site.served.read_health("?strict=1")[0] == 503
    assert site.served.count_refusals(site.newer) == 1


def test_a_start_over_damage_serves_the_newest_sound_generation(site):
    site.served.kill()
    site.damage(site.newer)
    site.point_current(site.newer)
    site.served.start()
    assert site.answers() == {site.older[:16]}
    site.kill_workers()
    assert site.answers() == {site.older[:16]}
    status, said = site.served.read_health()
    assert (status, said["served"]) == (200, site.older) and [r["digest"] for r in said["refused"]] == [site.newer]
    assert f"Generation {site.older} is served instead of the current one." in site.served.log.read_text("utf-8")


def test_a_generation_of_other_code_is_refused_once_and_costs_nothing_afterwards(site):
    digest = copy_with_other_layout(site.generation(site.newer), site.folder)
    site.point_current(digest)
    until(lambda: site.served.read_health()[1]["refused"], "the refusal")
    site.kill_workers()
    used, began = site.main_seconds(), time.monotonic()
    assert site.answers() == {site.older[:16]}
    time.sleep(max(0, 2 - (time.monotonic() - began)))
    assert site.main_seconds() - used < 0.1 * (time.monotonic() - began)
    assert site.served.count_refusals(digest) == 1
    assert "of other code”, which this version does not read" in site.served.read_health()[1]["reason"]
    site.point_current(site.newer)
    site.served.wait_until_taken(site.newer)
    assert site.served.read_health()[1]["refused"] == [] and site.served.read_health("?strict=1")[0] == 200
