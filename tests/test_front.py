"""The front: what is over a limit, or asks for another site, is refused before the site sees it, and costs nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from flask import Flask
from werkzeug.test import Client, EnvironBuilder, TestResponse, run_wsgi_app
from werkzeug.wrappers import Request

from app import create_app, middleware
from app.middleware import (
    ERROR_CODES,
    AcceptedBody,
    LimitsMiddleware,
    Proxies,
    ProxyError,
    find_refusal,
    wrap_in_middleware,
)
from app.site import http
from app.site.addresses import KNOWN_PARAMETERS
from corpus.time_limit import TimeLimitError, check_time, limit_time

APP = Path(__file__).parent.parent / "app"


class Unread:
    """A body that nobody may read."""

    def __getattr__(self, name):
        raise AssertionError(f"the body was asked for {name}")


@pytest.fixture(scope="module")
def site(snapshot):
    return create_app({"SNAPSHOT": snapshot, "ORIGIN": ""})


@pytest.fixture
def ask(site):
    """``ask(address, **what)``: the answer of the front, by default as a browser of this machine asks."""
    return Client(wrap_in_middleware(site)).open


def environ(path="/", query="", method="GET", **fields) -> dict:
    return {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, "HTTP_HOST": "a"} | fields


TAKING = {"/api/v1/link": AcceptedBody("POST", 65536)}


@pytest.mark.parametrize(
    "asked, status",
    [
        (environ(), None),
        (environ(method="HEAD"), None),
        (environ(method="OPTIONS"), None),
        (environ("/" + "a" * 1023), None),
        (environ("/" + "a" * 1024), 414),
        (environ("/", "a" * 2048), None),
        (environ("/", "a" * 2049), 414),
        (environ("/search", "a" * 8192), None),
        (environ("/search", "a" * 8193), 414),
        (environ("/", "&" * 99), None),
        (environ("/", "&" * 100), 400),
        (environ("/a\x00b"), 400),
        (environ(method="DELETE"), 405),
        (environ(method="BREW"), 405),
        (environ(method="POST"), 405),
        (environ(CONTENT_LENGTH="0"), None),
        (environ(CONTENT_LENGTH="1"), 413),
        (environ(CONTENT_LENGTH="99999999999999999999999"), 400),
        (environ(CONTENT_LENGTH="-1"), 400),
        (environ(CONTENT_LENGTH="ten"), 400),
        (environ(CONTENT_LENGTH="١"), 400),
        (environ(HTTP_TRANSFER_ENCODING="chunked"), 413),
        (environ("/api/v1/link", method="POST"), 411),
        (environ("/api/v1/link", method="POST", HTTP_TRANSFER_ENCODING="chunked"), 411),
        (environ("/api/v1/link", method="POST", CONTENT_LENGTH="65536"), None),
        (environ("/api/v1/link", method="POST", CONTENT_LENGTH="65537"), 413),
        (environ("/api/v1/link", method="PUT", CONTENT_LENGTH="1"), 405),
        (environ("/api/v1/link"), None),
        (environ("/api/v1/link", CONTENT_LENGTH="1"), 413),
        (environ(**{f"HTTP_X_{i}": "a" for i in range(59)}), None),
        (environ(**{f"HTTP_X_{i}": "a" for i in range(60)}), 431),
        (environ(HTTP_COOKIE="a" * 16000), None),
        (environ(HTTP_COOKIE="a" * 16384), 431),
    ],
)
def test_what_is_over_a_limit_is_refused(asked, status):
    found = find_refusal(asked, TAKING)
    assert (found.status if found else None) == status


def test_a_method_that_an_address_does_not_know_is_told_those_that_it_does():
    assert find_refusal(environ(method="PUT"), TAKING).headers["Allow"] == "GET, HEAD, OPTIONS"
    assert find_refusal(environ("/api/v1/link", method="PUT"), TAKING).headers["Allow"] == "GET, HEAD, OPTIONS, POST"


@pytest.mark.parametrize("sign", ["a", "ł", "漢", "🂡", "%", "&", " ", "\u0000"])
def test_a_question_of_five_hundred_characters_is_answered_whatever_they_are(ask, sign):
    asked = quote(sign * 500)
    for at in ("/api/v1/search", "/api/v1/suggest", "/api/v1/situations", "/api/v1/terms", "/opensearch/suggestions"):
        assert ask(f"{at}?lang=pl&q={asked}").status_code == 200, at
    for at in ("/search", "/situations/", "/terms/", "/topics/"):
        assert ask(f"{at}?ui=en&list=1&q={asked}").status_code == 200, at


def test_every_address_that_takes_a_question_may_be_asked_a_long_one(site):
    """The pages whose views read ``q``, and no others."""
    reading = set()
    for rule in site.url_map.iter_rules():
        view = site.view_functions[rule.endpoint]
        path = Path(view.__code__.co_filename)
        if path.is_relative_to(APP) and "<" not in rule.rule:
            lines = path.read_text(encoding="utf-8").splitlines()[view.__code__.co_firstlineno - 1 :]
            body = "\n".join(lines).partition("\n\n\n")[0]
            if re.search(r'args\.get\("[qn]"|_query\(\)', body):
                reading.add(rule.rule)
    assert reading == middleware.QUESTION_PATHS


@pytest.mark.parametrize("address", ["/", "/api/v1/editions"])
@pytest.mark.parametrize(
    "what, status",
    [
        ({"REQUEST_METHOD": "POST"}, 405),
        ({"QUERY_STRING": "a" * 3000}, 414),
        ({"HTTP_COOKIE": "a" * 20000}, 431),
        ({"CONTENT_LENGTH": "5"}, 413),
        ({"HTTP_HOST": "evil/"}, 400),
        ({"HTTP_HOST": ""}, 400),
    ],
)
def test_a_refusal_is_an_answer_like_others(site, address, what, status):
    asked = EnvironBuilder(address).get_environ() | what | {"wsgi.input": Unread()}
    response = TestResponse(*run_wsgi_app(wrap_in_middleware(site), asked), Request(asked))
    assert response.status_code == status
    assert response.headers["Content-Length"] == str(len(response.data)) != "0"
    for name, value in http.response_headers(address, False).items():
        assert response.headers[name] == value
    if address.startswith("/api/"):
        error = json.loads(response.data)["error"]
        assert error["code"] == ERROR_CODES[status] and error["message"]
    else:
        assert response.mimetype == "text/plain" and response.text.endswith(".\n")


def test_a_refusal_without_a_body_where_only_its_head_was_asked_for(ask):
    response = ask("/?" + "a" * 3000, method="HEAD")
    assert (response.status_code, response.data) == (414, b"")


def test_a_refusal_is_logged_once_and_says_nothing_of_who_asked(site, caplog):
    client = Client(wrap_in_middleware(site))
    with caplog.at_level("INFO"):
        client.get("/pl-2007/16", query_string="q=secret" + "a" * 3000, headers={"Cookie": "ui=sk"})
        client.get("/", headers={"Host": "a secret"})
        client.get("/pl-2007/16?q=secret")
    assert [re.sub(r"\d+ ms", "", r.getMessage()).strip() for r in caplog.records] == [
        "GET /pl-2007/16 414",
        "GET / 400",
        "GET /pl-2007/16 200",
    ]


# ── names ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "origin, host, status",
    [
        ("", "anything.example", 200),
        ("", "anything.example:8080", 200),
        ("", "[::1]:8000", 200),
        ("", "a b", 400),
        ("", "evil.example/path", 400),
        ("", "evil.example@laws", 400),
        ("", "laws.example:port", 400),
        ("", "žolík", 400),
        ("https://laws.example", "laws.example", 200),
        ("https://laws.example", "LAWS.EXAMPLE", 200),
        ("https://laws.example", "laws.example:443", 200),
        ("https://laws.example", "laws.example:8443", 421),
        ("https://laws.example", "127.0.0.1:8000", 200),
        ("https://laws.example", "localhost", 200),
        ("https://laws.example", "[::1]:8000", 200),
        ("https://laws.example", "evil.example", 421),
        ("https://laws.example", "laws.example.evil", 421),
        ("https://laws.example", "localhost.evil", 421),
        ("https://laws.example", "evil/", 400),
        ("http://laws.example:8080", "laws.example:8080", 200),
        ("http://laws.example:8080", "laws.example", 421),
    ],
)
def test_the_site_answers_under_its_own_name(site, origin, host, status):
    asked = EnvironBuilder("/static/icon.svg").get_environ() | {"HTTP_HOST": host}
    _, said, _ = run_wsgi_app(LimitsMiddleware(site, site.logger, origin), asked)
    assert int(said.split()[0]) == status


FORWARDED = {"X-Forwarded-For": "9.9.9.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "laws.example"}


@pytest.mark.parametrize(
    "proxy, sender, believed",
    [
        ("", "127.0.0.1", False),
        ("0", "127.0.0.1", False),
        ("1", "203.0.113.5", True),
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "203.0.113.5", False),
        ("10.0.0.0/8, ::1", "10.2.3.4", True),
        ("10.0.0.0/8, ::1", "::1", True),
        ("10.0.0.0/8, ::1", "11.2.3.4", False),
        ("10.0.0.0/8", "", False),
    ],
)
def test_only_a_trusted_proxy_says_how_a_request_reached_it(site, monkeypatch, proxy, sender, believed):
    monkeypatch.setenv("LEXBRIDGE_PROXY", proxy)
    client = Client(wrap_in_middleware(site))
    response = client.get("/pl-2007/16", headers=FORWARDED, environ_overrides={"REMOTE_ADDR": sender})
    canonical = re.search(r'rel="canonical" href="([^"]+)"', response.text)[1]
    assert canonical.startswith("https://laws.example/" if believed else "http://localhost/")
    assert ("Strict-Transport-Security" in response.headers) == believed


@pytest.mark.parametrize("proxy", ["nginx", "127.0.0.1/99", "-1", "1 2", "10.0.0.1/8"])
def test_a_proxy_that_is_none_is_said(proxy):
    with pytest.raises(ProxyError, match=r"LEXBRIDGE_PROXY: .* Give a number of proxies, or addresses"):
        Proxies.parse(proxy)


# ── what an address says is not said back ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/pl-2007/",
        "/pl-2007/16",
        "/pl-2007/about",
        "/search?q=renons",
        "/situations/",
        "/situations/insufficient-bid",
        "/terms/",
        "/terms/revoke",
        "/topics/",
        "/thresholds/",
        "/compare/16/D",
        "/changes/",
        "/changes/pl-2007/sk-2017",
        "/net/pl-2007/",
        "/cite/pl-2007/16",
        "/card/pl-2007/16",
        "/scan/pl-2007/16",
        "/rulings/",
        "/api/",
        "/nowhere",
        "/pl-2007/16d2",
        "/27b1",
    ],
)
def test_what_a_page_does_not_know_is_not_said_back(ask, address):
    response = ask(address + ("&" if "?" in address else "?") + "unknown=zzqxvalue&ui=sk&zzqxname=1")
    assert response.status_code < 500
    assert "zzqx" not in response.text + response.headers.get("Location", "")


@pytest.mark.parametrize(
    "address",
    [
        "/situations/" + "marked" * 60,
        "/terms/" + "marked" * 60,
        "/rulings/" + "marked" * 60 + "/",
        "/rulings/pzbs/" + "marked" * 60,
        "/api/v1/nodes/" + "marked" * 60 + "/16",
        "/api/v1/nodes/pl-2007/" + "marked" * 60,
        "/api/v1/compare?base=pl-2007&edition=sk-2017&path=" + "marked" * 60,
        "/api/v1/situations/" + "marked" * 60,
        "/api/v1/situations/insufficient-bid/outcome?code=" + "marked" * 60,
        "/api/v1/situations/insufficient-bid/outcome?" + "marked" * 60 + "=1",
        "/api/v1/terms/" + "marked" * 60,
        "/api/v1/search?q=a&kind=" + "marked" * 60,
        "/api/v1/search?q=a&limit=" + "marked" * 60,
    ],
)
def test_an_error_says_back_no_more_than_eighty_characters(ask, address):
    response = ask(address)
    assert response.status_code in (400, 404)
    said = response.get_json()["error"]["message"] if response.is_json else re.sub(r"<[^>]*>", "", response.text)
    assert max(map(len, re.findall(r"(?:marked|mark|ed)+", said)), default=0) <= 80


def test_the_parameters_that_a_page_reads_are_those_that_it_keeps(site):
    """Each view's own table: what is read by name is known, and what is known is read somewhere in its room."""
    read_by_name = re.compile(r'args\.get(?:list)?\("(\w+)"')
    for page, names in KNOWN_PARAMETERS.items():
        assert page in site.view_functions, page
        module = Path(site.view_functions[page].__code__.co_filename)
        files = [module] if module.parent == APP else module.parent.rglob("*.py")
        shared = [APP / "site" / name for name in ("http.py", "reader.py", "score_request.py")]
        text = "\n".join(p.read_text(encoding="utf-8") for p in [*files, *shared])
        for name in names if page != "rulings.show_ruling" else ():
            assert f'"{name}"' in text, f"{page} does not read “{name}”"
    kept = set().union(*KNOWN_PARAMETERS.values())
    read = {
        (view.parent.name, name)
        for view in [*APP.glob("*/views.py"), *APP.glob("*.py")]
        if view.parent.name != "api"
        for name in read_by_name.findall(view.read_text(encoding="utf-8"))
    }
    assert len(read) > 15 and {name for _, name in read} <= kept


