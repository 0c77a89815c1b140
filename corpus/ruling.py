"""What bodies ruled: decisions, commentaries, clarifications and cases, ``rulings/<body>/`` (docs/add-a-ruling.md).

A folder has ``body.toml``, the manifest of the body, and files with its rulings. A body may also name an edition of
decisions; each point of that edition is a ruling, too, with what the edition states of it and nothing besides
(:func:`rulings_of_edition`). :func:`read_rulings` returns bodies and rulings, or every fault with file and line.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal, get_args

from corpus import address, files, schema
from corpus.edition import Identity, LanguageCode, Link, RankedText, Url, check_country
from corpus.files import InvalidFile, LocalizedText, TomlFile
from corpus.model import Node, NodeId, Problem
from corpus.remarks import Conditions, StatedCondition
from corpus.schema import (
    DAY_PATTERN,
    NOT_IN_FILE,
    Fault,
    KeyName,
    LookedUpPage,
    ValueHint,
    check_at_least_one,
    check_date,
    check_not_empty,
    slug_rule,
    text_rule,
)
from corpus.situation.model import AnswerPath, Slug

# -- The values ---

RulingKind = Literal["decision", "commentary", "clarification", "case"]
RulingEffect = Literal["modifies", "explains"]
LegalStatus = Literal["in force", "coming", "expired", "not stated"]
RULING_KINDS: tuple[RulingKind, ...] = get_args(RulingKind)
Day = Annotated[str, text_rule(DAY_PATTERN, 'a day, like "2018-01-01"', optional=True), check_date]
Days = Mapping[str, Day]


@dataclass(frozen=True, kw_only=True)
class RulingBody:
    """Who rules: a federation, a zone, a committee.

    - ``name``: its own short name; ``title``: its name in full; ``lang``: its language.
    - ``of``: its name after “decision of”; ``place``: the country after “in force”; both by language of the site.
    - ``country_name``: the name of a country whose code is left to users.
    - ``edition``: the edition that holds its decisions; ``kind``: what the points of that edition are.
    - ``precedence``: the order of its texts; that of the edition where there is one.
    - ``laws``: code → the day from which it is played there; ``laws_source``: the page that says so, or None.
    """

    id: Annotated[str, NOT_IN_FILE]
    name: Annotated[str, check_not_empty]
    title: Annotated[str, check_not_empty]
    lang: LanguageCode
    country: Annotated[str, text_rule("[A-Z]{2}", "the two letters of ISO 3166-1, like PL"), check_country]
    country_name: LocalizedText = field(default_factory=LocalizedText)
    of: LocalizedText = field(default_factory=LocalizedText)
    place: Annotated[LocalizedText, KeyName("in")] = field(default_factory=LocalizedText)
    edition: str = ""
    kind: RulingKind = "decision"
    precedence: tuple[RankedText, ...] = ()
    laws: Days = field(default_factory=dict)
    laws_source: LookedUpPage | None = None
    links: tuple[Link, ...] = ()

    def ruling_id(self, number: str) -> str:
        """Return the id of its ruling with this number."""
        return f"{self.id}/{number}"

    def text_ranked_before(self, rank: int) -> str:
        """Return the title of the text that comes right before ``rank`` in the order of precedence; empty for the first
        one.
        """
        above = [r for r in sorted(self.precedence, key=lambda r: r.rank) if r.rank < rank]
        return above[-1].text if above else ""

    def check(self) -> Iterator[Fault]:
        """Check that no two texts have the same rank."""
        for n, rank in enumerate(self.precedence):
            if any(rank.rank == other.rank for other in self.precedence[:n]):
                yield Fault(f"Two texts have the rank {rank.rank}.", "Give each its own.", ("precedence", n, "rank"))


@dataclass(frozen=True)
class Force:
    """From which day and to which day a ruling is in force; empty means not stated."""

    since: Annotated[Day, KeyName("from")] = ""
    until: Annotated[Day, KeyName("to")] = ""

    def check(self) -> Iterator[Fault]:
        """Check that it does not end before it begins."""
        if self.since and self.until and self.until < self.since:
            finding = f"It is in force from {self.since} to {self.until}: the dates are not in order."
            yield Fault(finding, "Correct one of the two.", ("to",))


@dataclass(frozen=True)
class RulingSource:
    """Where a ruling is published: the name of the place, and its address if it has one."""

    name: Annotated[str, check_not_empty]
    url: Url = ""


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """What a body ruled on ``provisions`` of a ``code``.

    - ``id``: ``<body>/<number>``; ``number``: as it is cited.
    - ``effect``: whether it modifies the provisions or explains them.
    - ``date``: its day, empty where the ``source`` does not state it.
    - ``text``, ``title``: by language; for a point of an ``edition`` the text is that of ``node``.
    - ``force``: when it is in force; ``stands``: whether the edition states that it is, where no day does.
    - ``rank``: its place in the order of precedence of its ``body``; 0 where that is not stated.
    - ``under``: condition → words of its text that say that it holds only there.
    - ``only``: the conditions that parts of a point state.
    """

    id: Annotated[str, NOT_IN_FILE] = ""
    body: Annotated[str, NOT_IN_FILE] = ""
    number: Slug
    code: Annotated[str, check_not_empty]
    provisions: Annotated[tuple[AnswerPath, ...], check_not_empty]
    kind: RulingKind
    effect: RulingEffect
    date: Day = ""
    title: LocalizedText = field(default_factory=LocalizedText)
    text: Annotated[LocalizedText, ValueHint('the text by language, like {pl = "…", en = "…"}'), check_not_empty]
    source: RulingSource
    force: Annotated[Force, KeyName("in_force")] = Force()
    rank: Annotated[int, check_at_least_one] = 0
    under: Annotated[Mapping[str, str], KeyName("only")] = field(default_factory=dict)
    edition: Annotated[str, NOT_IN_FILE] = ""
    node: Annotated[NodeId | None, NOT_IN_FILE] = None
    stands: Annotated[bool | None, NOT_IN_FILE] = None
    only: Annotated[tuple[StatedCondition, ...], NOT_IN_FILE] = ()

    def check(self) -> Iterator[Fault]:
        """Check languages and dates, and that the words of a condition stand in the text."""
        for key, said in (("text", self.text), ("title", self.title)):
            if "" in said:
                yield Fault(f"“{key}” does not say its language.", f'Write {key} = {{pl = "…"}}.', (key,))
        if self.date and self.force.until and self.force.until < self.date:
            finding = f"It is of {self.date} and in force to {self.force.until}: the dates are not in order."
            yield Fault(finding, "Correct one of the two.", ("in_force",))
        for condition, words in self.under.items():
            if not words or not any(words in text for text in self.text.values()):
                finding = f"“{words}” does not stand in the text."
                yield Fault(finding, "Write the words that say where it holds.", ("only", condition))

    def legal_status(self, today: dt.date) -> LegalStatus:
        """Return the legal status of the ruling on a day."""
        day = today.isoformat()
        if (self.force.until and self.force.until < day) or self.stands is False:
            return "expired"
        if self.force.since > day:
            return "coming"
        return "in force" if self.force.since or self.stands else "not stated"

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions to which it, or a part of it, is restricted."""
        return tuple(dict.fromkeys([*self.under, *(c for only in self.only for c in only.any)]))


