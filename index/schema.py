"""The shape of the index on disk, and the analyser that is pickled into it: it must stay importable from here."""

from __future__ import annotations

from whoosh.analysis import Token, Tokenizer
from whoosh.fields import ID, STORED, TEXT, Schema


class Given(Tokenizer):
    """Takes words that were analysed already, as :func:`given` writes them: ``term^weight term^weight …``."""

    def __call__(
        self,
        value,
        positions=False,
        chars=False,
        keeporiginal=False,
        removestops=True,
        start_pos=0,
        start_char=0,
        mode="",
        **kwargs,
    ):
        token = Token(positions, chars, removestops=removestops, mode=mode, boosts=True)
        for position, piece in enumerate(value.split()):
            term, _, weight = piece.rpartition("^")
            token.text, token.boost, token.stopped = term, float(weight), False
            if positions:
                token.pos = start_pos + position
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
            fields[name] = TEXT(analyzer=Given(), phrase=False)
    return Schema(**fields)
