"""Sentences → what is learned of them: linear support vector machines over tf-idf, each situation against all others,
and each law against all others (scikit-learn; docs/why/finding-situations.md); and where the tellings stand in that
space.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.svm import LinearSVC

from corpus.library import Library
from corpus.model import Node, NodeId
from index.concept import Concepts
from index.heard.features import features
from index.heard.lesson import Lesson, Tellings
from index.lexicon import Lexicon
from index.weights import TOLD, ToldWeights

TOLERANCE = 1 / 10  # learning stops as soon as what is found changes no more: measured, a quarter faster
RARE = 2  # a feature of fewer sentences tells that sentence again, and nothing of another one
LEADING, LETTERS = 4, 400  # so many provisions of a situation, and letters of each, are read as told of it
LEAST = 3  # classes that can be told apart
STEPS = 127  # weights are kept as whole numbers up to this one: a quarter of the room, and the same answers


class Sentence(NamedTuple):
    """Words, with what they are told of: a situation, a law, a provision of it; empty where that is not known."""

    lang: str
    text: str
    situation: str = ""
    law: NodeId | None = None
    provision: NodeId | None = None


def learn(
    told: Iterable[Sentence], lexicons: Mapping[str, Lexicon], concepts: Concepts, weights: ToldWeights = TOLD
) -> Lesson:
    """What sentences teach; of fewer than three situations or laws nothing is learned of these."""
    told = list(told)
    counted = [features(s.text, s.lang, lexicons, concepts, weights) for s in told]
    often = Counter(feature for one in counted for feature in one)
    kept = [{f: n for f, n in one.items() if often[f] >= RARE} for one in counted]
    if not any(kept):
        return Lesson((), (), {}, np.zeros(0), np.ones(0), np.zeros((0, 0), dtype=np.int8), _no_tellings(0))
    vectors, tfidf = DictVectorizer(sort=False), TfidfTransformer()
    matrix = tfidf.fit_transform(vectors.fit_transform(kept))
    order = sorted(vectors.vocabulary_)
    rows = [vectors.vocabulary_[feature] for feature in order]
    # One after the other: they draw from one source of chance, and would not learn the same twice side by side.
    situations, *of_situations = _machine(matrix, [s.situation for s in told], weights.slack)
    laws, *of_laws = _machine(matrix, [s.law or "" for s in told], weights.slack_of_laws)
    bias = np.concatenate([of_situations[1], of_laws[1]])
    learned = np.vstack([of_situations[0], of_laws[0]]).T[rows]
    scale = np.abs(learned).max(axis=0, initial=1 / STEPS) / STEPS
    steps = np.round(learned / scale).astype(np.int8)
    rarity = {feature: round(float(tfidf.idf_[row]), 4) for feature, row in zip(order, rows, strict=True)}
    tellings = _tellings(told, matrix, rows)
    return Lesson(situations, tuple(map(NodeId, laws)), rarity, np.round(bias, 5), scale, steps, tellings)


def _machine(matrix: Any, labels: Sequence[str], slack: float) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """The classes of what is labelled, and the weights and the bias of each; of too few classes none."""
    chosen = [i for i, label in enumerate(labels) if label]
    known = {labels[i] for i in chosen}
    if len(known) < LEAST:
        return (), np.zeros((0, matrix.shape[1])), np.zeros(0)
    machine = LinearSVC(random_state=0, tol=TOLERANCE, C=slack).fit(matrix[chosen], [labels[i] for i in chosen])
    return tuple(map(str, machine.classes_)), machine.coef_, machine.intercept_


def _tellings(told: Sequence[Sentence], matrix: Any, rows: Sequence[int]) -> Tellings:
    """The sentences that are told of a provision, by feature."""
    chosen = [i for i, s in enumerate(told) if s.provision]
    if not chosen:
        return _no_tellings(len(rows))
    columns = matrix[chosen].tocsc()[:, rows]
    of = tuple(s.provision for s in told if s.provision)
    return Tellings(of, columns.indptr, columns.indices.astype(np.int32), columns.data.astype(np.float16))


def _no_tellings(rows: int) -> Tellings:
    nothing = np.zeros(0, dtype=np.int32)
    return Tellings((), np.zeros(rows + 1, dtype=np.int32), nothing, nothing.astype(np.float16))


def sentences(library: Library, weights: ToldWeights = TOLD) -> Iterator[Sentence]:
    """What is said of each situation, its name, and the law's own words on it; everyday words for provisions; and the
    words of the laws themselves, each text's counted for the newest law that they correspond to.
    """
    yield from _of_situations(library, weights)
    for telling in library.tellings:
        law = _newest(library, library.nodes[telling.of])
        for lang, text in telling.said.items():
            yield Sentence(lang, text, law=law, provision=telling.of)
    if weights.law:
        for node in (n for edition in library.codes if edition.complete for n in library.of(edition.id)):
            if node.text and (law := _newest(library, node)):
                yield Sentence(node.lang, _words(node), law=law)


def _of_situations(library: Library, weights: ToldWeights) -> Iterator[Sentence]:
    for situation in library.situations.values():
        ruling = (
            _newest(library, node)
            for edition in reversed(library.codes)
            for path in situation.provisions.get(edition.code, ())[:1]
            if (node := library.node(edition.id, path))
        )
        law = next((id_ for id_ in ruling if id_), None)
        for lang, said in situation.said.items():
            texts = chain((situation.name.get(lang, ""),), said)
            yield from (Sentence(lang, text, situation.id, law) for text in texts if text)
        for edition in library.codes if weights.law else ():
            for path in situation.provisions.get(edition.code, ())[:LEADING]:
                if (node := library.node(edition.id, path)) is not None:
                    yield Sentence(node.lang, _words(node), situation.id)


def _words(node: Node) -> str:
    return f"{node.heading or ''} {node.text}"[:LETTERS]


def _newest(library: Library, node: Node) -> NodeId | None:
    """The page of what a node corresponds to in the newest text of the laws; its own where it is no text of them, and
    None where nothing corresponds.
    """
    newest = next((e.id for e in reversed(library.codes) if e.complete), "")
    if library.relations.code_of(node.edition) is None:
        return library.law_of(node).id
    page = library.page_in(node.id, newest)
    return page.id if page else None
