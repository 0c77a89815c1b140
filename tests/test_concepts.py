"""What is one thing under many names: terms are found in the laws, players' words only in queries, and a “not” is never skipped."""

from __future__ import annotations

import re
import tomllib

import pytest

from app.site.answers import snippet_html
from index import build
from index.analyser import Token, analyse
from index.concept import Concepts
from index.lexicon import read_all
from index.query.asked import MARKED, UNFINISHED
from index.query.parse import QueryParser
from index.query.units import Widener
from index.search import Searcher
from index.weights import WEIGHTS


@pytest.fixture(scope="session")
def lexicons(build_dir):
    return read_all(build_dir / "search", {})


@pytest.fixture(scope="session")
def concepts(build_dir, lexicons):
    return Concepts.read(build_dir / "search" / "terms", lexicons)


@pytest.fixture(scope="session")
def indexed(build_dir, library):
    """Lexicons that know the words of the texts."""
    counts: dict[str, dict] = {}
    for node in filter(build.is_document, library.nodes.values()):
        here = counts.setdefault(node.lang, {})
        for word in (*analyse(node.heading or ""), *analyse(node.text)):
            here[word.form] = here.get(word.form, 0) + 1
    return read_all(build_dir / "search", counts)


@pytest.fixture(scope="session")
def parser(library, indexed, concepts):
    return QueryParser(library, indexed, concepts, {})


@pytest.fixture(scope="session")
def searcher(build_dir, library) -> Searcher:
    return Searcher.open(build_dir, library)


@pytest.fixture(scope="session")
def terms(corpus_dir) -> list[tuple[str, str, str]]:
    """(concept, language, name) of every term."""
    head, *rows = [
        line.split("\t")
        for line in (corpus_dir / "terms" / "terms.tsv").read_text(encoding="utf-8").splitlines()
        if line[:1] != "#"
    ]
    return [
        (f"#{number}", lang, name)
        for number, row in enumerate(rows)
        for lang, cell in zip(head, row)
        for name in cell.split("|")
    ]


@pytest.fixture(scope="session")
def players(corpus_dir) -> list[tuple[str, str, str]]:
    """(language, term or word of the laws, what players say) of every player's word."""
    lists = {
        p.stem.removeprefix("synonyms-"): tomllib.loads(p.read_text(encoding="utf-8"))
        for p in sorted((corpus_dir / "terms").glob("synonyms-*.toml"))
    }
    return [
        (lang, name, other)
        for lang, data in lists.items()
        for name, others in data["synonyms"].items()
        for other in others
    ]


@pytest.fixture(scope="session")
def marks(library, concepts):
    """(node, words, found) of every concept found in the texts."""
    return [
        (node, words, found)
        for node in filter(build.is_document, library.nodes.values())
        for words in (analyse(node.heading or ""), analyse(node.text))
        for found in concepts.in_text(node.lang, words)
    ]


def marked(answer) -> list[str]:
    """What the snippets of an answer mark, in lower case."""
    return [run.text.lower() for hit in answer.hits for run in hit.snippet if run.matched]


def lemmas(lexicon, words: list[Token]) -> set[str]:
    return {lemma for w in words for lemma in lexicon.read(w.form)}


def content(lexicon, name: str) -> list[Token]:
    """The words of a name that it cannot be without; all of them where nothing else is left."""
    said = [w for w in analyse(name) if w.form not in lexicon.denials]
    kept = [w for w in said if w.form not in lexicon.stopwords]
    return said if len(said) > 1 and len(kept) < 2 else kept


def test_every_mark_in_a_text_is_a_reviewed_term(marks, terms, lexicons):
    assert len(marks) > 10_000
    for node, words, found in marks:
        here = words[found.first : found.last + 1]
        have = lemmas(lexicons[node.lang], here)
        assert any(
            all(have.intersection(lexicons[lang].read(w.form)) for w in content(lexicons[lang], name))
            for concept, lang, name in terms
            if concept == found.concept and lang == node.lang
        ), (node.id, [w.exact for w in here])
        assert here[0].clause == here[-1].clause, (node.id, [w.exact for w in here])


