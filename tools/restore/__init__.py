"""Authoring: restore the OCR'd text of an edition and record every change.

    python -m tools.restore propose SOURCE RESTORED UNCERTAIN.tsv    the machine's reading
    python -m tools.restore compare A B SOURCE OUT.tsv               where two readings differ
    python -m tools.restore corrections SOURCE RESTORED OUT.tsv --reading A --reading B --settled readings.tsv

SOURCE stands in its edition's folder, beside edition.toml and confusions.tsv; the clean texts of the same field
are the other editions of its language.  `propose` and `corrections` need the extra `restore` (morfeusz2,
wordfreq, ogonki); `compare` needs nothing.  Nothing in the project imports this package: building the site
needs only corrections.tsv.  basis: `rule` a sign that has one meaning, `dictionary` one word fits, `context`
several fit and the machine chose, `proofread` several fit and two independent readings agreed or were settled.
"""
