"""The sentences of the situations → the weights that :mod:`index.heard.finder` asks: a linear support vector machine
over tf-idf, one against all others (scikit-learn; docs/why/finding-situations.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.svm import LinearSVC

from corpus.library import Library
from index.concept import Concepts
from index.heard.features import features
from index.heard.finder import WEIGHTS, WORDS
from index.lexicon import Lexicon

RARE = 2  # a feature of fewer sentences tells that sentence again, and nothing of another one
LEADING, LETTERS = 4, 400  # so many provisions of a situation, and letters of each, are read as told of it


def write(library: Library, folder: Path, lexicons: Mapping[str, Lexicon], concepts: Concepts) -> int:
    """Learn from the situations of a library into a folder; returns the number of sentences."""
    told = list(sentences(library))
    known = sorted({id_ for id_, _lang, _text in told})
    if len(known) < 2:
        words: dict[str, object] = {"situations": known, "features": {}, "bias": [0.0] * len(known)}
        weights = np.zeros((0, len(known)), dtype=np.float16)
    else:
        counted = [features(text, lang, lexicons, concepts) for _id, lang, text in told]
        of: dict[str, int] = {}
        for one in counted:
            for feature in one:
                of[feature] = of.get(feature, 0) + 1
        kept = [{f: n for f, n in one.items() if of[f] >= RARE} for one in counted]
        vectors, tfidf = DictVectorizer(), TfidfTransformer()
        matrix = tfidf.fit_transform(vectors.fit_transform(kept))
        machine = LinearSVC(random_state=0).fit(matrix, [id_ for id_, _lang, _text in told])
        coefficients = machine.coef_ if len(known) > 2 else np.vstack([-machine.coef_, machine.coef_])
        bias = machine.intercept_ if len(known) > 2 else [-machine.intercept_[0], machine.intercept_[0]]
        rarity = {name: round(float(tfidf.idf_[row]), 4) for name, row in vectors.vocabulary_.items()}
        order = sorted(rarity)
        rows = [vectors.vocabulary_[name] for name in order]
        weights = coefficients.T[rows].astype(np.float16)
        words = {
            "situations": [str(x) for x in machine.classes_],
            "features": {name: rarity[name] for name in order},
            "bias": [round(float(x), 5) for x in bias],
        }
    (folder / WORDS).write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
    np.save(folder / WEIGHTS, weights)
    return len(told)


def sentences(library: Library) -> Iterator[tuple[str, str, str]]:
    """(situation, language, words): what is said of each, its name, and the law's own words on it."""
    for situation in library.situations.values():
        for lang, said in situation.said.items():
            yield from ((situation.id, lang, text) for text in (situation.name.get(lang, ""), *said) if text)
        for edition in library.codes:
            for path in situation.provisions.get(edition.code, ())[:LEADING]:
                node = library.node(edition.id, path)
                if node is not None:
                    yield situation.id, node.lang, f"{node.heading or ''} {node.text}"[:LETTERS]