def test_a_term_stands_in_a_text_or_is_the_first_name_of_the_thing(marks, terms, concepts, library):
    langs = {e.lang for e in library.editions.values()}
    firsts = {}
    for concept, lang, name in terms:
        firsts.setdefault((concept, lang), name)
    texts = {
        lang: [
            words
            for node in filter(build.is_document, library.nodes.values())
            if node.lang == lang
            for words in (analyse(node.heading or ""), analyse(node.text))
        ]
        for lang in langs
    }
    for lang in langs:
        alone = Concepts(concepts._lexicons)
        for number, (_, _, name) in enumerate(own := [t for t in terms if t[1] == lang]):
            alone._add_term(f"#{number}", lang, name)
        printed = {found.concept for words in texts[lang] for found in alone.in_text(lang, words)}
        unprinted = [
            name
            for number, (concept, _, name) in enumerate(own)
            if f"#{number}" not in printed and firsts[concept, lang] != name
        ]
        assert not unprinted


def test_players_words_are_no_terms_and_lead_to_terms(players, concepts, library):
    assert len(players) > 1_500
    for lang, name, other in players:
        concept = concepts.term_of(lang, name)
        assert concept or " " not in name, f"{lang}: “{name}” is no term, and more than a word"
        assert not concept or concepts.term_of(lang, other) != concept, (
            f"{lang}: “{other}” is a term of “{name}” already"
        )


@pytest.mark.parametrize(
    "lang, text, named",
    [
        ("sk", "nie je na rade", "mimo poradia"),
        ("sk", "keď nebol na rade", "mimo poradia"),
        ("sk", "hráč je na rade", None),
        ("hr", "nije na redu", "izvan reda"),
        ("hr", "na redu je", None),
        ("pl", "nie dołożył do koloru", "nie dodać do koloru"),
        ("pl", "dołożył do koloru", "dołożyć do koloru"),
        ("hr", "nije odgovorio na boju", "ne odgovoriti na boju"),
        ("hr", "odgovorio na boju", "odgovoriti na boju"),
        ("sk", "nepriznal farbu", "nepriznať farbu"),
        ("sk", "priznal farbu", "priznať farbu"),
        ("en", "did not follow suit", "fail to follow suit"),
        ("en", "he didn't follow suit", "fail to follow suit"),
        ("en", "must follow suit", "follow suit"),
        ("pl", "bez atu", "bez atu"),
        ("pl", "atut", "atut"),
        ("pl", "nie zagrał karty przygwożdżonej", "karta przygwożdżona"),
        ("pl", "nie karta przygwożdżona", None),
        ("pl", "nielegalnej informacji nie wolno wykorzystać", "nielegalna informacja"),
    ],
)
def test_a_negation_belongs_to_what_it_stands_beside(concepts, lang, text, named):
    words = analyse(text)
    found = {f.concept for f in concepts.asked(lang, words)[0]}
    if named:
        assert concepts.term_of(lang, named) in found
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
        concept = concepts.term_of(lang, other)
        assert concept is None or (named and concept == concepts.term_of(lang, named)) or concept not in found, other


def test_what_a_query_denies_it_does_not_name(concepts, terms, players, lexicons):
    asked = 0
    named = [(concept, lang, name) for concept, lang, name in terms] + [
        (concept, lang, other) for lang, name, other in players if (concept := concepts.term_of(lang, name))
    ]
    denied = {
        (concept, lang) for concept, lang, name in named if any(w.form in lexicons[lang].denials for w in analyse(name))
    }
    for concept, lang, name in named:
        lexicon = lexicons[lang]
        not_ = next(form for form, kind in lexicon.denials.items() if kind == "not")
        words = analyse(name)
        if any(w.form in lexicon.denials for w in words):
            without = [w for w in words if w.form not in lexicon.denials]
            others = (
                {
                    c
                    for c, l, n in named
                    if l == lang
                    and n != name
                    and not any(w.form in lexicon.denials for w in analyse(n))
                    and not {x.form for x in content(lexicon, n)} - {x.form for x in without}
                }
                if without
                else {concept}
            )
            found = {f.concept for f in concepts.asked(lang, without)[0] if f.denied}
            assert concept not in found - others, f"{lang}: without its “not”, “{name}” is something else"
        elif (concept, lang) not in denied:
            assert concept not in {f.concept for f in concepts.asked(lang, analyse(f"{not_} {name}"))[0]}, (
                f"{lang}: “{not_} {name}” denies it"
            )
        asked += 1
    assert asked > 2_500


