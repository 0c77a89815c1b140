"""Lists where two independent readings of one source differ, word by word."""

from .align import all_changes, line_changes

HEADER = "line\tcolumn\tsource\ta\tb\tcontext"


def disagreements(a, b, source, first=1):
    """Yield rows (line, column in the source, source word, word of `a`, word of `b`, line of the source) for the places
    where two readings `a` and `b` differ.

    `first`: the number of the line of the source with which the readings begin.
    """
    old = source.split("\n")
    for change in all_changes(a, b):
        line = change.line + first - 1
        place = _source_place(old[line - 1], a.split("\n")[change.line - 1], change)
        yield (line, place[0], place[1], change.source, change.published, old[line - 1].strip())


def _source_place(source, reading, change):
    """Return the column and the word of the source that a word of a reading corresponds to."""
    shift = 0
    for row in line_changes(source, reading):
        start = row.column + shift
        if start <= change.column < start + max(1, len(row.published)):
            return row.column, row.source
        if start > change.column:
            break
        shift += len(row.published) - len(row.source)
    column = change.column - shift
    return column, source[column - 1 : column - 1 + len(change.source)]
