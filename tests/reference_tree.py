"""A small book for tests of references: laws 1–93 with every depth somewhere, two definitions and a note; and what
is written around citations in it.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st
from little import node

from corpus import address, language, schema
from corpus.edition import Edition
from corpus.files import TomlFile
from corpus.label import Level
from corpus.language import Language
from corpus.model import Mark, NodeId, Piece, Reference
from corpus.reference.resolve import annotate_references

LANGUAGES = Path(__file__).parent.parent / "corpus" / "languages"
CASES = Path(__file__).parent / "cases"
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
    written=TomlFile("book", "", {}),
    levels=(Level(kind="law", labels=("1",), count="1"),),
)


def made(code: str, **tables: dict[str, list[str]]) -> Language:
    """A language as a file with these tables would make it."""
    return schema.build_from_file(Language, TomlFile(f"{code}.toml", "", {"name": code, **tables}), "", code=code)


DECISIONS = replace(EDITION, modifies="laws", levels=(Level(kind="point", labels=("1.",), count="1"),))
# Laws are numbered I, II, III.
ROMAN = replace(EDITION, levels=(replace(EDITION.levels[0], labels=("Article I",)),))
# Languages that the corpus has no edition in, as a stranger wrote them; "xii" numbers its laws I, II, III.
FURTHER = {code: language.load_language(CASES / "references" / "languages", code) for code in ("sv", "it")}
FURTHER["xii"] = made("xii", reference={"law": ["Article", "Articles"], "provision": ["section"], "and": ["and"]})


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
LAWS = [p for p in PATHS if p[0].isdigit()]
_CHILDREN: dict[str | None, list[str]] = {}
for _path in PATHS:
    _CHILDREN.setdefault(address.parent_path(_path), []).append(_path)
NODES = {
    p: node(
        NodeId.of("book", p),
        "",
        2000,
        _kind(p),
        content=tuple(Piece(child=NodeId.of("book", c)) for c in _CHILDREN.get(p, ())),
        marks=(Mark(0, "book/fn/1"),) if p == "16/B/2" else (),
    )
    for p in PATHS
}


# What stands before and after a citation.
AROUND = st.sampled_from(
    [
        ("see ", ""),
        ("(", ")"),
        ("According to ", " a player may call."),
        ("", "."),
        ("as in ", ", unless 13 cards"),
        ("", "; then"),
    ]
)

PIECES = st.sampled_from(
    [
        *"Law Laws section see in and or to above below 16 12C1 27B1(b) (a) (ii) A C2 b. 3 2♦ 1NT 40%".split(),
        *'Honour a i , . ; – - ( ) „ ” " / № §'.split(),
        *("13 cards", "\n\n", "\t"),
    ]
)


def load(code: str) -> Language:
    """A language of this checkout."""
    return language.load_language(LANGUAGES, code)


ENGLISH = load("en")


def references(
    text: str, words: Language, at: str = HERE, edition: Edition = EDITION, heading: bool = False
) -> tuple[Reference, ...]:
    """What is found in a text that stands at a path of the book."""
    changed = replace(NODES[at], heading=text) if heading else replace(NODES[at], text=text)
    if edition.modifies and changed.kind == "law":
        changed = replace(changed, kind="point")
    out, _ = annotate_references([changed if p == at else n for p, n in NODES.items()], edition, words)
    return next(n for n in out if n.path == at).references


def targets(text: str, words: Language, **place) -> list[str]:
    """The paths that a text leads to, in order; those of another text with its name before a colon."""
    found = [t for r in references(text, words, **place) for t in r.targets]
    return [t.removeprefix("book/") if t.startswith("book/") else t.replace("/", ":", 1) for t in found]


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table of cases, by the names of its columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
