"""What only maintainers run: checks of the code, measurements, restored scans, tables of words, pictures of the site.

Nothing here is part of the package that a server needs, and nothing in the package imports it.
"""
