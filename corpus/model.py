"""Words that data quote, found where they are published: a quotation is proved by slicing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

# words · the sign of a note, a dash or dot of a list · blanks at an edge, a hyphen between lines · left out by a rule
CORRECTION_RESULTS = ("", "sign", "layout", "dropped")

# fmt: off
Kind = Literal[
    "law", "section", "subsection", "clause", "subclause", "point", "footnote", "definition", "container",
    "chapter", "part", "division", "preface", "intro", "index", "example",
]
# fmt: on

# Kinds that are asked for together; each of these groups has its name here and nowhere else.
# Parts of the book that only hold laws.
ContainerKind = Literal["chapter", "part", "division"]
CONTAINER_KINDS: tuple[ContainerKind, ...] = get_args(ContainerKind)
# What a text is numbered into, from the law or point down.
NumberedKind = Literal["law", "point", "section", "subsection", "clause", "subclause"]
# What frames provisions without being law: such parts, and the list of the definitions.
FRAME_KINDS: tuple[Kind, ...] = (*CONTAINER_KINDS, "container")
# Parts of the book that stand alone.
STANDALONE_KINDS: tuple[Kind, ...] = ("preface", "intro", "index")
# What is numbered through the book.
LAW_KINDS: tuple[Kind, ...] = ("law", "point")
# The laws and what they are numbered into.
NUMBERED_KINDS: tuple[Kind, ...] = ("law", "section", "subsection", "clause", "subclause")
# What is cited by number, or by number and letters.
CITED_KINDS: tuple[Kind, ...] = (*NUMBERED_KINDS, "point")
# What has the same path in every text of a code: notes and chapters are numbered by the printer.
CODE_KINDS: tuple[Kind, ...] = (*NUMBERED_KINDS, "definition")
# What orders and forbids: the laws, the decisions, their notes, and the definitions.
BINDING_KINDS: tuple[Kind, ...] = (*CITED_KINDS, "definition", "footnote")
# What a page is made for: what stands inside is read there.
PAGE_KINDS: tuple[Kind, ...] = (*LAW_KINDS, "container", "example", *STANDALONE_KINDS)
# What has a line in the contents.
CONTENTS_KINDS: tuple[Kind, ...] = (*CONTAINER_KINDS, *PAGE_KINDS)
# What bears a title that one may look for.
TITLED_KINDS: tuple[Kind, ...] = (*LAW_KINDS, "section", "definition")

# Where in a node words stand, and what sort of reference they are.
Where = Literal["text", "heading"]
LocalizedSentences = tuple[tuple[str, str], ...]  # (language, sentence): our own words in each language of the site
ReferenceKind = Literal["absolute", "relative", "external", "definition"]


class NodeId(str):
    """``<edition>/<path>``: the name of a node everywhere. For whoever only compares, keeps or prints it, it is a
    ``str``.

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
        """The edition that it names, ours or not (``mpb-2017``)."""
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
        """Whether another id is inside this node, or is this one."""
        return other == self or other.startswith(f"{self}/")


@dataclass(frozen=True)
class Problem:
    """Something wrong found in a text: where, what, and what to do about it."""

    file: str
    line: int
    finding: str
    move: str
    fatal: bool = True

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.finding} {self.move}"


@dataclass(frozen=True)
class Correction:
    """One recorded change of the source's characters. ``line`` and ``column`` are 1-based code points.

    ``became``: what the published characters are, when they are no words of a node (:data:`CORRECTION_RESULTS`).
    """

    edition: str
    line: int
    column: int
    source: str
    published: str
    basis: str
    reason: str
    became: str = ""


@dataclass(frozen=True)
class Part:
    """One printed label of a reference, or its term: ``text[start:end]`` is the label alone, without the law word.

    ``targets`` are the full ids that this label gives; the last label of a range has all of the range, from its first
    on.
    """

    start: int
    end: int
    targets: tuple[NodeId, ...]


