"""Authoring: makes the tables of lemmas, every word of the texts and of our own data with all its forms.

    python -m tools.lemmas [LANG …] [--root DIR]

It writes ``corpus/words/lemmas-<lang>.tsv`` and ``everyday-<lang>.tsv``. The tables are committed, so neither the
build nor the site needs a dictionary. A row is ``lemma<TAB>form form …``, all in lower case and without diacritics.
The language file names the dictionary of a language under ``[search] dictionary``; ``corpus/words/sources.toml``
states where the dictionary is from and under which licence. A table is made from one dictionary, under one licence,
and says so in its head.

- ``dictionaries``: the two kinds of dictionaries; ``guess``: words that a list does not know.
- ``hunspell``, ``graded``: readers of the lists; ``sources``: their files and licences.
- ``tables``: the words of a language, and the rows of the tables.
"""
