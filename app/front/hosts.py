"""Under which names the site answers, and whom it believes about how a request reached it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from werkzeug.middleware.proxy_fix import ProxyFix

# A name or an address, and a port; what is none never comes into a link that a page prints.
HOST = re.compile(r"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")
# Who looks after the server asks it from the same machine.
LOCAL = frozenset({"127.0.0.1", "localhost", "[::1]"})
FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED")

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class ProxyError(ValueError):
    """``LEXBRIDGE_PROXY`` says nothing that can be believed; the message says what it may say."""


@dataclass(frozen=True)
class Proxies:
    """Whom ``X-Forwarded-…`` is believed from: so many proxies one behind another, if the nearest has one of
    ``networks``; any, without them.
    """

    count: int = 0
    networks: tuple[Any, ...] = ()

    @classmethod
    def read(cls, text: str) -> Proxies:
        """From ``LEXBRIDGE_PROXY``: a number, or addresses and networks of one proxy before the site.

        >>> Proxies.read(""), Proxies.read("2").count, Proxies.read("10.0.0.0/8, ::1").count
        (Proxies(count=0, networks=()), 2, 1)
        """
        said = text.strip()
        if said.isascii() and said.isdigit() and len(said) < 3:
            return cls(int(said))
        try:
            networks = tuple(ip_network(part.strip()) for part in said.split(",") if part.strip())
        except ValueError as error:
            raise ProxyError(
                f"LEXBRIDGE_PROXY: {error}. Give a number of proxies, or addresses (127.0.0.1, 10.0.0.0/8)."
            ) from None
        return cls(1 if networks else 0, networks)

    def believes(self, address: str) -> bool:
        """Whether what the sender of a request says of its origin is taken as true."""
        if not self.networks:
            return self.count > 0
        try:
            sender = ip_address(address)
        except ValueError:
            return False
        return any(sender in network for network in self.networks)


class Believed:
    """A WSGI application that is told who asked, as far as the proxies before it are believed."""

    def __init__(self, application: Application, proxies: Proxies):
        self._plain, self._proxies = application, proxies
        self._fixed = ProxyFix(application, proxies.count, proxies.count, proxies.count) if proxies.count else None

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Hands on, with what nobody may claim taken away."""
        if self._fixed and self._proxies.believes(environ.get("REMOTE_ADDR", "")):
            return self._fixed(environ, start_response)
        for name in FORWARDED:
            environ.pop(name, None)
        return self._plain(environ, start_response)


def answers_to(host: str, origin: str) -> bool:
    """Whether the site answers under a ``Host``; with an ``origin`` it has one name, and those of its own machine.

    >>> answers_to("laws.example", ""), answers_to("evil/", "")
    (True, False)
    >>> [answers_to(h, "https://laws.example") for h in ("laws.example", "LAWS.example:443", "evil", "localhost:8000")]
    [True, True, False, True]
    """
    if not HOST.fullmatch(host):
        return False
    if not origin:
        return True
    mine = urlsplit(origin)
    standard = {"https": ":443", "http": ":80"}.get(mine.scheme, "")
    asked = host.lower()
    return asked.removesuffix(standard) == mine.netloc.lower().removesuffix(standard) or (
        re.sub(r":\d+$", "", asked) in LOCAL
    )
