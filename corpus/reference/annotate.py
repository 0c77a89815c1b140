"""Last step: the nodes of an edition with their references, and a problem for each one that leads nowhere."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from corpus.edition import Edition
from corpus.label.printed import sign_of
from corpus.language import Language
from corpus.model import Node, Problem, Reference, Where
from corpus.reference.clean import letters_of
from corpus.reference.find import Found, find
from corpus.reference.grammar import Grammar
from corpus.reference.resolve import Resolver
from corpus.reference.unread import unread
from corpus.text import Text

# How many characters on each side of a stretch a message shows, at least.
_AROUND = 24


def annotate(nodes: list[Node], edition: Edition, language: Language) -> tuple[list[Node], list[Problem]]:
    """Fills ``references`` of every node. The problems are not fatal: a reference that leads nowhere stays, with its
    reason.
    """
    words = Grammar(language, _roman_laws(nodes, edition), letters_of(edition.levels))
    resolver = Resolver(nodes, edition, words)
    out: list[Node] = []
    problems: list[Problem] = []
    for node in nodes:
        # The entries of a subject index are targets of their own kind (model.IndexEntry).
        is_read = node.kind != "index" and bool(node.heading or node.text)
        read = _read(node, resolver, words) if is_read else _Read()
        references = tuple(read.references)
        out.append(node if references == node.references else replace(node, references=references))
        if is_read:
            problems += [p for r in references for p in _problems(r, node, edition, resolver)]
            problems += [_two_ways(*stretch, node, edition) for stretch in read.unclear]
            rest = unread(node, references, words, read.unclear + read.dropped + read.elsewhere)
            problems += [_not_found(*stretch, node, edition) for stretch in (*read.dropped, *rest)]
    return out, problems


@dataclass
class _Read:
    """What was read in a node: its references, and the stretches that resolve.Resolved names."""

    references: list[Reference] = field(default_factory=list)
    unclear: list[tuple[Where, int, int]] = field(default_factory=list)
    dropped: list[tuple[Where, int, int]] = field(default_factory=list)
    elsewhere: list[tuple[Where, int, int]] = field(default_factory=list)


def _read(node: Node, resolver: Resolver, words: Grammar) -> _Read:
    out = _Read()
    published: str | None
    where: Where
    for where, published in (("heading", node.heading), ("text", node.text)):
        if not published:
            continue
        text = words.clean(published)
        tables = [(t.start, t.end) for t in node.tables] if where == "text" else []
        if where == "heading" and (modified := resolver.modified_term(text, published, node)):
            out.references.append(replace(modified, surface=published))
            continue
        for found in find(text, words):
            if _is_cell(found, tables):
                continue
            if found.intro == "elsewhere":
                out.elsewhere.append((where, found.start, found.end))
                continue
            resolved = resolver.resolve(found, text, node, where)
            if resolved.unclear:
                out.unclear.append((where, *resolved.unclear))
            if resolved.dropped:
                out.dropped.append((where, *resolved.dropped))
            if reference := resolved.reference:
                out.references.append(replace(reference, surface=published[reference.start : reference.end]))
    return out


def _is_cell(found: Found, tables: list[tuple[int, int]]) -> bool:
    """Labels in a table need a word that announces them: "D2" may be a cell."""
    bare = found.intro in ("bare", "direction") or found.tentative
    return bare and any(start <= found.start < end for start, end in tables)


def _problems(reference: Reference, node: Node, edition: Edition, resolver: Resolver) -> list[Problem]:
    out = []
    for target in reference.missing:
        path = target.path
        if not edition.complete and target.law.isdigit() and int(target.law) not in edition.law_numbers:
            continue  # outside an extract: nothing to be corrected
        instead = resolver.instead(path)
        move = (
            f"The nearest is {instead}; correct the number in corrections.tsv, or leave it as printed."
            if instead
            else "Correct the number in corrections.tsv, or leave it as printed."
        )
        out.append(
            Problem(
                edition.file,
                _line(node, reference.where, reference.start),
                f"“{reference.surface}” leads to {path}, which the edition does not have.",
                move,
                fatal=False,
            )
        )
    return out


def _not_found(where: Where, start: int, end: int, node: Node, edition: Edition) -> Problem:
    return Problem(
        edition.file,
        _line(node, where, start),
        f"“{_words(node, where)[start:end]}” looks like a reference, but not all of it was read as one: "
        f"{_context(node, where, start, end)}.",
        f"Is a word missing in languages/{edition.lang}.toml? If it is no reference, leave it.",
        fatal=False,
    )


def _two_ways(where: Where, start: int, end: int, node: Node, edition: Edition) -> Problem:
    return Problem(
        edition.file,
        _line(node, where, start),
        f"“{_words(node, where)[start:end]}” can be read in two ways, so it leads nowhere: "
        f"{_context(node, where, start, end)}.",
        f"Does a word belong to “in”, “of”, “law” or “law_after” of languages/{edition.lang}.toml? Else leave it.",
        fatal=False,
    )


def _context(node: Node, where: Where, start: int, end: int) -> str:
    """The words around a stretch and the provision that they stand in, for a message."""
    words = _words(node, where)
    first = words.rfind(" ", 0, max(0, start - _AROUND)) + 1 if start > _AROUND else 0
    last = words.find(" ", end + _AROUND)
    shown = " ".join(words[first : last if last >= 0 else len(words)].split())
    return f"“{'… ' * (first > 0)}{shown}{' …' * (last >= 0)}” in {node.path}"


def _words(node: Node, where: Where) -> str:
    return node.text if where == "text" else node.heading or ""


def _line(node: Node, where: Where, start: int) -> int:
    """The line of the source that words begin on; where they have no places, the line that the node begins on."""
    words = _words(node, where)
    if isinstance(words, Text) and words.places:
        return words.at(start)[0]
    return node.source_spans[0][0] if node.source_spans else 1


def _roman_laws(nodes: list[Node], edition: Edition) -> int:
    """The highest law of an edition that numbers its laws I, II, III; else 0."""
    if not edition.levels or edition.levels[0].kind != "law" or sign_of(edition.levels[0].labels[0]) != "I":
        return 0
    return max((int(n.path) for n in nodes if n.kind == "law" and n.path.isdigit()), default=0)
