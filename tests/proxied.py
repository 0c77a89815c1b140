"""nginx with the files that are shipped: only ports, paths and the certificate are of the test.

``Proxy(folder, app_port)`` writes them into a folder, starts nginx there and stops it as a context manager.
"""

from __future__ import annotations

import http.client
import re
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from tools.nginx import find_nginx
from tools.structure import ROOT

SHIPPED = ROOT / "deploy" / "nginx"
HOST = "bridge.example.org"


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


def replaced(text: str, changes: dict[str, str]) -> str:
    """The text with each pattern (regular expression, by line) replaced; one that is not there is an error."""
    for pattern, new in changes.items():
        text, count = re.subn(pattern, new, text, flags=re.MULTILINE)
        assert count, f"{pattern} is not in the file"
    return text


@dataclass(frozen=True)
class Answer:
    """``headers`` by their names in lower case; what stood twice is joined by “ | ”."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def cache(self) -> str:
        return self.headers.get("x-cache-status", "")


def said(port: int, path: str = "/", method: str = "GET", host: str = HOST, body=None, **headers: str) -> Answer:
    """One request on a connection of its own; ``Accept_Encoding="br"`` as headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Host": host} | names)
        response = connection.getresponse()
        found: dict[str, str] = {}
        for name, value in response.getheaders():
            found[name.lower()] = f"{found[name.lower()]} | {value}" if name.lower() in found else value
        return Answer(response.status, found, response.read())
    finally:
        connection.close()


def until_it_listens(port: int, running: subprocess.Popen, seconds: float = 60) -> None:
    """Waits for a program that was started; an error when it ends before."""
    for _ in range(int(seconds * 100)):
        assert running.poll() is None, f"{running.args} ended with {running.returncode}"
        with socket.socket() as asked:
            asked.settimeout(1)
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    raise AssertionError(f"{running.args} does not listen")


def certificate(folder: Path) -> None:
    """A certificate that only this test believes."""
    subject = ("-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}")
    made = ("-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem")
    command = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    subprocess.run([*command, *subject, *made], check=True, capture_output=True)


class Proxy:
    """``port`` answers as the front does, without TLS; ``tls`` with it; ``http`` leads there.

    ``served``: the link to the generation from which pages are read while the site is away.
    """

    def __init__(self, folder: Path, app: int, served: Path | None = None):
        self.folder, self.app, self.served = folder, app, served or folder / "served"
        self.port, self.tls, self.http, self.gate = (free_port() for _ in range(4))
        (folder / "lexbridge").mkdir(parents=True)
        for name in ("server.conf", "headers.conf"):
            text = (SHIPPED / name).read_text(encoding="utf-8").replace("/var/log/nginx", str(folder))
            (folder / "lexbridge" / name).write_text(text, encoding="utf-8")
        (folder / "lexbridge" / "site.conf").write_text(self._site(), encoding="utf-8")
        (folder / "nginx.conf").write_text(self._main(), encoding="utf-8")
        (folder / "mime.types").write_text("types { text/plain txt; }\n", encoding="utf-8")
        (folder / "www").mkdir()
        certificate(folder)

    def _site(self) -> str:
        text = (SHIPPED / "site.conf").read_text(encoding="utf-8")
        return replaced(
            text,
            {
                r"^.*listen \[::\].*\n": "",
                r"listen 443 ssl http2;": f"listen 127.0.0.1:{self.tls} ssl http2; listen 127.0.0.1:{self.port};",
                r"listen 443 ssl default_server;": f"listen 127.0.0.1:{self.tls} ssl default_server;"
                f" listen 127.0.0.1:{self.port} default_server;",
                r"listen 80": f"listen 127.0.0.1:{self.http}",
                r"127\.0\.0\.1:8001": f"127.0.0.1:{self.gate}",
                r"127\.0\.0\.1:8000": f"127.0.0.1:{self.app}",
                r"/etc/letsencrypt/live/bridge\.example\.org": str(self.folder),
                r"/var/cache/lexbridge": str(self.folder / "cache"),
                r"/var/www/html": str(self.folder / "www"),
                r"(?<=root )/var/lib/lexbridge/served": str(self.served),
            },
        )

    def _main(self) -> str:
        text = (SHIPPED / "nginx.conf").read_text(encoding="utf-8")
        kinds = ("client_body", "proxy", "fastcgi", "scgi", "uwsgi")
        places = "".join(f"    {kind}_temp_path {self.folder / kind};\n" for kind in kinds)
        return replaced(
            text,
            {
                r"^user www-data;": "user root;\ndaemon off;",
                r"worker_processes auto": "worker_processes 2",
                r"/run/nginx\.pid": str(self.folder / "pid"),
                r"/var/log/nginx": str(self.folder),
                r"^http \{\n": f"http {{\n{places}",
            },
        )

    def command(self, *more: str) -> list[str]:
        """How nginx is called with these files."""
        program = find_nginx()
        assert program
        return [program, "-c", str(self.folder / "nginx.conf"), "-p", str(self.folder), "-e", "stderr", *more]

    def __enter__(self) -> Proxy:
        with (self.folder / "said").open("wb") as log:
            self._running = subprocess.Popen(self.command(), stderr=log)
        try:
            until_it_listens(self.port, self._running)
        except AssertionError as error:
            raise AssertionError((self.folder / "said").read_text(encoding="utf-8")) from error
        return self

    def __exit__(self, *_) -> None:
        self._running.send_signal(signal.SIGTERM)
        self._running.wait(20)

    def forget(self) -> None:
        """An empty cache, as after its folder was emptied and nginx started anew."""
        self.__exit__()
        shutil.rmtree(self.folder / "cache")
        self.__enter__()
