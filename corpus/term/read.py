"""``terms/*.toml`` → the terms, proved against the texts, or every fault with file and line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus.checked import Refused, file, table, toml
from corpus.checked.rule import Fault, addressed
from corpus.checked.toml import At, Written
from corpus.language import Words
from corpus.model import NodeId, Problem
from corpus.term import everyday, proof
from corpus.term.model import Slug, Term, Terms
from corpus.term.proof import TermTexts

FOLDER = "terms"
REVIEWED = "vocabulary/reviewed.toml"
DOCS = "docs/add-a-term.md"


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """The file of the editions that were gone through for every concept."""

    concepts: Words = ()


Files = Mapping[Slug, tuple[Written, Term]]


def read_terms(corpus_dir: Path, texts: TermTexts) -> tuple[Terms, list[Problem]]:
    """Every term of the folder in the order of the slugs, checked against the texts and against each other; no folder
    is no term.
    """
    files: dict[Slug, tuple[Written, Term]] = {}
    problems: list[Problem] = []
    for path in sorted((corpus_dir / FOLDER).glob("*.toml")):
        try:
            files[path.stem] = _read(path)
        except Refused as refused:
            problems += refused.problems
    terms = {slug: term for slug, (_, term) in files.items()}
    stands = proof.names_in_texts(terms.values(), texts)
    for written, term in files.values():
        faults = list(_others(term, terms))
        faults += () if texts.unread else (*proof.term_problems(term, texts, stands), *_unplaced(term, texts))
        problems += [written.problem(f.at, f.finding, f.move, f.words) for f in faults]
    problems += [*_shared(files, texts), *_unowned(files, texts)] if files else []
    return terms, problems


def read_reviewed(corpus_dir: Path, editions: Container[str]) -> tuple[frozenset[str], list[Problem]]:
    """The editions of ``vocabulary/reviewed.toml``, in which a reviewer has looked for every concept, and what is wrong
    with the list; no file is no edition. Of any other edition a term may say nothing: it is open work, and no fault.
    """
    if not file.is_there(corpus_dir / REVIEWED):
        return frozenset(), []
    try:
        written = toml.read_toml(corpus_dir / REVIEWED, REVIEWED, ("There is no file.", "Write it."))
        listed = table.build(Reviewed, written, DOCS).concepts
    except Refused as refused:
        return frozenset(), refused.problems
    return frozenset(id_ for id_ in listed if id_ in editions), [
        written.problem(("concepts",), f"There is no edition “{id_}”.", "Correct its id, or take it out.", id_)
        for id_ in listed
        if id_ not in editions
    ]


def _read(path: Path) -> tuple[Written, Term]:
    written = toml.read_toml(path, path.relative_to(path.parents[1]).as_posix(), ("There is no file.", "Write it."))
    for fault in addressed("name of the file", path.stem):
        raise Refused([written.problem((), fault.finding, fault.move)])
    return written, table.build(Term, written, DOCS, slug=path.stem)


def _others(term: Term, terms: Terms) -> Iterator[Fault]:
    """Other concepts that a record names are there, and are others."""
    named: list[tuple[At, Slug]] = [(("broader",), s) for s in term.broader]
    named += [(("related",), s) for s in term.related]
    named += [(("apart", n, "term"), a.term) for n, a in enumerate(term.apart)]
    for at, slug in named:
        if slug not in terms or slug == term.slug:
            yield Fault(f"There is no other concept “{slug}”.", "Name a file of terms/.", at, slug)
    if term.slug in _above(term, terms):
        yield Fault(f"“{term.slug}” is broader than itself.", "Break the circle.", ("broader",))


def _above(term: Term, terms: Terms) -> set[Slug]:
    """All concepts that are broader, however far."""
    seen: set[Slug] = set()
    left = list(term.broader)
    while left:
        slug = left.pop()
        if slug not in seen and slug in terms:
            seen.add(slug)
            left += terms[slug].broader
    return seen


def _shared(files: Files, texts: TermTexts) -> Iterator[Problem]:
    """Names that two concepts have, of which neither says how they are told apart."""
    first: dict[tuple[str, object], Slug] = {}
    for slug, (written, term) in files.items():
        for lang, names in term.names.items():
            for name in names:
                other = first.setdefault((lang, texts.spoken(lang).key(name)), slug)
                told = {a.term for a in term.apart} | {a.term for a in files[other][1].apart}
                if other != slug and not told & {slug, other}:
                    move = "Keep it with one of them, or write [[apart]] with “term” and “why”."
                    yield written.problem(("names", lang), f"“{name}” names “{other}”, too.", move, name)


def _unowned(files: Files, texts: TermTexts) -> Iterator[Problem]:
    """Definitions that two concepts have, and those of a reviewed edition that none has."""
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


def _unplaced(term: Term, texts: TermTexts) -> Iterator[Fault]:
    """Places of everyday words, and of names, that are not there."""
    for key in ("everyday", "split"):
        for n, place in enumerate(getattr(term, key)):
            found = everyday.find(place, texts.nodes)
            if isinstance(found, tuple):
                yield Fault(*found, (key, n, "words" if place.at in texts.nodes else "at"))
