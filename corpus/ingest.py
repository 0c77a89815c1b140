"""Read the sources of all editions and the shared data, check them against each other, and write the parsed corpus.

:func:`read_editions` returns an :class:`IngestResult` with everything that was read and every problem.
:func:`with_layers` adds the data about all editions: terms, situations, rulings … :func:`write_corpus` writes the files
of the build, whole or not at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path

from corpus import edition, files, generation, letters, misprint, remarks, strength, subject_index, threshold
from corpus.edition import Edition, Identity, id_problem, list_editions, load_edition
from corpus.files import InvalidFile
from corpus.json_values import node_to_json, pair_to_json, to_json
from corpus.label import CitationWords
from corpus.language import Language, load_language
from corpus.model import Node, NodeId, Pair, Problem
from corpus.reading import source
from corpus.reading.read import read_source
from corpus.reading.result import Reading
from corpus.reference import resolve
from corpus.relation import alignment, concordance, cross_checks
from corpus.relation.relations import Relations
from corpus.remarks import Conditions, Paraphrase
from corpus.ruling import Rulings, RulingTexts, read_rulings
from corpus.situation.model import Situations
from corpus.situation.placement import QuotedTexts
from corpus.situation.read import read_situations
from corpus.strength import read_strength_file
from corpus.term.model import EverydayPlaces, Terms
from corpus.term.read import TermMarker, TermTexts, read_reviewed, read_terms
from corpus.threshold import Threshold


@dataclass(frozen=True)
class IngestResult:
    """Everything that was read, and every problem.

    ``editions`` and ``readings`` are by id, ``languages`` by code (every language with a file). ``tables`` are the
    reviewed tables of the concordance. ``terms``, ``situations``, ``rulings``, ``conditions``, ``tellings`` (the
    paraphrases) and ``thresholds`` are there when every edition was read. ``links`` are the alignment pairs of the
    editions of the laws, and the pairs in which a reviewer contradicts them; :meth:`with_links` makes them.
    """

    editions: dict[str, Edition]
    readings: dict[str, Reading]
    tables: list[concordance.ConcordanceTable]
    problems: list[Problem]
    languages: Mapping[str, Language] = field(default_factory=dict)
    situations: Situations = field(default_factory=Situations)
    terms: Terms = field(default_factory=dict)
    rulings: Rulings = field(default_factory=Rulings)
    conditions: Conditions = field(default_factory=Conditions)
    tellings: tuple[Paraphrase, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    links: tuple[Pair, ...] = ()

    @property
    def fatal_problems(self) -> list[Problem]:
        """The problems that prevent the corpus from being published."""
        return [p for p in self.problems if p.fatal]

    @cached_property
    def nodes(self) -> dict[NodeId, Node]:
        """The nodes of every edition, by id."""
        return {n.id: n for reading in self.readings.values() for n in reading.nodes}

    @property
    def editions_in_time(self) -> list[Edition]:
        """The editions in the order of time: by year, then id."""
        return sort_by_time(self.editions)

    @property
    def listings(self) -> list[alignment.Listing]:
        """The editions of the laws, without decisions, as the alignment needs them, in the order of time."""
        return [alignment.Listing.of(e, self.readings[e.id].nodes) for e in self.editions_in_time if not e.is_decisions]

    def with_links(self) -> IngestResult:
        """The result with its links. They take long to compute where no table was reviewed, so this is done once."""
        joints = alignment.alignment_pairs(self.listings, self.tables, self.alignment_proposer())
        return replace(self, links=(*joints, *alignment.exception_pairs(self.tables)))

    def alignment_proposer(self) -> alignment.PairProposer:
        """A function that computes the alignment of two editions: (id, id) → {(path, path): score}."""
        alphabets = {code: language.alphabet for code, language in self.languages.items()}

        def propose(a: str, b: str) -> dict[tuple[str, str], float]:
            return alignment.propose_pairs(list(self.readings[a].nodes), list(self.readings[b].nodes), alphabets)

        return propose


def sort_by_time(editions: Mapping[str, Edition]) -> list[Edition]:
    """Editions in the order of time: by year, then id."""
    return sorted(editions.values(), key=lambda e: e.sort_key)


def with_layers(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """Return the result with the data that needs all editions.

    That is: links, terms, situations, rulings, conditions, paraphrases and thresholds, with their problems. Editions
    that could not be read are left out of the checks; their own problems are reported already.
    """
    there = replace(
        result,
        readings={id_: reading for id_, reading in result.readings.items() if reading.nodes},
        editions={
            id_: e for id_, e in result.editions.items() if id_ in result.readings and result.readings[id_].nodes
        },
    )
    laid = with_strengths(there.with_links(), corpus_dir)
    laid = with_rulings(with_situations(with_terms(laid, corpus_dir), corpus_dir), corpus_dir)
    laid = with_thresholds(with_paraphrases(laid, corpus_dir), corpus_dir)
    return replace(laid, editions=result.editions, readings=result.readings | laid.readings)


def _has_unread_edition(result: IngestResult, corpus_dir: Path) -> bool:
    """Whether an edition could not be read completely. Then nobody knows what its text has."""
    readings = (result.readings.get(id_) for id_ in edition.list_editions(corpus_dir))
    return any(reading is None or any(p.fatal for p in reading.problems) for reading in readings)


def with_strengths(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """Return the result with the problems of strength marks that only a comparison with other editions finds."""
    files = {
        id_: read_strength_file(result.editions[id_].folder)
        for id_, reading in result.readings.items()
        if reading.scale
    }
    relations = Relations(result.listings, result.nodes, result.links)
    found = cross_checks.strength_problems(files, result.nodes, relations, _has_unread_edition(result, corpus_dir))
    return replace(result, problems=[*result.problems, *found])


def with_terms(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """The result with the terms of the laws, and their first uses marked in each provision."""
    try:
        forms = {code: letters.read_forms(corpus_dir, code) for code in result.languages}
    except InvalidFile as refused:
        return replace(result, problems=[*result.problems, *refused.problems])
    reviewed, unknown = read_reviewed(corpus_dir, result.editions)
    texts = TermTexts(
        nodes=result.nodes,
        langs={e.id: e.lang for e in result.editions_in_time},
        reviewed=reviewed,
        forms=forms,
        alphabets={code: language.alphabet for code, language in result.languages.items()},
        unread=_has_unread_edition(result, corpus_dir),
    )
    terms, problems = read_terms(corpus_dir, texts)
    places, readings = EverydayPlaces.of(terms.values(), texts.nodes), {}
    for id_, reading in result.readings.items():
        lang = result.editions[id_].lang
        spoken = texts.language_forms(lang)
        finder = TermMarker.of(id_, lang, spoken, terms.values(), places)
        index = subject_index.name_entries(reading.index, texts.nodes, terms, lang, spoken)
        readings[id_] = replace(reading, nodes=tuple(finder.mark(n) for n in reading.nodes), index=index)
    return replace(result, readings=readings, terms=terms, problems=[*result.problems, *unknown, *problems])


def with_situations(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """The result with the situations, which quote the texts of all editions."""
    codes = {e.id: e.code for e in result.editions_in_time if not e.is_decisions}
    relations = Relations(result.listings, result.nodes, result.links)
    disagree = lambda situation: cross_checks.agreement_faults(situation, relations)
    situations, problems = read_situations(
        corpus_dir, QuotedTexts(codes, result.nodes, unread=_has_unread_edition(result, corpus_dir)), disagree
    )
    return replace(result, situations=situations, problems=[*result.problems, *problems])


def with_rulings(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """The result with the rulings of bodies on the texts, and with what holds only under a condition."""
    known = edition.list_editions(corpus_dir)
    read = {id_: reading.nodes for id_, reading in result.readings.items()}
    conditions, unread = remarks.read_conditions(corpus_dir, result.nodes, known)
    identities = {e.id: e.identity for e in result.editions_in_time}
    rulings, faults = read_rulings(
        corpus_dir, RulingTexts(identities, read, known, _has_unread_edition(result, corpus_dir)), conditions
    )
    problems = [*result.problems, *unread, *faults]
    return replace(result, rulings=rulings, conditions=conditions, problems=problems)


def with_paraphrases(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """The result with paraphrases: everyday words for what provisions decide."""
    tellings, problems = remarks.read_paraphrases(
        corpus_dir, result.nodes, edition.list_editions(corpus_dir), result.languages.keys()
    )
    return replace(result, tellings=tellings, problems=[*result.problems, *problems])


def with_thresholds(result: IngestResult, corpus_dir: Path) -> IngestResult:
    """The result with the thresholds: how sure a Director must be, as the texts print it."""
    whole = frozenset(e.id for e in result.editions.values() if e.complete and not e.is_decisions)
    causes = {
        (NodeId.of(t.older, row.older), NodeId.of(t.newer, row.newer)): (row.cause, ":".join(map(str, row.place)))
        for t in result.tables
        for row in t.rows
        if row.older and row.newer and row.cause and not t.through
    }
    texts = threshold.ThresholdTexts(result.nodes, edition.list_editions(corpus_dir), whole, causes)
    thresholds, problems = threshold.read_thresholds(corpus_dir, texts)
    return replace(result, thresholds=thresholds, problems=[*result.problems, *problems])


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
    editions, readings, problems = {}, {}, []
    for id_ in only or known:
        try:
            edition = load_edition(corpus_dir / "editions" / id_)
            language = load_language(corpus_dir / "languages", edition.lang)
        except InvalidFile as refused:
            problems += refused.problems
            continue
        editions[id_], readings[id_] = edition, read_edition(edition, language)
        problems += readings[id_].problems
    readings, tables, faults = _read_shared_data(corpus_dir, editions, readings)
    languages, broken = _load_languages(corpus_dir, {p.file for p in problems})
    misnamed = _misnamed_edition_problems(editions, CitationWords.from_languages(languages.values()))
    result = IngestResult(editions, readings, tables, [*problems, *faults, *broken, *misnamed], languages)
    return result if only else with_layers(result, corpus_dir)


def _read_shared_data(
    corpus_dir: Path, editions: dict[str, Edition], readings: dict[str, Reading]
) -> tuple[dict[str, Reading], list[concordance.ConcordanceTable], list[Problem]]:
    """Return the readings with their misprints, the tables of the concordance, and the problems of all these data."""
    readings, slips = _with_misprints(corpus_dir, editions, readings)
    tables, faults = _read_concordance_tables(corpus_dir, editions, readings)
    return readings, tables, [*_repeated_source_problems(editions), *slips, *faults]


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


def read_edition(edition: Edition, language: Language) -> Reading:
    """The reading of one edition: references resolved, subject index parsed, words marked by their strength.

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
    lines, _ = source.load_source_lines(edition.folder / edition.source, edition.sha256, edition.source_name)
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
    reading = read_source(edition, language)
    nodes, dangling = resolve.annotate_references(list(reading.nodes), edition, language)
    nodes, entries, unread = subject_index.parse_index(nodes, edition, language)
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
    if not rows:
        return readings, problems
    if not misprint.has_sentences(corpus_dir):
        return readings, [*problems, misprint.missing_sentences_problem(rows)]
    nodes = {n.id: replace(n, slips=()) for reading in readings.values() for n in reading.nodes}
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


