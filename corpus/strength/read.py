"""Reads the scale of an edition, ``editions/<id>/strength.toml``, and puts its marks on the nodes; tells every fault.

    node = "intro"                     # where the introduction ranks its words

    [[step]]                           # from the weakest to the strongest, then the prohibitions
    strength = "must"                  # of vocabulary/strengths.toml
    sentence = "„musi” coś zrobić"     # the introduction's own words, found there once
    forms = ["musi", "muszą"]          # every form that carries it, written out
    unmarked = {en = "…"}              # instead of forms: why no word is marked
    loose = {en = "…"}                 # beside forms: the text does not keep to this rank; how it uses the words

    [[not]]                            # where such words have another meaning
    why = "…"                          # for those who review the row
    words = ["nie musi"]               # found in some provision, around a form
    node = "39/A"                      # only there; left out: wherever the words stand

    [[differs]]                        # where words are rightly not as strong as those of another edition
    node = "6/D/3"                     # the provision
    from = "pl-2007"                   # the edition whose words differ
    why = "…"                          # for those who review the row

A form beside a longer one gives way to it: “nie może” is not “może”. Titles name and do not order, and the preface and
the introduction are no provisions: neither is marked; nor are the words of a reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from corpus import quoting
from corpus.checked import Refused, file, table, toml
from corpus.checked.prose import Prose
from corpus.checked.rule import Fault, Key, filled
from corpus.model import ORDERING, Node, NodeId, Problem, Quote, StrengthMark
from corpus.situation.vocabulary import Names, read_list
from corpus.strength.find import find, stands
from corpus.strength.model import Scale, Step

FILE = "strength.toml"
STRENGTHS = "strengths"
DOCS = "docs/add-an-edition.md"


@dataclass(frozen=True, kw_only=True)
class StepRow:
    """A step as it is written; what its keys mean stands above."""

    strength: Annotated[str, filled]
    sentence: Annotated[str, filled]
    forms: tuple[Annotated[str, filled], ...] = ()
    unmarked: Prose = field(default_factory=Prose)
    loose: Prose = field(default_factory=Prose)

    def check(self) -> Iterator[Fault]:
        """Words are marked, or it is said why none is; only of marked words it can be said how the text uses them."""
        if self.loose and not self.forms:
            yield Fault(
                f"“{self.strength}” has no forms to be “loose”.", "Write forms, or leave “loose” out.", ("loose",)
            )
        if bool(self.forms) == bool(self.unmarked):
            yield Fault(
                f"“{self.strength}” has {'both forms and' if self.forms else 'neither forms nor'} a reason for none.",
                "Write the forms that carry it, or under “unmarked” why no word is marked.",
            )


@dataclass(frozen=True, kw_only=True)
class ApartRow:
    """Words that have no strength, in one ``node`` or wherever they stand."""

    why: Annotated[str, filled]
    words: Annotated[tuple[Annotated[str, filled], ...], filled]
    node: str = ""


@dataclass(frozen=True, kw_only=True)
class DiffersRow:
    """A provision whose words are rightly of another strength than those of the same one in the edition ``other``."""

    why: Annotated[str, filled]
    node: Annotated[str, filled]
    other: Annotated[str, filled, Key("from")]


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The file."""

    node: Annotated[str, filled]
    step: Annotated[tuple[StepRow, ...], filled]
    apart: Annotated[tuple[ApartRow, ...], Key("not")] = ()
    differs: tuple[DiffersRow, ...] = ()


def rows_in(folder: Path) -> tuple[Rows, toml.Written]:
    """The file of an edition's folder as it is written, or :class:`Refused`."""
    written = toml.read_toml(folder / FILE, f"editions/{folder.name}/{FILE}", ("There is no file.", "Write it."))
    return table.build(Rows, written, DOCS), written


def attach(folder: Path, nodes: Sequence[Node]) -> tuple[Scale | None, tuple[Node, ...], list[Problem]]:
    """The scale in an edition's folder, the nodes with its marks, and what is wrong; no file is no scale,
    nor is one where the names of the strengths are missing.

    ``nodes`` have their references: the words of one are left alone. Of a faulty file there are the problems alone.
    """
    if not file.is_there(folder / FILE):
        return None, tuple(nodes), []
    try:
        rows, written = rows_in(folder)
    except Refused as refused:
        return None, tuple(nodes), refused.problems
    if not nodes:
        return None, (), []  # of a text that cannot be read, the reading of it tells
    vocabulary = folder.parents[1] / "vocabulary"
    if not file.is_there(vocabulary / f"{STRENGTHS}.toml"):
        finding = f"There is no vocabulary/{STRENGTHS}.toml, so no word is marked by its strength."
        return None, tuple(nodes), [written.problem((), finding, "Write it, or leave this file out.", fatal=False)]
    names, problems = read_list(vocabulary, STRENGTHS)
    by_path = {node.path: node for node in nodes}
    problems += _order(rows, written, names)
    quotes = list(_quotes(rows, written, by_path, folder.name, problems))
    problems += _placed(rows, written, by_path)
    if problems:
        return None, tuple(nodes), problems
    marked = tuple(replace(node, strengths=_marks(node, rows)) for node in nodes)
    problems = list(_unearned(rows, written, marked))
    steps = (
        Step(row.strength, names[row.strength], quote, row.forms, row.unmarked, row.loose)
        for row, quote in zip(rows.step, quotes, strict=True)
    )
    return Scale(tuple(steps)), marked, problems


