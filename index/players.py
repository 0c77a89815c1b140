"""What players say and the laws do not: ``words/synonyms-<lang>.toml``, ``words/loans.toml`` for several languages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus.checked import Refused, file, table, toml
from corpus.checked.toml import Written
from corpus.language import Words
from corpus.place import Place
from corpus.word.lists import FOLDER

DOCS = "docs/search.md"
LOANS = "loans.toml"
ANY = "any"  # every language
# At its end: all words that begin so.
LOANS_BEGIN = "*"
_GONE = ("The file is gone.", "Put it back, or run the command again.")


@dataclass(frozen=True)
class Players:
    """A name of a thing → what players say for it."""

    synonyms: Mapping[str, Words] = field(default_factory=dict)


@dataclass(frozen=True)
class Loans:
    """Language, or ``any`` → the slug of a term → what players say for it."""

    loans: Mapping[str, Mapping[str, Words]] = field(default_factory=dict)


class Loan(NamedTuple):
    """What players of a language say for a term."""

    lang: str
    slug: str
    words: str


def read_loans(folder: Place) -> Iterator[tuple[str, Players]]:
    """(language, its list) of every list of ``folder/words``; raises :class:`corpus.checked.Refused` with what is wrong
    in one.
    """
    for path in sorted((folder / FOLDER).glob("synonyms-*.toml"), key=lambda path: path.name):
        written = toml.read_toml(path, f"{FOLDER}/{path.name}", _GONE)
        yield path.stem.removeprefix("synonyms-"), table.build(Players, written, DOCS)


def loans(folder: Place, languages: Collection[str], slugs: Collection[str]) -> Iterator[Loan]:
    """Every loan word, once for each language that has it; raises :class:`corpus.checked.Refused` for what is no slug
    or language. No file is no loan words.
    """
    path = folder / FOLDER / LOANS
    if not file.is_there(path):
        return
    written = toml.read_toml(path, f"{FOLDER}/{path.name}", _GONE)
    said = table.build(Loans, written, DOCS).loans
    for lang, by_slug in said.items():
        if lang != ANY and lang not in languages:
            raise _refused(
                written, ("loans", lang), f"“{lang}” is no language.", f"Write {ANY}, or one of: ", languages
            )
        for slug, words in by_slug.items():
            if slug not in slugs:
                raise _refused(
                    written, ("loans", lang, slug), f"“{slug}” is no term.", "Write the slug of one: ", ["…"]
                )
            for spoken in languages if lang == ANY else (lang,):
                yield from (Loan(spoken, slug, text) for text in words)


def _refused(written: Written, place: tuple[str, ...], finding: str, move: str, among: Collection[str]) -> Refused:
    return Refused([written.problem(place, finding, move + ", ".join(sorted(among)))])
