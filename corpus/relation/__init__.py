"""What holds between two editions: which provisions correspond, and what differs.

Nothing here knows HTTP or HTML.

- ``concordance`` reads the reviewed tables.
- ``alignment`` proposes pairs where nobody has reviewed, and says which editions are aligned directly.
- ``relations`` answers what corresponds to what in any two editions. Its ``counterparts_of`` is the ONE rule of
  “corresponds”. Editions that are not aligned directly are composed through the editions between them.
- ``cross_checks`` compares reviewed data across editions: strength marks, and decision tables of situations.

Two modules beside this package use it:

- ``corpus.changes`` lists and counts the changes, follows a provision through the years, and maps a target of the
  subject index or of a term to another edition.
- ``corpus.compare`` sets editions side by side and marks changed words.
"""
