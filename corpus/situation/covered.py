"""``situations/orders-<code>.tsv``: the provisions of a code that order, allow or forbid something after an
irregularity, each with the situations that quote or list it, or the reason why none does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from corpus.checked import tsv
from corpus.model import NodeId, Problem
from corpus.situation.model import Situation
from corpus.situation.quotes import QuotedTexts

COLUMNS = ("path", "does", "situations", "reason")
DOES = ("orders", "allows", "forbids")


def coverage_problems(folder: Path, every: Mapping[str, Situation], texts: QuotedTexts, read: Sequence[Path]) -> Iterator[Problem]:
    """Everything wrong with the lists of a folder; ``read``: the situations that there are files for."""
    stems = {path.stem for path in read}
    for path in sorted(folder.glob("orders-*.tsv")):
        sheet = tsv.read_tsv(path, path.relative_to(folder.parent).as_posix(), COLUMNS, remarks=True)
        yield from sheet.problems
        for line, row in () if texts.unread else sheet.rows:
            for finding, move in _list_row(row, path.stem.removeprefix("orders-"), every, texts, stems):
                yield sheet.problem(line, finding, move)


def _list_row(
    row: Mapping[str, str], code: str, every: Mapping[str, Situation], texts: QuotedTexts, stems: set[str]
) -> Iterator[tuple[str, str]]:
    path, named = row["path"], [x for x in row["situations"].split() if x]
    if texts.of(code) and not any(NodeId.of(e, path) in texts.nodes for e in texts.of(code)):
        yield f"No text of {code} has {path}.", "Correct the path."
    if row["does"] not in DOES:
        yield f"“does” is “{row['does']}”.", f"Choose one of: {', '.join(DOES)}."
    if bool(named) == bool(row["reason"]):
        yield f"{path} has situations and a reason, or neither.", "Name its situations, or say why there is none."
    for id_ in named:
        if id_ not in stems:
            yield f"There is no situation “{id_}”.", "Name a file of situations/."
        elif id_ in every and not _rules(every[id_], code, path):
            yield f"“{id_}” does not list {path}, or what it stands in.", "Add it there, or correct this row."


def _rules(situation: Situation, code: str, path: str) -> bool:
    """Whether a situation lists or quotes a provision, one around it or one inside it."""
    table = situation.table.get(code)
    listed = [
        *situation.provisions.get(code, ()),
        *(s.path for row in (table.row if table else ()) for s in row.slices),
    ]
    return any(f"{path}/".startswith(f"{p}/") or p.startswith(f"{path}/") for p in listed)
