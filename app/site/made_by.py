"""Which site made a page: what pages say beside their generation depends on it."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Flask

from app.site.kept.pack import MadeBy

ROOT = Path(__file__).parents[2]


def made_by(app: Flask) -> MadeBy:
    """What pages of this site are made by."""
    return MadeBy(app.config["ORIGIN"] or "", _code())


@lru_cache
def _code() -> str:
    """The digest of the code that draws a page, and of its templates, words and files; as it was at the start."""
    drawn = (p for p in (ROOT / "app").rglob("*") if p.suffix not in (".py", ".pyc", ".po") and p.is_file())
    code = (p for floor in ("app", "corpus", "index") for p in (ROOT / floor).rglob("*.py"))
    out = hashlib.sha256()
    for path in sorted((*drawn, *code)):
        out.update(f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return out.hexdigest()
