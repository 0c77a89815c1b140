"""`lexbridge check`: of whatever is broken a sentence names place, finding and next move; nothing is replaced."""

import hashlib
import time
import tomllib

import pytest
from broken import CASES, EDITION, KEYS, WITH_BREAK, changed, expect, problems
from click.testing import CliRunner
from strangers import copy_of_strangers, write_edition

from scripts.cli import main

SOURCES = tomllib.loads((CASES / "sources.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SOURCES)
def test_a_broken_source_is_told(name, tmp_path):
    case = SOURCES[name]
    expect(
        case,
        problems(write_edition(tmp_path, changed(WITH_BREAK, case["change"]), KEYS)),
        f"editions/{EDITION}/source.txt",
    )


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (b"LAW 1\nfine\nL\xe9gal\n", 3, "is not UTF-8"),
        (b"<meta content='text/html; charset=windows-1252'>\n<p>L\xe9gal", 2, "iconv -f windows-1252 -t utf-8"),
        (b"<meta charset=utf-8>\n<p>L\xe9gal", 2, "from the encoding it was written in, then"),
        (b"", 1, "The file is empty"),
        (b" \n\n", 1, "The file is empty"),
        (b"\xef\xbb\xbf", 1, "The file is empty"),
        ("LAW 1 — ONE\n".encode("utf-16"), 1, "is not UTF-8"),
        (b"fine\n" + b"x y " * 1_000_000, 2, "A line of 4000000 characters"),
    ],
    ids=[
        "latin-1",
        "Windows-1252",
        "not what it says",
        "empty",
        "blank",
        "only a BOM",
        "UTF-16",
        "a line of megabytes",
    ],
)
def test_bytes_that_are_no_text_are_told_at_once(data, line, says, tmp_path):
    corpus, start = write_edition(tmp_path, data, KEYS), time.monotonic()
    expect({"line": line, "says": [says]}, problems(corpus), f"editions/{EDITION}/source.txt")
    assert time.monotonic() - start < 5


HEADER = "line\tcolumn\tsource\tpublished\tbasis\treason\n"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("line\tcolumn\n", "The header is"),
        (HEADER + "4\t1\tLAW\n", "3 cells, the header has 6"),
        (HEADER + "4\tx\tLAW\tLaw\tcontext\twhy\n", "Not a correction: column is “x”"),
        (HEADER + "4\t1\tLAW\tLaw\tguess\twhy\n", "Not a correction"),
        (HEADER + "4\t1\tLOW\tLAW\tcontext\twhy\n", "expects “LOW”, the source has “LAW”"),
        (HEADER + "4\t900\tLAW\tLAW\tcontext\twhy\n", "The correction at column 900"),
        (HEADER + "900\t1\tLAW\tLAW\tcontext\twhy\n", "the source does not have"),
        (HEADER + "4\t0\tLAW\tLAW\tcontext\twhy\n", "column 0"),
        (HEADER + "4\t1\tLAW\tLAw\tcontext\twhy\n4\t2\tAW\tEW\tcontext\twhy\n", "The correction at column 2"),
    ],
)
def test_a_correction_that_does_not_fit_is_told(rows, says, tmp_path):
    found = problems(write_edition(tmp_path, WITH_BREAK, KEYS, corrections=rows))
    assert any(says in str(p) and p.fatal and p.file.startswith(f"editions/{EDITION}/") for p in found), "\n".join(
        map(str, found)
    )


