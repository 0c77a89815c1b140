"""Whether laws are in force, and from when: the page that says so is named, or it is said that these texts do not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from app_site import client, page, site  # noqa: F401

from app.law import provision
from app.site import reader

SOURCED = {
    "/sk-2017/about": "https://www.bridgeclub.sk/download-category/dokumenty/",
    "/sk-2017/73": "https://www.pzbs.pl/nowosci/8204-mpb2017-rev2024",
    "/pzbs-2017/about": "https://www.pzbs.pl/nowosci/3810-mpb-2017",
    "/rulings/pzbs/": "https://www.pzbs.pl/nowosci/3810-mpb-2017",
    "/pzbs-2017/3": "https://www.pzbs.pl/nowosci/3810-mpb-2017",
}
NOT_STATED = {
    "pl": "w tych tekstach nie podano",
    "sk": "v týchto textoch sa neuvádza",
    "hr": "u ovim tekstovima nije navedeno",
    "en": "not stated in these texts",
}


@pytest.mark.parametrize("address, url", SOURCED.items())
@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_a_day_names_the_page_that_was_looked_up(client, address, url, ui):
    found = page(client, f"{address}?ui={ui}")
    assert found.select(f'a[href="{url}"]'), address
    assert "2026" in found.get_text()


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_what_no_page_says_is_said_not_to_be_stated(client, ui):
    assert NOT_STATED[ui] in page(client, f"/hr-1997/about?ui={ui}").get_text()
    assert NOT_STATED[ui] not in page(client, f"/sk-2017/about?ui={ui}").get_text()


def test_a_program_is_told_of_force_only_where_a_page_says_so(library):
    edition = library.editions["sk-2017"]
    assert provision.legal_force_json_ld(edition)["legislationLegalForce"].endswith("/InForce")
    assert provision.legal_force_json_ld(replace(edition, in_force_source=None)) == {}
    assert provision.legal_force_json_ld(library.editions["hr-1997"])["legislationLegalForce"].endswith("/NotInForce")
