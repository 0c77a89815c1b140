"""Words in the form in which they are compared, and the word lists of ``words/``.

:func:`fold` and :func:`tokenize` make words comparable. :class:`Alphabet` is the ``[alphabet]`` of a language.
The ``read_…`` functions read the lists: forms and lemmas, look-alikes, everyday words. Terms of the laws are found with
them, and the search uses them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

from corpus import files
from corpus.files import InvalidFile, ReadablePath
from corpus.model import Problem
from corpus.schema import ValueHint, check_at_least_one

SignSet = Annotated[str, ValueHint("the signs in one pair of quotes")]

# Letters that NFKD does not split, by their Unicode names: “LATIN SMALL LETTER L WITH STROKE” is an l, “LATIN SMALL
# LETTER DOTLESS I” an i, “LATIN SMALL LIGATURE OE” an o and an e.
_LETTER_NAME = re.compile(r"LATIN SMALL (?:LETTER|LIGATURE) (?:DOTLESS )?([A-Z]{1,2})(?: WITH .+)?")


class _PlainLetters(dict[int, str]):
    """Code point → the letter without its marks. Entries are computed at first use."""

    def __missing__(self, code: int) -> str:
        named = _LETTER_NAME.fullmatch(unicodedata.name(chr(code), ""))
        plain = "" if unicodedata.combining(chr(code)) else named[1].lower() if named else chr(code)
        self[code] = plain
        return plain


_PLAIN_LETTERS = _PlainLetters()


def fold(text: str) -> str:
    """Lower case without diacritics; ł→l, đ→d, ı→i. May change the length of the text.

    >>> fold("Żądanie ćwierć-Łąki"), fold("Đačić"), fold("Straße"), fold("Kapalı")
    ('zadanie cwierc-laki', 'dacic', 'strasse', 'kapali')
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", text.casefold()).lower().translate(_PLAIN_LETTERS)


@dataclass(frozen=True)
class Alphabet:
    """``[alphabet]`` of a language file. A key that the file leaves out has no effect.

    ``letters`` beyond a–z and ``signs`` (everything else except digits and blanks) are what a text may contain.
    ``order`` lists the letters in alphabetical order with blanks between them, each once, including those of two signs
    (Slovak ch after h). ``endings`` are letters that inflection adds at the end of words. ``stem`` is the number of
    first letters that show what a word is about. Words of ``bound`` letters or fewer do not end a line.
    """

    letters: SignSet = ""
    signs: SignSet = ""
    order: SignSet = ""
    endings: SignSet = ""
    stem: Annotated[int, check_at_least_one] = 6
    bound: int = 0

    def stem_of(self, word: str, letters: int = 0) -> str:
        """The first letters of a folded word, without its ending. A word that is only an ending stays.

        ``letters``: how many letters; 0 stands for the ``stem`` of the alphabet.

        >>> pl = Alphabet(endings="aeiouyąęó")
        >>> pl.stem_of("odsloniecie", 5), pl.stem_of("lewa"), pl.stem_of("i")
        ('odslo', 'lew', 'i')
        """
        return word.rstrip(self._folded_endings)[: letters or self.stem] or word

    def without_ending(self, word: str) -> str:
        """A word in lower case without the letters that inflection added at its end."""
        return word.rstrip(self.endings)

    def sort_key(self, word: str) -> tuple[tuple[str, int], ...]:
        """The key of alphabetical order, by letters only. A letter outside ``order`` sorts with its plain letter.

        >>> sk = Alphabet(order="a b c č d e f g h ch i")
        >>> sorted(["ihla", "chyba", "čas", "hra", "cena"], key=sk.sort_key)
        ['cena', 'čas', 'hra', 'chyba', 'ihla']
        """
        return tuple(
            self._letter_ranks.get(unit) or (fold(unit), 0) for unit in self._letter_pattern.findall(word.lower())
        )

    def index_letter(self, word: str) -> str:
        """The letter that a word is listed under, in title case: “Ch” for “chyba” in Slovak.

        A letter that is not in ``order`` becomes its plain letter: “U” for “úmysel”.
        """
        first = self._letter_pattern.match(word.lower())
        if not first:
            return word[:1]
        return (first[0] if first[0] in self._letter_ranks else fold(first[0])).capitalize()

    @cached_property
    def _folded_endings(self) -> str:
        return fold(self.endings)

    @cached_property
    def _letter_pattern(self) -> re.Pattern[str]:
        """Matches one letter. Letters of several signs come before their first sign."""
        several = sorted((u for u in self.order.split() if len(u) > 1), key=len, reverse=True)
        return re.compile("|".join([*map(re.escape, several), r"\w"]))

    @cached_property
    def _letter_ranks(self) -> dict[str, tuple[str, int]]:
        """Letter → (the nearest letter a–z at or before it in ``order``, how many letters it stands after that one)."""
        out: dict[str, tuple[str, int]] = {}
        plain, after = "", 0
        for unit in self.order.split():
            plain, after = (unit, 0) if unit.isascii() and len(unit) == 1 else (plain, after + 1)
            out[unit] = (plain, after)
        return out


_WORD = re.compile(r"[^\W_]+")
# A sign after which another statement may begin. A “not” has no effect beyond it.
_CLAUSE_END = re.compile(r"(?<!\d)\.|[,;:?!()\[\]–—\n]|\s-\s")
# No dictionary has a longer word. Longer ones are cut, so that later steps have a bounded size.
LONGEST_WORD = 40


