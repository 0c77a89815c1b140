"""The types of all answers in JSON: those of the API, and the pages that can be had as JSON.

``/api/openapi.json`` is made from these types (:mod:`app.api.description`). It shows the docstrings and descriptions,
and names a type without the ending ``Json``. A field that only some answers have is ``NotRequired``. A new field is one
line here and one in the function that makes the answer.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from app.site.snapshot import MAX_SITUATIONS_IN_SEARCH
from corpus.model import Kind, ReferenceKind, Where
from corpus.relation.concordance import CAUSES, RELATIONS
from corpus.ruling import LegalStatus, RulingEffect, RulingKind
from corpus.situation.model import QuestionKind
from corpus.term.model import Reason
from corpus.threshold import Absence

# The key of a schema that names a list of values, which depends on the build.
VALUES_KEY = "x-values"


def one_of_list(name: str) -> Meta:
    """Return the annotation of a type whose values are those of a list, which depends on the build.

    ``name``: of the list, as :func:`app.api.description.value_lists` calls it.
    """
    return Meta(extra_json_schema={VALUES_KEY: name})


def _one_of(*values: str) -> Meta:
    return Meta(extra_json_schema={"enum": list(values)})


def described(text: str, **more: Any) -> Meta:
    """Return the annotation of a type with a description. ``more``: what else :class:`msgspec.Meta` takes."""
    return Meta(description=text, **more)


EditionId = Annotated[str, one_of_list("editions")]
TextLanguage = Annotated[str, one_of_list("languages of texts")]
ByLanguage = Annotated[dict[str, str], described("Language → text.")]
Basis = Literal["reviewed", "computed"]
SuggestionKind = Literal["citation", "term", "heading"]
Relation = Annotated[str, _one_of(*RELATIONS)]
Count = Annotated[int, Meta(ge=0)]

# Keys that are words of Python.
_In = TypedDict("_In", {"in": Where})
_InText = TypedDict("_InText", {"in": Literal["text"]})
_AnswersMet = TypedDict(
    "_AnswersMet",
    {
        "if": Annotated[
            dict[str, str | list[str]],
            described("Question → the answer, or several of which one is given; of a tick list none or some."),
        ]
    },
)

# -- Errors ---


class ErrorDetailsJson(TypedDict):
    """What is wrong: a name for programs, and a sentence for people."""

    code: str
    message: str


class ErrorJson(TypedDict):
    """The answer to a request that fails."""

    error: ErrorDetailsJson


class RefusalJson(TypedDict):
    """A generation that is not served."""

    digest: str
    why: str
    since: Annotated[str, described("When it was refused, in UTC.")]


class HealthJson(TypedDict):
    """Which generation is served, and whether it answers rightly."""

    served: Annotated[str | None, described("Digest of the generation that is served.")]
    current: Annotated[str | None, described("Digest of the generation that was published last.")]
    refused: Annotated[list[RefusalJson], described("What was refused since something was published last.")]
    pages: Annotated[Literal["built", "drawn"], described("Whether pages were made when it was built.")]
    search: Annotated[
        Literal["learned", "words"] | None,
        described("Whether the search has learned what words describe, or finds the words alone."),
    ]
    reason: Annotated[str | None, described("What is wrong, or why the current generation is not served.")]
    notice: Annotated[str | None, described("Why the pages that were built are not used, and what to do.")]


# -- Editions ---


class QuoteJson(TypedDict):
    """Characters ``start`` to ``end`` of a node's text or heading."""

    node: str
    where: str
    start: int
    end: int


class StepJson(TypedDict):
    """A strength of words, and the words that have it."""

    strength: str
    name: ByLanguage
    quote: QuoteJson
    forms: list[str]
    unmarked: ByLanguage
    loose: Annotated[
        dict[str, str],
        described("Where the text does not keep to this rank: how it uses the words. Empty where it does."),
    ]


class ScaleJson(TypedDict):
    """The strengths of words in one edition."""

    steps: list[StepJson]


class EditionJson(TypedDict):
    """An edition. It has more fields, about its source, than are promised here."""

    id: EditionId
    lang: TextLanguage
    year: int
    title: str
    short: str
    in_force: bool
    complete: bool
    proofread: bool
    superseded_by: int | None
    scale: Annotated[
        ScaleJson | None,
        described(
            "How the edition's introduction ranks its words, from the weakest order to the strongest, then "
            "the prohibitions; null where it does not. The quote is the introduction's own sentence."
        ),
    ]


