"""Collects the words of a language, and makes the rows of its tables: lemma → all forms."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from corpus.letters import fold, tokenize
from corpus.library import Library
from index import concept
from index.lexicon import ONE_ERROR
from tools.lemmas.dictionaries import Dictionary

COMMON = 60  # divisible by 1 to 6, so that counts are shared between up to six lemmas without fractions


def texts_in(library: Library, lang: str, corpus: Path) -> Iterator[str]:
    """Yield all texts in a language: nodes, subject index, terms, players' words, situations and paraphrases."""
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
    """Yield the names and sentences of situations, and the paraphrases of provisions."""
    for situation in library.situations.values():
        yield situation.name.get(lang, "")
        yield from situation.said.get(lang, ())
    for telling in library.paraphrases:
        yield telling.said.get(lang, "")


def count_words(texts: Iterable[str]) -> Counter[str]:
    """Return how often each word of letters alone stands in the texts, in lower case."""
    return Counter(t.exact for text in texts for t in tokenize(text) if t.exact.isalpha())


def lemma_table(dictionary: Dictionary, words: Mapping[str, int]) -> dict[str, set[str]]:
    """Return lemma → forms, folded (lower case, no diacritics), for every word. A word that the dictionary does not
    know is its own lemma. ``words``: word → how often it stands in the texts.

    The most common lemma comes first, because the search takes the first lemma of a form that has several.
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
    """Return word → its forms, folded (lower case, no diacritics), for everyday words that the laws do not use.

    ``known`` forms are left out. So are short ones: the search never takes them for a typing error.
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
    """Change ``rows`` (lemma → forms): two lemmas that readers take for one word, like “dirnuti” and “dirati”, get the
    forms of both.

    ``endings``: pairs of endings, like ``nuti:ati``.
    """
    for first, _, second in (pair.partition(":") for pair in endings):
        for lemma in [x for x in rows if x.endswith(first)]:
            stem = lemma.removesuffix(first)
            other = stem + second
            if len(stem) >= 3 and other != lemma and other in rows:
                rows[lemma] = rows[other] = rows[lemma] | rows[other]


def table_lines(rows: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield the rows of a table in their order. A word with only one form needs no row."""
    for lemma, forms in rows.items():
        if len(forms) > 1:
            yield f"{lemma}\t{' '.join(sorted(f for f in forms if f.isalpha()))}"
