"""Makes the pages that a generation keeps: which ones, as the rooms of the site say, and how they are rendered.

Never imported here: ``whoosh``, ``bs4``, ``corpus.reading``, ``corpus.ingest``, ``scripts``.
"""
