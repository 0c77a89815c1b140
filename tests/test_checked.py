"""Data written by hand: every fault of a file is told with its line, what was found, and the next move."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import files, misprint, schema
from corpus.edition import Edition
from corpus.files import InvalidFile, LocalizedText, TomlFile
from corpus.language import Language
from corpus.ruling import RulingBody, RulingFile
from corpus.schema import (
    NOT_IN_FILE,
    Fault,
    KeyName,
    ValueHint,
    check_at_least_one,
    check_not_empty,
    pattern_rule,
    text_rule,
)
from tests.budget import examples


@dataclass(frozen=True)
class Row:
    """What a table of the invented file may say."""

    duty: Literal["", "explain", "award"]
    law: Annotated[str, text_rule(r"\d+[A-Z]?", "a law, like 27B", optional=True)] = ""
    tricks: Annotated[int, check_at_least_one] = 1

    def check(self) -> Iterator[Fault]:
        """Tricks are awarded only."""
        if self.tricks > 1 and self.duty != "award":
            yield Fault("Tricks without an award.", "Remove them.", ("tricks",))


@dataclass(frozen=True)
class Question:
    """A table with tables."""

    asked: Annotated[LocalizedText, check_not_empty]
    rows: tuple[Row, ...] = ()
    in_: Annotated[tuple[Annotated[str, pattern_rule("n")], ...], KeyName("in"), ValueHint("a list of patterns")] = ()


@dataclass(frozen=True)
class Situation:
    """The file."""

    id: Annotated[str, NOT_IN_FILE]
    title: str
    question: tuple[Question, ...] = ()
    seen: bool = False
    year: int | None = None

    def check(self) -> Iterator[Fault]:
        """Somebody asks."""
        if not self.question:
            yield Fault("Nobody asks.", "Add a [[question]].", ("question",))


SOUND = """title = "Lead"  # from the wrong hand
year = 2017

[[question]]
asked = {pl = "Czy?", en = "Is it?"}
in = [
  '^a',
  '(?P<n>b)',
]
[[question.rows]]
duty = "explain"
law = "54A"
[[question.rows]]
duty = "award"
tricks = 2

