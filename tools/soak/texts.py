"""A corpus whose words a program can change: some provisions of each edition end with a word that has a number."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
import re
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from corpus import ingest
from corpus.inventory import accept_tables, has_inventory

MARK_WORD = "lexmark{:04d}"
_MARK = re.compile(rb"lexmark\d{4}")
_SHA256 = re.compile(r'^sha256 = ".*"$', re.MULTILINE)
EACH = 4  # provisions of an edition that are marked
TRIES = 6  # attempts to mark an edition without a new problem


class UnmarkedError(Exception):
    """No edition of the corpus can be marked; the message says what was tried."""


class MarkedTexts:
    """A copy of a corpus in ``folder`` in which some provisions end with a mark: a word with a number. ``ids``: the
    editions that have marks; ``only``: mark these editions alone.
    """

    def __init__(self, corpus: Path, folder: Path, seed: int, only: Collection[str] = ()):
        self.folder, self.ids = folder, []
        kinds = shutil.ignore_patterns("*.py", "__pycache__")
        shutil.copytree(corpus, folder, ignore=kinds)
        chosen = random.Random(seed)  # noqa: S311 – what is tried can be tried again
        read = ingest.read_editions(folder, tuple(only))
        if read.fatal_problems:
            raise UnmarkedError("\n".join(map(str, read.fatal_problems)))
        ends = {id_: sorted(set(_last_lines(reading.nodes))) for id_, reading in read.readings.items()}
        before = {id_: self._source(id_).read_bytes() for id_ in ends}
        self.ids = [id_ for id_, lines in ends.items() if self._mark_edition(id_, lines, chosen, (id_,))]
        if self.ids and ingest.read_editions(folder).fatal_problems:
            # What an edition bears by itself, the quotations and tables of all editions may not bear.
            for id_ in self.ids:
                self._write(id_, before[id_])
            self.ids = [id_ for id_, lines in ends.items() if self._mark_edition(id_, lines, chosen, ())]
        if not self.ids:
            raise UnmarkedError(f"No edition of {corpus} bears a word more at the end of a line. Name another corpus.")

    def _mark_edition(self, id_: str, lines: list[int], chosen: random.Random, read: tuple[str, ...]) -> bool:
        """Add a mark at the ends of some of the ``lines`` of an edition's source; return whether that succeeded without
        a new problem. ``read``: the editions that are read to see that; all, if it is empty.
        """
        source = self._source(id_)
        before = source.read_bytes()
        for _ in range(TRIES):
            rows = before.split(b"\n")
            for line in chosen.sample(lines, min(EACH, len(lines))):
                if rows[line - 1].rstrip().endswith((b".", b",", b";", b":")):
                    rows[line - 1] = rows[line - 1].rstrip() + b" " + MARK_WORD.format(0).encode()
            self._write(id_, b"\n".join(rows))
            if _MARK.search(source.read_bytes()) and not ingest.read_editions(self.folder, read).fatal_problems:
                return True
        self._write(id_, before)
        return False

    def change_marks(self, number: int) -> str:
        """Give every mark this number; return the word that the texts have now."""
        word = MARK_WORD.format(number)
        for id_ in self.ids:
            self._write(id_, _MARK.sub(word.encode(), self._source(id_).read_bytes()))
        return word

    def _source(self, id_: str) -> Path:
        return next((self.folder / "editions" / id_).glob("source.*"))

    def _write(self, id_: str, data: bytes) -> None:
        source = self._source(id_)
        source.write_bytes(data)
        manifest = self.folder / "editions" / id_ / "edition.toml"
        stated = f'sha256 = "{hashlib.sha256(data).hexdigest()}"'
        manifest.write_text(_SHA256.sub(stated, manifest.read_text(encoding="utf-8"), count=1), encoding="utf-8")
        if has_inventory(self.folder):
            name = source.relative_to(self.folder).as_posix()
            accept_tables(self.folder, [name], "Marks were added.", dt.datetime.now(dt.UTC).date())


def _last_lines(nodes) -> Iterator[int]:
    """Yield the numbers of the lines in which the own words of provisions end."""
    for node in nodes:
        if node.text and node.source_spans:
            yield node.source_spans[-1][2]
