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
from time import thread_time
from typing import Any, Protocol, TypeAlias

import regex

from corpus.model import Problem


class ReadablePath(Protocol):
    """A file or folder: a :class:`pathlib.Path`, or :class:`MemoryPath`. ``str`` of it is what messages name."""

    @property
    def name(self) -> str:
        """The last part of its path."""

    @property
    def stem(self) -> str:
        """Its name without the ending."""

    def __truediv__(self, name: str, /) -> ReadablePath:
        """What stands under a name in the folder, there or not."""

    def exists(self) -> bool:
        """Whether there is such a file or folder."""

    def read_bytes(self) -> bytes:
        """What the file holds; raises :class:`OSError` when it cannot be read."""

    def read_text(self, encoding: str) -> str:
        """The same as text."""

    def glob(self, pattern: str, /) -> Iterable[ReadablePath]:
        """What stands right in the folder under a name like the pattern, in any order."""


@dataclass(frozen=True, eq=False)
class MemoryPath:
    """A folder in memory, or what stands at a path in it.

    ``files``: path from the folder → what the file holds · ``folder``: where they were read, for messages alone ·
    ``at``: the path, empty for the folder itself.

    >>> words = MemoryPath({"words/a.txt": b"one"}, Path("built")) / "words"
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

    def __truediv__(self, name: str, /) -> MemoryPath:
        return MemoryPath(self.files, self.folder, f"{self.at}/{name}" if self.at else name)

    def exists(self) -> bool:
        """Whether there is such a file or folder."""
        return self.at in self.files or any(self._names_inside())

    def read_bytes(self) -> bytes:
        """What the file holds; raises :class:`FileNotFoundError`."""
        if self.at not in self.files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self))
        return self.files[self.at]

    def read_text(self, encoding: str) -> str:
        """The same as text, line ends as they are."""
        return self.read_bytes().decode(encoding)

    def glob(self, pattern: str, /) -> list[MemoryPath]:
        """What stands right in the folder under a name like the pattern, by name."""
        return [self / name for name in sorted(set(self._names_inside())) if fnmatchcase(name, pattern)]

    def _names_inside(self) -> Iterator[str]:
        """The names of what stands right in it, each as often as there are files under it."""
        before = f"{self.at}/" if self.at else ""
        return (path.removeprefix(before).partition("/")[0] for path in self.files if path.startswith(before))


# Of the processor, for all patterns of an edition together; ours take less than half a second. What other programs take
# does not count: a busy machine loses no edition.
PATTERN_SECONDS = 10.0
LONGEST_PATTERN = 2_000  # characters of a pattern


class PatternTooSlow(Exception):  # noqa: N818 – a pattern is refused, which is no error of the program
    """A pattern took all the time that was left; ``text`` is what it was tried on."""

    def __init__(self, pattern: str, text: str, seconds: float):
        self.pattern, self.text, self.seconds = pattern, text, seconds
        super().__init__(f"The patterns took longer than {seconds:g} seconds; “{pattern}” was the last.")


class _TimeBudget:
    """What is left of the time of several patterns."""

    def __init__(self, seconds: float):
        self.seconds = self.left = seconds


_TIME_BUDGET: ContextVar[_TimeBudget | None] = ContextVar("budget", default=None)


@contextmanager
def limit_pattern_time(seconds: float | None = None) -> Iterator[None]:
    """All patterns matched inside share so many seconds (:data:`PATTERN_SECONDS`); outside, each match has them."""
    token = _TIME_BUDGET.set(_TimeBudget(PATTERN_SECONDS if seconds is None else seconds))
    try:
        yield
    finally:
        _TIME_BUDGET.reset(token)


class TimedPattern:
    """A pattern with the methods of ``re``; each raises :class:`PatternTooSlow` when the time is up."""

    def __init__(self, pattern: str):
        self.pattern = pattern
        self._regex = regex.compile(pattern)

    def match(self, text: str) -> re.Match[str] | None:
        """A match at the beginning of a text."""
        found: re.Match[str] | None = self._run_in_time(text, self._regex.match)
        return found

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """A match of a text as a whole."""
        found: re.Match[str] | None = self._run_in_time(text, self._regex.fullmatch)
        return found

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in a text."""
        found: re.Match[str] | None = self._run_in_time(text, self._regex.search)
        return found

    def finditer(self, text: str) -> list[re.Match[str]]:
        """All matches in a text, one after the other."""
        found: list[re.Match[str]] = self._run_in_time(
            text, lambda *of, **limit: list(self._regex.finditer(*of, **limit))
        )
        return found

    def _run_in_time(self, text: str, act: Callable[..., Any]) -> Any:
        budget = _TIME_BUDGET.get() or _TimeBudget(PATTERN_SECONDS)
        if budget.left <= 0:
            raise PatternTooSlow(self.pattern, text, budget.seconds)
        started = thread_time()
        try:
            return act(text, timeout=budget.left)
        except TimeoutError:
            raise PatternTooSlow(self.pattern, text, budget.seconds) from None
        finally:
            budget.left -= thread_time() - started


