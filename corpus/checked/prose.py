"""Words of the maintainers for readers: editorial prose (Markdown), by language."""

from __future__ import annotations

import re

LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


class Prose(dict[str, str]):
    """A text by the code of its language; a plain one stands under "", for all readers."""


def language_problem(code: str) -> str:
    """Why a text cannot be the code of a language; empty when it can."""
    if LANGUAGE.fullmatch(code):
        return ""
    return f"“{code}” is no code of a language. Write a language code like “de”, the name of a file in languages/."
