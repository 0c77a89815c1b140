"""Reads the printed subject index of an edition: entry → sub-entry → provisions.

:func:`parse_index` returns the entries. It works in steps:

- :func:`index_rows`: what each printed line is, by its own characters.
- :func:`entry_lines`: which terms are entries and which are sub-entries.
- :func:`number_blocks` and :func:`pair_numbers`: numbers that the scan tore away from their terms.
- :class:`IndexedProvisions`: which provisions a printed number means.

The edition's ``index.tsv`` holds a reviewer's decision, with its reason, for what these rules cannot decide.

:func:`name_entries` gives the entries their names in other languages: by a term, or by the heading of the provision.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from corpus import files, label
from corpus.address import ancestor_paths
from corpus.edition import Edition, SubjectIndexRules
from corpus.files import compile_pattern
from corpus.label import COMPACT_CITATION
from corpus.language import Language
from corpus.letters import Alphabet, fold
from corpus.model import TITLED_KINDS, IndexEntry, Node, NodeId, Problem, Text
from corpus.term.model import LanguageForms, NameKey, Slug, Terms, covers

# -- The printed lines ---


@dataclass(frozen=True)
class IndexRow:
    """A printed line.

    ``kind`` is ``term`` (with its ``numbers``, if they are on the line), ``numbers`` alone, or ``see``, which refers
    to the ``entry``. ``line`` is the line of the source.
    """

    kind: Literal["term", "numbers", "see"]
    line: int
    term: str = ""
    numbers: tuple[str, ...] = ()
    entry: str = ""
    gap: bool = False  # whether a blank line stands before it


def index_rows(node: Node, edition: Edition) -> list[IndexRow] | None:
    """Return a row for each paragraph of an index node, without the remarks.

    None when a paragraph is not one printed line, or the text has no places in the source.
    """
    paragraphs = _paragraphs(node.text) if isinstance(node.text, Text) else None
    if paragraphs is None:
        return None
    how, out, before = edition.index, [], 0
    ending = _line_pattern(how)
    for text, line in paragraphs:
        if not is_remark(text, how):
            out.append(_parse_row(text, line, line > before + 1, how, ending))
        before = line
    return out


def index_remarks(node: Node, how: SubjectIndexRules) -> tuple[str, ...]:
    """Return the paragraphs of an index node that are remarks of its maker and no entries."""
    return tuple(p for p in node.text.split("\n\n") if is_remark(p, how))


def is_remark(paragraph: str, how: SubjectIndexRules) -> bool:
    """Whether the manifest declares a paragraph to be a remark."""
    return bool(how.note and compile_pattern(how.note).match(paragraph))


def _paragraphs(text: Text) -> list[tuple[str, int]] | None:
    """Return (paragraph, its first line in the source) for each; None when a paragraph holds several lines.

    A line that begins in lower case continues the line before.
    """
    begun: dict[int, int] = {}  # offset in the text where a line of the source begins → number of the line
    line = 0
    for start, _, place in text.runs():
        if place and place[0] != line:
            begun[start] = line = place[0]
    out, at = [], 0
    for paragraph in text.split("\n\n"):
        if at in begun:
            out.append((paragraph, begun.pop(at)))
        at += len(paragraph) + 2
    return out if all(text[start].islower() for start in begun) else None


def _line_pattern(how: SubjectIndexRules) -> re.Pattern:
    """Return a pattern of a line; its group ``numbers`` is the list of provisions at the end."""
    words = "|".join(re.escape(w) for w in (how.definition, how.intro) if w)
    one = (
        (rf"(?:{words}|" if words else "(?:")
        + COMPACT_CITATION
        + (f"(?: {re.escape(how.footnote)})?" if how.footnote else "")
        + ")"
    )
    return re.compile(rf"(?P<term>.*?)(?:^|(?<=\s))(?P<numbers>{one}(?:, ?{one})*)$")


def _parse_row(text: str, line: int, gap: bool, how: SubjectIndexRules, ending: re.Pattern) -> IndexRow:
    """Return the row of a line. ``gap``: a blank line stands before it; ``ending``: from :func:`_line_pattern`."""
    for pattern in how.see:
        if match := compile_pattern(pattern).match(text):
            return IndexRow("see", line, match.groupdict().get("term") or "", (), match["entry"], gap)
    match = ending.match(text)
    if not match:
        return IndexRow("term", line, text, gap=gap)
    numbers, term = tuple(re.split(r", ?", match["numbers"])), match["term"].strip()
    return IndexRow("term" if term else "numbers", line, term, numbers, gap=gap)


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


def number_blocks(rows: list[IndexRow]) -> list[tuple[list[IndexRow], list[IndexRow]]]:
    """Return (terms without numbers, the rows of numbers that follow them) for each block.

    Two lines in a row that have both term and numbers end a torn page: terms before them belong to no block.
    """
    out: list[tuple[list[IndexRow], list[IndexRow]]] = []
    terms: list[IndexRow] = []
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
    terms: list[IndexRow],
    numbers: list[IndexRow],
    suits: Callable[[IndexRow, IndexRow], float],
    heads: set[int],
    fixed: dict[int, int | None],
) -> dict[int, IndexRow]:
    """Return line of a term → its row of numbers. The result is empty where no pairing is possible.

    Terms and numbers both stay in their order, each row of numbers belongs to one term, and the pairing with the
    highest score is returned. ``suits`` scores a pair. A term without numbers lowers the score, unless its line is in
    ``heads``: terms over sub-entries. ``fixed`` are decisions of a reviewer: line of a term → line of its numbers, or
    None for no numbers.
    """
    below = float("-inf")
    # best[i][j]: the best score where the first i terms have the first j numbers
    best = [[below] * (len(numbers) + 1) for _ in range(len(terms) + 1)]
    taken = [[False] * (len(numbers) + 1) for _ in range(len(terms) + 1)]
    best[0][0] = 0.0
    for i, term in enumerate(terms, 1):
        for j in range(min(i, len(numbers)) + 1):
            decided = term.line in fixed
            if not decided or fixed[term.line] is None:
                best[i][j] = best[i - 1][j] - (0 if decided or term.line in heads else _UNLIKELY_COST)
            if j and best[i - 1][j - 1] > below and (not decided or fixed[term.line] == numbers[j - 1].line):
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
# Print told them apart by indentation, which is lost. Entries stand in alphabetical order, and so do the sub-entries of
# each. Of all ways to divide the terms, the one is chosen that disturbs both orders least and agrees best with the
# other signs: a blank line before an entry, a definition of that name, “see” lines that refer to it or follow it.

_OTHER_LETTER, _OUT_OF_ORDER, _SUBENTRY_OUT_OF_ORDER = 40.0, 4.0, 1.5
_PLAIN, _GAP, _NAMED, _SEE, _GOES_ON, _TWICE = 0.4, 0.6, 2.0, 3.0, -2.2, -2.0
_SHORT = 4  # letters; a word this short keeps its ending, which may be half of it
_LONGEST = 80  # sub-entries of one entry

_Key = tuple[tuple[str, int], ...]


def entry_lines(rows: list[IndexRow], named: set[str], fixed: dict[int, bool], alphabet: Alphabet) -> set[int]:
    """Return the lines of the terms that are entries.

    ``named`` are the folded names of definitions. ``fixed`` are decisions of a reviewer: line → whether it is an
    entry.
    """
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
            if j + 1 < i and (terms[j + 1].line in followed or fixed.get(terms[j + 1].line)):
                break
            value = (
                best[j]
                + between
                + _entry_bonus(term, terms[j], keys[i], keys[j], words[j] <= words[i], known, followed)
            )
            if value > top:
                top, chosen = value, j
        if fixed.get(term.line) is False or term.kind == "see":
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
    term: IndexRow, before: IndexRow, key: _Key, key_before: _Key, goes_on: bool, known: set[str], followed: set[int]
) -> float:
    """Return the score for ``term`` being the next entry after ``before``.

    ``key`` and ``key_before`` are their sort keys. ``goes_on``: the term has all words of the other. ``known``: folded
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
        return [next(iter(label.read_citation(number)), number)]

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


