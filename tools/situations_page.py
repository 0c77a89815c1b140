"""Prints docs/situations.md: what was found when the situations were read again, and what two codes order differently.

``python -m tools.situations_page > docs/situations.md``; a test compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from corpus import files, generation
from corpus.layers import IngestResult
from corpus.situation import problems
from corpus.situation.model import Situation, Situations
from tools.print_page import print_document

FINDINGS = "situations/findings.tsv"
BUNDLES = "situations/bundles.tsv"
BUNDLE_COLUMNS = ("situation", "reason")
OLD_WORDS = "situations/old-words.tsv"
OLD_WORDS_COLUMNS = ("situation", "what", "lang", "old", "new")
COLUMNS = ("situation", "code", "row", "finding", "decision")
DRAW_COLUMNS = ("kind", "name", "verdict", "reason")
VERDICTS = ("right", "incomplete", "misleading", "false")

_HEAD = """# Situations: how they were worked through

Made by `python -m tools.situations_page > docs/situations.md` from `corpus/situations/`; a test compares. Every table
was written by one reader from the texts of its code and worked through against the same texts by two others; what
they found, and what was decided, stands in `corpus/situations/findings.tsv` and below. `lexbridge check` proves the
rest: one row for every combination of answers, every quotation by slicing, every way from one situation to another,
that a row says what another code orders otherwise, what it does with each misprint under its words, and by which
words it lets somebody off. Who read a row as it stands is recorded in `corpus/situations/readings.tsv`. """


def situations_page_text(result: IngestResult) -> str:
    """Return the text of docs/situations.md."""
    situations = result.situations
    rows = files.read_tsv(generation.corpus_dir() / FINDINGS, FINDINGS, COLUMNS).rows
    parts = [
        _HEAD,
        *_table_lines(situations),
        *_draw_lines(),
        *_difference_lines(situations),
        *_order_lines(),
        *_finding_lines([r for _, r in rows]),
        *_old_words_lines(),
    ]
    return "\n".join(parts) + "\n"


def _table_lines(situations: Situations) -> Iterator[str]:
    """Yield the Markdown lines that say how many rows each table has, how many of them go on in another situation, and
    why the other situations have no table.
    """
    tabled = [s for s in situations.all if s.table]
    codes = sorted({code for s in tabled for code in s.table})
    yield f"## Tables\n\n{len(tabled)} of {len(situations.all)} situations have tables of their own.\n"
    yield "A number is that of the rows; in brackets, how many of them go on in the table of another situation, with"
    yield "the answers that the case gives there. A dash: this code has no provision for the case.\n"
    yield f"| situation | {' | '.join(codes)} | worked cases |\n|---|{'---|' * len(codes)}---|"
    for s in tabled:
        yield f"| {s.id} | {' | '.join(_cell(s, code) for code in codes)} | {len(s.scenario)} |"
    yield "\n### Without a table\n\nTheir sheets list the provisions, the deciding ones first.\n"
    yield "| situation | reason |\n|---|---|"
    reasons = {row["situation"]: row["reason"] for _, row in read_bundles().rows}
    yield from (f"| {s.id} | {reasons[s.id]} |" for s in situations.all if not s.table)
    yield ""


def _cell(situation: Situation, code: str) -> str:
    if code not in situation.table:
        return "–"
    rows = situation.table[code].row
    on = sum(row.goto is not None for row in rows)
    return f"{len(rows)} ({on})" if on else str(len(rows))


def read_bundles() -> files.TsvTable:
    """Return the rows of ``situations/bundles.tsv``: why a situation has no table."""
    return files.read_tsv(generation.corpus_dir() / BUNDLES, BUNDLES, BUNDLE_COLUMNS)


def _draw_lines() -> Iterator[str]:
    """Yield the Markdown lines with the verdicts of independent readers on rows and strength marks drawn at random."""
    yield "## Draws\n"
    yield "Rows of the tables and marks of strength, drawn at random and read by people who had written and read none,"
    yield "as first found. The name of each `draw-<seed>.tsv` has the seed. What was found was mended then.\n"
    yield f"| seed | drawn | {' | '.join(VERDICTS)} |\n|---|---|{'---|' * len(VERDICTS)}"
    for path in sorted((generation.corpus_dir() / "situations").glob("draw-*.tsv")):
        rows = [row for _, row in files.read_tsv(path, path.name, DRAW_COLUMNS).rows]
        for kind in dict.fromkeys(row["kind"] for row in rows):
            found = Counter(row["verdict"] for row in rows if row["kind"] == kind)
            cells = " | ".join(str(found[verdict]) for verdict in VERDICTS)
            yield f"| {path.stem.removeprefix('draw-')} | {found.total()} {kind}s | {cells} |"
    yield ""


def _difference_lines(situations: Situations) -> Iterator[str]:
    """Yield a Markdown line for each row for whose answers another code orders something else: the row, and what
    differs.
    """
    yield "## What another code orders otherwise for the same answers\n"
    for s in situations.all:
        for code, table in s.table.items():
            for row in table.row:
                for said in row.differs.values():
                    yield f"- **{s.id}**, “{row.id}” of {code}: {said[situations.vocabulary.languages[-1]]}"


def _order_lines() -> Iterator[str]:
    """Yield the Markdown lines that say how many provisions of each code order something after an irregularity, and
    which of them have no situation.
    """
    for path in sorted((generation.corpus_dir() / "situations").glob("orders-*.tsv")):
        rows = [row for _, row in files.read_tsv(path, path.name, problems.COVERAGE_COLUMNS, remarks=True).rows]
        yield f"\n## What the laws of {path.stem.removeprefix('orders-')} order after an irregularity\n"
        yield f"{len(rows)} provisions ({path.name}); without a situation:\n"
        yield from (f"- {row['path'].replace('/', '')}: {row['reason']}" for row in rows if row["reason"])


def _finding_lines(rows: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield the Markdown lines with what reviewers found, by situation."""
    yield "\n## Findings and decisions"
    for id_, of in groupby(sorted(rows, key=lambda r: r["situation"]), key=lambda r: r["situation"]):
        yield f"\n### {id_}\n\n| code | row | finding | decision |\n|---|---|---|---|"
        for row in of:
            cells = (row[c].replace("|", "\\|") for c in COLUMNS[1:])
            yield f"| {' | '.join(cells)} |"


def _old_words_lines() -> Iterator[str]:
    """Yield the Markdown lines with the words that questions and answers had before, by situation."""
    rows = [row for _, row in files.read_tsv(generation.corpus_dir() / OLD_WORDS, OLD_WORDS, OLD_WORDS_COLUMNS).rows]
    yield "\n## Questions and answers: old and new words"
    for id_, of in groupby(sorted(rows, key=lambda r: r["situation"]), key=lambda r: r["situation"]):
        yield f"\n### {id_}: words\n\n| question or answer | language | old | new |\n|---|---|---|---|"
        for row in of:
            cells = (row[c].replace("|", "\\|") for c in OLD_WORDS_COLUMNS[1:])
            yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the page."""
    print_document(situations_page_text)


if __name__ == "__main__":
    main()
