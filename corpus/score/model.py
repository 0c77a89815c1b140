"""The values of scores, and reading them: ``scores/figures/<edition>.tsv``, ``codes/<code>.toml``, ``marks.toml``.

A code says which provisions and figures each score turns on. It holds no number: every number is a
:class:`~corpus.score.figures.Figure` with its place in a text. :func:`read_scores` reads and checks everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from corpus import files, schema
from corpus.files import InvalidFile, LocalizedText, TomlFile
from corpus.model import Node, NodeId, Problem
from corpus.schema import NOT_IN_FILE, SINGLE_VALUE_ALLOWED, Fault, KeyName, ValueHint, check_at_least_one, slug_rule
from corpus.score.figures import Figure, read_figures

FOLDER = "scores"
MARKS_FILE = "scores/marks.toml"
DOCS = "docs/scores.md"
GROUPS = ("contract", "imps", "matchpoints", "revoke", "artificial", "weighted")  # the kinds of score
FAULTS = ("none", "partly", "full")  # how far a side is at fault for a board that cannot be scored
# What the answer to a question about a revoke may be. docs/contract.md has the meaning of each.
WON_BY = ("offender", "partner", "opponents", "dummy")
ESTABLISHED = ("play", "named", "claim", "accepted", "dummy_asked", "partner_asked", "no")
DEFECTIVE = ("none", "holds", "void")
ALSO = (
    "repeat", "repeat_unestablished", "dummy_card", "penalty_card", "faced_card", "after_call", "after_round",
    "both", "both_unestablished", "both_same_trick", "damage",
)  # fmt: skip
REVOKE_FACTS: Mapping[str, tuple[str, ...]] = {
    "won_by": WON_BY,
    "won": ("none", "some"),  # tricks that the offending side won, from the revoke trick on
    "trick_twelve": ("0", "1"),
    "established": ESTABLISHED,
    "defective": DEFECTIVE,
    "also": ALSO,
}

NodeIds = Annotated[tuple[NodeId, ...], ValueHint('provisions: ["<edition>/64/A/1"]')]
OneOrMore = Annotated[tuple[str, ...], SINGLE_VALUE_ALLOWED, ValueHint('a value, or a list of values: ["…", "…"]')]
RevokeRuleKind = Literal["not-established", "no-transfer", "established", "exception", "transfer", "damage"]
Tricks = Literal["", "one", "one-and-one-by-card", "that-trick-and-one-later"]


@dataclass(frozen=True, kw_only=True)
class TableRule:
    """The provisions that a score from a table turns on. ``half``: those that allow half units."""

    says: NodeIds
    half: NodeIds = ()


@dataclass(frozen=True, kw_only=True)
class RevokeRule:
    """What a provision says of the tricks after a revoke, if the facts are these (:data:`REVOKE_FACTS`).

    ``kind``: ``not-established`` and ``no-transfer`` end the matter, ``established`` says by what the revoke stands,
    an ``exception`` excludes the transfer, ``transfer`` says how many ``tricks`` go over, ``damage`` has the score
    adjusted. Of exceptions all that are met decide, of the other kinds the first one. ``note``: what the text leaves
    open, by language.
    """

    kind: RevokeRuleKind
    if_: Annotated[Mapping[str, OneOrMore], KeyName("if")] = field(default_factory=dict)
    tricks: Tricks = ""
    says: NodeIds
    note: LocalizedText = field(default_factory=LocalizedText)

    def check(self) -> Iterator[Fault]:
        """Check the facts, and that a transfer says how many tricks."""
        for name, values in self.if_.items():
            for value in values:
                if value not in REVOKE_FACTS.get(name, ()):
                    known = ", ".join(REVOKE_FACTS.get(name, REVOKE_FACTS))
                    yield Fault(f"“{name} = {value}” is no fact.", f"Choose one of: {known}.", ("if", name), value)
        if bool(self.tricks) != (self.kind == "transfer"):
            yield Fault("“tricks” belongs to a transfer, and to nothing else.", "Write it there.", ("tricks",))


@dataclass(frozen=True, kw_only=True)
class SessionRule:
    """A side gets its percentage on its other boards where that is higher or lower than the figure ``than``."""

    takes: Literal["higher", "lower"]
    than: str
    says: NodeIds


@dataclass(frozen=True, kw_only=True)
class ArtificialRule:
    """The artificial adjusted score of a side with a ``fault``. ``percent`` and ``imps`` are names of figures.

    ``imps`` is "" where no number is printed. ``nth``: it is for the board of that number for which the side gets such
    a score, and for the later ones until another rule stands.
    """

    fault: Literal["none", "partly", "full"]
    says: NodeIds
    percent: str = ""
    session: SessionRule | None = None
    imps: str = ""
    imps_says: NodeIds = ()
    nth: Annotated[int, check_at_least_one] = 1


@dataclass(frozen=True, kw_only=True)
class Authority:
    """A body whose decisions in ``edition`` give artificial scores in IMPs. ``see``: what else they say of them."""

    id: Annotated[str, slug_rule]
    edition: str
    artificial: tuple[ArtificialRule, ...]
    see: NodeIds = ()


@dataclass(frozen=True, kw_only=True)
class Replacement:
    """A procedure that a regulating authority may use in place of weighted scores."""

    id: str
    says: NodeIds


@dataclass(frozen=True, kw_only=True)
class WeightedRule:
    """Whether a code knows weighted scores, and the provisions that say so; ``instead``: what may replace them."""

    allowed: bool
    says: NodeIds
    instead: tuple[Replacement, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ScoreRules:
    """What the scores of a code turn on, as ``codes/<code>.toml`` states it.

    ``editions``: its texts; a figure is that of the first one that has it. ``figures`` are those of its texts and of
    its authorities, by edition.
    """

    code: Annotated[str, NOT_IN_FILE]
    editions: tuple[str, ...]
    contract: TableRule
    imps: TableRule
    matchpoints: TableRule
    revoke: tuple[RevokeRule, ...]
    artificial: tuple[ArtificialRule, ...]
    weighted: WeightedRule
    authority: tuple[Authority, ...] = ()
    figures: Annotated[Mapping[str, tuple[Figure, ...]], NOT_IN_FILE] = field(default_factory=dict)

    @cached_property
    def _by_name(self) -> dict[str, Figure]:
        return {f.name: f for edition in reversed(self.editions) for f in self.figures.get(edition, ())}

    def figure(self, name: str) -> Figure:
        """Return the figure of a name. Raises :class:`KeyError` when no text of the code has it."""
        return self._by_name[name]

    def find_figure(self, name: str) -> Figure | None:
        """Return the figure of a name, or None when no text of the code has it."""
        return self._by_name.get(name)

    def figures_of(self, prefix: str) -> list[Figure]:
        """Return the figures whose names begin with ``prefix``, sorted by name."""
        return [self._by_name[name] for name in sorted(self._by_name) if name.startswith(prefix)]

    def figure_of_authority(self, authority: Authority, name: str) -> Figure:
        """Return a figure of an authority's decisions. Raises :class:`KeyError` when they do not have it."""
        return next((f for f in self.figures.get(authority.edition, ()) if f.name == name), None) or self.figure(name)

    @property
    def figure_names(self) -> Iterator[tuple[str, str]]:
        """(edition of an authority or "", name) of every figure that the rules name."""
        for rule in self.artificial:
            yield from (("", name) for name in (rule.percent, rule.imps, rule.session.than if rule.session else ""))
        for authority in self.authority:
            yield from ((authority.edition, rule.imps) for rule in authority.artificial)

    @property
    def provisions(self) -> Iterator[NodeId]:
        """Every provision that the rules name."""
        for table in (self.contract, self.imps, self.matchpoints):
            yield from (*table.says, *table.half)
        for rule in self.revoke:
            yield from rule.says
        for award in (*self.artificial, *(rule for a in self.authority for rule in a.artificial)):
            yield from (*award.says, *award.imps_says, *(award.session.says if award.session else ()))
        for authority in self.authority:
            yield from authority.see
        yield from self.weighted.says
        for replacement in self.weighted.instead:
            yield from replacement.says