def test_a_cached_answer_has_the_coding_that_its_reader_takes(ask):
    """Whoever asks first: another reader may take another coding, or none."""
    for coding in ("br", "gzip", "", "br"):
        answer = ask("/search?q=renons&ui=pl", headers={"Accept-Encoding": coding})
        assert answer.headers.get("Content-Encoding", "") == coding
        assert (answer.get_data().lstrip()[:9] == b"<!doctype") is (coding == "")


@pytest.mark.parametrize(
    "asked, known",
    [
        ("/pl-2007/16?ui=pl&utm_source=x", "/pl-2007/16?ui=pl"),
        ("/pl-2007/16?x=1&fixes=1&ui=pl&y", "/pl-2007/16?fixes=1&ui=pl"),
        ("/changes/pl-2007/sk-2017?%61=1&ui=pl&kind=new", "/changes/pl-2007/sk-2017?ui=pl&kind=new"),
        ("/terms/?kind=new&q=re%6Eons&ui=pl&ui=xx", "/terms/?q=re%6Eons&ui=pl"),
        ("/api/v1/search?q=renons&theme=dark&limit=5", "/api/v1/search?q=renons&limit=5"),
        ("/api/v1/nodes/pl-2007/16?edition=x&path=y", "/api/v1/nodes/pl-2007/16?"),
        ("/static/site.css?version=3", "/static/site.css?"),
        ("/topics/?&&", "/topics/?"),
    ],
)
def test_a_parameter_that_no_page_reads_is_in_no_key_of_a_cache(site, ask, asked, known, monkeypatch):
    """The site answers from what it has stored; a cache in front, which knows the whole address, stores nothing."""
    plain = ask(known)
    drawn = []
    monkeypatch.setattr(site, "full_dispatch_request", lambda: drawn.append(1) or real())
    real = Flask.full_dispatch_request.__get__(site)
    for number in range(3):
        answer = ask(f"{asked}&z{number}=1")
        assert answer.data == plain.data and answer.status_code == 200
        assert answer.headers["ETag"] == plain.headers["ETag"]
        assert answer.headers["Cache-Control"].startswith("private")
    assert "ui=" not in known or plain.headers["Cache-Control"].startswith("public")
    assert not drawn


