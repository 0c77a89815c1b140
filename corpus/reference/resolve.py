"""Third step: from a phrase to provisions. A label that names its law is followed from the top, any other from where
it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from corpus import address
from corpus.edition import Edition
from corpus.label.grammar import between, shape
from corpus.label.running import CLOSED, Label
from corpus.model import Node, NodeId, Part, Reference, ReferenceKind, Where
from corpus.reference.find import Found
from corpus.reference.grammar import Grammar

# The longest name of a definition that "see" may be followed by, in words.
_TERM_WORDS = 6
# Signs that set a name off: "see **Honour**".
_EMPHASIS = re.compile(r"\*{1,2}\Z")
# How far behind the last of its kind a label may be and still be meant: "part I" and "100 points" are no provisions.
_NEAR = 3


@dataclass(frozen=True)
class _Target:
    """A path and whether the edition has it; ``external`` when it belongs to the laws that the edition modifies.

    ``unclear``: the label may as well lead elsewhere.
    """

    path: str
    there: bool
    kind: ReferenceKind
    unclear: bool = False


# Where a printed label (or a term) begins and ends, and what it leads to.
_Labelled = tuple[int, int, list[_Target]]


@dataclass(frozen=True)
class Resolved:
    """What became of a phrase: its reference, if it is one, the stretch of it that can be read in two ways, and all of
    it where the end of its list leads nowhere.
    """

    reference: Reference | None = None
    unclear: tuple[int, int] | None = None
    dropped: tuple[int, int] | None = None


class Resolver:
    """Knows the tree of one edition."""

    def __init__(self, nodes: Iterable[Node], edition: Edition, grammar: Grammar):
        self.edition, self.grammar = edition, grammar
        self.nodes = {n.path: n for n in nodes}
        self.order = {path: i for i, path in enumerate(self.nodes)}
        self.definitions = {p.removeprefix("def/"): p for p, n in self.nodes.items() if n.kind == "definition"}
        self.marked = {m.target: n.path for n in self.nodes.values() for m in n.marks}
        self.by_id = {n.id: n.path for n in self.nodes.values()}
        # In decisions on the laws of another text "punkt 13" is their own point 13, as "law 13" is a law elsewhere.
        self.own_word = "provision" if edition.levels and edition.levels[0].kind == "point" else "law"

    def resolve(self, found: Found, text: str, node: Node, where: Where) -> Resolved:
        """What a phrase of ``text`` (a node's text or heading, cleaned) leads to."""
        if found.intro == "unclear":
            # A label that may be a letter and a count is worth a word only if it is there.
            seems = not found.tentative or self._is_there(replace(found, intro="bare"), node)
            return Resolved(unclear=(found.start, found.end) if seems else None)
        if found.intro == "term":
            published = (node.heading if where == "heading" else node.text) or ""
            return Resolved(self._definition(found, text, published, node, where))
        if found.intro == "note":
            return self._numbered_notes(found, text, node, where)
        if found.tentative and not self._is_there(found, node):
            return self._without_what_is_missing(found, text, node, where)
        return self._led(found, text, node, where)

    def _without_what_is_missing(self, found: Found, text: str, node: Node, where: Where) -> Resolved:
        """What is left of a phrase that counts only if all of it is there, and is not: its law, or a note if something
        near it is there.
        """
        if found.without:
            return replace(self.resolve(found.without, text, node, where), dropped=(found.start, found.end))
        first = replace(found.labels[0], steps=found.under + found.labels[0].steps)
        near = self._dangling(first, node) is not None
        return Resolved(dropped=(found.start, found.end) if near else None)

    def _led(self, found: Found, text: str, node: Node, where: Where) -> Resolved:
        """The labels of a phrase with what they lead to."""
        labelled = self._labelled(found, node)
        if not labelled:
            return Resolved()
        *clear, (start, _, targets) = labelled
        unclear = (start, found.end) if any(t.unclear for t in targets) else None
        if unclear:
            labelled = clear
        if found.note:
            labelled = [(start, end, [n for t in targets for n in self._notes(t)]) for start, end, targets in labelled]
        end = labelled[-1][1]
        if end == found.labels[-1].end:
            end = found.end
        kinds = {t.kind for *_, targets in labelled for t in targets}
        kind = kinds.pop() if len(kinds) == 1 else "absolute"
        left = (
            found.labels[len(labelled) :]
            if not unclear and labelled[-1][1] == found.labels[len(labelled) - 1].end
            else ()
        )
        dropped = (found.start, left[-1].end) if left and CLOSED.match(text, left[-1].end) else None
        return Resolved(self._reference(found.start, end, text, where, kind, labelled), unclear, dropped)

    def modified_term(self, heading: str, published: str, node: Node) -> Reference | None:
        """The heading "Alert – definitions", cleaned, of a decision that modifies a definition of the laws.

        The name is taken as ``published``: the letters of labels count as others in a cleaned text.
        """
        match = (
            self.grammar.definition_of.fullmatch(heading) if self.edition.modifies and node.kind == "point" else None
        )
        if match is None:
            return None
        path = f"def/{address.slug(published[slice(*match.span('term'))])}"
        targets = [_Target(path, True, "external")]
        return self._reference(0, len(heading), heading, "heading", "external", [(*match.span("term"), targets)])

    def instead(self, path: str) -> str | None:
        """What may be meant by a path that is not there: what remains of it, else the law beside it."""
        law = address.steps(path)[0]
        while path and path not in self.nodes:
            path = address.above(path)
        laws = [p for p in self.nodes if p.isdigit()]
        return path or min(laws, key=lambda p: abs(int(p) - int(law)), default=None)

    # ── labels ──────────────────────────────────────────────────────────────────────────────────

    def _labelled(self, found: Found, node: Node) -> list[_Labelled]:
        """Every printed label with its targets, up to the last one that counts; the end of a range with all of the
        range.
        """
        out: list[_Labelled] = []
        for i, label in enumerate(found.labels):
            last = out[-1][2][-1] if out else None
            before = (found.labels[i - 1], last) if last else None
            target, counts = self._sought(label, found, before, node), label
            short = label.short
            stands = short and (found.intro in ("law", "provision", "see") or short.numbered)
            if short and stands and not (target and target.there):
                # What stands after the blank is no part of the label if only so it leads somewhere.
                surely = self._sought(short, found, before, node)
                if surely and surely.there:
                    target, counts = surely, short
            if target is None:
                break
            reached = [target]
            if last and found.joins[i - 1] == "range":
                inner = [
                    _Target(p, p in self.nodes or target.kind == "external", target.kind)
                    for p in between(last.path, target.path)
                ]
                reached = [last, *inner, target]
            out.append((counts.start, counts.end, reached))
            if counts is not label or target.unclear:
                break
        return out

    def _sought(self, label: Label, found: Found, before: tuple[Label, _Target] | None, node: Node) -> _Target | None:
        """What a label leads to: the first of a phrase by itself, a further one from where the label before it led."""
        return self._further(label, found, *before, node) if before else self._target(label, found, node)

    def _is_there(self, found: Found, node: Node) -> bool:
        """Whether all labels of the kind of the first one, capitals mostly, lead to what is there."""
        labelled = self._labelled(found, node)
        first = found.labels[0].shape[0]
        missed = (label for label in found.labels[len(labelled) :] if label.shape[0] == first)
        return (
            bool(labelled)
            and all(t.there and not t.unclear for *_, reached in labelled for t in reached)
            and not any(missed)
        )

    def _numbered_notes(self, found: Found, text: str, node: Node, where: Where) -> Resolved:
        """Notes by their numbers, "notes 3 and 4": those of the law that the words stand in, else those of the book.

        A number that several laws count by themselves leads nowhere.
        """
        own = {address.steps(level)[0] for level in self._levels(node)}
        if node.path[0].isdigit():
            own.add(address.steps(node.path)[0])
        labelled: list[_Labelled] = []
        for label in found.labels:
            notes = [p for p, n in self.nodes.items() if n.kind == "footnote" and address.last(p) == label.steps[0]]
            near = [p for p in notes if address.steps(p)[0] in own]
            book = [p for p in notes if not p[0].isdigit()]
            path = next(iter(near or book), None)
            if path is None or path == node.path:
                return Resolved(dropped=(found.start, found.end))
            labelled.append((label.start, label.end, [_Target(path, True, "relative" if near else "absolute")]))
        kind = labelled[0][2][0].kind
        return Resolved(self._reference(found.start, found.end, text, where, kind, labelled))

    def _notes(self, target: _Target) -> list[_Target]:
        """The notes of a provision, in the order of the book: those printed under it and those whose mark stands in it.

        A provision without any has one that is missing. Of the notes of another text nothing is known: its law is as
        near as one gets.
        """
        if target.kind == "external":
            return [target]
        inside = {path for path in self.nodes if address.holds(target.path, path)}
        marked = {m.target for path in inside for m in self.nodes[path].marks}
        notes = [
            path
            for path, node in self.nodes.items()
            if node.kind == "footnote" and (path in inside or node.id in marked)
        ]
        return [_Target(path, True, target.kind) for path in notes] or [
            _Target(address.under(target.path, "fn", "1"), False, target.kind)
        ]

    def _target(self, label: Label, found: Found, node: Node) -> _Target | None:
        label = replace(label, steps=found.under + label.steps)
        own = self.own_word == "provision" and found.intro != "law"
        external = bool(self.edition.modifies) and not (own and (label.dotted or found.intro != "bare"))
        lone = label.shape[0] == "1" and not label.numbered
        if label.shape[0] == "1" and (found.intro == "law" or (own and found.intro == "provision")):
            return self._absolute(label.steps, external)
        if label.numbered:
            absolute = self._absolute(label.steps, external)
            if absolute.there or (found.intro in ("provision", "see") and not label.dotted):
                return absolute
        target = self._relative(label, found.direction, node)
        if target is None and found.intro == "see" and lone and not found.direction:
            law = self._absolute(label.steps, external)
            return law if law.there else None
        if target is None and (found.intro in ("law", "provision") or (found.intro == "see" and len(label.steps) > 1)):
            return self._dangling(label, node)
        return target

    def _further(self, label: Label, found: Found, before: Label, last: _Target, node: Node) -> _Target | None:
        """A label that follows another in a list: "20F2 a 20F3", "A1 i 2", "(a) alebo (b)", "12C2b i d"."""
        numbers_laws = (
            found.word == "law"
            or (self.own_word == "provision" and found.word == "provision")
            or found.word in ("see", "bare")
        )
        if label.shape[0] == "1" and numbers_laws and last.kind != "relative":
            target = self._absolute(label.steps, last.kind == "external")
            sibling = self._next_number(label, before, last)
            falls = int(label.steps[0]) < int(address.steps(last.path)[0])  # lists of laws rise
            if sibling:  # unclear: "Laws 3A1 and 5", where there is a 3A5
                return replace(sibling, unclear=target.there and not falls)
            if falls and _is_next(label, before, last):
                return replace(target, unclear=True)  # "Laws 20F6 and 7", where there is no 20F7
            return target if target.there or found.intro == "law" else None
        base = address.steps(last.path)
        for depth in range(len(base) - 1, -1, -1):
            if shape(base[depth]) == label.shape[0] and (depth or (len(base) == 1 and last.kind == "relative")):
                target = self._walk(address.under(*base[:depth]) if depth else "", label.steps, last.kind)
                if target.there or last.kind == "external":
                    return replace(target, there=True)
        if last.kind == "relative":
            return self._relative(label, found.direction, node)
        return None

    def _next_number(self, label: Label, before: Label, last: _Target) -> _Target | None:
        """What a lone number leads to if it goes on from the number that the label before it ends with."""
        if label.shape != ("1",) or before.shape[-1] != "1" or len(address.steps(last.path)) == 1:
            return None
        path = address.under(address.above(last.path), label.steps[0])
        there = path in self.nodes and int(before.steps[-1]) < int(label.steps[0])
        return _Target(path, True, last.kind) if there else None

    def _absolute(self, steps: tuple[str, ...], external: bool) -> _Target:
        if external:
            return _Target(address.under(str(int(steps[0])), *steps[1:]), True, "external")
        return self._walk("", (str(int(steps[0])), *steps[1:]), "absolute")

    def _relative(self, label: Label, direction: int, node: Node) -> _Target | None:
        """The provision of the nearest enclosing level that has it; "above" and "below" choose when several have."""
        places = [t for t in (self._walk(level, label.steps, "relative") for level in self._levels(node)) if t.there]
        others = [t for t in places if t.path != node.path]
        if direction:
            here = self.order[node.path]
            said = [t for t in others if (self.order[t.path] > here) == (direction > 0)]
            others = said or others
        return next(iter(others or places), None)

    def _dangling(self, label: Label, node: Node) -> _Target | None:
        """A provision of this law that is not there, beside those of its kind: 16F where 16 ends with E."""
        for level in self._levels(node):
            siblings = [address.last(c.path) for c in self.nodes[level].children]
            if (
                siblings
                and shape(siblings[-1]) == label.shape[0]
                and _ordinal(label.steps[0]) <= _ordinal(siblings[-1]) + _NEAR
            ):
                return self._walk(level, label.steps, "relative")
        return None

    def _levels(self, node: Node) -> list[str]:
        """The provision itself and those around it up to the law; a footnote stands where its mark does."""
        path = self.marked.get(node.id, node.path) if node.kind == "footnote" else node.path
        levels = [path, *address.ancestors(path)]
        return [p for p in levels if p in self.nodes and p[0].isdigit()]

    def _walk(self, base: str, steps: tuple[str, ...], kind: ReferenceKind) -> _Target:
        """From ``base`` down, step by step. A step is matched as cited, then as printed on the label: "b.1." is
        25B2(b)(i) there.
        """
        path = base
        for i, step in enumerate(steps):
            below = self._child(path, step, first=i == 0)
            if below is None:
                return _Target(address.under(path, *steps[i:]), False, kind)
            path = below
        return _Target(path, True, kind)

    def _child(self, path: str, step: str, first: bool) -> str | None:
        whole = address.under(path, step)
        if whole in self.nodes:
            return whole
        if not path or path not in self.nodes:
            return None
        if first:
            return None
        for child in (self.by_id[c] for c in self.nodes[path].children if c in self.by_id):
            if address.last(child).lower() == step.lower() or re.sub(r"\W", "", self.nodes[child].label or "") == step:
                return child
        return None

    # ── definitions ─────────────────────────────────────────────────────────────────────────────

    def _definition(self, found: Found, text: str, published: str, node: Node, where: Where) -> Reference | None:
        """The longest run of words after "see" that is the name of a definition, as it is published: the letters of
        labels count as others in the cleaned text.
        """
        quoted = re.compile(r'"([^"]{1,60})"').match(text, found.term)
        if quoted:
            terms = [(*quoted.span(1), quoted.end())]
        else:
            # A dash or a bracket after the name is no word of it.
            words = list(re.compile(r"\w[^\s.,;:()\"*]*").finditer(text, found.term, found.term + 80))[:_TERM_WORDS]
            terms = [(found.term, w.end(), w.end()) for w in reversed(words)]
        for first, last, end in terms:
            path = self.definitions.get(address.slug(published[first:last]))
            if path and path != node.path:
                marks = _EMPHASIS.search(text, 0, first)
                beyond = len(marks[0]) if marks and text.startswith(marks[0], end) else 0
                return self._reference(
                    found.start,
                    max(end + beyond, found.end),
                    text,
                    where,
                    "definition",
                    [(first, last, [_Target(path, True, "definition")])],
                )
        return None

    def _reference(
        self, start: int, end: int, text: str, where: Where, kind: ReferenceKind, labelled: list[_Labelled]
    ) -> Reference:
        targets = [t for *_, reached in labelled for t in reached]
        return Reference(
            start,
            end,
            where,
            text[start:end],
            kind,
            self._ids(targets),
            self._ids(t for t in targets if not t.there),
            tuple(Part(first, last, self._ids(reached)) for first, last, reached in labelled),
        )

    def _ids(self, targets: Iterable[_Target]) -> tuple[NodeId, ...]:
        """The full ids, each once; those of another text belong to the laws that the edition modifies."""
        editions = {True: self.edition.modifies, False: self.edition.id}
        return tuple(dict.fromkeys(NodeId.of(editions[t.kind == "external"], t.path) for t in targets))


def _is_next(label: Label, before: Label, last: _Target) -> bool:
    """Whether a lone number is the one after the number that the label before it ends with: "20F6 and 7"."""
    number = label.shape == ("1",) and before.shape[-1] == "1" and len(address.steps(last.path)) > 1
    return number and int(label.steps[0]) == int(before.steps[-1]) + 1


def _ordinal(step: str) -> int:
    return int(step) if step.isdigit() else ord(step[0].lower())
