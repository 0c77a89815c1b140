"""QR codes: an address that the camera of a phone reads from a page or from paper."""

from __future__ import annotations

import io

import segno
from markupsafe import Markup


def qr_code(link: str) -> Markup:
    """Return an SVG QR code of an address, with error correction M and without the XML prolog."""
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out,
        kind="svg",
        xmldecl=False,
        svgns=True,
        svgclass="qr",
        lineclass=None,
        omitsize=True,
        border=2,
        dark="#000",
        light="#fff",
    )
    return Markup(out.getvalue().decode("utf-8"))  # noqa: S704 – made here from an address