class Token(NamedTuple):
    """A word of a text, ``text[start:end]``.

    ``exact`` is the word in lower case, ``form`` also without diacritics. ``clause`` is the number of its clause in the
    text, as far as signs separate clauses.
    """

    form: str
    exact: str
    start: int
    end: int
    clause: int = 0


def tokenize(text: str) -> list[Token]:
    """The words of a text in order.

    >>> [t.form for t in tokenize("Fałszywy renons, 12. lewa")]
    ['falszywy', 'renons', '12', 'lewa']
    """
    out: list[Token] = []
    clause = end = 0
    for match in _WORD.finditer(text):
        exact = match.group()[:LONGEST_WORD].lower()
        clause += bool(out) and _CLAUSE_END.search(text, end, match.start()) is not None
        end = match.end()
        out.append(Token(fold(exact), exact, match.start(), end, clause))
    return out


WORDS_FOLDER = "words"
LemmasByForm = Mapping[str, tuple[str, ...]]  # form → lemmas, all folded

# The lists that people write, with their columns.
WORD_LIST_COLUMNS = {
    "lookalikes.tsv": ("lang", "word", "other", "reason"),
    "everyday.tsv": ("lang", "words"),
    "forms.tsv": ("lang", "lemma", "forms", "reason"),
    "talk.tsv": ("lang", "position", "talk"),
    "unanswered.tsv": ("lang", "text"),
}


def read_word_list(folder: ReadablePath, name: str) -> list[dict[str, str]]:
    """The rows of a list in ``folder/words`` as {column: cell}. A missing list has no rows.

    Raises :class:`corpus.files.InvalidFile` with a problem for every wrong line.
    """
    sheet = files.read_tsv(
        folder / WORDS_FOLDER / name, f"{WORDS_FOLDER}/{name}", WORD_LIST_COLUMNS[name], remarks=True
    )
    if sheet.problems:
        raise InvalidFile(sheet.problems)
    return [row for _, row in sheet.rows]


def read_lookalikes(folder: ReadablePath, lang: str) -> frozenset[tuple[str, str]]:
    """Return the pairs (word, other) of a language in which one word must not be taken for the other."""
    return frozenset(
        (row["word"], row["other"]) for row in read_word_list(folder, "lookalikes.tsv") if row["lang"] == lang
    )


def read_reviewed_forms(folder: ReadablePath, lang: str) -> frozenset[str]:
    """Return the forms of a language whose lemma a person stated in ``forms.tsv``."""
    return frozenset(
        form for row in read_word_list(folder, "forms.tsv") if row["lang"] == lang for form in row["forms"].split()
    )


def read_lemmas_by_form(folder: ReadablePath, lang: str) -> LemmasByForm:
    """Return form → lemmas of a language. Pairs that :func:`read_lookalikes` lists are left out.

    The forms come from the table ``lemma<TAB>form form …`` that ``tools.lemmas`` makes, and from the reviewed rows of
    ``forms.tsv`` for words that no dictionary has. The mapping is empty when the language has neither file. Raises
    :class:`corpus.files.InvalidFile` as :func:`read_word_list` does.
    """
    apart = read_lookalikes(folder, lang)
    table = _read_generated_list(folder, f"lemmas-{lang}.tsv")
    table += [(row["lemma"], row["forms"]) for row in read_word_list(folder, "forms.tsv") if row["lang"] == lang]
    out: dict[str, tuple[str, ...]] = {}
    for lemma, of_lemma in table:
        for form in of_lemma.split():
            meant = () if (form, lemma) in apart else (lemma,)
            out[form] = tuple(dict.fromkeys((*out.get(form, ()), *meant)))
    return out


def read_everyday_words(folder: ReadablePath, lang: str) -> frozenset[str]:
    """Folded words of a language that are no typing errors.

    They are the words of ``everyday.tsv`` and the forms that ``tools.lemmas`` found for them.
    """
    listed = {
        fold(word)
        for row in read_word_list(folder, "everyday.tsv")
        if row["lang"] == lang
        for word in row["words"].split()
    }
    return frozenset(listed.union(*(made.split() for _, made in _read_generated_list(folder, f"everyday-{lang}.tsv"))))


def _read_generated_list(folder: ReadablePath, name: str) -> list[tuple[str, str]]:
    """Return (word, its forms in one string) for each line of a table that ``tools.lemmas`` made; [] without the file.

    Lines that begin with “#” state its origin; they are skipped. Raises :class:`corpus.files.InvalidFile` with a
    problem for every line that is not a word, a tab and its forms.
    """
    place = f"{WORDS_FOLDER}/{name}"
    try:
        lines = files.read_text(folder / WORDS_FOLDER / name, place).splitlines()
    except FileNotFoundError:
        return []
    rows = [(n, line.split("\t")) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    move = "Write the word, a tab, and its forms with blanks between; or make the list anew: python -m tools.lemmas."
    if wrong := [Problem(place, n, f"{len(row)} cells, a list has 2.", move) for n, row in rows if len(row) != 2]:
        raise InvalidFile(wrong[: files.MOST_PROBLEMS])
    return [(word, made) for _, (word, made) in rows]
