"""`lexbridge check`: whatever is broken in a manifest or a language file is told at its line."""

import hashlib
import tomllib

import pytest
from broken import CASES, EDITION, KEYS, WITH_BREAK, changed, expect, problems
from click.testing import CliRunner
from strangers import write_edition

from corpus import ingest
from scripts.cli import main

MANIFESTS = tomllib.loads((CASES / "manifests.toml").read_text(encoding="utf-8"))


def test_a_sound_edition_has_no_problem(tmp_path):
    assert [str(p) for p in problems(write_edition(tmp_path, WITH_BREAK, KEYS))] == []


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
    found = ingest.read_editions(write_edition(tmp_path, WITH_BREAK, keys + KEYS))
    assert found.editions[EDITION].code == code and not found.problems


def test_a_code_that_is_no_language_makes_no_edition(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(tmp_path))
    (tmp_path / "book.txt").write_text("x", encoding="utf-8")
    result = CliRunner().invoke(
        main, ["new", "xx-2031", "--lang", "Svenska!", "--year", "2031", "--source", str(tmp_path / "book.txt")]
    )
    assert result.exit_code == 1 and "no code of a language" in result.output and not (tmp_path / "editions").exists()


def test_the_same_source_twice_is_told(tmp_path):
    write_edition(tmp_path, WITH_BREAK, KEYS)
    write_edition(tmp_path, WITH_BREAK, KEYS, name="yy-2030")
    assert any("the same source as xx-2030" in str(p) and "editions/yy-2030" in p.file for p in problems(tmp_path))


def test_the_same_source_twice_is_told_when_one_of_the_two_is_asked_for(tmp_path):
    write_edition(tmp_path, WITH_BREAK, KEYS)
    write_edition(tmp_path, WITH_BREAK, KEYS, name="yy-2030")
    for only in ("xx-2030", "yy-2030"):
        result = ingest.with_other_editions(ingest.read_editions(tmp_path, (only,)), tmp_path)
        assert ["This is the same source" in p.finding for p in result.fatal_problems] == [True]


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


def test_a_check_of_one_edition_counts_nothing_of_another(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(tmp_path))
    write_edition(tmp_path, WITH_BREAK, KEYS)
    write_edition(tmp_path, WITH_BREAK.replace("LAW 2 — TABLES", ""), KEYS, name="yy-2030")
    sound, broken, both = (CliRunner().invoke(main, ["check", *ids]) for ids in (["xx-2030"], ["yy-2030"], []))
    assert sound.exit_code == 0 and "0 problem(s)" in sound.output and "yy-2030/" not in sound.output
    assert "1 problem(s) in other editions: see `lexbridge check`." in sound.output
    assert broken.exit_code == both.exit_code == 1 and "in other editions" not in broken.output + both.output
    assert "editions/yy-2030/source.txt" in broken.output and "editions/yy-2030/source.txt" in both.output
