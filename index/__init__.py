"""The search. Whoosh is imported in this package and nowhere else; the package knows no page and no request."""


class IndexMissing(Exception):
    """The index is missing, damaged or older than the corpus; the message says what to do."""
