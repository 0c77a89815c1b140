"""Generations that tests make: published from the parts of another, with something changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from corpus.generation import CORPUS_PART, PARTS, BuildStage, lock_build_folder, open_stage, publish, read_manifest


def staged(folder: Path, like: Path) -> BuildStage:
    """A stage in a new folder, with a copy of what is current in a build folder."""
    shutil.copytree(like / "current", folder, dirs_exist_ok=True)
    return BuildStage(folder, folder.parent, parts=dict(read_manifest(folder).parts))


def published(build: Path, like: Path, change: Callable[[BuildStage], object] = lambda _: None) -> str:
    """Publish in a build folder what is current in another, or in itself, after a change; the new digest.

    The parts are recorded as made from each other.
    """
    with lock_build_folder(build), open_stage(build) as fresh:
        stage = staged(fresh.folder, like)
        change(stage)
        stage.parts.clear()
        for part in PARTS:
            if (stage.folder / part).is_dir():
                stage.record_part(part)
        return publish(stage)


def with_editions(changes: dict[str, dict]) -> Callable[[BuildStage], None]:
    """A change: what editions say of themselves, by id."""

    def change(stage: BuildStage) -> None:
        path = stage.folder / CORPUS_PART / "editions.json"
        editions = json.loads(path.read_text(encoding="utf-8"))
        assert set(changes) <= {e["id"] for e in editions}
        path.write_text(json.dumps([e | changes.get(e["id"], {}) for e in editions]), encoding="utf-8")

    return change