class EditionsJson(TypedDict):
    """All editions."""

    editions: list[EditionJson]


# -- Nodes ---


class SpanJson(_In):
    """Characters ``start`` to ``end`` of a node's text or heading."""

    node: str
    start: int
    end: int


class SourceJson(TypedDict):
    """A page that was looked up, on which day, and by how many people."""

    url: str
    read: str
    readers: int


class NoteJson(_In):
    """A misprint of the book that changes what the law says."""

    start: int
    end: int
    kind: Literal["misprint", "lost", "missing"]
    note: ByLanguage
    see: list[str]
    quotes: list[SpanJson]
    cause: NotRequired[Literal["print", "unknown"]]
    id: NotRequired[str]
    print: NotRequired[ByLanguage]
    law: NotRequired[ByLanguage]
    sources: NotRequired[list[SourceJson]]


class LabelSpanJson(TypedDict):
    """A printed label of a reference."""

    start: int
    end: int
    targets: list[str]


class ReferenceJson(_In):
    """Words of a node that name provisions. Those in ``missing`` do not exist."""

    start: int
    end: int
    surface: str
    kind: ReferenceKind
    targets: list[str]
    missing: list[str]
    parts: Annotated[
        list[LabelSpanJson],
        described(
            "One for each printed label, in order, the label alone; the end of a range has all of its targets.",
            min_length=1,
        ),
    ]


class PieceJson(TypedDict, total=False):
    """A piece of a node: its own text, or a child."""

    text: str
    child: str
    at: int


class TableJson(TypedDict):
    """A printed table."""

    caption: str | None
    rows: list[list[str]]
    start: int
    end: int


class MarkJson(_In):
    """The sign of a footnote."""

    at: int
    target: str
    sign: str


class StrengthJson(_InText):
    """Words that order or forbid."""

    start: int
    end: int
    strength: str
    loose: NotRequired[
        Annotated[
            bool,
            described(
                "True, and only there: the text does not keep to its introduction for these words, so that "
                "their strength is not known."
            ),
        ]
    ]


class TermMarkJson(_In):
    """Words that name a term."""

    start: int
    end: int
    concept: str


class CitingJson(TypedDict):
    """A provision with a reference to this one, and the words of the reference."""

    id: str
    surface: str


class SummaryJson(TypedDict):
    """The sum over the parts of two corresponding nodes: parts = same + changed + new, counted in the younger text;
    dropped are parts of the older one.
    """

    parts: Count
    same: Count
    changed: Count
    new: Count
    dropped: Count
    moved: Count
    translated: Count
    missing: Count
    added: Count


class CounterpartJson(TypedDict):
    """A provision of another edition that corresponds to this one."""

    id: str
    relation: Annotated[str, _one_of("same", "reworded", "moved", "split", "merged")]
    reworded: bool
    cause: Annotated[str, _one_of(*CAUSES)] | None
    basis: Basis
    how: Annotated[
        str,
        described(
            "Whether the two editions are joined directly, or the row was read over the editions of “via”.",
            extra_json_schema={"enum": ["row", "third"]},
        ),
    ]
    via: list[str]
    summary: SummaryJson | None


class ConditionJson(TypedDict):
    """A condition (screens, teams …) without which something does not hold."""

    any: Annotated[list[str], described("It holds only under one of these.")]
    words: Annotated[str, described("The words of the text that say so.")]
    node: str | None


class ExportedNodeJson(TypedDict):
    """A node as exported (contract, section 4): a law, a section, a footnote …"""

    id: str
    edition: EditionId
    lang: TextLanguage
    year: int
    path: str
    kind: Kind
    label: str | None
    citation: str
    heading: str | None
    parent: str | None
    text: str
    content: list[
        Annotated[PieceJson, Meta(extra_json_schema={"anyOf": [{"required": ["text"]}, {"required": ["child"]}]})]
    ]
    tables: list[TableJson]
    marks: list[MarkJson]
    source_text: str
    source_spans: list[Annotated[list[int], Meta(min_length=4, max_length=4)]]
    references: list[ReferenceJson]
    terms: Annotated[list[TermMarkJson], described("The first use of each term whose meaning the edition gives.")]
    places: Annotated[
        dict[str, list[Annotated[list[int], Meta(min_length=1, max_length=4)]]],
        described(
            "Where the characters of label, heading and text are in the source, as runs: [length] the reader's "
            "own blanks, [length, line, column] the source's characters, [length, line, column, width] published for "
            "the width characters there."
        ),
    ]
    notes: Annotated[
        list[NoteJson],
        described("What reviewers remark on the print: never words of the text. What is missing has start = end."),
    ]
    aside: NotRequired[
        Annotated[
            str,
            described("What the heading of a definition has beside its term, as “see also”; only where it has any."),
        ]
    ]
    remarks: NotRequired[
        Annotated[list[str], described("Paragraphs of a subject index that are no entries; only where there are any.")]
    ]
    strengths: NotRequired[
        Annotated[
            list[StrengthJson],
            described(
                "Words of the text that order or forbid, as the edition's introduction ranks them (scale of "
                "the edition); only where there are any."
            ),
        ]
    ]


