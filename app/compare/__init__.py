"""Editions side by side."""
