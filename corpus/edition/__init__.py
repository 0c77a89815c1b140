"""An edition: what it is (``identity``) and how it is printed (``print``), as its folder says (``manifest``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from corpus.address import steps
from corpus.checked.rule import MADE, Fault
from corpus.checked.toml import Written
from corpus.edition.identity import Decisions, Identity, read_numbers
from corpus.edition.print import Print


@dataclass(frozen=True, kw_only=True)
class Edition(Identity, Print):
    """An edition whose text is to be read: identity and print, the folder that they are about, and what stated them."""

    folder: Annotated[Path, MADE]
    written: Annotated[Written, MADE]

    @property
    def identity(self) -> Identity:
        """What it is, without how it is printed: what travels on when the text has been read."""
        return Identity(**{f.name: getattr(self, f.name) for f in fields(Identity)})

    @property
    def file(self) -> str:
        """How problems name the source."""
        return f"editions/{self.id}/{self.source}"

    def check(self) -> Iterator[Fault]:
        """What identity and print say agrees: decisions and notices are about what the text holds."""
        yield from Print.check(self)
        yield from self._check_decisions()
        for n, notice in enumerate(self.notices):
            for k, path in enumerate(notice.paths):
                law = next(iter(steps(path)), "")
                if law.isdecimal() and int(law) not in self.law_numbers:
                    yield Fault(
                        f"A notice is for {path}, which is not among the laws {self.laws}.",
                        "Correct the path.",
                        ("notices", n, "paths", k),
                        path,
                    )

    def _check_decisions(self) -> Iterator[Fault]:
        """Decisions on another text say whose they are, where they are in force, and of every point what it does."""
        if not self.is_decisions:
            if self.decisions != Decisions():
                yield Fault(
                    "[decisions], but the text modifies no other.",
                    "Add “modifies”, the code that it is about, or remove the table.",
                    ("decisions",),
                )
            return
        for key in ("body", "country"):
            if not getattr(self, key):
                yield Fault(
                    f"Decisions without “{key}”.",
                    "Say whose decisions these are (body) and where they are in force (country).",
                    ("modifies",),
                )
        told = [
            n for stated in (self.decisions.modifies, self.decisions.explains) if stated for n in read_numbers(stated)
        ]
        wrong = [n for n in self.law_numbers if told.count(n) != 1] + [n for n in told if n not in self.law_numbers]
        if wrong:
            stated = ", ".join(map(str, dict.fromkeys(wrong)))
            yield Fault(
                f"[decisions]: {stated} should stand once, under “modifies” or “explains”.",
                "Name every point of “laws” once.",
                ("decisions",),
            )
