"""Words of the site for things that the corpus knows by code: kinds, relations, why a target is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date as Date

from babel import Locale
from babel.languages import get_official_languages
from flask_babel import format_date, get_locale, ngettext
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from app.site import reader
from corpus import address
from corpus.library import EditionInfo
from corpus.model import NUMBERED, Slip

KINDS = {
    "law": _l("law"),
    "section": _l("section"),
    "subsection": _l("subsection"),
    "clause": _l("clause"),
    "subclause": _l("subclause"),
    "point": _l("decision"),
    "footnote": _l("footnote"),
    "definition": _l("definition"),
    "container": _l("part of the edition"),
    "chapter": _l("chapter"),
    "part": _l("part"),
    "division": _l("division"),
    "preface": _l("preface"),
    "intro": _l("introduction"),
    "index": _l("subject index"),
    "example": _l("example"),
}

RELATIONS = {
    "same": _l("same in substance"),
    "reworded": _l("changed in substance"),
    "moved": _l("moved"),
    "split": _l("split"),
    "merged": _l("merged"),
    "new": _l("new"),
    "dropped": _l("dropped"),
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
    "new-law": _l("new law"),
    "dropped-law": _l("law dropped"),
    "reused": _l("another meaning under an old number"),
    "new": _l("new"),
    "dropped": _l("dropped"),
    "split": _l("split"),
    "merged": _l("merged"),
    "moved": _l("moved"),
    "along": _l("moved with what it belongs to"),
    "reworded": _l("changed in substance"),
    "references": _l("only its references changed"),
    "translation": _l("differs only in the translation"),
    "missing": _l("only in one of the two texts"),
}

# What a body's decision does with a provision: words of the corpus (edition.Decisions).
DECIDES = {"modifies": _l("modifies"), "explains": _l("explains")}

# What a correction is that changes no word of a text.
BECAME = {"sign": _l("the sign of a note"), "layout": _l("layout"), "dropped": _l("not part of the text")}

# Kinds of slips of a print that change no law.
SPELLING = {
    "typing": _l("typing slip"),
    "form": _l("another form of the word"),
    "word": _l("another word"),
    "lost": _l("a word is missing"),
    "surplus": _l("a word too many"),
    "punctuation": _l("punctuation"),
    "sign": _l("a sign missing or too many"),
    "capital": _l("capital or small letter"),
    "variant": _l("spelling or word that varies"),
    "order": _l("order of the parts"),
}


def kind(code: str) -> str:
    """The site's word for a kind of node."""
    return str(KINDS.get(code, code))


def relation(code: str) -> str:
    """The site's word for a relation of the alignment."""
    return str(RELATIONS.get(code, code))


def meaning(code: str) -> str:
    """What a relation says, in a sentence; empty for what is none."""
    return str(MEANINGS.get(code, ""))


def change(code: str) -> str:
    """The site's word for a kind of change between two editions."""
    return str(CHANGES.get(code, code))


def spelling(code: str) -> str:
    """The site's word for why the print is a slip that leaves the meaning alone."""
    return str(SPELLING.get(code, code))


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


def title(node) -> str:
    """Citation and heading together, as a link's or a page's name."""
    name = cited(node)
    return f"{name} {node.heading}" if node.heading and not name.endswith(node.heading) else name


def label(node) -> str:
    """A label for a list or a path: without the dash that leads to its heading in print (“CAPITOLO I –”)."""
    return re.sub(r"\s+[-–—]$", "", (node.label or "").strip())


def became(code: str) -> str:
    """What a correction is that no word of the text shows."""
    return str(BECAME[code])


def was(source: str) -> str:
    """What the source has where a word was corrected."""
    return source if source.strip() else _("not in the source")


