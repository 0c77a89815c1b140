"""Citations in a query: “16D2”, “31 A 2”, “przep. 25.B.1”, “§ 70 C”, “fn 7”, “16C 1997”, or several of them.

:class:`CitationParser` is the entry point. It returns a :class:`index.query.model.CitationQuery`, or None for other
text.

A query is a citation if it holds only labels, law words, edition words and joining words. It may also hold words from
the headings of what is cited: “27 insufficient bid”. Other words may stand beside a clear label: “przepis 27 co teraz”,
“16D2 hesitation”. A number is never changed: a path that no edition has stays as it was typed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from corpus import address
from corpus.label import ORDINAL_SIGNS, may_be_steps, read_citation_paths, read_range, replace_lookalikes
from corpus.letters import fold
from corpus.library import Library
from corpus.model import CONTAINER_KINDS, NodeId
from index.query.model import CitationQuery
from index.query.spoken import SpokenCitations


class Footnotes:
    """The footnotes of all editions."""

    def __init__(self, library: Library, paths: Collection[str]):
        """``paths`` are the paths of all editions."""
        self._paths = paths
        # (language, law) → paths of the law's footnotes
        self._of_law: Mapping[tuple[str, str], dict[str, None]] = defaultdict(dict)
        for node in library.nodes.values():
            for mark in node.marks:
                self._of_law[node.lang, address.split_path(node.path)[0]][NodeId(mark.target).path] = None

    def find_paths(self, numbers: Collection[int], of_law: bool, lang: str | None) -> list[str | None]:
        """Return the footnote paths that one or two numbers beside a word for a footnote mean.

        ``of_law``: the query also has a word for a law. “fn 7” → ``fn/7``. “50 fn 2” and “przypis 2 do 50” →
        ``50/fn/2``. “przypis do 50” and “note to law 70” → the footnotes of the law, in the reader's language if there
        are any, because footnotes that are numbered through the book have different numbers in each text. Returns
        ``[None]`` for any other count of numbers.
        """
        if not 1 <= len(numbers) <= 2:
            return [None]
        first, *rest = numbers
        if rest:
            both = [f"{first}/fn/{rest[0]}", f"{rest[0]}/fn/{first}"]
            return [next((p for p in both if p in self._paths), both[0])]
        own = self._of_law.get((lang or "", str(first)), {})
        every = (path for (_, law), paths in self._of_law.items() if law == str(first) for path in paths)
        through, hanging = f"fn/{first}", list(own or dict.fromkeys(every))
        if through in self._paths and not (of_law and hanging):
            return [through]
        return [*hanging] or [through]


# Words are compared by this many first letters, because a heading may be typed in any inflected form.
STEM_LENGTH = 5

TermFinder = Callable[[str, str | None], Collection[str]]


class Headings:
    """The words and terms in the headings of every path, in all editions."""

    def __init__(self, library: Library, names: TermFinder):
        """``names`` maps (words, language) to the slugs of the terms that the words name."""
        # Lower-case path → the stems of the words in its headings and in those above it, and the slugs of their terms.
        self._said: dict[str, frozenset[str]] = {}
        around: dict[NodeId | None, frozenset[str]] = {}
        for node in library.nodes.values():
            own: frozenset[str] = frozenset()
            if node.heading and node.kind not in CONTAINER_KINDS:
                own = frozenset(word[:STEM_LENGTH] for word in re.findall(r"[^\W\d_]+", fold(node.heading)))
                own |= frozenset(names(node.heading, node.lang))
            around[node.id] = around.get(node.parent, frozenset()) | own
            self._said[node.path.lower()] = self._said.get(node.path.lower(), frozenset()) | around[node.id]

    def contain_words(self, words: Sequence[str], paths: Iterable[str]) -> bool:
        """Whether all of the folded words stand in the headings of the paths, or in headings above them.

        Only the first letters of words are compared.
        """
        stems = frozenset().union(*(self._said.get(path.lower(), frozenset()) for path in paths))
        return all(word[:STEM_LENGTH] in stems for word in words)

    def contain_any_term(self, terms: Collection[str], paths: Iterable[str]) -> bool:
        """Whether one of the terms (``terms`` are slugs) is named in the headings of the paths, or in headings above
        them.
        """
        return any(not self._said.get(path.lower(), frozenset()).isdisjoint(terms) for path in paths)


_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|\s+")
_NUMERAL = re.compile(ORDINAL_SIGNS["I"].pattern)
_EDGE_SIGNS = " .:-/()[]"
MOST_PATHS = 12
MOST_PIECES = 6 * MOST_PATHS
# Marks where another citation begins.
_SEPARATOR = ","
# A number with a letter after it (27B1). It is a clear label unless it may be a bid.
_LABELLED_NUMBER = re.compile(r"(?<!\w)(?<!\d[.,])\d{1,2}[A-Za-z](?![^\W\d_])")
_BIDLIKE = re.compile(r"[1-7](?:[cdhsn]|[^\W\d_])", re.IGNORECASE)
MOST_TOKENS_BESIDE = 6  # words that may stand beside a clear label
_LAST_STEP = re.compile(r"(?:[^\W\d_]+|\d+)\W*$")


class CitationParser:
    """Parses citations with the citation words and the paths of all editions.

    :mod:`corpus.label` knows how a label may be spelt.
    """

    def __init__(self, library: Library, names: TermFinder, suits: Collection[str] = ()):
        """``names`` maps (words, the reader's language) to the slugs of the terms that they name. ``suits`` are folded
        words that, after a number, make it a bid or a number of cards.
        """
        self._find_terms, self._suits = names, frozenset(suits)
        self._words = words = library.citation_words
        numerals = (word.partition(":") for word in words.numbers)
        self._numerals = {stem: int(number) for stem, _, number in numerals}
        self._splitting = words.law | words.point | words.note | words.chapter | words.joiner
        # Lower-case path → the path as an edition has it. Of two spellings (13/1/B, 13/1/b) the one with capitals wins.
        self._paths = {path.lower(): path for path in sorted({n.path for n in library.nodes.values()}, reverse=True)}
        self._footnotes = Footnotes(library, set(self._paths.values()))
        self._counted = tuple(words.counted)
        self._headings = Headings(library, names)
        self._editions_by_name: dict[str, set[str]] = {}
        for edition in library.editions.values():
            called = {fold(w) for w in re.findall(r"\w+", f"{edition.id} {edition.short}")} | {str(edition.year)}
            for name in called:
                if len(name) > 2 or name == edition.lang:
                    self._editions_by_name.setdefault(name, set()).add(edition.id)
        self._spoken = SpokenCitations(words, self._editions_by_name.keys())

    def parse(self, query: str, lang: str | None = None) -> CitationQuery | None:
        """Return the citations that the query consists of, or None if it is a text. ``lang`` is the language of the
        reader.

        ``"§ 70 C"`` → ``70/C``; ``"16C 1997"`` → ``16/C`` of the editions of 1997; ``"27B1, 30 i 31"`` → three paths.
        """
        query = self._numbers_to_digits(replace_lookalikes(query))
        if query[:1] in ("-", "+"):
            return None  # a score, or a word to exclude
        if not any(c.isdecimal() for c in query) and not self._words.chapter.intersection(fold(query).split()):
            return None
        words = re.findall(r"[^\W\d_]+|\d+", fold(query))
        if len(words) > MOST_PIECES:
            return None
        query, editions, points = self._split_editions(query)
        about = points and self._asks_for_decisions(query)
        note = bool(self._words.note.intersection(words))
        chapter = bool(self._words.chapter.intersection(words))
        chunks = self._chapter_numerals(query) if chapter else self._split_chunks(query)
        if chunks is None or (not chunks and not editions):
            return None
        paths: list[str | None]
        if chapter:
            paths = [f"chapter/{c}" for c in chunks]
        elif note:
            paths = self._footnote_paths(chunks, bool(self._words.law.intersection(words)), lang)
        else:
            paths = [p for c in self._complete_chunks(chunks) for p in self._paths_of_chunk(c)]
        if not paths or None in paths:
            return None
        cited = tuple(dict.fromkeys(p for p in paths if p))[:MOST_PATHS]
        return CitationQuery(lang, cited, tuple(sorted(editions)), points, about)

    def parse_spoken(self, query: str, lang: str | None = None, *, in_words: bool) -> CitationQuery | None:
        """Return the citation that a query says: “sixty four A two”. Every cited path exists in some edition.

        ``in_words``: some of its numbers or letters must be said in words; else none may be.
        """
        written = self._spoken.write(replace_lookalikes(query))
        if written is None or written[1] != in_words:
            return None
        cited = self.parse(written[0], lang)
        return cited if cited and all(map(self.has_path, cited.paths)) else None

    def parse_among_words(self, query: str, lang: str | None = None) -> CitationQuery | None:
        """Return the citations of a query that has other words too, or None if the words do not show that a law is
        meant.

        The other words must stand in the headings of what is cited, or name a term of those headings, or be few and
        stand beside a clear label. Every cited path must exist in some edition.
        """
        query = self._numbers_to_digits(replace_lookalikes(query))
        rest, words = self._split_words(query)
        if not words or not any(c.isdecimal() for c in rest):
            return None
        cited = self.parse(rest, lang)
        if cited is None or not all(map(self.has_path, cited.paths)):
            return None
        named = self._find_terms(" ".join(words), lang)
        if len(words) == 1 and words[0].startswith(self._counted):
            return cited if self._has_clear_label(query) else None
        if self._headings.contain_words(words, cited.paths) or self._headings.contain_any_term(named, cited.paths):
            return cited
        return cited if len(words) <= MOST_TOKENS_BESIDE and self._has_clear_label(query) else None

    def parse_ignoring_words(self, query: str, lang: str | None = None) -> CitationQuery | None:
        """Return the citations of a query, whatever other words it has. Used where the query asks what changed.

        Returns None if some cited path exists in no edition.
        """
        rest, _ = self._split_words(self._numbers_to_digits(replace_lookalikes(query)))
        cited = self.parse(rest, lang)
        return cited if cited and all(map(self.has_path, cited.paths)) else None

    def other_words_are_in_headings(self, query: str, lang: str | None = None) -> bool:
        """Whether all words beside the citations stand in the headings of what is cited: “25 zmiany zapowiedzi”."""
        rest, words = self._split_words(self._numbers_to_digits(replace_lookalikes(query)))
        cited = self.parse(rest, lang) if words else None
        return cited is not None and self._headings.contain_words(words, cited.paths)

    def _numbers_to_digits(self, query: str) -> str:
        """Return the query with the number after a law word in digits: “prawo siedemdziesiąte drugie” → “prawo 72”."""
        pieces = _PIECE.findall(query)
        at = 0
        while at < len(pieces):
            if fold(pieces[at]) in self._words.law:
                value, end = self._read_number_words(pieces, at + 1)
                if value:
                    pieces[at + 1 : end] = [" ", str(value)]
            at += 1
        return "".join(pieces)

    def _read_number_words(self, pieces: list[str], at: int) -> tuple[int, int]:
        """Read a number in words from ``pieces[at]`` on, tens before units.

        Returns the number and the place where its words end; the number is 0 if there are no number words.
        """
        value, end = 0, at
        while at < len(pieces):
            piece = fold(pieces[at])
            if piece.isalpha() and piece not in self._words.joiner:
                known = [stem for stem in self._numerals if piece.startswith(stem)]
                number = self._numerals[max(known, key=len)] if known else 0
                if not number or (value and (value % 10 or number > 9)):
                    break
                value, end = value + number, at + 1
            elif not piece.isspace() and piece not in self._words.joiner | {"-", "."}:
                break
            at += 1
        return value, end

    def _split_words(self, query: str) -> tuple[str, list[str]]:
        """Return the query without the words that no citation has, and those words, folded."""
        kept: list[str] = []
        words: list[str] = []
        for piece in _PIECE.findall(query):
            word = fold(piece)
            cites = (
                word in self._splitting
                or word in self._words.level | self._words.number
                or word in self._editions_by_name
            )
            if len(word) > 1 and piece.isalpha() and not cites and not may_be_steps(piece):
                words.append(word)
                # “16 ako v …”: a letter that leads in to a removed word is not a label.
                while kept and (kept[-1].isspace() or self._ends_in_joining_letter(kept)):
                    kept.pop()
                kept.append(" ")
            else:
                kept.append(piece)
        return "".join(kept), words

    def _ends_in_joining_letter(self, pieces: list[str]) -> bool:
        """Whether the last of the pieces is a single letter that joins words, and no label of a number before it: “16
        ako v”.
        """
        alone = len(pieces) < 2 or pieces[-2].isspace()
        return alone and len(pieces[-1]) == 1 and fold(pieces[-1]) in self._words.joiner

    def _has_clear_label(self, query: str) -> bool:
        """Whether the query has a label that can be nothing else.

        That is a number after a law word with no suit word behind it, or a number with a letter that makes no bid.
        """
        pieces = [fold(p) for p in _PIECE.findall(query) if not p.isspace() and p not in ".:"]
        announced = self._words.law | self._words.number | {"§"}
        for before, piece, after in zip(pieces, pieces[1:], [*pieces[2:], ""], strict=False):
            if piece.isdecimal() and before in announced and after not in self._suits:
                return True
        return any(not _BIDLIKE.fullmatch(m.group()) for m in _LABELLED_NUMBER.finditer(query))

    def has_path(self, path: str) -> bool:
        """Whether some edition has the path."""
        return path.lower() in self._paths

    def _split_editions(self, query: str) -> tuple[str, set[str], bool]:
        """Remove words that name editions (“1997”, “MPB”, “kodeks”) from the query.

        Returns the rest, the ids of the editions, and whether the query has a word for a point of a decision. Several
        names keep the editions that fit all of them, or all named editions where none does.
        """
        editions: set[str] | None = None
        points = False

        def remove_name(match: re.Match) -> str:
            nonlocal editions, points
            word = fold(match.group())
            if word in self._editions_by_name:
                named = self._editions_by_name[word]
                editions = named if editions is None else (editions & named) or (editions | named)
                return " "
            if word in self._words.point:
                points = True
            return match.group()

        return re.sub(r"\b\w+\b", remove_name, query), editions or set(), points

    def _asks_for_decisions(self, query: str) -> bool:
        """Whether the query asks for decisions about a law, as “decyzja do 12C” does, and not for the decision of that
        number.
        """
        words = [fold(p) for p in _PIECE.findall(query) if not p.isspace()]
        return any(one in self._words.point and other in self._words.about for one, other in pairwise(words))

    def _split_chunks(self, query: str) -> list[str] | None:
        """Return the stretches of labels between law words and joining words, or None if the query has other words."""
        chunks: list[str] = []
        chunk = ""
        pieces = _PIECE.findall(query)
        for i, piece in enumerate(pieces):
            before = (chunk.strip() and chunk) or "".join(chunks)
            added = self._interpret_word(piece, before, pieces[i + 1 :]) if piece.isalpha() else _interpret_sign(piece)
            if added is None:
                return None
            if added == _SEPARATOR:
                chunks.append(chunk)
                chunk = ""
            else:
                chunk += added
        chunks.append(chunk)
        return [c.strip(_EDGE_SIGNS) for c in chunks if c.strip(_EDGE_SIGNS)]

    def _interpret_word(self, piece: str, before: str, after: list[str]) -> str | None:
        """Return what a word (``piece``) adds to the labels ``before`` it: itself, a blank, nothing or a separator.

        ``after`` are the pieces that follow. Returns None for a word that no citation has.
        """
        word, begun = fold(piece), any(c.isdecimal() for c in before)
        splits = word in self._splitting
        label = begun and may_be_steps(piece) and not (len(piece) > 1 and before[-1:].isspace() and splits)
        if label and not self._is_joiner(word, before, after):
            return piece
        if word in self._words.level and begun:
            return " "
        if word in self._words.number:
            return ""
        if splits:
            return _SEPARATOR
        return piece if _NUMERAL.fullmatch(piece.upper()) else None

    def _complete_chunks(self, chunks: list[str]) -> list[str]:
        """Join or complete chunks where some edition has the result.

        Signs may part the steps of one citation (“27, B, 1”). A list may go on with a last step only (“12C1a, b”).
        """
        out: list[str] = []
        parted = False
        for chunk in chunks:
            before = out[-1] if out else ""
            if before and (chunk[:1].isalpha() or (parted and before[-1:].isalpha())):
                longer, beside = f"{before} {chunk}", _LAST_STEP.sub(chunk, before)
                if (before.isdecimal() or parted) and self._known_path(longer):
                    out[-1], parted = longer, True
                    continue
                if chunk[:1].isalpha() and (known := self._known_path(beside)):
                    out.append(known)
                    continue
            out.append(chunk)
            parted = False
        return out

    def _chapter_numerals(self, query: str) -> list[str] | None:
        """Return the Roman numerals of “rozdział IV”, or None if other words are there."""
        out = []
        for piece in re.findall(r"\w+", query):
            if fold(piece) in self._words.chapter:
                continue
            if _NUMERAL.fullmatch(piece.upper()):
                out.append(piece.upper())
            elif fold(piece) not in self._words.joiner:
                return None
        return out

    def _is_joiner(self, word: str, before: str, after: list[str]) -> bool:
        """Whether a single letter means “and” (“27 i 30”, “12 a 16”) and is no label.

        It is a label if the labels ``before`` it and the pieces ``after`` it make a known path with it.
        """
        if word not in self._words.joiner or not before[-1:].isspace() or not after or not after[0].isspace():
            return False
        rest = "".join(after[:4])
        if self._known_path(f"{before}{word}{rest}".strip(_EDGE_SIGNS)):
            return False
        # Another number follows, or another last step of the same path: “70 c i d”.
        beside = _LAST_STEP.sub(rest.strip(), before.strip(_EDGE_SIGNS))
        return any(c.isdecimal() for c in rest[:5]) or bool(rest.strip().isalpha() and self._known_path(beside))

    def _paths_of_chunk(self, chunk: str) -> list[str | None]:
        """Return the paths of one chunk: a single citation, a range, or several citations in a row (“27 30 31”).

        An element is None where no citation can be read.
        """
        if known := self._known_path(chunk):
            return [known]
        if run := read_range(chunk):
            return [self._paths.get(p.lower(), p) for p in run]
        parts = re.split(r"\s+(?=\d)", chunk)
        for cut in range(len(parts) - 1, 0, -1):
            if head := self._known_path(" ".join(parts[:cut])):
                rest = self._paths_of_chunk(" ".join(parts[cut:]))
                if None not in rest:
                    return [head, *rest]
        return [next(iter(read_citation_paths(chunk)), None)]

    def _known_path(self, spelling: str) -> str | None:
        """Return the first path that the spelling may mean and that some edition has, or None."""
        return next((self._paths[p.lower()] for p in read_citation_paths(spelling) if p.lower() in self._paths), None)

    def _footnote_paths(self, chunks: list[str], of_law: bool, lang: str | None) -> list[str | None]:
        """Return the footnotes that the numbers mean. Returns ``[None]`` if there are letters: no footnote number has
        any.
        """
        if any(c.isalpha() for c in "".join(chunks)):
            return [None]
        return self._footnotes.find_paths([int(n) for c in chunks for n in re.findall(r"\d+", c)], of_law, lang)


def _interpret_sign(piece: str) -> str | None:
    """Return what a digit, blank or sign adds to the labels before it, or None for a sign that no citation has."""
    if piece in ",;&+":
        return _SEPARATOR
    if piece.isspace() or piece.isdecimal() or piece in "./()[]-:":
        return piece
    return "" if piece in "§#*†?!\"'" else None
