"""The page models of scores: what can be tapped, the result in the reader's language, and the board's last screen.

:func:`score_page` builds the page of a kind of score, :func:`scores_page` the list of all kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from flask_babel import format_decimal, ngettext
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from markupsafe import Markup

from app.site import addresses, reader
from app.site.atlas import Atlas
from app.site.board import Board
from app.site.page import SitePage
from app.site.qr import qr_code
from app.site.quotation import QuotationWriter, QuotedPassage
from app.site.score_request import Parameter, Score, ScoreRequest, compute_score
from app.site.wording import SCORE_TITLES, format_bid, in_reader_language
from corpus.bid import SUIT_SYMBOLS, Bid
from corpus.edition import Identity
from corpus.model import Node, NodeId
from corpus.score.compute import (
    ArtificialScore,
    ContractScore,
    Imps,
    Matchpoints,
    RevokeRuling,
    ScorePart,
    SideAward,
    WeightedScore,
)
from corpus.score.figures import Figure
from corpus.score.model import GROUPS as GROUP_NAMES
from corpus.score.model import ScoreRules

# -- Words ---

GROUP_HINTS = {
    "contract": _l("Contract and tricks"),
    "imps": _l("From a difference in points"),
    "matchpoints": _l("From all scores of the board"),
    "revoke": _l("How many tricks are transferred, with the exceptions"),
    "artificial": _l("Average plus, average, average minus"),
    "weighted": _l("Several results with their weights"),
}
LABELS = {
    "contract.level": _l("Level"),
    "contract.denomination": _l("Denomination"),
    "contract.doubled": _l("Doubled?"),
    "contract.vulnerable": _l("Is declarer’s side vulnerable?"),
    "contract.tricks": _l("All tricks won by declarer’s side"),
    "contract.transfer": _l("Tricks to the other side after a revoke"),
    "contract.offenders": _l("Which side gives them?"),
    "contract.board": _l("Number of the board"),
    "contract.declarer": _l("Declarer"),
    "imps.difference": _l("Difference in points"),
    "imps.ours": _l("Our score"),
    "imps.theirs": _l("Score at the other table, in the same direction"),
    "matchpoints.scores": _l("All scores of the board in one direction"),
    "matchpoints.scale": _l("For each lower score"),
    "revoke.won_by": _l("Who won the revoke trick, as it stands in the end?"),
    "revoke.later": _l("Tricks that the offending side won after it"),
    "revoke.by_card": _l(
        "Of these, tricks that the offender won with a card he could legally have played to the revoke trick"
    ),
    "revoke.trick_twelve": _l("Was it in trick twelve?"),
    "revoke.established": _l("What established the revoke?"),
    "revoke.defective": _l("Did the offender play no card to the trick?"),
    "revoke.also": _l("Does any of these apply?"),
    "artificial.ns": _l("Fault of North-South"),
    "artificial.ew": _l("Fault of East-West"),
    "artificial.scoring": _l("Scoring"),
    "artificial.session_ns": _l("North-South on their other boards, %"),
    "artificial.session_ew": _l("East-West on their other boards, %"),
    "artificial.board": _l("Matchpoints available on the board"),
    "artificial.authority": _l("Whose regulation?"),
    "artificial.nth": _l("Which average plus of the match is it? (1, 2, 3 …)"),
    "weighted.scores": _l("Results with their weights"),
    "weighted.scoring": _l("Result in"),
    "weighted.field": _l("Score at the other table, or all other scores"),
    "weighted.regulation": _l("Provision in place of weights"),
}
HINTS = {
    "matchpoints.scores": _l("With commas: 420, 450, 420, −50"),
    "weighted.scores": _l(
        "Score, colon, weight: 620:0.5, -100:0.5. The weights add up to 1; 50% and 1/2 are understood."
    ),
    "weighted.field": _l(
        "For IMPs one score, for matchpoints all others; with commas, in the direction of the results"
    ),
    "imps.difference": _l("Or both scores:"),
}
VALUES = {
    "no": _l("no"),
    "yes": _l("yes"),
    "contract.doubled.0": _l("undoubled"),
    "contract.doubled.1": _l("doubled"),
    "contract.doubled.2": _l("redoubled"),
    "contract.offenders.declarer": _l("declarer’s side"),
    "contract.offenders.defenders": _l("the defenders"),
    "matchpoints.scale.2": _l("2 matchpoints"),
    "matchpoints.scale.1": _l("1 matchpoint"),
    "revoke.won_by.offender": _l("the offender"),
    "revoke.won_by.partner": _l("his partner"),
    "revoke.won_by.opponents": _l("the opponents"),
    "revoke.won_by.dummy": _l("dummy; declarer revoked"),
    "revoke.established.play": _l("his side played to the next trick"),
    "revoke.established.named": _l("his side named a card for the next trick"),
    "revoke.established.claim": _l("his side claimed or conceded"),
    "revoke.established.accepted": _l(
        "his side accepted the opponents’ claim or concession (2017: and it is too late to object)"
    ),
    "revoke.established.dummy_asked": _l("dummy asked first, having lost his rights"),
    "revoke.established.partner_asked": _l("a defender asked his partner, nothing else"),
    "revoke.established.no": _l("it is not established"),
    "revoke.defective.none": _l("he played one"),
    "revoke.defective.holds": _l("none; he holds the suit led"),
    "revoke.defective.void": _l("none; he is void in it"),
    "revoke.also.repeat": _l("a later revoke in the same suit by the same player; the first was established"),
    "revoke.also.repeat_unestablished": _l("a later revoke in the same suit by the same player; the first was not"),
    "revoke.also.dummy_card": _l("it was a failure to play a card of dummy’s"),
    "revoke.also.penalty_card": _l("it was a failure to play a penalty card"),
    "revoke.also.faced_card": _l("it was a failure to play another faced card"),
    "revoke.also.after_call": _l(
        "attention was first drawn to it after the non-offending side had called on the next board"
    ),
    "revoke.also.after_round": _l("attention was first drawn to it after the end of the round"),
    "revoke.also.both": _l("both sides revoked on the board; both revokes are established"),
    "revoke.also.both_unestablished": _l("both sides revoked; the other side’s is not established"),
    "revoke.also.both_same_trick": _l("both sides revoked in one trick; only one has played to the next"),
    "revoke.also.damage": _l("the Director finds the compensation insufficient"),
    "fault.none": _l("none"),
    "fault.partly": _l("partly at fault"),
    "fault.full": _l("directly at fault"),
    "artificial.scoring.pairs": _l("matchpoints"),
    "artificial.scoring.imps": _l("IMPs"),
    "weighted.scoring.total": _l("points"),
    "weighted.scoring.imps": _l("IMPs"),
    "weighted.scoring.matchpoints": _l("matchpoints"),
    "none": _l("none"),
}
SUIT_NAMES = {"C": _l("clubs"), "D": _l("diamonds"), "H": _l("hearts"), "S": _l("spades")}
AWARDS = {"average plus": _l("average plus"), "average": _l("average"), "average minus": _l("average minus")}
PART_NAMES = {
    "tricks": _l("Tricks bid and made"),
    "first-trick": _l("First trick"),
    "further-tricks": _l("Further tricks"),
    "overtricks": _l("Overtricks"),
    "game": _l("Game"),
    "partscore": _l("Partscore"),
    "small-slam": _l("Small slam"),
    "grand-slam": _l("Grand slam"),
    "made-doubled": _l("Doubled contract made"),
    "made-redoubled": _l("Redoubled contract made"),
    "first-undertrick": _l("First undertrick"),
    "second-and-third-undertrick": _l("Second and third undertricks"),
    "undertricks-from-fourth": _l("Fourth and further undertricks"),
    "further-undertricks": _l("Further undertricks"),
    "premium-from-fourth": _l("Extra from the fourth undertrick"),
}
UNITS = {"points": _l("points"), "imps": _l("IMPs"), "matchpoints": _l("matchpoints")}
# Parameters that are rarely needed; they are folded away until one of them is used.
FOLDED = frozenset({
    "contract.transfer", "contract.offenders", "contract.board", "contract.declarer",
    "revoke.established", "revoke.trick_twelve", "revoke.defective", "revoke.also",
    "artificial.session_ns", "artificial.session_ew", "artificial.board", "artificial.authority", "artificial.nth",
    "weighted.regulation", "matchpoints.scale",
})  # fmt: skip
# Way of scoring → parameters that change nothing there.
USELESS_WITH = {
    "imps": ("artificial.session_ns", "artificial.session_ew", "artificial.board"),
    "pairs": ("artificial.authority", "artificial.nth"),
    "total": ("weighted.field",),
}
MOST_TAPS = 16  # buttons of a number: a number that may be higher is written
BOARDS = 16  # after which the vulnerability repeats (law 2)


# -- What can be tapped and written ---


@dataclass(frozen=True)
class Tap:
    """A value to tap: its ``text``, and the ``address`` of the page with it. ``on``: it holds now. ``name``: what is
    read out, where the text is a sign.
    """

    value: str
    text: str
    address: str
    on: bool
    name: str = ""


@dataclass(frozen=True)
class Field:
    """A parameter on the page. ``taps`` are its values; () where it is written, with ``typed`` in it.

    ``fault``: what is wrong, in a sentence; ``wanted``: it must be given, and is not yet; ``folded``: rarely needed.
    """

    name: str
    label: str
    hint: str
    taps: tuple[Tap, ...]
    typed: str
    fault: str
    wanted: bool
    folded: bool


@dataclass(frozen=True)
class PrintedFigure:
    """A figure in the line of the text that prints it: the words ``before`` and ``after`` it, and the reason where the
    print is not read as it stands (``mark``).
    """

    node: Node
    before: str
    figure: str
    after: str
    mark: str


@dataclass(frozen=True)
class ResultPart:
    """A line of a result: what (``name``), how it comes about (``counted``), its ``points``, and the figures of the law
    that give it.
    """

    name: str
    counted: str
    points: str
    printed: tuple[PrintedFigure, ...]


@dataclass(frozen=True)
class ScoreResult:
    """A score as a page shows it.

    ``big``: the result in a few words; ``sentences``: what follows; ``parts``: how it comes about; ``provisions``:
    those that decide, in the reader's text; ``passage``: their words; ``remarks``: what the reader has to know;
    ``see``: provisions that may change it.
    """

    big: str
    sentences: tuple[str, ...]
    parts: tuple[ResultPart, ...]
    provisions: tuple[Node, ...]
    passage: QuotedPassage
    remarks: tuple[str, ...] = ()
    see: tuple[Node, ...] = ()


@dataclass(frozen=True)
class NextScore:
    """A kind of score that may follow: its title and address."""

    title: str
    address: str


@dataclass(frozen=True)
class ScoresPage(SitePage):
    """The list of the kinds of score.

    ``groups``: (name, title, hint, address) of each; ``codes``: (code, address); ``code``: the laws that are applied;
    ``board``: what was ruled before on the same board.
    """

    template: ClassVar[str] = "scores.html"
    groups: tuple[tuple[str, str, str, str], ...]
    codes: tuple[tuple[str, str], ...]
    code: str
    board: Board

    @property
    def codes_shown(self) -> tuple[str, ...]:
        """The codes that have scores."""
        return (self.code, *(code for code, _address in self.codes if code != self.code))


@dataclass(frozen=True)
class ScorePage(SitePage):
    """The page of a kind of score, by its ``title``.

    - ``asked``: what the address asks; ``fields``: its parameters as they can be tapped and written.
    - ``result``: the score, None while something is missing or wrong.
    - ``codes``: (code, address); ``code``: the laws that are applied; ``text``: the edition whose words are quoted.
    - ``board``: what was ruled before on the same board; ``onward``: the scores that may follow.
    - ``all_kinds``: the address of the list of all kinds.
    - ``hidden``: the parameters that a form keeps beside what is written in it.
    """

    template: ClassVar[str] = "score.html"
    title: str
    asked: ScoreRequest
    fields: tuple[Field, ...]
    result: ScoreResult | None
    codes: tuple[tuple[str, str], ...]
    code: str
    text: Identity
    board: Board
    onward: tuple[NextScore, ...]
    all_kinds: str
    hidden: tuple[tuple[str, str], ...]

    @property
    def codes_shown(self) -> tuple[str, ...]:
        """The codes that have scores."""
        return (self.code, *(code for code, _address in self.codes if code != self.code))

    @property
    def first_wanted(self) -> str:
        """The name of the first field that is tapped and not given yet; "" with a result."""
        return next((f.name for f in self.fields if f.wanted and f.taps), "") if self.result is None else ""

    @property
    def written(self) -> tuple[Field, ...]:
        """The fields that are written."""
        return tuple(f for f in self.fields if not f.taps)

    @property
    def tapped(self) -> tuple[Field, ...]:
        """The fields that are tapped and not folded away."""
        return tuple(f for f in self.fields if f.taps and not f.folded)

    @property
    def folded(self) -> tuple[Field, ...]:
        """The fields that are folded away."""
        return tuple(f for f in self.fields if f.taps and f.folded)

    @property
    def unfolded(self) -> bool:
        """Whether one of the folded fields is in use, so that all are open."""
        return any(f.typed or f.fault or f.wanted for f in self.folded)


@dataclass(frozen=True)
class ScoreCard(SitePage):
    """A ``score`` for the players, in large type, with what was ruled on the board. ``link``, ``qr``: its address;
    ``back`` leads to the page of the score.
    """

    template: ClassVar[str] = "score_card.html"
    score: ScorePage
    link: str
    qr: Markup
    back: str

    @property
    def codes_shown(self) -> tuple[str, ...]:
        """The codes that have scores."""
        return self.score.codes_shown


def codes_with_scores(atlas: Atlas) -> tuple[str, ...]:
    """Return the codes that have scores, the one in force first."""
    return tuple(code for code in atlas.codes if atlas.library.scores.of_code(code))


def scores_page(code: str, codes: Sequence[str], board: Board) -> ScoresPage:
    """Return the list of the kinds of score by the laws of ``code``, one of ``codes``."""
    chain = (("code", code), *board.parameters)
    return ScoresPage(
        groups=tuple(
            (name, str(SCORE_TITLES[name]), str(GROUP_HINTS[name]), addresses.score(name, chain))
            for name in GROUP_NAMES
        ),
        codes=tuple((other, addresses.score("", [("code", other)])) for other in codes),
        code=code,
        board=board,
    )


def score_page(atlas: Atlas, asked: ScoreRequest, codes: Sequence[str], board: Board) -> ScorePage:
    """Return the page of a kind of score. ``codes``: those that have scores; ``board``: what was ruled before."""
    code, group = asked.rules.code, asked.group
    kept = [(name, text) for name, text in asked.said.items() if text]
    chain = (("code", code), *board.parameters)
    editions = atlas.editions_of_code(code, reader.ui_language())
    writer = QuotationWriter(atlas, editions, reader.ui_language())
    fields = tuple(_field(asked, p, kept, chain) for p in group.parameters if _is_shown(asked, p))
    written = {f.name for f in fields if not f.taps}
    score = compute_score(asked) if asked.is_complete else None
    return ScorePage(
        title=str(SCORE_TITLES[group.name]),
        asked=asked,
        fields=fields,
        result=_result(atlas, writer, asked, score) if score else None,
        codes=tuple((other, addresses.score(group.name, [*kept, ("code", other)])) for other in codes),
        code=code,
        text=next((e for e in editions if e.complete), editions[0]),
        board=board,
        onward=tuple(_next_scores(asked, score, chain)) if score else (),
        all_kinds=addresses.score("", chain),
        hidden=tuple(pair for pair in (*kept, *chain) if pair[0] not in written),
    )


def score_card(page: ScorePage) -> ScoreCard:
    """Return the page for the players of a score that is computed."""
    link = addresses.absolute_url(addresses.strip_language(addresses.current_address(show=None)))
    return ScoreCard(page, link, qr_code(link), addresses.current_address(show=None))


# -- Fields ---


def _is_shown(asked: ScoreRequest, parameter: Parameter) -> bool:
    """Whether a parameter is of use in a code, and for the way of scoring: one with a single value is not."""
    if asked.said.get(parameter.name):
        return True
    if parameter.name == "by_card":
        return any(rule.tricks == "one-and-one-by-card" for rule in asked.rules.revoke)
    scoring = asked.values.get("scoring")
    if scoring in USELESS_WITH and f"{asked.group.name}.{parameter.name}" in USELESS_WITH[scoring]:
        return False
    return parameter.by_rules is None or len(parameter.values_in(asked.rules)) > 1


def _field(
    asked: ScoreRequest, parameter: Parameter, kept: Sequence[tuple[str, str]], chain: Sequence[tuple[str, str]]
) -> Field:
    name, said = parameter.name, asked.said.get(parameter.name, "")
    key = f"{asked.group.name}.{name}"

    def address(value: str | None) -> str:
        others = [(n, text) for n, text in kept if n != name]
        return addresses.score(asked.group.name, [*others, *([(name, value)] if value else []), *chain], "now")

    held = said.split(",") if parameter.kind == "several" else [said or parameter.default or ""]
    if key == "contract.vulnerable" and not said:
        held = [str(asked.values.get("vulnerable", "0"))]
    taps = []
    for value in _values_to_tap(asked, parameter):
        on = value in held
        if parameter.kind == "several":
            chosen = [v for v in held if v and v != value] + ([] if on else [value])
            taps.append(Tap(value, _value_text(key, value), address(",".join(chosen)), on))
        else:
            taps.append(Tap(value, _value_text(key, value), address(value), on, _suit_name(key, value)))
    return Field(
        name=name,
        label=str(LABELS[key]),
        hint=str(HINTS.get(key, "")),
        taps=tuple(taps),
        typed=said,
        fault=asked.faults.get(name, ""),
        wanted=name in asked.missing,
        folded=key in FOLDED,
    )


def _values_to_tap(asked: ScoreRequest, parameter: Parameter) -> Iterable[str]:
    if parameter.kind in ("choice", "several"):
        return parameter.values_in(asked.rules)
    if parameter.name == "board" and asked.group.name == "contract":
        return map(str, range(1, BOARDS + 1))
    if parameter.kind == "number" and parameter.high - parameter.low < MOST_TAPS:
        return map(str, range(parameter.low, parameter.high + 1))
    return ()


def _suit_name(key: str, value: str) -> str:
    return str(SUIT_NAMES.get(value, "")) if key == "contract.denomination" else ""


def _value_text(key: str, value: str) -> str:
    if key == "contract.denomination":
        return SUIT_SYMBOLS.get(value) or _("NT")
    if key in ("contract.vulnerable", "revoke.trick_twelve"):
        return str(VALUES["yes" if value == "1" else "no"])
    if key in ("artificial.ns", "artificial.ew"):
        return str(VALUES[f"fault.{value}"])
    named = VALUES.get(f"{key}.{value}") or (VALUES["none"] if value == "none" else None)
    return str(named) if named else value.upper() if value.isalpha() else value


# -- Results ---


def _result(atlas: Atlas, writer: QuotationWriter, asked: ScoreRequest, score: Score) -> ScoreResult:
    provisions = _reader_provisions(atlas, asked.rules, score.provisions)
    passage = QuotedPassage(tuple(writer.quote_whole_text(node) for node in provisions if node.text))
    match score:
        case ContractScore():
            big, sentences, parts = _contract_result(atlas, asked, score)
            passage = QuotedPassage(())
            remarks: tuple[str, ...] = ()
        case Imps():
            difference = asked.values["difference"]
            big = _("%(imps)s IMP", imps=_signed(score.imps))
            sentences = (_("For a difference of %(points)s points.", points=_signed(difference)),)
            parts = (
                (_part(atlas, _("Row of the table"), "", _signed(score.imps), score.figures),) if score.figures else ()
            )
            remarks = (
                ()
                if score.figures
                else (_("The difference is below the first row of the table; no IMPs are printed for it."),)
            )
            passage = QuotedPassage(())
        case Matchpoints():
            big = _("Matchpoints")
            parts = tuple(
                ResultPart(_signed(s), "", _number(m), ())
                for s, m in zip(asked.values["scores"], score.matchpoints, strict=True)
            )
            sentences, remarks = (), ()
        case RevokeRuling():
            big, sentences, remarks = _revoke_result(asked, score)
            parts = ()
        case ArtificialScore():
            big = ""
            sentences = (
                _award_sentence(_("North-South"), score.sides[0], asked),
                _award_sentence(_("East-West"), score.sides[1], asked),
            )
            parts = ()
            remarks = _artificial_remarks(score, asked)
        case WeightedScore():
            big = _("%(number)s %(unit)s", number=_number(score.result), unit=UNITS[score.unit])
            parts = tuple(
                ResultPart(_signed(s), _("weight %(weight)s", weight=_share(w)), _number(v), ())
                for s, w, v in score.terms
            )
            sentences = ()
            remarks = ()
            if asked.values["scoring"] != "total":
                remarks = (
                    _(
                        "Each result is converted first, then weighted; the laws do not say in which order. "
                        "Nothing is rounded."
                    ),
                )
    see = score.see if isinstance(score, ArtificialScore) else ()
    return ScoreResult(big, sentences, parts, provisions, passage, remarks, _reader_provisions(atlas, asked.rules, see))


def _contract_result(
    atlas: Atlas, asked: ScoreRequest, score: ContractScore
) -> tuple[str, tuple[str, ...], tuple[ResultPart, ...]]:
    values = asked.values
    contract = format_bid(Bid(values["level"], values["denomination"])) + "×" * int(values["doubled"])
    made = {True: _("made"), False: _("%(tricks)s over", tricks=score.over)}[score.over == 0]
    outcome = made if score.over >= 0 else _("%(tricks)s down", tricks=-score.over)
    who = _("to declarer’s side") if score.score >= 0 else _("to the defenders")
    vulnerable = _("vulnerable") if values["vulnerable"] == "1" else _("not vulnerable")
    sentences = [f"{contract}, {vulnerable}, {outcome}: {_points(abs(score.score))} {who}."]
    if moved := int(values["transfer"]):
        sentences.append(
            ngettext(
                "%(num)s trick was transferred: declarer’s side has %(tricks)s.",
                "%(num)s tricks were transferred: declarer’s side has %(tricks)s.",
                moved,
                tricks=values["final_tricks"],
            )
        )
    parts = tuple(_contract_part(atlas, part) for part in score.parts)
    return _signed(score.score), tuple(sentences), parts


def _contract_part(atlas: Atlas, part: ScorePart) -> ResultPart:
    each = abs(part.points) // part.count
    counted = f"{part.count} × {each}" if part.count > 1 else ""
    return _part(atlas, str(PART_NAMES[part.name]), counted, _signed(part.points), part.figures)


def _part(atlas: Atlas, name: str, counted: str, points: str, figures: Sequence[Figure]) -> ResultPart:
    return ResultPart(name, counted, points, tuple(_printed(atlas, figure) for figure in figures))


def _printed(atlas: Atlas, figure: Figure) -> PrintedFigure:
    """Return a figure in its line of the published text, whose cells are parted by blanks."""
    node = atlas.library.nodes[figure.node]
    start, end = node.text.rfind("\n", 0, figure.start) + 1, node.text.find("\n", figure.end)
    before, after = node.text[start : figure.start], node.text[figure.end : end if end >= 0 else None]
    words = node.text[figure.start : figure.end]
    return PrintedFigure(node, " ".join(before.split()), words, " ".join(after.split()), _mark(atlas, figure))


def _mark(atlas: Atlas, figure: Figure) -> str:
    return in_reader_language(atlas.library.scores.marks[figure.mark]) if figure.mark in SAID_MARKS else ""


# The marks of which a reader is told: what was run together or printed twice is read without doubt.
SAID_MARKS = ("lost", "moved", "misread")


def _revoke_result(asked: ScoreRequest, ruling: RevokeRuling) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    if ruling.transfer:
        big = ngettext(
            "%(num)s trick to the non-offending side", "%(num)s tricks to the non-offending side", ruling.transfer
        )
    else:
        big = _("No trick is transferred")
    sentences = []
    if ruling.unestablished:
        sentences.append(_("The revoke is not established; it is corrected."))
    if ruling.adjusted:
        sentences.append(_("The Director adjusts the score."))
    damage = "damage" in asked.values["also"] and not ruling.adjusted
    remarks = [_("These laws adjust the score for a revoke only if it is established.")] if damage else []
    remarks += [in_reader_language(rule.note) for rule in ruling.rules if rule.note]
    return big, tuple(sentences), tuple(remarks)


def _award_sentence(side: str, award: SideAward, asked: ScoreRequest) -> str:
    parts = [str(AWARDS[award.name])]
    if award.percent is not None:
        parts.append(f"{_number(award.percent)} %")
        available = asked.values["board"]
        if available is not None:
            points = _number(award.percent * available / 100)
            parts.append(_("%(number)s %(unit)s", number=points, unit=UNITS["matchpoints"]))
    elif award.imps is not None:
        parts.append(_("%(imps)s IMP", imps=_signed(award.imps)))
    else:
        parts.append(_("no number of IMPs in these laws"))
    return f"{side}: {', '.join(parts)}"


def _artificial_remarks(score: ArtificialScore, asked: ScoreRequest) -> tuple[str, ...]:
    remarks = []
    if asked.values["scoring"] == "pairs" and any(not s.by_session and s.name != "average" for s in score.sides):
        remarks.append(_("Average plus is at least what the laws print, average minus at most."))
    if any(side.by_session for side in score.sides):
        remarks.append(_("A side gets its percentage on its other boards."))
    return tuple(remarks)


def _next_scores(asked: ScoreRequest, score: Score, chain: Sequence[tuple[str, str]]) -> Iterable[NextScore]:
    """Yield the scores that may follow one that is computed."""
    name, values = asked.group.name, asked.values
    if isinstance(score, RevokeRuling):
        query = [("transfer", str(score.transfer)), *chain]
        yield NextScore(str(SCORE_TITLES["contract"]), addresses.score("contract", query))
        if score.adjusted and asked.rules.weighted.allowed:
            yield NextScore(str(SCORE_TITLES["weighted"]), addresses.score("weighted", chain))
    if isinstance(score, ContractScore):
        yield NextScore(str(SCORE_TITLES["imps"]), addresses.score("imps", [("ours", str(score.score)), *chain]))
        yield NextScore(
            str(SCORE_TITLES["matchpoints"]), addresses.score("matchpoints", [("scores", str(score.score)), *chain])
        )
        if not int(values["transfer"]):
            for tricks in (1, 2):
                query = [*((n, t) for n, t in asked.said.items() if t and n != "transfer"), ("transfer", str(tricks))]
                title = ngettext("%(num)s trick to the other side", "%(num)s tricks to the other side", tricks)
                yield NextScore(title, addresses.score(name, [*query, *chain], "now"))


def _reader_provisions(atlas: Atlas, rules: ScoreRules, ids: Iterable[NodeId]) -> tuple[Node, ...]:
    """Return the deciding provisions, each in one text of the code: that of the reader's language where it has it."""
    order = [e.id for e in atlas.editions_of_code(rules.code, reader.ui_language())]
    rank = lambda node: order.index(node.edition) if node.edition in order else len(order)
    nodes = [atlas.library.nodes[id_] for id_ in ids if id_ in atlas.library.nodes]
    laws = [n for n in nodes if n.edition in order]
    best = {n.path: min((m for m in laws if m.path == n.path), key=rank) for n in laws}
    return tuple(n for n in nodes if n.edition not in order or best[n.path] is n)


# -- Numbers ---


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def _points(number: int) -> str:
    return ngettext("%(num)s point", "%(num)s points", number)


def _number(number: Fraction) -> str:
    sign = "−" if number < 0 else ""
    return sign + format_decimal(round(abs(float(number)), 2))


def _share(weight: Fraction) -> str:
    return f"{_number(weight * 100)} %"
