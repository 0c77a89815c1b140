"""Data that people write by hand, checked on the way in: every fault with its line, what was found, and the next move.

``file`` a plain file of the corpus → its text · ``toml`` its tables, and the line of each key · ``table`` tables → the
dataclass that declares their keys · ``rule`` what a field demands beyond its type · ``patience`` patterns with a limit
in time · ``selector`` those of web pages · ``prose`` words for readers, by language · ``tsv`` rows under a header.
A TOML file is whole or refused: :class:`Refused` has all that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpus.model import Problem

MOST_TOLD = 200  # problems of a file's form; who has more has written another file


class Refused(Exception):  # noqa: N818 – a file is refused, which is no error of the program
    """A file that cannot be used; ``problems`` say where and why."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))
