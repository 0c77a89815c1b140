"""Decides why a word was changed: the kind of evidence and a short reason."""

import unicodedata
from difflib import SequenceMatcher

from . import agreement
from .dictionary import features
from .tokens import split_token

QUOTES = {",": "„", ",,": "„", "»": "„", "#": "„", "~": "„", '"': "”", "n": "„", "J": "„"}


def letter_changes(source, published):
    """Return the changed letters: [('g', 'ą')] for 'jg' → 'ją'. Runs of the same length are split into letters."""
    parts = []
    for tag, a, b, c, d in SequenceMatcher(None, source, published, autojunk=False).get_opcodes():
        if tag != "equal" and b - a == d - c:
            parts += [(x, y) for x, y in zip(source[a:b], published[c:d], strict=True) if x != y]
        elif tag != "equal":
            parts.append((source[a:b], published[c:d]))
    return list(dict.fromkeys(parts))


def diacritic_name(letter):
    """Return the Unicode name of a letter's diacritic: 'ogonek' for 'ą', 'dot' for 'ż'; '' for none."""
    return (unicodedata.name(letter, "").partition(" WITH ")[2].split() or [""])[0].lower()


def describe_letters(parts):
    """Return a phrase for changed letters: which diacritics were lost, then each letter as it was read → as published.

    'ogonek, stroke lost: a→ą, t→ł'; without diacritics 'read wrongly: rn→m'. A blank is shown as ␣. `parts`: the
    changes as :func:`letter_changes` returns them.
    """
    marks = list(dict.fromkeys(filter(None, (diacritic_name(s) for _, p in parts for s in p))))
    shown = ", ".join(f"{x or 'nothing'}→{y or 'nothing'}" for x, y in parts).replace(" ", "␣").replace(",␣", ", ")
    return f"{', '.join(marks)} lost: {shown}" if marks else f"read wrongly: {shown}"


def agreement_clue(line, column, published):
    """Return which neighbour supports a published word by case, gender and number; '' when none does.

    The result is 'after »na«' for a preposition, else 'agrees with »kartę«'. `published`: the word, which stands at
    `column` (1-based) of `line`.
    """
    own = features(split_token(published)[1])
    before = [split_token(w)[1] for w in line[: column - 1].split()[-1:]]
    after = [split_token(w)[1] for w in line[column - 1 :].split()[1:2]]
    for word in filter(None, before + after):
        for a in features(word):
            for b in own:
                if a[0] == "prep" and before == [word] and a[2] & b[2]:
                    return f"after »{word}«"
                adjective = {a[0], b[0]} & agreement.ADJECTIVAL and {a[0], b[0]} & {"subst", "ger"}
                if adjective and agreement.agree(a, b):
                    return f"agrees with »{word}«"
    return ""


def judge_change(change, confusions, line, column, confirmed, settled=""):
    """Return (basis, reason) of a change, given the scan's confusions. It is at `column` of the published `line`.

    confirmed: two independent readings made this change. settled: the reason, where they had differed.
    """
    parts = letter_changes(change.source, change.published)
    what = describe_letters(parts)
    if settled:
        return "proofread", f"{what}; settled: {settled}"
    if set(parts) <= confusions.rules:
        return "rule", what
    source, published = split_token(change.source)[1], split_token(change.published)[1]
    if source == published:
        quote = (
            QUOTES.get(change.source[:1]) == change.published[:1]
            or QUOTES.get(change.source[-1:]) == change.published[-1:]
        )
        return ("rule" if quote else "proofread" if confirmed else "context"), what
    found = set(confusions.possible_words(source)) if published.isalpha() else set()
    if found == {published}:
        return "dictionary", what
    others = sorted(found - {published}, key=lambda w: (w.lower() == published.lower(), w))[:3]
    clues = [what, agreement_clue(line, column, change.published), f"not {' '.join(others)}" if others else ""]
    return ("proofread" if confirmed else "context"), "; ".join(filter(None, clues))
