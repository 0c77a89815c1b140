"""Sentences of the site, in the reader's language. Words for single codes are in :mod:`app.site.wording`.

The subjects:

- :func:`statement_of`, :func:`describe_statement` …: how two provisions correspond, and in what words that is said.
- :func:`describe_absence`, :func:`describe_missing_target`: why an edition has nothing for a provision.
- :func:`misprint_notes` …: the remarks on misprints.
- :func:`correction_reason`: why characters of the source were corrected.
- :func:`describe_rank`: how strong words are that order or forbid.
- :func:`describe_target`: where a reference leads, when it is not simply to what it names.
"""

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
from corpus.changes import MappedTarget, Summary, summary
from corpus.edition import Identity, sort_key_for_reader
from corpus.library import Library
from corpus.model import NUMBERED_KINDS, Correction, Misprint, Node, NodeId, Pair
from corpus.relation.relations import Counterpart
from corpus.situation.model import Duty, DutyMisprint


@dataclass(frozen=True)
class CounterpartStatement:
    """A statement that two provisions correspond. ``node`` is the counterpart, with how it was found in
    ``counterpart``.

    - ``a``, ``b``: the ids of the two provisions, that of the older edition first; ``older``, ``newer``: their
      editions.
    - ``summary``: the counts over their parts, when one of the two has children. Then the page says these counts, and
      not how the provisions' own words relate.
    - ``of_one_code``: both are editions of the same laws, or one is an extract. Then what one of them lacks is neither
      new nor dropped.
    - ``reviewed``: a person has compared the two.
    - ``via``: the editions over which the statement was derived.
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
    """The counterparts of a provision in an ``edition``: for each of them a statement how the two correspond."""

    edition: Identity
    statements: tuple[CounterpartStatement, ...]

    @property
    def is_near(self) -> bool:
        """Whether these are counterparts of the nearest provision around, because the provision itself has none."""
        return any(t.counterpart.how == "parent" for t in self.statements)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the counterparts, without the statements."""
        return tuple(t.node for t in self.statements)


def counterparts_by_edition(library: Library, node: Node) -> list[EditionCounterparts]:
    """Return the counterparts of a node in every other edition of the laws, oldest first. Editions without any are left
    out.
    """
    return [_edition_counterparts(library, e, found) for e, found in library.relations.counterparts_of(node.id).items()]


def nearest_counterparts(library: Library, node: Node, edition: str) -> EditionCounterparts | None:
    """Return the counterparts of a node in one edition; if it has none there, those of the nearest provision around it
    that has some. None when there are none at all.
    """
    found = library.relations.nearest_counterparts(node.id, edition)
    return _edition_counterparts(library, edition, found) if found else None


def statement_of(library: Library, counterpart: Counterpart) -> CounterpartStatement:
    """Return the statement about a node and its counterpart."""
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
    """Return the statement about two provisions, read from the first. None when the alignment does not pair them."""
    found = library.relations.counterparts_of(one).get(other.edition, ())
    return next((statement_of(library, c) for c in found if c.id == other), None)


def same_in_language(library: Library, node: Node, lang: str, *, whole: bool = True) -> Node | None:
    """Return the provision in a language that says the same as one in another language; None where none does.

    It is in the first complete edition of that language that has a counterpart. A person has compared the two, they
    have the same substance, and neither has a misprint: with ``whole`` all of their parts, else their own words alone.
    None where the language is that of ``node``.
    """
    own = [e for e in library.law_editions if e.lang == lang and e.complete and e.lang != node.lang]
    for edition in sorted(own, key=sort_key_for_reader()):
        for found in library.relations.counterparts_of(node.id).get(edition.id, ()):
            return library.nodes[found.id] if _says_the_same(library, node, found, whole) else None
    return None


def _says_the_same(library: Library, node: Node, found: Counterpart, whole: bool) -> bool:
    """Whether a counterpart says the same as a node, as :func:`same_in_language` needs it."""
    pair, both = found.pair, (node, library.nodes[found.id])
    if found.relation not in ("same", "moved") or pair.basis != "reviewed" or pair.reworded:
        return False
    if not whole:
        return not any(n.misprints for n in both)
    parts = statement_of(library, found).summary
    misprinted = any(n.misprints for top in both for n in library.subtree_of(top))
    return not misprinted and (parts is None or (parts.same == parts.parts and not parts.dropped))