def led(way) -> str:
    """What must be said of a reference that does not simply lead to what it names; nothing of one that does.

    ``way``: an :class:`app.site.atlas.Way`.
    """
    if way.found == "here":
        return ""
    if way.node is None:
        return _("this edition has no such provision") if way.named else _("this text is not in the collection")
    text = _("%(language)s text of %(year)s", language=language(way.text.lang), year=way.text.year)
    if way.found == "text":
        return _("not in this edition; %(text)s", text=text) if way.named else text
    nearest = cited(way.node) if way.text == way.named else f"{text}, {cited(way.node)}"
    if way.named and len(way.texts) == 1:
        return _(
            "this edition has no %(citation)s; the nearest is %(nearest)s",
            citation=address.cite(way.path),
            nearest=nearest,
        )
    return _(
        "no text here of the laws of %(year)s has %(citation)s; the nearest is %(nearest)s",
        year=way.text.year,
        citation=address.cite(way.path),
        nearest=nearest,
    )


def leads(ways) -> str:
    """What must be said of where a label of a reference leads, each thing once."""
    return "; ".join(dict.fromkeys(filter(None, map(led, ways))))


def of_slip(slip: Slip, lang: str = "") -> str:
    """What is said of a slip of the print, in a language or in the reader's."""
    return dict(slip.note)[lang or reader.ui()]


def said(twin) -> str:
    """A statement that two provisions correspond, in words: the sum of the parts, or how these words relate.

    ``twin`` is an :class:`app.site.twins.Twin`.
    """
    return summed(twin) if twin.summary else related(twin.counterpart.pair, twin.node.kind)


def hint(twin) -> str:
    """What the legend says of a statement, where its relation says all of it: the substance and the number."""
    pair = twin.counterpart.pair
    return meaning(pair.relation) if twin.node.kind in NUMBERED and pair.cause in (None, "code") else ""


def related(pair, kind: str) -> str:
    """The relation of two provisions' own words. What has no number of its own cannot move: only its substance counts."""
    substance = (
        {
            None: _("changed in substance"),
            "code": _("changed in substance"),
            "translation": _("differs only in the translation"),
            "unknown": _("changed in substance; whether by the laws or by a translation is not known"),
        }[pair.cause]
        if pair.reworded
        else relation("same")
    )
    if pair.relation in ("same", "reworded") or (pair.relation == "moved" and kind not in NUMBERED):
        return substance
    return f"{relation(pair.relation)}, {substance}"


def summed(twin) -> str:
    """A summary of parts as one phrase: “different in substance: 4 of 13 parts, 2 new, 1 dropped”.

    What two texts of one code lack, what an extract lacks, and what may be missing in a print only is neither new nor
    dropped: it is said which text does not have it.
    """
    total = twin.summary
    lacking = lambda num, edition: _("%(num)s not in %(edition)s", num=num, edition=edition.short)
    out = (
        [
            ngettext(
                "%(changed)s of %(num)s part changed",
                "%(changed)s of %(num)s parts changed",
                total.parts,
                changed=total.changed,
            )
        ]
        if total.changed
        else [_("no part changed")]
    )
    if total.translated:
        out[0] += " (" + _("%(num)s only in the translation", num=total.translated) + ")"
    added, missing = (total.new, total.dropped) if twin.of_one_code else (total.added, total.missing)
    if fresh := total.new - added:
        out.append(_("%(num)s new", num=fresh))
    if added:
        out.append(lacking(added, twin.older))
    if gone := total.dropped - missing:
        out.append(_("%(num)s dropped", num=gone))
    if missing:
        out.append(lacking(missing, twin.newer))
    if total.moved:
        out.append(_("%(num)s under another number", num=total.moved))
    return ", ".join(out)


def names(editions: Iterable[EditionInfo]) -> str:
    """The short names of editions."""
    return ", ".join(e.short for e in editions)


def alone(pair) -> str:
    """What is said of a provision that the base lacks: when the laws got it or dropped it, if they did."""
    if pair.cause in ("unknown", "translation"):
        return _("only in one of the two texts")
    return _("new") if pair.relation == "new" else _("later dropped")


def absent(pair, edition) -> str:
    """Why an edition has nothing beside a provision: dropped, not there yet, or missing in this text."""
    if pair.cause == "unknown":
        return _("Not in this text: whether the laws or only this print dropped it is not known.")
    if pair.cause == "translation":
        return _("Not in this text; the laws do not differ.")
    if edition.id == pair.newer:
        return _("Dropped: %(edition)s no longer has it.", edition=edition.short)
    return _("New: %(edition)s does not have it yet.", edition=edition.short)
