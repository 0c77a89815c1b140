"""What only maintainers run: checks of the code, measurements, restored scans, word tables, and pictures of the site.

A server does not need this package, and no other package imports it.
"""