def test_corrections_that_are_not_utf_8_are_told(tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    (corpus / "editions" / EDITION / "corrections.tsv").write_bytes(b"line\tcol\xff")
    assert any("corrections.tsv:1: The file cannot be read" in str(p) for p in problems(corpus))


def test_a_concordance_with_a_wrong_relation_or_column_is_noted(tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    (corpus / "concordances").mkdir()
    (corpus / "concordances" / "x.tsv").write_text("xx-2030\tzz-2031\trelation\n1\t1\tsam\n", encoding="utf-8")
    assert [(p.line, p.finding) for p in problems(corpus)] == [(1, "The column “zz-2031” is no edition.")]


@pytest.mark.parametrize("command", ["ingest"])
def test_a_file_where_the_build_should_go_is_told(command, tmp_path, monkeypatch):
    (tmp_path / "build").write_text("")
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(write_edition(tmp_path / "corpus", WITH_BREAK, KEYS)))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    result = CliRunner().invoke(main, [command])
    assert result.exit_code == 1 and "Set LEXBRIDGE_BUILD to a folder" in result.output


@pytest.mark.parametrize(
    ("page", "line", "says"),
    [
        ("<h3>LAW 1 — ONE</h3>\n<p>x</p>\n<p>a &nosuchsign; b</p>", 3, "The markup cannot be followed"),
        ("<h3>LAW 1 — ONE</h3>\n<p>x\n<p unfinished", 3, "The markup cannot be followed"),
        ("<h3>LAW 1 — ONE</h3>\n<p>x</p>\n<![odd 1<td>x", 3, "The markup cannot be followed"),
        ("<h3>LAW 1 — ONE</h3>\n<ol type=A><li>x<li value=3>y</ol>", 2, "C. follows A. in 1"),
        ("<h3>LAW 1 — ONE</h3>\n<p>x</p>\n<h3>LAW 1 — TWO</h3>", 3, "Law 1 comes a second time"),
    ],
)
def test_a_broken_web_page_is_told(page, line, says, tmp_path):
    found = problems(write_edition(tmp_path, page, 'laws = "1"\nparagraphs = "lines"\n', file="source.html"))
    expect({"line": line, "says": [says]}, found, f"editions/{EDITION}/source.html")


def test_every_label_that_gets_lost_is_told(tmp_path):
    """Each label with another after it, in each invented edition, one at a time; items inside a line cannot be told."""
    from dataclasses import replace

    from corpus import edition as edition_module
    from corpus import language
    from corpus.reading.read import read_source

    corpus, lost = copy_of_strangers(tmp_path), 0
    for name in edition_module.list_editions(corpus):
        edition = edition_module.load_edition(corpus / "editions" / name)
        words, source = language.load_language(corpus / "languages", edition.lang), edition.folder / edition.source
        lines, nodes = source.read_text(encoding="utf-8-sig").split("\n"), read_source(edition, words).nodes
        for node in nodes:
            number, column = node.source_spans[0][:2] if node.source_spans else (1, 1)
            line, later = (
                lines[number - 1],
                [n for n in nodes if n.parent == node.parent and n.kind == node.kind and n.path > node.path],
            )
            starts = node.label and line[column - 1 :].startswith(node.label) and not line[: column - 1].strip()
            inline = any(
                lines[n.source_spans[0][0] - 1][: n.source_spans[0][1] - 1].strip() for n in later if n.source_spans
            )
            if (
                edition.is_html
                or node.kind == "footnote"
                or not starts
                or not later
                or inline
                or node.kind not in ("section", "subsection", "clause", "subclause")
            ):
                continue
            source.write_text(
                "\n".join([*lines[: number - 1], line.replace(node.label, "", 1), *lines[number:]]), encoding="utf-8"
            )
            changed = replace(edition, sha256=hashlib.sha256(source.read_bytes()).hexdigest())
            assert any(p.fatal and p.file == edition.source_name for p in read_source(changed, words).problems), (
                f"{name}: nothing is said when {node.citation} loses its label"
            )
            lost += 1
        source.write_text("\n".join(lines), encoding="utf-8")
    assert lost > 25


def test_the_command_lists_all_problems_and_leaves_the_last_build(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(tmp_path / "corpus"))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    corpus = write_edition(tmp_path / "corpus", WITH_BREAK, KEYS)
    assert CliRunner().invoke(main, ["ingest"]).exit_code == 0
    before = {p.name: p.read_bytes() for p in (tmp_path / "build" / "next" / "corpus").iterdir()}
    broken = WITH_BREAK.replace("(b) two red ones,\n", "").replace("LAW 2 — TABLES", "")
    (corpus / "editions" / EDITION / "source.txt").write_text(broken, encoding="utf-8")
    edition_module = corpus / "editions" / EDITION / "edition.toml"
    edition_module.write_text(
        edition_module.read_text().replace(
            hashlib.sha256(WITH_BREAK.encode()).hexdigest(), hashlib.sha256(broken.encode()).hexdigest()
        )
    )
    for command in ("check", "ingest"):
        result = CliRunner().invoke(main, [command, EDITION])
        assert result.exit_code == 1 and not isinstance(result.exception, (KeyError, ValueError, TypeError))
        assert f"editions/{EDITION}/source.txt:14: (c) follows (a) in 1/B/1. Is (b) missing?" in result.output
        assert "Law 3 follows law 1." in result.output
    assert {p.name: p.read_bytes() for p in (tmp_path / "build" / "next" / "corpus").iterdir()} == before
