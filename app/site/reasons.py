"""Why a correction was made, in the reader's language.

Reasons are written in English, most of them in a few fixed forms: a kind, perhaps ``: what → what``, perhaps ``; a
remark``. Kinds are translated; a remark stays as it is written, and is marked as English.
"""

from __future__ import annotations

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from markupsafe import Markup

from corpus.model import Correction

# What scanning took from a letter: “stroke, ogonek lost”.
SIGNS = {"ogonek": _l("ogonek"), "acute": _l("acute accent"), "dot": _l("dot"), "stroke": _l("stroke")}

KINDS = {
    "read wrongly": _l("read wrongly"),
    "a letter is lost": _l("a letter is lost"),
    "letters are lost": _l("letters are lost"),
    "a letter is added": _l("a letter is added"),
    "letters are added": _l("letters are added"),
    "a letter is doubled": _l("a letter is doubled"),
    "letters are doubled": _l("letters are doubled"),
    "a letter is damaged": _l("a letter is damaged"),
    "letters are damaged": _l("letters are damaged"),
    "the ending is damaged": _l("the ending is damaged"),
    "the accent is lost": _l("the accent is lost"),
    "the accent does not belong here": _l("the accent does not belong here"),
    "the soft sign is lost": _l("the soft sign is lost"),
    "the soft sign does not belong here": _l("the soft sign does not belong here"),
    "the soft sign and the accent are lost": _l("the soft sign and the accent are lost"),
    "an apostrophe stands for the soft sign": _l("an apostrophe stands for the soft sign"),
    "a blank stands inside the word": _l("a blank stands inside the word"),
    "the blank between the words is lost": _l("the blank between the words is lost"),
    "the blank after the dash is lost": _l("the blank after the dash is lost"),
    "the blank before the dash is lost": _l("the blank before the dash is lost"),
    "the word stands twice": _l("the word stands twice"),
    "the sign of the suit is lost": _l("the sign of the suit is lost"),
}

BASES = {
    "rule": _l("a rule"),
    "dictionary": _l("a dictionary"),
    "context": _l("the context"),
    "proofread": _l("a person who read it"),
}


def basis(code: str) -> str:
    """What decided a correction, in the site's words."""
    return str(BASES.get(code, code))


def of(correction: Correction) -> Markup:
    """The reason of a correction; what decided it, where it gives none."""
    said, semicolon, remark = correction.reason.partition("; ")
    kind, colon, letters = said.partition(": ")
    if not correction.reason:
        return Markup("%s %s") % (_("Decided by"), basis(correction.basis))
    if (words := _kind(kind)) is None:
        return Markup('<span lang="en">%s</span>') % correction.reason
    out = Markup("%s%s%s") % (words, colon, letters)
    return out + Markup('; <span lang="en">%s</span>') % remark if semicolon else out


def _kind(kind: str) -> str | None:
    signs = kind.removesuffix(" lost").split(", ")
    if kind.endswith(" lost") and all(s in SIGNS for s in signs):
        return _("%(signs)s lost", signs=", ".join(str(SIGNS[s]) for s in signs))
    return str(KINDS[kind]) if kind in KINDS else None