@dataclass(frozen=True)
class Scores:
    """The rules of all codes, and what each mark of a figure says, by its id."""

    codes: tuple[ScoreRules, ...] = ()
    marks: Mapping[str, LocalizedText] = field(default_factory=dict)

    def of_code(self, code: str) -> ScoreRules | None:
        """Return the rules of a code; None where it has none."""
        return next((rules for rules in self.codes if rules.code == code), None)


# ── The figures that a code must have ───────────────────────────────────────────────────────────

SUITS = ("clubs", "diamonds", "hearts", "spades")
DOUBLED = ("undoubled", "doubled", "redoubled")  # by the number of the parameter “doubled”
VULNERABLE = ("not-vulnerable", "vulnerable")
VULNERABILITIES = ("nobody", "north-south", "east-west", "everybody")
NEEDED_FIGURES = (
    *(f"trick/{suit}/{doubled}" for suit in SUITS for doubled in DOUBLED),
    *(f"notrump/{which}/{doubled}" for which in ("first", "further") for doubled in DOUBLED),
    *(f"slam/{which}/{v}" for which in ("small", "grand") for v in VULNERABLE),
    *(f"overtrick/{doubled}/{v}" for doubled in DOUBLED for v in VULNERABLE),
    *(f"undertrick/first/{doubled}/{v}" for doubled in DOUBLED for v in VULNERABLE),
    *(f"game/{v}" for v in VULNERABLE),
    "game/least", "partscore", "made/doubled", "made/redoubled",
    "imp/01", "imp/01/from", "matchpoints/lower", "matchpoints/equal", "matchpoints/higher",
)  # fmt: skip
# The further undertricks are printed in one of two ways: (each further one, the premium from the fourth on), or
# (the second and third, the fourth and each further one).
WAYS_OF_UNDERTRICKS = (("further", "fourth-premium"), ("second-third", "fourth"))


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────


