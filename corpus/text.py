"""Words that know where in the source each of their characters stands."""

from __future__ import annotations

from collections.abc import Iterator


class Text(str):
    """Words, and where in the source each of their characters is. For all that reads words it is a ``str``.

    ``places`` are runs that cover the words from the first character to the last, in order:
    ``(length,)`` layout's own (a blank between two lines, what parts paragraphs and cells) ·
    ``(length, line, column)`` the source's characters from there, one by one, white space of whatever kind ·
    ``(length, line, column, width)`` published for the ``width`` characters there: by a correction, or since markup
    writes them so; inserted when ``width`` is 0. Lines and columns are 1-based. Words made by hand have no places.

    >>> Text("a law", ((2, 7, 1), (3, 7, 3, 4))).at(4)
    (7, 3, 4)
    """

    __slots__ = ("places",)
    places: tuple[tuple[int, ...], ...]

    def __new__(cls, words: str = "", places: tuple[tuple[int, ...], ...] = ()) -> Text:
        """Words with their places; :class:`ValueError` when these do not cover them."""
        text = super().__new__(cls, words)
        if places and sum(run[0] for run in places) != len(words):
            raise ValueError(f"The places of “{words[:40]}” do not cover it.")
        str.__setattr__(text, "places", places)
        return text

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A Text is frozen.")

    def __deepcopy__(self, memo: object) -> Text:
        return self

    def __reduce__(self) -> tuple[type[Text], tuple[str, tuple[tuple[int, ...], ...]]]:
        return Text, (str(self), self.places)

    def runs(self) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """(start, end, place) of each run; the place of layout's own characters is empty."""
        at = 0
        for length, *place in self.places:
            yield at, at + length, tuple(place)
            at += length

    def at(self, offset: int) -> tuple[int, ...]:
        """Where the character at an offset is: (line, column), (line, column, width), or () for layout's own."""
        start, _, place = next(run for run in self.runs() if run[0] <= offset < run[1])
        return _of_character(place, offset - start)

    def each(self) -> Iterator[tuple[int, ...]]:
        """Where each character is, in their order; as :meth:`at` says it of one."""
        for start, end, place in self.runs():
            yield from (_of_character(place, number) for number in range(end - start))


def _of_character(place: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Where a character of a run is, by its number in the run and the place of the run."""
    return (place[0], place[1] + number) if len(place) == 2 else place
