"""The account of a spoken sentence: it says the orders that it names, and no other.

``spoken/phrases/<language>.tsv`` has a row for each duty, role and object that a sentence of ``spoken/`` names:

- ``list`` and ``id``: a word of the closed lists. Two more kinds of row: ``roles`` with the id ``offender leads`` holds
  further phrases of a person where he does that, often impersonal ones (“there are no lead restrictions”);
  ``orders`` holds the phrases of an order that is no duty (``off 26/B``), where the sentence must hold one.
- ``phrases``: alternatives, separated by `` | ``. A phrase is words that stand in this order, also with other words
  between them, in one part of the sentence; a part ends at ``.``, ``;`` or ``:``. Words joined by ``_`` stand side by
  side. ``*`` at the end of a word is any ending, ``*`` alone is a phrase that every sentence holds.
- ``not``: phrases that mean something else. A match that shares a word with one of them does not count.

:func:`read_phrases` reads the rows, :func:`phrase_faults` holds a sentence against them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from corpus import files
from corpus.model import Problem
from corpus.situation.model import Vocabulary
from corpus.situation.spoken import FOLDER, Sentence, Sentences

PHRASES_FOLDER = f"{FOLDER}/phrases"
COLUMNS = ("list", "id", "phrases", "not")
LISTS = ("duties", "objects", "orders", "roles")
ALTERNATIVES, ALWAYS = " | ", "*"

_WORD = re.compile(r"[\w’'-]+")
_END_OF_PART = re.compile(r"[.;:!?]+(?:\s|$)")
_PART = 1000  # more than a part of a sentence has words: the places of the next part begin at a multiple of it
_PLACE_OF_BID = re.compile(r"\{\w+: ([^{}]*)\}")

Key = tuple[str, str]  # list and id
_Phrase = tuple[tuple[str, bool], ...]  # (word, whether it stands directly after the one before)
_Match = tuple[int, ...]  # the places of the words of a phrase in a sentence
_Places = Mapping[str, Sequence[int]]  # word of a phrase → where it stands in a sentence


@dataclass(frozen=True)
class PhraseRow:
    """What says a duty, a person or an object in a language. ``always``: it may be silent."""

    phrases: tuple[_Phrase, ...]
    excluded: tuple[_Phrase, ...] = ()
    always: bool = False

    def matches(self, places: _Places) -> list[_Match]:
        """Return where its phrases stand, without the matches that share a word with an excluded phrase."""
        found = [match for phrase in self.phrases for match in _matches(phrase, places)]
        if not found or not self.excluded:
            return found
        otherwise = {n for phrase in self.excluded for match in _matches(phrase, places) for n in match}
        return [match for match in found if otherwise.isdisjoint(match)]


@dataclass
class LanguagePhrases:
    """The rows of a language. ``words``: all words of its phrases, as they are written there. ``beginning_with``: the
    duties of which a phrase begins with a word.
    """

    rows: dict[Key, PhraseRow] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    beginning_with: dict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict)  # word of a sentence → those of ``words`` it fits

    def add(self, key: Key, row: PhraseRow) -> None:
        """Add a row."""
        self.rows[key] = row
        self.words.update(word for phrase in (*row.phrases, *row.excluded) for word, _ in phrase)
        self._known.clear()
        if key[0] == "duties":
            for phrase in row.phrases:
                self.beginning_with[phrase[0][0]][key[1]] = None

    def places(self, text: str) -> _Places:
        """Return where the words of the phrases stand in a text."""
        found = defaultdict[str, list[int]](list)
        for part, words in enumerate(_END_OF_PART.split(_PLACE_OF_BID.sub(r"\1", text).lower())):
            for n, word in enumerate(_WORD.findall(words), part * _PART):
                if word not in self._known:
                    forms = (word, *(f"{word[:end]}*" for end in range(1, len(word) + 1)))
                    self._known[word] = tuple(form for form in forms if form in self.words)
                for known in self._known[word]:
                    found[known].append(n)
        return found


Phrases = dict[str, LanguagePhrases]  # by language


def read_phrases(corpus_dir: Path, languages: Iterable[str]) -> tuple[Phrases, list[Problem]]:
    """Return the phrases of ``spoken/phrases``, and what is wrong with the rows by themselves."""
    phrases, problems = Phrases(), list[Problem]()
    for lang in languages:
        phrases[lang] = LanguagePhrases()
        name = f"{PHRASES_FOLDER}/{lang}.tsv"
        table = files.read_tsv(corpus_dir / name, name, COLUMNS)
        problems += table.problems
        for line, cells in table.rows:
            problems += (table.problem(line, *fault) for fault in _row_faults(cells))
            phrases[lang].add((cells["list"], cells["id"]), parse_row(cells["phrases"], cells["not"]))
        keys = [(line, (cells["list"], cells["id"])) for line, cells in table.rows]
        for (_, before), (line, after) in pairwise(keys):
            if before >= after:
                finding = f"“{' '.join(after)}” comes after “{' '.join(before)}”."
                problems.append(table.problem(line, finding, "Sort the rows by list and id, each once."))
    return phrases, problems


def _row_faults(cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if cells["list"] not in LISTS:
        yield f"“{cells['list']}” is no list.", f"Write one of {', '.join(LISTS)}."
    yield from phrase_cell_faults(cells["phrases"], cells["not"])


def phrase_cell_faults(phrases: str, excluded: str) -> Iterator[tuple[str, str]]:
    """Yield (finding, move) for each phrase of two cells that is not written as one."""
    alternatives = phrases.split(ALTERNATIVES)
    for phrase in (*alternatives, *(excluded.split(ALTERNATIVES) if excluded else ())):
        words = phrase.replace("_", " ").split(" ")
        is_silent = phrase == ALWAYS and alternatives == [ALWAYS]
        if not is_silent and not all(_WORD.fullmatch(word.removesuffix("*")) for word in words):
            yield f"“{phrase}” is no phrase.", "Write words between single spaces, or joined by “_”."
        elif phrase != phrase.lower():
            yield f"“{phrase}” has capital letters.", "Write it with small letters."


def parse_row(phrases: str, excluded: str = "") -> PhraseRow:
    """Return a row from its two cells.

    >>> parse_row("may_not lead*").phrases
    ((('may', False), ('not', True), ('lead*', False)),)
    """
    return PhraseRow(
        tuple(_parse_phrase(p) for p in phrases.split(ALTERNATIVES) if p != ALWAYS),
        tuple(_parse_phrase(p) for p in excluded.split(ALTERNATIVES) if p),
        always=phrases == ALWAYS,
    )


def _parse_phrase(phrase: str) -> _Phrase:
    return tuple((word, n > 0) for joined in phrase.split(" ") for n, word in enumerate(joined.split("_")))


def _matches(phrase: _Phrase, places: _Places) -> Iterator[_Match]:
    """Yield where a phrase stands: for each place of its last word, with the other words as near to it as they are."""
    if all(word in places for word, _ in phrase):
        for last in places[phrase[-1][0]]:
            if match := _match_before(phrase, len(phrase) - 1, last, places):
                yield match


def _match_before(phrase: _Phrase, n: int, place: int, places: _Places) -> _Match | None:
    """Return the match of the phrase up to its word ``n``, which stands at ``place``."""
    if n == 0:
        return (place,)
    is_joined = phrase[n][1]
    for before in reversed(places[phrase[n - 1][0]]):
        is_near = before == place - 1 if is_joined else before < place and before // _PART == place // _PART
        if is_near and (match := _match_before(phrase, n - 1, before, places)):
            return (*match, place)
    return None


# -- The account --


def phrase_problems(corpus_dir: Path, sentences: Sentences, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Yield what is wrong with the phrases, and each sentence that does not say its orders or says another. Without
    phrases nothing is held against them.
    """
    if not (corpus_dir / PHRASES_FOLDER).exists():
        return
    phrases, problems = read_phrases(corpus_dir, vocabulary.languages)
    yield from problems
    for sentence in sentences.all():
        for finding, move in phrase_faults(sentence, phrases, vocabulary):
            yield Problem(*sentence.place, finding, move)


