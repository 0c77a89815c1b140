"""Which terms words ask for: by name first, then by what else is said for them."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.alphabet import fold
from corpus.term.model import Term, Terms

# How near words are to what is said for a term: they are a name; they are said for it; a name begins with them; they
# stand in a name.
NAME, SAID, BEGUN, WITHIN = range(4)


def asked(terms: Terms, words: str) -> tuple[Term, ...]:
    """The terms that words ask for, the nearest first; all of them for no words. Case and diacritics count for nothing.

    >>> revoke = Term(slug="revoke", names={"pl": ("fałszywy renons",), "en": ("revoke",)})
    >>> [t.slug for t in asked({"revoke": revoke}, "falszywy")], asked({"revoke": revoke}, "claim")
    (['revoke'], ())
    """
    sought = " ".join(fold(words).split())
    near = ((nearness, term) for term in terms.values() if (nearness := _nearness(term, sought)) is not None)
    return tuple(term for _, term in sorted(near, key=lambda row: (row[0], row[1].slug)))


def _nearness(term: Term, sought: str) -> int | None:
    return min(_all(term, sought), default=None)


def _all(term: Term, sought: str) -> Iterator[int]:
    for name in (fold(name) for of_lang in term.names.values() for name in of_lang):
        if name == sought:
            yield NAME
        elif name.startswith(sought):
            yield BEGUN
        elif sought in name:
            yield WITHIN
    for said in (term.wordings, term.players):
        if any(fold(words) == sought for of_lang in said.values() for words in of_lang):
            yield SAID
    if sought == fold(term.slug):
        yield NAME
