"""An outcome as it is drawn: quotations with what hangs on their words, duties, what comes later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.site import addresses, rulings, slips
from app.site.atlas import Atlas
from app.site.drawing import Drawer
from app.site.drawn import Block, Body, Paragraph
from app.site.excerpt import notes_of
from app.site.rulings import RulingView
from app.site.twins import Twin, between
from corpus.edition.identity import Identity, Notice
from corpus.model import Node, Quote
from corpus.situation.model import Also, Ask, Duty, Goto, Kind, Later, Row, Slice
from corpus.situation.table import Given, counts, says

ENDS = ".:;?!)”“"  # after these a sentence, or a part that is read by itself, has ended


@dataclass(frozen=True)
class Quoted:
    """Published words: ``blocks`` draw ``quote``.

    What hangs on them: ``notes`` whose marks stand in them, ``slips`` of the print, ``notices`` on the law,
    ``rulings`` of bodies on the provision.
    """

    edition: Identity
    node: Node
    quote: Quote
    blocks: tuple[Block, ...]
    notes: tuple[Body, ...]
    slips: tuple[slips.MisprintNote, ...]
    notices: tuple[Notice, ...]
    rulings: tuple[RulingView, ...]

    @property
    def words(self) -> str:
        """The quoted words alone."""
        return self.node.words_of(self.quote)

    @property
    def torn(self) -> tuple[bool, bool]:
        """Whether a sentence is cut off before the words, and after them."""
        text = self.node.words(self.quote.where)
        before, after = text[: self.quote.start].rstrip(), text[self.quote.end :].lstrip()
        return bool(before) and before[-1] not in ENDS, bool(after) and self.words.rstrip()[-1] not in ENDS


@dataclass(frozen=True)
class Passage:
    """Quotations that are read one after the other, and once each what hangs on their words."""

    quotes: tuple[Quoted, ...]

    @property
    def notes(self) -> tuple[Body, ...]:
        """The footnotes whose marks stand in the words."""
        return tuple({x.node.id: x for q in self.quotes for x in q.notes}.values())

    @property
    def slips(self) -> tuple[slips.MisprintNote, ...]:
        """What is said of slips of the print in the words."""
        return tuple({s.dom: s for q in self.quotes for s in q.slips}.values())

    @property
    def rulings(self) -> tuple[RulingView, ...]:
        """What bodies ruled on the provisions."""
        return tuple({r.ruling.id: r for q in self.quotes for r in q.rulings}.values())

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What must be known of the laws."""
        every = [n for q in self.quotes for n in q.notices]
        return tuple(n for i, n in enumerate(every) if n not in every[:i])


@dataclass(frozen=True)
class Moment:
    """What comes later: ``when`` and ``by`` are words of the vocabulary, empty for none."""

    when: str
    kind: Kind
    by: str
    duties: tuple[Duty, ...]
    says: Passage


@dataclass(frozen=True)
class Besides:
    """Words that cut across rows; ``asks``: the questions that would tell whether they count, none where they do."""

    asks: tuple[Ask, ...]
    duties: tuple[Duty, ...]
    says: Passage
    off: tuple[Node, ...]


@dataclass(frozen=True)
class Onward:
    """The situation where it goes on, with the duties that stay."""

    name: Mapping[str, str]
    address: str
    duties: tuple[Duty, ...]


@dataclass(frozen=True)
class Own:
    """The provision of the reader's language beside a quotation: ``body`` only where the two say the same, and no
    slip changes what one of them says.
    """

    twin: Twin
    body: Body | None


