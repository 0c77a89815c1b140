"""What is drawn of a text: frozen values, free of the site's words, that templates print and nobody reads back."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from app.site.addresses import dom_id
from app.site.atlas import Way
from corpus.edition.identity import Identity
from corpus.model import Correction, Node, NodeId, Slip
from corpus.strength import Step


@dataclass(frozen=True)
class Run:
    """Words drawn alike. ``matched``: the reader searched for them; ``slip``: the print errs in them; ``corrections``
    to mark on them; ``change``: what a redline says of them, "+" or "-"; ``strength`` of what they order or forbid.
    """

    form: ClassVar = "run"
    text: str
    matched: bool = False
    slip: bool = False
    corrections: tuple[Correction, ...] = ()
    change: str = ""
    strength: str = ""

    @property
    def plain(self) -> bool:
        """Whether nothing is to be said of the words."""
        return not (self.matched or self.slip or self.corrections or self.change or self.strength)


@dataclass(frozen=True)
class Arrow:
    """One printed label of a reference. ``ways``: where its targets lead; ``to``: the way that the link takes;
    ``then``: the ways of the reference's next label, after which what must be said of both is said once.
    """

    form: ClassVar = "arrow"
    pieces: tuple[Piece, ...]
    ways: tuple[Way, ...]
    then: tuple[Way, ...]
    to: Way
    external: bool
    lang: str

    @property
    def more(self) -> tuple[NodeId, ...]:
        """All the provisions that it leads to, in their order, where there are several."""
        every = tuple(dict.fromkeys(w.node.id for w in self.ways if w.node))
        return every if len(every) > 1 else ()

    @property
    def sure(self) -> bool:
        """Whether all of it leads to what it names, if perhaps in another text."""
        return not {w.found for w in self.ways} & {"nearest", "nowhere"}


@dataclass(frozen=True)
class TermUse:
    """The first use of a term in a provision: ``to`` gives its meaning in the same edition, ``concept`` is its slug."""

    form: ClassVar = "term"
    pieces: tuple[Piece, ...]
    to: NodeId
    concept: str


@dataclass(frozen=True)
class NoteMark:
    """The sign that leads to a footnote. ``known``: the note is there; ``dom``: its element, where the page has the
    notes.
    """

    form: ClassVar = "mark"
    sign: str
    target: NodeId
    known: bool
    dom: str = ""


@dataclass(frozen=True)
class SlipSign:
    """The sign at printed words that err. ``here``: what is said of them is on the same page."""

    form: ClassVar = "slip"
    node: Node
    slip: Slip
    here: bool

    @property
    def dom(self) -> str:
        """Its own element."""
        return sign_dom(self.node, self.slip)

    @property
    def said(self) -> str:
        """The element of what is said of the words."""
        return slip_dom(self.node, self.slip)


@dataclass(frozen=True)
class Ranked:
    """Words of a provision and the step of its edition's scale that they are."""

    edition: Identity
    node: Node
    words: str
    step: Step


@dataclass(frozen=True)
class StrengthSign:
    """The sign after words that order or forbid: the step of the edition's scale that they are. Where the text does not
    keep to that step, ``beside``: what ranked words other editions have in the same provision.
    """

    form: ClassVar = "strength"
    step: Step
    beside: tuple[Ranked, ...] = ()


def slip_dom(node: Node, slip: Slip) -> str:
    """The element of what is said of a slip."""
    return f"slip-{dom_id(node.path)}-{node.slips.index(slip) + 1}"


def sign_dom(node: Node, slip: Slip) -> str:
    """The element of its sign at the printed words."""
    return f"at-{slip_dom(node, slip)}"


def undashed(printed: str) -> str:
    """A label without the dash that leads to its heading in print.

    >>> undashed("CAPITOLO I –")
    'CAPITOLO I'
    """
    return re.sub(r"\s+[-–—]$", "", printed.strip())


Piece = Run | Arrow | TermUse | NoteMark | SlipSign | StrengthSign


@dataclass(frozen=True)
class Paragraph:
    """``dash``: an item of an unlabelled list; ``lacking``: no words of the text, the place of a provision that is
    missing.
    """

    form: ClassVar = "paragraph"
    pieces: tuple[Piece, ...]
    dash: bool = False
    lacking: bool = False


@dataclass(frozen=True)
class Table:
    """Cells in rows; ``told``: the words before the table are its caption already."""

    form: ClassVar = "table"
    caption: str | None
    rows: tuple[tuple[tuple[Piece, ...], ...], ...]
    told: bool

    @property
    def width(self) -> int:
        """The cells of its longest row."""
        return max((len(row) for row in self.rows), default=1)


@dataclass(frozen=True)
class Body:
    """A node as it is read: label, heading, then paragraphs, tables and parts in reading order.

    ``beside``: the citation, where the printed labels do not tell it.
    """

    form: ClassVar = "body"
    node: Node
    label: tuple[Piece, ...]
    heading: tuple[Piece, ...]
    beside: str
    parts: tuple[Block | Body, ...] = ()

    @property
    def dom(self) -> str:
        """The id of its element."""
        return dom_id(self.node.path)

    @property
    def plain_label(self) -> str:
        """The label for a list."""
        return undashed(self.node.label or "")

    @property
    def opening(self) -> tuple[Piece, ...]:
        """The paragraph that stands on the line of the label: the first one, when there is no heading."""
        first = self.parts[0] if self.parts and not self.node.heading else None
        return first.pieces if isinstance(first, Paragraph) else ()

    @property
    def rest(self) -> tuple[Block | Body, ...]:
        """What follows the opening line."""
        return self.parts[1:] if self.opening else self.parts

    @cached_property
    def children(self) -> tuple[Body, ...]:
        """Its parts with ids of their own."""
        return tuple(p for p in self.parts if isinstance(p, Body))

    def untitled(self, heading: bool = False) -> Body:
        """The same without its own label, whose place is taken by a page's title; ``heading``: without that, too."""
        return replace(self, label=(), beside="", heading=() if heading else self.heading)


Block = Paragraph | Table
