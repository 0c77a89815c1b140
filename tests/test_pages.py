"""Pages made when a generation is built: they are what the site answers, to the last byte, and cost nothing twice."""

from __future__ import annotations

import gzip
import re
import shutil
from dataclasses import replace

import brotli
import pytest
from generations import published, staged
from werkzeug.test import Client

from app import create_app, prerender
from app.changes import likeliest_pairs
from app.law.page import LawPage
from app.middleware import wrap_in_middleware
from app.prerender import prerendered_addresses
from app.site import http, reader
from app.site.cache import (
    CACHE_PUBLIC,
    PAGES_FOLDER,
    PagePacks,
    fill_placeholders,
    negotiate_coding,
    part_prefix,
    placeholder_characters,
    split_parts,
)
from corpus.generation import Generation
from tests.budget import IS_FULL

# Of every kind of page that is kept, and two laws with all that can hang on a provision.
SOME = [
    "/",
    "/situations/",
    "/situations/insufficient-bid",
    "/terms/",
    "/terms/revoke",
    "/thresholds/",
    "/changes/pl-2007/sk-2017",
    "/net/sk-2017/",
    "/rulings/",
    "/pl-2007/",
    "/pl-2007/about",
    "/pl-2007/27",
    "/sk-2017/12",
    "/hr-1997/def",
    "/pzbs-2017/3",
]


