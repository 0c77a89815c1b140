"""How sure a Director must be before something is ordered: ``thresholds.toml``, a reviewed table of quotations.

:func:`read_thresholds` reads and checks it. A row is a matter that is judged. Its ``name`` is in our words. It quotes
the printed words that say how likely, how plain or how grave the matter must be, from one or several places of an
edition::

    [[threshold]]
    id = "claim-unaware-of-trump"
    name = {pl = "…", sk = "…", hr = "…", en = "…"}
    same = false               # do all of the words set the same threshold?
    cause = "translation"      # where not: unknown, code or translation
    at = [{node = "hr-1997/70/C/2", words = "…", level = "a"}, …]  # equal letters: equal thresholds
    absent = {sk-2017 = "words"}      # a text with nothing to quote. “words”: its provision does not say how sure;
                               # “provision”: it has no provision; “extract”: this extract leaves it out
    source = [{url = "https://…", read = "2026-11-23", readers = 2, finds = {pl = "…", …}}]
    also = "…"                 # what else differs in these provisions, so that a concordance states another cause

The causes ``code`` and ``translation`` need a source outside of our texts that two people have read; ``finds`` says in
our words what stands there. Where all texts agree, a source may say that the code has something else.

``[forms]`` lists, for each language, how words of thresholds begin. A provision with such a word must be quoted in a
row, or named in an ``[[aside]]`` with the reason why it sets no threshold; otherwise it is reported. An edition that no
row quotes has not been reviewed yet and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from corpus import files, misprint, model, schema
from corpus.edition import Url
from corpus.files import InvalidFile, LocalizedText
from corpus.model import BINDING_KINDS, Node, NodeId, Problem, Quote
from corpus.schema import (
    DAY_PATTERN,
    Fault,
    KeyName,
    check_at_least_one,
    check_date,
    check_not_empty,
    slug_rule,
    text_rule,
)

FILE = "thresholds.toml"
DOCS = "docs/add-a-ruling.md"
KNOWN_CAUSES = ("code", "translation")
MIN_READERS = 2  # people who must have read the source of a known cause

Absence = Literal["provision", "words", "extract"]
Cause = Literal["", "unknown", "code", "translation"]
Day = Annotated[str, text_rule(DAY_PATTERN, 'a day, like "2026-11-23"'), check_date]


@dataclass(frozen=True)
class ThresholdSource:
    """A page outside of our texts: its address, the day it was read, by how many, and what it says, in our words."""

    url: Url
    read: Day
    read_by: Annotated[int, KeyName("readers"), check_at_least_one]
    finds: LocalizedText


@dataclass(frozen=True, kw_only=True)
class ThresholdWords(misprint.PrintedPlace):
    """Printed words that set a threshold. ``level`` is a letter; words with the same letter set the same threshold."""

    level: Annotated[str, text_rule("[a-z]", "a letter", optional=True)] = ""


@dataclass(frozen=True, kw_only=True)
class ThresholdRow:
    """A matter that the Director judges, as ``thresholds.toml`` states it.

    ``at`` are the printed words. ``same``: all of them set the same threshold. ``absent``: edition → why it has none.
    """

    id: Annotated[str, slug_rule]
    name: Annotated[LocalizedText, check_not_empty]
    same: bool
    at: tuple[ThresholdWords, ...]
    cause: Cause = ""
    absent: Mapping[str, Absence] = field(default_factory=dict)
    source: tuple[ThresholdSource, ...] = ()
    also: str = ""

    def check(self) -> Iterator[Fault]:
        """Check that levels and a cause stand where thresholds differ, and only there. A known cause needs a source."""
        levels = {said.level for said in self.at}
        if not self.at:
            yield Fault("No words are quoted.", 'Write at = [{node = "…", words = "…"}].', ("at",))
        elif self.same and levels != {""}:
            yield Fault("The thresholds are the same, and have levels.", "Remove them, or write same = false.", ("at",))
        elif not self.same and ("" in levels or len(levels) < 2):
            move = "Give each place a level, equal letters for equal thresholds; or write same = true."
            yield Fault("The thresholds differ, and the levels do not say where.", move, ("at",))
        if self.same and (self.cause or self.also):
            key = "cause" if self.cause else "also"
            yield Fault(f"The thresholds are the same, and “{key}” says why they differ.", "Remove it.", (key,))
        if not self.same and not self.cause:
            yield Fault("The thresholds differ, and there is no cause.", 'Write cause = "unknown".', ("same",))
        if self.cause in KNOWN_CAUSES and not any(s.read_by >= MIN_READERS for s in self.source):
            finding = f"The cause is “{self.cause}”, and no source was read by two."
            yield Fault(finding, "Write what was read outside of our texts, and where; or unknown.", ("cause",))
        for edition in self.absent:
            if any(said.node.edition == edition for said in self.at):
                yield Fault(f"{edition} is quoted and absent.", "Remove one of the two.", ("absent",))


@dataclass(frozen=True, kw_only=True)
class Aside(misprint.PrintedPlace):
    """Printed words that begin like those of thresholds and set none; ``why`` is the reason."""

    why: Annotated[str, check_not_empty]


@dataclass(frozen=True)
class ThresholdFile:
    """The content of ``thresholds.toml``. ``forms``: language → beginnings of words that set thresholds."""

    threshold: tuple[ThresholdRow, ...] = ()
    aside: tuple[Aside, ...] = ()
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class PrintedThreshold:
    """Words of a row at their place in the text; ``level`` as in the row."""

    quote: Quote
    level: str


@dataclass(frozen=True)
class Threshold:
    """A matter that the Director judges, with its words found in the texts.

    ``same``: all words set the same threshold. ``absent``: edition → why it is not quoted.
    """

    id: str
    name: LocalizedText
    same: bool
    cause: Cause
    words: tuple[PrintedThreshold, ...]
    absent: Mapping[str, Absence]
    source: tuple[ThresholdSource, ...]

    @cached_property
    def nodes(self) -> frozenset[NodeId]:
        """The provisions that it quotes."""
        return frozenset(w.quote.node for w in self.words)


@dataclass(frozen=True)
class ThresholdTexts:
    """What the rows are checked against.

    ``nodes`` are those that were read. ``known`` are the editions that have a folder, ``whole`` those of them that
    are no extracts. ``causes`` are what the concordance states: (older, newer) provision → (cause, place of its row).
    """

    nodes: Mapping[NodeId, Node]
    known: Collection[str]
    whole: Collection[str]
    causes: Mapping[tuple[NodeId, NodeId], tuple[str, str]]

    @cached_property
    def editions_with_nodes(self) -> frozenset[str]:
        """The ids of the editions whose text could be read: those that have nodes."""
        return frozenset(id_.edition for id_ in self.nodes)

    @cached_property
    def edition_law_pairs(self) -> frozenset[tuple[str, str]]:
        """(edition, law) of every node; the law is the first step of its path."""
        return frozenset((id_.edition, id_.law) for id_ in self.nodes)

    def has_any_law(self, edition: str, laws: Collection[str]) -> bool:
        """Whether an edition has one of some laws. A whole edition has all of them."""
        return edition in self.whole or any((edition, law) in self.edition_law_pairs for law in laws)


def read_thresholds(corpus_dir: Path, texts: ThresholdTexts) -> tuple[tuple[Threshold, ...], list[Problem]]:
    """Return the rows that could be placed, and the problems. A row that quotes an unread edition is left out."""
    if not files.exists_or_is_link(corpus_dir / FILE):
        return (), []
    try:
        written = files.read_toml(corpus_dir / FILE, FILE, ("There is no file.", "Write it."))
        rows = schema.build_from_file(ThresholdFile, written, DOCS)
    except InvalidFile as refused:
        return (), refused.problems
    found: list[Threshold] = []
    problems: list[Problem] = []
    quoted = {said.node.edition for row in rows.threshold for said in row.at} & texts.editions_with_nodes
    languages = set(rows.threshold[0].name) if rows.threshold else set()
    ids: set[str] = set()
    for n, row in enumerate(rows.threshold):
        at = ("threshold", n)
        faults = [*_naming_faults(row, languages, ids), *_place_faults(row, texts)]
        problems += [written.problem((*at, *f.at), f.finding, f.move, f.words) for f in faults]
        open_ = [*_missing_edition_faults(row, texts, quoted), *_cause_faults(row, texts)] if not faults else []
        problems += [written.problem((*at, *f.at), f.finding, f.move, f.words, fatal=False) for f in open_]
        ids.add(row.id)
        if not faults and texts.editions_with_nodes.issuperset(said.node.edition for said in row.at):
            found.append(_build_threshold(row, texts.nodes))
    for n, aside in enumerate(rows.aside):
        if aside.node.edition in texts.editions_with_nodes and (fault := _words_fault(aside, texts)):
            problems.append(written.problem(("aside", n), *fault))
    problems += [written.problem(("forms",), *fault, fatal=False) for fault in _unquoted_faults(rows, texts, quoted)]
    return tuple(found), problems


def _naming_faults(row: ThresholdRow, languages: Collection[str], ids: Collection[str]) -> Iterator[Fault]:
    """Yield a fault for an id that another row has, and for texts that lack a language."""
    if row.id in ids:
        yield Fault(f"“{row.id}” stands in the file twice.", "Name one of the rows otherwise.", ("id",))
    for prose, at in ((row.name, ("name",)), *((s.finds, ("source",)) for s in row.source)):
        if set(prose) != set(languages):
            move = f"Write a text for each language: {', '.join(sorted(languages))}."
            yield Fault(f"“{at[0]}” is not said in each language.", move, at)


def _place_faults(row: ThresholdRow, texts: ThresholdTexts) -> Iterator[Fault]:
    """Yield a fault for each quotation that is not found and each unknown edition."""
    for said in row.at:
        if said.node.edition not in texts.known:
            move = "Name a node with its edition before its path."
            yield Fault(f"“{said.node.edition}” is no edition.", move, ("at",), said.node)
        elif said.node.edition in texts.editions_with_nodes and (fault := _words_fault(said, texts)):
            yield Fault(*fault, ("at",), said.node)
    for edition, why in row.absent.items():
        if edition not in texts.known:
            yield Fault(f"“{edition}” is no edition.", "Correct its id.", ("absent",))
        elif why == "extract" and edition in texts.whole:
            yield Fault(f"{edition} is no extract.", 'Write "provision", or "words".', ("absent",))


def _words_fault(place: misprint.PrintedPlace, texts: ThresholdTexts) -> tuple[str, str] | None:
    """Return (finding, move) where the words of a place do not stand there; None where they do."""
    if place.node not in texts.nodes:
        return f"There is no {place.node}.", "Correct the path."
    found = model.find_quote(texts.nodes[place.node], place.where, place.words, place.occurrence)
    return None if isinstance(found, Quote) else found


def _build_threshold(row: ThresholdRow, nodes: Mapping[NodeId, Node]) -> Threshold:
    found = [(model.find_quote(nodes[s.node], s.where, s.words, s.occurrence), s.level) for s in row.at]
    words = tuple(PrintedThreshold(quote, level) for quote, level in found if isinstance(quote, Quote))
    return Threshold(row.id, row.name, row.same, row.cause, words, row.absent, row.source)


def _missing_edition_faults(row: ThresholdRow, texts: ThresholdTexts, quoted: Collection[str]) -> Iterator[Fault]:
    """Yield a fault for each edition that has the law and that the row neither quotes nor lists as absent.

    ``quoted``: the editions that some row quotes; only these are checked.
    """
    laws = {said.node.law for said in row.at}
    here = {said.node.edition for said in row.at}
    for edition in sorted({*quoted} - here - {*row.absent}):
        if texts.has_any_law(edition, laws):
            move = f'Quote it, or write absent = {{{edition} = "provision"}}, or "words", "extract".'
            yield Fault(f"{edition} is not there.", move, ("at",))


def _cause_faults(row: ThresholdRow, texts: ThresholdTexts) -> Iterator[Fault]:
    """Yield a fault for each row of the concordance that gives another cause for a difference than the threshold's row
    does.
    """
    if row.same or row.also:
        return
    levels = {said.node: said.level for said in row.at}
    for (older, newer), (cause, place) in texts.causes.items():
        if older in levels and newer in levels and levels[older] != levels[newer] and cause != row.cause:
            finding = f"{place} says “{cause}” of {older} and {newer}, the cause here is “{row.cause}”."
            yield Fault(finding, "Correct one of the two, or write “also”: what else differs there.", ("cause",))


def _unquoted_faults(rows: ThresholdFile, texts: ThresholdTexts, quoted: Collection[str]) -> Iterable[tuple[str, str]]:
    """Yield (finding, move) for each provision with words of thresholds that no row quotes and no aside names."""
    decided = {said.node for row in rows.threshold for said in row.at} | {aside.node for aside in rows.aside}
    begin = {lang: _forms_pattern(forms) for lang, forms in rows.forms.items() if forms}
    for id_, node in texts.nodes.items():
        if id_.edition not in quoted or id_ in decided or node.kind not in BINDING_KINDS or node.lang not in begin:
            continue
        if found := begin[node.lang].search(f"{node.heading or ''}\n{node.text}"):
            finding = f"“{found[0]}” stands in {id_}, which no row quotes."
            yield finding, "Quote it in a row; or write an [[aside]] that says why it sets no threshold."


def _forms_pattern(forms: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of the words that begin with one of some forms.

    >>> _forms_pattern(("oczywist", "bezsporn")).findall("Nieoczywiste, Oczywiste, bezsporny")
    ['Oczywiste', 'bezsporny']
    """
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, forms))})\w*", re.IGNORECASE)
