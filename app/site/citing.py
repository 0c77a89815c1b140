"""What one takes away to cite: the forms in one language of the site."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Citation:
    """The forms in one language of the site. ``quotation`` keeps the labels and brings what is said of slips of the
    print along.
    """

    lang: str
    short: str
    full: str
    quotation: str
