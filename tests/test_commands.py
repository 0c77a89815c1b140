"""What the commands say and how they end: an unread edition, an unknown name, a place that cannot be written."""

from __future__ import annotations

import subprocess
import sys

import pytest
from broken import KEYS, WITH_BREAK
from click.testing import CliRunner
from strangers import write_edition

from scripts.cli import main
from tools import misprints_page as slips


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """A corpus whose only manifest is no TOML."""
    corpus = write_edition(tmp_path, WITH_BREAK.encode(), KEYS)
    next(corpus.glob("editions/*/edition.toml")).write_text("title = ", encoding="utf-8")
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))


def test_an_audit_that_could_not_read_an_edition_says_so_and_fails(broken):
    ended = CliRunner().invoke(main, ["audit"])
    assert ended.exit_code == 1 and "Not TOML" in ended.output


def test_an_audit_of_some_that_were_read_tells_of_those_that_were_not(monkeypatch, tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK.encode(), KEYS)
    (corpus / "editions" / "xx-2031").mkdir()
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    ended = CliRunner().invoke(main, ["audit"])
    assert ended.exit_code == 1 and "xx-2030" in ended.output and "There is no manifest." in ended.output


def test_the_document_of_slips_is_not_made_of_a_broken_corpus(broken):
    with pytest.raises(SystemExit, match="Not TOML"):
        slips.main()


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--edition", "nope"], ["“nope”", "pl-2007", "sk-2017"]),
        (["--lang", "xx"], ["“xx”", "hr, pl, sk"]),
        (["--edition", "pl-2007", "--edition", "PL"], ["“PL”", "pl-2007"]),
    ],
)
def test_a_search_in_what_is_not_there_names_what_is(build_dir, monkeypatch, arguments, says):
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(build_dir))
    ended = CliRunner().invoke(main, ["search", "renons", *arguments])
    assert ended.exit_code == 1 and all(word in ended.output for word in says)


def test_a_place_that_cannot_be_written_is_named(build_dir, monkeypatch, tmp_path):
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(build_dir))
    (file := tmp_path / "file").write_text("", encoding="utf-8")
    ended = CliRunner().invoke(main, ["export", str(file / "inside")])
    assert ended.exit_code == 1 and isinstance(ended.exception, SystemExit) and str(file / "inside") in ended.output


def test_the_command_can_be_run_as_a_module():
    ran = subprocess.run([sys.executable, "-m", "scripts.cli", "--help"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "ingest" in ran.stdout
