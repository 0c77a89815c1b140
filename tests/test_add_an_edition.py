"""docs/add-an-edition.md shows what works: its example is built as it stands there, and it names every key."""

import re
from dataclasses import is_dataclass
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from click.testing import CliRunner
from strangers import write_edition

from app.api import objects
from corpus import ingest, schema
from corpus.edition import Edition
from corpus.generation import Generation
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
    yield Library.open(Generation.open(folder / "build")), results
    patch.undo()


def test_the_commands_of_the_page_work(built):
    _, results = built
    assert [command[0] for command, _ in results] == ["check", "outline", "audit", "build"]
    for command, result in results:
        assert result.exit_code == 0, (command, result.output)
    assert results[0][1].output.startswith("0 problem(s), 0 noted")


def test_the_example_has_the_outline_of_the_page(built):
    nodes = {n.path: n for n in built[0].nodes_of("nl-2031")}
    page = next(text for language, name, text in BLOCKS if name == "outline")
    assert next(result.output for command, result in built[1] if command[0] == "outline") == page
    assert nodes["1"].marks[0].target == "nl-2031/fn/1"
    assert "dertien en houdt" in nodes["1"].text
    assert nodes["2/B/2"].text.endswith("voordat het spel begint.")


def keys(kind) -> set[str]:
    """The keys of a table and of the tables in it."""
    inner = [t for f in schema.file_keys(kind).values() for t in flat(get_type_hints(kind)[f.name]) if is_dataclass(t)]
    return set(schema.file_keys(kind)).union(*map(keys, inner))


def flat(hint) -> list:
    return [hint, *(t for arg in get_args(hint) for t in flat(arg))]


def choices(hint) -> set[str]:
    """The closed lists of a dataclass and of the tables in it: every value that may stand there."""
    if get_origin(hint) is Literal:
        return set(filter(None, get_args(hint)))
    inner = get_type_hints(hint, include_extras=True) if is_dataclass(hint) else {}
    stated = [inner[f.name] for f in schema.file_keys(hint).values()] if inner else get_args(hint)
    return {choice for t in stated for choice in choices(t)}


def test_the_page_names_every_key_and_every_choice():
    named = set(re.findall(r"[\w-]+", " ".join(re.findall(r"`+([^`]+)`+", DOC))))
    missing = keys(Edition) - named
    missing |= choices(Edition) - named
    assert not missing, f"docs/add-an-edition.md does not say what these are: {sorted(missing)}"


def test_the_tables_of_the_page_name_no_key_that_there_is_not():
    reference = DOC[DOC.index("## The manifest, key by key") : DOC.index("### Recipes")]
    tables = [
        rows.splitlines() for rows in re.findall(r"^\|(?: key| table) \|.*\n(?:\|.*\n)*", reference, re.MULTILINE)
    ]
    cells = [re.sub(r"\(.*?\)", "", row.split("|")[1]) for rows in tables for row in rows[2:]]
    named = {key for cell in cells for key in re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`]+)`", cell)))}
    assert len(cells) > 30 and named <= keys(Edition), named - keys(Edition)


def test_a_new_folder_has_its_digest_and_says_what_to_fill_in(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(tmp_path))
    (tmp_path / "book.txt").write_text("LAW 1 — ONE\n", encoding="utf-8")
    arguments = ["new", "xx-2031", "--lang", "xx", "--year", "2031", "--source", str(tmp_path / "book.txt")]
    first, again = CliRunner().invoke(main, arguments), CliRunner().invoke(main, arguments)
    assert first.exit_code == 0 and "languages/xx.toml" in first.output
    assert again.exit_code == 1 and "is there already" in again.output
    problems = CliRunner().invoke(main, ["check", "xx-2031"]).output
    assert "edition.toml:2: “title” is empty" in problems and "sha256" not in problems


def test_the_outline_of_one_provision_and_of_one_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv(
        "LEXBRIDGE_CORPUS",
        str(
            write_edition(
                tmp_path, "LAW 1 — ONE\n\nA. See law 2 and 1C.\nB. x.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
            )
        ),
    )
    shown = CliRunner().invoke(main, ["outline", "xx-2030", "1/A"])
    assert shown.output.splitlines() == [
        "1/A  section     A.  See law 2 and 1C.",
        "       “law 2 and 1C” → 2, 1/C (not there)",
    ]
    for arguments, says in ((["xx-2030", "9/Z"], "no provision 9/Z"), (["yy-2030"], "There is no edition")):
        missing = CliRunner().invoke(main, ["outline", *arguments])
        assert missing.exit_code == 1 and says in missing.output


@pytest.mark.parametrize(
    ("keys", "in_force", "stated"),
    [
        ("", False, False),
        ("in_force = false\n", False, True),
        ("in_force = true\n", True, True),
        ("superseded_by = 2040\n", False, True),
    ],
)
def test_an_edition_that_does_not_say_whether_it_is_in_force(keys, in_force, stated, tmp_path):
    result = ingest.read_editions(write_edition(tmp_path, "LAW 1 — ONE\n\nx.\n", f'laws = "1"\n{keys}'))
    data = objects.edition_object(result.editions["xx-2030"].identity)
    assert (data["in_force"], data["in_force_stated"]) == (in_force, stated)


def test_the_dash_before_a_title_is_no_part_of_the_label(tmp_path):
    keys = 'laws = "1"\nheaded = [{kind = "chapter", pattern = \'^CHAPTER (?P<n>[IVX]+) – (?P<heading>.+)\'}]\n'
    reading = ingest.read_editions(write_edition(tmp_path, "CHAPTER I – BEFORE\nLAW 1 — ONE\n\nx.\n", keys)).readings[
        "xx-2030"
    ]
    assert (reading.nodes[0].label, reading.nodes[0].heading) == ("CHAPTER I", "BEFORE")
    assert reading.unaccounted == () and reading.nodes[0].source_text == "CHAPTER I – BEFORE"
