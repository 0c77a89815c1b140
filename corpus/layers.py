"""Layers: the kinds of data that people wrote about the texts of all editions. :data:`LAYERS` lists them.

A layer is read after the texts, in the order of the table. The build writes it to a file of the parsed corpus, and the
library loads it from there. A new kind of data is one module that reads it and one row here. A build made before the
row lacks the file and is refused with the next move, so the layout of the build keeps its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from corpus import edition, letters, remarks, threshold
from corpus.edition import Edition
from corpus.files import InvalidFile
from corpus.language import Language
from corpus.letters import Alphabet
from corpus.model import Node, NodeId, Pair, Problem
from corpus.processes import run_in_processes
from corpus.reading.result import Reading
from corpus.relation import alignment, cross_checks
from corpus.relation.concordance import ConcordanceTable
from corpus.relation.relations import Relations
from corpus.remarks import Conditions, Paraphrase
from corpus.ruling import Rulings, RulingTexts, read_rulings
from corpus.score.model import Scores, read_scores
from corpus.situation.fact import FactPhrases, read_fact_phrases
from corpus.situation.model import Situations, read_list
from corpus.situation.placement import QuotedTexts
from corpus.situation.read import read_situations
from corpus.subject_line import SubjectLine, read_subject_lines
from corpus.term.model import Term, Terms
from corpus.term.read import TermTexts, read_reviewed_editions, read_terms
from corpus.threshold import Threshold


@dataclass(frozen=True)
class IngestResult:
    """Everything that was read, and every problem.

    ``editions`` and ``readings`` are by id, ``languages`` by code (every language with a file). ``tables`` are the
    reviewed tables of the concordance. ``layers`` maps the name of each layer of :data:`LAYERS` to its value, when
    every edition was read. ``links`` are the alignment pairs of the editions of the laws, and the pairs in which a
    reviewer contradicts them; :meth:`with_links` makes them.
    """

    editions: dict[str, Edition]
    readings: dict[str, Reading]
    tables: list[ConcordanceTable]
    problems: list[Problem]
    languages: Mapping[str, Language] = field(default_factory=dict)
    layers: Mapping[str, Any] = field(default_factory=dict)
    links: tuple[Pair, ...] = ()

    def layer(self, name: str) -> Any:
        """The value of a layer; an empty one when it was not read."""
        return self.layers[name] if name in self.layers else layer_named(name).empty()

    @property
    def terms(self) -> Terms:
        """The terms of the laws, by slug."""
        return self.layer("terms")

    @property
    def situations(self) -> Situations:
        """The situations, and the closed lists that they use."""
        return self.layer("situations")

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
    def editions_to_align(self) -> list[alignment.EditionToAlign]:
        """The editions of the laws, in the order of time, with what the alignment needs of them. Decisions are left
        out.
        """
        return [
            alignment.EditionToAlign.of(e, self.readings[e.id].nodes)
            for e in self.editions_in_time
            if not e.is_decisions
        ]

    @cached_property
    def relations(self) -> Relations:
        """What corresponds to what in the texts of the laws. Only a result of :meth:`with_links` has it complete."""
        return Relations(self.editions_to_align, self.nodes, self.links)

    def with_links(self) -> IngestResult:
        """The result with its links. They take long to compute where no table was reviewed, so this is done once."""
        joints = alignment.alignment_pairs(self.editions_to_align, self.tables, self.alignment_proposer())
        return replace(self, links=(*joints, *alignment.exception_pairs(self.tables)))

    def term_texts(self, corpus_dir: Path) -> tuple[TermTexts, list[Problem]]:
        """The texts as the terms are checked against them, and the problems of the list of reviewed editions.

        The files are read at the first call, because reading the forms of all words takes half a second. Raises
        :class:`corpus.files.InvalidFile` when a list of word forms is broken.
        """
        if corpus_dir not in self._term_texts_by_folder:
            reviewed, unknown = read_reviewed_editions(corpus_dir, self.editions)
            texts = TermTexts(
                nodes=self.nodes,
                langs={e.id: e.lang for e in self.editions_in_time},
                reviewed=reviewed,
                forms={code: letters.read_lemmas_by_form(corpus_dir, code) for code in self.languages},
                alphabets=self._alphabets,
                unread=has_unread_edition(self, corpus_dir),
            )
            self._term_texts_by_folder[corpus_dir] = texts, unknown
        return self._term_texts_by_folder[corpus_dir]

    @cached_property
    def _term_texts_by_folder(self) -> dict[Path, tuple[TermTexts, list[Problem]]]:
        return {}

    @property
    def _alphabets(self) -> dict[str, Alphabet]:
        return {code: language.alphabet for code, language in self.languages.items()}

    def alignment_proposer(self) -> alignment.PairProposer:
        """A function that computes the alignment of two editions: (id, id) → {(path, path): score}."""
        alphabets = self._alphabets

        def propose(a: str, b: str) -> dict[tuple[str, str], float]:
            return alignment.propose_pairs(list(self.readings[a].nodes), list(self.readings[b].nodes), alphabets)

        return propose


def sort_by_time(editions: Mapping[str, Edition]) -> list[Edition]:
    """Editions in the order of time: by year, then id."""
    return sorted(editions.values(), key=lambda e: e.sort_key)


def has_unread_edition(result: IngestResult, corpus_dir: Path) -> bool:
    """Whether an edition could not be read completely. Then nobody knows what its text has."""
    readings = (result.readings.get(id_) for id_ in edition.list_editions(corpus_dir))
    return any(reading is None or any(p.fatal for p in reading.problems) for reading in readings)


# Below this, the layers are read before other processes have started.
LEAST_NODES_FOR_PROCESSES = 1000

# ── The readers ─────────────────────────────────────────────────────────────────────────────────

LayerReading = tuple[Any, list[Problem]]  # the value of a layer, and what is wrong in its files


def _read_terms(result: IngestResult, corpus_dir: Path) -> LayerReading:
    texts, unknown = result.term_texts(corpus_dir)
    terms, problems = read_terms(corpus_dir, texts)
    return terms, [*unknown, *problems]


def _read_situations(result: IngestResult, corpus_dir: Path) -> LayerReading:
    """Situations quote the texts of all editions."""
    codes = {e.id: e.code for e in result.editions_in_time if not e.is_decisions}
    texts = QuotedTexts(codes, result.nodes, unread=has_unread_edition(result, corpus_dir))
    disagree = lambda situation: cross_checks.disagreement_faults(situation, result.relations)
    return read_situations(corpus_dir, texts, disagree)


def _read_conditions(result: IngestResult, corpus_dir: Path) -> LayerReading:
    return remarks.read_conditions(corpus_dir, result.nodes, edition.list_editions(corpus_dir))


def _read_rulings(result: IngestResult, corpus_dir: Path) -> LayerReading:
    identities = {e.id: e.identity for e in result.editions_in_time}
    nodes = {id_: reading.nodes for id_, reading in result.readings.items()}
    known, unread = edition.list_editions(corpus_dir), has_unread_edition(result, corpus_dir)
    return read_rulings(corpus_dir, RulingTexts(identities, nodes, known, unread), result.layer("conditions"))


def _read_paraphrases(result: IngestResult, corpus_dir: Path) -> LayerReading:
    known = edition.list_editions(corpus_dir)
    return remarks.read_paraphrases(corpus_dir, result.nodes, known, result.languages.keys())


def _read_subject_lines(result: IngestResult, corpus_dir: Path) -> LayerReading:
    return read_subject_lines(corpus_dir, result.nodes, edition.list_editions(corpus_dir))


def _read_scores(result: IngestResult, corpus_dir: Path) -> LayerReading:
    read = {id_: result.editions[id_] for id_ in result.readings if id_ in result.editions}
    sources = {
        id_: tuple((e.folder / e.source).read_text(encoding="utf-8-sig", errors="replace").split("\n"))
        for id_, e in read.items()
        if e.source
    }
    codes = {e.id: e.code for e in result.editions_in_time if not e.is_decisions}
    return read_scores(corpus_dir, result.nodes, sources, codes)


def _read_fact_phrases(_result: IngestResult, corpus_dir: Path) -> LayerReading:
    facts, _ = read_list(corpus_dir / "vocabulary", "facts")  # its faults are reported with the situations
    return read_fact_phrases(corpus_dir, facts)


def _read_thresholds(result: IngestResult, corpus_dir: Path) -> LayerReading:
    whole = frozenset(e.id for e in result.editions.values() if e.complete and not e.is_decisions)
    causes = {
        (NodeId.of(t.older, row.older), NodeId.of(t.newer, row.newer)): (row.cause, ":".join(map(str, row.place)))
        for t in result.tables
        for row in t.rows
        if row.older and row.newer and row.cause and not t.through
    }
    texts = threshold.ThresholdTexts(result.nodes, edition.list_editions(corpus_dir), whole, causes)
    return threshold.read_thresholds(corpus_dir, texts)


# ── The table ───────────────────────────────────────────────────────────────────────────────────


class Layer(NamedTuple):
    """A kind of data about the texts.

    ``name`` is its key among the layers of a result and of a library, and the name of its file in the build. ``type``
    is the type of its value: a mapping, a tuple or a dataclass, as :func:`corpus.json_values.from_rows` reads it.
    ``empty`` makes the value without data. ``read`` takes what was read so far, with the layers before this one, and
    the folder of the data; it returns the value and the problems. ``takes_long``: it needs no other layer, so it may be
    read beside them.
    """

    name: str
    type: Any
    empty: Callable[[], Any]
    read: Callable[[IngestResult, Path], LayerReading]
    takes_long: bool = False

    @property
    def file(self) -> str:
        """The name of its file in the parsed corpus."""
        return f"{self.name}.jsonl"


LAYERS = (
    Layer("terms", Mapping[str, Term], dict, _read_terms),
    Layer("situations", Situations, Situations, _read_situations, takes_long=True),
    Layer("conditions", Conditions, Conditions, _read_conditions),
    Layer("rulings", Rulings, Rulings, _read_rulings),
    Layer("paraphrases", tuple[Paraphrase, ...], tuple, _read_paraphrases),
    Layer("thresholds", tuple[Threshold, ...], tuple, _read_thresholds),
    Layer("fact_phrases", tuple[FactPhrases, ...], tuple, _read_fact_phrases),
    Layer("subject_lines", tuple[SubjectLine, ...], tuple, _read_subject_lines),
    Layer("scores", Scores, Scores, _read_scores),
)


def layer_named(name: str) -> Layer:
    """The layer of a name. Raises :class:`KeyError` when there is none."""
    for layer in LAYERS:
        if layer.name == name:
            return layer
    raise KeyError(name)


def read_layers(result: IngestResult, corpus_dir: Path, names: tuple[str, ...] = ()) -> IngestResult:
    """The result with its layers, or only with those that ``names`` lists, and with their problems."""
    layers, found = dict(result.layers), dict[str, list[Problem]]()
    result = replace(result, layers=layers)  # one for all readers: it caches what they derive
    wanted = [layer for layer in LAYERS if not names or layer.name in names]
    beside = [layer for layer in wanted if layer.takes_long]
    alone = bool(names) or len(result.nodes) < LEAST_NODES_FOR_PROCESSES
    with run_in_processes(_read_layer, (result, corpus_dir), beside, alone=alone) as readings:
        for layer in wanted:
            if layer not in beside:
                layers[layer.name], found[layer.name] = _read_layer((result, corpus_dir), layer)
        for layer, (value, problems) in zip(beside, readings(), strict=True):
            layers[layer.name], found[layer.name] = value, problems
    return replace(result, problems=[*result.problems, *(p for layer in wanted for p in found[layer.name])])


def _read_layer(given: tuple[IngestResult, Path], layer: Layer) -> LayerReading:
    """Return the value of a layer and its problems; the empty value when a file of it cannot be read."""
    try:
        return layer.read(*given)
    except InvalidFile as refused:
        return layer.empty(), refused.problems
