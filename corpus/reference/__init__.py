"""References: clean → find → resolve → annotate. ``annotate(nodes, edition, language)`` does all four."""

from corpus.reference.annotate import annotate

__all__ = ["annotate"]
