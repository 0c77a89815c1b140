"""Years of the laws, as they are said and typed."""

import pytest

from index.query.years import YearWords


@pytest.fixture(scope="module")
def years(library):
    return YearWords(library.citation_words, {"1997", "2007", "2017"}, 93)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("renons 1997", ["1997"]),
        ("renons według praw z 97", ["1997"]),
        ("in '17 he may", ["2017"]),
        ("zákony z roku ’07", ["2007"]),
        ("laws of 07", ["2007"]),
        ("prawo z dziewięćdziesiątego siódmego", ["1997"]),
        ("deväťdesiaty siedmy, koľko percent", ["1997"]),
        ("po pravilima iz devedeset sedme", ["1997"]),
        ("the ninety-seven laws", ["1997"]),
        ("nineteen ninety seven code", ["1997"]),
        ("what does twenty seventeen say", ["2017"]),
        ("two thousand and seven", ["2007"]),
        ("dwa tysiące siedem", ["2007"]),
        ("z dwutysięcznego siedemnastego", ["2017"]),
        ("tysiąc dziewięćset dziewięćdziesiąty siódmy", ["1997"]),
        ("dvetisíc sedemnásť", ["2017"]),
        ("dvije tisuće i sedme", ["2007"]),
        ("tisuću devetsto devedeset sedme", ["1997"]),
        ("between 1997 and twenty seventeen", ["1997", "2017"]),
        # not a year
        ("law 17", []),
        ("prawo siedemnaste", []),
        ("sedem trefov", []),
        ("twenty seven b one", []),
        ("law ninety three", []),
        ("two thousand points", []),
        ("7-0 w kierach", []),
        ("1998", []),
        ("devedeset i osam", []),
    ],
)
def test_a_year_is_found_however_it_is_said(years, text, found):
    assert [year.year for year in years.find(text)] == found


def test_a_text_is_written_with_years_in_digits(years):
    assert years.write("kodeks z dziewięćdziesiątego siódmego, renons") == "kodeks z 1997, renons"
    assert years.write("no year in it – ‘x’") == "no year in it – ‘x’"
    year = next(years.find("in '17 he may"))
    assert (year.start, year.end) == (3, 6)
