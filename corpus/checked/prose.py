"""Words of the maintainers for readers: editorial prose (Markdown), by language."""

from __future__ import annotations

import re

LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


class Prose(dict[str, str]):
    """A text by the code of its language; a plain one stands under "", for all readers."""


def language_problem(code: str) -> tuple[str, str] | None:
    """Why a text cannot be the code of a language, and what to do; None when it can."""
    if LANGUAGE.fullmatch(code):
        return None
    return f"“{code}” is no code of a language.", "Write a code like “de”, the name of a file in languages/."
