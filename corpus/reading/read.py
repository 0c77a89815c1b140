"""From an edition's folder to its :class:`~corpus.account.Reading`: the steps, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from corpus.account import Dropped, Placing, Reading
from corpus.checked.patience import compiled
from corpus.edition import Edition
from corpus.edition.print import DropRule
from corpus.language import Language
from corpus.model import Correction, Problem
from corpus.reading import html, layout, loose_ends, notes, published, source, tally, tree
from corpus.reading.assemble import assemble
from corpus.reading.book import Book, Heads
from corpus.reading.flow import Hyphens
from corpus.reading.misfits import Read, misfits
from corpus.reading.published import Line, Removed

# Characters that scanning or scraping damaged, and the few rows that mend structure (labels, marks, torn columns).
CORRECTIONS = ("corrections.tsv", "structure.tsv")


def read(edition: Edition, language: Language) -> Reading:
    """Read one edition. Problems are collected, not raised; with a fatal one the nodes must not be used."""
    lines, problems = source.load(edition.folder / edition.source, edition.sha256, edition.file)
    rows, faults = corrections(edition)
    problems += faults
    text = prepare(edition, lines, rows)
    problems += text.problems
    if text.unreadable:
        return Reading(
            edition=edition.id, nodes=(), index=(), corrections=tuple(rows), dropped=(), problems=tuple(problems)
        )
    heads = Heads.of(edition)
    kept, found, heading = notes.lift(
        text.lines,
        edition.notes,
        edition.paragraphs,
        heads.begins,
        frozenset(p.line for p in edition.placements if p.in_note),
        language.law_word_before,
    )
    removed = text.removed + [Removed(notes.HEADING_RULE, line.number, line.text, line.places) for line in heading]
    book = Book.of(edition, language, heads, kept, frozenset(n.number for n in found))
    assembled = assemble(book, kept)
    conjunctions = language.words("and") + language.words("or") + language.words("to")
    hyphens = Hyphens(lines, conjunctions) if edition.hyphens == "join" else None
    settled = notes.settle(found, assembled.roots, edition.notes, hyphens)
    built = tree.build(edition, lines, assembled.roots, settled, hyphens)
    missing, twice = tally.audit(lines, [*built.owned, *(p for r in removed for p in r.places)])
    problems += [
        *assembled.problems,
        *built.problems,
        *loose_ends.without_place(edition, settled),
        *loose_ends.unmarked(edition, settled, built.nodes),
    ]
    problems += tally.faults(edition, missing, twice, any(p.fatal for p in problems))
    paths, rules = {n.path for n in built.nodes}, {r.rule for r in removed}
    used = assembled.used | loose_ends.placed_in_notes(edition, settled)
    problems += loose_ends.idle(edition, used, rules, settled, paths, len(lines))
    problems += misfits(
        Read(
            edition=edition,
            book=book,
            conjunctions=frozenset(word.casefold() for word in conjunctions),
            printed=text.printed,
            lines=kept,
            removed=[r for r in text.removed if r.rule in {rule.name for rule in edition.drop}],
            notes=settled,
            roots=assembled.roots,
            placings=assembled.placings,
        )
    )
    return Reading(
        edition=edition.id,
        nodes=built.nodes,
        index=(),
        corrections=tuple(tally.became(rows, built.nodes, built.owned, removed)),
        dropped=tuple(Dropped(r.rule, r.line, r.text, tally.size(lines, r.places)) for r in removed),
        problems=tuple(sorted(problems, key=lambda p: (not p.fatal, p.file, p.line))),
        unaccounted=tuple(missing),
        owned=tally.size(lines, built.owned),
        placings=_in_order(assembled.placings, notes.placings(settled)),
    )


def corrections(edition: Edition) -> tuple[list[Correction], list[Problem]]:
    """The rows of both files in the order of the text."""
    rows: list[Correction] = []
    problems: list[Problem] = []
    for name in CORRECTIONS:
        more, faults = published.read_corrections(edition.folder / name, edition.id, f"editions/{edition.id}/{name}")
        rows += more
        problems += faults
    return sorted(rows, key=lambda c: (c.line, c.column)), problems


@dataclass(frozen=True)
class Prepared:
    """The lines of a text before its footnotes leave, what is no text, and what was found wrong.

    ``printed``: the lines before the drop rules; ``unreadable``: there is nothing to go on with.
    """

    lines: list[Line]
    removed: list[Removed]
    problems: list[Problem]
    printed: tuple[Line, ...] = ()
    unreadable: bool = False


def prepare(edition: Edition, lines: list[str], rows: list[Correction]) -> Prepared:
    """Corrections, markup, drop rules and line splits."""
    if not lines:
        return Prepared([], [], [], unreadable=True)
    printed, removed, problems = published.publish(lines, rows, edition.file)
    problems += source.strange(printed, edition.file)
    if edition.is_html:
        printed, markup, broken = html.read(printed, edition.drop, edition.file)
        removed, problems = removed + markup, problems + broken
        if broken:
            return Prepared([], [], problems, unreadable=True)
    printed, soft = layout.soften(printed)
    removed += soft
    kept = printed
    for rule in edition.drop:
        if rule.scope != "element":
            problems += _endless(edition, kept, removed, rule)
            kept, dropped = layout.drop(kept, [rule])
            removed = [*removed, *dropped]
    problems += _eaten(edition, kept)
    return Prepared(layout.split(kept, list(edition.split)), removed, problems, tuple(printed))


def _endless(edition: Edition, lines: list[Line], removed: list[Removed], rule: DropRule) -> Iterator[Problem]:
    """A block that no line ends, among the lines that the rules before it have left."""
    if rule.scope != "block" or not (line := layout.endless(lines, rule)):
        return
    before = (r for r in removed if r.line > line.number and compiled(rule.until).fullmatch(r.text.strip()))
    if gone := next(before, None):
        yield Problem(
            edition.file,
            line.number,
            f"The block “{rule.name}” begins here and never ends: the line that is like “{rule.until}”, line "
            f"{gone.line}, is dropped by “{gone.rule}” before.",
            "Put this [[drop]] above the other one in edition.toml, or let “until” be the next line that stays.",
        )
        return
    yield Problem(
        edition.file,
        line.number,
        f"The block “{rule.name}” begins here and never ends: no line is like “{rule.until}”.",
        "Correct “until” of this [[drop]] in edition.toml.",
    )


def _eaten(edition: Edition, lines: list[Line]) -> Iterator[Problem]:
    for n, rule in enumerate(edition.split):
        for number, text in layout.eaten(lines, rule):
            yield edition.written.problem(
                ("split", n, "pattern"),
                f"The pattern of the split rule “{rule.name}” matches “{text}” in line {number}.",
                "It must match the empty place of the break: put what stands around it into (?<=…) and (?=…).",
            )


def _in_order(placed: tuple[Placing, ...], noted: Iterator[Placing]) -> tuple[Placing, ...]:
    return tuple(sorted([*placed, *noted], key=lambda placing: placing.line))
