"""Pages as they are kept in a generation: in packs, compressed, a law's also with places left open; and as answers.

What a page says depends on its address, the site's language and the generation, and on nothing else; so it is rendered
once for all readers (:mod:`app.pages`). The page of a law is kept twice: ready, and as a frame in which what depends on
the provision asked for is left open, so that every provision of it is answered without drawing the law again.
Never imported here: ``app.site``, ``corpus``, ``index``, ``flask``, ``scripts``.
"""