@dataclass(frozen=True)
class Reference:
    """Words that point somewhere. ``text[start:end] == surface`` in the node's text or heading.

    ``targets`` are full node ids; ``missing`` are those of them that the edition does not have. ``parts``: one for each
    printed label, in order; their targets together are ``targets``.
    """

    start: int
    end: int
    where: Where
    surface: str
    kind: ReferenceKind
    targets: tuple[NodeId, ...]
    missing: tuple[NodeId, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Mark:
    """The sign that leads to a footnote: the note belongs after ``at`` code points of text or heading."""

    at: int
    target: NodeId
    where: Where = "text"
    sign: str = ""


@dataclass(frozen=True)
class Table:
    """Rows of cells as printed. ``text[start:end]`` of its node is the table as tab-separated lines."""

    caption: str | None
    rows: tuple[tuple[str, ...], ...]
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Piece:
    """A stretch of a node's content in reading order: own text (starting at ``at`` of text) or a child's id."""

    text: str | None = None
    child: NodeId | None = None
    at: int = 0


@dataclass(frozen=True)
class Quote:
    """Words of a provision: ``text[start:end]`` of the node's text or heading."""

    node: NodeId
    where: Where
    start: int
    end: int

    def touches(self, slip: Misprint) -> bool:
        """Whether a slip of the node stands in the words, or words are lost at an edge of them."""
        return slip.where == self.where and slip.end > self.start and slip.start <= self.end


@dataclass(frozen=True)
class Source:
    """A page outside the corpus: its ``url``, the day on which it was ``read``, by how many ``readers``.

    No word of it stands here; it is evidence for what our own words say of the law.
    """

    url: str
    read: str
    readers: int


@dataclass(frozen=True)
class Misprint:
    """A reviewed remark on what the book prints, or does not print: never words of the text (contract, section 4:
    ``notes``).

    ``misprint``: the words ``[start:end]`` say something else than other texts do; ``lost``: words are missing at
    ``start`` (= ``end``); ``missing``: a whole provision is missing at the end of this node. ``remark`` says so as
    (language, sentence), ``quotes`` is the evidence, ``see`` the nodes that it is from. ``cause`` of what is missing:
    ``print`` where another text of the same laws has it, ``unknown`` where no text tells whether the laws or this
    print left it out.

    ``id``: how tables of situations name it, “” where none does. ``printed`` and ``law``: what the print and what the
    law says there, in our words; ``sources``: pages that were read on the law.
    """

    start: int
    end: int
    where: Where
    kind: Literal["misprint", "lost", "missing"]
    remark: LocalizedSentences
    see: tuple[NodeId, ...]
    quotes: tuple[Quote, ...]
    cause: Literal["", "print", "unknown"] = ""
    id: str = ""
    printed: LocalizedSentences = ()
    law: LocalizedSentences = ()
    sources: tuple[Source, ...] = ()

    @property
    def changes_words(self) -> bool:
        """Whether words of the print say something else than the law: a quotation of them can mislead."""
        return self.kind != "missing"


@dataclass(frozen=True)
class TermMark:
    """The first use of a term in a provision: ``text[start:end]`` of the node's text or heading names ``concept``,
    whose meaning the same edition gives (contract, section 4: ``terms``).
    """

    start: int
    end: int
    where: Where
    concept: str


@dataclass(frozen=True)
class Spelling:
    """A slip of the print that leaves the meaning alone: line of the source, the words, what was meant, why (a closed
    list).
    """

    line: int
    printed: str
    meant: str
    reason: str
    remark: str


@dataclass(frozen=True)
class StrengthMark:
    """Words that order or forbid, ``text[start:end]``, and their strength as the edition's introduction has it;
    ``loose``: the text does not keep to that, so nobody knows how strong the words are here.
    """

    start: int
    end: int
    strength: str
    where: Where = "text"
    loose: bool = False


@dataclass(frozen=True)
class Node:
    """Anything with an id. ``text`` is its own words only, paragraphs joined by a blank line.

    ``label``, ``heading`` and ``text`` of a node that was read from a source are :class:`corpus.text.Text`.
    ``aside``: what the heading of a definition has beside its term, the term in another language or a “see also”.
    ``remarks``: those paragraphs of a subject index that its maker says, and that are no entries.
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
    slips: tuple[Misprint, ...] = ()
    terms: tuple[TermMark, ...] = ()
    aside: str = ""
    remarks: tuple[str, ...] = ()
    strengths: tuple[StrengthMark, ...] = ()

    @property
    def children(self) -> tuple[NodeId, ...]:
        """Ids of the children in reading order."""
        return tuple(p.child for p in self.content if p.child)

    def words_in(self, where: str) -> str:
        """Its words at a place, ``label``, ``heading`` or ``text``; empty where it has none."""
        return {"label": self.label, "heading": self.heading, "text": self.text}[where] or ""

    def words_of_span(self, span: Quote | Misprint | TermMark | StrengthMark) -> str:
        """The words that a quotation, a slip or a mark stands for: ``[start:end]`` of that place."""
        return self.words_in(span.where)[span.start : span.end]


@dataclass(frozen=True)
class IndexEntry:
    """A line of an edition's printed subject index: ``entry`` → ``subentry`` → targets (ids), see-also entries.

    What the line is called in other languages: by the name of ``term`` (a slug), else as what corresponds to
    ``heading``, a provision whose title it is; where it has neither, it has no other name.
    """

    edition: str
    entry: str
    subentry: str | None
    targets: tuple[NodeId, ...] = ()
    see: tuple[str, ...] = ()
    line: int = 0
    term: str = ""
    heading: NodeId | None = None


@dataclass(frozen=True)
class Pair:
    """One row of what two editions have in common (contract, section 4); ``a`` belongs to ``older``, ``b`` to
    ``newer``.

    ``reworded``: the substance of the node's own words differs; ``cause`` of that, or of a side that is missing:
    ``code``, ``translation``, ``unknown``, None where nobody said. ``via``: the editions that the row was read over,
    empty for a row of two editions that are joined directly. ``heading``: only the titles correspond; such rows are
    not exported. ``differences``: what pages say of them, one for each step of the way.
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
        """Both provisions; None of a row whose provision has no partner."""
        return (self.a, self.b) if self.a and self.b else None

    @property
    def joins_provisions(self) -> bool:
        """Whether two provisions correspond, and not only their titles."""
        return self.both_ids is not None and not self.heading

    @property
    def may_be_print_only(self) -> bool:
        """Whether a difference is not known to be one of the laws."""
        return self.cause in ("unknown", "translation")

    def partner_of(self, id_: str) -> NodeId | None:
        """The partner of one of the two, None where it has none."""
        return self.b if self.a == id_ else self.a


class Text(str):
    """Words, and where in the source each of their characters is. For all that reads words it is a ``str``.

    ``places`` are runs that cover the words from the first character to the last, in order:
    ``(length,)`` layout's own (a blank between two lines, what parts paragraphs and cells) ·
    ``(length, line, column)`` the source's characters from there, one by one, white space of whatever kind ·
    ``(length, line, column, width)`` published for the ``width`` characters there: by a correction, or since markup
    writes them so; inserted when ``width`` is 0. Lines and columns are 1-based. Words made by hand have no places.

    >>> Text("a law", ((2, 7, 1), (3, 7, 3, 4))).place_at(4)
    (7, 3, 4)
    """

    __slots__ = ("places",)
    places: tuple[tuple[int, ...], ...]

    def __new__(cls, words: str = "", places: tuple[tuple[int, ...], ...] = ()) -> Text:
        """Words with their places; :class:`ValueError` when these do not cover them."""
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
        """(start, end, place) of each run; the place of layout's own characters is empty."""
        at = 0
        for length, *place in self.places:
            yield at, at + length, tuple(place)
            at += length

    def place_at(self, offset: int) -> tuple[int, ...]:
        """Where the character at an offset is: (line, column), (line, column, width), or () for layout's own."""
        start, _, place = next(run for run in self.runs() if run[0] <= offset < run[1])
        return _character_place(place, offset - start)

    def character_places(self) -> Iterator[tuple[int, ...]]:
        """Where each character is, in their order; as :meth:`place_at` says it of one."""
        for start, end, place in self.runs():
            yield from (_character_place(place, number) for number in range(end - start))


def _character_place(place: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Where a character of a run is, by its number in the run and the place of the run."""
    return (place[0], place[1] + number) if len(place) == 2 else place


def find_quote(node: Node, where: Where, words: str, occurrence: int = 0) -> Quote | tuple[str, str]:
    """Where words stand in the text or heading of a node; or (finding, move) when they do not, or not only there.

    ``occurrence``: which one of several, from 1; 0: they stand there once. Without words: the end of what stands there.
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
