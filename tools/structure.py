"""Lists and counts the modules of the code.

``python -m tools.structure`` prints a table of the modules for each layer, ``--write`` puts the tables into the
documentation (``DOCUMENT``). A test compares the two. The text of a module is the first sentence in the first line of
its docstring. ``--count`` counts modules, imports and lines.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "architecture.md"
LAYERS = ("corpus", "index", "app", "scripts")  # each may import itself and what stands before it
FRAME = "<!-- python -m tools.structure --write -->\n\n{}\n<!-- end -->"
_NO_CODE = {
    tokenize.ENCODING,
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
ImportGraph = Mapping[str, frozenset[str]]


def module_files(root: Path = ROOT) -> dict[str, Path]:
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
    """Return module → the modules of ours that it imports. ``files``: module → its file."""
    out = {}
    for name, path in files.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        found = set()
        for written, names in imports_of(path):
            module = resolve_name(written, package)
            found |= {f"{module}.{n}" if f"{module}.{n}" in files else module for n in names or ("",)}
        out[name] = frozenset(found & set(files)) - {name}
    return out


def package_imports(arrows: ImportGraph) -> ImportGraph:
    """Return package → the packages that it imports from. The package of ``corpus.label.grammar`` is ``corpus.label``.

    >>> package_imports({"app.law.page": frozenset(["app.law.views", "app.site.http"])})
    {'app.law': frozenset({'app.site'})}
    """
    package_of = lambda module: ".".join(module.split(".")[:2])
    out: dict[str, set[str]] = {package_of(m): set() for m in arrows}
    for module, found in arrows.items():
        out[package_of(module)] |= {package_of(m) for m in found} - {package_of(module)}
    return {package: frozenset(found) for package, found in out.items()}


def sorted_by_imports(arrows: ImportGraph, names: Iterable[str]) -> list[str]:
    """Return the names in an order in which each stands after what it imports. Ties are broken by name.

    Raises :class:`graphlib.CycleError` if names import each other.

    >>> sorted_by_imports({"a": frozenset("b"), "b": frozenset(), "c": frozenset("b")}, "abc")
    ['b', 'a', 'c']
    """
    names = sorted(names)
    sorter = TopologicalSorter({n: {m for m in arrows[n] if m in names} for n in names})
    sorter.prepare()
    out: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        out += ready
        sorter.done(*ready)
    return out


def first_sentence(path: Path) -> str:
    """Return the first sentence of the first line of a module's docstring, without backticks."""
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.split(r"(?<=\.) (?=[A-Z])", doc.partition("\n")[0].replace("``", ""))[0].rstrip(".:")


def structure_tables(root: Path = ROOT) -> str:
    """Return a table for each layer, the lowest first: a row for each package and module, after what it imports."""
    files = module_files(root)
    arrows = import_graph(files)
    between = package_imports(arrows)
    tables = []
    for layer in LAYERS:
        rows = [f"| `{layer}/` | {first_sentence(files[layer])} |", "|---|---|"]
        for package in sorted_by_imports(between, [p for p in between if p.startswith(f"{layer}.")]):
            inside = [name for name in files if name.startswith(f"{package}.")]
            for name in (package, *sorted_by_imports(arrows, inside)):
                path = files[name].relative_to(root / layer)
                shown = f"{path.parent}/" if path.name == "__init__.py" else str(path)
                rows.append(f"| `{shown}` | {first_sentence(files[name])} |")
        tables.append("\n".join(rows) + "\n")
    return "\n".join(tables)


class Counts(NamedTuple):
    """What is counted of the structure of the code.

    ``modules``: those with code; ``arrows``: pairs of modules of which one imports the other; ``lines``, and
    ``code_lines``; ``duplicate_classes``: names of classes that stand in more than one module.
    """

    modules: int
    arrows: int
    lines: int
    code_lines: int
    duplicate_classes: tuple[str, ...]


def count_structure(root: Path = ROOT) -> Counts:
    """Count the modules of the four layers. A package without code of its own is no module and has no arrows."""
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in module_files(root).items()}
    files = {name: path for name, path in module_files(root).items() if _has_code(trees[name])}
    classes = Counter(n.name for name in files for n in trees[name].body if isinstance(n, ast.ClassDef))
    return Counts(
        len(files),
        sum(map(len, import_graph(files).values())),
        sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files.values()),
        sum(_code_lines(path, trees[name]) for name, path in files.items()),
        tuple(sorted(name for name, found in classes.items() if found > 1)),
    )


def _has_code(tree: ast.Module) -> bool:
    return any(not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)) for n in tree.body)


def _code_lines(path: Path, tree: ast.Module) -> int:
    """Return how many lines have code: neither blank, nor a comment, nor a docstring."""
    with path.open("rb") as file:
        found = [t for t in tokenize.tokenize(file.readline) if t.type not in _NO_CODE]
    code = {line for t in found for line in range(t.start[0], t.end[0] + 1)}
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = [n.body[0] for n in ast.walk(tree) if isinstance(n, owners) and ast.get_docstring(n) is not None]
    return len(code - {line for d in docs for line in range(d.lineno, (d.end_lineno or d.lineno) + 1)})


def replace_structure_tables(document: str, drawn: str) -> str:
    """Return the document with the tables of its modules replaced by ``drawn``."""
    before, _, rest = document.partition(FRAME.partition("\n")[0])
    return before + FRAME.format(drawn) + rest.partition("<!-- end -->")[2]


@click.command()
@click.option("--write", is_flag=True, help="Put the tables into docs/architecture.md.")
@click.option("--count", is_flag=True, help="Count modules, arrows, lines and names of classes.")
@click.argument("root", type=click.Path(path_type=Path, file_okay=False, exists=True), default=ROOT)
def main(write: bool, count: bool, root: Path) -> None:
    """Print the tables of the modules, made from the code. ROOT: another checkout."""
    if write:
        DOCUMENT.write_text(
            replace_structure_tables(DOCUMENT.read_text(encoding="utf-8"), structure_tables()), encoding="utf-8"
        )
        click.echo(f"The modules → {DOCUMENT.relative_to(ROOT)}")
    elif count:
        counts = count_structure(root)
        click.echo(f"{counts.modules} modules, {counts.arrows} arrows")
        click.echo(f"{counts.lines} lines, {counts.code_lines} of code")
        click.echo(f"names of classes in several modules: {', '.join(counts.duplicate_classes) or 'none'}")
    else:
        click.echo(structure_tables(root), nl=False)


if __name__ == "__main__":
    main()
