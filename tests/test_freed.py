"""What a server replaced dies at once, by its references alone: a server collects no circles."""

from __future__ import annotations

import gc
import weakref

from corpus.generation import Generation
from corpus.library import Library
from index.search import Searcher

ASKED = [
    "27b1",
    "renons",
    "zahrala mimo poradia",
    "what changed in 12C since 1997",
    "1NT over 2C",
    "„bez ohľadu“",
    "karat",
]


def test_a_library_and_its_search_are_freed_without_a_collection(build_dir):
    generation = Generation.open(build_dir)
    gc.collect()
    gc.disable()
    try:
        library = Library.open(generation)
        searcher = Searcher.open(generation, library)
        for q in ASKED:
            assert searcher.search(q, limit=5) and searcher.suggest(q) is not None
            searcher.situations(q, "sk")
            searcher.search(q, langs=("pl",), kinds=("clause",))
        ids = [node.id for node in library.nodes.values()][::50]
        assert [library.relations.nearest_counterparts(id_, edition) for id_ in ids for edition in library.editions]
        assert (
            library.members_by_parent
            and library.terms_by_definition is not None
            and library.nearest_existing_node("sk-2017", "12/Z")
        )
        index = searcher._index
        held = {
            name: weakref.ref(value)
            for name, value in {
                "library": library,
                "relations": library.relations,
                "node": next(iter(library.nodes.values())),
                "searcher": searcher,
                "index": index,
                "concepts": index.concepts,
                "lexicon": next(iter(index.lexicons.values())),
                "lesson": index.classifier_model,
                "generation": generation,
            }.items()
        }
        del library, searcher, index, generation
        assert [name for name, of in held.items() if of() is not None] == []
    finally:
        gc.enable()
