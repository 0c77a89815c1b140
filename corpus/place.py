"""Where data is read from: a file or folder on the disk, or the same in memory, proved before.

Who reads data asks of its place what :class:`Place` names and nothing else; so lists of words, the parsed corpus and
the index are read from a folder and from a generation by the same code.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Protocol


class Place(Protocol):
    """A file or folder: a :class:`pathlib.Path`, or :class:`Held`. ``str`` of it is what messages name."""

    @property
    def name(self) -> str:
        """The last part of its path."""

    @property
    def stem(self) -> str:
        """Its name without the ending."""

    def __truediv__(self, name: str, /) -> Place:
        """What stands under a name in the folder, there or not."""

    def exists(self) -> bool:
        """Whether there is such a file or folder."""

    def read_bytes(self) -> bytes:
        """What the file holds; raises :class:`OSError` when it cannot be read."""

    def read_text(self, encoding: str) -> str:
        """The same as text."""

    def glob(self, pattern: str, /) -> Iterable[Place]:
        """What stands right in the folder under a name like the pattern, in any order."""


@dataclass(frozen=True, eq=False)
class Held:
    """A folder in memory, or what stands at a path in it.

    ``files``: path from the folder → what the file holds · ``folder``: where they were read, for messages alone ·
    ``at``: the path, empty for the folder itself.

    >>> words = Held({"words/a.txt": b"one"}, Path("built")) / "words"
    >>> [file.name for file in words.glob("*.txt")], (words / "a.txt").read_text("utf-8"), (words / "b").exists()
    (['a.txt'], 'one', False)
    """

    files: Mapping[str, bytes]
    folder: Path
    at: str = ""

    def __str__(self) -> str:
        return str(self.folder / self.at)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return PurePosixPath(self.at).name

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return PurePosixPath(self.at).stem

    def __truediv__(self, name: str, /) -> Held:
        return Held(self.files, self.folder, f"{self.at}/{name}" if self.at else name)

    def exists(self) -> bool:
        """Whether there is such a file or folder."""
        return self.at in self.files or any(self._inside())

    def read_bytes(self) -> bytes:
        """What the file holds; raises :class:`FileNotFoundError`."""
        if self.at not in self.files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self))
        return self.files[self.at]

    def read_text(self, encoding: str) -> str:
        """The same as text, line ends as they are."""
        return self.read_bytes().decode(encoding)

    def glob(self, pattern: str, /) -> list[Held]:
        """What stands right in the folder under a name like the pattern, by name."""
        return [self / name for name in sorted(set(self._inside())) if fnmatchcase(name, pattern)]

    def _inside(self) -> Iterator[str]:
        """The names of what stands right in it, each as often as there are files under it."""
        before = f"{self.at}/" if self.at else ""
        return (path.removeprefix(before).partition("/")[0] for path in self.files if path.startswith(before))
