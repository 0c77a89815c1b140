"""``lexbridge new``: the folder of a new edition, with a manifest to fill in (docs/add-an-edition.md)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import click

from corpus import edition, generation
from corpus.files import language_problem

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
