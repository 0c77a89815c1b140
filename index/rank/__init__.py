"""Ranking: the order of provisions for a query, the factors of every score, and whether there is an answer."""