def _edition_counterparts(library: Library, edition: str, found: tuple[Counterpart, ...]) -> EditionCounterparts:
    return EditionCounterparts(library.editions[edition], tuple(statement_of(library, c) for c in found))


def describe_statement(statement: CounterpartStatement) -> str:
    """Return the words for a statement: the summary of the parts, or how the own words of the two provisions
    correspond.
    """
    return (
        describe_summary(statement, statement.summary)
        if statement.summary
        else describe_relation(statement.counterpart.pair, statement.node.kind)
    )


def legend_hint(statement: CounterpartStatement) -> str:
    """Return the explanation of a statement's relation that the legend of relations gives; else "".

    It is given for a reviewed pair of numbered provisions without a special cause: there the relation says everything.
    """
    pair = statement.counterpart.pair
    reviewed = pair.basis == "reviewed" and pair.cause in (None, "code")
    return relation_meaning(pair.relation) if reviewed and statement.node.kind in NUMBERED_KINDS else ""


def describe_relation(pair: Pair, kind: str) -> str:
    """Return the words for how two provisions' own words relate. ``kind``: the kind of the node.

    A provision without a number cannot move, so only its substance counts. When nobody has reviewed the pair, the
    sentence only says that it seems to correspond, and whether its place differs.
    """
    substance = _("seems to correspond") if pair.basis == "computed" else _describe_substance(pair)
    if pair.relation in ("same", "reworded") or (pair.relation == "moved" and kind not in NUMBERED_KINDS):
        return substance
    return f"{relation_name(pair.relation)}, {substance}"


def _describe_substance(pair: Pair) -> str:
    """Return the site's phrase for a pair: the same, changed in substance, or differing only in the translation."""
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


def describe_summary(statement: CounterpartStatement, total: Summary) -> str:
    """Return a summary (``total``) of the parts as one phrase: “4 of 13 parts changed, 2 new, 1 dropped”.

    A part is neither new nor dropped when two editions of one code differ in it, when an extract lacks it, or when it
    may be missing in a print only. Then the phrase names the edition that does not have it. For parts that are joined
    by a computed alignment, the phrase only says how many correspond.
    """
    if not statement.reviewed:
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
    added, missing = (total.new, total.dropped) if statement.of_one_code else (total.added, total.missing)
    if fresh := total.new - added:
        out.append(_("%(num)s new", num=fresh))
    if added:
        out.append(lacking(added, statement.older))
    if gone := total.dropped - missing:
        out.append(_("%(num)s dropped", num=gone))
    if missing:
        out.append(lacking(missing, statement.newer))
    if total.moved:
        out.append(_("%(num)s under another number", num=total.moved))
    return ", ".join(out)


# -- Why an edition has nothing for a provision ---


def describe_extra_provision(pair: Pair) -> str:
    """Return the remark on a provision that the base of a comparison lacks: new in the laws, later dropped, or only in
    one of the two editions.
    """
    if pair.may_differ_only_in_print:
        return _("only in one of the two texts")
    return _("new") if pair.relation == "new" else _("later dropped")


def describe_missing_target(carried: MappedTarget, edition: Identity) -> str:
    """Return why an edition has nothing for a target of another edition's index. ``carried``: that target, mapped to
    the edition.
    """
    if carried.pair:
        return describe_absence(carried.pair, edition)
    if carried.term:
        return _("Not in this text: it has no such term.")
    if not carried.reviewed:
        return _("Nothing found (computed).")
    return _("Not in this text.")


def describe_absence(pair: Pair, edition: Identity) -> str:
    """Return why an edition has no counterpart of a provision: dropped, not there yet, or missing in this
    edition only.
    """
    if pair.cause == "unknown":
        return _("Not in this text: whether the laws or only this print dropped it is not known.")
    if pair.cause == "translation":
        return _("Not in this text; the laws do not differ.")
    if edition.id == pair.newer:
        return _("Dropped: %(edition)s no longer has it.", edition=edition.short)
    return _("New: %(edition)s does not have it yet.", edition=edition.short)


# -- Remarks on misprints ---


@dataclass(frozen=True)
class MisprintEvidence:
    """Words of another provision that prove a misprint, sliced from its text or heading."""

    node: Node
    edition: Identity
    words: str


@dataclass(frozen=True)
class MisprintNote:
    """The remark on a misprint, as a list of remarks shows it: ``note`` is the remark itself.

    ``dom``: the id of the HTML element of the remark; ``sign``: that of the sign at the printed words. ``words``: the
    printed words, "" where something is missing.
    """

    dom: str
    sign: str
    node: Node
    words: str
    note: str
    evidence: tuple[MisprintEvidence, ...]