def test_what_is_named_with_a_not_is_marked_only_where_it_is_denied(marks, lexicons):
    seen = 0
    for node, words, found in marks:
        if found.denied:
            clauses = {w.clause for w in words[found.first : found.last + 1]}
            assert any(w.form in lexicons[node.lang].denials for w in words if w.clause in clauses), (node.id, found)
            seen += 1
    assert seen > 5


@pytest.fixture(scope="session")
def apart(corpus_dir) -> list[list[str]]:
    """Rows of (language, phrase, term that it does not mean, reason)."""
    return [
        line.split("\t") for line in (corpus_dir / "terms" / "apart.tsv").read_text(encoding="utf-8").splitlines()[2:]
    ]


def test_the_words_of_a_name_do_not_mean_something_else(apart, terms, players, concepts):
    assert len(apart) > 15
    seen = 0
    for lang, phrase, term, reason in apart:
        not_meant, longer = concepts.term_of(lang, term), concepts.term_of(lang, phrase)
        assert not_meant and reason and longer != not_meant, phrase
        names = [(lang, phrase)] if longer is None else [(l, name) for concept, l, name in terms if concept == longer]
        others = [(l, other) for l, name, other in players if longer and concepts.term_of(l, name) == longer]
        for l, name in names:
            assert not_meant not in {f.concept for f in concepts.in_text(l, analyse(name))}, (l, name, term)
        for l, name in (*names, *others):
            assert not_meant not in {f.concept for f in concepts.asked(l, analyse(name))[0]}, (l, name, term)
            seen += 1
    assert seen > 60


def test_no_mark_within_a_longer_one_says_something_else(apart, marks, concepts):
    never = {(concepts.term_of(lang, phrase), concepts.term_of(lang, term)) for lang, phrase, term, _ in apart}
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


def test_every_phrase_of_a_language_of_the_texts_stands_in_one(apart, concepts, library):
    for lang, phrase, term, _ in apart:
        if concepts.term_of(lang, phrase) is None:
            alone = Concepts(concepts._lexicons)
            alone._add_term("#0", lang, phrase)
            assert any(
                alone.in_text(lang, analyse(node.text)) for node in library.nodes.values() if node.lang == lang
            ), phrase


def test_a_denied_name_is_neither_marked_nor_answered_surely(searcher, concepts, lexicons, terms):
    seen = 0
    for number, (_, lang, name) in enumerate(terms[::7]):
        lexicon = lexicons[lang]
        for kind in ("not", "without"):
            words_of_kind = sorted(form for form, k in lexicon.denials.items() if k == kind)
            query = f"{words_of_kind[number % len(words_of_kind)]} {name}"
            words = analyse(query)
            named, unmeant = concepts.asked(lang, words)
            if (
                named
                or any(w.form in lexicon.denials for w in words[1:])
                or any(i not in unmeant for i, w in enumerate(words) if i and w.form not in lexicon.stopwords)
            ):
                continue
            answer = searcher.search(query, qlang=lang, limit=20)
            if answer.lang == lang and answer.kind == "text":
                assert not answer.confident, query
                assert not any(run.matched for hit in answer.hits for run in hit.snippet), query
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