def _order(rows: Rows, written: toml.Written, names: Names) -> Iterator[Problem]:
    """Each strength is one of the list, and they come in its order; a form belongs to one of them."""
    ranks = {strength: n for n, strength in enumerate(names)}
    before, seen = -1, set[str]()
    for n, row in enumerate(rows.step):
        rank = ranks.get(row.strength)
        if rank is None:
            move = f"Choose one of vocabulary/{STRENGTHS}.toml: {', '.join(names)}."
            yield written.problem(("step", n, "strength"), f"“{row.strength}” is no strength.", move, row.strength)
        elif rank <= before:
            move = f"Write each once, in the order of vocabulary/{STRENGTHS}.toml."
            yield written.problem(("step", n, "strength"), f"“{row.strength}” comes too late.", move, row.strength)
        before = max(before, rank or 0)
        for form in row.forms:
            if form.casefold() in seen:
                yield written.problem(("step", n, "forms"), f"“{form}” comes again.", "Write each form once.", form)
            seen.add(form.casefold())


def _quotes(
    rows: Rows, written: toml.Written, nodes: Mapping[str, Node], edition: str, problems: list[Problem]
) -> Iterator[Quote]:
    """The sentence of each step where it stands in the introduction; what is not found goes to ``problems``."""
    home = nodes.get(rows.node)
    if home is None:
        finding = f"There is no {NodeId.of(edition, rows.node)}."
        problems.append(written.problem(("node",), finding, "Correct the path.", rows.node))
        return
    for n, row in enumerate(rows.step):
        found = quoting.find(home, "text", row.sentence)
        if isinstance(found, Quote):
            yield found
        else:
            problems.append(written.problem(("step", n, "sentence"), *found))


def _placed(rows: Rows, written: toml.Written, nodes: Mapping[str, Node]) -> Iterator[Problem]:
    """The nodes that rows name exist."""
    named = [("not", n, row.node) for n, row in enumerate(rows.apart) if row.node]
    for key, n, path in [*named, *(("differs", n, row.node) for n, row in enumerate(rows.differs))]:
        if path not in nodes:
            yield written.problem((key, n, "node"), f"There is no {path}.", "Correct the path.", path)


def _marks(node: Node, rows: Rows) -> tuple[StrengthMark, ...]:
    if node.kind not in ORDERING:
        return ()
    steps = {form: step for step in rows.step for form in step.forms}
    apart = [words for row in rows.apart if row.node in ("", node.path) for words in row.words]
    taken = [(r.start, r.end) for r in node.references if r.where == "text"]
    found = find(node.text, steps, apart, taken)
    return tuple(StrengthMark(f.start, f.end, (s := steps[f.form]).strength, loose=bool(s.loose)) for f in found)


def _unearned(rows: Rows, written: toml.Written, nodes: Sequence[Node]) -> Iterator[Problem]:
    """Forms that mark nothing, and words of “not” that take no form away: every word is earned."""
    texts = {n.path: n.text for n in nodes if n.kind in ORDERING}
    used = {" ".join(n.text[m.start : m.end].split()).casefold() for n in nodes for m in n.strengths}
    for n, step in enumerate(rows.step):
        for form in step.forms:
            if form.casefold() not in used:
                finding = f"“{form}” is marked in no provision."
                yield written.problem(("step", n, "forms"), finding, "Correct the form, or take it out.", form)
    forms = [form for step in rows.step for form in step.forms]
    for n, row in enumerate(rows.apart):
        within = [texts.get(row.node, "")] if row.node else texts.values()
        for words in row.words:
            at, where = ("not", n, "words"), row.node or "any provision"
            if not any(stands(text, words) for text in within):
                finding = f"“{words}” does not stand in {where}."
                yield written.problem(at, finding, "Write the words as they are published.", words)
            elif not find(words, forms):
                yield written.problem(at, f"“{words}” holds no form.", "Write a form with the words around it.", words)
