"""The page model of a printed subject index: letters, entries, what stands under them, and the words around it."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.site import addresses
from app.site.atlas import Atlas
from corpus import address
from corpus.alphabet import fold
from corpus.model import IndexEntry, Node


@dataclass
class Subject:
    """An entry of the index; ``dom`` is its element, ``own`` the rows on its own line, ``under`` its sub-entries."""

    name: str
    dom: str
    own: list[IndexEntry] = field(default_factory=list)
    under: list[IndexEntry] = field(default_factory=list)


@dataclass
class Index:
    """The index as it is shown. ``places``: folded name of an entry or a definition → its address, for “see also”."""

    remarks: tuple[str, ...]
    letters: dict[str, list[Subject]]
    places: dict[str, str]

    def place(self, name: str) -> str | None:
        """Where a “see also” leads: the entry, or else the definition, of that name."""
        return self.places.get(fold(name))


def subject_index(atlas: Atlas, node: Node) -> Index | None:
    """The index whose node this is; None when the edition's index was not read into entries."""
    rows = [r for r in atlas.library.index if r.edition == node.edition]
    if not rows or node.kind != "index":
        return None
    alphabet = atlas.library.alphabet(node.lang)
    letters: dict[str, list[Subject]] = {}
    subjects: dict[str, Subject] = {}
    for r in rows:
        if r.entry not in subjects:
            subject = subjects[r.entry] = Subject(r.entry, f"entry-{address.slug(r.entry)}")
            letters.setdefault(alphabet.initial(r.entry), []).append(subject)
        (subjects[r.entry].under if r.subentry else subjects[r.entry].own).append(r)
    places = {
        fold(n.heading): addresses.law(n.id)
        for n in atlas.library.of(node.edition)
        if n.kind == "definition" and n.heading
    }
    return Index(node.remarks, letters, places | {fold(s.name): "#" + s.dom for s in subjects.values()})
