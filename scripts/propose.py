"""``lexbridge propose``: where an edition probably has the concepts that nobody has looked for in it; and what a person
accepted of it, written into ``terms/`` (docs/add-an-edition.md).
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import click

from corpus import files, generation
from corpus.ingest import IngestResult
from corpus.relation.changes import Proposal, propose_places
from corpus.relation.relations import Relations
from corpus.term.read import FOLDER
from scripts import sources

COLUMNS = ("concept", "defined", "about", "names", "from")


@click.command()
@click.argument("edition")
@click.option(
    "--accept",
    "accepted",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Write the rows of this file, which a person has read, into the terms.",
)
def propose(edition: str, accepted: Path | None) -> None:
    """Concepts that have no place in an edition: where they probably stand, a row for each, columns parted by tabs."""
    result = sources.read_sound_sources((edition,))
    if accepted:
        click.echo(
            f"{_write_accepted(result, edition, accepted)} terms have a place in {edition}. "
            f"Now: lexbridge check {edition}"
        )
        return
    found = list(proposals_for_edition(result, edition))
    out = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, escapechar="\\")
    out.writerow(COLUMNS)
    out.writerows((p.slug, " ".join(p.defined), " ".join(p.about), "; ".join(p.names), p.source) for p in found)
    left = sum(1 for term in result.terms.values() if not term.is_known_in(edition)) - len(found)
    click.echo(
        f"{len(found)} proposals from aligned provisions, {left} concepts without any. Read each beside the text, "
        f"correct or delete its row, then: lexbridge propose {edition} --accept FILE",
        err=True,
    )


def proposals_for_edition(result: IngestResult, edition: str) -> list[Proposal]:
    """The proposals for an edition of what was read with all others."""
    relations = Relations(result.listings, result.nodes, result.links)
    return list(propose_places(result.terms.values(), result.nodes.values(), relations, edition))


def _write_accepted(result: IngestResult, edition: str, path: Path) -> int:
    """Write the rows of a file into the records of their terms, all or none; how many there were."""
    sheet = files.read_tsv(path, path.name, COLUMNS)
    faults = list(sheet.problems)
    lang = result.editions[edition].lang
    changed: dict[Path, str] = {}
    for line, row in sheet.rows:
        term = result.terms.get(row["concept"])
        if term is None or term.is_known_in(edition):
            finding = f"There is no term “{row['concept']}”." if term is None else f"“{term.slug}” has a place in it."
            faults.append(sheet.problem(line, finding, "Correct the row, or delete it."))
            continue
        record = generation.corpus_dir() / FOLDER / f"{term.slug}.toml"
        text = record.read_text(encoding="utf-8")
        if (names := [x.strip() for x in row["names"].split(";") if x.strip()]) and not term.names.get(lang):
            text = with_entry(text, "names", lang, names)
        for key in ("defined", "about"):
            if paths := row[key].split():
                text = with_entry(text, key, edition, paths)
        changed[record] = text
    if faults:
        sources.list_problems(faults)
        raise click.ClickException(f"{len(faults)} problem(s); no term was changed.")
    for record, text in changed.items():
        record.write_text(text, encoding="utf-8")
    return len(changed)


def with_entry(text: str, table: str, key: str, values: list[str]) -> str:
    r"""A TOML file with a list of strings under a key of a table, which is added where there is none.

    >>> print(with_entry('[about]\na = ["1"]\n', "about", "b", ["2", "3"]), end="")
    [about]
    b = ["2", "3"]
    a = ["1"]
    """
    quoted = ", ".join(f'"{v}"' for v in values)
    entry = f"{key} = [{quoted}]\n"
    out = io.StringIO()
    head = f"[{table}]"
    there = False
    for line in text.splitlines(keepends=True):
        out.write(line)
        if line.strip() == head and not there:
            out.write(entry)
            there = True
    return out.getvalue() if there else f"{text.rstrip()}\n\n{head}\n{entry}"