@pytest.fixture(scope="module")
def kept_build(build_dir, tmp_path_factory):
    """A build folder whose generation keeps some pages."""
    folder = tmp_path_factory.mktemp("kept") / "build"

    def with_pages(stage) -> None:
        shutil.rmtree(stage.folder / PAGES_FOLDER, ignore_errors=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(prerender, "prerendered_addresses", lambda _: SOME)
            assert prerender.write_pages(stage, None, lambda _: None) == len(SOME) * len(reader.LANGUAGES)

    published(folder, build_dir, with_pages)
    return folder


@pytest.fixture(scope="module")
def kept(kept_build):
    """A site that keeps pages, as a server asks it, opened."""
    app = create_app({"BUILD": kept_build})
    assert len(app.extensions["lexbridge"].snapshot().packs)
    return Client(wrap_in_middleware(app))


@pytest.fixture(scope="module")
def named(build_dir, tmp_path_factory):
    """The same with a name of its own, so that kept pages are answered at the door."""
    folder = tmp_path_factory.mktemp("named")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEXBRIDGE_URL", "https://laws.example")
        patch.setattr(prerender, "prerendered_addresses", lambda _: ["/pl-2007/27", "/terms/revoke"])
        published(folder, build_dir, lambda stage: prerender.write_pages(renewed(stage), None, lambda _: None))
        app = create_app({"BUILD": folder})
    assert len(app.extensions["lexbridge"].snapshot().packs)
    return Client(wrap_in_middleware(app))


@pytest.fixture(params=["kept", "named"] if IS_FULL else ["kept"])
def site(request):
    """A site that keeps pages, without a name and with one."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def drawn(snapshot):
    """A site that draws every page."""
    return create_app({"SNAPSHOT": snapshot}).test_client()


def ask(client, address: str, **headers: str):
    """An answer, and its body without what it was compressed by."""
    response = client.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    coding = response.headers.get("Content-Encoding", "")
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}[coding]
    return response, unpack(response.get_data())


@pytest.mark.parametrize("ui", reader.LANGUAGES)
@pytest.mark.parametrize("address", SOME)
def test_a_kept_page_is_the_page_that_would_be_drawn(kept, drawn, address, ui):
    known = {ask(kept, f"{address}?ui={ui}", Accept_Encoding=coding)[1] for coding in ("br", "gzip", "")}
    assert known == {ask(drawn, f"{address}?ui={ui}")[1]}


@pytest.mark.parametrize("law", ["pl-2007/27", "sk-2017/12", "hr-1997/def", "pzbs-2017/3"])
def test_a_provision_is_set_into_the_kept_page_of_its_law(kept, drawn, library, law):
    """Every provision of it, each in one language, is what would be drawn; and is not drawn."""
    nodes = [n for n in library.nodes.values() if n.id.startswith(f"{law}/")]
    assert len(nodes) > 5
    for number, node in enumerate(nodes):
        address = f"/{node.id}?ui={reader.LANGUAGES[number % len(reader.LANGUAGES)]}"
        response, body = ask(kept, address, Accept_Encoding="br")
        assert response.status_code == 200 and body == ask(drawn, address)[1], address
        assert body.count(b'aria-current="true"') == ask(drawn, address)[1].count(b'aria-current="true"')
        assert not re.search("[\ufdd0-\ufdd3]", body.decode())


def test_no_law_is_drawn_again_for_its_provisions(kept, monkeypatch):
    times = []
    draw = LawPage.render_frame
    monkeypatch.setattr(LawPage, "render_frame", lambda page: times.append(page.law.id) or draw(page))
    assert kept.get("/pl-2007/27/B/2?ui=hr").status_code == 200 and times == []
    assert kept.get("/pl-2007/27/B/2?ui=hr&hl=a").status_code == 200 and times == ["pl-2007/27"]


def test_a_kept_page_is_everybodys(site):
    """No cookie and no browser changes it; its tag tells who has it already; without a body it says the same."""
    first, body = ask(site, "/pl-2007/27?ui=sk", Accept_Encoding="br")
    assert first.headers["Cache-Control"] == CACHE_PUBLIC
    assert first.headers["Vary"] == "Accept-Encoding" and "Set-Cookie" not in first.headers
    other, same = ask(site, "/pl-2007/27?ui=sk", Accept_Encoding="br", Cookie="ui=pl; theme=dark", Accept_Language="hr")
    assert same == body and other.headers["ETag"] == first.headers["ETag"]
    again = site.get("/pl-2007/27?ui=sk", headers={"Accept-Encoding": "br", "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.get_data(), again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    head = site.head("/pl-2007/27?ui=sk", headers={"Accept-Encoding": "br"})
    assert head.get_data() == b"" and {**head.headers} == {**first.headers}
    tags = {ask(site, "/pl-2007/27?ui=sk", Accept_Encoding=coding)[0].headers["ETag"] for coding in ("br", "gzip", "")}
    assert len(tags) == 3, "each coding is another answer"


def test_a_bare_address_is_its_readers(site):
    """A program has the page of an edition in its edition's language; who reads another language is led on."""
    program, body = ask(site, "/pl-2007/27")
    assert program.headers["Cache-Control"].startswith("private") and b'<html lang="pl"' in body
    assert {"Cookie", "Accept-Language"} <= {part.strip() for part in program.headers["Vary"].split(",")}
    led = site.get("/pl-2007/27", headers={"Accept-Language": "sk"})
    assert led.status_code == 302 and led.headers["Location"].endswith("/pl-2007/27?ui=sk")
    assert b'<html lang="en"' in ask(site, "/terms/revoke")[1]


def test_what_is_asked_for_again_is_not_worked_out_again(kept, monkeypatch):
    asked = "/search?q=renons&ui=pl"
    first, body = ask(kept, asked, Accept_Encoding="gzip")
    assert first.headers["Cache-Control"].startswith("public")
    monkeypatch.setattr("app.site.snapshot.SearchService.answer", lambda *_, **__: pytest.fail("asked"))
    again, same = ask(kept, asked, Accept_Encoding="gzip")
    assert same == body and {**again.headers} == {**first.headers}
    tag = first.headers["ETag"]
    assert kept.get(asked, headers={"Accept-Encoding": "gzip", "If-None-Match": tag}).status_code == 304
    assert kept.head(asked, headers={"Accept-Encoding": "gzip"}).get_data() == b""


def test_what_is_kept_of_one_host_is_not_told_under_another(kept):
    """Where the site does not know its name, a citation has the one that it was asked under."""
    for host in ("one.example", "two.example"):
        assert host.encode() in ask(kept, "/cite/pl-2007/27?ui=en", Host=host)[1]


def test_nothing_that_is_kept_names_a_host(kept_build):
    packs = PagePacks.open(Generation.open(kept_build))
    assert len(packs) == len(SOME) * len(reader.LANGUAGES)
    for ui in reader.LANGUAGES:
        for address in SOME:
            assert b"localhost" not in gzip.decompress(packs.for_language(ui).compressed_page(address, "gzip")), (
                ui,
                address,
            )


def test_with_an_origin_pages_know_their_name(build_dir, tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_URL", "https://laws.example")
    monkeypatch.setattr(prerender, "prerendered_addresses", lambda _: ["/pl-2007/27"])
    published(tmp_path, build_dir, lambda stage: prerender.write_pages(renewed(stage), None, lambda _: None))
    packs = PagePacks.open(Generation.open(tmp_path))
    page = gzip.decompress(packs.for_language("sk").compressed_page("/pl-2007/27", "gzip"))
    assert b'rel="canonical" href="https://laws.example/pl-2007/27"' in page
    assert packs.page_version.origin == "https://laws.example"
    monkeypatch.delenv("LEXBRIDGE_URL")
    app = create_app({"BUILD": tmp_path})
    assert not len(app.extensions["lexbridge"].snapshot().packs), "another site does not show them"
    assert b"laws.example" not in app.test_client().get("/pl-2007/27?ui=sk").data


def renewed(stage):
    shutil.rmtree(stage.folder / PAGES_FOLDER, ignore_errors=True)
    return stage


def test_pages_of_other_code_are_not_shown(kept_build, monkeypatch):
    monkeypatch.setattr(http, "_code_digest", lambda: "another")
    assert not len(create_app({"BUILD": kept_build}).extensions["lexbridge"].snapshot().packs)


def test_pages_of_another_day_are_not_shown_once_it_matters(kept_build, monkeypatch):
    app = create_app({"BUILD": kept_build})
    state = app.extensions["lexbridge"]
    before = state.snapshot()
    assert len(before.packs) and not state.renew()
    monkeypatch.setattr("corpus.library.Library.count_ruling_changes", lambda *_: 1)
    assert state.renew() and not len(state.snapshot().packs) and state.snapshot().digest == before.digest
    assert state.snapshot().version != before.version


def test_what_reads_as_before_is_not_compressed_again(kept_build, build_dir, tmp_path, monkeypatch):
    monkeypatch.setattr(prerender, "prerendered_addresses", lambda _: SOME)
    monkeypatch.setattr(prerender, "compress_for_storage", lambda _: pytest.fail("compressed"))
    before = Generation.open(kept_build)
    stage = renewed(staged(tmp_path / "stage", build_dir))
    prerender.write_pages(stage, before, lambda _: None)
    for name in before.file_names(f"{PAGES_FOLDER}/"):
        assert (stage.folder / name).read_bytes() == before.read_file(name), name


def test_a_page_that_cannot_be_made_is_named(build_dir, tmp_path, monkeypatch):
    monkeypatch.setattr(prerender, "prerendered_addresses", lambda _: ["/", "/pl-2007/999"])
    stage = renewed(staged(tmp_path / "stage", build_dir))
    with pytest.raises(prerender.PageFailedError, match=r"/pl-2007/999 cannot be made in “.+”: it answers 404"):
        prerender.write_pages(stage, None, lambda _: None)


def test_of_many_editions_the_comparisons_that_are_asked_for_most_are_made(library):
    first, *_ = library.law_editions
    of = lambda lang, year: replace(first, id=f"{lang}-{year}", lang=lang, year=year)
    some = [of(lang, year) for year in (1997, 2007, 2017) for lang in ("hr", "pl", "sk")]
    # The nearest of each language, then the rest of the language, then texts of one year.
    found = [(a.id, b.id) for a, b in likeliest_pairs(some)]
    assert len(found) == len({*found}) == 36
    assert {a[:2] == b[:2] and int(b[3:]) - int(a[3:]) for a, b in found[:6]} == {10}
    assert {a[:2] == b[:2] and int(b[3:]) - int(a[3:]) for a, b in found[6:9]} == {20}
    assert {a[3:] == b[3:] for a, b in found[9:18]} == {True}
    many = [of(lang, 1900 + n) for n in range(40) for lang in ("hr", "pl")]
    assert len(likeliest_pairs(many)) == 100
    assert all(a.lang == b.lang for a, b in likeliest_pairs(many)[:78])


def test_every_law_term_and_situation_is_listed(site_of_all, library):
    every = prerendered_addresses(site_of_all)
    assert len(every) == len(set(every))
    pages = {site_of_all.extensions["lexbridge"].snapshot().atlas.page_node_of(n).id for n in library.nodes.values()}
    wanted = (
        {f"/{id_}" for id_ in pages} | {f"/{e}/" for e in library.editions} | {f"/{e}/about" for e in library.editions}
    )
    wanted |= {f"/terms/{slug}" for slug in library.terms} | {f"/situations/{id_}" for id_ in library.situations}
    wanted |= {"/", "/terms/", "/thresholds/", "/topics/", "/situations/", "/rulings/"}
    assert wanted <= set(every)
    assert len(wanted) > 800


@pytest.fixture
def site_of_all(snapshot):
    return create_app({"SNAPSHOT": snapshot})


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0.0", ""),
        ("*", "br"),
        ("*;q=0", ""),
        ("gzip;q=0,*", "br"),
        ("identity", ""),
        ("", ""),
        ("brotli, x-gzip", ""),
        (";;,,br;q=x", "br"),
    ],
)
def test_the_coding_that_a_reader_takes(accepted, coding):
    assert negotiate_coding(accepted) == coding


def test_what_is_left_open_is_filled():
    frame = (
        f"<a{placeholder_characters('at:1')}>{placeholder_characters('x')}</a{placeholder_characters('at:2')}>".encode()
    )
    assert fill_placeholders(frame, {"at:1": " b", "x": "ą"}) == "<a b>ą</a>".encode()
    assert split_parts(part_prefix("a") + "1\n" + placeholder_characters("c") + part_prefix("b")) == {
        "a": "1\n" + placeholder_characters("c"),
        "b": "",
    }
