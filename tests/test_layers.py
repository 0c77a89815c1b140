"""Rules of the house that a test can hold: who may import whom, and that knowledge of a text is data."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ["corpus", "index", "app", "scripts"]  # each may import itself and what stands before it
MODULES = [p for layer in LAYERS for p in sorted((ROOT / layer).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """Top-level packages of ours that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = (
            [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
        found |= {n.split(".")[0] for n in names} & set(LAYERS)
    return found


def test_there_are_modules():
    assert len(MODULES) > 20


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path):
    layer = path.relative_to(ROOT).parts[0]
    allowed = set(LAYERS[: LAYERS.index(layer) + 1])
    assert imported(path) <= allowed, f"{path.relative_to(ROOT)} is in {layer} and may import {sorted(allowed)} only."


@pytest.mark.parametrize("path", [p for p in MODULES if p.parts[-2] != "index"], ids=lambda p: str(p.relative_to(ROOT)))
def test_whoosh_is_imported_in_index_only(path):
    if path.relative_to(ROOT).parts[0] != "index":
        assert not re.search(r"^\s*(from|import) whoosh", path.read_text(encoding="utf-8"), re.MULTILINE)


def literals(path: Path) -> list[tuple[int, str]]:
    """String constants of a module that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {
        id(n.body[0].value)
        for n in ast.walk(tree)
        if isinstance(n, (ast.Module, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef))
        and n.body
        and isinstance(n.body[0], ast.Expr)
        and isinstance(n.body[0].value, ast.Constant)
    }
    return [
        (n.lineno, n.value)
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docs
    ]


def knowledge() -> set[str]:
    editions = {p.name for p in (ROOT / "corpus" / "editions").iterdir() if p.is_dir()}
    languages = {p.stem for p in (ROOT / "corpus" / "languages").glob("*.toml")}
    assert editions and languages
    return editions | languages


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_code_knows_an_edition_or_a_language_by_name(path):
    known = knowledge()
    guilty = [
        (line, text) for line, text in literals(path) if text in known or any(e in text for e in known if "-" in e)
    ]
    assert not guilty, (
        f"{path.relative_to(ROOT)}: knowledge of a text belongs in corpus/editions or corpus/languages: {guilty}"
    )
