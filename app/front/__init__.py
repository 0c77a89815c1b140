"""The front: what stands before the application, and answers what must not come in.

``app.front.door.front(app)`` is what a server serves; ``create_app()`` stays the plain application.
Never imported here: a kind of page (``app.home``, ``app.law`` …).
"""
