"""What is checked against the texts: every path is there, every slice stands in every text of the code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from corpus import address, quoting
from corpus.checked.rule import Fault
from corpus.checked.toml import At
from corpus.model import Node, NodeId, Quote
from corpus.situation import misprints, orders
from corpus.situation.model import Ask, Situation, Slice
from corpus.situation.orders import Orders

FOOTNOTES = "fn"  # the first step of the path of a note that is numbered through the book


@dataclass(frozen=True)
class QuotedTexts:
    """The texts of the codes that were read: edition → code, and the nodes; ``quoted``: those that are quoted
    somewhere, and so must be everywhere; ``unread``: whether a text could not be read, so that nothing proves a
    situation wrong.
    """

    codes: Mapping[str, str]
    nodes: Mapping[NodeId, Node]
    quoted: frozenset[str] = frozenset()
    unread: bool = False

    def of(self, code: str) -> list[str]:
        """The texts of a code."""
        return [e for e, its in self.codes.items() if its == code]

    def having(self, code: str, path: str) -> list[str]:
        """Those that situations quote and that have the law: an extract has only its laws. Notes that are numbered
        through a book are of that book alone.
        """
        law = address.steps(path)[0]
        own = path if law == FOOTNOTES else law
        return [e for e in self.of(code) if e in self.quoted and NodeId.of(e, own) in self.nodes]


def place_quotations(situation: Situation, texts: QuotedTexts) -> tuple[Situation, list[Fault]]:
    """The situation with its quotations found in the texts, or why they are not."""
    found: list[Fault] = list(_paths(situation, texts))
    tables = {}
    for code, table in situation.table.items():
        placer = _Placer(code, texts, found)
        rows = tuple(placer.row(row, ("table", code, "row", n)) for n, row in enumerate(table.row))
        tables[code] = replace(table, row=rows)
    asks = tuple(replace(ask, ticked=_ticked(ask, texts)) for ask in situation.ask)
    return replace(situation, table=tables, ask=asks), found


def place_orders(situation: Situation, texts: QuotedTexts, rules: Orders) -> tuple[Situation, list[Fault]]:
    """A situation whose quotations are placed, with what its duties say of their words and of misprints."""
    found: list[Fault] = []
    placer = misprints.Placer(texts.nodes, rules.undecided)
    tables = {}
    for code, table in situation.table.items():
        rows = []
        for n, row in enumerate(table.row):
            given, faults = orders.place_duties(row, rules, texts.nodes)
            done, more = placer.row(given, situation.ask, code)
            found += [f._replace(at=("table", code, "row", n, *f.at)) for f in (*faults, *more)]
            rows.append(done)
        tables[code] = replace(table, row=tuple(rows))
    return replace(situation, table=tables), found


def _ticked(ask: Ask, texts: QuotedTexts) -> dict[str, tuple[Slice, ...]]:
    """Code → what may be ticked, quoted whole."""
    return {
        code: tuple(Slice(path=path, quotes=tuple(_whole(path, code, texts))) for path in paths)
        for code, paths in ask.ticks.items()
    }


def _whole(path: str, code: str, texts: QuotedTexts) -> Iterator[Quote]:
    for edition in texts.having(code, path):
        node = texts.nodes.get(NodeId.of(edition, path))
        if node is not None:
            yield Quote(node.id, "text", 0, len(node.text))


def _paths(situation: Situation, texts: QuotedTexts) -> Iterator[Fault]:
    """Paths that no text of the code has, and rows whose deciding provision is not among those of the situation."""
    lists: list[tuple[At, str, Iterable[str]]] = [
        (("provisions", code), code, paths) for code, paths in situation.provisions.items()
    ]
    for n, ask in enumerate(situation.ask):
        lists += [(("ask", n, "ticks", code), code, paths) for code, paths in ask.ticks.items()]
        lists += [(("ask", n, "see", code), code, paths) for code, paths in ask.see.items()]
    for code, table in situation.table.items():
        if code not in situation.provisions:
            yield Fault(f"There are no provisions of {code}.", "List them, the deciding ones first.", ("provisions",))
        for n, row in enumerate(table.row):
            lists.append((("table", code, "row", n, "off"), code, row.off))
            decides, known = row.decides.path, situation.provisions.get(code, ())
            if known and not any(f"{decides}/".startswith(f"{p}/") or p.startswith(f"{decides}/") for p in known):
                finding = f"{decides} decides the row “{row.id}” and is not among the provisions of {code}."
                yield Fault(finding, "Add it, at its place in the order.", ("provisions", code))
    for at, code, paths in lists:
        if code not in texts.codes.values():
            continue
        for path in paths:
            if not any(NodeId.of(e, path) in texts.nodes for e in texts.of(code)):
                yield Fault(f"No text of {code} has {path}.", "Correct the path.", at, path)


@dataclass
class _Placer:
    code: str
    texts: QuotedTexts
    faults: list[Fault]

    def row(self, row: Any, at: At) -> Any:
        """A row with every slice placed, and its ``off`` proved by the words that are quoted."""
        says = self.slices(row.says, (*at, "says"))
        self.off(row.off, says, (*at, "off"))
        also = []
        for n, part in enumerate(row.also):
            placed = self.slices(part.says, (*at, "also", n, "says"))
            self.off(part.off, placed, (*at, "also", n, "off"))
            also.append(replace(part, says=placed))
        then = tuple(
            replace(part, says=self.slices(part.says, (*at, "then", n, "says"))) for n, part in enumerate(row.then)
        )
        return replace(row, says=says, also=tuple(also), then=then)

    def slices(self, slices: tuple[Slice, ...], at: At) -> tuple[Slice, ...]:
        """The slices with a quotation from each text that has the law."""
        if not slices:
            self.faults.append(Fault("Nothing is quoted.", "Quote the words that decide.", at))
        return tuple(self.slice(s, (*at, n)) for n, s in enumerate(slices))

    def slice(self, slice_: Slice, at: At) -> Slice:
        """One slice in each text of the code."""
        having = self.texts.having(self.code, slice_.path)
        if not having and self.texts.quoted.intersection(self.texts.of(self.code)):
            self.faults.append(Fault(f"No text of {self.code} has {slice_.path}.", "Correct the path.", at))
        for edition in (*slice_.words, *slice_.at):
            if self.texts.codes.get(edition, self.code) != self.code:
                finding = f"“{edition}” is no text of {self.code}."
                self.faults.append(Fault(finding, "Quote the texts of the code of the table.", at, edition))
        quotes = [self.quote(slice_, edition, at) for edition in having]
        return replace(slice_, quotes=tuple(q for q in quotes if q))

    def quote(self, slice_: Slice, edition: str, at: At) -> Quote | None:
        """The words in one text: those that are written, else all."""
        id_ = NodeId.of(edition, slice_.at.get(edition, slice_.path))
        node = self.texts.nodes.get(id_)
        if node is None:
            move = f'Correct the path, or write at = {{{edition} = "…"}} where it is numbered otherwise.'
            self.faults.append(Fault(f"There is no {id_}.", move, at, slice_.path))
            return None
        words = slice_.words.get(edition) or node.words(slice_.where)
        found = quoting.find(node, slice_.where, words, slice_.occurrence)
        if not words:
            found = (f"The {slice_.where} of {id_} has no words.", "Quote the parts that have words.")
        if isinstance(found, Quote):
            return found
        self.faults.append(Fault(*found, at, edition))
        return None

    def off(self, paths: tuple[str, ...], says: tuple[Slice, ...], at: At) -> None:
        """What is switched off is named by a reference inside the quoted words."""
        named = {id_.path for s in says for q in s.quotes for id_ in self.named(q)}
        for path in paths:
            if self.texts.of(self.code) and not any(f"{path}/".startswith(f"{n}/") for n in named):
                finding = f"The quoted words do not name {path}."
                self.faults.append(Fault(finding, "Quote the words that switch it off, or remove it.", at, path))

    def named(self, quote: Quote) -> Iterator[NodeId]:
        """The provisions that references inside a quotation name."""
        for ref in self.texts.nodes[quote.node].references:
            if ref.where == quote.where and quote.start <= ref.start and ref.end <= quote.end:
                yield from ref.targets
