"""The inventory: which rows each reviewed table had when a person accepted it, ``inventory.tsv`` (docs/inventory.md).

Every TSV and TOML file of the corpus is a table, and so is every text of an edition. A row is known by its key: the
cells that say what it is about, the place of a value in a TOML file, or a line of a text with its number. What a row
finds out, such as a remark or a sentence, is not in its key.
:func:`inventory_problems` compares the tables with the inventory; :func:`accept_tables` writes its lines.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import tomllib
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from corpus import files
from corpus.edition import list_editions
from corpus.files import InvalidFile, KeyPath, TomlFile
from corpus.model import Problem

FILE = "inventory.tsv"
GONE = "gone"  # the digest of a table that was taken away
COLUMNS = ("table", "editions", "rows", "digest", "letters", "date", "reason")
# Reading proves the manifest of an edition against the source, and people change it to try things: never fatal.
EDITION_FILE = "edition.toml"
TEXT_ENDINGS = (".txt", ".html", ".htm")  # of the text of an edition
# Columns that say what a row is about. The first column of a table and the columns named after editions do so too.
KEY_COLUMNS = frozenset(
    "line column printed read entry subentry path condition kind name situation code row lang lemma word other "
    "through part".split()
)
# Each row has one letter, made from its key. The letters find the line of a row that is lost.
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MERGE_MARK = re.compile(r"(<{7}|={7}|>{7}|\|{7})( |$)")
# A cell as a spreadsheet writes it that puts cells with a comma or a quotation mark into quotation marks.
_QUOTED_CELL = re.compile(r'"(?=.*(,|""))([^"]|"")*"')
_ACCEPT_MOVE = "accept the table as it is: lexbridge inventory --accept"


@dataclass(frozen=True)
class TableRows:
    """The rows of a table as it stands.

    ``keys`` are those of its rows, and of its header if ``header`` is 1. ``line_of`` maps an index of ``keys`` to a
    line. ``faults``: the problems of rows that cannot be read; then there are no keys. ``notes``: other things that a
    person should look at.
    """

    name: str
    keys: tuple[str, ...] = ()
    header: int = 0
    line_of: Callable[[int], int] = lambda _: 1
    faults: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(self.keys) - self.header

    @property
    def digest(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of its keys, whatever their order."""
        return hashlib.sha256("\n".join(sorted(self.keys)).encode()).hexdigest()[:16]

    @property
    def letters(self) -> str:
        """A letter for each key, in order."""
        return "".join(_LETTERS[zlib.crc32(key.encode()) % len(_LETTERS)] for key in self.keys)


class InventoryLine(NamedTuple):
    """A line of the inventory: what a table had when it was accepted, on which day and for which reason.

    The fields are the columns of the file. ``digest`` is “gone” for a table that was taken away.
    """

    table: str
    editions: str
    rows: str
    digest: str
    letters: str
    date: str
    reason: str


# ── Reading tables ──────────────────────────────────────────────────────────────────────────────


def list_tables(corpus_dir: Path) -> list[str]:
    """The names of all tables: paths from the folder of the corpus, sorted. A hidden file or folder has none."""
    patterns = [f"{steps}*.{end}" for steps in ("", "*/", "*/*/") for end in ("tsv", "toml")]
    found = (
        path
        for pattern in (*patterns, *(f"editions/*/*{end}" for end in TEXT_ENDINGS))
        for path in corpus_dir.glob(pattern)
    )
    names = (path.relative_to(corpus_dir) for path in found)
    return sorted(
        n.as_posix() for n in names if not any(step.startswith((".", "_")) for step in n.parts) and str(n) != FILE
    )


def read_table(corpus_dir: Path, name: str, editions: Collection[str]) -> TableRows:
    """The rows of a table. ``editions``: the ids of all editions, which may be names of its columns.

    A file that is no TOML or cannot be opened is a fault, as are the marks of a merge or of a spreadsheet.
    """
    path = corpus_dir / name
    try:
        written = files.read_file_bytes(path, name)
        lines = files.decode_text(written, name).split("\n")
        if name.endswith(TEXT_ENDINGS):
            return TableRows(name, tuple(f"{n}\t{line}" for n, line in enumerate(lines, 1)), 0, lambda n: n + 1)
        faults = [*_form_faults(written, lines, name)]
        if faults:
            return TableRows(name, faults=tuple(faults[: files.MOST_PROBLEMS]))
        read = (
            _read_tsv_keys(name, lines, editions)
            if name.endswith(".tsv")
            else _read_toml_keys(path, name, "\n".join(lines))
        )
        return replace(read, notes=tuple(_line_end_notes(written, name)))
    except InvalidFile as refused:
        return TableRows(name, faults=tuple(refused.problems))


def _form_faults(written: bytes, lines: Sequence[str], name: str) -> Iterator[Problem]:
    """Yield a problem for each sign that another program has changed the file: a merge, or an editor."""
    if written.startswith(_BYTE_ORDER_MARK):
        finding = "The file begins with a byte order mark, so another program saved it."
        yield Problem(name, 1, finding, "Look at every row that changed (git diff), and save it as UTF-8 without one.")
    for number, line in enumerate(lines, 1):
        if _MERGE_MARK.match(line):
            yield Problem(
                name, number, f"“{line[:40]}” is the mark of a merge.", "Keep the right rows, remove the marks."
            )


