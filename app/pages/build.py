"""The pages of a generation: rendered from its corpus and search, beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from corpus.generation.opened import Generation


def render(folder: Path, previous: Generation | None, progress: Callable[[str], None]) -> None:
    """Write ``pages/`` of a folder that holds ``corpus/`` and ``search/``; ``previous``: the generation before, where
    there is a sound one; ``progress`` is told how far it is.
    """
