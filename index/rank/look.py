"""Where words of a provision answer a query: for the closer look, and for what a snippet marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from index.answer import OtherName
from index.concept import is_concept
from index.document import Spans
from index.lexicon import Lexicon
from index.query.asked import MARKED, Unit
from index.weights import Weights

Answering = Mapping[int, Mapping[int, float]]  # position of a word → unit of the query → how well it stands for it


class Match(NamedTuple):
    """A word that answers units of the query, and why."""

    units: frozenset[int]
    why: str | OtherName


class Look:
    """The words of one language that answer one query: printed forms and concepts."""

    def __init__(self, units: tuple[Unit, ...], lang: str, lexicon: Lexicon, weights: Weights):
        self.defining, self.skipped = lexicon.define, lexicon.stopwords
        self._typed = tuple(unit.corrected or unit.typed for unit in units)
        # printed form or concept → {unit: strength}
        self.wanted: dict[str, dict[int, float]] = {}
        # Those of them that may be marked in a text, with the reason.
        self._marked: dict[str, str] = {}
        self._matches: dict[str, Match] = {}
        for i, unit in enumerate(units):
            for term, strength, why in unit.terms.get(lang, ()):
                named = is_concept(term)
                for form in (term,) if named else lexicon.forms_of(term):
                    if form in lexicon.stopwords:
                        continue
                    # The form as typed before another form of the word.
                    value = strength if named or form == unit.form else weights.other_form * strength
                    if why in MARKED:
                        self._marked.setdefault(form, why)
                    here = self.wanted.setdefault(form, {})
                    here[i] = max(here.get(i, 0.0), value)
        # A term says more than a word: it comes after it.
        self._order = {key: (is_concept(key), key) for key in self._marked}

    def answering(self, spans: Spans) -> Answering:
        """The words of a heading or text that answer the query."""
        out: dict[int, dict[int, float]] = {}
        if self.wanted.keys().isdisjoint(spans):
            return out
        for key in self.wanted.keys() & spans.keys():
            for first, last in spans[key]:
                for i in range(first, last + 1):
                    here = out.setdefault(i, {})
                    for unit, strength in self.wanted[key].items():
                        here[unit] = max(here.get(unit, 0.0), strength)
        return out

    def matches(self, spans: Spans) -> dict[int, Match]:
        """Those of them that a snippet marks, by position: reviewed terms and the query's own words."""
        out: dict[int, Match] = {}
        # Most texts have few of them.
        found = self._marked.keys() & spans.keys()
        for key in sorted(found, key=self._order.__getitem__):
            for first, last in spans[key]:
                for i in range(first, last + 1):
                    match, before = self._match(key), out.get(i)
                    if before:
                        named = is_concept(key) and isinstance(before.why, OtherName)
                        why = match.why if named else self._marked[key]
                        match = Match(before.units | match.units, why)
                    out[i] = match
        return out

    def _match(self, key: str) -> Match:
        """What a form or a concept is where nothing else stands; the same in every text."""
        if key not in self._matches:
            why = self._other_name(key) if is_concept(key) else self._marked[key]
            self._matches[key] = Match(frozenset(self.wanted[key]), why)
        return self._matches[key]

    def _other_name(self, concept: str) -> OtherName:
        return OtherName(tuple(self._typed[unit] for unit in sorted(self.wanted[concept])))
