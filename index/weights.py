"""The weights of ranking and of the classifier: every number that orders hits or makes an answer confident.

:data:`WEIGHTS` and :data:`CLASSIFIER_WEIGHTS` are the tables in use. Each number has a reason (``why``), a value at
which it has no effect (``off``), and a measurement (``earned``). ``lexbridge evaluate --ablate`` runs the judged
queries with each number off. ``earned`` is what that cost when it was last measured, in thousandths of S@1 and S@3, for
our queries and for queries written by a stranger to the project. A number that earns nothing and is no rule of the
project is removed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any


def _weight_field(value: float, *, off: float, why: str, earned: str = "") -> Any:
    """Return the dataclass field of a number, with its default ``value``.

    The metadata of the field hold ``off``, the value at which the number has no effect; ``why``, its reason; and
    ``earned``, the measurement (see the module docstring).
    """
    return field(default=value, metadata={"off": off, "why": why, "earned": earned})


@dataclass(frozen=True)
class RankingWeights:
    """The weights of the search. They decide which hits come first, and whether the answer is confident."""

    # ── built into the index: the weight of a word by its place, where a word of the text has 1 ──
    heading_word: float = _weight_field(
        2.5, off=1.0, why="a heading names what its provision is about", earned="+11 +2 -8 · | -3 +3 -3 ·"
    )
    headword: float = _weight_field(4.0, off=2.5, why="the term that a definition defines", earned="+3 · · · | · · · ·")
    above_heading: float = _weight_field(
        1.0, off=0.0, why="headings above are read before the provision", earned="· · · · | · · +5 ·"
    )
    above_text: float = _weight_field(0.5, off=0.0, why="so are the lead-ins above", earned="· · · · | · · · ·")
    below_heading: float = _weight_field(
        0.6, off=0.0, why="a law is about what stands under it", earned="· · -2 · | · · · ·"
    )
    below_text: float = _weight_field(0.3, off=0.0, why="and what is said there", earned="+3 · -2 · | · · · ·")

    # ── reading a query: how well a term of the index stands for a word, where the word itself has 1 ──
    term: float = _weight_field(
        0.9,
        off=1.0,
        why="another name of one word: else what a code does not have is answered surely",
        earned="-3 · · · | · +3 -11 ·",
    )
    long_term: float = _weight_field(
        0.85,
        off=1.0,
        why="a name of several words: the words themselves are there, too",
        earned="+5 +2 -8 · | +5 -2 -9 +15",
    )
    likely: float = _weight_field(
        0.6, off=0.0, why="a longer word that begins so; the same word of another language", earned="+3 · · · | · · · ·"
    )
    kin: float = _weight_field(
        0.45, off=0.0, why="a word of the family: verb and noun of one thing", earned="+3 · · · | +2 · +2 ·"
    )
    kin_share: float = _weight_field(
        0.65, off=0.0, why="the share of the longer word that kin have in common", earned="· +2 -2 · | · · -3 ·"
    )
    not_meant: float = _weight_field(
        0.45,
        off=1.0,
        why="words that are denied, or mean something else within a longer name",
        earned="· · -2 · | -3 -2 · ·",
    )
    meant: float = _weight_field(
        0.6,
        off=0.0,
        why="what stands for a word less well is neither required, excluded nor its topic",
        earned="· · · · | · · · ·",
    )

    telling: int = _weight_field(
        2, off=100, why="so many words beside who and which card tell what happened", earned="· · -5 · | · · -3 ·"
    )
    aside: float = _weight_field(
        0.35, off=1.0, why="who, which card and which bid, beside what happened", earned="· · -5 · | · · -3 ·"
    )

    # ── reading a query: which language it is in, where a stop word counts 1 ──
    known_word: float = _weight_field(0.9, off=0.0, why="a word that the language knows", earned="· · · · | · · · ·")
    letter: float = _weight_field(
        0.7, off=0.0, why="a letter that the language has, or has not", earned="· · · · | · · · ·"
    )
    hint: float = _weight_field(
        1.6, off=0.0, why="the reader's own language, unless the words say otherwise", earned="· +2 +8 · | +2 · +11 ·"
    )

    # ── candidates: the words of the query, as in BM25 ──
    saturation: float = _weight_field(
        1.1, off=0.0, why="k1: a word said twice says less than two words", earned="-3 · -8 · | · +3 -6 ·"
    )
    length: float = _weight_field(
        0.35, off=0.0, why="b: a long provision holds more words by chance", earned="-3 +8 -8 · | +8 · · ·"
    )
    around: float = _weight_field(
        0.35, off=0.0, why="words above and below a provision, beside its own", earned="· · -2 · | · · -3 ·"
    )
    around_cover: float = _weight_field(
        0.65, off=0.0, why="how far such words answer to one of the query", earned="· · · · | · · +5 ·"
    )
    uncovered: float = _weight_field(
        0.3,
        off=1.0,
        why="what is left of a score where next to nothing of the query is found",
        earned="-3 +2 · · | +2 +6 +2 ·",
    )
    looked_at: int = _weight_field(
        60, off=300, why="bound of the work: so many are looked at word by word", earned="· · · · | · · · ·"
    )
    ranked: int = _weight_field(
        300, off=100_000, why="bound of the work: so many of a language are ranked at all", earned="· · · · | · · · ·"
    )

    # ── rerank features ──
    mentioned: float = _weight_field(
        0.8, off=1.0, why="more than two words ask for a rule, not for a definition", earned="· · · · | · +3 · ·"
    )
    other_form: float = _weight_field(
        0.93, off=1.0, why="another form of a word than the one typed", earned="+5 · · · | · · -3 ·"
    )
    heading: float = _weight_field(
        0.8, off=0.0, why="the query is what the provision is headed", earned="· +2 -8 · | +2 +3 -6 ·"
    )
    heading_part: float = _weight_field(
        0.4, off=1.0, why="what is left of that where the heading is about more", earned="-3 +2 -2 · | · +3 · ·"
    )
    definition: float = _weight_field(1.6, off=0.0, why="a definition answers “what is …”", earned="· · · · | · · · ·")
    topic: float = _weight_field(
        0.35, off=0.0, why="the printed subject index names the provision", earned="· +2 · · | · · · ·"
    )
    meaning: float = _weight_field(
        3.0, off=0.0, why="the query is a term: this gives its meaning", earned="+46 +5 · · | +44 +25 · ·"
    )
    about: float = _weight_field(
        1.5, off=0.0, why="the query is a term: this deals with it", earned="-3 · · · | · · · ·"
    )
    phrase: int = _weight_field(
        3, off=100, why="so many words in the order of a text are no chance", earned="+5 · +11 · | +5 +3 +11 ·"
    )
    year: float = _weight_field(1.5, off=1.0, why="the year that a query names", earned="· · · · | · · · ·")
    other_year: float = _weight_field(
        0.2, off=1.0, why="the query names the laws of another year", earned="· · · · | · · · ·"
    )
    same_fact: float = _weight_field(
        1.15, off=1.0, why="the query states the fact on which the provision turns", earned="· · · · | · · · ·"
    )
    other_fact: float = _weight_field(
        0.5, off=1.0, why="the query states the opposite of it", earned="· · · · | · · · ·"
    )

    # ── between editions and laws ──
    other_language: float = _weight_field(
        0.9, off=1.0, why="the reader's language before others", earned="· · · · | · · · ·"
    )
    elsewhere: float = _weight_field(
        0.7, off=1.0, why="decisions of a country whose language the reader does not use", earned="· · · · | · · · ·"
    )
    superseded: float = _weight_field(
        0.97, off=1.0, why="an edition in force before one that is not", earned="· · · · | · +3 -3 ·"
    )
    extract: float = _weight_field(
        0.9,
        off=1.0,
        why="an extract of what is not in force says nothing that a full edition does not",
        earned="· · -2 · | · · · ·",
    )
    agreement: float = _weight_field(
        0.25, off=0.0, why="what editions agree on is more than what one says", earned="· · · · | -3 · -3 ·"
    )
    voters: int = _weight_field(
        90, off=1_000, why="so many hits are listened to when editions are compared", earned="· · · · | · · · ·"
    )
    unexpected: float = _weight_field(
        0.6,
        off=1.0,
        why="a provision closely above one of the same law that the likely situation turns on, as 21A above 21B",
        earned="+3 · -8 · | +3 · · ·",
    )
    likely_situation: float = _weight_field(
        0.25, off=9.0, why="from this share on, a situation is likely", earned="+2 · · · | · · -3 ·"
    )
    same_law: float = _weight_field(
        0.85,
        off=1.0,
        why="the second clause of a law says less than the first of the next",
        earned="· -3 · · | · +9 · ·",
    )

    # ── quotations and citations ──
    quoted: float = _weight_field(
        0.1, off=0.0, why="where only words to skip are quoted, the place alone counts", earned="· · · · | · · · ·"
    )
    nearest: float = _weight_field(
        0.3, off=0.0, why="the nearest provision, beside 1 for the one cited", earned="· · · · | · · · ·"
    )

    # ── whether an answer is confident ──
    sure: float = _weight_field(
        -6.51, off=0.0, why="how much evidence there must be at all", earned="-3 -2 -32 +325 | · · -47 +544"
    )
    sure_cover: float = _weight_field(
        3.03,
        off=0.0,
        why="the share of the query that one of the first hits holds",
        earned="· · +181 -25 | · · +191 -44",
    )
    sure_few: float = _weight_field(
        -1.54, off=0.0, why="one or two words are found by chance", earned="· · -5 +75 | · · -19 +15"
    )
    sure_few_cover: float = _weight_field(
        3.88, off=0.0, why="unless all of them are found", earned="· · +191 -25 | · · +139 -44"
    )
    sure_law: float = _weight_field(
        0.21, off=0.0, why="odds that it is told of one law", earned="· · -13 -25 | · · -16 ·"
    )
    sure_section: float = _weight_field(
        0.57, off=0.0, why="the share of the likeliest provision", earned="· · -24 +100 | · · -33 +30"
    )
    sure_unanswered: float = _weight_field(
        -1.37, off=0.0, why="odds that it is nothing that a law answers", earned="· · +671 -25 | · · +604 -44"
    )
    sure_words: float = _weight_field(
        0.72, off=0.0, why="some words of many only tell the story", earned="· · +11 -25 | · · +9 ·"
    )
    sure_many: int = _weight_field(
        8, off=1, why="more words than so many say no more", earned="· · -40 +50 | · · -42 +44"
    )
    least_odds: float = _weight_field(
        0.01, off=0.5, why="a share of a law under this says no more than it", earned="· · -21 +25 | · · -23 +44"
    )
    guessed: float = _weight_field(
        0.72, off=1.0, why="a correction that may be another word proves less", earned="· · · · | · · · ·"
    )
    first: int = _weight_field(3, off=1, why="so many hits may be the one that answers", earned="· · +14 · | · · +16 ·")

    rival: float = _weight_field(
        0.65,
        off=2.0,
        why="beside a provision of the same law with so much of its score, no hit is sure",
        earned="· · -62 · | · · -66 ·",
    )
    rivals: int = _weight_field(
        8, off=1, why="bound of the work: a rival is among so many hits", earned="· · -62 · | · · -66 ·"
    )

    unanswered: float = _weight_field(
        0.3,
        off=2.0,
        why="what no law answers with such a share, and nothing surely, has no hit",
        earned="-3 -2 · · | · · · ·",
    )

    # ── predictions of the classifier: the best score that the words found is 1 ──
    told_law: float = _weight_field(
        1.6, off=0.0, why="the share of its law, of all that sentences taught", earned="+13 +6 -30 · | · -2 -22 ·"
    )
    told_situation: float = _weight_field(
        1.6, off=0.0, why="the share of the situation whose first provision it is", earned="+8 +9 -35 · | -3 · -2 ·"
    )
    told_section: float = _weight_field(
        1.6,
        off=0.0,
        why="its share of what is told, among the provisions of its law",
        earned="-6 +6 +14 · | -8 -2 -11 ·",
    )
    other_section: float = _weight_field(
        0.5,
        off=1.0,
        why="what is left of a hit whose share in its law is far under the best",
        earned="+5 +3 +27 · | · -2 +53 ·",
    )
    whole_section: float = _weight_field(
        0.6, off=1.0, why="of a provision with parts, the part that answers comes first", earned="+3 · +3 · | · · -2 ·"
    )
    told_later: float = _weight_field(
        0.35,
        off=0.0,
        why="the second provision of a situation decides less than the first",
        earned="+8 +2 -2 · | +8 +3 · ·",
    )
    told_whole: float = _weight_field(
        4.0, off=1.0, why="so many words are a telling; fewer are part of one", earned="+8 +6 · · | -3 +9 +20 ·"
    )
    told_deciding: int = _weight_field(
        10, off=1, why="bound of the work: so many provisions of a situation", earned="-8 +2 -8 · | +13 -2 -3 ·"
    )
    told_brought: int = _weight_field(
        40, off=0, why="so many provisions that no word found are brought in", earned="· · · · | · · · ·"
    )
    told_at_least: float = _weight_field(
        0.02, off=1.0, why="a provision that no word found must be told of so surely", earned="· · · · | · · · ·"
    )
    told_alone: float = _weight_field(
        0.1, off=0.0, why="where no text has a word of it, a law must be told of so surely", earned="· · · · | · · · ·"
    )
    told_lawlike: float = _weight_field(
        0.3,
        off=1.0,
        why="words that the laws print in just these forms are less told than read",
        earned="-16 +6 +27 · | +6 +3 +17 ·",
    )
    told_printed: float = _weight_field(
        0.3, off=1.0, why="the words of a provision, as they are printed, ask for it", earned="· · · · | +2 +3 · ·"
    )
    told_term: float = _weight_field(0.3, off=1.0, why="a term alone asks for the term", earned="· +2 · · | +8 · · ·")

    # ── limits of an answer ──
    listed: int = _weight_field(
        200,
        off=100_000,
        why="no answer is longer; what stands further down answers nothing",
        earned="· · · · | · · · ·",
    )


@dataclass(frozen=True)
class ClassifierWeights:
    """The weights of :mod:`index.classifier`.

    ``earned`` is measured over the sentences of the situations (``lexbridge told --ablate``): S@1 and S@3 in
    thousandths, where each fifth of the sentences is tested on a model trained on the other four.
    """

    skipped: float = _weight_field(
        0.4, off=0.0, why="words to skip say little, and “not” and “after” say something", earned="+20 +14"
    )
    beside: float = _weight_field(0.5, off=0.0, why="two words side by side", earned="+5 +3")
    part: float = _weight_field(
        1.0, off=0.0, why="all parts of a word together: forms that no table knows", earned="+52 +45"
    )
    named: float = _weight_field(
        1.0, off=0.0, why="what a reviewed term or player's word names, in any language", earned="-1 +3"
    )
    together: float = _weight_field(1.0, off=0.0, why="two such names in one sentence", earned="+7 +3")
    law: float = _weight_field(
        1.0, off=0.0, why="the law's own words on a situation are read as told of it", earned="+6 +1"
    )
    slack: float = _weight_field(1.0, off=0.1, why="how far a machine of situations bends to single sentences")
    slack_of_laws: float = _weight_field(0.3, off=0.1, why="the same of laws, of which there is less to bend to")
    slack_of_sections: float = _weight_field(1.0, off=0.1, why="the same of the provisions of a law")
    sharpness: float = _weight_field(3.0, off=1.0, why="how far apart shares stand that machines give as margins")
    sharpness_of_laws: float = _weight_field(4.0, off=1.0, why="the same of the machines of laws")
    sharpness_of_sections: float = _weight_field(3.0, off=1.0, why="the same of the provisions of a law")
    talk_smoothing: float = _weight_field(
        0.02, off=0.5, why="added to every count of talk; of it there is far less than of cases, so more would hide it"
    )
    talk_highest: float = _weight_field(
        3.0, off=30.0, why="no word speaks for more than this, for talk or for the case"
    )
    talk_unknown: float = _weight_field(0.6, off=0.0, why="a word that was never said speaks so much for the case")
    talk_change: float = _weight_field(3.5, off=0.0, why="what it costs to go from talk to the case, or back")
    talk_change_at_sign: float = _weight_field(1.5, off=3.5, why="the same at a comma or a full stop")
    least_share: float = _weight_field(0.01, off=0.0, why="a law of a smaller share is not meant")
    likely: float = _weight_field(0.05, off=0.0, why="a first share under this is no situation")
    likely_unanswered: float = _weight_field(
        0.05, off=1.0, why="nor is it one beside such a share of what no law answers: three in four of that have more"
    )
    likely_alone: float = _weight_field(0.5, off=0.0, why="unless it has half of all shares, as what a query names has")
    beside_first: float = _weight_field(
        0.25, off=0.0, why="the part of the first one's share that one told beside it has"
    )


WEIGHTS, CLASSIFIER_WEIGHTS = RankingWeights(), ClassifierWeights()
# These are built into the index: another value needs another index.
BUILT_INTO_INDEX = ("heading_word", "headword", "above_heading", "above_text", "below_heading", "below_text")


def without_weight(name: str, weights: RankingWeights = WEIGHTS) -> RankingWeights:
    """Return the weights with the number called ``name`` at its ``off`` value."""
    return replace(weights, **{name: next(f for f in fields(weights) if f.name == name).metadata["off"]})
