"""From the sources to the parsed corpus: read, resolve references, align, write – whole or not at all."""
from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from corpus import alignment, concordance, edition as manifest, language, reference, store, subject_index
from corpus.edition import Edition, ManifestError
from corpus.model import Problem, Reading, node_to_json
from corpus.reading import reader


@dataclass(frozen=True)
class Ingest:
    """Readings by edition id, the alignment rows, and every problem found."""

    editions: dict[str, Edition]
    readings: dict[str, Reading]
    pairs: list
    problems: list[Problem]

    @property
    def fatal(self) -> list[Problem]:
        return [p for p in self.problems if p.fatal]


class UnknownEdition(Exception):
    """An id that no folder under ``editions/`` has."""


def read_all(corpus_dir: Path, only: tuple[str, ...] = ()) -> Ingest:
    """Read every edition (or only some) and align them; nothing is written."""
    known = manifest.list_editions(corpus_dir)
    if not known:
        problem = Problem("editions", 1, f"No edition in {corpus_dir / 'editions'}.", "Add a folder per edition; docs/add-an-edition.md shows how.")
        return Ingest({}, {}, [], [problem])
    for id_ in only:
        if id_ not in known:
            raise UnknownEdition(f"There is no edition “{id_}” in {corpus_dir / 'editions'}. There are: {', '.join(known)}.")
    editions, readings, problems, seen = {}, {}, [], {}
    for id_ in only or known:
        try:
            edition = manifest.load(corpus_dir / "editions" / id_)
            twin = seen.setdefault(edition.sha256, id_)
            if twin != id_:
                problems.append(Problem(edition.manifest_file, edition.manifest_line("sha256"), f"This is the same source as {twin}.", "Remove one of the two editions."))
            words = language.load(corpus_dir / "languages", edition.lang)
        except ManifestError as error:
            problems += error.problems
            continue
        except language.LanguageError as error:
            problems.append(error.problem)
            continue
        editions[id_] = edition
        readings[id_] = read_one(edition, words)
        problems += readings[id_].problems
    pairs, more = _align(corpus_dir, editions, readings)
    return Ingest(editions, readings, pairs, problems + more)


def read_one(edition: Edition, words: language.Language) -> Reading:
    """One edition with its references resolved and its subject index parsed."""
    reading = reader.read(edition, words)
    nodes, dangling = reference.annotate(list(reading.nodes), edition, words)
    nodes, entries, unread = subject_index.parse(nodes, edition, words)
    return replace(reading, nodes=tuple(nodes), index=tuple(entries), problems=reading.problems + tuple(dangling) + tuple(unread))


def with_the_others(result: Ingest, corpus_dir: Path) -> Ingest:
    """The editions that were asked for together with all others, so that what is written is whole."""
    rest = tuple(e for e in manifest.list_editions(corpus_dir) if e not in result.readings)
    others = read_all(corpus_dir, rest) if rest else Ingest({}, {}, [], [])
    editions, readings = others.editions | result.editions, others.readings | result.readings
    pairs, _ = _align(corpus_dir, editions, readings)
    return Ingest(editions, readings, pairs, result.problems + others.problems)


def _align(corpus_dir: Path, editions, readings):
    rows, problems = concordance.read_tables(corpus_dir / "concordances")
    paths = {id_: {n.path for n in r.nodes} for id_, r in readings.items()}

    def has_node(edition, path):
        return path in paths[edition] if edition in paths else None

    problems += concordance.check(rows, has_node, frozenset(manifest.list_editions(corpus_dir)))
    return concordance.align(rows, {id_: e.year for id_, e in editions.items()}, has_node, proposer(readings)), problems


def proposer(readings: dict[str, Reading]):
    """A function that computes the alignment of two editions as {(path, path): score}."""
    path = lambda id_: id_.split("/", 1)[1]

    def propose(a: str, b: str) -> dict[tuple[str, str], float]:
        found = alignment.propose(list(readings[a].nodes), list(readings[b].nodes))
        return {(path(p.a), path(p.b)): p.score for p in found}
    return propose


def write(result: Ingest, build_dir: Path, inputs: dict[str, str]) -> None:
    """Put the parsed corpus into place; the caller has made sure that nothing is fatal."""
    order = sorted(result.editions.values(), key=lambda e: (e.year, e.id))
    rows = {
        "nodes.jsonl": [node_to_json(n) for e in order for n in result.readings[e.id].nodes],
        "alignment.jsonl": [asdict(p) for p in result.pairs],
        "index.jsonl": [asdict(i) for e in order for i in result.readings[e.id].index],
        "corrections.jsonl": [asdict(c) for e in order for c in result.readings[e.id].corrections],
    }
    about = [describe(e, result.readings[e.id]) for e in order]
    store.swap_in(build_dir / "corpus", lambda folder: store.write(folder, rows, about, inputs))


def describe(edition: Edition, reading: Reading) -> dict:
    """What the site and the API say about an edition."""
    keys = ("id", "title", "short", "lang", "year", "publisher", "body", "country", "issued", "translator", "sha256",
            "in_force_since", "superseded_by", "complete", "proofread", "modifies", "citation")
    prose = {k: getattr(edition, k) for k in ("editors", "provenance", "rights", "in_force_note", "completeness_note")}
    lists = {k: [asdict(row) for row in getattr(edition, k)] for k in ("links", "notices", "precedence")}
    counts: dict[str, int] = {}
    for c in reading.corrections:
        counts[c.basis] = counts.get(c.basis, 0) + 1
    dropped: dict[str, int] = {}
    for d in reading.dropped:
        dropped[d.rule] = dropped.get(d.rule, 0) + 1
    kinds: dict[str, int] = {}
    for n in reading.nodes:
        kinds[n.kind] = kinds.get(n.kind, 0) + 1
    force = {"in_force": bool(edition.in_force), "in_force_stated": edition.in_force is not None or edition.superseded_by is not None}
    # A program gets the first text of each; ``prose`` has all of them by language.
    plain = {k: next(iter(texts.values()), "") for k, texts in prose.items()}
    return ({k: getattr(edition, k) for k in keys} | plain | {"prose": prose} | lists | force
            | {"decisions": edition.decisions.kinds(), "corrections": counts, "dropped": dropped, "kinds": kinds})


def input_digests(corpus_dir: Path) -> dict[str, str]:
    """Digests of everything the parsed corpus is made from, by path below the corpus folder."""
    files = [p for folder in ("editions", "languages", "concordances", "terms") for p in sorted((corpus_dir / folder).rglob("*")) if p.is_file()]
    return {str(p.relative_to(corpus_dir)): store.digest(p) for p in files}
