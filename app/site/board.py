"""What was ruled before on the same board: the chain of an address, ``from=<situation>,<row>``.

A ruling may lead on to another sheet, and to the score. Each address on the way names the rulings before it, the first
one first, so the chain survives a reload, sending and printing. :func:`read_board` reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.site import addresses
from app.site.atlas import Atlas
from app.site.speech import SpokenStep, spoken_steps
from corpus.model import Node
from corpus.situation.model import Leaving, Row, Situation
from corpus.situation.next_step import next_steps

MOST_RULINGS = 4  # on one board: sheets that a chain is deep


@dataclass(frozen=True)
class BoardRuling:
    """A ruling of the chain: a ``row`` of a ``situation``, what was said (``steps``), and the provisions that decided.

    ``address`` leads back to its sheet, with the chain before it.
    """

    situation: Situation
    row: Row
    steps: tuple[SpokenStep, ...]
    decided_by: tuple[Node, ...]
    address: str


@dataclass(frozen=True)
class OnwardLink:
    """The next sheet, or the next score (``kind``), for what a ruling leaves on the table."""

    leaving: Leaving
    situation: Situation | None
    kind: str
    address: str


@dataclass(frozen=True)
class Board:
    """What was ruled on a board, by the laws of ``code``.

    ``rulings``: those of the chain. ``broken``: the address names one that there is not, or too many. ``situation``:
    the one whose sheet is read now, None on the page of a score.
    """

    atlas: Atlas
    code: str
    rulings: tuple[BoardRuling, ...] = ()
    broken: bool = False
    situation: Situation | None = None

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The query parameters of the chain."""
        return tuple(("from", f"{r.situation.id},{r.row.id}") for r in self.rulings)

    def parameters_after(self, row: Row) -> tuple[tuple[str, str], ...]:
        """The query parameters of the chain with a row of the present sheet. A row that rules nothing by itself, and
        one for which there is no room, are left out.
        """
        ruled = row.all_duties or any(step.say for step in row.steps)
        if self.situation is None or not ruled or len(self.rulings) >= MOST_RULINGS:
            return self.parameters
        return (*self.parameters, ("from", f"{self.situation.id},{row.id}"))

    def onward_links(self, row: Row) -> Iterator[OnwardLink]:
        """Yield the next sheets and scores for what a row of the present sheet leaves on the table.

        A situation that the chain has already is left out, and every situation when the chain is full.
        """
        library, chain = self.atlas.library, self.parameters_after(row)
        behind = {r.situation.id for r in self.rulings} | ({self.situation.id} if self.situation else set())
        for leaving, target in next_steps(library.next_steps, row, self.code):
            query = [*target.answers.items(), ("code", self.code), *chain]
            if target.score:
                yield OnwardLink(leaving, None, target.score, addresses.score(target.score, query))
                continue
            there = library.situations.get(target.situation)
            if there and there.id not in behind and self.code in there.table and len(chain) < MOST_RULINGS:
                yield OnwardLink(leaving, there, "", addresses.situation(there.id, query))

    def score_address(self, row: Row) -> str:
        """The address of the scores, with a row of the present sheet in the chain."""
        return addresses.score("", [("code", self.code), *self.parameters_after(row)])


def read_board(atlas: Atlas, code: str, lang: str, chain: Sequence[str], situation: Situation | None = None) -> Board:
    """Return the board of a chain: the values of ``from`` in an address. ``lang``: the reader's language;
    ``situation``: whose sheet is read.

    A ruling that the laws of ``code`` do not have is left out, and so are those over :data:`MOST_RULINGS`.
    """
    named = [text.partition(",")[::2] for text in chain]
    found = [_find_row(atlas, code, situation_id, row) for situation_id, row in named]
    rulings = [pair for pair in found if pair][:MOST_RULINGS]
    broken = len(rulings) < len(named)
    board = Board(atlas, code, broken=broken, situation=situation)
    read: list[BoardRuling] = []
    for there, row in rulings:
        read.append(_board_ruling(atlas, code, lang, there, row, Board(atlas, code, tuple(read)).parameters))
    return Board(atlas, code, tuple(read), broken, board.situation)


def _find_row(atlas: Atlas, code: str, situation_id: str, row_id: str) -> tuple[Situation, Row] | None:
    """Return a row of a situation in a code; one that is retired is the row that does the same now. Else None."""
    there = atlas.library.situations.get(situation_id)
    if there is None or code not in there.table:
        return None
    renewed = {old.row: old.row_now for old in there.retired if old.row and (not old.codes or code in old.codes)}
    wanted = renewed.get(row_id, row_id)
    return next(((there, row) for row in there.table[code].row if row.id == wanted), None)


def _board_ruling(
    atlas: Atlas, code: str, lang: str, there: Situation, row: Row, before: Sequence[tuple[str, str]]
) -> BoardRuling:
    answers = {ask: (values[0],) for ask, values in row.if_.items() if len(values) == 1 and values[0] != "some"}
    query = [*((ask, value) for ask, (value,) in answers.items()), ("code", code), *before]
    editions = [e.id for e in atlas.editions_of_code(code, lang)]
    quotes = [next(filter(None, (s.in_edition(e) for e in editions)), None) for s in row.slices]
    return BoardRuling(
        situation=there,
        row=row,
        steps=spoken_steps(row, answers, lang, atlas.library.vocabulary),
        decided_by=tuple(atlas.library.nodes[i] for i in dict.fromkeys(q.node for q in quotes if q)),
        address=addresses.situation(there.id, query),
    )
