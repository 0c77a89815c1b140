"""The command line of the authoring tool; the docstring of the package explains the commands."""

import argparse
import tomllib
from pathlib import Path

from .align import all_changes, apply_changes
from .compare import HEADER, disagreements


def _read_text(path):
    return Path(path).read_text(encoding="utf-8")


def _write_rows(path, rows):
    Path(path).write_text("\n".join("\t".join(map(str, row)) for row in rows) + "\n", encoding="utf-8")


def _read_confusions(source):
    from .confusions import Confusions
    from .dictionary import analyses

    return Confusions(Path(source).parent / "confusions.tsv", lambda form: bool(analyses(form)))


def propose(args):
    """Write the restored text of a scanned source, and a table of its uncertain words, to the files of ``args``.

    The source itself stays as it is.
    """
    from .propose import restore_text as run
    from .propose import uncertain_rows

    folder = Path(args.source).parent
    languages = {p.parent: tomllib.loads(_read_text(p))["lang"] for p in folder.parent.glob("*/edition.toml")}
    field = [
        _read_text(other / "source.txt")
        for other, language in sorted(languages.items())
        if language == languages[folder] and other != folder
    ]
    text, words = run(_read_text(args.source), _read_confusions(args.source), languages[folder], field)
    Path(args.restored).write_text(text, encoding="utf-8")
    rows = [*uncertain_rows(words)]
    _write_rows(args.uncertain, [("line", "column", "source", "choice", "alternatives", "margin"), *rows])
    print(f"{len(words)} words, {len(rows)} uncertain")


def compare(args):
    """List where two restored texts differ."""
    rows = [*disagreements(_read_text(args.a), _read_text(args.b), _read_text(args.source))]
    _write_rows(args.out, [HEADER.split("\t"), *rows])
    print(f"{len(rows)} disagreements")


def corrections(args):
    """Write the corrections that turn a source into its restored text.

    Nothing is written where the corrections do not give exactly that text.
    """
    from .basis import judge_change

    source, restored = _read_text(args.source), _read_text(args.restored)
    rows = all_changes(source, restored)
    if apply_changes(source, rows) != restored:
        raise SystemExit("the rows do not give the restored text: nothing written")
    confusions, settled = _read_confusions(args.source), _read_settled(args.settled)
    confirmed = [set(all_changes(source, _read_text(reading))) for reading in args.reading]
    lines, out, shift = restored.split("\n"), [], {}
    for row in rows:
        column = row.column + shift.get(row.line, 0)
        shift[row.line] = column - row.column + len(row.published) - len(row.source)
        agreed = len(confirmed) > 1 and all(row in changes for changes in confirmed)
        why = next(
            (
                settled[row.line, c]
                for c in range(row.column, row.column + max(1, len(row.source)))
                if (row.line, c) in settled
            ),
            "",
        )
        out.append(
            (
                row.line,
                row.column,
                row.source,
                row.published,
                *judge_change(row, confusions, lines[row.line - 1], column, agreed, why),
            )
        )
    _write_rows(args.out, [("line", "column", "source", "published", "basis", "reason"), *out])
    print(f"{len(out)} corrections")


def _read_settled(path):
    """Return {(line, column): reason} for the disagreements that a third reading settled."""
    rows = [line.split("\t") for line in _read_text(path).splitlines()[1:]] if path else []
    return {(int(row[0]), int(row[1])): row[-1] for row in rows}


def main(argv=None):
    """Parse the command line, and run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.restore", description=__doc__)
    commands = parser.add_subparsers(required=True)

    def command(run, text, *names):
        sub = commands.add_parser(run.__name__, help=text)
        for name in names:
            sub.add_argument(name)
        sub.set_defaults(run=run)
        return sub

    command(propose, "the machine's reading of an edition's source", "source", "restored", "uncertain")
    command(compare, "where two readings differ", "a", "b", "source", "out")
    sub = command(corrections, "the rows that lead from the source to the restored text", "source", "restored", "out")
    sub.add_argument("--reading", action="append", default=[], help="an independent reading; give it twice")
    sub.add_argument("--settled", help="readings.tsv: disagreements settled by a third reading")
    args = parser.parse_args(argv)
    args.run(args)


if __name__ == "__main__":
    main()
