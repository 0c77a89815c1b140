"""Sentences → what is learned of them: linear support vector machines over tf-idf, each situation against all others,
and each law against all others (scikit-learn; docs/why/finding-situations.md); and where the tellings stand in that
space.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import chain
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, NamedTuple, TypeVar

import numpy as np
from scipy.sparse import csr_matrix

from corpus.library import Library
from corpus.model import Node, NodeId
from index.classifier import ClassifierModel, ParaphraseMatrix, extract_features
from index.concept import Concepts
from index.lexicon import Lexicon
from index.weights import CLASSIFIER_WEIGHTS, ClassifierWeights

Piece = TypeVar("Piece")
Result = TypeVar("Result")

_shared: Any = None  # in a process of ours: what all pieces have in common


@contextmanager
def run_in_processes(
    work: Callable[[Any, Piece], Result], shared: Any, pieces: Sequence[Piece], *, alone: bool = False
) -> Iterator[Callable[[], list[Result]]]:
    """Begin ``work(shared, piece)`` for every piece; what is yielded waits for what comes of them, in their order.

    ``shared`` is not copied: the processes are forked with it. ``alone``: here, when it is asked for; so it is where
    there is but one core, and where a process must not be forked. Leaving early gives the rest up.
    """
    count = min(len(pieces), len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1)
    if alone or count < 2:
        yield lambda: [work(shared, piece) for piece in pieces]
        return
    pool = ProcessPoolExecutor(count, get_context("fork"), _start_process, (shared,))
    try:
        begun: list[Future[Result]] = [pool.submit(_run_piece, work, piece) for piece in pieces]
        yield lambda: [future.result() for future in begun]
    finally:
        pool.shutdown(cancel_futures=True)


def _start_process(shared: Any) -> None:
    global _shared  # noqa: PLW0603 – a process of the pool has nothing else to keep it in
    _shared = shared
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for pieces for ever, and keep the lock of the build."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _run_piece(work: Callable[[Any, Piece], Result], piece: Piece) -> Result:
    return work(_shared, piece)


LEAST_SENTENCES = 2  # a feature of fewer sentences tells that sentence again, and nothing of another one
MOST_PROVISIONS, MOST_LETTERS = 4, 400  # so many provisions of a situation, and letters of each, are read as told of it
SENTENCES_PER_PIECE = 2000  # sentences whose features one process takes at once
FEWEST_FOR_PROCESSES = 5000  # fewer sentences are learned of before other processes have begun


class TrainingSentence(NamedTuple):
    """Words, with what they are told of: a situation, a law, a provision of it; empty where that is not known."""

    lang: str
    text: str
    situation: str = ""
    law: NodeId | None = None
    provision: NodeId | None = None


def train(
    told: Iterable[TrainingSentence],
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
) -> ClassifierModel:
    """What sentences teach; of fewer than three situations or laws nothing is learned of these."""
    with training(told, lexicons, concepts, weights) as lesson:
        return lesson()


@contextmanager
def training(
    told: Iterable[TrainingSentence],
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
) -> Iterator[Callable[[], ClassifierModel]]:
    """The same, begun in processes of its own where there is much of it; what is yielded waits for the lesson. The same
    sentences teach the same, to the last bit, however many processes there are.
    """
    told = list(told)
    few = len(told) < FEWEST_FOR_PROCESSES
    vectors = _vectorise(told, lexicons, concepts, weights, few)
    if vectors is None:
        yield lambda: ClassifierModel(
            (), (), {}, np.zeros(0), np.ones(0), np.zeros((0, 0), dtype=np.int8), _empty_paraphrase_matrix(0)
        )
        return
    known, matrix = vectors
    from index.svm import LinearWeights, TrainingClasses, fit_tfidf, train_svm

    matrix, rarities = fit_tfidf(matrix)
    order = sorted(range(len(known)), key=known.__getitem__)
    asked = [
        TrainingClasses.of(matrix, [s.situation for s in told], weights.slack),
        TrainingClasses.of(matrix, [s.law or "" for s in told], weights.slack_of_laws),
    ]

    def build_model(learned: list[LinearWeights]) -> ClassifierModel:
        steps, scale, bias = (np.concatenate(parts, axis=-1) for parts in zip(*learned, strict=True))
        rarity = {known[row]: round(float(rarities[row]), 4) for row in order}
        situations, laws = (labelled.classes for labelled in asked)
        tellings = _paraphrase_matrix(told, matrix, order)
        return ClassifierModel(
            situations, tuple(map(NodeId, laws)), rarity, np.round(bias, 5), scale, steps[order], tellings
        )

    # No finer: the classes of a label draw from one source of chance, one after the other.
    with run_in_processes(train_svm, asked, range(len(asked)), alone=few) as learned:
        yield lambda: build_model(learned())


def _vectorise(
    told: Sequence[TrainingSentence],
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    weights: ClassifierWeights,
    few: bool,
) -> tuple[list[str], Any] | None:
    """The features that are not rare, in the order in which they come, and how much of each a sentence has; None where
    there are none.
    """
    pieces = [
        range(first, min(first + SENTENCES_PER_PIECE, len(told))) for first in range(0, len(told), SENTENCES_PER_PIECE)
    ]
    with run_in_processes(_count_features, (told, lexicons, concepts, weights), pieces, alone=few) as counted:
        import index.svm  # noqa: F401 – it takes a second, in which others count

        found = counted()
    number: dict[str, int] = {}
    columns = [np.array([number.setdefault(f, len(number)) for f in c.features], dtype=np.int32) for c in found]
    if not number:
        return None
    indices = np.concatenate([of[c.indices] for of, c in zip(columns, found, strict=True)])
    begins = np.concatenate([[0], *(c.lengths for c in found)]).cumsum()
    amounts = np.concatenate([c.amounts for c in found])
    matrix = csr_matrix((amounts, indices, begins), shape=(len(told), len(number)))
    kept = np.flatnonzero(np.bincount(indices, minlength=len(number)) >= LEAST_SENTENCES)
    every = list(number)
    return ([every[i] for i in kept], matrix[:, kept]) if len(kept) else None


class _FeatureCounts(NamedTuple):
    """The features of some sentences, each once: sentence after sentence, so many of them (``lengths``), which
    (``indices``) and how much of each (``amounts``).
    """

    features: list[str]
    lengths: np.ndarray
    indices: np.ndarray
    amounts: np.ndarray


def _count_features(
    shared: tuple[Sequence[TrainingSentence], Mapping[str, Lexicon], Concepts, ClassifierWeights], piece: range
) -> _FeatureCounts:
    told, lexicons, concepts, weights = shared
    number: dict[str, int] = {}
    lengths: list[int] = []
    indices: list[int] = []
    amounts: list[float] = []
    for sentence in (told[i] for i in piece):
        counted = extract_features(sentence.text, sentence.lang, lexicons, concepts, weights)
        lengths.append(len(counted))
        indices += [number.setdefault(feature, len(number)) for feature in counted]
        amounts += counted.values()
    return _FeatureCounts(list(number), np.array(lengths), np.array(indices, dtype=np.int32), np.array(amounts))


def _paraphrase_matrix(told: Sequence[TrainingSentence], matrix: Any, rows: Sequence[int]) -> ParaphraseMatrix:
    """The sentences that are told of a provision, by feature."""
    chosen = [i for i, s in enumerate(told) if s.provision]
    if not chosen:
        return _empty_paraphrase_matrix(len(rows))
    columns = matrix[chosen].tocsc()[:, rows]
    of = tuple(s.provision for s in told if s.provision)
    return ParaphraseMatrix(of, columns.indptr, columns.indices.astype(np.int32), columns.data.astype(np.float16))


def _empty_paraphrase_matrix(rows: int) -> ParaphraseMatrix:
    nothing = np.zeros(0, dtype=np.int32)
    return ParaphraseMatrix((), np.zeros(rows + 1, dtype=np.int32), nothing, nothing.astype(np.float16))


def training_sentences(library: Library, weights: ClassifierWeights = CLASSIFIER_WEIGHTS) -> Iterator[TrainingSentence]:
    """What is said of each situation, its name, and the law's own words on it; everyday words for provisions; and the
    words of the laws themselves, each text's counted for the newest law that they correspond to.
    """
    yield from _situation_sentences(library, weights)
    for telling in library.paraphrases:
        law = _newest_law(library, library.nodes[telling.of])
        for lang, text in telling.said.items():
            yield TrainingSentence(lang, text, law=law, provision=telling.of)
    if weights.law:
        for node in (n for edition in library.law_editions if edition.complete for n in library.nodes_of(edition.id)):
            if node.text and (law := _newest_law(library, node)):
                yield TrainingSentence(node.lang, _text_of(node), law=law)


def _situation_sentences(library: Library, weights: ClassifierWeights) -> Iterator[TrainingSentence]:
    for situation in library.situations.values():
        ruling = (
            _newest_law(library, node)
            for edition in reversed(library.law_editions)
            for path in situation.provisions.get(edition.code, ())[:1]
            if (node := library.node_at(edition.id, path))
        )
        law = next((id_ for id_ in ruling if id_), None)
        for lang, said in situation.said.items():
            texts = chain((situation.name.get(lang, ""),), said)
            yield from (TrainingSentence(lang, text, situation.id, law) for text in texts if text)
        for edition in library.law_editions if weights.law else ():
            for path in situation.provisions.get(edition.code, ())[:MOST_PROVISIONS]:
                if (node := library.node_at(edition.id, path)) is not None:
                    yield TrainingSentence(node.lang, _text_of(node), situation.id)


def _text_of(node: Node) -> str:
    return f"{node.heading or ''} {node.text}"[:MOST_LETTERS]


def _newest_law(library: Library, node: Node) -> NodeId | None:
    """The page of what a node corresponds to in the newest text of the laws; its own where it is no text of them, and
    None where nothing corresponds.
    """
    newest = next((e.id for e in reversed(library.law_editions) if e.complete), "")
    if library.relations.code_of(node.edition) is None:
        return library.page_node_of(node).id
    page = library.page_node_in(node.id, newest)
    return page.id if page else None
