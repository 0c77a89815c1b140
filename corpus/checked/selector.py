"""Selectors of elements that stand in data: those alone that are looked up in a page in one go."""

from __future__ import annotations

import re
from collections.abc import Iterator

import soupsieve

from corpus.checked.rule import Fault

LONGEST = 200  # characters
_ATTRIBUTE = r"""\[[\w:-]+(?:[~|^$*]?=(?:"[^"\]]*"|'[^'\]]*'|[\w-]+))?\]"""
_ONE = rf"(?:\*|[\w-]+)?(?:[.#][\w-]+|{_ATTRIBUTE})*+"
_WHOLE = re.compile(rf"{_ONE}(?:(?: *[>+] *| +){_ONE})?(?: *, *{_ONE}(?:(?: *[>+] *| +){_ONE})?)*+")


def selector(_key: str, value: str) -> Iterator[Fault]:
    """A rule: tags, classes, ids and attributes, each at most inside one other. Whatever looks at all that stands
    around an element (``:has``, ``:nth-child``, ``~``) would not end on a large page.
    """
    if len(value) > LONGEST:
        yield Fault(f"A selector of {len(value)} characters.", "Write it shorter, or as two rules.")
        return
    try:
        soupsieve.compile(value)
    except (soupsieve.SelectorSyntaxError, ValueError, TypeError, RecursionError) as error:
        finding = f"“{value}” is not a CSS selector: {str(error).splitlines()[0]}."
        yield Fault(finding, "Correct it, like nav or div.menu.")
        return
    if not _WHOLE.fullmatch(value.strip()):
        yield Fault(
            f"The selector “{value}” looks at too much of the page.",
            "Write tags, classes, ids and attributes, like nav, div.menu or p > a[href]; at most one inside another.",
        )
