"""Patterns that a manifest must not have: those that try so many ways to match that they never end."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache

_SUSPECT = re.compile(r"[|?*+}].*\)(?:[+*]|\{\d*,)", re.DOTALL)  # a choice or a repetition, then a repeated group
_SECONDS = 2
_TRIAL = """
import re, sys
pattern = re.compile(sys.argv[1])
for piece in ("a", "A", "1", "a ", "Ab ", "1 ", ". ", "- ", "\\t", "é", *sorted(set(sys.argv[1]))):
    for line in (piece * 60, piece * 60 + "\\0"):
        pattern.search(line), pattern.fullmatch(line)
"""


@cache
def endless(pattern: str) -> bool:
    r"""Whether a pattern does not come to an end on a long line that repeats one sign of it, or a few others.

    It is tried in a process of its own, since nothing stops a match that has begun; only one that repeats a group in
    which there is a choice or a repetition can be of that kind.

    >>> endless(r"^[a-z]+$"), endless(r"^(\w+\s?)+$x"), endless("(b|bb)+$")
    (False, True, True)
    """
    if not _SUSPECT.search(pattern):
        return False
    try:
        subprocess.run(  # noqa: S603 – this Python, no shell; the pattern is an argument
            [sys.executable, "-c", _TRIAL, pattern],
            timeout=_SECONDS,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    except (OSError, ValueError):
        return False
    return False