def phrase_faults(sentence: Sentence, phrases: Phrases, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Yield (finding, move) for each language in which a sentence does not say a duty, person or object of its orders,
    or says a duty that none of them names.
    """
    named = dict.fromkeys(key for order in sentence.orders for key in named_in(order, vocabulary))
    duties = {id_ for list_, id_ in named if list_ == "duties"}
    for lang, text in sentence.text.items():
        known = phrases.get(lang, LanguagePhrases())
        move = f"Write another sentence. If this one is right, correct the phrases in {PHRASES_FOLDER}/{lang}.tsv."
        places = known.places(text)
        said = set[int]()
        for list_, id_ in named:
            row, matches, is_silent = _find(known, (list_, id_), places)
            said.update(n for match in matches for n in match)
            if row is None and list_ != "orders":
                yield f"“{id_}” ({list_}) has no phrases in {lang}.", f"Write a row in {PHRASES_FOLDER}/{lang}.tsv."
            elif row is not None and not matches and not is_silent:
                yield f"“{text}” ({lang}) does not say “{id_}” ({list_}).", move
        others = dict.fromkeys(id_ for word in places for id_ in known.beginning_with.get(word, ()))
        for id_ in others:
            matches = known.rows["duties", id_].matches(places) if id_ not in duties else []
            if any(not said.issuperset(match) for match in matches):
                yield f"“{text}” ({lang}) says “{id_}”, which it does not name.", move


def named_in(order: str, vocabulary: Vocabulary) -> Iterator[Key]:
    """Yield (list, id) of what an order names: duty, person and object. The person comes with his duty.

    >>> lists = Vocabulary(duties={"leads": {}}, roles={"lho": {}}, objects={"that-card": {}})
    >>> list(named_in("lho leads that-card if:he-can", lists))
    [('duties', 'leads'), ('roles', 'lho leads'), ('objects', 'that-card')]
    >>> list(named_in("off 26/B", lists))
    [('orders', 'off 26/B')]
    """
    who, _, rest = order.partition(" ")
    do, *others = rest.split(" ")
    if do not in vocabulary.duties:
        yield "orders", order
        return
    yield "duties", do
    yield "roles", f"{who} {do}"
    if others and ":" not in others[0]:
        yield "objects", others[0]


def _find(known: LanguagePhrases, key: Key, places: _Places) -> tuple[PhraseRow | None, list[_Match], bool]:
    """Return (row, matches, whether it may be silent). A person has two rows: one alone, and one with the duty."""
    list_, id_ = key
    keys = [key, (list_, id_.split(" ")[0])] if list_ == "roles" else [key]
    rows = [known.rows[k] for k in keys if k in known.rows]
    matches = [match for row in rows for match in row.matches(places)]
    return (rows[0] if rows else None), matches, any(row.always for row in rows)
