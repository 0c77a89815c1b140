"""nginx with the shipped files before a site of this test: what is kept, what is not, what is refused, and how."""

from __future__ import annotations

import gzip
import http.client
import shutil
import socket
import socketserver
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler

import pytest
from proxied import HOST, Answer, Proxy, said

from tools.nginx import find_nginx

pytestmark = pytest.mark.skipif(not find_nginx() or not shutil.which("openssl"), reason="no nginx, or no openssl")

PUBLIC = "public, max-age=60, stale-while-revalidate=600"
TWO_YEARS = "max-age=63072000; includeSubDomains"
SECURITY = ("content-security-policy", "x-content-type-options", "referrer-policy")
# Address → what its answer says beside its type. “ui” in the address is what makes it the same for everybody.
PAGES: dict[str, dict[str, str]] = {
    "/law?ui=pl": {"Cache-Control": PUBLIC},
    "/law": {"Cache-Control": PUBLIC},
    "/mine?ui=pl": {"Cache-Control": "private, no-cache"},
    "/set?ui=pl": {"Cache-Control": PUBLIC, "Set-Cookie": "a=b"},
    "/cookie?ui=pl": {"Cache-Control": PUBLIC, "Vary": "Accept-Encoding, Cookie"},
    "/silent?ui=pl": {},
    "/brief?ui=pl": {"Cache-Control": "public, max-age=1"},
    "/static/a.css": {"Cache-Control": "public, max-age=31536000, immutable"},
    "/api/v1/editions": {"Cache-Control": PUBLIC},
    "/api/v1/search?q=a": {"Cache-Control": "no-store"},
}


class Site(socketserver.ThreadingTCPServer):
    """Answers as the site does, and remembers what it was asked. ``away``: connections end without an answer."""

    allow_reuse_address = daemon_threads = True
    request_queue_size = 256

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answering)
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.killed = 0
        self.away = False


class Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Site

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
        if self.server.away or self.server.killed > 0:
            self.server.killed -= 1
            self.close_connection = True
            return
        if self.path.startswith("/slow"):
            time.sleep(0.05)
        said = PAGES.get(self.path, {"Cache-Control": "private, no-cache"})
        tag = '"1"'
        if self.headers.get("If-None-Match") == tag:
            self.send_response(304)
            self.send_header("ETag", tag)
            self.send_header("Cache-Control", said.get("Cache-Control", "no-cache"))
            self.end_headers()
            return
        body = b"<p>" + b"law " * 500
        accepted = self.headers.get("Accept-Encoding", "")
        encoding = "br" if "br" in accepted else "gzip" if "gzip" in accepted else ""
        if encoding:  # what stands for brotli here is not; nginx does not look
            body = gzip.compress(body) if encoding == "gzip" else b"brotli" * 9
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", tag)
        for name in SECURITY:
            self.send_header(name, "of-the-site")
        for name, value in ({"Vary": "Accept-Encoding"} | said).items():
            self.send_header(name, value)
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_POST = do_GET  # noqa: N815 – names of http.server


@pytest.fixture(scope="module")
def site():
    with Site() as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield serving
        serving.shutdown()


@pytest.fixture(scope="module")
def running(site, tmp_path_factory):
    with Proxy(tmp_path_factory.mktemp("nginx") / "etc", site.server_address[1]) as proxy:
        yield proxy


@pytest.fixture
def proxy(site, running):
    """nginx with an empty cache and full patience, and a site that was asked nothing."""
    running.forget()
    site.asked.clear()
    yield running
    site.away, site.killed = False, 0


def at(proxy: Proxy, path: str, **how) -> Answer:
    return said(proxy.port, path, **how)


@pytest.mark.parametrize(
    "path, kept",
    [
        ("/law?ui=pl", True),
        ("/static/a.css", True),
        ("/api/v1/editions", True),
        ("/law", False),
        ("/mine?ui=pl", False),
        ("/set?ui=pl", False),
        ("/cookie?ui=pl", False),
        ("/silent?ui=pl", False),
        ("/api/v1/search?q=a", False),
    ],
)
def test_only_what_is_the_same_for_everybody_is_kept(proxy, site, path, kept):
    first, second = at(proxy, path, Cookie="lang=sk"), at(proxy, path)
    assert (first.status, second.status) == (200, 200) and first.body == second.body
    assert (second.cache == "HIT") is kept and len(site.asked) == (1 if kept else 2)


