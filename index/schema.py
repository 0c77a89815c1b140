"""The shape of the index on disk, and the analyser that is pickled into it: it must stay importable from here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from whoosh.analysis import Token, Tokenizer
from whoosh.fields import ID, STORED, TEXT, Schema


class Given(Tokenizer):
    """Takes words that were analysed already, as :func:`given` writes them: ``term^weight term^weight …``."""

    def __call__(self, value: str, mode: str = "", **asked: Any) -> Iterator[Token]:
        """A token for each; Whoosh asks for neither positions nor characters of these fields."""
        token = Token(removestops=asked.get("removestops", True), mode=mode, boosts=True)
        for piece in value.split():
            term, _, weight = piece.rpartition("^")
            token.text, token.boost, token.stopped = term, float(weight), False
            yield token


def given(weighted: list[tuple[str, float]]) -> str:
    """Analysed words as the value of a field (Whoosh would not pass a list to the analyser)."""
    return " ".join(f"{term}^{weight:g}" for term, weight in weighted)


def own(lang: str) -> str:
    """Name of the field that holds the lemmas and concepts of a provision's own heading and text."""
    return f"own_{lang}"


def around(lang: str) -> str:
    """Name of the field that holds those of the headings above and of the provisions below."""
    return f"around_{lang}"


def forms(lang: str) -> str:
    """Name of the field that holds the words as printed, without diacritics: for quoted phrases."""
    return f"forms_{lang}"


def schema(langs: list[str]) -> Schema:
    """One document for each provision; three fields for each language of the corpus."""
    fields = {"id": ID(stored=True, unique=True), "number": STORED()}
    for lang in langs:
        for name in (own(lang), around(lang), forms(lang)):
            fields[name] = TEXT(analyzer=Given(), phrase=False)  # type: ignore[arg-type]  # a tokenizer is an analyser
    return Schema(**fields)
