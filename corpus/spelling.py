"""Slips of the books that leave the meaning alone: typing, grammar, punctuation. They stand on the edition's page.

``editions/<id>/spelling.tsv`` has a row for each: the line of the source, the printed words, what was meant, one of
``REASONS``, and perhaps a remark in English. The text keeps what is printed. Slips that change the law: :mod:`corpus.slip`.
"""

from __future__ import annotations

from corpus.edition import Edition
from corpus.model import Problem, Spelling

FILE = "spelling.tsv"
COLUMNS = ["line", "printed", "meant", "reason", "remark"]
REASONS = ("typing", "form", "word", "lost", "surplus", "punctuation", "sign", "capital", "variant", "order")


def read(edition: Edition) -> tuple[tuple[Spelling, ...], list[Problem]]:
    """The rows of an edition; a missing file is no rows. The printed words must stand in their line of the source."""
    name, path = f"editions/{edition.id}/{FILE}", edition.folder / FILE
    if not path.exists():
        return (), []
    try:
        lines = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").split("\n")
        source = (edition.folder / edition.source).read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        return (), [Problem(name, 1, f"The file or its source cannot be read: {error}.", "Save it as UTF-8.")]
    if lines[0].split("\t") != COLUMNS:
        return (), [Problem(name, 1, f"The header is “{lines[0]}”.", f"Write {' TAB '.join(COLUMNS)}.")]
    rows, problems = [], []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = line.split("\t")
        if wrong := _wrong(cells, source):
            problems.append(Problem(name, number, *wrong))
        else:
            rows.append(Spelling(int(cells[0]), *cells[1:]))
    return tuple(rows), problems


def _wrong(cells: list[str], source: list[str]) -> tuple[str, str] | None:
    """What is wrong with a row, and what to do; None when nothing is."""
    if len(cells) != len(COLUMNS):
        return f"{len(cells)} cells, there are {len(COLUMNS)}.", f"Write {', '.join(COLUMNS)}, separated by tabs."
    line, printed, _meant, reason, remark = cells
    if not (line.isascii() and line.isdigit() and 1 <= int(line[:9]) <= len(source)):
        return f"The source has no line “{line}”.", "Correct the number of the line."
    if printed not in source[int(line) - 1]:
        return f"“{printed}” does not stand in line {line} of the source.", "Write the words as they are printed."
    if reason not in REASONS:
        return f"The reason is “{reason}”.", f"Write one of: {', '.join(REASONS)}."
    return None if printed or remark else ("A row that says nothing.", "Write the printed words, or a remark.")
