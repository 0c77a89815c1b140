"""Reading: from the source file of an edition to a tree of nodes.

The entry point is ``read.read_source(edition, language)``. It returns a :class:`~corpus.reading.result.Reading`.
Each step hands a value to the next one:

    source      bytes → lines; the corrections are applied; every character keeps its place in the source
    html        web pages only: markup → lines (characters, blocks)
    flow        drop rules, line splits; later: lines become running text
    footnotes   the notes leave the lines; later: the marks leave the words, each leads to its note
    provisions  lines → drafts: deciders choose an action for each line (laws: the deciders of laws, parts, tables)
    actions     what can be done with a line; an action moves the cursor (draft: what is open)
    labels      which label continues which sequence
    nodes       drafts → nodes, and the account of every character
    checks      what the manifest declares and the text does not fit
    read        runs the steps, and reports what the manifest declares and no line matched
    result      the values that a reading returns

Only ``edition.toml`` says how an edition prints its text. A reading without fatal problems guarantees the following
(in brackets the tests that check it):

1.  The source is not changed: every published character is the source's or a correction's, and the corrections taken
    back give the source byte for byte. [test_published]
2.  Each character that is no blank is in one node or dropped by a named rule, never both. [test_nothing_vanishes,
    test_outlines]
3.  Every character of a label, heading or text knows its line and column, and slicing the source there gives it.
    [test_places]
4.  Nodes stand in the order of the book. A path belongs to one node. A child has a path below its parent's.
    [test_outlines, test_decisions]
5.  A label is opened only when it is the next of its list; a jump, a repetition or a missing law is a fatal problem.
    [test_check, test_reader]
6.  A mark leads to an existing note of its sign, and the words hold no mark. A note without a mark is reported.
    [test_reader, test_check]
7.  A footnote or the end of a page inside a sentence does not split the sentence. [test_interruptions]
8.  A declared row of a table is a row of the node whose table it is, cells as printed. [test_tables]
9.  Every line that holds text has one placing for each stretch of it, with its reason. [test_decisions]
10. The same files give the same reading; a source that cannot be read is a problem with its place, never an exception.
    [test_reader, test_check]
"""
