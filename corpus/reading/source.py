"""The lines of a source, with the corrections applied. Every published character keeps its place in the source.

:func:`load_source_lines` reads the file, :func:`read_corrections` the rows, :func:`apply_corrections` returns the
published lines. The source is never edited. A row of ``corrections.tsv`` gives line and column (1-based code points),
the source's characters, the published ones, the basis and the reason. ``source`` or ``published`` may be empty.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from corpus import files
from corpus.edition import Edition
from corpus.files import InvalidFile
from corpus.model import Correction, Problem

LINE_LIMIT = 100_000  # in code points; a longer line is not a printed line but a broken file


def load_source_lines(edition: Edition) -> tuple[list[str], list[Problem]]:
    """Return the lines of the UTF-8 source of an edition, and the problems. With a problem there are no lines.

    A BOM and CRLF are removed as layout; everything else stays. The manifest says which digest the file must have.
    """
    path, name = edition.folder / edition.source, edition.source_name
    try:
        data = files.read_file_bytes(path, name)
    except FileNotFoundError as error:
        finding = f"The source cannot be read ({error.strerror})."
        return [], [Problem(name, 1, finding, "Put the file there, byte for byte as it was published.")]
    except InvalidFile as refused:
        return [], refused.problems
    if hashlib.sha256(data).hexdigest() != edition.sha256:
        return [], [
            Problem(
                name,
                1,
                f"The source is not the one that was reviewed: its sha256 is {hashlib.sha256(data).hexdigest()}.",
                "Restore the file, or review the new text and its corrections and write the new sha256 into "
                f"{edition.written.name}:{edition.written.line_of(('sha256',))}.",
            )
        ]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return [], [
            Problem(
                name,
                line,
                f"Byte {data[error.start]:#04x} at offset {error.start} is not UTF-8.",
                f"Convert the file to UTF-8 from the encoding it was written in{_declared_encoding(data)}, "
                f"then write the new "
                "sha256 into edition.toml.",
            )
        ]
    if not text.strip():
        return [], [Problem(name, 1, "The file is empty.", "Put the text of the edition into it.")]
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    problems = [
        Problem(
            name,
            number,
            f"A line of {len(line)} characters.",
            "Break the text into the lines it was printed in; a page of HTML between its tags.",
        )
        for number, line in enumerate(lines, 1)
        if len(line) > LINE_LIMIT
    ]
    return ([] if problems else lines), problems


def _declared_encoding(data: bytes) -> str:
    """Return a phrase with the encoding that a web page declares and the command that converts it.

    Empty when the file declares no encoding, or UTF-8.
    """
    found = re.search(rb"""charset\s*=\s*["']?([\w.:-]{1,40})""", data[:4096], re.IGNORECASE)
    encoding = found[1].decode("ascii", "replace") if found else ""
    named = encoding and encoding.casefold() not in ("utf-8", "utf8")
    return f", {encoding} as the page says (iconv -f {encoding} -t utf-8)" if named else ""


def control_character_problems(lines: list[Line], name: str) -> list[Problem]:
    """Return a problem for each published line that has a control character, for no text has one.

    ``name`` is the name of the file in problems.
    """
    return [
        Problem(
            name,
            line.number,
            f"{found} stands in the line: it is no character of a text.",
            "Convert the file again from what it was made of, or say in corrections.tsv what is meant.",
        )
        for line in lines
        if (found := files.find_control_character(line.text))
    ]


# ── Published lines ─────────────────────────────────────────────────────────────────────────────


class SourcePlace(NamedTuple):
    """Where a published character comes from. Lines are 1-based, columns 0-based.

    ``start``–``end`` (half open) are the columns of the source that the character accounts for, so that every column is
    accounted for once. ``column`` is where the character itself stands. ``width`` is None for a character published as
    it is. Otherwise it is the number of characters of the source, from ``column`` on, that were replaced there (0:
    inserted there).
    """

    line: int
    start: int
    end: int
    column: int
    width: int | None = None

    @property
    def repeated_place(self) -> SourcePlace:
        """The place of the same character where it is shown once more. It accounts for no column."""
        return self._replace(start=self.end)

    @property
    def insertion_place_before(self) -> SourcePlace:
        """The place of a new character that is inserted before the character of this place."""
        return SourcePlace(self.line, self.start, self.start, self.start, 0)

    @property
    def insertion_place_after(self) -> SourcePlace:
        """The place of a new character that is inserted after the character of this place."""
        return SourcePlace(self.line, self.end, self.end, self.end, 0)


def verbatim_places(line: int, start: int, end: int) -> tuple[SourcePlace, ...]:
    """The places of a line's characters from ``start`` to ``end``, published unchanged."""
    return tuple(SourcePlace(line, i, i + 1, i) for i in range(start, end))


ROW_ROLE, TERM_ROLE = "row", "term"  # roles that markup gives a line: cells with tabs between them, a headword


@dataclass(frozen=True)
class Line:
    """A published line. ``places[i]`` is where character i of ``text`` comes from; an inserted one has an empty place.

    ``role`` is what the markup of a source says about the line (:data:`ROW_ROLE`, :data:`TERM_ROLE`), else empty.
    """

    number: int
    text: str
    places: tuple[SourcePlace, ...]
    role: str = ""

    def cut(self, start: int, end: int | None = None) -> Line:
        """The part of the line from ``start`` to ``end``."""
        return Line(self.number, self.text[start:end], self.places[start:end], self.role)

    def without_spans(self, spans: Sequence[tuple[int, int]]) -> Line:
        """The line without some stretches of it. They are in ascending order and do not overlap."""
        starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(self.text)]
        kept = list(zip(starts, ends, strict=True))
        places = tuple(place for a, b in kept for place in self.places[a:b])
        return Line(self.number, "".join(self.text[a:b] for a, b in kept), places, self.role)


