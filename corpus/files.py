"""A table as a person wrote it: a header, then rows of cells that tabs separate. Nothing is quoted."""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from time import perf_counter
from typing import Any, Protocol, TypeAlias

import regex

from corpus.model import Problem


class Place(Protocol):
    """A file or folder: a :class:`pathlib.Path`, or :class:`Held`. ``str`` of it is what messages name."""

    @property
    def name(self) -> str:
        """The last part of its path."""

    @property
    def stem(self) -> str:
        """Its name without the ending."""

    def __truediv__(self, name: str, /) -> Place:
        """What stands under a name in the folder, there or not."""

    def exists(self) -> bool:
        """Whether there is such a file or folder."""

    def read_bytes(self) -> bytes:
        """What the file holds; raises :class:`OSError` when it cannot be read."""

    def read_text(self, encoding: str) -> str:
        """The same as text."""

    def glob(self, pattern: str, /) -> Iterable[Place]:
        """What stands right in the folder under a name like the pattern, in any order."""


@dataclass(frozen=True, eq=False)
class Held:
    """A folder in memory, or what stands at a path in it.

    ``files``: path from the folder → what the file holds · ``folder``: where they were read, for messages alone ·
    ``at``: the path, empty for the folder itself.

    >>> words = Held({"words/a.txt": b"one"}, Path("built")) / "words"
    >>> [file.name for file in words.glob("*.txt")], (words / "a.txt").read_text("utf-8"), (words / "b").exists()
    (['a.txt'], 'one', False)
    """

    files: Mapping[str, bytes]
    folder: Path
    at: str = ""

    def __str__(self) -> str:
        return str(self.folder / self.at)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return PurePosixPath(self.at).name

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return PurePosixPath(self.at).stem

    def __truediv__(self, name: str, /) -> Held:
        return Held(self.files, self.folder, f"{self.at}/{name}" if self.at else name)

    def exists(self) -> bool:
        """Whether there is such a file or folder."""
        return self.at in self.files or any(self._inside())

    def read_bytes(self) -> bytes:
        """What the file holds; raises :class:`FileNotFoundError`."""
        if self.at not in self.files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self))
        return self.files[self.at]

    def read_text(self, encoding: str) -> str:
        """The same as text, line ends as they are."""
        return self.read_bytes().decode(encoding)

    def glob(self, pattern: str, /) -> list[Held]:
        """What stands right in the folder under a name like the pattern, by name."""
        return [self / name for name in sorted(set(self._inside())) if fnmatchcase(name, pattern)]

    def _inside(self) -> Iterator[str]:
        """The names of what stands right in it, each as often as there are files under it."""
        before = f"{self.at}/" if self.at else ""
        return (path.removeprefix(before).partition("/")[0] for path in self.files if path.startswith(before))


SECONDS = 10.0  # for all patterns of an edition together; ours take less than half a second
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
        started = perf_counter()
        try:
            return act(text, timeout=budget.left)
        except TimeoutError:
            raise TooSlow(self.pattern, text, budget.seconds) from None
        finally:
            budget.left -= perf_counter() - started


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


LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


class Prose(dict[str, str]):
    """A text by the code of its language; a plain one stands under "", for all readers."""


def language_problem(code: str) -> tuple[str, str] | None:
    """Why a text cannot be the code of a language, and what to do; None when it can."""
    if LANGUAGE.fullmatch(code):
        return None
    return f"“{code}” is no code of a language.", "Write a code like “de”, the name of a file in languages/."


MOST_TOLD = 200  # problems of a file's form; who has more has written another file


