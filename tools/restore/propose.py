"""Makes the machine's reading of a damaged text: candidates for each word, then the best path through each sentence."""

import itertools
import re
from dataclasses import dataclass, field

from . import agreement, character_model, signs
from .confusions import KEEP_ODD
from .dictionary import analyses, features
from .tokens import PAGE_MARK, SourceToken, tokens
from .vocabulary import WordFrequencies

LABEL = re.compile(r"^(?:\d+|[A-Z]{1,4}|\d+[A-Z]\w{0,4}|[A-Z]\d\w{0,3}|[A-Z]-[A-Z]|[+-]?\d[\d.,%/-]*)$")
MISREAD_LABEL = re.compile(r"^\d*[A-Z]l$")
LIST_LABEL = re.compile(r"^(?:[a-z]|[ivx]+)$")
ENDS = re.compile(r"[.:;!?]")
# Weight of the character model; how far (log10) a candidate may be below the best; the most candidates of a word.
CHARACTER, UNLIKELY, KEEP = 0.45, 6, 12
NAME = 1.5  # bonus: a capitalised word inside a sentence may be a name that no dictionary has


@dataclass
class SourceWord:
    """A word of the source with its candidates [(form, score)], best first, and the chosen form.

    `inside` says that it is inside a sentence, not its first word. `ranked` are the forms of the best paths. `margin`
    is the score of the best over the second. `start` is its offset in the text for the character model.
    """

    token: SourceToken
    inside: bool
    candidates: list = field(default_factory=list)
    ranked: list = field(default_factory=list)
    choice: str = ""
    margin: float = 9.0
    start: int = 0


def word_candidates(word, vocabulary, confusions):
    """Return [(form, score)] for the forms that a damaged word may have had.

    A score is the log10 share of the confusion plus the log10 probability of the form.
    """
    core = word.token.core
    if MISREAD_LABEL.match(core):
        return [(core[:-1] + "1", 0.0)]
    listed = word.token.before.endswith("(") and word.token.after.startswith(")") and LIST_LABEL.match(core)
    if listed or LABEL.match(core) or "/" in core:
        return [(core, 0.0)]
    shares = {core: 0.0 if core.isalpha() else KEEP_ODD, **confusions.possible_words(core)}
    scored = [(form, share + vocabulary.word_score(form)) for form, share in shares.items()]
    small = any(form[:1] not in core[:1] for form, _ in scored)  # 'Ze' inside a sentence: ż read as a capital
    if word.inside and core[:1].isupper() and core[1:].islower() and not small:
        scored = [(f, s + NAME * (f == core) - NAME * (not analyses(f.lower()))) for f, s in scored]
    scored.sort(key=lambda c: -c[1])
    return [c for c in scored[:KEEP] if c[1] > scored[0][1] - UNLIKELY]


def _word_states(word, characters):
    """Return the states of a word: (form, reading, score) for each candidate and each reading of it. `characters`: the
    scores of the character model for the text.
    """
    states = []
    for form, own in word.candidates:
        score = own
        if len(word.candidates) > 1:
            same = len(form) == len(word.choice)
            score += CHARACTER * (character_model.score(characters, word.start, form) if same else -1.0)
        states += [(form, reading, score + agreement.reading_score(reading)) for reading in features(form)[:40]]
    return states


