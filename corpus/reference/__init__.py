"""References: clean → find → resolve → annotate."""


def annotate(nodes, edition, language):
    """Nodes with their references, and problems (dangling references)."""
    return nodes, []
