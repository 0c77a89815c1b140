"""A small invented library, and a search over it: two languages, editions of two years, provisions written on the
spot.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from little import identity, link, node

from corpus import generation, language
from corpus.edition import Identity
from corpus.files import LocalizedText
from corpus.generation import open_stage
from corpus.label import CitationWords
from corpus.library import Library
from corpus.model import IndexEntry, Node, NodeId, Piece
from corpus.remarks import Paraphrase
from corpus.situation.fact import FactPhrases
from corpus.situation.model import Situation, Situations
from corpus.term.model import Term
from index.build import build
from index.engine import ArrayEngine
from index.opening import open_index
from index.search import Searcher
from index.weights import WEIGHTS, RankingWeights

LANGUAGES = {
    "xa": """
name = "Xa"
[search]
law = ["law"]
point = ["point"]
cited_joiners = ["and"]
stopwords = ["the", "of", "what", "is"]
negations = ["not"]
aside = ["partner"]
define = ["what is"]
or = ["OR"]
and = ["AND"]
not = ["NOT"]
letters = "é"
""",
    "xb": 'name = "Xb"\n[search]\nstopwords = ["da", "kuj"]\nnegations = ["nej"]\n',
}
# (language, year, in force, complete)
EDITIONS = {
    "old": ("xa", 2000, False, True),
    "extract": ("xa", 2000, False, False),
    "new": ("xa", 2010, True, True),
    "other": ("xb", 2010, True, True),
}
KINDS = {"def": "definition", "fn": "footnote", "chapter": "chapter", "example": "example"}
# So many other provisions that the words of a case are rare.
FILLER = {
    f"{edition}/{n}": ("", f"{edition}filling{n} {edition}stuffing{n} padding packing")
    for edition in EDITIONS
    for n in range(70, 90)
}


def _edition(id_: str, stated: dict[str, Any]) -> Identity:
    lang, year, in_force, complete = EDITIONS[id_]
    superseded = None if in_force else 2010
    known = {"in_force": in_force, "complete": complete, "superseded_by": superseded}
    return identity(id_, lang, year, **(known | stated))


def _node(id_: NodeId, heading: str, text: str) -> Node:
    lang, year, *_ = EDITIONS[id_.edition]
    steps = id_.path.split("/")
    kind = KINDS.get(steps[0]) or ("law", "section", "subsection")[len(steps) - 1]
    parent = NodeId.of(id_.edition, "/".join(steps[:-1])) if steps[0].isdigit() and len(steps) > 1 else None
    return node(id_, lang, year, kind, heading or None, text, parent=parent)


def _situation(id_: str, told: str, ruling: str) -> Situation:
    name, provisions = LocalizedText({"xa": id_}), {"2010": tuple(ruling.split())}
    return Situation(id=id_, phase="play", name=name, said={"xa": (told, told)}, provisions=provisions)


TERMS = (
    Term(slug="trick", names={"xa": ("trick", "winning trick"), "xb": ("stih",)}),
    Term(slug="grand-gesture", names={"xa": ("grand gesture",), "xb": ("velik gest",)}),
)


class Invented:
    """Searches over libraries in a folder for the time of a test."""

    def __init__(self, folder: Path):
        self._folder = folder

    def search(
        self,
        provisions: Mapping[str, tuple[str, str]],
        links: Iterable[tuple[str, ...]] = (),
        topics: Mapping[str, str] = {},
        weights: RankingWeights = WEIGHTS,
        stated: Mapping[str, dict[str, Any]] = {},
        terms: Iterable[Term] = TERMS,
        tellings: Iterable[tuple[str, str]] = (),
        situations: Mapping[str, tuple[str, str]] = {},
        decided: Iterable[Situation] = (),
        fact_phrases: Iterable[FactPhrases] = (),
        keep: Path | None = None,
    ) -> Searcher:
        """``provisions``: id → (heading, text), in the order of their numbers; ``links``: pairs that are the same, or
        what their third value says; ``topics``: entry of the subject index → id; ``stated``: edition → what is stated
        of it instead; ``terms`` of the laws; ``tellings``: (id, words in “xa”); ``situations``: id → the words in
        “xa” that it is told by, and the paths of 2010 that rule it, with blanks between; ``decided``: more situations,
        with tables; ``fact_phrases``: the words that state facts; ``keep``: a new folder for a copy of what was built.
        """
        parents = {NodeId.of(id_.edition, id_.law): ("", "") for id_ in map(NodeId, provisions) if id_.law.isdigit()}
        said = {**provisions, **{id_: words for id_, words in parents.items() if id_ not in provisions}, **FILLER}
        every = [_node(NodeId(id_), *words) for id_, words in said.items()]
        inside = lambda node: tuple(Piece(child=n.id) for n in every if n.parent == node.id)
        nodes = [replace(n, content=(Piece(text=n.text), *inside(n))) for n in every]
        index = [IndexEntry(NodeId(id_).edition, entry, None, (NodeId(id_),)) for entry, id_ in topics.items()]
        pairs = [
            link(
                NodeId(a).path,
                NodeId(b).path,
                *relation,
                older=NodeId(a).edition,
                newer=NodeId(b).edition,
                reworded=relation == ["reworded"],
            )
            for a, b, *relation in links
        ]
        editions = [_edition(e, stated.get(e, {})) for e in EDITIONS]
        words = CitationWords.from_languages(
            language.load_language(generation.corpus_dir() / "languages", code) for code in LANGUAGES
        )
        told = [Paraphrase(NodeId(id_), {"xa": text}) for id_, text in tellings]
        layers = {
            "situations": Situations((*(_situation(id_, *said) for id_, said in situations.items()), *decided)),
            "fact_phrases": tuple(fact_phrases),
            "terms": {term.slug: term for term in terms},
            "paraphrases": tuple(told),
        }
        library = Library(nodes, editions, pairs, index, [], words, None, layers)
        with open_stage(self._folder) as stage:
            build(library, stage, weights)
            index = open_index(stage.read_parts(), library)
            if keep:
                shutil.copytree(stage.folder, keep)
        return Searcher(index, ArrayEngine.open(index.folder, len(index.documents)), weights)


@pytest.fixture(scope="session")
def lists(tmp_path_factory) -> Path:
    """A corpus folder with the lists of words of the invented languages."""
    folder = tmp_path_factory.mktemp("lists")
    (folder / "languages").mkdir()
    (folder / "words").mkdir()
    for code, text in LANGUAGES.items():
        (folder / "languages" / f"{code}.toml").write_text(text, encoding="utf-8")
    (folder / "words" / "synonyms-xa.toml").write_text('[synonyms]\n"trick" = ["pounce"]\n', encoding="utf-8")
    (folder / "words" / "lemmas-xa.tsv").write_text("trick\ttrick tricks\ntable\ttable tables\n", encoding="utf-8")
    return folder


@pytest.fixture
def invented(lists, tmp_path, monkeypatch) -> Invented:
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(lists))
    return Invented(tmp_path)


def found(searcher: Searcher, query: str, **filters) -> list[str]:
    """Ids of the hits."""
    return [hit.node.id for hit in searcher.search(query, **filters).hits]