@pytest.mark.parametrize(
    "accepts, gets, asked",
    [
        ("gzip, deflate, br, zstd", "br", "br,gzip"),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", "br", "br,gzip"),
        ("br", "br", "br"),
        ("BR", "br", "br"),
        ("gzip", "gzip", "gzip"),
        ("gzip, deflate", "gzip", "gzip"),
        ("gzip;q=0.5", "gzip", "gzip"),
        ("br;q=0, gzip", "gzip", "gzip"),
        ("br;q=0.0,gzip;q=0", "", None),
        ("br; q=0.001", "br", "br"),
        ("brotli, x-gzip2", "", None),
        ("identity", "", None),
        ("deflate", "", None),
        ("", "", None),
    ],
)
def test_a_reader_gets_the_bytes_that_he_can_read(proxy, site, accepts, gets, asked):
    answer = at(proxy, "/law?ui=pl", Accept_Encoding=accepts)
    assert answer.headers.get("content-encoding", "") == gets
    assert site.asked[0][2].get("accept-encoding") == asked
    assert answer.headers["vary"] == "Accept-Encoding"


def test_ways_to_write_one_wish_share_a_copy(proxy, site):
    wishes = ("gzip, deflate, br", "gzip, deflate, br, zstd", "br, gzip", "br;q=1.0, gzip;q=0.8", "GZIP, BR")
    assert [at(proxy, "/law?ui=pl", Accept_Encoding=wish).cache for wish in wishes] == ["MISS"] + ["HIT"] * 4
    assert len(site.asked) == 1


@pytest.mark.parametrize(
    "method, tag, status, length", [("GET", '"1"', 304, 0), ("GET", '"2"', 200, 2003), ("HEAD", "", 200, 0)]
)
def test_what_is_kept_is_answered_as_the_site_would(proxy, site, method, tag, status, length):
    for _ in range(2):
        answer = at(proxy, "/law?ui=pl", method=method, If_None_Match=tag)
        assert (answer.status, len(answer.body)) == (status, length) and answer.headers["etag"] == '"1"'
    assert answer.headers.get("content-length", "2003") == "2003" and len(site.asked) == 1


def test_a_private_page_is_still_compared_with_what_the_reader_has(proxy):
    assert at(proxy, "/mine", If_None_Match='"1"').status == 304


def test_what_went_stale_is_asked_for_with_its_tag(proxy, site):
    at(proxy, "/brief?ui=pl")
    time.sleep(2.1)
    assert at(proxy, "/brief?ui=pl").cache in {"STALE", "UPDATING"}
    for _ in range(100):
        if len(site.asked) == 2 and at(proxy, "/brief?ui=pl").cache == "HIT":
            break
        time.sleep(0.02)
    assert site.asked[1][2]["if-none-match"] == '"1"'


def test_a_hundred_readers_of_a_new_page_ask_once(proxy, site):
    PAGES["/slow?ui=pl"] = {"Cache-Control": PUBLIC}
    with ThreadPoolExecutor(100) as readers:
        answers = list(readers.map(lambda _: at(proxy, "/slow?ui=pl"), range(100)))
    assert {a.status for a in answers} == {200} and len(site.asked) == 1