def test_a_parameter_that_a_page_reports_is_kept_and_its_answer_is_not(ask):
    sheet = ask("/situations/insufficient-bid?nonsense=1&ui=en")
    assert "has an answer that does not exist in the laws of" in " ".join(sheet.text.split())
    assert sheet.headers["Cache-Control"] == "no-store"
    assert "no-store" not in ask("/situations/insufficient-bid?accepted=no&ui=en").headers["Cache-Control"]
    assert ask("/api/v1/situations/insufficient-bid/outcome?nonsense=1").status_code == 400
    assert ask("/compare/?nonsense=1").status_code == 404


SENTENCES = {
    "pl": "Przygotowanie odpowiedzi trwa zbyt długo; zawęź zapytanie albo spróbuj za chwilę.",
    "sk": "Odpoveď na toto trvá príliš dlho; opýtajte sa na menej alebo to skúste o chvíľu.",
    "hr": "Odgovor na ovo traje predugo; pitajte za manje ili pokušajte ponovno za trenutak.",
    "en": "This takes too long to answer; ask for less, or try again in a moment.",
}


@pytest.mark.parametrize(
    "address, speaks",
    [
        ("/compare/27?e=pl-2007&e=sk-2017&ui=pl", "pl"),
        ("/changes/hr-1997/pl-2007/16?ui=hr", "hr"),
        ("/search?q=renons+in+hand&ui=sk", "sk"),
        ("/search?q=renons+on+table&list=1", "en"),
        ("/topics/?q=karta&ui=hr", "hr"),
        ("/api/v1/search?q=renons+in+dummy", "en"),
        ("/api/v1/compare?path=27&base=pl-2007&edition=sk-2017", "en"),
    ],
)
def test_a_request_that_takes_too_long_ends_with_one_sentence(site, ask, monkeypatch, address, speaks):
    """The request after it is answered as always: nothing of the sentence is stored."""
    monkeypatch.setitem(site.config, "REQUEST_SECONDS", 0)
    late = ask(address)
    assert (late.status_code, late.headers["Retry-After"]) == (503, "1")
    assert late.headers["Cache-Control"] == "no-store" and "ETag" not in late.headers
    if address.startswith("/api/"):
        assert late.json == {"error": {"code": "over_budget", "message": SENTENCES[speaks]}}
    else:
        assert re.sub(r"<title>.*</h1>|<[^>]*>", "", late.text).strip() == SENTENCES[speaks]
    monkeypatch.setitem(site.config, "REQUEST_SECONDS", 60)
    assert ask(address).status_code == 200


def test_only_the_time_of_its_own_work_counts_for_a_request(site, ask):
    """A request waits for others, and a build draws pages as long as it takes."""
    with limit_time(60):
        assert ask("/pl-2007/31?fixes=1&ui=pl").status_code == 200
        check_time()
    with limit_time(0), pytest.raises(TimeLimitError):
        check_time()
    with limit_time(0), limit_time(None):
        check_time()
    check_time()
    assert site.test_client().get("/pl-2007/31?fixes=1&ui=sk").status_code == 200