@dataclass(frozen=True)
class RulingFile:
    """A file of rulings, with a table for each."""

    ruling: tuple[Ruling, ...] = ()


@dataclass(frozen=True)
class Rulings:
    """All bodies, sorted by id, and their rulings, in the order of their files."""

    bodies: tuple[RulingBody, ...] = ()
    all: tuple[Ruling, ...] = ()


def rulings_of_edition(
    body: RulingBody, edition: Identity, nodes: Sequence[Node], conditions: Conditions
) -> Iterator[Ruling]:
    """Yield a ruling for each point of an edition of decisions, in order.

    The references in the title of a point say which provisions it is about. Those further on are only mentioned.
    """
    rank = next((r.rank for r in edition.precedence if r.text == edition.title), 0)
    source = RulingSource(edition.title)
    for point in (n for n in nodes if n.kind == "point"):
        named = (r for r in point.references if r.kind == "external" and r.where == "heading")
        inside = [n.id for n in nodes if point.id.contains(n.id)]
        yield Ruling(
            id=body.ruling_id(point.path),
            body=body.id,
            number=point.path,
            code=edition.code,
            provisions=tuple(dict.fromkeys(t.path for r in named for t in r.targets)),
            kind=body.kind,
            effect="modifies" if edition.decisions.kind_by_point.get(point.path) == "modifies" else "explains",
            date=edition.issued if len(edition.issued) == len("2018-01-01") else "",
            title=LocalizedText({edition.lang: str(point.heading)} if point.heading else {}),
            text=LocalizedText(),
            source=source,
            force=Force(edition.in_force_since),
            rank=rank,
            edition=edition.id,
            node=point.id,
            stands=edition.is_in_force,
            only=tuple(only for id_ in inside for only in conditions.only.get(id_, ())),
        )


# -- Reading the folders ---

FOLDER = "rulings"
MANIFEST = "body.toml"
DOCS = "docs/add-a-ruling.md"


@dataclass(frozen=True)
class RulingTexts:
    """What rulings are checked against.

    ``editions`` and ``nodes`` are those that were read, by edition id. ``known`` holds the ids of all editions that
    have a folder. ``unread`` says that one of them could not be read.
    """

    editions: Mapping[str, Identity]
    nodes: Mapping[str, Sequence[Node]]
    known: Sequence[str]
    unread: bool = False

    def paths_by_code(self) -> dict[str, set[str]]:
        """Return code → the paths that some text of it has. A definition also has a path by the foreign name beside its
        own.
        """
        out: dict[str, set[str]] = {}
        for edition in self.editions.values():
            if not edition.is_decisions:
                paths = out.setdefault(edition.code, set())
                paths.update(n.path for n in self.nodes[edition.id])
                paths.update(
                    address.join_path("def", address.slugify(n.aside)) for n in self.nodes[edition.id] if n.aside
                )
        return out


