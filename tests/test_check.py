"""`lexbridge check`: whatever is broken, a sentence names the place, the finding and the next move; nothing is replaced."""

import hashlib
import time
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strangers import HERE, LEVELS, copy_of_strangers, write_edition

from corpus import ingest as ingesting
from scripts.cli import main

CASES = HERE / "cases" / "broken"
SOUND = (CASES / "sound.txt").read_text(encoding="utf-8")
KEYS = """laws = "1–3"
[notes]
numbering = "law"
style = "stars"
[[parts]]
path = "preface"
start = '^PREFACE$'
[[drop]]
name = "break"
pattern = 'BREAK'
"""
SOURCES = tomllib.loads((CASES / "sources.toml").read_text(encoding="utf-8"))
MANIFESTS = tomllib.loads((CASES / "manifests.toml").read_text(encoding="utf-8"))
EDITION = "xx-2030"
WITH_BREAK = SOUND.replace("nothing, for tests.\n", "nothing, for tests.\nBREAK")


def changed(text: str, changes: list) -> str:
    for old, new in changes:
        assert old in text, f"“{old}” is not in the sound text"
        text = text.replace(old, new, 1)
    return text


def problems(corpus: Path):
    return ingesting.read_all(corpus).problems


def expect(case: dict, found, file: str, digest: str = "") -> None:
    says = [word.replace("DIGEST", digest) for word in case["says"]]
    matching = [p for p in found if all(word in str(p) for word in says)]
    assert matching, f"no problem says {says}; there are:\n" + "\n".join(map(str, found))
    assert matching[0].fatal == case.get("fatal", True)
    assert matching[0].file == file
    if "line" in case:
        assert matching[0].line == case["line"], str(matching[0])
    assert matching[0].move.strip()


def test_a_sound_edition_has_no_problem(tmp_path):
    assert [str(p) for p in problems(write_edition(tmp_path, WITH_BREAK, KEYS))] == []


