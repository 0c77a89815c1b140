"""Authoring: restore the OCR'd Polish text of an edition and record every change.

    python -m scripts.restore propose SOURCE RESTORED UNCERTAIN.tsv   the machine's reading
    python -m scripts.restore compare A B SOURCE OUT.tsv              where two readings differ
    python -m scripts.restore corrections SOURCE RESTORED OUT.tsv     the rows the site is built from

`propose` needs the extra `restore` (morfeusz2, wordfreq, ogonki); the other two need nothing.
Nothing in the project imports this package: building the site needs only corrections.tsv.
"""
