"""All that holds between two texts of the laws, in one room without HTTP or HTML.

``concordance`` reads the reviewed tables, ``proposal`` computes what nobody reviewed, ``spine`` says which editions
are joined directly and ``compose`` reads every other pair of editions along these joints. ``relations`` answers from
them: its ``counterparts`` is the ONE rule of “corresponds”. ``summary``, ``compare``, ``redline``, ``lineage`` and
``changes`` are made from it.
"""
