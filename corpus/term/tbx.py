"""The terms as TBX-Basic (ISO 30042:2019, in the style “dca”), and back: names by language, and what they are about.

TBX-Basic knows preferred and admitted names, cross-references and sources; it has no place for what players say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from corpus.model import NodeId
from corpus.term.model import Paths, Term, Terms

NAMESPACE = "urn:iso:std:iso:30042:ed-2"
TBX_NODE = "urn:lexbridge:node:"
PREFERRED, ADMITTED = "preferredTerm-admn-sts", "admittedTerm-admn-sts"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
# What a cross-reference is called in its words: TBX-Basic has one kind of it, and one of an external one.
BROADER, RELATED, DEFINED, ABOUT = "broader", "related", "defined", "about"


def write_tbx(terms: Terms) -> str:
    """The terms as an XML document, the same for the same terms."""
    ET.register_namespace("", NAMESPACE)
    root = ET.Element(_tag("tbx"), {"style": "dca", "type": "TBX-Basic"})
    header = _child(root, "tbxHeader")
    file = _child(header, "fileDesc")
    _child(_child(file, "titleStmt"), "title", "Terms of the Laws of Duplicate Bridge")
    _child(
        _child(file, "sourceDesc"), "p", "Lexbridge: names as the editions print them, English as the laws are known"
    )
    body = _child(_child(root, "text"), "body")
    for term in terms.values():
        _add(body, term)
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add(body: ET.Element, term: Term) -> None:
    entry = _child(body, "conceptEntry", id=term.slug)
    for kind, slugs in ((BROADER, term.broader), (RELATED, term.related)):
        for slug in slugs:
            _child(entry, "ref", kind, type="crossReference", target=slug)
    for kind, paths in ((DEFINED, term.defined), (ABOUT, term.about)):
        for edition, its in paths.items():
            for path in its:
                _child(entry, "xref", kind, type="externalCrossReference", target=TBX_NODE + NodeId.of(edition, path))
    for lang, names in term.names.items():
        section = _child(entry, "langSec")
        section.set(_LANG, lang)
        for n, name in enumerate(names):
            said = _child(section, "termSec")
            _child(said, "term", name)
            _child(said, "termNote", ADMITTED if n else PREFERRED, type="administrativeStatus")


def read_tbx(text: str) -> Terms:
    """The terms of a document: names, broader and related terms, provisions."""
    entries = ET.fromstring(text).iter(_tag("conceptEntry"))  # noqa: S314 – our own document
    return {slug: _tbx_term(slug, entry) for entry in entries if (slug := entry.get("id"))}


def _tbx_term(slug: str, entry: ET.Element) -> Term:
    return Term(
        slug=slug,
        names=dict(_names(entry)),
        defined=_tbx_paths(entry, DEFINED),
        about=_tbx_paths(entry, ABOUT),
        broader=_tbx_slugs(entry, BROADER),
        related=_tbx_slugs(entry, RELATED),
    )


def _names(entry: ET.Element) -> Iterator[tuple[str, tuple[str, ...]]]:
    for section in entry.iter(_tag("langSec")):
        said = [(s.findtext(_tag("termNote")), s.findtext(_tag("term")) or "") for s in section.iter(_tag("termSec"))]
        yield section.get(_LANG, ""), tuple(name for _, name in sorted(said, key=lambda row: row[0] != PREFERRED))


def _tbx_slugs(entry: ET.Element, kind: str) -> tuple[str, ...]:
    return tuple(ref.get("target", "") for ref in entry.iter(_tag("ref")) if ref.text == kind)


def _tbx_paths(entry: ET.Element, kind: str) -> Paths:
    out: dict[str, list[str]] = defaultdict(list)
    for ref in entry.iter(_tag("xref")):
        if ref.text == kind:
            id_ = NodeId(ref.get("target", "").removeprefix(TBX_NODE))
            out[id_.edition].append(id_.path)
    return {edition: tuple(paths) for edition, paths in out.items()}


def _child(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, _tag(name), attributes)
    child.text = text or None
    return child


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"
