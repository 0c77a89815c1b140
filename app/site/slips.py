"""Slips of the books on a page: a sign at the printed words, and a note with the evidence beside it, quoted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flask_babel import gettext as _

from app.site import wording
from app.site.drawn import sign_dom, slip_dom
from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node, Slip
from corpus.situation.model import Duty, Misprint


@dataclass(frozen=True)
class Evidence:
    """Words of another provision, sliced from its text or heading."""

    node: Node
    edition: Identity
    words: str


@dataclass(frozen=True)
class MisprintNote:
    """A slip as a list of notes tells it. ``dom`` is its element; ``words`` are the printed ones, empty where something
    is missing.
    """

    dom: str
    sign: str
    node: Node
    words: str
    note: str
    evidence: tuple[Evidence, ...]


def misprint_notes(library: Library, nodes: list[Node]) -> list[MisprintNote]:
    """The slips of some nodes, in their order, in the reader's language."""
    out = []
    for node in nodes:
        for slip in node.slips:
            evidence = tuple(
                Evidence(n := library.nodes[q.node], library.editions[n.edition], n.words_of(q)) for q in slip.quotes
            )
            out.append(
                MisprintNote(
                    slip_dom(node, slip),
                    sign_dom(node, slip),
                    node,
                    node.words_of(slip),
                    wording.of_slip(slip),
                    evidence,
                )
            )
    return out


def misprint_of_duty(library: Library, misprint: Misprint) -> Slip:
    """The slip of the print that a duty names."""
    _edition, _, id_ = misprint.slip.partition(":")
    return next(s for s in library.nodes[misprint.node].slips if s.id == id_)


def corrected(library: Library, duties: Iterable[Duty]) -> list[Slip]:
    """The slips under duties that follow the law and not the print, each once."""
    found = (misprint_of_duty(library, m) for duty in duties for m in duty.misprints if m.state == "corrected")
    return list(dict.fromkeys(found))


def misprint_lines(library: Library, node: Node, lang: str) -> list[str]:
    """A line for each slip of a provision and what stands below it, for a quotation in plain text."""
    out = []
    for n in library.subtree(node, notes=False):
        for slip in n.slips:
            printed = n.words_of(slip)
            quoted = ": " + _("“%(text)s”", text=printed) if printed else ""
            out.append(f"[{wording.cited(n)}{quoted} – {wording.of_slip(slip, lang)}]")
    return out
