"""Suggestions: what may be about to be typed, and the query without its typing errors."""
