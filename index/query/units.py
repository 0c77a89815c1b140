"""Words of a query with what stands for each of them in the index: lemmas, names of concepts, corrections, kin, other
languages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from corpus.library import Library
from corpus.word.token import Token, analyse
from index.concept import Concepts, Found, is_concept
from index.lexicon import SHORT, Lexicon
from index.query.asked import (
    CORRECTED,
    KIN,
    NAME,
    NOT_MEANT,
    OF_UNNAMED,
    OTHER_LANGUAGE,
    PLAYERS,
    UNFINISHED,
    WORD,
    Term,
    Unit,
)
from index.weights import Weights

# How a correction is read, not what it is worth. Endings have so many letters at most; a word of so many shares a stem
# with what differs in them only, and not by chance.
ENDING, LONG = 3, 8
# In a shorter word a letter too many or too few makes another word as well (“wist”, “wista”); a change of letters is
# no slip there at all (lexicon).
VERY_SHORT = SHORT - 1

Near = Sequence[tuple[str, int]]  # known forms nearest to a mistyped one, with their distance


class Widener:
    """Makes units. ``printed``: language → the concepts that its texts name."""

    def __init__(
        self,
        library: Library,
        lexicons: Mapping[str, Lexicon],
        concepts: Concepts,
        printed: Mapping[str, Collection[str]],
        weights: Weights,
    ):
        self._lexicons, self._concepts, self._printed, self._weights = lexicons, concepts, printed, weights
        self._indexed = sorted({e.lang for e in library.editions.values()})
        self._titles = _titles(library, lexicons)

    def units(
        self,
        tokens: Sequence[Token],
        lang: str | None,
        required: Collection[int] = (),
        either: Iterable[tuple[int, int]] = (),
    ) -> tuple[Unit, ...]:
        """Units of the words that count; ``required`` and ``either`` name tokens by where they start.

        Words to skip are left out, and so is a “not” beside others: it says how they are meant.
        """
        if lang is None or lang not in self._lexicons:
            return tuple(self._of_no_language(t, t.start in required) for t in {t.form: t for t in tokens}.values())
        lexicon = self._lexicons[lang]
        kept = _that_count(tokens, lexicon)
        near = {t.form: others for t in kept if (others := self._nearest(t.form, lang, lexicon))}
        # Names are sought among all words: those to skip, too, for a “not” may be among them.
        names, unmeant = self._concepts.asked(
            lang, [t._replace(form=near[t.form][0][0]) if t.form in near else t for t in tokens]
        )
        named: dict[str, list[Found]] = {}
        for found in names:
            for token in tokens[found.first : found.last + 1]:
                named.setdefault(token.form, []).append(found)
        meant = {t.form for i, t in enumerate(tokens) if i not in unmeant}
        units = [
            self._unit(t, near.get(t.form, ()), lang, named.get(t.form, ()), t.form in meant, t.start in required)
            for t in kept
        ]
        if all(u.corrected for u in units):
            # Nothing but typing errors: then they are what was asked for.
            units = [replace(u, trust=1.0) for u in units]
        units = _weighed(units, lexicon, self._weights)
        for first, second in either:
            units = _joined(units, kept, first, second)
        return tuple(units)

    def _of_no_language(self, token: Token, required: bool) -> Unit:
        terms = (Term(token.form, self._weights.likely, OTHER_LANGUAGE),)
        return Unit(token.exact, token.form, dict.fromkeys(self._indexed, terms), known=False, required=required)

    def _nearest(self, form: str, lang: str, lexicon: Lexicon) -> Near:
        """What a mistyped word may be: only a word of content, one of a heading or of the lists of terms."""
        if lexicon.is_word(form) or self._concepts.names_word(lang, form) or lexicon.beginning(form):
            return ()
        return tuple(found for found in lexicon.nearest(form) if self._is_content(lang, lexicon, found[0]))

    def _is_content(self, lang: str, lexicon: Lexicon, form: str) -> bool:
        titles = self._titles.get(lang, ())
        return form not in lexicon.stopwords and any(
            lemma in titles or self._concepts.names_word(lang, lemma) for lemma in (form, *lexicon.lemmas(form))
        )

    def _unit(self, token: Token, near: Near, lang: str, named: Sequence[Found], meant: bool, required: bool) -> Unit:
        """``meant``: whether the word means here what it means alone; else it is worth little and no text is marked
        with it.
        """
        terms: dict[str, dict[str, Term]] = {code: {} for code in self._indexed}

        def put(code: str, term: str, strength: float, why: str) -> None:
            if not meant and why not in (NAME, PLAYERS):
                strength, why = min(strength, self._weights.not_meant), NOT_MEANT
            if strength > (terms[code][term].strength if term in terms[code] else 0.0):
                terms[code][term] = Term(term, strength, why)

        lexicon = self._lexicons[lang]
        beginning = () if near or lexicon.is_word(token.form) or named else lexicon.beginning(token.form)
        if lang in terms:
            self._put_own(put, token.form, lang, near, beginning)
        self._put_named(put, terms, lang, near, named)
        self._put_foreign(put, token.form, lang)
        known = lexicon.knows(token.form) or bool(named or near or (beginning and lang in terms))
        sure = not near or not _is_guess(token.form, *near[0])
        return Unit(
            token.exact,
            token.form,
            {code: tuple(found.values()) for code, found in terms.items()},
            known,
            near[0][0] if near else None,
            required,
            1.0 if sure else self._weights.guessed,
        )

    def _put_own(self, put, form: str, lang: str, near: Near, beginning: Sequence[str]) -> None:
        """What stands for a word in its own language."""
        lexicon, weights = self._lexicons[lang], self._weights
        for other, _ in near:
            for lemma in lexicon.lemmas(other):
                put(lang, lemma, 1.0, CORRECTED)
        for lemma in beginning:
            put(lang, lemma, weights.likely, UNFINISHED)
        for lemma in lexicon.lemmas(form):
            put(lang, lemma, 1.0, WORD)
            for other in lexicon.family(lemma, weights.kin_share):
                put(lang, other, weights.kin, KIN)

    def _put_named(
        self, put, terms: Mapping[str, Mapping[str, Term]], lang: str, near: Near, named: Sequence[Found]
    ) -> None:
        """Names of a concept are the same term in every language; a player's word for a word of the laws leads to that
        one.
        """
        weights = self._weights
        for concept, first, last, _ in named:
            strength = 1.0 if near else weights.term if first == last else weights.long_term
            if not is_concept(concept):
                if lang in terms:
                    put(lang, concept, strength, PLAYERS)
                continue
            for code in self._indexed:
                put(code, concept, strength, NAME)
                # Where no text has a name of it, the words of its names must do, unless they are what was typed.
                lemmas = self._concepts.lemmas(code, concept)
                if concept not in self._printed.get(code, ()) and terms[code].keys().isdisjoint(lemmas):
                    for lemma in lemmas:
                        put(code, lemma, weights.unnamed, OF_UNNAMED)

    def _put_foreign(self, put, form: str, lang: str) -> None:
        """The same word where another language has it."""
        for code in self._indexed:
            lexicon = self._lexicons[code]
            if code != lang and lexicon.counts.get(form) and form not in lexicon.stopwords:
                for lemma in lexicon.lemmas(form):
                    put(code, lemma, self._weights.likely, OTHER_LANGUAGE)


def _weighed(units: list[Unit], lexicon: Lexicon, weights: Weights) -> list[Unit]:
    """The same, where words that tell who, and which card or bid, stand beside enough that tell what happened."""
    aside = [lexicon.is_aside(u.form) for u in units]
    if aside.count(False) < weights.telling:
        return units
    return [replace(u, weight=weights.aside) if so else u for u, so in zip(units, aside, strict=True)]


def _that_count(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """Each word once, without those to skip; those that deny only where nothing else is left."""
    counting = [t for t in tokens if t.form not in lexicon.stopwords and (len(t.form) > 1 or t.form.isdigit())]
    # A word said twice stands where it was said first, in the order of where it was said last.
    kept = list({t.form: t for t in reversed(counting)}.values())[::-1]
    return [t for t in kept if t.form not in lexicon.denials] or kept


def _is_guess(form: str, near: str, far: int) -> bool:
    """Whether a correction may well be another word; what differs in its ending only is a form of the same one."""
    if near[: len(form) - ENDING] == form[:-ENDING] and len(form) >= LONG:
        return False
    return far > 1 or (len(form) < VERY_SHORT and len(near) != len(form))


def _titles(library: Library, lexicons: Mapping[str, Lexicon]) -> dict[str, set[str]]:
    """Language → lemmas of the words of headings."""
    out: dict[str, set[str]] = {}
    for node in library.nodes.values():
        if node.heading and node.lang in lexicons:
            lexicon = lexicons[node.lang]
            forms = (t.form for t in analyse(node.heading) if t.form not in lexicon.stopwords)
            out.setdefault(node.lang, set()).update(lemma for form in forms for lemma in lexicon.lemmas(form))
    return out


def _joined(units: list[Unit], tokens: Sequence[Token], first: int, second: int) -> list[Unit]:
    """Two units joined by OR become one."""
    at = {t.start: i for i, t in enumerate(tokens)}
    if first not in at or second not in at or max(at[first], at[second]) >= len(units):
        return units
    a, b = units[at[first]], units[at[second]]
    terms = {code: tuple({t.term: t for t in (*b.terms[code], *a.terms[code])}.values()) for code in a.terms}
    both = Unit(f"{a.typed} / {b.typed}", a.form, terms, a.known or b.known)
    return [both if u in (a, b) and u is not b else u for u in units if u is not b]
