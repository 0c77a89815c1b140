"""The sequence of labels: which label continues which list, and which words only look like a label.

:class:`Numbering` answers this for one edition with typed labels. A label is accepted when it continues an open list.
Another one is text when it stands inside a sentence, and a problem otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from corpus.address import contains_path
from corpus.edition import Edition
from corpus.label import CAPITAL, LONG_NUMERAL, NUMBER, Label, LabelParser
from corpus.reading.draft import Draft
from corpus.reading.source import Line

_LABEL_THEN_WORD = re.compile(rf"(?:^|\s)[(\[]?(?:\w|{NUMBER}|{LONG_NUMERAL})[)\].]\s+\S+$")
_WORD_START = re.compile(r"(?<=\s)(?=\S)")
# In characters: longer than any label together with the words before it that make it a reference.
_CONTEXT_CHARACTERS = 400
_ORDINAL_SIGNS = chr(0xAA) + chr(0xBA)  # the raised a and o of "6.º"
# "§ 15" before "C.", "F" before "4.", "artigo 6.º" before "B."
_STEP_BEFORE = re.compile(rf"(?:^|\s|§)(?:{CAPITAL}|{NUMBER}(?:\.?[{_ORDINAL_SIGNS}])?)$")
_NO_LETTERS = re.compile(r"[\W_]")

LabelCandidate = tuple[int, Label]  # a level, and the label that would be of it


@dataclass(frozen=True)
class FoundLabel:
    """A label with its level, and the offset where it begins in the text.

    ``problem`` is the finding and next move when the label continues no list.
    """

    level: int
    label: Label
    at: int = 0
    problem: tuple[str, str] | None = None


@dataclass(frozen=True)
class LookAlike:
    """Words that look like a label but are none: the reason, and a ``doubt`` (finding, next move) or None."""

    reason: str
    doubt: tuple[str, str] | None = None


def find_parent_draft(current: Draft, level: int) -> Draft:
    """Return the innermost open draft of a shallower level than ``level``. ``current`` is the innermost open draft."""
    return next(d for d in current.self_and_ancestors() if not d.parent or 0 <= d.level < level)


class Numbering:
    """The labels of one edition, by level.

    ``reference_word`` matches a text that ends in a word after which a label is a reference ("see", "punkcie").
    ``law_word`` does the same without "and", "or", "to". ``law_after`` are words for "law" that stand after its number.
    ``word_after`` matches a text that begins with any word which stands after its label ("punktu").
    """

    def __init__(
        self,
        edition: Edition,
        parsers: tuple[LabelParser, ...],
        reference_word: re.Pattern[str] | None,
        law_word: re.Pattern[str] | None,
        law_after: tuple[str, ...] = (),
        word_after: re.Pattern[str] | None = None,
    ):
        self.levels, self.parsers = edition.levels, parsers
        self.last_law = str(max(edition.law_numbers, default=0))
        self.written = edition.written
        self.reference_word, self.law_word = reference_word, law_word
        self.word_after = word_after
        words = "|".join(re.escape(word) for word in sorted(law_after, key=len, reverse=True))
        self.law_after = re.compile(rf"\s*(?:{words})(?!\w)", re.IGNORECASE) if words else None

    # ── Open lists ──────────────────────────────────────────────────────────────────────────────

    def continues_list(self, current: Draft, level: int, label: Label, first: bool) -> bool:
        """Whether a label is the next of its level, seen from ``current``, the innermost open draft.

        ``first`` says that nothing of the line stands before the label.
        """
        parent = find_parent_draft(current, level)
        if label.prefix and _lower_letters_and_digits(label.prefix) != _lower_letters_and_digits(parent.path):
            return False
        if not first and current.level >= level:
            return False
        last = parent.count.get(level, 0)
        if label.ordinal != last + 1:
            return False
        # A shallower list cannot begin in a parent that already has a deeper list directly below it.
        return label.ordinal > 1 or not any(other > level for other in parent.count)

    def find_labels(self, text: str, levels: Iterable[int] | None = None) -> list[LabelCandidate]:
        """Return (level, label) for each label that a text could start with, one for each level that has such a label.

        ``levels``: default all levels below the law.
        """
        asked = range(1, len(self.parsers)) if levels is None else levels
        return [(level, label) for level in asked if (label := self.parsers[level].parse(text))]

    def may_have_label(self, text: str) -> bool:
        """Whether a text starts with what could be a label of any level, including that of a law."""
        return any(parser.parse(text) for parser in self.parsers)

    # ── Labels at the start of a line ───────────────────────────────────────────────────────────

    def next_label(
        self,
        current: Draft,
        line: Line,
        following: Callable[[], Iterator[Line]],
        first: bool,
        inside: bool,
        before: str,
    ) -> FoundLabel | LookAlike | None:
        """Return the label that a line starts with and its level, or the words that look like one; None for neither.

        ``first`` says that nothing of the line stands before it. ``inside`` says that the line continues a sentence,
        whose last line was ``before``. ``following()`` gives the lines after it.
        """
        candidates = self.find_labels(line.text)
        fitting = [(level, label) for level, label in candidates if self.continues_list(current, level, label, first)]
        named = (label for _, label in candidates if self.law_after and self.law_after.match(line.text[label.after :]))
        if first and inside and (label := next(named, None)):
            printed = line.text[label.start : label.end]
            return LookAlike(f"“{printed}” before a word for a law is the number of one")
        if candidates and first and inside and self.law_word and self.law_word.search(before):
            looks, fitting = fitting, [c for c in fitting if self.is_next_item(*c, following())]
            if not fitting:
                return self.describe_look_alike(line, looks, before)
        if fitting:
            return FoundLabel(*(self.choose_candidate(fitting, following()) if len(fitting) > 1 else fitting[0]))
        if not candidates or not first:
            return None
        if not inside:
            return self.likeliest_label_out_of_order(current, line, candidates)
        label = candidates[0][1]
        return LookAlike(f"“{line.text[label.start : label.end]}” stands inside a sentence and continues no list")

    @staticmethod
    def describe_look_alike(line: Line, fitting: list[LabelCandidate], before: str) -> LookAlike:
        """Return the look-alike for a label that is read as words, because ``before`` ends in a reference word.

        ``fitting``: (level, label) for each level where it would be the next label. It has a doubt when it would
        continue a list, for it may be the next item of that list.
        """
        word = before.rsplit(maxsplit=1)[-1]
        reason, nearest = f"after “{word}” a label is a reference", next((b for _, b in fitting if b.ordinal > 1), None)
        if not nearest:
            return LookAlike(reason)
        printed = line.text[nearest.start : nearest.end]
        finding = f"{printed} is read as words of the sentence: the line before ends in “{word}”."
        part = "a [[drop]] of scope “break” may match the empty place before it."
        return LookAlike(reason, (finding, f"Does an item begin here? Then part the lines: {part}"))

    def is_next_item(self, level: int, label: Label, following: Iterator[Line]) -> bool:
        """Whether a label after a word like "section" is the next item and no reference.

        ``following`` are the lines below. When their first label of this level is the one after it, it is an item; when
        that is the same label again, it is a reference. Otherwise the third item of a list or a later one is an item,
        the second is not. The first label of a list never is an item here.
        """
        if label.ordinal == 1:
            return False
        for line in following:
            if self.parsers[0].parse(line.text):
                break
            if other := self.parsers[level].parse(line.text):
                return other.ordinal == label.ordinal + 1 or (label.ordinal > 2 and other.ordinal != label.ordinal)
        return label.ordinal > 2

    def choose_candidate(self, fitting: list[LabelCandidate], following: Iterator[Line]) -> LabelCandidate:
        """Return the right candidate when a sign has several meanings, like (i) after (h).

        It is the one whose next label comes first in ``following``, the lines below. If none comes, a candidate that
        continues a list is preferred.
        """
        shallowest = min(level for level, _ in fitting)
        for line in following:
            for level, label in fitting:
                other = self.parsers[level].parse(line.text)
                if other and other.ordinal == label.ordinal + 1:
                    return level, label
            if self.find_labels(line.text, range(shallowest)):
                break
        return max(fitting, key=lambda c: (c[1].ordinal > 1, c[0] if c[1].ordinal > 1 else -c[0]))

    def likeliest_label_out_of_order(self, current: Draft, line: Line, candidates: list[LabelCandidate]) -> FoundLabel:
        """Return the likeliest label that a line starts with, together with its problem: it continues no list.

        ``candidates`` are (level, label) for each level that has a label like it. The likeliest has the smallest jump
        forward.
        """
        jump = lambda c: c[1].ordinal - find_parent_draft(current, c[0]).count.get(c[0], 0)
        level, label = min(candidates, key=lambda c: (jump(c) < 1, abs(jump(c)), c[0]))
        parent, as_printed = find_parent_draft(current, level), self.levels[level].format_label
        last, printed = parent.count.get(level, 0), line.text[label.start : label.end]
        if label.prefix and _lower_letters_and_digits(label.prefix) != _lower_letters_and_digits(parent.path):
            finding = f"{printed} stands in {parent.path}."
            move = "Is the label of its parent missing or misread? Correct it in corrections.tsv."
        elif label.ordinal <= last:
            finding = f"{printed} comes again, after {as_printed(last)} in {parent.path}."
            move = (
                "Is a label between them misread? Correct it in corrections.tsv. If the line only looks like a label, "
                "as a reference that begins a line does, say in [[placements]] where it belongs."
            )
            if contains_path(self.last_law, parent.path):
                place = f"{self.written.name}:{self.written.line_of(('laws',))}"
                move += f" If a further law begins before it, correct “laws” in {place}."
        else:
            missing = as_printed(last + 1) + (
                f" to {as_printed(label.ordinal - 1)}" if label.ordinal > last + 2 else ""
            )
            finding = f"{printed} follows {as_printed(last) if last else 'nothing'} in {parent.path}."
            move = (
                f"Is {missing} missing? Correct the label in corrections.tsv, "
                "or say in [[placements]] where the line belongs."
            )
        return FoundLabel(level, label, problem=(finding, move))

    # ── Labels inside a line ────────────────────────────────────────────────────────────────────

    def find_inline_label(self, current: Draft, line: Line, following: list[Line]) -> FoundLabel | None:
        """Return the next item that runs on inside the line, or None.

        ``current`` is the innermost open draft, ``following`` are the lines after the line.
        """
        for level, parser in enumerate(self.parsers):
            if not level or not self.levels[level].inline:
                continue
            last = find_parent_draft(current, level).count.get(level, 0)
            going_on = bool(last) and current.level == level
            for at, label in _labels_inside(parser, line.text):
                before = line.text[:at]
                if self.is_reference_after(before, open_list=going_on):
                    continue
                skips = going_on and label.ordinal == last + 2 and before.rstrip()[-1:] in (",", ";")
                if skips and not self.is_reference_after(before):
                    return replace(self.likeliest_label_out_of_order(current, line.cut(at), [(level, label)]), at=at)
                begins = not last and self.has_second_item(level, line.text[at:], following)
                if label.ordinal == last + 1 and (going_on or begins):
                    return FoundLabel(level, label, at)
        return None

    def labels_running_on(self, text: str, draft: Draft) -> Iterator[tuple[int, list[str]]]:
        """Yield (level, [labels as printed]) for each level whose items may run on inside a text.

        Levels that the manifest declares as ``inline`` are left out. At the level of ``draft``, which the text is from,
        one label is enough; at deeper levels at least two are needed.
        """
        for level in range(max(draft.level, 1), len(self.parsers)):
            if self.levels[level].inline:
                continue
            same = level == draft.level
            expected, labels = (draft.ordinal + 1 if same else 1), list[str]()
            for at, label in _labels_inside(self.parsers[level], text):
                before = text[max(0, at - _CONTEXT_CHARACTERS) : at].rstrip()
                if (
                    label.ordinal == expected
                    and not self.is_reference_after(before, bool(labels))
                    and not _STEP_BEFORE.search(before)
                    and (labels or before[-1:] not in ".(")
                    and not (self.word_after and self.word_after.match(text, at + label.end))
                    and text[at + label.end :].strip()  # no words follow the label of a citation at the end
                ):
                    labels.append(text[at : at + label.end])
                    expected += 1
            if len(labels) > (0 if same else 1):
                yield level, labels

    def has_second_item(self, level: int, text: str, following: list[Line]) -> bool:
        """Whether the paragraph holds a second item of the list that seems to begin with ``text``.

        ``following`` are the lines after the one that ``text`` is from.
        """
        for line in following[:11]:
            if line.text.strip() and self.may_have_label(line.text):
                break
            text += " " + line.text.strip()
        second = next((at for at, label in _labels_inside(self.parsers[level], text) if label.ordinal == 2), None)
        return second is not None and len(text[:second].split()) > 1 and not self.is_reference_after(text[:second])

    def is_reference_after(self, before: str, open_list: bool = False) -> bool:
        """Whether a label after the words ``before`` is a reference.

        In an open list (``open_list``) the label after a bare "or" is the next item, but after "(b) or" it is a
        reference.
        """
        before = before.rstrip()
        if not (self.reference_word and self.reference_word.search(before)):
            return False
        if not open_list or (self.law_word and self.law_word.search(before)):
            return True
        return bool(_LABEL_THEN_WORD.search(before))


def _labels_inside(parser: LabelParser, text: str) -> Iterator[tuple[int, Label]]:
    """Yield (offset, label) for each label inside a text, at the start of a word."""
    for match in _WORD_START.finditer(text):
        label = parser.parse(text[match.start() : match.start() + _CONTEXT_CHARACTERS])
        if label and not label.start:
            yield match.start(), label


def _lower_letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text in lower case, without all other signs."""
    return _NO_LETTERS.sub("", text).lower()
