"""Rules of the structure that a test can hold: the picture of it is true, and knowledge of a text is data.

Who may import whom is the import contract in ``pyproject.toml``, which ``make lint`` checks.
"""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tools.structure import (
    DOCUMENT,
    ROOT,
    count_structure,
    import_graph,
    module_files,
    replace_structure_tables,
    structure_tables,
)

FILES = module_files()
ARROWS = import_graph(FILES)
MODULES = list(FILES.values())


def test_there_are_modules():
    assert len(MODULES) > 20 and sum(map(len, ARROWS.values())) > 100


def test_the_commands_are_known_without_what_they_do():
    """A server does not wait until the modules of all commands are imported."""
    said = "import sys, scripts.cli; sys.exit(bool({'app', 'corpus', 'index', 'whoosh'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", said], cwd=ROOT, check=False).returncode == 0


def test_the_picture_of_the_house_is_true():
    document = DOCUMENT.read_text(encoding="utf-8")
    assert document == replace_structure_tables(document, structure_tables()), "Run: python -m tools.structure --write"


@pytest.fixture
def little(tmp_path):
    """A checkout of four layers."""
    for name, text in {
        "corpus/__init__.py": '"""Texts. They are old."""',
        "corpus/kind.py": '"""Kinds: of things."""\n\n\nclass Thing:\n    """One."""\n\n    n = 1',
        "corpus/read/__init__.py": '"""Reads."""',
        "corpus/read/act.py": '"""Acts."""\ndef f():\n    from . import line\n\nclass Thing: ...',
        "corpus/read/line.py": '"""Lines."""\nfrom corpus.kind import (\n    law,\n)\n# a comment',
        "index/__init__.py": '"""Finds."""',
        "index/all.py": '"""Everything."""\nimport corpus.read.act\nfrom corpus.kind import law',
        "app/__init__.py": '"""Site."""\nx = 1',
        "scripts/__init__.py": '"""Commands."""',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_table_shows_every_module_after_what_it_imports(little):
    rows = [line.split("|")[1:3] for line in structure_tables(little).splitlines() if line and "---" not in line]
    assert [(name.strip(" `"), text.strip()) for name, text in rows] == [
        ("corpus/", "Texts"),
        ("kind.py", "Kinds: of things"),
        ("read/", "Reads"),
        ("read/line.py", "Lines"),
        ("read/act.py", "Acts"),
        ("index/", "Finds"),
        ("all.py", "Everything"),
        ("app/", "Site"),
        ("scripts/", "Commands"),
    ]


def test_what_is_counted(little):
    """Packages of a docstring alone are no modules; an import inside a function counts."""
    assert count_structure(little) == (5, 4, 7 + 5 + 5 + 3 + 2, 2 + 3 + 3 + 2 + 1, ("Thing",))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_says_its_job_in_its_first_line(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert (ast.get_docstring(tree) or "").strip(), f"{path.relative_to(ROOT)} has no first line that says its job"


def literals(path) -> list[tuple[int, str]]:
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