def _line_end_notes(written: bytes, name: str) -> Iterator[Problem]:
    if (at := written.find(b"\r\n")) >= 0:
        finding = "The line ends as Windows writes it, so another program saved the file."
        move = "Look at every row that changed (git diff), and save it with line feeds alone."
        yield Problem(name, written.count(b"\n", 0, at) + 1, finding, move, fatal=False)


def _read_tsv_keys(name: str, lines: Sequence[str], editions: Collection[str]) -> TableRows:
    kept = [(n, line.split("\t")) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    columns = kept[0][1] if kept else []
    faults = [
        Problem(
            name, number, finding, "Write a cell for each column with a tab between, and nothing in quotation marks."
        )
        for number, cells in kept
        if (finding := _finding_of_cells(cells, len(columns)))
    ]
    if faults:
        return TableRows(name, faults=tuple(faults[: files.MOST_PROBLEMS]))
    keyed = [n for n, column in enumerate(columns) if n == 0 or column in KEY_COLUMNS or column in editions]
    keys = ["\t".join(columns), *("\t".join(cells[n] for n in keyed if n < len(cells)) for _, cells in kept[1:])]
    numbers = [number for number, _ in kept]
    return TableRows(name, tuple(keys[: len(kept)]), min(1, len(kept)), lambda n: numbers[n])


def _finding_of_cells(cells: Sequence[str], columns: int) -> str:
    """What is wrong with the cells of a row, as the finding of a problem; "" when nothing is."""
    if len(cells) > columns or (len(cells) == 1 < columns):
        return f"{len(cells)} cells, the header has {columns}."
    if len(cells[0]) > 1 and cells[0].startswith('"'):
        return "The row stands in quotation marks."
    quoted = next((cell for cell in cells if _QUOTED_CELL.fullmatch(cell)), "")
    return f"The cell {quoted[:40]} stands in quotation marks, as a spreadsheet writes it." if quoted else ""


def _read_toml_keys(path: Path, name: str, text: str) -> TableRows:
    try:
        written = TomlFile(name, text, tomllib.loads(text))
    except (ValueError, RecursionError):  # read again with the reader that names the line
        written = files.read_toml(path, name, ("There is no file.", "Write it."))
    found = list(_keys_within(written.data, (), ()))
    keys = tuple("\t".join(map(str, key)) for key, _ in found)
    return TableRows(name, keys, 0, lambda n: written.line_of(found[n][1]))


def _keys_within(value: Any, key: KeyPath, place: KeyPath) -> Iterator[tuple[KeyPath, KeyPath]]:
    """Yield (key, place) of every value inside a TOML value. A table of a list has its id in the key, if it has one."""
    if isinstance(value, dict):
        steps = [(step, step, inner) for step, inner in value.items()]
    elif isinstance(value, list):
        steps = [(inner.get("id", n) if isinstance(inner, dict) else n, n, inner) for n, inner in enumerate(value)]
    else:
        return
    for named, step, inner in steps:
        yield (*key, named), (*place, step)
        yield from _keys_within(inner, (*key, named), (*place, step))


def _editions_named(path: Path, name: str, editions: Collection[str]) -> list[str]:
    """The ids of the editions that a table names: in its path, in the header of a TSV file, anywhere in a TOML file."""
    text = "" if name.endswith(TEXT_ENDINGS) else files.read_text(path, name)
    if name.endswith(".tsv"):
        text = next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), "")
    return sorted(set(re.findall(r"[\w-]+", f"{name} {text}")).intersection(editions))


# ── Comparing ───────────────────────────────────────────────────────────────────────────────────


def has_inventory(corpus_dir: Path) -> bool:
    """Whether a corpus has an inventory. Without it, nothing is compared."""
    return files.exists_or_is_link(corpus_dir / FILE)


def inventory_problems(corpus_dir: Path) -> list[Problem]:
    """Return where the tables of a corpus differ from its inventory; nothing without an inventory.

    It is fatal that a table is missing, cannot be read, or has lost a row. It is noted that rows, tables or editions
    were added, and that the tables of an edition without a folder are not compared.
    """
    if not has_inventory(corpus_dir):
        return []
    lines, problems = _read_inventory(corpus_dir)
    if problems:
        return problems
    here, tables = list_editions(corpus_dir), list_tables(corpus_dir)
    known = {id_ for _, line in lines.values() for id_ in line.editions.split()}
    for id_ in sorted(known.difference(here)):
        number = min(n for n, line in lines.values() if id_ in line.editions.split())
        finding = f"The edition “{id_}” has no folder, so no table that names it is compared."
        problems.append(_problem(FILE, number, finding, "Put the folder back, or accept what changed.", fatal=False))
    for name, (number, line) in lines.items():
        if not set(line.editions.split()) <= set(here):
            continue
        if name in tables:
            problems += _difference_problems(line, read_table(corpus_dir, name, here))
        elif line.digest != GONE:
            finding = f"There is no {name}, which had {line.rows} reviewed rows ({FILE}:{number})."
            problems.append(_problem(name, 1, finding, f"Put it back (git shows it), or {_ACCEPT_MOVE} {name}."))
    new = [id_ for id_ in here if id_ not in known and any(n.startswith(f"editions/{id_}/") for n in tables)]
    for id_ in new:
        move = f"Review them, then {_ACCEPT_MOVE} editions/{id_}."
        problems.append(_problem(FILE, 1, f"No table of the edition “{id_}” is listed.", move, fatal=False))
    own = tuple(f"editions/{id_}/" for id_ in new)
    unlisted = [n for n in tables if not n.startswith(own) and (n not in lines or lines[n][1].digest == GONE)]
    problems += [
        _problem(name, 1, f"The table is not in {FILE}.", f"Review it, then {_ACCEPT_MOVE} {name}.", fatal=False)
        for name in unlisted
    ]
    return problems


