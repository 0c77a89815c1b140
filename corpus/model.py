"""The values of the corpus: nodes, references, marks, quotations, corrections, problems. All of them are frozen.

All but the node have slots: there are many, and slots need less memory.

:class:`Node` is a provision or another part of a book, :class:`NodeId` its id. :class:`Text` is a string whose
characters know their place in the source. :func:`find_quote` finds words that a data file quotes: the quotation is a
slice of the published text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

# What a correction became: words of a node; the sign of a note, or a dash or dot of a list; blanks at an edge, or a
# hyphen between lines; characters that a rule drops.
CORRECTION_RESULTS = ("", "sign", "layout", "dropped")

# fmt: off
Kind = Literal[
    "law", "section", "subsection", "clause", "subclause", "point", "footnote", "definition", "container",
    "chapter", "part", "division", "preface", "intro", "index", "example",
]
# fmt: on

# Groups of kinds. Each group is named here and nowhere else.
# Parts of the book that only hold laws.
ContainerKind = Literal["chapter", "part", "division"]
CONTAINER_KINDS: tuple[ContainerKind, ...] = get_args(ContainerKind)
# The numbered units of a text, from the law or point down.
NumberedKind = Literal["law", "point", "section", "subsection", "clause", "subclause"]
# Frames of provisions that are no law themselves: these parts, and the list of definitions.
FRAME_KINDS: tuple[Kind, ...] = (*CONTAINER_KINDS, "container")
# Parts of the book that stand alone.
STANDALONE_KINDS: tuple[Kind, ...] = ("preface", "intro", "index")
# Units whose numbers run through the book.
LAW_KINDS: tuple[Kind, ...] = ("law", "point")
# The laws and their numbered units.
NUMBERED_KINDS: tuple[Kind, ...] = ("law", "section", "subsection", "clause", "subclause")
# Provisions that are cited by number, or by number and letters.
CITED_KINDS: tuple[Kind, ...] = (*NUMBERED_KINDS, "point")
# Provisions with the same path in every text of a code. Notes and chapters have none: each printer numbers them.
CODE_KINDS: tuple[Kind, ...] = (*NUMBERED_KINDS, "definition")
# Texts that order and forbid: the laws, the decisions, their notes, and the definitions.
BINDING_KINDS: tuple[Kind, ...] = (*CITED_KINDS, "definition", "footnote")
# Nodes with a page of their own. The nodes inside them are read on that page.
PAGE_KINDS: tuple[Kind, ...] = (*LAW_KINDS, "container", "example", *STANDALONE_KINDS)
# Nodes with a line in the contents.
CONTENTS_KINDS: tuple[Kind, ...] = (*CONTAINER_KINDS, *PAGE_KINDS)
# Nodes with a title that a reader may look for.
TITLED_KINDS: tuple[Kind, ...] = (*LAW_KINDS, "section", "definition")

# The place of words in a node, and the sorts of references.
Where = Literal["text", "heading"]
ReferenceKind = Literal["absolute", "relative", "external", "definition"]


class LocalizedSentences(dict[str, str]):
    """Our own words in each language of the site, by language. Nobody changes them, so that they have a hash."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none
        return hash(frozenset(self.items()))