def read_scores(
    corpus_dir: Path, nodes: Mapping[NodeId, Node], sources: Mapping[str, tuple[str, ...]], codes: Mapping[str, str]
) -> tuple[Scores, list[Problem]]:
    """Return the scores of all codes, and what is wrong with their files. No folder means no scores.

    ``sources``: edition → the lines of its source; ``codes``: edition → its code, for every edition of the laws.
    """
    folder = corpus_dir / FOLDER
    paths = sorted((folder / "codes").glob("*.toml"))
    if not paths:
        return Scores(), []
    marks, problems = _read_marks(corpus_dir / MARKS_FILE)
    figures: dict[str, tuple[Figure, ...]] = {}
    for edition, lines in sources.items():
        figures[edition], faults = read_figures(corpus_dir, edition, nodes, lines, marks)
        problems += faults
    written_codes = list[ScoreRules]()
    for path in paths:
        name = f"{FOLDER}/codes/{path.name}"
        try:
            written = files.read_toml(path, name, ("There is no file.", f"Write it; see {DOCS}."))
            rules = schema.build_from_file(ScoreRules, written, DOCS, code=path.stem)
        except InvalidFile as refused:
            problems += refused.problems
            continue
        texts = (*rules.editions, *(authority.edition for authority in rules.authority))
        if not any(edition in sources for edition in rules.editions):
            continue  # no text of this code is here
        rules = replace(rules, figures={edition: figures.get(edition, ()) for edition in texts})
        problems += _rule_problems(written, rules, nodes, codes, sources.keys())
        if all(rules.find_figure(name) for name in NEEDED_FIGURES):  # else a text of the code is not here
            written_codes.append(rules)
    return Scores(tuple(written_codes), marks), problems


def _read_marks(path: Path) -> tuple[dict[str, LocalizedText], list[Problem]]:
    """Return what each mark says, by its id, and what is wrong with the file."""
    try:
        written = files.read_toml(path, MARKS_FILE, ("There is no file.", f"Write it; see {DOCS}."))
    except InvalidFile as refused:
        return {}, refused.problems
    texts = {id_: LocalizedText(text) for id_, text in written.data.items() if isinstance(text, dict)}
    languages = {lang for text in texts.values() for lang in text}
    problems = []
    for id_ in written.data:
        if id_ not in texts or set(texts[id_]) != languages:
            move = f"Write it in every language: {', '.join(sorted(languages))}."
            problems.append(written.problem((id_,), f"The mark “{id_}” lacks a language.", move))
    return texts, problems


def _rule_problems(
    written: TomlFile, rules: ScoreRules, nodes: Mapping[NodeId, Node], codes: Mapping[str, str], read: Set[str]
) -> Iterator[Problem]:
    """Yield what is wrong with the rules of a code: provisions, editions and figures that are not there.

    ``codes``: edition → its code; ``read``: the editions that were read.
    """
    for edition in rules.editions:
        if codes.get(edition, rules.code) != rules.code:
            finding = f"{edition} is of the laws of {codes[edition]}."
            yield written.problem(("editions",), finding, "Name texts of this code.", edition)
    for id_ in dict.fromkeys(rules.provisions):
        if id_.edition in read and id_ not in nodes:
            yield written.problem((), f"There is no {id_}.", "Correct the provision.", id_)
    if set(rules.editions) <= read:  # else nobody knows the figures of the text that is missing
        yield from _figure_problems(written, rules, read)


def _figure_problems(written: TomlFile, rules: ScoreRules, read: Set[str]) -> Iterator[Problem]:
    """Yield a problem for each figure that a code needs or names, and that its texts do not have."""
    for name in NEEDED_FIGURES:
        if rules.find_figure(name) is None:
            move = f"Add it to {FOLDER}/figures/{rules.editions[0]}.tsv, with its place."
            yield written.problem((), f"No text of {rules.code} has the figure “{name}”.", move)
    if not any(all(rules.figures_of(f"undertrick/{part}/") for part in way) for way in WAYS_OF_UNDERTRICKS):
        ways = " or ".join(" and ".join(way) for way in WAYS_OF_UNDERTRICKS)
        yield written.problem((), f"No text of {rules.code} has the further undertricks.", f"Add {ways}.")
    for edition, name in rules.figure_names:
        readable = not edition or edition in read
        known = rules.figures.get(edition, ())
        if name and readable and rules.find_figure(name) is None and all(f.name != name for f in known):
            yield written.problem((), f"There is no figure “{name}”.", "Correct the name, or add the figure.", name)
