"""How printed lines run together: where a sentence ends, where a paragraph begins.

The width of the page is read from the lines themselves: nine of ten lines are shorter. A line that is clearly
shorter ended its paragraph.
"""

from __future__ import annotations

import re

from corpus.label.printed import is_capitals
from corpus.reading.published import Line

SENTENCE_END = re.compile(r"[.:!?…][)\]”\"'»“*]*$")
DASH = re.compile(r"[-–—•·]\s")
_NARROW = 40  # no book is set narrower; a text of a few short lines says nothing of its page
_FULL = 0.72  # a printed line shorter than this share of the usual width ends its paragraph


class Prose:
    """The habits of one edition's prose; ``style`` is its ``paragraphs`` key."""

    def __init__(self, style: str, lines: list[Line]):
        self.style = style
        lengths = sorted(len(l.text.rstrip()) for l in lines if l.text.strip())
        self.width = max(_NARROW, lengths[int(len(lengths) * 0.9)] if lengths else 0)

    def is_short(self, text: str) -> bool:
        return len(text) < self.width * _FULL

    def begins_paragraph(self, before: str, text: str, blank: bool) -> bool:
        """Whether ``text`` begins a paragraph after the line ``before``; ``blank``: an empty line stands between."""
        ended, short = bool(SENTENCE_END.search(before)), self.is_short(before)
        dash, pause = bool(DASH.match(text)), before[-1:] in ",;"
        if is_capitals(text) or is_capitals(before):
            return True
        if self.style == "wrapped":
            return (ended and short) or (dash and (ended or pause))
        if self.style == "lines":
            return dash or ended or not text[0].islower() or pause
        if not blank:
            return dash and (ended or (pause and short))
        if dash:
            return True
        return ended or (pause and short if text[0].islower() else short)

    def is_headword(self, text: str, before: str, apart: bool) -> bool:
        """Whether a line that stands apart reads as the headword of a definition: short, no sentence, after a finished one."""
        return (
            apart
            and len(text) < self.width * 0.6
            and text[0].isupper()
            and not re.search(r"[.,:;]$", text)
            and bool(SENTENCE_END.search(before) or before.endswith(")"))
        )

    def goes_on_in_capitals(self, heading: str, text: str) -> bool:
        """Whether a title in capitals that filled its line goes on in the next one."""
        letters = [c for c in text if c.isalpha()]
        return (
            len(heading) > self.width * 0.6
            and len(letters) > 2
            and all(c.isupper() for c in letters)
            and not re.match(r"\s*(\d+|[A-Z])[.)]\s", text)
        )

    def goes_on_in_small_letters(self, heading: str, text: str) -> bool:
        """Whether a title in small letters goes on in the next line: an empty line would part it from the text."""
        return (
            self.style == "blank"
            and text.strip()[0].islower()
            and not is_capitals(heading)
            and not SENTENCE_END.search(heading.rstrip())
        )
