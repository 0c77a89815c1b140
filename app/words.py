"""Words of the site for things that the corpus knows by code: kinds, relations, why a target is missing."""
from __future__ import annotations

import re
import unicodedata
from datetime import date as Date

from babel import Locale
from babel.languages import get_official_languages
from flask_babel import format_date, get_locale, gettext as _, lazy_gettext as _l

from app import reader

KINDS = {
    "law": _l("law"), "section": _l("section"), "subsection": _l("subsection"), "clause": _l("clause"),
    "subclause": _l("subclause"), "point": _l("decision"), "footnote": _l("footnote"), "definition": _l("definition"),
    "container": _l("part of the edition"), "chapter": _l("chapter"), "part": _l("part"), "division": _l("division"),
    "preface": _l("preface"), "intro": _l("introduction"), "index": _l("subject index"), "example": _l("example"),
}

RELATIONS = {
    "same": _l("same in substance"), "reworded": _l("changed in substance"), "moved": _l("moved"), "split": _l("split"),
    "merged": _l("merged"), "new": _l("new"), "dropped": _l("dropped"),
}

# What a relation says, for the legend: of the provision's own words in the older and the newer text.
MEANINGS = {
    "same": _l("the same number; nothing of substance changed, the wording may differ"),
    "reworded": _l("the same number; the substance changed, not only the wording"),
    "moved": _l("the provision stands under another number"),
    "split": _l("one provision of the older text is several in the newer"),
    "merged": _l("several provisions of the older text are one in the newer"),
    "new": _l("only the newer text has it"),
    "dropped": _l("only the older text has it"),
}

CHANGES = {
    "new-law": _l("new law"), "dropped-law": _l("law dropped"), "reused": _l("another meaning under an old number"), "new": _l("new"),
    "dropped": _l("dropped"), "split": _l("split"), "merged": _l("merged"), "moved": _l("moved"), "along": _l("moved with what it belongs to"),
    "reworded": _l("changed in substance"), "references": _l("only its references changed"),
}

# What a body's decision does with a provision: words of the corpus (edition.Decisions).
DECIDES = {"modifies": _l("modifies"), "explains": _l("explains")}

# What is cited by number, or by number and letters.
NUMBERED = ("law", "section", "subsection", "clause", "subclause", "point")

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


def meaning(code: str) -> str:
    """What a relation says, in a sentence; empty for what is none."""
    return str(MEANINGS.get(code, ""))


def by_age(a, b) -> tuple:
    """Two corresponding nodes, the older edition's first; with None for one of them as they come.

    A relation speaks of what became of the older text, whichever of the two one reads.
    """
    return (a, b) if a is None or b is None else tuple(sorted((a, b), key=lambda n: (n.year, n.edition)))


def change(code: str) -> str:
    """The site's word for a kind of change between two editions."""
    return str(CHANGES.get(code, code))


def decides(code: str) -> str:
    """What a decision does with the provision that it is about, in the site's words."""
    return str(DECIDES.get(code, code))


def country(code: str) -> str:
    """A country's name in the site's language."""
    return get_locale().territories.get(code, code)


def spoken(lang: str, country: str) -> bool:
    """Whether a language is an official one of a country.

    >>> spoken("fr", "CH"), spoken("fr", "SE")
    (True, False)
    """
    return lang in get_official_languages(country, de_facto=True)


def told(texts: dict[str, str]) -> tuple[str, str]:
    """(language, text) of what the maintainers say, for this reader: in the site's language, else for all, else the default one.

    >>> told({"": "for all"})
    ('', 'for all')
    """
    lang = next((code for code in (reader.ui(), "", reader.DEFAULT, *texts) if code in texts), "")
    return lang, texts.get(lang, "")


def day(date: str) -> str:
    """A day of a manifest as a reader writes it: ``2018-01-01`` → “1 January 2018”."""
    return format_date(Date.fromisoformat(date), "long")


def language(code: str) -> str:
    """A language's name in the site's language."""
    return Locale.parse(code).get_display_name(get_locale()) or code


def cited(node) -> str:
    """How a node is named in running text: ``16D2``, or its heading where it has no number.

    A law and its parts go by their citation; definitions by their term; parts of the book by their title; a footnote
    by its number in the words of the site, ``64 fn. 1``.
    """
    if node.kind == "footnote":
        law, _fn, number = node.path.rpartition("fn/")
        return law.replace("/", " ") + _("fn. %(number)s", number=number)
    return re.sub(r"\s+[-–—]$", "", node.citation or node.heading or node.path)


def beside(library, node) -> str:
    """The citation where the printed labels do not tell it: a label that is not the last step of its node's path, its own or one above.

    ``2.`` printed for 27B gives ``27B``, and the ``1.`` under it ``27B1``; ``B.`` gives nothing.
    """
    chain = [n for n in (*library.ancestors(node), node) if n.kind in NUMBERED]
    return node.citation if node.kind in NUMBERED and not all(_tells(n) for n in chain) else ""


def _tells(node) -> bool:
    """Whether a node's printed label ends in the last step of its path."""
    runs = re.findall(r"\d+|[^\W\d_]+", unicodedata.normalize("NFKC", node.label or ""))
    return not runs or runs[-1] == node.path.rpartition("/")[2]


def title(node) -> str:
    """Citation and heading together, as a link's or a page's name."""
    name = cited(node)
    return f"{name} {node.heading}" if node.heading and node.heading != name else name


def label(node) -> str:
    """A label for a list or a path: without the dash that leads to its heading in print (“CAPITOLO I –”)."""
    return re.sub(r"\s+[-–—]$", "", (node.label or "").strip())


def missing(target: str, known: bool) -> str:
    """Why a reference has no arrow; ``known``: the edition it names is one of ours."""
    if known:
        return _("this edition has no such provision")
    return _("this text is not in the collection")


