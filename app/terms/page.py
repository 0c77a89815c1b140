"""The list of terms: in the order of one language, under its letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from app.site import reader
from app.site.atlas import Atlas
from app.site.page import Page
from corpus.term.asked import asked
from corpus.term.model import Term


@dataclass(frozen=True)
class TermsPage(Page):
    """``letters``: letter of the language ``by`` → its terms in order; ``unnamed``: those without a name in it;
    ``languages``: those that terms are named in, ``by`` first; ``words`` sought in names, ``count`` of what they find.
    """

    template: ClassVar[str] = "terms.html"
    by: str
    languages: tuple[str, ...]
    letters: Mapping[str, tuple[Term, ...]]
    unnamed: tuple[Term, ...]
    words: str
    count: int


def languages(atlas: Atlas) -> set[str]:
    """The languages in which the terms can be listed: those of the site, and all that a term has a name in."""
    return {*reader.LANGUAGES, *(lang for term in atlas.library.terms.values() for lang in term.names)}


def terms_page(atlas: Atlas, by: str, query: str = "") -> TermsPage:
    """The terms that words ask for, or all."""
    found = asked(atlas.library.terms, query)
    alphabet = atlas.library.alphabet(by)
    letters: dict[str, tuple[Term, ...]] = {}
    named = sorted((t for t in found if t.name(by)), key=lambda t: (alphabet.sort_key(t.name(by)), t.slug))
    for term in named:
        initial = alphabet.initial(term.name(by))
        letters[initial] = (*letters.get(initial, ()), term)
    return TermsPage(
        by=by,
        languages=tuple(sorted(reader.in_order(languages(atlas)), key=lambda code: code != by)),
        letters=letters,
        unnamed=tuple(t for t in found if not t.name(by)),
        words=query,
        count=len(found),
    )
