"""Rulings of several bodies: each under its own name, in an order that ranks none; pages, feed, JSON, citation."""

from __future__ import annotations

import datetime as dt
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from app_site import client, page, site  # noqa: F401
from jsonschema import Draft202012Validator
from rulings import RULINGS, library_with

from app import create_app
from app.site import reader, wording
from app.site.atlas import Atlas
from app.site.snapshot import NO_PACKS, Snapshot
from app.situations.page import QuotedPassage, RemedyWriter
from corpus.ruling import Force

ATOM = "{http://www.w3.org/2005/Atom}"
PROVISION = "sk-2017/12/C/2/b"
TODAY = (RULINGS, '{from = "2030-06-01"}', '{from = "2020-06-01"}')


@pytest.fixture(scope="module")
def both(ingest, searcher, tmp_path_factory):
    """A site with a second body, which contradicts the first on 12C2(b)."""
    library = library_with(ingest, tmp_path_factory.mktemp("two"), TODAY)
    return create_app({"SNAPSHOT": Snapshot.from_library(library, searcher)})


@pytest.fixture
def two(both):
    """A client of it."""
    return both.test_client()


def boxes(client, ui: str, id_: str = PROVISION):
    """The rulings under a provision, in order."""
    return page(client, f"/{id_}?ui={ui}").select(f'[data-id="{id_}"] > .decision')


@pytest.mark.parametrize(
    ("ui", "order", "named"),
    [
        ("pl", ["pzbs/3", "xyz/1", "xyz/2"], ["Decyzja PZBS", "Decyzja XYZ (Kraj X)", "Komentarz XYZ (Kraj X)"]),
        (
            "sk",
            ["xyz/1", "pzbs/3", "xyz/2"],
            ["Rozhodnutie zväzu XYZ", "Rozhodnutie poľského zväzu (PZBS), platí v Poľsku", "Komentár zväzu XYZ"],
        ),
        (
            "hr",
            ["pzbs/3", "xyz/1", "xyz/2"],
            ["Odluka poljskog saveza (PZBS), na snazi u Poljskoj", "Odluka saveza XYZ", "Komentar saveza XYZ"],
        ),
        (
            "en",
            ["xyz/1", "pzbs/3", "xyz/2"],
            ["Decision of the Xyland federation (XYZ)", "Decision of the Polish federation (PZBS), in force in Poland",
             "Commentary of the Xyland federation (XYZ)"],
        ),
    ],
)  # fmt: skip
def test_two_bodies_stand_side_by_side_under_their_own_names(two, ui, order, named):
    """The reader's own first, then by country (Krajina X, Poľsko; Poljska, Zemlja X), what expired last."""
    found = boxes(two, ui)
    assert [b["data-ruling"] for b in found] == order
    assert all(name in b.summary.text for name, b in zip(named, found, strict=True))
    texts = {b["data-ruling"]: b.get_text(" ") for b in found}
    assert "+3 IMP" in texts["pzbs/3"] and "2 IMPs" in texts["xyz/1"]
    assert "2 IMPs" not in texts["pzbs/3"] and "+3 IMP" not in texts["xyz/1"], "nothing is merged"


def test_an_expired_one_says_so_stands_last_and_is_folded(two):
    for ui, said in {
        "pl": "już nie obowiązuje",
        "sk": "už neplatí",
        "hr": "više nije na snazi",
        "en": "expired",
    }.items():
        *valid, last = boxes(two, ui)
        assert last["data-ruling"] == "xyz/2" and said in last.summary.text and not last.has_attr("open")
        assert not [b for b in valid if said in b.get_text()]


def test_dates_and_force_are_stated_or_said_to_be_unknown(two):
    texts = {b["data-ruling"]: b.select_one(".who").get_text() for b in boxes(two, "en")}
    assert "May 1, 2030" in texts["xyz/1"] and "from June 1, 2020" in texts["xyz/1"]
    assert "date not stated in the source" in texts["pzbs/3"] and "in force" in texts["pzbs/3"]
    assert "from January 1, 2018, to December 31, 2019" in texts["xyz/2"]
    assert "after The Laws of Duplicate Bridge" in " ".join(texts["xyz/1"].split())


