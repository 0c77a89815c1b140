"""Reads TOML and TSV files, on disk or in memory, with the line of each problem; makes patterns with a time limit.

:func:`read_toml` returns a :class:`TomlFile`, :func:`read_tsv` a :class:`TsvTable`. Problems have file, line and next
move. :class:`InvalidFile` is raised when a file cannot be used. :func:`compile_pattern` makes a regular
expression that cannot run for ever; its time is limited by :func:`limit_pattern_time`.
"""

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

# ── Paths ───────────────────────────────────────────────────────────────────────────────────────


class ReadablePath(Protocol):
    """A file or folder: a :class:`pathlib.Path` or a :class:`MemoryPath`. Messages show its ``str``."""

    @property
    def name(self) -> str:
        """The last part of the path."""

    @property
    def stem(self) -> str:
        """The name without the ending."""

    def __truediv__(self, name: str, /) -> ReadablePath:
        """The path of a name in the folder. It need not exist."""

    def exists(self) -> bool:
        """Whether the file or folder exists."""

    def read_bytes(self) -> bytes:
        """The content of the file. Raises :class:`OSError` when it cannot be read."""

    def read_text(self, encoding: str) -> str:
        """The content of the file as text."""

    def glob(self, pattern: str, /) -> Iterable[ReadablePath]:
        """The files and folders directly in the folder whose names match the pattern, in any order."""


@dataclass(frozen=True, eq=False)
class MemoryPath:
    """A folder in memory, or a path in it.

    ``files``: path from the folder → content. ``folder``: where the files were read; only messages use it. ``at``: the
    path, empty for the folder itself.

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
        """The last part of the path."""
        return PurePosixPath(self.at).name

    @property
    def stem(self) -> str:
        """The name without the ending."""
        return PurePosixPath(self.at).stem

    def __truediv__(self, name: str, /) -> MemoryPath:
        return MemoryPath(self.files, self.folder, f"{self.at}/{name}" if self.at else name)

    def exists(self) -> bool:
        """Whether the file or folder exists."""
        return self.at in self.files or any(self._names_inside())

    def read_bytes(self) -> bytes:
        """The content of the file. Raises :class:`FileNotFoundError`."""
        if self.at not in self.files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self))
        return self.files[self.at]

    def read_text(self, encoding: str) -> str:
        """The content of the file as text, with its line ends unchanged."""
        return self.read_bytes().decode(encoding)

    def glob(self, pattern: str, /) -> list[MemoryPath]:
        """The files and folders directly in the folder whose names match the pattern, sorted by name."""
        return [self / name for name in sorted(set(self._names_inside())) if fnmatchcase(name, pattern)]

    def _names_inside(self) -> Iterator[str]:
        """The names directly in the folder, each once for every file under it."""
        before = f"{self.at}/" if self.at else ""
        return (path.removeprefix(before).partition("/")[0] for path in self.files if path.startswith(before))


# ── Folders of data ────────────────────────────────────────────────────────────────────────────

# Name → the name in the release before. A corpus elsewhere may have it still; the next release reads the name alone.
OLD_FOLDER_NAMES = {"misprints": "slips", "paraphrases": "tellings"}


def find_renamed_folder(corpus_dir: Path, name: str) -> tuple[Path, list[Problem]]:
    """Return (path, problems) of a folder of the corpus whose name has changed. ``name`` is its present name.

    If only a folder of the old name exists, the path is that of the old folder. Each folder of the old name is a
    problem, not fatal. No folder needs to exist.
    """
    folder, old = corpus_dir / name, corpus_dir / OLD_FOLDER_NAMES[name]
    if not old.is_dir():
        return folder, []
    if folder.is_dir():
        finding, move = f"The folder “{old.name}” is not read beside “{name}”.", f"Move its files to “{name}”."
    else:
        finding, move = f"The folder “{old.name}” is called “{name}”.", "Rename it: the next release does not read it."
    return folder if folder.is_dir() else old, [Problem(old.name, 1, finding, move, fatal=False)]


# ── Patterns with a time limit ──────────────────────────────────────────────────────────────────

# Processor time for all patterns of an edition together; ours need less than half a second. The time of other programs
# does not count, so a busy machine refuses no edition.
PATTERN_SECONDS = 10.0
LONGEST_PATTERN = 2_000  # in characters


class PatternTooSlow(Exception):  # noqa: N818 – a pattern is refused, which is no error of the program
    """A pattern used up the time that was left. ``text`` is the text it was tried on, ``seconds`` the whole budget."""

    def __init__(self, pattern: str, text: str, seconds: float):
        self.pattern, self.text, self.seconds = pattern, text, seconds
        super().__init__(f"The patterns took longer than {seconds:g} seconds; “{pattern}” was the last.")


class _TimeBudget:
    """The time that is left for several patterns."""

    def __init__(self, seconds: float):
        self.seconds = self.left = seconds


_TIME_BUDGET: ContextVar[_TimeBudget | None] = ContextVar("budget", default=None)


@contextmanager
def limit_pattern_time(seconds: float | None = None) -> Iterator[None]:
    """A context in which all patterns share ``seconds`` (default :data:`PATTERN_SECONDS`).

    Outside of such a context each match has :data:`PATTERN_SECONDS` for itself.
    """
    token = _TIME_BUDGET.set(_TimeBudget(PATTERN_SECONDS if seconds is None else seconds))
    try:
        yield
    finally:
        _TIME_BUDGET.reset(token)


class TimedPattern:
    """A pattern with the methods of ``re``. Each method raises :class:`PatternTooSlow` when the time is used up."""

    def __init__(self, pattern: str):
        self.pattern = pattern
        self._regex = regex.compile(pattern)

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the start of a text, or None."""
        found: re.Match[str] | None = self._run_within_budget(text, self._regex.match)
        return found

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match of a whole text, or None."""
        found: re.Match[str] | None = self._run_within_budget(text, self._regex.fullmatch)
        return found

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in a text, or None."""
        found: re.Match[str] | None = self._run_within_budget(text, self._regex.search)
        return found

    def finditer(self, text: str) -> list[re.Match[str]]:
        """All matches in a text, in order."""
        found: list[re.Match[str]] = self._run_within_budget(
            text, lambda *of, **limit: list(self._regex.finditer(*of, **limit))
        )
        return found

    def _run_within_budget(self, text: str, act: Callable[..., Any]) -> Any:
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
    """The compiled pattern (cached). Raises ``re.error``, or another error of :mod:`re`, when it is wrong."""
    if len(pattern) > LONGEST_PATTERN:
        raise re.error(f"it has {len(pattern)} characters, more than {LONGEST_PATTERN}")
    re.compile(pattern)
    try:
        return TimedPattern(pattern)
    except regex.error as error:
        raise re.error(str(error)) from None


