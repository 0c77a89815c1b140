"""The machine's reading of a damaged text: candidates, then the best path through every sentence."""
import re
from dataclasses import dataclass
from pathlib import Path

from . import agreement, character_model, confusions, signs
from .dictionary import analyses, features
from .tokens import split, tokens
from .vocabulary import Vocabulary

LABEL = re.compile(r"^(?:\d+|[A-Z]{1,4}|\d+[A-Z]\w{0,4}|[a-z]|[ivx]+|[A-Z]\d\w{0,3}|[NSWE]-[NSWE]|[+-]?\d[\d.,%/-]*)$")
MISREAD_LABEL = re.compile(r'^\d*[A-Z]l$')
LETTER_WORDS = set('aiouwz')
ENDS = re.compile(r'[.:;!?]')
MARK = re.compile(r'<\|.*?\|>')
FIELD = ('pl-1997', 'pzbs-2017')
CHARACTER, PAIR, CONTEXT = .45, 1.0, 1.0


@dataclass
class Word:
    """A word of the source with its candidates [(form, score)], best first, and the one chosen."""
    token: object
    candidates: list
    choice: str = ''
    margin: float = 9.0
    start: int = 0


def cased(form, first):
    """Undo a capital the scan put on a small letter in mid-sentence ('Że' → 'że')."""
    if not first and form[:1] in 'ŻŹŚĆ' and form[1:].islower() and len(form) > 1:
        return form[0].lower() + form[1:]
    return form


def candidates(core, vocabulary, cache={}):
    """[(form, score)]: log10 share of the confusion plus log10 of the word itself."""
    if core not in cache:
        if MISREAD_LABEL.match(core):
            cache[core] = [(core[:-1] + '1', 0.0)]
        elif LABEL.match(core) and core.lower() not in LETTER_WORDS and not core.islower():
            cache[core] = [(core, 0.0)]
        else:
            found = {core: 0.0 if core.isalpha() else confusions.KEEP_ODD}
            for form, share in confusions.readings(core, lambda f: bool(analyses(f))).items():
                found[form] = max(share, found.get(form, -99))
            cache[core] = [*found.items()]
    scored = [(form, share + vocabulary.word(form)) for form, share in cache[core]]
    scored.sort(key=lambda c: -c[1])
    return [c for c in scored[:12] if c[1] > scored[0][1] - 6]


def best_path(sentence, vocabulary, characters):
    """Viterbi over (form, reading): fills choice and margin of every word."""
    layers = []
    for word in sentence:
        layer = []
        for form, score in word.candidates:
            if len(word.candidates) > 1 and word.start is not None and len(form) == len(word.choice):
                score += CHARACTER * character_model.score(characters, word.start, form)
            elif len(word.candidates) > 1:
                score += CHARACTER * -1.0
            layer += [(form, reading, score) for reading in features(form)[:40]]
        layers.append(layer)
    forward, back = [[s for *_, s in layers[0]]], []
    for left, right in zip(layers, layers[1:]):
        link = [[PAIR * agreement.fit(a[1], b[1]) + CONTEXT * vocabulary.pair(a[0], b[0]) for a in left] for b in right]
        row, pointers = [], []
        for b, scores in zip(right, link):
            totals = [f + s for f, s in zip(forward[-1], scores)]
            top = max(range(len(totals)), key=totals.__getitem__)
            row.append(totals[top] + b[2])
            pointers.append(top)
        forward.append(row)
        back.append(link)
        layers[len(forward) - 1] = right
    backward = [[0.0] * len(layers[-1])]
    for n in range(len(layers) - 2, -1, -1):
        following = [s + layers[n + 1][j][2] for j, s in enumerate(backward[0])]
        backward.insert(0, [max(back[n][j][i] + following[j] for j in range(len(following)))
                            for i in range(len(layers[n]))])
    for word, layer, ahead, behind in zip(sentence, layers, forward, backward):
        best = {}
        for (form, _, _), a, b in zip(layer, ahead, behind):
            best[form] = max(best.get(form, -999), a + b)
        ranked = sorted(best.items(), key=lambda c: -c[1])
        word.choice = ranked[0][0]
        word.margin = ranked[0][1] - ranked[1][1] if len(ranked) > 1 else 9.0
        word.candidates = [(f, s) for f, s in word.candidates if f in best]
        word.ranked = [f for f, _ in ranked]


def propose(source, editions):
    """Restore `source` (text): returns (restored text, [Word])."""
    vocabulary = Vocabulary()
    for edition in FIELD:
        vocabulary.learn((Path(editions) / edition / 'source.txt').read_text(encoding='utf-8'))
    lines = source.split('\n')
    words = []
    for number, line in enumerate(lines, 1):
        blank = MARK.sub(lambda m: ' ' * len(m.group()), line)
        words += [Word(t, []) for t in tokens(blank, number) if t.core]
    for round_ in range(2):
        ended = True
        for word in words:
            word.candidates = candidates(word.token.core, vocabulary)
            if round_ == 0:
                word.choice = word.candidates[0][0]
        if round_ == 0:
            vocabulary.learn(' '.join(w.choice for w in words), weight=.3)
    for round_ in range(2):
        text = '\n'
        for word in words:
            word.start = len(text) + len(word.token.before)
            text += word.token.before + word.choice + word.token.after + ' '
        characters = character_model.line_scores(text)
        sentence = []
        for word, following in zip(words, words[1:] + [None]):
            sentence.append(word)
            if ENDS.search(word.token.after) or following is None or following.token.line > word.token.line + 1:
                best_path(sentence, vocabulary, characters)
                sentence = []
    first = True
    for word in words:
        word.choice = cased(word.choice, first)
        first = bool(ENDS.search(word.token.after)) or '(' in word.token.before or LABEL.match(word.choice) is not None
    return rewrite(lines, words), words


def rewrite(lines, words):
    """The lines with every word replaced by its choice, and the signs mended."""
    out = list(lines)
    for word in reversed(words):
        t = word.token
        begin = t.column - 1
        end = begin + len(t.before + t.core + t.after)
        line = out[t.line - 1]
        out[t.line - 1] = line[:begin] + signs.mend_token(t.before + word.choice + t.after) + line[end:]
    return '\n'.join(signs.mend_line(line) for line in out)


def uncertain(words, below=1.0):
    """Rows (line, column, source, choice, alternatives, margin) of the words decided narrowly or unknown."""
    for w in words:
        unknown = not analyses(w.choice) and w.choice.isalpha()
        if w.margin < below or unknown:
            yield (w.token.line, w.token.column + len(w.token.before), w.token.core, w.choice,
                   ' '.join(f for f in w.ranked if f != w.choice)[:60], 'unknown' if unknown else f'{w.margin:.2f}')