class NodeJson(ExportedNodeJson):
    """A law, section, footnote or other node, with what is attached to it."""

    children: list[str]
    cited_by: list[CitingJson]
    counterparts: dict[str, list[CounterpartJson]]
    rulings: Annotated[list[str], described("Ids of the rulings on this provision.")]
    conditions: Annotated[
        list[ConditionJson],
        described("Under which conditions alone this provision holds; what stands inside it holds where it does."),
    ]
    url: str


# -- Comparisons ---


class ComparedRowJson(TypedDict):
    """Provisions that correspond, side by side."""

    cells: list[list[str]]
    relation: Relation
    relations: list[Relation | None]
    basis: Basis
    notes: list[str]
    differences: Annotated[list[ByLanguage], described("What pages say of the differences of the row, by language.")]
    summaries: list[SummaryJson | None]


class ComparisonJson(TypedDict):
    """Provisions of several editions side by side."""

    editions: list[str]
    read_in: Annotated[
        str,
        described("The edition whose node the path was read as: the base, else the first edition named that has it."),
    ]
    rows: list[ComparedRowJson]


# -- Situations ---


class QuotationJson(SpanJson):
    """Words of a provision."""

    edition: EditionId
    text: str
    in_force: bool
    notes: list[NoteJson]


class SliceJson(TypedDict):
    """Words of a provision, in every text of the code."""

    path: str
    quotes: list[QuotationJson]


EvidenceJson = TypedDict(
    "EvidenceJson",
    {
        "reason": str,
        "node": str,
        "in": Where,
        "start": int,
        "end": int,
        "text": str,
        "url": str,
        "read": str,
        "readers": int,
    },
    total=False,
)


class MisprintJson(SpanJson):
    """A misprint in the words that a duty quotes, and how the duty treats it."""

    state: Literal["harmless", "corrected", "undecided"]
    evidence: Annotated[
        list[EvidenceJson], described("A reason; provisions with their words; pages that were looked up.")
    ]
    print: ByLanguage | None
    law: ByLanguage | None


_DutyIf = TypedDict("_DutyIf", {"if": str | None})


class DutyJson(_DutyIf):
    """Who does what, in words of the closed lists."""

    do: str
    who: str
    what: str | None
    until: str | None
    given: Annotated[list[SpanJson], described("The quoted words that order just this, where they are named.")]
    misprints: Annotated[
        list[MisprintJson], described("Misprints of the book under the words of this duty, and what it does with each.")
    ]


class LaterJson(TypedDict):
    """What follows at a later moment."""

    when: str
    kind: QuestionKind
    by: str | None
    says: list[SliceJson]
    duties: list[DutyJson]
    off: list[str]


class BesidesJson(_AnswersMet):
    """Further quotations and duties, which apply only after these answers."""

    says: list[SliceJson]
    duties: list[DutyJson]
    off: list[str]


class CarryJson(TypedDict):
    """What the next situation takes over: answers, duties, and in ``closed`` the answers that cannot be given there."""

    answers: dict[str, str]
    closed: dict[str, list[str]]
    duties: list[DutyJson]


class GotoJson(TypedDict):
    """The situation where the play goes on."""

    situation: str
    carry: CarryJson


class NoProvisionJson(TypedDict):
    """No provision covers the case."""

    reason: ByLanguage


class SpokenJson(TypedDict):
    """What a sentence speaks: numbers into the lists of its row, and paths of its ``off``."""

    duties: list[int]
    off: list[str]
    also: list[int]
    then: list[int]
    goto: Annotated[list[int], described("Numbers into the duties of ``goto``.")]


