"""Sentences of the site: where a reference leads, how two provisions correspond, why one of two texts has nothing."""

from __future__ import annotations

from collections.abc import Iterable

from flask_babel import gettext as _
from flask_babel import ngettext

from app.site.atlas import Way
from app.site.drawn import StrengthSign
from app.site.twins import Twin
from app.site.wording import cited, language, meaning, named, relation
from corpus import address
from corpus.edition.identity import Identity
from corpus.model import NUMBERED, Node, Pair
from corpus.relation.carried import Carried
from corpus.relation.summary import Summary


def rank(sign: StrengthSign) -> str:
    """How strong words are; of those that their text does not use as its introduction says, what that says and what
    ranked words the same provision has in other texts, each once.
    """
    name = named(sign.step.name)
    if not sign.step.loose:
        return name
    own = _("no rank – in the introduction: %(strength)s, but this text does not keep to that", strength=name)
    beside = (
        _(
            "%(edition)s, %(provision)s: “%(words)s”, %(strength)s",
            edition=r.edition.short,
            provision=cited(r.node),
            words=r.words,
            strength=named(r.step.name),
        )
        for r in sign.beside
    )
    return "; ".join(dict.fromkeys([own, *beside]))


def led(way: Way) -> str:
    """What must be said of a reference that does not simply lead to what it names; nothing of one that does."""
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


def leads(ways: Iterable[Way]) -> str:
    """What must be said of where a label of a reference leads, each thing once."""
    return "; ".join(dict.fromkeys(filter(None, map(led, ways))))


def said(twin: Twin) -> str:
    """A statement that two provisions correspond, in words: the sum of the parts, or how these words relate."""
    return summed(twin, twin.summary) if twin.summary else related(twin.counterpart.pair, twin.node.kind)


def hint(twin: Twin) -> str:
    """What the legend says of a statement, where its relation says all of it: the substance and the number."""
    pair = twin.counterpart.pair
    reviewed = pair.basis == "reviewed" and pair.cause in (None, "code")
    return meaning(pair.relation) if reviewed and twin.node.kind in NUMBERED else ""


def related(pair: Pair, kind: str) -> str:
    """The relation of two provisions' own words. What has no number of its own cannot move: only its substance
    counts. Of what nobody reviewed nothing is said but that it seems to correspond, and where it stands.
    """
    substance = _("seems to correspond") if pair.basis == "computed" else _substance(pair)
    if pair.relation in ("same", "reworded") or (pair.relation == "moved" and kind not in NUMBERED):
        return substance
    return f"{relation(pair.relation)}, {substance}"


def _substance(pair: Pair) -> str:
    """What a reviewer says of the words of two provisions."""
    return (
        {
            None: _("changed in substance"),
            "code": _("changed in substance"),
            "translation": _("differs only in the translation"),
            "unknown": _("changed in substance; whether by the laws or by a translation is not known"),
        }[pair.cause]
        if pair.reworded
        else relation("same")
    )


def summed(twin: Twin, total: Summary) -> str:
    """A summary of parts as one phrase: “different in substance: 4 of 13 parts, 2 new, 1 dropped”.

    What two texts of one code lack, what an extract lacks, and what may be missing in a print only is neither new nor
    dropped: it is said which text does not have it. Where a proposal joins the parts, it is said how many it found.
    """
    if not twin.reviewed:
        return ngettext(
            "%(found)s of %(num)s part seems to correspond",
            "%(found)s of %(num)s parts seem to correspond",
            total.parts,
            found=total.same + total.changed,
        )
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


def pointed(node: Node) -> str:
    """The provisions that a node's references name, as they are cited."""
    named = (address.cite(target.path) for ref in node.references for target in ref.targets)
    return ", ".join(dict.fromkeys(named)) or "–"


def cite(path: str) -> str:
    """How a provision is cited that no text here has."""
    return address.cite(path)


def names(editions: Iterable[Identity]) -> str:
    """The short names of editions."""
    return ", ".join(e.short for e in editions)


def alone(pair: Pair) -> str:
    """What is said of a provision that the base lacks: when the laws got it or dropped it, if they did."""
    if pair.of_a_print:
        return _("only in one of the two texts")
    return _("new") if pair.relation == "new" else _("later dropped")


def missing(carried: Carried, edition: Identity) -> str:
    """Why an edition has nothing for what an index of another one names."""
    if carried.pair:
        return absent(carried.pair, edition)
    if carried.term:
        return _("Not in this text: it has no such term.")
    if not carried.reviewed:
        return _("Nothing found (computed).")
    return _("Not in this text.")


def absent(pair: Pair, edition: Identity) -> str:
    """Why an edition has nothing beside a provision: dropped, not there yet, or missing in this text."""
    if pair.cause == "unknown":
        return _("Not in this text: whether the laws or only this print dropped it is not known.")
    if pair.cause == "translation":
        return _("Not in this text; the laws do not differ.")
    if edition.id == pair.newer:
        return _("Dropped: %(edition)s no longer has it.", edition=edition.short)
    return _("New: %(edition)s does not have it yet.", edition=edition.short)
