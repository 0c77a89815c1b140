"""Proposes the table of a printed subject index: ``python -m tools.propose_index ID``.

An index prints an entry, its sub-entries and the provisions of each. A scan loses the indentation of sub-entries, and
it may tear a column of numbers away from its terms. :func:`propose_rows` guesses both:

- :func:`printed_index_lines`: what each printed line is, by its own characters.
- :func:`entry_lines`: which terms are entries and which are sub-entries.
- :func:`number_blocks` and :func:`pair_numbers`: which of the torn numbers belong to which term.
- :class:`IndexedProvisions`: which provisions a printed number means.

A person reads each row of the table beside the book. :mod:`corpus.subject_index` proves the rows against the source.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

import click

from corpus import generation, label
from corpus.address import ancestor_paths
from corpus.edition import Edition, SubjectIndexRules
from corpus.letters import Alphabet, fold
from corpus.model import Node
from corpus.subject_index import (
    COLUMNS,
    LIST_SEPARATOR,
    TABLE_FILE,
    index_node,
    number_pattern,
    printed_lines,
    read_see,
    split_numbers,
)
from scripts import sources

# -- The printed lines ---


@dataclass(frozen=True)
class PrintedIndexLine:
    """A printed line of a subject index.

    ``kind`` is ``term`` (with its ``numbers``, if they are on the line), ``numbers`` alone, or ``see``, which refers
    to the ``entry``. ``line`` counts the printed lines; ``place`` is the line of the source.
    """

    kind: Literal["term", "numbers", "see"]
    line: int
    term: str = ""
    numbers: tuple[str, ...] = ()
    entry: str = ""
    gap: bool = False  # whether a blank line stands before it
    place: str = ""


def printed_index_lines(node: Node, how: SubjectIndexRules) -> list[PrintedIndexLine]:
    """Return the printed lines of an index, without the remarks around it."""
    ending = re.compile(rf"(?P<term>.*?)(?:^|(?<=\s))(?P<numbers>{number_pattern(how)})$")
    before, out = 0, []
    for line, (place, words) in enumerate(printed_lines(node, how).items(), 1):
        at = int(place.partition(":")[0])
        out.append(replace(_parse_index_line(words, how, ending), line=line, gap=at > before + 1, place=place))
        before = at
    return out


def _parse_index_line(words: str, how: SubjectIndexRules, ending: re.Pattern) -> PrintedIndexLine:
    """Return the line with these ``words``, without its place. ``ending``: the pattern of a term and its numbers."""
    if led := read_see(words, how):
        return PrintedIndexLine("see", 0, led[0], entry=led[1])
    match = ending.match(words)
    if not match:
        return PrintedIndexLine("term", 0, words)
    term = match["term"].strip()
    return PrintedIndexLine("term" if term else "numbers", 0, term, split_numbers(match["numbers"]))


# -- Stems ---

# Enough letters to keep the terms of one index apart, few enough to unite their forms. One less than for whole texts.
STEM_LETTERS = 5


@lru_cache(maxsize=8192)
def stems(text: str, alphabet: Alphabet) -> frozenset[str]:
    """Return the first letters of the words without their endings.

    “odsłonięcie” and “odsłonięta” give odslo; “lewy” and “lewa” give lew.
    """
    return frozenset(alphabet.stem_of(word, STEM_LETTERS) for word in re.findall(r"\w+", fold(text)))


class StemWeights:
    """Weights for stems by how rare they are: the fewer of ``texts`` have a stem, the higher its weight.

    Each text is given as the set of its stems.
    """

    def __init__(self, texts: list[frozenset[str]]):
        self.count = Counter(stem for text in texts for stem in text)
        self.total = len(texts) + 1

    def weight_of(self, common: frozenset[str]) -> float:
        """Return the sum of the weights of the stems ``common``, which two texts have in common."""
        return sum(math.log(self.total / (1 + self.count[s])) for s in common)


# -- Terms and numbers in two columns ---
#
# The scan of such a page gives first its terms, then its numbers, both in order. Every number belongs to a term; a few
# terms have none, such as a heading over sub-entries. Of all ways to pair them in order, the one is chosen in which the
# terms suit the provisions best.

_UNLIKELY_COST = 6.0  # for a term without a number that is no heading over sub-entries


def number_blocks(rows: list[PrintedIndexLine]) -> list[tuple[list[PrintedIndexLine], list[PrintedIndexLine]]]:
    """Return (terms without numbers, the rows of numbers that follow them) for each block.

    Two lines in a row that have both term and numbers end a torn page: terms before them belong to no block.
    """
    out: list[tuple[list[PrintedIndexLine], list[PrintedIndexLine]]] = []
    terms: list[PrintedIndexLine] = []
    whole = at = 0
    while at < len(rows):
        row = rows[at]
        if row.kind == "numbers":
            end = next((i for i in range(at, len(rows)) if rows[i].kind != "numbers"), len(rows))
            out.append((terms, rows[at:end]))
            terms, whole, at = [], 0, end
            continue
        whole = whole + 1 if row.numbers else 0 if row.kind == "term" else whole
        if whole > 1:
            terms = []
        if row.kind == "term" and not row.numbers:
            terms = [*terms, row]
        at += 1
    return out


def pair_numbers(
    terms: list[PrintedIndexLine],
    numbers: list[PrintedIndexLine],
    suits: Callable[[PrintedIndexLine, PrintedIndexLine], float],
    heads: set[int],
) -> dict[int, PrintedIndexLine]:
    """Return line of a term → its row of numbers. The result is empty where no pairing is possible.

    Terms and numbers both stay in their order, each row of numbers belongs to one term, and the pairing with the
    highest score is returned. ``suits`` scores a pair. A term without numbers lowers the score, unless its line is in
    ``heads``: terms over sub-entries.
    """
    below = float("-inf")
    # best[i][j]: the best score where the first i terms have the first j numbers
    best = [[below] * (len(numbers) + 1) for _ in range(len(terms) + 1)]
    taken = [[False] * (len(numbers) + 1) for _ in range(len(terms) + 1)]
    best[0][0] = 0.0
    for i, term in enumerate(terms, 1):
        for j in range(min(i, len(numbers)) + 1):
            best[i][j] = best[i - 1][j] - (0 if term.line in heads else _UNLIKELY_COST)
            if j and best[i - 1][j - 1] > below:
                value = best[i - 1][j - 1] + suits(term, numbers[j - 1])
                if value >= best[i][j]:
                    best[i][j], taken[i][j] = value, True
    out, i, j = {}, len(terms), len(numbers)
    if best[i][j] == below:
        return {}
    while i:
        if taken[i][j]:
            j -= 1
            out[terms[i - 1].line] = numbers[j]
        i -= 1
    return out


# -- Entries and sub-entries ---
#
# Print shows the difference by indentation, which is lost. Entries stand in alphabetical order, and so do the
# sub-entries of each. Of all ways to divide the terms, the one is chosen that disturbs both orders least and agrees
# best with the other signs: a blank line before an entry, a definition of that name, “see” lines that refer to it or
# follow it.

_OTHER_LETTER, _OUT_OF_ORDER, _SUBENTRY_OUT_OF_ORDER = 40.0, 4.0, 1.5
_PLAIN, _GAP, _NAMED, _SEE, _GOES_ON, _TWICE = 0.4, 0.6, 2.0, 3.0, -2.2, -2.0
_SHORT = 4  # letters; a word this short keeps its ending, which may be half of it
_LONGEST = 80  # sub-entries of one entry

_Key = tuple[tuple[str, int], ...]


def entry_lines(rows: list[PrintedIndexLine], named: set[str], alphabet: Alphabet) -> set[int]:
    """Return the lines of the terms that are entries. ``named`` are the folded names of definitions."""
    terms = [r for r in rows if r.term]
    if not terms:
        return set()
    known = named | {fold(r.entry) for r in rows if r.kind == "see"}
    followed = {a.line for a, b in pairwise(rows) if a.kind == "term" and b.kind == "see" and not b.term}
    keys = [_sort_key(t.term, alphabet) for t in terms]
    words = [stems(t.term, alphabet) for t in terms]
    best: list[float] = []
    back: list[int] = []
    for i, term in enumerate(terms):
        if i == 0:
            best.append(0.0)
            back.append(-1)
            continue
        top, chosen, between = float("-inf"), 0, 0.0
        for j in range(i - 1, max(-1, i - 2 - _LONGEST), -1):
            # Terms j+1 … i-1 are sub-entries of j; ``between`` is the cost of that.
            if j + 2 < i and keys[j + 2] < keys[j + 1]:
                between -= _SUBENTRY_OUT_OF_ORDER
            if j + 1 < i and terms[j + 1].line in followed:
                break
            value = (
                best[j]
                + between
                + _entry_bonus(term, terms[j], keys[i], keys[j], words[j] <= words[i], known, followed)
            )
            if value > top:
                top, chosen = value, j
        if term.kind == "see":
            top = float("-inf")
        best.append(top)
        back.append(chosen)
    end = len(terms) - 1
    last = max(range(max(0, end - _LONGEST), end + 1), key=lambda j: best[j])
    out = set()
    while last >= 0:
        out.add(terms[last].line)
        last = back[last]
    return out


def _sort_key(term: str, alphabet: Alphabet) -> _Key:
    """Return the key of a term in alphabetical order: letters only, long words without their endings."""
    words = re.findall(r"\w+", term.lower())
    return alphabet.sort_key("".join(alphabet.without_ending(w) if len(w) > _SHORT else w for w in words))


def _entry_bonus(
    term: PrintedIndexLine,
    before: PrintedIndexLine,
    key: _Key,
    key_before: _Key,
    goes_on: bool,
    known: set[str],
    followed: set[int],
) -> float:
    """Return the score for ``term`` being the next entry after ``before``.

    ``key`` and ``key_before`` are their sort keys. ``goes_on``: ``term`` has all words of ``before``. ``known``: folded
    names of definitions and of entries that others refer to. ``followed``: lines of terms that a “see” line follows.
    """
    value = _PLAIN + _GAP * term.gap + _SEE * (term.line in followed)
    name = fold(term.term)
    if name in known:
        value += _NAMED
    if name == fold(before.term):
        value += _TWICE
    elif goes_on and key > key_before:
        value += _GOES_ON
    if key < key_before:
        value -= _OTHER_LETTER if key[:1] < key_before[:1] else _OUT_OF_ORDER
    return value


# -- What the numbers mean ---


class IndexedProvisions:
    """The nodes of an edition as an index sees them: what a number means, and how well it suits a term."""

    def __init__(self, nodes: list[Node], edition: Edition, alphabet: Alphabet):
        self.how, self.alphabet = edition.index, alphabet
        self.by_path = {n.path: n for n in nodes}
        self.definitions = [n for n in nodes if n.kind == "definition"]
        self.words = {p: self.stems(f"{n.heading or ''} {n.text}") for p, n in self.by_path.items()}
        self.headings = {p: self.stems(n.heading or "") for p, n in self.by_path.items()}
        self.weights = StemWeights(list(self.words.values()))
        self.names = {fold(n.heading or ""): n.path for n in self.definitions}

    def stems(self, text: str) -> frozenset[str]:
        """Return the stems of a text in the language of the index."""
        return stems(text, self.alphabet)

    def paths(self, number: str, term: str, entry: str, claimed: set[str]) -> list[str]:
        """Return the paths that one printed number beside a term means; ``entry`` is the entry of the term.

        ``claimed`` are the definitions that an entry names exactly.
        """
        if number == self.how.definition:
            return self.find_definitions(term, entry, claimed)
        if number == self.how.intro:
            return ["intro"]
        if self.how.footnote and number.endswith(f" {self.how.footnote}"):
            return [f"{number.split(maxsplit=1)[0]}/fn/1"]
        return [next(iter(label.read_citation_paths(number)), number)]

    def exact_definitions(self, term: str) -> list[str]:
        """Return the paths of definitions whose name is the term, or a part of it: “A / B”, “A - in other words”."""
        if fold(term) in self.names:
            return [self.names[fold(term)]]
        parts = [p.strip() for p in re.split(r" ?/ ?", term)]
        if len(parts) > 1 and all(fold(p) in self.names for p in parts):
            return [self.names[fold(p)] for p in parts]
        short = re.split(r" [-–—] ", term)[0]
        return [self.names[fold(short)]] if fold(short) in self.names else []

    def find_definitions(self, term: str, entry: str, claimed: set[str]) -> list[str]:
        """Return the path of the definition that is meant, in a list; [] for none.

        It is the one with the name ``term``, else the one with most of its words, else the one with the name ``entry``.
        A term of two names has two definitions. ``claimed`` are the definitions that an entry names exactly.
        """
        if found := self.exact_definitions(term):
            return found
        if "def" in self.by_path and self.stems(term) == self.headings["def"]:
            return ["def"]
        wanted = self.stems(term)

        def fit(node: Node) -> tuple:
            named, used = wanted & self.headings[node.path], wanted & self.words[node.path]
            alike = 2 * len(named) + len(used - named)
            return alike, node.path not in claimed, -len(self.headings[node.path] - wanted)

        best = max(self.definitions, key=fit, default=None)
        if best is None or fit(best)[0] == 0:
            return self.exact_definitions(entry)
        return [best.path]

    def suitability(self, numbers: tuple[str, ...], term: str, entry: str) -> float:
        """Return how well printed numbers suit a term.

        The score is the weight of the words that the term shares with the provisions and with the headings around
        them.
        """
        wanted, around, value = self.stems(term), self.stems(entry) - self.stems(term), 0.0
        for number in numbers:
            if number == self.how.definition:
                value += (
                    14.0
                    if self.exact_definitions(term)
                    else 3.0
                    if any(wanted & self.headings[d.path] for d in self.definitions)
                    else -6.0
                )
                continue
            for path in self.paths(number, term, entry, set()):
                heading = self.headings.get(path, frozenset()).union(
                    *(self.headings.get(a, ()) for a in ancestor_paths(path))
                )
                text = self.words.get(path, frozenset())
                value += (
                    2 * self.weights.weight_of(wanted & heading)
                    + self.weights.weight_of(wanted & text - heading)
                    + 0.4 * self.weights.weight_of(around & (heading | text))
                )
        return value / len(numbers)


# -- The proposal ---


def propose_rows(
    node: Node, nodes: list[Node], edition: Edition, alphabet: Alphabet
) -> tuple[list[dict[str, str]], list[str]]:
    """Return (rows of the table, remarks on what a person must settle) for the index that a ``node`` holds.

    The rows have the columns of :data:`corpus.subject_index.COLUMNS`.
    """
    printed = printed_index_lines(node, edition.index)
    provisions = IndexedProvisions(nodes, edition, alphabet)
    heads = entry_lines(printed, set(provisions.names), alphabet)
    under = _entry_of_each(printed, heads)
    numbers_of, remarks = _find_numbers_apart_from_terms(printed, heads, under, provisions)
    claimed = {path for r in printed if r.term for path in provisions.exact_definitions(r.term)}
    names = {fold(r.term): r.term for r in printed if r.line in heads}
    rows = []
    for lines in _lines_of_each_term(printed, numbers_of):
        term, entry = lines[0].term, under[lines[0].line]
        see = [names.get(fold(row.entry), row.entry) for row in lines if row.kind == "see"]
        missing = [name for name in see if fold(name) not in names and fold(name) not in provisions.names]
        targets: list[str] = []
        for number in (number for row in lines for number in row.numbers):
            found = [p for p in provisions.paths(number, term, entry, claimed) if p in provisions.by_path]
            targets += [path for path in found if path not in targets]
            missing += [] if found else [number]
        cells = (
            lines[0].place,
            entry,
            "" if lines[0].line in heads else term,
            " ".join(targets),
            LIST_SEPARATOR.join(see),
            " ".join(row.place for row in lines[1:]),
            LIST_SEPARATOR.join(missing),
            "",
        )
        rows.append(dict(zip(COLUMNS, cells, strict=True)))
    return rows, remarks


def _entry_of_each(printed: list[PrintedIndexLine], heads: set[int]) -> dict[int, str]:
    """Return line of a term → the entry that it is or stands under. ``heads`` are the lines of entries."""
    out, entry = {}, ""
    for row in printed:
        if row.term:
            entry = row.term if row.line in heads else entry
            out[row.line] = entry
    return out


def _find_numbers_apart_from_terms(
    printed: list[PrintedIndexLine], heads: set[int], under: dict[int, str], provisions: IndexedProvisions
) -> tuple[dict[int, PrintedIndexLine], list[str]]:
    """Return (line of a term → the numbers that stand apart from it, remarks on numbers without a term).

    ``heads`` are the lines of entries; ``under`` comes from :func:`_entry_of_each`.
    """
    terms = [r for r in printed if r.term]
    over = {a.line for a, b in pairwise(terms) if a.line in heads and b.line not in heads}
    over |= {a.line for a, b in pairwise(printed) if a.kind == "term" and b.kind == "see" and not b.term}
    out: dict[int, PrintedIndexLine] = {}
    remarks = []
    for names, numbers in number_blocks(printed):
        suits = lambda term, row: provisions.suitability(row.numbers, term.term, under[term.line])
        paired = pair_numbers(names, numbers, suits, over)
        if not paired:
            remarks.append(
                f"Line {numbers[0].place}: {len(numbers)} lines of numbers for {len(names)} terms. Is a number read as "
                "two lines, or a page number among them? Add each to more_lines of its row."
            )
        out |= paired
    return out, remarks


def _lines_of_each_term(
    printed: list[PrintedIndexLine], numbers_of: dict[int, PrintedIndexLine]
) -> list[list[PrintedIndexLine]]:
    """Return a list for each term: its own line, the “see” lines that follow it, and its numbers that stand apart."""
    out: list[list[PrintedIndexLine]] = []
    for row in printed:
        if row.term:
            out.append([row])
        elif row.kind == "see" and out:
            out[-1].append(row)
    return [[*lines, numbers_of[lines[0].line]] if lines[0].line in numbers_of else lines for lines in out]


@click.command()
@click.argument("name", metavar="ID")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the table to this file.")
@click.option("--force", is_flag=True, help="Replace a table that is there already.")
def main(name: str, out: Path | None, force: bool) -> None:
    """Propose the table of the printed index of the edition ID: index.tsv in its folder, for a person to review."""
    result = sources.read_sources((name,))
    nodes = list(result.readings[name].nodes) if name in result.readings else []
    node = index_node(nodes)
    if node is None:
        sources.print_problems(result.fatal_problems)
        move = "Declare it under [[parts]] in edition.toml with the path “index” and “lines = true”."
        raise click.ClickException(f"{name} has no printed index. {move}")
    edition = result.editions[name]
    if edition.paragraphs != "lines" and not any(part.lines for part in edition.parts if part.path == node.path):
        move = "Set “lines = true” for its part in edition.toml."
        raise click.ClickException(f"The lines of the index of {name} run together. {move}")
    path = out or generation.corpus_dir() / "editions" / name / TABLE_FILE
    if path.exists() and not force:
        move = "Name another file with --out, or replace it with --force."
        raise click.ClickException(f"{path} is there already, and a person may have reviewed it. {move}")
    rows, remarks = propose_rows(node, nodes, edition, result.languages[edition.lang].alphabet)
    lines = ["\t".join(COLUMNS), *("\t".join(row.values()) for row in rows)]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise sources.unwritable_error(error, path) from None
    for remark in remarks:
        click.echo(remark)
    click.echo(f"{len(rows)} rows → {path}. Read each row beside the book, then: lexbridge check {name}")


if __name__ == "__main__":
    main()
