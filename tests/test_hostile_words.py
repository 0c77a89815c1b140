"""A corpus whose every free word is an attack: on no page, in no feed and in no export is it more than words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from app_site import asking
from bs4 import BeautifulSoup
from hostile import ATTACK, EDITION, small
from lxml import etree
from strangers import REST, write_edition

from app import create_app
from corpus import export, ingest
from corpus.generation import Generation, lock_build_folder, open_stage, publish
from corpus.library import Library
from index.build import build

OTHER = "xx-2030"
# Keys whose words a reader sees; what other keys say is checked word by word.
FREE = (
    "title short publisher provenance rights translator editors in_force_note completeness_note text name why "
    "pl sk hr en"
).split()
ENTRY = re.compile(rf"(?<![\w.])({'|'.join(FREE)}) = \"((?:[^\"\\]|\\.)*)\"")
TEXT = f"LAW 1 — ONE {ATTACK}\n\nA. Words {ATTACK}\nThe words are {ATTACK} and see Law 2.{REST}"
KEYS = f"""laws = "1–3"
in_force = true
translator = {json.dumps(ATTACK)}
editors = {json.dumps(ATTACK)}
completeness_note = {json.dumps(ATTACK)}
links = [{{url = "https://x.example/?a=%22%3E", text = {json.dumps(ATTACK)}}}]
[[notices]]
text = {{en = {json.dumps(ATTACK)}}}
url = "https://x.example/"
link = {{en = {json.dumps(ATTACK)}}}
"""
MOST = 400  # pages


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """The build of such a corpus, with what its checks would refuse."""
    corpus, folder = small(tmp_path_factory.mktemp("corpus")), tmp_path_factory.mktemp("build")
    for path in corpus.rglob("*.toml"):
        if path.parent.name not in ("languages", "words"):
            text = path.read_text(encoding="utf-8")
            path.write_text(ENTRY.sub(lambda m: f"{m[1]} = {json.dumps(ATTACK + m[2])}", text), encoding="utf-8")
    (corpus / "words" / "loans.toml").unlink()  # they name terms that are not here
    term = (corpus / "terms" / "call.toml").read_text(encoding="utf-8")
    named = re.sub(r"(?m)^((?:pl|en) = \[)", lambda m: m[1] + json.dumps(ATTACK) + ", ", term)
    (corpus / "terms" / "call.toml").write_text(named, encoding="utf-8")
    write_edition(corpus, TEXT, KEYS)
    manifest = corpus / "editions" / OTHER / "edition.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(ENTRY.sub(lambda m: f"{m[1]} = {json.dumps(ATTACK + m[2])}", text, count=6), encoding="utf-8")
    result = ingest.read_editions(corpus)
    assert result.readings.keys() == {EDITION, OTHER} and all(r.nodes for r in result.readings.values())
    with pytest.MonkeyPatch.context() as patch, lock_build_folder(folder), open_stage(folder) as stage:
        patch.setenv("LEXBRIDGE_CORPUS", str(corpus))
        ingest.write_corpus(result, stage)
        build(Library.open(stage.read_parts()), stage)
        publish(stage)
    return folder


@pytest.fixture(scope="module")
def answers(built) -> dict[str, tuple[str, str]]:
    """Address → (type, body), of the pages that lead to each other from the first one."""
    seen: dict[str, tuple[str, str]] = {}
    left = [
        "/",
        "/robots.txt",
        "/rulings/feed.atom",
        "/opensearch.xml",
        "/rulings.json",
        "/api/v1/editions",
        "/api/v1/terms",
    ]
    left += [
        f"/compare/1?e={EDITION}&e={OTHER}",
        f"/changes/{EDITION}/{OTHER}",
        "/terms/call",
        "/situations/declarer-exposes-cards",
    ]
    left += [f"/search?q={words}" for words in ("Sędzia", "words", "%22%3E%3Cscript%3E", "16")]
    left += [
        f"/{page}/{id_}"
        for id_ in (f"{EDITION}/9/A", f"{OTHER}/1/A")
        for page in ("cite", "card", "peek", "scan", "net")
    ]
    left += [
        f"/api/v1/nodes/{OTHER}/1/A",
        "/api/v1/situations",
        "/api/v1/search?q=words",
        "/api/v1/rulings",
        f"/{OTHER}/about",
        f"/{EDITION}/about",
    ]
    kinds: dict[str, int] = {}
    with asking(create_app({"BUILD": built})) as client:
        while left and len(seen) < MOST:
            address = left.pop(0)
            kind = address.split("?")[0].split("/")[1]
            if address in seen or kinds.get(kind, 0) > 25:
                continue
            kinds[kind] = kinds.get(kind, 0) + 1
            response = client.get(address)
            assert response.status_code < 500, address
            seen[address] = (response.mimetype, response.get_data(as_text=True))
            if response.mimetype == "text/html":
                links = BeautifulSoup(seen[address][1], "lxml").select("a[href^='/']")
                left += [a["href"].partition("#")[0] for a in links]
    return seen


def test_pages_of_every_kind_were_asked_for(answers):
    kinds = {urlsplit(address).path.split("/")[1] for address in answers}
    assert kinds >= set(
        f"search api rulings terms situations cite card peek scan net compare changes topics {EDITION} {OTHER}".split()
    )
    assert sum("&lt;script&gt;alert" in body for _, body in answers.values()) > 30


def test_no_page_has_markup_of_the_corpus(answers):
    for address, (kind, body) in answers.items():
        if kind != "text/html":
            continue
        page = BeautifulSoup(body, "lxml")
        assert "<script>alert" not in body, address
        for script in page.find_all("script"):
            if script.get("type") == "application/ld+json":
                json.loads(script.string)
            else:
                assert script["src"].startswith("/static/") and not script.string, address
        for tag in page.find_all(True):
            assert not [name for name in tag.attrs if name.startswith("on")], (address, tag)
            for name in ("href", "src", "action", "formaction"):
                assert not str(tag.get(name, "")).strip().lower().startswith(("javascript:", "data:", "vbscript:")), (
                    address
                )
        assert "{{7*7}}" in body or "alert" not in body, address


def test_what_programs_read_is_well_formed(answers):
    read = 0
    for address, (kind, body) in answers.items():
        if kind.endswith("json"):
            json.loads(body)
        elif kind.endswith("xml"):
            assert not etree.fromstring(body.encode()).xpath("//*[local-name()='script']"), address
        else:
            continue
        read += 1
    assert read > 5


def test_exports_are_well_formed(built, tmp_path):
    export.write_export(Generation.open(built), tmp_path)
    files = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert len(files) >= 4
    for path in files:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            assert [json.loads(line) for line in text.split("\n") if line] or path.stem != "nodes"
        elif path.suffix in (".xml", ".tbx", ".rdf"):
            assert not etree.fromstring(text.encode()).xpath("//*[local-name()='script']"), path.name
        elif path.suffix in (".json", ".jsonld"):
            json.loads(text)