def read_rulings(corpus_dir: Path, texts: RulingTexts, conditions: Conditions) -> tuple[Rulings, list[Problem]]:
    """Return the bodies and rulings of every folder of ``rulings/``, and the problems. No folder means no rulings.

    They are checked against the texts and against each other.
    """
    root = corpus_dir / FOLDER
    folders = sorted(p for p in root.iterdir() if p.is_dir() and p.name[0] not in "._") if root.is_dir() else []
    codes = texts.paths_by_code()
    bodies: list[RulingBody] = []
    rulings: list[Ruling] = []
    problems: list[Problem] = []
    for folder in folders:
        try:
            written, body = _read_body(folder)
        except InvalidFile as refused:
            problems += refused.problems
            continue
        edition = texts.editions.get(body.edition)
        faults = [*_edition_faults(body, edition, texts), *_language_faults(body)]
        problems += [written.problem(f.at, f.finding, f.move, f.words) for f in faults]
        if faults:
            continue
        points: list[Ruling] = []
        if edition is not None:
            body = replace(body, precedence=edition.precedence or body.precedence)
            points = list(rulings_of_edition(body, edition, texts.nodes[edition.id], conditions))
        own, wrong = _read_files(folder, body, None if texts.unread else codes, conditions, {p.number for p in points})
        bodies.append(body)
        rulings += points + own
        problems += wrong
    problems += _edition_problems(texts, {folder.name for folder in folders}, bodies)
    return Rulings(tuple(bodies), tuple(rulings)), problems


def _read_body(folder: Path) -> tuple[TomlFile, RulingBody]:
    """Return a manifest as written and as a body.

    Raises:
        InvalidFile: the manifest or the name of the folder has a fault.
    """
    name = f"{FOLDER}/{folder.name}/{MANIFEST}"
    missing = ("There is no manifest.", f"Write {MANIFEST}; {DOCS} shows how.")
    written = files.read_toml(folder / MANIFEST, name, missing)
    for fault in slug_rule("name of the folder", folder.name):
        raise InvalidFile([written.problem((), fault.finding, fault.move)])
    return written, schema.build_from_file(RulingBody, written, DOCS, id=folder.name)


def _edition_faults(body: RulingBody, edition: Identity | None, texts: RulingTexts) -> Iterator[Fault]:
    """Yield what is wrong with the edition that a body names.

    It must exist, hold decisions, and state the same body as the folder.
    """
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


def _language_faults(body: RulingBody) -> Iterator[Fault]:
    """Yield a fault if ``of`` or ``place`` of a body is one text for all languages, and not a text for each."""
    if "" in body.of or "" in body.place:
        yield Fault("“of” and “in” are said by language.", 'Write {pl = "…", en = "…"}.', ("of",))


def _read_files(
    folder: Path, body: RulingBody, codes: Mapping[str, set[str]] | None, conditions: Conditions, taken: set[str]
) -> tuple[list[Ruling], list[Problem]]:
    """Return the rulings in the files of a folder, in order, and the problems.

    ``codes`` is None where a text could not be read. ``taken`` holds the numbers of the points of the body's edition;
    numbers that are read are added to it.
    """
    found: list[Ruling] = []
    problems: list[Problem] = []
    for path in sorted(p for p in folder.glob("*.toml") if p.name != MANIFEST):
        try:
            written = files.read_toml(path, f"{FOLDER}/{folder.name}/{path.name}", ("There is no file.", "Write it."))
            rows = schema.build_from_file(RulingFile, written, DOCS).ruling
        except InvalidFile as refused:
            problems += refused.problems
            continue
        for n, row in enumerate(rows):
            faults = list(_ruling_faults(row, body, codes, conditions, taken))
            problems += [written.problem(("ruling", n, *f.at), f.finding, f.move, f.words) for f in faults]
            taken.add(row.number)
            found.append(replace(row, id=body.ruling_id(row.number), body=body.id))
    return found, problems


def _ruling_faults(
    row: Ruling, body: RulingBody, codes: Mapping[str, set[str]] | None, conditions: Conditions, taken: set[str]
) -> Iterator[Fault]:
    """Yield what is wrong with a ruling, compared with the texts and the other rulings.

    ``codes``: code → its paths, None if unknown. ``taken``: the numbers of the other rulings.
    """
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


def _edition_problems(texts: RulingTexts, folders: set[str], bodies: Sequence[RulingBody]) -> Iterator[Problem]:
    """Yield a problem for each edition of decisions that not exactly one body names.

    Nothing is reported if some folder of rulings could not be read. The problem is fatal only if the body that issued
    the decisions has a folder, or if several bodies name them.
    """
    claimed = [body.edition for body in bodies if body.edition]
    names = {body.name for body in bodies}
    for edition in texts.editions.values():
        if edition.is_decisions and claimed.count(edition.id) != 1 and len(folders) == len(bodies):
            move = f'Write edition = "{edition.id}" in one {FOLDER}/<body>/{MANIFEST}; {DOCS} shows how.'
            finding = f"{claimed.count(edition.id) or 'No'} body names these decisions."
            fatal = edition.id in claimed or edition.body in names
            yield Problem(f"editions/{edition.id}/edition.toml", 1, finding, move, fatal)