class OptionJson(TypedDict):
    """One of several ways that a step may go on, with the row that it leads to."""

    label: ByLanguage
    row: str


class SpokenStepJson(TypedDict):
    """What the director says at one moment: sentences by language, and what each of them speaks."""

    when: Annotated[ByLanguage | None, described("The moment; null for now.")]
    say: dict[str, list[str]]
    spoken: dict[str, list[SpokenJson]]
    options: list[OptionJson] | None


class NextStepJson(TypedDict):
    """Where the Director goes on with what a row leaves on the table: a situation, or a kind of score."""

    leaves: str
    name: Annotated[ByLanguage, described("What is left.")]
    situation: str | None
    score: str | None
    answers: Annotated[dict[str, str], described("What is known there already.")]


class RowJson(_AnswersMet):
    """The outcome of some answers."""

    id: str
    label: Annotated[ByLanguage, described("The answer that leads here, as an option is named.")]
    steps: Annotated[
        list[SpokenStepJson], described("What is said now, and when each later moment comes; words of this site.")
    ]
    says: Annotated[list[SliceJson], described("In the order in which they are read; the last one decides.")]
    duties: list[DutyJson]
    off: list[str]
    then: list[LaterJson]
    also: list[BesidesJson]
    goto: GotoJson | None
    next: list[NextStepJson]
    none: NoProvisionJson | None
    differs: Annotated[
        dict[str, ByLanguage | None],
        described(
            "Another code → what it orders otherwise for the same answers, by language; null where it orders the same."
        ),
    ]


class ChoiceJson(TypedDict):
    """An answer to a question."""

    id: str
    text: ByLanguage
    facts: Annotated[list[str], described("What the answer states, in words of the list “facts”.")]


class AskJson(TypedDict):
    """A question. It has ``answers`` or ``ticks``, by code."""

    id: str
    kind: QuestionKind
    by: str | None
    when: Annotated[ByLanguage | None, described("The moment of the event, if it comes after the ruling.")]
    question: ByLanguage
    see: dict[str, list[str]]
    answers: NotRequired[dict[str, list[ChoiceJson]]]
    ticks: NotRequired[dict[str, list[str]]]
    tick_texts: NotRequired[
        Annotated[dict[str, dict[str, ByLanguage]], described("Code → path → the provision in words of this site.")]
    ]


class DecisionTableJson(TypedDict):
    """The questions and rows of one code."""

    asks: list[str]
    rows: list[RowJson]


class _AnySituationJson(TypedDict):
    id: str
    name: ByLanguage
    phase: Annotated[str, one_of_list("phases")]
    score: Annotated[float | None, described("From 0 to 1; null where no words were asked.")]
    provisions: Annotated[dict[str, list[str]], described("Edition → ids, the deciding ones first.")]
    answers: Annotated[dict[str, str], described("Question → answer, as far as the words that were asked state them.")]
    url: str


class SituationJson(_AnySituationJson):
    """A situation in a list."""

    tables: Annotated[list[str], described("The codes with questions, the one in force first.")]


class SituationsJson(TypedDict):
    """Situations."""

    situations: list[SituationJson]


class WholeSituationJson(_AnySituationJson):
    """A situation with its questions and tables."""

    near: list[str]
    asks: list[AskJson]
    tables: dict[str, DecisionTableJson]
    words: Annotated[dict[str, dict[str, ByLanguage]], described("The closed lists: list → word → its names.")]


class RowReachedJson(TypedDict):
    """The answers lead to one row."""

    row: RowJson


class NextQuestionJson(TypedDict):
    """The answers leave several rows open."""

    next: AskJson
    open: list[str]
    now: Annotated[SpokenStepJson | None, described("What is ruled now, if it is the same in all rows still open.")]


Outcome = RowReachedJson | NextQuestionJson


# -- Search ---


class FactorJson(TypedDict):
    """A factor of a score."""

    name: str
    value: float
    how: Literal["+", "×"]


class ResultJson(TypedDict):
    """A provision that was found."""

    id: str
    edition: EditionId
    path: str
    citation: str
    heading: str | None
    score: float
    snippet: Annotated[str, described("HTML: escaped text with mark elements")]
    counterparts: list[str]
    notes: Annotated[list[NoteJson], described("What is said of slips of the print in the provision.")]
    factors: NotRequired[
        Annotated[
            list[FactorJson],
            described(
                "With explain=1: the score is their sum and product, in their order from 0, rounded to four places."
            ),
        ]
    ]


