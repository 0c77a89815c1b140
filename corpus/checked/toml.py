"""A TOML file as a person wrote it: its tables, and the line of each key.

tomllib tells no lines. A file that it could read is read again, statement by statement, when a line is asked for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from corpus.checked import Refused
from corpus.model import Problem
from corpus.place import Place

# Where a value stands: keys, and places in a list from 0: ("levels", 1, "labels", 0).
At: TypeAlias = tuple[str | int, ...]
Lines: TypeAlias = tuple[int, int]  # the first and the last, 1-based


@dataclass(frozen=True)
class Written:
    """A file that could be read. ``name`` is how problems name it."""

    name: str
    text: str
    data: dict[str, Any]

    def problem(self, at: At, finding: str, move: str, words: str = "", *, fatal: bool = True) -> Problem:
        """Something wrong with what stands at a place; ``words``: those of its value that tell its line."""
        return Problem(self.name, self.line(at, words), finding, move, fatal)

    def line(self, at: At, words: str = "") -> int:
        r"""The line of a key, a table or an element; of one that is not there, the line of the table that lacks it.

        A statement of several lines: the one with the words, else with the key, else the first.

        >>> file = Written("x.toml", 'a = 1\n[[b]]\nc = 2\n[[b]]\nd = [\n "x",\n "y"]', {})
        >>> file.line(("b",)), file.line(("b", 1)), file.line(("b", 1, "d", 1), "y"), file.line(("b", 0, "e"))
        (2, 4, 7, 2)
        """
        first, last = next(self._places[at[:n]] for n in range(len(at), -1, -1) if at[:n] in self._places)
        lines = list(enumerate(self.text.split("\n"), 1))[first - 1 : last]
        keys = [str(step) for step in reversed(at) if isinstance(step, str)][:1]
        return next((n for sought in (words, *keys) if sought for n, line in lines if sought in line), first)

    @cached_property
    def _places(self) -> dict[At, Lines]:
        places: dict[At, Lines] = {(): (1, 1)}
        elements: dict[At, int] = {}  # array of tables → the place of its last one
        table: At = ()
        for lines, data in _statements(self.text):
            head = self.text.split("\n")[lines[0] - 1].lstrip()
            if head.startswith("["):
                table = _table(data, elements, new=head.startswith("[["))
                found: Iterator[At] = (table[:n] for n in range(1, len(table) + 1))
            else:
                found = ((*table, *at) for at in _within(data))
            for at in found:
                places.setdefault(at, lines)
        return places


def read(path: Place, name: str, missing: tuple[str, str]) -> Written:
    """The file, or :class:`Refused`; ``missing``: what is said, and to be done, when there is none."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise Refused([Problem(name, 1, *missing)]) from None
    except OSError as error:
        finding = f"The file cannot be read ({error.strerror})."
        raise Refused([Problem(name, 1, finding, "Make it a readable file.")]) from None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        return Written(name, text, tomllib.loads(text))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        finding = f"The file cannot be read. Byte {data[error.start]:#04x} is not UTF-8."
        raise Refused([Problem(name, line, finding, "Save it as UTF-8.")]) from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        stated = re.search(r"line (\d+)", str(error))
        hint = " A pattern with a backslash stands in single quotes." if "escape" in str(error) else ""
        line = int(stated[1]) if stated else text.count("\n") + 1
        finding = f"The file cannot be read. Not TOML: {error}."
        raise Refused([Problem(name, line, finding, f"Correct the line.{hint}")]) from None


def _statements(text: str) -> Iterator[tuple[Lines, dict[str, Any]]]:
    """Each header or key with its value, read for itself: a statement ends with the first line that makes it TOML."""
    kept: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        kept.append(line)
        try:
            data = tomllib.loads("\n".join(kept))
        except tomllib.TOMLDecodeError:
            continue
        if data:
            yield (number - len(kept) + 1, number), data
        kept = []


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