def best_path(sentence, vocabulary, characters):
    """Set choice, ranked and margin of every word of a sentence, by the best path through (form, reading), forward and
    backward. `characters`: the scores of the character model for the text.
    """
    layers = [_word_states(word, characters) for word in sentence]
    links = [
        [[agreement.sequence_score(a[1], b[1]) + vocabulary.pair_bonus(a[0], b[0]) for a in left] for b in right]
        for left, right in itertools.pairwise(layers)
    ]
    forward = [[state[2] for state in layers[0]]]
    for layer, link in zip(layers[1:], links, strict=False):
        forward.append(
            [
                max(f + s for f, s in zip(forward[-1], scores, strict=False)) + state[2]
                for state, scores in zip(layer, link, strict=False)
            ]
        )
    backward = [[0.0] * len(layers[-1])]
    for layer, link in zip(layers[:0:-1], links[::-1], strict=False):
        after = [score + state[2] for score, state in zip(backward[0], layer, strict=False)]
        backward.insert(
            0, [max(scores[i] + a for scores, a in zip(link, after, strict=False)) for i in range(len(link[0]))]
        )
    for word, layer, ahead, behind in zip(sentence, layers, forward, backward, strict=False):
        best = {}
        for (form, _, _), a, b in zip(layer, ahead, behind, strict=False):
            best[form] = max(best.get(form, -999), a + b)
        ranked = sorted(best.items(), key=lambda c: -c[1])
        word.ranked = [form for form, _ in ranked]
        word.choice = word.ranked[0]
        word.margin = ranked[0][1] - ranked[1][1] if len(ranked) > 1 else 9.0


def read_words(lines):
    """Return the words of a text, each with whether it is inside a sentence."""
    words, inside, last = [], False, 0
    for number, line in enumerate(lines, 1):
        for token in tokens(PAGE_MARK.sub(lambda m: " " * len(m.group()), line), number):
            if number > last + 1:
                inside = False
            if token.core:
                words.append(SourceWord(token, inside))
                inside = (not LABEL.match(token.core) and not LIST_LABEL.match(token.core)) or inside
            inside = inside and not ENDS.search(token.after)
            last = number
    return words


def split_sentences(words):
    """Yield the words of each sentence, cut at sentence ends, colons, semicolons and empty lines."""
    part = []
    for word, following in zip(words, [*words[1:], None], strict=False):
        part.append(word)
        if ENDS.search(word.token.after) or following is None or following.token.line > word.token.line + 1:
            yield part
            part = []


def restore_text(source, confusions, language, field_texts):
    """Restore `source`, with the help of clean texts of the same field; return (restored text, [SourceWord])."""
    vocabulary = WordFrequencies(language)
    for text in field_texts:
        vocabulary.learn(text)
    lines = source.split("\n")
    words = read_words(lines)
    for word in words:
        word.choice = word_candidates(word, vocabulary, confusions)[0][0]
    vocabulary.learn(" ".join(w.choice for w in words), weight=0.3)
    for word in words:
        word.candidates = word_candidates(word, vocabulary, confusions)
        word.choice = word.candidates[0][0]
    for _ in range(2):
        text = "\n"
        for word in words:
            word.start = len(text) + len(word.token.before)
            text += word.token.before + word.choice + word.token.after + " "
        characters = character_model.line_scores(text)
        for sentence in split_sentences(words):
            best_path(sentence, vocabulary, characters)
    for word in words:
        if (
            word.inside
            and word.choice[:1] not in word.token.core[:1]
            and word.choice[1:].islower()
            and analyses(word.choice.lower())
        ):
            word.choice = word.choice.lower()
    return rewrite(lines, words), words


def rewrite(lines, words):
    """Return the lines with every word replaced by its choice, and the quotation marks corrected."""
    out = list(lines)
    for word in reversed(words):
        t = word.token
        begin = t.column - 1
        line, end = out[t.line - 1], begin + len(t.before + t.core + t.after)
        out[t.line - 1] = line[:begin] + signs.mend_quotes(t.before + word.choice + t.after) + line[end:]
    return "\n".join(out)


def uncertain_rows(words, below=1.0):
    """Yield (line, column, source, choice, alternatives, margin) of words with a small margin or unknown to the
    dictionary.
    """
    for w in words:
        unknown = not analyses(w.choice) and w.choice.isalpha()
        if w.margin < below or unknown:
            yield (
                w.token.line,
                w.token.column + len(w.token.before),
                w.token.core,
                w.choice,
                " ".join(f for f in w.ranked if f != w.choice)[:60],
                "unknown" if unknown else f"{w.margin:.2f}",
            )
