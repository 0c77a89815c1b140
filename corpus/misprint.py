"""Misprints of the books that change the law: reviewed, each with its evidence.

``editions/<id>/slips.toml`` names each place by the printed words. It quotes what contradicts them: another text of the
corpus, or another provision of the same edition. Nothing here decides what the law is. The sentence on the page comes
from ``misprints/sentences.toml`` and names the evidence. Errors that do not change the meaning are in ``spelling.tsv``
(:mod:`corpus.remarks`).

:func:`read_misprints` reads the rows of an edition, :func:`read_sentences` the sentences, and :func:`attach_misprints`
puts the misprints on the nodes. A row::

    [[slip]]
    kind = "misprint"          # or "lost" (words are missing), "missing" (a whole provision is)
    node = "46/B/2"            # where it is printed; of what is missing: what it would be part of
    words = "vo farbe výnosu"  # the printed words; lost: those after which words are missing; missing: no words
    see = [{node = "pl-2007/46/B/2", words = "najmłodszą kartę w tym kolorze"}]
    why = "…"                  # for those who review the row

Where a table of situations quotes the words (:mod:`corpus.situation.placement`), the row has more::

    id = "26B-defenders"       # how the table names it
    print = {pl = "…", …}      # what is printed, and
    law = {pl = "…", …}        # what the law says there, in our words, in every language
    sources = [{url = "https://…", read = "2026-11-23", readers = 2}]  # pages that were looked up, not quoted;
                               # they may be the only evidence

A row and its evidence may also have ``in = "heading"`` and ``occurrence = 2``. What is missing has a ``cause``. It is
``print`` where another text of the same laws has it, where the laws before and after have it, or (words only) where the
text itself has it elsewhere. It is ``unknown`` where nothing shows whether the laws or this print left it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from corpus import files, model, schema
from corpus.files import InvalidFile, LocalizedText, TomlFile
from corpus.model import LocalizedSentences, Misprint, Node, NodeId, Problem, Quote
from corpus.schema import (
    NOT_IN_FILE,
    Fault,
    KeyName,
    LookedUpPage,
    ValueHint,
    check_at_least_one,
    check_not_empty,
    text_rule,
)

MISPRINT_FILE = "slips.toml"
FOLDER = "misprints"
SENTENCES_FILE = f"{FOLDER}/sentences.toml"
DOCS = "docs/add-an-edition.md"
ID_PATTERN = "[A-Za-z0-9]+(-[A-Za-z0-9]+)*"  # the id of a misprint; it begins with the number of its provision


@dataclass(frozen=True, kw_only=True)
class PrintedPlace:
    """Printed words and where they stand: node, text or heading, and which occurrence.

    ``occurrence`` 0 says that the words stand there only once.
    """

    node: Annotated[NodeId, ValueHint('node = "46/B/2", in “see” with its edition')]
    where: Annotated[Literal["text", "heading"], KeyName("in")] = "text"
    words: str = ""
    occurrence: Annotated[int, check_at_least_one] = 0

    def check(self) -> Iterator[Fault]:
        """Check that the place has words."""
        if not self.words:
            yield Fault("A place without words.", "Write the printed words.", ("words",))


_NO_FILE = TomlFile("", "", {})


@dataclass(frozen=True, kw_only=True)
class MisprintRow(PrintedPlace):
    """A row of ``slips.toml``, not placed yet. It is the ``number``-th of the file ``written``, from 0."""

    kind: Literal["misprint", "lost", "missing"]
    see: tuple[PrintedPlace, ...] = ()
    cause: Literal["", "print", "unknown"] = ""
    why: str = ""
    id: Annotated[str, text_rule(ID_PATTERN, "letters, digits and hyphens, like 26B-defenders", optional=True)] = ""
    printed: Annotated[LocalizedText, KeyName("print")] = field(default_factory=LocalizedText)
    law: LocalizedText = field(default_factory=LocalizedText)
    sources: tuple[LookedUpPage, ...] = ()
    written: Annotated[TomlFile, NOT_IN_FILE] = _NO_FILE
    number: Annotated[int, NOT_IN_FILE] = 0

    def check(self) -> Iterator[Fault]:
        """Check that there is evidence, and that the other keys suit the kind and each other."""
        if not self.see and not self.sources:
            move = 'Write see = [{node = "…", words = "…"}], the words that the slip stands against, or “sources”.'
            yield Fault("There is no evidence.", move, ("see",))
        if self.kind != "missing":
            yield from super().check()
        elif self.words:
            move = 'Remove “words”; for words that are missing inside a text write kind = "lost".'
            yield Fault("A missing provision has no words.", move, ("words",))
        if bool(self.cause) != (self.kind != "misprint"):
            move = "Write print or unknown where something is missing, else nothing."
            yield Fault(f"The cause is “{self.cause}”.", move, ("cause",))
        if bool(self.printed) != bool(self.law) or (self.law and not self.id):
            move = "Write “id”, “print” and “law” together, or none of them."
            yield Fault("What the print says and what the law says belong together.", move, ("law",))

    @property
    def sentence_key(self) -> str:
        """The key of the sentence that pages show for the misprint."""
        return f"missing-{self.cause}" if self.kind == "missing" else self.kind

    def problem(self, finding: str, move: str, key: str = "", words: str = "") -> Problem:
        """Return a problem at the row, or at one of its keys. ``words`` of the value help to find the line."""
        return self.written.problem(("slip", self.number, *([key] if key else [])), finding, move, words)


@dataclass(frozen=True)
class MisprintFile:
    """The content of ``slips.toml``: a table for each misprint."""

    slip: tuple[MisprintRow, ...] = ()


@dataclass(frozen=True)
class MisprintSentences:
    """The sentences that pages show for each kind (and cause) of misprint, with ``{see}``.

    ``footnote`` is how they name a footnote, with ``{number}``.
    """

    languages: Annotated[
        tuple[str, ...], ValueHint("the codes of the languages of the site, in a list"), check_not_empty
    ]
    misprint: LocalizedText = field(default_factory=LocalizedText)
    lost: LocalizedText = field(default_factory=LocalizedText)
    missing_print: Annotated[LocalizedText, KeyName("missing-print")] = field(default_factory=LocalizedText)
    missing_unknown: Annotated[LocalizedText, KeyName("missing-unknown")] = field(default_factory=LocalizedText)
    footnote: LocalizedText = field(default_factory=LocalizedText)

    def check(self) -> Iterator[Fault]:
        """Check that each sentence exists in all the languages and has its placeholder."""
        for key, said in self.by_key().items():
            sign = "{number}" if key == "footnote" else "{see}"
            for code, text in said.items():
                if sign not in text:
                    yield Fault(f"There is no “{key}” with {sign} in the language “{code}”.", "Write it.", (key, code))

    def by_key(self) -> dict[str, dict[str, str]]:
        """Return key → language → sentence, for the languages of the site."""
        said = {key: getattr(self, f.name) for key, f in schema.file_keys(MisprintSentences).items()}
        return {
            k: {code: v.get(code, "") for code in self.languages}
            for k, v in said.items()
            if isinstance(v, LocalizedText)
        }


def read_misprints(folder: Path) -> tuple[list[MisprintRow], list[Problem]]:
    """Return the rows of ``folder/slips.toml``, and the problems.

    A missing file means no rows. A file that cannot be read gives no rows, only its problems.
    """
    name, path = f"editions/{folder.name}/{MISPRINT_FILE}", folder / MISPRINT_FILE
    if not files.exists_or_is_link(path):
        return [], []
    try:
        written = files.read_toml(path, name, ("There is no file.", "Write it."))
        rows = schema.build_from_file(MisprintFile, written, DOCS).slip
    except InvalidFile as refused:
        return [], refused.problems
    ids = [NodeId.of(folder.name, row.node) for row in rows]
    done = [replace(row, node=ids[n], written=written, number=n) for n, row in enumerate(rows)]
    first: dict[str, int] = {}
    twice = [row for n, row in enumerate(done) if row.id and first.setdefault(row.id, n) != n]
    return done, [row.problem(f"The id “{row.id}” stands there twice.", "Give each its own.") for row in twice]


def has_sentences(corpus_dir: Path) -> bool:
    """Whether the corpus has the sentences for misprints; without them no misprint is shown."""
    return files.exists_or_is_link(_sentences_path(corpus_dir))


def _sentences_path(corpus_dir: Path) -> Path:
    return files.find_renamed_folder(corpus_dir, FOLDER)[0] / Path(SENTENCES_FILE).name


def missing_sentences_problem(rows: Sequence[MisprintRow]) -> Problem:
    """Return a problem at the first of the rows: there are misprints, but no sentences to show them. Not fatal."""
    finding = f"There is no {SENTENCES_FILE}, so no misprint is shown."
    return replace(rows[0].problem(finding, "Write it: it says what pages say of a misprint."), fatal=False)


def read_sentences(corpus_dir: Path) -> tuple[dict[str, dict[str, str]], list[Problem]]:
    """Return key → language → sentence from ``misprints/sentences.toml``, and the problems of the file.

    With problems the mapping is empty.
    """
    missing = ("There is no file.", "Write it: it says what pages say of a misprint.")
    path = _sentences_path(corpus_dir)
    try:
        written = files.read_toml(path, path.relative_to(corpus_dir).as_posix(), missing)
        return schema.build_from_file(MisprintSentences, written, DOCS).by_key(), []
    except InvalidFile as refused:
        return {}, refused.problems


def attach_misprints(
    rows: Iterable[MisprintRow],
    nodes: Mapping[NodeId, Node],
    said: Mapping[str, Mapping[str, str]],
    names: Mapping[str, str],
) -> tuple[dict[NodeId, Node], list[Problem]]:
    """Return id → node, for the nodes that have misprints, and a problem for each row that cannot be placed.

    ``rows`` are those of ``slips.toml``. ``nodes`` are those of the editions that were read; a row with evidence from
    other editions is skipped. ``said`` holds the sentences (:func:`read_sentences`). ``names`` maps the id of every
    edition to its short name.
    """
    here = {id_.edition for id_ in nodes}
    changed: dict[NodeId, Node] = {}
    problems = []
    for row in rows:
        editions = [place.node.edition for place in row.see]
        if unknown := [e for e in editions if e not in names]:
            finding = f"The evidence is from “{unknown[0]}”, which is no edition."
            problems.append(row.problem(finding, "Name a node with its edition before its path."))
        elif unsaid := [c for c in said["misprint"] if row.law and not (row.law.get(c) and row.printed.get(c))]:
            finding = f"What the print and the law say is not said in “{unsaid[0]}”."
            problems.append(row.problem(finding, "Write “print” and “law” in every language of the site."))
        elif here.issuperset(editions):
            places = (row, *row.see)
            found = [_find_words(place, nodes) for place in places]
            problems += [
                row.problem(*fault, _key_of_fault(row, place, nodes), place.words)
                for place, fault in zip(places, found, strict=True)
                if not isinstance(fault, Quote)
            ]
            quotes = [quote for quote in found if isinstance(quote, Quote)]
            if len(quotes) == len(found):
                node = changed.get(quotes[0].node, nodes[quotes[0].node])
                misprints = (*node.misprints, _build_misprint(row, quotes, nodes, said, names))
                misprints = tuple(sorted(misprints, key=lambda s: (s.where, s.start, s.end)))
                changed[node.id] = replace(node, misprints=misprints)
    return changed, problems


def _build_misprint(
    row: MisprintRow,
    quotes: list[Quote],
    nodes: Mapping[NodeId, Node],
    said: Mapping[str, Mapping[str, str]],
    names: Mapping[str, str],
) -> Misprint:
    """Return the misprint of a row. The first of ``quotes`` is the printed words, the others are the evidence.

    ``said`` and ``names`` are as in :func:`attach_misprints`.
    """
    here, *proof = quotes
    evidence = [nodes[quote.node] for quote in proof]
    sites = ", ".join(urlsplit(s.url).netloc.removeprefix("www.") for s in row.sources)
    named = {
        code: _cite_evidence(here.node.edition, evidence, names, footnote) or sites
        for code, footnote in said["footnote"].items()
    }
    note = {code: words.replace("{see}", named[code]) for code, words in said[row.sentence_key].items()}
    see = tuple(dict.fromkeys(quote.node for quote in proof))
    start = here.start if row.kind == "misprint" else here.end
    return Misprint(
        start=start,
        end=here.end,
        where=here.where,
        kind=row.kind,
        sentences=LocalizedSentences(note),
        see=see,
        quotes=tuple(proof),
        cause=row.cause,
        id=row.id,
        printed=LocalizedSentences(row.printed),
        law=LocalizedSentences(row.law),
        sources=tuple(s.as_source for s in row.sources),
    )


def _key_of_fault(row: MisprintRow, place: PrintedPlace, nodes: Mapping[NodeId, Node]) -> str:
    """Return the key of a row that names a place whose words were not found."""
    return "see" if place is not row else "words" if row.node in nodes else "node"


def _find_words(place: PrintedPlace, nodes: Mapping[NodeId, Node]) -> Quote | tuple[str, str]:
    """Return where the words stand; or (finding, move) when they do not stand there, or more than once."""
    node = nodes.get(NodeId(place.node))
    if node is None:
        return f"There is no {place.node}.", "Correct the path."
    return model.find_quote(node, place.where, place.words, place.occurrence)


def _cite_evidence(edition: str, evidence: Iterable[Node], names: Mapping[str, str], footnote: str) -> str:
    """Return the evidence as a sentence cites it, each provision once: “53B”, “46B2 (MPB 2007)”.

    ``edition`` is that of the misprint; it is not named. ``names`` maps an edition to its short name. ``footnote`` says
    how to name a footnote, with ``{number}``.
    """
    out = []
    for node in evidence:
        cited = footnote.replace("{number}", node.label or node.path) if node.kind == "footnote" else node.citation
        out.append(f"{cited} ({names[node.edition]})" if node.edition != edition else cited)
    return ", ".join(dict.fromkeys(out))
