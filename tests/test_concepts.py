"""What is one thing under many names: terms are found in the laws, players' words only in queries."""

from __future__ import annotations

import pytest
from vocabulary import concepts, content, lexicons, listed, players, terms  # noqa: F401

from corpus.letters import Token, tokenize
from index import build
from index.answer import MatchByOtherName
from index.concept import Concepts, concept_of
from index.query.model import MARKED_REASONS, NAME


@pytest.fixture(scope="session")
def marks(library, concepts):
    """(node, words, found) of every concept found in the texts."""
    return [
        (node, words, found)
        for node in filter(build.is_document, library.nodes.values())
        for words in (tokenize(node.heading or ""), tokenize(node.text))
        for found in concepts.find_in_text(node.lang, words)
    ]


def lemmas(lexicon, words: list[Token]) -> set[str]:
    return {lemma for w in words for lemma in lexicon.lemmas_in_name(w.form)}


def test_every_mark_in_a_text_is_a_reviewed_term(marks, terms, lexicons):
    assert len(marks) > 10_000
    for node, words, found in marks:
        here = words[found.first : found.last + 1]
        have = lemmas(lexicons[node.lang], here)
        assert any(
            all(have.intersection(lexicons[lang].lemmas_in_name(w.form)) for w in content(lexicons[lang], name))
            for concept, lang, name in terms
            if concept == found.concept and lang == node.lang
        ), (node.id, [w.exact for w in here])
        assert here[0].clause == here[-1].clause, (node.id, [w.exact for w in here])


def test_the_search_finds_what_is_proved_to_stand_in_a_text(marks, terms, concepts, library):
    """A few stand in the printed index only, which is no document, or are known by their stems."""
    langs = {e.lang for e in library.editions.values()}
    texts = {
        lang: [
            words
            for node in filter(build.is_document, library.nodes.values())
            if node.lang == lang
            for words in (tokenize(node.heading or ""), tokenize(node.text))
        ]
        for lang in langs
    }
    for lang in langs:
        alone = Concepts(concepts._lexicons)
        for number, (_, _, name) in enumerate(own := [t for t in terms if t[1] == lang]):
            alone._add_term(f"#{number}", lang, name)
        printed = {found.concept for words in texts[lang] for found in alone.find_in_text(lang, words)}
        unprinted = [name for number, (_, _, name) in enumerate(own) if f"#{number}" not in printed]
        assert len(unprinted) <= 0.03 * len(own), (lang, unprinted)


def test_players_words_are_no_terms_and_lead_to_terms(players, listed, concepts):
    assert len(players) > 1_500
    for lang, name, _ in players:
        assert concepts.concept_named(lang, name) or " " not in name, (
            f"{lang}: “{name}” is no term, and more than a word"
        )
    for lang, name, other in listed:
        concept = concepts.concept_named(lang, name)
        assert not concept or concepts.concept_named(lang, other) != concept, (
            f"{lang}: “{other}” is a term of “{name}” already"
        )


def test_what_is_named_with_a_not_is_marked_only_where_it_is_denied(marks, lexicons):
    seen = 0
    for node, words, found in marks:
        if found.denied:
            clauses = {w.clause for w in words[found.first : found.last + 1]}
            assert any(w.form in lexicons[node.lang].denials for w in words if w.clause in clauses), (node.id, found)
            seen += 1
    assert seen > 5


@pytest.fixture(scope="session")
def apart(library, concepts) -> list[tuple[str, str, str]]:
    """(language, phrase, concept that it does not mean)."""
    return [(u.lang, u.words, concept_of(slug)) for slug, term in library.terms.items() for u in term.unlike]


def test_the_words_of_a_name_do_not_mean_something_else(apart, terms, players, concepts):
    assert len(apart) > 15
    seen = 0
    for lang, phrase, not_meant in apart:
        longer = concepts.concept_named(lang, phrase)
        assert longer != not_meant, phrase
        names = (
            [(lang, phrase)] if longer is None else [(code, name) for concept, code, name in terms if concept == longer]
        )
        others = [
            (code, other) for code, name, other in players if longer and concepts.concept_named(code, name) == longer
        ]
        for code, name in names:
            assert not_meant not in {f.concept for f in concepts.find_in_text(code, tokenize(name))}, (
                code,
                name,
                not_meant,
            )
        for code, name in (*names, *others):
            assert not_meant not in {f.concept for f in concepts.find_in_query(code, tokenize(name))[0]}, (
                code,
                name,
                not_meant,
            )
            seen += 1
    assert seen > 60


def test_no_mark_within_a_longer_one_says_something_else(apart, marks, concepts):
    never = {(concepts.concept_named(lang, phrase), not_meant) for lang, phrase, not_meant in apart}
    within: dict[tuple, list] = {}
    for node, words, found in marks:
        within.setdefault((node.id, id(words)), []).append(found)
    pairs = {
        (a.concept, b.concept)
        for here in within.values()
        for a in here
        for b in here
        if a is not b and not a.denied and a.first <= b.first and b.last <= a.last
    }
    assert len(pairs) > 100 and not pairs & never


def test_every_phrase_of_a_language_of_the_texts_stands_in_one(apart, concepts, library, players):
    said = {(lang, other) for lang, _, other in players}
    for lang, phrase, _ in apart:
        if concepts.concept_named(lang, phrase) is None and (lang, phrase) not in said:
            alone = Concepts(concepts._lexicons)
            alone._add_term("#0", lang, phrase)
            assert any(
                alone.find_in_text(lang, tokenize(node.text)) for node in library.nodes.values() if node.lang == lang
            ), phrase


def test_a_snippet_marks_terms_and_the_words_of_the_query_and_says_why(searcher, players):
    seen = 0
    for lang, _, other in players[::25]:
        for hit in searcher.search(other, langs=[lang] if lang != "en" else [], qlang=lang, limit=5).hits:
            for run in hit.snippet:
                assert {NAME if isinstance(why, MatchByOtherName) else why for why in run.why} <= MARKED_REASONS
                seen += run.is_match
    assert seen > 100
