"""Slips of the books that leave the meaning alone: typing, grammar, punctuation. They stand on the edition's page.

``editions/<id>/spelling.tsv`` has a row for each: the line of the source, the printed words, what was meant, one of
``REASONS``, and perhaps a remark in English. The text keeps what is printed. Slips that change the law are in
:mod:`corpus.slip`.
"""

from __future__ import annotations

from corpus.checked import Refused, file, tsv
from corpus.edition import Edition
from corpus.model import Problem, Spelling

FILE = "spelling.tsv"
SPELLING_COLUMNS = ("line", "printed", "meant", "reason", "remark")
REASONS = ("typing", "form", "word", "lost", "surplus", "punctuation", "sign", "capital", "variant", "order")


def read_spellings(edition: Edition, there: bool = True) -> tuple[tuple[Spelling, ...], list[Problem]]:
    """The rows of an edition; a missing file is no rows. The printed words must stand in their line of the source,
    where that could be read (``there``).
    """
    sheet = tsv.read_tsv(edition.folder / FILE, f"editions/{edition.id}/{FILE}", SPELLING_COLUMNS)
    if not there:
        return (), list(sheet.problems)
    try:
        source = file.data(edition.folder / edition.source, edition.file).decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError, Refused):
        return (), []  # of a source that cannot be read, the reading of it tells
    rows, problems = [], list(sheet.problems)
    for number, cells in sheet.rows:
        if wrong := _wrong(cells, source):
            problems.append(sheet.problem(number, *wrong))
        else:
            line, *rest = cells.values()
            rows.append(Spelling(int(line), *rest))
    return tuple(rows), problems


def _wrong(cells: dict[str, str], source: list[str]) -> tuple[str, str] | None:
    """What is wrong with a row, and what to do; None when nothing is."""
    line, printed = cells["line"], cells["printed"]
    if not 1 <= (tsv.number(line) or 0) <= len(source):
        return f"The source has no line “{line}”.", "Correct the number of the line."
    if printed not in source[int(line) - 1]:
        return f"“{printed}” does not stand in line {line} of the source.", "Write the words as they are printed."
    if cells["reason"] not in REASONS:
        return f"The reason is “{cells['reason']}”.", f"Write one of: {', '.join(REASONS)}."
    return None if printed or cells["remark"] else ("A row that says nothing.", "Write the printed words, or a remark.")
