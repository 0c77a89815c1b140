"""Build the index of a parsed corpus.

:func:`build` is the entry point. It writes two parts of a generation:

- ``search/`` (:func:`build_words`) holds the postings (:mod:`index.engine`), ``documents.jsonl`` (the words of each
  document with their offsets), and a copy of the language files and word lists.
- ``learned/`` (:func:`build_learned`) holds what is trained from sentences (:mod:`index.classifier`,
  :mod:`index.sections`, :mod:`index.talk_model`). It takes much longer.

:func:`word_list_problems` checks the word lists without building.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corpus.files import InvalidFile, ReadablePath
from corpus.generation import LEARNED_PART, SEARCH_PART, BuildStage, corpus_dir
from corpus.letters import WORDS_FOLDER, Token, tokenize
from corpus.library import Library
from corpus.model import CONTAINER_KINDS, FRAME_KINDS, Node, NodeId, Problem, Where
from corpus.term.model import EverydayPlaces, Terms
from index import documents, train
from index.concept import ConceptMatch, Concepts, concept_of, slug_of
from index.engine import POSTINGS_FOLDER, write_postings
from index.lexicon import Lexicon, read_lexicons
from index.query.stated import FactReader
from index.talk_model import read_talk, train_talk
from index.weights import WEIGHTS, RankingWeights

TokensById = Mapping[NodeId, tuple[list[Token], list[Token]]]  # tokens of the heading and of the text
WeightedTerms = list[tuple[str, float]]  # terms, and the weight of each where it stands


class AnalysedText(NamedTuple):
    """A heading or a text: its tokens, the concepts that they name, and the terms by which it is found."""

    tokens: list[Token]
    found: list[ConceptMatch]
    terms: list[str]


def build(library: Library, stage: BuildStage, weights: RankingWeights = WEIGHTS) -> int:
    """Write the index of a library and what is learned from it as parts of a stage. Returns the number of documents.

    Raises :class:`corpus.files.InvalidFile` with what is wrong in the word lists.
    """
    count = build_words(library, stage, weights)
    build_learned(library, stage)
    return count


def build_words(library: Library, stage: BuildStage, weights: RankingWeights = WEIGHTS) -> int:
    """Write the index of a library, by which words are found, as a part of a stage. Returns and raises as
    :func:`build`.
    """
    nodes = _documents_of(library)
    with stage.make_part(SEARCH_PART) as folder:
        copy_word_lists(corpus_dir(), folder)
        lexicons, concepts, tokens = _load_words(nodes, folder, library.terms)
        analysed = _analyse_nodes(nodes, lexicons, concepts, tokens, library.terms)
        _write_postings_and_words(nodes, library, folder, _add_defined_terms(analysed, library.terms), weights)
    return len(nodes)


def build_learned(library: Library, stage: BuildStage) -> int:
    """Train the classifier of a library, and write it as a part of a stage, which has the index already.

    Returns the number of sentences that it learned from.
    """
    words = stage.folder / SEARCH_PART
    sentences = [*train.training_sentences(library), *train.unanswered_sentences(words)]
    lexicons, concepts, _ = _load_words(_documents_of(library), words, library.terms)
    with stage.make_part(LEARNED_PART) as folder:
        train.train(sentences, lexicons, concepts).save(folder)
        train.train_sections(sentences, lexicons, concepts, FactReader(library.fact_phrases)).save(folder)
        told = ((sentence.lang, sentence.text) for sentence in sentences)
        train_talk(read_talk(words), told).save(folder)
    return len(sentences)


def word_list_problems(corpus: ReadablePath, terms: Terms) -> list[Problem]:
    """Return what is wrong in the word lists of a corpus, without building. :func:`build` would refuse it for these
    problems.
    """
    try:
        Concepts.load(corpus, read_lexicons(corpus, {}), terms)
    except InvalidFile as refused:
        return refused.problems
    return []


def copy_word_lists(corpus: Path, folder: Path) -> None:
    """Copy the language files and word lists into the index. Queries must be parsed with the same lists as the
    documents.
    """
    for name, pattern in (("languages", "*.toml"), (WORDS_FOLDER, "*")):
        (folder / name).mkdir()
        for path in sorted((corpus / name).glob(pattern)):
            if path.is_file():
                shutil.copyfile(path, folder / name / path.name)


def is_document(node: Node) -> bool:
    """Whether a node becomes a document: a provision, definition or footnote with words of its own.

    An entry of a printed subject index does not.
    """
    return node.kind != "index" and bool(node.heading or node.text.strip())


def _documents_of(library: Library) -> list[Node]:
    """Return the nodes of a library that become documents, in their order."""
    return [n for n in library.nodes.values() if is_document(n)]


def _write_postings_and_words(
    nodes: list[Node],
    library: Library,
    folder: Path,
    analysed: Mapping[NodeId, tuple[AnalysedText, AnalysedText]],
    weights: RankingWeights,
) -> None:
    """Write the postings, and ``documents.jsonl``: the words of every document with their offsets."""
    annotated = {mark.target: node for node in library.nodes.values() for mark in node.marks}
    with (folder / "documents.jsonl").open("w", encoding="utf-8") as file:
        for node in nodes:
            row = _document_row(node.id, *analysed[node.id])
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")

    def terms_by_field(node: Node) -> dict[str, WeightedTerms]:
        heading, text = analysed[node.id]
        return {
            documents.own_field(node.lang): _own_terms(node, heading, text, weights),
            documents.context_field(node.lang): _context_terms(library, node, analysed, annotated, weights),
            documents.forms_field(node.lang): [(t.form, 1.0) for t in (*heading.tokens, *text.tokens)],
        }

    names = documents.field_names(sorted({n.lang for n in nodes}))
    write_postings(folder / POSTINGS_FOLDER, names, [terms_by_field(node) for node in nodes])


def _document_row(id_: NodeId, heading: AnalysedText, text: AnalysedText) -> dict[str, Any]:
    """Return a line of ``documents.jsonl``: the words of a document with their offsets, and its concepts."""
    row: dict[str, Any] = {"id": id_}
    for where, words in (("heading", heading), ("text", text)):
        row[where] = [(t.form, t.start, t.end) for t in words.tokens]
        row[f"{where}_concepts"] = [(f.concept, f.first, f.last) for f in words.found]
    return row


def _load_words(nodes: list[Node], folder: Path, terms: Terms) -> tuple[dict[str, Lexicon], Concepts, TokensById]:
    """Return the lexicon of every language, the concepts, and the tokens of each node's heading and text."""
    tokens = {n.id: (tokenize(n.heading or ""), tokenize(n.text)) for n in nodes}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for node in nodes:
        counts[node.lang].update(t.form for where in tokens[node.id] for t in where)
    lexicons = read_lexicons(folder, counts)
    return lexicons, Concepts.load(folder, lexicons, terms), tokens


