"""From a source file to a tree of nodes: one module per step, in reading order.

``source`` bytes → lines · ``published`` corrections applied, every character keeps its place in the source ·
``layout`` drop rules and line splits · ``labels`` which line starts a provision · ``assemble`` the tree ·
``notes`` marks and footnotes · ``tables`` · ``reader`` calls the steps. What an edition prints how is told by
its ``edition.toml`` alone.
"""
