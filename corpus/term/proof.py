"""What is checked of a term against the texts: its provisions are there, its names stand in them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from corpus.alphabet import Alphabet
from corpus.checked.rule import Fault
from corpus.model import Node, NodeId, Quote, Where
from corpus.term import everyday
from corpus.term.model import Split, Term
from corpus.term.names import NameIndex, Spoken, covers
from corpus.word.lists import Forms
from corpus.word.token import Token, analyse

BETWEEN = 3  # words between those of a name that stand apart: more are another sentence


@dataclass(frozen=True)
class TermTexts:
    """The texts that were read. ``langs``: edition → language; ``reviewed``: the editions in which a reviewer has
    looked for every concept, so that each says something of them; ``forms``, ``alphabets``: by language; ``unread``:
    whether a text could not be read, so that nothing proves a term wrong.
    """

    nodes: Mapping[NodeId, Node]
    langs: Mapping[str, str]
    reviewed: frozenset[str]
    forms: Mapping[str, Forms]
    alphabets: Mapping[str, Alphabet]
    unread: bool = False

    def spoken(self, lang: str) -> Spoken:
        """A language as names need it."""
        return Spoken(self.forms.get(lang, {}), self.alphabets.get(lang, Alphabet()))

    def editions(self, lang: str) -> list[str]:
        """The texts of a language."""
        return [edition for edition, its in self.langs.items() if its == lang]

    def inside(self, id_: NodeId) -> Iterator[Node]:
        """A node with all that stands in it, and what it stands in, for the headings."""
        node = self.nodes[id_]
        yield from self._within.get(id_, ())
        while node.parent and (node := self.nodes[node.parent]):
            yield node

    @cached_property
    def _within(self) -> dict[NodeId, list[Node]]:
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

    def is_misprint(self, first: Token, last: Token) -> bool:
        """Whether one of the words from ``first`` to ``last`` is, or is part of, a marked misprint."""
        return any(start < last.end and first.start < end for start, end in self.misprinted)


def _passages(node: Node) -> Iterator[Passage]:
    places: tuple[Where, ...] = ("heading", "text")
    for where in places:
        for words in dict.fromkeys((headword(node), node.heading or "") if where == "heading" else (node.text,)):
            if words:
                yield Passage(tuple(analyse(words)), _misprinted(node, where))


def _misprinted(node: Node, where: Where) -> tuple[tuple[int, int], ...]:
    return tuple((s.start, s.end) for s in node.slips if s.kind == "misprint" and s.where == where)


def headword(node: Node) -> str:
    """The heading of a node; of a definition, the term alone, its words side by side, each where it stands: “Hráč,
    tichý (Dummy)” without the comma and what stands in brackets.
    """
    heading = node.heading or ""
    return re.sub(r"[,\s]", " ", heading.partition("(")[0]) if node.kind == "definition" else heading


# (language, words) that stand in some text of it → None, or the node of a misprint when they stand in misprints alone
Standing = Mapping[tuple[str, str], NodeId | None]


def names_in_texts(terms: Iterable[Term], texts: TermTexts) -> Standing:
    """Those names and wordings of terms that stand in a text of their language, and whether misprints alone have
    them.
    """
    said: dict[str, set[str]] = defaultdict(set)
    for term in terms:
        for named in (term.names, term.wordings):
            for lang, words in named.items():
                said[lang].update(words)
    found: dict[tuple[str, str], NodeId | None] = {}
    for lang, every in said.items():
        names = NameIndex(texts.spoken(lang), [(name, name) for name in sorted(every)])
        for at, passage in (
            (id_, p) for id_, node in texts.nodes.items() if node.lang == lang for p in texts.passages[id_]
        ):
            for m in names.find(passage.tokens):
                if passage.is_misprint(passage.tokens[m.first], passage.tokens[m.last]):
                    found.setdefault((lang, m.meant), at)
                else:
                    found[lang, m.meant] = None
    return found


def term_problems(term: Term, texts: TermTexts, stands: Standing) -> Iterator[Fault]:
    """Everything wrong with a term, seen against the texts."""
    unknown = list(_paths(term, texts))
    yield from unknown or (*_proved(term, texts, stands), *_splits(term, texts, stands), *_headwords(term, texts))
    yield from unknown or _reasons(term, texts)
    yield from _silent(term, texts)


def _paths(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """Editions and provisions that are named are there."""
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


def _reasons(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """What a text does not have yet is in no older one, and what it no longer has in no newer one."""
    having = {*term.defined, *term.about}
    for edition, reason in term.none.items():
        year = texts.years[edition]
        older = [e for e in having if texts.years[e] <= year]
        newer = [e for e in having if texts.years[e] >= year]
        for wrong in older if reason == "later" else newer if reason == "earlier" else ():
            finding = f"{edition} has none, “{reason}”, but {wrong} has it."
            yield Fault(finding, 'Write "unnamed", or where it stands.', ("none", edition))


def _silent(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """Reviewed texts of which nothing is said."""
    for edition in sorted(texts.reviewed):
        if not term.has(edition):
            move = f'Write where under [defined] or [about]; or [none] {edition} = "later".'
            yield Fault(f"Nothing is said of {edition}.", move)


# What to do about a name that a marked misprint alone has.
SOUNDLY = "Write what is printed soundly, as slips.toml shows what is meant; the misprint may be one of [wordings]."


def _proved(term: Term, texts: TermTexts, stands: Standing) -> Iterator[Fault]:
    """Names and wordings stand in a text of their language; names soundly, their words in what deals with the concept,
    too. This holds for languages with a text in which somebody has looked for the concept: elsewhere they are what the
    laws are known by, and a new text does not have to use them.
    """
    split = {(texts.langs.get(place.at.edition), place.name) for place in term.split}
    looked = {lang for edition, lang in texts.langs.items() if term.has(edition)}
    for lang in {lang: None for named in (term.names, term.wordings) for lang in named if lang in looked}:
        sound, printed = _readings(term, lang, texts)
        for name in term.names.get(lang, ()):
            fault = None if (lang, name) in split else _not_printed(lang, name, stands)
            if fault := fault or _elsewhere(name, texts.spoken(lang), sound, printed):
                yield Fault(*fault, ("names", lang), name)
        for wording in term.wordings.get(lang, ()):
            if (lang, wording) not in stands:
                yield Fault(*_nowhere(lang, wording), ("wordings", lang), wording)


def _nowhere(lang: str, words: str) -> tuple[str, str]:
    move = "Write it as it is printed, or list it under [players]."
    return f"“{words}” stands in no text of “{lang}”.", move


def _not_printed(lang: str, name: str, stands: Standing) -> tuple[str, str] | None:
    """Why no text proves a name: (finding, move)."""
    if (lang, name) not in stands:
        return _nowhere(lang, name)
    misprint = stands[lang, name]
    return (f"“{name}” stands in a misprint alone, in {misprint}.", SOUNDLY) if misprint else None


def _elsewhere(name: str, spoken: Spoken, sound: frozenset[str], printed: frozenset[str]) -> tuple[str, str] | None:
    """Why what deals with a concept, if a text of the language has it, does not prove its name: (finding, move)."""
    if not printed or not (lost := "”, “".join(_lost(name, spoken, sound))):
        return None
    if _lost(name, spoken, printed):
        return (
            f"“{name}”: “{lost}” does not stand in its provisions.",
            "Name the provision that has it, or another name.",
        )
    return f"“{name}”: “{lost}” stands in its provisions in a misprint alone.", SOUNDLY


def _splits(term: Term, texts: TermTexts, stands: Standing) -> Iterator[Fault]:
    """Names whose words stand apart: they are names, all their words are there, near each other and soundly printed,
    and no text has them side by side.
    """
    for n, split in enumerate(term.split):
        quote = everyday.find(split, texts.nodes)
        if isinstance(quote, Quote):
            lang = texts.langs[quote.node.edition]
            if split.name not in term.names.get(lang, ()):
                yield Fault(
                    f"“{split.name}” is no name in “{lang}”.", "List it under [names], too.", ("split", n, "name")
                )
            elif stands.get((lang, split.name), quote.node) is None:
                move = "Remove [[split]]: it needs no place."
                yield Fault(f"“{split.name}” stands side by side.", move, ("split", n, "name"))
            elif fault := _unsplit(split, quote, texts):
                yield Fault(*fault, ("split", n, "words"))


def _unsplit(split: Split, quote: Quote, texts: TermTexts) -> tuple[str, str] | None:
    """Why the words of a place are no proof of a name: (finding, move)."""
    node = texts.nodes[quote.node]
    tokens, spoken = analyse(node.words_of(quote)), texts.spoken(node.lang)
    key = spoken.key(split.name)
    if any(start < quote.end and quote.start < end for start, end in _misprinted(node, quote.where)):
        return f"“{split.words}” is a misprint in {node.id}.", SOUNDLY
    if not covers(key, [spoken.readings(token) for token in tokens]):
        return f"“{split.words}” has not all the words of “{split.name}”.", "Write all of them, in whatever form."
    if len(tokens) > len(key) + BETWEEN:
        return f"“{split.words}” is more than {BETWEEN} words longer than the name.", "Write where they stand nearer."
    return None


def _headwords(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """Printed headwords that no name of the concept is taken from."""
    for edition in term.defined:
        for id_ in term.meaning(edition):
            node = texts.nodes[id_]
            spoken, head = texts.spoken(node.lang), set(texts.spoken(node.lang).key(headword(node)))
            asked = node.kind == "definition" and not _misprinted(node, "heading")
            if asked and not any(head.issuperset(spoken.key(name)) for name in term.names.get(node.lang, ())):
                finding = f"The headword “{' '.join(headword(node).split())}” of {id_} is no name."
                yield Fault(finding, f"Add it under [names] {node.lang}.", ("names", node.lang))


def _lost(name: str, spoken: Spoken, there: frozenset[str]) -> list[str]:
    """The words of a name that do not stand among others, in any form."""
    return [token.exact for token in analyse(name) if there.isdisjoint(spoken.known(token))]


def _readings(term: Term, lang: str, texts: TermTexts) -> tuple[frozenset[str], frozenset[str]]:
    """What the words of what deals with a concept in the texts of a language may be forms of: those that are soundly
    printed, and all of them.
    """
    spoken = texts.spoken(lang)
    sound: set[str] = set()
    printed: set[str] = set()
    for edition in texts.editions(lang):
        for passage in (
            p for id_ in term.places(edition) for node in texts.inside(id_) for p in texts.passages[node.id]
        ):
            for token in passage.tokens:
                known = spoken.known(token)
                printed |= known
                if not passage.is_misprint(token, token):
                    sound |= known
    return frozenset(sound), frozenset(printed)
