"""Authoring: restore the OCR'd text of an edition and record every change.

    python -m tools.restore propose SOURCE RESTORED UNCERTAIN.tsv    the machine's reading
    python -m tools.restore compare A B SOURCE OUT.tsv               where two readings differ
    python -m tools.restore corrections SOURCE RESTORED OUT.tsv --reading A --reading B --settled readings.tsv

SOURCE is in the folder of its edition, beside edition.toml and confusions.tsv. The clean texts of the same field are
the other editions of its language. `propose` and `corrections` need the extra `restore` (morfeusz2, wordfreq, ogonki);
`compare` needs nothing. Nothing in the project imports this package: building the site needs only corrections.tsv.

The basis of a correction is `rule` (the sign has one meaning), `dictionary` (one word fits), `context` (several fit and
the machine chose) or `proofread` (several fit; two independent readings agreed, or a third one settled it).
"""