class Refused(Exception):  # noqa: N818 – a file is refused, which is no error of the program
    """A file that cannot be used; ``problems`` say where and why."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


MOST = 5_000_000  # bytes, ten books of laws: of each character that is read the place is kept, and takes 400 bytes
# Tab, line feed, form feed and vertical tab are layout. The signs that turn the direction of a line around hide what
# stands in it; XML has no place for the last two.
STRANGE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffd\ufffe\uffff]"
)


def data(path: Place, name: str) -> bytes:
    """The bytes of a file; ``name``: its place in the corpus.

    Raises FileNotFoundError when there is none, :class:`corpus.checked.Refused` for anything but a plain file of that
    size at that place.
    """
    if not isinstance(path, Path):  # held in memory, and proved when it was read
        return path.read_bytes()
    if any(at.is_symlink() for at in (path, *path.parents[: name.count("/")])):
        raise _refused(name, "It is a link, or stands behind one.", "Put the file itself here; links are not followed.")
    try:
        found = path.stat()
    except FileNotFoundError:
        raise
    except OSError as error:
        finding = f"The file cannot be read ({error.strerror})."
        raise _refused(name, finding, "Make it a readable file.") from None
    if not stat.S_ISREG(found.st_mode):
        raise _refused(name, "The file cannot be read: it is no plain file.", "Make it a readable file.")
    if found.st_size > MOST:
        finding = f"The file has {found.st_size:,} bytes, more than {MOST:,}."
        raise _refused(name, finding, "Take out what is no text of it, or divide it.")
    try:
        return path.read_bytes()
    except OSError as error:
        finding = f"The file cannot be read ({error.strerror})."
        raise _refused(name, finding, "Make it a readable file.") from None


def is_there(path: Place) -> bool:
    """Whether anything stands at a place, be it a link that leads nowhere: then it is told, and not passed over."""
    return path.exists() or (isinstance(path, Path) and path.is_symlink())


def read_text(path: Place, name: str) -> str:
    """A file about the texts: UTF-8, its lines ended by a line feed. Raises as :func:`data` does."""
    written = data(path, name)
    try:
        return written.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = written[: error.start].count(b"\n") + 1
        finding = f"The file cannot be read. Byte {written[error.start]:#04x} is not UTF-8."
        raise Refused([Problem(name, line, finding, "Save it as UTF-8.")]) from None


def strange(line: str) -> str:
    r"""What no text has, as “U+0007”; empty for a text.

    >>> strange("Law\t16"), strange("a\u202eb")
    ('', 'U+202E')
    """
    found = STRANGE.search(line)
    return f"U+{ord(found[0]):04X}" if found else ""


def _refused(name: str, finding: str, move: str) -> Refused:
    return Refused([Problem(name, 1, finding, move)])


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
        text = read_text(path, name)
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
    if found := strange(value):
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


_LONGEST = 500  # characters of a header


@dataclass(frozen=True)
class Sheet:
    """A file that was read: its columns, the rows as (line, cell by column), and the problems of its form.

    ``fatal``: whether its problems keep the corpus from being published.
    """

    name: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[int, dict[str, str]], ...] = ()
    problems: tuple[Problem, ...] = ()
    fatal: bool = True

    def problem(self, line: int, finding: str, move: str) -> Problem:
        """Something wrong in a line."""
        return Problem(self.name, line, finding, move, self.fatal)


def number(cell: str) -> int | None:
    """The number of a line or column that a cell states; None for anything else.

    >>> number("12"), number("²"), number("")
    (12, None, None)
    """
    return int(cell) if re.fullmatch("[0-9]{1,9}", cell) else None


def read_tsv(
    path: Place, name: str, columns: Sequence[str] = (), *, fatal: bool = True, remarks: bool = False
) -> Sheet:
    """The table at a path; a missing file is one without rows. ``name`` is how problems name it.

    With ``columns`` the header is these, and every row has a cell for each; else the header is what it is, and empty
    cells at the end of a row may be left out. ``remarks``: lines that begin with “#” are no rows, above the header too.
    """
    sheet = Sheet(name, fatal=fatal)
    try:
        written = read_text(path, name).split("\n")
    except FileNotFoundError:
        return sheet
    except Refused as refused:
        return replace(sheet, problems=tuple(replace(problem, fatal=fatal) for problem in refused.problems))
    lines = [(n, line) for n, line in enumerate(written, 1) if not (remarks and line.startswith("#"))] or [(1, "")]
    (first, header), *below = lines
    named = tuple(header.split("\t"))
    if len(header) > _LONGEST or (columns and named != tuple(columns)):
        move = f"Write {' TAB '.join(columns or ('the names of the columns',))}."
        return replace(sheet, problems=(sheet.problem(first, f"The header is “{header[:_LONGEST]}”.", move),))
    rows, problems = [], []
    for number, line in below:
        cells = line.split("\t")
        if found := strange(line):
            finding = f"{found} stands in the line: it is no character of a text."
            problems.append(sheet.problem(number, finding, "Take it out."))
        elif len(cells) > len(named) or (columns and line.strip() and len(cells) < len(named)):
            move = f"Write {', '.join(named)}, separated by tabs."
            problems.append(sheet.problem(number, f"{len(cells)} cells, the header has {len(named)}.", move))
        elif line.strip():
            cells += [""] * (len(named) - len(cells))
            rows.append((number, dict(zip(named, cells, strict=True))))
    return Sheet(name, named, tuple(rows), tuple(problems[:MOST_TOLD]), fatal)
