"""No sentence of one language stands in another: our own words, compared with the words of each language.

The words of a language are those of its texts of the laws, and of what people say in it of the situations. They are not
taken from the sentences that are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from corpus.situation.spoken import read_sentences

LETTERS = {"pl": "ąćęłńóśźż", "sk": "áäčďéíĺľňóôŕšťúýž", "hr": "čćđšž", "en": ""}


def words_of(text: str) -> list[str]:
    """The words of a text, without places for bids, numbers of laws and names of suits."""
    return re.findall(r"[^\W\d_]{2,}", re.sub(r"\{\w+: ([^{}]*)\}", r"\1", text).lower())


@pytest.fixture(scope="module")
def known(library) -> dict[str, set[str]]:
    """Language → its words."""
    languages = library.vocabulary.languages
    found: dict[str, set[str]] = {lang: set() for lang in languages}
    for node in library.nodes.values():
        found[node.lang] |= set(words_of(f"{node.heading or ''} {node.text}"))
    for situation in library.situations.values():
        for lang, sentences in situation.said.items():
            found[lang] |= {word for sentence in sentences for word in words_of(sentence)}
    return found


def own_words(library, corpus_dir) -> Iterator[tuple[str, dict[str, str]]]:
    """(place, text by language) of all that is worded here: sentences, questions, answers, closed lists."""
    for sentence in read_sentences(corpus_dir, library.vocabulary, list(library.situations))[0].all():
        yield ":".join(map(str, sentence.place)), dict(sentence.text)
    for situation in library.situations.values():
        yield situation.id, dict(situation.name)
        for ask in situation.ask:
            yield f"{situation.id} {ask.id}", dict(ask.question)
            for answer in ask.answer:
                yield f"{situation.id} {ask.id}={answer.id}", dict(answer.text)
            for texts in ask.tick_texts.values():
                yield from ((f"{situation.id} {ask.id} {path}", dict(text)) for path, text in texts.items())
    for list_ in ("phases", "roles", "duties", "objects", "moments", "conditions", "facts"):
        yield from ((f"{list_} {id_}", dict(names)) for id_, names in getattr(library.vocabulary, list_).items())


def foreign(text: str, lang: str, known: dict[str, set[str]]) -> str:
    """What shows that a text is in another language: a letter, or words; "" if nothing does."""
    others = set("".join(letters for other, letters in LETTERS.items() if other != lang)) - set(LETTERS[lang])
    if letters := others & set(text.lower()):
        return f"letters {' '.join(sorted(letters))}"
    words = words_of(text)
    share = {other: sum(word in its for word in words) / max(len(words), 1) for other, its in known.items()}
    best = max(share, key=lambda other: share[other])
    return (
        f"{best} knows {share[best]:.0%}, {lang} {share[lang]:.0%}"
        if share[lang] < share[best] and len(words) > 2
        else ""
    )


def test_no_text_is_in_another_language(library, corpus_dir, known):
    found = [
        f"{place}, {lang}: {text} ({why})"
        for place, texts in own_words(library, corpus_dir)
        for lang, text in texts.items()
        if (why := foreign(text, lang, known))
    ]
    assert not found, "\n".join(found)


def test_a_sentence_in_the_wrong_place_is_found(library, corpus_dir, known):
    """Every spoken sentence, put in the place of each other language."""
    sentences = read_sentences(corpus_dir, library.vocabulary, list(library.situations))[0].all()
    wrong = [(s.text[own], lang) for s in sentences for own in LETTERS for lang in LETTERS if own != lang]
    missed = [(text, lang) for text, lang in wrong if not foreign(text, lang, known)]
    assert not missed, missed[:20]
