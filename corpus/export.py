"""The export: the files of contract section 4 for other programs. :func:`write_export` writes all of them.

They are the nodes, the subject index, the corrections, the alignment of every two editions, and the terms as JSON,
SKOS and TBX. The alignment is composed from the alignment pairs of the build.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Literal as Choice
from typing import cast
from xml.etree import ElementTree as ET

from rdflib import RDF, SKOS, Graph, Literal, Namespace, URIRef

from corpus.files import LocalizedText
from corpus.generation import CORPUS_PART, Generation
from corpus.json_values import pair_to_json, to_json
from corpus.library import Library
from corpus.model import NodeId, Pair
from corpus.term.model import Names, Paths, Reasons, SimilarTerm, Term, Terms

TERM_URN, NODE_URN, EDITION_URN = "urn:lexbridge:term:", "urn:lexbridge:node:", "urn:lexbridge:edition:"
LEXBRIDGE_NAMESPACE = Namespace("urn:lexbridge:ns:")
SCHEME_URI = URIRef("urn:lexbridge:terms")
RdfFormat = Choice["turtle", "json-ld"]


# ── Terms as SKOS ───────────────────────────────────────────────────────────────────────────────


def skos_text(terms: Terms, form: RdfFormat) -> str:
    """The terms as a SKOS concept scheme. Equal terms give equal text."""
    graph = Graph()
    graph.bind("skos", SKOS)
    graph.bind("lb", LEXBRIDGE_NAMESPACE)
    graph.add((SCHEME_URI, RDF.type, SKOS.ConceptScheme))
    for term in terms.values():
        concept = URIRef(TERM_URN + term.slug)
        for link, value in (*_label_properties(term), *_link_properties(term)):
            graph.add((concept, link, value))
    text = graph.serialize(format=form)
    return (_sort_json_ld(text) if form == "json-ld" else text).strip() + "\n"


def _sort_json_ld(text: str) -> str:
    """JSON-LD with its objects and values sorted, because rdflib writes them in the order of its sets."""
    order = lambda value: json.dumps(value, ensure_ascii=False, sort_keys=True)
    things = [{k: sorted(v, key=order) if isinstance(v, list) else v for k, v in d.items()} for d in json.loads(text)]
    return json.dumps(sorted(things, key=lambda d: d["@id"]), ensure_ascii=False, indent=2, sort_keys=True)


def _label_properties(term: Term) -> Iterator[tuple[URIRef, Literal]]:
    """Yield (property, value) for the names and other words of a concept, and for how it differs from similar ones."""
    names = [(lang, n, name) for lang, own_names in term.names.items() for n, name in enumerate(own_names)]
    yield from ((SKOS.altLabel if n else SKOS.prefLabel, Literal(name, lang=lang)) for lang, n, name in names)
    for words_by_language, label in (
        (term.players, SKOS.hiddenLabel),
        (term.wordings, LEXBRIDGE_NAMESPACE.wording),
        (term.unmarked, LEXBRIDGE_NAMESPACE.unmarked),
    ):
        yield from ((label, Literal(word, lang=lang)) for lang, words in words_by_language.items() for word in words)
    if term.common:
        yield LEXBRIDGE_NAMESPACE.common, Literal(True)
    for apart in term.apart:
        yield from (
            (LEXBRIDGE_NAMESPACE[f"apart-{apart.term}"], Literal(why, lang=lang)) for lang, why in apart.why.items()
        )


def _link_properties(term: Term) -> Iterator[tuple[URIRef, URIRef]]:
    """Yield (property, target) for the relations of a concept to other concepts, provisions and editions."""
    yield from ((RDF.type, SKOS.Concept), (SKOS.inScheme, SCHEME_URI))
    others = (
        *((SKOS.broader, slug) for slug in term.broader),
        *((SKOS.related, slug) for slug in term.related),
        *((LEXBRIDGE_NAMESPACE.apart, apart.term) for apart in term.apart),
    )
    yield from ((relation, URIRef(TERM_URN + slug)) for relation, slug in others)
    for paths, link in ((term.defined, LEXBRIDGE_NAMESPACE.defined), (term.about, LEXBRIDGE_NAMESPACE.about)):
        ids = (NodeId.of(edition, path) for edition, own_paths in paths.items() for path in own_paths)
        yield from ((link, URIRef(NODE_URN + id_)) for id_ in ids)
    yield from (
        (LEXBRIDGE_NAMESPACE[f"none-{reason}"], URIRef(EDITION_URN + edition)) for edition, reason in term.none.items()
    )


def read_skos(text: str, form: RdfFormat) -> Terms:
    """Return the terms of a scheme: ``text`` in the format ``form``. Some fields, like ``remark``, stay empty."""
    graph = Graph().parse(data=text, format=form)
    slugs = sorted(str(c).removeprefix(TERM_URN) for c in graph.subjects(RDF.type, SKOS.Concept))
    return {slug: _read_skos_term(graph, slug) for slug in slugs}


def _read_skos_term(graph: Graph, slug: str) -> Term:
    """Return the term of a slug as the graph states it."""
    concept = URIRef(TERM_URN + slug)
    first, others = (_read_literals(graph, concept, SKOS.prefLabel), _read_literals(graph, concept, SKOS.altLabel))
    about = lambda link: _read_skos_paths(graph, concept, link)
    return Term(
        slug=slug,
        names={lang: (*names, *others.get(lang, ())) for lang, names in first.items()},
        wordings=_read_literals(graph, concept, LEXBRIDGE_NAMESPACE.wording),
        players=_read_literals(graph, concept, SKOS.hiddenLabel),
        unmarked=_read_literals(graph, concept, LEXBRIDGE_NAMESPACE.unmarked),
        defined=about(LEXBRIDGE_NAMESPACE.defined),
        about=about(LEXBRIDGE_NAMESPACE.about),
        none=_read_absence_reasons(graph, concept),
        broader=_read_skos_slugs(graph, concept, SKOS.broader),
        related=_read_skos_slugs(graph, concept, SKOS.related),
        common=(concept, LEXBRIDGE_NAMESPACE.common, None) in graph,
        apart=tuple(
            SimilarTerm(term=other, why=LocalizedText(_read_differences_from(graph, concept, other)))
            for other in _read_skos_slugs(graph, concept, LEXBRIDGE_NAMESPACE.apart)
        ),
    )


def _read_literals(graph: Graph, concept: URIRef, label: URIRef) -> Names:
    """Return language → the words that a concept has in the graph under the property ``label``, sorted."""
    out: dict[str, list[str]] = defaultdict(list)
    for value in cast(Iterable[Literal], graph.objects(concept, label)):
        out[value.language or ""].append(str(value))
    return {lang: tuple(sorted(words)) for lang, words in sorted(out.items())}


def _read_skos_slugs(graph: Graph, concept: URIRef, relation: URIRef) -> tuple[str, ...]:
    """Return the slugs of the concepts that a concept has in the graph under the property ``relation``, sorted."""
    return tuple(sorted(str(o).removeprefix(TERM_URN) for o in graph.objects(concept, relation)))


def _read_skos_paths(graph: Graph, concept: URIRef, link: URIRef) -> Paths:
    """Return edition → the paths that a concept has in the graph under the property ``link``, sorted."""
    out: dict[str, list[str]] = defaultdict(list)
    for id_ in (NodeId(str(o).removeprefix(NODE_URN)) for o in graph.objects(concept, link)):
        out[id_.edition].append(id_.path)
    return {edition: tuple(sorted(paths)) for edition, paths in sorted(out.items())}


def _read_absence_reasons(graph: Graph, concept: URIRef) -> Reasons:
    """Return edition → why it has no provision on a concept, as the graph states it."""
    stated: dict[str, str] = {}
    for link, edition in graph.predicate_objects(concept):
        reason = str(link).removeprefix(str(LEXBRIDGE_NAMESPACE["none-"]))
        if reason != str(link):
            stated[str(edition).removeprefix(EDITION_URN)] = reason
    return cast(Reasons, dict(sorted(stated.items())))


def _read_differences_from(graph: Graph, concept: URIRef, other: str) -> Mapping[str, str]:
    """Return language → how a concept differs from the concept with the slug ``other``, as the graph states it."""
    reasons = cast(Iterable[Literal], graph.objects(concept, LEXBRIDGE_NAMESPACE[f"apart-{other}"]))
    return {value.language or "": str(value) for value in sorted(reasons)}


# ── Terms as TBX ────────────────────────────────────────────────────────────────────────────────

TBX_NAMESPACE = "urn:iso:std:iso:30042:ed-2"
TBX_NODE_URN = "urn:lexbridge:node:"
PREFERRED_TERM, ADMITTED_TERM = "preferredTerm-admn-sts", "admittedTerm-admn-sts"
_LANGUAGE_ATTRIBUTE = "{http://www.w3.org/XML/1998/namespace}lang"
# The words of cross-references. TBX-Basic has one type of them, and one type of external ones.
BROADER_REFERENCE, RELATED_REFERENCE, DEFINED_REFERENCE, ABOUT_REFERENCE = "broader", "related", "defined", "about"


def tbx_text(terms: Terms) -> str:
    """The terms as a TBX-Basic document. Equal terms give equal text."""
    ET.register_namespace("", TBX_NAMESPACE)
    root = ET.Element(_qualified_tag("tbx"), {"style": "dca", "type": "TBX-Basic"})
    header = _add_child(root, "tbxHeader")
    file = _add_child(header, "fileDesc")
    _add_child(_add_child(file, "titleStmt"), "title", "Terms of the Laws of Duplicate Bridge")
    _add_child(
        _add_child(file, "sourceDesc"),
        "p",
        "Lexbridge: names as the editions print them, English as the laws are known",
    )
    body = _add_child(_add_child(root, "text"), "body")
    for term in terms.values():
        _add_concept_entry(body, term)
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_concept_entry(body: ET.Element, term: Term) -> None:
    """Add the entry of a term to the body of a TBX document."""
    entry = _add_child(body, "conceptEntry", id=term.slug)
    for kind, slugs in ((BROADER_REFERENCE, term.broader), (RELATED_REFERENCE, term.related)):
        for slug in slugs:
            _add_child(entry, "ref", kind, type="crossReference", target=slug)
    for kind, paths in ((DEFINED_REFERENCE, term.defined), (ABOUT_REFERENCE, term.about)):
        for edition, own_paths in paths.items():
            for path in own_paths:
                _add_child(
                    entry, "xref", kind, type="externalCrossReference", target=TBX_NODE_URN + NodeId.of(edition, path)
                )
    for lang, names in term.names.items():
        section = _add_child(entry, "langSec")
        section.set(_LANGUAGE_ATTRIBUTE, lang)
        for n, name in enumerate(names):
            term_section = _add_child(section, "termSec")
            _add_child(term_section, "term", name)
            _add_child(term_section, "termNote", ADMITTED_TERM if n else PREFERRED_TERM, type="administrativeStatus")


def read_tbx(text: str) -> Terms:
    """The terms of a document: their names, broader and related terms, and provisions."""
    entries = ET.fromstring(text).iter(_qualified_tag("conceptEntry"))  # noqa: S314 – our own document
    return {slug: _read_tbx_term(slug, entry) for entry in entries if (slug := entry.get("id"))}


def _read_tbx_term(slug: str, entry: ET.Element) -> Term:
    """Return the term of a TBX concept entry."""
    return Term(
        slug=slug,
        names=dict(_read_tbx_names(entry)),
        defined=_read_tbx_paths(entry, DEFINED_REFERENCE),
        about=_read_tbx_paths(entry, ABOUT_REFERENCE),
        broader=_read_tbx_slugs(entry, BROADER_REFERENCE),
        related=_read_tbx_slugs(entry, RELATED_REFERENCE),
    )


def _read_tbx_names(entry: ET.Element) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (language, names) of a TBX concept entry, the preferred name of each language first."""
    for section in entry.iter(_qualified_tag("langSec")):
        rows = [
            (s.findtext(_qualified_tag("termNote")), s.findtext(_qualified_tag("term")) or "")
            for s in section.iter(_qualified_tag("termSec"))
        ]
        yield (
            section.get(_LANGUAGE_ATTRIBUTE, ""),
            tuple(name for _, name in sorted(rows, key=lambda row: row[0] != PREFERRED_TERM)),
        )


