"""Reading the sources for a command: what is wrong with them is listed, and what cannot be written is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from corpus import generation, ingest
from corpus.ingest import IngestResult
from corpus.model import Problem

SET_BUILD_MOVE = "Set LEXBRIDGE_BUILD to a folder that can be written."


def read_sources(ids: tuple[str, ...] = ()) -> IngestResult:
    """The editions asked for, else all; raises :class:`click.ClickException` for one that there is not."""
    try:
        return ingest.read_editions(generation.corpus_dir(), ids)
    except ingest.UnknownEdition as error:
        raise click.ClickException(str(error)) from None


def read_sound_sources(ids: tuple[str, ...] = ()) -> IngestResult:
    """The same with all other editions; where a problem is fatal, all such are listed and the command ends."""
    result = read_sources(ids)
    told = [(result, "")]
    if ids and not result.fatal_problems:
        result = ingest.with_other_editions(result, generation.corpus_dir())
        told.append((result, " in other editions"))
    for found, where in told:
        if found.fatal_problems:
            list_problems(found.fatal_problems)
            raise click.ClickException(
                f"{len(found.fatal_problems)} problem(s){where}; the parsed corpus stays as it was."
            )
    return result


def with_layers(result: IngestResult, ids: tuple[str, ...]) -> IngestResult | None:
    """What was read together with all other editions, the layers over them and the lists of words: with every problem
    that a build would find. None where the sources themselves have fatal ones: these come first.
    """
    if result.fatal_problems:
        return None
    whole = ingest.with_other_editions(result, generation.corpus_dir()) if ids else result
    if whole.fatal_problems:
        return whole
    from index.build import find_problems

    return replace(whole, problems=[*whole.problems, *find_problems(generation.corpus_dir(), whole.terms)])


def list_problems(problems: Iterable[Problem]) -> None:
    """A line for each; those that are fatal to stderr."""
    for problem in problems:
        click.echo(f"{problem}" if problem.fatal else f"{problem} (noted)", err=problem.fatal)


def unwritable_error(
    error: OSError, place: Path, move: str = "Name a place that can be written."
) -> click.ClickException:
    """What a command ends with when a file or folder cannot be written."""
    return click.ClickException(f"Nothing can be written to {place} ({error.strerror or error}). {move}")
