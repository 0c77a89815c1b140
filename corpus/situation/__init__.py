"""What happened at the table → the words that rule it: ``situations/<id>.toml``, by code, question and answer.

``model`` the values · ``vocabulary`` the closed lists (``vocabulary/*.toml``) · ``table`` which row answers meet, and
what is asked next · ``drawings`` who sits where after answers · ``read`` the folder → situations, or every fault ·
``words``, ``tables``, ``quotes``, ``ways`` what is checked of one · ``covered`` of a whole code (and
:mod:`corpus.relation.agreement` of two). Nothing in a table is derived from references: it is written by reading
(docs/add-a-situation.md).
"""
