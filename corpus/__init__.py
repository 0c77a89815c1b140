"""THE TEXTS, and all we know about them: a source becomes a tree of nodes, and editions are laid beside each other.

It knows no page, no request and no search: what a text says does not hang on who asks for it, or how.
Never imported here: ``flask``, ``flask_babel``, ``werkzeug``, ``jinja2``, ``markupsafe``, ``whoosh``,
``index``, ``app``, ``scripts``.
"""
