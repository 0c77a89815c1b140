"""Situations that a search found, with what is said of the two bids that its words tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.site import addresses
from app.site.atlas import Atlas
from corpus.bid import Overcall
from corpus.situation.model import INSUFFICIENT, Situation
from index.heard.finder import Described


@dataclass(frozen=True)
class Call:
    """A situation and the ``address`` of its sheet; ``overcall``: the two bids that it is about, if the words tell."""

    situation: Situation
    address: str
    overcall: Overcall | None = None


def calls(atlas: Atlas, described: Sequence[Described], overcall: Overcall | None) -> tuple[Call, ...]:
    """What was found, in its order; the sheet of an insufficient bid is led to with the bids."""
    return tuple(_call(atlas, found.id, overcall if found.id == INSUFFICIENT else None) for found in described)


def _call(atlas: Atlas, id_: str, overcall: Overcall | None) -> Call:
    carried = [("bid", overcall)] if overcall else []
    return Call(atlas.library.situations[id_], addresses.situation(id_, carried), overcall)
