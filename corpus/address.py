"""Addresses of provisions: cite, sort, find the parent. What a person types for one is read by corpus.label.typed.

A path is the labels of a provision joined by ``/``: law number / capital letter / digit / lower-case
letter / lower-case roman (contract, section 2). ``12/C/1/e/ii`` is cited ``12C1(e)(ii)``.
"""

from __future__ import annotations

import re
import unicodedata

from corpus.label.grammar import PATH, ROMAN
from corpus.model import ALONE, CONTAINERS

_PATH = re.compile(
    rf"{PATH}(/fn/\d+)?$|fn/\d+$|(preface|intro|def|example)/fn/\d+$|def(/[\w-]+)?$|"
    r"chapter/[IVXL]+(/part/[IVXL]+(/division/[IVXL]+)?)?(/division/[IVXL]+)?$|preface$|intro$|index$|example(/\d+)?$"
)

_FOLD = str.maketrans({"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"})


def fold(text: str) -> str:
    """Lower case without diacritics; ł→l, đ→d. May change the length of the text.

    >>> fold("Żądanie ćwierć-Łąki")
    'zadanie cwierc-laki'
    """
    text = unicodedata.normalize("NFKD", text.lower().translate(_FOLD)).lower()
    return "".join(c for c in text if not unicodedata.combining(c))


def slug(headword: str) -> str:
    """The last step of a definition's path.

    >>> slug("Karta, pokutová")
    'karta-pokutova'
    """
    return re.sub(r"[\W_]+", "-", fold(headword)).strip("-") or "sign"


def parent(path: str) -> str | None:
    """The path one label shorter, None for a law and for what stands alone.

    Containers keep their pairs together: the parent of ``chapter/V/part/II`` is ``chapter/V``.
    """
    steps = path.split("/")
    if steps[0] in ("fn", *ALONE):
        return None
    if len(steps) >= 2 and steps[-2] in ("fn", *CONTAINERS):
        steps = steps[:-1]
    steps = steps[:-1]
    return "/".join(steps) or None


def ancestors(path: str) -> list[str]:
    """Parents from the nearest to the outermost.

    >>> ancestors("12/C/1/e")
    ['12/C/1', '12/C', '12']
    """
    out = []
    while (path := parent(path)) is not None:
        out.append(path)
    return out


def cite(path: str, dotted: bool = False) -> str:
    """What a director writes for a path.

    >>> cite("12/C/1/e/ii"), cite("35/1"), cite("50/fn/2"), cite("3/1/A/i", dotted=True)
    ('12C1(e)(ii)', '35.1', '50 fn. 2', '3.1.A.(i)')
    """
    steps = path.split("/")
    if steps[0] == "fn":
        return f"fn. {steps[1]}"
    if not steps[0].isdigit():
        return path
    if len(steps) == 3 and steps[1] == "fn":
        return f"{steps[0]} fn. {steps[2]}"
    if dotted:
        head = [s for s in steps if not s.islower()]
        tail = "".join(f"({s})" for s in steps if s.islower())
        return ".".join(head) + (("." if len(head) > 2 and tail else "") + tail if tail else "")
    out = steps[0]
    for before, step in zip(steps, steps[1:]):
        if step.islower():
            out += f"({step})"
        elif step.isdigit() and before.isdigit():
            out += f".{step}"
        else:
            out += step
    return out


def is_path(text: str) -> bool:
    """Whether the text is a path in canonical form (of any edition)."""
    return bool(_PATH.fullmatch(text))


def sort_key(path: str) -> tuple:
    """Orders paths of one law as they are printed: 12, 12/A, 12/A/1, …, 12/fn/1."""
    key = []
    for step in path.split("/"):
        if step.isdigit():
            key.append((1, int(step), ""))
        elif step in ROMAN and key and len(key) > 3:
            key.append((3, ROMAN.index(step), ""))
        else:
            key.append((2 if step != "fn" else 9, 0, step))
    return tuple(key)
