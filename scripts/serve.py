"""``lexbridge serve``: serves the site with as many workers as there are cores, while a build may run beside it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import click

from corpus import generation
from corpus.generation import StoreError, current_digest

BUILD = (sys.executable, "-m", "scripts.cli", "build")
ROOT = Path(__file__).parent.parent


@contextmanager
def background_build(place: Path, meanwhile: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Run a build in a process of its own for the time of the block.

    Where there is nothing to serve yet, texts and word search are built first, and ``meanwhile`` is called while they
    are. At the end of the block the build is ended; what is served stays as it was.

    Raises:
        click.ClickException: there is nothing to serve, and the first build failed.
    """
    if current_digest(place) is None:
        click.echo("Nothing is built yet. The site opens with texts and word search; the rest follows.", err=True)
        with _running(*BUILD, "--first") as first:
            meanwhile()
            failed = first.wait()
        if failed:
            raise click.ClickException(f"There is nothing to serve in {place}: the build has failed, as told above.")
    with _running(*BUILD):
        yield


@contextmanager
def _running(*command: str) -> Iterator[subprocess.Popen]:
    """Run a command for the time of the block."""
    child = subprocess.Popen(command, cwd=ROOT)  # noqa: S603 – this very program
    try:
        yield child
    finally:
        child.terminate()
        child.wait()


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    envvar="LEXBRIDGE_WORKERS",
    help="How many processes answer; as many as there are cores, if nothing is said.",
)
@click.option(
    "--build",
    is_flag=True,
    help="Build meanwhile what is not built yet; where nothing is, texts and word search first.",
)
def serve(host: str, port: int, workers: int | None, build: bool) -> None:
    """Serve the site."""
    from scripts.server import Supervisor, available_cores, buffer_log_lines, open_listening_socket, serve_requests

    try:
        sock = open_listening_socket(host, port)
    except OSError as error:
        why = error.strerror or error
        raise click.ClickException(
            f"{host}:{port} cannot be listened on ({why}). Name another --host or --port."
        ) from None
    make_site = cache(_make_site)
    with background_build(generation.build_dir(), make_site) if build else nullcontext():
        app, application = make_site()
        state = app.extensions["lexbridge"]
        state.link_what_is_served()

        def ready() -> None:
            click.echo(f"Lexbridge at {_url_of_socket(sock, host)}")
            try:
                state.snapshot()
            except StoreError as missing:
                click.echo(str(missing), err=True)

        begin = lambda: buffer_log_lines(app.logger)
        if hasattr(os, "fork"):
            Supervisor(sock, workers or available_cores(), application, begin, state).run(ready)
        else:
            begin()
            state.start_watching()
            ready()
            serve_requests(sock, application)


def _make_site() -> tuple[Any, Any]:
    """Return the Flask application, and the same with its middleware.

    Raises:
        click.ClickException: a setting cannot be used.
    """
    from app import create_app
    from app.middleware import ProxyError, wrap_in_middleware
    from app.site.http import OriginError

    try:
        app = create_app()
        return app, wrap_in_middleware(app)
    except (OriginError, ProxyError) as error:
        raise click.ClickException(str(error)) from None


def _url_of_socket(sock: socket.socket, host: str) -> str:
    """Return the address to open, ``http://host:port``. The system may have chosen the port."""
    return f"http://{f'[{host}]' if ':' in host else host}:{sock.getsockname()[1]}"
