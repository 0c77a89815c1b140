"""The printed subject index of an edition: its reviewed table, and the names of its entries in other languages.

The table is ``index.tsv`` beside the manifest. It has a row for each entry and sub-entry, in the order of print:

- ``line``: the line of the source on which its words stand, as :func:`printed_lines` names it.
- ``entry``, ``subentry``: its words as published; a row of an entry itself has no sub-entry.
- ``targets``: the paths to which its printed numbers lead, separated by blanks.
- ``see``: the entries to which its “see” lines lead, separated by “; ”.
- ``more_lines``: further lines that belong to it: “see” lines, and numbers that stand apart from their words.
- ``missing``: printed numbers and “see” words that lead to nothing in the edition, separated by “; ”.
- ``remark``: a reviewer's remark.

:func:`read_index` reads the table and proves each row against the source. ``python -m tools.propose_index`` proposes a
table. :func:`name_entries` gives the entries their names in other languages: by a term, or by the heading of the
provision.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from corpus import files, label
from corpus.edition import Edition, SubjectIndexRules
from corpus.files import TsvTable, compile_pattern
from corpus.label import COMPACT_CITATION
from corpus.letters import fold
from corpus.model import TITLED_KINDS, IndexEntry, Node, NodeId, Problem, Text
from corpus.term.model import LanguageForms, NameKey, Slug, Terms, covers

# -- The printed lines ---


def index_node(nodes: Iterable[Node]) -> Node | None:
    """Return the node that holds the printed index; None when the edition has none."""
    return next((n for n in nodes if n.path == "index"), None)


def printed_lines(node: Node, how: SubjectIndexRules) -> dict[str, str]:
    """Return place → words of each printed line of an index, in order, without the remarks.

    The place is the line of the source on which the words begin, “3144”. Words that begin on the same line as others
    before them have the column in their place, too: “3144:25”.
    """
    places = list(node.text.character_places()) if isinstance(node.text, Text) else []
    out: dict[str, str] = {}
    begun = set()
    at = 0
    for paragraph in node.text.split("\n\n"):
        start = next((place for place in places[at : at + len(paragraph)] if place), None)
        if start and not is_remark(paragraph, how):
            line, column = start[:2]
            out[f"{line}:{column}" if line in begun else f"{line}"] = paragraph
            begun.add(line)
        at += len(paragraph) + 2
    return out


def is_remark(paragraph: str, how: SubjectIndexRules) -> bool:
    """Whether the manifest declares a paragraph of an index to be a remark of its maker and no entry."""
    return bool(how.note and compile_pattern(how.note).match(paragraph))


def number_pattern(how: SubjectIndexRules) -> str:
    """Return the pattern of a list of printed numbers, “16B1a, 73C”, with the words that stand for numbers."""
    words = "|".join(re.escape(w) for w in (how.definition, how.intro) if w)
    note = f"(?: {re.escape(how.footnote)})?" if how.footnote else ""
    one = (rf"(?:{words}|" if words else "(?:") + COMPACT_CITATION + note + ")"
    return f"{one}(?:, ?{one})*"


def split_numbers(numbers: str) -> tuple[str, ...]:
    """Return the printed numbers of a list that :func:`number_pattern` matches as a whole.

    >>> split_numbers("16B1a, 73C")
    ('16B1a', '73C')
    """
    return tuple(re.split(r", ?", numbers))


def read_see(words: str, how: SubjectIndexRules) -> tuple[str, str] | None:
    """Return (words before, entry) of a line that leads to another entry; None for another line.

    The words before are "" when the line has nothing else. A pattern whose groups cut a word, or leave words at an end
    of the line, does not match.
    """
    for pattern in how.see:
        if match := compile_pattern(pattern).match(words):
            term = match.groupdict().get("term") or ""
            joint, rest = words[len(term) : match.start("entry")], words[match.end("entry") :]
            edges = (joint[:1] if term else "") + joint[-1:] + rest
            if words.startswith(term) and not any(char.isalnum() for char in edges):
                return term, match["entry"]
    return None


# -- The reviewed table ---

TABLE_FILE = "index.tsv"
COLUMNS = ("line", "entry", "subentry", "targets", "see", "more_lines", "missing", "remark")
LIST_SEPARATOR = "; "

_Fault = tuple[str, str]  # (finding, next move)


def read_index(nodes: list[Node], edition: Edition) -> tuple[list[Node], list[IndexEntry], list[Problem]]:
    """Return (nodes, entries, problems) by the table of an edition. Without a table there are no entries.

    The index node of the result has its remarks. Every problem is fatal; with more than :data:`files.MOST_PROBLEMS` the
    table is one of another index, and the first ones are returned.
    """
    sheet = files.read_tsv(edition.folder / TABLE_FILE, f"editions/{edition.id}/{TABLE_FILE}", COLUMNS)
    if not nodes or not (sheet.columns or sheet.problems):
        return nodes, [], []
    node = index_node(nodes)
    if node is None:
        finding = "This table is about a printed index, and the edition has none."
        move = "Declare it under [[parts]] in edition.toml with the path “index”, or remove the table."
        return nodes, [], list(sheet.problems) or [sheet.problem(1, finding, move)]
    remarks = tuple(p for p in node.text.split("\n\n") if is_remark(p, edition.index))
    proof = _IndexProof.of(sheet, node, nodes, edition)
    entries, problems = [], list(sheet.problems)
    for number, row in sheet.rows:
        problems += [sheet.problem(number, *fault) for fault in proof.row_faults(row)]
        entries.append(_make_entry(row, edition.id))
    if not sheet.problems:
        problems += proof.uncovered_problems(edition)
    read = [replace(n, remarks=remarks) if n is node else n for n in nodes]
    return read, entries, problems[: files.MOST_PROBLEMS]


def _make_entry(row: Mapping[str, str], edition: str) -> IndexEntry:
    return IndexEntry(
        edition=edition,
        entry=row["entry"],
        subentry=row["subentry"] or None,
        targets=tuple(NodeId.of(edition, path) for path in row["targets"].split()),
        see=_cell_items(row["see"]),
        line=files.parse_number(row["line"].partition(":")[0]) or 0,
    )


def _cell_items(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(LIST_SEPARATOR)) if cell else ()


@dataclass
class _IndexProof:
    """Proves the rows of a table, in their order, against the printed lines of an index.

    ``printed``: from :func:`printed_lines`. ``paths`` are those of the edition. ``entries``: folded name → name of each
    entry of the table; ``definitions``: the folded names of definitions. ``owners`` maps the place of each line to the
    place of the row that has it. ``above`` is the place of the row before, ``entry`` the last row without a sub-entry;
    ``order`` is the order of the places.
    """

    how: SubjectIndexRules
    printed: dict[str, str]
    paths: frozenset[str]
    entries: dict[str, str]
    definitions: frozenset[str]
    order: dict[str, int]
    owners: dict[str, str] = field(default_factory=dict)
    above: str = ""
    entry: str = ""

    @classmethod
    def of(cls, sheet: TsvTable, node: Node, nodes: list[Node], edition: Edition) -> _IndexProof:
        """The proof for the table of the index that a ``node`` of the edition holds."""
        printed = printed_lines(node, edition.index)
        return cls(
            how=edition.index,
            printed=printed,
            paths=frozenset(n.path for n in nodes),
            entries={fold(row["entry"]): row["entry"] for _, row in sheet.rows if not row["subentry"]},
            definitions=frozenset(fold(n.heading or "") for n in nodes if n.kind == "definition"),
            order={place: number for number, place in enumerate(printed)},
        )

    def row_faults(self, row: Mapping[str, str]) -> Iterator[_Fault]:
        """Yield what is wrong with a row. Afterwards its lines are taken."""
        yield from self._order_faults(row)
        places = (row["line"], *row["more_lines"].split())
        lines = []
        for place in places:
            if place not in self.printed:
                finding = f"No line of the index begins on line “{place}” of the source."
                yield finding, "Write the number of the line on which the words of this row stand."
            elif place in self.owners:
                finding = f"Line {place} of the source belongs to the row of line {self.owners[place]} already."
                yield finding, "Leave it in the one row to which it belongs."
            else:
                self.owners[place] = row["line"]
                lines.append((place, self.printed[place]))
        if len(lines) == len(places):
            yield from self._word_faults(row, lines)

    def uncovered_problems(self, edition: Edition) -> Iterator[Problem]:
        """Yield a problem for each printed line that belongs to no row. All rows were read before."""
        for place, words in self.printed.items():
            if place not in self.owners:
                yield Problem(
                    edition.source_name,
                    int(place.partition(":")[0]),
                    f"“{words}” is printed in the index and belongs to no row of {TABLE_FILE}.",
                    "Add a row for it, add its line to more_lines of the row to which it belongs, or declare it as a "
                    "remark: “note” under [index] in edition.toml.",
                )

    def _order_faults(self, row: Mapping[str, str]) -> Iterator[_Fault]:
        """Yield where a row stands wrongly: rows have the order of print, and sub-entries stand below their entry."""
        if row["line"] in self.order:
            if self.above and self.order[row["line"]] < self.order[self.above]:
                yield f"Line {row['line']} is printed above line {self.above}.", "Put the rows in the order of print."
            self.above = row["line"]
        if not row["subentry"]:
            self.entry = row["entry"]
        elif row["entry"] != self.entry:
            yield (
                f"“{row['subentry']}” stands below the entry “{self.entry}”, not below “{row['entry']}”.",
                "Name the entry of the nearest row above without a sub-entry, or add the row of its entry.",
            )

    def _word_faults(self, row: Mapping[str, str], lines: list[tuple[str, str]]) -> Iterator[_Fault]:
        """Yield where a row differs from the words of its ``lines``, which are (place, words)."""
        term, (place, words) = row["subentry"] or row["entry"], lines[0]
        numbers: list[str] = []
        see: list[str] = []
        led = read_see(words, self.how)
        if words == term:
            pass
        elif term and words.startswith(f"{term} ") and self._are_only_numbers(words[len(term) + 1 :]):
            numbers += split_numbers(words[len(term) + 1 :])
        elif term and led and led[0] == term:
            see.append(led[1])
        else:
            move = "Write them as they are published, or mend corrections.tsv or [index] in edition.toml."
            yield f"Line {place} of the source has “{words}”, not “{term}” alone or with its numbers.", move
            return
        for place, words in lines[1:]:
            led = read_see(words, self.how)
            if led and not led[0]:
                see.append(led[1])
            elif self._are_only_numbers(words):
                numbers += split_numbers(words)
            else:
                finding = f"Line {place} of the source, “{words}”, is no list of numbers and leads to no other entry."
                yield finding, "Give it a row of its own, or correct what the scan damaged in corrections.tsv."
                return
        missing = _cell_items(row["missing"])
        yield from self._see_faults(row["see"], see, missing)
        yield from self._target_faults(row["targets"].split(), numbers, missing)
        for word in missing:
            if word not in (*numbers, *see):
                yield f"“{word}” stands under missing and is not printed on its lines.", "Take it out of that column."

    def _are_only_numbers(self, words: str) -> bool:
        return bool(re.fullmatch(number_pattern(self.how), words))

    def _see_faults(self, cell: str, see: list[str], missing: tuple[str, ...]) -> Iterator[_Fault]:
        """Yield where the column ``see`` differs from the words ``see`` of the lines, and which words lead nowhere."""
        wanted = LIST_SEPARATOR.join(self.entries.get(fold(word), word) for word in see)
        if cell != wanted:
            finding = f"Its lines lead to {_quoted(wanted)}, the column see to {_quoted(cell)}."
            yield finding, "Write the entries as their own rows name them, in the order of print."
        for word in see:
            known = fold(word) in self.entries or fold(word) in self.definitions
            if known and word in missing:
                yield f"“{word}” is an entry or a definition, not missing.", "Take it out of the column missing."
            elif not known and word not in missing:
                finding = f"“{word}” is no entry of the index and no definition."
                yield finding, "Correct a misread word in corrections.tsv; name words that lead nowhere under missing."

    def _target_faults(self, targets: list[str], numbers: list[str], missing: tuple[str, ...]) -> Iterator[_Fault]:
        """Yield where the ``targets`` of a row are not what its printed ``numbers`` mean."""
        meant = {number: self._possible_paths(number) for number in numbers}
        firsts = []
        for path in targets:
            if path not in self.paths:
                yield f"The edition has no provision {path}.", "Write the path of a provision, like 16/B/1/a."
                return
            at = next((n for n, number in enumerate(numbers) if path in meant[number]), None)
            if at is None:
                finding = f"{path} is none of the places that are printed: {_quoted(', '.join(numbers))}."
                yield finding, "Take it out of targets, or add the line of its number to more_lines."
                return
            firsts.append(at)
        if firsts != sorted(firsts) or len(set(targets)) != len(targets):
            yield "The targets do not stand in the order of print, each of them once.", "Put them in that order."
        for number, paths in meant.items():
            if any(path in paths for path in targets):
                if number in missing:
                    yield f"{number} leads to a target, so it is not missing.", "Take it out of the column missing."
            elif paths and number != self.how.definition:
                yield f"{number} leads to {paths[0]}, which is not in targets.", "Add it in the order of print."
            elif number not in missing:
                move = "Add its target; correct a misread number in corrections.tsv; name a misprint under missing."
                yield f"{number} leads to nothing that the targets name.", move

    def _possible_paths(self, number: str) -> tuple[str, ...]:
        """Return the paths of the edition that a printed number, or a word in the place of a number, may mean.

        The word for the definitions may mean each of them.
        """
        if number == self.how.definition:
            return tuple(path for path in self.paths if path == "def" or path.startswith("def/"))
        if number == self.how.intro:
            return tuple({"intro"} & self.paths)
        if self.how.footnote and number.endswith(f" {self.how.footnote}"):
            notes = f"{number.split(maxsplit=1)[0]}/fn/"
            return tuple(sorted(path for path in self.paths if path.startswith(notes)))
        return tuple(path for path in label.read_citation_paths(number) if path in self.paths)


def _quoted(words: str) -> str:
    """Return words in quotation marks; “nothing” for none."""
    return f"“{words}”" if words else "nothing"


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
