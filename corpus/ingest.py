"""Read the sources of all editions and the shared data, check them against each other, and write the parsed corpus.

:func:`read_editions` returns an :class:`IngestResult` with everything that was read and every problem.
:func:`with_layers` adds the data about all editions, by the table of ``corpus.layers``. :func:`write_corpus` writes the
files of the build.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from corpus import files, misprint, remarks, strength, subject_index
from corpus.edition import Edition, Identity, id_problem, list_editions, load_edition
from corpus.files import InvalidFile
from corpus.generation import CORPUS_PART, BuildStage, write_corpus_files
from corpus.inventory import inventory_problems
from corpus.json_values import node_to_json, pair_to_json, to_json, to_rows
from corpus.label import CitationWords
from corpus.language import Language, load_language
from corpus.layers import LAYERS, LEAST_NODES_FOR_PROCESSES, IngestResult, has_unread_edition, read_layers, sort_by_time
from corpus.model import Problem
from corpus.processes import run_in_processes
from corpus.reading import source
from corpus.reading.read import read_source
from corpus.reading.result import Reading
from corpus.reference import resolve
from corpus.relation import concordance, cross_checks
from corpus.strength import read_strength_file
from corpus.term.model import EverydayPlaces
from corpus.term.read import TermMarker


def with_layers(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """Return the result with the data that needs all editions.

    That is: links, the layers of the table in ``corpus.layers``, and the marks of terms, with their problems and those
    of :func:`corpus.inventory.inventory_problems`. Editions
    that could not be read are left out of the checks; their own problems are reported already.
    """
    there = replace(
        result,
        readings={id_: reading for id_, reading in result.readings.items() if reading.nodes},
        editions={
            id_: e for id_, e in result.editions.items() if id_ in result.readings and result.readings[id_].nodes
        },
    )
    few = len(there.nodes) < LEAST_NODES_FOR_PROCESSES
    with run_in_processes(_read_inventory, None, [corpus_dir], alone=few) as differences:
        linked = with_strength_problems(there.with_links(), corpus_dir)
        laid = with_term_marks(read_layers(linked, corpus_dir), corpus_dir)
        problems = list(dict.fromkeys([*laid.problems, *differences()[0]]))
    return replace(laid, editions=result.editions, readings=result.readings | laid.readings, problems=problems)


def _read_inventory(_shared: None, corpus_dir: Path) -> list[Problem]:
    return inventory_problems(corpus_dir)


def with_strength_problems(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """Return the result with further problems: those of strength marks that only a comparison with other editions
    finds.
    """
    files = {
        id_: read_strength_file(result.editions[id_].folder)
        for id_, reading in result.readings.items()
        if reading.scale
    }
    unread = has_unread_edition(result, corpus_dir)
    found = cross_checks.strength_problems(files, result.nodes, result.relations, unread)
    return replace(result, problems=[*result.problems, *found])


def with_term_marks(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """The result with the first uses of its terms marked in each provision, and in the printed subject indexes."""
    try:
        texts, _ = result.term_texts(corpus_dir)
    except InvalidFile:
        return result
    terms = result.terms
    places, readings = EverydayPlaces.of(terms.values(), texts.nodes), {}
    for id_, reading in result.readings.items():
        lang = result.editions[id_].lang
        spoken = texts.language_forms(lang)
        finder = TermMarker.of(id_, lang, spoken, terms.values(), places)
        index = subject_index.name_entries(reading.index, texts.nodes, terms, lang, spoken)
        readings[id_] = replace(reading, nodes=tuple(finder.mark(n) for n in reading.nodes), index=index)
    return replace(result, readings=readings)


class UnknownEdition(Exception):  # noqa: N818 – the request is wrong, not the program
    """No folder under ``editions/`` has an id that was requested."""


def read_editions(corpus_dir: Path, only: tuple[str, ...] = ()) -> IngestResult:
    """Return every edition, the concordance, and the data of :func:`with_layers`. Nothing is written.

    ``only``: ids of editions. Then no other edition and no data of :func:`with_layers` is read. Raises
    :class:`UnknownEdition` for an id without a folder.
    """
    known = list_editions(corpus_dir)
    if not known:
        problem = Problem(
            "editions",
            1,
            f"No edition in {corpus_dir / 'editions'}.",
            "Add a folder per edition; docs/add-an-edition.md shows how.",
        )
        return IngestResult({}, {}, [], [problem])
    if unknown := [id_ for id_ in only if id_ not in known]:
        there = ", ".join(known)
        raise UnknownEdition(f"There is no edition “{unknown[0]}” in {corpus_dir / 'editions'}. There are: {there}.")
    editions: dict[str, Edition] = {}
    spoken: dict[str, Language] = {}
    refused: dict[str, list[Problem]] = {}
    for id_ in only or known:
        try:
            edition = load_edition(corpus_dir / "editions" / id_)
            spoken[id_] = load_language(corpus_dir / "languages", edition.lang)
            editions[id_] = edition
        except InvalidFile as fault:
            refused[id_] = fault.problems
    readings = _read_texts(editions, spoken)
    problems = [p for id_ in only or known for p in (readings[id_].problems if id_ in readings else refused[id_])]
    readings, tables, faults = _read_shared_data(corpus_dir, editions, readings)
    languages, broken = _load_languages(corpus_dir, {p.file for p in problems})
    misnamed = _misnamed_edition_problems(editions, CitationWords.from_languages(languages.values()))
    result = IngestResult(editions, readings, tables, [*problems, *faults, *broken, *misnamed], languages)
    return result if only else with_layers(result, corpus_dir)


def _read_shared_data(
    corpus_dir: Path, editions: dict[str, Edition], readings: dict[str, Reading]
) -> tuple[dict[str, Reading], list[concordance.ConcordanceTable], list[Problem]]:
    """Return the readings with their misprints, the tables of the concordance, and the problems of all these data."""
    readings, misprint_faults = _with_misprints(corpus_dir, editions, readings)
    tables, faults = _read_concordance_tables(corpus_dir, editions, readings)
    return readings, tables, [*_repeated_source_problems(editions), *misprint_faults, *faults]


def _misnamed_edition_problems(editions: dict[str, Edition], words: CitationWords) -> list[Problem]:
    """Return a problem for each edition whose id a language reads as a citation: both would have the same address."""
    return [e.written.problem((), *wrong) for e in editions.values() if (wrong := id_problem(e.id, words))]


def _repeated_source_problems(editions: dict[str, Edition]) -> list[Problem]:
    """Return a problem for each edition whose source is the same as that of an edition before it."""
    first: dict[str, str] = {}
    repeated = [(e, first[e.sha256]) for id_, e in editions.items() if first.setdefault(e.sha256, id_) != id_]
    move = "Remove one of the two editions."
    return [e.written.problem(("sha256",), f"This is the same source as {other}.", move) for e, other in repeated]


def _load_languages(corpus_dir: Path, broken_files: set[str]) -> tuple[dict[str, Language], list[Problem]]:
    """Return code → language, and the problems. Those of ``broken_files`` are left out: they are reported already."""
    languages: dict[str, Language] = {}
    problems: list[Problem] = []
    for path in sorted((corpus_dir / "languages").glob("*.toml")):
        try:
            languages[path.stem] = load_language(path.parent, path.stem)
        except InvalidFile as refused:
            problems += [p for p in refused.problems if p.file not in broken_files]
    return languages, problems


LEAST_FOR_PROCESSES = 200_000  # bytes; shorter sources are read before other processes have started


def _read_texts(editions: Mapping[str, Edition], languages: Mapping[str, Language]) -> dict[str, Reading]:
    """Return id → reading of some editions, in their order. Each may be read in a process of its own.

    ``languages``: id of an edition → its language.
    """
    paths = {id_: edition.folder / edition.source for id_, edition in editions.items()}
    sizes = {id_: path.stat().st_size if path.is_file() else 0 for id_, path in paths.items()}
    ids = sorted(editions, key=lambda id_: -sizes[id_])  # the longest first, so that no process is left with it
    few = len(ids) < 2 or sum(sizes.values()) < LEAST_FOR_PROCESSES
    with run_in_processes(_read_text, (editions, languages), ids, alone=few) as readings:
        found = dict(zip(ids, readings(), strict=True))
    return {id_: found[id_] for id_ in editions}


def _read_text(shared: tuple[Mapping[str, Edition], Mapping[str, Language]], id_: str) -> Reading:
    editions, languages = shared
    return read_edition(editions[id_], languages[id_])


def read_edition(edition: Edition, language: Language) -> Reading:
    """The reading of one edition: references resolved, subject index proved, words marked by their strength.

    A pattern of its manifest that takes too long is a problem.
    """
    try:
        with files.limit_pattern_time():
            return _read_edition(edition, language)
    except files.PatternTooSlow as slow:
        problem = _too_slow_problem(edition, slow)
        return Reading(edition=edition.id, nodes=(), index=(), corrections=(), dropped=(), problems=(problem,))


def _too_slow_problem(edition: Edition, slow: files.PatternTooSlow) -> Problem:
    """The problem of a slow pattern: where it is written, and the line of the source it was tried on."""
    lines, _ = source.load_source_lines(edition)
    tried = slow.text.strip()[:200]
    number = next((n for n, line in enumerate(lines, 1) if tried and tried in line), 0)
    finding = f"The pattern “{slow.pattern}” was still at work when {slow.seconds:g} seconds were over"
    return edition.written.problem_with_words(
        slow.pattern,
        f"{finding} (of all patterns together){f', in line {number} of {edition.source}' if number else ''}.",
        "A choice or a repetition inside a repetition has too many ways to match: leave one of the two out, or "
        "begin the pattern with ^ and what is printed.",
    )


def _read_edition(edition: Edition, language: Language) -> Reading:
    """Do the same as :func:`read_edition`, and raise :class:`files.PatternTooSlow` when a pattern takes too long."""
    reading = read_source(edition, language)
    nodes, dangling = resolve.annotate_references(list(reading.nodes), edition, language)
    nodes, entries, unread = subject_index.read_index(nodes, edition)
    scale, marked, misranked = strength.attach_strengths(edition.folder, nodes)
    spelt, misspelt = remarks.read_spellings(edition, bool(reading.nodes))
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


def with_other_editions(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """The result with all other editions added, so that the corpus can be written as a whole."""
    rest = tuple(e for e in list_editions(corpus_dir) if e not in result.readings)
    others = read_editions(corpus_dir, rest) if rest else IngestResult({}, {}, [], [])
    editions, readings = others.editions | result.editions, others.readings | result.readings
    readings, tables, faults = _read_shared_data(corpus_dir, editions, readings)
    problems = list(dict.fromkeys([*result.problems, *others.problems, *faults]))
    return with_layers(IngestResult(editions, readings, tables, problems, result.languages), corpus_dir)


def _with_misprints(
    corpus_dir: Path, editions: dict[str, Edition], readings: dict[str, Reading]
) -> tuple[dict[str, Reading], list[Problem]]:
    """The readings with the reviewed misprints on their nodes. They need the other editions for their evidence."""
    read = [misprint.read_misprints(edition.folder) for edition in editions.values()]
    rows = [row for found, _ in read for row in found if readings[row.node.edition].nodes]
    problems = [problem for _, faults in read for problem in faults]
    problems += files.find_renamed_folder(corpus_dir, misprint.FOLDER)[1]
    if not rows:
        return readings, problems
    if not misprint.has_sentences(corpus_dir):
        return readings, [*problems, misprint.missing_sentences_problem(rows)]
    nodes = {n.id: replace(n, misprints=()) for reading in readings.values() for n in reading.nodes}
    names = {id_: editions[id_].short if id_ in editions else id_ for id_ in list_editions(corpus_dir)}
    sentences, faults = misprint.read_sentences(corpus_dir)
    if faults:
        return readings, problems + faults
    changed, faults = misprint.attach_misprints(rows, nodes, sentences, names)
    nodes |= changed
    return {
        id_: replace(reading, nodes=tuple(nodes[n.id] for n in reading.nodes)) for id_, reading in readings.items()
    }, problems + faults


def _read_concordance_tables(
    corpus_dir: Path, editions: dict[str, Edition], readings: dict[str, Reading]
) -> tuple[list[concordance.ConcordanceTable], list[Problem]]:
    paths = {id_: {n.path for n in r.nodes} for id_, r in readings.items() if r.nodes}
    has_node = lambda edition, path: path in paths[edition] if edition in paths else None
    codes = {e.id: e.code for e in sort_by_time(editions)}
    return concordance.read_tables(corpus_dir / "concordances", has_node, frozenset(list_editions(corpus_dir)), codes)


def write_corpus(result: IngestResult, stage: BuildStage) -> None:
    """Write the parsed corpus as a part of a stage. The caller makes sure that no problem is fatal."""
    order = result.editions_in_time
    rows = {
        "nodes.jsonl": [node_to_json(n) for e in order for n in result.readings[e.id].nodes],
        "links.jsonl": [pair_to_json(p) for p in result.links],
        "index.jsonl": [to_json(i) for e in order for i in result.readings[e.id].index],
        "corrections.jsonl": [to_json(c) for e in order for c in result.readings[e.id].corrections],
        **{layer.file: to_rows(result.layer(layer.name)) for layer in LAYERS},
    }
    objects = {
        "editions.json": [to_json(identity_with_counts(e, result.readings[e.id])) for e in order],
        "sources.json": {e.id: (e.folder / e.source).read_text(encoding="utf-8-sig") for e in order if e.source},
        # Sets have no order of their own.
        "words.json": msgspec.to_builtins(
            CitationWords.from_languages(result.languages.values()), order="deterministic"
        ),
        "alphabets.json": {code: to_json(language.alphabet) for code, language in result.languages.items()},
    }
    with stage.make_part(CORPUS_PART) as folder:
        write_corpus_files(folder, rows, objects)


def identity_with_counts(edition: Edition, reading: Reading) -> Identity:
    """The identity of an edition that was read, with the counts of what was found in it."""
    return replace(
        edition.identity,
        source_file=edition.source,
        spelling=reading.spelling,
        scale=reading.scale,
        corrections=Counter(c.basis for c in reading.corrections),
        dropped=Counter(d.rule for d in reading.dropped),
        kinds=Counter(n.kind for n in reading.nodes),
    )
