"""Search: from a query to provisions in an order, with the reasons for every score.

:class:`index.search.Searcher` answers queries; :func:`index.build.build` makes the index that it reads. The package
returns values only. It knows no page and no HTTP request, and it reads no source text. It is the only package that
imports Whoosh.
"""