def _analyse_nodes(
    nodes: list[Node], lexicons: Mapping[str, Lexicon], concepts: Concepts, tokens: TokensById, terms: Terms
) -> dict[NodeId, tuple[AnalysedText, AnalysedText]]:
    """Return the analysed heading and text of every node. Everyday uses of a term's words do not count as the
    concept.
    """
    everyday = EverydayPlaces.of(terms.values(), {n.id: n for n in nodes})

    def analyse_one(node: Node, where: Where, here: list[Token]) -> AnalysedText:
        is_everyday = lambda f: everyday.overlaps(
            node.id, slug_of(f.concept), where, here[f.first].start, here[f.last].end
        )
        concepts_found = [f for f in concepts.find_in_text(node.lang, here) if not is_everyday(f)]
        lexicon = lexicons[node.lang]
        lemmas = [x for t in here if t.form not in lexicon.stopwords for x in lexicon.lemmas(t.form)]
        return AnalysedText(here, concepts_found, lemmas + [f.concept for f in concepts_found])

    return {n.id: (analyse_one(n, "heading", tokens[n.id][0]), analyse_one(n, "text", tokens[n.id][1])) for n in nodes}


def _add_defined_terms(
    analysed: Mapping[NodeId, tuple[AnalysedText, AnalysedText]], terms: Terms
) -> dict[NodeId, tuple[AnalysedText, AnalysedText]]:
    """Return the analysed texts, with each term added to the heading of the node that gives its meaning.

    The order of the words in the heading does not matter: “Hráč, tichý”.
    """
    out = dict(analysed)
    for slug, term in terms.items():
        for id_ in (id_ for edition in term.defined for id_ in term.meaning(edition) if id_ in out):
            heading, text = out[id_]
            concept = concept_of(slug)
            if term.common or concept in (f.concept for f in heading.found):
                continue
            named = (
                [*heading.found, ConceptMatch(concept, 0, len(heading.tokens) - 1)] if heading.tokens else heading.found
            )
            out[id_] = (AnalysedText(heading.tokens, named, [*heading.terms, concept]), text)
    return out


def _own_terms(node: Node, heading: AnalysedText, text: AnalysedText, weights: RankingWeights) -> WeightedTerms:
    """Return the terms of a provision's own heading and text, with their weights."""
    named = weights.headword if node.kind == "definition" else weights.heading_word
    return [(t, named) for t in heading.terms] + [(t, 1.0) for t in text.terms]


def _context_terms(
    library: Library,
    node: Node,
    analysed: Mapping[NodeId, tuple[AnalysedText, AnalysedText]],
    annotated: Mapping[NodeId, Node],
    weights: RankingWeights,
) -> WeightedTerms:
    """Return the terms of what is above a provision and of what is below it, with their weights.

    For a footnote, what is above is the provision that has its mark, and what is above that. ``annotated`` maps
    footnotes to these provisions.
    """
    above, below = library.ancestors_of(node), library.subtree_of(node)[1:]
    if node.kind == "footnote" and node.id in annotated:
        above = [*library.ancestors_of(annotated[node.id]), annotated[node.id]]
    above = [n for n in above if n.kind not in CONTAINER_KINDS]
    if node.kind in FRAME_KINDS:
        below = []
    out: WeightedTerms = []
    for nodes, of_heading, of_text in (
        (above, weights.above_heading, weights.above_text),
        (below, weights.below_heading, weights.below_text),
    ):
        for heading, text in (analysed[n.id] for n in nodes if n.id in analysed):
            out += [(t, of_heading) for t in heading.terms if of_heading] + [
                (t, of_text) for t in text.terms if of_text
            ]
    return out
