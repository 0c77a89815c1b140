"""``lexbridge build`` makes corpus, search, what is learned, and pages as one generation, and publishes it as a whole.

``lexbridge ingest`` and ``lexbridge index`` make one part of the next build each, and publish nothing. A part whose
inputs did not change is copied from the generation before.
"""

from __future__ import annotations

import datetime as dt
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import click

from corpus.files import InvalidFile
from corpus.generation import (
    CORPUS_PART,
    LEARNED_PART,
    NEXT_FOLDER,
    PAGES_PART,
    PARTS,
    SEARCH_PART,
    BuildRunning,
    BuildStage,
    Generation,
    StoreError,
    build_dir,
    corpus_dir,
    current_digest,
    keep_as_next,
    lock_build_folder,
    open_stage,
    part_keys,
    publish,
    remove_old_generations,
    sign_generation,
)
from corpus.ingest import write_corpus
from corpus.layers import IngestResult
from corpus.library import Library
from corpus.model import LAW_KINDS
from corpus.ruling import Rulings
from scripts import sources

ROOT = Path(__file__).parent.parent
GENERATION_STAYS = "the generation before stays."  # the end of the message when a build ends with problems


@click.command()
@click.argument("ids", nargs=-1)
def ingest(ids: tuple[str, ...]) -> None:
    """Sources → parsed corpus of the next build. All problems are listed; with a fatal one nothing is replaced."""
    result = sources.read_sound_sources(ids)
    with _locked_build_dir() as build, open_stage(build) as stage:
        write_corpus(result, stage)
        keep_as_next(stage)
        print_summary(result)
        click.echo(f"{len(result.tables)} reviewed tables of the concordance → {build / NEXT_FOLDER / CORPUS_PART}")


@click.command()
def index() -> None:
    """Parsed corpus → search index of the next build, swapped in whole."""
    from index import build as building

    with _locked_build_dir() as build, open_stage(build) as stage:
        made = Generation.open_latest(build, (CORPUS_PART,))
        stage.copy_part(CORPUS_PART, made)
        try:
            count = building.build(Library.open(made), stage)
        except InvalidFile as refused:
            sources.print_problems(refused.problems)
            said = f"{len(refused.problems)} problem(s); the search index stays as it was."
            raise click.ClickException(said) from None
        keep_as_next(stage)
        click.echo(f"{count} documents → {build / NEXT_FOLDER / SEARCH_PART}")


@click.command()
@click.option("--without-pages", is_flag=True, help="Leave the pages out: the site draws them on request.")
@click.option("--first", is_flag=True, help="Texts and word search alone: the first start of a server waits for them.")
@click.option(
    "--sign", "key", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A private key of ssh-keygen."
)
def build(without_pages: bool, first: bool, key: Path | None) -> None:
    """Sources → one generation: corpus, search, what is learned, and pages, published whole. What did not change is
    taken over.
    """
    with _locked_build_dir() as place, _fewer_collections():
        before = _sound_generation(place)
        inputs = part_keys(corpus_dir(), ROOT, {PAGES_PART: os.environ.get("LEXBRIDGE_URL", "")})
        held = {name: record.inputs for name, record in before.manifest.parts.items()} if before else {}
        # The pages of a build of other code are made anyhow, and its corpus may lack what this code reads.
        if before and held.get(PAGES_PART) == inputs[PAGES_PART] and not _shows_rulings_of_today(before):
            held.pop(PAGES_PART)
        left_out = {LEARNED_PART, PAGES_PART} if first else {PAGES_PART} if without_pages else set()
        parts = [part for part in PARTS if part not in left_out]
        if before and all(held.get(part) == inputs[part] for part in parts):
            remove_old_generations(place)
            if key:
                sign_generation(before.folder, key)
            click.echo(f"Nothing has changed: {before.digest} stays.")
            return
        with open_stage(place, inputs) as stage:
            for number, part in enumerate(parts, 1):
                if before and held.get(part) == inputs[part]:
                    stage.copy_part(part, before)
                    click.echo(f"{part}: unchanged")
                else:
                    _make_part(part, f"{number} of {len(parts)}", stage, before)
            click.echo(f"{publish(stage, key)} → {place}")


def _make_corpus(stage: BuildStage, before: Generation | None) -> str:  # noqa: ARG001 – every part is made alike
    """Write the parsed corpus; return how much was made, for the summary line: “5000 nodes”. Nothing of ``before`` is
    used.
    """
    result = sources.read_sound_sources()
    write_corpus(result, stage)
    print_summary(result)
    return f"{sum(len(r.nodes) for r in result.readings.values())} nodes"


