"""Training of the classifier: sentences become a :class:`index.classifier.ClassifierModel`.

:func:`training_sentences` yields the sentences of a library. :func:`train` learns from them: linear support vector
machines over tf-idf (scikit-learn), each situation against all others and each law against all. See
``docs/why/finding-situations.md``. :func:`train_sections` learns from the paraphrases what tells the provisions of a
law apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, vstack

from corpus.files import ReadablePath
from corpus.letters import read_word_list
from corpus.library import Library
from corpus.model import Node, NodeId
from corpus.processes import run_in_processes
from index.classifier import NO_LAW, ClassifierModel, extract_features
from index.concept import Concepts
from index.lexicon import Lexicon
from index.query.stated import FactReader
from index.sections import SectionModel, extract_section_features
from index.weights import CLASSIFIER_WEIGHTS, ClassifierWeights

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

    Separate processes train if there is much to do. The result depends on the sentences only: it is the same to the
    last bit however many processes there are.
    """
    sentences = list(sentences)
    few = len(sentences) < FEWEST_FOR_PROCESSES
    extract = partial(extract_features, lexicons=lexicons, concepts=concepts, weights=weights)
    vectors = _vectorise(sentences, extract, few)
    if vectors is None:
        return ClassifierModel((), (), {}, np.zeros(0), np.ones(0), np.zeros((0, 0), dtype=np.int8))
    known, matrix = vectors
    from index.svm import TrainingData, fit_tfidf, train_svm

    matrix, rarities = fit_tfidf(matrix)
    order = sorted(range(len(known)), key=known.__getitem__)
    labellings = [
        TrainingData.of(matrix, [s.situation for s in sentences], weights.slack),
        TrainingData.of(matrix, [s.law or "" for s in sentences], weights.slack_of_laws),
    ]
    # No smaller pieces: the classes of a label share one random generator, which they use in order.
    with run_in_processes(train_svm, labellings, range(len(labellings)), alone=few) as learned:
        steps, scale, bias = (np.concatenate(parts, axis=-1) for parts in zip(*learned(), strict=True))
    rarity = {known[row]: round(float(rarities[row]), 4) for row in order}
    situations, laws = (labelled.classes for labelled in labellings)
    return ClassifierModel(situations, tuple(map(NodeId, laws)), rarity, np.round(bias, 5), scale, steps[order])


# Returns feature → amount, for a text and its language.
FeatureExtractor = Callable[[str, str], Mapping[str, float]]


def _vectorise(
    sentences: Sequence[TrainingSentence], extract: FeatureExtractor, few: bool
) -> tuple[list[str], Any] | None:
    """Return the features that are not rare, in order of first use, and a matrix of sentences by features.

    The matrix holds how much of each feature a sentence has. Returns None if every feature is rare. ``few``: there are
    so few sentences that this process counts alone.
    """
    pieces = [
        range(first, min(first + SENTENCES_PER_PIECE, len(sentences)))
        for first in range(0, len(sentences), SENTENCES_PER_PIECE)
    ]
    with run_in_processes(_count_features, (sentences, extract), pieces, alone=few) as counted:
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


def _count_features(shared: tuple[Sequence[TrainingSentence], FeatureExtractor], piece: range) -> _FeatureCounts:
    sentences, extract = shared
    numbers: dict[str, int] = {}
    lengths: list[int] = []
    indices: list[int] = []
    amounts: list[float] = []
    for sentence in (sentences[i] for i in piece):
        counted = extract(sentence.text, sentence.lang)
        lengths.append(len(counted))
        indices += [numbers.setdefault(feature, len(numbers)) for feature in counted]
        amounts += counted.values()
    return _FeatureCounts(list(numbers), np.array(lengths), np.array(indices, dtype=np.int32), np.array(amounts))


# -- The provisions of a law ---


def train_sections(
    sentences: Iterable[TrainingSentence],
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    facts: FactReader,
    weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
) -> SectionModel:
    """Return the model of the provisions that the sentences train; each law by itself.

    Sentences that name no provision are left out.
    """
    by_law: dict[str, list[TrainingSentence]] = {}
    for sentence in sentences:
        if sentence.provision and sentence.law:
            by_law.setdefault(sentence.law, []).append(sentence)
    used = [sentence for law in sorted(by_law) for sentence in by_law[law]]
    few = len(used) < FEWEST_FOR_PROCESSES
    extract = partial(extract_section_features, lexicons=lexicons, concepts=concepts, facts=facts, weights=weights)
    vectors = _vectorise(used, extract, few)
    if vectors is None:
        nothing = np.zeros(0)
        return SectionModel((), (), {}, nothing, nothing, np.zeros(1), nothing, nothing)
    known, matrix = vectors
    from index.svm import fit_tfidf, train_law

    matrix, rarities = fit_tfidf(matrix)
    order = sorted(range(len(known)), key=known.__getitem__)
    matrix = matrix[:, order].tocsr()
    ends = list(accumulate(len(by_law[law]) for law in sorted(by_law)))
    pieces = [range(start, end) for start, end in pairwise((0, *ends))]
    labels = [sentence.provision or "" for sentence in used]
    with run_in_processes(train_law, (matrix, labels, weights.slack_of_sections), pieces, alone=few) as learned:
        parts = learned()
    provisions = [NodeId(provision) for part in parts for provision in part.classes]
    law_of = {sentence.provision: sentence.law for sentence in used if sentence.law}
    steps = vstack([part.steps for part in parts]).tocsc()
    return SectionModel(
        tuple(provisions),
        tuple(law_of[provision] for provision in provisions),
        {known[row]: round(float(rarities[row]), 4) for row in order},
        np.concatenate([np.round(part.bias, 5) for part in parts]),
        np.concatenate([part.scale for part in parts]),
        steps.indptr,
        steps.indices,
        steps.data,
    )


# -- The sentences to train on ---


def unanswered_sentences(corpus_dir: ReadablePath) -> Iterator[TrainingSentence]:
    """Yield what no law answers (``words/unanswered.tsv``), labelled with :data:`index.classifier.NO_LAW`.

    Raises :class:`corpus.files.InvalidFile` with a problem for every wrong line.
    """
    for row in read_word_list(corpus_dir, "unanswered.tsv"):
        yield TrainingSentence(row["lang"], row["text"], law=NO_LAW)


def training_sentences(library: Library, weights: ClassifierWeights = CLASSIFIER_WEIGHTS) -> Iterator[TrainingSentence]:
    """Yield the sentences that train the classifier.

    They are the sentences about each situation, its name, and the words of the laws on it; the paraphrases of
    provisions; and the texts of the laws, each labelled with the newest law that corresponds to it.
    """
    yield from _situation_sentences(library, weights)
    for paraphrase in library.paraphrases:
        node = library.nodes[paraphrase.of]
        own = _newest_law(library, node) or library.page_node_of(node).id
        for lang, text in paraphrase.said.items():
            yield TrainingSentence(lang, text, law=own, provision=paraphrase.of)
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
