"""From the sources to the parsed corpus: read, resolve references, align, write – whole or not at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

from corpus import reference, slip, spelling, store, strength, subject_index
from corpus.account import Reading
from corpus.checked import Refused, patience
from corpus.edition import Edition, manifest
from corpus.edition.identity import Identity
from corpus.exchange import node_to_json, pair_to_json, to_json
from corpus.ingested import Ingest, in_time
from corpus.label.typed import CitationWords
from corpus.language import Language
from corpus.language import load as load_language
from corpus.layers import lay
from corpus.model import Problem
from corpus.reading import source
from corpus.reading.read import read
from corpus.relation import concordance


class UnknownEdition(Exception):  # noqa: N818 – what was asked for is unknown; nothing went wrong
    """An id that no folder under ``editions/`` has."""


def read_all(corpus_dir: Path, only: tuple[str, ...] = ()) -> Ingest:
    """Read every edition (or only some) and the concordance; nothing is written."""
    known = manifest.list_editions(corpus_dir)
    if not known:
        problem = Problem(
            "editions",
            1,
            f"No edition in {corpus_dir / 'editions'}.",
            "Add a folder per edition; docs/add-an-edition.md shows how.",
        )
        return Ingest({}, {}, [], [problem])
    if unknown := [id_ for id_ in only if id_ not in known]:
        there = ", ".join(known)
        raise UnknownEdition(f"There is no edition “{unknown[0]}” in {corpus_dir / 'editions'}. There are: {there}.")
    editions, readings, problems = {}, {}, []
    for id_ in only or known:
        try:
            edition = manifest.load(corpus_dir / "editions" / id_)
            language = load_language(corpus_dir / "languages", edition.lang)
        except Refused as refused:
            problems += refused.problems
            continue
        editions[id_], readings[id_] = edition, read_one(edition, language)
        problems += readings[id_].problems
    readings, tables, faults = _together(corpus_dir, editions, readings)
    languages, broken = _languages(corpus_dir, {p.file for p in problems})
    misnamed = _misnamed(editions, CitationWords.of(languages.values()))
    result = Ingest(editions, readings, tables, [*problems, *faults, *broken, *misnamed], languages)
    return result if only else lay(result, corpus_dir)


def _together(
    corpus_dir: Path, editions: dict[str, Edition], readings: dict[str, Reading]
) -> tuple[dict[str, Reading], list[concordance.Table], list[Problem]]:
    """What only shows when editions are seen together: slips on their nodes, the reviewed tables, a source twice."""
    readings, slips = _with_slips(corpus_dir, editions, readings)
    tables, faults = _tables(corpus_dir, editions, readings)
    return readings, tables, [*_twins(editions), *slips, *faults]


def _misnamed(editions: dict[str, Edition], words: CitationWords) -> list[Problem]:
    """Editions whose id some language reads as a citation: the address of one would be that of the other."""
    return [e.written.problem((), *wrong) for e in editions.values() if (wrong := manifest.id_problem(e.id, words))]


def _twins(editions: dict[str, Edition]) -> list[Problem]:
    """Editions whose source is that of another, which is read first."""
    first: dict[str, str] = {}
    twins = [(e, first[e.sha256]) for id_, e in editions.items() if first.setdefault(e.sha256, id_) != id_]
    move = "Remove one of the two editions."
    return [e.written.problem(("sha256",), f"This is the same source as {twin}.", move) for e, twin in twins]


def _languages(corpus_dir: Path, told: set[str]) -> tuple[dict[str, Language], list[Problem]]:
    """Every language that there is a file for, by code; ``told``: files already known to be broken."""
    languages: dict[str, Language] = {}
    problems: list[Problem] = []
    for path in sorted((corpus_dir / "languages").glob("*.toml")):
        try:
            languages[path.stem] = load_language(path.parent, path.stem)
        except Refused as refused:
            problems += [p for p in refused.problems if p.file not in told]
    return languages, problems


def read_one(edition: Edition, language: Language) -> Reading:
    """One edition with its references resolved, its subject index parsed and its words marked by their strength; a
    pattern of its manifest that takes too long is a problem.
    """
    try:
        with patience.limited():
            return _read_one(edition, language)
    except patience.TooSlow as slow:
        problem = _too_slow(edition, slow)
        return Reading(edition=edition.id, nodes=(), index=(), corrections=(), dropped=(), problems=(problem,))


def _too_slow(edition: Edition, slow: patience.TooSlow) -> Problem:
    """The pattern where it is written, and the line of the source that it was tried on."""
    lines, _ = source.load(edition.folder / edition.source, edition.sha256, edition.file)
    tried = slow.text.strip()[:200]
    number = next((n for n, line in enumerate(lines, 1) if tried and tried in line), 0)
    finding = f"The pattern “{slow.pattern}” was still at work when {slow.seconds:g} seconds were over"
    return edition.written.problem_of(
        slow.pattern,
        f"{finding} (of all patterns together){f', in line {number} of {edition.source}' if number else ''}.",
        "A choice or a repetition inside a repetition has too many ways to match: leave one of the two out, or "
        "begin the pattern with ^ and what is printed.",
    )


def _read_one(edition: Edition, language: Language) -> Reading:
    reading = read(edition, language)
    nodes, dangling = reference.annotate(list(reading.nodes), edition, language)
    nodes, entries, unread = subject_index.parse(nodes, edition, language)
    scale, marked, misranked = strength.attach(edition.folder, nodes)
    spelt, misspelt = spelling.read_spellings(edition, bool(reading.nodes))
    return replace(
        reading,
        nodes=marked,
        scale=scale,
        index=tuple(entries),
        spelling=spelt,
        problems=tuple(
            sorted(
                [*reading.problems, *dangling, *unread, *misranked, *misspelt],
                key=lambda p: (not p.fatal, p.file, p.line),
            )
        ),
    )


def with_the_others(result: Ingest, corpus_dir: Path) -> Ingest:
    """The editions that were asked for together with all others, so that what is written is whole."""
    rest = tuple(e for e in manifest.list_editions(corpus_dir) if e not in result.readings)
    others = read_all(corpus_dir, rest) if rest else Ingest({}, {}, [], [])
    editions, readings = others.editions | result.editions, others.readings | result.readings
    readings, tables, faults = _together(corpus_dir, editions, readings)
    problems = list(dict.fromkeys([*result.problems, *others.problems, *faults]))
    return lay(Ingest(editions, readings, tables, problems, result.languages), corpus_dir)


def _with_slips(
    corpus_dir: Path, editions: dict[str, Edition], readings: dict[str, Reading]
) -> tuple[dict[str, Reading], list[Problem]]:
    """The readings with the reviewed slips on their nodes: only here are the texts at hand that they stand against."""
    read = [slip.read(edition.folder) for edition in editions.values()]
    rows = [row for found, _ in read for row in found if readings[row.node.edition].nodes]
    problems = [problem for _, faults in read for problem in faults]
    if not rows:
        return readings, problems
    if not slip.has_sentences(corpus_dir):
        return readings, [*problems, slip.unsaid(rows)]
    nodes = {n.id: replace(n, slips=()) for reading in readings.values() for n in reading.nodes}
    names = {id_: editions[id_].short if id_ in editions else id_ for id_ in manifest.list_editions(corpus_dir)}
    said, faults = slip.sentences(corpus_dir)
    if faults:
        return readings, problems + faults
    changed, faults = slip.attach(rows, nodes, said, names)
    nodes |= changed
    return {
        id_: replace(reading, nodes=tuple(nodes[n.id] for n in reading.nodes)) for id_, reading in readings.items()
    }, problems + faults


def _tables(
    corpus_dir: Path, editions: dict[str, Edition], readings: dict[str, Reading]
) -> tuple[list[concordance.Table], list[Problem]]:
    paths = {id_: {n.path for n in r.nodes} for id_, r in readings.items() if r.nodes}
    has_node = lambda edition, path: path in paths[edition] if edition in paths else None
    codes = {e.id: e.code for e in in_time(editions)}
    return concordance.read_tables(
        corpus_dir / "concordances", has_node, frozenset(manifest.list_editions(corpus_dir)), codes
    )


def write(result: Ingest, folder: Path) -> None:
    """Put the parsed corpus into place, as ``corpus/`` of a folder; the caller has made sure that nothing is fatal."""
    order = result.ordered
    rows = {
        "nodes.jsonl": [node_to_json(n) for e in order for n in result.readings[e.id].nodes],
        "links.jsonl": [pair_to_json(p) for p in result.links],
        "index.jsonl": [asdict(i) for e in order for i in result.readings[e.id].index],
        "tellings.jsonl": [to_json(t) for t in result.tellings],
        "corrections.jsonl": [asdict(c) for e in order for c in result.readings[e.id].corrections],
        "situations.jsonl": [to_json(s) for s in result.situations.all],
    }
    objects = {
        "editions.json": [to_json(identify(e, result.readings[e.id])) for e in order],
        "sources.json": {e.id: (e.folder / e.source).read_text(encoding="utf-8-sig") for e in order if e.source},
        "words.json": CitationWords.of(result.languages.values()).to_json(),
        "terms.json": [to_json(t) for t in result.terms.values()],
        "vocabulary.json": to_json(result.situations.vocabulary),
        "rulings.json": to_json(result.rulings),
        "conditions.json": to_json(result.conditions),
        "thresholds.json": [to_json(t) for t in result.thresholds],
        "alphabets.json": {code: to_json(language.alphabet) for code, language in result.languages.items()},
    }
    store.swap_in(folder / "corpus", lambda fresh: store.write_stored(fresh, rows, objects))


def identify(edition: Edition, reading: Reading) -> Identity:
    """The identity of an edition that was read, with what was found in it."""
    return replace(
        edition.identity,
        source_file=edition.source,
        spelling=reading.spelling,
        scale=reading.scale,
        corrections=Counter(c.basis for c in reading.corrections),
        dropped=Counter(d.rule for d in reading.dropped),
        kinds=Counter(n.kind for n in reading.nodes),
    )
