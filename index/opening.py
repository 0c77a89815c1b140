"""The index in memory: opened whole or not at all."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from corpus.files import MemoryPath, ReadablePath
from corpus.generation import CORPUS_REBUILD_MOVE
from corpus.letters import tokenize
from corpus.library import Library
from corpus.model import NodeId
from index import IndexMissing, lexicon
from index.classifier import ClassifierModel
from index.concept import Concepts, is_concept
from index.documents import Document, TokenizedText, read_documents, read_index_manifest
from index.lexicon import Lexicon


@dataclass(frozen=True)
class Index:
    """What was built, in memory. Immutable; shared between threads.

    ``folder``: the lists of words, as they were read, and the postings, which Whoosh reads · ``lesson``: what was
    learned of sentences ·
    ``printed``: language → the concepts that its texts name; ``topics``: language → lemma of an entry of a printed
    subject index → the provisions that it names; ``under``: what stands under a provision, labels with words, as far as
    it was asked for.
    """

    folder: MemoryPath
    library: Library
    documents: list[Document]
    by_id: Mapping[NodeId, Document]
    lexicons: Mapping[str, Lexicon]
    concepts: Concepts
    classifier_model: ClassifierModel
    printed: Mapping[str, frozenset[str]]
    topics: Mapping[str, Mapping[str, frozenset[NodeId]]]
    texts_below: dict[NodeId, tuple[tuple[str, TokenizedText], ...]] = field(default_factory=dict)


def open_index(build: ReadablePath, library: Library) -> Index:
    """The index of a folder with ``corpus/`` and ``search/``: a generation, or what was made last.

    Raises :class:`IndexMissing` with what to do when it is missing or damaged, or knows what the library has not.
    """
    whole = read_index_manifest(build)
    # What is parsed here is not kept a second time as it was read.
    folder = replace(whole, files={name: data for name, data in whole.files.items() if "/" in name})
    try:
        documents = read_documents(whole / "documents.jsonl", library)
        lesson = ClassifierModel.load(whole)
    except KeyError as error:
        raise IndexMissing(
            f"The search index in {whole} knows {error}, which the corpus has not. {CORPUS_REBUILD_MOVE}"
        ) from None
    except OSError as error:
        raise IndexMissing(f"The search index in {whole} is not whole: {error}. {CORPUS_REBUILD_MOVE}") from None
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    printed: dict[str, set[str]] = defaultdict(set)
    for doc in documents:
        for words in (doc.heading, doc.text):
            counts[doc.node.lang].update(words.forms)
            printed[doc.node.lang].update(filter(is_concept, words.places))
    lexicons = lexicon.read_lexicons(folder, counts)
    for one in lexicons.values():
        one.prepare()
    by_id = {d.node.id: d for d in documents}
    return Index(
        folder,
        library,
        documents,
        by_id,
        lexicons,
        Concepts.load(folder, lexicons, library.terms),
        lesson,
        {lang: frozenset(concepts) for lang, concepts in printed.items()},
        _topic_targets(library, lexicons),
    )


def _topic_targets(library: Library, lexicons: Mapping[str, Lexicon]) -> dict[str, dict[str, frozenset[NodeId]]]:
    """What the printed subject indexes name under each word."""
    out: dict[str, dict[str, frozenset[NodeId]]] = defaultdict(dict)
    for entry in library.index:
        lang = library.editions[entry.edition].lang
        named = frozenset(entry.targets)
        for token in tokenize(f"{entry.entry} {entry.subentry or ''}"):
            for lemma in () if token.form in lexicons[lang].stopwords else lexicons[lang].lemmas(token.form):
                out[lang][lemma] = out[lang].get(lemma, frozenset()) | named
    return out
