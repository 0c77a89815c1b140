"""The strength of words: how an edition's introduction ranks “may”, “should” and “must”, and where such words stand.

``editions/<id>/strength.toml`` holds the scale of that introduction, in its own words. An edition without the file
has no scale, and none of its words are marked. Nothing is taken over from another text, which may rank its words
otherwise. :func:`attach_strengths` reads the file and puts the marks on the nodes. The file::

    node = "intro"                     # where the introduction ranks its words

    [[step]]                           # from the weakest to the strongest, then the prohibitions
    strength = "must"                  # of vocabulary/strengths.toml
    sentence = "„musi” coś zrobić"     # the introduction's own words, found there once
    forms = ["musi", "muszą"]          # every form that has this strength, written out
    unmarked = {en = "…"}              # instead of forms: why no word is marked
    loose = {en = "…"}                 # beside forms: the text does not keep to this rank; how it uses the words

    [[not]]                            # where such words have another meaning
    why = "…"                          # for those who review the row
    words = ["nie musi"]               # found in some provision, around a form
    node = "39/A"                      # only there; left out: wherever the words stand

    [[differs]]                        # where words rightly have another strength than those of another edition
    node = "6/D/3"                     # the provision
    from = "pl-2007"                   # the edition whose words differ
    why = "…"                          # for those who review the row

The longest form wins: “nie może” is not “może”. Titles, the preface and the introduction are not marked, since they
order nothing. The words of a reference are not marked either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from corpus import files, model, schema
from corpus.files import InvalidFile, LocalizedText
from corpus.model import BINDING_KINDS, Node, NodeId, Problem, Quote, StrengthMark
from corpus.schema import Fault, KeyName, check_not_empty
from corpus.situation.model import NamesById, read_list

# -- The scale ---

StrengthKind = Literal["permission", "order", "prohibition"]


def kind_of_strength(strength: str) -> StrengthKind:
    """Return the kind of a strength. Words are stronger or weaker only within one kind.

    >>> kind_of_strength("may"), kind_of_strength("must"), kind_of_strength("strong-prohibition")
    ('permission', 'order', 'prohibition')
    """
    if strength == "may":
        return "permission"
    return "prohibition" if strength.endswith("prohibition") else "order"


@dataclass(frozen=True)
class Step:
    """A strength as an introduction has it.

    - ``strength``: a word of ``vocabulary/strengths.toml``; ``name``: its name there, by language.
    - ``quote``: what the introduction says on it.
    - ``forms``: the words that have it; none where it is shown and not marked, then ``unmarked`` has the reason.
    - ``loose``: how the edition uses the words, where it does not keep to its introduction.
    """

    strength: str
    name: LocalizedText
    quote: Quote
    forms: tuple[str, ...] = ()
    unmarked: LocalizedText = field(default_factory=LocalizedText)
    loose: LocalizedText = field(default_factory=LocalizedText)


@dataclass(frozen=True)
class Scale:
    """The steps of one introduction in their order."""

    steps: tuple[Step, ...]

    def step(self, strength: str) -> Step:
        """Return the step of a strength that some word of the edition has."""
        return next(step for step in self.steps if step.strength == strength)


# -- Finding the words ---


class FormMatch(NamedTuple):
    """A place in a text where a form stands: ``text[start:end]`` is ``form``, in any letter case."""

    start: int
    end: int
    form: str


def find_forms(
    text: str, forms: Iterable[str], apart: Iterable[str] = (), taken: Iterable[tuple[int, int]] = ()
) -> list[FormMatch]:
    """Return where forms stand in a text as whole words, in their order. The longest form wins.

    Words inside the phrases ``apart`` and in the spans ``taken`` are left out.

    >>> find_forms("Nie może zagrać, ale może pasować.", ["może", "nie może"])
    [FormMatch(start=0, end=8, form='nie może'), FormMatch(start=21, end=25, form='może')]
    >>> find_forms("Dołożenie może być błędem.", ["nie może"], ["może być"])
    []
    """
    closed = [*taken, *(match.span() for words in apart for match in _phrase_matches(text, (words,)))]
    by_fold = {form.casefold(): form for form in forms}
    return [
        FormMatch(*match.span(), by_fold[_normalised(match[0])])
        for match in _phrase_matches(text, by_fold)
        if not any(start < match.end() and match.start() < end for start, end in closed)
    ]


def has_words(text: str, words: str) -> bool:
    """Whether words stand in a text."""
    return any(_phrase_matches(text, (words,)))


def _phrase_matches(text: str, phrases: Iterable[str]) -> Iterator[re.Match[str]]:
    pattern = _phrase_pattern(tuple(phrases))
    return pattern.finditer(text) if pattern else iter(())


@lru_cache(maxsize=4096)
def _phrase_pattern(phrases: tuple[str, ...]) -> re.Pattern[str] | None:
    longest_first = sorted(phrases, key=len, reverse=True)
    choice = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest_first)
    return re.compile(rf"(?<!\w)(?:{choice})(?!\w)", re.IGNORECASE) if choice else None


def _normalised(words: str) -> str:
    return " ".join(words.split()).casefold()


# -- Reading the file ---

FILE = "strength.toml"
STRENGTHS = "strengths"
DOCS = "docs/add-an-edition.md"


@dataclass(frozen=True, kw_only=True)
class StepRow:
    """A step as the file states it; the module's docstring explains the keys."""

    strength: Annotated[str, check_not_empty]
    sentence: Annotated[str, check_not_empty]
    forms: tuple[Annotated[str, check_not_empty], ...] = ()
    unmarked: LocalizedText = field(default_factory=LocalizedText)
    loose: LocalizedText = field(default_factory=LocalizedText)

    def check(self) -> Iterator[Fault]:
        """Yield a fault unless the step has either forms or the reason why no word is marked.

        Only a step with forms can be ``loose``.
        """
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
    """Words that have no strength, in one ``node`` or everywhere."""

    why: Annotated[str, check_not_empty]
    words: Annotated[tuple[Annotated[str, check_not_empty], ...], check_not_empty]
    node: str = ""


