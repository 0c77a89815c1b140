"""References: clean → find → resolve → annotate. ``annotate(nodes, edition, language)`` does all four."""
