"""THE SEARCH: what was asked → provisions in an order, with what each is worth. Whoosh is imported here only.

It knows no page, no request and no source: it hands out values of texts that are read already, and others show them.
Never imported here: ``flask``, ``flask_babel``, ``werkzeug``, ``jinja2``, ``markupsafe``, ``bs4``, ``corpus.reading``,
``corpus.ingest``, ``corpus.ingested``, ``corpus.layers``, ``app``, ``scripts``.
"""


class IndexMissing(Exception):  # noqa: N818 (the name says what is the matter)
    """The index is missing, damaged or older than the corpus; the message says what to do."""
