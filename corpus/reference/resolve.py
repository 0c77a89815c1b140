"""From phrases to references: which provisions the labels mean. :func:`annotate_references` is the entry point.

For every node, its words are cleaned, ``find_phrases`` finds the phrases, and :class:`Resolver` finds the provisions in
the tree of the edition. :func:`find_unread_references` finds words that look like a reference but were not read as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from corpus import address
from corpus.edition import Edition
from corpus.label import (
    CAPITAL,
    LABEL_START,
    NO_LETTER,
    NUMBER,
    SMALL,
    paths_strictly_between,
    step_shape,
    template_sign,
)
from corpus.language import Language
from corpus.model import Node, NodeId, Part, Problem, Reference, ReferenceKind, Text, Where
from corpus.reference.find import find_phrases
from corpus.reference.grammar import AMBIGUOUS_LETTER, PHRASE_END, CitedLabel, Grammar, counting_letter_table_of
from corpus.reference.join import Phrase

# Most words of a definition's name after "see".
_MOST_TERM_WORDS = 6
# Signs of emphasis around a name: "see **Honour**".
_EMPHASIS = re.compile(r"\*{1,2}\Z")
# How far after the last sibling a missing label may be to be meant at all: "part I", "100 points" are no provisions.
_NEAR_ORDINALS = 3


@dataclass(frozen=True)
class _Target:
    """A path, and whether the edition has it. ``kind`` is "external" when it is in the laws that the edition modifies.

    ``unclear``: the label may also lead elsewhere.
    """

    path: str
    there: bool
    kind: ReferenceKind
    unclear: bool = False


# Where a printed label (or a term) begins and ends, and the targets that it leads to.
_LabelTargets = tuple[int, int, list[_Target]]


@dataclass(frozen=True)
class Resolution:
    """What became of a phrase. ``reference`` is its reference, if it is one.

    - ``unclear``: (start, end) of the words that can be read in two ways.
    - ``dropped``: (start, end) of words that are reported, because all of them or the end of their list lead nowhere.
    - ``apart``: the path of a provision of the same law with the label, where the phrase leads nowhere from its place.
    """

    reference: Reference | None = None
    unclear: tuple[int, int] | None = None
    dropped: tuple[int, int] | None = None
    apart: str | None = None


class Resolver:
    """Finds the targets of phrases in the tree of one edition."""

    def __init__(self, nodes: Iterable[Node], edition: Edition, grammar: Grammar):
        self.edition, self.grammar = edition, grammar
        self.nodes = {n.path: n for n in nodes}
        self.order = {path: i for i, path in enumerate(self.nodes)}
        self.definitions = {p.removeprefix("def/"): p for p, n in self.nodes.items() if n.kind == "definition"}
        self.marked = {m.target: n.path for n in self.nodes.values() for m in n.marks}
        self.by_id = {n.id: n.path for n in self.nodes.values()}
        # In decisions on the laws of another text "punkt 13" is their own point 13; "law 13" is a law of that text.
        self.own_word = "provision" if edition.levels and edition.levels[0].kind == "point" else "law"

    def resolve(self, found: Phrase, text: str, node: Node, where: Where) -> Resolution:
        """Return what a phrase of ``text`` leads to. ``text`` is the cleaned text or heading of ``node``."""
        if found.intro == "unclear":
            # A label that may be a letter and a count is reported only if it exists.
            seems = not found.tentative or self._all_labels_exist(replace(found, intro="bare"), node)
            return Resolution(unclear=(found.start, found.end) if seems else None)
        if found.intro == "term":
            published = (node.heading if where == "heading" else node.text) or ""
            return Resolution(self._resolve_definition(found, text, published, node, where))
        if found.intro == "note":
            return self._resolve_numbered_notes(found, text, node, where)
        if found.tentative and not self._all_labels_exist(found, node):
            return self._resolve_without_missing(found, text, node, where)
        return self._resolve_labels(found, text, node, where)

    def _resolve_without_missing(self, found: Phrase, text: str, node: Node, where: Where) -> Resolution:
        """Return what a tentative phrase leads to that names something missing.

        It is what its shorter form ``found.without`` leads to, mostly its law alone, if it has one. Otherwise the
        phrase is no reference; it is reported only if something close to it exists.
        """
        if found.without:
            return replace(self.resolve(found.without, text, node, where), dropped=(found.start, found.end))
        first = replace(found.labels[0], steps=found.under + found.labels[0].steps)
        near = self._missing_target(first, node) is not None
        return Resolution(dropped=(found.start, found.end) if near else None)

    def _resolve_labels(self, found: Phrase, text: str, node: Node, where: Where) -> Resolution:
        """Return what a phrase with labels leads to."""
        labelled = self._targets_by_label(found, node)
        if not labelled:
            return Resolution(apart=self._path_in_law(found, node) if found.own_intro == "provision" else None)
        *clear, (start, _, targets) = labelled
        unclear = (start, found.end) if any(t.unclear for t in targets) else None
        if unclear:
            labelled = clear
        if found.note:
            labelled = [
                (start, end, [n for t in targets for n in self._notes_of(t)]) for start, end, targets in labelled
            ]
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
        announced = bool(left) and not self.grammar.join.fullmatch(text, end, left[0].start)
        dropped = (found.start, left[-1].end) if left and (announced or PHRASE_END.match(text, left[-1].end)) else None
        return Resolution(self._build_reference(found.start, end, text, where, kind, labelled), unclear, dropped)

    def find_modified_term(self, heading: str, published: str, node: Node) -> Reference | None:
        """Return the reference of a heading like "Alert – definitions" in a decision that modifies a definition of the
        laws.

        None for any other heading. ``heading`` is cleaned. The name is taken from ``published``, the heading as
        printed, because cleaning changes the letters of labels.
        """
        match = (
            self.grammar.definition_of.fullmatch(heading) if self.edition.modifies and node.kind == "point" else None
        )
        if match is None:
            return None
        path = f"def/{address.slugify(published[slice(*match.span('term'))])}"
        targets = [_Target(path, True, "external")]
        return self._build_reference(0, len(heading), heading, "heading", "external", [(*match.span("term"), targets)])

    def nearest_path(self, path: str) -> str | None:
        """Return the path that a missing path may mean: what exists of it, else the law with the nearest number.

        None when the edition has neither.
        """
        law = address.split_path(path)[0]
        while path and path not in self.nodes:
            path = address.without_last_step(path)
        laws = [p for p in self.nodes if p.isdigit()]
        return path or min(laws, key=lambda p: abs(int(p) - int(law)), default=None)

    # ── Labels ──────────────────────────────────────────────────────────────────────────────────

    def _targets_by_label(self, found: Phrase, node: Node) -> list[_LabelTargets]:
        """Return every printed label with its targets, up to the first label without a target.

        A label that is unclear, or of which only the short form exists, is the last one. The last label of a range has
        the targets of the whole range.
        """
        out: list[_LabelTargets] = []
        for i, label in enumerate(found.labels):
            last = out[-1][2][-1] if out else None
            before = (found.labels[i - 1], last) if last else None
            target, counts = self._find_target(label, found, before, node), label
            short = label.short
            stands = short and (found.intro in ("law", "provision", "see") or short.names_law)
            if short and stands and not (target and target.there):
                # The words after the blank are no part of the label if only the short label exists.
                surely = self._find_target(short, found, before, node)
                if surely and surely.there:
                    target, counts = surely, short
            if target is None:
                break
            reached = [target]
            if last and found.joins[i - 1] == "range":
                inner = [
                    _Target(p, p in self.nodes or target.kind == "external", target.kind)
                    for p in paths_strictly_between(last.path, target.path)
                ]
                reached = [last, *inner, target]
            out.append((counts.start, counts.end, reached))
            if counts is not label or target.unclear:
                break
        return out

    def _find_target(
        self, label: CitedLabel, found: Phrase, before: tuple[CitedLabel, _Target] | None, node: Node
    ) -> _Target | None:
        """Return the target of a label, or None: the first one by itself, a further one from the target before it.

        ``before``: (the label before it, the last target of that label); None for the first label.
        """
        return self._further_target(label, found, *before, node) if before else self._first_target(label, found, node)

    def _path_in_law(self, found: Phrase, node: Node) -> str | None:
        """Return the path of the first provision with the label of ``found``, in the law of ``node``; None without one.

        ``found`` is a phrase that leads nowhere when it is read from the node itself.
        """
        levels = self._enclosing_paths(node)
        end = "/" + address.join_path(*found.under, *found.labels[0].steps)
        inside = (path for path in self.nodes if levels and address.contains_path(levels[-1], path))
        return next((path for path in inside if path.endswith(end)), None)

    def _all_labels_exist(self, found: Phrase, node: Node) -> bool:
        """Whether all labels of the same kind as the first, mostly capitals, lead to provisions that exist."""
        labelled = self._targets_by_label(found, node)
        first = found.labels[0].shape[0]
        missed = (label for label in found.labels[len(labelled) :] if label.shape[0] == first)
        return (
            bool(labelled)
            and all(t.there and not t.unclear for *_, reached in labelled for t in reached)
            and not any(missed)
        )

    def _resolve_numbered_notes(self, found: Phrase, text: str, node: Node, where: Where) -> Resolution:
        """Return what notes cited by their numbers lead to, "notes 3 and 4".

        These are the notes of the law that the words stand in, else of the book. A number that several laws count by
        themselves leads nowhere.
        """
        own = {address.split_path(level)[0] for level in self._enclosing_paths(node)}
        if node.path[0].isdigit():
            own.add(address.split_path(node.path)[0])
        labelled: list[_LabelTargets] = []
        for label in found.labels:
            notes = [
                p for p, n in self.nodes.items() if n.kind == "footnote" and address.last_step(p) == label.steps[0]
            ]
            near = [p for p in notes if address.split_path(p)[0] in own]
            book = [p for p in notes if not p[0].isdigit()]
            path = next(iter(near or book), None)
            if path is None or path == node.path:
                return Resolution(dropped=(found.start, found.end))
            labelled.append((label.start, label.end, [_Target(path, True, "relative" if near else "absolute")]))
        kind = labelled[0][2][0].kind
        return Resolution(self._build_reference(found.start, found.end, text, where, kind, labelled))

    def _notes_of(self, target: _Target) -> list[_Target]:
        """Return the notes of a provision as targets, in the order of the book.

        They are those printed under it and those whose mark is in it. A provision without notes gets one that is
        missing. The notes of another text are unknown, so there the target stays the provision itself.
        """
        if target.kind == "external":
            return [target]
        inside = {path for path in self.nodes if address.contains_path(target.path, path)}
        marked = {m.target for path in inside for m in self.nodes[path].marks}
        notes = [
            path
            for path, node in self.nodes.items()
            if node.kind == "footnote" and (path in inside or node.id in marked)
        ]
        return [_Target(path, True, target.kind) for path in notes] or [
            _Target(address.join_path(target.path, "fn", "1"), False, target.kind)
        ]

    def _first_target(self, label: CitedLabel, found: Phrase, node: Node) -> _Target | None:
        label = label.with_steps_above(found.under)
        own = self.own_word == "provision" and found.intro != "law"
        external = bool(self.edition.modifies) and not (own and (label.dotted or found.intro != "bare"))
        lone = label.may_begin_with_law and not label.names_law
        if label.may_begin_with_law and (found.intro == "law" or (own and found.intro == "provision")):
            return self._absolute_target(label.steps, external)
        if label.names_law:
            absolute = self._absolute_target(label.steps, external)
            if absolute.there or (found.intro in ("provision", "see") and not label.dotted):
                return absolute
        target = self._relative_target(label, found.direction, node)
        if target is None and found.intro == "see" and lone and not found.direction:
            law = self._absolute_target(label.steps, external)
            return law if law.there else None
        if target is None and (found.intro in ("law", "provision") or (found.intro == "see" and len(label.steps) > 1)):
            return self._missing_target(label, node)
        return target

    def _further_target(
        self, label: CitedLabel, found: Phrase, before: CitedLabel, last: _Target, node: Node
    ) -> _Target | None:
        """Return the target of a label after another one in a list, or None: "20F2 a 20F3", "A1 i 2", "12C2b i d".

        ``before`` is the label before it, ``last`` the last target of that label.
        """
        numbers_laws = (
            found.own_intro == "law"
            or (self.own_word == "provision" and found.own_intro == "provision")
            or found.own_intro in ("see", "bare")
        )
        if label.may_begin_with_law and numbers_laws and last.kind != "relative":
            target = self._absolute_target(label.steps, last.kind == "external")
            sibling = self._next_number_target(label, before, last)
            falls = int(label.steps[0]) < int(address.split_path(last.path)[0])  # lists of laws rise
            if sibling:  # unclear: "Laws 3A1 and 5", where there is a 3A5
                return replace(sibling, unclear=target.there and not falls)
            if falls and _is_next_number(label, before, last):
                return replace(target, unclear=True)  # "Laws 20F6 and 7", where there is no 20F7
            return target if target.there or found.intro == "law" else None
        base = address.split_path(last.path)
        for depth in range(len(base) - 1, -1, -1):
            if step_shape(base[depth]) == label.shape[0] and (depth or (len(base) == 1 and last.kind == "relative")):
                target = self._walk_steps(address.join_path(*base[:depth]) if depth else "", label.steps, last.kind)
                if target.there or last.kind == "external":
                    return replace(target, there=True)
        if last.kind == "relative":
            return self._relative_target(label, found.direction, node)
        return None

    def _next_number_target(self, label: CitedLabel, before: CitedLabel, last: _Target) -> _Target | None:
        """Return the target of a lone number that continues the last number of the label before it, or None.

        ``last`` is the last target of that label.
        """
        if label.shape != ("1",) or before.shape[-1] != "1" or len(address.split_path(last.path)) == 1:
            return None
        path = address.join_path(address.without_last_step(last.path), label.steps[0])
        there = path in self.nodes and int(before.steps[-1]) < int(label.steps[0])
        return _Target(path, True, last.kind) if there else None

    def _absolute_target(self, steps: tuple[str, ...], external: bool) -> _Target:
        if external:
            return _Target(address.join_path(str(int(steps[0])), *steps[1:]), True, "external")
        return self._walk_steps("", (str(int(steps[0])), *steps[1:]), "absolute")

    def _relative_target(self, label: CitedLabel, direction: int, node: Node) -> _Target | None:
        """Return the provision that a label names, seen from ``node``, or None.

        It is at the nearest level around the node that has such a provision. "above" (``direction`` -1) and "below" (1)
        choose when several levels have one.
        """
        places = [
            t
            for t in (self._walk_steps(level, label.steps, "relative") for level in self._enclosing_paths(node))
            if t.there
        ]
        others = [t for t in places if t.path != node.path]
        if direction:
            own_place = self.order[node.path]
            chosen = [t for t in others if (self.order[t.path] > own_place) == (direction > 0)]
            others = chosen or others
        return next(iter(others or places), None)

    def _missing_target(self, label: CitedLabel, node: Node) -> _Target | None:
        """Return a missing provision beside existing ones of its kind: 16F where 16 ends with E.

        None if it is too far off.
        """
        for level in self._enclosing_paths(node):
            siblings = [address.last_step(c.path) for c in self.nodes[level].children]
            if (
                siblings
                and step_shape(siblings[-1]) == label.shape[0]
                and _step_ordinal(label.steps[0]) <= _step_ordinal(siblings[-1]) + _NEAR_ORDINALS
            ):
                return self._walk_steps(level, label.steps, "relative")
        return None

    def _enclosing_paths(self, node: Node) -> list[str]:
        """The paths of the provision and those around it, up to the law. A footnote counts as standing at its mark."""
        path = self.marked.get(node.id, node.path) if node.kind == "footnote" else node.path
        levels = [path, *address.ancestor_paths(path)]
        return [p for p in levels if p in self.nodes and p[0].isdigit()]

    def _walk_steps(self, base: str, steps: tuple[str, ...], kind: ReferenceKind) -> _Target:
        """Return the target that ``steps`` lead to, from the path ``base`` down, as a target of the given kind.

        A step matches the step of a path, or the printed label: in "b.1." of 25B2, 1 is the label of 25B2(b)(i).
        """
        path = base
        for i, step in enumerate(steps):
            below = self._child_path(path, step, first=i == 0)
            if below is None:
                return _Target(address.join_path(path, *steps[i:]), False, kind)
            path = below
        return _Target(path, True, kind)

    def _child_path(self, path: str, step: str, first: bool) -> str | None:
        whole = address.join_path(path, step)
        if whole in self.nodes:
            return whole
        if not path or path not in self.nodes:
            return None
        if first:
            return None
        for child in (self.by_id[c] for c in self.nodes[path].children if c in self.by_id):
            if (
                address.last_step(child).lower() == step.lower()
                or re.sub(r"\W", "", self.nodes[child].label or "") == step
            ):
                return child
        return None

    # ── Definitions ─────────────────────────────────────────────────────────────────────────────

    def _resolve_definition(
        self, found: Phrase, text: str, published: str, node: Node, where: Where
    ) -> Reference | None:
        """Return the reference to the definition that the longest run of words after "see" names, or None.

        The name is taken from the published words, because cleaning changes the letters of labels.
        """
        quoted = re.compile(r'"([^"]{1,60})"').match(text, found.term)
        if quoted:
            terms = [(*quoted.span(1), quoted.end())]
        else:
            # A dash or a bracket after the name does not belong to it.
            words = list(re.compile(r"\w[^\s.,;:()\"*]*").finditer(text, found.term, found.term + 80))[
                :_MOST_TERM_WORDS
            ]
            terms = [(found.term, w.end(), w.end()) for w in reversed(words)]
        for first, last, end in terms:
            path = self.definitions.get(address.slugify(published[first:last]))
            if path and path != node.path:
                marks = _EMPHASIS.search(text, 0, first)
                beyond = len(marks[0]) if marks and text.startswith(marks[0], end) else 0
                return self._build_reference(
                    found.start,
                    max(end + beyond, found.end),
                    text,
                    where,
                    "definition",
                    [(first, last, [_Target(path, True, "definition")])],
                )
        return None

    def _build_reference(
        self, start: int, end: int, text: str, where: Where, kind: ReferenceKind, labelled: list[_LabelTargets]
    ) -> Reference:
        targets = [t for *_, reached in labelled for t in reached]
        return Reference(
            start,
            end,
            where,
            text[start:end],
            kind,
            self._target_ids(targets),
            self._target_ids(t for t in targets if not t.there),
            tuple(Part(first, last, self._target_ids(reached)) for first, last, reached in labelled),
        )

    def _target_ids(self, targets: Iterable[_Target]) -> tuple[NodeId, ...]:
        """Return the full ids of targets, each once. External targets are in the laws that the edition modifies."""
        editions = {True: self.edition.modifies, False: self.edition.id}
        return tuple(dict.fromkeys(NodeId.of(editions[t.kind == "external"], t.path) for t in targets))


def _is_next_number(label: CitedLabel, before: CitedLabel, last: _Target) -> bool:
    """Whether a lone number is the one after the last number of the label before it: "20F6 and 7".

    ``last`` is the last target of the label ``before``.
    """
    number = label.shape == ("1",) and before.shape[-1] == "1" and len(address.split_path(last.path)) > 1
    return number and int(label.steps[0]) == int(before.steps[-1]) + 1


def _step_ordinal(step: str) -> int:
    return int(step) if step.isdigit() else ord(step[0].lower())


# ── Words that look like a reference ────────────────────────────────────────────────────────────

# A citation by its form alone: 16 D 2, 27B(a), C2, (C 2), and 62 D where the phrase ends; not 2 NT, 5-3 or 60%.
_CITATION = re.compile(
    rf"{LABEL_START}(?:{NUMBER} ?{CAPITAL} ?(?:{NUMBER}|\({SMALL}\))(?!\w)|(?:[89]|\d\d) ?{CAPITAL}(?=[).;]))|"
    rf"(?<![\w♠♥♦♣]){CAPITAL}\d(?!\w)|\({CAPITAL} \d\)"
)
# Text right after a reference that continues it: "Law 12:C", "Law 80, A", "Law 12/C", "Law 12 A 1), 2)", "(C) 2.)".
_REST_OF_REFERENCE = re.compile(
    rf"[:/,-]? ?\(?(?:[A-Z{AMBIGUOUS_LETTER}]{NO_LETTER}|{SMALL}\)|{NUMBER}\))|\) ?{NUMBER}\.?\)"
)


def find_unread_references(
    node: Node, references: Iterable[Reference], grammar: Grammar, noted: Iterable[tuple[Where, int, int]] = ()
) -> Iterator[tuple[Where, int, int]]:
    """Yield stretches (where, start, end) of a node that look like a reference, or the rest of one, but are none.

    ``noted`` are the stretches that are reported already; they are left out.
    """
    where: Where
    for where, published in (("heading", node.heading), ("text", node.text)):
        if not published:
            continue
        text = grammar.clean(published)
        found = [(r.start, r.end) for r in references if r.where == where]
        taken = bytearray(len(text) + 1)
        tables = [(t.start, t.end) for t in node.tables if where == "text"]
        for start, end in [*found, *tables, *((s, e) for w, s, e in noted if w == where)]:
            taken[start:end] = b"\1" * (end - start)
        for pattern in (grammar.law_with_number, grammar.ordinal_law, grammar.part_of_law, _CITATION):
            for match in pattern.finditer(text):
                if not taken[match.start()] and not taken[match.end() - 1]:
                    yield where, match.start(), match.end()
        for start, end in found:
            rest = _REST_OF_REFERENCE.match(text, end)
            if rest and not taken[rest.end() - 1]:
                yield where, start, rest.end()


# Least characters on each side of a stretch that a message shows.
_CONTEXT_CHARACTERS = 24


# ── All nodes of an edition ─────────────────────────────────────────────────────────────────────


def annotate_references(nodes: list[Node], edition: Edition, language: Language) -> tuple[list[Node], list[Problem]]:
    """Return the nodes with their ``references``, and the problems. The problems are not fatal.

    A reference that leads nowhere stays, and is reported.
    """
    words = Grammar(language, _highest_roman_law(nodes, edition), counting_letter_table_of(edition.levels))
    resolver = Resolver(nodes, edition, words)
    out: list[Node] = []
    problems: list[Problem] = []
    for node in nodes:
        # Entries of a subject index have targets of their own (model.IndexEntry).
        is_read = node.kind != "index" and bool(node.heading or node.text)
        read = _read_references(node, resolver, words) if is_read else _NodeReferences()
        references = tuple(read.references)
        out.append(node if references == node.references else replace(node, references=references))
        if is_read:
            problems += [p for r in references for p in _missing_target_problems(r, node, edition, resolver)]
            problems += [_unclear_problem(*stretch, node, edition, words) for stretch in read.unclear]
            problems += [_elsewhere_in_law_problem(*stretch, node, edition) for stretch in read.apart]
            apart = [stretch[:3] for stretch in read.apart]
            rest = find_unread_references(node, references, words, read.unclear + read.dropped + read.elsewhere + apart)
            problems += [_unread_reference_problem(*stretch, node, edition) for stretch in (*read.dropped, *rest)]
    return out, problems


@dataclass
class _NodeReferences:
    """What was read in a node: its references, and stretches (where, start, end) that are none.

    For ``unclear``, ``dropped`` and ``apart`` (with its path) see :class:`Resolution`. ``elsewhere`` are references to
    another text.
    """

    references: list[Reference] = field(default_factory=list)
    unclear: list[tuple[Where, int, int]] = field(default_factory=list)
    dropped: list[tuple[Where, int, int]] = field(default_factory=list)
    elsewhere: list[tuple[Where, int, int]] = field(default_factory=list)
    apart: list[tuple[Where, int, int, str]] = field(default_factory=list)

    def add(self, resolved: Resolution, found: Phrase, where: Where, published: str) -> None:
        """Add what became of a phrase. ``published`` is the text or heading before it was cleaned."""
        if resolved.unclear:
            self.unclear.append((where, *resolved.unclear))
        if resolved.dropped:
            self.dropped.append((where, *resolved.dropped))
        if resolved.apart:
            self.apart.append((where, found.start, found.end, resolved.apart))
        if reference := resolved.reference:
            self.references.append(replace(reference, surface=published[reference.start : reference.end]))


def _read_references(node: Node, resolver: Resolver, words: Grammar) -> _NodeReferences:
    out = _NodeReferences()
    published: str | None
    where: Where
    for where, published in (("heading", node.heading), ("text", node.text)):
        if not published:
            continue
        text = words.clean(published)
        tables = [(t.start, t.end) for t in node.tables] if where == "text" else []
        if where == "heading" and (modified := resolver.find_modified_term(text, published, node)):
            out.references.append(replace(modified, surface=published))
            continue
        for found in find_phrases(text, words):
            if _may_be_table_cell(found, tables):
                continue
            if found.intro == "elsewhere":
                out.elsewhere.append((where, found.start, found.end))
                continue
            out.add(resolver.resolve(found, text, node, where), found, where, published)
    return out


def _may_be_table_cell(found: Phrase, tables: list[tuple[int, int]]) -> bool:
    """Whether a phrase that no word announces is in a table: there "D2" may be a cell and no label."""
    bare = found.intro in ("bare", "direction") or found.tentative
    return bare and any(start <= found.start < end for start, end in tables)


def _missing_target_problems(reference: Reference, node: Node, edition: Edition, resolver: Resolver) -> list[Problem]:
    out = []
    for target in reference.missing:
        path = target.path
        if not edition.complete and target.law.isdigit() and int(target.law) not in edition.law_numbers:
            continue  # the law is outside an extract, so there is nothing to correct
        instead = resolver.nearest_path(path)
        move = (
            f"The nearest is {instead}; correct the number in corrections.tsv, or leave it as printed."
            if instead
            else "Correct the number in corrections.tsv, or leave it as printed."
        )
        out.append(
            Problem(
                edition.source_name,
                _source_line(node, reference.where, reference.start),
                f"“{reference.surface}” leads to {path}, which the edition does not have.",
                move,
                fatal=False,
            )
        )
    return out


def _unread_reference_problem(where: Where, start: int, end: int, node: Node, edition: Edition) -> Problem:
    finding = "looks like a reference, but not all of it was read as one"
    move = f"Is a word missing in languages/{edition.lang}.toml? If it is no reference, leave it."
    return _problem_with_words(where, start, end, node, edition, finding, move)


def _elsewhere_in_law_problem(where: Where, start: int, end: int, path: str, node: Node, edition: Edition) -> Problem:
    finding = f"leads nowhere from where it stands, but the law has {path}"
    file = f"languages/{edition.lang}.toml"
    move = f"Do words around it name that provision? Then do they belong to a key of {file}? Else leave it."
    return _problem_with_words(where, start, end, node, edition, finding, move)


def _unclear_problem(where: Where, start: int, end: int, node: Node, edition: Edition, words: Grammar) -> Problem:
    text, file = words.clean(_words_in(node, where)), f"languages/{edition.lang}.toml"
    move = f"{_unclear_question(text, start, end, words, file)} Else leave it."
    return _problem_with_words(where, start, end, node, edition, "can be read in two ways, so it leads nowhere", move)


def _problem_with_words(
    where: Where, start: int, end: int, node: Node, edition: Edition, finding: str, move: str
) -> Problem:
    """The problem, not fatal, that the words of a node at ``start`` to ``end`` have. ``finding`` follows them."""
    quoted, context = _words_in(node, where)[start:end], _quote_context(node, where, start, end)
    line = _source_line(node, where, start)
    return Problem(edition.source_name, line, f"“{quoted}” {finding}: {context}.", move, fatal=False)


# A word of a sentence, the last one before a stretch, and the one after a number with a full stop.
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORD_BEFORE = re.compile(r"([^\W\d_]{2,}) [(\"]?\Z")
_WORD_AFTER_NUMBER = re.compile(r"\. ([^\W\d_]{2,})")


def _unclear_question(text: str, start: int, end: int, grammar: Grammar, file: str) -> str:
    """Return the question of a problem about ``text[start:end]``, which can be read in two ways.

    The question is for the maintainer of the language file ``file``. It names the word that may decide, and where in
    the file this word would belong.
    """
    after = _WORD_AFTER_NUMBER.match(text, end) if text[start:end].isdigit() else None
    if after and not grammar.knows_word(after[1]):
        return f"Does “{after[1]}” name a part or a law? Then it belongs to “provision_after” or “law_after” of {file}."
    before = _WORD_BEFORE.search(text, 0, start)
    joins = grammar.in_word.search(text, start, end)
    if joins:
        return f"Does “{joins[0].strip()}” always join a part to its law? Then it belongs to “of” of {file}."
    if (
        before
        and not grammar.knows_word(before[1])
        and all(grammar.is_joiner(w) for w in _WORD.findall(text[start:end]))
    ):
        return f"Does “{before[1]}” announce labels? Then it belongs to “in” of {file}, or to “of” if it joins two."
    return f"Does a word in it belong to another key of {file}?"


def _quote_context(node: Node, where: Where, start: int, end: int) -> str:
    """Return some words before and after a stretch of a text or heading, and the path of its node, for a message.

    The stretch is ``[start:end]`` of the text or heading, as ``where`` says.
    """
    words = _words_in(node, where)
    first = words.rfind(" ", 0, max(0, start - _CONTEXT_CHARACTERS)) + 1 if start > _CONTEXT_CHARACTERS else 0
    last = words.find(" ", end + _CONTEXT_CHARACTERS)
    shown = " ".join(words[first : last if last >= 0 else len(words)].split())
    return f"“{'… ' * (first > 0)}{shown}{' …' * (last >= 0)}” in {node.path}"


def _words_in(node: Node, where: Where) -> str:
    return node.text if where == "text" else node.heading or ""


def _source_line(node: Node, where: Where, start: int) -> int:
    """Return the number of the source line in which words begin; ``start`` is their offset in the text or heading
    (``where``).

    Where the words do not know their places in the source, it is the first line of the node.
    """
    words = _words_in(node, where)
    if isinstance(words, Text) and words.places:
        return words.place_at(start)[0]
    return node.source_spans[0][0] if node.source_spans else 1


def _highest_roman_law(nodes: list[Node], edition: Edition) -> int:
    """Return the number of the highest law of an edition that numbers its laws I, II, III; else 0."""
    if not edition.levels or edition.levels[0].kind != "law" or template_sign(edition.levels[0].labels[0]) != "I":
        return 0
    return max((int(n.path) for n in nodes if n.kind == "law" and n.path.isdigit()), default=0)


__all__ = ["annotate_references"]
