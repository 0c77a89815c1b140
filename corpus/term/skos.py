"""The terms as a SKOS concept scheme (W3C, 2009), as Turtle or JSON-LD, and back.

A concept is ``urn:lexbridge:term:<slug>``, a provision ``urn:lexbridge:node:<id>``. The preferred name is prefLabel, a
variant altLabel, what only a query understands hiddenLabel; wordings, the provisions and why an edition has none are
properties of our own. RDF keeps no order: what comes back has variants and provisions sorted.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal as Choice
from typing import cast

from rdflib import RDF, SKOS, Graph, Literal, Namespace, URIRef

from corpus.checked.prose import Prose
from corpus.model import NodeId
from corpus.term.model import Apart, Names, Paths, Reasons, Term, Terms

TERM, NODE, EDITION = "urn:lexbridge:term:", "urn:lexbridge:node:", "urn:lexbridge:edition:"
LB = Namespace("urn:lexbridge:ns:")
SCHEME = URIRef("urn:lexbridge:terms")
Format = Choice["turtle", "json-ld"]


def write(terms: Terms, form: Format) -> str:
    """The scheme as text, the same for the same terms."""
    graph = Graph()
    graph.bind("skos", SKOS)
    graph.bind("lb", LB)
    graph.add((SCHEME, RDF.type, SKOS.ConceptScheme))
    for term in terms.values():
        concept = URIRef(TERM + term.slug)
        for link, value in (*_labels(term), *_links(term)):
            graph.add((concept, link, value))
    text = graph.serialize(format=form)
    return (_sorted(text) if form == "json-ld" else text).strip() + "\n"


def _sorted(text: str) -> str:
    """JSON-LD with its objects and values in one order: rdflib writes them as its sets have them."""
    order = lambda value: json.dumps(value, ensure_ascii=False, sort_keys=True)
    things = [{k: sorted(v, key=order) if isinstance(v, list) else v for k, v in d.items()} for d in json.loads(text)]
    return json.dumps(sorted(things, key=lambda d: d["@id"]), ensure_ascii=False, indent=2, sort_keys=True)


def _labels(term: Term) -> Iterator[tuple[URIRef, Literal]]:
    """What a concept is called, and how it is told from others."""
    names = [(lang, n, name) for lang, its in term.names.items() for n, name in enumerate(its)]
    yield from ((SKOS.altLabel if n else SKOS.prefLabel, Literal(name, lang=lang)) for lang, n, name in names)
    for said, label in ((term.players, SKOS.hiddenLabel), (term.wordings, LB.wording), (term.unmarked, LB.unmarked)):
        yield from ((label, Literal(one, lang=lang)) for lang, words in said.items() for one in words)
    if term.common:
        yield LB.common, Literal(True)
    for apart in term.apart:
        yield from ((LB[f"apart-{apart.term}"], Literal(why, lang=lang)) for lang, why in apart.why.items())


def _links(term: Term) -> Iterator[tuple[URIRef, URIRef]]:
    """What it leads to."""
    yield from ((RDF.type, SKOS.Concept), (SKOS.inScheme, SCHEME))
    others = (
        *((SKOS.broader, slug) for slug in term.broader),
        *((SKOS.related, slug) for slug in term.related),
        *((LB.apart, apart.term) for apart in term.apart),
    )
    yield from ((relation, URIRef(TERM + slug)) for relation, slug in others)
    for paths, link in ((term.defined, LB.defined), (term.about, LB.about)):
        ids = (NodeId.of(edition, path) for edition, its in paths.items() for path in its)
        yield from ((link, URIRef(NODE + id_)) for id_ in ids)
    yield from ((LB[f"none-{reason}"], URIRef(EDITION + edition)) for edition, reason in term.none.items())


def read(text: str, form: Format) -> Terms:
    """The terms of a scheme; what a query is told of look-alikes, and remarks, is not in it."""
    graph = Graph().parse(data=text, format=form)
    slugs = sorted(str(c).removeprefix(TERM) for c in graph.subjects(RDF.type, SKOS.Concept))
    return {slug: _term(graph, slug) for slug in slugs}


def _term(graph: Graph, slug: str) -> Term:
    concept = URIRef(TERM + slug)
    first, others = _said(graph, concept, SKOS.prefLabel), _said(graph, concept, SKOS.altLabel)
    about = lambda link: _paths(graph, concept, link)
    return Term(
        slug=slug,
        names={lang: (*names, *others.get(lang, ())) for lang, names in first.items()},
        wordings=_said(graph, concept, LB.wording),
        players=_said(graph, concept, SKOS.hiddenLabel),
        unmarked=_said(graph, concept, LB.unmarked),
        defined=about(LB.defined),
        about=about(LB.about),
        none=_reasons(graph, concept),
        broader=_slugs(graph, concept, SKOS.broader),
        related=_slugs(graph, concept, SKOS.related),
        common=(concept, LB.common, None) in graph,
        apart=tuple(
            Apart(term=other, why=Prose(_why(graph, concept, other))) for other in _slugs(graph, concept, LB.apart)
        ),
    )


def _said(graph: Graph, concept: URIRef, label: URIRef) -> Names:
    out: dict[str, list[str]] = defaultdict(list)
    for value in cast(Iterable[Literal], graph.objects(concept, label)):
        out[value.language or ""].append(str(value))
    return {lang: tuple(sorted(words)) for lang, words in sorted(out.items())}


def _slugs(graph: Graph, concept: URIRef, relation: URIRef) -> tuple[str, ...]:
    return tuple(sorted(str(o).removeprefix(TERM) for o in graph.objects(concept, relation)))


def _paths(graph: Graph, concept: URIRef, link: URIRef) -> Paths:
    out: dict[str, list[str]] = defaultdict(list)
    for id_ in (NodeId(str(o).removeprefix(NODE)) for o in graph.objects(concept, link)):
        out[id_.edition].append(id_.path)
    return {edition: tuple(sorted(paths)) for edition, paths in sorted(out.items())}


def _reasons(graph: Graph, concept: URIRef) -> Reasons:
    stated: dict[str, str] = {}
    for link, edition in graph.predicate_objects(concept):
        reason = str(link).removeprefix(str(LB["none-"]))
        if reason != str(link):
            stated[str(edition).removeprefix(EDITION)] = reason
    return cast(Reasons, dict(sorted(stated.items())))


def _why(graph: Graph, concept: URIRef, other: str) -> Mapping[str, str]:
    said = cast(Iterable[Literal], graph.objects(concept, LB[f"apart-{other}"]))
    return {value.language or "": str(value) for value in sorted(said)}
