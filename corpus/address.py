"""Paths of provisions: their labels, the paths above and below them, and how they are cited.

A path is the labels of a provision joined by ``/``: law number / capital letter / digit / lower-case letter /
lower-case roman (contract, section 2). ``12/C/1/e/ii`` is cited ``12C1(e)(ii)``. :mod:`corpus.label` reads what a
person types (``read_citation_paths``).
"""

from __future__ import annotations

import re
from itertools import pairwise

from corpus.label import PATH_PATTERN
from corpus.letters import fold
from corpus.model import CONTAINER_KINDS, STANDALONE_KINDS, NodeId

_CANONICAL_PATH = re.compile(
    rf"{PATH_PATTERN}(/fn/\d+)?$|fn/\d+$|(preface|intro|def|example)/fn/\d+$|def(/[\w-]+)?$|"
    r"chapter/[IVXL]+(/part/[IVXL]+(/division/[IVXL]+)?)?(/division/[IVXL]+)?$|preface$|intro$|index$|example(/\d+)?$"
)


def slugify(headword: str) -> str:
    """The last step of a definition's path, made of its headword.

    >>> slugify("Karta, pokutová")
    'karta-pokutova'
    """
    return re.sub(r"[\W_]+", "-", fold(headword)).strip("-") or "sign"


def split_path(path: str) -> list[str]:
    """The steps of a path; [] for an empty path.

    >>> split_path("12/C/1")
    ['12', 'C', '1']
    """
    return path.split("/") if path else []


def last_step(path: str) -> str:
    """The last step of a path: the provision's own label."""
    return path.rpartition("/")[2]


def without_last_step(path: str) -> str:
    """A path without its last step; empty for a path of one step.

    Unlike :func:`parent_path`, it leaves "chapter" of "chapter/V".
    """
    return path.rpartition("/")[0]


def join_path(path: str, *further: str) -> str:
    """A path with further steps below it. Empty ones are left out.

    >>> join_path("12", "C", "1"), join_path("", "12"), join_path("12")
    ('12/C/1', '12', '12')
    """
    return "/".join(filter(None, (path, *further)))


def contains_path(path: str, other: str) -> bool:
    """Whether ``other`` is inside ``path``, or is the same path. Both are paths of one edition, without its id."""
    return NodeId(path).contains(other)


def paths_overlap(path: str, other: str) -> bool:
    """Whether one path is inside the other, or both are the same.

    >>> paths_overlap("12/C", "12"), paths_overlap("12", "12/C"), paths_overlap("12/C", "12/C1")
    (True, True, False)
    """
    return contains_path(path, other) or contains_path(other, path)


def parent_path(path: str) -> str | None:
    """The path one label shorter; None for a law and for parts that stand alone.

    Containers keep their pairs together: the parent of ``chapter/V/part/II`` is ``chapter/V``.
    """
    whole = split_path(path)
    if whole[0] in ("fn", *STANDALONE_KINDS):
        return None
    paired = len(whole) > 1 and whole[-2] in ("fn", *CONTAINER_KINDS)
    return join_path(*whole[: -2 if paired else -1]) if len(whole) > 1 + paired else None


def ancestor_paths(path: str) -> list[str]:
    """The parents of a path, from the nearest to the outermost.

    >>> ancestor_paths("12/C/1/e")
    ['12/C/1', '12/C', '12']
    """
    out = []
    while (found := parent_path(path)) is not None:
        out.append(path := found)
    return out


def cite(path: str, dotted: bool = False) -> str:
    """The citation of a path, as a director writes it. ``dotted``: with dots between the steps.

    >>> cite("12/C/1/e/ii"), cite("35/1"), cite("50/fn/2"), cite("3/1/A/i", dotted=True)
    ('12C1(e)(ii)', '35.1', '50 fn. 2', '3.1.A.(i)')
    """
    whole = split_path(path)
    if whole[0] == "fn":
        return f"fn. {whole[1]}"
    if not whole[0].isdigit():
        return path
    if len(whole) == 3 and whole[1] == "fn":
        return f"{whole[0]} fn. {whole[2]}"
    if dotted:
        head = [s for s in whole if not s.islower()]
        tail = "".join(f"({s})" for s in whole if s.islower())
        return ".".join(head) + (("." if len(head) > 2 and tail else "") + tail if tail else "")
    out = whole[0]
    for before, step in pairwise(whole):
        if step.islower():
            out += f"({step})"
        elif step.isdigit() and before.isdigit():
            out += f".{step}"
        else:
            out += step
    return out


def is_path(text: str) -> bool:
    """Whether a text has the canonical form of a path. No edition needs to have that path."""
    return bool(_CANONICAL_PATH.fullmatch(text))
