"""The commands verify, check, inventory, review, export, audit and search of ``lexbridge``.

Each does all of its work or nothing, says what it did, and can be run again.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
from collections.abc import Collection
from pathlib import Path

import click

from corpus.audit import list_open_work
from corpus.export import write_export
from corpus.files import InvalidFile
from corpus.generation import (
    GENERATIONS_FOLDER,
    MANIFEST_FILE,
    REBUILD_MOVE,
    SIGNATURE_FILE,
    Generation,
    StoreError,
    build_dir,
    check_signature,
    corpus_dir,
    current_digest,
    served_digest,
)
from corpus.inventory import FILE, accept_tables, has_inventory, inventory_problems
from corpus.library import Library
from corpus.relation.concordance import pairs_to_review
from scripts import report as reporting
from scripts import sources
from scripts.build import last_build


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--key",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Also check that the owner of this public key of ssh-keygen signed the generation.",
)
def verify(folder: Path | None, key: Path | None) -> None:
    """Read every file of the current generation, and compare it with the manifest. DIR: the build folder.

    The generation that the site serves is read, too, when it is another one.
    """
    place = folder or build_dir()
    if (place / MANIFEST_FILE).exists():
        _verify_generation(place, key)
        return
    current, served = current_digest(place), served_digest(place)
    if current is None:
        raise click.ClickException(f"There is no generation in {place}. {REBUILD_MOVE}")
    _verify_generation(place / GENERATIONS_FOLDER / current, key)
    if served and served != current and (other := place / GENERATIONS_FOLDER / served).exists():
        _verify_generation(other, key)


def _verify_generation(folder: Path, key: Path | None) -> None:
    """Verify the generation in a folder, and its signature if there is a ``key``. Print the result.

    Say so when its pages are for another site.
    """
    from app.site.cache import PagePacks
    from app.site.http import ORIGIN_VARIABLE, OriginError, parse_origin
    from app.site.snapshot import why_drawn

    try:
        made = Generation.load(folder)
        if key:
            check_signature(made, key)
        here = parse_origin(os.environ.get(ORIGIN_VARIABLE, ""))
    except (StoreError, OriginError) as fault:
        raise click.ClickException(str(fault)) from None
    known = {*made.manifest.files, MANIFEST_FILE, SIGNATURE_FILE}
    for path in sorted(made.folder.rglob("*")):
        if not path.is_dir() and path.relative_to(made.folder).as_posix() not in known:
            raise click.ClickException(f"{path} is not in the manifest. {REBUILD_MOVE}")
    signed = f", signed with {key}" if key else ""
    click.echo(f"{len(made.manifest.files)} files of {made.digest} are as they were built{signed}.")
    built = PagePacks.open(made).page_version
    if why := why_drawn(built, built._replace(origin=here)) if built else "":
        click.echo(f"Warning: {why}", err=True)


@click.command()
@click.argument("ids", nargs=-1)
@click.option(
    "--todo", is_flag=True, help="Also list what nobody has done for these editions yet; none of it is a fault."
)
def check(ids: tuple[str, ...], todo: bool) -> None:
    """List all problems that a build would find, without building anything; with IDS, those of these editions."""
    result = sources.read_sources(ids)
    problems, elsewhere = list(result.problems), 0
    whole = sources.read_all_layers(result, ids)
    own = tuple(f"editions/{id_}/" for id_ in ids)
    for problem in whole.problems if whole else ():
        if problem in problems:
            continue
        if problem.file.startswith("editions/") and not problem.file.startswith(own):
            elsewhere += problem.fatal
        elif problem.fatal or problem.file.startswith(own):
            problems.append(problem)
    sources.print_problems(problems)
    fatal = sum(1 for p in problems if p.fatal)
    read = ", ".join(result.readings) or "nothing, the problems come first"
    click.echo(f"{fatal} problem(s), {len(problems) - fatal} noted; read: {read}.")
    if not (ids or has_inventory(corpus_dir())):
        click.echo(sources.NO_INVENTORY)
    if elsewhere:
        click.echo(f"{elsewhere} problem(s) in other editions: see `lexbridge check`.")
    if fatal:
        sys.exit(1)
    if todo and whole:
        found = [work for id_ in result.readings for work in list_open_work(whole, id_)]
        for work in found:
            click.echo(work)
        click.echo(f"{len(found)} kind(s) of open work.")


@click.command()
@click.option(
    "--accept", "tables", multiple=True, metavar="FILE", help="Renew the line of a table, or of all in a folder."
)
@click.option("--reason", help="Why the tables are right as they stand; it stays in the file.")
def inventory(tables: tuple[str, ...], reason: str | None) -> None:
    """Print where the reviewed tables differ from corpus/inventory.tsv, or accept tables as they stand."""
    folder = corpus_dir()
    if not tables:
        problems = inventory_problems(folder)
        sources.print_problems(problems)
        there = (
            f"{len(problems)} difference(s) from {folder / FILE}." if has_inventory(folder) else sources.NO_INVENTORY
        )
        click.echo(there)
        sys.exit(any(p.fatal for p in problems))
    reason = " ".join((reason or click.prompt("Why are they right as they stand?")).split())
    if not reason:
        raise click.ClickException("A line needs a reason. Write it with --reason.")
    names = [_name_of_table(name, folder) for name in tables]
    try:
        renewed = accept_tables(folder, names, reason, dt.datetime.now(dt.UTC).date())
    except InvalidFile as refused:
        sources.print_problems(refused.problems)
        raise click.ClickException(f"{len(refused.problems)} problem(s); {FILE} stays as it was.") from None
    except OSError as error:
        raise sources.unwritable_error(error, folder / FILE) from None
    for name in renewed:
        click.echo(f"{name}: accepted")
    click.echo(f"{len(renewed)} line(s) renewed → {folder / FILE}")


def _name_of_table(given: str, folder: Path) -> str:
    """The name of a table from the folder of the corpus. ``given``: that name, or a path from the current folder."""
    path = Path(given)
    from_here = path.is_absolute() or (path.exists() and not (folder / path).exists())
    if from_here and path.resolve().is_relative_to(folder.resolve()):
        path = path.resolve().relative_to(folder.resolve())
    return path.as_posix()


@click.command()
@click.argument("older")
@click.argument("newer")
def review(older: str, newer: str) -> None:
    """List what to review in the concordance of two editions: where the table and the computed alignment differ."""
    result = sources.read_sources((older, newer))
    if result.fatal_problems:
        sources.print_problems(result.fatal_problems)
        sys.exit(1)
    pairs = pairs_to_review(result.with_links().links, result.alignment_proposer()(older, newer), older, newer)
    for a, b, why in pairs:
        click.echo(f"{a or '–':<14} {b or '–':<14} {why}")
    click.echo(f"{len(pairs)} places to look at in {older} ~ {newer}.")


@click.command()
@click.argument("target", type=click.Path(file_okay=False, path_type=Path))
def export(target: Path) -> None:
    """Write nodes, alignment, index and corrections as JSON lines into a folder."""
    try:
        names = write_export(last_build(), target)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise sources.unwritable_error(error, target) from None
    click.echo(f"{', '.join(names)} → {target}")


@click.command()
@click.argument("ids", nargs=-1)
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write a report that a translator can read and sign.",
)
def audit(ids: tuple[str, ...], report: Path | None) -> None:
    """Show what became of every character of every source."""
    result = sources.read_sources(ids)
    missing = 0
    for id_, reading in result.readings.items():
        click.echo(reporting.audit_summary(result.editions[id_], reading))
        missing += len(reading.unaccounted)
    if report:
        try:
            report.write_text(reporting.audit_page(result.editions, result.readings), encoding="utf-8")
        except OSError as error:
            raise sources.unwritable_error(error, report) from None
        click.echo(f"Report → {report}")
    sources.print_problems(result.fatal_problems)
    if missing or result.fatal_problems:
        sys.exit(1)


@click.command()
@click.argument("query")
@click.option("--lang", "langs", multiple=True, help="Only editions of this language.")
@click.option("--edition", "editions", multiple=True, help="Only this edition.")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100))
@click.option("--explain", is_flag=True, help="Say why each hit stands where it stands.")
def search(query: str, langs: tuple[str, ...], editions: tuple[str, ...], limit: int, explain: bool) -> None:
    """Search in the terminal."""
    from index.search import Searcher

    made = last_build()
    try:
        library = Library.open(made)
        searcher = Searcher.open(made, library)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    _require_known("edition", editions, library.editions)
    _require_known("language", langs, sorted({e.lang for e in library.editions.values()}))
    answer = searcher.search(query, langs=langs, editions=editions, limit=limit)
    if not answer.total:
        click.echo("Nothing found." + (f" Did you mean: {answer.suggestion}?" if answer.suggestion else ""))
        return
    if not answer.confident:
        click.echo("Nothing answers this well; the nearest:")
    for hit in answer.hits:
        text = "".join(f"[{run.text}]" if run.is_match else run.text for run in hit.snippet)
        click.echo(f"{hit.node.citation:>12}  {hit.node.edition:<10} {hit.node.heading or ''}\n{'':>14}{text}")
        for run in (r for r in hit.snippet if explain and r.is_match):
            click.echo(f"{'':>14}“{run.text}” is {', '.join(map(str, run.why))}")
        if explain:
            said = " ".join(f"{f.how} {f.value:.4g} {f.name}" for f in hit.factors)
            click.echo(f"{'':>14}{hit.score:.4f} = {said.removeprefix('+ ')}")


def _require_known(what: str, asked: Collection[str], there: Collection[str]) -> None:
    """Raise a ``click.ClickException`` for the first name of ``asked`` that is not one of ``there``. ``what``: the kind
    of thing that is named, for the message.
    """
    for name in asked:
        if name not in there:
            raise click.ClickException(f"There is no {what} “{name}”. There are: {', '.join(there)}.")
