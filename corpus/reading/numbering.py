"""Which label continues which: the sequence of labels of typed editions, and look-alikes told from labels.

A label is one when it continues a sequence that is open. One that does not is text when it stands inside a
sentence, and a problem otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from corpus.edition import Edition
from corpus.label.grammar import NUMBER, NUMERALS
from corpus.label.printed import Label, LabelReader
from corpus.reading.draft import Draft
from corpus.reading.published import Line

Report = Callable[..., None]
_LABEL_THEN_WORD = re.compile(rf"(?:^|\s)[(\[]?(?:\w|{NUMBER}|{NUMERALS})[)\].]\s+\S+$")
_WORD_START = re.compile(r"(?<=\s)(?=\S)")


class Numbering:
    """The levels of one edition. ``report(line, finding, move, fatal=True)`` takes problems; ``reference_word`` ends a text
    after which a label is a reference ("see", "punkcie"), ``law_word`` the same without "and", "or", "to".
    """

    def __init__(
        self, edition: Edition, reference_word: re.Pattern | None, law_word: re.Pattern | None, report: Report
    ):
        self.levels = edition.levels
        self.readers = [LabelReader(level) for level in edition.levels]
        self.reference_word, self.law_word, self.report = reference_word, law_word, report

    # ── what is open ────────────────────────────────────────────────────────────────────────────

    @staticmethod
    def parent_for(current: Draft, level: int) -> Draft:
        """The innermost open draft of a shallower level."""
        draft = current
        while draft.parent and (draft.level >= level or draft.level < 0):
            draft = draft.parent
        return draft

    def continues(self, current: Draft, level: int, label: Label, first: bool) -> bool:
        """Whether a label is the next of its level, seen from the open draft; ``first``: first of its line."""
        parent = self.parent_for(current, level)
        if label.prefix and _bare(label.prefix) != _bare(parent.path):
            return False
        if not first and current.level >= level:
            return False
        last = parent.count.get(level, 0)
        if label.ordinal != last + 1:
            return False
        # A shallower list cannot begin after a deeper one stood directly in the parent.
        return label.ordinal > 1 or not any(l > level for l in parent.count)

    def found(self, text: str, levels) -> list[tuple[int, Label]]:
        """The labels that a text could start with, by level."""
        return [(level, found[0]) for level in levels if (found := self.readers[level].read(text))]

    def is_structural(self, text: str) -> bool:
        return any(reader.read(text) for reader in self.readers)

    # ── at the start of a line ──────────────────────────────────────────────────────────────────

    def next_label(
        self, current: Draft, line: Line, following: Iterable[Line], first: bool, inside: bool, before: str
    ) -> tuple[int, Label] | None:
        """The level and label that a line starts with.

        ``inside``: the line goes on with a sentence, whose last line was ``before``; ``following``: the lines after it.
        """
        candidates = self.found(line.text, range(1, len(self.readers)))
        fitting = [(l, b) for l, b in candidates if self.continues(current, l, b, first)]
        if candidates and first and inside and self.law_word and self.law_word.search(before):
            following = list(following)
            looks = fitting
            fitting = [c for c in fitting if self.is_item_after_all(*c, following)]
            if not fitting:
                self.note_look_alike(line, looks, before)
                return None
        if len(fitting) > 1:
            return self.choose(fitting, following)
        if fitting:
            return fitting[0]
        if candidates and first and not inside:
            return self.out_of_order(current, line, candidates)
        return None

    def note_look_alike(self, line: Line, fitting: list, before: str) -> None:
        """Say that the next label of a list was read as words, since it may be its second and last item."""
        for _, label in fitting:
            if label.ordinal > 1:
                self.report(
                    line,
                    f"{line.text[label.start : label.end]} is read as words of the sentence: the line before ends in “{before.rsplit(maxsplit=1)[-1]}”.",
                    "Does an item begin here? Then part the lines: a [[drop]] of scope “break” may match the empty place before it.",
                    False,
                )

    def is_item_after_all(self, level: int, label: Label, following: list[Line]) -> bool:
        """Whether a label after a word like "section" is the next item and no reference: the label after it comes next,
        not this one again; without any, the third of a list is one and the second is not. The first never is.
        """
        if label.ordinal == 1:
            return False
        for line in following:
            if self.readers[0].read(line.text):
                break
            for _, other in self.found(line.text, [level]):
                return other.ordinal == label.ordinal + 1 or (label.ordinal > 2 and other.ordinal != label.ordinal)
        return label.ordinal > 2

    def choose(self, fitting: list[tuple[int, Label]], following: Iterable[Line]) -> tuple[int, Label]:
        """Between readings of the same sign – (i) after (h): the one whose next label comes first; else the one that goes on."""
        for line in following:
            for level, label in fitting:
                if any(b.ordinal == label.ordinal + 1 for _, b in self.found(line.text, [level])):
                    return level, label
            if self.found(line.text, range(min(l for l, _ in fitting))):
                break
        return max(fitting, key=lambda c: (c[1].ordinal > 1, c[0] if c[1].ordinal > 1 else -c[0]))

    def out_of_order(self, current: Draft, line: Line, candidates) -> tuple[int, Label]:
        """Report a label that continues nothing, and take it for what it most likely is: the least jump forward."""
        jump = lambda c: c[1].ordinal - self.parent_for(current, c[0]).count.get(c[0], 0)
        level, label = min(candidates, key=lambda c: (jump(c) < 1, abs(jump(c)), c[0]))
        parent = self.parent_for(current, level)
        last, printed = parent.count.get(level, 0), line.text[label.start : label.end]
        as_printed = self.levels[level].printed
        where = f" in {parent.path}"
        if label.prefix and _bare(label.prefix) != _bare(parent.path):
            self.report(
                line,
                f"{printed} stands in {parent.path}.",
                "Is the label of its parent missing or misread? Correct it in corrections.tsv.",
            )
        elif label.ordinal <= last:
            self.report(
                line,
                f"{printed} comes again, after {as_printed(last)}{where}.",
                "Is a label between them misread, or does a line only look like a label? Correct it in corrections.tsv.",
            )
        else:
            after = as_printed(last) if last else "nothing"
            missing = as_printed(last + 1) + (
                f" to {as_printed(label.ordinal - 1)}" if label.ordinal > last + 2 else ""
            )
            self.report(
                line,
                f"{printed} follows {after}{where}.",
                f"Is {missing} missing? Correct the label in corrections.tsv, or say in [[placements]] where the line belongs.",
            )
        return level, label

    # ── inside a line ───────────────────────────────────────────────────────────────────────────

    def inline_start(self, current: Draft, line: Line, following: list[Line]) -> tuple[int, int, Label] | None:
        """Place, level and label of the next item that runs on inside the line, or None."""
        for level in range(1, len(self.readers)):
            if not self.levels[level].inline:
                continue
            for match in _WORD_START.finditer(line.text):
                found = self.readers[level].read(line.text[match.start() :])
                if not found or found[0].start:
                    continue
                label, last = found[0], self.parent_for(current, level).count.get(level, 0)
                if self.is_reference(line.text[: match.start()], open_list=last and current.level == level):
                    continue
                skips = (
                    last
                    and current.level == level
                    and label.ordinal == last + 2
                    and line.text[: match.start()].rstrip()[-1:] in (",", ";")
                )
                if skips and not self.is_reference(line.text[: match.start()]):
                    return match.start(), *self.out_of_order(current, line.cut(match.start()), [(level, label)])
                if label.ordinal == last + 1 and (
                    (last and current.level == level)
                    or (not last and self.goes_on(level, line.text[match.start() :], following))
                ):
                    return match.start(), level, label
        return None

    def running_on(self, text: str, draft: Draft) -> Iterable[tuple[int, list[str]]]:
        """Per level that is not declared ``inline``: the labels of two items or more that seem to stand inside a text."""
        for level in range(max(draft.level, 1), len(self.readers)):
            if self.levels[level].inline:
                continue
            expected, labels = (_last(draft) + 1 if level == draft.level else 1), []
            for match in _WORD_START.finditer(text):
                found, before = self.readers[level].read(text[match.start() :]), text[: match.start()].rstrip()
                if (
                    found
                    and not found[0].start
                    and found[0].ordinal == expected
                    and not self.is_reference(before, bool(labels))
                    and (labels or before[-1:] not in ".(")
                ):
                    labels.append(text[match.start() :][: found[0].end])
                    expected += 1
            if len(labels) > (level != draft.level):
                yield level, labels

    def goes_on(self, level: int, text: str, following: list[Line]) -> bool:
        """Whether the paragraph holds a second item of the list that seems to begin with ``text``."""
        for line in following[:11]:
            if line.text.strip() and self.is_structural(line.text):
                break
            text += " " + line.text.strip()
        for match in _WORD_START.finditer(text):
            found = self.readers[level].read(text[match.start() :])
            if found and not found[0].start and found[0].ordinal == 2:
                return len(text[: match.start()].split()) > 1 and not self.is_reference(text[: match.start()])
        return False

    def is_reference(self, before: str, open_list: bool = False) -> bool:
        """Whether a label after these words is a reference. In an open list the next label after a bare "or" is its
        next item, but not after "(b) or".
        """
        before = before.rstrip()
        if not (self.reference_word and self.reference_word.search(before)):
            return False
        if not open_list or (self.law_word and self.law_word.search(before)):
            return True
        return bool(_LABEL_THEN_WORD.search(before))


def _last(draft: Draft) -> int:
    """The number of a provision in its list."""
    return draft.parent.count.get(draft.level, 0) if draft.parent else 0


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()