@dataclass(frozen=True)
class RemovedText:
    """Characters that are not text, with their places and the name of the rule that removed them."""

    rule: str
    line: int
    text: str
    places: tuple[SourcePlace, ...]


# ── Corrections ─────────────────────────────────────────────────────────────────────────────────

CORRECTION_COLUMNS = ["line", "column", "source", "published", "basis", "reason"]
CORRECTION_BASES = ("rule", "dictionary", "context", "proofread")


def read_corrections(path: Path, edition: str, name: str) -> tuple[list[Correction], list[Problem]]:
    """Return the rows of a corrections file in the order of the text, and the problems. A missing file has no rows.

    ``edition`` is the id of the edition, ``name`` the name of the file in problems.
    """
    sheet = files.read_tsv(path, name, CORRECTION_COLUMNS)
    rows, problems = [], list(sheet.problems)
    for number, cells in sheet.rows:
        if wrong := _cell_fault(cells):
            move = f"Write line and column in digits, and one of {', '.join(CORRECTION_BASES)} as the basis."
            problems.append(sheet.problem(number, f"Not a correction: {wrong}.", move))
        else:
            line, column, source, published, basis, reason = cells.values()
            changed = _unescape(source), _unescape(published)
            rows.append(Correction(edition, int(line), int(column), *changed, basis, reason))
    return sorted(rows, key=lambda c: (c.line, c.column)), problems


def _cell_fault(cells: dict[str, str]) -> str:
    """Return what is wrong with the first wrong cell of a row, as words of a message; empty when all are right."""
    for column in ("line", "column"):
        if files.parse_number(cells[column]) is None:
            return f"{column} is “{cells[column]}”, no number"
    return "" if cells["basis"] in CORRECTION_BASES else f"basis is “{cells['basis']}”"


def _unescape(cell: str) -> str:
    return cell.replace("\\t", "\t")


def apply_corrections(
    lines: list[str], corrections: list[Correction], name: str
) -> tuple[list[Line], list[RemovedText], list[Problem]]:
    """Apply the corrections.

    A row whose source is not there, or that overlaps another one, is a problem and changes nothing. Returns the
    published lines, the lines that corrections emptied, and the problems.
    """
    by_line: dict[int, list[Correction]] = {}
    for row in corrections:
        by_line.setdefault(row.line, []).append(row)
    problems = [
        Problem(
            name,
            number,
            "A correction for a line that the source does not have.",
            "Correct its line number or remove the row.",
        )
        for number in by_line
        if not 1 <= number <= len(lines)
    ]
    out: list[Line] = []
    removed: list[RemovedText] = []
    for number, source in enumerate(lines, 1):
        line, misfits = _apply_to_line(number, source, by_line.get(number, []), name)
        out.append(line)
        problems += misfits
        if source.strip() and not line.places:
            whole = (SourcePlace(number, 0, len(source), 0),)
            removed.append(RemovedText("moved or removed by a correction", number, source, whole))
    return out, removed, problems


def _apply_to_line(number: int, source: str, rows: list[Correction], name: str) -> tuple[Line, list[Problem]]:
    """Return line ``number`` of the source with its rows applied, and the problems.

    A row whose source is not there is a problem.
    """
    problems: list[Problem] = []
    text: list[str] = []
    places: list[SourcePlace] = []
    at = 0
    for row in rows:
        start = row.column - 1
        if start < at or source[start : start + len(row.source)] != row.source:
            stands = source[start : start + max(len(row.source), 1)]
            problems.append(
                Problem(
                    name,
                    number,
                    f"The correction at column {row.column} expects “{row.source}”, the source has “{stands}”.",
                    "Correct line, column or source of the row, or remove it.",
                )
            )
            continue
        end = start + len(row.source)
        text += [source[at:start], row.published]
        places += [*verbatim_places(number, at, start), *_replacement_places(number, start, end, row.published)]
        if not row.published.strip() and row.source.strip():
            _attach_deleted(places, end)
        at = end
    text.append(source[at:])
    places += verbatim_places(number, at, len(source))
    return Line(number, "".join(text), tuple(_attach_deleted_start(places))), problems


def _replacement_places(number: int, start: int, end: int, published: str) -> list[SourcePlace]:
    """Return the places of the characters of ``published``, which replace the columns ``start`` to ``end`` of a line.

    Each has the column and the width of the whole replacement. When the lengths agree and there is no blank, each
    character accounts for one column. Otherwise the first printing character accounts for all.
    """
    whole = (start, end - start)
    if len(published) == end - start and not any(c.isspace() for c in published):
        return [SourcePlace(number, i, i + 1, *whole) for i in range(start, end)]
    first = next((i for i, c in enumerate(published) if not c.isspace()), 0)
    edge = lambda i: start if i < first else end
    return [
        SourcePlace(number, start, end, *whole) if i == first else SourcePlace(number, edge(i), edge(i), *whole)
        for i in range(len(published))
    ]


def _attach_deleted(places: list[SourcePlace], end: int) -> None:
    """Let the printing character before deleted characters account for them too. This changes ``places``.

    ``end`` is the column after the deleted characters.
    """
    for i in range(len(places) - 1, -1, -1):
        place = places[i]
        places[i] = place._replace(end=max(end, place.end))
        if place.end > place.start:
            return


def _attach_deleted_start(places: list[SourcePlace]) -> list[SourcePlace]:
    """Return the places, changed: the first character that is left accounts for those deleted at the start of the line,
    too.
    """
    if places and places[0].start > 0:
        places[0] = places[0]._replace(start=0)
    return places
