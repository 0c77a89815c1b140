"""The first start of a site: served as soon as there is something, while the rest is built beside it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from corpus.generation import current_digest

BUILD = (sys.executable, "-m", "scripts.cli", "build")
ROOT = Path(__file__).parent.parent


@contextmanager
def background_build(place: Path) -> Iterator[None]:
    """A build folder with something to serve, in which all that is not built yet is built meanwhile, by a process of
    its own; it is ended with what is done meanwhile, and leaves what is served as it was.

    Where there is nothing yet, texts and search are built first; raises :class:`click.ClickException` when they cannot.
    """
    if current_digest(place) is None:
        first = subprocess.run((*BUILD, "--without-pages"), cwd=ROOT, check=False)  # noqa: S603 – this very program
        if first.returncode:
            raise click.ClickException(f"There is nothing to serve in {place}: the build has failed, as told above.")
    child = subprocess.Popen(BUILD, cwd=ROOT)  # noqa: S603 – the same
    try:
        yield
    finally:
        child.terminate()
        child.wait()
