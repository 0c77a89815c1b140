"""From a printed number, or the word that stands for a definition, to the provisions meant."""

from __future__ import annotations

import re

from corpus.address import ancestors
from corpus.alphabet import Alphabet, fold
from corpus.edition import Edition
from corpus.label import typed
from corpus.model import Node
from corpus.subject_index.stems import Weights, stems


class Provisions:
    """The nodes of an edition as an index sees them: what a number means, and how well it suits a term."""

    def __init__(self, nodes: list[Node], edition: Edition, alphabet: Alphabet):
        self.how, self.alphabet = edition.index, alphabet
        self.by_path = {n.path: n for n in nodes}
        self.definitions = [n for n in nodes if n.kind == "definition"]
        self.words = {p: self.stems(f"{n.heading or ''} {n.text}") for p, n in self.by_path.items()}
        self.headings = {p: self.stems(n.heading or "") for p, n in self.by_path.items()}
        self.weights = Weights(list(self.words.values()))
        self.names = {fold(n.heading or ""): n.path for n in self.definitions}

    def stems(self, text: str) -> frozenset[str]:
        """The stems of a text in the index's language."""
        return stems(text, self.alphabet)

    def paths(self, number: str, term: str, entry: str, claimed: set[str]) -> list[str]:
        """Paths of one printed number; ``claimed`` are the definitions that an entry names exactly."""
        if number == self.how.definition:
            return self.definition(term, entry, claimed)
        if number == self.how.intro:
            return ["intro"]
        if self.how.footnote and number.endswith(f" {self.how.footnote}"):
            return [f"{number.split(maxsplit=1)[0]}/fn/1"]
        return [next(iter(typed.readings(number)), number)]

    def exact(self, term: str) -> list[str]:
        """Definitions whose name the term is, or is made of: “A / B”, “A - in other words”."""
        if fold(term) in self.names:
            return [self.names[fold(term)]]
        parts = [p.strip() for p in re.split(r" ?/ ?", term)]
        if len(parts) > 1 and all(fold(p) in self.names for p in parts):
            return [self.names[fold(p)] for p in parts]
        short = re.split(r" [-–—] ", term)[0]
        return [self.names[fold(short)]] if fold(short) in self.names else []

    def definition(self, term: str, entry: str, claimed: set[str]) -> list[str]:
        """The definition meant: of that name, else the one whose name and text have most of the term's words."""
        if found := self.exact(term):
            return found
        if "def" in self.by_path and self.stems(term) == self.headings["def"]:
            return ["def"]
        wanted = self.stems(term)

        def fit(node: Node) -> tuple:
            named, used = wanted & self.headings[node.path], wanted & self.words[node.path]
            alike = 2 * len(named) + len(used - named)
            return alike, node.path not in claimed, -len(self.headings[node.path] - wanted)

        best = max(self.definitions, key=fit, default=None)
        if best is None or fit(best)[0] == 0:
            return self.exact(entry)
        return [best.path]

    def suits(self, numbers: tuple[str, ...], term: str, entry: str) -> float:
        """How well printed numbers suit a term: the telling words that it shares with the provisions and what they
        stand in.
        """
        wanted, around, value = self.stems(term), self.stems(entry) - self.stems(term), 0.0
        for number in numbers:
            if number == self.how.definition:
                value += (
                    14.0
                    if self.exact(term)
                    else 3.0
                    if any(wanted & self.headings[d.path] for d in self.definitions)
                    else -6.0
                )
                continue
            for path in self.paths(number, term, entry, set()):
                heading = self.headings.get(path, frozenset()).union(
                    *(self.headings.get(a, ()) for a in ancestors(path))
                )
                text = self.words.get(path, frozenset())
                value += (
                    2 * self.weights.of(wanted & heading)
                    + self.weights.of(wanted & text - heading)
                    + 0.4 * self.weights.of(around & (heading | text))
                )
        return value / len(numbers)
