"""Print mode: how an edition prints its labels at the start of a line, from templates to patterns.

A template is a label as printed with one of the signs ``1`` (number), ``A`` (capital), ``a`` (small letter),
``i`` (small roman) or ``I`` (capital roman) where the ordinal stands; ``^`` stands for the label of the parent,
printed again ("3.1.A." is ``^A.``, "12A1." is ``^1.``). In the template of a law ``HEADING`` stands for a title in
capitals, ``Heading`` for any title on the same line. A blank is any white space or none, a dash any dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from corpus.checked.rule import Fault, shape
from corpus.label.grammar import AFTER_PRINTED, CAPITAL, LAW, NUMBER, NUMERAL, SIGNS, SMALL
from corpus.model import Numbered

_PREFIX = rf"(?P<prefix>{LAW}{AFTER_PRINTED}(?:\(?(?:{CAPITAL}|{SMALL}|{NUMBER}|{NUMERAL})\)?{AFTER_PRINTED}){{0,5}}?)"
_TOKEN = re.compile(r"HEADING|Heading|[^\W\d_]{2,}|\d+|.")  # of a template
_TITLES = ("HEADING", "Heading")


@dataclass(frozen=True)
class Level:
    """One depth of numbering: its kind, its templates, how its headings stand, and the signs of its path step.

    ``heading``: ``auto`` (decided by layout), ``with-text`` (the same, but words that only lead in to labelled
    children are text), ``none`` (what follows the label is always text), ``next-line`` (of laws: the line after the
    label). ``count``: the sign class of the path step (``A``, ``1``, ``a``, ``i``) when the edition prints another.
    ``inline``: items of this level also run on inside a sentence. ``letters``: the letters in their order, when they
    are not those from a to z ("абвгд"); the path counts a, b, c all the same.
    """

    kind: Numbered
    labels: tuple[str, ...]
    heading: Literal["auto", "with-text", "none", "next-line"] = "auto"
    count: Literal["", "1", "A", "a", "i"] = ""
    inline: bool = False
    letters: Annotated[str, shape(r"[^\W\d_]{0,26}", 'up to 26 letters in their order, like "абвгдежз"')] = ""

    @property
    def sign(self) -> str:
        """The sign class of the path step: ``count``, else that of the first template."""
        return self.count or sign_of(self.labels[0]).replace("I", "1")

    def check(self) -> Iterator[Fault]:
        """Every template can be read."""
        if not self.labels:
            yield Fault("A level without labels.", 'Write its label as printed, like ["A."].', ("labels",))
        for n, template in enumerate(self.labels):
            try:
                compile_template(template, self.letters)
            except (ValueError, re.error) as error:
                move = "Write the label as printed, with 1, A, a, i or I where the ordinal stands."
                yield Fault(str(error), move, ("labels", n), template)

    def step(self, ordinal: int) -> str:
        """The path step of the n-th label of this level."""
        return SIGNS[self.sign].write(ordinal)

    def printed(self, ordinal: int) -> str:
        """The n-th label of this level as its first template prints it.

        >>> Level("clause", ("(a)",)).printed(3)
        '(c)'
        """
        sign = sign_of(self.labels[0])
        if self.letters and sign in "Aa":
            number = (self.letters.upper() if sign == "A" else self.letters.lower())[ordinal - 1 : ordinal]
        else:
            number = SIGNS[sign].write(ordinal)
        tokens = (t for t in _tokens(self.labels[0]) if t != "^" and t not in _TITLES)
        return "".join(number if t == sign else t for t in tokens).strip()


@dataclass(frozen=True)
class Label:
    """A label found at the start of a text: ``text[start:end]`` is printed, what it labels begins at ``after``."""

    start: int
    end: int
    after: int
    ordinal: int
    prefix: str = ""


def _tokens(template: str) -> list[str]:
    return [match[0] for match in _TOKEN.finditer(template)]


def sign_of(template: str) -> str:
    """The class of ordinals of a template: ``1``, ``A``, ``a``, ``i`` or ``I``.

    >>> sign_of("LAW 1 — HEADING"), sign_of("(i)"), sign_of("^A.")
    ('1', 'i', 'A')
    """
    found = next((t for t in _tokens(template) if t in SIGNS), None)
    if not found:
        raise ValueError(f"The label template “{template}” has none of the signs {', '.join(SIGNS)}.")
    return found


def compile_template(template: str, letters: str = "") -> re.Pattern[str]:
    """The pattern of a template, anchored at the start: groups ``label``, ``n`` and perhaps ``heading``, ``prefix``."""
    sign = sign_of(template)
    ordinal = SIGNS[sign].pattern
    if letters and sign in "Aa":
        ordinal = "[" + re.escape(letters.upper() if sign == "A" else letters.lower()) + "]"
    tokens = _tokens(template)
    title = next((t for t in tokens if t in _TITLES), None)
    if (title and tokens[-1] != title) or sum(t in _TITLES for t in tokens) > 1:
        raise ValueError(f"In the label template “{template}” the title must stand once, at the end.")
    if tokens.count("^") > 1 or ("^" in tokens and tokens[0] != "^"):
        raise ValueError(f"In the label template “{template}” the sign ^ must stand once, at the start.")
    signs = {"^": _PREFIX} | dict.fromkeys(_TITLES, r")\s*(?P<heading>[^\s\d].*)") | dict.fromkeys("-–—", r"[-–—]")
    first = tokens.index(sign)
    body = "".join(
        f"(?P<n>{ordinal})" if n == first else r"\s*" if t.isspace() else signs.get(t) or re.escape(t)
        for n, t in enumerate(tokens)
    )
    # A closing bracket parts a label from its text even where the blank after it was lost.
    end = r"(?=\s|$|(?<=[)\]])(?=[^\W\d_]))" if tokens[-1] in ")]" else r"(?=\s|$)"
    return re.compile(r"\s*(?P<label>" + (body if title else body + ")" + end))


def read_ordinal(sign: str, printed: str, letters: str = "") -> int:
    """The number behind a printed ordinal; 0 for letters that are no roman number."""
    if letters and sign in "Aa":
        return letters.lower().index(printed.lower()) + 1
    return SIGNS[sign].read(printed)


class LabelParser:
    """Finds labels of one level at the start of a text."""

    def __init__(self, level: Level):
        self.level = level
        self.forms = [(sign_of(t), "HEADING" in t, compile_template(t, level.letters)) for t in level.labels]
        self.titled = any(title in t for t in level.labels for title in _TITLES)

    def parse(self, text: str) -> Label | None:
        """The label that a text starts with; for templates with a title, ``after`` is where the title begins."""
        for sign, capitals, pattern in self.forms:
            match = pattern.match(text)
            if not match:
                continue
            ordinal = read_ordinal(sign, match["n"], self.level.letters)
            groups = match.groupdict()
            heading = groups.get("heading")
            if not ordinal or (capitals and not is_capitals(heading or "")):
                continue
            after = match.start("heading") if heading else match.end()
            return Label(match.start("label"), match.end("label"), after, ordinal, groups.get("prefix") or "")
        return None


def is_capitals(text: str) -> bool:
    """Whether the first words of a title are in capitals (a small conjunction or a note sign may follow)."""
    letters = [c for c in text if c.isalpha()]
    return len(letters) >= 3 and sum(c.isupper() for c in letters) >= 0.8 * len(letters)