def misprint_notes(library: Library, nodes: list[Node]) -> list[MisprintNote]:
    """Return the remarks on the misprints of some nodes, in their order, in the reader's language."""
    out = []
    for node in nodes:
        for misprint in node.misprints:
            evidence = tuple(
                MisprintEvidence(n := library.nodes[q.node], library.editions[n.edition], n.words_of_span(q))
                for q in misprint.quotes
            )
            out.append(
                MisprintNote(
                    misprint_note_dom(node, misprint),
                    misprint_sign_dom(node, misprint),
                    node,
                    node.words_of_span(misprint),
                    wording.misprint_remark(misprint),
                    evidence,
                )
            )
    return out


def misprint_of_duty(library: Library, misprint: DutyMisprint) -> Misprint:
    """Return the misprint that a duty names."""
    _edition, _, id_ = misprint.slip.partition(":")
    return next(s for s in library.nodes[misprint.node].misprints if s.id == id_)


def corrected_misprints(library: Library, duties: Iterable[Duty]) -> list[Misprint]:
    """Return the misprints behind duties that follow the law and not the print, each once."""
    found = (misprint_of_duty(library, m) for duty in duties for m in duty.misprints if m.state == "corrected")
    return list(dict.fromkeys(found))


def misprint_lines(library: Library, node: Node, lang: str) -> list[str]:
    """Return a line of plain text for each misprint in a provision and below it, in a language, to stand under a
    quotation.
    """
    out = []
    for n in library.subtree_of(node, notes=False):
        for misprint in n.misprints:
            printed = n.words_of_span(misprint)
            quoted = ": " + _("“%(text)s”", text=printed) if printed else ""
            out.append(f"[{wording.citation_of(n)}{quoted} – {wording.misprint_remark(misprint, lang)}]")
    return out


# -- Reasons of corrections ---

# The signs of a letter that scanning can lose: “stroke, ogonek lost”.
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


def correction_basis(basis: str) -> str:
    """Return what decided a correction, in the site's words. ``basis``: the word for it in the file of corrections."""
    return str(CORRECTION_BASES.get(basis, basis))


def correction_reason(correction: Correction) -> Markup:
    """Return the reason of a correction as HTML. When it has no reason: what decided it.

    What the site has no words for is printed as it is written, in English.
    """
    damage, semicolon, remark = correction.reason.partition("; ")
    kind, colon, letters = damage.partition(": ")
    if not correction.reason:
        return Markup("%s %s") % (_("Decided by"), correction_basis(correction.basis))
    if (words := _describe_damage(kind)) is None:
        return Markup('<span lang="en">%s</span>') % correction.reason
    out = Markup("%s%s%s") % (words, colon, letters)
    return out + Markup('; <span lang="en">%s</span>') % remark if semicolon else out


def _describe_damage(kind: str) -> str | None:
    """Return the site's words for a kind of damage to a letter; None for an unknown kind."""
    signs = kind.removesuffix(" lost").split(", ")
    if kind.endswith(" lost") and all(s in LETTER_SIGNS for s in signs):
        return _("%(signs)s lost", signs=", ".join(str(LETTER_SIGNS[s]) for s in signs))
    return str(DAMAGE_KINDS[kind]) if kind in DAMAGE_KINDS else None


# -- Strengths and references ---


def describe_rank(sign: StrengthSign) -> str:
    """Return how strong words are that order or forbid.

    When the text does not keep to the introduction of its edition: what the introduction says, and what ranked words
    the same provision has in other editions, each once.
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
    """Return the remark on where a target of a reference leads; "" for one that leads just to what it names."""
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
    """Return the remarks on where a label of a reference leads, each once."""
    return "; ".join(dict.fromkeys(filter(None, map(describe_target, ways))))


def list_cited_targets(node: Node) -> str:
    """Return the citations of the provisions that a node's references name, each once; “–” for none."""
    named = (address.cite(target.path) for ref in node.references for target in ref.targets)
    return ", ".join(dict.fromkeys(named)) or "–"


def cite_path(path: str) -> str:
    """Return the citation of a path, for a provision that no edition here has."""
    return address.cite(path)


def edition_names(editions: Iterable[Identity]) -> str:
    """Return the short names of editions, joined by commas."""
    return ", ".join(e.short for e in editions)
