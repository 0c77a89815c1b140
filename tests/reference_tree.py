"""A small book for tests of references: laws 1–93 with every depth somewhere, two definitions and a note."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from corpus import address, language
from corpus.checked import table
from corpus.checked.toml import Written
from corpus.edition import Edition
from corpus.label.printed import Level
from corpus.language import Language
from corpus.model import Mark, Node, NodeId, Piece, Reference
from corpus.reference import annotate

LANGUAGES = Path(__file__).parent.parent / "corpus" / "languages"
DEEP = ("12", "16", "27", "50")
HERE = "12/B/2/b"

EDITION = Edition(
    id="book",
    folder=Path("book"),
    title="",
    short="",
    lang="",
    year=2000,
    publisher="",
    provenance="",
    rights="",
    sha256="",
    written=Written("book", "", {}),
    levels=(Level(kind="law", labels=("1",), count="1"),),
)


def made(code: str, **tables: dict[str, list[str]]) -> Language:
    """A language as a file with these tables would make it."""
    return table.build(Language, Written(f"{code}.toml", "", {"name": code, **tables}), "", code=code)


DECISIONS = replace(EDITION, modifies="laws", levels=(Level(kind="point", labels=("1.",), count="1"),))


def _paths() -> list[str]:
    out = []
    for law in map(str, range(1, 94)):
        out.append(law)
        for section in "ABCDEF" if law in (*DEEP, "22", "86") else "ABC":
            out.append(f"{law}/{section}")
            for number in "123":
                out.append(f"{law}/{section}/{number}")
                for letter in "abcd" if law in DEEP else "":
                    out.append(f"{law}/{section}/{number}/{letter}")
                    out += [f"{law}/{section}/{number}/{letter}/{r}" for r in ("i", "ii", "iii") if letter in "be"]
    return [*out, "fn/1", "def", "def/adjusted-score", "def/honour"]


def _kind(path: str) -> str:
    steps = path.split("/")
    if steps[0] in ("def", "fn"):
        return {"def": "container" if len(steps) == 1 else "definition", "fn": "footnote"}[steps[0]]
    return ("law", "section", "subsection", "clause", "subclause")[len(steps) - 1]


PATHS = _paths()
_CHILDREN: dict[str | None, list[str]] = {}
for _path in PATHS:
    _CHILDREN.setdefault(address.parent(_path), []).append(_path)
NODES = {
    p: Node(
        id=NodeId.of("book", p),
        edition="book",
        lang="",
        year=2000,
        path=p,
        kind=_kind(p),
        label=None,
        citation=p,
        heading=None,
        parent=None,
        text="",
        content=tuple(Piece(child=NodeId.of("book", c)) for c in _CHILDREN.get(p, ())),
        marks=(Mark(0, "book/fn/1"),) if p == "16/B/2" else (),
    )
    for p in PATHS
}


def load(code: str) -> Language:
    """A language of this checkout."""
    return language.load(LANGUAGES, code)


def references(
    text: str, words: Language, at: str = HERE, edition: Edition = EDITION, heading: bool = False
) -> tuple[Reference, ...]:
    """What is found in a text that stands at a path of the book."""
    changed = replace(NODES[at], heading=text) if heading else replace(NODES[at], text=text)
    if edition.modifies and changed.kind == "law":
        changed = replace(changed, kind="point")
    out, _ = annotate([changed if p == at else n for p, n in NODES.items()], edition, words)
    return next(n for n in out if n.path == at).references


def targets(text: str, words: Language, **place) -> list[str]:
    """The paths that a text leads to, in order; those of another text with its name before a colon."""
    found = [t for r in references(text, words, **place) for t in r.targets]
    return [t.removeprefix("book/") if t.startswith("book/") else t.replace("/", ":", 1) for t in found]
