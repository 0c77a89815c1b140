"""Records that rows of situations were read against the texts.

``python -m tools.record_readings --reader second NAME…``. A NAME is a situation, situation/code or
situation/code/row; ``vocabulary`` names the closed lists. Only somebody who has read a row in its present form
records it: the line holds the digest of the row, and ``lexbridge check`` lists each row that has changed since.
"""

from __future__ import annotations

import datetime as dt

import click

from corpus import files, generation
from corpus.situation import read
from corpus.situation.read import COLUMNS, FILE, READERS, ReadingKey
from scripts import sources


@click.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--reader", type=click.Choice(READERS), required=True, help="the role in which the rows were read")
@click.option("--date", default=lambda: dt.datetime.now(dt.UTC).date().isoformat(), help="the day, as 2026-11-23")
def main(names: tuple[str, ...], reader: str, date: str) -> None:
    """Write the digests of the rows of NAMES in their present form; remove the lines of rows that no longer exist."""
    result = sources.read_sources(())
    now = read.reading_digests(result.situations.all, result.situations.vocabulary, result.nodes)
    rows = files.read_tsv(generation.corpus_dir() / FILE, FILE, COLUMNS).rows
    kept = {(ReadingKey(r["situation"], r["code"], r["row"]), r["reader"]): (r["digest"], r["date"]) for _, r in rows}
    chosen = [key for key in now if any("/".join(key[:n]) in names for n in (1, 2, 3))]
    if not chosen:
        raise click.UsageError(f"No row is called {' or '.join(names)}. Name it situation/code/row.")
    kept |= {(key, reader): (now[key], date) for key in chosen}
    lines = ["\t".join((*key, digest, role, day)) for (key, role), (digest, day) in sorted(kept.items()) if key in now]
    (generation.corpus_dir() / FILE).write_text("\n".join(("\t".join(COLUMNS), *lines)) + "\n", "utf-8")
    click.echo(f"{len(chosen)} rows recorded as read by the {reader} reader on {date}.")


if __name__ == "__main__":
    main()
