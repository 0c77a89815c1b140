"""Published words of the law on a page: a quotation with its footnotes, misprints, notices and rulings.

:class:`QuotationWriter` makes them, for the sheets of situations and the pages of scores. The template is remedy.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.site import phrases, ruling_view
from app.site.atlas import Atlas
from app.site.drawing import Drawer, NodeBody, ParagraphBlock, TextBlock
from app.site.excerpt import footnotes_of
from app.site.ruling_view import RulingView
from corpus.edition import Identity, Notice
from corpus.model import Node, Quote
from corpus.situation.model import Slice

SENTENCE_ENDS = ".:;?!)”“"  # the last character of a sentence, or of a part that is read by itself


@dataclass(frozen=True)
class QuotedProvision:
    """Published words of the law: ``quote``, drawn as ``blocks``.

    - ``notes``: the footnotes whose marks stand in the words.
    - ``misprints``: the remarks on misprints in them.
    - ``notices``: those of the edition on the law.
    - ``rulings``: those on the quoted provision.
    - ``own``: the same provision in the reader's language; None where no edition has it, or a misprint changes it.
    """

    edition: Identity
    node: Node
    quote: Quote
    blocks: tuple[TextBlock, ...]
    notes: tuple[NodeBody, ...]
    misprints: tuple[phrases.MisprintNote, ...]
    notices: tuple[Notice, ...]
    rulings: tuple[RulingView, ...]
    own: Node | None

    @property
    def words(self) -> str:
        """The quoted words alone."""
        return self.node.words_of_span(self.quote)

    @property
    def cut_off_ends(self) -> tuple[bool, bool]:
        """(Whether a sentence is cut off before the words, whether one is cut off after them)."""
        text = self.node.words_in(self.quote.where)
        before, after = text[: self.quote.start].rstrip(), text[self.quote.end :].lstrip()
        return bool(before) and before[-1] not in SENTENCE_ENDS, bool(after) and self.words.rstrip()[
            -1
        ] not in SENTENCE_ENDS


@dataclass(frozen=True)
class QuotedPassage:
    """Quotations that are read one after the other. Its properties collect what belongs to their words, each thing
    once.
    """

    quotes: tuple[QuotedProvision, ...]

    @property
    def notes(self) -> tuple[NodeBody, ...]:
        """The footnotes whose marks stand in the words."""
        return tuple({x.node.id: x for q in self.quotes for x in q.notes}.values())

    @property
    def misprint_notes(self) -> tuple[phrases.MisprintNote, ...]:
        """The remarks on misprints in the words."""
        return tuple({s.dom: s for q in self.quotes for s in q.misprints}.values())

    @property
    def rulings(self) -> tuple[RulingView, ...]:
        """The rulings on the quoted provisions."""
        return tuple({r.ruling.id: r for q in self.quotes for r in q.rulings}.values())

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices on the quoted laws."""
        every = [n for q in self.quotes for n in q.notices]
        return tuple(n for i, n in enumerate(every) if n not in every[:i])


class QuotationWriter:
    """Quotes provisions of one code. Each quotation is from the first of ``editions`` that has the words. ``lang``: the
    reader's language.
    """

    def __init__(self, atlas: Atlas, editions: Sequence[Identity], lang: str):
        self.atlas, self.editions, self.lang = atlas, editions, lang
        self._drawer = Drawer(atlas, links_misprints=False, notes=False)

    def quote_slices(self, slices: Sequence[Slice]) -> QuotedPassage:
        """Return the quotations of slices. A slice that none of the editions has is left out."""
        found = (next(filter(None, (s.in_edition(e.id) for e in self.editions)), None) for s in slices)
        return QuotedPassage(tuple(self.make_quotation(q) for q in found if q))

    def make_quotation(self, quote: Quote) -> QuotedProvision:
        """Return a quotation with what belongs to its words: footnotes, misprints, notices and rulings."""
        library, node = self.atlas.library, self.atlas.library.nodes[quote.node]
        law, edition = self.atlas.page_node_of(node), library.editions[node.edition]
        marks = {m.target for m in node.marks if m.where == quote.where and quote.start < m.at <= quote.end}
        ruled = (
            ruling_view.ruling_view(self.atlas, r, node, words=False)
            for r in self.atlas.rulings_by_node.get(node.id, ())
        )
        return QuotedProvision(
            edition=edition,
            node=node,
            quote=quote,
            blocks=tuple(self._quoted_blocks(node, quote)),
            notes=tuple(self._drawer.body(n) for n in footnotes_of(library, law) if n.id in marks),
            misprints=tuple(
                t
                for t, s in zip(phrases.misprint_notes(library, [node]), node.misprints, strict=True)
                if quote.touches(s)
            ),
            notices=edition.notices_for(law.path),
            rulings=ruling_view.sort_ruling_views(self.atlas, ruled, node.lang),
            own=phrases.same_in_language(library, node, self.lang),
        )

    def _quoted_blocks(self, node: Node, quote: Quote) -> list[TextBlock]:
        if quote.where == "text":
            return self._drawer.blocks(node, quote.start, quote.end)
        return [ParagraphBlock(self._drawer.heading(node))]

    def quote_whole_text(self, node: Node) -> QuotedProvision:
        """Return the quotation of the whole text of a node, without the text of its children."""
        return self.make_quotation(Quote(node.id, "text", 0, len(node.text)))

    def find_nodes(self, paths: Sequence[str]) -> tuple[Node, ...]:
        """Return the provisions of some paths, each in the first edition of the code that has it. A path that none has
        is left out.
        """
        found = (next(filter(None, (self.atlas.library.node_at(e.id, p) for e in self.editions)), None) for p in paths)
        return tuple(n for n in found if n)
