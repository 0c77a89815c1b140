"""What is built stands whole: a folder is swapped in, or everything is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus import generation


def say(words: str):
    return lambda folder: (folder / "x").write_text(words)


def test_a_folder_is_replaced_and_others_may_read_it(tmp_path):
    for words in ("old", "new"):
        generation.replace_folder(tmp_path / "built", say(words))
    assert [p.name for p in tmp_path.iterdir()] == ["built"] and (tmp_path / "built" / "x").read_text() == "new"
    assert (tmp_path / "built").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("fails", [0, 1])
def test_whichever_rename_fails_the_old_folder_stands(fails, tmp_path, monkeypatch):
    generation.replace_folder(tmp_path / "built", say("old"))
    rename, asked = Path.rename, []

    def failing(path, target):
        asked.append(path)
        if len(asked) == fails + 1:
            raise OSError("the disk is full")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="the disk is full"):
        generation.replace_folder(tmp_path / "built", say("new"))
    assert [p.name for p in tmp_path.iterdir()] == ["built"] and (tmp_path / "built" / "x").read_text() == "old"
