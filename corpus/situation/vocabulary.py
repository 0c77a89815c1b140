"""The closed lists that situations speak in, each word named in every language of the site: ``vocabulary/<list>.toml``.

A phase, role, duty, object, moment or condition is one line of its list: ``id = {pl = "…", sk = "…", …}``. The
languages are those that the first phase is named in; the order of a list is that of its file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from corpus.checked import Refused, toml
from corpus.checked.prose import Prose
from corpus.checked.rule import Fault
from corpus.model import Problem

DOCS = "docs/add-a-situation.md"
Names = Mapping[str, Prose]


@dataclass(frozen=True)
class Vocabulary:
    """The closed lists by name; each is id → its names by language."""

    phases: Names = field(default_factory=dict)
    roles: Names = field(default_factory=dict)
    duties: Names = field(default_factory=dict)
    objects: Names = field(default_factory=dict)
    moments: Names = field(default_factory=dict)
    conditions: Names = field(default_factory=dict)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that everything is named in."""
        return tuple(next(iter(self.phases.values()), ()))

    def word(self, which: str, id_: str) -> Iterator[Fault]:
        """A fault where a list has no such word; an empty id is none."""
        known: Names = getattr(self, which)
        if id_ and id_ not in known:
            move = f"Choose one of vocabulary/{which}.toml, or name it there in every language: {', '.join(known)}."
            yield Fault(f"“{id_}” is not among the {which}.", move, words=id_)

    def unsaid(self, text: Mapping[str, object]) -> Iterator[Fault]:
        """A fault for each language in which something is not said, and for each that is none of the site."""
        for code in self.languages:
            if code not in text:
                yield Fault(f"It is not said in “{code}”.", "Write it in every language of vocabulary/phases.toml.")
        for code in text:
            if code not in self.languages:
                yield Fault(f"“{code}” is no language of the vocabulary.", f"Choose: {', '.join(self.languages)}.")


def read(folder: Path) -> tuple[Vocabulary, list[Problem]]:
    """The lists of ``folder``; of those with a fault, the problems."""
    lists: dict[str, dict[str, Prose]] = {}
    problems: list[Problem] = []
    for name in (f.name for f in fields(Vocabulary)):
        lists[name], faults = read_list(folder, name, lists.get("phases"))
        problems += faults
    return Vocabulary(**lists), problems


def read_list(folder: Path, name: str, phases: Names | None = None) -> tuple[dict[str, Prose], list[Problem]]:
    """One list, and what is wrong with it; ``phases``: that list, where it was read, else the list goes by itself."""
    file = f"vocabulary/{name}.toml"
    try:
        written = toml.read_toml(folder / f"{name}.toml", file, ("There is no file.", f"Write it; see {DOCS}."))
    except Refused as refused:
        return {}, refused.problems
    words: dict[str, Prose] = {}
    problems = []
    for id_, names in written.data.items():
        if isinstance(names, dict) and all(isinstance(v, str) and v.strip() for v in names.values()):
            words[id_] = Prose(names)
        else:
            move = 'Write id = {pl = "…", en = "…"}, a name for each language.'
            problems.append(written.problem((id_,), f"“{id_}” has no names.", move))
    known = Vocabulary(phases=phases or words)
    for id_, prose in words.items():
        problems += [written.problem((id_,), f"{id_}: {f.finding}", f.move) for f in known.unsaid(prose)]
    return words, problems
