"""Reads ``terms/*.toml``, checks the terms against the texts, and marks them in provisions.

- :func:`read_terms`: the terms, or every fault with file and line.
- :func:`read_reviewed_editions`: the editions in which a reviewer has looked for every concept.
- :func:`term_faults`: what is checked of a term: its provisions exist, its names stand in them.
- :class:`TermMarker`: marks the terms in a provision, so that a reader can open their meaning.

The marks keep these rules, and a test checks them for every edition:

1. A mark names a concept whose meaning the same edition gives, and never stands in the provision that gives it.

2. It is the first use in the own words of a provision, definition or note: heading first, then text. The title of a
law is no use. A preface or an index speaks about the laws and has no marks.

3. It is the longest name there. None stands inside a reference, a table or another mark.

4. None stands where the name means something else: words under ``unlike``, places under ``everyday``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from corpus import schema
from corpus.files import InvalidFile, KeyPath, TomlFile, exists_or_is_link, read_toml
from corpus.language import WordList
from corpus.letters import Alphabet, LemmasByForm, Token, tokenize
from corpus.model import BINDING_KINDS, LAW_KINDS, Node, NodeId, Problem, Quote, TermMark, Where
from corpus.schema import Fault
from corpus.term import model
from corpus.term.model import EverydayPlaces, LanguageForms, Match, NameIndex, Slug, SplitName, Term, Terms, covers

# -- The texts ---

MAX_WORDS_BETWEEN = 3  # other words between the words of a split name; with more the words do not belong together


@dataclass(frozen=True)
class TermTexts:
    """The texts that were read.

    ``langs``: edition → language. ``reviewed``: the editions in which a reviewer has looked for every concept, so
    every term must mention them. ``forms`` and ``alphabets`` are by language. ``unread``: a text could not be read,
    so nothing proves a term wrong.
    """

    nodes: Mapping[NodeId, Node]
    langs: Mapping[str, str]
    reviewed: frozenset[str]
    forms: Mapping[str, LemmasByForm]
    alphabets: Mapping[str, Alphabet]
    unread: bool = False

    def language_forms(self, lang: str) -> LanguageForms:
        """Return the forms and the alphabet of a language."""
        return LanguageForms(self.forms.get(lang, {}), self.alphabets.get(lang, Alphabet()))

    def editions_in(self, lang: str) -> list[str]:
        """Return the editions of a language."""
        return [edition for edition, its in self.langs.items() if its == lang]

    def node_and_context(self, id_: NodeId) -> Iterator[Node]:
        """Yield a node, all nodes inside it, and the nodes around it, whose headings belong to its context."""
        node = self.nodes[id_]
        yield from self._subtrees.get(id_, ())
        while node.parent and (node := self.nodes[node.parent]):
            yield node

    @cached_property
    def _subtrees(self) -> dict[NodeId, list[Node]]:
        out: dict[NodeId, list[Node]] = {id_: [] for id_ in self.nodes}
        for node in self.nodes.values():
            above: Node | None = node
            while above:
                out[above.id].append(node)
                above = self.nodes[above.parent] if above.parent else None
        return out

    @cached_property
    def years(self) -> dict[str, int]:
        """Edition → the year of its text."""
        return {node.edition: node.year for node in self.nodes.values()}

    @cached_property
    def passages(self) -> dict[NodeId, tuple[Passage, ...]]:
        """Node → its headword, heading and text."""
        return {id_: tuple(_passages(node)) for id_, node in self.nodes.items()}


@dataclass(frozen=True)
class Passage:
    """The words of a heading or text of a node. ``misprinted``: the spans of its marked misprints."""

    tokens: tuple[Token, ...]
    misprinted: tuple[tuple[int, int], ...]

    def overlaps_misprint(self, first: Token, last: Token) -> bool:
        """Whether a marked misprint overlaps the words from ``first`` to ``last``."""
        return any(start < last.end and first.start < end for start, end in self.misprinted)


def _passages(node: Node) -> Iterator[Passage]:
    places: tuple[Where, ...] = ("heading", "text")
    for where in places:
        for words in dict.fromkeys((headword(node), node.heading or "") if where == "heading" else (node.text,)):
            if words:
                yield Passage(tuple(tokenize(words)), _misprint_spans(node, where))


def _misprint_spans(node: Node, where: Where) -> tuple[tuple[int, int], ...]:
    return tuple((s.start, s.end) for s in node.misprints if s.kind == "misprint" and s.where == where)


def headword(node: Node) -> str:
    """Return the heading of a node; for a definition the term alone.

    The words of the term stand side by side, each at its place: “Hráč, tichý (Dummy)” loses the comma and what is in
    brackets.
    """
    heading = node.heading or ""
    return re.sub(r"[,\s]", " ", heading.partition("(")[0]) if node.kind == "definition" else heading


# -- Names in the texts ---

# (language, words) that stand in some text of the language → None, or a node where only misprints have them.
PrintedNames = Mapping[tuple[str, str], NodeId | None]


def find_printed_names(terms: Iterable[Term], texts: TermTexts) -> PrintedNames:
    """Return (language, words) → None or a node, for each name or wording of the terms that a text of its language
    prints.

    The value is None; where only misprints have the words, it is a node with such a misprint.
    """
    said: dict[str, set[str]] = defaultdict(set)
    for term in terms:
        for named in (term.names, term.wordings):
            for lang, words in named.items():
                said[lang].update(words)
    found: dict[tuple[str, str], NodeId | None] = {}
    for lang, every in said.items():
        names = NameIndex(texts.language_forms(lang), [(name, name) for name in sorted(every)])
        for at, passage in (
            (id_, p) for id_, node in texts.nodes.items() if node.lang == lang for p in texts.passages[id_]
        ):
            for m in names.find(passage.tokens):
                if passage.overlaps_misprint(passage.tokens[m.first], passage.tokens[m.last]):
                    found.setdefault((lang, m.meant), at)
                else:
                    found[lang, m.meant] = None
    return found


def term_faults(term: Term, texts: TermTexts, stands: PrintedNames) -> Iterator[Fault]:
    """Yield a fault for everything that is wrong with a term, seen against the texts.

    ``stands`` are the names that the texts print, from :func:`find_printed_names`.
    """
    unknown = list(_path_faults(term, texts))
    yield from unknown or (
        *_name_faults(term, texts, stands),
        *_split_faults(term, texts, stands),
        *_headword_faults(term, texts),
    )
    yield from unknown or _reason_faults(term, texts)
    yield from _unmentioned_edition_faults(term, texts)


def _path_faults(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """Yield a fault for each edition and each provision that does not exist."""
    for key, edition in ((k, e) for k in ("defined", "about", "none") for e in getattr(term, k)):
        if edition not in texts.langs:
            move = f"Choose one of: {', '.join(texts.langs)}."
            yield Fault(f"There is no edition “{edition}”.", move, (key, edition))
    for key, named in (("defined", term.defined), ("about", term.about)):
        for edition, paths in named.items():
            for path in paths if edition in texts.langs else ():
                if NodeId.of(edition, path) not in texts.nodes:
                    move = "Write the path of a provision or definition that it has."
                    yield Fault(f"{edition} has no {path}.", move, (key, edition), path)


def _reason_faults(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """Yield a fault for each reason under ``none`` that other editions contradict.

    What came later is in no older edition; what only earlier laws have is in no newer one.
    """
    having = {*term.defined, *term.about}
    for edition, reason in term.none.items():
        year = texts.years[edition]
        older = [e for e in having if texts.years[e] <= year]
        newer = [e for e in having if texts.years[e] >= year]
        for wrong in older if reason == "later" else newer if reason == "earlier" else ():
            finding = f"{edition} has none, “{reason}”, but {wrong} has it."
            yield Fault(finding, 'Write "unnamed", or where it stands.', ("none", edition))


def _unmentioned_edition_faults(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """Yield a fault for each reviewed edition that the record does not mention."""
    for edition in sorted(texts.reviewed):
        if not term.is_known_in(edition):
            move = f'Write where under [defined] or [about]; or [none] {edition} = "later".'
            yield Fault(f"Nothing is said of {edition}.", move)


# The next move for a name that stands only in a marked misprint.
SOUND_PRINT_MOVE = (
    "Write what is printed soundly, as slips.toml shows what is meant; the misprint may be one of [wordings]."
)


def _name_faults(term: Term, texts: TermTexts, stands: PrintedNames) -> Iterator[Fault]:
    """Yield a fault for each name or wording that the texts do not prove.

    Each must stand in a text of its language. The words of a name must also stand in the provisions on the concept, and
    outside of misprints. Languages in whose texts nobody has looked for the concept are left out: there the names are
    those by which the laws are known, and a new text need not use them.
    """
    split = {(texts.langs.get(place.at.edition), place.name) for place in term.split}
    looked = {lang for edition, lang in texts.langs.items() if term.is_known_in(edition)}
    for lang in {lang: None for named in (term.names, term.wordings) for lang in named if lang in looked}:
        sound, printed = _lemmas_in_provisions(term, lang, texts)
        for name in term.names.get(lang, ()):
            fault = None if (lang, name) in split else _why_not_printed(lang, name, stands)
            if fault := fault or _why_not_proved(name, texts.language_forms(lang), sound, printed):
                yield Fault(*fault, ("names", lang), name)
        for wording in term.wordings.get(lang, ()):
            if (lang, wording) not in stands:
                yield Fault(*_nowhere_finding(lang, wording), ("wordings", lang), wording)


def _nowhere_finding(lang: str, words: str) -> tuple[str, str]:
    """Return (finding, move) for words that stand in no text."""
    move = "Write it as it is printed, or list it under [players]."
    return f"“{words}” stands in no text of “{lang}”.", move


def _why_not_printed(lang: str, name: str, stands: PrintedNames) -> tuple[str, str] | None:
    """Return (finding, move) where no text of the language proves a name; None where one does."""
    if (lang, name) not in stands:
        return _nowhere_finding(lang, name)
    misprint = stands[lang, name]
    return (f"“{name}” stands in a misprint alone, in {misprint}.", SOUND_PRINT_MOVE) if misprint else None


def _why_not_proved(
    name: str, spoken: LanguageForms, sound: frozenset[str], printed: frozenset[str]
) -> tuple[str, str] | None:
    """Return (finding, move) where the provisions on a concept do not have all words of a name; None where they do.

    Also None where no text of the language has such provisions. ``sound`` and ``printed`` are the words there, from
    :func:`_lemmas_in_provisions`.
    """
    if not printed or not (lost := "”, “".join(_missing_words(name, spoken, sound))):
        return None
    if _missing_words(name, spoken, printed):
        return (
            f"“{name}”: “{lost}” does not stand in its provisions.",
            "Name the provision that has it, or another name.",
        )
    return f"“{name}”: “{lost}” stands in its provisions in a misprint alone.", SOUND_PRINT_MOVE


def _split_faults(term: Term, texts: TermTexts, stands: PrintedNames) -> Iterator[Fault]:
    """Yield a fault for each split name that is wrong.

    A split name is a name, no text has its words side by side, and its words stand near each other at the place,
    outside of misprints.
    """
    for n, split in enumerate(term.split):
        quote = model.quote_term_place(split, texts.nodes)
        if isinstance(quote, Quote):
            lang = texts.langs[quote.node.edition]
            if split.name not in term.names.get(lang, ()):
                yield Fault(
                    f"“{split.name}” is no name in “{lang}”.", "List it under [names], too.", ("split", n, "name")
                )
            elif stands.get((lang, split.name), quote.node) is None:
                move = "Remove [[split]]: it needs no place."
                yield Fault(f"“{split.name}” stands side by side.", move, ("split", n, "name"))
            elif fault := _why_no_split(split, quote, texts):
                yield Fault(*fault, ("split", n, "words"))


def _why_no_split(split: SplitName, quote: Quote, texts: TermTexts) -> tuple[str, str] | None:
    """Return (finding, move) where the words of a place do not prove a name; None where they do."""
    node = texts.nodes[quote.node]
    tokens, spoken = tokenize(node.words_of_span(quote)), texts.language_forms(node.lang)
    key = spoken.key(split.name)
    if any(start < quote.end and quote.start < end for start, end in _misprint_spans(node, quote.where)):
        return f"“{split.words}” is a misprint in {node.id}.", SOUND_PRINT_MOVE
    if not covers(key, [spoken.lemmas_or_stem(token) for token in tokens]):
        return f"“{split.words}” has not all the words of “{split.name}”.", "Write all of them, in whatever form."
    if len(tokens) > len(key) + MAX_WORDS_BETWEEN:
        return (
            f"“{split.words}” is more than {MAX_WORDS_BETWEEN} words longer than the name.",
            "Write where they stand nearer.",
        )
    return None


def _headword_faults(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """Yield a fault for each printed headword of a definition that no name of the concept matches."""
    for edition in term.defined:
        for id_ in term.meaning(edition):
            node = texts.nodes[id_]
            spoken, head = texts.language_forms(node.lang), set(texts.language_forms(node.lang).key(headword(node)))
            asked = node.kind == "definition" and not _misprint_spans(node, "heading")
            if asked and not any(head.issuperset(spoken.key(name)) for name in term.names.get(node.lang, ())):
                finding = f"The headword “{' '.join(headword(node).split())}” of {id_} is no name."
                yield Fault(finding, f"Add it under [names] {node.lang}.", ("names", node.lang))


def _missing_words(name: str, spoken: LanguageForms, there: frozenset[str]) -> list[str]:
    """Return the words of a name of which no lemma or stem is in ``there``."""
    return [token.exact for token in tokenize(name) if there.isdisjoint(spoken.lemmas_and_stem(token))]


def _lemmas_in_provisions(term: Term, lang: str, texts: TermTexts) -> tuple[frozenset[str], frozenset[str]]:
    """Return two sets: the lemmas and stems of the soundly printed words in the provisions on a concept, and those of
    all words there.

    The first set leaves out the words of marked misprints. Only texts in the language ``lang`` are read.
    """
    spoken = texts.language_forms(lang)
    sound: set[str] = set()
    printed: set[str] = set()
    for edition in texts.editions_in(lang):
        for passage in (
            p for id_ in term.places(edition) for node in texts.node_and_context(id_) for p in texts.passages[node.id]
        ):
            for token in passage.tokens:
                known = spoken.lemmas_and_stem(token)
                printed |= known
                if not passage.overlaps_misprint(token, token):
                    sound |= known
    return frozenset(sound), frozenset(printed)


# -- Marking terms ---

# Kinds of nodes whose heading is a title, so a name in it is no use of the term.
TITLED_KINDS = (*LAW_KINDS, "definition")


class TermOccurrence(NamedTuple):
    """Words of a provision that may be a use of a term."""

    start: int
    end: int
    match: Match[Slug]


@dataclass(frozen=True)
class TermMarker:
    """Marks the terms whose meaning one edition gives.

    ``names`` finds names; ``unlike`` finds words that contain a name and do not mean the term. ``meaning``: slug → the
    provisions that give the meaning.
    """

    names: NameIndex[Slug]
    unlike: NameIndex[Slug]
    meaning: Mapping[Slug, tuple[NodeId, ...]]
    everyday: EverydayPlaces

    @classmethod
    def of(
        cls, edition: str, lang: str, spoken: LanguageForms, terms: Iterable[Term], everyday: EverydayPlaces
    ) -> TermMarker:
        """Return the marker of an edition.

        Where the edition gives the meanings of two terms with the same name, the name means the one with the first
        slug. The page of that term also leads to the other.
        """
        here = {term.slug: term for term in terms if edition in term.defined}
        return cls(
            NameIndex(spoken, [(name, slug) for slug, term in here.items() for name in term.searchable_names(lang)]),
            NameIndex(spoken, [(u.words, slug) for slug, term in here.items() for u in term.unlike if u.lang == lang]),
            {slug: term.meaning(edition) for slug, term in here.items()},
            everyday,
        )

    def mark(self, node: Node) -> Node:
        """Return the node with its term marks."""
        if node.kind not in BINDING_KINDS:
            return node
        used: set[Slug] = set()
        marks: list[TermMark] = []
        places: tuple[Where, ...] = ("text",) if node.kind in TITLED_KINDS else ("heading", "text")
        for where in places:
            for use in self._uses(node, where):
                slug = use.match.meant
                if slug not in used:
                    used.add(slug)
                    marks.append(TermMark(use.start, use.end, where, slug))
        return replace(node, terms=tuple(marks))

    def _uses(self, node: Node, where: Where) -> Iterator[TermOccurrence]:
        """Yield the uses of terms in the text or heading of a node, in order. None overlaps another one, a reference or
        a table.
        """
        tokens = tokenize(node.words_in(where))
        matches = list(self.names.find(tokens))
        if not matches:
            return
        unmeant = list(self.unlike.find(tokens))
        taken = [(r.start, r.end) for r in node.references if r.where == where]
        taken += [(t.start, t.end) for t in node.tables] if where == "text" else []
        free: list[TermOccurrence] = []
        for match in sorted(matches, key=lambda m: (m.first - m.last, m.first, m.meant)):
            use = _occurrence_of(tokens, match)
            if any(match.meant == u.meant and match.is_within(u) for u in unmeant):
                continue
            if self.everyday.overlaps(node.id, match.meant, where, use.start, use.end):
                continue
            if not any(use.start < end and start < use.end for start, end in taken):
                taken.append((use.start, use.end))
                free.append(use)
        yield from sorted(u for u in free if not self._gives_meaning(node, u.match.meant))

    def _gives_meaning(self, node: Node, slug: Slug) -> bool:
        """Whether the node gives the meaning of the term, or lies inside a node that does."""
        return any(id_.contains(node.id) for id_ in self.meaning[slug])


def _occurrence_of(tokens: list[Token], match: Match[Slug]) -> TermOccurrence:
    return TermOccurrence(tokens[match.first].start, tokens[match.last].end, match)


# -- Reading the folder ---

FOLDER = "terms"
REVIEWED_FILE = "vocabulary/reviewed.toml"
DOCS = "docs/add-a-term.md"


@dataclass(frozen=True, kw_only=True)
class ReviewedEditions:
    """The file ``vocabulary/reviewed.toml``: editions in which somebody has looked for every concept."""

    concepts: WordList = ()


TermFiles = Mapping[Slug, tuple[TomlFile, Term]]


def read_terms(corpus_dir: Path, texts: TermTexts) -> tuple[Terms, list[Problem]]:
    """Return every term of the folder in the order of the slugs, and the problems. No folder means no terms.

    The terms are checked against the texts and against each other.
    """
    files: dict[Slug, tuple[TomlFile, Term]] = {}
    problems: list[Problem] = []
    for path in sorted((corpus_dir / FOLDER).glob("*.toml")):
        try:
            files[path.stem] = schema.read_named_file(Term, path, DOCS, "slug")
        except InvalidFile as refused:
            problems += refused.problems
    terms = {slug: term for slug, (_, term) in files.items()}
    stands = find_printed_names(terms.values(), texts)
    for written, term in files.values():
        faults = list(_related_term_faults(term, terms))
        faults += () if texts.unread else (*term_faults(term, texts, stands), *_missing_place_faults(term, texts))
        problems += [written.problem(f.at, f.finding, f.move, f.words) for f in faults]
    problems += [*_shared_name_problems(files, texts), *_definition_owner_problems(files, texts)] if files else []
    return terms, problems


def read_reviewed_editions(corpus_dir: Path, editions: Container[str]) -> tuple[frozenset[str], list[Problem]]:
    """Return the editions of ``vocabulary/reviewed.toml``, and what is wrong with the list. No file means no editions.

    A reviewer has looked for every concept in these editions. A term need not mention other editions: that is open
    work, and no fault.
    """
    if not exists_or_is_link(corpus_dir / REVIEWED_FILE):
        return frozenset(), []
    try:
        written = read_toml(corpus_dir / REVIEWED_FILE, REVIEWED_FILE, ("There is no file.", "Write it."))
        listed = schema.build_from_file(ReviewedEditions, written, DOCS).concepts
    except InvalidFile as refused:
        return frozenset(), refused.problems
    return frozenset(id_ for id_ in listed if id_ in editions), [
        written.problem(("concepts",), f"There is no edition “{id_}”.", "Correct its id, or take it out.", id_)
        for id_ in listed
        if id_ not in editions
    ]


def _related_term_faults(term: Term, terms: Terms) -> Iterator[Fault]:
    """Yield a fault for each other concept in a record that does not exist or is the concept itself."""
    named: list[tuple[KeyPath, Slug]] = [(("broader",), s) for s in term.broader]
    named += [(("related",), s) for s in term.related]
    named += [(("apart", n, "term"), a.term) for n, a in enumerate(term.apart)]
    for at, slug in named:
        if slug not in terms or slug == term.slug:
            yield Fault(f"There is no other concept “{slug}”.", "Name a file of terms/.", at, slug)
    if term.slug in _broader_slugs(term, terms):
        yield Fault(f"“{term.slug}” is broader than itself.", "Break the circle.", ("broader",))


def _broader_slugs(term: Term, terms: Terms) -> set[Slug]:
    """Return the slugs of all broader concepts, at any distance."""
    seen: set[Slug] = set()
    left = list(term.broader)
    while left:
        slug = left.pop()
        if slug not in seen and slug in terms:
            seen.add(slug)
            left += terms[slug].broader
    return seen


def _shared_name_problems(files: TermFiles, texts: TermTexts) -> Iterator[Problem]:
    """Yield a problem for each name of two concepts where neither record says how they are told apart."""
    first: dict[tuple[str, object], Slug] = {}
    for slug, (written, term) in files.items():
        for lang, names in term.names.items():
            for name in names:
                other = first.setdefault((lang, texts.language_forms(lang).key(name)), slug)
                told = {a.term for a in term.apart} | {a.term for a in files[other][1].apart}
                if other != slug and not told & {slug, other}:
                    move = "Keep it with one of them, or write [[apart]] with “term” and “why”."
                    yield written.problem(("names", lang), f"“{name}” names “{other}”, too.", move, name)


def _definition_owner_problems(files: TermFiles, texts: TermTexts) -> Iterator[Problem]:
    """Yield a problem for each definition that two concepts claim, and for each one that no concept claims.

    Of unclaimed definitions, only those of reviewed editions are reported.
    """
    owners: dict[NodeId, list[Slug]] = defaultdict(list)
    for slug, (_, term) in files.items():
        for edition in term.defined:
            for id_ in term.meaning(edition):
                owners[id_].append(slug)
    for id_, slugs in owners.items():
        if len(slugs) > 1 and id_ in texts.nodes and texts.nodes[id_].kind == "definition":
            written = files[slugs[1]][0]
            move = "Leave it in “defined” of one; the other may have it in “about”."
            yield written.problem(("defined", id_.edition), f"{id_} defines “{slugs[0]}”, too.", move, id_.path)
    for id_, node in texts.nodes.items():
        if node.kind == "definition" and node.edition in texts.reviewed and id_ not in owners:
            move = f"Write it under [defined] {node.edition} of its concept; {DOCS} shows how."
            yield Problem(FOLDER, 1, f"No concept has the definition {id_} (“{node.heading}”).", move)


def _missing_place_faults(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """Yield a fault for each place of an everyday use or a split name that does not exist."""
    for key in ("everyday", "split"):
        for n, place in enumerate(getattr(term, key)):
            found = model.quote_term_place(place, texts.nodes)
            if isinstance(found, tuple):
                yield Fault(*found, (key, n, "words" if place.at in texts.nodes else "at"))