@pytest.mark.parametrize(
    ("status", "ui", "said"),
    [
        ("in force", "pl", "Decyzja PZBS"),
        ("in force", "en", "Decision of the Polish federation (PZBS), in force in Poland"),
        ("expired", "en", "Decision of the Polish federation (PZBS) (Poland)"),
        ("coming", "en", "Decision of the Polish federation (PZBS) (Poland)"),
        ("not stated", "en", "Decision of the Polish federation (PZBS) (Poland)"),
    ],
)
def test_only_what_is_in_force_is_said_to_be_in_force_somewhere(both, library, status, ui, said):
    with both.test_request_context(f"/?ui={ui}"):
        assert wording.ruling_attribution(library.rulings["pzbs/3"], library.bodies["pzbs"], status) == said


def test_what_is_served_is_replaced_when_a_ruling_comes_into_force(snapshot):
    assert snapshot.for_today() is snapshot
    before = replace(snapshot, turn=snapshot.turn - 1)
    now = before.for_today()
    assert now.version == snapshot.version and now.packs is NO_PACKS


@pytest.mark.parametrize(
    ("force", "stands", "standing"),
    [
        (Force(), True, "in force"),
        (Force(), None, "not stated"),
        (Force(), False, "expired"),
        (Force("2020-01-01"), None, "in force"),
        (Force("2020-01-02"), None, "coming"),
        (Force("2019-01-01", "2020-01-01"), None, "in force"),
        (Force("2019-01-01", "2019-12-31"), None, "expired"),
        (Force("", "2019-12-31"), True, "expired"),
    ],
)
def test_the_standing_of_a_ruling_on_a_day(library, force, stands, standing):
    ruling = replace(library.rulings["pzbs/3"], force=force, stands=stands)
    assert ruling.legal_status(dt.date(2020, 1, 1)) == standing


def test_a_ruling_stands_under_every_text_of_its_code_and_far_from_others(two):
    assert not [b for b in boxes(two, "en") if "far" in b["class"]]
    far = page(two, "/pl-2007/12/C/2/b?ui=en").select('[aria-current="true"] > .decision')
    assert [b["data-ruling"] for b in far] == ["xyz/1", "pzbs/3", "xyz/2"] and all("far" in b["class"] for b in far)
    assert not [b for b in far if b.select("div")]


def test_the_list_is_narrowed_by_body_kind_code_and_condition(two):
    ids = lambda query: [li["data-ruling"] for li in page(two, f"/rulings/?{query}").select("li[data-ruling]")]
    assert len(ids("ui=en")) == 28 and ids("ui=en")[:2] == ["xyz/1", "xyz/2"] and ids("ui=pl")[0] == "pzbs/1"
    assert ids("body=xyz") == ["xyz/1", "xyz/2"]
    assert ids("kind=commentary") == ["xyz/2"]
    assert ids("code=2017&body=pzbs&condition=screens") == ["pzbs/6", "pzbs/13"]
    assert set(ids("condition=teams&ui=en")) == {"xyz/1", "pzbs/3", "pzbs/25"}
    assert len(ids("kind=&body=&code=&condition=")) == len(ids("kind=opinion&body=abc&condition=%00")) == 28
    form = page(two, "/rulings/?condition=screens&ui=en").select_one("form.choose")
    assert form.select_one('option[value="screens"]').has_attr("selected") and form.get("method", "get") == "get"
    parts = page(two, "/rulings/?condition=screens&ui=en").select_one('[data-ruling="pzbs/13"]').get_text(" ")
    assert "13.1.C" in parts and "only behind screens" in parts


def test_a_page_of_a_body_shows_its_own_order_of_precedence(two):
    for body, first, last in (("pzbs", "Międzynarodowe Prawo Brydżowe 2017", "Szczegółowe regulaminy zawodów"),
                              ("xyz", "The Laws of Duplicate Bridge", "Rulings of the XYZ")):  # fmt: skip
        soup = page(two, f"/rulings/{body}/?ui=en")
        order = [li.text for li in soup.select("ol li")]
        assert (order[0], order[-1]) == (first, last)
        assert {li["data-ruling"].partition("/")[0] for li in soup.select("li[data-ruling]")} == {body}
        assert "rank" not in soup.main.get_text().lower() and "from" in soup.select_one(".facts").text
    assert "Xyland" in page(two, "/rulings/xyz/?ui=en").main.text
    assert "Krajina X" in page(two, "/rulings/xyz/?ui=sk").main.text


