"""What is wrong in a list of words is told with its line, and the index stays as it was."""

from __future__ import annotations

import shutil

import pytest
from click.testing import CliRunner
from invented import lists  # noqa: F401
from little import little

from corpus.files import InvalidFile
from corpus.generation import Generation, keep_as_next, lock_build_folder, open_stage
from index.build import build
from scripts.cli import main


@pytest.mark.parametrize(
    "name, text, line, found",
    [
        ("words/lookalikes.tsv", "# a\nlang\tword\tother\treason\nxa\tcard\tcards\ta\tb\n", 3, "5 cells"),
        ("words/lookalikes.tsv", "lang\tword\n", 1, "The header is"),
        ("words/lookalikes.tsv", "lang\tword\tother\treason\n\nxa\tcard\n", 3, "2 cells"),
        ("words/everyday.tsv", "# a\n# b\nlang\twords\nxa\n", 4, "1 cells"),
        ("words/everyday.tsv", b"lang\twords\nxa\t\xff\n", 2, "cannot be read"),
        ("words/synonyms-xa.toml", '[synonyms]\n"trick" = "pounce"\n', 2, "“synonyms.trick” is 'pounce'."),
        ("words/synonyms-xa.toml", '[synonyms]\n"trick" = ["pounce", 3]\n', 2, "“synonyms.trick” is 3."),
        ("words/synonyms-xa.toml", "[synonyms\n", 1, "Not TOML"),
        ("words/synonyms-xa.toml", 'outsiders = ["poker"]\n', 1, "Unknown key “outsiders”."),
        ("languages/xa.toml", 'name = "Xa"\n[search]\nstopwords = "the"\n', 3, "“search.stopwords” is 'the'."),
    ],
)
def test_what_is_wrong_in_a_list_of_words_is_told_with_its_line(lists, tmp_path, monkeypatch, name, text, line, found):
    """And nothing is recorded as made."""
    corpus = shutil.copytree(lists, tmp_path / "corpus")
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    (corpus / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with open_stage(tmp_path) as stage, pytest.raises(InvalidFile) as refused:
        build(little({"xa-2017": {"1": "card"}}), stage)
    (problem,) = refused.value.problems
    assert (problem.file, problem.line) == (name, line) and found in problem.finding and problem.move
    assert not stage.parts


def test_lexbridge_index_tells_what_is_wrong_in_a_list(lists, tmp_path, monkeypatch):
    corpus = shutil.copytree(lists, tmp_path / "corpus")
    (corpus / "words" / "lookalikes.tsv").write_text("lang\tword\tother\treason\nxa\n", encoding="utf-8")
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    with lock_build_folder(tmp_path / "build"), open_stage(tmp_path / "build") as stage:
        with stage.make_part("corpus") as folder:
            (folder / "nodes.jsonl").write_text("")
        keep_as_next(stage)
    before = Generation.open_latest(tmp_path / "build")
    monkeypatch.setattr("scripts.build.Library.open", lambda _: little({"xa-2017": {"1": "card"}}))
    told = CliRunner().invoke(main, ["index"])
    assert told.exit_code == 1 and "words/lookalikes.tsv:2: 1 cells, the header has 4. Write lang," in told.output
    assert "Error: 1 problem(s); the search index stays as it was." in told.output
    assert Generation.open_latest(tmp_path / "build") == before
