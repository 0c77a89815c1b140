"""References in the words of the nodes: which words point to a provision, and which provision they mean.

``resolve.annotate_references(nodes, edition, language)`` returns the nodes with their references, and the problems.
The steps:

    grammar  the forms of labels in running text, from the words of the language
    find     phrases that look like references, as labels
    join     phrases that stand side by side and make one reference
    resolve  labels → ids of nodes; the entry point
"""
