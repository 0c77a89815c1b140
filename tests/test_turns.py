"""The turns of requests in a process: short ones go first, each goes on, and none is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from types import SimpleNamespace

import pytest

from app import turns
from app.middleware import CacheMiddleware
from app.turns import Turns
from corpus.time_limit import TimeLimitError, check_time, limit_time

PATIENCE = 30  # seconds after which something that was waited for will not come


@pytest.fixture(autouse=True)
def never_stuck(monkeypatch):
    monkeypatch.setattr(turns, "STUCK_SECONDS", PATIENCE)


class Clock(threading.local):
    """The processor time of each thread, in milliseconds that a test lets pass."""

    spent = 0

    def __call__(self) -> float:
        return self.spent / 1000


class Process:
    """A process whose requests take their turns; ``steps``: the name of the request that did each piece of work."""

    def __init__(self):
        self.clock, self.steps, self.refused = Clock(), [], []
        self.turns, self.threads = Turns(self.clock), []

    def ask(self, name: str, *costs: int, client: str = "") -> None:
        """Send a request whose pieces of work cost so much. Returns when it waits for its turn."""

        def work() -> None:
            try:
                with self.turns.take(client or name) as check:
                    for cost in costs:
                        self.clock.spent += cost
                        self.steps.append(name)
                        check(self.clock())
            except TimeLimitError:
                self.refused.append(name)

        waiting = len(self.turns._line)
        self.threads.append(threading.Thread(target=work, daemon=True))
        self.threads[-1].start()
        until(lambda: len(self.turns._line) > waiting)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """A context in which a request works, so that all others wait. At its end all are answered."""
        with self.turns.take("busy"):
            yield
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        assert self.turns._working is None and not self.turns._line and not self.turns._clients


def until(true) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_short_requests_do_not_wait_for_long_ones():
    process = Process()
    with process.busy():
        for name in "ABC":
            process.ask(name, 30, 30, 30)
        process.ask("short", 5)
        process.ask("other", 5)
    assert process.steps == ["A", "B", "C", "short", "other", *"ABCABC"]


def test_a_short_request_that_comes_later_interrupts_a_long_one():
    process, began, go = Process(), threading.Event(), threading.Event()

    def long() -> None:
        with process.turns.take("long") as check:
            for _ in range(2):
                process.clock.spent += 30
                process.steps.append("long")
                began.set()
                go.wait(PATIENCE)
                check(process.clock())

    worker = threading.Thread(target=long)
    worker.start()
    began.wait(PATIENCE)
    process.ask("short", 5)
    go.set()
    worker.join(PATIENCE)
    assert process.steps == ["long", "short", "long"]


def test_requests_of_one_length_are_answered_in_order():
    process = Process()
    with process.busy():
        for name in "ABCD":
            process.ask(name, 5, 5)
    assert process.steps == [*"AABBCCDD"]


def test_the_first_request_of_a_client_comes_before_the_second_of_another():
    process = Process()
    with process.busy():
        for name in "ABC":
            process.ask(name, 30, 30, client="many")
        process.ask("D", 30, 30, client="one")
    assert process.steps == [*"ADBC", *"ADBC"]


def test_a_long_request_goes_on_beside_any_number_of_short_ones():
    process = Process()
    with process.busy():
        process.ask("long", *[10] * 10)
        for _ in range(60):
            process.ask("short", 15)
    at = [i for i, name in enumerate(process.steps) if name == "long"]
    assert at[-1] < len(process.steps) - 1
    assert max(b - a for a, b in pairwise(at)) <= 8


def test_of_too_many_requests_the_last_of_the_client_with_most_is_refused(monkeypatch):
    monkeypatch.setattr(turns, "MOST_WAITING", 2)
    process = Process()
    with process.busy():
        for name in "ABC":
            process.ask(name, 30, 30, client="many")
        process.ask("D", 30, 30, client="one")
        process.ask("short", 5)
    assert sorted(process.refused) == ["B", "C"]
    assert [name for name in process.steps if name in "AD"] == [*"ADAD"] and "short" in process.steps


def test_a_request_that_waits_for_something_else_loses_its_turn(monkeypatch):
    monkeypatch.setattr(turns, "STUCK_SECONDS", 0.01)
    process = Process()
    with process.turns.take("stuck") as check:
        process.ask("next", 5, 5)
        until(lambda: process.steps == ["next", "next"])
        check(1.0)
    process.threads[0].join(PATIENCE)
    assert process.turns._working is None


def test_a_request_that_fails_gives_its_turn_to_the_next():
    process = Process()

    def fail() -> None:
        with process.turns.take("wrong"):
            process.ask("next", 5)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    process.threads[0].join(PATIENCE)
    assert process.steps == ["next"] and process.turns._working is None


def test_work_lets_others_go_first_at_each_check_of_its_time():
    seen: list[float] = []
    with limit_time(60, seen.append):
        check_time()
        with limit_time(None):
            check_time()
        check_time()
    check_time()
    assert len(seen) == 2 and seen == sorted(seen)


class Site:
    """A cache before an application that waits for ``go``; ``drawn``: what it drew, ``answers``: what was sent."""

    def __init__(self, *failures: Exception):
        self.go, self.drawn, self.answers, self.failures = threading.Event(), [], [], list(failures)
        self.cache = CacheMiddleware(self.draw, self, True, lambda *_: None)

    def snapshot(self) -> SimpleNamespace:
        return SimpleNamespace(version=("digest", 0))

    def draw(self, environ, start_response):
        self.drawn.append(environ["PATH_INFO"])
        self.go.wait(PATIENCE)
        if self.failures:
            raise self.failures.pop(0)
        start_response("200 OK", [("Cache-Control", "public, max-age=9")])
        return [environ["PATH_INFO"].encode()]

    def ask(self, path: str) -> threading.Thread:
        def work() -> None:
            with suppress(ArithmeticError):
                environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "ui=pl"}
                self.answers.append(b"".join(self.cache(environ, lambda *_: None)))

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        return thread

    def finish(self, threads) -> None:
        self.go.set()
        for thread in threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        assert not self.cache._drawings._drawn and not self.cache._drawings._followers


def test_what_many_ask_for_at_once_is_drawn_once():
    site = Site()
    threads = [site.ask("/a") for _ in range(5)]
    until(lambda: site.cache._drawings._followers == 4)
    threads.append(site.ask("/b"))
    until(lambda: "/b" in site.drawn)
    site.finish(threads)
    assert site.drawn == ["/a", "/b"] and sorted(site.answers) == [b"/a"] * 5 + [b"/b"]


def test_who_waited_for_an_answer_that_failed_draws_it_anew():
    site = Site(ArithmeticError())
    threads = [site.ask("/a")]
    until(lambda: site.drawn)
    threads.append(site.ask("/a"))
    until(lambda: site.cache._drawings._followers == 1)
    site.finish(threads)
    assert site.drawn == ["/a", "/a"] and site.answers == [b"/a"]


def test_only_so_many_wait_for_the_same_answer(monkeypatch):
    monkeypatch.setattr(turns, "MOST_FOLLOWERS", 2)
    site = Site()
    threads = [site.ask("/a")]
    until(lambda: site.drawn)
    threads += [site.ask("/a") for _ in range(4)]
    until(lambda: len(site.drawn) == 3)
    site.finish(threads)
    assert len(site.drawn) == 3 and site.answers == [b"/a"] * 5