def write_corpus(result: IngestResult, folder: Path) -> None:
    """Write the parsed corpus as ``corpus/`` of a folder. The caller makes sure that no problem is fatal."""
    order = result.editions_in_time
    rows = {
        "nodes.jsonl": [node_to_json(n) for e in order for n in result.readings[e.id].nodes],
        "links.jsonl": [pair_to_json(p) for p in result.links],
        "index.jsonl": [asdict(i) for e in order for i in result.readings[e.id].index],
        "tellings.jsonl": [to_json(t) for t in result.tellings],
        "corrections.jsonl": [asdict(c) for e in order for c in result.readings[e.id].corrections],
        "situations.jsonl": [to_json(s) for s in result.situations.all],
    }
    objects = {
        "editions.json": [to_json(identity_with_counts(e, result.readings[e.id])) for e in order],
        "sources.json": {e.id: (e.folder / e.source).read_text(encoding="utf-8-sig") for e in order if e.source},
        "words.json": CitationWords.from_languages(result.languages.values()).to_json(),
        "terms.json": [to_json(t) for t in result.terms.values()],
        "vocabulary.json": to_json(result.situations.vocabulary),
        "rulings.json": to_json(result.rulings),
        "conditions.json": to_json(result.conditions),
        "thresholds.json": [to_json(t) for t in result.thresholds],
        "alphabets.json": {code: to_json(language.alphabet) for code, language in result.languages.items()},
    }
    generation.replace_folder(folder / "corpus", lambda fresh: generation.write_corpus_files(fresh, rows, objects))


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
