"""The first page, and what programs ask a site for."""
