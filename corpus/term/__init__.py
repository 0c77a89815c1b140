"""The terms of the laws: one record a concept, ``terms/<slug>.toml``, with its names and where each edition gives its
meaning.

``model`` the values · ``read`` the folder → terms, or every fault · ``proof`` what is checked of them against the
texts · ``names`` how a name is found among words · ``everyday`` where it is no name · ``find`` where the terms stand in
the provisions of an edition. docs/add-a-term.md shows how a record is written.
"""
