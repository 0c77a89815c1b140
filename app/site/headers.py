"""The headers that stand on every answer, whoever gives it: a page, an error, a file, a refusal at the door."""

from __future__ import annotations

from functools import cache as cached

# No inline script or style anywhere: what is not from this host does not run.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
# What the site never asks a browser for, so that nothing that got onto a page could.
UNUSED = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment",
    "picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
ALWAYS: dict[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": ", ".join(f"{name}=()" for name in UNUSED),
}
RESOURCE = "Cross-Origin-Resource-Policy"
# What pages of other sites may load: data, the script that links citations there, and what that shows.
SHARED = ("/api/", "/peek/", "/link.js")
# Two years: what browsers ask for before they take a host into the list that they are delivered with.
TRANSPORT = {"Strict-Transport-Security": "max-age=63072000; includeSubDomains"}
# Any site may ask the API, without cookies: it knows nobody.
ANYBODY = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Accept-Language, Content-Type, If-None-Match",
    "Access-Control-Expose-Headers": "ETag",
    "Access-Control-Max-Age": "86400",
}


def headers(path: str, secure: bool) -> dict[str, str]:
    """What stands on the answer of an address; ``secure``: the site is reached by https.

    >>> headers("/pl-2007/16", False)["Cross-Origin-Resource-Policy"], headers("/api/v1/search", True).keys() > {
    ...     "Access-Control-Allow-Origin", "Strict-Transport-Security"}
    ('same-origin', True)
    """
    return _security_headers(path.startswith(SHARED), is_api(path), secure)


def _security_headers(shared: bool, api: bool, secure: bool) -> dict[str, str]:
    return {
        **ALWAYS,
        RESOURCE: "cross-origin" if shared else "same-origin",
        **(TRANSPORT if secure else {}),
        **(ANYBODY if api else {}),
    }


def ready_headers(path: str, secure: bool) -> list[tuple[str, str]]:
    """The same as a list, made once for all addresses that have the same."""
    return _listed(path.startswith(SHARED), is_api(path), secure)


@cached
def _listed(shared: bool, api: bool, secure: bool) -> list[tuple[str, str]]:
    return [*_security_headers(shared, api, secure).items()]


def is_api(path: str) -> bool:
    """Whether programs ask this address: its errors are objects, and any site may ask."""
    return path.startswith("/api/")
