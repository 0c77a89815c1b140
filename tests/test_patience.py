"""Patterns that are data end: what a stranger wrote is stopped, and the fault names it and the line it was tried on."""

from __future__ import annotations

import re
import sys

import pytest
from broken import EDITION, KEYS, WITH_BREAK, problems
from strangers import REST, write_edition

from corpus import files
from corpus.files import PatternTooSlow, compile_pattern

NESTED = "(a|aa|aaa|aaaa|aaaaa)+$"
CATASTROPHES = [
    (NESTED, "a" * 60 + "!"),
    (r"(\w|\w\w|a)*$", "a" * 60 + "!"),
    ("(?:a|b|ab)*[cx]$", "ab" * 40 + "d"),
    ("((a|aa)+)+$", "a" * 60 + "!"),
    ("(.|.)*(.|.)*[xy]$", "a" * 60 + "!"),
]


@pytest.fixture
def hurried(monkeypatch):
    """A limit that no test waits for."""
    monkeypatch.setattr(files, "PATTERN_SECONDS", 0.05)


@pytest.mark.parametrize("pattern, line", CATASTROPHES)
@pytest.mark.parametrize("way", ["match", "fullmatch", "search", "finditer"])
def test_a_pattern_that_never_ends_is_stopped(pattern, line, way, hurried):
    with pytest.raises(PatternTooSlow) as slow:
        getattr(compile_pattern(pattern), way)(line)
    assert slow.value.seconds == 0.05 and slow.value.text.startswith(("a", "ab"))