# -- Reading the index ---

DECISIONS_FILE = "index.tsv"
_COLUMNS = ("line", "is", "numbers", "reason")
_ROLES = ("entry", "subentry", "")


@dataclass(frozen=True)
class IndexDecisions:
    """The decisions of a reviewer.

    ``is_entry``: line → whether it is an entry. ``numbers``: line of a term → line of its numbers, or None for no
    numbers.
    """

    is_entry: dict[int, bool]
    numbers: dict[int, int | None]


def parse_index(
    nodes: list[Node], edition: Edition, language: Language
) -> tuple[list[Node], list[IndexEntry], list[Problem]]:
    """Return (nodes, index entries, problems). An edition without an index has no entries.

    The index node of the result has its remarks.
    """
    node = next((n for n in nodes if n.path == "index"), None)
    if node is None or not (edition.index.see or edition.index.definition):
        return nodes, [], []
    printed = index_rows(node, edition)
    if printed is None:
        return (
            nodes,
            [],
            [
                Problem(
                    edition.source_name,
                    node.source_spans[0][0],
                    "The lines of the index run together.",
                    "Set “lines = true” for its part in edition.toml.",
                )
            ],
        )
    reviewed, problems = _read_decisions(edition.folder / DECISIONS_FILE, f"editions/{edition.id}/{DECISIONS_FILE}")
    provisions = IndexedProvisions(nodes, edition, language.alphabet)
    heads = entry_lines(printed, set(provisions.names), reviewed.is_entry, language.alphabet)
    under = _entry_of_each(printed, heads)
    printed, more = _join_torn_numbers(printed, heads, under, provisions, reviewed, edition)
    found, missing = _index_entries(printed, heads, under, provisions, edition)
    read = replace(node, remarks=index_remarks(node, edition.index))
    nodes = [read if n is node else n for n in nodes]
    return nodes, found, problems + more + missing


