"""Corrections: every published character knows where it came from, and the source can be had back."""

from hypothesis import given
from hypothesis import strategies as st

from corpus.model import Correction
from corpus.reading.source import apply_corrections

LINE = st.text(st.characters(blacklist_characters="\n\r", blacklist_categories=("Cs",)), max_size=40)
WORDS = st.text(st.characters(blacklist_characters="\n\r", blacklist_categories=("Cs",)), max_size=5)


def backwards(published: str, corrections: list[Correction]) -> str:
    """From a published line back to the source line: the inverse of ``publish`` for one line."""
    out, at, shift = [], 0, 0
    for row in corrections:
        start = row.column - 1 + shift
        out += [published[at:start], row.source]
        at = start + len(row.published)
        shift += len(row.published) - len(row.source)
    return "".join(out) + published[at:]


@st.composite
def corrected_lines(draw):
    """A line, and corrections of it that fit and do not overlap."""
    line, rows, at = draw(LINE), [], 0
    while at < len(line) and draw(st.booleans()):
        start = draw(st.integers(at, len(line)))
        end = draw(st.integers(start, min(len(line), start + 4)))
        published = draw(WORDS)
        if start == end and (not published or (rows and rows[-1].column - 1 + len(rows[-1].source) == start)):
            break
        rows.append(Correction("x", 1, start + 1, line[start:end], published, "context", ""))
        at = end
    return line, rows


@given(corrected_lines())
def test_the_source_can_be_had_back(case):
    line, rows = case
    (published,), _, problems = apply_corrections([line], rows, "x")
    assert not problems
    assert backwards(published.text, rows) == line


@given(corrected_lines())
def test_every_printing_character_of_the_source_is_in_one_place(case):
    line, rows = case
    (published,), removed, _ = apply_corrections([line], rows, "x")
    places = [*published.places, *(p for _, gone in removed for p in gone)]
    covered = [column for _, start, end, *_ in places for column in range(start, end)]
    assert len(published.places) == len(published.text)
    assert len(covered) == len(set(covered))
    assert {i for i, c in enumerate(line) if not c.isspace()} <= set(covered)


@given(LINE)
def test_without_corrections_nothing_changes(line):
    (published,), removed, problems = apply_corrections([line], [], "x")
    assert published.text == line and not removed and not problems
    assert [line[start:end] for _, start, end, *_ in published.places] == list(line)


def test_a_row_that_does_not_fit_changes_nothing():
    row = Correction("x", 1, 1, "b", "c", "context", "")
    (published,), _, problems = apply_corrections(["abc"], [row], "x")
    assert published.text == "abc" and "expects “b”, the source has “a”" in str(problems[0])
