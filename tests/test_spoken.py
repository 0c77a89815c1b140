"""What the director says: sentences name the orders that they speak, and a row says what it orders, now and later."""

from __future__ import annotations

import pytest

from corpus.files import LocalizedText
from corpus.situation.model import (
    Also,
    Answer,
    Ask,
    DecisionTable,
    Duty,
    Goto,
    Later,
    Retired,
    Row,
    Situation,
    Slice,
    Vocabulary,
    common_first_step,
    renew_answers,
    row_label,
)
from corpus.situation.problems import table_faults
from corpus.situation.spoken import Sentence, Sentences, read_sentences, sentence_problems, steps_of_row, with_steps

LANGS = ("pl", "en")
LISTS = Vocabulary(phases={"play": LocalizedText(dict.fromkeys(LANGS, "play"))})
SAYS = (Slice(path="27/B"),)
PASSES = Duty(do="passes-once", who="partner")
CANCELS = Duty(do="cancels", who="director", what="call")
LEADS = Duty(do="leads", who="partner", until="end", if_="he-can")


def words(text: str) -> LocalizedText:
    return LocalizedText({lang: f"{text} {lang}." for lang in LANGS})


def sentences(*orders: str, only: str = "") -> Sentences:
    by_order: dict[str, list[Sentence]] = {}
    for n, written in enumerate(orders):
        chosen, _, situation = written.partition(" @")
        its = Sentence(tuple(chosen.split(" + ")), tuple(situation.split()), words(chosen), ("spoken/a.tsv", n + 2))
        for order in its.orders:
            by_order.setdefault(order, []).append(its)
    return Sentences(by_order)


def said(row: Row, known: Sentences, *asks: Ask) -> tuple[list[tuple[str, list[str]]], list[str]]:
    steps, missing = steps_of_row("revoke", row, {ask.id: ask for ask in asks}, known)
    return [(s.when, [x.text["en"].removesuffix(" en.") for x in s.say]) for s in steps], missing


def row(**parts) -> Row:
    return Row(id="row", says=SAYS, **parts)


LATER = Later(when="end-of-play", kind="fact", says=SAYS, duties=(LEADS,))
LEADS_ORDER = "partner leads until:end if:he-can"


@pytest.mark.parametrize(
    "its, known, steps",
    [
        (row(duties=(PASSES,)), ["partner passes-once"], [("", ["partner passes-once"])]),
        # One sentence for two orders comes before one for each.
        (
            row(duties=(CANCELS, PASSES)),
            ["director cancels call", "partner passes-once", "partner passes-once + director cancels call"],
            [("", ["partner passes-once + director cancels call"])],
        ),
        # A sentence that says more than the row orders is not said.
        (
            row(duties=(PASSES,)),
            ["partner passes-once + off 26/B", "partner passes-once"],
            [("", ["partner passes-once"])],
        ),
        # One for the situation comes before one for all; one for another situation is not said.
        (
            row(duties=(PASSES,)),
            ["partner passes-once", "partner passes-once @revoke"],
            [("", ["partner passes-once"])],
        ),
        (row(duties=(PASSES,)), ["partner passes-once @claim", "partner passes-once"], [("", ["partner passes-once"])]),
        # What comes later is a step of its own.
        (
            row(duties=(PASSES,), then=(LATER,)),
            ["partner passes-once", LEADS_ORDER],
            [("", ["partner passes-once"]), ("end-of-play", [LEADS_ORDER])],
        ),
        (
            row(duties=(PASSES,), off=("26/B",)),
            ["off 26/B", "partner passes-once"],
            [("", ["partner passes-once", "off 26/B"])],
        ),
        (row(goto=Goto(situation="claim")), ["goto claim"], [("", ["goto claim"])]),
        (row(goto=Goto(situation="claim", duties=(PASSES,))), ["partner passes-once"], [("", ["partner passes-once"])]),
        (
            row(duties=(PASSES,), also=(Also(says=SAYS),)),
            ["partner passes-once + quotes 27/B"],
            [("", ["partner passes-once + quotes 27/B"])],
        ),
    ],
)
def test_a_row_says_what_it_orders(its, known, steps):
    assert said(its, sentences(*known)) == (steps, [])


