"""Scores: what a contract, a revoke or an adjusted score is worth, in the pages under ``/score`` and in the API."""