def group_names(pattern: str) -> frozenset[str]:
    """The names of the groups of a pattern. Raises as :func:`compile_pattern` does."""
    compile_pattern(pattern)
    return frozenset(re.compile(pattern).groupindex)


# ── Texts by language ───────────────────────────────────────────────────────────────────────────

LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


class LocalizedText(dict[str, str]):
    """A text by language code. A text for all readers has the key ""."""


def language_problem(code: str) -> tuple[str, str] | None:
    """Return (finding, next move) when a text cannot be a language code; None when it can."""
    if LANGUAGE_CODE.fullmatch(code):
        return None
    return f"“{code}” is no code of a language.", "Write a code like “de”, the name of a file in languages/."


# ── Files of bytes and text ─────────────────────────────────────────────────────────────────────

MOST_PROBLEMS = 200  # problems of a file's form that are reported; with more it is some other file


class InvalidFile(Exception):  # noqa: N818 – a file is refused, which is no error of the program
    """A file that cannot be used. ``problems`` say where and why."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


# In bytes: the size of ten books of laws. Each character that is read keeps its place, which takes 400 bytes.
LARGEST_TEXT_FILE = 5_000_000
# Tab, line feed, form feed and vertical tab are layout, so they are allowed. Signs that change the direction of a line
# hide its content. XML does not allow the last two.
CONTROL_CHARACTER = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffd\ufffe\uffff]"
)


def read_file_bytes(path: ReadablePath, name: str) -> bytes:
    """The bytes of a file. ``name`` is its place in the corpus.

    Raises FileNotFoundError when it is missing. Raises :class:`InvalidFile` when it is not a plain file of at most
    :data:`LARGEST_TEXT_FILE` bytes at that very place (links are not followed).
    """
    if not isinstance(path, Path):  # a file in memory was checked when it was read from disk
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
    """Whether anything is at a path, including a link that leads nowhere. Such a link is then reported, not ignored."""
    return path.exists() or (isinstance(path, Path) and path.is_symlink())


def read_text(path: ReadablePath, name: str) -> str:
    """The text of a UTF-8 file, with line feeds as line ends. Raises as :func:`read_file_bytes` does."""
    return decode_text(read_file_bytes(path, name), name)


def decode_text(written: bytes, name: str) -> str:
    """The text of the bytes of a UTF-8 file, with line feeds as line ends. ``name`` is its place in the corpus.

    Raises :class:`InvalidFile` when they are not UTF-8.
    """
    try:
        return written.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = written[: error.start].count(b"\n") + 1
        finding = f"The file cannot be read. Byte {written[error.start]:#04x} is not UTF-8."
        raise InvalidFile([Problem(name, line, finding, "Save it as UTF-8.")]) from None


def find_control_character(line: str) -> str:
    r"""Return the first character of a line that no text may have, as “U+0007”; empty when there is none.

    >>> find_control_character("Law\t16"), find_control_character("a\u202eb")
    ('', 'U+202E')
    """
    found = CONTROL_CHARACTER.search(line)
    return f"U+{ord(found[0]):04X}" if found else ""


def _invalid_file(name: str, finding: str, move: str) -> InvalidFile:
    return InvalidFile([Problem(name, 1, finding, move)])


# ── TOML ────────────────────────────────────────────────────────────────────────────────────────

# The place of a value in a file: keys, and indices from 0: ("levels", 1, "labels", 0).
KeyPath: TypeAlias = tuple[str | int, ...]
LineRange: TypeAlias = tuple[int, int]  # (first line, last line), 1-based
# Limits that no file of ours reaches; a file beyond them would take for ever: dots of a key, nested values, and
# characters that are parsed again to find lines.
_MOST_DOTS, _DEEPEST_NESTING, _MOST_PARSED_CHARACTERS = 300, 40, 5_000_000
_STATEMENT_ENDS = ("]", "}", '"""', "'''")  # the end of a statement of several lines
_TOO_DEEP = ("Its tables and lists stand too deeply in each other.", "Write it flat, as the documentation shows it.")