def test_the_site_learns_who_asks_from_nginx_alone(proxy, site):
    false = {
        "X_Forwarded_For": "6.6.6.6",
        "X_Forwarded_Host": "evil.example",
        "X_Real_IP": "6.6.6.6",
        "Forwarded": "for=6.6.6.6",
    }
    at(proxy, "/law", X_Forwarded_Proto="ftp", **false)
    headers = site.asked[0][2]
    told = {name: headers.get(name) for name in ("host", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")}
    assert told == {"host": HOST, "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http", "x-forwarded-host": HOST}
    assert "forwarded" not in headers and "x-real-ip" not in headers


def test_a_request_whose_worker_was_killed_is_answered_by_the_next(proxy, site):
    site.killed = 1
    assert at(proxy, "/law").status == 200 and len(site.asked) == 2


def test_what_changes_something_is_not_asked_twice(proxy, site):
    site.killed = 1
    assert at(proxy, "/api/v1/link", method="POST", body="{}").status == 503 and len(site.asked) == 1


def test_without_the_site_kept_pages_are_read_and_others_say_when_to_come_back(proxy, site):
    at(proxy, "/law?ui=pl")
    at(proxy, "/brief?ui=pl")
    time.sleep(2.1)
    site.away = True
    assert [at(proxy, path).status for path in ("/law?ui=pl", "/brief?ui=pl", "/brief?ui=pl")] == [200] * 3
    gone, data = at(proxy, "/other"), at(proxy, "/api/v1/terms")
    assert (gone.status, gone.headers["retry-after"], data.status) == (503, "5", 503)
    assert gone.body.startswith(b"503") and b'"code": "http_503"' in data.body
    assert data.headers["access-control-allow-origin"] == "*"
    assert all(name in answer.headers for name in SECURITY for answer in (gone, data))


@pytest.mark.parametrize(
    "status, path, how",
    [
        (413, "/api/v1/link", {"method": "POST", "body": b"a" * 70_000}),
        (413, "/law", {"method": "POST", "body": b"a" * 70_000}),
        (414, "/" + "a" * 9000, {}),
        (431, "/law", {"Cookie": "a" * 9000}),
        (421, "/law", {"host": "evil.example"}),
        (400, "/law", {"host": "a b"}),
        (405, "/law", {"method": "TRACE"}),
        (404, "/.refused", {}),
        (404, "/.refused/api", {}),
    ],
)
def test_what_nginx_refuses_it_refuses_with_the_headers_of_the_site(proxy, site, status, path, how):
    answer = at(proxy, path, **how)
    assert answer.status == status and answer.body and not site.asked
    assert {name: answer.headers[name].count(" | ") for name in SECURITY} == dict.fromkeys(SECURITY, 0)
    assert answer.headers["cache-control"] == "no-store" and answer.headers["server"] == "nginx"


def test_what_the_site_says_of_safety_is_said_once(proxy):
    answer = at(proxy, "/law")
    assert {answer.headers[name] for name in SECURITY} == {"of-the-site"}
    assert answer.headers["strict-transport-security"] == TWO_YEARS


def test_too_much_from_one_address_is_refused_and_kept_pages_are_not(proxy, site):
    at(proxy, "/law?ui=pl")
    with ThreadPoolExecutor(8) as readers:
        statuses = [a.status for a in readers.map(lambda _: at(proxy, "/mine"), range(900))]
        refused = [a for a in readers.map(lambda _: at(proxy, "/api/v1/terms"), range(100)) if a.status == 429]
        again = [a.status for a in readers.map(lambda _: at(proxy, "/law?ui=pl"), range(300))]
    assert {200, 429} == set(statuses) and statuses.count(200) >= 500, "a club that opens a page at once is let in"
    assert set(again) == {200}, "what the cache answers is not counted"
    assert refused and refused[0].headers["retry-after"] == "1" and b"http_429" in refused[0].body
    assert all(name in refused[0].headers for name in SECURITY)


def test_four_hundred_half_said_requests_do_not_keep_a_reader_waiting(proxy):
    slow = [socket.create_connection(("127.0.0.1", proxy.port)) for _ in range(400)]
    try:
        for connection in slow:
            connection.sendall(b"GET /law HTTP/1.1\r\nHost: ")
        started = time.monotonic()
        assert at(proxy, "/law").status == 200 and time.monotonic() - started < 1
        slow[0].settimeout(15)
        assert slow[0].recv(1000) == b"", "who says nothing for five seconds is let go"
    except ConnectionResetError:
        pass  # let go, and told so
    finally:
        for connection in slow:
            connection.close()


def test_http_leads_to_https_and_certificates_are_renewed_there(proxy):
    (proxy.folder / "www" / ".well-known" / "acme-challenge").mkdir(parents=True, exist_ok=True)
    (proxy.folder / "www" / ".well-known" / "acme-challenge" / "token").write_text("proof")
    assert said(proxy.http, "/.well-known/acme-challenge/token").body == b"proof"
    answer = said(proxy.http, "/pl-2007/16?ui=pl")
    assert (answer.status, answer.headers["location"]) == (308, f"https://{HOST}/pl-2007/16?ui=pl")
    assert said(proxy.http, "/", host="evil.example").status == 421


def test_https_is_answered_under_its_name_alone(proxy, site):
    trusting = ssl.create_default_context(cafile=str(proxy.folder / "fullchain.pem"))
    there = ("127.0.0.1", proxy.tls)
    with socket.create_connection(there) as plain, trusting.wrap_socket(plain, server_hostname=HOST) as safe:
        safe.sendall(f"GET /law HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
        response = http.client.HTTPResponse(safe)
        response.begin()
        assert response.status == 200 and safe.version() == "TLSv1.3"
    assert site.asked[0][2]["x-forwarded-proto"] == "https"
    with socket.create_connection(there) as plain, trusting.wrap_socket(plain, server_hostname=HOST) as safe:
        safe.sendall(f"TRACE /law HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
        response = http.client.HTTPResponse(safe)
        response.begin()
        assert response.status == 405 and response.getheader("Strict-Transport-Security") == TWO_YEARS
    with socket.create_connection(there) as plain, pytest.raises(ssl.SSLError):
        trusting.wrap_socket(plain, server_hostname="evil.example")


def test_the_log_tells_neither_who_asked_nor_what_for(proxy):
    at(proxy, "/search?q=tajemnica&ui=pl", Cookie="who=me")
    at(proxy, "/" + "b" * 9000)
    proxy.forget()  # what was held back is written
    log, errors = ((proxy.folder / name).read_text(encoding="utf-8") for name in ("lexbridge.log", "error.log"))
    assert "/search" in log
    assert not [word for word in ("tajemnica", "127.0.0.1", "who=me") if word in log + errors]


def test_nginx_finds_no_fault_in_the_files(proxy):
    ran = subprocess.run(proxy.command("-t"), capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "emerg" not in ran.stderr
