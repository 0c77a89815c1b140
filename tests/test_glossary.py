"""The glossary tells the words of the code, and the code keeps to them."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

import pytest

from tools.structure import ROOT, module_files

DOCUMENT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
APART = tomllib.loads((ROOT / "tests" / "cases" / "glossary.toml").read_text(encoding="utf-8"))["apart"]


@dataclass(frozen=True)
class Row:
    """A row of the glossary: its words, what they mean, the words that we do not use for it, and names of the code."""

    words: tuple[str, ...]
    means: str
    barred: tuple[str, ...]
    code: tuple[str, ...]


def rows() -> list[Row]:
    """The rows of the table."""
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in DOCUMENT.splitlines() if line.startswith("| ")]
    parted = lambda text: tuple(w.strip() for w in text.split(",") if w.strip())
    not_used = lambda means: tuple(
        re.findall(r"“(\w+)”", means.partition(" Not “")[2] and means[means.index(" Not “") :])
    )
    return [Row(parted(c[0]), c[1], not_used(c[1]), tuple(re.findall(r"`([^`]+)`", c[2]))) for c in cells[1:]]


def named(tree: ast.Module | ast.ClassDef, prefix: str) -> Iterator[str]:
    """Dotted public names of what a module or class defines: functions, classes, fields, constants."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        own = [getattr(node, "name", None), *(t.id for t in targets if isinstance(t, ast.Name))]
        yield from (f"{prefix}.{n}" for n in own if n and not n.startswith("_"))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from named(node, f"{prefix}.{node.name}")


NAMES = [*module_files()]
for module, path in module_files().items():
    NAMES += named(ast.parse(path.read_text(encoding="utf-8")), module)
ROWS = rows()


def words_of(name: str) -> set[str]:
    """The words of the last step of a dotted name, in the singular, too.

    >>> sorted(words_of("app.page.LawPage.fixes_shown"))
    ['fix', 'fixe', 'fixes', 'shown']
    """
    found = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name.rpartition(".")[2])
    return {form for w in found for form in (w.lower(), w.lower().removesuffix("s"), w.lower().removesuffix("es"))}


def apart(name: str, word: str) -> bool:
    return any(a["word"] == word and fnmatchcase(name, a["names"]) for a in APART)


def test_the_glossary_and_the_code_are_read():
    assert len(ROWS) > 60 and len(NAMES) > 1000
    assert all(r.words and r.means for r in ROWS)
    every = [w for r in ROWS for w in r.words]
    assert len(every) == len(set(every)), "a word has two rows"


def test_each_word_is_a_name_of_the_code():
    known = {name.rpartition(".")[2] for name in NAMES}
    lacking = [c for r in ROWS for c in r.code if c not in known]
    assert not lacking, f"docs/glossary.md names what the code does not have: {lacking}"


OWN = {word for r in ROWS for word in r.words}
BARRED = sorted({word for r in ROWS for word in r.barred} - OWN)


@pytest.mark.parametrize("word", BARRED)
def test_no_public_name_uses_another_word(word):
    guilty = [n for n in NAMES if word in words_of(n) and not apart(n, word)]
    instead = [" / ".join(r.words) for r in ROWS if word in r.barred]
    assert not guilty, f"say {instead}, not “{word}”: {guilty}. Rename, or give tests/cases/glossary.toml a reason."


@pytest.mark.parametrize("row", APART, ids=lambda a: f"{a['word']}: {a['names']}")
def test_an_exception_is_needed_and_has_a_reason(row):
    assert set(row) == {"word", "names", "reason"} and row["reason"]
    assert any(row["word"] in words_of(n) and fnmatchcase(n, row["names"]) for n in NAMES), (
        "nothing needs it: take it off"
    )