@pytest.mark.parametrize("name", SOURCES)
def test_a_broken_source_is_told(name, tmp_path):
    case = SOURCES[name]
    expect(
        case,
        problems(write_edition(tmp_path, changed(WITH_BREAK, case["change"]), KEYS)),
        f"editions/{EDITION}/source.txt",
    )


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_broken_manifest_is_told(name, tmp_path):
    case = MANIFESTS[name]
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    path, digest = corpus / "editions" / EDITION / "edition.toml", hashlib.sha256(WITH_BREAK.encode()).hexdigest()
    text = changed(path.read_text(encoding="utf-8").replace(digest, "DIGEST"), case["change"])
    path.write_text(text.replace("DIGEST", digest), encoding="utf-8")
    file = case.get("file", "edition.toml")
    expect(case, problems(corpus), file if "/" in file else f"editions/{EDITION}/{file}", digest)


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (b"LAW 1\nfine\nL\xe9gal\n", 3, "is not UTF-8"),
        (b"", 1, "The file is empty"),
        (b" \n\n", 1, "The file is empty"),
        (b"\xef\xbb\xbf", 1, "The file is empty"),
        ("LAW 1 — ONE\n".encode("utf-16"), 1, "is not UTF-8"),
        (b"fine\n" + b"x y " * 1_000_000, 2, "A line of 4000000 characters"),
    ],
    ids=["latin-1", "empty", "blank", "only a BOM", "UTF-16", "a line of megabytes"],
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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = ", "cannot be read"),
        ("[reference]\n", "“name” is missing"),
        ('name = "x"\n[reference]\nlaw = 5\n', "Write a list of words"),
        ('name = "x"\nreference = 1\n', "Write a table"),
        ('name = "x"\n[reference]\nlaw = ["law", ""]\n', "A word of “reference.law” is empty"),
        ('name = "x"\n[reference]\nlaw = ["law", 5]\n', "“reference.law” is 5. Write a list of words"),
        ('name = "x"\n[reference]\nlaw = ["law"]\nlawafter = ["x"]\n', "law_after"),
    ],
)
def test_a_broken_language_file_is_told(text, says, tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    (corpus / "languages" / "en.toml").write_text(text, encoding="utf-8")
    assert any(says in str(p) and p.file == "languages/en.toml" for p in problems(corpus))


def test_a_broken_language_file_is_told_with_its_line(tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    for text, line, says in (
        ('name = "x"\n[reference]\nsee = ["see"]\nlaw = "law"\n', 4, "“reference.law” is 'law'"),
        ('name = "x"\n\n[reference\n', 3, "cannot be read"),
        ('name = "x"\n[search]\nlaw = ["law"]\nstopword = ["a"]\n', 4, "Unknown key “stopword” in search"),
        ('name = "x"\n[search]\nlaw = "law"\n', 3, "“search.law” is 'law'"),
        ('name = "x"\n[search]\nletters = ["é"]\n', 3, "“search.letters” is ['é']"),
        ('name = "x"\n[alphabet]\nletters = ""\nsign = "."\n', 4, "Unknown key “sign” in alphabet"),
        ('name = "x"\n[reference]\n[serach]\nlaw = ["law"]\n', 3, "Unknown key “serach”"),
        ('name = "x"\nsearch = 1\n', 2, "“search” is 1"),
    ):
        (corpus / "languages" / "en.toml").write_text(text, encoding="utf-8")
        assert any(says in str(p) and (p.file, p.line) == ("languages/en.toml", line) for p in problems(corpus))


def test_a_broken_language_file_that_no_edition_needs_is_told_once(tmp_path):
    """Its words, too, may stand before a citation that somebody types."""
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    (corpus / "languages" / "zz.toml").write_text("name = ", encoding="utf-8")
    assert [p.file for p in problems(corpus) if p.fatal] == ["languages/zz.toml"]
    (corpus / "languages" / "en.toml").write_text("name = ", encoding="utf-8")
    assert sorted(p.file for p in problems(corpus) if p.fatal) == ["languages/en.toml", "languages/zz.toml"]


@pytest.mark.parametrize("keys, code", [("", "2030"), ('code = "2017"\n', "2017")])
def test_the_code_of_an_edition_is_its_year_unless_the_manifest_says_another(keys, code, tmp_path):
    found = ingesting.read_all(write_edition(tmp_path, WITH_BREAK, keys + KEYS))
    assert found.editions[EDITION].code == code and not found.problems


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


def test_a_code_that_is_no_language_makes_no_edition(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(tmp_path))
    (tmp_path / "book.txt").write_text("x", encoding="utf-8")
    result = CliRunner().invoke(
        main, ["new", "xx-2031", "--lang", "Svenska!", "--year", "2031", "--source", str(tmp_path / "book.txt")]
    )
    assert result.exit_code == 1 and "no code of a language" in result.output and not (tmp_path / "editions").exists()


@pytest.mark.parametrize(
    ("page", "line", "says"),
    [
        ("<h3>LAW 1 — ONE</h3>\n<p>x</p>\n<p>a &nosuchsign; b</p>", 3, "The markup cannot be followed"),
        ("<h3>LAW 1 — ONE</h3>\n<p>x\n<p unfinished", 3, "The markup cannot be followed"),
        ("<h3>LAW 1 — ONE</h3>\n<ol type=A><li>x<li value=3>y</ol>", 2, "C. follows A. in 1"),
        ("<h3>LAW 1 — ONE</h3>\n<p>x</p>\n<h3>LAW 1 — TWO</h3>", 3, "Law 1 comes a second time"),
    ],
)
def test_a_broken_web_page_is_told(page, line, says, tmp_path):
    found = problems(write_edition(tmp_path, page, 'laws = "1"\nparagraphs = "lines"\n', file="source.html"))
    expect({"line": line, "says": [says]}, found, f"editions/{EDITION}/source.html")


def test_every_label_that_gets_lost_is_told(tmp_path):
    """Each label with another after it, in each invented text edition, one at a time; items inside a line cannot be told."""
    from dataclasses import replace

    from corpus import language
    from corpus.edition import manifest
    from corpus.reading.reader import read

    corpus, lost = copy_of_strangers(tmp_path), 0
    for name in manifest.list_editions(corpus):
        edition = replace(manifest.load(corpus / "editions" / name), sha256="")
        words, source = language.load(corpus / "languages", edition.lang), edition.folder / edition.source
        lines, nodes = source.read_text(encoding="utf-8-sig").split("\n"), read(edition, words).nodes
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
            assert any(p.fatal and p.file == edition.file for p in read(edition, words).problems), (
                f"{name}: nothing is said when {node.citation} loses its label"
            )
            lost += 1
        source.write_text("\n".join(lines), encoding="utf-8")
    assert lost > 25


def test_the_same_source_twice_is_told(tmp_path):
    write_edition(tmp_path, WITH_BREAK, KEYS)
    write_edition(tmp_path, WITH_BREAK, KEYS, name="yy-2030")
    assert any("the same source as xx-2030" in str(p) and "editions/yy-2030" in p.file for p in problems(tmp_path))


@pytest.mark.parametrize("name", ["Xx 2030", "search", "a--b"])
def test_a_folder_that_cannot_be_an_id_is_told(name, tmp_path):
    found = problems(write_edition(tmp_path, WITH_BREAK, KEYS, name=name))
    assert any("cannot be the id" in str(p) for p in found)


def test_a_folder_without_a_manifest_is_told(tmp_path):
    (tmp_path / "editions" / "xx-2030").mkdir(parents=True)
    assert any(
        "There is no manifest" in str(p) and p.file == "editions/xx-2030/edition.toml" for p in problems(tmp_path)
    )


def test_a_folder_for_a_manifest_is_told(tmp_path):
    (tmp_path / "editions" / "xx-2030" / "edition.toml").mkdir(parents=True)
    assert any("cannot be read" in str(p) for p in problems(tmp_path))


def test_the_command_lists_all_problems_and_leaves_the_last_build(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(tmp_path / "corpus"))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    corpus = write_edition(tmp_path / "corpus", WITH_BREAK, KEYS)
    assert CliRunner().invoke(main, ["ingest"]).exit_code == 0
    before = {p.name: p.read_bytes() for p in (tmp_path / "build" / "corpus").iterdir()}
    broken = WITH_BREAK.replace("(b) two red ones,\n", "").replace("LAW 2 — TABLES", "")
    (corpus / "editions" / EDITION / "source.txt").write_text(broken, encoding="utf-8")
    manifest = corpus / "editions" / EDITION / "edition.toml"
    manifest.write_text(
        manifest.read_text().replace(
            hashlib.sha256(WITH_BREAK.encode()).hexdigest(), hashlib.sha256(broken.encode()).hexdigest()
        )
    )
    for command in ("check", "ingest"):
        result = CliRunner().invoke(main, [command, EDITION])
        assert result.exit_code == 1 and not isinstance(result.exception, (KeyError, ValueError, TypeError))
        assert f"editions/{EDITION}/source.txt:14: (c) follows (a) in 1/B/1. Is (b) missing?" in result.output
        assert "Law 3 follows law 1." in result.output
    assert {p.name: p.read_bytes() for p in (tmp_path / "build" / "corpus").iterdir()} == before


# ── no exception, whatever comes ──────────────────────────────────────────────────────────────────

ANY = st.recursive(
    st.one_of(
        st.text(max_size=8), st.integers(-5, 10**6), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["path", "start", "kind", "labels", "name", "pattern", "scope", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
KEYS_KNOWN = [
    "title",
    "lang",
    "year",
    "sha256",
    "laws",
    "levels",
    "parts",
    "headed",
    "tables",
    "drop",
    "split",
    "notes",
    "definitions",
    "placements",
    "indent",
    "links",
    "precedence",
    "unknown",
]
slow = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def as_toml(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {as_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(c):08X}" if not c.isalnum() else c for c in value) + '"'
    return repr(value)


@slow
@given(values=st.dictionaries(st.sampled_from(KEYS_KNOWN), ANY, min_size=1, max_size=4))
def test_no_manifest_raises(values, tmp_path_factory):
    keys = "".join(f"{k} = {as_toml(v)}\n" for k, v in values.items() if k not in ("title", "lang", "year", "sha256"))
    levels = "" if "levels" in values else LEVELS
    corpus = write_edition(
        tmp_path_factory.mktemp("fuzz"), WITH_BREAK, keys if "laws" in values else 'laws = "1–3"\n' + keys, levels
    )
    for problem in problems(corpus):
        assert problem.finding and problem.move and problem.line >= 1


PIECES = st.sampled_from(
    [
        "LAW 1 — ONE\n",
        "LAW 2 — TWO",
        "LAW 3 — THREE\n",
        "A. ",
        "B. ",
        "1. ",
        "2. ",
        "(a) ",
        "(b) ",
        "(i) ",
        "* ",
        "*",
        "\n",
        "\n\n",
        " ",
        "\t",
        "\f",
        "\u00a0",
        "\u00ad\n",
        "word ",
        "Word",
        "end.\n",
        "see Law 2A",
        "PREFACE\n",
        "BREAK\n",
        "-",
        "–",
        "\r\n",
        "\ufeff",
        "é",
        "漢",
    ]
)


@slow
@given(pieces=st.lists(PIECES | st.text(max_size=5), max_size=60))
def test_no_source_raises_and_every_character_is_somewhere(pieces, tmp_path_factory):
    corpus = write_edition(tmp_path_factory.mktemp("fuzz"), "".join(pieces).encode("utf-8", "replace"), KEYS)
    result = ingesting.read_all(corpus)
    for reading in result.readings.values():
        assert result.fatal or not reading.unaccounted
        assert not any("two nodes" in str(p) for p in reading.problems)
    for problem in result.problems:
        assert problem.finding and problem.move and problem.line >= 1
