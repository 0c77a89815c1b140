"""What a person should look at once the tree stands: paragraphs and items that rules alone cannot place for sure."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.model import Problem
from corpus.reading.book import Book
from corpus.reading.draft import Draft
from corpus.reading.sentences import FINISHED


def second_look(book: Book, roots: tuple[Draft, ...]) -> Iterator[Problem]:
    """Both questions, for the laws and all below them. None of these problems is fatal."""
    drafts = [d for root in roots for d in root.walk() if d.level >= 0]
    yield from paragraphs_after_lists(book, drafts)
    yield from items_in_sentences(book, drafts)


def paragraphs_after_lists(book: Book, drafts: list[Draft]) -> Iterator[Problem]:
    """Unlabelled paragraphs stand in the item before them; after the last they may belong to what led in the list."""
    for draft in drafts:
        items = [d for d in draft.children if d.level == draft.children[-1].level]
        if len(items) < 2 or not draft.lead or FINISHED.search(draft.lead.lines[-1].text.rstrip()):
            continue
        own = [[p for p in item.paragraphs() if not p.table] for item in items]
        if len(own[-1]) > 1 and all(len(o) < 2 for o in own[:-1]):
            yield book.problem(
                own[-1][1].lines[0],
                f"An unlabelled paragraph after the list stands in its last item, {items[-1].path}.",
                f"Does it belong to {draft.path}? Then say so in [[placements]].",
                False,
            )


def items_in_sentences(book: Book, drafts: list[Draft]) -> Iterator[Problem]:
    """Labels that run on inside a sentence are items only where the manifest says so; a list of two is worth a word."""
    for draft in drafts:
        for paragraph in (p for p in draft.paragraphs() if not p.table):
            text = " ".join(line.text for line in paragraph.lines)
            for level, labels in book.numbering.running_on(text, draft):
                yield book.problem(
                    paragraph.lines[0],
                    f"{' and '.join(labels)} stand inside the text of {draft.path}.",
                    "Are they items? Then write “inline = true” at the "
                    f"{book.edition.levels[level].kind} in edition.toml.",
                    False,
                )
