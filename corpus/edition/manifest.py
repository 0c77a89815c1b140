"""The folder of an edition: which there are, and what the manifest of one, ``edition.toml``, says."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from corpus.checked import Refused, table, toml
from corpus.checked.rule import SLUG
from corpus.edition import Edition
from corpus.label import typed
from corpus.label.typed import NO_WORDS, CitationWords
from corpus.model import Problem

DOCS = "docs/add-an-edition.md"
# First steps of the site's own addresses (contract, section 6), and those inside an edition.
_TAKEN = tuple(
    "about all api card changes cite compare go healthz id net opensearch peek rulings scan search settings "
    "situations static terms thresholds topics".split()
)
_LONGEST = 40  # characters: an id stands in every address, and beside every answer


def id_problem(name: str, words: CitationWords = NO_WORDS) -> tuple[str, str] | None:
    """Why a name cannot be the id of an edition, and what to do; None when it can. ``words``: those around citations,
    in every language.
    """
    move = "Name the folder with small letters, digits and hyphens, like xx-2017."
    if name in _TAKEN:
        return f"“{name}” cannot be the id of an edition: a page of the site has that address.", move
    if len(name) > _LONGEST or not re.fullmatch(SLUG, name):
        return f"“{name[:80]}” cannot be the id of an edition.", f"{move} At most {_LONGEST} characters."
    if typed.readings(name, words) or typed.span(name, words):
        return f"“{name}” cannot be the id of an edition: it is read as the citation of a provision.", move
    return None


def load(folder: Path) -> Edition:
    """The edition of a folder; raises :class:`corpus.checked.Refused` with every problem of its manifest."""
    name = f"editions/{folder.name}/edition.toml"
    if wrong := id_problem(folder.name):
        raise Refused([Problem(name, 1, *wrong)])
    written = toml.read_toml(
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
