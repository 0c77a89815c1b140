"""What of a sentence tells a situation: its words, parts of words, words side by side, and what they name.

Numbers, bids and cards tell one call from another and not one situation from another: they are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise
from math import sqrt

from corpus.word.token import Token, analyse
from index.concept import Concepts
from index.lexicon import Lexicon
from index.weights import TOLD, ToldWeights

LENGTH = 4  # letters of the parts of a word; parts of 3, 4 and 5 letters find 1 % more and take twice as long to learn
LONGEST = 40  # words of a query that are looked at


def features(
    text: str, lang: str, lexicons: Mapping[str, Lexicon], concepts: Concepts, weights: ToldWeights = TOLD
) -> dict[str, float]:
    """Feature → how much of it there is. A language without a lexicon is compared by its letters alone."""
    tokens = [t for t in analyse(text)[:LONGEST] if len(t.form) > 1 and not t.form.isdigit()]
    lexicon = lexicons.get(lang)
    out: dict[str, float] = defaultdict(float)
    lemmas = []
    for token in tokens:
        skipped = lexicon is not None and token.form in lexicon.stopwords
        weight = weights.skipped if skipped else 1.0
        lemma = lexicon.lemmas(token.form)[0] if lexicon else token.form
        out[f"w {lemma}"] += weight
        for part, share in _parts(token.form):
            out[f"p {part}"] += weights.part * weight * share
        if not skipped:
            lemmas.append(lemma)
    for pair in pairwise(lemmas):
        out[f"b {' '.join(pair)}"] += weights.beside
    if lexicon:
        for feature, weight in _names(tokens, lang, concepts, weights):
            out[feature] += weight
    return out


def _parts(form: str) -> Iterator[tuple[str, float]]:
    """Parts of a word with its ends marked, and what each counts."""
    whole = f"_{form}_"
    count = max(1, len(whole) - LENGTH + 1)
    yield from ((whole[at : at + LENGTH], 1 / sqrt(count)) for at in range(count))


def _names(tokens: list[Token], lang: str, concepts: Concepts, weights: ToldWeights) -> Iterator[tuple[str, float]]:
    """Concepts that a sentence names, and every two of them: the same in all languages."""
    named = sorted({found.concept for found in concepts.asked(lang, tokens)[0]})
    yield from ((f"c {concept}", weights.named) for concept in named)
    yield from ((f"t {' '.join(pair)}", weights.together) for pair in combinations(named, 2))
