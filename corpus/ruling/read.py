"""``rulings/<body>/`` → bodies and their rulings, or every fault with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corpus import address
from corpus.checked import Refused, table, toml
from corpus.checked.rule import Fault, addressed
from corpus.checked.toml import Written
from corpus.condition import Conditions
from corpus.edition.identity import Identity
from corpus.model import Node, Problem
from corpus.ruling.model import File, Ruling, RulingBody, Rulings
from corpus.ruling.points import of_edition

FOLDER = "rulings"
MANIFEST = "body.toml"
DOCS = "docs/add-a-ruling.md"


@dataclass(frozen=True)
class Texts:
    """What rulings are about: editions that were read, their nodes in order, ids of all that there is a folder for;
    ``unread``: whether one of these could not be read.
    """

    editions: Mapping[str, Identity]
    nodes: Mapping[str, Sequence[Node]]
    known: Sequence[str]
    unread: bool = False

    def codes(self) -> dict[str, set[str]]:
        """Code → the paths that a text of it has; a definition also by the foreign name beside its own."""
        out: dict[str, set[str]] = {}
        for edition in self.editions.values():
            if not edition.is_decisions:
                paths = out.setdefault(edition.code, set())
                paths.update(n.path for n in self.nodes[edition.id])
                paths.update(address.under("def", address.slug(n.aside)) for n in self.nodes[edition.id] if n.aside)
        return out


def read(corpus_dir: Path, texts: Texts, conditions: Conditions) -> tuple[Rulings, list[Problem]]:
    """Every folder of ``rulings/``, checked against the texts and against each other; no folder is no ruling."""
    root = corpus_dir / FOLDER
    folders = sorted(p for p in root.iterdir() if p.is_dir() and p.name[0] not in "._") if root.is_dir() else []
    codes = texts.codes()
    bodies: list[RulingBody] = []
    rulings: list[Ruling] = []
    problems: list[Problem] = []
    for folder in folders:
        try:
            written, body = _body(folder)
        except Refused as refused:
            problems += refused.problems
            continue
        edition = texts.editions.get(body.edition)
        faults = [*_of_edition(body, edition, texts), *_unsaid(body)]
        problems += [written.problem(f.at, f.finding, f.move, f.words) for f in faults]
        if faults:
            continue
        points: list[Ruling] = []
        if edition is not None:
            body = replace(body, precedence=edition.precedence or body.precedence)
            points = list(of_edition(body, edition, texts.nodes[edition.id], conditions))
        own, wrong = _files(folder, body, None if texts.unread else codes, conditions, {p.number for p in points})
        bodies.append(body)
        rulings += points + own
        problems += wrong
    problems += _unclaimed(texts, {folder.name for folder in folders}, bodies)
    return Rulings(tuple(bodies), tuple(rulings)), problems


def _body(folder: Path) -> tuple[Written, RulingBody]:
    name = f"{FOLDER}/{folder.name}/{MANIFEST}"
    missing = ("There is no manifest.", f"Write {MANIFEST}; {DOCS} shows how.")
    written = toml.read_toml(folder / MANIFEST, name, missing)
    for fault in addressed("name of the folder", folder.name):
        raise Refused([written.problem((), fault.finding, fault.move)])
    return written, table.build(RulingBody, written, DOCS, id=folder.name)


def _of_edition(body: RulingBody, edition: Identity | None, texts: Texts) -> Iterator[Fault]:
    """The edition that a body names is there, holds decisions, and says of the body what its own folder says."""
    if edition is None:
        if body.edition and body.edition not in texts.known:
            yield Fault(f"There is no edition “{body.edition}”.", "Name a folder of editions/.", ("edition",))
        return
    if not edition.is_decisions:
        yield Fault(f"“{edition.id}” holds no decisions.", "Name an edition that modifies a code.", ("edition",))
    elif (edition.body, edition.country) != (body.name, body.country):
        finding = f"“{edition.id}” is of {edition.body} ({edition.country}), this is {body.name} ({body.country})."
        yield Fault(finding, "Correct one of the two.", ("name",))
    if edition.precedence and body.precedence:
        move = f"Leave it to editions/{edition.id}/edition.toml."
        yield Fault("The order of precedence is stated twice.", move, ("precedence",))


def _unsaid(body: RulingBody) -> Iterator[Fault]:
    """What is said of a body in a language must say which."""
    if "" in body.of or "" in body.place:
        yield Fault("“of” and “in” are said by language.", 'Write {pl = "…", en = "…"}.', ("of",))


def _files(
    folder: Path, body: RulingBody, codes: Mapping[str, set[str]] | None, conditions: Conditions, taken: set[str]
) -> tuple[list[Ruling], list[Problem]]:
    """The rulings of a folder's files, in order; ``codes``: None where a text could not be read, ``taken``: numbers
    that points of its edition have.
    """
    found: list[Ruling] = []
    problems: list[Problem] = []
    for path in sorted(p for p in folder.glob("*.toml") if p.name != MANIFEST):
        try:
            written = toml.read_toml(path, f"{FOLDER}/{folder.name}/{path.name}", ("There is no file.", "Write it."))
            rows = table.build(File, written, DOCS).ruling
        except Refused as refused:
            problems += refused.problems
            continue
        for n, row in enumerate(rows):
            faults = list(_faults(row, body, codes, conditions, taken))
            problems += [written.problem(("ruling", n, *f.at), f.finding, f.move, f.words) for f in faults]
            taken.add(row.number)
            found.append(replace(row, id=body.ruling(row.number), body=body.id))
    return found, problems


def _faults(
    row: Ruling, body: RulingBody, codes: Mapping[str, set[str]] | None, conditions: Conditions, taken: set[str]
) -> Iterator[Fault]:
    """What is wrong with a ruling, now that the texts and the other rulings are at hand."""
    if row.number in taken:
        yield Fault(f"{body.name} has two rulings {row.number}.", "Give each its own number.", ("number",))
    if codes is not None and row.code not in codes:
        yield Fault(f"There is no text of the code “{row.code}”.", f"Choose: {', '.join(codes)}.", ("code",))
    known = (codes or {}).get(row.code)
    for n, path in enumerate(row.provisions):
        if known is not None and path not in known:
            yield Fault(f"No text of {row.code} has {path}.", "Correct the path.", ("provisions", n), path)
    for condition in row.under:
        if condition not in conditions.names:
            move = f"Choose: {', '.join(conditions.names)}."
            yield Fault(f"“{condition}” is no condition.", move, ("only", condition))
    if row.rank and row.rank not in {r.rank for r in body.precedence}:
        yield Fault(f"No text of {body.name} has the rank {row.rank}.", "Name one of its precedence.", ("rank",))


def _unclaimed(texts: Texts, folders: set[str], bodies: Sequence[RulingBody]) -> Iterator[Problem]:
    """Editions of decisions that no body names, where every folder of a body could be read. Where there is no folder of
    the body that issued them, they are an edition as any other, and nothing is wrong with it.
    """
    claimed = [body.edition for body in bodies if body.edition]
    names = {body.name for body in bodies}
    for edition in texts.editions.values():
        if edition.is_decisions and claimed.count(edition.id) != 1 and len(folders) == len(bodies):
            move = f'Write edition = "{edition.id}" in one {FOLDER}/<body>/{MANIFEST}; {DOCS} shows how.'
            finding = f"{claimed.count(edition.id) or 'No'} body names these decisions."
            fatal = edition.id in claimed or edition.body in names
            yield Problem(f"editions/{edition.id}/edition.toml", 1, finding, move, fatal)
