"""The lists of words that people and dictionaries made, as they stand in ``words/``."""

from __future__ import annotations

from collections.abc import Mapping

from corpus.alphabet import fold
from corpus.checked import Refused, file, tsv
from corpus.place import Place

FOLDER = "words"
Forms = Mapping[str, tuple[str, ...]]  # form → lemmas, all folded

# The lists that people write, and their columns.
COLUMNS = {
    "lookalikes.tsv": ("lang", "word", "other", "reason"),
    "everyday.tsv": ("lang", "words"),
    "forms.tsv": ("lang", "lemma", "forms", "reason"),
}


def read_word_list(folder: Place, name: str) -> list[dict[str, str]]:
    """The rows of a list of ``folder/words``, their cells by column; none when there is no list. Raises
    :class:`corpus.checked.Refused` with every line that is none of it.
    """
    sheet = tsv.read_tsv(folder / FOLDER / name, f"{FOLDER}/{name}", COLUMNS[name], remarks=True)
    if sheet.problems:
        raise Refused(sheet.problems)
    return [row for _, row in sheet.rows]


def read_lookalikes(folder: Place, lang: str) -> frozenset[tuple[str, str]]:
    """(word, other) of a language that are not to be read as each other."""
    return frozenset((row["word"], row["other"]) for row in read_word_list(folder, "lookalikes.tsv") if row["lang"] == lang)


def read_reviewed_lemmas(folder: Place, lang: str) -> frozenset[str]:
    """Forms of a language to which a person gave their lemma."""
    return frozenset(form for row in read_word_list(folder, "forms.tsv") if row["lang"] == lang for form in row["forms"].split())


def read_forms(folder: Place, lang: str) -> Forms:
    """Form → lemmas of a language, look-alikes aside: the table ``lemma<TAB>form form …`` that ``scripts.lemmas`` made,
    and the reviewed rows of ``forms.tsv`` for words that no dictionary has; nothing when there is neither. Raises
    :class:`corpus.checked.Refused` as :func:`rows` does.
    """
    apart = read_lookalikes(folder, lang)
    table = _made(folder, f"lemmas-{lang}.tsv")
    table += [(row["lemma"], row["forms"]) for row in read_word_list(folder, "forms.tsv") if row["lang"] == lang]
    out: dict[str, tuple[str, ...]] = {}
    for lemma, of_lemma in table:
        for form in of_lemma.split():
            meant = () if (form, lemma) in apart else (lemma,)
            out[form] = tuple(dict.fromkeys((*out.get(form, ()), *meant)))
    return out


def read_everyday(folder: Place, lang: str) -> frozenset[str]:
    """Words of a language that are no typing errors, folded: those of ``everyday.tsv``, with the forms that
    ``scripts.lemmas`` found.
    """
    said = {fold(word) for row in read_word_list(folder, "everyday.tsv") if row["lang"] == lang for word in row["words"].split()}
    return frozenset(said.union(*(made.split() for _, made in _made(folder, f"everyday-{lang}.tsv"))))


def _made(folder: Place, name: str) -> list[tuple[str, str]]:
    """(word, its forms) of a table that ``scripts.lemmas`` made; at its head it says where it is from."""
    try:
        lines = file.read_text(folder / FOLDER / name, f"{FOLDER}/{name}").splitlines()
    except FileNotFoundError:
        return []
    return [(word, made) for word, _, made in (line.partition("\t") for line in lines if not line.startswith("#"))]