def test_a_point_of_an_edition_is_linked_straight_and_a_ruling_of_a_file_has_its_page(two):
    links = [li.a["href"] for li in page(two, "/rulings/").select("li[data-ruling]")]
    assert (
        "/pzbs-2017/13" in links
        and "/rulings/xyz/1" in links
        and not [x for x in links if x.startswith("/rulings/pzbs")]
    )
    assert two.get("/rulings/pzbs/13?ui=sk").headers["Location"] == "/pzbs-2017/13?ui=sk"
    soup = page(two, "/rulings/xyz/1?ui=en")
    assert "always 2 IMPs" in soup.article.text and soup.article.select_one(".tag").text == "only at teams"
    assert soup.select_one('a[href="/sk-2017/12/C/2/b#12-C-2-b"]') and soup.select_one(
        'a[href="https://xyz.example/5"]'
    )
    assert "Sesją jest cały mecz." in page(two, "/rulings/xyz/2?ui=pl").article.text
    assert "The session" in page(two, "/rulings/xyz/2?ui=hr").article.text, (
        "in that of its body where not in the reader's"
    )


@pytest.mark.parametrize(
    "url", ["/rulings/abc/", "/rulings/xyz/9", "/rulings/abc/1", "/rulings/xyz/1/2", "/rulings/%00/"]
)
def test_what_is_not_there_is_a_404(two, url):
    assert two.get(url).status_code == 404


def test_a_ruling_is_cited_in_every_language(two):
    soup = page(two, "/rulings/xyz/1?ui=pl")
    forms = {s["lang"]: [b.text for b in s.select("blockquote")] for s in soup.select(".cite-forms section[lang]")}
    assert next(iter(forms)) == "pl" and set(forms) == set(reader.LANGUAGES)
    short, full, quoted = forms["en"]
    assert short == "XYZ, 1"
    assert full == (
        "Xyland Bridge Federation (XYZ), decision 1, May 1, 2030, on 12C2(b) of the laws of 2017, Bulletin 5 of the XYZ"
    )
    assert "“At teams an average plus is always 2 IMPs" in quoted and quoted.endswith("/rulings/xyz/1")
    assert "Decyzje PZBS 2017, 3" in page(two, "/cite/pzbs-2017/3?ui=pl").blockquote.text


def test_the_feed_is_atom_and_its_ids_stay(two):
    entries = {}
    for ui, host in (("en", "http://localhost"), ("pl", "https://laws.example")):
        response = two.get(f"/rulings/feed.atom?ui={ui}", base_url=host)
        assert response.mimetype == "application/atom+xml" and set(response.vary) <= {"Accept-Encoding"}
        feed = ET.fromstring(response.data)
        assert feed.tag == f"{ATOM}feed"
        for element in (feed, *feed.findall(f"{ATOM}entry")):
            for name in ("id", "title", "updated"):
                assert element.find(ATOM + name).text.strip(), name
            assert dt.datetime.fromisoformat(element.find(f"{ATOM}updated").text)
            assert element.find(f"{ATOM}id").text.startswith("urn:uuid:")
        assert [e.get("href") for e in feed.findall(f"{ATOM}link") if e.get("rel") == "self"] == [
            f"{host}/rulings/feed.atom?ui={ui}"
        ]
        found = feed.findall(f"{ATOM}entry")
        assert len(found) == 28 and all(
            e.find(f"{ATOM}author/{ATOM}name").text and e.find(f"{ATOM}content").text for e in found
        )
        entries[ui] = [e.find(f"{ATOM}id").text for e in found]
        days = [e.find(f"{ATOM}updated").text for e in found]
        assert (
            days == sorted(days, reverse=True) and days[0] == feed.find(f"{ATOM}updated").text == "2030-05-01T00:00:00Z"
        )
        assert days[-1] == "2017-09-30T00:00:00Z", (
            "without a day of its own, that from which its code is in force there"
        )
        assert found[0].find(f"{ATOM}link").get("href") == f"{host}/rulings/xyz/1?ui={ui}"
    assert entries["en"] == entries["pl"] and len(set(entries["en"])) == 28


