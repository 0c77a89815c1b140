"""The order of provisions for one query, with the factors of every score; and whether the first of them answer."""
