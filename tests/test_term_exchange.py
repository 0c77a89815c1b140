"""Terms leave the house as SKOS and TBX-Basic, and come back as they were."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rdflib import RDF, SKOS, Graph

from corpus import export
from corpus.files import LocalizedText
from corpus.term.model import SimilarTerm, Term

ROOT = Path(__file__).parent.parent

ODD = Term(
    slug="odd",
    names={"sk": ("“hra” & <pád>", "ďalší", "a"), "en": ("odd",)},
    wordings={"pl": ("nie dodać",)},
    players={"hr": ("klejm",), "en": ("claim",)},
    defined={"aa-2017": ("def/odd", "12/C/1")},
    about={"aa-1997": ("3",)},
    none={"aa-2007": "later"},
    unmarked={"sk": ("a",)},
    broader=("even",),
    related=("even",),
    apart=(SimilarTerm(term="even", why=LocalizedText({"en": "not this", "pl": "nie to"})),),
)
EVEN = Term(slug="even", names={"en": ("even",)})


def unordered(words: Mapping[str, tuple[str, ...]], first: int) -> dict[str, tuple[str, ...]]:
    """As RDF keeps it: the first ones, then the others sorted; nothing of an empty list."""
    return {k: (*v[:first], *sorted(v[first:])) for k, v in sorted(words.items()) if v}


def as_kept(term: Term) -> Term:
    """What a concept scheme has of a term."""
    return replace(
        term,
        names=unordered(term.names, 1),
        wordings=unordered(term.wordings, 0),
        players=unordered(term.players, 0),
        unmarked=unordered(term.unmarked, 0),
        defined=unordered(term.defined, 0),
        about=unordered(term.about, 0),
        broader=tuple(sorted(term.broader)),
        related=tuple(sorted(term.related)),
        apart=tuple(sorted(term.apart, key=lambda a: a.term)),
        split=(),
        unlike=(),
        everyday=(),
        remark="",
    )


@pytest.fixture(params=["ours", "odd"])
def terms(request, library):
    return library.terms if request.param == "ours" else {"even": EVEN, "odd": ODD}


@pytest.mark.parametrize("form", ["turtle", "json-ld"])
def test_skos_comes_back(terms, form):
    text = export.skos_text(terms, form)
    assert export.read_skos(text, form) == {slug: as_kept(term) for slug, term in terms.items()}
    assert export.skos_text(terms, form) == text


def test_skos_is_what_other_programs_expect(library):
    graph = Graph().parse(data=export.skos_text(library.terms, "turtle"), format="turtle")
    concepts = set(graph.subjects(RDF.type, SKOS.Concept))
    assert len(concepts) == len(library.terms) > 170
    for concept in concepts:
        labels = [label.language for label in graph.objects(concept, SKOS.prefLabel)]
        assert labels and len(labels) == len(set(labels)), concept
        assert set(graph.objects(concept, SKOS.broader)) | set(graph.objects(concept, SKOS.related)) <= concepts


def test_tbx_comes_back(terms):
    text = export.tbx_text(terms)
    kept = {
        slug: replace(
            term,
            common=False,
            unmarked={},
            wordings={},
            players={},
            none={},
            apart=(),
            split=(),
            unlike=(),
            everyday=(),
            remark="",
        )
        for slug, term in terms.items()
    }
    assert {slug: as_kept(t) for slug, t in export.read_tbx(text).items()} == {
        slug: as_kept(t) for slug, t in kept.items()
    }


def test_tbx_is_basic(library):
    """Only data categories that TBX-Basic has, each name with its status, one preferred one a language."""
    root = ET.fromstring(export.tbx_text(library.terms))
    assert root.get("type") == "TBX-Basic" and root.get("style") == "dca"
    assert {e.get("type") for e in root.iter() if e.get("type")} <= {
        "TBX-Basic",
        "administrativeStatus",
        "crossReference",
        "externalCrossReference",
    }
    for section in root.iter(f"{{{export.TBX_NAMESPACE}}}langSec"):
        status = [note.text for note in section.iter(f"{{{export.TBX_NAMESPACE}}}termNote")]
        assert status.count(export.PREFERRED_TERM) == 1 and set(status) <= {export.PREFERRED_TERM, export.ADMITTED_TERM}


@pytest.mark.parametrize("form", ["turtle", "json-ld"])
def test_skos_is_the_same_text_in_every_process(form):
    """Sets of words have another order in each process; the text has one."""
    write = (
        "from corpus import export; from corpus.term.model import Term; "
        "terms = {s: Term(slug=s, names={'en': (s, s + ' again'), 'pl': (s,)}) for s in ('pass', 'call', 'bid')}; "
        f"print(export.skos_text(terms, '{form}'))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", write],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1 and b"again" in said.pop()
