"""The readers: threads in a process of their own that ask all the time, and record what they were answered and when."""

from __future__ import annotations

import gzip
import hashlib
import http.client
import json
import multiprocessing
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import brotli

from tools.soak import bodies
from tools.soak.sample import Request

PATIENCE = 10  # seconds that a reader waits
MAX_PAUSE = 0.05  # seconds, at most, between two requests of a reader
ENCODINGS = ("br, gzip", "gzip", "identity", "")
# How a request without an answer ended.
RESET, REFUSED, LATE, BROKEN = "reset", "refused", "late", "broken"


class ObservedAnswer(NamedTuple):
    """An answer as a reader saw it.

    - ``began``, ``ended``: seconds of the monotonic clock; ``asked``: number of the request.
    - ``how``: "", "HEAD" or "known" (a conditional request: the reader had the page).
    - ``status``: a number, or why there is none; ``to``: the Location header.
    - ``body``: SHA-256 of the decoded body; ``tag``: its ETag; ``sent``: the ETag of the request.
    """

    began: float
    ended: float
    asked: int
    how: str
    status: int | str
    body: str
    tag: str
    sent: str
    to: str


class ReaderLoad:
    """``readers`` threads that send requests to a port from ``start`` to ``stop``.

    ``folder``: where answers and bodies are stored.
    """

    def __init__(self, folder: Path, port: int, requests: list[Request], readers: int, seed: int):
        self.folder, self._given = folder, (folder, port, requests, readers, seed)
        self._spawn = multiprocessing.get_context("spawn")
        self._stop = self._spawn.Event()
        folder.mkdir()
        self._process = self._spawn.Process(target=_run_readers, args=(*self._given, self._stop), daemon=True)

    def start(self) -> None:
        """Start the readers."""
        self._process.start()

    def stop(self) -> None:
        """Let the readers finish their requests, and end them."""
        self._stop.set()
        self._process.join(PATIENCE * 3)

    def observed_answers(self) -> Iterator[ObservedAnswer]:
        """Yield all answers seen until now, reader by reader."""
        for path in sorted(self.folder.glob("*.jsonl")):
            with path.open(encoding="utf-8") as rows:
                yield from (ObservedAnswer(*json.loads(row)) for row in rows if row.endswith("\n"))


def _run_readers(folder: Path, port: int, requests: list[Request], readers: int, seed: int, stop) -> None:
    threads = [
        threading.Thread(target=_run_reader, args=(folder, port, requests, seed * 1000 + n, n % 2 == 0, stop))
        for n in range(readers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _run_reader(folder: Path, port: int, requests: list[Request], seed: int, keeps: bool, stop) -> None:
    """Send requests as one reader until ``stop`` is set, and write what was answered into ``folder``. ``keeps``: use
    one connection for all requests, otherwise a new one for each.
    """
    chosen, known = random.Random(seed), dict[tuple[int, str], str]()  # noqa: S311
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with (folder / f"{seed}.jsonl").open("w", encoding="utf-8", buffering=1) as out:
        while not stop.is_set():
            number = chosen.randrange(len(requests))
            how = chosen.choice(("", "", "", "", "", "", "known", "HEAD"))
            encoding = chosen.choice(ENCODINGS)
            sent = known.get((number, encoding), "") if how == "known" else ""
            seen, body = ask_server(
                line, requests[number], number, how if how != "known" or sent else "", encoding, sent
            )
            if seen.tag and seen.status == 200 and not how:
                known[number, encoding] = seen.tag
            bodies.store_body(folder, seen.body, body)
            out.write(json.dumps(seen) + "\n")
            if not keeps or isinstance(seen.status, str):
                line.close()
            time.sleep(chosen.random() * MAX_PAUSE if isinstance(seen.status, int) else MAX_PAUSE)


def ask_server(
    line: http.client.HTTPConnection, request: Request, number: int, how: str, encoding: str, sent: str
) -> tuple[ObservedAnswer, bytes]:
    """Send one request on a connection (``line``); return what was seen, and the decoded body.

    ``number``: that of the request; ``how``: as in :class:`ObservedAnswer`; ``encoding``: its Accept-Encoding;
    ``sent``: the ETag of a conditional request, else "".
    """
    headers = {"Accept-Encoding": encoding} if encoding else {}
    headers |= {"Accept-Language": request.speaks} if request.speaks else {}
    headers |= {"If-None-Match": sent} if sent else {}
    began = time.monotonic()
    gone = lambda why: (ObservedAnswer(began, time.monotonic(), number, how, why, "", "", sent, ""), b"")
    try:
        line.putrequest("HEAD" if how == "HEAD" else "GET", request.address, skip_accept_encoding=True)
        for name, value in headers.items():
            line.putheader(name, value)
        line.endheaders()
        answer = line.getresponse()
        raw = answer.read()
    except ConnectionRefusedError:
        return gone(REFUSED)
    except TimeoutError:
        return gone(LATE)
    except (OSError, http.client.HTTPException):
        return gone(RESET)
    ended = time.monotonic()
    try:
        body = decode_body(raw, answer.getheader("Content-Encoding", "")) if how != "HEAD" else b""
    except (OSError, EOFError, brotli.error):
        return gone(BROKEN)
    says = hashlib.sha256(body).hexdigest()
    tag, to = answer.getheader("ETag", ""), answer.getheader("Location", "")
    return ObservedAnswer(began, ended, number, how, answer.status, says, tag, sent, to), body


def decode_body(raw: bytes, coding: str) -> bytes:
    """Return a body without its content coding."""
    return brotli.decompress(raw) if coding == "br" else gzip.decompress(raw) if coding == "gzip" else raw
