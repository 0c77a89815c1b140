"""Step 4: how an edition prints its labels, from templates to patterns.

A template is a label as printed with one of the signs ``1`` (number), ``A`` (capital), ``a`` (small letter) or
``i`` (small roman) where the ordinal stands; ``^`` stands for the label of the parent, printed again
("3.1.A." is ``^A.``). In the template of a law ``HEADING`` stands for a title in capitals, ``Heading`` for any
title on the same line. A blank is any white space or none, a dash any dash.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.address import ROMAN

_ORDINAL = {"1": r"\d{1,3}", "A": "[A-Z]", "a": "[a-z]", "i": "[ivx]{1,5}"}
_COUNT_FROM = {"A": lambda n: chr(64 + n), "1": str, "a": lambda n: chr(96 + n), "i": lambda n: ROMAN[n - 1]}


@dataclass(frozen=True)
class Level:
    """One depth of numbering: its kind, its templates, how its headings stand, and the signs of its path step.

    ``heading``: ``auto`` (decided by layout), ``with-text`` (the same, but words that only lead in to labelled
    children are text), ``none`` (what follows the label is always text),
    ``next-line`` (the line after the label), ``same-line``. ``count``: the sign class of the path step
    (``A``, ``1``, ``a``, ``i``) when the edition prints another.
    """

    kind: str
    labels: tuple[str, ...]
    heading: str = "auto"
    count: str = ""
    inline: bool = False

    def step(self, ordinal: int) -> str:
        """The path step of the n-th label of this level."""
        return _COUNT_FROM[self.count](ordinal)


@dataclass(frozen=True)
class Label:
    """A label found at the start of a text: ``text[start:end]`` is printed, ``rest`` begins at ``after``."""

    start: int
    end: int
    after: int
    ordinal: int
    prefix: str = ""


def sign_of(template: str) -> str:
    """The class of ordinals of a template: ``1``, ``A``, ``a`` or ``i``."""
    bare = re.sub(r"HEADING|Heading|\[[^\]]*\]|\w{2,}", "", template)
    found = re.search(r"[1Aai]", bare)
    if not found:
        raise ValueError(f"The label template “{template}” has none of the signs 1, A, a, i.")
    return found[0]


def compile_template(template: str) -> re.Pattern:
    """The pattern of a template, anchored at the start, with groups ``label``, ``n`` and perhaps ``heading``, ``prefix``."""
    sign, out, seen = sign_of(template), [], False
    tokens = re.findall(r"HEADING|Heading|\w{2,}|.", template)
    heading = next((t for t in tokens if t in ("HEADING", "Heading")), None)
    for token in tokens:
        if token in ("HEADING", "Heading"):
            out.append(r")\s*(?P<heading>[^\s\d].*)")
        elif token == "^":
            out.append(r"(?P<prefix>(?:\w{1,3}\.)+)")
        elif token == sign and not seen:
            out.append(f"(?P<n>{_ORDINAL[sign]})")
            seen = True
        elif token.isspace():
            out.append(r"\s*")
        elif token in "-–—":
            out.append(r"[-–—]")
        else:
            out.append(re.escape(token))
    body = "".join(out)
    return re.compile(r"\s*(?P<label>" + (body if heading else body + r")(?=\s|$)"))


def read_ordinal(sign: str, printed: str) -> int:
    """The number behind a printed ordinal; 0 for letters that are no roman number."""
    if sign == "1":
        return int(printed)
    if sign == "i":
        return ROMAN.index(printed) + 1 if printed in ROMAN else 0
    return ord(printed.upper()) - 64


class LabelReader:
    """Finds labels of one level at the start of a text."""

    def __init__(self, level: Level):
        self.level = level
        self.forms = [(sign_of(t), "HEADING" in t, compile_template(t)) for t in level.labels]

    def read(self, text: str) -> tuple[Label, str | None] | None:
        """The label and, for templates with a title, the heading; None when the text does not start so."""
        for sign, capitals, pattern in self.forms:
            match = pattern.match(text)
            if not match:
                continue
            ordinal = read_ordinal(sign, match["n"])
            groups = match.groupdict()
            heading = groups.get("heading")
            if not ordinal or (capitals and not is_capitals(heading)):
                continue
            after = match.start("heading") if heading else match.end()
            return Label(match.start("label"), match.end("label"), after, ordinal, groups.get("prefix") or ""), heading
        return None


def is_capitals(text: str) -> bool:
    """Whether the first words of a title are in capitals (a small conjunction or a note sign may follow)."""
    letters = [c for c in text if c.isalpha()]
    return len(letters) >= 3 and sum(c.isupper() for c in letters) >= 0.8 * len(letters)
