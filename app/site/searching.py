"""The one place where the site meets the search package."""

from __future__ import annotations

from corpus.bid import Overcall
from index.answer import Answer, Suggestion
from index.heard.finder import Described
from index.search import Searcher

# Characters of a query: what is longer is no question.
LONGEST = 500
# Situations beside the provisions that a search finds.
MOST_CALLS = 3


class Search:
    """What the site asks of the searcher of a snapshot; shared by all threads."""

    def __init__(self, searcher: Searcher):
        self._searcher = searcher

    def answer(self, q: str, **filters) -> Answer:
        """The answer to a query, with the filters of :meth:`index.search.Searcher.search`."""
        return self._searcher.search(q, **filters)

    def suggest(self, q: str, lang: str | None = None) -> tuple[Suggestion, ...]:
        """At most a handful."""
        return self._searcher.suggest(q, lang=lang)

    def situations(self, q: str, lang: str | None = None, limit: int = 10) -> tuple[Described, ...]:
        """The situations that words describe, best first."""
        return self._searcher.situations(q, lang, limit)

    def overcall(self, q: str, lang: str | None = None) -> Overcall | None:
        """The two bids that words tell, where the later one is insufficient."""
        return self._searcher.overcall(q, lang)