def _read_tbx_slugs(entry: ET.Element, kind: str) -> tuple[str, ...]:
    """Return the slugs of the terms that a TBX concept entry refers to as ``kind``: broader or related."""
    return tuple(ref.get("target", "") for ref in entry.iter(_qualified_tag("ref")) if ref.text == kind)


def _read_tbx_paths(entry: ET.Element, kind: str) -> Paths:
    """Return edition → the paths that a TBX concept entry refers to as ``kind``: defined or about."""
    out: dict[str, list[str]] = defaultdict(list)
    for ref in entry.iter(_qualified_tag("xref")):
        if ref.text == kind:
            id_ = NodeId(ref.get("target", "").removeprefix(TBX_NODE_URN))
            out[id_.edition].append(id_.path)
    return {edition: tuple(paths) for edition, paths in out.items()}


def _add_child(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    child = ET.SubElement(parent, _qualified_tag(name), attributes)
    child.text = text or None
    return child


def _qualified_tag(name: str) -> str:
    return f"{{{TBX_NAMESPACE}}}{name}"


# ── All files ───────────────────────────────────────────────────────────────────────────────────

COPIED_FILES = ("nodes.jsonl", "index.jsonl", "corrections.jsonl")
ALIGNMENT_FILE = "alignment.jsonl"
# The terms: with every field as in the API, as SKOS, as TBX-Basic.
TERM_FILES = ("terms.json", "terms.ttl", "terms.jsonld", "terms.tbx")


def write_export(generation: Generation, target: Path) -> tuple[str, ...]:
    """Write all files of the export of a generation into a folder. Returns their names.

    No file is ever half written.

    Raises :class:`corpus.generation.StoreError` when the build is missing or damaged.
    """
    library = Library.open(generation)
    target.mkdir(parents=True, exist_ok=True)
    for name in COPIED_FILES:
        (target / f".{name}.new").write_bytes(generation.read_file(f"{CORPUS_PART}/{name}"))
    with (target / f".{ALIGNMENT_FILE}.new").open("w", encoding="utf-8") as file:
        for pair in exported_pairs(library):
            file.write(
                json.dumps(
                    {k: v for k, v in pair_to_json(pair).items() if k != "heading"},
                    ensure_ascii=False,
                    separators=(",", ":"),
                )
                + "\n"
            )
    for name, text in zip(TERM_FILES, _term_export_texts(library.terms), strict=True):
        (target / f".{name}.new").write_text(text, encoding="utf-8")
    names = (*COPIED_FILES, ALIGNMENT_FILE, *TERM_FILES)
    for name in names:
        (target / f".{name}.new").rename(target / name)
    return names


def _term_export_texts(terms: Terms) -> tuple[str, ...]:
    """Return the contents of :data:`TERM_FILES`, in their order."""
    rows = [to_json(term) for term in terms.values()]
    as_json = json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
    return as_json, skos_text(terms, "turtle"), skos_text(terms, "json-ld"), tbx_text(terms)


def exported_pairs(library: Library) -> Iterator[Pair]:
    """Yield the pairs of provisions of every two editions, in the order of time, as ``alignment.jsonl`` has them.

    Pairs of titles alone are left out.
    """
    for older, newer in combinations(library.relations.edition_ids, 2):
        yield from (p for p in library.relations.pairs(older, newer) if not p.heading)