def test_look_alikes_are_parted_in_every_way(corpus_dir, parser):
    rows = [
        line.split("\t")
        for line in (corpus_dir / "terms" / "lookalikes.tsv").read_text(encoding="utf-8").splitlines()
        if line[:1] != "#"
    ][1:]
    assert len(rows) > 100
    for lang, word, other, reason in rows:
        assert reason
        for unit in parser.parse(word, lang).units:
            assert other not in {t.term for t in unit.terms.get(lang, ())}, (lang, word, other)


def test_an_everyday_word_is_neither_mended_nor_completed(corpus_dir, library, indexed, concepts):
    widener = Widener(library, indexed, concepts, {}, WEIGHTS)
    rows = dict(
        line.split("\t")
        for line in (corpus_dir / "terms" / "everyday.tsv").read_text(encoding="utf-8").splitlines()
        if line[:1] != "#"
    )
    rows.pop("lang", None)
    assert sum(len(words.split()) for words in rows.values()) > 1_000 and rows.keys() <= indexed.keys()
    for lang in rows:
        for word in rows[lang].split():
            for unit in widener.units([Token(word, word, 0, len(word))], lang):
                assert not unit.corrected and UNFINISHED not in {t.why for t in unit.terms.get(lang, ())}, (lang, word)


@pytest.mark.parametrize(
    "lang, query, never",
    [
        ("hr", "sporo", r"spor(ov|ni)"),
        ("pl", "miano", r"mi(ał|eć)"),
        ("sk", "nie je na rade", r"na rade"),
        ("sk", "mimo poradia", r"na rade|^poradi|\bporadí"),
        ("pl", "przeciwko", r"przeciwnik"),
        ("pl", "poza kolejnością", r"^kolejn|licytowania"),
        ("hr", "izvan reda", r"(^|[^n] )(red|slijed)"),
        ("hr", "nije na redu", r"(^|[^n] )red"),
        ("pl", "kara", r"karo$"),
        ("pl", "rozgrywający", r"rozgrywa(n|ją$)"),
        ("sk", "zostava", r"zostal|zostat|zostávajú"),
    ],
)
def test_a_look_alike_is_not_marked(searcher, lang, query, never):
    assert not [m for m in marked(searcher.search(query, langs=[lang], limit=50)) if re.search(never, m)]


@pytest.mark.parametrize(
    "lang, query, never",
    [
        ("en", "out of turn", r"^(na rade|red|redu|kolejność)$"),
        ("en", "penalty card", r"karo$"),
        ("en", "penalty", r"karo$"),
        ("en", "declarer", r"rozgrywa(n|ją$)"),
        ("pl", "telefon komórkowy", r"poznám|bilješ"),
        ("en", "footnote", r"poznám"),
        ("sk", "nie je na rade", r"^rade"),
        ("sk", "mimo poradia", r"^(redu?|kolejność)$"),
    ],
)
def test_what_is_not_meant_is_marked_in_no_language(searcher, lang, query, never):
    assert not [m for m in marked(searcher.search(query, qlang=lang, limit=200)) if re.search(never, m)]


@pytest.mark.parametrize(
    "lang, other",
    [
        ("hr", r"zahtjev\w*</mark> za (ponavljanjem|preispitivanje)"),
        ("hr", r"(koje|to) <mark>zahtjeva"),
        ("hr", r"prema <mark>zahtjevu"),
        ("sk", r"nárok</mark> na (nápravu|kontrolu)"),
    ],
)
def test_a_right_or_a_request_is_no_claim(searcher, lang, other):
    hits = searcher.search("claim", qlang="en", langs=[lang], limit=200).hits
    assert hits and not [h.node.id for h in hits if re.search(other, snippet_html(h.snippet), re.IGNORECASE)]


def test_a_snippet_marks_terms_and_the_words_of_the_query_and_says_why(searcher, players):
    seen = 0
    for lang, _, other in players[::25]:
        for hit in searcher.search(other, langs=[lang] if lang != "en" else [], qlang=lang, limit=5).hits:
            for run in hit.snippet:
                assert set(run.why) <= MARKED
                seen += run.matched
    assert seen > 100
