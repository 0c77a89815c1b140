"""A table of rows under a header is read whole, or each fault is told with its line."""

from __future__ import annotations

import pytest

from corpus import files


@pytest.mark.parametrize(
    "text, columns, rows, problems",
    [
        ("a\tb\n1\t2\n\n3\t\n", ("a", "b"), [(2, ["1", "2"]), (4, ["3", ""])], []),
        ("\ufeffa\tb\r\n1\t2\r\n", ("a", "b"), [(2, ["1", "2"])], []),
        ("a\tb\n1\n1\t2\t3\n4\t5\n", ("a", "b"), [(4, ["4", "5"])], [(2, "1 cells"), (3, "3 cells, the header has 2")]),
        ("a\tb\n1\n1\t2\t3\n", (), [(2, ["1", ""])], [(3, "3 cells, the header has 2")]),
        ('a\tb\n"1\t2"\n', (), [(2, ['"1', '2"'])], []),
        ("a\n", ("a", "b"), [], [(1, "The header is “a”. Write a TAB b.")]),
        ("", ("a", "b"), [], [(1, "The header is “”")]),
        (None, ("a", "b"), [], []),
        (b"a\tb\n\xff\n", ("a", "b"), [], [(2, "The file cannot be read")]),
        ("#a\tb\n#1\t2\n", (), [(2, ["#1", "2"])], []),
    ],
)
def test_rows_under_a_header(text, columns, rows, problems, tmp_path):
    if text is not None:
        (tmp_path / "x.tsv").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    sheet = files.read_tsv(tmp_path / "x.tsv", "x.tsv", columns, fatal=False)
    assert [(line, list(cells.values())) for line, cells in sheet.rows] == rows
    assert [p.line for p in sheet.problems] == [line for line, _ in problems]
    assert all(says in str(p) and not p.fatal for p, (_, says) in zip(sheet.problems, problems, strict=True))


@pytest.mark.parametrize(
    "text, columns, rows, problems",
    [
        ("# why\n#\na\tb\n1\t2\n# here\n3\t#4\n", ("a", "b"), [4, 6], []),
        ("# why\na\n", ("a", "b"), [], [2]),
        ("# why\na\tb\n# here\n1\n", ("a", "b"), [], [4]),
        ("# why\n# alone", ("a", "b"), [], [1]),
        ("# why\n", (), [], []),
    ],
)
def test_remarks_are_no_rows_and_count_as_lines(text, columns, rows, problems, tmp_path):
    (tmp_path / "x.tsv").write_text(text, encoding="utf-8")
    sheet = files.read_tsv(tmp_path / "x.tsv", "x.tsv", columns, remarks=True)
    assert [line for line, _ in sheet.rows] == rows and [p.line for p in sheet.problems] == problems