def test_the_sentence_for_the_situation_itself_is_taken():
    known = sentences("partner passes-once", "partner passes-once @revoke")
    steps, _ = steps_of_row("revoke", row(duties=(PASSES,)), {}, known)
    assert known.used == {("spoken/a.tsv", 3)} and len(steps[0].say) == 1


def test_an_order_without_a_sentence_is_named():
    assert said(row(duties=(PASSES, CANCELS)), sentences("partner passes-once"))[1] == ["director cancels call"]


def test_a_sentence_names_by_number_what_it_speaks():
    its = row(duties=(CANCELS, PASSES), off=("26/B",), also=(Also(says=SAYS, duties=(CANCELS,)),), then=(LATER,))
    known = sentences("director cancels call", "partner passes-once + off 26/B", LEADS_ORDER)
    steps, _ = steps_of_row("revoke", its, {}, known)
    first, second = steps[0].say
    assert (first.duties, first.off, first.also) == ((0,), (), (0,))
    assert (second.duties, second.off, second.also) == ((1,), ("26/B",), ())
    assert [s.then for s in steps[1].say] == [(0,)]


ASK = Ask(
    id="early",
    kind="fact",
    question=words("Early?"),
    answer=(
        Answer(id="yes", text=words("yes"), clause=LocalizedText(dict.fromkeys(LANGS, "If he was early"))),
        Answer(id="no", text=words("no")),
    ),
)


@pytest.mark.parametrize("answer, clause", [("yes", "If he was early"), ("no", "Early? en. no en.")])
def test_what_an_answer_decides_is_said_under_its_condition(answer, clause):
    its = row(duties=(PASSES,), also=(Also(if_={"early": (answer,)}, says=SAYS, duties=(PASSES,)),))
    steps, missing = steps_of_row("revoke", its, {"early": ASK}, sentences("partner passes-once"))
    assert not missing and [s.clause.get("en", "") for s in steps[0].say] == ["", clause]


# -- Situations with planted faults ---


def situation(*rows: Row, when: str = "", retired: tuple[Retired, ...] = ()) -> Situation:
    ask = Ask(id="early", kind="fact", when=when, question=words("?"), answer=ASK.answer)
    return Situation(
        id="revoke",
        phase="play",
        name=words("Revoke"),
        said={},
        provisions={},
        ask=(ask,),
        table={"2017": DecisionTable(asks=("early",), row=rows)},
        retired=retired,
    )


def rows(*duties: tuple[Duty, ...], then: tuple[Later, ...] = ()) -> tuple[Row, Row]:
    yes, no = (
        Row(id=a, if_={"early": (a,)}, says=SAYS, duties=its) for a, its in zip(("yes", "no"), duties, strict=True)
    )
    return yes, Row(id=no.id, if_=no.if_, says=SAYS, duties=no.duties, then=then)


EVERY = sentences("partner passes-once", "director cancels call", LEADS_ORDER)
MANY = tuple(Duty(do=f"does-{n}", who="partner") for n in range(4))


@pytest.mark.parametrize(
    "its, known, findings",
    [
        (situation(*rows((PASSES,), (CANCELS,))), EVERY, []),
        (situation(*rows((PASSES,), (CANCELS,))), Sentences(), []),  # nothing is written yet
        (
            situation(*rows((PASSES,), (LEADS,))),
            sentences("partner passes-once"),
            [f"No sentence of “no” speaks “{LEADS_ORDER}”."],
        ),
        (
            situation(*rows((PASSES,), (CANCELS,)), when="end-of-play"),
            EVERY,
            ["“yes” and “no” order different things now; only a later event tells them apart."],
        ),
        (situation(*rows((PASSES,), (PASSES,), then=(LATER,)), when="end-of-play"), EVERY, []),
        (
            situation(*rows((PASSES,), MANY)),
            sentences("partner passes-once", *(d.written_order for d in MANY)),
            ["“no” has 4 sentences now."],
        ),
    ],
)
def test_what_cannot_be_said_or_comes_too_early_is_a_fault(its, known, findings):
    assert [f.finding for f in with_steps(its, known)[1]] == findings


