"""THE TEXTS, and all that is known about them. Nothing here knows of pages, web addresses or the search engine."""
