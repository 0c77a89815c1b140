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

from app.site.cache import PagePacks
from app.site.snapshot import Snapshot
from corpus.generation import Generation
from corpus.library import Library
from index.search import Searcher
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
    "xx-2017": (
        f"{CODE_2017}\n",
        CODE_MANIFEST.replace("1–2", "27–28").replace("Rule 1", "Law 1").replace('"en"', '"xx"'),
    ),
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
    (folder / "languages" / "xx.toml").write_text('name = "Xx"\n[reference]\nlaw = ["law"]\n', encoding="utf-8")
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
    return Library.open(Generation.open(built))


@pytest.fixture(scope="module")
def stranger_site(built):
    from app import create_app

    return create_app({"BUILD": built})


@pytest.fixture
def client(stranger_site):
    with asking(stranger_site) as client:
        yield client


@pytest.mark.parametrize("id_", ["nl-2031", "en-2017"])
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
    out = ["/", "/terms/", "/terms/?by=nl", "/situations/", "/topics/", "/thresholds/", "/changes/", "/rulings/"]
    out += [f"/terms/{slug}" for slug in ("bid", "revoke", *list(library.terms)[:3])]
    out += [f"/situations/bid-out-of-turn?code={code}" for code in ("2017", "2007", "1997")]
    out += ["/situations/insufficient-bid?code=2017&accepted=yes", "/27b", "/id/2017/27/B", "/id/2031/2/B/1"]
    out += ["/api/v1/editions", "/api/v1/terms", "/api/v1/situations", "/api/v1/terms/revoke", "/thresholds.json"]
    for id_ in STRANGERS:
        out += [f"/{id_}/", f"/{id_}/about", f"/net/{id_}/", f"/search?q=bid&edition={id_}"]
        out += [f"/api/v1/search?q=revoke&edition={id_}", f"/api/v1/compare?path=27&base=sk-2017&edition={id_}"]
        for other in ("hr-1997", "pl-2007", "sk-2017"):
            older, newer = sorted((other, id_), key=library.relations.edition_ids.index)
            out += [f"/changes/{older}/{newer}"] if library.relations.pairs(older, newer) else []
        for n in library.nodes_of(id_):
            out += [f"/{n.id}", f"/api/v1/nodes/{n.id}"]
            if n.kind in ("law", "section", "clause", "definition"):
                out += [f"/{page}/{n.id}" for page in ("cite", "card", "peek", "scan")]
                out += [f"/compare/{n.path}?e={id_}&e=sk-2017&e=hr-1997", f"/compare/{n.path}?e=pl-2007&e={id_}"]
            out += [f"/net/{n.id}"] if n.kind == "law" else []
    return out


# What of a page speaks of an edition, and what it must not say of one that nobody has compared.
PARTS = "[data-edition], td, section.meaning"
CLAIMS = re.compile(
    r"the same in substance|no part changed|no part differs|(?<!this edition) has no such provision|"
    r"no longer has it|does not have it yet|later dropped"
)


def test_every_kind_of_page_opens_and_claims_nothing_that_nobody_reviewed(client, library):
    seen = statements = 0
    for address in addresses(library):
        answer = client.get(f"{address}{'&' if '?' in address else '?'}ui=en", follow_redirects=True)
        assert answer.status_code == 200, (address, answer.status_code)
        seen += 1
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
    assert seen > 200 and statements > 5


@pytest.mark.parametrize(
    ("words", "first"),
    [("spelleider", "nl-2031/def/spelleider"), ("umpire", "en-2034/def/umpire"), ("mended result", "en-2034/2/B")],
)
def test_names_are_searched_by_what_the_text_prints(client, words, first):
    id_ = first.partition("/")[0]
    found = client.get("/api/v1/search", query_string={"q": words, "edition": id_}).get_json()["results"]
    assert found[0]["id"] == first


def test_a_text_without_a_date_does_not_take_the_force_of_its_code(built, library):
    """A whole text of 2017 whose id stands after that of the one in force, and that says nothing of its force."""
    atlas = Snapshot.from_library(library, Searcher.open(Generation.open(built), library), PagePacks()).atlas
    assert max(e.id for e in library.law_editions if e.code == "2017" and e.complete) == "xx-2017"
    assert atlas.codes[0] == "2017" and atlas.codes[-1] == "1997"


def test_languages_of_the_corpus_are_languages_of_the_terms(client, corpus, library):
    page = BeautifulSoup(client.get("/terms/?by=de&ui=en").get_data(as_text=True), "html.parser")
    assert page.select_one("h1")  # a language in which no term has a name is none, and breaks nothing


def test_what_is_proposed_and_accepted_is_written_into_the_terms(corpus, tmp_path, monkeypatch):
    own = tmp_path / "corpus"
    shutil.copytree(corpus, own)
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(own))
    proposed = CliRunner().invoke(main, ["propose", "en-2017"])
    assert proposed.exit_code == 0, proposed.output
    rows = [line.split("\t") for line in proposed.output.splitlines() if line.count("\t") == 4]
    assert rows[0] == ["concept", "defined", "about", "names", "from"]
    insufficient = next(row for row in rows if row[0] == "insufficient-bid")
    assert insufficient[2].split()[0].startswith("27") and insufficient[4] == "sk-2017"
    (tmp_path / "read.tsv").write_text(
        "\n".join("\t".join(row) for row in (rows[0], insufficient)) + "\n", encoding="utf-8"
    )
    accepted = CliRunner().invoke(main, ["propose", "en-2017", "--accept", str(tmp_path / "read.tsv")])
    assert accepted.exit_code == 0, accepted.output
    assert 'en-2017 = ["27' in (own / "terms" / "insufficient-bid.toml").read_text(encoding="utf-8")
    again = CliRunner().invoke(main, ["propose", "en-2017", "--accept", str(tmp_path / "read.tsv")])
    assert again.exit_code == 1 and "has a place in it" in again.output


def test_sources_and_languages_alone_are_a_corpus(tmp_path, monkeypatch):
    for name in ("editions", "languages"):
        shutil.copytree(ROOT / "corpus" / name, tmp_path / "corpus" / name)
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(tmp_path / "corpus"))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    result = CliRunner().invoke(main, ["build", "--without-pages"])
    assert result.exit_code == 0, result.output
    library = Library.open(Generation.open(tmp_path / "build"))
    assert set(library.editions) == {"hr-1997", "pl-1997", "pl-2007", "pzbs-2017", "sk-2017"}
    from app import create_app

    with asking(create_app({"BUILD": tmp_path / "build"})) as client:
        for page in ("/", "/sk-2017/27", "/pzbs-2017/1", "/rulings/", "/terms/", "/situations/", "/search?q=revoke"):
            assert client.get(f"{page}{'&' if '?' in page else '?'}ui=en", follow_redirects=True).status_code == 200, (
                page
            )