def test_what_holds_now_is_known_while_a_later_answer_is_open():
    done, _ = with_steps(situation(*rows((PASSES,), (PASSES,), then=(LATER,)), when="end-of-play"), EVERY)
    yes, no = done.table["2017"].row
    assert common_first_step((yes, no)) is yes
    done, _ = with_steps(situation(*rows((PASSES,), (CANCELS,))), EVERY)
    assert common_first_step(done.table["2017"].row) is None


def test_a_row_is_named_by_the_answer_that_leads_to_it():
    its = situation(*rows((PASSES,), (CANCELS,)))
    assert [row_label(its, "2017", r)["en"] for r in its.table["2017"].row] == ["yes en.", "no en."]
    assert row_label(its, "2017", row())["en"] == "Revoke en."


OLD = Retired(ask="early", answer="perhaps", leads={"early": "yes"})
GONE = Retired(ask="when")


@pytest.mark.parametrize(
    "given, renewed, undecided",
    [
        ({"early": ("no",)}, {"early": ("no",)}, []),
        ({"early": ("perhaps",)}, {"early": ("yes",)}, []),
        ({"when": ("now",), "early": ("no",)}, {"early": ("no",)}, ["when"]),
        ({"who": ("he",)}, {"who": ("he",)}, []),
    ],
)
def test_a_retired_answer_of_an_address_leads_to_what_means_the_same(given, renewed, undecided):
    its = situation(*rows((PASSES,), (CANCELS,)), retired=(OLD, GONE))
    assert renew_answers(its, "2017", given) == (renewed, undecided)


@pytest.mark.parametrize(
    "old, findings",
    [
        (OLD, []),
        (GONE, []),
        (Retired(ask="early", answer="yes"), ["“yes” is retired and used in 2017."]),
        (Retired(ask="early"), ["“early” is retired and used in 2017."]),
        (Retired(row="yes"), ["“yes” is retired and used in 2017."]),
        (Retired(ask="when", leads={"early": "soon"}), ["“early = soon” is no answer in 2017."]),
        (Retired(row="old", row_now="new"), ["There is no row “new” of 2017."]),
        (Retired(ask="when", codes=("1990",)), ["There is no table for “1990”."]),
    ],
)
def test_an_id_is_never_used_again(old, findings):
    assert [f.finding for f in table_faults(situation(*rows((PASSES,), (CANCELS,)), retired=(old,)))] == findings


# -- The file ---

HEADER = "orders\tonly\tpl\ten\n"


@pytest.mark.parametrize(
    "lines, findings",
    [
        ("partner passes-once\t\tPasuje.\tHe passes.\n", []),
        ("partner passes-once\t\tPasuje\tHe passes.\n", ["2: “Pasuje” (pl) is no whole sentence."]),
        ("partner passes-once\t\t\tHe passes.\n", ["2: “” (pl) is no whole sentence."]),
        ("partner passes-once\tnowhere\tPasuje.\tHe passes.\n", ["2: There is no situation “nowhere”."]),
        ("a b + c d\t\tX.\tX.\nc d + a b\t\tY.\tY.\n", ["3: spoken/a.tsv:2 speaks the same orders."]),
        ("a b\t\tX.\tX.\na b\trevoke\tY.\tY.\n", []),
    ],
)
def test_the_faults_of_a_sentence_are_reported_with_their_line(tmp_path, lines, findings):
    (tmp_path / "spoken").mkdir()
    (tmp_path / "spoken" / "a.tsv").write_text(HEADER + lines, encoding="utf-8")
    _, problems = read_sentences(tmp_path, LISTS, ["revoke"])
    assert [f"{p.line}: {p.finding}" for p in problems] == findings


def test_a_sentence_that_no_row_takes_is_noted():
    known = sentences("partner passes-once", "director cancels call")
    steps_of_row("revoke", row(duties=(PASSES,)), {}, known)
    assert [(p.line, p.fatal) for p in sentence_problems(known)] == [(3, False)]
