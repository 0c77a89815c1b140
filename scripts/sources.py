"""Reads the sources for a command, and prints what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from corpus import generation, ingest
from corpus.files import OLD_FOLDER_NAMES
from corpus.layers import IngestResult
from corpus.model import Problem
from corpus.term.read import FOLDER as TERMS_FOLDER

NO_INVENTORY = "There is no inventory.tsv, so a lost row is not noticed. Make it: lexbridge inventory --accept ."
SET_BUILD_MOVE = "Set LEXBRIDGE_BUILD to a folder that can be written."


def read_sources(ids: tuple[str, ...] = ()) -> IngestResult:
    """Return what was read of the editions named by ``ids``, or of all.

    Raises:
        click.ClickException: there is no such edition.
    """
    try:
        return ingest.read_editions(generation.corpus_dir(), ids)
    except ingest.UnknownEdition as error:
        raise click.ClickException(str(error)) from None


def read_sound_sources(ids: tuple[str, ...] = ()) -> IngestResult:
    """Return what was read of all editions. Those named by ``ids`` are read first, and the others only if these have no
    fatal problem.

    Raises:
        click.ClickException: a problem is fatal; all fatal ones are printed before.
    """
    result = read_sources(ids)
    told = [(result, "")]
    if ids and not result.fatal_problems:
        result = ingest.with_other_editions(result, generation.corpus_dir())
        told.append((result, " in other editions"))
    for found, where in told:
        if found.fatal_problems:
            print_problems(found.fatal_problems)
            raise click.ClickException(
                f"{len(found.fatal_problems)} problem(s){where}; the parsed corpus stays as it was."
            )
    print_problems(p for p in result.problems if p.file in OLD_FOLDER_NAMES.values())
    return result


def read_all_layers(result: IngestResult, ids: tuple[str, ...]) -> IngestResult | None:
    """Return what was read, completed by all other editions, the data over all of them, and every problem of a build.

    ``ids``: the editions that were read; () for all. Return None when some are named and have fatal problems, which
    must be corrected first. The word lists name terms, so they are checked only when the terms are sound.
    """
    if ids and result.fatal_problems:
        return None
    whole = ingest.with_other_editions(result, generation.corpus_dir()) if ids else result
    if any(p.file.startswith(f"{TERMS_FOLDER}/") for p in whole.fatal_problems):
        return whole
    from index.build import word_list_problems

    return replace(whole, problems=[*whole.problems, *word_list_problems(generation.corpus_dir(), whole.terms)])


def print_problems(problems: Iterable[Problem]) -> None:
    """Print a line for each problem. Fatal ones go to stderr."""
    for problem in problems:
        click.echo(f"{problem}" if problem.fatal else f"{problem} (noted)", err=problem.fatal)


def unwritable_error(
    error: OSError, place: Path, move: str = "Name a place that can be written."
) -> click.ClickException:
    """Return the exception for a file or folder that cannot be written."""
    return click.ClickException(f"Nothing can be written to {place} ({error.strerror or error}). {move}")
