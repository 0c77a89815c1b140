"""The table drawn: four seats around it, who offended, whose turn it is. Coordinates and words; a macro makes the SVG.

Where there is an offender the seats are named from him (partner, LHO, RHO), for at the table he need not be South; else
by the compass.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from corpus.situation.model import SEATS, Drawing

WIDTH, HEIGHT = 300, 116  # px: beside a question, and whole on a phone
COMPASS = {"S": _l("South"), "W": _l("West"), "N": _l("North"), "E": _l("East")}
FROM_OFFENDER = (_l("offender"), _l("LHO"), _l("partner"), _l("RHO"))  # in the order of play
ROLES = {"turn": _l("to act"), "dealer": _l("dealer"), "declarer": _l("declarer"), "dummy": _l("dummy")}
# Where a seat is drawn, and where its words begin or end.
_SPOTS = {
    "S": (150, 95, 168, "start"),
    "W": (104, 58, 86, "end"),
    "N": (150, 21, 168, "start"),
    "E": (196, 58, 214, "start"),
}


@dataclass(frozen=True)
class Seat:
    """A seat at (x, y), its words at tx: its ``name``, and what its player is or does (``roles``)."""

    name: str
    roles: tuple[str, ...]
    x: int
    y: int
    tx: int
    side: str
    offender: bool
    turn: bool

    @property
    def said(self) -> str:
        """The seat in words: “LHO: to act, dealer”."""
        return f"{self.name}: {', '.join(self.roles)}" if self.roles else self.name


@dataclass(frozen=True)
class Table:
    """The four seats in the order of play, from the offender, else from South."""

    seats: tuple[Seat, ...]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def told(self) -> str:
        """The whole drawing in words, for who does not see it."""
        return "; ".join(seat.said for seat in self.seats) + "."

    @property
    def title(self) -> str:
        """What it is."""
        return _("The table")


def table(drawing: Drawing) -> Table:
    """The values of a drawing in the reader's language."""
    first = SEATS.index(drawing.offender) if drawing.offender else 0
    order = SEATS[first:] + SEATS[:first]
    names = FROM_OFFENDER if drawing.offender else [COMPASS[seat] for seat in order]
    return Table(tuple(_seat(drawing, seat, str(name)) for seat, name in zip(order, names, strict=True)))


def _seat(drawing: Drawing, seat: str, name: str) -> Seat:
    x, y, tx, side = _SPOTS[seat]
    roles = tuple(str(word) for role, word in ROLES.items() if getattr(drawing, role) == seat)
    return Seat(name, roles, x, y, tx, side, seat == drawing.offender, seat == drawing.turn)