def _read_decisions(path: Path, name: str) -> tuple[IndexDecisions, list[Problem]]:
    """Return the decisions in ``index.tsv``, and what is wrong with the file."""
    out, sheet = IndexDecisions({}, {}), files.read_tsv(path, name, _COLUMNS)
    problems = list(sheet.problems)
    for number, row in sheet.rows:
        line, is_, numbers, reason = row.values()
        at, numbers_at = files.parse_number(line), files.parse_number(numbers)
        if not at or is_ not in _ROLES or not (numbers_at or numbers in ("", "-")) or not reason:
            move = "Write line, “entry” or “subentry” or nothing, the line of its numbers or “-” or nothing, and why."
            problems.append(sheet.problem(number, f"Not a decision: {list(row.values())}.", move))
            continue
        if is_:
            out.is_entry[at] = is_ == "entry"
        if numbers:
            out.numbers[at] = numbers_at or None
    return out, problems


def _entry_of_each(printed: list[IndexRow], heads: set[int]) -> dict[int, str]:
    """Return line of a term → the entry that it is or stands under. ``heads`` are the lines of entries."""
    out, entry = {}, ""
    for row in printed:
        if row.term:
            entry = row.term if row.line in heads else entry
            out[row.line] = entry
    return out


def _join_torn_numbers(
    printed: list[IndexRow],
    heads: set[int],
    under: dict[int, str],
    provisions: IndexedProvisions,
    reviewed: IndexDecisions,
    edition: Edition,
) -> tuple[list[IndexRow], list[Problem]]:
    """Return the rows with torn numbers back at their terms, and the problems.

    ``heads`` are the lines of entries; ``under`` comes from :func:`_entry_of_each`.
    """
    terms = [r for r in printed if r.term]
    over = {a.line for a, b in pairwise(terms) if a.line in heads and b.line not in heads}
    over |= {a.line for a, b in pairwise(printed) if a.kind == "term" and b.kind == "see" and not b.term}
    numbers_of: dict[int, IndexRow] = {}
    problems = []
    for names, numbers in number_blocks(printed):
        fixed = {line: at for line, at in reviewed.numbers.items() if any(t.line == line for t in names)}
        paired = pair_numbers(
            names, numbers, lambda t, n: provisions.suitability(n.numbers, t.term, under[t.line]), over, fixed
        )
        if not paired:
            problems.append(
                Problem(
                    edition.source_name,
                    numbers[0].line,
                    f"{len(numbers)} lines of numbers for {len(names)} terms of the index.",
                    "Is a number read as two lines, or a page number among them? "
                    f"Say in {DECISIONS_FILE} which numbers belong to which term.",
                    False,
                )
            )
        numbers_of |= paired
    return [
        replace(r, numbers=numbers_of[r.line].numbers) if r.line in numbers_of else r
        for r in printed
        if r.kind != "numbers"
    ], problems


