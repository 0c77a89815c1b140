"""``lexbridge new`` makes the folder of a new edition; ``lexbridge propose`` proposes where its concepts stand.

A proposal says where an edition probably has the concepts that nobody has looked for in it. With ``--accept`` the
rows that a person has read and accepted are written into ``terms/`` (docs/add-an-edition.md).
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
from pathlib import Path

import click

from corpus import edition, files, generation
from corpus.changes import Proposal, propose_places
from corpus.files import language_problem
from corpus.layers import IngestResult
from corpus.relation.relations import Relations
from corpus.term.read import FOLDER
from scripts import sources

SKELETON = """\
# What the text is. docs/add-an-edition.md explains every key.
title = ""              # as printed
short = ""              # for narrow columns: “TBR 2017”
lang = "{lang}"
year = {year}
publisher = ""          # who issued it; “not stated in the source” when it does not say
provenance = ""         # where this file is from
rights = ""             # whose the text is, as printed
source = "{source}"
sha256 = "{sha256}"
laws = "1–93"           # the laws that the text holds; an extract: "12, 61–64"

# How its paragraphs stand: blank (an empty line between them), lines (one line each), wrapped (no sign at all).
paragraphs = "blank"
# hyphens = "join"      # words are broken at the end of a line
# hanging = true        # the lines of an item stand deeper than its label

# Its labels as printed, from the law down; 1, A, a, i or I stands for the number. HEADING: a title in capitals.
[[levels]]
kind = "law"
labels = ["LAW 1 — HEADING"]

[[levels]]
kind = "section"
labels = ["A."]

[[levels]]
kind = "subsection"
labels = ["1."]

[[levels]]
kind = "clause"
labels = ["(a)"]

[[levels]]
kind = "subclause"
labels = ["(i)"]

# Its footnotes: numbering book or law; style superscript, stars, brackets or parentheses.
# [notes]
# numbering = "book"
# style = "superscript"

# Chapters, and the parts before and after the laws, by the line that each begins with.
# [[headed]]
# kind = "chapter"
# pattern = '^CHAPTER (?P<n>[IVX]+)$'
#
# [[parts]]
# path = "def"
# start = '^DEFINITIONS$'
#
# [definitions]
# style = "dash"

# What is no text: page heads, page numbers, contents.
# [[drop]]
# name = "page number"
# pattern = '\\d+'
"""


@click.command("new")
@click.argument("name", metavar="ID")
@click.option("--lang", required=True, help="The code of its language, the name of a file in languages/.")
@click.option("--year", required=True, type=click.IntRange(1, 9999), help="The year that its laws are of.")
@click.option(
    "--source",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The text, as it was published: plain text or HTML, UTF-8.",
)
def new_edition(name: str, lang: str, year: int, source: Path) -> None:
    """Make the folder of a new edition: its source, byte for byte, and a manifest to fill in."""
    folder = generation.corpus_dir() / "editions" / name
    if wrong := edition.id_problem(name):
        raise click.ClickException(" ".join(wrong))
    if wrong := language_problem(lang):
        raise click.ClickException(" ".join(wrong))
    if folder.exists():
        raise click.ClickException(f"{folder} is there already. Choose another id, or edit the files in it.")
    data = source.read_bytes()
    file = "source.html" if source.suffix.lower() in (".html", ".htm") else "source.txt"
    folder.mkdir(parents=True)
    (folder / file).write_bytes(data)
    (folder / "edition.toml").write_text(
        SKELETON.format(lang=lang, year=year, source=file, sha256=hashlib.sha256(data).hexdigest()), encoding="utf-8"
    )
    click.echo(f"{folder / file}\n{folder / 'edition.toml'}")
    if not (generation.corpus_dir() / "languages" / f"{lang}.toml").exists():
        click.echo(f"There is no languages/{lang}.toml yet: docs/add-a-language.md shows how to write it.")
    click.echo(f"Fill in edition.toml, then: lexbridge check {name}")


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
    """List where concepts without a place in an edition probably stand: a row for each, columns separated by tabs."""
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
    """Return the proposed places of terms in an edition. ``result``: all editions, read."""
    relations = Relations(result.editions_to_align, result.nodes, result.links)
    return list(propose_places(result.terms.values(), result.nodes.values(), relations, edition))


def _write_accepted(result: IngestResult, edition: str, path: Path) -> int:
    """Write the rows of the file at ``path`` into the records of their terms, all or none; return how many records
    changed.

    Raises:
        click.ClickException: a row has a fault.
    """
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
            text = add_toml_entry(text, "names", lang, names)
        for key in ("defined", "about"):
            if paths := row[key].split():
                text = add_toml_entry(text, key, edition, paths)
        changed[record] = text
    if faults:
        sources.print_problems(faults)
        raise click.ClickException(f"{len(faults)} problem(s); no term was changed.")
    for record, text in changed.items():
        record.write_text(text, encoding="utf-8")
    return len(changed)


def add_toml_entry(text: str, table: str, key: str, values: list[str]) -> str:
    r"""Return the text of a TOML file with ``key = values`` added to a table. A missing table is added.

    >>> print(add_toml_entry('[about]\na = ["1"]\n', "about", "b", ["2", "3"]), end="")
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
