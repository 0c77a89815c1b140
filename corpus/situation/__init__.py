"""Situations at the table → the words of the laws that rule them: ``situations/<id>.toml``.

A situation has questions, and for each code of laws a decision table: each combination of answers meets one row,
which quotes the provisions and states the duties. People write the tables by reading the laws
(docs/add-a-situation.md); nothing in them is derived from references.

- ``model``: the values, the closed lists (``vocabulary/*.toml``), which row the answers meet, and what is asked next.
- ``read``: the folder → situations, or every fault; and who has read each row (``readings.tsv``).
- ``placement``: finds quotations, duties and misprints in the texts.
- ``problems``: what is checked of one situation, and which provisions of a code situations cover. It also says who
  sits where after some answers.

:mod:`corpus.relation.cross_checks` checks the tables of two codes against each other.
"""