class InterpretationJson(TypedDict):
    """How the query was read: as citations or as text."""

    kind: Literal["citation", "text"]
    paths: list[str]
    lang: str | None


class LawResultsJson(TypedDict):
    """A law and the ids of its results."""

    law: str
    results: list[str]


class ComparisonLinkJson(TypedDict):
    """A comparison of editions, and its page."""

    url: str
    path: str
    editions: list[str]


class FactJson(TypedDict):
    """A fact that the query states."""

    kind: Annotated[str, one_of_list("kinds of facts")]
    value: str
    spans: Annotated[list[list[int]], described("From and to which character of the query its words stand.")]


class HitsJson(TypedDict):
    """What a search found."""

    query: str
    interpretation: InterpretationJson
    total: int
    confident: bool
    state: Annotated[
        Literal["sure", "probably", "nothing"],
        described("Whether the results answer surely (then “confident” is true), probably, or nothing answers."),
    ]
    facts: Annotated[list[FactJson], described("What the query states and what counts (without “nofact”).")]
    suggestion: str | None
    results: list[ResultJson]
    groups: Annotated[
        list[LawResultsJson],
        described("The results by law, in the edition that the reader reads first: what the page shows as cards."),
    ]
    facets: Annotated[dict[str, dict[str, int]], described("Filter → value → how many results have it.")]
    capped: Annotated[bool, described("Whether more may be found than are listed: total is then the least number.")]
    compare: NotRequired[
        Annotated[ComparisonLinkJson, described("Where changes are asked for: the comparison that answers.")]
    ]


class DecidingAnswerJson(TypedDict):
    """An answer to the question that decides."""

    id: str
    text: ByLanguage
    row: Annotated[str | None, described("The row that the answer leads to; null where further questions decide.")]


class DecidingQuestionJson(TypedDict):
    """A question of a situation whose answers lead to one of the two best results or to the other."""

    situation: str
    code: str
    ask: str
    question: ByLanguage
    answers: list[DecidingAnswerJson]


class AnswerJson(HitsJson):
    """What a search found, and the situations that its words describe."""

    ask: Annotated[
        DecidingQuestionJson | None, described("Asks for the fact that decides between the two best results.")
    ]
    situations: Annotated[
        list[SituationJson], described("What the words describe, best first.", max_length=MAX_SITUATIONS_IN_SEARCH)
    ]


class SuggestionJson(TypedDict):
    """A completion of what was typed."""

    text: str
    kind: SuggestionKind
    url: str


class SuggestionsJson(TypedDict):
    """Completions of what was typed."""

    suggestions: list[SuggestionJson]


# -- Terms ---

Words = Annotated[dict[str, list[str]], described("By language, the preferred one first.")]
Provisions = Annotated[dict[str, list[str] | None], described("By edition; null where it has none.")]


class SimilarTermJson(TypedDict):
    """A term that is easily confused with this one, and how to tell them apart."""

    term: str
    why: ByLanguage


class UnlikeWordsJson(TypedDict):
    """Words that contain a name of the term and do not mean it."""

    lang: str
    words: str


class TermJson(TypedDict):
    """A concept of the laws."""

    id: str
    names: Words
    wordings: Words
    players: Words
    defined: Provisions
    about: Provisions
    none: Annotated[dict[str, Reason], described("By edition, why it has no such concept.")]
    broader: list[str]
    related: list[str]
    apart: list[SimilarTermJson]
    unlike: list[UnlikeWordsJson]
    url: str


class TermsJson(TypedDict):
    """Concepts of the laws."""

    terms: list[TermJson]


class WholeTermJson(TermJson):
    """A concept of the laws, with what uses it."""

    narrower: list[str]
    used: Annotated[dict[str, list[str]], described("By edition, the provisions that use it.")]
    situations: list[str]


# -- Rulings ---


class RankJson(TypedDict):
    """A book or regulation in the order of precedence of a body, with its rank. The lowest rank goes first."""

    rank: int
    text: str


class LinkJson(TypedDict):
    """A link to more information."""

    url: str
    text: str
    lang: str


class BodyJson(TypedDict):
    """A federation or another body."""

    id: str
    name: str
    title: str
    lang: str
    country: Annotated[str, described("ISO 3166-1, or a code left to users")]
    country_name: ByLanguage
    edition: str | None
    precedence: list[RankJson]
    laws: Annotated[dict[str, str], described("Code → the day from which it is in force there.")]
    links: list[LinkJson]
    url: str


