"""What assembling passes on: drafts, which hold paragraphs of lines and further drafts."""

from __future__ import annotations

from dataclasses import dataclass, field

from corpus.reading.published import Line


@dataclass
class Paragraph:
    """Lines that read as one paragraph; a table when ``rule`` says how its rows become cells."""

    lines: list[Line]
    rule: object = None

    @property
    def table(self) -> bool:
        return self.rule is not None


@dataclass
class Draft:
    """A node in the making. ``items`` holds Paragraphs and child Drafts in reading order."""

    path: str
    kind: str
    level: int = -1
    label: Line | None = None
    heading: list[Line] = field(default_factory=list)
    items: list = field(default_factory=list)
    parent: Draft | None = None
    count: dict[int, int] = field(default_factory=dict)  # level → last ordinal among its children
    term: str = ""  # of a definition: the headword that names it
    aside: str = ""  # what its heading has beside the term, without brackets
    separator: Line | None = None  # the dash between a headword and its text, a label and its title
    column: int = 0  # how far its label is indented

    @property
    def children(self) -> list[Draft]:
        return [i for i in self.items if isinstance(i, Draft)]

    def paragraphs(self) -> list[Paragraph]:
        return [i for i in self.items if isinstance(i, Paragraph)]

    def walk(self):
        """This draft and its descendants in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


def strip(line: Line) -> Line:
    """The line without the blanks around its text."""
    text = line.text
    start = len(text) - len(text.lstrip())
    return line.cut(start, max(start, len(text.rstrip())))


def indentation(line: Line) -> int:
    """How many characters of blank a line begins with."""
    return len(line.text) - len(line.text.lstrip())
