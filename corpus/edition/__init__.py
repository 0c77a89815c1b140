"""An edition: what it is (``identity``) and how it is printed (``print``), as its folder says (``manifest``)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from corpus.edition.identity import Identity
from corpus.edition.print import Print


@dataclass(frozen=True, kw_only=True)
class Edition(Identity, Print):
    """An edition whose text is to be read: its identity and its print, and the folder that they are about."""

    folder: Path

    @property
    def identity(self) -> Identity:
        """What it is, without how it is printed: what travels on when the text has been read."""
        return Identity(**{f.name: getattr(self, f.name) for f in fields(Identity)})

    @property
    def file(self) -> str:
        """How problems name the source."""
        return f"editions/{self.id}/{self.source}"

    @property
    def manifest_file(self) -> str:
        """How problems name the manifest."""
        return f"editions/{self.id}/edition.toml"

    def manifest_line(self, *words: str) -> int:
        """The line of the manifest that holds the first of the words found there; 1 without any."""
        lines = (self.folder / "edition.toml").read_text(encoding="utf-8-sig").splitlines()
        return next((n for word in words if word for n, line in enumerate(lines, 1) if word in line), 1)
