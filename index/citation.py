"""Citations in a query: “16D2”, “31 A 2”, “przep. 25.B.1”, “§ 70 C”, “law 20 f”, “fn 7”, “16C 1997”, several at once.

A query is a citation when nothing but labels, law words, edition words and joining words is left of it. A number is never
changed: a path that no edition has stays as it was typed.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from corpus import address
from corpus.address import fold
from corpus.library import Library
from index.lexicon import Lexicon

_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|\s+")
_LABEL = re.compile(r"[a-z]|[ivx]+")
_ROMAN = re.compile(r"[IVX]+\Z")
MOST = 12


@dataclass(frozen=True)
class Citations:
    """What was cited: paths in the order typed, the editions named with them, and whether points were meant."""

    paths: tuple[str, ...]
    editions: tuple[str, ...] = ()
    points: bool = False


class CitationReader:
    """Knows the law words of all languages and the paths of all editions."""

    def __init__(self, library: Library, lexicons: dict[str, Lexicon]):
        words = lambda *keys: frozenset().union(*(x.words(k) for x in lexicons.values() for k in keys))
        self._law = words("law") | frozenset(fold(w) for x in lexicons.values() for w in x.language.words("law"))
        self._point, self._note, self._chapter = words("point"), words("footnote"), words("chapter")
        # “12 C pkt 1 lit. e” names the levels of one address; “przepis nr 27” only says that a number follows.
        self._level, self._number = words("level"), words("number")
        self._joiner = words("cited_joiners", "stopwords")
        # lower-case path → as an edition has it; of two spellings (13/1/B, 13/1/b) the one with capitals.
        self._paths = {path.lower(): path for path in sorted({n.path for n in library.nodes.values()}, reverse=True)}
        self._named: dict[str, set[str]] = {}
        for edition in library.editions.values():
            names = {fold(w) for w in re.findall(r"\w+", f"{edition.id} {edition.short}")} | {str(edition.year)}
            for name in names:
                if len(name) > 2 or name == edition.lang:
                    self._named.setdefault(name, set()).add(edition.id)
        self.pointed = frozenset(n.edition for n in library.nodes.values() if n.kind == "point")

    def read(self, query: str) -> Citations | None:
        """The citations that a query consists of, or None when it is a text.

        ``"§ 70 C"`` → ``70/C``; ``"16C 1997"`` → ``16/C`` of the editions of 1997; ``"27B1, 30 i 31"`` → three paths.
        """
        if not any(c.isdigit() for c in query) and not self._chapter.intersection(fold(query).split()):
            return None
        words = re.findall(r"[^\W\d_]+|\d+", fold(query))
        if len(words) > 6 * MOST:
            return None
        query, editions, points = self._without_editions(query)
        note = bool(self._note.intersection(words))
        chapter = bool(self._chapter.intersection(words))
        chunks = self._chapters(query) if chapter else self._chunks(query)
        if chunks is None or (not chunks and not editions):
            return None
        if chapter:
            paths = [f"chapter/{c}" for c in chunks]
        elif note:
            paths = self._notes(chunks)
        else:
            paths = [p for c in chunks for p in self._split(c)]
        if not paths or None in paths:
            return None
        return Citations(tuple(dict.fromkeys(paths))[:MOST], tuple(sorted(editions)), points)

    def _without_editions(self, query: str) -> tuple[str, set[str], bool]:
        """Cut words that name editions (“1997”, “MPB”, “kodeks”) and tell whether points were asked for."""
        editions: set[str] | None = None
        points = False

        def cut(match: re.Match) -> str:
            nonlocal editions, points
            word = fold(match.group())
            if word in self._named:
                named = self._named[word]
                editions = named if editions is None else (editions & named) or (editions | named)
                return " "
            if word in self._point:
                points = True
            return match.group()

        return re.sub(r"\b\w+\b", cut, query), editions or set(), points

    def _chunks(self, query: str) -> list[str] | None:
        """Stretches of labels between law words and joining words; None when other words are there."""
        chunks, here = [], ""
        pieces = _PIECE.findall(query)
        for i, piece in enumerate(pieces):
            word = fold(piece)
            if not piece.isalpha():
                if piece in ",;&+":
                    chunks.append(here)
                    here = ""
                elif piece.isspace() or piece.isdigit() or piece in "./()[]-–—:§*†":
                    here += "" if piece in "§:*†[]" else piece
                elif piece not in "?!\"'„”“":
                    return None
                continue
            label = _LABEL.fullmatch(word) is not None and any(c.isdigit() for c in here)
            if label and not self._joins(word, here, pieces[i + 1:]):
                here += piece
            elif word in self._level and any(c.isdigit() for c in here):
                here += " "
            elif word in self._number:
                continue
            elif word in self._law or word in self._point or word in self._note or word in self._chapter or word in self._joiner:
                chunks.append(here)
                here = ""
            elif _ROMAN.match(piece.upper()):
                here += piece
            else:
                return None
        chunks.append(here)
        return [c.strip(" .-–—/()") for c in chunks if c.strip(" .-–—/()")]

    def _chapters(self, query: str) -> list[str] | None:
        """The numerals of “rozdział IV”; None when other words are there."""
        out = []
        for piece in re.findall(r"\w+", query):
            if fold(piece) in self._chapter:
                continue
            if _ROMAN.match(piece.upper()):
                out.append(piece.upper())
            elif fold(piece) not in self._joiner:
                return None
        return out

    def _joins(self, word: str, before: str, after: list[str]) -> bool:
        """Whether a single letter is “and” (“27 i 30”, “12 a 16”) and not a label: no path goes on with it."""
        if word not in self._joiner or not before[-1:].isspace() or not after or not after[0].isspace():
            return False
        rest = "".join(after[:4])
        longer = address.read_citation(f"{before}{word}{rest}".strip(" .-()"))
        return any(c.isdigit() for c in rest[:5]) and (longer is None or longer.lower() not in self._paths)

    def _split(self, chunk: str) -> list[str | None]:
        """The paths of one stretch: one citation, or several one after the other (“27 30 31”)."""
        labels = "/".join(re.findall(r"\d+|[^\W\d_]+", fold(chunk)))
        if labels in self._paths:
            return [self._paths[labels]]
        whole = address.read_citation(chunk)
        if whole and whole.lower() in self._paths:
            return [self._paths[whole.lower()]]
        if run := re.fullmatch(r"(\d{1,3})\s*[-–—]\s*(\d{1,3})", chunk):
            first, last = map(int, run.groups())
            if first < last:
                return [str(n) for n in range(first, last + 1)]
        if run := self._siblings(chunk):
            return run
        parts = re.split(r"\s+(?=\d)", chunk)
        if len(parts) == 1:
            return [whole]
        best: list[str | None] = [whole]
        for cut in range(len(parts) - 1, 0, -1):
            head = address.read_citation(" ".join(parts[:cut]))
            if head and head.lower() in self._paths:
                rest = self._split(" ".join(parts[cut:]))
                if None not in rest:
                    return [self._paths[head.lower()], *rest]
        return best

    def _siblings(self, chunk: str) -> list[str]:
        """The provisions of “27B1-27B4” or “27B1-4”; empty when it is no range of neighbours."""
        ends = re.split(r"\s*[-–—]\s*", chunk)
        if len(ends) != 2:
            return []
        first, last = ("/".join(re.findall(r"\d+|[^\W\d_]+", fold(end))) for end in ends)
        parent, _, low = first.rpartition("/")
        if not last.startswith(f"{parent}/"):
            last = f"{parent}/{last}"
        high = last.rpartition("/")[2]
        if not parent or last.rpartition("/")[0] != parent or first not in self._paths or last not in self._paths:
            return []
        if low.isdigit() and high.isdigit():
            labels = [str(n) for n in range(int(low), int(high) + 1)]
        elif len(low) == len(high) == 1 and low.isalpha() and high.isalpha():
            labels = [chr(n) for n in range(ord(low), ord(high) + 1)]
        else:
            return []
        return [self._paths[path] for label in labels if (path := f"{parent}/{label}") in self._paths]

    def _notes(self, chunks: list[str]) -> list[str | None]:
        """“fn 7” → ``fn/7``; “50 fn 2” and “przypis 2 do 50” → ``50/fn/2``; “przypis do 50” → the notes of the law."""
        numbers = [n for c in chunks for n in re.findall(r"\d+", c)]
        if not 1 <= len(numbers) <= 2 or any(c.isalpha() for c in "".join(chunks)):
            return [None]
        if len(numbers) == 1:
            one = f"fn/{int(numbers[0])}"
            return [one] if one in self._paths else [f"{int(numbers[0])}/fn/{n}" for n in range(1, 10)
                                                      if f"{int(numbers[0])}/fn/{n}" in self._paths] or [one]
        a, b = (int(n) for n in numbers)
        both = [f"{a}/fn/{b}", f"{b}/fn/{a}"]
        return [next((p for p in both if p in self._paths), both[0])]
