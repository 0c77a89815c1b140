"""The folder of an edition: which there are, and what the manifest of one, ``edition.toml``, says."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from corpus.checked import Refused, table, toml
from corpus.edition import Edition
from corpus.model import Problem

DOCS = "docs/add-an-edition.md"
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# First steps of the site's own addresses (contract, section 6).
_TAKEN = tuple(
    "api card changes cite compare go healthz id net opensearch peek rulings scan search settings situations "
    "static terms topics".split()
)


def id_problem(name: str) -> tuple[str, str] | None:
    """Why a name cannot be the id of an edition, and what to do; None when it can."""
    if _ID.fullmatch(name) and name not in _TAKEN:
        return None
    return (
        f"“{name}” cannot be the id of an edition.",
        f"Name the folder with small letters, digits and hyphens, like xx-2017; not {', '.join(_TAKEN)}.",
    )


def load(folder: Path) -> Edition:
    """The edition of a folder; raises :class:`corpus.checked.Refused` with every problem of its manifest."""
    name = f"editions/{folder.name}/edition.toml"
    if wrong := id_problem(folder.name):
        raise Refused([Problem(name, 1, *wrong)])
    written = toml.read(
        folder / "edition.toml", name, ("There is no manifest.", f"Write edition.toml; {DOCS} shows how.")
    )
    edition = table.build(Edition, written, DOCS, id=folder.name, folder=folder, written=written)
    return replace(edition, code=edition.code or str(edition.year))


def list_editions(corpus_dir: Path) -> list[str]:
    """Ids of the editions: the folders of ``corpus_dir/editions``, in alphabetical order."""
    root = corpus_dir / "editions"
    try:
        return sorted(p.name for p in root.iterdir() if p.is_dir() and not p.name.startswith((".", "_")))
    except OSError:
        return []
