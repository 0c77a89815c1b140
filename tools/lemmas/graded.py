"""Reads lists of words by how common they are; rules of endings that we state say which are forms of which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence


def candidate_words(form: str, rules: Iterable[str]) -> Iterator[str]:
    """Yield the words that a form may belong to.

    A rule is ``ending of the form:ending of the word:pattern of the word``; the pattern is optional. A “+” before the
    ending says that the last letter of the word is doubled before it.

    >>> list(candidate_words("dropped", ["+ed:", "ed:", "ed:e"])), list(candidate_words("tries", ["ies:y", "s::[^s]$"]))
    (['drop', 'dropp', 'droppe'], ['try', 'trie'])
    """
    for rule in rules:
        ending, instead, pattern = f"{rule}::".split(":", 3)[:3]
        doubled = ending.startswith("+")
        stem = form.removesuffix(ending.removeprefix("+"))
        if stem == form or len(stem) < 2 or (doubled and (stem[-1] != stem[-2] or len(stem) < 4)):
            continue
        word = (stem[:-1] if doubled else stem) + instead
        if re.search(pattern, word):
            yield word


def forms_by_word(levels: Sequence[Iterable[str]], rules: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """Return word → its forms, including itself. ``levels``: lists of words, the most common first.

    A form belongs to the most common word that it may be a form of; of equally common ones, to the longest. It is
    itself a word if it belongs to none, or has forms of its own: “ruling”, “rulings”.
    """
    level = {word: n for n, words in reversed(list(enumerate(levels))) for word in words}
    of_word: dict[str, set[str]] = {}
    may_be = {form: [w for w in candidate_words(form, rules) if w in level] for form in level}
    own = {word for words in may_be.values() for word in words}
    for form in level:
        words = [] if form in own else may_be[form]
        best = min(words, key=lambda w: (level[w], -len(w)), default=form)
        of_word.setdefault(best, set()).add(form)
    for word, forms in of_word.items():
        forms.add(word)
    return {word: frozenset(forms) for word, forms in of_word.items()}
