"""The search page, and search from the browser's address bar (OpenSearch)."""
