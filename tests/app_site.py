"""The site on the session's build, as the tests of the site ask it."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from flask.testing import FlaskClient


class Faults(logging.Handler):
    """An unhandled exception is a failed test, also when the page looked fine."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.seen: list[str] = []

    def emit(self, record):
        self.seen.append(logging.Formatter().format(record))


@pytest.fixture(scope="session")
def site(application):
    """The application: one for all files, for a fixture that a file imports is made for that file."""
    return application


@contextmanager
def asking(site: Flask) -> Iterator[FlaskClient]:
    """A client; fails when the server logged a fault."""
    faults = Faults()
    site.logger.addHandler(faults)
    try:
        yield site.test_client()
    finally:
        site.logger.removeHandler(faults)
    assert not faults.seen, faults.seen[0]


@pytest.fixture
def client(site):
    """A client that fails its test when the server logged a fault."""
    with asking(site) as client:
        yield client


def plain(address: str) -> str:
    """An address of the site without its language."""
    return re.sub(r"[?&]ui=\w+(?=#|$)", "", address)


def url_of(id_: str) -> str:
    """The address of a node on the page of its law, without a language."""
    _, _, path = id_.partition("/")
    return f"/{id_}" + (f"#{path.replace('/', '-')}" if "/" in path else "")


def asked(url: str) -> str:
    """An address as English readers ask it, unless it names a language itself."""
    if re.search(r"[?&]ui=", url):
        return url
    base, sign, jump = url.partition("#")
    return f"{base}{'&' if '?' in base else '?'}ui=en{sign}{jump}"


def page(client, url: str, status: int = 200) -> BeautifulSoup:
    """The parsed page of an address, asked in English unless it names a language, its links without theirs: that they
    carry it is tested for all pages at once (``test_language_of_the_site.py``).
    """
    response = client.get(asked(url))
    assert response.status_code == status, f"{url}: {response.status_code}"
    soup = BeautifulSoup(response.data, "lxml")
    for name in ("href", "data-term"):
        for element in soup.select(f"[{name}]"):
            element[name] = plain(element[name])
    return soup