def _make_search(stage: BuildStage, before: Generation | None) -> str:  # noqa: ARG001
    """Write the index by which words are found; return how much was made, for the summary line: “5000 documents”.

    Nothing of ``before``, the generation before, is used.
    """
    from index import build as building

    try:
        count = building.build_words(Library.open(stage.read_parts()), stage)
    except InvalidFile as refused:
        sources.print_problems(refused.problems)
        raise click.ClickException(f"{len(refused.problems)} problem(s); {GENERATION_STAYS}") from None
    return f"{count} documents"


def _make_learned(stage: BuildStage, before: Generation | None) -> str:  # noqa: ARG001
    """Write what is learned; return from how much, for the summary line: “20000 sentences”. Nothing of ``before`` is
    used.
    """
    from index import build as building

    return f"{building.build_learned(Library.open(stage.read_parts()), stage)} sentences"


def _make_pages(stage: BuildStage, before: Generation | None) -> str:
    """Write the pages; return how much was made, for the summary line: “9 files”.

    Pages that did not change are taken from the generation ``before``.
    """
    from app import prerender

    prerender.write_pages(stage, before, lambda said: click.echo(f"pages: {said}", err=True))
    return f"{sum(1 for p in (stage.folder / PAGES_PART).rglob('*') if p.is_file())} files"


_MAKERS: dict[str, Callable[[BuildStage, Generation | None], str]] = {
    CORPUS_PART: _make_corpus,
    SEARCH_PART: _make_search,
    LEARNED_PART: _make_learned,
    PAGES_PART: _make_pages,
}


def _make_part(part: str, step: str, stage: BuildStage, before: Generation | None) -> None:
    """Make a part of a build, and print what was made, how much, and how long it took.

    ``step`` says how far the build is: “1 of 4”. ``before`` is the generation before, of which the part may reuse
    something.
    """
    click.echo(f"{part} ({step}) …", err=True)
    started = perf_counter()
    made = _MAKERS[part](stage, before)
    click.echo(f"{part}: {made}, {perf_counter() - started:.1f} s")


def _sound_generation(build: Path) -> Generation | None:
    """Return the current generation. None when there is none, or when it is damaged and everything must be
    built again.
    """
    if current_digest(build) is None:
        return None
    try:
        return Generation.open(build)
    except StoreError as error:
        click.echo(f"{error} All of it is made anew.", err=True)
        return None


def _shows_rulings_of_today(generation: Generation) -> bool:
    """Whether the pages of a generation still agree with the dates of the rulings."""
    from app.site.cache import PagePacks

    made_by = PagePacks.open(generation).page_version
    if made_by is None:
        return True
    return made_by.turn == Library.open(generation).count_ruling_changes(dt.datetime.now(dt.UTC).date())


# The garbage collector's thresholds during a build. It makes millions of objects that stay, and with the usual
# thresholds a seventh of its time goes into looking through them.
GC_THRESHOLDS = (200_000, 50, 100)


@contextmanager
def _fewer_collections() -> Iterator[None]:
    """Let the garbage collector run less often in the block."""
    before = gc.get_threshold()
    gc.set_threshold(*GC_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _locked_build_dir() -> Iterator[Path]:
    """Yield the build folder, locked against other builds.

    Raises:
        click.ClickException: the folder is locked or cannot be written.
    """
    place = build_dir()
    try:
        with lock_build_folder(place):
            yield place
    except (BuildRunning, StoreError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise sources.unwritable_error(error, place, sources.SET_BUILD_MOVE) from None


def print_summary(result: IngestResult) -> None:
    """Print what was read, a line for each edition."""
    for id_, reading in result.readings.items():
        noted = sum(1 for p in reading.problems if not p.fatal)
        references = sum(len(n.references) for n in reading.nodes)
        laws = sum(n.kind in LAW_KINDS for n in reading.nodes)
        click.echo(
            f"{id_}: {laws} laws, {len(reading.nodes)} nodes, {references} references, "
            f"{len(reading.corrections)} corrections, "
            f"{len(reading.dropped)} pieces dropped by rule, {noted} things noted (lexbridge check {id_})"
        )
    asked = sum(bool(s.table) for s in result.situations.all)
    click.echo(f"{len(result.situations.all)} situations, {asked} of them with questions")
    rulings: Rulings = result.layer("rulings")
    bodies = ", ".join(body.id for body in rulings.bodies) or "nobody"
    click.echo(f"{len(rulings.all)} rulings of {bodies}")


def last_build() -> Generation:
    """Return the corpus and the search that were made last, for a command that reads them.

    Raises:
        click.ClickException: there is no build; the message says what to do.
    """
    try:
        return Generation.open_latest(build_dir())
    except StoreError as error:
        raise click.ClickException(str(error)) from None
