"""What is not ours says under which licence it is here, and none is of a kind that we do not take: lists of words,
packages, vendored files.
"""

from __future__ import annotations

import re
from hashlib import sha256
from importlib import metadata

import pytest

from corpus import language, letters
from corpus.files import InvalidFile
from tools.lemmas import sources
from tools.structure import ROOT

WORDS = ROOT / "corpus" / "words"
MADE = re.compile(r"(lemmas|everyday)-(\w+)\.tsv")
DOCUMENT = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
LOCKS = ("requirements.lock", "requirements-test.lock")
KINDS = re.compile(
    r"0BSD|BSD|MIT|ISC|MPL|Apache|ZPL|Zope|PSF|Zlib|CC0|CC-BY|Unlicense|Unicode|ODbL|AGPL|LGPL|GPL|Mozilla"
)
SAME = {"Zope": "ZPL", "Mozilla": "MPL"}
# Copyleft that would reach beyond the file, and what may not be sold: as the only offer it is not taken.
REFUSED = re.compile(r"(?<!L)GPL|CC-BY-(SA|NC)|CC BY-(SA|NC)|ODbL|NonCommercial", re.IGNORECASE)


def kinds(licence: str) -> set[str]:
    return {SAME.get(kind, kind) for kind in KINDS.findall(licence)}


def refused(licence: str) -> bool:
    return all(REFUSED.search(offer) for offer in re.split(r" OR | or ", licence))


@pytest.mark.parametrize(
    "licence, is_refused",
    [
        ("MIT", False),
        ("LGPL-2.1-or-later", False),
        ("MPL-1.1", False),
        ("GPL-2.0-only OR LGPL-2.1-only OR MPL-1.1", False),
        ("GPL-3.0-only", True),
        ("AGPL-3.0-only", True),
        ("CC-BY-SA-4.0", True),
        ("CC-BY-SA-4.0 OR ODbL-1.0", True),
        ("CC-BY-NC-4.0", True),
    ],
)
def test_what_is_refused(licence, is_refused):
    assert refused(licence) == is_refused


def known():
    return sources.read_dictionary_sources(ROOT / "corpus")


def test_every_list_of_words_is_ours_or_says_whose_it_is():
    made = {path.name for path in WORDS.iterdir() if MADE.fullmatch(path.name)}
    ours = {path.name for path in WORDS.iterdir()} - made
    assert len(made) == 2 * len(list((ROOT / "corpus" / "languages").glob("*.toml"))) > 0
    readme = (WORDS / "README.md").read_text(encoding="utf-8").partition("Made by")[0]
    named = {name.replace("*", "") for name in re.findall(r"`([\w*-]+\.\w+)`", readme)} | {"README.md", "sources.toml"}
    assert [name for name in ours if name not in named and re.sub(r"-\w+\.", "-.", name) not in named] == []


@pytest.mark.parametrize("path", sorted(p for p in WORDS.iterdir() if MADE.fullmatch(p.name)), ids=lambda p: p.name)
def test_a_table_begins_with_the_notice_of_its_only_source(path):
    lang = MADE.fullmatch(path.name)[2]
    source = known()[language.load_language(ROOT / "corpus" / "languages", lang).search.dictionary]
    lines = path.read_text(encoding="utf-8").splitlines()
    head = source.notice_lines()
    assert lines[: len(head)] == head and not any(line.startswith("#") for line in lines[len(head) :])
    assert f"# SPDX-License-Identifier: {source.licence}" in head and len(lines) > len(head) + 100


def test_every_licence_of_a_list_is_one_we_take_and_has_its_text():
    assert len(known()) >= 4
    for name, source in known().items():
        assert not refused(source.licence) and not refused(source.offered), name
        assert source.copyright and source.licence.isascii(), name
        text = ROOT / "LICENSES" / f"{source.licence}.txt"
        assert text.is_file() and len(text.read_text(encoding="utf-8")) > 1_000, name
        if source.licence.startswith("BSD"):
            assert source.copyright[0] in text.read_text(encoding="utf-8")
        assert source.package.split()[0] in DOCUMENT and source.licence in DOCUMENT, name


def test_every_text_of_a_licence_is_asked_for():
    named = {source.licence for source in known().values()} | {"MIT", "MPL-2.0"}  # ours, and what is vendored
    assert {path.stem for path in (ROOT / "LICENSES").iterdir()} == named
    assert (ROOT / "LICENSES" / "MIT.txt").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_what_is_vendored_has_its_licence_beside_it():
    folders = [path for path in (ROOT / "tests" / "vendor").iterdir() if path.is_dir()]
    assert folders and all((folder / "LICENSE").is_file() for folder in folders)


def locked():
    names = {n for lock in LOCKS for n in re.findall(r"^([\w.-]+)==", (ROOT / lock).read_text(), re.MULTILINE)}
    assert len(names) > 40
    return sorted(names)


def stated(name: str) -> str:
    """The licence that a package states: its expression, its short text, else its classifiers."""
    said = metadata.metadata(name)
    short = said.get("License") or ""
    classified = " ".join(c for c in said.get_all("Classifier", []) if c.startswith("License"))
    return said.get("License-Expression") or (short if short and "\n" not in short else classified)


@pytest.mark.parametrize("name", locked())
def test_every_locked_package_stands_in_the_document_as_it_says_itself(name):
    row = re.search(rf"^\| {re.escape(name)} \| (?:site|tests) \| ([^|]+) \| [^|]+ \|$", DOCUMENT, re.MULTILINE)
    assert row, f"docs/dependencies.md: a row is missing: | {name} | site | {stated(name)} | why it is there |"
    assert kinds(row[1]) and kinds(row[1]) == kinds(stated(name)), (row[1], stated(name))
    assert not refused(row[1])


@pytest.mark.parametrize(
    "change, finding", [(None, "There is no such file"), ("other words", "Its SHA-256 is"), ("words", "")]
)
def test_only_the_dictionary_that_was_looked_at_is_read(tmp_path, change, finding):
    digest = sha256(b"words").hexdigest()
    source = sources.DictionarySource(
        kind="hunspell",
        package="p",
        install="get it",
        taken="",
        offered="MIT",
        licence="MIT",
        copyright=("me",),
        files={"a": digest},
    )
    if change:
        (tmp_path / "a").write_text(change)
    if not finding:
        assert source.paths(tmp_path, "one") == [tmp_path / "a"]
        return
    with pytest.raises(InvalidFile, match=finding):
        source.paths(tmp_path, "one")


def test_a_table_is_read_without_its_notice(corpus_dir):
    for path in (p for p in WORDS.iterdir() if MADE.fullmatch(p.name)):
        lang = MADE.fullmatch(path.name)[2]
        assert not any("#" in form or "spdx" in form.lower() for form in letters.read_lemmas_by_form(corpus_dir, lang))
        assert not any("#" in form for form in letters.read_everyday_words(corpus_dir, lang))
