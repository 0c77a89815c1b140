"""The ``lexbridge`` command. Each command does its work whole or not at all, says what it did, and can be run again."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

import click

from corpus import export as exporting
from corpus import ingest as ingesting
from corpus import store
from corpus.checked import Refused
from corpus.library import Library
from corpus.model import LAWS
from corpus.relation.review import to_review
from scripts import report as reporting
from scripts.evaluate import evaluate
from scripts.new_edition import new
from scripts.outline import outline
from scripts.told import told

_ELSEWHERE = "Set LEXBRIDGE_BUILD to a folder that can be written."


@click.group()
def main() -> None:
    """Lexbridge: the Laws of Duplicate Bridge, searched, followed and compared."""


main.add_command(new)
main.add_command(outline)
main.add_command(evaluate)
main.add_command(told)


def _read(ids: tuple[str, ...]):
    try:
        return ingesting.read_all(store.corpus_dir(), ids)
    except ingesting.UnknownEdition as error:
        raise click.ClickException(str(error)) from None


def _print_problems(problems) -> None:
    for problem in problems:
        click.echo(f"{problem}" if problem.fatal else f"{problem} (noted)", err=problem.fatal)


@main.command()
@click.argument("ids", nargs=-1)
def ingest(ids: tuple[str, ...]) -> None:
    """Sources → parsed corpus. All problems are listed; with a fatal one nothing is replaced."""
    result = _read(ids)
    if result.fatal:
        _print_problems(result.fatal)
        raise click.ClickException(f"{len(result.fatal)} problem(s); the parsed corpus stays as it was.")
    if ids:
        result = ingesting.with_the_others(result, store.corpus_dir())
        if result.fatal:
            _print_problems(result.fatal)
            raise click.ClickException(
                f"{len(result.fatal)} problem(s) in other editions; the parsed corpus stays as it was."
            )
    try:
        ingesting.write(result, store.build_dir())
    except OSError as error:
        raise _unwritable(error, store.build_dir(), _ELSEWHERE) from None
    for id_, reading in result.readings.items():
        noted = sum(1 for p in reading.problems if not p.fatal)
        references = sum(len(n.references) for n in reading.nodes)
        laws = sum(n.kind in LAWS for n in reading.nodes)
        click.echo(
            f"{id_}: {laws} laws, {len(reading.nodes)} nodes, {references} references, "
            f"{len(reading.corrections)} corrections, "
            f"{len(reading.dropped)} pieces dropped by rule, {noted} things noted (lexbridge check {id_})"
        )
    asked = sum(bool(s.table) for s in result.situations.all)
    click.echo(f"{len(result.situations.all)} situations, {asked} of them with questions")
    bodies = ", ".join(body.id for body in result.rulings.bodies) or "nobody"
    click.echo(f"{len(result.rulings.all)} rulings of {bodies}")
    click.echo(f"{len(result.tables)} reviewed tables of the concordance → {store.build_dir() / 'corpus'}")


@main.command()
@click.argument("ids", nargs=-1)
def check(ids: tuple[str, ...]) -> None:
    """The problems of the sources, without building anything."""
    result = _read(ids)
    _print_problems(result.problems)
    read = ", ".join(result.readings) or "nothing, the problems come first"
    noted = len(result.problems) - len(result.fatal)
    click.echo(f"{len(result.fatal)} problem(s), {noted} noted; read: {read}.")
    if result.fatal:
        sys.exit(1)


@main.command()
@click.argument("older")
@click.argument("newer")
def review(older: str, newer: str) -> None:
    """What to review in the concordance of two editions: where the table and the computed alignment differ."""
    result = _read((older, newer))
    if result.fatal:
        _print_problems(result.fatal)
        sys.exit(1)
    pairs = to_review(result.links(), result.proposer()(older, newer), older, newer)
    for a, b, why in pairs:
        click.echo(f"{a or '–':<14} {b or '–':<14} {why}")
    click.echo(f"{len(pairs)} places to look at in {older} ~ {newer}.")


@main.command()
def index() -> None:
    """Parsed corpus → search index, swapped in whole."""
    from index import build as building

    try:
        count = building.build(_library(), store.build_dir())
    except Refused as refused:
        _print_problems(refused.problems)
        raise click.ClickException(f"{len(refused.problems)} problem(s); the search index stays as it was.") from None
    except OSError as error:
        raise _unwritable(error, store.build_dir(), _ELSEWHERE) from None
    click.echo(f"{count} documents → {store.build_dir() / 'search'}")


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
def serve(host: str, port: int) -> None:
    """Serve the site."""
    from waitress import serve as waitress_serve

    from app import create_app
    from app.site.origin import OriginError

    try:
        app = create_app()
    except OriginError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"Lexbridge at http://{host}:{port}")
    waitress_serve(app, host=host, port=port, threads=8, ident=None)


@main.command()
@click.argument("target", type=click.Path(file_okay=False, path_type=Path))
def export(target: Path) -> None:
    """Write nodes, alignment, index and corrections as JSON lines into a folder."""
    try:
        names = exporting.write(store.build_dir() / "corpus", target)
    except store.StoreError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise _unwritable(error, target) from None
    click.echo(f"{', '.join(names)} → {target}")


@main.command()
@click.argument("ids", nargs=-1)
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write a report that a translator can read and sign.",
)
def audit(ids: tuple[str, ...], report: Path | None) -> None:
    """What became of every character of every source."""
    result = _read(ids)
    missing = 0
    for id_, reading in result.readings.items():
        click.echo(reporting.summary(result.editions[id_], reading))
        missing += len(reading.unaccounted)
    if report:
        try:
            report.write_text(reporting.page(result.editions, result.readings), encoding="utf-8")
        except OSError as error:
            raise _unwritable(error, report) from None
        click.echo(f"Report → {report}")
    _print_problems(result.fatal)
    if missing or result.fatal:
        sys.exit(1)


@main.command()
@click.argument("query")
@click.option("--lang", "langs", multiple=True, help="Only editions of this language.")
@click.option("--edition", "editions", multiple=True, help="Only this edition.")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100))
@click.option("--explain", is_flag=True, help="Say why each hit stands where it stands.")
def search(query: str, langs: tuple[str, ...], editions: tuple[str, ...], limit: int, explain: bool) -> None:
    """Search in the terminal."""
    from index import IndexMissing
    from index.search import Searcher

    library = _library()
    _known("edition", editions, library.editions)
    _known("language", langs, sorted({e.lang for e in library.editions.values()}))
    try:
        answer = Searcher.open(store.build_dir(), library).search(query, langs=langs, editions=editions, limit=limit)
    except IndexMissing as error:
        raise click.ClickException(str(error)) from None
    if not answer.total:
        click.echo("Nothing found." + (f" Did you mean: {answer.suggestion}?" if answer.suggestion else ""))
        return
    if not answer.confident:
        click.echo("Nothing answers this well; the nearest:")
    for hit in answer.hits:
        text = "".join(f"[{run.text}]" if run.matched else run.text for run in hit.snippet)
        click.echo(f"{hit.node.citation:>12}  {hit.node.edition:<10} {hit.node.heading or ''}\n{'':>14}{text}")
        for run in (r for r in hit.snippet if explain and r.matched):
            click.echo(f"{'':>14}“{run.text}” is {', '.join(map(str, run.why))}")
        if explain:
            said = " ".join(f"{f.how} {f.value:.4g} {f.name}" for f in hit.factors)
            click.echo(f"{'':>14}{hit.score:.4f} = {said.removeprefix('+ ')}")


def _known(what: str, asked: Collection[str], there: Collection[str]) -> None:
    for name in asked:
        if name not in there:
            raise click.ClickException(f"There is no {what} “{name}”. There are: {', '.join(there)}.")


def _unwritable(error: OSError, place: Path, move: str = "Name a place that can be written.") -> click.ClickException:
    return click.ClickException(f"Nothing can be written to {place} ({error.strerror}). {move}")


def _library() -> Library:
    try:
        return Library.open()
    except store.StoreError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
