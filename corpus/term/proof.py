"""What is checked of a term against the texts: its provisions are there, its names stand in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from corpus.alphabet import Alphabet
from corpus.checked.rule import Fault
from corpus.model import Node, NodeId
from corpus.term.model import Term
from corpus.term.names import Names, Spoken
from corpus.word.lists import Forms
from corpus.word.token import Token, analyse


@dataclass(frozen=True)
class Texts:
    """The texts that were read. ``langs``: edition → language; ``whole``: the complete texts of the laws, of which
    every concept says something; ``forms``, ``alphabets``: by language; ``unread``: whether a text could not be read,
    so that nothing proves a term wrong.
    """

    nodes: Mapping[NodeId, Node]
    langs: Mapping[str, str]
    whole: frozenset[str]
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
    def tokens(self) -> dict[str, list[list[Token]]]:
        """Language → the words of every heading and text."""
        out: dict[str, list[list[Token]]] = {lang: [] for lang in self.langs.values()}
        for node in self.nodes.values():
            out[node.lang] += [analyse(words) for words in {headword(node), node.heading or "", node.text}]
        return out


def headword(node: Node) -> str:
    """The heading of a node; of a definition, the term alone, its words side by side: “Hráč, tichý (Dummy)” without the
    comma and what stands in brackets.
    """
    heading = node.heading or ""
    return " ".join(heading.partition("(")[0].replace(",", " ").split()) if node.kind == "definition" else heading


Standing = frozenset[tuple[str, str]]  # (language, words) that stand in some text of it


def standing(terms: Iterable[Term], texts: Texts) -> Standing:
    """Those names and wordings of terms that stand in a text of their language."""
    said: dict[str, set[str]] = defaultdict(set)
    for term in terms:
        for named in (term.names, term.wordings):
            for lang, words in named.items():
                said[lang].update(words)
    found: set[tuple[str, str]] = set()
    for lang, every in said.items():
        names = Names(texts.spoken(lang), [(name, name) for name in sorted(every)])
        found.update((lang, m.meant) for tokens in texts.tokens.get(lang, ()) for m in names.find(tokens))
    return frozenset(found)


def faults(term: Term, texts: Texts, stands: Standing) -> Iterator[Fault]:
    """Everything wrong with a term, seen against the texts."""
    unknown = list(_paths(term, texts))
    yield from unknown or (*_proved(term, texts, stands), *_headwords(term, texts))
    yield from unknown or _reasons(term, texts)
    yield from _silent(term, texts)


def _paths(term: Term, texts: Texts) -> Iterator[Fault]:
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


def _reasons(term: Term, texts: Texts) -> Iterator[Fault]:
    """What a text does not have yet is in no older one, and what it no longer has in no newer one."""
    having = {*term.defined, *term.about}
    for edition, reason in term.none.items():
        year = texts.years[edition]
        older = [e for e in having if texts.years[e] <= year]
        newer = [e for e in having if texts.years[e] >= year]
        for wrong in older if reason == "later" else newer if reason == "earlier" else ():
            finding = f"{edition} has none, “{reason}”, but {wrong} has it."
            yield Fault(finding, 'Write "unnamed", or where it stands.', ("none", edition))


def _silent(term: Term, texts: Texts) -> Iterator[Fault]:
    """Complete texts of which nothing is said."""
    for edition in sorted(texts.whole):
        if not term.has(edition):
            move = f'Write where under [defined] or [about]; or [none] {edition} = "later".'
            yield Fault(f"Nothing is said of {edition}.", move)


def _proved(term: Term, texts: Texts, stands: Standing) -> Iterator[Fault]:
    """Names and wordings stand in a text of their language; the words of names in what deals with the concept, too."""
    for key, named in (("names", term.names), ("wordings", term.wordings)):
        for lang, words in named.items():
            there = _readings(term, lang, texts)
            for name in words if texts.editions(lang) else ():
                if (lang, name) not in stands:
                    move = "Write it as it is printed, or list it under [players]."
                    yield Fault(f"“{name}” stands in no text of “{lang}”.", move, (key, lang), name)
                elif key == "names" and there and (lost := _lost(name, texts.spoken(lang), there)):
                    finding = f"“{name}”: “{'”, “'.join(lost)}” does not stand in its provisions."
                    yield Fault(finding, "Name the provision that has it, or another name.", (key, lang), name)


def _headwords(term: Term, texts: Texts) -> Iterator[Fault]:
    """Printed headwords that no name of the concept is taken from."""
    for edition in term.defined:
        for id_ in term.meaning(edition):
            node = texts.nodes[id_]
            spoken, head = texts.spoken(node.lang), set(texts.spoken(node.lang).key(headword(node)))
            if node.kind == "definition" and not any(
                head.issuperset(spoken.key(name)) for name in term.names.get(node.lang, ())
            ):
                finding = f"The headword “{headword(node)}” of {id_} is no name."
                yield Fault(finding, f"Add it under [names] {node.lang}.", ("names", node.lang))


def _lost(name: str, spoken: Spoken, there: frozenset[str]) -> list[str]:
    """The words of a name that do not stand among others, in any form."""
    return [token.exact for token in analyse(name) if there.isdisjoint(spoken.known(token))]


def _readings(term: Term, lang: str, texts: Texts) -> frozenset[str]:
    """What the words of what deals with a concept in the texts of a language may be forms of."""
    spoken = texts.spoken(lang)
    return frozenset(
        reading
        for edition in texts.editions(lang)
        for id_ in term.places(edition)
        for node in texts.inside(id_)
        for words in (node.heading or "", node.text)
        for token in analyse(words)
        for reading in spoken.known(token)
    )