@cache
def compile_pattern(pattern: str) -> TimedPattern:
    """The pattern, ready; raises ``re.error`` (or what else :mod:`re` raises) with what is wrong with it."""
    if len(pattern) > LONGEST_PATTERN:
        raise re.error(f"it has {len(pattern)} characters, more than {LONGEST_PATTERN}")
    re.compile(pattern)
    try:
        return TimedPattern(pattern)
    except regex.error as error:
        raise re.error(str(error)) from None


def group_names(pattern: str) -> frozenset[str]:
    """The names of the groups of a pattern; raises as :func:`compile_pattern` does."""
    compile_pattern(pattern)
    return frozenset(re.compile(pattern).groupindex)


LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


class LocalizedText(dict[str, str]):
    """A text by the code of its language; a plain one stands under "", for all readers."""


def language_problem(code: str) -> tuple[str, str] | None:
    """Why a text cannot be the code of a language, and what to do; None when it can."""
    if LANGUAGE_CODE.fullmatch(code):
        return None
    return f"“{code}” is no code of a language.", "Write a code like “de”, the name of a file in languages/."


MOST_PROBLEMS = 200  # problems of a file's form; who has more has written another file


class InvalidFile(Exception):  # noqa: N818 – a file is refused, which is no error of the program
    """A file that cannot be used; ``problems`` say where and why."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


LARGEST_TEXT_FILE = (
    5_000_000  # bytes, ten books of laws: of each character that is read the place is kept, and takes 400 bytes
)
# Tab, line feed, form feed and vertical tab are layout. The signs that turn the direction of a line around hide what
# stands in it; XML has no place for the last two.
CONTROL_CHARACTER = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffd\ufffe\uffff]"
)


def read_file_bytes(path: ReadablePath, name: str) -> bytes:
    """The bytes of a file; ``name``: its place in the corpus.

    Raises FileNotFoundError when there is none, :class:`InvalidFile` for anything but a plain file of that
    size at that place.
    """
    if not isinstance(path, Path):  # held in memory, and proved when it was read
        return path.read_bytes()
    if any(at.is_symlink() for at in (path, *path.parents[: name.count("/")])):
        raise _invalid_file(
            name, "It is a link, or stands behind one.", "Put the file itself here; links are not followed."
        )
    try:
        found = path.stat()
    except FileNotFoundError:
        raise
    except OSError as error:
        finding = f"The file cannot be read ({error.strerror})."
        raise _invalid_file(name, finding, "Make it a readable file.") from None
    if not stat.S_ISREG(found.st_mode):
        raise _invalid_file(name, "The file cannot be read: it is no plain file.", "Make it a readable file.")
    if found.st_size > LARGEST_TEXT_FILE:
        finding = f"The file has {found.st_size:,} bytes, more than {LARGEST_TEXT_FILE:,}."
        raise _invalid_file(name, finding, "Take out what is no text of it, or divide it.")
    try:
        return path.read_bytes()
    except OSError as error:
        finding = f"The file cannot be read ({error.strerror})."
        raise _invalid_file(name, finding, "Make it a readable file.") from None


def exists_or_is_link(path: ReadablePath) -> bool:
    """Whether anything stands at a place, be it a link that leads nowhere: then it is told, and not passed over."""
    return path.exists() or (isinstance(path, Path) and path.is_symlink())


def read_text(path: ReadablePath, name: str) -> str:
    """A file about the texts: UTF-8, its lines ended by a line feed. Raises as :func:`read_file_bytes` does."""
    written = read_file_bytes(path, name)
    try:
        return written.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = written[: error.start].count(b"\n") + 1
        finding = f"The file cannot be read. Byte {written[error.start]:#04x} is not UTF-8."
        raise InvalidFile([Problem(name, line, finding, "Save it as UTF-8.")]) from None


def find_control_character(line: str) -> str:
    r"""What no text has, as “U+0007”; empty for a text.

    >>> find_control_character("Law\t16"), find_control_character("a\u202eb")
    ('', 'U+202E')
    """
    found = CONTROL_CHARACTER.search(line)
    return f"U+{ord(found[0]):04X}" if found else ""


def _invalid_file(name: str, finding: str, move: str) -> InvalidFile:
    return InvalidFile([Problem(name, 1, finding, move)])


# Where a value stands: keys, and places in a list from 0: ("levels", 1, "labels", 0).
KeyPath: TypeAlias = tuple[str | int, ...]
LineRange: TypeAlias = tuple[int, int]  # the first and the last, 1-based
# What no file of ours needs, and what takes a file that has it for ever: dots of a key, values in values, and
# characters that are read again to tell a line.
_MOST_DOTS, _DEEPEST_NESTING, _MOST_PARSED_CHARACTERS = 300, 40, 5_000_000
_STATEMENT_ENDS = ("]", "}", '"""', "'''")  # what a statement of several lines ends with
_TOO_DEEP = ("Its tables and lists stand too deeply in each other.", "Write it flat, as the documentation shows it.")