def _index_entries(
    printed: list[IndexRow], heads: set[int], under: dict[int, str], provisions: IndexedProvisions, edition: Edition
) -> tuple[list[IndexEntry], list[Problem]]:
    """Return the entries with their targets, and a problem for each number that the edition does not have.

    ``heads`` are the lines of entries; ``under`` comes from :func:`_entry_of_each`.
    """
    claimed = {path for r in printed if r.term for path in provisions.exact_definitions(r.term)}
    names = {fold(r.term): r.term for r in printed if r.line in heads}
    out: list[IndexEntry] = []
    problems = []
    for row in printed:
        see = (names.get(fold(row.entry), row.entry),) if row.kind == "see" else ()
        if not row.term:
            if out:
                out[-1] = replace(out[-1], see=out[-1].see + see)
            continue
        targets = []
        for number in row.numbers:
            for path in provisions.paths(number, row.term, under[row.line], claimed):
                if path not in provisions.by_path:
                    problems.append(
                        Problem(
                            edition.source_name,
                            row.line,
                            f"The index leads to {number}, which this edition does not have.",
                            "Correct a misread number in corrections.tsv; a misprint of the book stays.",
                            False,
                        )
                    )
                elif (id_ := NodeId.of(edition.id, path)) not in targets:
                    targets.append(id_)
        entry = under[row.line]
        out.append(
            IndexEntry(
                edition=edition.id,
                entry=entry,
                subentry=None if row.line in heads else row.term,
                targets=tuple(targets),
                see=see,
                line=row.line,
            )
        )
    return out, problems


# -- Names in other languages ---


def name_entries(
    entries: Iterable[IndexEntry], nodes: Mapping[NodeId, Node], terms: Terms, lang: str, spoken: LanguageForms
) -> tuple[IndexEntry, ...]:
    """Return the entries of an index in a language, each with its term or with the provision whose heading it is.

    An entry without either is known in its own language only. A name alone is not enough: the term must deal with a
    law that the entry leads to, since “Powtarzanie rozdania” is the heading of two. Where an entry leads to one
    definition, it means that term, whatever its printed form.
    """
    keys = [(spoken.key(name), slug) for slug, term in terms.items() for name in term.names.get(lang, ())]
    namer = _Namer(nodes, terms, spoken, keys)
    return tuple(namer.name_entry(entry) for entry in entries)


@dataclass(frozen=True)
class _Namer:
    """Finds the terms and headings of entries. ``keys``: the key of each name, with its term."""

    nodes: Mapping[NodeId, Node]
    terms: Terms
    spoken: LanguageForms
    keys: list[tuple[NameKey, Slug]]

    def name_entry(self, entry: IndexEntry) -> IndexEntry:
        said = self.spoken.key(entry.subentry or entry.entry)
        slugs = [slug for key, slug in self.keys if _is_same_name(key, said)]
        heading = next((t for t in entry.targets if self._is_heading(t, said)), None)
        if fitting := [slug for slug in slugs if self._deals_with(slug, entry)]:
            return replace(entry, term=fitting[0])
        if defined := self._defined_term(entry, said):
            return replace(entry, term=defined)
        if heading:
            return replace(entry, heading=heading)
        return replace(entry, term=slugs[0]) if slugs and not entry.targets else entry

    def _is_heading(self, target: NodeId, said: NameKey) -> bool:
        node = self.nodes.get(target)
        titled = node is not None and node.kind in TITLED_KINDS and node.heading
        return bool(titled) and _is_same_name(self.spoken.key(node.heading if node and node.heading else ""), said)

    def _deals_with(self, slug: Slug, entry: IndexEntry) -> bool:
        """Whether a term has places on a page that the entry leads to."""
        places = self.terms[slug].places(entry.edition)
        pages = {t if self._is_definition(t) else t.law for t in entry.targets}
        return any((place if self._is_definition(place) else place.law) in pages for place in places)

    def _defined_term(self, entry: IndexEntry, said: NameKey) -> Slug:
        """Return the term of the only definition that an entry leads to, if they share a word; otherwise ""."""
        definitions = [t for t in entry.targets if self._is_definition(t)]
        if len(definitions) != 1:
            return ""
        (id_,) = definitions
        head = self.spoken.key(self.nodes[id_].heading or "")
        alike = any(not a.isdisjoint(b) for a in said for b in head)
        return next((s for s, t in self.terms.items() if alike and id_ in t.meaning(entry.edition)), "")

    def _is_definition(self, id_: NodeId) -> bool:
        return id_ in self.nodes and self.nodes[id_].kind == "definition"


def _is_same_name(key: NameKey, other: NameKey) -> bool:
    """Whether two names have the same words, in any form and order."""
    return len(key) == len(other) and covers(key, other)
