"""Patterns that stand in data: a stranger may have written them, so what they do has a limit in time.

Their syntax is that of ``re``; they are matched by ``regex``, which can stop (docs/why/patterns-with-a-limit.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from time import thread_time
from typing import Any

import regex

# Of the processor, for all patterns of an edition together; ours take less than half a second. What other programs take
# does not count: a busy machine loses no edition.
SECONDS = 10.0
LONGEST = 2_000  # characters of a pattern


class TooSlow(Exception):  # noqa: N818 – a pattern is refused, which is no error of the program
    """A pattern took all the time that was left; ``text`` is what it was tried on."""

    def __init__(self, pattern: str, text: str, seconds: float):
        self.pattern, self.text, self.seconds = pattern, text, seconds
        super().__init__(f"The patterns took longer than {seconds:g} seconds; “{pattern}” was the last.")


class _Budget:
    """What is left of the time of several patterns."""

    def __init__(self, seconds: float):
        self.seconds = self.left = seconds


_BUDGET: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def limited(seconds: float | None = None) -> Iterator[None]:
    """All patterns that are matched inside share so many seconds (:data:`SECONDS`); outside, each match has them."""
    token = _BUDGET.set(_Budget(SECONDS if seconds is None else seconds))
    try:
        yield
    finally:
        _BUDGET.reset(token)


class Limited:
    """A pattern with the methods of ``re``; each raises :class:`TooSlow` when the time is up."""

    def __init__(self, pattern: str):
        self.pattern = pattern
        self._regex = regex.compile(pattern)

    def match(self, text: str) -> re.Match[str] | None:
        """A match at the beginning of a text."""
        found: re.Match[str] | None = self._within(text, self._regex.match)
        return found

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """A match of a text as a whole."""
        found: re.Match[str] | None = self._within(text, self._regex.fullmatch)
        return found

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in a text."""
        found: re.Match[str] | None = self._within(text, self._regex.search)
        return found

    def finditer(self, text: str) -> list[re.Match[str]]:
        """All matches in a text, one after the other."""
        found: list[re.Match[str]] = self._within(text, lambda *of, **limit: list(self._regex.finditer(*of, **limit)))
        return found

    def _within(self, text: str, act: Callable[..., Any]) -> Any:
        budget = _BUDGET.get() or _Budget(SECONDS)
        if budget.left <= 0:
            raise TooSlow(self.pattern, text, budget.seconds)
        started = thread_time()
        try:
            return act(text, timeout=budget.left)
        except TimeoutError:
            raise TooSlow(self.pattern, text, budget.seconds) from None
        finally:
            budget.left -= thread_time() - started


@cache
def compiled(pattern: str) -> Limited:
    """The pattern, ready; raises ``re.error`` (or what else :mod:`re` raises) with what is wrong with it."""
    if len(pattern) > LONGEST:
        raise re.error(f"it has {len(pattern)} characters, more than {LONGEST}")
    re.compile(pattern)
    try:
        return Limited(pattern)
    except regex.error as error:
        raise re.error(str(error)) from None


def groups(pattern: str) -> frozenset[str]:
    """The names of the groups of a pattern; raises as :func:`compiled` does."""
    compiled(pattern)
    return frozenset(re.compile(pattern).groupindex)
