"""The reasons of corrections, in the reader's language; what is a person's own remark says that it is English."""

from __future__ import annotations

import re

import pytest
from app_site import client, page, site  # noqa: F401
from flask_babel import force_locale

from app.site import phrases, reader
from corpus.model import Correction


def said(lang: str, reason: str, site, basis: str = "rule") -> str:
    with site.test_request_context(), force_locale(lang):
        return str(phrases.correction_reason(Correction("xx", 1, 1, "a", "b", basis, reason)))


@pytest.mark.parametrize(
    "reason, lang, wanted",
    [
        ("ogonek lost: a→ą", "pl", "zgubione: ogonek: a→ą"),
        ("stroke, acute lost: t→ł, s→ś", "sk", "stratené: prečiarknutie (ł), čiarka nad písmenom: t→ł, s→ś"),
        ("stroke, acute lost: t→ł", "en", "stroke through a letter, acute accent lost: t→ł"),
        ("read wrongly: I→J; not DEFINICJĘ", "hr", 'pogrešno pročitano: I→J; <span lang="en">not DEFINICJĘ</span>'),
        ("a letter is doubled", "sk", "zdvojené písmeno"),
        ("as the author <says>", "pl", '<span lang="en">as the author &lt;says&gt;</span>'),
        ("honour lost: a→b", "pl", '<span lang="en">honour lost: a→b</span>'),
        ("", "pl", "Na podstawie reguły"),
    ],
)
def test_a_kind_is_translated_and_a_remark_is_marked(site, reason, lang, wanted):
    assert said(lang, reason, site) == wanted


def test_nearly_all_reasons_are_of_a_kind_and_no_word_of_english_stands_unmarked(site, library):
    rows = {c.reason for c in library.corrections}
    assert len(rows) > 100
    for reason in rows:
        for lang in reader.LANGUAGES:
            shown = re.sub(r'<span lang="en">.*?</span>', "", said(lang, reason, site), flags=re.DOTALL)
            assert lang == "en" or not re.search(r"\b(the|is|are|lost|wrongly|not|agrees)\b", shown), reason
    whole = [c for c in library.corrections if said("pl", c.reason, site).startswith('<span lang="en">')]
    assert len(whole) / len(library.corrections) < 0.005, {c.reason for c in whole}


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_pages_show_them(client, lang):
    """Where corrections are listed: under a provision and on the edition's page."""
    wanted = {"pl": "brak litery", "sk": "chýba písmeno", "hr": "nedostaje slovo u riječi", "en": "a letter is lost"}[
        lang
    ]
    assert wanted in page(client, f"/sk-2017/about?ui={lang}").main.get_text()
