"""The page model of a printed subject index: letters, entries, what stands under them, and the words around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.site import addresses, wording
from app.site.atlas import Atlas, Way
from app.site.drawn import Arrow, Run
from corpus import address
from corpus.alphabet import fold
from corpus.model import IndexEntry, Node, NodeId


@dataclass(frozen=True)
class Pointer:
    """A row of the index: its ``name`` under an entry, empty on the entry's own line; ``arrows`` to what it names;
    ``see``: (entry, its address where there is one) of each “see also”.
    """

    name: str
    arrows: tuple[Arrow, ...]
    see: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class Subject:
    """An entry of the index; ``dom`` is its element, ``own`` the rows on its own line, ``under`` its sub-entries."""

    name: str
    dom: str
    own: tuple[Pointer, ...]
    under: tuple[Pointer, ...]


@dataclass(frozen=True)
class Index:
    """The index as it is shown; ``remarks``: what its maker says around it."""

    remarks: tuple[str, ...]
    letters: Mapping[str, tuple[Subject, ...]]


def subject_index(atlas: Atlas, node: Node) -> Index | None:
    """The index whose node this is; None when the edition's index was not read into entries."""
    rows: dict[str, list[IndexEntry]] = {}
    for r in atlas.library.index if node.kind == "index" else ():
        if r.edition == node.edition:
            rows.setdefault(r.entry, []).append(r)
    if not rows:
        return None
    places = _places(atlas, node.edition, rows)
    alphabet = atlas.library.alphabet(node.lang)
    letters: dict[str, tuple[Subject, ...]] = {}
    for name, found in rows.items():
        lines = [_pointer(atlas, r, node.lang, places) for r in found]
        own, under = (tuple(x for x in lines if bool(x.name) == below) for below in (False, True))
        initial = alphabet.initial(name)
        letters[initial] = (*letters.get(initial, ()), Subject(name, _dom(name), own, under))
    return Index(node.remarks, letters)


def _places(atlas: Atlas, edition: str, entries: Mapping[str, object]) -> dict[str, str]:
    """Folded name of an entry, or else of a definition → its address, for “see also”."""
    defined = (n for n in atlas.library.of(edition) if n.kind == "definition" and n.heading)
    return {fold(n.heading or ""): addresses.law(n.id) for n in defined} | {fold(e): "#" + _dom(e) for e in entries}


def _dom(entry: str) -> str:
    return f"entry-{address.slug(entry)}"


def _pointer(atlas: Atlas, row: IndexEntry, lang: str, places: Mapping[str, str]) -> Pointer:
    arrows = tuple(_arrow(atlas, target, lang) for target in row.targets)
    return Pointer(row.subentry or "", arrows, tuple((name, places.get(fold(name))) for name in row.see))


def _arrow(atlas: Atlas, target: NodeId, lang: str) -> Arrow:
    way = atlas.resolve(target)
    return Arrow((Run(_named(atlas, way)),), (way,), (), way, way.found == "text", lang)


def _named(atlas: Atlas, way: Way) -> str:
    """What the index prints for a place: its citation; of a definition, the list that it stands in."""
    if way.node is None or way.found != "here":
        return address.cite(way.path)
    whole = atlas.library.get(way.node.parent) if way.node.kind == "definition" else None
    return wording.cited(whole or way.node)