[[question]]
asked = "And then?"
rows = [
  {duty = "explain"},
  {duty = "award", law = "57"},
]
"""


def situation(text: str) -> Situation:
    return schema.build_from_file(Situation, TomlFile("x.toml", text, tomllib.loads(text)), "docs/x.md", id="x")


def told(text: str) -> list[str]:
    with pytest.raises(InvalidFile) as refused:
        situation(text)
    assert all(p.fatal and p.file == "x.toml" and p.move for p in refused.value.problems)
    return [f"{p.line}: {p.finding} {p.move}" for p in refused.value.problems]


def test_a_sound_file_is_what_its_tables_say():
    first = Question(
        LocalizedText(pl="Czy?", en="Is it?"), (Row("explain", "54A"), Row("award", tricks=2)), ("^a", "(?P<n>b)")
    )
    second = Question(LocalizedText({"": "And then?"}), (Row("explain"), Row("award", "57")))
    assert situation(SOUND) == Situation("x", "Lead", (first, second), False, 2017)


@pytest.mark.parametrize(
    "old, new, says",
    [
        ('title = "Lead"', "", ["1: The key “title” is missing. Add it; docs/x.md says what it holds."]),
        ("year = 2017", "id = 1", ["2: Unknown key “id”. Remove it, or use one of: question, seen, title, year."]),
        ("year = 2017", "year = true", ["2: “year” is True. Write a whole number."]),
        ("year = 2017", "seen = 1", ["2: “seen” is 1. Write true or false."]),
        ('duty = "award"\n', "", ["13: The key “duty” is missing in question.rows."]),
        ('duty = "award"\n', 'duty = ""\n', ["15: Tricks without an award. Remove them."]),
        (
            'duty = "award"\n',
            'duty = "x"\n',
            ["14: “question.rows.duty” is “x”. Choose one of: explain, award, or leave"],
        ),
        ('duty = "award"\n', "duty = 1\n", ["14: “question.rows.duty” is 1. Write text in quotes."]),
        ("tricks = 2", "tricks = 0", ["15: “question.rows.tricks” is 0. Write a whole number from 1."]),
        ('law = "54A"', 'law = "A54"', ["12: “question.rows.law” is 'A54'. Write a law, like 27B."]),
        ('"57"', '"fifty"', ["21: “question.rows.law” is 'fifty'. Write a law, like 27B."]),
        ("'^a'", "'(a'", ["7: “(a” is not a pattern: missing ), unterminated subpattern at position 0."]),
        (
            "'^a'",
            "'(?P<m>a)'",
            ["7: The pattern “(?P<m>a)” has a group “m”, which says nothing here. Name it one of: n"],
        ),
        ("'^a'", "5", ["6: “question.in” is 5. Write text in quotes."]),
        ("in = [\n  '^a',\n  '(?P<n>b)',\n]", "in = 'a'", ["6: “question.in” is 'a'. Write a list of patterns."]),
        ('"And then?"', '" "', ["18: “question.asked” is empty."]),
        ('"And then?"', "{}", ["18: “question.asked” is {}. Write text in quotes, or a table with a text for each"]),
        ('"And then?"', '{English = "And?"}', ["18: “English” is no code of a language."]),
        (SOUND[SOUND.index("[[") :], "", ["1: Nobody asks. Add a [[question]]."]),
        (SOUND[SOUND.index("[[") :], "question = 5", ["4: “question” is 5. Write a list, each of it a table."]),
        ('"Lead"', "5", ["1: “title” is 5."]),
        (
            'law = "54A"',
            "law = 54\nrule = 1",
            ["12: “question.rows.law” is 54.", "13: Unknown key “rule” in question.rows."],
        ),
    ],
)
def test_a_fault_is_told_with_its_line(old, new, says):
    assert old in SOUND
    found = told(SOUND.replace(old, new, 1))
    assert len(found) == len(says) and all(f.startswith(s) for f, s in zip(found, says, strict=True)), found


KINDS = {
    Edition: {"id": "x", "folder": Path("x"), "written": TomlFile("x.toml", "", {})},
    Language: {"code": "x"},
    misprint.MisprintFile: {},
    misprint.MisprintSentences: {},
    Situation: {"id": "x"},
    RulingBody: {"id": "x"},
    RulingFile: {},
}
ANY = st.recursive(
    st.text(max_size=6) | st.integers(-2, 9999) | st.booleans() | st.floats() | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "path", "kind"]), inner),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=examples(25), deadline=None)
@given(data=st.data())
def test_whatever_stands_in_a_file_it_is_taken_or_refused(kind, data):
    """Right values under right keys, and anything anywhere: no exception but the one that lists what is wrong."""

    def table_of(kind) -> st.SearchStrategy:
        known = {key: ANY | written(get_type_hints(kind)[f.name]) for key, f in schema.file_keys(kind).items()}
        return st.fixed_dictionaries({}, optional=known)

    def written(hint) -> st.SearchStrategy:
        if is_dataclass(hint):
            return table_of(hint)
        inner = [written(t) for t in get_args(hint) if is_dataclass(t)]
        return (
            st.lists(inner[0], max_size=2) if inner else st.text(alphabet="1A–9/ab*(", max_size=5) | st.integers(0, 3)
        )

    written_file = TomlFile("x.toml", "", data.draw(table_of(kind)))
    try:
        made, problems = schema.build_from_file(kind, written_file, "docs/x.md", **KINDS[kind]), []
    except InvalidFile as refused:
        made, problems = None, refused.problems
    assert isinstance(made, kind) != bool(problems) and all(p.finding and p.move for p in problems)


@pytest.mark.parametrize(
    "data, line, says",
    [
        (None, 1, "There is none. Write one."),
        (b"a = 1\nb = \xe9\n", 2, "Byte 0xe9 is not UTF-8"),
        (b"a = 1\nb = = 2\n", 2, "Not TOML"),
        (b'a = "\\d"', 1, "single quotes"),
        (b"a = 1\na = 2", 2, "Not TOML"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(data, line, says, tmp_path):
    if data is not None:
        (tmp_path / "x.toml").write_bytes(data)
    with pytest.raises(InvalidFile) as refused:
        files.read_toml(tmp_path / "x.toml", "x.toml", ("There is none.", "Write one."))
    (problem,) = refused.value.problems
    assert (problem.file, problem.line) == ("x.toml", line) and says in str(problem)


# ── the line of everything ──────────────────────────────────────────────────────────────────────

VALUES = st.sampled_from(["1", '"x"', "[1, 2]", "[\n 1,\n 2,\n]", '"""\n[c]\na = 1\n"""', "{p = 1, q = [3]}", "true"])
HEADS = st.sampled_from(["[{}]", "[[{}]]", '["{}"]', '[[ "{}" ]]'])


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(st.tuples(HEADS, st.lists(VALUES, max_size=3), st.booleans()), max_size=5))
def test_every_key_is_found_in_its_line(tables):
    """Headers, keys and values of every form, comments and blank lines between them: each is where it was written."""
    text, places = "# top = 1\n", {}

    def write(at: tuple, line: str) -> None:
        nonlocal text
        places[at] = text.count("\n") + 1
        text += line + "\n"

    for n, (head, values, apart) in enumerate(tables):
        for at in [(f"t{n}", 0), (f"t{n}", 1)] if head.startswith("[[") else [(f"t{n}",)]:
            text += "\n# [a]\n" if apart else ""
            write(at, head.format(f"t{n}") + " # [a]")
            for k, value in enumerate(values):
                write((*at, f"k{k}"), f"k{k} = {value}")
            write((*at, "below"), f"[t{n}.below]")
            write((*at, "below", "x"), "x = 1")
    written = TomlFile("x", text, tomllib.loads(text))
    for at, line in places.items():
        assert written.line_of(at) == written.line_of((*at, "not there")) == line, at


@settings(deadline=None)
@given(st.text(alphabet="[]{}=\"'\\\n#ab.1,", max_size=40))
def test_no_file_breaks_the_search_for_lines(text):
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    lines = len(text.split("\n"))
    assert all(1 <= TomlFile("x", text, data).line_of((key, 0, "a")) <= lines for key in data)


@dataclass(frozen=True)
class Named:
    """A table whose keys are names."""

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@pytest.mark.parametrize(
    "text, names, fault",
    [
        ('[names]\n"a b" = ["c"]\nd = []\n', {"a b": ("c",), "d": ()}, None),
        ("", {}, None),
        ('[names]\na = ["b"]\n"c d" = "e"\n', None, "x.toml:3: “names.c d” is 'e'."),
        ('names = ["a"]\n', None, "x.toml:1: “names” is"),
    ],
)
def test_a_table_may_have_keys_of_its_own(text, names, fault):
    read = lambda: schema.build_from_file(Named, files.TomlFile("x.toml", text, tomllib.loads(text)), "docs")
    if fault is None:
        assert read().names == names
    else:
        with pytest.raises(InvalidFile) as refused:
            read()
        assert str(refused.value).startswith(fault) and "Write a" in str(refused.value)
