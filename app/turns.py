"""Requests of a process that wait for each other: :class:`Turns` for the processor, :class:`Drawings` for an answer.

A process has one lock of Python. So one request works at a time, and short ones go first.
"""

from __future__ import annotations

import sys
import threading
import time
from bisect import insort
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial

from corpus.time_limit import TimeLimitError

# -- Turns ---

# Processor time of a request at level 0. At each further level it is twice as much.
LEVEL_SECONDS = 0.02
# The oldest request that waits has this share of the time of those before it, so it goes on under any load.
OLDEST_SHARE = 0.1
# The least time of the oldest request at once, when it goes before others for this share.
OLDEST_SECONDS = 0.01
# A request that works lets others go first at most this often.
LEAST_SECONDS = 0.001
# Requests above level 0 that may wait in a process. It has more threads (scripts/server.py): some are always free.
MOST_WAITING = 24
# Python's switch interval while a request works: the thread that reads and sends needs the lock for a moment. Else it
# is Python's own, which costs stored and cached answers less.
SWITCH_SECONDS = 0.0005
IDLE_SWITCH_SECONDS = sys.getswitchinterval()
# A request that has not checked its time for so long waits for something else than the processor.
STUCK_SECONDS = 2.0


class Turn:
    """The place of one request in :class:`Turns`.

    Its ``level`` rises with the processor time ``taken``. ``before``: how many requests of its client were there when
    it came. ``number``: the order in which requests came.
    """

    def __init__(self, client: str, before: int, number: int):
        self.client, self.before, self.number = client, before, number
        self.level, self.taken = 0, 0.0  # seconds of the processor, until it was last counted
        self.since = self.checked = self.until = 0.0  # processor times of its thread
        self.is_beside = self.is_refused = False
        self.go = threading.Lock()
        self.go.acquire()

    @property
    def place(self) -> tuple[int, int, int]:
        """Its place in the line; the smallest one is the next to work."""
        return self.level, self.before, self.number


class Turns:
    """Lets the requests of a process work one at a time, first those that have taken the least time so far.

    A request has a level, which rises with the processor time that it has taken. When it checks its time, it lets those
    of lower levels go first. So a short request does not wait for long ones. At one level, the first request of a
    client comes before the second one of another. Of more than ``MOST_WAITING`` one is refused, of a client with many.

    No answer depends on this order. So a request that waits for something else, as for a lock that another one has,
    only loses its turn: it works beside the next one.
    """

    def __init__(self, clock: Callable[[], float] = time.thread_time):
        """``clock``: the processor time of the thread that calls it."""
        self._clock = clock
        self._guard = threading.Lock()
        self._working: Turn | None = None
        self._line: list[Turn] = []  # those that wait, by place
        self._clients: Counter[str] = Counter()  # client → its requests
        self._count = 0
        self._owed = 0.0  # seconds for which the oldest request goes before the others

    @contextmanager
    def take(self, client: str) -> Iterator[Callable[[float], None]]:
        """A context that is entered when the request of a client may work. Its value is called with the processor time
        of the thread at each check of the time, and may wait there.

        The value raises :class:`corpus.time_limit.TimeLimitError` when too many requests wait.
        """
        with self._guard:
            turn = Turn(client, self._clients[client], self._count)
            self._clients[client] += 1
            self._count += 1
            insort(self._line, turn, key=lambda each: each.place)
            if self._working is None:
                self._hand_on()
        self._wait(turn)
        try:
            yield partial(self._check, turn)
        finally:
            with self._guard:
                self._clients[client] -= 1
                self._clients += Counter()  # without those that have no request
                if self._working is turn:
                    self._count_time(turn, self._clock())
                    self._hand_on()

    def _check(self, turn: Turn, now: float) -> None:
        """Let others go first if it is their turn."""
        turn.checked = now
        if now < turn.until or turn.is_beside or not self._line:
            return
        with self._guard:
            if self._working is not turn:
                return
            self._count_time(turn, now)
            insort(self._line, turn, key=lambda each: each.place)
            long = [each for each in self._line if each.level]
            if len(long) > MOST_WAITING:
                refused = max(long, key=lambda each: (each.before, each.number))
                self._line.remove(refused)
                refused.is_refused = refused.is_beside = True
                refused.go.release()
            self._hand_on()
        self._wait(turn)

    def _count_time(self, turn: Turn, now: float) -> None:
        """Count the time that a turn has taken since the last count."""
        taken = now - turn.since
        turn.since, turn.taken = now, turn.taken + taken
        turn.level = int(turn.taken / LEVEL_SECONDS).bit_length()
        if any(each.number < turn.number for each in self._line):
            self._owed += taken * OLDEST_SHARE
        else:
            self._owed = max(0.0, self._owed - taken)

    def _hand_on(self) -> None:
        """Let the next request work, if there is one."""
        self._working = None
        if self._line:
            oldest = self._owed >= OLDEST_SECONDS
            self._working = min(self._line, key=lambda each: each.number) if oldest else self._line[0]
            self._line.remove(self._working)
            self._working.go.release()
        sys.setswitchinterval(SWITCH_SECONDS if self._working else IDLE_SWITCH_SECONDS)

    def _wait(self, turn: Turn) -> None:
        """Return when it is the turn of a request. A turn that is stuck meanwhile is handed on."""
        seen: tuple[Turn | None, float] | None = None
        while not turn.go.acquire(timeout=STUCK_SECONDS):
            with self._guard:
                found = self._working, self._working.checked if self._working else 0.0
                if self._working and found == seen:
                    self._working.is_beside = True
                    self._hand_on()
                seen = found
        if turn.is_refused:
            raise TimeLimitError
        turn.since = turn.checked = self._clock()
        turn.until = turn.since + (self._owed if self._owed >= OLDEST_SECONDS else LEAST_SECONDS)


# -- Drawings ---

MOST_FOLLOWERS = 16  # requests that may wait in a process until another one has drawn what they ask for


class Drawings:
    """The answers that a process draws at the moment. Who asks for the same one waits until it can be in the cache."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._drawn: dict[Hashable, threading.Event] = {}  # what is being drawn → set when it is there
        self._followers = 0

    @contextmanager
    def join(self, key: Hashable) -> Iterator[bool]:
        """A context in which an answer may be drawn. Its value says whether another request was waited for."""
        with self._guard:
            drawn = self._drawn.get(key)
            follows = drawn is not None and self._followers < MOST_FOLLOWERS
            self._followers += follows
            if drawn is None:
                mine = self._drawn[key] = threading.Event()
        if follows and drawn:
            drawn.wait()
            with self._guard:
                self._followers -= 1
        try:
            yield follows
        finally:
            if drawn is None:
                with self._guard:
                    del self._drawn[key]
                mine.set()
