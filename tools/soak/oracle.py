"""Knows the right answers of a generation: it opens the site over that generation alone, in a process of its own."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tools.soak import bodies
from tools.soak.sample import Request


class ExpectedAnswer(NamedTuple):
    """An answer. ``body``: SHA-256 of its uncompressed bytes; ``to``: the Location header."""

    status: int
    body: str
    to: str


def expected_answers(build: Path, origin: str, requests: list[Request], keep: Path) -> list[ExpectedAnswer]:
    """Return the right answers to the requests, from the generation that is current in a build folder. Their bodies are
    stored in the folder ``keep``.

    Raises:
        RuntimeError: the process failed.
    """
    given = {"build": str(build), "origin": origin, "requests": requests, "keep": str(keep)}
    done = subprocess.run(
        [sys.executable, "-m", "tools.soak.oracle"],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"LEXBRIDGE_URL": origin, "LEXBRIDGE_BUILD": str(build)},
        preexec_fn=lambda: os.nice(5),
    )
    if done.returncode:
        raise RuntimeError(f"{build} cannot be asked:\n{done.stderr[-3000:]}")
    return [ExpectedAnswer(*row) for row in json.loads(done.stdout)]


def _ask_site(build: Path, origin: str, requests: list[list[Any]], keep: Path) -> list[ExpectedAnswer]:
    from app import create_app

    app = create_app({"BUILD": build})
    app.logger.setLevel(logging.ERROR)
    # Open the generation before the first request, as a server does it.
    app.extensions["lexbridge"].snapshot()
    out = []
    for _, address, reader in requests:
        # A new client each time, so that no request has cookies.
        client = app.test_client(use_cookies=False)
        headers = {"Accept-Encoding": "identity"} | ({"Accept-Language": reader} if reader else {})
        answer = client.get(address, base_url=origin, headers=headers)
        body = answer.get_data()
        out.append(
            ExpectedAnswer(answer.status_code, hashlib.sha256(body).hexdigest(), answer.headers.get("Location", ""))
        )
        bodies.store_body(keep, out[-1].body, body)
    return out


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    answers = _ask_site(Path(asked["build"]), asked["origin"], asked["requests"], Path(asked["keep"]))
    json.dump(answers, sys.stdout)
