"""What stands in the head of every answer, and how it would be marked by who marks such heads.

The marks are those of MDN's HTTP Observatory (github.com/mdn/mdn-http-observatory, src/grader/charts.js): 100, and what
each row adds where it holds; a row that does not hold would take more than it adds.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha384

import pytest
from app_site import client, page, site  # noqa: F401
from werkzeug.test import Client

from app import create_app
from app.middleware import wrap_in_middleware
from app.site import http

EVERY = [
    "/",
    "/pl-2007/",
    "/pl-2007/16",
    "/pl-2007/16d2",
    "/pl-2007/16/Z",
    "/nowhere",
    "/search?q=renons",
    "/situations/insufficient-bid",
    "/terms/",
    "/topics/",
    "/thresholds/",
    "/thresholds.json",
    "/compare/16/D",
    "/changes/pl-2007/sk-2017",
    "/net/pl-2007/",
    "/peek/pl-2007/16",
    "/rulings/feed.atom",
    "/rulings.json",
    "/robots.txt",
    "/healthz",
    "/favicon.ico",
    "/opensearch.xml",
    "/opensearch/suggestions?q=a",
    "/static/site.css",
    "/static/none.css",
    "/api/",
    "/api/openapi.json",
    "/api/v1/editions",
    "/api/v1/nodes/pl-2007/999",
    "/api/v1/search?limit=0",
    "/api/nowhere",
]


def directives(response) -> dict[str, str]:
    policy = response.headers["Content-Security-Policy"]
    return {name: rest for name, _, rest in (part.strip().partition(" ") for part in policy.split(";"))}


def no_unsafe(response) -> bool:
    said = directives(response)
    return (
        said["default-src"] == "'none'"
        and "unsafe" not in str(said)
        and said["base-uri"] == "'none'"
        and said["form-action"] == "'self'"
    )


def whole_scripts(response) -> bool:
    # What stands in the page itself is data: the policy lets no script run there.
    scripts = [tag for tag in re.findall(r"<script\b[^>]*>", response.text) if "application/ld+json" not in tag]
    return bool(scripts) and all('integrity="sha384-' in tag and 'src="/' in tag for tag in scripts)


MARKS: list[tuple[str, int, Callable]] = [
    ("content security policy", 10, no_unsafe),
    ("cookies", 0, lambda r: "Set-Cookie" not in r.headers),
    ("cross-origin resource sharing", 0, lambda r: "Access-Control-Allow-Origin" not in r.headers),
    ("referrer policy", 5, lambda r: r.headers["Referrer-Policy"] in ("no-referrer", "same-origin", "strict-origin")),
    (
        "strict transport security",
        0,
        lambda r: int(re.search(r"max-age=(\d+)", r.headers["Strict-Transport-Security"])[1]) >= 31536000,
    ),
    ("subresource integrity", 5, whole_scripts),
    ("content type options", 0, lambda r: r.headers["X-Content-Type-Options"] == "nosniff"),
    (
        "frame options",
        5,
        lambda r: directives(r)["frame-ancestors"] == "'none'" and r.headers["X-Frame-Options"] == "DENY",
    ),
    ("resource policy", 10, lambda r: r.headers["Cross-Origin-Resource-Policy"] == "same-origin"),
    ("embedder policy", 10, lambda r: r.headers["Cross-Origin-Embedder-Policy"] == "require-corp"),
    ("opener policy", 10, lambda r: r.headers["Cross-Origin-Opener-Policy"] == "same-origin"),
]


@pytest.fixture(scope="module")
def secure(snapshot):
    """The site as it is reached by https, through its front."""
    return Client(wrap_in_middleware(create_app({"SNAPSHOT": snapshot, "ORIGIN": "https://laws.example"})))


@pytest.mark.parametrize("address", ["/?ui=en", "/pl-2007/16?ui=en", "/search?q=renons&ui=en", "/pl-2007/16/Z?ui=en"])
def test_a_page_has_the_best_marks(secure, address):
    response = secure.get(address, base_url="https://laws.example", headers={"Cookie": "ui=en"})
    response.headers.remove("Set-Cookie")
    wrong = [name for name, _, holds in MARKS if not holds(response)]
    assert not wrong and 100 + sum(points for _, points, _ in MARKS) >= 150


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST"])
@pytest.mark.parametrize("address", EVERY)
def test_every_answer_has_them(secure, address, method):
    response = secure.open(address, method=method, base_url="https://laws.example")
    for name, value in http.response_headers(address, True).items():
        assert response.headers.getlist(name) == [value], f"{method} {address}: {name}"


def test_without_https_nothing_is_promised_of_it(client):
    assert "Strict-Transport-Security" not in client.get("/").headers
    assert "Strict-Transport-Security" in client.get("/", base_url="https://localhost").headers


@pytest.mark.parametrize(
    "address, shared",
    [
        ("/", False),
        ("/static/site.js", False),
        ("/api/v1/editions", True),
        ("/peek/pl-2007/16", True),
        ("/apis", False),
    ],
)
def test_what_pages_of_other_sites_may_load(client, address, shared):
    policy = client.get(address).headers["Cross-Origin-Resource-Policy"]
    assert policy == ("cross-origin" if shared else "same-origin")


@pytest.mark.parametrize(
    "address", ["/api/v1/editions", "/api/v1/search?q=renons", "/api/nowhere", "/api/v1/search?limit=0"]
)
def test_any_site_may_ask_the_api_and_brings_no_cookie(client, address):
    asked = client.options(address, headers={"Origin": "https://club.example", "Access-Control-Request-Method": "GET"})
    assert (asked.status_code, asked.data) == (204, b"")
    for response in (asked, client.get(address), client.head(address), client.post(address)):
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response.headers
    assert {"GET", "HEAD", "OPTIONS"} == set(asked.headers["Access-Control-Allow-Methods"].split(", "))


@pytest.mark.parametrize("address", ["/", "/pl-2007/16", "/search?q=renons", "/rulings.json"])
def test_other_sites_read_no_page(client, address):
    assert "Access-Control-Allow-Origin" not in client.get(address, headers={"Origin": "https://club.example"}).headers


# ── files ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", sorted(http.STATIC_FILES))
def test_a_file_has_its_digest_in_its_name_and_never_another_content_under_it(client, name):
    address = http.asset_address(name)
    whole, plain = client.get(address), client.get(f"/static/{name}")
    assert whole.data == plain.data == http.STATIC_FILES[name]
    assert whole.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert plain.headers["Cache-Control"] == "public, max-age=300"
    digest = http.file_digest(name)
    other = ("0" if digest[0] != "0" else "1") + digest[1:]
    assert digest in address and client.get(address.replace(digest, other)).status_code == 404
    assert client.get(f"/static/{name}?v={other}").headers["Cache-Control"] == "public, max-age=300"


def test_a_page_holds_its_files_to_what_is_in_them(client):
    soup = page(client, "/pl-2007/16")
    files = soup.select("script[src], :not(noscript) > link[rel=stylesheet]")
    held = [(e.get("src") or e.get("href"), e["integrity"]) for e in files]
    assert len(held) >= 2
    for address, integrity in held:
        content = client.get(address, headers={"Accept-Encoding": "identity"}).data
        assert integrity == "sha384-" + b64encode(sha384(content).digest()).decode()