@dataclass(frozen=True, kw_only=True)
class DiffersRow:
    """A provision whose words rightly have another strength than those of its counterpart in the edition ``other``."""

    why: Annotated[str, check_not_empty]
    node: Annotated[str, check_not_empty]
    other: Annotated[str, check_not_empty, KeyName("from")]


@dataclass(frozen=True, kw_only=True)
class StrengthFile:
    """The whole file."""

    node: Annotated[str, check_not_empty]
    step: Annotated[tuple[StepRow, ...], check_not_empty]
    apart: Annotated[tuple[ApartRow, ...], KeyName("not")] = ()
    differs: tuple[DiffersRow, ...] = ()


def read_strength_file(folder: Path) -> tuple[StrengthFile, files.TomlFile]:
    """Return the file of an edition's folder, as rows and as written.

    Raises:
        InvalidFile: the file is missing or has a fault.
    """
    written = files.read_toml(folder / FILE, f"editions/{folder.name}/{FILE}", ("There is no file.", "Write it."))
    return schema.build_from_file(StrengthFile, written, DOCS), written


def attach_strengths(folder: Path, nodes: Sequence[Node]) -> tuple[Scale | None, tuple[Node, ...], list[Problem]]:
    """Return the scale in an edition's folder, the nodes with its marks, and the problems.

    The scale is None and the nodes are unchanged when the folder has no ``strength.toml``, when that file has a fault,
    or when ``vocabulary/strengths.toml`` is missing. Only the last two are problems. ``nodes`` must have their
    references, because words of a reference are not marked.
    """
    if not files.exists_or_is_link(folder / FILE):
        return None, tuple(nodes), []
    try:
        rows, written = read_strength_file(folder)
    except InvalidFile as refused:
        return None, tuple(nodes), refused.problems
    if not nodes:
        return None, (), []  # reading the text reports why it cannot be read
    vocabulary = folder.parents[1] / "vocabulary"
    if not files.exists_or_is_link(vocabulary / f"{STRENGTHS}.toml"):
        finding = f"There is no vocabulary/{STRENGTHS}.toml, so no word is marked by its strength."
        return None, tuple(nodes), [written.problem((), finding, "Write it, or leave this file out.", fatal=False)]
    names, problems = read_list(vocabulary, STRENGTHS)
    by_path = {node.path: node for node in nodes}
    problems += _order_problems(rows, written, names)
    quotes = list(_find_quotes(rows, written, by_path, folder.name, problems))
    problems += _missing_node_problems(rows, written, by_path)
    if problems:
        return None, tuple(nodes), problems
    marked = tuple(replace(node, strengths=_strength_marks(node, rows)) for node in nodes)
    problems = list(_unused_form_problems(rows, written, marked))
    steps = (
        Step(row.strength, names[row.strength], quote, row.forms, row.unmarked, row.loose)
        for row, quote in zip(rows.step, quotes, strict=True)
    )
    return Scale(tuple(steps)), marked, problems


