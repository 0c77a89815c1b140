"""The commands of ``lexbridge``: each does all of its work or nothing, and says what it did.

This package may import every other package, and no other package imports it.
"""