@dataclass(frozen=True)
class TomlFile:
    """A file that could be read. ``name`` is how problems name it."""

    name: str
    text: str
    data: dict[str, Any]

    def problem(self, at: KeyPath, finding: str, move: str, words: str = "", *, fatal: bool = True) -> Problem:
        """Something wrong with what stands at a place; ``words``: those of its value that tell its line."""
        return Problem(self.name, self.line_of(at, words), finding, move, fatal)

    def problem_with_words(self, words: str, finding: str, move: str) -> Problem:
        """Something wrong with words of the file, wherever they stand first."""
        line = next((n for n, line in enumerate(self._lines, 1) if words in line), 1)
        return Problem(self.name, line, finding, move)

    def line_of(self, at: KeyPath, words: str = "") -> int:
        r"""The line of a key, a table or an element; of one that is not there, the line of the table that lacks it.

        A statement of several lines: the one with the words, else with the key, else the first.

        >>> file = TomlFile("x.toml", 'a = 1\n[[b]]\nc = 2\n[[b]]\nd = [\n "x",\n "y"]', {})
        >>> line_of = file.line_of
        >>> line_of(("b",)), line_of(("b", 1)), line_of(("b", 1, "d", 1), "y"), line_of(("b", 0, "e"))
        (2, 4, 7, 2)
        """
        first, last = next(self._lines_by_key[at[:n]] for n in range(len(at), -1, -1) if at[:n] in self._lines_by_key)
        lines = list(enumerate(self._lines[first - 1 : last], first))
        keys = [str(step) for step in reversed(at) if isinstance(step, str)][:1]
        return next((n for sought in (words, *keys) if sought for n, line in lines if sought in line), first)

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def _lines_by_key(self) -> dict[KeyPath, LineRange]:
        places: dict[KeyPath, LineRange] = {(): (1, 1)}
        elements: dict[KeyPath, int] = {}  # array of tables → the place of its last one
        table: KeyPath = ()
        for lines, data in _parse_statements(self.text):
            head = self._lines[lines[0] - 1].lstrip()
            if head.startswith("["):
                table = _header_place(data, elements, new=head.startswith("[["))
                found: Iterator[KeyPath] = (table[:n] for n in range(1, len(table) + 1))
            else:
                found = ((*table, *at) for at in _places_within(data))
            for at in found:
                places.setdefault(at, lines)
        return places


def read_toml(path: ReadablePath, name: str, missing: tuple[str, str]) -> TomlFile:
    """The file, or :class:`InvalidFile`; ``missing``: what is said, and to be done, when there is none."""
    try:
        text = read_text(path, name)
    except FileNotFoundError:
        raise InvalidFile([Problem(name, 1, *missing)]) from None
    if dotted := next((n for n, line in enumerate(text.split("\n"), 1) if line.count(".") > _MOST_DOTS), 0):
        finding = f"A line with more than {_MOST_DOTS} dots."
        raise InvalidFile([Problem(name, dotted, finding, "Break the text into lines; a key has few parts.")])
    try:
        written = TomlFile(name, text, tomllib.loads(text))
    except RecursionError:
        raise InvalidFile([Problem(name, 1, *_TOO_DEEP)]) from None
    except ValueError as error:
        stated = re.search(r"line (\d+)", str(error))
        hint = " A pattern with a backslash stands in single quotes." if "escape" in str(error) else ""
        line = int(stated[1]) if stated else text.count("\n") + 1
        finding = f"The file cannot be read. Not TOML: {error}."
        raise InvalidFile([Problem(name, line, finding, f"Correct the line.{hint}")]) from None
    if wrong := list(islice(_invalid_values(written), MOST_PROBLEMS)):
        raise InvalidFile(wrong)
    return written


