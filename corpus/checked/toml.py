"""A TOML file as a person wrote it: its tables, and the line of each key.

tomllib tells no lines. A file that it could read is read again, statement by statement, when a line is asked for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias

from corpus.checked import MOST_TOLD, Refused, file
from corpus.model import Problem
from corpus.place import Place

# Where a value stands: keys, and places in a list from 0: ("levels", 1, "labels", 0).
At: TypeAlias = tuple[str | int, ...]
Lines: TypeAlias = tuple[int, int]  # the first and the last, 1-based
# What no file of ours needs, and what takes a file that has it for ever: dots of a key, values in values, and
# characters that are read again to tell a line.
_DOTS, _DEEPEST, _WORK = 300, 40, 5_000_000
_ENDS = ("]", "}", '"""', "'''")  # what a statement of several lines ends with
_TOO_DEEP = ("Its tables and lists stand too deeply in each other.", "Write it flat, as the documentation shows it.")


@dataclass(frozen=True)
class Written:
    """A file that could be read. ``name`` is how problems name it."""

    name: str
    text: str
    data: dict[str, Any]

    def problem(self, at: At, finding: str, move: str, words: str = "", *, fatal: bool = True) -> Problem:
        """Something wrong with what stands at a place; ``words``: those of its value that tell its line."""
        return Problem(self.name, self.line(at, words), finding, move, fatal)

    def problem_of(self, words: str, finding: str, move: str) -> Problem:
        """Something wrong with words of the file, wherever they stand first."""
        line = next((n for n, line in enumerate(self._lines, 1) if words in line), 1)
        return Problem(self.name, line, finding, move)

    def line(self, at: At, words: str = "") -> int:
        r"""The line of a key, a table or an element; of one that is not there, the line of the table that lacks it.

        A statement of several lines: the one with the words, else with the key, else the first.

        >>> file = Written("x.toml", 'a = 1\n[[b]]\nc = 2\n[[b]]\nd = [\n "x",\n "y"]', {})
        >>> file.line(("b",)), file.line(("b", 1)), file.line(("b", 1, "d", 1), "y"), file.line(("b", 0, "e"))
        (2, 4, 7, 2)
        """
        first, last = next(self._places[at[:n]] for n in range(len(at), -1, -1) if at[:n] in self._places)
        lines = list(enumerate(self._lines[first - 1 : last], first))
        keys = [str(step) for step in reversed(at) if isinstance(step, str)][:1]
        return next((n for sought in (words, *keys) if sought for n, line in lines if sought in line), first)

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def _places(self) -> dict[At, Lines]:
        places: dict[At, Lines] = {(): (1, 1)}
        elements: dict[At, int] = {}  # array of tables → the place of its last one
        table: At = ()
        for lines, data in _statements(self.text):
            head = self._lines[lines[0] - 1].lstrip()
            if head.startswith("["):
                table = _table(data, elements, new=head.startswith("[["))
                found: Iterator[At] = (table[:n] for n in range(1, len(table) + 1))
            else:
                found = ((*table, *at) for at in _within(data))
            for at in found:
                places.setdefault(at, lines)
        return places


def read_toml(path: Place, name: str, missing: tuple[str, str]) -> Written:
    """The file, or :class:`Refused`; ``missing``: what is said, and to be done, when there is none."""
    try:
        text = file.read_text(path, name)
    except FileNotFoundError:
        raise Refused([Problem(name, 1, *missing)]) from None
    if dotted := next((n for n, line in enumerate(text.split("\n"), 1) if line.count(".") > _DOTS), 0):
        finding = f"A line with more than {_DOTS} dots."
        raise Refused([Problem(name, dotted, finding, "Break the text into lines; a key has few parts.")])
    try:
        written = Written(name, text, tomllib.loads(text))
    except RecursionError:
        raise Refused([Problem(name, 1, *_TOO_DEEP)]) from None
    except ValueError as error:
        stated = re.search(r"line (\d+)", str(error))
        hint = " A pattern with a backslash stands in single quotes." if "escape" in str(error) else ""
        line = int(stated[1]) if stated else text.count("\n") + 1
        finding = f"The file cannot be read. Not TOML: {error}."
        raise Refused([Problem(name, line, finding, f"Correct the line.{hint}")]) from None
    if wrong := list(islice(_wrong(written), MOST_TOLD)):
        raise Refused(wrong)
    return written


def _wrong(written: Written) -> Iterator[Problem]:
    """Values that no key of ours can have, wherever they stand."""
    left: list[tuple[At, Any]] = [((), written.data)]
    while left:
        at, value = left.pop()
        if len(at) > _DEEPEST:
            yield Problem(written.name, 1, *_TOO_DEEP)
            return
        if isinstance(value, dict):
            left += [((*at, key), v) for key, v in reversed(value.items())]
            yield from _no_text(written, at, "".join(value))
        elif isinstance(value, list):
            left += [((*at, n), v) for n, v in reversed(list(enumerate(value)))]
        elif isinstance(value, str):
            yield from _no_text(written, at, value)
        elif type(value) is int and abs(value) >= 1 << 63:
            yield written.problem(at, "A number of more than 64 bits.", "Write a smaller one.")


def _no_text(written: Written, at: At, value: str) -> Iterator[Problem]:
    if found := file.strange(value):
        yield written.problem(at, f"{found} stands here: it is no character of a text.", "Take it out.")


def _statements(text: str) -> Iterator[tuple[Lines, dict[str, Any]]]:
    """Each header or key with its value, read for itself: a statement ends with the first line that makes it TOML. Of a
    file that would take too long, the first of them.
    """
    kept: list[str] = []
    size = work = 0
    for number, line in enumerate(text.split("\n"), 1):
        kept.append(line)
        size += len(line)
        if len(kept) > 1 and not any(end in line for end in _ENDS):
            continue
        work += size
        if work > _WORK:
            return
        try:
            data = tomllib.loads("\n".join(kept))
        except tomllib.TOMLDecodeError:
            continue
        if data:
            yield (number - len(kept) + 1, number), data
        kept, size = [], 0


def _table(data: Any, elements: dict[At, int], *, new: bool) -> At:
    """The place that a header opens; ``new``: a further element of an array of tables."""
    at: At = ()
    while data:
        key, data = next(iter(data.items()))
        at = (*at, key)
        if isinstance(data, list):
            data = data[0]
        if new and not data:
            elements[at] = elements.get(at, -1) + 1
        at = (*at, elements[at]) if at in elements else at
    return at


def _within(data: Any) -> Iterator[At]:
    """The places of all that a value holds, from inside it."""
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in steps:
        yield (step,)
        yield from ((step, *at) for at in _within(value))
