"""A generation is asked what readers will ask before it is taken: the first of them does not wait, and it is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Flask

from app.site import addresses
from app.site.delivery import QUIET
from app.site.state import ASKED_OF, Snapshot
from corpus.store import StoreError

ASKED = "revoke renons"


def warm_up(app: Flask) -> Callable[[Snapshot], None]:
    """Asks a snapshot through the site; raises :class:`corpus.store.StoreError` when it does not answer."""

    def ask(snapshot: Snapshot) -> None:
        client, asked_of = app.test_client(), [snapshot]
        with app.test_request_context():
            wanted = [*_asked(snapshot)]
        try:
            for address in wanted:
                response = client.get(address, environ_overrides={ASKED_OF: asked_of, QUIET: True})
                if response.status_code != 200:
                    raise StoreError(f"{snapshot.digest} answers {response.status} at {address}. Run: lexbridge build")
        finally:
            # An environment stands in a circle with its request, which would hold the snapshot for good.
            asked_of.clear()

    return ask


def _asked(snapshot: Snapshot) -> Iterator[str]:
    """Addresses of every kind that has something to work out; asked within a request, as addresses are."""
    library = snapshot.library
    yield addresses.search(ASKED)
    yield addresses.situations(ASKED)
    for edition in library.editions:
        if laws := library.laws(edition):
            # Not as it is kept, so that it is drawn.
            yield addresses.law(laws[len(laws) // 2].id, decisions="0")
            yield addresses.data(laws[0].id)
    yield addresses.health()
