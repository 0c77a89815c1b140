"""The tables themselves: which words of a language are in one, and all forms of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from corpus.letters import fold, tokenize
from corpus.library import Library
from index import concept
from index.lexicon import ONE_ERROR
from tools.lemmas.dictionaries import Dictionary

COMMON = 60  # whole parts of a count, for forms of up to six lemmas


def texts_in(library: Library, lang: str, corpus: Path) -> Iterator[str]:
    """All that is written or said in a language: texts, subject index, terms, players' words, situations, tellings."""
    for node in library.nodes.values():
        if node.lang == lang:
            yield f"{node.heading or ''} {node.text}"
    for entry in library.index:
        if library.editions[entry.edition].lang == lang:
            yield f"{entry.entry} {entry.subentry or ''}"
    for term in library.terms.values():
        for named in (term.names, term.wordings, term.players):
            yield from named.get(lang, ())
    for code, listed in concept.read_synonyms(corpus):
        if code == lang:
            yield from (words for key, said in listed.synonyms.items() for words in (key, *said))
    yield from situation_texts(library, lang)


def situation_texts(library: Library, lang: str) -> Iterator[str]:
    """What is said of situations and of provisions."""
    for situation in library.situations.values():
        yield situation.name.get(lang, "")
        yield from situation.said.get(lang, ())
    for telling in library.paraphrases:
        yield telling.said.get(lang, "")


def count_words(texts: Iterable[str]) -> Counter[str]:
    """The words of texts, in lower case, those of letters alone, and how often each stands there."""
    return Counter(t.exact for text in texts for t in tokenize(text) if t.exact.isalpha())


def lemma_table(dictionary: Dictionary, words: Mapping[str, int]) -> dict[str, set[str]]:
    """Lemma → forms, folded, of every word, the commonest lemma first: the search takes the first of several that a
    form has. A word that the dictionary does not know stands for itself.
    """
    rows: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for form in sorted(words):
        lemmas = dictionary.lemmas(form) or (form,)
        for lemma in lemmas:
            rows[fold(lemma)] |= {fold(form)} | {fold(f) for f in dictionary.forms(lemma)}
            counts[fold(lemma)] += words[form] * COMMON // len(lemmas)
    return {lemma: rows[lemma] for lemma in sorted(rows, key=lambda lemma: (-counts[lemma], lemma))}


def everyday_table(dictionary: Dictionary, words: Iterable[str], known: Collection[str]) -> dict[str, set[str]]:
    """Word → its forms, folded, of words that the laws have no use for; ``known`` ones and short ones need no row: what
    is so short is never taken for a typing error.
    """
    rows = {}
    for word in sorted(words):
        lemmas = dictionary.lemmas(word)
        meant = [word] if word in lemmas else lemmas
        rows[fold(word)] = {
            fold(form) for lemma in meant for form in dictionary.forms(lemma) if len(form) >= ONE_ERROR
        }.difference(known)
    return rows


def join_aspects(rows: dict[str, set[str]], endings: Iterable[str]) -> None:
    """“dirnuti” and “dirati” are one word to a reader: where both are lemmas, each gets the forms of the other."""
    for first, _, second in (pair.partition(":") for pair in endings):
        for lemma in [x for x in rows if x.endswith(first)]:
            stem = lemma.removesuffix(first)
            other = stem + second
            if len(stem) >= 3 and other != lemma and other in rows:
                rows[lemma] = rows[other] = rows[lemma] | rows[other]


def table_lines(rows: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The rows of a table as they are written, in their order; a word of one form needs none."""
    for lemma, forms in rows.items():
        if len(forms) > 1:
            yield f"{lemma}\t{' '.join(sorted(f for f in forms if f.isalpha()))}"
