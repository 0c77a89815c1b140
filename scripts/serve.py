"""lexbridge serve: the site, opened once, served by as many workers as there are cores."""

from __future__ import annotations

import socket
from contextlib import nullcontext

import click

from corpus import generation
from corpus.generation import StoreError
from scripts.first import background_build
from scripts.logged import buffer_log_lines


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
    help="Build meanwhile what is not built yet; where nothing is, texts and search first, so that there is something.",
)
def serve(host: str, port: int, workers: int | None, build: bool) -> None:
    """Serve the site."""
    from app import create_app
    from app.middleware import ProxyError, wrap_in_middleware
    from app.site.http import OriginError
    from scripts.server import Server, available_cores, open_listening_socket

    try:
        sock = open_listening_socket(host, port)
    except OSError as error:
        why = error.strerror or error
        raise click.ClickException(
            f"{host}:{port} cannot be listened on ({why}). Name another --host or --port."
        ) from None
    try:
        app = create_app()
        application = wrap_in_middleware(app)
    except (OriginError, ProxyError) as error:
        raise click.ClickException(str(error)) from None
    state = app.extensions["lexbridge"]
    with background_build(generation.build_dir()) if build else nullcontext():
        try:
            state.snapshot()
        except StoreError as missing:
            click.echo(str(missing), err=True)
        server = Server(sock, workers or available_cores())
        server.on_startup(lambda: click.echo(f"Lexbridge at {_address(sock, host)}"))

        def begin() -> None:
            buffer_log_lines(app.logger)
            state.follow()

        server.run(application, begin)


def _address(sock: socket.socket, host: str) -> str:
    """Where to look, with the port that was given out where any would do."""
    return f"http://{f'[{host}]' if ':' in host else host}:{sock.getsockname()[1]}"
