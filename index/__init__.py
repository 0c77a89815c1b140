"""The search. Whoosh is imported in this package and nowhere else; the package knows no page and no request."""


class IndexMissing(Exception):  # noqa: N818 (the name says what is the matter)
    """The index is missing, damaged or older than the corpus; the message says what to do."""