def _invalid_values(written: TomlFile) -> Iterator[Problem]:
    """Values that no key of ours can have, wherever they stand."""
    left: list[tuple[KeyPath, Any]] = [((), written.data)]
    while left:
        at, value = left.pop()
        if len(at) > _DEEPEST_NESTING:
            yield Problem(written.name, 1, *_TOO_DEEP)
            return
        if isinstance(value, dict):
            left += [((*at, key), v) for key, v in reversed(value.items())]
            yield from _control_character_problems(written, at, "".join(value))
        elif isinstance(value, list):
            left += [((*at, n), v) for n, v in reversed(list(enumerate(value)))]
        elif isinstance(value, str):
            yield from _control_character_problems(written, at, value)
        elif type(value) is int and abs(value) >= 1 << 63:
            yield written.problem(at, "A number of more than 64 bits.", "Write a smaller one.")


def _control_character_problems(written: TomlFile, at: KeyPath, value: str) -> Iterator[Problem]:
    if found := find_control_character(value):
        yield written.problem(at, f"{found} stands here: it is no character of a text.", "Take it out.")


def _parse_statements(text: str) -> Iterator[tuple[LineRange, dict[str, Any]]]:
    """Each header or key with its value, read for itself: a statement ends with the first line that makes it TOML. Of a
    file that would take too long, the first of them.
    """
    kept: list[str] = []
    size = work = 0
    for number, line in enumerate(text.split("\n"), 1):
        kept.append(line)
        size += len(line)
        if len(kept) > 1 and not any(end in line for end in _STATEMENT_ENDS):
            continue
        work += size
        if work > _MOST_PARSED_CHARACTERS:
            return
        try:
            data = tomllib.loads("\n".join(kept))
        except tomllib.TOMLDecodeError:
            continue
        if data:
            yield (number - len(kept) + 1, number), data
        kept, size = [], 0


def _header_place(data: Any, elements: dict[KeyPath, int], *, new: bool) -> KeyPath:
    """The place that a header opens; ``new``: a further element of an array of tables."""
    at: KeyPath = ()
    while data:
        key, data = next(iter(data.items()))
        at = (*at, key)
        if isinstance(data, list):
            data = data[0]
        if new and not data:
            elements[at] = elements.get(at, -1) + 1
        at = (*at, elements[at]) if at in elements else at
    return at


def _places_within(data: Any) -> Iterator[KeyPath]:
    """The places of all that a value holds, from inside it."""
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in steps:
        yield (step,)
        yield from ((step, *at) for at in _places_within(value))


_LONGEST_HEADER = 500  # characters of a header


@dataclass(frozen=True)
class TsvTable:
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


def parse_number(cell: str) -> int | None:
    """The number of a line or column that a cell states; None for anything else.

    >>> parse_number("12"), parse_number("²"), parse_number("")
    (12, None, None)
    """
    return int(cell) if re.fullmatch("[0-9]{1,9}", cell) else None


def read_tsv(
    path: ReadablePath, name: str, columns: Sequence[str] = (), *, fatal: bool = True, remarks: bool = False
) -> TsvTable:
    """The table at a path; a missing file is one without rows. ``name`` is how problems name it.

    With ``columns`` the header is these, and every row has a cell for each; else the header is what it is, and empty
    cells at the end of a row may be left out. ``remarks``: lines that begin with “#” are no rows, above the header too.
    """
    sheet = TsvTable(name, fatal=fatal)
    try:
        written = read_text(path, name).split("\n")
    except FileNotFoundError:
        return sheet
    except InvalidFile as refused:
        return replace(sheet, problems=tuple(replace(problem, fatal=fatal) for problem in refused.problems))
    lines = [(n, line) for n, line in enumerate(written, 1) if not (remarks and line.startswith("#"))] or [(1, "")]
    (first, header), *below = lines
    named = tuple(header.split("\t"))
    if len(header) > _LONGEST_HEADER or (columns and named != tuple(columns)):
        move = f"Write {' TAB '.join(columns or ('the names of the columns',))}."
        return replace(sheet, problems=(sheet.problem(first, f"The header is “{header[:_LONGEST_HEADER]}”.", move),))
    rows, problems = [], []
    for number, line in below:
        cells = line.split("\t")
        if found := find_control_character(line):
            finding = f"{found} stands in the line: it is no character of a text."
            problems.append(sheet.problem(number, finding, "Take it out."))
        elif len(cells) > len(named) or (columns and line.strip() and len(cells) < len(named)):
            move = f"Write {', '.join(named)}, separated by tabs."
            problems.append(sheet.problem(number, f"{len(cells)} cells, the header has {len(named)}.", move))
        elif line.strip():
            cells += [""] * (len(named) - len(cells))
            rows.append((number, dict(zip(named, cells, strict=True))))
    return TsvTable(name, named, tuple(rows), tuple(problems[:MOST_PROBLEMS]), fatal)
