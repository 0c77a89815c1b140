"""What is checked of duties whose words overlap a misprint of the book: each says what it does with it.

Our own words follow the law and never a misprint. A duty under a misprint names it and says so: the order is the same
with and without it (``harmless``), follows the law (``corrected``), or is none of ours, since nothing here proves what
the law says (``undecided``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from corpus.checked.rule import Fault
from corpus.checked.toml import At
from corpus.model import Node, NodeId, Slip
from corpus.situation.model import SOME, Ask, Duty, Misprint, Row, Slice

Known = Mapping[str, tuple[Node, Slip]]  # how a table names a misprint → where it is printed


@dataclass(frozen=True)
class Placer:
    """Finds what duties say of misprints; ``undecided``: the one duty that gives no order of ours."""

    nodes: Mapping[NodeId, Node]
    undecided: str = ""

    def row(self, row: Row, asks: Iterable[Ask], code: str) -> tuple[Row, list[Fault]]:
        """A row whose quotations are placed, with each misprint at its place, and what is wrong."""
        faults: list[Fault] = []
        ticked = [s for ask in asks if SOME in row.if_.get(ask.id, ()) for s in ask.ticked.get(code, ())]
        now = (*row.says, *ticked)

        def placed(duties: tuple[Duty, ...], says: Iterable[Slice], at: At) -> tuple[Duty, ...]:
            known = self.under(says)
            done = [self.duty(duty, known, (*at, n)) for n, duty in enumerate(duties)]
            faults.extend(f for _, found in done for f in found)
            return tuple(duty for duty, _ in done)

        then = tuple(replace(t, duties=placed(t.duties, t.says, ("then", n, "duties"))) for n, t in enumerate(row.then))
        also = tuple(replace(a, duties=placed(a.duties, a.says, ("also", n, "duties"))) for n, a in enumerate(row.also))
        goto = row.goto and replace(row.goto, duties=placed(row.goto.duties, now, ("goto", "duties")))
        return replace(row, duties=placed(row.duties, now, ("duties",)), then=then, also=also, goto=goto), faults

    def under(self, says: Iterable[Slice]) -> Known:
        """The misprints that the quoted words overlap."""
        quotes = (quote for s in says for quote in s.quotes)
        found = ((self.nodes[q.node], slip) for q in quotes for slip in self.nodes[q.node].slips if q.touches(slip))
        return {name(node, slip): (node, slip) for node, slip in found if slip.changes_words}

    def duty(self, duty: Duty, known: Known, at: At) -> tuple[Duty, list[Fault]]:
        """A duty with its misprints placed; what it does not say of one, or says without need or proof."""
        said = {m.slip for m in duty.misprints}
        faults = [self._unsaid(duty, *known[slip], at) for slip in known if slip not in said]
        placed = []
        for n, misprint in enumerate(duty.misprints):
            if misprint.slip not in known:
                move = f"Name one of: {', '.join(known)}." if known else "Remove it."
                finding = f"No misprint “{misprint.slip}” stands in the words of “{duty.do}”."
                faults.append(Fault(finding, move, (*at, "misprints", n), misprint.slip))
                continue
            node, slip = known[misprint.slip]
            faults += [f._replace(at=(*at, "misprints", n)) for f in self._unproved(duty, misprint, slip)]
            placed.append(replace(misprint, node=node.id))
        if duty.do == self.undecided and not any(m.state == "undecided" for m in duty.misprints):
            move = "Name the misprint that is undecided, or write what is ordered."
            faults.append(Fault(f"“{duty.do}” orders nothing of ours, and no misprint is undecided.", move, at))
        return replace(duty, misprints=tuple(placed)), faults

    def _unsaid(self, duty: Duty, node: Node, slip: Slip, at: At) -> Fault:
        words, where = node.words_of(slip), f"{node.id} “{node.words_of(slip)}”" if slip.end > slip.start else node.id
        if not slip.id:
            move = f"Give it an id in editions/{node.edition}/slips.toml, and write what “{duty.do}” does with it."
            return Fault(f"The words of “{duty.do}” overlap a misprint without an id: {where}.", move, at, words)
        move = f'Write misprints = [{{slip = "{name(node, slip)}", state = "harmless | corrected | undecided", …}}].'
        return Fault(f"“{duty.do}” does not say what it does with the misprint in {where}.", move, at)

    def _unproved(self, duty: Duty, misprint: Misprint, slip: Slip) -> Iterator[Fault]:
        if misprint.state == "corrected" and not slip.law:
            finding = f"“{duty.do}” follows the law, and nothing says what that is."
            yield Fault(finding, f"Write “print” and “law” of {misprint.slip} in its slips.toml, with the evidence.")
        if (misprint.state == "undecided") != (duty.do == self.undecided):
            finding = f"“{duty.do}” is ordered on words whose misprint is {misprint.state}."
            move = (
                "Where it is undecided, the words speak alone: write the duty that orders nothing of ours, only there."
            )
            yield Fault(finding, move)


def name(node: Node, slip: Slip) -> str:
    """How tables name a misprint."""
    return f"{node.edition}:{slip.id}"