def _order_problems(rows: StrengthFile, written: files.TomlFile, names: NamesById) -> Iterator[Problem]:
    """Yield a problem for each strength that is unknown or out of order, and for each form that stands twice.

    ``names`` are the strengths of vocabulary/strengths.toml in their order.
    """
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


def _find_quotes(
    rows: StrengthFile, written: files.TomlFile, nodes: Mapping[str, Node], edition: str, problems: list[Problem]
) -> Iterator[Quote]:
    """Yield the sentence of each step of ``rows`` as a quotation of the introduction.

    What is not found is added to ``problems``. ``nodes`` are by path.
    """
    home = nodes.get(rows.node)
    if home is None:
        finding = f"There is no {NodeId.of(edition, rows.node)}."
        problems.append(written.problem(("node",), finding, "Correct the path.", rows.node))
        return
    for n, row in enumerate(rows.step):
        found = model.find_quote(home, "text", row.sentence)
        if isinstance(found, Quote):
            yield found
        else:
            problems.append(written.problem(("step", n, "sentence"), *found))


def _missing_node_problems(rows: StrengthFile, written: files.TomlFile, nodes: Mapping[str, Node]) -> Iterator[Problem]:
    """Yield a problem for each node of a row that does not exist."""
    named = [("not", n, row.node) for n, row in enumerate(rows.apart) if row.node]
    for key, n, path in [*named, *(("differs", n, row.node) for n, row in enumerate(rows.differs))]:
        if path not in nodes:
            yield written.problem((key, n, "node"), f"There is no {path}.", "Correct the path.", path)


def _strength_marks(node: Node, rows: StrengthFile) -> tuple[StrengthMark, ...]:
    if node.kind not in BINDING_KINDS:
        return ()
    steps = {form: step for step in rows.step for form in step.forms}
    apart = [words for row in rows.apart if row.node in ("", node.path) for words in row.words]
    taken = [(r.start, r.end) for r in node.references if r.where == "text"]
    found = find_forms(node.text, steps, apart, taken)
    return tuple(StrengthMark(f.start, f.end, (s := steps[f.form]).strength, loose=bool(s.loose)) for f in found)


def _unused_form_problems(rows: StrengthFile, written: files.TomlFile, nodes: Sequence[Node]) -> Iterator[Problem]:
    """Yield a problem for each form that marks nothing.

    Yield one also for words of ``[[not]]`` that no provision has or that contain no form.
    """
    texts = {n.path: n.text for n in nodes if n.kind in BINDING_KINDS}
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
            if not any(has_words(text, words) for text in within):
                finding = f"“{words}” does not stand in {where}."
                yield written.problem(at, finding, "Write the words as they are published.", words)
            elif not find_forms(words, forms):
                yield written.problem(at, f"“{words}” holds no form.", "Write a form with the words around it.", words)


__all__ = ["FILE", "Scale", "Step", "attach_strengths"]
