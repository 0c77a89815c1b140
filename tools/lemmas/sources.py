"""Where the words of the tables are from: ``corpus/words/sources.toml``, with package, digests and licence of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from corpus import files, schema
from corpus.files import InvalidFile
from corpus.language import WordList
from corpus.letters import WORDS_FOLDER
from corpus.model import Problem

SOURCES_FILE = "sources.toml"
DOCS = "docs/dependencies.md"


@dataclass(frozen=True)
class DictionarySource:
    """One dictionary.

    - ``install``: how to install its package; ``files``: its files below the root of the package, each with its
      SHA-256.
    - ``says``: the name that a program gives its dictionary, where there are no files.
    - ``offered``: the licences that its makers offer; ``licence``: the SPDX name of the one that we use.
    - ``taken``: the day when a table last got other content; ``notice``: lines that the licence requires in a file.
    - ``apart``: flags of affixes that make another word and not a form; ``rules``: rules of endings
      (:func:`tools.lemmas.graded.candidate_words`).
    """

    kind: Literal["hunspell", "graded", "morfeusz"]
    package: str
    install: str
    taken: str
    offered: str
    licence: str
    copyright: WordList
    files: Mapping[str, str]
    says: str = ""
    notice: WordList = ()
    apart: WordList = ()
    rules: WordList = ()

    def paths(self, root: Path, name: str) -> list[Path]:
        """Return the paths of its files below ``root``. They have the content that the tables were made from. ``name``:
        that of the dictionary, for messages.

        Raises:
            InvalidFile: files are missing or changed; it names all of them.
        """
        problems = []
        for file, digest in self.files.items():
            path = root / file
            if not path.is_file():
                problems.append(Problem(str(path), 1, f"There is no such file; {name} needs it.", f"{self.install}."))
            elif (found := sha256(path.read_bytes()).hexdigest()) != digest:
                move = f"Get {self.package}; or look at its licence, then write the new digest into {SOURCES_FILE}."
                problems.append(Problem(str(path), 1, f"Its SHA-256 is {found}, not {digest}.", move))
        if problems:
            raise InvalidFile(problems)
        return [root / file for file in self.files]

    def notice_lines(self) -> list[str]:
        """Return the head of a table: copyright, licence and origin, in the format of REUSE."""
        return [
            *(f"# SPDX-FileCopyrightText: {who}" for who in self.copyright),
            f"# SPDX-License-Identifier: {self.licence}",
            *(f"# {line}" for line in self.notice),
            f"# Derived on {self.taken} by python -m tools.lemmas from {self.package}, offered under {self.offered}.",
        ]


@dataclass(frozen=True)
class DictionarySources:
    """All dictionaries, by name."""

    source: Mapping[str, DictionarySource]


def read_dictionary_sources(corpus: Path) -> Mapping[str, DictionarySource]:
    """Return name of a dictionary → its source.

    Raises:
        InvalidFile: the file is missing or has a fault.
    """
    path = corpus / WORDS_FOLDER / SOURCES_FILE
    written = files.read_toml(
        path, path.relative_to(corpus).as_posix(), ("There is no list of sources.", "Put it back.")
    )
    return schema.build_from_file(DictionarySources, written, DOCS).source
