"""The rulings as an Atom feed (RFC 4287), the newest first."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from app.site import addresses, rulings
from app.site.atlas import Atlas
from app.site.page import Page
from corpus.ruling.model import Ruling, RulingBody

# What ids are made in: an id says which ruling it is, wherever the site stands.
IDS = uuid.uuid5(uuid.NAMESPACE_DNS, "rulings.lexbridge")


@dataclass(frozen=True)
class Entry:
    """A ruling in the feed, as it is ``told``: its stable ``id``, the time when it was ``updated``, its ``text``."""

    id: str
    updated: str
    told: rulings.RulingView
    link: str
    text: str


@dataclass(frozen=True)
class FeedPage(Page):
    """The ``entries``, the newest first; ``id`` of the feed, ``updated`` with the newest; ``link``: the page of the
    same, ``own``: where the feed is.
    """

    template: ClassVar[str] = "feed.xml"
    led: ClassVar[bool] = False
    id: str
    updated: str
    link: str
    own: str
    entries: tuple[Entry, ...]


def feed_page(atlas: Atlas) -> FeedPage:
    """All rulings; of none, a feed that was never updated."""
    entries = sorted(_entries(atlas), key=lambda e: e.updated, reverse=True)
    updated = entries[0].updated if entries else moment("1970-01-01")
    link, own = addresses.whole(addresses.rulings()), addresses.whole(addresses.feed())
    return FeedPage(urn(""), updated, link, own, tuple(entries))


def _entries(atlas: Atlas) -> Iterator[Entry]:
    for ruling in atlas.library.rulings.values():
        told = rulings.told(atlas, ruling, words=False)
        link = addresses.whole(addresses.ruling(ruling))
        text = rulings.plain(atlas, ruling).get(told.lang, "")
        yield Entry(urn(ruling.id), moment(_day(atlas, ruling, told.body)), told, link, text)


def _day(atlas: Atlas, ruling: Ruling, body: RulingBody) -> str:
    """The day of a ruling, else from which it is in force, else from which its code is; else its year begins."""
    year = atlas.library.editions[ruling.edition].year if ruling.edition else ruling.code
    return ruling.date or ruling.force.since or body.laws.get(ruling.code, "") or f"{year}-01-01"


def urn(id_: str) -> str:
    """The id of a ruling in feeds; without one, of the feed.

    >>> urn("pzbs/3") == urn("pzbs/3") != urn("pzbs/4")
    True
    """
    return uuid.uuid5(IDS, id_).urn


def moment(day: str) -> str:
    """The beginning of a day, as feeds write it.

    >>> moment("2018-01-01")
    '2018-01-01T00:00:00Z'
    """
    return f"{day}T00:00:00Z"
