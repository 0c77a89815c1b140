"""A spoken sentence says the orders that it names and no other: what the account finds, and what it lets pass."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from budget import sampled
from strangers import CORPUS

from corpus.files import LocalizedText
from corpus.situation.model import Vocabulary, read_vocabulary
from corpus.situation.phrases import COLUMNS, LanguagePhrases, Phrases, named_in, parse_row, phrase_faults, read_phrases
from corpus.situation.spoken import Sentence, read_sentences

LISTS, _ = read_vocabulary(CORPUS / "vocabulary")
PHRASES, PROBLEMS = read_phrases(CORPUS, LISTS.languages)
BY_ORDER = read_sentences(CORPUS, LISTS, [path.stem for path in (CORPUS / "situations").glob("*.toml")])[0].by_order
SENTENCES = sorted({s.place: s for its in BY_ORDER.values() for s in its}.values(), key=lambda s: s.place)

LITTLE = Vocabulary(
    phases={"play": LocalizedText(en="play")},
    roles={"offender": {}, "offender-partner": {}},
    duties={"leads": {}, "leads-freely": {}, "does-not-lead": {}},
    objects={"suit": {}},
)
ROWS = {
    ("duties", "leads"): ("leads | lead_it_is", "not_lead* | leads_any"),
    ("duties", "leads-freely"): ("leads_any_card", ""),
    ("duties", "does-not-lead"): ("does not lead", ""),
    ("roles", "offender"): ("offender*", "offender's_partner"),
    ("roles", "offender-partner"): ("offender's_partner | his partner", ""),
    ("roles", "offender-partner leads"): ("partner's lead_it_is", ""),
    ("objects", "suit"): ("suit*", ""),
    ("orders", "off 26"): ("no restriction*", ""),
}


def little() -> Phrases:
    phrases = LanguagePhrases()
    for key, cells in ROWS.items():
        phrases.add(key, parse_row(*cells))
    return {"en": phrases}


def found(orders: str, text: str, phrases: Phrases | None = None, lists: Vocabulary = LITTLE, lang: str = "en"):
    sentence = Sentence(tuple(orders.split(" + ")), (), LocalizedText({lang: text}), ("spoken/a.tsv", 2))
    return [
        finding.removeprefix(f"“{text}” ({lang}) ")
        for finding, _ in phrase_faults(sentence, phrases or little(), lists)
    ]


@pytest.mark.parametrize(
    "orders, text, faults",
    [
        ("offender leads suit", "The offender leads that suit.", []),
        ("offender leads suit", "THE OFFENDER'S side leads the suits.", []),
        # Another person, whose name has the same word in it
        ("offender leads", "The offender's partner leads.", ["does not say “offender leads” (roles)."]),
        ("offender-partner leads", "The offender leads.", ["does not say “offender-partner leads” (roles)."]),
        ("offender-partner leads", "The offender passes, his own partner leads.", []),
        # A person who need not be named with this duty
        ("offender-partner leads", "It is partner's lead it is.", []),
        (
            "offender-partner leads-freely",
            "Partner's: leads any card.",
            ["does not say “offender-partner leads-freely” (roles)."],
        ),
        # The object is missing
        ("offender leads suit", "The offender leads.", ["does not say “suit” (objects)."]),
        # Another duty, of which the words of this one are a part
        (
            "offender leads",
            "The offender leads any card.",
            ["does not say “leads” (duties).", "says “leads-freely”, which it does not name."],
        ),
        # A denial
        (
            "offender leads",
            "The offender does not lead, lead it is.",
            ["says “does-not-lead”, which it does not name."],
        ),
        ("offender does-not-lead", "The offender does not yet lead.", []),
        # What a named order says is not said by another
        ("offender leads-freely", "The offender leads any card.", []),
        ("offender leads-freely", "The offender leads any card. He leads.", ["says “leads”, which it does not name."]),
        ("offender leads + offender leads-freely", "The offender leads. He leads any card.", []),
        # What stands until when and if is no object
        ("offender leads until:end if:he-can", "The offender leads.", []),
        # The place of a bid stands for its words
        ("offender leads suit", "The offender leads {lowest: the suit}.", []),
        ("offender leads suit", "The offender leads {suit: it}.", ["does not say “suit” (objects)."]),
        # Orders that are no duties: said where there is a row
        ("off 26", "There are no lead restrictions.", []),
        ("off 26", "All is well.", ["does not say “off 26” (orders)."]),
        ("off 27", "All is well.", []),
        ("leads", "All is well.", []),
        ("off 27", "He leads.", ["says “leads”, which it does not name."]),
    ],
)
def test_what_the_account_finds(orders, text, faults):
    assert found(orders, text) == faults


def test_what_has_no_row_is_a_fault():
    lists = replace(LITTLE, roles={**LITTLE.roles, "dummy": {}}, duties={**LITTLE.duties, "passes": {}})
    assert found("dummy passes", "Dummy passes.", lists=lists) == [
        "“passes” (duties) has no phrases in en.",
        "“dummy passes” (roles) has no phrases in en.",
    ]


def test_a_person_may_be_silent():
    phrases = little()
    phrases["en"].add(("roles", "offender"), parse_row("*"))
    assert found("offender leads", "He leads.", phrases) == []


@pytest.mark.parametrize(
    "lines, expected",
    [
        ("duties\tleads\tleads\t\nroles\tdirector\t*\t\n", []),
        ("duties\tleads\tmust_lead | will lead*\tnot_lead\n", []),
        ("verbs\tleads\tleads\t\n", ["2: “verbs” is no list."]),
        ("duties\tleads\t\t\n", ["2: “” is no phrase."]),
        ("duties\tleads\tleads |  lead\t\n", ["2: “ lead” is no phrase."]),
        ("duties\tleads\tle*ads\t\n", ["2: “le*ads” is no phrase."]),
        ("duties\tleads\tleads | *\t\n", ["2: “*” is no phrase."]),
        ("duties\tleads\tleads\t*\n", ["2: “*” is no phrase."]),
        ("duties\tleads\tLeads\t\n", ["2: “Leads” has capital letters."]),
        ("duties\tplays\tplays\t\nduties\tleads\tleads\t\n", ["3: “duties leads” comes after “duties plays”."]),
        ("duties\tleads\tleads\t\nduties\tleads\tlead\t\n", ["3: “duties leads” comes after “duties leads”."]),
    ],
)
def test_rows_that_cannot_be_read(tmp_path: Path, lines, expected):
    (tmp_path / "spoken" / "phrases").mkdir(parents=True)
    (tmp_path / "spoken" / "phrases" / "en.tsv").write_text("\t".join(COLUMNS) + "\n" + lines, encoding="utf-8")
    _, problems = read_phrases(tmp_path, ["en"])
    assert [f"{p.line}: {p.finding}" for p in problems] == expected
    assert {p.file for p in problems} <= {"spoken/phrases/en.tsv"}


# -- The list of the corpus --


def test_the_rows_can_be_read():
    assert PROBLEMS == []


def test_each_word_that_a_sentence_names_has_a_row_and_each_row_is_needed():
    named = {key for s in SENTENCES for order in s.orders for key in named_in(order, LISTS)}
    words = {(list_, id_.split(" ")[0] if list_ == "roles" else id_) for list_, id_ in named if list_ != "orders"}
    for lang in LISTS.languages:
        rows = PHRASES[lang].rows
        assert words - set(rows) == set(), lang
        assert {key for key in rows if key not in words and key not in named} == set(), lang


def test_every_language_has_the_same_rows():
    assert len({frozenset(PHRASES[lang].rows) for lang in LISTS.languages}) == 1


def test_every_sentence_says_its_orders_and_no_other():
    began = time.process_time()
    faults = [f"{s.place[0]}:{s.place[1]}: {f}" for s in SENTENCES for f, _ in phrase_faults(s, PHRASES, LISTS)]
    assert faults == []
    assert time.process_time() - began < 2


PLANTED = [  # orders, language, a sentence that is right, the same with a fault, what is found
    (
        "offender picks-up led-card",
        "en",
        "The offender takes the card he led back into his hand.",
        "The offender's partner takes the card he led back into his hand.",
        ["does not say “offender picks-up” (roles)."],
    ),
    (
        "offender-partner passes-throughout until:end-of-auction",
        "pl",
        "Partner wykraczającego musi pasować do końca licytacji.",
        "Wykraczający musi pasować do końca licytacji.",
        ["does not say “offender-partner passes-throughout” (roles)."],
    ),
    (
        "offender-partner passes-next-turn",
        "sk",
        "Partner previnivšieho hráča musí pasovať, keď bude najbližšie na rade.",
        "Partner previnivšieho hráča musí pasovať do konca licitácie.",
        ["does not say “passes-next-turn” (duties).", "says “passes-throughout”, which it does not name."],
    ),
    (
        "non-offending-side may-use information-from-withdrawn-plays",
        "hr",
        "Nedužna strana smije koristiti informacije iz povučenih karata.",
        "Nedužna strana ne smije koristiti informacije iz povučenih karata.",
        ["does not say “may-use” (duties).", "says “does-not-use”, which it does not name."],
    ),
    (
        "director adjusts",
        "en",
        "An adjusted score will be awarded.",
        "An artificial adjusted score will be awarded.",
        ["does not say “adjusts” (duties).", "says “adjusts-artificially”, which it does not name."],
    ),
    (
        "director adjusts",
        "sk",
        "Vedúci pridelí upravený výsledok.",
        "Vedúci môže prideliť upravený výsledok.",
        ["does not say “adjusts” (duties).", "says “may-adjust”, which it does not name."],
    ),
    (
        "declarer requires-lead penalty-suit",
        "pl",
        "Rozgrywający może nakazać wyjście w kolor karty przygwożdżonej.",
        "Rozgrywający może nakazać wyjście.",
        ["does not say “penalty-suit” (objects)."],
    ),
    (
        "declarer forbids-lead any-one-suit",
        "hr",
        "Izvođač može zabraniti izlaz u bilo kojoj jednoj boji.",
        "Izvođač može zatražiti izlaz u bilo kojoj jednoj boji.",
        ["does not say “forbids-lead” (duties).", "says “requires-lead”, which it does not name."],
    ),
    (
        "director cancels second-call",
        "pl",
        "Drugą zapowiedź unieważnia się.",
        "Drugą zapowiedź unieważnia się, a pierwsza zapowiedź pozostaje w mocy.",
        ["says “lets-stand”, which it does not name."],
    ),
    (
        "offending-side may-not-choose-what-could-be-suggested",
        "en",
        "The offending side may not choose a play that this information could have suggested.",
        "The offending side may not choose a play that this information suggests.",
        [
            "does not say “may-not-choose-what-could-be-suggested” (duties).",
            "says “ignores-withdrawn”, which it does not name.",
            "says “may-not-choose-suggested”, which it does not name.",
        ],
    ),
    (
        "offender leaves-face-up major-penalty-card if:becomes-defender",
        "en",
        "If the offender becomes a defender, the major penalty card stays face up on the table.",
        "If the offender becomes a defender, the penalty card stays face up on the table.",
        ["does not say “major-penalty-card” (objects)."],
    ),
    (
        "dummy spreads-hand",
        "hr",
        "Mrtvac izlaže svoj list.",
        "Izvođač izlaže svoj list.",
        ["does not say “dummy spreads-hand” (roles)."],
    ),
    # The words of another language
    (
        "dummy spreads-hand",
        "sk",
        "Tichý hráč vyloží svoj list.",
        "Dziadek wykłada swoją rękę.",
        ["does not say “spreads-hand” (duties).", "does not say “dummy spreads-hand” (roles)."],
    ),
]


@pytest.mark.parametrize("orders, lang, right, wrong, faults", PLANTED)
def test_planted_faults_are_found(orders, lang, right, wrong, faults):
    assert found(orders, right, PHRASES, LISTS, lang) == []
    assert sorted(found(orders, wrong, PHRASES, LISTS, lang)) == sorted(faults)


def test_a_sentence_in_the_words_of_another_language_is_a_fault():
    duties = [s for s in SENTENCES if any(key[0] == "duties" for key in named_in(s.orders[0], LISTS))]
    for sentence in sampled(duties):
        for lang in LISTS.languages:
            for other in LISTS.languages:
                if sentence.text[other] != sentence.text[lang]:
                    text = LocalizedText({lang: sentence.text[other]})
                    assert any(phrase_faults(replace(sentence, text=text), PHRASES, LISTS)), (sentence, lang, other)


def faults_by_language(orders: tuple[str, ...], text: dict[str, str]) -> list[list[str]]:
    parts = [Sentence(orders, (), LocalizedText({lang: text[lang]}), ("spoken/a.tsv", 2)) for lang in LISTS.languages]
    return [[finding for finding, _ in phrase_faults(part, PHRASES, LISTS)] for part in parts]


def test_a_sentence_that_says_one_duty_more_is_a_fault():
    single = [s for s in SENTENCES if len(s.orders) == 1 and next(named_in(s.orders[0], LISTS))[0] == "duties"]
    by_duty = {s.orders[0].split(" ")[1]: s for s in single}
    for sentence in single[:: len(single) // 5]:
        for do, more in by_duty.items():
            both = {lang: f"{sentence.text[lang]} {more.text[lang]}" for lang in LISTS.languages}
            for alone, joined in zip(
                faults_by_language(sentence.orders, more.text), faults_by_language(sentence.orders, both), strict=True
            ):
                says = f"says “{do}”, which it does not name."
                assert any(f.endswith(says) for f in joined) or not any(f.endswith(says) for f in alone), (more, both)