def _problem(name: str, line: int, finding: str, move: str, *, fatal: bool = True) -> Problem:
    return Problem(name, line, finding, move, fatal and not name.endswith(f"/{EDITION_FILE}"))


def _read_inventory(corpus_dir: Path) -> tuple[dict[str, tuple[int, InventoryLine]], list[Problem]]:
    """Return table → (number, line) of the inventory, and the problems of the file."""
    sheet = files.read_tsv(corpus_dir / FILE, FILE, COLUMNS)
    problems, lines = list(sheet.problems), {}
    for number, cells in sheet.rows:
        line = InventoryLine(**cells)
        if line.table in lines:
            problems.append(sheet.problem(number, f"{line.table} stands here twice.", "Keep the later line."))
        elif files.parse_number(line.rows) is None or not line.reason.strip():
            move = f"Write the line anew: lexbridge inventory --accept {line.table}."
            problems.append(sheet.problem(number, "The line lacks its number of rows, or its reason.", move))
        lines[line.table] = number, line
    return lines, problems


def _difference_problems(line: InventoryLine, table: TableRows) -> list[Problem]:
    """Return what is wrong with a table that the inventory lists: its faults, or the first row that differs."""
    if table.faults:
        return [_problem(table.name, fault.line, fault.finding, fault.move) for fault in table.faults]
    if line.digest in (table.digest, GONE):
        return [*table.notes]
    before, now = line.letters, table.letters
    first = next((n for n, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), len(before))
    number = table.line_of(min(first, len(table.keys) - 1)) if table.keys else 1
    if table.name.endswith(TEXT_ENDINGS):
        finding = "The text is not the one that was reviewed: this is the first line that differs."
        move = f"Put it back (git diff shows it), or read what is new, then {_ACCEPT_MOVE} {table.name}."
        return [_problem(table.name, number, finding, move)]
    added = table.rows - int(line.rows)
    left = iter(now)
    if added > 0 and all(letter in left for letter in before):
        finding = f"{added} row(s) more than the {line.rows} that were reviewed; the first one stands here."
        return [_problem(table.name, number, finding, f"Review them, then {_ACCEPT_MOVE} {table.name}.", fatal=False)]
    finding = f"The table has {table.rows} rows, {line.rows} were reviewed, and a reviewed one is lost or renamed here."
    return [_problem(table.name, number, finding, f"Put it back (git diff shows it), or {_ACCEPT_MOVE} {table.name}.")]


# ── Accepting ───────────────────────────────────────────────────────────────────────────────────


def accept_tables(corpus_dir: Path, names: Sequence[str], reason: str, day: dt.date) -> list[str]:
    """Write the lines of the named tables as they stand, and return the names of those that differed.

    A name of ``names`` is that of a table or of a folder, “.” for all. A table that is gone keeps a line that says so.
    Raises :class:`~corpus.files.InvalidFile` when a table cannot be read, the inventory is broken, or there is nothing
    of a name; then nothing is written.
    """
    lines, problems = _read_inventory(corpus_dir)
    here = list_editions(corpus_dir)
    tables = list_tables(corpus_dir)
    renewed: dict[str, InventoryLine] = {}
    for name in names:
        inside = "" if name == "." else f"{name}/"
        found = [table for table in {*tables, *lines} if table == name or table.startswith(inside)]
        if not found:
            problems.append(Problem(name, 1, "There is no such table.", "Name a TSV or TOML file of the corpus."))
        for table in found:
            rows = read_table(corpus_dir, table, here) if table in tables else TableRows(table)
            digest = rows.digest if table in tables else GONE
            problems += rows.faults
            if table not in lines or lines[table][1].digest != digest:
                about = " ".join(_editions_named(corpus_dir / table, table, here)) if table in tables else ""
                renewed[table] = InventoryLine(
                    table, about, str(rows.rows), digest, rows.letters, day.isoformat(), reason
                )
    if problems:
        raise InvalidFile(problems)
    kept = {table: line for table, (_, line) in lines.items()} | renewed
    text = "".join("\t".join(row) + "\n" for row in (COLUMNS, *(kept[table] for table in sorted(kept))))
    (corpus_dir / FILE).write_text(text, encoding="utf-8")
    return sorted(renewed)
