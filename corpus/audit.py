"""Reports on one edition: where every character of its source went, and what people have still to do for it.

:func:`audit_edition` counts the characters. :func:`list_open_work` lists what other editions have and this one has not.
None of that is a fault: an edition is read, searched and compared without it. Pages make no claim that nobody checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from corpus import files
from corpus.edition import Edition, SubjectIndexRules
from corpus.layers import IngestResult
from corpus.model import Node
from corpus.reading import flow, html
from corpus.reading.footnotes import NOTES_HEADING_RULE
from corpus.reading.result import Reading
from corpus.subject_index import TABLE_FILE, index_node


@dataclass(frozen=True)
class RuleCount:
    """What a rule dropped: the number of characters and pieces. ``pattern`` is what it looks for."""

    name: str
    pattern: str
    characters: int
    pieces: int


@dataclass(frozen=True)
class Audit:
    """Counts of a source's non-blank characters: all, those in nodes, those that rules dropped, those left over."""

    total: int
    nodes: int
    rules: tuple[RuleCount, ...]
    unaccounted: int

    @property
    def dropped_characters(self) -> int:
        """The number of characters that all rules dropped."""
        return sum(rule.characters for rule in self.rules)


def audit_edition(edition: Edition, reading: Reading) -> Audit:
    """Return how many non-blank characters of the source are in nodes, dropped or left over, and how many it has."""
    patterns = (
        html.MARKUP_RULES
        | flow.SOFT_HYPHEN_RULES
        | {NOTES_HEADING_RULE: edition.notes.start}
        | {r.name: r.pattern for r in edition.drop}
    )
    characters: Counter[str] = Counter()
    pieces: Counter[str] = Counter()
    for d in reading.dropped:
        characters[d.rule] += d.size
        pieces[d.rule] += 1
    path = edition.folder / edition.source
    text = files.read_file_bytes(path, edition.source_name).decode("utf-8-sig") if reading.nodes else ""
    return Audit(
        total=sum(not c.isspace() and c != "\ufeff" for c in text),
        nodes=reading.owned,
        rules=tuple(
            RuleCount(name, patterns.get(name, "(rows of the correction files)"), n, pieces[name])
            for name, n in characters.items()
        ),
        unaccounted=len(reading.unaccounted),
    )


@dataclass(frozen=True)
class OpenWork:
    """Something that nobody has done yet for an edition, and how to begin."""

    edition: str
    finding: str
    move: str

    def __str__(self) -> str:
        return f"{self.edition}: {self.finding} {self.move}"


def list_open_work(result: IngestResult, id_: str) -> list[OpenWork]:
    """Return what people have still to do for the edition ``id_``, each with how to begin.

    Work on terms comes first, then on the concordance, quotations, data about words, and the printed index. ``result``
    has all editions and their data.
    """
    edition, nodes = result.editions[id_], result.readings[id_].nodes
    kinds = chain(
        _concept_findings(result, edition, nodes),
        _concordance_findings(result, edition),
        _quotation_findings(result, edition),
        _word_data_findings(result, edition),
        _index_table_findings(edition, nodes),
    )
    return [OpenWork(id_, finding, move) for finding, move in kinds]


def _concept_findings(result: IngestResult, edition: Edition, nodes: tuple[Node, ...]) -> Iterator[tuple[str, str]]:
    """Yield (finding, next move) for concepts without a place in the edition, definitions without a concept, and
    concepts without a name.
    """
    if edition.is_decisions:
        return
    propose = f"To see what aligned provisions propose: lexbridge propose {edition.id}"
    silent = sum(1 for term in result.terms.values() if not term.is_known_in(edition.id))
    if silent:
        yield f"{silent} of {len(result.terms)} concepts have no place in it.", propose
    owned = {node for term in result.terms.values() for node in term.meaning(edition.id)}
    loose = sum(1 for node in nodes if node.kind == "definition" and node.id not in owned)
    if result.terms and loose:
        yield f"{loose} of its definitions belong to no concept.", propose
    unnamed = sum(1 for term in result.terms.values() if not term.name(edition.lang))
    if unnamed:
        yield (
            f"{unnamed} concepts have no name in “{edition.lang}”.",
            "Add it under [names] of a term; docs/add-a-term.md shows how.",
        )


def _concordance_findings(result: IngestResult, edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield (finding, next move) if no reviewed table compares the edition with another one."""
    others = [e for e in result.editions_in_time if e.id != edition.id and not e.is_decisions]
    if edition.is_decisions or not others or any(edition.id in (t.older, t.newer) for t in result.tables):
        return
    near = min(others, key=lambda e: (e.code != edition.code, not e.complete, abs(e.year - edition.year), e.id))
    older, newer = sorted((near, edition), key=lambda e: e.sort_key)
    yield (
        "No person has compared it with another edition.",
        f"To see what the computer found: lexbridge review {older.id} {newer.id}",
    )


def _quotation_findings(result: IngestResult, edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield (finding, next move) where situations or thresholds quote other editions but not this one."""
    tables = [s.table[edition.code] for s in result.situations.all if edition.code in s.table]
    quoted = {q.node.edition for table in tables for row in table.row for s in row.slices for q in s.quotes}
    if edition.is_decisions:
        return
    if tables and edition.id not in quoted:
        yield (
            f"{len(tables)} situations rule by the laws of {edition.code} and quote none of its words.",
            "Add them under “words” of each quotation; docs/add-a-situation.md shows how.",
        )
    elif result.situations.all and not tables:
        yield (
            f"No situation has a table for the laws of {edition.code}.",
            f"Write [[table.{edition.code}.row]]; docs/add-a-situation.md shows how.",
        )
    thresholds = {w.quote.node.edition for t in result.layer("thresholds") for w in t.words}
    if thresholds and edition.id not in thresholds:
        yield (
            f"None of the {len(result.layer('thresholds'))} thresholds quotes it.",
            "Add its words in thresholds.toml; docs/add-an-edition.md shows how.",
        )


def _word_data_findings(result: IngestResult, edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield (finding, next move) if the edition has no strength marks, or its language no stop words."""
    if result.readings[edition.id].scale is None and not edition.is_decisions:
        yield (
            "Its words are not marked by their strength.",
            "Write strength.toml, if its introduction ranks them; docs/add-an-edition.md shows how.",
        )
    if not result.languages[edition.lang].search.stopwords:
        yield (
            f"Questions in “{edition.lang}” are understood by the words of the texts alone.",
            f"Write [search] in languages/{edition.lang}.toml; docs/add-a-language.md shows how.",
        )


def _index_table_findings(edition: Edition, nodes: tuple[Node, ...]) -> Iterator[tuple[str, str]]:
    """Yield (finding, next move) if the manifest says how an index is printed, and no table has its entries."""
    declared = edition.index != SubjectIndexRules() and index_node(nodes) is not None
    if declared and not files.exists_or_is_link(edition.folder / TABLE_FILE):
        yield (
            f"Its printed index has no reviewed table {TABLE_FILE}, so pages show it as plain text.",
            f"To propose one: python -m tools.propose_index {edition.id}",
        )
