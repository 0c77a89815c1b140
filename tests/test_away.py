"""The law without the program: nginx answers from what the site served last, and a killed worker costs no answer.

The settings are those of ``deploy/``, as docs/deploy.md installs them. Real servers are killed behind a real nginx.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Event

import pytest
import restrained
from click.testing import CliRunner
from generations import published
from proxied import Answer, Proxy, said
from test_server import LITTLE, running, until

from app import prerender
from app.site import reader
from corpus.generation import PAGES_PART, current_digest, link_served, served_digest
from scripts.cli import main
from tools.nginx import find_nginx

with_nginx = pytest.mark.skipif(not find_nginx() or not shutil.which("openssl"), reason="no nginx, or no openssl")
# Twenty pages, of every kind that is stored.
PAGES = [
    "/", "/situations/", "/situations/insufficient-bid", "/situations/alert-omitted", "/terms/", "/terms/revoke",
    "/thresholds/", "/topics/", "/rulings/", "/changes/pl-2007/sk-2017", "/net/sk-2017/", "/pl-2007/",
    "/pl-2007/about", "/pl-2007/16", "/pl-2007/27", "/sk-2017/", "/sk-2017/12", "/hr-1997/def",
    "/hr-1997/chapter/V/part/I", "/pzbs-2017/3",
]  # fmt: skip
SHEET = "/situations/insufficient-bid"
KILLS = 9
COMPARED = re.compile(
    "etag|cache-control|vary|content-(type|encoding|security-policy)|x-(?!cache).*|referrer.*|cross.*|perm.*"
)


def settings(unit: str, **other: str) -> dict[str, str]:
    """What a unit gives its program, with the folders of the test."""
    return dict(line.split("=", 1) for line in restrained.settings(unit)) | other


@pytest.fixture(scope="module")
def build(build_dir, tmp_path_factory) -> Path:
    """A build folder with the pages that the unit of builds makes, apart from their number."""
    folder = tmp_path_factory.mktemp("away") / "built"

    def with_pages(stage) -> None:
        shutil.rmtree(stage.folder / PAGES_PART, ignore_errors=True)
        prerender.write_pages(stage, None, lambda _: None)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prerender, "prerendered_addresses", lambda _: PAGES)
        for name, value in settings("lexbridge-build.service", LEXBRIDGE_BUILD=str(folder)).items():
            patch.setenv(name, value)
        patch.delenv("LEXBRIDGE_SERVED")
        published(folder, build_dir, with_pages)
    return folder


def serving(folder: Path, build: Path, **other: str):
    """The server as the unit of the site starts it."""
    given = settings("lexbridge.service", LEXBRIDGE_BUILD=str(build), LEXBRIDGE_SERVED=str(folder / "served")) | other
    return running(folder, "-m", "scripts.cli", "serve", "--port", "0", "--workers", "2", **given)


def health(port: int) -> dict:
    return json.loads(said(port, "/healthz", host="localhost").body)


def test_who_follows_the_guide_gets_built_pages(build, tmp_path):
    with serving(tmp_path, build) as server:
        answers = [said(server.port, f"{path}?ui=pl") for path in PAGES]
        assert [a.status for a in answers] == [200] * 20
        used = [a for a in answers if ".stored-" in a.headers["etag"]]
        assert len(used) == 20, f"{len(used)} of 20 built pages are used"
        found = health(server.port)
        assert (found["pages"], found["notice"]) == ("built", None) and "they are drawn" not in server.said()
        assert served_digest(build) is None, "the unit names another place"
        assert (tmp_path / "served").resolve() == (build / "current").resolve()


def test_pages_that_were_built_for_another_name_are_a_warning(build, tmp_path, monkeypatch):
    other = "https://laws.example"
    with serving(tmp_path, build, LEXBRIDGE_URL=other) as server:
        found = health(server.port)
        assert ".stored-" not in said(server.port, "/?ui=pl", host="laws.example").headers["etag"]
        assert found["pages"] == "drawn" and "LEXBRIDGE_URL here is https://laws.example" in found["notice"]
        assert found["notice"] in server.said(), "nobody is told at the start"
    ran = {}
    for name in (settings("lexbridge.service")["LEXBRIDGE_URL"], other, ""):
        monkeypatch.setenv("LEXBRIDGE_URL", name)
        ran[name] = CliRunner().invoke(main, ["verify", str(build)])
    assert [r.exit_code for r in ran.values()] == [0] * 3
    assert ["Warning: The pages were built for" in r.output for r in ran.values()] == [False, True, True]


@pytest.fixture(scope="module")
def away(build, tmp_path_factory):
    """(nginx before a site that was killed, what the site answered before): (address, language, coding) → answer."""
    folder = tmp_path_factory.mktemp("site")
    with serving(folder, build) as server:
        before = {
            (path, ui, coding): said(server.port, f"{path}?ui={ui}" if ui else path, Accept_Encoding=coding)
            for path in PAGES
            for ui, coding in [*((ui, "br") for ui in reader.LANGUAGES), ("pl", "gzip"), ("en", ""), ("", "br")]
        }
        with Proxy(folder / "nginx", server.port, folder / "served") as proxy:
            server.process.kill()
            # Another search each time: nginx keeps the answer of a worker that had not ended yet.
            words = map("q{}".format, count())
            until(lambda: said(proxy.port, f"/search?q={next(words)}&ui=pl").status == 503, "a site that is away")
            yield proxy, before


def same(answer: Answer, known: Answer) -> bool:
    # What nginx unpacks gets a weak tag of the same words.
    named = lambda a: {k: v.removeprefix("W/") for k, v in a.headers.items() if COMPARED.fullmatch(k)}
    return (answer.status, answer.body, named(answer)) == (known.status, known.body, named(known))


@with_nginx
def test_every_kind_of_page_is_what_the_site_answered(away, build):
    proxy, before = away
    digest = current_digest(build)[:16]
    assert {known.headers["etag"][1:17] for known in before.values()} == {digest}
    for (path, ui, coding), known in before.items():
        answer = said(proxy.port, f"{path}?ui={ui}" if ui else path, Accept_Encoding=coding)
        assert same(answer, known), (path, ui, coding, answer.headers, known.headers)
    tag = before["/pl-2007/16", "", "br"].headers["etag"]
    again = said(proxy.port, "/pl-2007/16", Accept_Encoding="br", If_None_Match=f'"other", {tag}')
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert said(proxy.port, "/pl-2007/16", Accept_Encoding="gzip", If_None_Match=tag).status == 200
    head = said(proxy.port, "/pl-2007/16", method="HEAD", Accept_Encoding="br")
    assert (head.status, head.body, head.headers["etag"]) == (200, b"", tag)


@with_nginx
@pytest.mark.parametrize(
    "address, page",
    [
        ("/pl-2007/16/D/2?ui=sk", "/pl-2007/16"),
        ("/pl-2007/16d2?ui=sk", "/pl-2007/16"),
        ("/pl-2007/27?hl=a&ui=sk", "/pl-2007/27"),
        ("/hr-1997/def/alert?ui=sk", "/hr-1997/def"),
        ("/pl-2007/99?ui=sk", "/pl-2007/"),
        ("/terms/unknown?ui=sk", "/terms/"),
    ],
)
def test_what_the_program_draws_gets_the_nearest_page(away, address, page):
    proxy, before = away
    answer = said(proxy.port, address, Accept_Encoding="br")
    known = before[page, "sk", "br"]
    assert (answer.status, answer.body) == (200, known.body) and answer.headers["cache-control"] == "no-store"
    assert answer.headers["etag"] == known.headers["etag"].replace("stored", "near"), "another answer, another tag"


@with_nginx
@pytest.mark.parametrize("ui", [*reader.LANGUAGES, ""])
def test_a_state_with_answers_gets_all_outcomes_and_says_why(away, library, ui):
    proxy, _ = away
    answer = said(proxy.port, f"{SHEET}?in-turn=yes&accepted=no" + (f"&ui={ui}" if ui else ""))
    situation = library.situations[SHEET.rpartition("/")[2]]
    rows = [row.id for table in situation.table.values() for row in table.row]
    text = answer.body.decode()
    assert answer.status == 200 and answer.headers["cache-control"] == "no-store" and len(rows) > 5
    assert Counter(re.findall(r'data-option="([^"]+)"', text)) == Counter(rows)
    assert f'<html lang="{ui or reader.DEFAULT_LANGUAGE}"' in text and f'href="{SHEET}?ui=pl"' in text
    waits = {
        "pl": "Pytania wrócą",
        "sk": "Otázky sa vrátia",
        "hr": "Pitanja će se vratiti",
        "en": "The questions cannot be answered",
        "": "The q",
    }
    assert waits[ui] in text


@with_nginx
@pytest.mark.parametrize(
    "path, method",
    [("/search?q=a", "GET"), ("/pl-2007/16.json", "GET"), ("/api/v1/editions", "GET"), ("/pl-2007/16", "POST"),
     ("/.away/br/pl/pl-2007/16.page.br", "GET"), ("/pl-2007/%2e%2e/%2e%2e/%2e%2e/pages.json", "GET")],
)  # fmt: skip
def test_what_needs_the_program_waits_for_it(away, path, method):
    answer = said(away[0].port, path, method=method, body="a" if method == "POST" else None)
    assert answer.status in (400, 404, 503) and "etag" not in answer.headers
    assert answer.status < 500 or answer.headers["retry-after"] == "5"


@with_nginx
def test_scripts_and_styles_are_there_too(away):
    proxy, before = away
    page = before["/", "en", ""].body.decode()
    found = set(re.findall(r'"(/static/[^"]+)"', page))
    assert found
    for path in found:
        answer = said(proxy.port, path, Accept_Encoding="gzip")
        assert answer.status == 200 and gzip.decompress(answer.body), path
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"] in {
            "text/css; charset=utf-8",
            "text/javascript; charset=utf-8",
            "image/svg+xml",
        }


def link_current(build: Path, digest: str) -> None:
    (build / "current").unlink()
    (build / "current").symlink_to(f"generations/{digest}")


@with_nginx
def test_a_damaged_current_and_a_build_change_nothing_of_it(away, build):
    proxy, before = away
    first = current_digest(build)
    link_current(build, "0" * 64)
    try:
        proxy.forget()
        answers = [said(proxy.port, f"{path}?ui=hr", Accept_Encoding="br") for path in PAGES]
        assert all(same(a, before[path, "hr", "br"]) for path, a in zip(PAGES, answers, strict=True))
    finally:
        link_current(build, first)


def test_no_build_moves_the_link_or_removes_what_is_served(tmp_path):
    def publish(content: str) -> str:
        from corpus import generation

        with generation.lock_build_folder(tmp_path), generation.open_stage(tmp_path) as stage:
            (stage.folder / "file").write_text(content)
            return generation.publish(stage)

    first = publish("first")
    link_served(tmp_path, first)
    later = [publish(f"{number}") for number in range(5)]
    there = {path.name for path in (tmp_path / "generations").iterdir()}
    assert served_digest(tmp_path) == first and there == {first, *later[-3:]}
    assert (tmp_path / "served" / "file").read_text() == "first"
    link_served(tmp_path, later[-1])
    publish("last")
    assert first not in {path.name for path in (tmp_path / "generations").iterdir()}


def test_a_link_that_cannot_be_set_is_one_warning(build, tmp_path):
    with serving(tmp_path, build, LEXBRIDGE_SERVED=str(tmp_path / "nowhere" / "served")) as server:
        assert said(server.port, "/pl-2007/16?ui=pl").status == 200
        assert server.said().count("served cannot be set") == 1


@with_nginx
def test_a_killed_worker_costs_no_answer(tmp_path, monkeypatch):
    shipped = Proxy._site
    monkeypatch.setattr(Proxy, "_site", lambda proxy: shipped(proxy).replace("rate=50r/s", "rate=99999r/s"))
    (tmp_path / "little.py").write_text(LITTLE.replace('b"much " * 200_000', 'b"much " * 30_000'), encoding="utf-8")
    found: Counter[object] = Counter()
    with running(tmp_path, "little.py", str(tmp_path), "2") as server, Proxy(tmp_path / "n", server.port) as proxy:
        ended = Event()

        def ask(number: int) -> None:
            while not ended.is_set():
                try:
                    answer = said(proxy.port, "/much" if number % 2 else "/")
                    found[answer.status, len(answer.body) in (150_000, *range(4, 30))] += 1
                except OSError as error:
                    found[error] += 1

        with ThreadPoolExecutor(6) as readers:
            asking = [readers.submit(ask, number) for number in range(6)]
            try:
                for _ in range(KILLS):
                    until(lambda: len(server.workers()) == 2, "two workers")
                    os.kill(server.workers()[0], signal.SIGKILL)
                    time.sleep(0.2)
            finally:
                ended.set()
            for one in asking:
                one.result()
    assert set(found) == {(200, True)}, found
