"""A “not” is never skipped: what a query denies it does not name, and nothing is marked for it."""

from __future__ import annotations

import pytest
from vocabulary import concepts, content, indexed, lexicons, listed, players, terms  # noqa: F401

from corpus.letters import tokenize


@pytest.mark.parametrize(
    "lang, text, named",
    [
        ("sk", "nie je na rade", "mimo poradia"),
        ("sk", "keď nebol na rade", "mimo poradia"),
        ("sk", "hráč je na rade", None),
        ("hr", "nije na redu", "izvan reda"),
        ("hr", "na redu je", None),
        ("pl", "nie dołożył do koloru", "fałszywy renons"),
        ("pl", "dołożył do koloru", "dołożyć do koloru"),
        ("hr", "nije odgovorio na boju", "renons"),
        ("hr", "odgovorio na boju", "odgovoriti na boju"),
        ("sk", "nepriznal farbu", "nepriznanie farby"),
        ("sk", "priznal farbu", "priznať farbu"),
        ("en", "did not follow suit", "revoke"),
        ("en", "he didn't follow suit", "revoke"),
        ("en", "must follow suit", "follow suit"),
        ("pl", "bez atu", "bez atu"),
        ("pl", "atut", "atut"),
        ("hr", "pasirao ne, renons", "renons"),
        ("en", "he did not, revoke", "revoke"),
        ("pl", "nie zagrał karty przygwożdżonej", "karta przygwożdżona"),
        ("pl", "nie karta przygwożdżona", None),
        ("pl", "nielegalnej informacji nie wolno wykorzystać", "nielegalna informacja"),
    ],
)
def test_a_negation_belongs_to_what_it_stands_beside(concepts, lang, text, named):
    words = tokenize(text)
    found = {f.concept for f in concepts.find_in_query(lang, words)[0]}
    if named:
        assert concepts.concept_named(lang, named) in found
    for other in (
        "mimo poradia",
        "izvan reda",
        "dołożyć do koloru",
        "nie dodać do koloru",
        "odgovoriti na boju",
        "ne odgovoriti na boju",
        "priznať farbu",
        "nepriznať farbu",
        "follow suit",
        "fail to follow suit",
        "bez atu",
        "karta przygwożdżona",
    ):
        concept = concepts.concept_named(lang, other)
        assert concept is None or (named and concept == concepts.concept_named(lang, named)) or concept not in found, (
            other
        )


def test_what_a_query_denies_it_does_not_name(concepts, terms, players, lexicons):
    asked = 0
    named = [(concept, lang, name) for concept, lang, name in terms] + [
        (concept, lang, other) for lang, name, other in players if (concept := concepts.concept_named(lang, name))
    ]
    denied = {
        (concept, lang)
        for concept, lang, name in named
        if any(w.form in lexicons[lang].denials for w in tokenize(name))
    }
    for concept, lang, name in named:
        lexicon = lexicons[lang]
        not_ = next(form for form, kind in lexicon.denials.items() if kind == "not")
        words = tokenize(name)
        if any(w.form in lexicon.denials for w in words):
            without = [w for w in words if w.form not in lexicon.denials]
            others = (
                {
                    c
                    for c, code, n in named
                    if code == lang
                    and n != name
                    and not any(w.form in lexicon.denials for w in tokenize(n))
                    and not {x.form for x in content(lexicon, n)} - {x.form for x in without}
                }
                if without
                else {concept}
            )
            found = {f.concept for f in concepts.find_in_query(lang, without)[0] if f.denied}
            assert concept not in found - others, f"{lang}: without its “not”, “{name}” is something else"
        elif (concept, lang) not in denied:
            assert concept not in {f.concept for f in concepts.find_in_query(lang, tokenize(f"{not_} {name}"))[0]}, (
                f"{lang}: “{not_} {name}” denies it"
            )
        asked += 1
    assert asked > 2_500


def test_a_denied_name_is_neither_marked_nor_answered_surely(searcher, concepts, lexicons, terms):
    seen = 0
    for number, (_, lang, name) in enumerate(terms[::7]):
        lexicon = lexicons[lang]
        for kind in ("not", "without"):
            words_of_kind = sorted(form for form, k in lexicon.denials.items() if k == kind)
            query = f"{words_of_kind[number % len(words_of_kind)]} {name}"
            words = tokenize(query)
            named, unmeant = concepts.find_in_query(lang, words)
            if (
                named
                or any(w.form in lexicon.denials for w in words[1:])
                or any(i not in unmeant for i, w in enumerate(words) if i and w.form not in lexicon.stopwords)
            ):
                continue
            answer = searcher.search(query, qlang=lang, limit=20)
            if answer.lang == lang and answer.kind == "text":
                assert not answer.confident, query
                assert not any(run.is_match for hit in answer.hits for run in hit.snippet), query
                seen += 1
    assert seen > 100


@pytest.mark.parametrize("lang, verb", [("pl", "byc"), ("sk", "byt"), ("hr", "biti")])
def test_the_verb_to_be_is_skipped_in_all_its_forms(indexed, lang, verb):
    lexicon = indexed[lang]
    forms = [f for f in lexicon.counts if lexicon.lemmas(f) == (verb,)]
    assert len(forms) > 5 and not [f for f in forms if f not in lexicon.stopwords and f not in lexicon.denials]


def test_every_language_has_its_negations(lexicons):
    told = {lang: set(lexicon.denials.values()) for lang, lexicon in lexicons.items() if lexicon.denials}
    assert len(told) >= 4 and all(kinds == {"not", "without"} for kinds in told.values()), told
