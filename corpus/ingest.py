"""From the sources to the parsed corpus: read, resolve references, align, write – whole or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from corpus import condition, reference, slip, spelling, store, strength, subject_index
from corpus.account import Reading
from corpus.checked import Refused
from corpus.condition import Conditions
from corpus.edition import Edition, manifest
from corpus.edition.identity import Identity
from corpus.exchange import node_to_json, pair_to_json, to_json
from corpus.label.typed import CitationWords
from corpus.language import Language
from corpus.language import load as load_language
from corpus.model import Pair, Problem
from corpus.reading.read import read
from corpus.relation import agreement, concordance, proposal, spine
from corpus.relation.relations import Relations
from corpus.ruling.model import Rulings
from corpus.ruling.read import Texts as RuledTexts
from corpus.ruling.read import read as read_rulings
from corpus.situation.model import Situations
from corpus.situation.quotes import Texts
from corpus.situation.read import read as read_situations
from corpus.subject_index import named
from corpus.term import find, proof
from corpus.term.everyday import Places
from corpus.term.model import Terms
from corpus.term.read import read as read_terms
from corpus.word import lists


@dataclass(frozen=True)
class Ingest:
    """What was read: editions and readings by id, the reviewed tables of the concordance, every problem found, and
    every language that there is a file for, by code; the terms, situations, rulings and conditions where every edition
    was read.
    """

    editions: dict[str, Edition]
    readings: dict[str, Reading]
    tables: list[concordance.Table]
    problems: list[Problem]
    languages: Mapping[str, Language] = field(default_factory=dict)
    situations: Situations = field(default_factory=Situations)
    terms: Terms = field(default_factory=dict)
    rulings: Rulings = field(default_factory=Rulings)
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def fatal(self) -> list[Problem]:
        """The problems that keep the corpus from being published."""
        return [p for p in self.problems if p.fatal]


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
    result = Ingest(editions, readings, tables, [*problems, *faults, *broken], languages)
    return result if only else _whole(result, corpus_dir)


def _together(
    corpus_dir: Path, editions: dict[str, Edition], readings: dict[str, Reading]
) -> tuple[dict[str, Reading], list[concordance.Table], list[Problem]]:
    """What only shows when editions are seen together: slips on their nodes, the reviewed tables, a source twice."""
    readings, slips = _with_slips(corpus_dir, editions, readings)
    tables, faults = _tables(corpus_dir, editions, readings)
    return readings, tables, [*_twins(editions), *slips, *faults]


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
    """One edition with its references resolved, its subject index parsed and its words marked by their strength."""
    reading = read(edition, language)
    nodes, dangling = reference.annotate(list(reading.nodes), edition, language)
    nodes, entries, unread = subject_index.parse(nodes, edition, language)
    scale, marked, misranked = strength.attach(edition.folder, nodes)
    spelt, misspelt = spelling.read(edition)
    return replace(
        reading,
        nodes=marked,
        scale=scale,
        index=tuple(entries),
        spelling=spelt,
        problems=reading.problems + tuple(dangling) + tuple(unread) + tuple(misranked) + tuple(misspelt),
    )


def with_the_others(result: Ingest, corpus_dir: Path) -> Ingest:
    """The editions that were asked for together with all others, so that what is written is whole."""
    rest = tuple(e for e in manifest.list_editions(corpus_dir) if e not in result.readings)
    others = read_all(corpus_dir, rest) if rest else Ingest({}, {}, [], [])
    editions, readings = others.editions | result.editions, others.readings | result.readings
    readings, tables, faults = _together(corpus_dir, editions, readings)
    problems = list(dict.fromkeys([*result.problems, *others.problems, *faults]))
    return _whole(Ingest(editions, readings, tables, problems, result.languages), corpus_dir)


def _whole(result: Ingest, corpus_dir: Path) -> Ingest:
    """With what is about the texts of all editions."""
    return with_rulings(with_situations(with_terms(result, corpus_dir), corpus_dir), corpus_dir)


def with_terms(result: Ingest, corpus_dir: Path) -> Ingest:
    """With the terms of the laws, and where each provision uses them first."""
    try:
        forms = {code: lists.forms(corpus_dir, code) for code in result.languages}
    except Refused as refused:
        return replace(result, problems=[*result.problems, *refused.problems])
    texts = proof.Texts(
        nodes={n.id: n for reading in result.readings.values() for n in reading.nodes},
        langs={e.id: e.lang for e in _in_time(result.editions)},
        whole=frozenset(e.id for e in result.editions.values() if e.complete and not e.is_decisions),
        forms=forms,
        alphabets={code: language.alphabet for code, language in result.languages.items()},
    )
    terms, problems = read_terms(corpus_dir, texts)
    places, readings = Places.of(terms.values(), texts.nodes), {}
    for id_, reading in result.readings.items():
        lang = result.editions[id_].lang
        spoken = texts.spoken(lang)
        finder = find.Finder.of(id_, lang, spoken, terms.values(), places)
        index = named.named(reading.index, texts.nodes, terms, lang, spoken)
        readings[id_] = replace(reading, nodes=tuple(finder.mark(n) for n in reading.nodes), index=index)
    return replace(result, readings=readings, terms=terms, problems=[*result.problems, *problems])


def with_situations(result: Ingest, corpus_dir: Path) -> Ingest:
    """With the situations, which quote the texts of all editions."""
    nodes = {n.id: n for reading in result.readings.values() for n in reading.nodes}
    codes = {e.id: e.code for e in _in_time(result.editions) if not e.is_decisions}
    relations = Relations(_listings(result), nodes, links(result))
    disagree = lambda situation: agreement.faults(situation, relations)
    situations, problems = read_situations(corpus_dir, Texts(codes, nodes), disagree)
    return replace(result, situations=situations, problems=[*result.problems, *problems])


def with_rulings(result: Ingest, corpus_dir: Path) -> Ingest:
    """With what bodies ruled on the texts, and with what holds only under a condition."""
    known = manifest.list_editions(corpus_dir)
    read = {id_: reading.nodes for id_, reading in result.readings.items()}
    every = {n.id: n for nodes in read.values() for n in nodes}
    conditions, unread = condition.read(corpus_dir, every, known)
    identities = {e.id: e.identity for e in _in_time(result.editions)}
    rulings, faults = read_rulings(corpus_dir, RuledTexts(identities, read, known), conditions)
    problems = [*result.problems, *unread, *faults]
    return replace(result, rulings=rulings, conditions=conditions, problems=problems)


def _with_slips(
    corpus_dir: Path, editions: dict[str, Edition], readings: dict[str, Reading]
) -> tuple[dict[str, Reading], list[Problem]]:
    """The readings with the reviewed slips on their nodes: only here are the texts at hand that they stand against."""
    read = [slip.read(edition.folder) for edition in editions.values()]
    rows = [row for found, _ in read for row in found]
    problems = [problem for _, faults in read for problem in faults]
    if not rows:
        return readings, problems
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
    paths = {id_: {n.path for n in r.nodes} for id_, r in readings.items()}
    has_node = lambda edition, path: path in paths[edition] if edition in paths else None
    codes = {e.id: e.code for e in _in_time(editions)}
    return concordance.read_tables(
        corpus_dir / "concordances", has_node, frozenset(manifest.list_editions(corpus_dir)), codes
    )


def _in_time(editions: dict[str, Edition]) -> list[Edition]:
    return sorted(editions.values(), key=lambda e: e.order)


def links(result: Ingest) -> list[Pair]:
    """The joints of the editions of the laws, and the exceptions: what ``corpus.relation.relations`` reads."""
    return spine.joints(_listings(result), result.tables, proposer(result)) + spine.exceptions(result.tables)


def _listings(result: Ingest) -> list[spine.Listing]:
    return [spine.Listing.of(e, result.readings[e.id].nodes) for e in _in_time(result.editions) if not e.is_decisions]


def proposer(result: Ingest) -> spine.Propose:
    """A function that computes the alignment of two editions as {(path, path): score}."""
    alphabets = {code: language.alphabet for code, language in result.languages.items()}

    def propose(a: str, b: str) -> dict[tuple[str, str], float]:
        return proposal.propose(list(result.readings[a].nodes), list(result.readings[b].nodes), alphabets)

    return propose


def write(result: Ingest, build_dir: Path) -> None:
    """Put the parsed corpus into place; the caller has made sure that nothing is fatal."""
    order = _in_time(result.editions)
    rows = {
        "nodes.jsonl": [node_to_json(n) for e in order for n in result.readings[e.id].nodes],
        "links.jsonl": [pair_to_json(p) for p in links(result)],
        "index.jsonl": [asdict(i) for e in order for i in result.readings[e.id].index],
        "corrections.jsonl": [asdict(c) for e in order for c in result.readings[e.id].corrections],
    }
    objects = {
        "editions.json": [to_json(identify(e, result.readings[e.id])) for e in order],
        "words.json": CitationWords.of(result.languages.values()).to_json(),
        "situations.json": [to_json(s) for s in result.situations.all],
        "terms.json": [to_json(t) for t in result.terms.values()],
        "vocabulary.json": to_json(result.situations.vocabulary),
        "rulings.json": to_json(result.rulings),
        "conditions.json": to_json(result.conditions),
        "alphabets.json": {code: to_json(language.alphabet) for code, language in result.languages.items()},
    }
    store.swap_in(build_dir / "corpus", lambda folder: store.write(folder, rows, objects))


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
