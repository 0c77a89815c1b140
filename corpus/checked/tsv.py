"""A table as a person wrote it: a header, then rows of cells that tabs separate. Nothing is quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from corpus.checked import MOST_TOLD, Refused, file
from corpus.model import Problem
from corpus.place import Place

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


def read_tsv(path: Place, name: str, columns: Sequence[str] = (), *, fatal: bool = True, remarks: bool = False) -> Sheet:
    """The table at a path; a missing file is one without rows. ``name`` is how problems name it.

    With ``columns`` the header is these, and every row has a cell for each; else the header is what it is, and empty
    cells at the end of a row may be left out. ``remarks``: lines that begin with “#” are no rows, above the header too.
    """
    sheet = Sheet(name, fatal=fatal)
    try:
        written = file.read_text(path, name).split("\n")
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
        if found := file.strange(line):
            finding = f"{found} stands in the line: it is no character of a text."
            problems.append(sheet.problem(number, finding, "Take it out."))
        elif len(cells) > len(named) or (columns and line.strip() and len(cells) < len(named)):
            move = f"Write {', '.join(named)}, separated by tabs."
            problems.append(sheet.problem(number, f"{len(cells)} cells, the header has {len(named)}.", move))
        elif line.strip():
            cells += [""] * (len(named) - len(cells))
            rows.append((number, dict(zip(named, cells, strict=True))))
    return Sheet(name, named, tuple(rows), tuple(problems[:MOST_TOLD]), fatal)
