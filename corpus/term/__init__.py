"""The terms of the laws: one record for each concept, ``terms/<slug>.toml``.

A record has the names of the concept and, for each edition, where the edition gives its meaning. docs/add-a-term.md
shows how a record is written.

- ``model``: the values; how names are found among words (:class:`model.NameIndex`); which terms a query asks for.
- ``read``: the folder → terms, or every fault; what is checked of them against the texts; where terms stand in the
  provisions of an edition (:class:`read.TermMarker`).
"""
