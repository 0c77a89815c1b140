"""Draws the structure of the code: packages, modules, and an arrow for every import between packages.

``python -m tools.structure`` prints the picture, ``--write`` puts it into the documentation (``DOCUMENT``). A test
compares the two. The text of a module is the first sentence in the first line of its docstring.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import click

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "architecture.md"
LAYERS = ("corpus", "index", "app", "scripts")  # each may import itself and what stands before it
LINE_WIDTH = 96  # columns of the text of a package, without its indent
FRAME = "<!-- python -m tools.structure --write -->\n```text\n{}```\n<!-- end -->"
ImportGraph = Mapping[str, frozenset[str]]


def modules(root: Path = ROOT) -> dict[str, Path]:
    """Return dotted name → file of every module; a package goes by its own name."""
    out = {}
    for floor in LAYERS:
        for path in sorted((root / floor).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            out[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return out


def imports_of(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (module, names taken from it) of every import of a file, including those inside functions.

    ``from a.b import c`` gives ``("a.b", ("c",))``, ``import a.b`` gives ``("a.b", ())``. Relative imports are left
    as written.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or ""), tuple(alias.name for alias in node.names)


def import_graph(files: Mapping[str, Path]) -> ImportGraph:
    """Return module → the modules of ours that it imports."""
    out = {}
    for name, path in files.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        found = set()
        for written, names in imports_of(path):
            module = resolve_name(written, package)
            found |= {f"{module}.{n}" if f"{module}.{n}" in files else module for n in names or ("",)}
        out[name] = frozenset(found & set(files)) - {name}
    return out


def import_cycles(arrows: ImportGraph) -> list[tuple[str, ...]]:
    """Return the groups of modules that reach each other, sorted; empty where all arrows go one way.

    >>> import_cycles({"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("b")})
    [('b', 'c')]
    """
    reached = {name: _reachable_from(arrows, name) for name in arrows}
    groups = {tuple(sorted(m for m in reached[n] if n in reached[m])) for n in arrows if n in reached[n]}
    return sorted(groups)


def _reachable_from(arrows: ImportGraph, start: str) -> set[str]:
    """Return all modules that ``start`` reaches; itself only along a cycle."""
    seen: set[str] = set()
    ahead = set(arrows[start])
    while ahead:
        seen |= ahead
        ahead = {m for n in ahead for m in arrows[n]} - seen
    return seen


def package_of(module: str) -> str:
    """Return the package of a module: ``corpus.label`` of ``corpus.label.grammar``; a layer such as ``app`` is its own.

    >>> package_of("corpus.label.grammar"), package_of("corpus.model"), package_of("app")
    ('corpus.label', 'corpus.model', 'app')
    """
    return ".".join(module.split(".")[:2])


def package_imports(arrows: ImportGraph) -> ImportGraph:
    """Return package → the packages that it imports from."""
    out: dict[str, set[str]] = {package_of(m): set() for m in arrows}
    for module, found in arrows.items():
        out[package_of(module)] |= {package_of(m) for m in found} - {package_of(module)}
    return {room: frozenset(found) for room, found in out.items()}


def sorted_by_imports(arrows: ImportGraph, names: Iterable[str]) -> list[str]:
    """Return the names in an order in which each stands after what it imports.

    The members of a cycle count as one. Ties are broken by name.
    """
    names = sorted(names)
    ring = {n: group[0] for group in import_cycles(arrows) for n in group}
    head = lambda n: str(ring.get(n, n))
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for n in names:
        sorter.add(head(n), *({head(m) for m in arrows[n] if m in names} - {head(n)}))
    sorter.prepare()
    out: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        out += [n for r in ready for n in names if head(n) == r]
        sorter.done(*ready)
    return out


def first_sentence(path: Path) -> str:
    """Return the first sentence of the first line of a module's docstring, without backticks."""
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.split(r"(?<=\.) (?=[A-Z])", doc.partition("\n")[0].replace("``", ""))[0].rstrip(".:")


def draw_structure(root: Path = ROOT) -> str:
    """Return the picture: the layers from the lowest up; a package stands below all packages of its layer that it
    imports.

    A package has three parts: its sentence, its modules (in the same order), and ``→`` with the packages it imports
    from.
    """
    files = modules(root)
    arrows = import_graph(files)
    between = package_imports(arrows)
    out = []
    for floor in LAYERS:
        out.append(f"{floor}/  {first_sentence(files[floor])}\n\n")
        own = [r for r in between if r.startswith(f"{floor}.")]
        for room in sorted_by_imports(between, own):
            inside = [m for m in files if m.startswith(f"{room}.")]
            said = list(_wrap_lines(first_sentence(files[room]).split(" "), " ", ""))
            if inside:
                said += _wrap_lines([m.removeprefix(f"{room}.") for m in sorted_by_imports(arrows, inside)], " · ", "")
            if between[room]:
                said += _wrap_lines(_package_names(between[room], floor), ", ", "→ ")
            out.append(f"  {room.partition('.')[2] + '/' * bool(inside):<16}{said[0].lstrip()}")
            out += said[1:]
        if between[floor]:
            out += _wrap_lines(_package_names(between[floor], floor), ", ", "the floor itself → ")
        out.append("\n")
    return "".join(out[:-1])


def _package_names(found: Iterable[str], floor: str) -> list[str]:
    """Return packages sorted by layer and name; those of the layer ``floor`` without its name."""
    order = lambda r: (LAYERS.index(r.split(".")[0]), r)
    return [r.removeprefix(f"{floor}.") for r in sorted(found, key=order)]


def _wrap_lines(names: list[str], joint: str, lead: str) -> Iterator[str]:
    """Yield lines of at most ``LINE_WIDTH`` columns, indented under a package's name."""
    line = lead
    for at, name in enumerate(names):
        piece = name + joint * (at + 1 < len(names))
        if len(line) + len(piece) > LINE_WIDTH:
            yield f"{'':<16}  {line.rstrip()}\n"
            line = " " * len(lead)
        line += piece
    yield f"{'':<16}  {line.rstrip()}\n"


def replace_picture(document: str, drawn: str) -> str:
    """Return the document with its picture replaced."""
    before, _, rest = document.partition(FRAME.partition("\n")[0])
    return before + FRAME.format(drawn) + rest.partition("<!-- end -->")[2]


@click.command()
@click.option("--write", is_flag=True, help="Put the picture into docs/architecture.md.")
def main(write: bool) -> None:
    """Print the picture of the structure, made from the code."""
    if write:
        DOCUMENT.write_text(replace_picture(DOCUMENT.read_text(encoding="utf-8"), draw_structure()), encoding="utf-8")
        click.echo(f"The picture → {DOCUMENT.relative_to(ROOT)}")
    else:
        click.echo(draw_structure(), nl=False)


if __name__ == "__main__":
    main()
