"""Writes ``corpus/words/lemmas-<lang>.tsv``: every word of the texts and of the terms with all its forms.

    python -m scripts.lemmas            # needs: pip install morfeusz2 simplemma lemmagen3; hunspell-sk, hunspell-hr

An authoring tool: the tables are committed, and neither the build nor the site needs a dictionary. A row is
``lemma<TAB>form form …``, all without diacritics and in lower case. Which dictionaries serve a language stands in its
language file under ``[search] dictionaries``; what each of them is worth on these texts is measured in docs/search.md.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Protocol

from corpus import language, store
from corpus.alphabet import fold
from corpus.library import Library
from corpus.word.lists import FOLDER
from corpus.word.token import analyse


class Dictionary(Protocol):
    """What a dictionary is asked; one is made from the name that a language file gives it."""

    def __init__(self, name: str): ...

    def lemmas(self, form: str) -> set[str]:
        """What a form may be a form of."""

    def forms(self, lemma: str) -> set[str]:
        """All forms of a lemma, as far as it knows any."""


class Morfeusz:
    """Polish, complete paradigms (dictionary SGJP, BSD licence)."""

    def __init__(self, name: str):  # noqa: ARG002 – it has one language
        import morfeusz2

        self._it = morfeusz2.Morfeusz()

    def lemmas(self, form: str) -> set[str]:
        """What a form may be a form of."""
        return {self._named(tags[1], tags[2]) for _, _, tags in self._it.analyse(form) if tags[2] != "ign"}

    def forms(self, lemma: str) -> set[str]:
        """All forms of a lemma."""
        positive = lemma.removeprefix("nie")
        rows = [row for word in {lemma, positive} for row in self._it.generate(word)]
        return {row[0] for row in rows if self._named(row[1], row[2]) == lemma}

    @staticmethod
    def _named(lemma: str, tags: str) -> str:
        """“niewystarczająca” is analysed as a denied “wystarczająca”; for a director it is the opposite word."""
        return ("nie" if "neg" in tags.split(":") and not lemma.startswith("nie") else "") + lemma.split(
            ":", maxsplit=1
        )[0]


class Simplemma:
    """Pairs of form and lemma as simplemma ships them; read backwards for the paradigm."""

    def __init__(self, name: str):
        from simplemma.strategies.dictionaries.dictionary_factory import DEFAULT_DICTIONARY_FACTORY

        self._lemma = DEFAULT_DICTIONARY_FACTORY.get_dictionary(name)
        self._forms = defaultdict(set)
        for form, lemma in self._lemma.items():
            self._forms[lemma].add(form)

    def lemmas(self, form: str) -> set[str]:
        """What a form may be a form of."""
        lemma = self._lemma.get(form)
        return {lemma} if lemma else {form} if form in self._forms else set()

    def forms(self, lemma: str) -> set[str]:
        """All forms of a lemma."""
        return self._forms.get(lemma, set())


class Hunspell:
    """A spelling dictionary with its affix rules expanded: stem and forms. No prefix but the negation."""

    def __init__(self, name: str):
        folder = Path("/usr/share/hunspell")
        rules, aliases, long = defaultdict(list), [""], False
        for line in (folder / f"{name}.aff").read_text(encoding="utf-8").splitlines():
            part = line.split()
            if not part:
                continue
            if part[0] == "FLAG" and part[1] == "long":
                long = True
            if part[0] == "AF" and not (len(aliases) == 1 and part[1].isdigit()):
                aliases.append(part[1])
            if (part[0] in ("SFX", "PFX") and len(part) >= 5 and not part[3].isdigit()) or (
                part[0] in ("SFX", "PFX") and len(part) >= 5 and part[2] not in "YN"
            ):
                strip, add = ("" if x == "0" else x for x in (part[2], part[3].split("/")[0]))
                rules[part[1]].append(
                    (part[0], strip, add, re.compile((part[4] + "$") if part[0] == "SFX" else "^" + part[4]))
                )
        self._forms, self._lemma = defaultdict(set), defaultdict(set)
        for line in (folder / f"{name}.dic").read_text(encoding="utf-8").splitlines()[1:]:
            if not line.strip():
                continue
            entry, *fields = line.split()
            stem, _, flags = entry.partition("/")
            base = next((f[3:] for f in fields if f.startswith("st:")), stem)
            if flags.isdigit() and len(aliases) > 1:
                flags = aliases[int(flags)]
            split = [flags[i : i + 2] for i in range(0, len(flags), 2)] if long else list(flags)
            for form in {stem} | set(self._expand(stem, split, rules)):
                self._forms[base].add(form)
                self._lemma[form].add(base)

    @staticmethod
    def _expand(stem, flags, rules):
        for flag in flags:
            for kind, strip, add, condition in rules.get(flag, ()):
                if kind == "SFX" and stem.endswith(strip) and condition.search(stem):
                    yield stem[: len(stem) - len(strip)] + add

    def lemmas(self, form: str) -> set[str]:
        """What a form may be a form of."""
        return self._lemma.get(form, set())

    def forms(self, lemma: str) -> set[str]:
        """All forms of a lemma."""
        return self._forms.get(lemma, set())


class Lemmagen:
    """Learned rules: a lemma for any word, no paradigms."""

    def __init__(self, name: str):
        from lemmagen3 import Lemmatizer

        self._it = Lemmatizer(name)

    def lemmas(self, form: str) -> set[str]:
        """What a form may be a form of."""
        return {self._it.lemmatize(form)}

    def forms(self, lemma: str) -> set[str]:  # noqa: ARG002 – learned rules know no paradigm
        """None."""
        return set()


TOOLS: dict[str, type[Dictionary]] = {
    "morfeusz": Morfeusz,
    "simplemma": Simplemma,
    "hunspell": Hunspell,
    "lemmagen": Lemmagen,
}


def vocabulary(library: Library, lang: str, words: Path) -> set[str]:
    """Lower-case words of the texts, the terms and the search words of a language."""
    out = set()
    for node in library.nodes.values():
        if node.lang == lang:
            out |= {t.exact for t in analyse(f"{node.heading or ''} {node.text}")}
    for entry in library.index:
        if library.editions[entry.edition].lang == lang:
            out |= {t.exact for t in analyse(f"{entry.entry} {entry.subentry or ''}")}
    for term in library.terms.values():
        for named in (term.names, term.wordings, term.players):
            out |= {t.exact for name in named.get(lang, ()) for t in analyse(name)}
    if (path := words / f"synonyms-{lang}.toml").exists():
        out |= {t.exact for t in analyse(path.read_text(encoding="utf-8"))}
    return out


def table(names: list[str], vocabulary: set[str]) -> dict[str, set[str]]:
    """Lemma → forms, folded. Dictionaries in order: a later one is asked about words that no earlier one knows."""
    tools = [TOOLS[kind](arg) for kind, _, arg in (name.partition(":") for name in names)]
    rows: dict[str, set[str]] = defaultdict(set)
    for form in vocabulary:
        if not form.isalpha():
            continue
        lemmas: set[str] = set()
        for tool in tools:
            # What only stands for itself may still be a form of another word; the learned rules decide.
            if lemmas - {form} and isinstance(tool, Lemmagen):
                break
            lemmas |= tool.lemmas(form)
        for lemma in lemmas or {form}:
            rows[fold(lemma)] |= {fold(form)} | {fold(f) for tool in tools for f in tool.forms(lemma)}
    return rows


def join_aspects(rows: dict[str, set[str]], endings: list[str]) -> None:
    """“dirnuti” and “dirati” are one word to a reader: where both are lemmas, each gets the forms of the other."""
    for first, _, second in (pair.partition(":") for pair in endings):
        for lemma in [x for x in rows if x.endswith(first)]:
            stem = lemma.removesuffix(first)
            other = stem + second
            if len(stem) >= 3 and other != lemma and other in rows:
                rows[lemma] = rows[other] = rows[lemma] | rows[other]


def main() -> None:
    """Write ``corpus/words/lemmas-<code>.tsv`` of the languages that are named, else of all."""
    library, words = Library.open(), store.corpus_dir() / FOLDER
    for path in sorted((store.corpus_dir() / "languages").glob("*.toml")):
        data = language.load(path.parent, path.stem).search
        names = list(data.dictionaries)
        if not names or (sys.argv[1:] and path.stem not in sys.argv[1:]):
            continue
        rows = table(names, vocabulary(library, path.stem, words))
        join_aspects(rows, list(data.aspects))
        lines = [
            f"{lemma}\t{' '.join(sorted(f for f in forms if f.isalpha()))}"
            for lemma, forms in sorted(rows.items())
            if len(forms) > 1
        ]
        (words / f"lemmas-{path.stem}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{path.stem}: {len(lines)} lemmas, {sum(len(f) for f in rows.values())} forms")


if __name__ == "__main__":
    main()
