"""Words as they are compared: ``token`` what is one word of a text, ``lists`` the lists of ``words/``.

Forms and lemmas of a language, look-alikes, words of every day: terms of the laws are found with them, and so is what
is searched.
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
from corpus.schema import ValueHint, check_at_least_one

SignSet = Annotated[str, ValueHint("the signs in one pair of quotes")]

# “LATIN SMALL LETTER L WITH STROKE” is an l, “LATIN SMALL LETTER DOTLESS I” an i, “LATIN SMALL LIGATURE OE” an o and
# an e: what NFKD leaves whole.
_LETTER_NAME = re.compile(r"LATIN SMALL (?:LETTER|LIGATURE) (?:DOTLESS )?([A-Z]{1,2})(?: WITH .+)?")


class _PlainLetters(dict[int, str]):
    """Code point → what is left of a letter without its marks; worked out when first asked."""

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
    """``[alphabet]`` of a language file; what a file leaves out does nothing.

    ``letters`` beyond a–z, and ``signs``, everything else but digits and blanks: what a text may hold. ``order``: the
    letters in their order, parted by blanks, each once, those of two signs too (Slovak ch after h). ``endings``: the
    letters that inflection puts at the end of words. ``stem``: how many first letters of a word tell what it is
    about. ``bound``: words of so many letters or fewer do not end a line.
    """

    letters: SignSet = ""
    signs: SignSet = ""
    order: SignSet = ""
    endings: SignSet = ""
    stem: Annotated[int, check_at_least_one] = 6
    bound: int = 0

    def stem_of(self, word: str, letters: int = 0) -> str:
        """The first letters of a folded word without its ending; a word that is nothing but ending stays.

        >>> pl = Alphabet(endings="aeiouyąęó")
        >>> pl.stem_of("odsloniecie", 5), pl.stem_of("lewa"), pl.stem_of("i")
        ('odslo', 'lew', 'i')
        """
        return word.rstrip(self._folded_endings)[: letters or self.stem] or word

    def without_ending(self, word: str) -> str:
        """A word in lower case without the letters that inflection put at its end."""
        return word.rstrip(self.endings)

    def sort_key(self, word: str) -> tuple[tuple[str, int], ...]:
        """Alphabetical order, of letters only: one that is not in ``order`` sorts with its plain letter.

        >>> sk = Alphabet(order="a b c č d e f g h ch i")
        >>> sorted(["ihla", "chyba", "čas", "hra", "cena"], key=sk.sort_key)
        ['cena', 'čas', 'hra', 'chyba', 'ihla']
        """
        return tuple(
            self._letter_ranks.get(unit) or (fold(unit), 0) for unit in self._letter_pattern.findall(word.lower())
        )

    def index_letter(self, word: str) -> str:
        """The letter that a word is listed under, as a title writes it: “Ch” of “chyba” in Slovak, “U” of “úmysel”, for
        one that is not in ``order`` sorts with its plain letter.
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
        """One letter; those of several signs before their first sign."""
        several = sorted((u for u in self.order.split() if len(u) > 1), key=len, reverse=True)
        return re.compile("|".join([*map(re.escape, several), r"\w"]))

    @cached_property
    def _letter_ranks(self) -> dict[str, tuple[str, int]]:
        """Letter → (the plain letter at or before it, how many letters stand between)."""
        out: dict[str, tuple[str, int]] = {}
        plain, after = "", 0
        for unit in self.order.split():
            plain, after = (unit, 0) if unit.isascii() and len(unit) == 1 else (plain, after + 1)
            out[unit] = (plain, after)
        return out


_WORD = re.compile(r"[^\W_]+")
# A sign after which another statement may begin: a “not” does not reach over it.
_CLAUSE_END = re.compile(r"(?<!\d)\.|[,;:?!()\[\]–—\n]|\s-\s")
# A word longer than any in a dictionary is noise; it is cut so that nothing downstream grows with it.
LONGEST_WORD = 40


class Token(NamedTuple):
    """A word of a text, ``text[start:end]``, as it is compared: ``form`` is lower case without diacritics, ``exact``
    is lower case; ``clause`` counts the clauses of the text, as far as signs part them.
    """

    form: str
    exact: str
    start: int
    end: int
    clause: int = 0


def tokenize(text: str) -> list[Token]:
    """The tokens of a text in order.

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

# The lists that people write, and their columns.
WORD_LIST_COLUMNS = {
    "lookalikes.tsv": ("lang", "word", "other", "reason"),
    "everyday.tsv": ("lang", "words"),
    "forms.tsv": ("lang", "lemma", "forms", "reason"),
}


def read_word_list(folder: ReadablePath, name: str) -> list[dict[str, str]]:
    """The rows of a list of ``folder/words``, their cells by column; none when there is no list. Raises
    :class:`corpus.checked.Refused` with every line that is none of it.
    """
    sheet = files.read_tsv(
        folder / WORDS_FOLDER / name, f"{WORDS_FOLDER}/{name}", WORD_LIST_COLUMNS[name], remarks=True
    )
    if sheet.problems:
        raise InvalidFile(sheet.problems)
    return [row for _, row in sheet.rows]


def read_lookalikes(folder: ReadablePath, lang: str) -> frozenset[tuple[str, str]]:
    """(word, other) of a language that are not to be read as each other."""
    return frozenset(
        (row["word"], row["other"]) for row in read_word_list(folder, "lookalikes.tsv") if row["lang"] == lang
    )


def read_reviewed_lemmas(folder: ReadablePath, lang: str) -> frozenset[str]:
    """Forms of a language to which a person gave their lemma."""
    return frozenset(
        form for row in read_word_list(folder, "forms.tsv") if row["lang"] == lang for form in row["forms"].split()
    )


def read_forms(folder: ReadablePath, lang: str) -> LemmasByForm:
    """Form → lemmas of a language, look-alikes aside: the table ``lemma<TAB>form form …`` that ``tools.lemmas`` made,
    and the reviewed rows of ``forms.tsv`` for words that no dictionary has; nothing when there is neither. Raises
    :class:`corpus.checked.Refused` as :func:`rows` does.
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


def read_everyday(folder: ReadablePath, lang: str) -> frozenset[str]:
    """Words of a language that are no typing errors, folded: those of ``everyday.tsv``, with the forms that
    ``tools.lemmas`` found.
    """
    said = {
        fold(word)
        for row in read_word_list(folder, "everyday.tsv")
        if row["lang"] == lang
        for word in row["words"].split()
    }
    return frozenset(said.union(*(made.split() for _, made in _read_generated_list(folder, f"everyday-{lang}.tsv"))))


def _read_generated_list(folder: ReadablePath, name: str) -> list[tuple[str, str]]:
    """(word, its forms) of a table that ``tools.lemmas`` made; at its head it says where it is from."""
    try:
        lines = files.read_text(folder / WORDS_FOLDER / name, f"{WORDS_FOLDER}/{name}").splitlines()
    except FileNotFoundError:
        return []
    return [(word, made) for word, _, made in (line.partition("\t") for line in lines if not line.startswith("#"))]
