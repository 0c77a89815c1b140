"""A new edition gets into the real corpus by its own files alone, and no page claims of it what nobody has reviewed."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

import pytest
from app_site import asking
from bs4 import BeautifulSoup
from click.testing import CliRunner

from corpus.library import Library
from scripts.cli import main

ROOT = Path(__file__).parent.parent
DOC = (ROOT / "docs" / "add-an-edition.md").read_text(encoding="utf-8")
EXAMPLE = dict(re.findall(r"^```\w+ (corpus/\S+)\n(.*?)^```", DOC, re.MULTILINE | re.DOTALL))
SOURCE = EXAMPLE["corpus/editions/nl-2031/source.txt"]
MANIFEST = EXAMPLE["corpus/editions/nl-2031/edition.toml"]
DEFINITIONS = SOURCE[SOURCE.index("BEGRIPPEN") : SOURCE.index("HOOFDSTUK")]
LAW_2 = SOURCE[SOURCE.index("Artikel 2 —") : SOURCE.index("Artikel 3 —")]

ENGLISH = """\
WORDS

Promise (bid) – An undertaking to win tricks.
Umpire – Who leads the session by rule 2.

Rule 1 — THE PROMISE

Each promise is higher than the one before it, or it is corrected as rule 2 says.

Rule 2 — THE UMPIRE

A. Duty
The umpire applies rule 1 and rule 27.
B. Power
He may award a mended result.
"""
ENGLISH_MANIFEST = """\
title = "Rules of Contract"
short = "Rules"
lang = "en"
year = 2034
publisher = "not stated in the source"
provenance = "Invented for a test."
rights = "Free to use."
sha256 = "{sha256}"
laws = "1–2"

[[levels]]
kind = "law"
labels = ["Rule 1 — HEADING"]

[[levels]]
kind = "section"
labels = ["A."]

[[parts]]
path = "def"
start = '^WORDS$'

[definitions]
style = "dash"
"""
CODE_2017 = """\
Law 27 — INSUFFICIENT BID

A. Accepted
Any insufficient bid may be accepted.
B. Not accepted
It is corrected; see law 16.

Law 28 — IN ROTATION

