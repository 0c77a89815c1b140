"""Generations that tests make: published from the parts of another, with something changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from corpus import generation
from corpus.generation import CORPUS_PART, SEARCH_PART, lock_build_folder, open_stage, publish
from index import documents


def published(build: Path, like: Path, change: Callable[[Path], None] = lambda _: None) -> str:
    """Publish in a build folder what is current in another, or in itself, after a change; the new digest."""
    with lock_build_folder(build), open_stage(build) as stage:
        shutil.copytree(like / "current", stage.folder, dirs_exist_ok=True)
        (stage.folder / "manifest.json").unlink()
        change(stage.folder)
        return publish(stage)


def with_editions(changes: dict[str, dict]) -> Callable[[Path], None]:
    """A change: what editions say of themselves, by id; the manifests agree with it."""

    def change(folder: Path) -> None:
        corpus = folder / CORPUS_PART
        editions = generation.read_corpus_file(corpus, "editions.json")
        assert set(changes) <= {e["id"] for e in editions}
        said = [e | changes.get(e["id"], {}) for e in editions]
        (corpus / "editions.json").write_text(json.dumps(said), encoding="utf-8")
        listed = generation.read_corpus_manifest(corpus)
        listed["files"]["editions.json"] = generation.file_digest(corpus / "editions.json")
        (corpus / "manifest.json").write_text(json.dumps(listed), encoding="utf-8")
        (folder / SEARCH_PART / documents.MANIFEST_FILE).unlink()
        documents.write_index_manifest(folder / SEARCH_PART, folder)

    return change
