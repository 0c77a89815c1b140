"""Words of the site for things that the corpus knows by code: kinds, relations, why a target is missing."""
from __future__ import annotations

import re

from flask_babel import gettext as _, lazy_gettext as _l

KINDS = {
    "law": _l("law"), "section": _l("section"), "subsection": _l("subsection"), "clause": _l("clause"),
    "subclause": _l("subclause"), "point": _l("point"), "footnote": _l("footnote"), "definition": _l("definition"),
    "container": _l("part of the book"), "chapter": _l("chapter"), "part": _l("part"), "division": _l("division"),
    "preface": _l("preface"), "intro": _l("introduction"), "index": _l("subject index"), "example": _l("example"),
}

RELATIONS = {
    "same": _l("same in substance"), "reworded": _l("reworded"), "moved": _l("moved"), "split": _l("split"),
    "merged": _l("merged"), "new": _l("new"), "dropped": _l("dropped"),
}

CHANGES = {
    "new-law": _l("new law"), "dropped-law": _l("law dropped"), "reused": _l("another meaning under an old number"), "new": _l("new"),
    "dropped": _l("dropped"), "split": _l("split"), "merged": _l("merged"), "moved": _l("moved"), "along": _l("moved with what it belongs to"),
    "reworded": _l("reworded"), "references": _l("only its references changed"),
}

# What a correction is that changes no word of a text.
BECAME = {"sign": _l("the sign of a note"), "layout": _l("layout"), "dropped": _l("not part of the text")}

# Parts of the book that only hold laws.
CONTAINERS = ("chapter", "part", "division")

# From what a director must know first to what hardly matters.
BY_WEIGHT = ("new", "dropped", "split", "merged", "moved", "reworded", "same")


def kind(code: str) -> str:
    """The site's word for a kind of node."""
    return str(KINDS.get(code, code))


def relation(code: str) -> str:
    """The site's word for a relation of the alignment."""
    return str(RELATIONS.get(code, code))


def change(code: str) -> str:
    """The site's word for a kind of change between two editions."""
    return str(CHANGES.get(code, code))


def language(code: str) -> str:
    """A language's name in the site's language."""
    from babel import Locale
    from flask_babel import get_locale
    return Locale.parse(code).get_display_name(get_locale()) or code


def cited(node) -> str:
    """How a node is named in running text: ``16D2``, or its heading where it has no number.

    A law and its parts go by their citation; definitions by their term; parts of the book by their title.
    """
    return re.sub(r"\s+[-–—]$", "", node.citation or node.heading or node.path)


def title(node) -> str:
    """Citation and heading together, as a link's or a page's name."""
    name = cited(node)
    return f"{name} {node.heading}" if node.heading and node.heading != name else name


def label(node) -> str:
    """A label for a list or a path: without the dash that leads to its heading in print (“CAPITOLO I –”)."""
    return re.sub(r"\s+[-–—]$", "", (node.label or "").strip())


def became(code: str) -> str:
    """What a correction is that no word of the text shows."""
    return str(BECAME[code])


def was(source: str) -> str:
    """What the source has where a word was corrected."""
    return source if source.strip() else _("nothing")


def missing(target: str, known: bool) -> str:
    """Why a reference has no arrow; ``known``: the edition it names is one of ours."""
    if known:
        return _("this edition has no such provision")
    return _("this text is not in the collection")


