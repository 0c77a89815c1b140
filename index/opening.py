"""The index in memory: :func:`open_index` reads the search of a generation completely, or raises and opens nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from corpus.files import MemoryPath
from corpus.generation import LEARNED_PART, REBUILD_MOVE, SEARCH_PART, Generation, StoreError
from corpus.letters import tokenize
from corpus.library import Library
from corpus.model import NodeId
from index import lexicon
from index.classifier import ClassifierModel
from index.concept import Concepts
from index.documents import Document, TokenizedText, read_documents
from index.lexicon import Lexicon
from index.sections import SectionModel
from index.talk_model import TalkModel


@dataclass(frozen=True)
class Index:
    """A built index in memory. Immutable; shared between threads.

    ``folder`` holds the word lists and the postings, as read. ``classifier_model`` is the trained classifier, and
    ``section_model`` what was trained of the provisions of each law, ``talk_model`` what talk sounds like; all are None
    in a generation without ``learned/``.
    ``topics`` maps language → lemma of an entry in a printed subject index → the provisions that the entry names.
    ``texts_below`` caches the texts under a provision, with their labels, once a snippet has needed them.
    """

    folder: MemoryPath
    library: Library
    documents: list[Document]
    by_id: Mapping[NodeId, Document]
    lexicons: Mapping[str, Lexicon]
    concepts: Concepts
    classifier_model: ClassifierModel | None
    section_model: SectionModel | None
    talk_model: TalkModel | None
    topics: Mapping[str, Mapping[str, frozenset[NodeId]]]
    texts_below: dict[NodeId, tuple[tuple[str, TokenizedText], ...]] = field(default_factory=dict)


def open_index(generation: Generation, library: Library) -> Index:
    """Return the index of a generation.

    Raises :class:`corpus.generation.StoreError` if the generation has no index, or the index has a node that the
    library does not have. Its message says what to do.
    """
    whole = generation.part(SEARCH_PART)
    # The files that are parsed here are not kept as bytes as well.
    folder = replace(whole, files={name: data for name, data in whole.files.items() if "/" in name})
    try:
        documents = read_documents(whole / "documents.jsonl", library)
        learned = generation.part(LEARNED_PART) if generation.has_part(LEARNED_PART) else None
        classifier_model = ClassifierModel.load(learned) if learned else None
        section_model = SectionModel.load(learned) if learned else None
        talk_model = TalkModel.load(learned) if learned else None
    except KeyError as error:
        raise StoreError(
            f"The search index in {whole} knows {error}, which the corpus has not. {REBUILD_MOVE}"
        ) from None
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for doc in documents:
        for words in (doc.heading, doc.text):
            counts[doc.node.lang].update(words.forms)
    lexicons = lexicon.read_lexicons(folder, counts)
    for language_lexicon in lexicons.values():
        language_lexicon.build_lookup_tables()
    by_id = {d.node.id: d for d in documents}
    return Index(
        folder,
        library,
        documents,
        by_id,
        lexicons,
        Concepts.load(folder, lexicons, library.terms),
        classifier_model,
        section_model,
        talk_model,
        _topic_targets(library, lexicons),
    )


def _topic_targets(library: Library, lexicons: Mapping[str, Lexicon]) -> dict[str, dict[str, frozenset[NodeId]]]:
    """Return, by language and lemma, the provisions that the printed subject indexes list under a word."""
    out: dict[str, dict[str, frozenset[NodeId]]] = defaultdict(dict)
    for entry in library.index:
        lang = library.editions[entry.edition].lang
        named = frozenset(entry.targets)
        for token in tokenize(f"{entry.entry} {entry.subentry or ''}"):
            for lemma in () if token.form in lexicons[lang].stopwords else lexicons[lang].lemmas(token.form):
                out[lang][lemma] = out[lang].get(lemma, frozenset()) | named
    return out