ForceJson = TypedDict("ForceJson", {"from": str | None, "to": str | None, "standing": LegalStatus})


class PlaceInOrderJson(TypedDict):
    """The place of a ruling in the order of precedence, and the text just before it."""

    rank: int
    after: str | None


class RulingSourceJson(TypedDict):
    """Where a ruling was published."""

    name: str
    url: str | None


class RulingJson(TypedDict):
    """What a body ruled."""

    id: Annotated[str, described("<body>/<number>")]
    body: str
    country: str
    number: str
    kind: RulingKind
    effect: RulingEffect
    code: str
    provisions: Annotated[list[str], described("Paths in the code.")]
    nodes: Annotated[list[str], described("The provisions in every text of the code.")]
    date: str | None
    in_force: ForceJson
    precedence: Annotated[PlaceInOrderJson | None, described("Its place in the order of its own body.")]
    title: ByLanguage
    text: ByLanguage
    source: RulingSourceJson
    conditions: list[ConditionJson]
    edition: str | None
    node: str | None
    url: str


class RulingsJson(TypedDict):
    """Rulings and their bodies."""

    bodies: list[BodyJson]
    rulings: list[RulingJson]


class WholeBodyJson(BodyJson):
    """A body with all its rulings."""

    rulings: list[RulingJson]


# -- Thresholds ---


class ThresholdWordsJson(TypedDict):
    """Printed words that set a threshold. Equal levels stand for equal thresholds."""

    node: str
    lang: str
    words: str
    level: str | None


class ThresholdSourceJson(SourceJson):
    """A page that was looked up, with what it says, in our words."""

    finds: ByLanguage


class ThresholdJson(TypedDict):
    """A matter that the Director judges."""

    id: str
    name: ByLanguage
    same: bool
    cause: str | None
    words: list[ThresholdWordsJson]
    absent: dict[str, Absence]
    sources: list[ThresholdSourceJson]
    url: str


class ThresholdsJson(TypedDict):
    """All matters, in the order of the laws."""

    thresholds: list[ThresholdJson]


# -- Scores ---


class FigureJson(TypedDict):
    """A number that a text prints. Characters ``start`` to ``end`` of the text of ``node`` have it."""

    node: str
    start: int
    end: int
    value: Annotated[float | None, described("The number; null where the text says “the value of the trick”.")]
    line: Annotated[int, described("Line of the source where it is printed.")]
    column: int
    printed: Annotated[str, described("What the source prints there; empty where it lost the figure.")]
    mark: Annotated[str | None, described("Why the print is not read as it stands.")]


class ScorePartJson(TypedDict):
    """A part of a score: ``count`` times a figure."""

    name: str
    points: int
    count: int
    figures: list[FigureJson]


class ContractScoreJson(TypedDict):
    """The score of a contract, from declarer's side."""

    score: int
    over: Annotated[int, described("Tricks over the contract; negative if it is down.")]
    parts: list[ScorePartJson]
    provisions: list[str]


class ImpsJson(TypedDict):
    """IMPs for a difference."""

    imps: int
    figures: list[FigureJson]
    provisions: list[str]


class MatchpointsJson(TypedDict):
    """Matchpoints in the order of the scores."""

    matchpoints: list[float]
    figures: list[FigureJson]
    provisions: list[str]


class RevokeJson(TypedDict):
    """What follows from a revoke."""

    transfer: Annotated[int, described("Tricks that go over to the non-offending side.")]
    adjusted: Annotated[bool, described("Whether the Director adjusts the score.")]
    established: bool
    provisions: list[str]


class ArtificialJson(TypedDict):
    """Artificial adjusted scores of both sides; lists have North-South first."""

    ns: str
    ew: str
    percent: NotRequired[list[float]]
    imps: NotRequired[Annotated[list[int | None], described("null where these laws print no number.")]]
    matchpoints: NotRequired[list[float]]
    provisions: list[str]


class WeightedTermJson(TypedDict):
    """A score, its weight, and what it is worth in the unit of the result."""

    score: int
    weight: float
    worth: float


class WeightedJson(TypedDict):
    """A weighted score, not rounded."""

    result: float
    unit: Annotated[str, _one_of("points", "imps", "matchpoints")]
    terms: list[WeightedTermJson]
    provisions: list[str]
