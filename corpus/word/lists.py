"""The lists of words that people and dictionaries made, as they stand in ``words/``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from corpus.checked import Refused, tsv

FOLDER = "words"
Forms = Mapping[str, tuple[str, ...]]  # form → lemmas, all folded

# The lists that people write, and their columns.
COLUMNS = {"lookalikes.tsv": ("lang", "word", "other", "reason"), "everyday.tsv": ("lang", "words")}


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a list of ``folder/words``, their cells by column; none when there is no list. Raises
    :class:`corpus.checked.Refused` with every line that is none of it.
    """
    sheet = tsv.read(folder / FOLDER / name, f"{FOLDER}/{name}", COLUMNS[name], remarks=True)
    if sheet.problems:
        raise Refused(sheet.problems)
    return [row for _, row in sheet.rows]


def lookalikes(folder: Path, lang: str) -> frozenset[tuple[str, str]]:
    """(word, other) of a language that are not to be read as each other."""
    return frozenset((row["word"], row["other"]) for row in rows(folder, "lookalikes.tsv") if row["lang"] == lang)


def forms(folder: Path, lang: str) -> Forms:
    """Form → lemmas of a language, look-alikes aside: the table ``lemma<TAB>form form …`` that ``scripts.lemmas`` made;
    nothing when there is none.
    """
    out: dict[str, tuple[str, ...]] = {}
    path, apart = folder / FOLDER / f"lemmas-{lang}.tsv", lookalikes(folder, lang)
    if not path.exists():
        return out
    for line in path.read_text(encoding="utf-8").splitlines():
        lemma, _, of_lemma = line.partition("\t")
        for form in of_lemma.split():
            out[form] = (*out.get(form, ()), *(() if (form, lemma) in apart else (lemma,)))
    return out
