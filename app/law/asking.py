"""What of a law's page depends on the provision that is asked for: how it is known, where one stands, the mark.

The law is drawn once, with places left open; these values fill them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import escape

from app.law import structured
from app.law.page import PLAIN, Shown, law_page
from app.site import addresses, reader, twins
from app.site.atlas import Atlas
from app.site.excerpt import notes_of
from app.site.kept.frame import fill, parts
from app.site.page import Page
from app.site.state import current
from corpus.edition.identity import Identity, Notice
from corpus.model import Node


@dataclass(frozen=True)
class AskedPage(Page):
    """``asked``: the provision that the address names, on the page of its ``law`` in an ``edition`` · ``way_out``:
    where it stands in force, on pages that are not, ``tongues``: language → the same in a text of that language ·
    ``notices`` of the edition on this law · ``json_ld`` for programs.
    """

    template: ClassVar[str] = "asked.html"
    edition: Identity
    asked: Node
    law: Node
    way_out: twins.Twins | None
    tongues: Mapping[str, Node]
    notices: tuple[Notice, ...]
    json_ld: str

    def values(self) -> dict[str, str]:
        """What the places of the page of the law are filled with."""
        path = self.asked.path
        return {
            **parts(self.render()),
            "origin": addresses.origin(),
            "path": escape(addresses.path(self.asked.id)),
            f"at:{path}": ' aria-current="true"',
            # Brings it into view without JavaScript, and lets a screen reader begin there.
            f"arrive:{path}": ' tabindex="-1" autofocus',
        }


def provision_page(atlas: Atlas, asked: Node, shown: Shown = PLAIN) -> bytes:
    """The page on which a node is read, with that node marked as the one asked for."""
    law = atlas.page_of(asked)
    beside = () if _is_there(atlas, asked, law) else (asked,)
    draw = lambda: law_page(atlas, law, shown, beside).frame()
    # Kept is the page as most readers ask for it.
    kept = shown == PLAIN and not beside
    values = asked_page(atlas, asked, law).values()
    frame = current().packs.frame(reader.ui(), addresses.path(law.id), draw) if kept else draw()
    return fill(frame, values)


def asked_page(atlas: Atlas, asked: Node, law: Node) -> AskedPage:
    """What depends on the provision asked for."""
    edition = atlas.library.editions[law.edition]
    notices = edition.noticed(law.path)
    return AskedPage(
        edition=edition,
        asked=asked,
        law=law,
        way_out=_way_out(atlas, edition, asked),
        tongues=_tongues(atlas, edition, asked),
        notices=notices,
        json_ld=structured.structured_law(atlas, asked, any(n.paths for n in notices)),
    )


def _is_there(atlas: Atlas, asked: Node, law: Node) -> bool:
    """Whether the page of the law shows it in any case; of footnotes it shows those that its marks lead to."""
    return asked is law or asked.kind != "footnote" or asked in notes_of(atlas.library, law)


def _way_out(atlas: Atlas, edition: Identity, asked: Node) -> twins.Twins | None:
    """Where the provision stands in an edition in force; None on pages that are in force."""
    if edition.force:
        return None
    found = (twins.nearest(atlas.library, asked, e.id) for e in atlas.library.codes if e.force)
    return next(filter(None, found), None)


def _tongues(atlas: Atlas, edition: Identity, asked: Node) -> dict[str, Node]:
    """Language → the provision in a text of that language; ``x-default``: where it stands in force, else itself.

    Only what corresponds to the provision as one to one; of several texts in a language the one that is nearest in
    time, the newer first. A decision has no counterpart in another language. Nothing where there is only the provision
    itself.
    """
    out = {edition.lang: asked}
    library = atlas.library
    found = {} if edition.is_decisions else library.relations.counterparts(asked.id)
    alone = lambda rows: len(rows) == 1 and len(library.relations.counterparts(rows[0].id).get(edition.id, ())) == 1
    own = [library.nodes[rows[0].id] for rows in found.values() if alone(rows)]
    for n in sorted(own, key=lambda n: (abs(n.year - edition.year), -n.year, n.edition)):
        out.setdefault(n.lang, n)
    if len(out) == 1:
        return {}
    in_force = [n for n in out.values() if atlas.library.editions[n.edition].force]
    return out | {"x-default": asked if edition.force or len(in_force) != 1 else in_force[0]}
