"""First step: one spelling for what looks alike, so that the search need not know printers' habits."""

from __future__ import annotations

from corpus.label.grammar import alike


def clean(text: str) -> str:
    r"""The text with plain blanks, dashes and quotes, and Latin for the Cyrillic and Greek letters that look Latin.

    The length never changes: an offset in the result is the same offset in the text. Words of the language
    files go through this too, so a language written in Cyrillic still finds its own words.

    >>> clean("przepis\u00a016\u0412 – „Pas”")
    'przepis 16B - "Pas"'
    """
    return alike(text)
