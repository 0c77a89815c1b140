"""The site's languages: complete, current, texts keep their own."""

from __future__ import annotations

import re

import pytest
from app_site import client, page, site  # noqa: F401
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from app.site import reader, wording
from corpus.files import LocalizedText

APP = reader.TRANSLATIONS_FOLDER.parent


def catalogue(lang: str):
    with (reader.TRANSLATIONS_FOLDER / lang / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=lang)


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_every_sentence_is_translated_and_none_is_left_over(lang):
    with (reader.TRANSLATIONS_FOLDER / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    used = {
        m[2] if m[2] is not None else m
        for m in extract_from_dir(
            APP, methods, options, keywords={"_": None, "_l": None, "gettext": None, "ngettext": (1, 2)}
        )
    }
    known = {m.id: m.string for m in catalogue(lang) if m.id}
    assert len(used) > 150 and set(known) == used
    for key, words in known.items():
        assert all(words) if isinstance(words, tuple) else words, key
        for form in words if isinstance(words, tuple) else (words,):
            assert set(re.findall(r"%\(\w+\)s", form)) == set(
                re.findall(r"%\(\w+\)s", key[0] if isinstance(key, tuple) else key)
            ), key


def plain(words):
    """Plural forms as a tuple, whichever reader they come from."""
    return tuple(words) if isinstance(words, (list, tuple)) else words


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_the_compiled_catalogue_is_the_written_one(lang):
    with (reader.TRANSLATIONS_FOLDER / lang / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        compiled = {plain(m.id): plain(m.string) for m in read_mo(file) if m.id}
    assert compiled == {plain(m.id): plain(m.string) for m in catalogue(lang) if m.id}, (
        "Run: pybabel compile -d app/translations"
    )


@pytest.mark.parametrize(
    "lang, forms",
    [
        (
            "pl",
            [
                "1 postanowienie",
                "2 postanowienia",
                "5 postanowień",
                "12 postanowień",
                "22 postanowienia",
                "112 postanowień",
            ],
        ),
        ("sk", ["1 ustanovenie", "2 ustanovenia", "5 ustanovení", "22 ustanovení"]),
        ("hr", ["1 odredba", "2 odredbe", "5 odredaba", "11 odredaba", "21 odredba", "22 odredbe"]),
        ("en", ["1 provision", "2 provisions"]),
    ],
)
def test_plurals(site, lang, forms):
    from flask_babel import force_locale, ngettext

    with site.test_request_context(), force_locale(lang):
        assert [ngettext("%(num)s provision", "%(num)s provisions", int(f.split()[0])) for f in forms] == forms


@pytest.mark.parametrize("lang", [lang for lang in reader.LANGUAGES if catalogue(lang).num_plurals > 2])
def test_a_count_without_plural_forms_stands_after_its_word(lang):
    """“usunięte: 5”: where the number changes the word, and the phrase
    has one form only, the number governs nothing.
    """
    counts = {m.id: m.string for m in catalogue(lang) if isinstance(m.id, str) and m.id.startswith("%(num)s ")}
    assert len(counts) > 4
    assert not {key: words for key, words in counts.items() if not words.endswith(": %(num)s")}


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_a_sum_that_counts_translations_does_not_call_all_of_it_changed(lang):
    """The number includes parts that differ only in a translation: the laws may not have changed there."""
    said = {m.id[0] if isinstance(m.id, tuple) else m.id: m.string for m in catalogue(lang)}
    assert said["changed in substance"] not in said["no part changed"]
    assert not [
        form
        for form in said["%(changed)s of %(num)s part changed"]
        if said["changed in substance"] in form or "changed" in form.replace("%(changed)s", "")
    ]


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_a_word_that_the_source_lacks_is_no_provision_without_a_counterpart(site, lang):
    from flask_babel import force_locale, gettext

    with site.test_request_context(), force_locale(lang):
        assert wording.source_words(" ") == gettext("not in the source") != gettext("nothing")
        assert wording.source_words("a") == "a"


def test_a_citation_is_written_in_four_languages(client):
    soup = page(client, "/cite/pl-2007/16/D/2?ui=en")
    sections = {s["lang"]: [b.text for b in s.select("blockquote")] for s in soup.select("section[lang]")}
    assert next(iter(sections)) == "en" and set(sections) == set(reader.LANGUAGES)
    assert (
        sections["en"][0] == "MPB 2007, 16D2"
        and "przepis 16D2" in sections["pl"][1]
        and "2. Dla strony" in sections["sk"][2]
    )
    assert soup.select_one("svg.qr") is not None


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_what_is_said_of_an_edition_is_said_in_the_readers_language(client, library, lang):
    said = 0
    for edition in library.editions.values():
        soup = page(client, f"/{edition.id}/about?ui={lang}")
        shown = soup.select_one(".facts").get_text()
        for texts in (v for v in vars(edition).values() if isinstance(v, LocalizedText)):
            if texts:
                assert set(texts) in ({""}, set(reader.LANGUAGES))
                assert texts.get(lang, texts.get("")) in shown, edition.id
                said += 1
        assert not [e for e in soup.select(".facts [lang]") if e["lang"] not in ("", lang, edition.lang)], edition.id
    assert said > 10


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_a_notice_stands_wherever_its_law_is_read_and_nowhere_else(client, library, lang):
    """On the law's page, its deep addresses, its card and its print; in the
    reader's language, and not as a notice of another page.
    """
    found = 0
    for edition in library.editions.values():
        for notice in edition.notices:
            for path in notice.paths:
                law = library.node_at(edition.id, path)
                part = (library.children_of(law) or [law])[0]
                for url in (f"/{law.id}", f"/{part.id}", f"/card/{part.id}", f"/{law.id}?only={part.path}"):
                    assert (
                        notice.text[lang]
                        in page(client, url + ("&" if "?" in url else "?") + f"ui={lang}").main.get_text()
                    ), url
                    found += 1
            other = next(n for n in library.laws_of(edition.id) if n.path not in notice.paths)
            assert notice.text[lang] not in page(client, f"/{other.id}?ui={lang}").get_text()
            assert not [
                b
                for b in page(client, f"/{edition.id}/about?ui={lang}").select(".banner")
                if notice.text[lang] in b.text
            ]
    assert found


@pytest.mark.parametrize("lang, word", [("pl", "przyp."), ("sk", "pozn."), ("hr", "bilj."), ("en", "fn.")])
def test_a_footnote_is_cited_in_the_readers_language(client, library, lang, word):
    """On its page, where it is cited, compared, found – nowhere by the word of another language."""
    for id_, cited in (
        ("pl-2007/16/fn/1", f"16 {word} 1"),
        ("sk-2017/fn/7", f"{word} 7"),
        ("hr-1997/fn/3", f"{word} 3"),
    ):
        assert library.nodes[id_].citation.endswith(cited.replace(word, "fn."))
        for url in (f"/{id_}", f"/cite/{id_}", f"/card/{id_}"):
            soup = page(client, f"{url}?ui={lang}")
            assert cited in soup.title.text, url
            if lang != "en":
                assert "fn. " not in "".join(
                    s.get_text() for s in [soup.title, *soup.select("h1, .standing, .cite-forms section:first-of-type")]
                ), url
