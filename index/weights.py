"""Every number that orders hits, or that makes an answer sure: a table of named values, each with its reason and what
it earned.

``off`` is the value at which a number says nothing. ``lexbridge evaluate --ablate`` asks the judged queries with each
number off; ``earned`` is what that cost when it was last measured, in thousandths of S@1 and S@3, of our queries and
of a stranger's. What earns nothing and is no rule of the house has no place here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any


def _weight(value: float, *, off: float, why: str, earned: str = "") -> Any:
    """A field of the table, with what a maintainer asks of a number."""
    return field(default=value, metadata={"off": off, "why": why, "earned": earned})


@dataclass(frozen=True)
class Weights:
    """What steps of the search are given; another table ranks otherwise, nothing else changes."""

    # ── built into the index: what a word of a provision weighs by where it stands, beside 1 for its text ──
    heading_word: float = _weight(2.5, off=1.0, why="a heading names what its provision is about")
    headword: float = _weight(4.0, off=2.5, why="the term that a definition defines")
    above_heading: float = _weight(1.0, off=0.0, why="headings above are read before the provision")
    above_text: float = _weight(0.5, off=0.0, why="so are the lead-ins above")
    below_heading: float = _weight(0.6, off=0.0, why="a law is about what stands under it")
    below_text: float = _weight(0.3, off=0.0, why="and what is said there")

    # ── reading a query: how well a term of the index stands for a word, beside 1 for the word itself ──
    long_term: float = _weight(0.85, off=1.0, why="a name of several words: the words themselves are there, too")
    likely: float = _weight(0.6, off=0.0, why="a longer word that begins so; the same word of another language")
    kin: float = _weight(0.45, off=0.0, why="a word of the family: verb and noun of one thing")
    kin_share: float = _weight(0.65, off=0.0, why="the share of the longer word that kin have in common")
    not_meant: float = _weight(0.45, off=1.0, why="words that are denied, or mean something else within a longer name")
    unnamed: float = _weight(0.45, off=0.0, why="words of a term that no text of a language has")
    meant: float = _weight(
        0.6, off=0.0, why="what stands for a word less well is neither required, excluded nor its topic"
    )

    # ── reading a query: which language it is in, beside 1 for a word to skip ──
    known_word: float = _weight(0.9, off=0.0, why="a word that the language knows")
    letter: float = _weight(0.7, off=0.0, why="a letter that the language has, or has not")
    hint: float = _weight(0.8, off=0.0, why="the reader's own language, unless the words say otherwise")

    # ── candidates: the words of the query, as in BM25 ──
    saturation: float = _weight(1.1, off=0.0, why="k1: a word said twice says less than two words")
    length: float = _weight(0.35, off=0.0, why="b: a long provision holds more words by chance")
    around: float = _weight(0.35, off=0.0, why="words above and below a provision, beside its own")
    around_cover: float = _weight(0.65, off=0.0, why="how far such words answer to one of the query")
    uncovered: float = _weight(0.3, off=1.0, why="what is left of a score where next to nothing of the query is found")
    looked_at: int = _weight(60, off=300, why="bound of the work: so many are looked at word by word")
    ranked: int = _weight(300, off=100_000, why="bound of the work: so many of a language are ranked at all")

    # ── a closer look ──
    frame: float = _weight(0.45, off=1.0, why="a part of the book says nothing by itself")
    mentioned: float = _weight(0.8, off=1.0, why="more than two words ask for a rule, not for a definition")
    other_form: float = _weight(0.93, off=1.0, why="another form of a word than the one typed")
    heading: float = _weight(0.8, off=0.0, why="the query is what the provision is headed")
    heading_part: float = _weight(0.4, off=1.0, why="what is left of that where the heading is about more")
    definition: float = _weight(1.6, off=0.0, why="a definition answers “what is …”")
    topic: float = _weight(0.35, off=0.0, why="the printed subject index names the provision")
    year: float = _weight(1.5, off=1.0, why="the year that a query names")

    # ── between editions and laws ──
    other_language: float = _weight(0.9, off=1.0, why="the reader's language before others")
    superseded: float = _weight(0.97, off=1.0, why="an edition in force before one that is not")
    extract: float = _weight(
        0.9, off=1.0, why="an extract of what is not in force says nothing that a full edition does not"
    )
    agreement: float = _weight(0.25, off=0.0, why="what editions agree on is more than what one says")
    voters: int = _weight(90, off=1_000, why="so many hits are listened to when editions are compared")
    same_law: float = _weight(0.7, off=1.0, why="the second clause of a law says less than the first of the next")

    # ── quotations and citations ──
    quoted: float = _weight(0.1, off=0.0, why="where only words to skip are quoted, the place alone counts")
    nearest: float = _weight(0.3, off=0.0, why="the nearest provision, beside 1 for the one cited")

    # ── whether an answer is sure ──
    enough_few: float = _weight(
        0.72, off=0.0, why="share of up to three words, weighted by rarity, that a sure hit has"
    )
    enough_four: float = _weight(0.55, off=0.0, why="the same of four words")
    enough_many: float = _weight(0.48, off=0.0, why="the same of more: some only tell the story")
    guessed: float = _weight(0.72, off=1.0, why="a correction that may be another word proves less")
    held: float = _weight(
        0.8, off=0.0, why="beside what the laws do not treat, every word must stand in the hit itself"
    )
    first: int = _weight(3, off=1, why="so many hits may be the one that answers")

    # ── bound of an answer ──
    listed: int = _weight(200, off=100_000, why="no answer is longer; what stands further down answers nothing")


WEIGHTS = Weights()
# Those that are built into the index: another value needs another index.
BUILT = ("heading_word", "headword", "above_heading", "above_text", "below_heading", "below_text")


def off(name: str, weights: Weights = WEIGHTS) -> Weights:
    """The table with one number that says nothing."""
    return replace(weights, **{name: next(f for f in fields(weights) if f.name == name).metadata["off"]})
