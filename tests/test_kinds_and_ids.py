"""Kinds and ids have one home: several kinds are asked for by their common name, an id is parted by the model alone."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from corpus import model
from corpus.model import Kind

ROOT = Path(__file__).parent.parent
CODE = sorted(p for top in ("app", "corpus", "index", "scripts") for p in (ROOT / top).rglob("*.py"))
TEMPLATES = sorted((ROOT / "app").rglob("*.html"))
KINDS = frozenset(get_args(Kind))
HOME = "corpus/model.py"


def lists_of_kinds(source: str) -> list[int]:
    """Lines on which a list of two or more kinds stands, and of nothing else."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            values = [e.value for e in node.elts if isinstance(e, ast.Constant)]
            if len(values) > 1 and all(isinstance(v, str) and v in KINDS for v in values):
                found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    "source, lines",
    [
        ('x in ("chapter", "part")', [1]),
        ('x = {"law", *OTHERS, "point"}', [1]),
        ('x in ("law", "law_after")', []),
        ('x == "law"', []),
        ('WORDS = {"law": 1, "point": 2}', []),
    ],
)
def test_a_list_of_kinds_is_seen(source, lines):
    assert lists_of_kinds(source) == lines


def test_lists_of_kinds_stand_in_the_model_alone():
    assert lists_of_kinds((ROOT / HOME).read_text(encoding="utf-8"))
    names = [name for name in vars(model) if name.isupper()]
    for path in CODE:
        name = str(path.relative_to(ROOT))
        if name != HOME:
            lines = lists_of_kinds(path.read_text(encoding="utf-8"))
            assert not lines, f"{name}:{lines}: a list of kinds; use one of {names} of {HOME}, or name it there."
    literal = re.compile(rf"[(\[]\s*'(?:{'|'.join(KINDS)})'\s*,")
    assert TEMPLATES
    for path in TEMPLATES:
        assert not literal.search(path.read_text(encoding="utf-8")), f"{path.name}: a list of kinds; give it a name."


def test_every_kind_is_in_the_groups_it_belongs_to():
    for group in (
        model.CONTAINER_KINDS,
        model.FRAME_KINDS,
        model.LAW_KINDS,
        model.NUMBERED_KINDS,
        model.CITED_KINDS,
        model.PAGE_KINDS,
        model.TITLED_KINDS,
    ):
        assert set(group) <= KINDS and len(set(group)) == len(group)
    assert set(model.CONTENTS_KINDS) | set(model.CITED_KINDS) | {"footnote", "definition"} == KINDS


# Who may part or join at a “/”: the homes of ids and of paths, and where the signs are no path of ours.
AT_HOME = {
    "corpus/model.py": "ids",
    "corpus/address.py": "paths",
    "corpus/ruling.py": "ids of rulings",
    "corpus/label.py": "the labels that paths are made of, and what a person typed; corpus.address stands on it",
    "app/site/lookup.py": "what a person typed into an address",
    "app/site/errors.py": "the address of a page that is not there",
    "corpus/export.py": "the names of files",
    "app/law/views.py": "the address as it was asked for",
    "corpus/letters.py": "the names of files",
    "tools/soak/sample.py": "addresses of a running site",
    "tools/soak/hazards.py": "the names of files",
    "tools/soak/built.py": "the names of files",
    "index/concept.py": "the names of files",
    "tools/lemmas/hunspell.py": "the affix rules of a dictionary",
}
PARTING = {"split", "rsplit", "partition", "rpartition"}


def by_hand(source: str) -> list[int]:
    """Lines on which a string is parted at a slash, or two values are joined by one and nothing else."""
    found = []
    for node in ast.walk(ast.parse(source)):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PARTING
        if called and [ast.unparse(a) for a in node.args[:1]] == ["'/'"]:
            found.append(node.lineno)
        if isinstance(node, ast.JoinedStr) and len(node.values) == 3:
            first, slash, last = node.values
            whole = isinstance(first, ast.FormattedValue) and isinstance(last, ast.FormattedValue)
            address = ".id" in ast.unparse(last)  # an origin before a whole id
            if whole and isinstance(slash, ast.Constant) and slash.value == "/" and not address:
                found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    "source, lines",
    [
        ('id_.split("/", 1)[1]', [1]),
        ('a, _, b = id_.partition("/")', [1]),
        ('x = 1\nNodeId(f"{edition}/{path}")', [2]),
        ('f"/{edition}/{path}"', []),
        ('f"{origin}/{node.id}"', []),
        ('text.split("\\t")', []),
        ("NodeId.of(edition, path)", []),
    ],
)
def test_an_id_taken_to_pieces_is_seen(source, lines):
    assert by_hand(source) == lines


def test_ids_and_paths_are_parted_and_joined_at_home_alone():
    for path in CODE:
        name = str(path.relative_to(ROOT))
        # What stands in a generation is named by its path in a folder.
        if name not in AT_HOME and not name.startswith(("corpus/generation.py", "corpus/files.py")):
            lines = by_hand(path.read_text(encoding="utf-8"))
            assert not lines, f"{name}:{lines}: say NodeId.of, .edition, .path, .law, or a verb of corpus.address."
