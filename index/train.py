"""Training of the classifier: sentences become a :class:`index.classifier.ClassifierModel`.

:func:`training_sentences` yields the sentences of a library. :func:`train` and :func:`start_training` learn from them:
linear support vector machines over tf-idf (scikit-learn), each situation against all others and each law against all.
The model also holds the paraphrases as vectors in the same space. See ``docs/why/finding-situations.md``.
:func:`run_in_processes` spreads the work over the cores.
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

# -- Work in several processes ---

_shared: Any = None  # in a worker process: the data that all pieces share


@contextmanager
def run_in_processes(
    work: Callable[[Any, Piece], Result], shared: Any, pieces: Sequence[Piece], *, alone: bool = False
) -> Iterator[Callable[[], list[Result]]]:
    """Begin ``work(shared, piece)`` for every piece. Yields a function that waits for the results and returns them in
    order.

    ``shared`` is not copied, because the processes are forked with it. ``alone``: run in this process, when the results
    are requested. The same happens where there is only one core or where forking is not safe. Leaving the context early
    cancels the rest.
    """
    count = min(len(pieces), len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1)
    if alone or count < 2:
        yield lambda: [work(shared, piece) for piece in pieces]
        return
    pool = ProcessPoolExecutor(count, get_context("fork"), _set_up_process, (shared,))
    try:
        begun: list[Future[Result]] = [pool.submit(_run_piece, work, piece) for piece in pieces]
        yield lambda: [future.result() for future in begun]
    finally:
        pool.shutdown(cancel_futures=True)


def _set_up_process(shared: Any) -> None:
    global _shared  # noqa: PLW0603 – a process of the pool has nothing else to keep it in
    _shared = shared
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent ends. Else it would wait for pieces for ever and hold the lock of the build."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _run_piece(work: Callable[[Any, Piece], Result], piece: Piece) -> Result:
    return work(_shared, piece)


# -- Training ---

LEAST_SENTENCES = 2  # a feature of fewer sentences only identifies that sentence
MOST_PROVISIONS, MOST_LETTERS = 4, 400  # provisions of a situation, and letters of each, that are read as its sentences
SENTENCES_PER_PIECE = 2000  # sentences whose features one process extracts at a time
FEWEST_FOR_PROCESSES = 5000  # training on fewer sentences is done before other processes have started


class TrainingSentence(NamedTuple):
    """A sentence with its labels: a situation, a law, and a provision of that law. A label is empty where it is not
    known.
    """

    lang: str
    text: str
    situation: str = ""
    law: NodeId | None = None
    provision: NodeId | None = None


def train(
    sentences: Iterable[TrainingSentence],
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
) -> ClassifierModel:
    """Return the model that the sentences train. With fewer than three situations or laws, nothing is trained for
    these.
    """
    with start_training(sentences, lexicons, concepts, weights) as lesson:
        return lesson()


@contextmanager
def start_training(
    sentences: Iterable[TrainingSentence],
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
) -> Iterator[Callable[[], ClassifierModel]]:
    """Begin to train a model, in separate processes if there is much to do.

    Yields a function that waits for the model and returns it. The result depends on the sentences only: it is the same
    to the last bit however many processes there are.
    """
    sentences = list(sentences)
    few = len(sentences) < FEWEST_FOR_PROCESSES
    vectors = _vectorise(sentences, lexicons, concepts, weights, few)
    if vectors is None:
        yield lambda: ClassifierModel(
            (), (), {}, np.zeros(0), np.ones(0), np.zeros((0, 0), dtype=np.int8), _empty_paraphrase_matrix(0)
        )
        return
    known, matrix = vectors
    from index.svm import LinearWeights, TrainingData, fit_tfidf, train_svm

    matrix, rarities = fit_tfidf(matrix)
    order = sorted(range(len(known)), key=known.__getitem__)
    labellings = [
        TrainingData.of(matrix, [s.situation for s in sentences], weights.slack),
        TrainingData.of(matrix, [s.law or "" for s in sentences], weights.slack_of_laws),
    ]

    def build_model(learned: list[LinearWeights]) -> ClassifierModel:
        steps, scale, bias = (np.concatenate(parts, axis=-1) for parts in zip(*learned, strict=True))
        rarity = {known[row]: round(float(rarities[row]), 4) for row in order}
        situations, laws = (labelled.classes for labelled in labellings)
        paraphrases = _paraphrase_matrix(sentences, matrix, order)
        return ClassifierModel(
            situations, tuple(map(NodeId, laws)), rarity, np.round(bias, 5), scale, steps[order], paraphrases
        )

    # No smaller pieces: the classes of a label share one random generator, which they use in order.
    with run_in_processes(train_svm, labellings, range(len(labellings)), alone=few) as learned:
        yield lambda: build_model(learned())


def _vectorise(
    sentences: Sequence[TrainingSentence],
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    weights: ClassifierWeights,
    few: bool,
) -> tuple[list[str], Any] | None:
    """Return the features that are not rare, in order of first use, and a matrix of sentences by features.

    The matrix holds how much of each feature a sentence has. Returns None if every feature is rare. ``few``: there are
    so few sentences that this process counts alone.
    """
    pieces = [
        range(first, min(first + SENTENCES_PER_PIECE, len(sentences)))
        for first in range(0, len(sentences), SENTENCES_PER_PIECE)
    ]
    with run_in_processes(_count_features, (sentences, lexicons, concepts, weights), pieces, alone=few) as counted:
        import index.svm  # noqa: F401 – it takes a second, in which others count

        counts_by_piece = counted()
    number: dict[str, int] = {}
    columns = [
        np.array([number.setdefault(f, len(number)) for f in c.features], dtype=np.int32) for c in counts_by_piece
    ]
    if not number:
        return None
    indices = np.concatenate([of[c.indices] for of, c in zip(columns, counts_by_piece, strict=True)])
    begins = np.concatenate([[0], *(c.lengths for c in counts_by_piece)]).cumsum()
    amounts = np.concatenate([c.amounts for c in counts_by_piece])
    matrix = csr_matrix((amounts, indices, begins), shape=(len(sentences), len(number)))
    kept = np.flatnonzero(np.bincount(indices, minlength=len(number)) >= LEAST_SENTENCES)
    features = list(number)
    return ([features[i] for i in kept], matrix[:, kept]) if len(kept) else None


class _FeatureCounts(NamedTuple):
    """The features of some sentences, as the rows of a sparse matrix.

    ``features`` has each feature once. ``lengths`` is the number of features of each sentence. ``indices`` and
    ``amounts`` say, sentence after sentence, which features it has and how much of each.
    """

    features: list[str]
    lengths: np.ndarray
    indices: np.ndarray
    amounts: np.ndarray


def _count_features(
    shared: tuple[Sequence[TrainingSentence], Mapping[str, Lexicon], Concepts, ClassifierWeights], piece: range
) -> _FeatureCounts:
    sentences, lexicons, concepts, weights = shared
    numbers: dict[str, int] = {}
    lengths: list[int] = []
    indices: list[int] = []
    amounts: list[float] = []
    for sentence in (sentences[i] for i in piece):
        counted = extract_features(sentence.text, sentence.lang, lexicons, concepts, weights)
        lengths.append(len(counted))
        indices += [numbers.setdefault(feature, len(numbers)) for feature in counted]
        amounts += counted.values()
    return _FeatureCounts(list(numbers), np.array(lengths), np.array(indices, dtype=np.int32), np.array(amounts))


def _paraphrase_matrix(sentences: Sequence[TrainingSentence], matrix: Any, rows: Sequence[int]) -> ParaphraseMatrix:
    """Return the matrix of those sentences that paraphrase a provision.

    ``matrix`` has a row for each sentence and a column for each feature; ``rows`` are its columns in the order of the
    rows of the result.
    """
    chosen = [i for i, s in enumerate(sentences) if s.provision]
    if not chosen:
        return _empty_paraphrase_matrix(len(rows))
    columns = matrix[chosen].tocsc()[:, rows]
    of = tuple(s.provision for s in sentences if s.provision)
    return ParaphraseMatrix(of, columns.indptr, columns.indices.astype(np.int32), columns.data.astype(np.float16))


def _empty_paraphrase_matrix(rows: int) -> ParaphraseMatrix:
    nothing = np.zeros(0, dtype=np.int32)
    return ParaphraseMatrix((), np.zeros(rows + 1, dtype=np.int32), nothing, nothing.astype(np.float16))


# -- The sentences to train on ---


def training_sentences(library: Library, weights: ClassifierWeights = CLASSIFIER_WEIGHTS) -> Iterator[TrainingSentence]:
    """Yield the sentences that train the classifier.

    They are the sentences about each situation, its name, and the words of the laws on it; the paraphrases of
    provisions; and the texts of the laws, each labelled with the newest law that corresponds to it.
    """
    yield from _situation_sentences(library, weights)
    for paraphrase in library.paraphrases:
        law = _newest_law(library, library.nodes[paraphrase.of])
        for lang, text in paraphrase.said.items():
            yield TrainingSentence(lang, text, law=law, provision=paraphrase.of)
    if weights.law:
        for node in (n for edition in library.law_editions if edition.complete for n in library.nodes_of(edition.id)):
            if node.text and (law := _newest_law(library, node)):
                yield TrainingSentence(node.lang, _text_of(node), law=law)


def _situation_sentences(library: Library, weights: ClassifierWeights) -> Iterator[TrainingSentence]:
    for situation in library.situations.values():
        laws = (
            _newest_law(library, node)
            for edition in reversed(library.law_editions)
            for path in situation.provisions.get(edition.code, ())[:1]
            if (node := library.node_at(edition.id, path))
        )
        law = next((id_ for id_ in laws if id_), None)
        for lang, sentences in situation.said.items():
            texts = chain((situation.name.get(lang, ""),), sentences)
            yield from (TrainingSentence(lang, text, situation.id, law) for text in texts if text)
        for edition in library.law_editions if weights.law else ():
            for path in situation.provisions.get(edition.code, ())[:MOST_PROVISIONS]:
                if (node := library.node_at(edition.id, path)) is not None:
                    yield TrainingSentence(node.lang, _text_of(node), situation.id)


def _text_of(node: Node) -> str:
    return f"{node.heading or ''} {node.text}"[:MOST_LETTERS]


def _newest_law(library: Library, node: Node) -> NodeId | None:
    """Return the id of the page that corresponds to a node in the newest complete text of the laws, or None.

    For a node that is in no text of the laws, return the id of its own page.
    """
    newest = next((e.id for e in reversed(library.law_editions) if e.complete), "")
    if library.relations.code_of(node.edition) is None:
        return library.page_node_of(node).id
    page = library.page_node_in(node.id, newest)
    return page.id if page else None
