"""Query parsing: from the typed text to a ``CitationQuery`` or a ``WordQuery`` (:mod:`index.query.model`)."""
