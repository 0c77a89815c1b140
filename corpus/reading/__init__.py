"""From a source file to a tree of nodes: one step after the other, each hands a value to the next (``read``).

    source     bytes → lines
    published  corrections applied; every character keeps its place in the source
    html       markup → lines (markup: characters, blocks: lines)
    layout     drop rules, line splits
    notes      footnotes leave the lines (marks: what is a mark, pair: which note it leads to)
    assemble   lines → drafts: place/ decides, action acts, cursor is what is open; book is what they know
               (numbering: which label continues which, sentences: where a paragraph begins)
    tree       drafts → nodes (flow: lines become running text)
    tally      what became of every character; loose_ends: what the manifest declares and no line met

What an edition prints how is told by its ``edition.toml`` alone. What a reading without fatal problems guarantees
(in brackets the tests that hold it to that):

1.  The source is not changed: every published character is the source's or a correction's, and the corrections taken
    back give the source byte for byte. [test_published]
2.  Each character that is no blank is in one node or dropped by a named rule, never both. [test_nothing_vanishes,
    test_outlines]
3.  Every character of a label, heading or text knows its line and column, and slicing the source there gives it.
    [test_places]
4.  Nodes stand in the order of the book; a path is borne by one node, a child lies below its parent.
    [test_outlines, test_decisions]
5.  A label is opened only when it is the next of its list; a jump, a repetition or a missing law is a fatal problem.
    [test_check, test_reader]
6.  A mark leads to a note of its sign that is there, and the words hold no mark; a note without a mark is told.
    [test_reader, test_check]
7.  A footnote or the end of a page inside a sentence does not part the sentence. [test_interruptions]
8.  A declared row of a table is a row of the node whose table it is, cells as printed. [test_tables]
9.  Every line that holds text has one placing for each stretch of it, with its reason. [test_decisions]
10. The same files give the same reading; a source that cannot be read is a problem with its place, never an exception.
    [test_reader, test_check]
"""
