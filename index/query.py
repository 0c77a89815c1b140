"""Understanding what was typed: a citation, or words with what stands for them in every language of the corpus."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from corpus.alphabet import fold
from corpus.label.typed import Words
from corpus.library import Library
from index.analyser import Word, analyse
from index.citation import CitationReader, Citations
from index.concept import Concepts, Found
from index.lexicon import SHORT, Lexicon

# Bounds: whatever is typed, the work stays small.
LONGEST, MOST_WORDS, MOST_PHRASES = 500, 32, 4
# One word and a number with single letters: “pravidelko 40 B 2” may be a citation that was not understood.
_NUMBERED = re.compile(r"[^\W\d_]{2,}\W*\d+(?:[\W_]*(?:\d+|[^\W\d_](?![^\W\d_])))*\W*")
_QUOTED = re.compile(r"[\"„”“«»‟]([^\"„”“«»‟]*)[\"„”“«»‟]")

# How well a term stands for the word that was typed.
LEMMA, CONCEPT, CONCEPT_ONE, NEAR, FAMILY, UNFINISHED, FOREIGN = 1.0, 0.85, 0.9, 0.7, 0.45, 0.7, 0.6
# What words are worth by themselves that mean something else in the query (“did not follow suit” is not about following suit), and those of the
# terms of a concept that no text of a language names.
DENIED, UNNAMED = 0.45, 0.45
# What such a word is worth when it is asked whether the laws answer at all.
GUESSED = 0.72
# What the hint at a language is worth beside a known word (0.9).
HINT = 0.8


# Why a term stands for a word of the query.
WORD, NAME, CORRECTED, UNFINISHED_WORD = "the word", "a term", "a typing error", "an unfinished word"
NOT_MEANT = "a word that is denied or means something else here"
KIN, PLAYERS, OF_UNNAMED, OTHER_LANGUAGE = (
    "a kindred word",
    "a player’s word",
    "a word of a term that no text has",
    "a word of another language",
)
# What may be marked in a text: reviewed terms and the query’s own words. Whatever only widens the query is not.
MARKED = frozenset((WORD, NAME, CORRECTED, UNFINISHED_WORD, OTHER_LANGUAGE))


class Term(NamedTuple):
    """A term of the index that stands for a word of the query: how well, and why."""

    term: str
    strength: float
    why: str


@dataclass(frozen=True)
class Unit:
    """A word of the query. ``terms``: language → what stands for it in the index."""

    word: str
    form: str
    terms: dict[str, tuple[Term, ...]] = field(compare=False)
    known: bool = True
    corrected: str | None = None
    required: bool = False
    # How much finding it says about the query: a word guessed from two typing errors, or a very short one, may be another word.
    trust: float = 1.0


@dataclass(frozen=True)
class Query:
    """What was understood. ``units`` are empty when nothing but words to skip was typed; ``quoted`` are the phrases as typed."""

    raw: str
    text: str
    lang: str | None
    citations: Citations | None = None
    define: bool = False
    units: tuple[Unit, ...] = ()
    excluded: tuple[Unit, ...] = ()
    phrases: tuple[tuple[Word, ...], ...] = ()
    quoted: tuple[str, ...] = ()
    years: frozenset[str] = frozenset()
    # Whether it names what the laws do not treat, and whether it names nothing else.
    outside: bool = False
    only_outside: bool = False
    numbered: bool = False
    # The language of the reader, whose editions come first.
    reader: str | None = None


def clean(raw: str) -> str:
    """Composed characters, no control or direction marks, single blanks, bounded length."""
    text = unicodedata.normalize("NFC", raw[:LONGEST])
    text = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text)
    return " ".join(text.split())


def has_symbol(text: str) -> bool:
    """Whether there is a sign that is no punctuation: “♠”, “½”."""
    return any(unicodedata.category(c)[0] == "S" or unicodedata.category(c) == "No" for c in text)


class QueryReader:
    """Reads queries against one library and its word lists."""

    def __init__(
        self, library: Library, lexicons: dict[str, Lexicon], concepts: Concepts, printed: dict[str, set[str]]
    ):
        """``printed``: language → the concepts that its texts name."""
        self._lexicons, self._concepts, self._printed = lexicons, concepts, printed
        self._citations = CitationReader(library, Words.of(x.language for x in lexicons.values()))
        self._indexed = sorted({e.lang for e in library.editions.values()})
        self._years = {str(e.year) for e in library.editions.values()}
        self._letters = {code: frozenset(x.data.get("letters", "")) for code, x in lexicons.items()}
        self._titles = _titles(library, lexicons)
        self._define = {
            code: sorted((fold(p) for p in x.data.get("define", ())), key=len, reverse=True)
            for code, x in lexicons.items()
        }
        self._operators = {
            kind: frozenset(w for x in lexicons.values() for w in x.data.get(kind, ())) for kind in ("and", "or", "not")
        }

    @property
    def pointed(self) -> frozenset[str]:
        """Editions whose provisions are points."""
        return self._citations.pointed

    def read(self, raw: str, lang: str | None = None) -> Query:
        """``lang`` is a language that the reader is known to use: a hint, for the words decide."""
        text = clean(raw)
        quoted = tuple(m.group(1).strip() for m in list(_QUOTED.finditer(text))[:MOST_PHRASES])
        quoted = tuple(q for q in quoted if analyse(q) or has_symbol(q))
        phrases = tuple(tuple(analyse(q)[:MOST_WORDS]) for q in quoted)
        if all(len(p) == 1 for p in phrases) and len(analyse(text)) > len(phrases) + 1:
            # “powiedział «mała» ze stołu” quotes what was said, it does not look for a passage.
            text, phrases, quoted = " ".join(_QUOTED.sub(r" \1 ", text).split()), (), ()
        if not phrases and (citations := self._citations.read(text)):
            return Query(raw, text, lang if lang in self._lexicons else None, citations=citations)
        reader = lang if lang in self._lexicons else None
        lang = self._speaking(text, self.guess(text, reader))
        rest = _QUOTED.sub(" ", text)
        rest, define = self._without_define(rest, lang)
        required, excluded, loose, either = self._operate(rest)
        years = frozenset(w.form for w in loose if w.form in self._years) if len(loose) > 1 else frozenset()
        loose = [w for w in loose if w.form not in years]
        units = self._units(
            sorted([*required, *loose], key=lambda w: w.start), lang, frozenset(w.start for w in required), either
        )
        if phrases:
            units = (*units, *self._units([w for p in phrases for w in p], lang, frozenset(), ()))
        outside, only_outside = self._outside(text, lang)
        return Query(
            raw,
            text,
            lang,
            define=define,
            units=units[:MOST_WORDS],
            excluded=self._units(excluded, lang, frozenset(), ()),
            phrases=phrases,
            quoted=quoted,
            years=years,
            outside=outside,
            only_outside=only_outside,
            reader=reader or lang,
            numbered=_NUMBERED.fullmatch(text) is not None,
        )

    def guess(self, text: str, hint: str | None = None) -> str | None:
        """The language whose words and letters fit best, the hint unless another has a word more; None when nothing speaks for one."""
        words, best = analyse(text)[:MOST_WORDS], (0.0, hint)
        for code, lexicon in sorted(self._lexicons.items()):
            score = HINT if code == hint else 0.0
            for word in words:
                if word.form in lexicon.stopwords:
                    score += 1.0
                elif lexicon.knows(word.form) or self._concepts.names_word(code, word.form):
                    score += 0.9
                foreign = [c for c in word.exact if not c.isascii()]
                score += 0.7 * sum(c in self._letters[code] for c in foreign) - 0.7 * sum(
                    c not in self._letters[code] for c in foreign
                )
            if score > best[0] + 1e-9:
                best = (score, code)
        return best[1]

    def _speaking(self, text: str, lang: str | None) -> str | None:
        """The language, unless it would skip every word and another has a name for them: “BIT” is no “biti”."""
        words = analyse(text)[:MOST_WORDS]
        skips = self._lexicons[lang].stopwords if lang in self._lexicons else frozenset()
        if not words or any(w.form not in skips for w in words):
            return lang
        return next((code for code in sorted(self._lexicons) if self._concepts.asked(code, words)[0]), lang)

    def _outside(self, text: str, lang: str | None) -> tuple[bool, bool]:
        """Whether the query is about something that bridge players speak of and the laws do not treat, and about nothing else.

        A name of several words always is; a single word only beside few others: “otwarcie 1 pik poza kolejnością” is answered.
        """
        if lang not in self._lexicons:
            return False, False
        words = analyse(text)[:MOST_WORDS]
        found = self._concepts.outside(lang, words)
        content = [i for i, w in enumerate(words) if w.form not in self._lexicons[lang].stopwords]
        named = {i for f in found for i in range(f.first, f.last + 1)}
        return any(f.last > f.first or len(content) <= 3 for f in found), bool(found) and named.issuperset(content)

    def _without_define(self, text: str, lang: str | None) -> tuple[str, bool]:
        plain = text.strip(" ?!.")
        for code in [lang] if lang else sorted(self._define):
            folded = fold(plain)
            if len(folded) != len(plain):
                return text, False
            for pattern in self._define.get(code, ()):
                if folded.startswith(pattern + " "):
                    return plain[len(pattern) + 1 :], True
                if folded.endswith(" " + pattern):
                    return plain[: -len(pattern) - 1], True
        return text, False

    def _operate(self, text: str) -> tuple[list[Word], list[Word], list[Word], tuple[tuple[int, int], ...]]:
        """Words that must be there, that must not, the others, and pairs joined by OR (by where they start)."""
        words = analyse(text)[:MOST_WORDS]
        printed = [text[w.start : w.end] for w in words]
        shouting = all(p.isupper() for p in printed)
        required, excluded, loose, either = [], [], [], []
        mode = None
        for i, (word, seen) in enumerate(zip(words, printed)):
            before = text[word.start - 1 : word.start]
            lone = word.start < 2 or text[word.start - 2].isspace()
            if not shouting and 0 < i < len(words) - 1 and seen in self._operators["or"]:
                mode = "or"
                continue
            if not shouting and 0 < i < len(words) - 1 and len(seen) > 1 and seen in self._operators["and"]:
                if loose and loose[-1] is words[i - 1]:
                    required.append(loose.pop())
                mode = "and"
                continue
            if not shouting and i < len(words) - 1 and i > 0 and seen in self._operators["not"]:
                mode = "not"
                continue
            if mode == "not" or (before == "-" and lone and i > 0):
                excluded.append(word)
            elif mode == "and" or (before == "+" and lone):
                required.append(word)
            else:
                if mode == "or" and loose:
                    either.append((loose[-1].start, word.start))
                loose.append(word)
            mode = None
        return required, excluded, loose, tuple(either)

    def _units(
        self, words: list[Word], lang: str | None, required: frozenset[int], either: tuple[tuple[int, int], ...]
    ) -> tuple[Unit, ...]:
        """Words with their terms; words to skip are left out, and so is a “not” beside others: it says how they are meant."""
        lexicon = self._lexicons.get(lang)
        if lexicon is None:
            return tuple(
                Unit(
                    w.exact,
                    w.form,
                    {code: (Term(w.form, FOREIGN, OTHER_LANGUAGE),) for code in self._indexed},
                    known=False,
                )
                for w in {w.form: w for w in words}.values()
            )
        # A word said twice is one word.
        kept = list(
            {
                w.form: w
                for w in reversed(words)
                if w.form not in lexicon.stopwords and (len(w.form) > 1 or w.form.isdigit())
            }.values()
        )[::-1]
        kept = [w for w in kept if w.form not in lexicon.denials] or kept
        repaired: dict[str, tuple] = {}
        for word in kept:
            if not lexicon.is_word(word.form) and not self._concepts.names_word(lang, word.form):
                if not lexicon.beginning(word.form) and (near := self._nearest(lexicon, lang, word.form)):
                    repaired[word.form] = near
        # Names are sought among all words: those to skip, too, for a “not” may be among them.
        best = [w._replace(form=repaired[w.form][0][0]) if w.form in repaired else w for w in words]
        named: dict[str, list] = {}
        names, unmeant = self._concepts.asked(lang, best)
        meant = {w.form for i, w in enumerate(words) if i not in unmeant}
        for found in names:
            for word in words[found.first : found.last + 1]:
                named.setdefault(word.form, []).append(found)
        units = [
            self._unit(
                w, repaired.get(w.form, ()), lang, lexicon, named.get(w.form, ()), w.start in required, w.form in meant
            )
            for w in kept
        ]
        if all(u.corrected for u in units):
            # Nothing but typing errors: then they are what was asked for.
            units = [replace(u, trust=1.0) for u in units]
        for first, second in either:
            units = _joined(units, kept, first, second)
        return tuple(units)

    def _nearest(self, lexicon: Lexicon, lang: str, form: str) -> tuple[tuple[str, int], ...]:
        """What a mistyped word may be: only a word of content, one of a heading or of the lists of terms."""
        return tuple(f for f in lexicon.nearest(form) if self._is_content(lang, lexicon, f[0]))

    def _is_content(self, lang: str, lexicon: Lexicon, form: str) -> bool:
        titles = self._titles.get(lang, frozenset())
        return form not in lexicon.stopwords and any(
            lemma in titles or self._concepts.names_word(lang, lemma) for lemma in (form, *lexicon.lemmas(form))
        )

    def _unit(
        self,
        word: Word,
        near: tuple,
        lang: str,
        lexicon: Lexicon,
        named: list[Found],
        required: bool,
        meant: bool = True,
    ) -> Unit:
        """``meant``: whether the word means here what it means alone; else it is worth little and no text is marked with it."""
        terms: dict[str, dict[str, Term]] = {code: {} for code in self._indexed}

        def put(code: str, term: str, strength: float, why: str) -> None:
            if not meant and why not in (NAME, PLAYERS):
                strength, why = min(strength, DENIED), NOT_MEANT
            if term not in terms[code] or strength > terms[code][term].strength:
                terms[code][term] = Term(term, strength, why)

        known = lexicon.knows(word.form) or bool(named)
        if lang in terms:
            if near:
                for other, far in near:
                    for lemma in lexicon.lemmas(other):
                        put(lang, lemma, NEAR - 0.1 * (far - 1), CORRECTED)
            elif not lexicon.is_word(word.form) and not named:
                for lemma in lexicon.beginning(word.form):
                    put(lang, lemma, UNFINISHED, UNFINISHED_WORD)
                    known = True
            for lemma in lexicon.lemmas(word.form):
                put(lang, lemma, LEMMA, WORD)
                for other in lexicon.family(lemma):
                    put(lang, other, FAMILY, KIN)
        for concept, first, last, _ in named:
            strength = NEAR if near else CONCEPT_ONE if first == last else CONCEPT
            if concept[0] != "#":
                if lang in terms:
                    put(lang, concept, strength, PLAYERS)
                continue
            for code in self._indexed:
                put(code, concept, strength, NAME)
                # Where no text has a name of it, the words of its names must do, unless they are what was typed.
                if concept not in self._printed.get(code, ()) and terms[code].keys().isdisjoint(
                    lemmas := self._concepts.lemmas(code, concept)
                ):
                    for lemma in lemmas:
                        put(code, lemma, UNNAMED, OF_UNNAMED)
        for code in self._indexed:
            if (
                code != lang
                and self._lexicons[code].counts.get(word.form)
                and word.form not in self._lexicons[code].stopwords
            ):
                for lemma in self._lexicons[code].lemmas(word.form):
                    put(code, lemma, FOREIGN, OTHER_LANGUAGE)
        corrected = near[0][0] if near else None
        return Unit(
            word.exact,
            word.form,
            {code: tuple(t.values()) for code, t in terms.items()},
            known or bool(near),
            corrected,
            required,
            GUESSED if near and _is_guess(word.form, *near[0]) else 1.0,
        )


def _is_guess(form: str, near: str, far: int) -> bool:
    """Whether a correction may well be another word; what differs in its ending only is a form of the same one."""
    if near[: len(form) - 3] == form[:-3] and len(form) >= 8:
        return False
    return far > 1 or (len(form) < SHORT - 1 and len(near) != len(form))


def _titles(library: Library, lexicons: dict[str, Lexicon]) -> dict[str, set[str]]:
    """Language → lemmas of the words of headings."""
    out: dict[str, set[str]] = {}
    for node in library.nodes.values():
        if node.heading and node.lang in lexicons:
            lexicon = lexicons[node.lang]
            out.setdefault(node.lang, set()).update(
                lemma
                for w in analyse(node.heading)
                if w.form not in lexicon.stopwords
                for lemma in lexicon.lemmas(w.form)
            )
    return out


def _joined(units: list[Unit], words: list[Word], first: int, second: int) -> list[Unit]:
    """Two units joined by OR become one."""
    at = {w.start: i for i, w in enumerate(words)}
    if first not in at or second not in at or at[second] >= len(units) or at[first] >= len(units):
        return units
    a, b = units[at[first]], units[at[second]]
    terms = {code: tuple({t.term: t for t in (*b.terms[code], *a.terms[code])}.values()) for code in a.terms}
    both = Unit(f"{a.word} / {b.word}", a.form, terms, a.known or b.known)
    return [both if u in (a, b) and u is not b else u for u in units if u is not b]
