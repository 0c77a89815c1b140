"""Rules of the site's rooms: who makes an address."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

APP = Path(__file__).parent.parent / "app"
CODE = sorted(APP.rglob("*.py"))
TEMPLATES = sorted([*APP.rglob("templates/*.html"), *APP.rglob("templates/*.xml")])
# A stroke or a question mark that begins an address, joined to something else.
BY_HAND = re.compile(r"""f["'][/?]|["'][/?][\w/.-]*["'] ?[+%]|urlencode|quote\(""")
PRINTED = re.compile(r"""(?:href|action|src)=["'](?:[/?]|\{\{ ?["'])|\{\{[^}]*["'][/?][^}]*\}\}|urlencode""")


def named(path: Path) -> str:
    return str(path.relative_to(APP))


def test_there_are_rooms():
    assert len(CODE) > 30 and len(TEMPLATES) > 15


@pytest.mark.parametrize("path", [p for p in CODE if named(p) != "site/addresses.py"], ids=named)
def test_addresses_are_made_in_one_module(path):
    assert not BY_HAND.findall(path.read_text(encoding="utf-8")), f"{named(path)}: ask app.site.addresses"


@pytest.mark.parametrize("path", TEMPLATES, ids=named)
def test_templates_ask_for_addresses(path):
    assert not PRINTED.findall(path.read_text(encoding="utf-8")), f"{named(path)}: ask url"