def test_many_patterns_share_the_time(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(files, "thread_time", lambda: next(clock))
    pattern = compile_pattern("^a$")
    with files.limit_pattern_time(3):
        for _ in range(3):
            assert pattern.match("a")
        with pytest.raises(PatternTooSlow) as slow:
            pattern.match("b")
        assert (slow.value.pattern, slow.value.text) == ("^a$", "b")
    with files.limit_pattern_time(3):
        assert pattern.search("a")


@pytest.mark.parametrize("text", ["", "ab", "xaby", "a b\tab\n", "16.A. ŠšŁł", "aaa"])
@pytest.mark.parametrize(
    "pattern", ["", "a", "^a?b", r"(?P<sign>\w)\b", r"(?<=a)(?=b)", r"\s*", "(?i)š|A", r"[^\W\d_]+$", r"(a)\1?"]
)
def test_a_pattern_matches_what_it_matches_in_python(pattern, text):
    theirs, ours = re.compile(pattern), compile_pattern(pattern)
    for way in ("match", "fullmatch", "search"):
        one, other = getattr(theirs, way)(text), getattr(ours, way)(text)
        assert (one and (one.span(), one.groups())) == (other and (other.span(), other.groups()))
    assert [m.span() for m in theirs.finditer(text)] == [m.span() for m in ours.finditer(text)]


def test_a_word_character_is_that_of_unicode():
    """A letter with a mark of its own is one, a raised figure is none: what ``re`` says otherwise."""
    assert compile_pattern(r"\w+").fullmatch("s\u030c") and not compile_pattern(r"\w").search("¹")


@pytest.mark.parametrize("pattern", ["(", "(?R)a", r"\p{L}", "(?:a){e<=2}(?e)", "a" * 3000, "(" * 500 + ")" * 500])
def test_what_python_does_not_read_is_no_pattern(pattern):
    with pytest.raises((re.error, RecursionError)):
        compile_pattern(pattern)


KEYS_WITH = {
    "drop.pattern": ("[[drop]]\nname = 'x'\npattern = 'PATTERN'\n", ""),
    "drop.until": ("[[drop]]\nname = 'x'\nscope = 'block'\npattern = '^WAY'\nuntil = 'PATTERN'\n", ""),
    "split": ("[[split]]\nname = 'x'\npattern = 'PATTERN'\n", ""),
    "headed": ("[[headed]]\nkind = 'chapter'\npattern = 'PATTERN'\n", ""),
    "parts.start": ("[[parts]]\npath = 'preface'\nstart = 'PATTERN'\n", ""),
    "tables.first": ("[[tables]]\npath = '1'\nfirst = 'PATTERN'\nlast = 'x'\n", ""),
    "notes.note": ("[notes]\nnumbering = 'book'\nnote = '^(?P<sign>\\d)?PATTERN'\nmark = '(?P<sign>¹)'\n", ""),
    "notes.mark": ("[notes]\nnumbering = 'book'\nnote = '^(?P<sign>¹) '\nmark = '(?P<sign>PATTERN)'\n", ""),
    "laws_start": ("", "laws_start = 'PATTERN'\n"),
}


@pytest.mark.parametrize("key", KEYS_WITH)
def test_a_slow_pattern_of_a_manifest_is_a_problem(key, tmp_path, hurried):
    """Wherever a manifest has one; the edition has no nodes then, the others stay."""
    tables, keys = KEYS_WITH[key]
    preface = "[[parts]]\npath = 'preface'\nstart = '^FOREWORD'\n" if key == "laws_start" else ""
    text = "FOREWORD\n\n" * bool(preface) + "a" * 60 + "!\n\nLAW 1 — ONE\n\n" + "a" * 60 + "!" + REST
    stated = 'laws = "1–3"\n' + (keys + preface + tables).replace("PATTERN", NESTED)
    corpus = write_edition(tmp_path, text, stated)
    write_edition(tmp_path, WITH_BREAK, KEYS, name="yy-2030")
    [told] = [p for p in problems(corpus) if p.fatal]
    manifest = (corpus / "editions" / EDITION / "edition.toml").read_text(encoding="utf-8").split("\n")
    assert told.file == f"editions/{EDITION}/edition.toml" and NESTED in manifest[told.line - 1]
    assert "0.05 seconds" in told.finding and "of source.txt" in told.finding and told.move


def test_an_edition_of_many_lines_has_one_limit(tmp_path, monkeypatch):
    """Each line may be quick: all together count."""
    monkeypatch.setattr(files, "PATTERN_SECONDS", 0.05)
    lines = "\n\n".join(f"{'a' * 16}! {n}" for n in range(3000))
    corpus = write_edition(
        tmp_path,
        f"LAW 1 — ONE\n\n{lines}{REST}",
        "laws = \"1–3\"\n[[drop]]\nname = 'x'\npattern = '(?:a|aa|aaa)+x|y'\n",
    )
    assert ["seconds were over" in str(p) for p in problems(corpus) if p.fatal] == [True]


LONG = 2_500  # characters
LINES = ("(", "1.1.", "przepis 1, 2, 3, ", "Law 1 ", "(a) ", ")", "see ", "*", '"', "Laws 1-3, ", "i", " ", "12A1 ")


@pytest.mark.parametrize("sign", LINES)
def test_a_long_line_costs_what_its_length_costs(sign, tmp_path):
    """Steps of the interpreter, not seconds: four times the line, some four times the work."""
    counts = []
    for length in (LONG, 4 * LONG):
        line = "see Law 1 " + sign * (length // len(sign))
        corpus = write_edition(tmp_path / str(length), f"LAW 1 — ONE\n\n{line}{REST}")
        counts.append(steps_of(corpus))
    assert counts[1] < 6 * counts[0], counts


def steps_of(corpus) -> int:
    """Lines of Python that reading a corpus runs."""
    count = 0

    def tracer(_frame, _event, _arg):
        nonlocal count
        count += 1
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        problems(corpus)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("tag", ["ol><li", "ul><li", "div", "b", "table><tr><td", "sup", "a href='#x'", "dl><dt"])
def test_tags_in_tags_without_end_are_told(tag, tmp_path):
    page = "<p>LAW 1 — ONE</p>\n" + f"<{tag}>\nx\n" * 2_500 + "<p>LAW 2 — TWO</p>"
    found = problems(write_edition(tmp_path, page, file="source.html"))
    assert any("nested too deeply" in p.finding and p.fatal for p in found)


@pytest.mark.parametrize(
    "selector", ["p:has(a)", "li:nth-child(2)", "a ~ b", "a b c", "p:not(:has(x))", "a" * 300, ", ".join(["a b c"] * 9)]
)
def test_a_selector_that_looks_at_all_of_a_page_is_told(selector, tmp_path):
    keys = f"[[drop]]\nname = 'x'\nscope = 'element'\npattern = '{selector}'\n"
    found = problems(write_edition(tmp_path, "<p>LAW 1 — ONE</p>", 'laws = "1–3"\n' + keys, file="source.html"))
    assert any("elector" in p.finding and p.file.endswith("edition.toml") for p in found if p.fatal)