The right of a player whose turn it is stays.
"""
EXTRACT = 'complete = false\ncompleteness_note = "Two laws."\n'


def without(text: str, *parts: str) -> str:
    for part in parts:
        assert part in text, part
        text = text.replace(part, "")
    return text


NO_DEFINITIONS = ("[[parts]]\npath = \"def\"\nstart = '^BEGRIPPEN$'\n\n", '[definitions]\nstyle = "dash"\n\n')
FOOTNOTE = ("¹", "\n Tel ze na.\n")  # of law 1, which the extract keeps
CODE_MANIFEST = without(
    ENGLISH_MANIFEST, "[[parts]]\npath = \"def\"\nstart = '^WORDS$'\n\n", '[definitions]\nstyle = "dash"\n'
)
# id → (source, manifest): complete and an extract, with definitions and without, in English, of a code that has tables.
STRANGERS = {
    "nl-2031": (SOURCE, MANIFEST),
    "nl-2032": (
        without(SOURCE, LAW_2),
        EXTRACT + MANIFEST.replace('laws = "1–3"', 'laws = "1, 3"').replace("2031", "2032", 1),
    ),
    "nl-2033": (without(SOURCE, DEFINITIONS), without(MANIFEST, *NO_DEFINITIONS)),
    "en-2034": (ENGLISH, ENGLISH_MANIFEST),
    "en-2017": (
        CODE_2017,
        EXTRACT
        + CODE_MANIFEST.replace("2034", "2017").replace('laws = "1–2"', 'laws = "27–28"').replace("Rule 1", "Law 1"),
    ),
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    """The real corpus with the strangers in it, each by its own folder and the file of its language."""
    folder = tmp_path_factory.mktemp("new") / "corpus"
    shutil.copytree(ROOT / "corpus", folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (folder / "languages" / "nl.toml").write_text(EXAMPLE["corpus/languages/nl.toml"], encoding="utf-8")
    for id_, (source, manifest) in STRANGERS.items():
        place = folder / "editions" / id_
        place.mkdir()
        (place / "source.txt").write_text(source, encoding="utf-8")
        digest = hashlib.sha256(source.encode()).hexdigest()
        told = re.sub(r"(?m)^sha256 = .*$", f'sha256 = "{digest}"', manifest)
        told = re.sub(r"(?m)^year = .*$", f"year = {id_[3:]}", told)
        (place / "edition.toml").write_text(told, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def built(corpus, tmp_path_factory) -> Path:
    """What ``lexbridge build`` makes of it."""
    folder = tmp_path_factory.mktemp("built")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEXBRIDGE_CORPUS", str(corpus))
        patch.setenv("LEXBRIDGE_BUILD", str(folder))
        result = CliRunner().invoke(main, ["build", "--without-pages"])
    assert result.exit_code == 0, result.output
    named = [line for line in result.output.splitlines() if "terms/" in line or "situations/" in line]
    assert not named
    return folder


@pytest.fixture(scope="module")
def library(built) -> Library:
    return Library.open(built / "current" / "corpus")


@pytest.fixture(scope="module")
def stranger_site(built):
    from app import create_app

    return create_app({"BUILD": built})


@pytest.fixture
def client(stranger_site):
    with asking(stranger_site) as client:
        yield client


@pytest.mark.parametrize("id_", STRANGERS)
def test_check_names_nothing_of_other_editions_and_lists_what_is_open(corpus, monkeypatch, id_):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    result = CliRunner().invoke(main, ["check", id_, "--todo"])
    assert result.exit_code == 0 and "0 problem(s)" in result.output, result.output
    assert not re.search(r"^(terms|situations|conditions|vocabulary)/", result.output, re.MULTILINE), result.output
    concepts = len(list((corpus / "terms").glob("*.toml")))
    assert f"{id_}: {concepts} of {concepts} concepts have no place in it." in result.output
    assert f"lexbridge propose {id_}" in result.output and "kind(s) of open work." in result.output


def test_of_our_editions_every_concept_says_something(monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(ROOT / "corpus"))
    result = CliRunner().invoke(main, ["check", "sk-2017", "hr-1997", "pl-2007", "--todo"])
    assert "kind(s) of open work." in result.output
    assert "have no place in it" not in result.output and "belong to no concept" not in result.output


def addresses(library: Library) -> list[str]:
    """Every kind of page for every stranger."""
    terms, situations = (
        list(library.terms)[:3],
        [s for s in library.situations if s in ("insufficient-bid", "bid-out-of-turn")],
    )
    out = [
        "/",
        "/terms/",
        "/terms/?by=nl",
        "/situations/",
        "/topics/",
        "/thresholds/",
        "/changes/",
        "/rulings/",
        "/settings",
    ]
    out += [f"/terms/{slug}" for slug in (*terms, "bid", "revoke")]
    out += [f"/situations/{s}?code={code}" for s in situations for code in ("2017", "2031", "1997")]
    out += ["/situations/insufficient-bid?code=2017&accepted=yes", "/27b", "/id/2017/27/B", "/id/2031/2/B/1"]
    for id_ in STRANGERS:
        nodes = library.of(id_)
        out += [
            f"/{id_}/",
            f"/{id_}/about",
            f"/net/{id_}/",
            f"/changes/{id_}",
            f"/changes/sk-2017/{id_}",
            f"/changes/{id_}/sk-2017",
        ]
        out += [f"/changes/{a}/{id_}" for a in ("hr-1997", "pl-2007")]
        out += [f"/{n.id}" for n in nodes]
        for n in (n for n in nodes if n.kind in ("law", "section", "clause", "definition")):
            out += [
                f"/cite/{n.id}",
                f"/card/{n.id}",
                f"/peek/{n.id}",
                f"/scan/{n.id}",
                f"/net/{n.id}",
                f"/api/v1/nodes/{n.id}",
            ]
            out += [f"/compare/{n.path}?e={id_}&e=sk-2017&e=hr-1997", f"/compare/{n.path}?e=pl-2007&e={id_}"]
        out += [
            f"/api/v1/search?q=revoke&edition={id_}",
            f"/search?q=bid&edition={id_}",
            f"/api/v1/compare?path=2&base={id_}&edition=sk-2017",
        ]
    out += [
        "/api/v1/editions",
        "/api/v1/terms",
        "/api/v1/situations",
        "/api/v1/terms/revoke",
        "/thresholds.json",
        "/healthz",
    ]
    return out


# What of a page speaks of an edition, and what it must not say of one that nobody has compared.
PARTS = "[data-edition], td, section.meaning"
CLAIMS = re.compile(
    r"the same in substance|no part changed|(?<!this edition) has no such provision|no longer has it|does not have it yet|later dropped"
)


def test_every_kind_of_page_opens_and_claims_nothing_that_nobody_reviewed(client, library):
    seen = statements = 0
    for address in addresses(library):
        answer = client.get(f"{address}{'&' if '?' in address else '?'}ui=en", follow_redirects=True)
        assert answer.status_code in (200, 404) and (
            answer.status_code == 200 or "/changes/" in address or "/id/" in address or "/27b" in address
        ), (address, answer.status_code)
        seen += answer.status_code == 200
        if "html" not in answer.content_type:
            continue
        page = BeautifulSoup(answer.get_data(as_text=True), "html.parser")
        for said in page.select("[data-relation]"):
            ends = {said["data-a"].split("/")[0], said["data-b"].split("/")[0]}
            if ends & STRANGERS.keys():
                statements += 1
                assert "correspond" in said.get_text() and "automatic" in said.parent.get_text(), (address, said)
        for part in page.select(PARTS):
            if any(id_ in str(part) for id_ in STRANGERS) and not part.select(PARTS):
                assert not CLAIMS.search(part.get_text(" ", strip=True)), (
                    address,
                    part.get_text(" ", strip=True)[:200],
                )
    assert seen > 300 and statements > 5
