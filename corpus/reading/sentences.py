"""How printed lines run together: where a sentence ends, where a paragraph begins.

The width of the page is read from the lines themselves: nine of ten lines are shorter. A line that is clearly
shorter ended its paragraph.
"""

from __future__ import annotations

import re

from corpus.label.printed import is_capitals
from corpus.reading.published import Line

FINISHED = re.compile(r"[.!?]$")  # a sentence that nothing goes on with
SENTENCE_END = re.compile(r"[.:!?…][)\]”\"'»“*]*$")
DASH = re.compile(r"[-–—•·]\s")
_NARROW = 40  # no book is set narrower; a text of a few short lines says nothing of its page
_FULL = 0.72  # a printed line shorter than this share of the usual width ends its paragraph
_DASHED = "a dash begins it"
_LISTED = re.compile(r"(?:\d[A-Z]?\d?|\W[A-Za-z]|\))[,;]$")  # the label of a reference, and more to come


class Sentences:
    """How one edition's sentences stand in its lines; ``style`` is its ``paragraphs`` key."""

    def __init__(self, style: str, lines: list[Line], interruptions: frozenset[int] = frozenset()):
        """``interruptions``: numbers of the lines where a footnote was lifted out of the text."""
        self.style, self.interruptions = style, interruptions
        lengths = sorted(len(line.text.rstrip()) for line in lines if line.text.strip())
        self.width = max(_NARROW, lengths[int(len(lengths) * 0.9)] if lengths else 0)

    def is_short(self, text: str) -> bool:
        """Whether a line of this text ended before the edge of the page."""
        return len(text) < self.width * _FULL

    def goes_on_after(self, before: str) -> bool:
        """Whether a line goes on with the sentence of the line before, so that a label at its start is a look-alike.

        After a comma or a short line a label is meant as one, except in a list of labels ("12A,").
        """
        if SENTENCE_END.search(before):
            return False
        return bool(_LISTED.search(before)) or (before[-1] not in ",;" and not self.is_short(before))

    def begins_paragraph(self, last: Line, line: Line, blank: bool) -> str:
        """Why ``line`` begins a paragraph after the line ``last``, empty when it goes on.

        ``blank``: an empty line stands between them.
        """
        before, text = last.text.rstrip(), line.text.strip()
        ended, short, small = bool(SENTENCE_END.search(before)), self.is_short(before), text[0].islower()
        dash, pause = bool(DASH.match(text)), before[-1:] in ",;"
        if not ended and small and any(last.number < n < line.number for n in self.interruptions):
            return ""  # a footnote stood in the middle of the sentence
        if is_capitals(text) or is_capitals(before):
            return "words in capitals stand apart"
        reasons = {
            "wrapped": (
                (ended and short, "the line before is short and ends its sentence"),
                (dash and (ended or pause), _DASHED),
            ),
            "lines": (
                (dash, _DASHED),
                (ended, "the sentence before has ended"),
                (not small, "it begins with no small letter"),
                (pause, "the line before ends in a comma or semicolon"),
            ),
            "blank": (
                (dash and (blank or ended or (pause and short)), _DASHED),
                (blank and ended, "the sentence before the empty line has ended"),
                (blank and short and (pause or not small), "an empty line follows a short one"),
            ),
        }
        return next((why for holds, why in reasons[self.style] if holds), "")

    def is_headword(self, text: str, before: str, apart: bool) -> bool:
        """Whether a line that stands apart reads as the headword of a definition: short, no sentence, after a finished
        one.
        """
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