@dataclass(frozen=True)
class Remedy:
    """An outcome: its ``row``, and in ``says`` the words that order it, the last of which decide."""

    row: Row
    says: Passage
    off: tuple[Node, ...]
    then: tuple[Moment, ...]
    also: tuple[Besides, ...]
    goto: Onward | None

    @property
    def decides(self) -> Quoted:
        """The quotation that orders the remedy."""
        return self.says.quotes[-1]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What must be known of the laws that are quoted, each once."""
        parts = (self.says, *(b.says for b in self.also), *(t.says for t in self.then))
        return Passage(tuple(q for part in parts for q in part.quotes)).notices


class Writer:
    """Draws outcomes of one code in the texts of ``editions``, the first that has the words."""

    def __init__(self, atlas: Atlas, code: str, editions: Sequence[Identity], lang: str):
        self.atlas, self.code, self.editions, self.lang = atlas, code, editions, lang
        self._drawer = Drawer(atlas, tells=False, notes=False)

    def remedy(self, row: Row, given: Given, asks: Sequence[Ask]) -> Remedy:
        """A row for answers; what the answers rule out of what cuts across rows is left out."""
        also = [(part, counts(part, given)) for part in row.also]
        return Remedy(
            row=row,
            says=self.says(says(row, given, asks, self.code)),
            off=self.nodes(row.off),
            then=tuple(self._moment(later) for later in row.then),
            also=tuple(self._besides(part, met, asks) for part, met in also if met is not False),
            goto=self._onward(row.goto) if row.goto else None,
        )

    def says(self, slices: Sequence[Slice]) -> Passage:
        """The quotations of slices."""
        found = (next(filter(None, (s.in_edition(e.id) for e in self.editions)), None) for s in slices)
        return Passage(tuple(self.quoted(q) for q in found if q))

    def quoted(self, quote: Quote) -> Quoted:
        """A quotation with what hangs on its words."""
        library, node = self.atlas.library, self.atlas.library.nodes[quote.node]
        law, edition = self.atlas.page_of(node), library.editions[node.edition]
        marks = {m.target for m in node.marks if m.where == quote.where and quote.start < m.at <= quote.end}
        ruled = (rulings.told(self.atlas, r, node, words=False) for r in self.atlas.rulings.get(node.id, ()))
        return Quoted(
            edition=edition,
            node=node,
            quote=quote,
            blocks=tuple(self._blocks(node, quote)),
            notes=tuple(self._drawer.body(n) for n in notes_of(library, law) if n.id in marks),
            slips=tuple(t for t, s in zip(slips.misprint_notes(library, [node]), node.slips, strict=True) if quote.touches(s)),
            notices=edition.noticed(law.path),
            rulings=rulings.in_order(self.atlas, ruled, node.lang),
        )

    def _blocks(self, node: Node, quote: Quote) -> list[Block]:
        if quote.where == "text":
            return self._drawer.blocks(node, quote.start, quote.end)
        return [Paragraph(self._drawer.heading(node))]

    def words(self, node: Node) -> Quoted:
        """All that a provision says itself."""
        return self.quoted(Quote(node.id, "text", 0, len(node.text)))

    def nodes(self, paths: Sequence[str]) -> tuple[Node, ...]:
        """Provisions of the code, each in the first text that has it."""
        found = (next(filter(None, (self.atlas.library.node(e.id, p) for e in self.editions)), None) for p in paths)
        return tuple(n for n in found if n)

    def own(self, quoted: Quoted) -> Own | None:
        """What the newest whole text in the reader's language has for a quotation in another language."""
        if quoted.edition.lang == self.lang:
            return None
        library = self.atlas.library
        for edition in reversed([e for e in library.codes if e.lang == self.lang and e.complete]):
            for found in library.relations.counterparts(quoted.node.id).get(edition.id, ()):
                twin = between(library, quoted.node.id, found.id)
                if twin is None:
                    continue
                plain = twin.reviewed and found.relation in ("same", "moved") and not found.pair.reworded
                clean = not any(s for n in (quoted.node, twin.node) for s in n.slips) and not twin.node.children
                drawn = self._drawer.body(twin.node)
                return Own(twin, drawn if plain and clean else None)
        return None

    def _moment(self, later: Later) -> Moment:
        return Moment(later.when, later.kind, later.by, later.duties, self.says(later.says))

    def _besides(self, also: Also, met: bool | None, asks: Sequence[Ask]) -> Besides:
        open_ = tuple(a for a in asks if a.id in also.if_) if met is None else ()
        return Besides(open_, also.duties, self.says(also.says), self.nodes(also.off))

    def _onward(self, goto: Goto) -> Onward:
        there = self.atlas.library.situations[goto.situation]
        closed = [("closed", f"{ask}:{a}") for ask, answers in goto.closed.items() for a in answers]
        address = addresses.situation(there.id, [*goto.answers.items(), ("code", self.code), *closed])
        return Onward(there.name, address, goto.duties)
