"""The site on the session's build, as the tests of the site ask it."""

from __future__ import annotations

import logging
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


def page(client, url: str, status: int = 200) -> BeautifulSoup:
    """The parsed page of an address."""
    response = client.get(url)
    assert response.status_code == status, f"{url}: {response.status_code}"
    return BeautifulSoup(response.data, "html.parser")
