"""Sentences of the site: where a reference leads, how two provisions correspond, why one of two texts has nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from flask_babel import ngettext
from markupsafe import Markup

from app.site import wording
from app.site.atlas import Way
from app.site.drawing import StrengthSign, sign_dom, slip_dom
from app.site.wording import cited, language, meaning, named, relation
from corpus import address
from corpus.edition import Identity
from corpus.library import Library
from corpus.model import NUMBERED, Correction, Node, NodeId, Pair, Slip
from corpus.relation.changes import Carried, Summary, summary
from corpus.relation.relations import Counterpart
from corpus.situation.model import Duty, Misprint


@dataclass(frozen=True)
class Twin:
    """One statement that two provisions correspond. ``a`` and ``b`` are their ids, the older edition's first.

    ``summary`` is there when one of the two has children: then its sum is what is said, and not the row of its own
    words. ``of_one_code``: both are texts of the same laws, or one is an extract; then what one lacks is not new or
    dropped. ``reviewed``: a person has compared what is said to correspond. ``older`` and ``newer`` are their editions,
    ``via`` those that the statement was read over.
    """

    node: Node
    counterpart: Counterpart
    a: NodeId
    b: NodeId
    summary: Summary | None
    older: Identity
    newer: Identity
    of_one_code: bool
    reviewed: bool
    via: tuple[Identity, ...]


@dataclass(frozen=True)
class Twins:
    """What an edition has for a provision; ``near``: it belongs to the nearest provision around it that has
    something.
    """

    edition: Identity
    twins: tuple[Twin, ...]

    @property
    def near(self) -> bool:
        """Whether it is that of the nearest provision around."""
        return any(t.counterpart.how == "parent" for t in self.twins)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The provisions alone."""
        return tuple(t.node for t in self.twins)


def twins(library: Library, node: Node) -> list[Twins]:
    """For every other edition of the laws what corresponds to a node, oldest first; editions without any are left
    out.
    """
    return [_made(library, e, found) for e, found in library.relations.counterparts(node.id).items()]


def nearest(library: Library, node: Node, edition: str) -> Twins | None:
    """What corresponds in one edition to a node or to the nearest provision around it."""
    found = library.relations.nearest(node.id, edition)
    return _made(library, edition, found) if found else None


def sayings_of(library: Library, counterpart: Counterpart) -> Twin:
    """A counterpart with what is said of it."""
    a, b = (library.nodes[id_] for id_ in (counterpart.pair.a, counterpart.pair.b) if id_)
    parted = bool(a.children or b.children)
    older, newer = library.editions[a.edition], library.editions[b.edition]
    one_code = library.relations.code_of(older.id) == library.relations.code_of(newer.id)
    return Twin(
        node=library.nodes[counterpart.id],
        counterpart=counterpart,
        a=a.id,
        b=b.id,
        summary=summary(library, a, b) if parted else None,
        older=older,
        newer=newer,
        of_one_code=one_code or not (older.complete and newer.complete),
        reviewed=library.relations.is_reviewed(older.id, newer.id) if parted else counterpart.pair.basis == "reviewed",
        via=tuple(library.editions[e] for e in counterpart.via) if counterpart.how == "third" else (),
    )


def between(library: Library, one: NodeId, other: NodeId) -> Twin | None:
    """What is said of two provisions, read from the first; None where no row joins them."""
    found = library.relations.counterparts(one).get(other.edition, ())
    return next((sayings_of(library, c) for c in found if c.id == other), None)


def _made(library: Library, edition: str, found: tuple[Counterpart, ...]) -> Twins:
    return Twins(library.editions[edition], tuple(sayings_of(library, c) for c in found))


@dataclass(frozen=True)
class Evidence:
    """Words of another provision, sliced from its text or heading."""

    node: Node
    edition: Identity
    words: str


@dataclass(frozen=True)
class MisprintNote:
    """A slip as a list of notes tells it. ``dom`` is its element; ``words`` are the printed ones, empty where something
    is missing.
    """

    dom: str
    sign: str
    node: Node
    words: str
    note: str
    evidence: tuple[Evidence, ...]


def misprint_notes(library: Library, nodes: list[Node]) -> list[MisprintNote]:
    """The slips of some nodes, in their order, in the reader's language."""
    out = []
    for node in nodes:
        for slip in node.slips:
            evidence = tuple(
                Evidence(n := library.nodes[q.node], library.editions[n.edition], n.words_of(q)) for q in slip.quotes
            )
            out.append(
                MisprintNote(
                    slip_dom(node, slip),
                    sign_dom(node, slip),
                    node,
                    node.words_of(slip),
                    wording.of_slip(slip),
                    evidence,
                )
            )
    return out


def misprint_of_duty(library: Library, misprint: Misprint) -> Slip:
    """The slip of the print that a duty names."""
    _edition, _, id_ = misprint.slip.partition(":")
    return next(s for s in library.nodes[misprint.node].slips if s.id == id_)


def corrected(library: Library, duties: Iterable[Duty]) -> list[Slip]:
    """The slips under duties that follow the law and not the print, each once."""
    found = (misprint_of_duty(library, m) for duty in duties for m in duty.misprints if m.state == "corrected")
    return list(dict.fromkeys(found))


def misprint_lines(library: Library, node: Node, lang: str) -> list[str]:
    """A line for each slip of a provision and what stands below it, for a quotation in plain text."""
    out = []
    for n in library.subtree(node, notes=False):
        for slip in n.slips:
            printed = n.words_of(slip)
            quoted = ": " + _("“%(text)s”", text=printed) if printed else ""
            out.append(f"[{wording.cited(n)}{quoted} – {wording.of_slip(slip, lang)}]")
    return out


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
