"""COMMANDS that a maintainer runs, ``lexbridge`` first: each does its work whole or not at all, and says what it did.

It may ask every floor and is asked by none; how a search engine or a request works it leaves to them.
Never imported here: ``whoosh``, ``jinja2``, ``markupsafe``.
"""
