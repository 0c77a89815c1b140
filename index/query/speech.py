"""Which language a query is in. The words decide; what is known of the reader is a hint."""

from __future__ import annotations

from collections.abc import Mapping

from corpus.word.token import Token
from index.concept import Concepts
from index.lexicon import Lexicon
from index.weights import Weights

# Scores that differ by less are equal: sums of tenths are not exact.
_EQUAL = 1e-9


def spoken(
    tokens: list[Token], hint: str | None, lexicons: Mapping[str, Lexicon], concepts: Concepts, weights: Weights
) -> str | None:
    """The language whose words and letters fit best; the hint, where it knows a word, unless another knows clearly
    more; None when nothing speaks for one.

    A language that would skip every word, or has it in no text, gives way to one that has a name for them: “BIT” is
    neither “biti” nor “biť”.
    """
    scores = {
        code: sum(_fits(t, code, lexicon, concepts, weights) for t in tokens)
        for code, lexicon in sorted(lexicons.items())
    }
    if hint in scores and scores[hint] > 0:
        scores[hint] += weights.hint
    best, lang = 0.0, hint
    for code, score in scores.items():
        if score > best + _EQUAL:
            best, lang = score, code
    if not lang or lang not in lexicons or not tokens or any(_has(t, lang, lexicons[lang], concepts) for t in tokens):
        return lang
    return next((code for code in scores if concepts.asked(code, tokens)[0]), lang)


def _has(token: Token, lang: str, lexicon: Lexicon, concepts: Concepts) -> bool:
    """Whether a word is one of content, and the texts of a language have it, or the beginning of one, or a name."""
    if token.form in lexicon.stopwords:
        return False
    said = any(lexicon.forms_of(lemma) for lemma in lexicon.lemmas(token.form))
    return said or concepts.names_word(lang, token.form) or bool(lexicon.beginning(token.form))


def _fits(token: Token, code: str, lexicon: Lexicon, concepts: Concepts, weights: Weights) -> float:
    """How well a word fits a language."""
    known = lexicon.knows(token.form) or concepts.names_word(code, token.form) or lexicon.beginning(token.form)
    score = 1.0 if token.form in lexicon.stopwords else weights.known_word if known else 0.0
    letters = [c in lexicon.letters for c in token.exact if not c.isascii()]
    return score + weights.letter * (2 * sum(letters) - len(letters))
