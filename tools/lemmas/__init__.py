"""Authoring: the tables of lemmas, every word of the texts and of what is told with all its forms.

    python -m tools.lemmas [LANG …] [--root DIR]

Writes ``corpus/words/lemmas-<lang>.tsv``. The tables are committed, and neither the build nor the site needs a
dictionary. A row is ``lemma<TAB>form form …``, all without diacritics and in lower case. Which dictionary serves a
language stands in its language file under ``[search] dictionary``, where it is from and under which licence in
``corpus/words/sources.toml``: a table is made from one dictionary, under one licence, and says so at its head.
"""
