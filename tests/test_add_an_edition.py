"""docs/add-an-edition.md shows what works: its example is built as it stands there, and it names every key."""
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from click.testing import CliRunner

from corpus.edition import _CHOICES, Edition
from corpus.library import Library
from scripts.cli import main

DOC = (Path(__file__).parent.parent / "docs" / "add-an-edition.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```", DOC, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The example written and built by the commands of the page; the library and what the commands printed."""
    folder, patch = tmp_path_factory.mktemp("stranger"), pytest.MonkeyPatch()
    for _, name, text in BLOCKS:
        if name.startswith("corpus/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    patch.setenv("LEXBRIDGE_CORPUS", str(folder / "corpus"))
    patch.setenv("LEXBRIDGE_BUILD", str(folder / "build"))
    commands = [line.split()[1:] for language, _, text in BLOCKS if language == "sh" for line in text.splitlines()]
    results = [(command, CliRunner().invoke(main, command)) for command in commands]
    yield Library.open(folder / "build" / "corpus"), results
    patch.undo()


def test_the_commands_of_the_page_work(built):
    _, results = built
    assert [command[0] for command, _ in results] == ["check", "audit", "ingest", "index"]
    for command, result in results:
        assert result.exit_code == 0, (command, result.output)
    assert results[0][1].output.startswith("0 problem(s), 0 noted")


def test_the_example_has_the_outline_of_the_page(built):
    nodes = {n.path: n for n in built[0].of("nl-2031")}
    outline = next(text for language, name, text in BLOCKS if name == "outline")
    assert [line.split()[0] for line in outline.splitlines()] == list(nodes)
    for line in outline.splitlines():
        path, kind, *rest = line.split(maxsplit=2)
        heading, _, targets = (rest[0] if rest else "").partition("→")
        node = nodes[path]
        assert (node.kind, node.heading or "") == (kind, heading.strip())
        assert [t.split("/", 1)[1] for r in node.references for t in r.targets] == [t.strip() for t in targets.split(",") if t.strip()]
    assert nodes["1"].marks[0].target == "nl-2031/fn/1"
    assert "dertien en houdt" in nodes["1"].text
    assert nodes["2/B/2"].text.endswith("voordat het spel begint.")


def keys(cls) -> set[str]:
    hints = get_type_hints(cls)
    out = set()
    for f in fields(cls):
        inner = next((t for t in (hints[f.name], *get_args(hints[f.name])) if is_dataclass(t)), None)
        out |= {f.name} | (keys(inner) if inner else set())
    return out - {"id", "folder"}


def test_the_page_names_every_key_and_every_choice():
    named = set(re.findall(r"[\w-]+", " ".join(re.findall(r"`+([^`]+)`+", DOC))))
    missing = keys(Edition) - named
    missing |= {choice for choices in _CHOICES.values() for choice in choices if choice} - named
    assert not missing, f"docs/add-an-edition.md does not say what these are: {sorted(missing)}"


def test_a_new_folder_has_its_digest_and_says_what_to_fill_in(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(tmp_path))
    (tmp_path / "book.txt").write_text("LAW 1 — ONE\n", encoding="utf-8")
    arguments = ["new", "xx-2031", "--lang", "xx", "--year", "2031", "--source", str(tmp_path / "book.txt")]
    first, again = CliRunner().invoke(main, arguments), CliRunner().invoke(main, arguments)
    assert first.exit_code == 0 and "languages/xx.toml" in first.output
    assert again.exit_code == 1 and "is there already" in again.output
    problems = CliRunner().invoke(main, ["check", "xx-2031"]).output
    assert "edition.toml:2: “title” is empty" in problems and "sha256" not in problems
