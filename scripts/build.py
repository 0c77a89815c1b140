"""``lexbridge build``: ingest, index and pages as one generation, published whole; ``ingest`` and ``index`` alone make
what is next, and publish nothing.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import click

from corpus.files import Place, Refused
from corpus.generation import (
    CORPUS,
    NEXT,
    PAGES,
    SEARCH,
    Busy,
    Generation,
    Stage,
    StoreError,
    alone,
    build_dir,
    clear,
    corpus_dir,
    keys,
    latest,
    made_last,
    making,
    of,
    publish,
    swap_in,
    write_inputs,
)
from corpus.ingest import Ingest, write
from corpus.library import Library
from corpus.model import LAWS
from scripts import sources

ROOT = Path(__file__).parent.parent
GENERATION_STAYS = "the generation before stays."  # what is said of a build that ends with problems


@click.command()
@click.argument("ids", nargs=-1)
def ingest(ids: tuple[str, ...]) -> None:
    """Sources → parsed corpus of the next build. All problems are listed; with a fatal one nothing is replaced."""
    result = sources.read_sound_sources(ids)
    with _locked_build_dir() as build:
        write(result, build / NEXT)
        print_summary(result)
        click.echo(f"{len(result.tables)} reviewed tables of the concordance → {build / NEXT / CORPUS}")


@click.command()
def index() -> None:
    """Parsed corpus → search index of the next build, swapped in whole."""
    from index import build as building

    with _locked_build_dir() as build:
        fresh = build / NEXT
        if not (fresh / CORPUS).is_dir():
            current = Generation.open(build, (CORPUS,))
            swap_in(fresh / CORPUS, lambda folder: _unpack(current, folder))
        try:
            count = building.build(Library.open(fresh / CORPUS), fresh)
        except Refused as refused:
            sources.list_problems(refused.problems)
            said = f"{len(refused.problems)} problem(s); the search index stays as it was."
            raise click.ClickException(said) from None
        click.echo(f"{count} documents → {fresh / SEARCH}")


@click.command()
@click.option("--without-pages", is_flag=True, help="Leave the pages out: the first start does not wait for them.")
def build(without_pages: bool) -> None:
    """Sources → one generation: corpus, search and pages, published whole. What did not change is taken over."""
    with _locked_build_dir() as place:
        before = _sound_generation(place)
        made = keys(corpus_dir(), ROOT, {PAGES: os.environ.get("LEXBRIDGE_URL", "")})
        held = {**of(before)}
        if before and not _is_for_today(before):
            held.pop(PAGES, None)
        parts = [part for part in (CORPUS, SEARCH, PAGES) if part != PAGES or not without_pages]
        if before and all(held.get(part) == made[part] for part in parts):
            clear(place)
            click.echo(f"Nothing has changed: {before.digest} stays.")
            return
        with making(place) as stage:
            for part in parts:
                if before and held.get(part) == made[part]:
                    stage.take_over(part, before)
                    click.echo(f"{part}: unchanged")
                else:
                    _make_part(part, stage, before)
            write_inputs(stage.folder, {part: made[part] for part in parts})
            click.echo(f"{publish(stage)} → {place}")


def _make_corpus(stage: Stage, before: Generation | None) -> str:  # noqa: ARG001 – every part is made alike
    result = sources.read_sound_sources()
    write(result, stage.folder)
    print_summary(result)
    return f"{sum(len(r.nodes) for r in result.readings.values())} nodes"


def _make_search(stage: Stage, before: Generation | None) -> str:  # noqa: ARG001
    from index import build as building

    try:
        count = building.build(Library.open(stage.folder / CORPUS), stage.folder)
    except Refused as refused:
        sources.list_problems(refused.problems)
        raise click.ClickException(f"{len(refused.problems)} problem(s); {GENERATION_STAYS}") from None
    return f"{count} documents"


def _make_pages(stage: Stage, before: Generation | None) -> str:
    from app import prerender

    prerender.write_pages(stage.folder, before, lambda said: click.echo(f"pages: {said}", err=True))
    return f"{sum(1 for p in (stage.folder / PAGES).rglob('*') if p.is_file())} files"


_MAKERS: dict[str, Callable[[Stage, Generation | None], str]] = {
    CORPUS: _make_corpus,
    SEARCH: _make_search,
    PAGES: _make_pages,
}


def _make_part(part: str, stage: Stage, before: Generation | None) -> None:
    """Makes a part, and says what, how many and how long it took."""
    click.echo(f"{part} …", err=True)
    started = perf_counter()
    made = _MAKERS[part](stage, before)
    click.echo(f"{part}: {made}, {perf_counter() - started:.1f} s")


def _sound_generation(build: Path) -> Generation | None:
    """The current generation, where it is sound: what is damaged is made anew."""
    if latest(build) is None:
        return None
    try:
        return Generation.open(build)
    except StoreError as error:
        click.echo(f"{error} All of it is made anew.", err=True)
        return None


def _is_for_today(generation: Generation) -> bool:
    """Whether what its pages say of the present is true yet."""
    from app.site.cache import PagePacks

    made_by = PagePacks.open(generation).page_version
    if made_by is None:
        return True
    return made_by.turn == Library.open(generation.place / CORPUS).turn(dt.datetime.now(dt.UTC).date())


def _unpack(generation: Generation, folder: Path) -> None:
    """The parsed corpus of a generation, written into a folder."""
    for name in generation.names(f"{CORPUS}/"):
        (folder / name.removeprefix(f"{CORPUS}/")).write_bytes(generation.data(name))


@contextmanager
def _locked_build_dir() -> Iterator[Path]:
    """The build folder, in which nobody else makes anything for the time; what cannot be done is one sentence."""
    place = build_dir()
    try:
        with alone(place):
            yield place
    except (Busy, StoreError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise sources.unwritable_error(error, place, sources.SET_BUILD_MOVE) from None


def print_summary(result: Ingest) -> None:
    """What was read, edition by edition."""
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


def last_build() -> Place:
    """What was made last, for a command that reads it; raises :class:`click.ClickException` with what to do."""
    try:
        return made_last(build_dir())
    except StoreError as error:
        raise click.ClickException(str(error)) from None