@dataclass(frozen=True)
class TomlFile:
    """A TOML file that was read. ``name`` is its name in problems."""

    name: str
    text: str
    data: dict[str, Any]

    def problem(self, at: KeyPath, finding: str, move: str, words: str = "", *, fatal: bool = True) -> Problem:
        """A problem with the value at a place. ``words`` of the value help to find its line.

        A ``fatal`` problem prevents the corpus from being published.
        """
        return Problem(self.name, self.line_of(at, words), finding, move, fatal)

    def problem_with_words(self, words: str, finding: str, move: str) -> Problem:
        """A problem with words of the file, at the first line that has them."""
        line = next((n for n, line in enumerate(self._lines, 1) if words in line), 1)
        return Problem(self.name, line, finding, move)

    def line_of(self, at: KeyPath, words: str = "") -> int:
        r"""Return the line of the key, table or element at the place ``at``.

        If nothing is there, it is the line of the table that lacks it. In a statement of several lines it is the line
        with the words, else with the key, else the first line.

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
        elements: dict[KeyPath, int] = {}  # array of tables → the index of its last element
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
    """Read a TOML file. Raises :class:`InvalidFile`; ``missing`` is (finding, next move) for a file that is missing."""
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
    if wrong := list(islice(_invalid_value_problems(written), MOST_PROBLEMS)):
        raise InvalidFile(wrong)
    return written


def _invalid_value_problems(written: TomlFile) -> Iterator[Problem]:
    """Yield problems of values that no key may have: nested too deeply, with control characters, too large."""
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
    """Yield (lines, data) for each header, and for each key with its value. ``lines`` are its first and last line.

    Each statement is parsed alone: it ends with the first line that completes it. A file that would take too long
    yields only its first statements.
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
    """Return the place of the table that a header opens.

    ``data`` is the header as it was parsed alone. ``new``: it adds an element to an array of tables. ``elements`` maps
    each such array to the index of its last element, and is updated.
    """
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
    """Yield the places of all values inside a TOML value, as keys and indices from that value on."""
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in steps:
        yield (step,)
        yield from ((step, *at) for at in _places_within(value))


# ── TSV ─────────────────────────────────────────────────────────────────────────────────────────

_LONGEST_HEADER = 500  # in characters


@dataclass(frozen=True)
class TsvTable:
    """A table that was read: its columns, its rows as (line, {column: cell}), and the problems of its form.

    A table has a header and rows of cells with tabs between them; nothing is quoted. ``fatal``: whether its problems
    prevent the corpus from being published.
    """

    name: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[int, dict[str, str]], ...] = ()
    problems: tuple[Problem, ...] = ()
    fatal: bool = True

    def problem(self, line: int, finding: str, move: str) -> Problem:
        """A problem in a line of the table."""
        return Problem(self.name, line, finding, move, self.fatal)


def parse_number(cell: str) -> int | None:
    """The number of a line or column in a cell, or None for anything else.

    >>> parse_number("12"), parse_number("²"), parse_number("")
    (12, None, None)
    """
    return int(cell) if re.fullmatch("[0-9]{1,9}", cell) else None


def read_tsv(
    path: ReadablePath, name: str, columns: Sequence[str] = (), *, fatal: bool = True, remarks: bool = False
) -> TsvTable:
    """Read the table at a path. A missing file is a table without rows. ``name`` is its name in problems.

    With ``columns`` the header must be these, and every row must have a cell for each of them. Without, any header is
    accepted, and empty cells at the end of a row may be left out. With ``remarks``, lines that begin with “#” are
    skipped, also above the header.
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
