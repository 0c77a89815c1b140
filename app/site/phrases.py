"""Sentences of the site: where a reference leads, how two provisions correspond, why one of two texts has nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from flask_babel import ngettext
from markupsafe import Markup

from app.site import wording
from app.site.atlas import ResolvedTarget
from app.site.drawing import StrengthSign, misprint_note_dom, misprint_sign_dom
from app.site.wording import citation_of, in_reader_language, language_name, relation_meaning, relation_name
from corpus import address
from corpus.edition import Identity
from corpus.library import Library
from corpus.model import NUMBERED_KINDS, Correction, Misprint, Node, NodeId, Pair
from corpus.relation.changes import MappedTarget, Summary, summary
from corpus.relation.relations import Counterpart
from corpus.situation.model import Duty, DutyMisprint


@dataclass(frozen=True)
class CounterpartStatement:
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
class EditionCounterparts:
    """What an edition has for a provision; ``near``: it belongs to the nearest provision around it that has
    something.
    """

    edition: Identity
    twins: tuple[CounterpartStatement, ...]

    @property
    def is_near(self) -> bool:
        """Whether it is that of the nearest provision around."""
        return any(t.counterpart.how == "parent" for t in self.twins)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The provisions alone."""
        return tuple(t.node for t in self.twins)


def counterparts_by_edition(library: Library, node: Node) -> list[EditionCounterparts]:
    """For every other edition of the laws what corresponds to a node, oldest first; editions without any are left
    out.
    """
    return [_edition_counterparts(library, e, found) for e, found in library.relations.counterparts_of(node.id).items()]


def nearest_counterparts(library: Library, node: Node, edition: str) -> EditionCounterparts | None:
    """What corresponds in one edition to a node or to the nearest provision around it."""
    found = library.relations.nearest_counterparts(node.id, edition)
    return _edition_counterparts(library, edition, found) if found else None


