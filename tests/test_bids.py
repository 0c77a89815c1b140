"""Two bids: their order (Law 18), and the words in which they are told (tests/cases/bids.tsv)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import language
from corpus.bid import BID_LEVELS, DENOMINATIONS, SUIT_SYMBOLS, Bid, Overcall
from index.query.facts import read_bids

TESTS = Path(__file__).parent
FOLDER = TESTS.parent / "corpus" / "languages"
LANGUAGES = {path.stem: language.load_language(FOLDER, path.stem) for path in sorted(FOLDER.glob("*.toml"))}
CASES = [line.split("\t") for line in (TESTS / "cases" / "bids.tsv").read_text(encoding="utf-8").splitlines()[2:]]
EVERY = [Bid(level, denomination) for level in BID_LEVELS for denomination in DENOMINATIONS]
BIDS = st.sampled_from(EVERY)


def test_there_are_cases_in_every_language_and_some_expect_nothing():
    assert len(CASES) >= 60 and {lang for lang, _, _ in CASES} == set(LANGUAGES)
    assert sum(wanted == "-" for *_, wanted in CASES) >= 20


@pytest.mark.parametrize("lang, words, wanted", CASES)
def test_bids_are_read(lang, words, wanted):
    assert str(read_bids(words, lang, LANGUAGES) or "-") == wanted


@pytest.mark.parametrize("wanted, words", [(w, words) for _, words, w in CASES if w != "-" and words[0] in "1234567"])
def test_the_language_of_the_reader_is_only_a_hint(wanted, words):
    assert {str(read_bids(words, lang, LANGUAGES)) for lang in (None, "de", *LANGUAGES)} == {wanted}


@pytest.mark.parametrize(
    "lang, key, word",
    [
        (code, key, word)
        for code, its in LANGUAGES.items()
        for key in ("one two three four five six seven clubs diamonds hearts spades notrump over then instead".split())
        for word in getattr(its.bids, key)
    ],
)
def test_every_word_of_bids_is_earned(lang, key, word):
    its = LANGUAGES[lang].bids
    only = {lang: LANGUAGES[lang]}
    over, numbers = its.over[0], [words[0] for words in its.bid_level_words]
    if key in ("over", "then", "instead"):
        wanted = {
            "over": Overcall(Bid(1, "S"), Bid(2, "C")),
            "then": Overcall(Bid(2, "C"), Bid(1, "S")),
            "instead": None,
        }
        assert read_bids(f"1♠ {word} 2♣", lang, only) == wanted[key]
    elif word in sum(its.bid_level_words, ()):
        level = next(n for n, words in enumerate(its.bid_level_words, 1) if word in words)
        assert read_bids(f"{word} {its.spades[0]} {over} 2♣", lang, only).made == Bid(level, "S")
    else:
        denomination = DENOMINATIONS["clubs diamonds hearts spades notrump".split().index(key)]
        for number in ("3", numbers[2]):
            assert read_bids(f"{number} {word} {over} 2♣", lang, only).made == Bid(3, denomination)


def test_a_word_of_bids_means_one_thing_in_a_language():
    for its in LANGUAGES.values():
        named = [w.lower() for words in (*its.bids.bid_level_words, *its.bids.denomination_words) for w in words]
        assert len(named) == len(set(named)) > 20
        told = [*its.bids.over, *its.bids.then, *its.bids.instead]
        assert len(told) == len(set(told)) > 20


def test_bids_rank_by_level_then_clubs_diamonds_hearts_spades_notrump():
    assert len(EVERY) == 35 and sorted(EVERY) == EVERY
    assert [str(bid) for bid in EVERY[:6]] == ["1C", "1D", "1H", "1S", "1NT", "2C"] and str(EVERY[-1]) == "7NT"


@given(BIDS, BIDS)
def test_a_bid_is_insufficient_unless_its_place_in_the_list_is_later(made, over):
    assert Overcall(made, over).is_insufficient == (EVERY.index(made) <= EVERY.index(over))
    assert Overcall(made, over).is_insufficient != (made > over)


@given(BIDS, BIDS)
def test_the_lowest_sufficient_bid_is_higher_and_one_level_down_is_not(made, over):
    lowest = Overcall(made, over).lowest_sufficient
    if lowest is None:
        assert Bid(7, made.denomination) <= over
    else:
        assert lowest.denomination == made.denomination and lowest > over
        assert lowest.level == 1 or Bid(lowest.level - 1, made.denomination) <= over
        assert lowest.level - over.level in (0, 1) or lowest.level == 1


@given(BIDS, BIDS)
def test_an_address_keeps_both_bids(made, over):
    assert Overcall.parse(str(Overcall(made, over))) == Overcall(made, over)


@pytest.mark.parametrize("written", ["", "1S", "1S-2C-3D", "1s-2c", "8S-2C", "1X-2C", "1S-2C\n", "²S-2C"])
def test_what_is_no_pair_of_bids_in_an_address_is_none(written):
    assert Overcall.parse(written) is None


@given(BIDS, BIDS, st.sampled_from([None, *LANGUAGES]))
def test_every_pair_of_bids_is_read_in_signs_letters_and_words(made, over, lang):
    for way in (_sign, str, lambda bid: f"{bid.level} {bid.denomination}"):
        assert read_bids(f"{way(made)} over {way(over)}", lang, LANGUAGES) == Overcall(made, over)
    for code, its in LANGUAGES.items():
        told = [
            f"{its.bids.bid_level_words[b.level - 1][0]} "
            f"{its.bids.denomination_words[DENOMINATIONS.index(b.denomination)][0]}"
            for b in (made, over)
        ]
        assert read_bids(f" {its.bids.over[0]} ".join(told), code, LANGUAGES) == Overcall(made, over)


@given(st.text(alphabet="1278 SCDHN♠♣♥-–/+=.,()abopikternaov§", max_size=40))
def test_whatever_is_typed_gives_two_bids_or_none(words):
    found = read_bids(words, "pl", LANGUAGES)
    assert found is None or found == Overcall.parse(str(found))


def _sign(bid: Bid) -> str:
    return f"{bid.level}{SUIT_SYMBOLS.get(bid.denomination, 'NT')}"