def test_every_page_leads_to_the_feed_and_its_twin(two):
    for url, twin in (
        ("/rulings/", "/rulings.json"),
        ("/rulings/xyz/", "/rulings/xyz.json"),
        ("/rulings/xyz/1", "/rulings/xyz/1.json"),
    ):
        soup = page(two, url)
        assert soup.select_one('link[type="application/atom+xml"]')["href"] == "/rulings/feed.atom"
        assert soup.select_one('link[type="application/json"]')["href"] == twin
        assert two.get(twin).status_code == 200
    for gone in ("/rulings/abc.json", "/rulings/xyz/9.json"):
        assert two.get(gone).status_code == 404 and two.get(gone).get_json()["error"]["code"] == "not_found"


def test_the_api_and_the_twins_say_the_same_and_are_valid(two):
    document = two.get("/api/openapi.json").get_json()

    def valid(url: str, path: str):
        data = two.get(url).get_json()
        schema = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        Draft202012Validator({**schema, "components": document["components"]}).validate(data)
        return data

    every = valid("/api/v1/rulings", "/api/v1/rulings")
    assert every == two.get("/rulings.json").get_json() and [b["id"] for b in every["bodies"]] == ["pzbs", "xyz"]
    assert len(every["rulings"]) == 28
    for ruling in every["rulings"]:
        one = valid(f"/api/v1/rulings/{ruling['id']}", "/api/v1/rulings/{body}/{number}")
        assert one == ruling == two.get(f"/rulings/{ruling['id']}.json").get_json()
        assert one["text"] and (two.get(one["url"]).status_code == 200)
    pzbs = next(r for r in every["rulings"] if r["id"] == "pzbs/3")
    assert (pzbs["date"], pzbs["in_force"]) == (None, {"from": None, "to": None, "standing": "in force"})
    assert pzbs["nodes"] == ["sk-2017/12/C/2/b", "sk-2017/12/C/2/d"] and pzbs["node"] == "pzbs-2017/3"
    assert valid("/api/v1/rulings?body=xyz&kind=decision", "/api/v1/rulings")["rulings"][0]["country"] == "XY"
    assert two.get("/api/v1/rulings?kind=opinion").status_code == 400
    assert two.get("/api/v1/rulings/xyz/9").status_code == 404
    node = two.get(f"/api/v1/nodes/{PROVISION}").get_json()
    assert node["rulings"] == ["pzbs/3", "xyz/1", "xyz/2"]


def test_a_remedy_names_what_both_bodies_ruled(both):
    atlas = both.extensions["lexbridge"].snapshot().atlas
    quoted = atlas.library.nodes[PROVISION]
    with both.test_request_context("/?ui=pl"):
        writer = RemedyWriter(atlas, "2017", [atlas.library.editions[quoted.edition]], "pl")
        told = QuotedPassage((writer.quote_whole_text(quoted), writer.quote_whole_text(quoted))).rulings
        assert [(r.ruling.id, r.attribution) for r in told[:2]] == [
            ("pzbs/3", "Decyzja PZBS"),
            ("xyz/1", "Decyzja XYZ (Kraj X)"),
        ] and len(told) == 3


def test_in_the_corpus_every_point_of_decisions_is_a_ruling(library):
    points = {n.id for e in library.editions.values() if e.is_decisions for n in library.laws_of(e.id)}
    assert points and points == {r.node for r in library.rulings.values() if r.node}
    for ruling in library.rulings.values():
        edition = library.editions[ruling.edition]
        assert ruling.effect == edition.decisions.kind_by_point[ruling.number] and ruling.code == edition.code
        assert ruling.provisions and not ruling.date and not ruling.force.since


def test_every_ruling_stands_at_a_provision_of_each_text_of_its_code(library):
    """Also where a print lacks the provision: then at what it would be a part of."""
    atlas = Atlas(library)
    for id_, nodes in atlas.nodes_by_ruling.items():
        texts = {
            e.id for e in atlas.editions_of_code(atlas.library.rulings[id_].code) if e.complete and not e.is_decisions
        }
        assert texts <= {n.edition for n in nodes}, id_
    assert "sk-2017/40/B/2" in [n.id for n in atlas.nodes_by_ruling["pzbs/18"]]
