"""From a source file to a tree of nodes: one module per step, in reading order.

``source`` bytes → lines · ``published`` corrections applied, every character keeps its place in the source ·
``html`` markup → lines · ``layout`` drop rules and line splits · ``notes`` footnotes leave the lines ·
``assemble`` lines → drafts (``labels`` and ``numbering``: which line starts a provision; ``prose``: where a paragraph
begins) · ``flow`` and ``tree`` drafts → nodes, marks paired with notes · ``reader`` calls the steps. What an edition
prints how is told by its ``edition.toml`` alone.
"""
