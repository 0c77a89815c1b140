"""A generation in memory: every file read once and proved, and none looked up again later.

What is proved is what is served: files are read, not mapped, for a mapped file changes, or kills its reader, when
somebody writes into it or shortens it.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpus.generation import manifest
from corpus.generation.manifest import REBUILD, Files
from corpus.place import Held, Place
from corpus.store import StoreError

FOLDER, CURRENT, NEXT = "generations", "current", "next"
CORPUS, SEARCH, PAGES = "corpus", "search", "pages"  # the parts
LARGEST = 1 << 30  # bytes of a file


@dataclass(frozen=True)
class Generation:
    """``folder`` it was read from · ``digest`` · ``files``: path → sha256 of all that it consists of. It may be gone
    from the disk since; who has taken what he needs lets go of it, and the rest is freed.
    """

    folder: Path
    digest: str
    files: Files
    held: Mapping[str, bytes] = field(repr=False, compare=False)

    @classmethod
    def open(cls, build: Path, parts: Collection[str] = ()) -> Generation:
        """The current generation of a build folder; ``parts``: read and prove only these, where not all are asked for.

        Raises :class:`corpus.store.StoreError`, and nothing else, with what to do when there is none or it is damaged.
        """
        digest = latest(build)
        if digest is None:
            raise StoreError(f"There is no generation in {build}. {REBUILD}")
        return cls.of(build / FOLDER / digest, parts)

    @classmethod
    def of(cls, folder: Path, parts: Collection[str] = ()) -> Generation:
        """The generation in a folder, which is named by its digest; as :meth:`open`."""
        place = folder / manifest.FILE
        files = manifest.read_manifest(_bytes(folder, manifest.FILE, manifest.LARGEST_MANIFEST), place, folder.name)
        wanted = [name for name in files if not parts or name.partition("/")[0] in parts]
        held = {}
        for name in wanted:
            held[name] = _bytes(folder, name, LARGEST)
            if hashlib.sha256(held[name]).hexdigest() != files[name]:
                raise StoreError(f"{folder / name} is not the file that was built. {REBUILD}")
        return cls(folder, folder.name, files, held)

    def data(self, name: str) -> bytes:
        """What a file holds; raises :class:`KeyError` for one that is not of the generation, or was not asked for."""
        return self.held[name]

    def names(self, prefix: str = "") -> list[str]:
        """The paths of its files that begin so, in their order."""
        return sorted(name for name in self.files if name.startswith(prefix))

    @property
    def place(self) -> Held:
        """The folder as it was read."""
        return Held(self.held, self.folder)


def latest(build: Path) -> str | None:
    """The digest of the generation that ``current`` leads to, proved by nothing; None when it leads to none. Cheap."""
    try:
        folder, _, digest = os.readlink(build / CURRENT).rpartition("/")  # noqa: PTH115 – the text of the link itself
    except OSError:
        return None
    return digest if folder == FOLDER and manifest.DIGEST.fullmatch(digest) else None


def made_last(build: Path, parts: Collection[str] = (CORPUS, SEARCH)) -> Place:
    """The folder with ``corpus/`` and ``search/`` that was made last, for commands: ``next`` where it is there, else
    these parts of the current generation. Raises :class:`corpus.store.StoreError` when there is neither.
    """
    fresh = build / NEXT
    return fresh if (fresh / CORPUS).is_dir() else Generation.open(build, parts).place


def _bytes(folder: Path, name: str, most: int) -> bytes:
    """What a file of a folder holds; no link is followed from the folder on, nothing but a plain file is opened."""
    path = folder
    try:
        for step in name.split("/"):
            path /= step
            if stat.S_ISLNK(path.lstat().st_mode):
                raise StoreError(f"{path} is a link, which may lead anywhere. {REBUILD}")
        if not stat.S_ISREG(path.lstat().st_mode):
            raise StoreError(f"{path} is no file. {REBUILD}")
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > most:
                raise StoreError(f"{path} is larger than {most} bytes. {REBUILD}")
            return file.read(most + 1)
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}). {REBUILD}") from None
