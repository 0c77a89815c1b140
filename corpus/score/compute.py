"""What the laws of a code say about a score: contracts, IMPs, matchpoints, revokes, artificial and weighted scores.

Every function takes the :class:`~corpus.score.model.ScoreRules` of a code and checked input. It returns a value with
the provisions that decide (at most :data:`MAX_PROVISIONS`) and the figures that were used. The laws' own numbers come
from figures alone; what stands here is how the provisions put them together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from corpus.model import NodeId
from corpus.score.figures import Figure
from corpus.score.model import (
    DOUBLED,
    SUITS,
    VULNERABILITIES,
    VULNERABLE,
    ArtificialRule,
    Authority,
    RevokeRule,
    ScoreRules,
)

MAX_PROVISIONS = 8
BOOK = 6  # tricks that declarer's side wins before its odd tricks count: the definition of an odd trick
SLAMS = {6: "small", 7: "grand"}  # the level of a contract that is one: law 77 and the definition of a slam
DENOMINATIONS = dict(zip("CDHS", SUITS, strict=True))  # parameter → name of the suit in figures; “NT” beside them
NAMES_BY_FAULT = {"none": "average plus", "partly": "average", "full": "average minus"}


@dataclass(frozen=True)
class ScorePart:
    """A part of a score: ``count`` times what ``figures`` say makes ``points``. ``name`` is an id."""

    name: str
    points: int
    count: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class ContractScore:
    """The ``score`` of a contract from declarer's side, and its ``parts``, which sum up to it.

    ``over``: tricks over the contract, negative if it is down.
    """

    score: int
    parts: tuple[ScorePart, ...]
    over: int
    provisions: tuple[NodeId, ...]


def contract_score(
    rules: ScoreRules, level: int, denomination: str, doubled: int, vulnerable: int, tricks: int
) -> ContractScore:
    """Return the score of a contract by law 77. ``tricks``: all that declarer's side won, 0 to 13.

    ``denomination`` is C, D, H, S or NT; ``doubled`` 0, 1 or 2; ``vulnerable`` 0 or 1.
    """
    over = tricks - level - BOOK
    if over < 0:
        parts = _undertricks(rules, -over, DOUBLED[doubled], VULNERABLE[vulnerable])
    else:
        parts = _made(rules, level, denomination, doubled, VULNERABLE[vulnerable], over)
    return ContractScore(sum(part.points for part in parts), tuple(parts), over, rules.contract.says)


def _made(
    rules: ScoreRules, level: int, denomination: str, doubled: int, vulnerable: str, over: int
) -> list[ScorePart]:
    word, parts = DOUBLED[doubled], list[ScorePart]()

    def add(name: str, count: int, *figures: Figure) -> None:
        parts.append(ScorePart(name, count * _points(figures[0]), count, figures))

    suit = DENOMINATIONS.get(denomination)
    if suit:
        add("tricks", level, rules.figure(f"trick/{suit}/{word}"))
    else:
        add("first-trick", 1, rules.figure(f"notrump/first/{word}"))
        if level > 1:
            add("further-tricks", level - 1, rules.figure(f"notrump/further/{word}"))
    trick_points, least = sum(part.points for part in parts), rules.figure("game/least")
    if over:
        each = rules.figure(f"overtrick/{word}/{vulnerable}")
        if each.value is None:  # “the value of the trick”
            add("overtricks", over, rules.figure(f"trick/{suit}/{word}" if suit else f"notrump/further/{word}"), each)
        else:
            add("overtricks", over, each)
    if trick_points >= _points(least):
        add("game", 1, rules.figure(f"game/{vulnerable}"), least)
    else:
        add("partscore", 1, rules.figure("partscore"))
    if slam := SLAMS.get(level):
        add(f"{slam}-slam", 1, rules.figure(f"slam/{slam}/{vulnerable}"))
    if doubled:
        add(f"made-{word}", 1, rules.figure(f"made/{word}"))
    return parts


def _undertricks(rules: ScoreRules, down: int, word: str, vulnerable: str) -> list[ScorePart]:
    """Return the penalties. A text prints the later undertricks whole, or as a premium on top of each further one."""

    def part(name: str, which: str, count: int) -> ScorePart:
        figure = rules.figure(f"undertrick/{which}/{word}/{vulnerable}")
        return ScorePart(name, -count * _points(figure), count, (figure,))

    further, fourth_on = down - 1, max(0, down - 3)
    parts = [part("first-undertrick", "first", 1)]
    if rules.find_figure(f"undertrick/fourth/{word}/{vulnerable}"):
        if further:
            parts.append(part("second-and-third-undertrick", "second-third", further - fourth_on))
        if fourth_on:
            parts.append(part("undertricks-from-fourth", "fourth", fourth_on))
    else:
        if further:
            parts.append(part("further-undertricks", "further", further))
        if fourth_on:
            parts.append(part("premium-from-fourth", "fourth-premium", fourth_on))
    return parts


def _points(figure: Figure) -> int:
    if figure.value is None:
        raise ValueError(f"{figure.name} is no number.")
    return int(figure.value)


def vulnerability_of_board(rules: ScoreRules, board: int) -> str:
    """Return who is vulnerable on a board, a word of :data:`VULNERABILITIES`; "" where no text says it.

    The boards are numbered from 1. Law 2 lists some, and repeats the list for each following group.
    """
    listed = len(rules.figures_of("board/"))
    number = (board - 1) % listed + 1 if listed else 0
    return next((v for v in VULNERABILITIES if rules.find_figure(f"board/{number:02}/{v}")), "")


@dataclass(frozen=True)
class Imps:
    """IMPs for a difference; its sign is carried over. ``figures``: the step of the table; () below its first one."""

    imps: int
    figures: tuple[Figure, ...]
    provisions: tuple[NodeId, ...]


def imps_for(rules: ScoreRules, difference: int) -> Imps:
    """Return the IMPs for a ``difference`` in points, a multiple of ten, by the table of law 78B.

    The tables begin with a first step; below it no IMP is printed, so there is none.
    """
    for lower in rules.figures_of("imp/"):
        if not lower.name.endswith("/from"):
            continue
        step = lower.name.removesuffix("/from")
        upper = rules.find_figure(f"{step}/to")
        if _points(lower) <= abs(difference) and (upper is None or abs(difference) <= _points(upper)):
            value = rules.figure(step)
            sign = -1 if difference < 0 else 1
            return Imps(sign * _points(value), tuple(filter(None, (lower, upper, value))), rules.imps.says)
    return Imps(0, (), rules.imps.says)


@dataclass(frozen=True)
class Matchpoints:
    """Matchpoints in the order of the scores that were compared."""

    matchpoints: tuple[Fraction, ...]
    figures: tuple[Figure, ...]
    provisions: tuple[NodeId, ...]


def matchpoints_for(rules: ScoreRules, scores: Sequence[int], scale: int = 2) -> Matchpoints:
    """Return the matchpoints of scores in one direction by law 78A, each compared with all the others.

    ``scale`` 2: two for each lower score and one for each equal one. 1: one and a half.
    """
    figures, provisions = _matchpoint_figures(rules, scale)
    units = [Fraction(f.value or 0) for f in figures]
    if scale == 1 and not rules.find_figure("matchpoints/half/lower"):
        units = [unit / 2 for unit in units]  # the text counts units, which may be half matchpoints
    every = tuple(_compare(score, [*scores[:n], *scores[n + 1 :]], units) for n, score in enumerate(scores))
    return Matchpoints(every, figures, provisions)


def _matchpoint_figures(rules: ScoreRules, scale: int) -> tuple[tuple[Figure, ...], tuple[NodeId, ...]]:
    """Return the figures for a lower, an equal and a higher score, and the provisions."""
    half = scale == 1 and rules.find_figure("matchpoints/half/lower") is not None
    prefix = "matchpoints/half" if half else "matchpoints"
    names = (f"{prefix}/lower", f"{prefix}/equal", "matchpoints/higher")
    says = (*rules.matchpoints.says, *(rules.matchpoints.half if half else ()))
    return tuple(rules.figure(name) for name in names), says


def _compare(score: int, others: Iterable[int], units: Sequence[Fraction]) -> Fraction:
    lower, equal, higher = units
    return sum((lower if score > o else equal if score == o else higher for o in others), Fraction(0))


# ── Revokes ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class RevokeRuling:
    """What follows from a revoke: how many tricks go over, whether the score is adjusted, and the rules that decide.

    ``unestablished``: the revoke does not stand.
    """

    transfer: int
    adjusted: bool
    rules: tuple[RevokeRule, ...]
    unestablished: bool = False

    @property
    def provisions(self) -> tuple[NodeId, ...]:
        """The provisions that decide, each once."""
        return unite(rule.says for rule in self.rules)


@dataclass(frozen=True)
class RevokeFacts:
    """What happened. The names are those of the parameters of the API (docs/contract.md)."""

    won_by: str
    later: int
    by_card: int = 0
    trick_twelve: int = 0
    established: str = "play"
    defective: str = "none"
    also: tuple[str, ...] = ()

    @property
    def won(self) -> int:
        """The tricks that the offending side won, from the revoke trick on."""
        return self.later + (self.won_by != "opponents")

    def meet(self, rule: RevokeRule) -> bool:
        """Whether the facts are those of a rule."""
        stated: Mapping[str, tuple[str, ...]] = {
            "won_by": (self.won_by,),
            "won": ("some" if self.won else "none",),
            "trick_twelve": (str(self.trick_twelve),),
            "established": (self.established,),
            "defective": (self.defective,),
            "also": self.also,
        }
        return all(set(values) & set(stated[name]) for name, values in rule.if_.items())


def rule_on_revoke(rules: ScoreRules, facts: RevokeFacts) -> RevokeRuling:
    """Return how many tricks are transferred after a revoke, by laws 62 to 64, and whether the score is adjusted.

    The transfer never exceeds the tricks that the offending side won from the revoke trick on.
    """
    met = [rule for rule in rules.revoke if facts.meet(rule)]
    first = lambda kind: next((rule for rule in met if rule.kind == kind), None)
    if (ended := first("not-established") or first("no-transfer")) is not None:
        return RevokeRuling(0, False, (ended,), unestablished=ended.kind == "not-established")
    established = [rule for rule in met if rule.kind == "established"][:1]
    exceptions = [rule for rule in met if rule.kind == "exception"]
    transfer = None if exceptions else first("transfer")
    damage = [rule for rule in met if rule.kind == "damage"] if "damage" in facts.also else []
    damage = [rule for rule in damage if rule.if_] or damage  # the general one where no special one is met
    deciding = (*established, *exceptions, *([transfer] if transfer else []), *damage)
    return RevokeRuling(_tricks_of(transfer, facts) if transfer else 0, bool(damage), deciding)


def _tricks_of(rule: RevokeRule, facts: RevokeFacts) -> int:
    if rule.tricks == "that-trick-and-one-later":
        return 1 + (facts.later > 0)
    # “One more” is a trick besides the one that is transferred already.
    more = rule.tricks == "one-and-one-by-card" and facts.by_card > 0 and facts.won > 1
    return 1 + more


def unite(groups: Iterable[Iterable[NodeId]]) -> tuple[NodeId, ...]:
    """Return the provisions of several groups, each once, at most :data:`MAX_PROVISIONS`."""
    return tuple(dict.fromkeys(id_ for group in groups for id_ in group))[:MAX_PROVISIONS]


# ── Artificial and weighted scores ──────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class SideAward:
    """What a side gets: ``name``, and a percentage or IMPs; None where no number is printed.

    ``by_session``: it is the percentage on its other boards.
    """

    name: str
    percent: Fraction | None
    imps: int | None
    figures: tuple[Figure, ...]
    provisions: tuple[NodeId, ...]
    by_session: bool = False


@dataclass(frozen=True)
class ArtificialScore:
    """The artificial adjusted scores of both sides, North-South first. ``see``: what an authority says besides."""

    sides: tuple[SideAward, SideAward]
    see: tuple[NodeId, ...] = ()

    @property
    def provisions(self) -> tuple[NodeId, ...]:
        """The provisions that decide, each once."""
        return unite(side.provisions for side in self.sides)


def artificial_score(
    rules: ScoreRules,
    faults: tuple[str, str],
    *,
    imps: bool = False,
    sessions: tuple[Fraction | None, Fraction | None] = (None, None),
    authority: Authority | None = None,
    nth: int = 1,
) -> ArtificialScore:
    """Return average plus, average or average minus for each side, by 12C and the laws that it names.

    ``faults``: none, partly or full, North-South first. ``imps``: in IMPs, otherwise in per cent. ``sessions``: the
    percentages of the sides on their other boards. ``authority``: whose decisions give the IMPs, on the ``nth`` board.
    """
    awards = [
        _award_in_imps(rules, fault, authority, nth) if imps else _award_in_percent(rules, fault, session)
        for fault, session in zip(faults, sessions, strict=True)
    ]
    return ArtificialScore((awards[0], awards[1]), authority.see if authority and imps else ())


def _award_in_percent(rules: ScoreRules, fault: str, session: Fraction | None) -> SideAward:
    rule = next(rule for rule in rules.artificial if rule.fault == fault)
    figure = rules.figure(rule.percent)
    percent = Fraction(figure.value or 0)
    if rule.session and session is not None:
        bound = rules.figure(rule.session.than)
        limit = Fraction(bound.value or 0)
        if session > limit if rule.session.takes == "higher" else session < limit:
            says = (*rule.says, *rule.session.says)
            return SideAward(NAMES_BY_FAULT[fault], session, None, (figure, bound), says, by_session=True)
    return SideAward(NAMES_BY_FAULT[fault], percent, None, (figure,), rule.says)


def _award_in_imps(rules: ScoreRules, fault: str, authority: Authority | None, nth: int) -> SideAward:
    rule = next(rule for rule in rules.artificial if rule.fault == fault)
    special: ArtificialRule | None = None
    if authority:
        special = max(
            (r for r in authority.artificial if r.fault == fault and r.nth <= nth), key=lambda r: r.nth, default=None
        )
    if authority and special:
        figure = rules.figure_of_authority(authority, special.imps)
        return SideAward(NAMES_BY_FAULT[fault], None, _points(figure), (figure,), (*rule.says, *special.says))
    if not rule.imps:
        return SideAward(NAMES_BY_FAULT[fault], None, None, (), rule.says)
    figure = rules.figure(rule.imps)
    return SideAward(NAMES_BY_FAULT[fault], None, _points(figure), (figure,), (*rule.says, *rule.imps_says))


@dataclass(frozen=True)
class WeightedScore:
    """A weighted score, not rounded, in ``unit``. ``terms``: (score, weight, what the score is worth) of each."""

    result: Fraction
    unit: str
    terms: tuple[tuple[int, Fraction, Fraction], ...]
    provisions: tuple[NodeId, ...]


def weighted_score(
    rules: ScoreRules, scores: Sequence[tuple[int, Fraction]], scoring: str = "total", field: Sequence[int] = ()
) -> WeightedScore:
    """Return a weighted score by 12C1(c). ``scores``: (score, weight); the weights sum up to 1.

    ``scoring``: total, imps (against the one score of ``field``) or matchpoints (against all of ``field``). The laws
    do not say in which order to weigh and to convert. Here each score is converted, then weighed; nothing is rounded.
    """
    says: tuple[NodeId, ...] = rules.weighted.says
    if scoring == "imps":
        worth = [Fraction(imps_for(rules, score - field[0]).imps) for score, _ in scores]
        says = (*says, *rules.imps.says)
    elif scoring == "matchpoints":
        figures, _ = _matchpoint_figures(rules, 2)
        units = [Fraction(f.value or 0) for f in figures]
        worth = [_compare(score, field, units) for score, _ in scores]
        says = (*says, *rules.matchpoints.says)
    else:
        worth = [Fraction(score) for score, _ in scores]
    terms = tuple((score, weight, value) for (score, weight), value in zip(scores, worth, strict=True))
    unit = "points" if scoring == "total" else scoring
    return WeightedScore(sum((w * v for _, w, v in terms), Fraction(0)), unit, terms, says)
