"""The texts and all that is known about them: a source becomes a tree of nodes, and editions are compared.

This package knows no pages, no requests and no search. What a text says does not depend on who asks for it, or how.
``ingest.read_editions`` reads everything and ``generation`` publishes it; ``library.Library`` loads what was built.
"""