def statement_of(library: Library, counterpart: Counterpart) -> CounterpartStatement:
    """A counterpart with what is said of it."""
    a, b = (library.nodes[id_] for id_ in (counterpart.pair.a, counterpart.pair.b) if id_)
    parted = bool(a.children or b.children)
    older, newer = library.editions[a.edition], library.editions[b.edition]
    one_code = library.relations.code_of(older.id) == library.relations.code_of(newer.id)
    return CounterpartStatement(
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


def statement_between(library: Library, one: NodeId, other: NodeId) -> CounterpartStatement | None:
    """What is said of two provisions, read from the first; None where no row joins them."""
    found = library.relations.counterparts_of(one).get(other.edition, ())
    return next((statement_of(library, c) for c in found if c.id == other), None)


def _edition_counterparts(library: Library, edition: str, found: tuple[Counterpart, ...]) -> EditionCounterparts:
    return EditionCounterparts(library.editions[edition], tuple(statement_of(library, c) for c in found))


@dataclass(frozen=True)
class MisprintEvidence:
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
    evidence: tuple[MisprintEvidence, ...]


def misprint_notes(library: Library, nodes: list[Node]) -> list[MisprintNote]:
    """The slips of some nodes, in their order, in the reader's language."""
    out = []
    for node in nodes:
        for slip in node.slips:
            evidence = tuple(
                MisprintEvidence(n := library.nodes[q.node], library.editions[n.edition], n.words_of_span(q))
                for q in slip.quotes
            )
            out.append(
                MisprintNote(
                    misprint_note_dom(node, slip),
                    misprint_sign_dom(node, slip),
                    node,
                    node.words_of_span(slip),
                    wording.misprint_remark(slip),
                    evidence,
                )
            )
    return out


def misprint_of_duty(library: Library, misprint: DutyMisprint) -> Misprint:
    """The slip of the print that a duty names."""
    _edition, _, id_ = misprint.slip.partition(":")
    return next(s for s in library.nodes[misprint.node].slips if s.id == id_)


def corrected_misprints(library: Library, duties: Iterable[Duty]) -> list[Misprint]:
    """The slips under duties that follow the law and not the print, each once."""
    found = (misprint_of_duty(library, m) for duty in duties for m in duty.misprints if m.state == "corrected")
    return list(dict.fromkeys(found))


def misprint_lines(library: Library, node: Node, lang: str) -> list[str]:
    """A line for each slip of a provision and what stands below it, for a quotation in plain text."""
    out = []
    for n in library.subtree_of(node, notes=False):
        for slip in n.slips:
            printed = n.words_of_span(slip)
            quoted = ": " + _("“%(text)s”", text=printed) if printed else ""
            out.append(f"[{wording.citation_of(n)}{quoted} – {wording.misprint_remark(slip, lang)}]")
    return out


# What scanning took from a letter: “stroke, ogonek lost”.
LETTER_SIGNS = {"ogonek": _l("ogonek"), "acute": _l("acute accent"), "dot": _l("dot"), "stroke": _l("stroke")}

DAMAGE_KINDS = {
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

CORRECTION_BASES = {
    "rule": _l("a rule"),
    "dictionary": _l("a dictionary"),
    "context": _l("the context"),
    "proofread": _l("a person who read it"),
}


def correction_basis(code: str) -> str:
    """What decided a correction, in the site's words."""
    return str(CORRECTION_BASES.get(code, code))


def correction_reason(correction: Correction) -> Markup:
    """The reason of a correction; what decided it, where it gives none."""
    said, semicolon, remark = correction.reason.partition("; ")
    kind, colon, letters = said.partition(": ")
    if not correction.reason:
        return Markup("%s %s") % (_("Decided by"), correction_basis(correction.basis))
    if (words := _describe_damage(kind)) is None:
        return Markup('<span lang="en">%s</span>') % correction.reason
    out = Markup("%s%s%s") % (words, colon, letters)
    return out + Markup('; <span lang="en">%s</span>') % remark if semicolon else out


def _describe_damage(kind: str) -> str | None:
    signs = kind.removesuffix(" lost").split(", ")
    if kind.endswith(" lost") and all(s in LETTER_SIGNS for s in signs):
        return _("%(signs)s lost", signs=", ".join(str(LETTER_SIGNS[s]) for s in signs))
    return str(DAMAGE_KINDS[kind]) if kind in DAMAGE_KINDS else None


def describe_rank(sign: StrengthSign) -> str:
    """How strong words are; of those that their text does not use as its introduction says, what that says and what
    ranked words the same provision has in other texts, each once.
    """
    name = in_reader_language(sign.step.name)
    if not sign.step.loose:
        return name
    own = _("no rank – in the introduction: %(strength)s, but this text does not keep to that", strength=name)
    beside = (
        _(
            "%(edition)s, %(provision)s: “%(words)s”, %(strength)s",
            edition=r.edition.short,
            provision=citation_of(r.node),
            words=r.words,
            strength=in_reader_language(r.step.name),
        )
        for r in sign.beside
    )
    return "; ".join(dict.fromkeys([own, *beside]))


def describe_target(way: ResolvedTarget) -> str:
    """What must be said of a reference that does not simply lead to what it names; nothing of one that does."""
    if way.found == "here":
        return ""
    if way.node is None:
        return _("this edition has no such provision") if way.named else _("this text is not in the collection")
    text = _(
        "%(language)s text of %(year)s", language=language_name(way.found_edition.lang), year=way.found_edition.year
    )
    if way.found == "text":
        return _("not in this edition; %(text)s", text=text) if way.named else text
    nearest = citation_of(way.node) if way.found_edition == way.named else f"{text}, {citation_of(way.node)}"
    if way.named and len(way.texts) == 1:
        return _(
            "this edition has no %(citation)s; the nearest is %(nearest)s",
            citation=address.cite(way.path),
            nearest=nearest,
        )
    return _(
        "no text here of the laws of %(year)s has %(citation)s; the nearest is %(nearest)s",
        year=way.found_edition.year,
        citation=address.cite(way.path),
        nearest=nearest,
    )


def describe_targets(ways: Iterable[ResolvedTarget]) -> str:
    """What must be said of where a label of a reference leads, each thing once."""
    return "; ".join(dict.fromkeys(filter(None, map(describe_target, ways))))


def describe_statement(twin: CounterpartStatement) -> str:
    """A statement that two provisions correspond, in words: the sum of the parts, or how these words relate."""
    return (
        describe_summary(twin, twin.summary)
        if twin.summary
        else describe_relation(twin.counterpart.pair, twin.node.kind)
    )


def legend_hint(twin: CounterpartStatement) -> str:
    """What the legend says of a statement, where its relation says all of it: the substance and the number."""
    pair = twin.counterpart.pair
    reviewed = pair.basis == "reviewed" and pair.cause in (None, "code")
    return relation_meaning(pair.relation) if reviewed and twin.node.kind in NUMBERED_KINDS else ""


def describe_relation(pair: Pair, kind: str) -> str:
    """The relation of two provisions' own words. What has no number of its own cannot move: only its substance
    counts. Of what nobody reviewed nothing is said but that it seems to correspond, and where it stands.
    """
    substance = _("seems to correspond") if pair.basis == "computed" else _describe_substance(pair)
    if pair.relation in ("same", "reworded") or (pair.relation == "moved" and kind not in NUMBERED_KINDS):
        return substance
    return f"{relation_name(pair.relation)}, {substance}"


def _describe_substance(pair: Pair) -> str:
    """What a reviewer says of the words of two provisions."""
    return (
        {
            None: _("changed in substance"),
            "code": _("changed in substance"),
            "translation": _("differs only in the translation"),
            "unknown": _("changed in substance; whether by the laws or by a translation is not known"),
        }[pair.cause]
        if pair.reworded
        else relation_name("same")
    )


def describe_summary(twin: CounterpartStatement, total: Summary) -> str:
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


def list_cited_targets(node: Node) -> str:
    """The provisions that a node's references name, as they are cited."""
    named = (address.cite(target.path) for ref in node.references for target in ref.targets)
    return ", ".join(dict.fromkeys(named)) or "–"


def cite_path(path: str) -> str:
    """How a provision is cited that no text here has."""
    return address.cite(path)


def edition_names(editions: Iterable[Identity]) -> str:
    """The short names of editions."""
    return ", ".join(e.short for e in editions)


def describe_extra_provision(pair: Pair) -> str:
    """What is said of a provision that the base lacks: when the laws got it or dropped it, if they did."""
    if pair.may_be_print_only:
        return _("only in one of the two texts")
    return _("new") if pair.relation == "new" else _("later dropped")


def describe_missing_target(carried: MappedTarget, edition: Identity) -> str:
    """Why an edition has nothing for what an index of another one names."""
    if carried.pair:
        return describe_absence(carried.pair, edition)
    if carried.term:
        return _("Not in this text: it has no such term.")
    if not carried.reviewed:
        return _("Nothing found (computed).")
    return _("Not in this text.")


def describe_absence(pair: Pair, edition: Identity) -> str:
    """Why an edition has nothing beside a provision: dropped, not there yet, or missing in this text."""
    if pair.cause == "unknown":
        return _("Not in this text: whether the laws or only this print dropped it is not known.")
    if pair.cause == "translation":
        return _("Not in this text; the laws do not differ.")
    if edition.id == pair.newer:
        return _("Dropped: %(edition)s no longer has it.", edition=edition.short)
    return _("New: %(edition)s does not have it yet.", edition=edition.short)
