"""Concepts: what is one thing under many names, within a language and across languages.

``terms/terms.tsv`` has a row for each thing and a column for each language, names separated by ``|``.
``terms/synonyms-<lang>.toml`` adds what players call it: ``[synonyms]`` maps a name to its other names; a name that
stands in the table joins that row, another one makes a concept of its own. ``outside`` lists what players speak of and the
laws do not treat. Names are compared by lemmas, so one form is enough.
"""
from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from index.analyser import analyse
from index.lexicon import Lexicon


class Found(NamedTuple):
    """A concept named by the words ``first`` to ``last`` (inclusive) of a text."""

    concept: str
    first: int
    last: int


class Concepts:
    """All names of all concepts, found in sequences of words."""

    def __init__(self, lexicons: dict[str, Lexicon]):
        self._lexicons = lexicons
        # (language, way of seeking) → lemma of the longest word → [(lemma sets of all words, concept)]
        self._names: dict[tuple[str, str], dict[str, list]] = defaultdict(lambda: defaultdict(list))
        self._by_name: dict[tuple[str, tuple], str] = {}
        self._words: dict[str, set[str]] = defaultdict(set)
        self._outside: dict[tuple[str, str], dict[str, list]] = defaultdict(lambda: defaultdict(list))
        self.titles: dict[str, dict[str, str]] = defaultdict(dict)

    @classmethod
    def read(cls, terms: Path, lexicons: dict[str, Lexicon]) -> "Concepts":
        """Read the table and the lists of synonyms of a folder; what is missing is empty."""
        self = cls(lexicons)
        table = terms / "terms.tsv"
        if table.exists():
            head, *rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if line and line[0] != "#")
            for number, row in enumerate(rows):
                for lang, cell in zip(head, row):
                    for name in filter(None, map(str.strip, cell.split("|"))):
                        self._add(f"#{number}", lang, name)
        for path in sorted(terms.glob("synonyms-*.toml")):
            lang = path.stem.removeprefix("synonyms-")
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            for name in data.get("outside", ()):
                view, key = self._key(lang, name)
                for lemma in _anchor(key) if key else ():
                    self._outside[lang, view][lemma].append((key, name))
            for number, (name, others) in enumerate(data.get("synonyms", {}).items()):
                concept = self._by_name.get((lang, self._key(lang, name)), f"#{lang}{number}")
                for one in (name, *others):
                    self._add(concept, lang, one)
        return self

    def _key(self, lang: str, name: str) -> tuple[str, tuple]:
        """How a name is to be sought, and the lemma sets of its words.

        Words to skip do not count (``"content"``), unless they deny (``"denied"``: “nie dołożyć do koloru”) or only one word
        would be left of several (``"printed"``: “za wolno”, “po partii”).
        """
        lexicon = self._lexicons.get(lang)
        if lexicon is None:
            return "content", ()
        forms = [w.form for w in analyse(name)]
        views = self._views(lexicon, forms)
        view = "denied" if len(views["denied"]) > len(views["content"]) else "content"
        if len(forms) > 1 and len(views["content"]) < 2:
            view = "printed"
        return view, tuple(frozenset(lexicon.lemmas(forms[i])) for i in views[view])

    @staticmethod
    def _views(lexicon: Lexicon, forms: list[str]) -> dict[str, list[int]]:
        """Positions of the words that count, by the way of seeking."""
        denying = lexicon.negations
        return {"content": [i for i, f in enumerate(forms) if f not in lexicon.stopwords],
                "denied": [i for i, f in enumerate(forms) if f not in lexicon.stopwords or f in denying],
                "printed": list(range(len(forms)))}

    def _add(self, concept: str, lang: str, name: str) -> None:
        view, key = self._key(lang, name)
        if not key:
            return
        self.titles[concept].setdefault(lang, name)
        self._by_name.setdefault((lang, (view, key)), concept)
        self._words[lang].update(w.form for w in analyse(name))
        for lemma in _anchor(key):
            entry = (key, concept)
            if entry not in self._names[lang, view][lemma]:
                self._names[lang, view][lemma].append(entry)

    def names_word(self, lang: str, form: str) -> bool:
        """Whether a name of a concept has this word."""
        return form in self._words.get(lang, ())

    def outside(self, lang: str, forms: list[str]) -> list[Found]:
        """What a text names that is known not to be treated in the laws."""
        return self._seek(self._outside, lang, forms)

    def find(self, lang: str, forms: list[str]) -> list[Found]:
        """Concepts named in a sequence of folded forms; words to skip may stand between, the order is free within a name."""
        return self._seek(self._names, lang, forms)

    def _seek(self, names: dict, lang: str, forms: list[str]) -> list[Found]:
        lexicon = self._lexicons[lang]
        readings = [lexicon.lemmas(f) for f in forms]
        out: dict[Found, None] = {}
        for view, kept in self._views(lexicon, forms).items():
            known = names.get((lang, view))
            if not known:
                continue
            lemmas = [readings[i] for i in kept]
            for at, here in enumerate(lemmas):
                for lemma in here:
                    for key, concept in known.get(lemma, ()):
                        size = len(key)
                        for start in range(max(0, at - size + 1), min(at, len(kept) - size) + 1):
                            if self._covers(key, lemmas[start:start + size]):
                                out[Found(concept, kept[start], kept[start + size - 1])] = None
                                break
        return list(out)

    @staticmethod
    def _covers(key: tuple, window: list[tuple[str, ...]]) -> bool:
        left = list(window)
        for wanted in key:
            for i, have in enumerate(left):
                if not wanted.isdisjoint(have):
                    del left[i]
                    break
            else:
                return False
        return True


def _anchor(key: tuple) -> frozenset[str]:
    """The word of a name that a text is searched for first: a long one is rare."""
    return max(key, key=lambda lemmas: len(min(lemmas)))
