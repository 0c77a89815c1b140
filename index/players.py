"""What players say and the laws do not: ``words/synonyms-<lang>.toml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpus.checked import table, toml
from corpus.language import Words
from corpus.word.lists import FOLDER

DOCS = "docs/search.md"
_GONE = ("The file is gone.", "Put it back, or run the command again.")


@dataclass(frozen=True)
class Players:
    """What players of a language speak of and the laws do not treat; a name → what they say for it."""

    outside: Words = ()
    synonyms: Mapping[str, Words] = field(default_factory=dict)


def read(folder: Path) -> Iterator[tuple[str, Players]]:
    """(language, its list) of every list of ``folder/words``; raises :class:`corpus.checked.Refused` with what is wrong
    in one.
    """
    for path in sorted((folder / FOLDER).glob("synonyms-*.toml")):
        written = toml.read(path, path.relative_to(folder).as_posix(), _GONE)
        yield path.stem.removeprefix("synonyms-"), table.build(Players, written, DOCS)
