"""A language: everything the code knows about it is in ``languages/<code>.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from corpus.alphabet import Alphabet
from corpus.model import Problem

# The tables beside [reference] (whose keys corpus.reference knows) and what their keys hold; docs/add-a-language.md explains each.
TABLES: dict[str, dict[str, type]] = {
    "search": {
        "letters": str,
        **dict.fromkeys(
            (
                "dictionaries",
                "aspects",
                "law",
                "point",
                "level",
                "number",
                "footnote",
                "chapter",
                "cited_joiners",
                "define",
                "and",
                "or",
                "not",
                "negations",
                "without",
                "stopwords",
            ),
            list,
        ),
    },
    "alphabet": {"letters": str, "signs": str, "order": str, "endings": str, "stem": int, "bound": int},
}

_ASKED = {
    str: "Write the signs in one pair of quotes.",
    int: "Write a number.",
    list: 'Write a list of words: ["…", "…"].',
}


class LanguageError(Exception):
    """A language file that cannot be used; ``problem`` says where and why."""

    def __init__(self, problem: Problem):
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True)
class Language:
    """The data of one language file; ``data`` is the parsed TOML."""

    code: str
    name: str
    data: dict = field(hash=False, compare=False)

    def words(self, key: str) -> tuple[str, ...]:
        """The words of ``[reference] key``, e.g. ``law`` (law words in every inflected form)."""
        return tuple(self.data.get("reference", {}).get(key, ()))

    @cached_property
    def alphabet(self) -> Alphabet:
        """What its letters do."""
        return Alphabet.of(self.data.get("alphabet", {}))

    @cached_property
    def reference_word_before(self) -> re.Pattern | None:
        """Matches a text that ends in a word after which a label is a reference, not an item: “punkcie”, “see”, “a”."""
        return self._ending("law", "provision", "see", "and", "or", "to", "in")

    @cached_property
    def law_word_before(self) -> re.Pattern | None:
        """The same without the small words, after which an item of a list may well begin: “punkcie”, “see”."""
        return self._ending("law", "provision", "see")

    def _ending(self, *keys: str) -> re.Pattern | None:
        words = [w for key in keys for w in self.words(key)]
        if not words:
            return None
        return re.compile(
            r"(?:^|[\s(\[„“\"])(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")$",
            re.IGNORECASE,
        )


def load(folder: Path, code: str) -> Language:
    """Read ``folder/<code>.toml``; raises :class:`LanguageError` when it is missing or broken."""
    name = f"languages/{code}.toml"
    try:
        data = (folder / f"{code}.toml").read_bytes()
    except OSError:
        raise LanguageError(
            Problem(
                name, 1, f"There is no file for the language “{code}”.", "Write it; docs/add-a-language.md shows how."
            )
        ) from None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        parsed = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise LanguageError(
            Problem(
                name,
                data[: error.start].count(b"\n") + 1,
                f"The file cannot be read: {error}.",
                "Correct it, as UTF-8.",
            )
        ) from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        line = re.search(r"line (\d+)", str(error))
        raise LanguageError(
            Problem(name, int(line[1]) if line else 1, f"The file cannot be read: {error}.", "Correct it, as UTF-8.")
        ) from None
    if not isinstance(parsed.get("name"), str):
        raise LanguageError(Problem(name, 1, "The key “name” is missing.", "Add the name of the language in itself."))
    for table, key, finding, move in _faults(parsed):
        raise LanguageError(Problem(name, _line_of(text, table, key), finding, move))
    return Language(code, parsed["name"], parsed)


def _line_of(text: str, table: str, key: str) -> int:
    """The line of a language file where a key of a table stands; without a table, the line of the key or table itself."""
    inside = not table
    for number, line in enumerate(text.split("\n"), 1):
        if not table and line.strip() == f"[{key}]":
            return number
        inside = line.strip() == f"[{table}]" if table and line.lstrip().startswith("[") else inside
        if inside and key and re.match(rf'\s*"?{re.escape(key)}"?\s*=', line):
            return number
    return 1


def _faults(data: dict):
    """(table, key, finding, next move) of what no part of the code reads, or cannot read."""
    for key in data:
        if key not in ("name", "reference", *TABLES):
            yield "", key, f"Unknown key “{key}”.", f"Remove it, or use one of: name, reference, {', '.join(TABLES)}."
    for table in ("reference", *TABLES):
        rows = data.get(table, {})
        if not isinstance(rows, dict):
            yield "", table, f"[{table}] is {rows!r}.", 'Write a list of words for each key of the table: ["…", "…"].'
            continue
        for key, value in rows.items():
            wanted = TABLES[table].get(key) if table in TABLES else list
            if wanted is None:
                yield (
                    table,
                    key,
                    f"Unknown key “{key}” in [{table}].",
                    f"Remove it, or use one of: {', '.join(sorted(TABLES[table]))}.",
                )
            elif not isinstance(value, wanted) or (wanted is list and not all(isinstance(w, str) and w for w in value)):
                yield (table, key, f"[{table}] {key} is {value!r}.", _ASKED[wanted])
