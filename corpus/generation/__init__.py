"""Generations: all that one build made – corpus, search, pages – in one folder under one digest, published whole.

``<build>/generations/<digest>/`` with a ``manifest.json`` that lists every file with its sha256; ``<build>/current``, a
symlink that one rename replaces, leads to the one that is served. ``<build>/next/``: what ``lexbridge ingest`` and
``lexbridge index`` made since, which nobody serves.
``manifest`` what a generation consists of, and its digest · ``opened`` reads one whole, proved, and never looks again ·
``stage`` where the next one is made, by one build at a time · ``publish`` makes it current and clears up ·
``inputs`` what a part is made from: one whose inputs are unchanged is taken over.
"""