class NodeId(str):
    """The id of a node, ``<edition>/<path>``. Code that only compares, stores or prints ids uses it as a ``str``.

    >>> NodeId("pl-2007/16/D/2").edition, NodeId("pl-2007/16/D/2").path, NodeId.of("pl-2007", "16/D")
    ('pl-2007', '16/D/2', 'pl-2007/16/D')
    """

    __slots__ = ()

    @classmethod
    def of(cls, edition: str, path: str) -> NodeId:
        """The id of a path in an edition."""
        return cls(f"{edition}/{path}")

    @property
    def edition(self) -> str:
        """The edition of the id. It may be one that the corpus does not have (``mpb-2017``)."""
        return self.partition("/")[0]

    @property
    def path(self) -> str:
        """The path inside the edition."""
        return self.partition("/")[2]

    @property
    def law(self) -> str:
        """The first step of the path: the law's number, or the part of the book (``def``, ``fn``, ``chapter``)."""
        return self.path.partition("/")[0]

    def contains(self, other: str) -> bool:
        """Whether another id is inside this node, or is this node."""
        return other == self or other.startswith(f"{self}/")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file: ``finding`` says what, ``move`` what to do about it. ``line`` is 1-based.

    A fatal problem prevents the corpus from being published.
    """

    file: str
    line: int
    finding: str
    move: str
    fatal: bool = True

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.finding} {self.move}"


@dataclass(frozen=True, slots=True)
class Correction:
    """One recorded change of the source's characters. ``line`` and ``column`` are 1-based code points.

    ``became`` says what the published characters are when they are no words of a node (:data:`CORRECTION_RESULTS`).
    """

    edition: str
    line: int
    column: int
    source: str
    published: str
    basis: str
    reason: str
    became: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One printed label of a reference, or its term. ``text[start:end]`` is the label alone, without the law word.

    ``targets`` are the full ids of the nodes that the label names. The last label of a range has the whole range,
    including the first.
    """

    start: int
    end: int
    targets: tuple[NodeId, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """Words that point to provisions. ``text[start:end] == surface`` in the node's text or heading.

    ``targets`` are full node ids; ``missing`` are those of them that the edition does not have. ``parts`` has one entry
    for each printed label, in order; the targets of all parts together are ``targets``.
    """

    start: int
    end: int
    where: Where
    surface: str
    kind: ReferenceKind
    targets: tuple[NodeId, ...]
    missing: tuple[NodeId, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a footnote. It stands after ``at`` code points of the text or heading; ``target`` is the note."""

    at: int
    target: NodeId
    where: Where = "text"
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table, as cells. ``text[start:end]`` of its node holds them as tab-separated lines."""

    caption: str | None
    rows: tuple[tuple[str, ...], ...]
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a node's content in reading order: text that starts at ``at`` of its text, or the id of a child."""

    text: str | None = None
    child: NodeId | None = None
    at: int = 0


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a provision: ``text[start:end]`` of the node's text or heading."""

    node: NodeId
    where: Where
    start: int
    end: int

    def touches(self, misprint: Misprint) -> bool:
        """Whether a misprint of the node is inside the words, or words are missing at an edge of them."""
        return misprint.where == self.where and misprint.end > self.start and misprint.start <= self.end


@dataclass(frozen=True, slots=True)
class Source:
    """A web page outside the corpus: its ``url``, the day on which it was ``read``, and the number of ``readers``.

    Its words are not quoted here. It is evidence for what our own words say about the law.
    """

    url: str
    read: str
    readers: int


@dataclass(frozen=True, slots=True)
class Misprint:
    """A reviewed remark on a misprint of the book (contract, section 4: ``notes``). It never changes the text.

    ``kind``: ``misprint`` – the words ``[start:end]`` say something else than other texts; ``lost`` – words are missing
    at ``start`` (= ``end``); ``missing`` – a whole provision is missing at the end of this node. ``sentences`` describe
    it, by language. ``quotes`` is the evidence, from the nodes ``see``. ``cause`` explains what is missing:
    ``print`` where another text of the same laws has it; ``unknown`` where no text shows whether the laws or this print
    left it out.

    ``id`` is its name in tables of situations; empty when no table names it. ``printed`` and ``law`` say in our words
    what the print and what the law says there. ``sources`` are pages that were read about the law.
    """

    start: int
    end: int
    where: Where
    kind: Literal["misprint", "lost", "missing"]
    sentences: LocalizedSentences
    see: tuple[NodeId, ...]
    quotes: tuple[Quote, ...]
    cause: Literal["", "print", "unknown"] = ""
    id: str = ""
    printed: LocalizedSentences = field(default_factory=LocalizedSentences)
    law: LocalizedSentences = field(default_factory=LocalizedSentences)
    sources: tuple[Source, ...] = ()

    @property
    def can_mislead_quotation(self) -> bool:
        """Whether printed words differ in meaning from the law, so that a quotation of them can mislead."""
        return self.kind != "missing"


@dataclass(frozen=True, slots=True)
class TermMark:
    """The first use of a term in a provision: ``text[start:end]`` of the node's text or heading names ``concept``.

    The same edition gives its meaning (contract, section 4: ``terms``).
    """

    start: int
    end: int
    where: Where
    concept: str


@dataclass(frozen=True, slots=True)
class Spelling:
    """A misprint that does not change the meaning.

    It has the line of the source, the printed words, the meant words, a reason (from a closed list) and a remark.
    """

    line: int
    printed: str
    meant: str
    reason: str
    remark: str


@dataclass(frozen=True, slots=True)
class StrengthMark:
    """Words ``text[start:end]`` that order or forbid, with their strength by the edition's introduction.

    ``loose``: the text does not keep to that introduction, so the strength of these words is uncertain.
    """

    start: int
    end: int
    strength: str
    where: Where = "text"
    loose: bool = False


@dataclass(frozen=True)
class Node:
    """A provision or another part of a book. ``text`` is its own words only; a blank line separates paragraphs.

    ``label``, ``heading`` and ``text`` of a node that was read from a source are :class:`corpus.model.Text`.
    ``content`` is its text and children in reading order. ``source_text`` holds its own characters of the source,
    ``source_spans`` their places: (first line, first column, last line, last column), 1-based. ``aside`` is what
    the heading of a definition has beside its term: the term in another language, or a “see also”. ``remarks`` are
    paragraphs of a subject index that are no entries but words of its maker.
    """

    id: NodeId
    edition: str
    lang: str
    year: int
    path: str
    kind: Kind
    label: str | None
    citation: str
    heading: str | None
    parent: NodeId | None
    text: str
    content: tuple[Piece, ...] = ()
    tables: tuple[Table, ...] = ()
    marks: tuple[Mark, ...] = ()
    source_text: str = ""
    source_spans: tuple[tuple[int, int, int, int], ...] = ()
    references: tuple[Reference, ...] = ()
    misprints: tuple[Misprint, ...] = ()
    terms: tuple[TermMark, ...] = ()
    aside: str = ""
    remarks: tuple[str, ...] = ()
    strengths: tuple[StrengthMark, ...] = ()

    @property
    def children(self) -> tuple[NodeId, ...]:
        """Ids of the children in reading order."""
        return tuple(p.child for p in self.content if p.child)

    @property
    def places(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """The places of its label, heading and text (:attr:`Text.places`), of those that have any."""
        words = {"label": self.label, "heading": self.heading, "text": self.text}
        return {name: text.places for name, text in words.items() if isinstance(text, Text) and text.places}

    def words_in(self, where: str) -> str:
        """The words of a part of the node: its ``label``, ``heading`` or ``text``, as ``where`` says; empty when it has
        none.
        """
        return {"label": self.label, "heading": self.heading, "text": self.text}[where] or ""

    def words_of_span(self, span: Quote | Misprint | TermMark | StrengthMark) -> str:
        """The words of a quotation, a misprint or a mark: ``[start:end]`` of the place that it names."""
        return self.words_in(span.where)[span.start : span.end]


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A line of an edition's printed subject index: ``entry`` → ``subentry`` → targets (ids) and see-also entries.

    In other languages the line has the name of ``term`` (a slug). Without a term it has the name of what corresponds to
    ``heading``, a provision with that title. With neither it has no other name.
    """

    edition: str
    entry: str
    subentry: str | None
    targets: tuple[NodeId, ...] = ()
    see: tuple[str, ...] = ()
    line: int = 0
    term: str = ""
    heading: NodeId | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of corresponding provisions (contract, section 4). ``a`` is in ``older``, ``b`` in ``newer``.

    One of the two is None where a provision has no counterpart.

    ``reworded``: the substance of the node's own words differs. ``cause`` of that, or of a missing side: ``code``,
    ``translation``, ``unknown``; None where nobody recorded one. ``via`` are the editions between the two; it is empty
    when the two are aligned directly. ``heading``: only the titles correspond; such rows are not exported.
    ``differences`` are sentences for pages about the difference, one for each step of the way.
    """

    a: NodeId | None
    b: NodeId | None
    relation: str
    reworded: bool
    score: float
    basis: Literal["reviewed", "computed"]
    remark: str = ""
    older: str = ""
    newer: str = ""
    cause: str | None = None
    via: tuple[str, ...] = ()
    heading: bool = False
    differences: tuple[LocalizedSentences, ...] = ()

    @property
    def both_ids(self) -> tuple[NodeId, NodeId] | None:
        """Both ids; None when a provision has no counterpart."""
        return (self.a, self.b) if self.a and self.b else None

    @property
    def joins_provisions(self) -> bool:
        """Whether two provisions correspond, and not only their titles."""
        return self.both_ids is not None and not self.heading

    @property
    def may_differ_only_in_print(self) -> bool:
        """Whether the difference may be one of the print or the translation, not of the laws."""
        return self.cause in ("unknown", "translation")

    def other_id_of(self, id_: str) -> NodeId | None:
        """The id of the other provision of the pair: ``id_`` is one of the two ids. None when there is no other
        provision.
        """
        return self.b if self.a == id_ else self.a


class Text(str):
    """A string that knows where in the source each of its characters is. Code that reads words uses it as a ``str``.

    ``places`` are runs that cover the words from the first character to the last, in order:

    - ``(length,)``: added by the layout (a blank between two lines, what separates paragraphs and cells)
    - ``(length, line, column)``: the source's characters from there, one by one; white space may be of any kind
    - ``(length, line, column, width)``: published for the ``width`` characters there, by a correction or because markup
      writes them so; inserted when ``width`` is 0

    Lines and columns are 1-based. A text that was not read from a source has no places.

    >>> Text("a law", ((2, 7, 1), (3, 7, 3, 4))).place_at(4)
    (7, 3, 4)
    """

    __slots__ = ("places",)
    places: tuple[tuple[int, ...], ...]

    def __new__(cls, words: str = "", places: tuple[tuple[int, ...], ...] = ()) -> Text:
        """Make a text. Raises :class:`ValueError` when the places do not cover the words."""
        text = super().__new__(cls, words)
        if places and sum(run[0] for run in places) != len(words):
            raise ValueError(f"The places of “{words[:40]}” do not cover it.")
        str.__setattr__(text, "places", places)
        return text

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A Text is frozen.")

    def __deepcopy__(self, memo: object) -> Text:
        return self

    def __reduce__(self) -> tuple[type[Text], tuple[str, tuple[tuple[int, ...], ...]]]:
        return Text, (str(self), self.places)

    def runs(self) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Yield (start, end, place) for each run of ``places``.

        ``place`` is the run without its length: () for characters that the layout added.
        """
        at = 0
        for length, *place in self.places:
            yield at, at + length, tuple(place)
            at += length

    def place_at(self, offset: int) -> tuple[int, ...]:
        """The place of the character at an offset: (line, column), (line, column, width), or () if layout added it."""
        start, _, place = next(run for run in self.runs() if run[0] <= offset < run[1])
        return _character_place(place, offset - start)

    def character_places(self) -> Iterator[tuple[int, ...]]:
        """Yield the place of each character, in order, as :meth:`place_at` returns it."""
        for start, end, place in self.runs():
            yield from (_character_place(place, number) for number in range(end - start))


def _character_place(place: tuple[int, ...], number: int) -> tuple[int, ...]:
    """The place of a character of a run. ``place``: of the run; ``number``: the index of the character in it."""
    return (place[0], place[1] + number) if len(place) == 2 else place


def find_quote(node: Node, where: Where, words: str, occurrence: int = 0) -> Quote | tuple[str, str]:
    """Return where words stand in the text or heading of a node (``where`` says in which), as a quotation.

    Return (finding, next move) instead when they do not stand there, or more than once. ``occurrence`` chooses one of
    several, from 1; 0 means that the words must stand there once. Without words it is the end of the text or heading.
    """
    text = node.words_in(where)
    if not words:
        return Quote(node.id, where, len(text), len(text))
    at = []
    start = text.find(words)
    while start >= 0:
        at.append(start)
        start = text.find(words, start + 1)
    there = f"the {where} of {node.id}"
    if len(at) < max(occurrence, 1):
        return f"“{words}” does not stand in {there}.", "Write the words as they are published."
    if len(at) > 1 and not occurrence:
        return f"“{words}” stands {len(at)} times in {there}.", "Write more of the words, or “occurrence”."
    start = at[max(occurrence, 1) - 1]
    return Quote(node.id, where, start, start + len(words))
