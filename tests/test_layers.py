"""Rules of the house that a test can hold: who may import whom, and that knowledge of a text is data."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest

from tools.structure import (
    DOCUMENT,
    LAYERS,
    ROOT,
    draw_structure,
    import_cycles,
    import_graph,
    imports_of,
    modules,
    package_imports,
    replace_picture,
)

FILES = modules()
ARROWS = import_graph(FILES)
MODULES = list(FILES.values())
# Circles that stand, each with the reason; whoever opens one takes it off the list.
STANDING: dict[tuple[str, ...], str] = {}
STANDING_ROOMS = {
    (
        "corpus.library",
        "corpus.relation",
    ): "a library holds its relations, and what is said of two texts reads libraries"
}


def test_there_are_modules():
    assert len(MODULES) > 20 and sum(map(len, ARROWS.values())) > 100


@pytest.mark.parametrize("name", FILES)
def test_imports_go_one_way(name):
    floor = name.partition(".")[0]
    allowed = set(LAYERS[: LAYERS.index(floor) + 1])
    assert {m.partition(".")[0] for m in ARROWS[name]} <= allowed, f"{name} may import {sorted(allowed)} only."


@pytest.mark.parametrize(
    "arrows, found",
    [
        ({"a": "b", "b": "c", "c": ""}, []),
        ({"a": "b", "b": "a", "c": "a"}, [("a", "b")]),
        ({"a": "b", "b": "c", "c": "a", "d": "d"}, [("a", "b", "c"), ("d",)]),
    ],
)
def test_a_circle_is_found(arrows, found):
    assert import_cycles({name: frozenset(to) for name, to in arrows.items()}) == found


def test_no_module_needs_what_needs_it():
    """Inside functions and for types, too: an import that must hide is a circle."""
    assert import_cycles(ARROWS) == sorted(STANDING), (
        "a circle is new: straighten it; or one is gone: take it off the list"
    )


def test_the_commands_are_known_without_the_search():
    """Whoosh takes a while to import; who reads sources or exports does not wait for it."""
    said = "import sys, scripts.cli; sys.exit('whoosh' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", said], cwd=ROOT, check=False).returncode == 0


def test_no_room_needs_what_needs_it():
    assert import_cycles(package_imports(ARROWS)) == sorted(STANDING_ROOMS), "as for modules"


def strangers(floor: str) -> set[str]:
    """What a floor says in its first lines that it never imports."""
    said = re.search(
        r"Never imported here: ([^.]+(?:\.\w[^.]*)*)\.\s*$", ast.get_docstring(ast.parse(FILES[floor].read_text()))
    )
    assert said, f"{floor}/__init__.py does not say what it may not know: “Never imported here: ``…``, ``…``.”"
    return set(re.findall(r"``([\w.]+)``", said[1]))


@pytest.mark.parametrize("floor", LAYERS)
def test_a_floor_says_what_it_may_not_know_and_keeps_to_it(floor):
    never = strangers(floor)
    assert never >= set(LAYERS[LAYERS.index(floor) + 1 :]) and ("whoosh" in never) is (floor != "index")
    for name, path in FILES.items():
        if name.partition(".")[0] == floor:
            found = {f"{m}.{n}".strip(".") for m, names in imports_of(path) for n in names or ("",)}
            guilty = [f for f in found if any(f == n or f.startswith(f"{n}.") for n in never)]
            assert not guilty, f"{name} imports {guilty}; {floor} may not know it."


def test_the_picture_of_the_house_is_true():
    document = DOCUMENT.read_text(encoding="utf-8")
    assert document == replace_picture(document, draw_structure()), "Run: python -m tools.structure --write"


def test_the_picture_shows_every_module_once_and_every_arrow(tmp_path):
    """A house of two floors and a stairway."""
    for name, text in {
        "corpus/__init__.py": '"""Texts. They are old."""',
        "corpus/kind.py": '"""Kinds: of things."""',
        "corpus/read/__init__.py": '"""Reads."""',
        "corpus/read/line.py": "from corpus.kind import law",
        "corpus/read/act.py": "def f():\n    from . import line",
        "index/__init__.py": '"""Finds."""',
        "index/all.py": '"""Everything."""\nimport corpus.read.act',
        "app/__init__.py": "",
        "scripts/__init__.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert [line.split() for line in draw_structure(tmp_path).splitlines() if line.strip()] == [
        ["corpus/", "Texts"],
        ["kind", "Kinds:", "of", "things"],
        ["read/", "Reads"],
        ["line", "·", "act"],
        ["→", "kind"],
        ["index/", "Finds"],
        ["all", "Everything"],
        ["→", "corpus.read"],
        ["app/"],
        ["scripts/"],
    ]


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
