"""How the laws refer to each other: pictures of all laws of an edition, and of one law with its neighbours.

:func:`net_page` and :func:`law_net_page` build the page models. Coordinates are in the units of the SVG picture.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, abort, redirect
from werkzeug.wrappers import Response

from app.site import addresses, reader
from app.site.atlas import Atlas
from app.site.lookup import node_or_404
from app.site.page import Picture, PictureDot, PictureLine, SitePage
from app.site.snapshot import current_snapshot
from corpus.edition import Identity
from corpus.model import Node, NodeId

MARGIN = 30


def law_references(atlas: Atlas, edition: str) -> Counter[tuple[NodeId, NodeId]]:
    """Return (id of a law, id of a law that it refers to) → how often. References inside one law are not counted."""
    library = atlas.library
    found: Counter[tuple[NodeId, NodeId]] = Counter()
    for node in library.nodes_of(edition):
        source_law = atlas.page_node_of(node)
        for ref in node.references:
            for target in atlas.nodes_referenced_by(ref):
                target_law = atlas.page_node_of(target)
                if target_law.id != source_law.id:
                    found[source_law.id, target_law.id] += 1
    return found


def net_picture(atlas: Atlas, edition: str) -> Picture:
    """Return a picture with all laws of an edition on a circle, and a line for each pair of laws where one refers to
    the other.
    """
    laws = atlas.library.laws_of(edition)
    radius, middle = 330, 370
    angle = {n.id: 2 * math.pi * i / max(1, len(laws)) - math.pi / 2 for i, n in enumerate(laws)}
    at = {id_: (middle + radius * math.cos(t), middle + radius * math.sin(t)) for id_, t in angle.items()}
    refs = {k: c for k, c in law_references(atlas, edition).items() if k[0] in at and k[1] in at}
    cited: Counter[NodeId] = Counter()
    for (_, b), count in refs.items():
        cited[b] += count
    threads = []
    for (a, b), count in sorted(refs.items(), key=lambda x: x[1]):
        (xa, ya), (xb, yb) = at[a], at[b]
        pull = 0.35
        cx, cy = middle + (xa + xb - 2 * middle) * pull / 2, middle + (ya + yb - 2 * middle) * pull / 2
        threads.append(
            PictureLine(
                f"M{xa:.1f} {ya:.1f}Q{cx:.1f} {cy:.1f} {xb:.1f} {yb:.1f}",
                atlas.library.nodes[a],
                atlas.library.nodes[b],
                count,
                round(0.7 + math.log2(count) * 0.6, 1),
                False,
            )
        )
    dots = []
    for n in laws:
        x, y = at[n.id]
        tx, ty = middle + (radius + 16) * math.cos(angle[n.id]), middle + (radius + 16) * math.sin(angle[n.id]) + 4
        dots.append(
            PictureDot(
                n,
                round(x, 1),
                round(y, 1),
                round(tx, 1),
                round(ty, 1),
                "middle",
                round(2.5 + math.sqrt(cited[n.id]), 1),
            )
        )
    return Picture(2 * middle, 2 * middle, tuple(threads), tuple(dots))


def neighbourhood_picture(atlas: Atlas, law: Node) -> Picture:
    """Return a picture with a law in the middle, the laws that refer to it on the left, and those that it refers to on
    the right.
    """
    refs, nodes = law_references(atlas, law.edition), atlas.library.nodes
    place = {n.id: i for i, n in enumerate(atlas.library.nodes_of(law.edition))}
    left = sorted((a for a, b in refs if b == law.id), key=lambda i: place.get(i, 0))
    right = sorted((b for a, b in refs if a == law.id), key=lambda i: place.get(i, 0))
    step, middle, ends = 24, 320, (110, 530)
    height = MARGIN * 2 + step * max(len(left), len(right), 1)
    dots, threads = [PictureDot(law, middle, height / 2, middle, height / 2 - 16, "middle", 9)], []
    for side, column, x in (("end", left, ends[0]), ("start", right, ends[1])):
        first = (height - step * (len(column) - 1)) / 2
        for i, id_ in enumerate(column):
            y = first + i * step
            sign = -1 if side == "end" else 1
            dots.append(PictureDot(nodes[id_], x, y, x + sign * 11, y + 4, side, 4.5))
            a, b = (id_, law.id) if side == "end" else (law.id, id_)
            count = refs[a, b]
            edge = middle + sign * 9
            d = f"M{edge} {height / 2}C{(edge + x) / 2} {height / 2} {(edge + x) / 2} {y} {x - sign * 5} {y}"
            threads.append(PictureLine(d, nodes[a], nodes[b], count, round(1.2 + math.log2(count), 1), False))
    return Picture(640, height, tuple(threads), tuple(dots))


@dataclass(frozen=True)
class NetPage(SitePage):
    """The references of a ``law``, or of all laws of an ``edition`` if ``law`` is None, as a ``picture``.

    ``all`` are the editions to choose from.
    """

    template: ClassVar[str] = "net.html"
    edition: Identity
    law: Node | None
    picture: Picture
    all: tuple[Identity, ...]


def net_page(atlas: Atlas, edition: str) -> NetPage:
    """Return the page with a picture of all laws of an edition and the references between them."""
    return NetPage(atlas.library.editions[edition], None, net_picture(atlas, edition), atlas.editions_in_order)


def law_net_page(atlas: Atlas, node: Node) -> NetPage:
    """Return the page with a picture of the law that a node is in, and of the laws with a reference to or from it."""
    law = atlas.page_node_of(node)
    return NetPage(
        atlas.library.editions[node.edition], law, neighbourhood_picture(atlas, law), atlas.editions_in_order
    )


blueprint = Blueprint("net", __name__)


def addresses_to_prerender(atlas: Atlas) -> Iterable[str]:
    """Return the addresses whose pages are rendered when the generation is built."""
    return map(addresses.edition_net, atlas.library.editions)


@blueprint.get("/net/")
def redirect_to_net() -> Response:
    """Redirect ``/net/``, which names no edition, to the picture of the edition that the reader probably wants."""
    return redirect(
        addresses.redirect_address(
            addresses.edition_net(current_snapshot().atlas.default_edition(reader.redirect_language()).id)
        )
    )


@blueprint.get("/net/<edition>/")
def net(edition: str) -> str:
    """Show the picture of all laws of an edition."""
    if edition not in current_snapshot().library.editions:
        abort(404)
    return net_page(current_snapshot().atlas, edition).render()


@blueprint.get("/net/<edition>/<path:path>")
def neighbourhood(edition: str, path: str) -> str:
    """Show a law with the laws that refer to it and the laws that it refers to."""
    return law_net_page(current_snapshot().atlas, node_or_404(addresses.net, edition, path)).render()
