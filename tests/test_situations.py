"""What the situations of the corpus promise: enough of them, each answer leads to one row, every word is quoted."""

from __future__ import annotations

import itertools
import re
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from corpus import files
from corpus.layers import read_layers
from corpus.model import NodeId
from corpus.situation.model import (
    NONE,
    Also,
    Answer,
    Ask,
    DecisionTable,
    Row,
    Situation,
    Slice,
    also_applies,
    next_ask,
    read_answers,
    row_matches,
    rows_still_possible,
)
from tools.situations_page import COLUMNS, FINDINGS, read_bundles, situations_page_text

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "corpus"

# What a director is called for most: these have questions in every code.
DOZEN = """
    insufficient-bid bid-out-of-turn pass-out-of-turn double-out-of-turn changed-call
    opening-lead-out-of-turn lead-out-of-turn-defender lead-out-of-turn-declarer exposed-card
    two-penalty-cards card-taken-back revoke-established revoke-not-established claim-contested
    wrong-board wrong-number-of-cards unauthorised-information defective-trick
""".split()


def tables(library):
    return [(s, code) for s in library.situations.values() for code in s.table]


def test_there_are_enough(library):
    every = library.situations
    assert len(every) >= 120 and {s.phase for s in every.values()} == set(library.vocabulary.phases)
    assert all(set(every[id_].table) == {"1997", "2007", "2017"} for id_ in DOZEN)
    tiles = sorted(s.tile for s in every.values() if s.tile)
    assert tiles == list(range(1, 13)) and all(s.table for s in every.values() if s.tile)


def test_each_is_told_in_every_language(library):
    for situation in library.situations.values():
        for lang in library.vocabulary.languages:
            assert len(situation.said[lang]) >= 16 and situation.name[lang], (situation.id, lang)


def test_every_code_has_provisions_first_those_that_decide(library):
    for situation in library.situations.values():
        assert situation.provisions["2017"] or situation.id == "law-not-covering", situation.id
        assert all(len(paths) <= 14 for paths in situation.provisions.values()), situation.id


def test_a_bundle_begins_with_what_decides(library):
    """Its own provisions; where there is room, what decides each neighbour."""
    seen = 0
    for situation in library.situations.values():
        for code, listed in situation.bundle.items():
            own = situation.provisions[code]
            near = [library.situations[id_].provisions.get(code, ())[:1] for id_ in situation.near]
            assert listed[: len(own)] == own and len(set(listed)) == len(listed)
            assert len(listed) <= max(8, len(own)) and {(p,) for p in listed[len(own) :]} <= set(near)
            seen += len(listed) > len(own)
    assert seen > 50


def test_every_combination_of_answers_meets_one_row(library):
    """All questions of a table, those that part no rows, too."""
    seen = 0
    for situation, code in tables(library):
        asks = situation.asks(code)
        for answers in itertools.product(*(ask.answers(code) for ask in asks)):
            said = dict(zip((ask.id for ask in asks), answers, strict=True))
            assert sum(row_matches(row, said) for row in situation.table[code].row) == 1, (situation.id, code, said)
            seen += 1
    assert seen > 2000


def test_questions_lead_to_a_row_and_to_every_row(library):
    """Answering what is asked next, and nothing else, decides; and no row is out of reach."""
    for situation, code in tables(library):
        reached, todo = set(), [{}]
        while todo:
            given = todo.pop()
            ask = next_ask(situation, code, given)
            rows = rows_still_possible(situation, code, given)
            if ask is None:
                assert len(rows) == 1, (situation.id, code, given)
                reached.add(rows[0].id)
                continue
            answers = [NONE, ask.ticks[code][0]] if ask.ticks else ask.answers(code)
            for answer in answers:
                known, wrong = read_answers(situation, code, {**given, ask.id: (answer,)})
                assert not wrong
                todo.append(known)
        assert reached == {row.id for row in situation.table[code].row}, (situation.id, code)


def asked(id_: str, *answers: str) -> Ask:
    return Ask(id=id_, kind="fact", question={}, answer=tuple(Answer(id=a, text={}) for a in answers))


def of_rows(asks: list[Ask], **rows: dict[str, tuple[str, ...]]) -> Situation:
    """One of a code “2017” with a row for each of the answers named."""
    row = tuple(Row(id=id_, if_=if_, says=(Slice(path="1"),)) for id_, if_ in rows.items())
    table = DecisionTable(asks=tuple(a.id for a in asks), row=row)
    return Situation(id="x", phase="play", name={}, said={}, provisions={}, ask=tuple(asks), table={"2017": table})


TWO_ASKS = of_rows(
    [asked("card", "seen", "shown", "hidden"), asked("side", "ours", "theirs")],
    open={"card": ("seen", "shown"), "side": ("ours",)},
    other={"card": ("seen", "shown"), "side": ("theirs",)},
    hidden={"card": ("hidden",)},
)


@pytest.mark.parametrize(
    "closed, left",
    [
        ([], ["open", "other", "hidden"]),
        ([("card", "seen")], ["open", "other", "hidden"]),  # “shown” may still be answered
        ([("card", "seen"), ("side", "theirs")], ["open", "hidden"]),
        ([("card", "seen"), ("card", "shown")], ["hidden"]),
        ([("card", "hidden")], ["open", "other"]),
        ([("side", "seen")], ["open", "other", "hidden"]),
    ],
)
def test_a_row_stays_open_while_one_of_the_answers_that_lead_to_it_does(closed, left):
    assert [row.id for row in rows_still_possible(TWO_ASKS, "2017", {}, frozenset(closed))] == left
    assert (next_ask(TWO_ASKS, "2017", {}, frozenset(closed)) is None) == (len(left) < 2)


@pytest.mark.parametrize(
    "given, left",
    [
        ({}, ["open", "other", "hidden"]),
        ({"card": ("shown",)}, ["open", "other"]),
        ({"card": ("hidden",)}, ["hidden"]),
        ({"side": ("ours",)}, ["open", "hidden"]),
        ({"card": ("seen",), "side": ("theirs",)}, ["other"]),
    ],
)
def test_an_answer_rules_out_the_rows_that_it_speaks_against_and_no_other(given, left):
    assert [row.id for row in rows_still_possible(TWO_ASKS, "2017", given)] == left


@pytest.mark.parametrize(
    "given, met",
    [
        ({}, None),
        ({"card": ("seen",)}, None),
        ({"card": ("hidden",)}, False),  # whatever will be said of the side
        ({"side": ("theirs",)}, False),
        ({"card": ("hidden",), "side": ("ours",)}, False),
        ({"card": ("shown",), "side": ("ours",)}, True),
        ({"card": ("hidden", "shown"), "side": ("ours",)}, True),  # of a tick list one is enough
    ],
)
def test_words_that_one_answer_refutes_do_not_count_though_another_question_is_open(given, met):
    also = Also(if_={"card": ("seen", "shown"), "side": ("ours",)}, says=())
    assert also_applies(also, given) is met and also_applies(Also(says=()), given) is True


def test_few_taps_lead_to_a_remedy(library):
    """Facts and judgments that the Director must answer before he knows, players' choices apart: three at most.

    Apart from what is asked of a left-hand opponent who has called over a call out of turn (did he mean to, and when),
    and of a card that is taken back because something was explained wrongly (a convention? another card since?).
    """
    of_his_call = {"over", "attention"}
    of_explanation = {"conventional", "next-card"}
    for situation, code in tables(library):
        for given in ways(situation, code):
            facts = [a for a in situation.asks(code) if a.id in given and a.kind != "choice" and not a.when]
            asked = [a.id for a in facts if a.id not in of_his_call or given.get("accepted") != ("lho-called",)]
            asked = [id_ for id_ in asked if id_ not in of_explanation]
            assert len(asked) <= 3, (situation.id, code, given)


def ways(situation, code, given=None):
    """Every way of answering what is asked next."""
    given = given or {}
    ask = next_ask(situation, code, given)
    if ask is None:
        yield given
        return
    for answer in [NONE, ask.ticks[code][0]] if ask.ticks else ask.answers(code):
        yield from ways(situation, code, {**given, ask.id: (answer,)})


def test_a_quotation_is_proved_by_slicing(library):
    """In every text of the code that has the law, the words that were written, or all of them."""
    seen = 0
    for situation, code in tables(library):
        for row in situation.table[code].row:
            for piece in row.slices:
                law = piece.path.partition("/")[0]
                having = [
                    e.id
                    for e in library.law_editions
                    if e.code == code and (law == "fn" or NodeId.of(e.id, law) in library.nodes)
                ]
                assert piece.quotes and {NodeId(q.node).edition for q in piece.quotes} <= set(having)
                assert law == "fn" or len(piece.quotes) == len(having), (situation.id, code, row.id, piece.path)
                for quote in piece.quotes:
                    node = library.nodes[quote.node]
                    words = node.words_in(quote.where)[quote.start : quote.end]
                    assert words and words == piece.words.get(node.edition, node.words_in(quote.where))
                    seen += 1
    assert seen > 800


def test_a_worked_case_of_every_table(library):
    for situation, code in tables(library):
        assert any(s.code == code for s in situation.scenario), (situation.id, code)


def test_every_word_of_the_closed_lists_is_used(library):
    """The lists stay short: what nothing says any more goes; the duty that orders nothing waits for a case."""
    used = {"phases": set(), "roles": set(), "duties": set(), "objects": set(), "moments": set(), "conditions": set()}
    used["facts"] = {row.fact for row in library.fact_phrases}
    for situation in library.situations.values():
        used["phases"].add(situation.phase)
        used["roles"].update(ask.by for ask in situation.ask)
        used["facts"].update(fact for ask in situation.ask for answer in ask.answer for fact in answer.facts)
        for table in situation.table.values():
            for row in table.row:
                used["moments"].update(t.when for t in row.then)
                used["roles"].update(t.by for t in row.then)
                told = [row.duties, *(t.duties for t in row.then), *(a.duties for a in row.also)]
                for duty in (d for duties in (*told, row.goto.duties if row.goto else ()) for d in duties):
                    for which, word in zip(
                        ("duties", "roles", "objects", "moments", "conditions"),
                        (duty.do, duty.who, duty.what, duty.until, duty.if_),
                        strict=True,
                    ):
                        used[which].add(word)
    used["duties"].add(tomllib.loads((CORPUS / "vocabulary/orders.toml").read_text(encoding="utf-8"))["undecided"])
    for which, words in vars(library.vocabulary).items():
        assert set(words) <= used[which], (which, set(words) - used[which])


@pytest.mark.parametrize(
    "given, said",
    [
        ({"in-turn": ["yes"]}, ["in-turn"]),
        ({"in-turn": ["yes", "no"]}, []),
        ({"in-turn": ["perhaps"]}, []),
        ({"in-turn": []}, []),
        ({"weather": ["fine"]}, []),
        ({"in-turn": ["yes"], "accepted": ["?"]}, ["in-turn"]),
    ],
)
def test_answers_of_an_address(library, given, said):
    known, wrong = read_answers(library.situations["insufficient-bid"], "2017", given)
    assert list(known) == said and set(wrong) == set(given) - set(said)


@pytest.mark.parametrize(
    "values, right",
    [
        (["none"], True),
        (["64/B/2"], True),
        (["64/B/2", "64/B/7"], True),
        (["none", "64/B/2"], False),
        (["some"], False),
    ],
)
def test_answers_of_a_tick_list(library, values, right):
    known, wrong = read_answers(library.situations["revoke-established"], "2017", {"exception": values})
    assert bool(known) == right and bool(wrong) != right


def test_the_condition_of_a_sentence_has_the_words_that_a_box_has_in_its_code(library):
    seen = 0
    for situation, code in tables(library):
        boxes = {ask.id: ask.tick_texts[code] for ask in situation.asks(code) if code in ask.tick_texts}
        for row in situation.table[code].row:
            for sentence in (said for step in row.steps for said in step.say if said.clause):
                conditions = [row.also[n].if_ for n in sentence.also]
                ticked = {
                    path: texts
                    for met in conditions
                    for ask in met
                    if ask in boxes
                    for path, texts in boxes[ask].items()
                    if path in met[ask]
                }
                for lang, clause in sentence.clause.items():
                    assert all(texts[lang] in clause for texts in ticked.values()), (situation.id, code, row.id, clause)
                seen += len(ticked)
    assert seen > 10


def test_the_findings_are_written_down(ingest):
    """docs/situations.md is what the data say; each finding names a situation or the closed lists, and its decision."""
    assert situations_page_text(ingest) == (ROOT / "docs" / "situations.md").read_text(encoding="utf-8")
    sheet = files.read_tsv(ROOT / "corpus" / FINDINGS, FINDINGS, COLUMNS)
    known = {s.id for s in ingest.situations.all} | {"–", "vocabulary"}
    assert not sheet.problems and len(sheet.rows) > 300
    for line, row in sheet.rows:
        assert set(row["situation"].split(", ")) <= known, (line, row["situation"])
        assert row["finding"] and row["decision"], line


def test_every_situation_has_a_table_or_a_reason_why_not(ingest):
    sheet = read_bundles()
    assert not sheet.problems
    without = [s.id for s in ingest.situations.all if not s.table]
    assert [row["situation"] for _, row in sheet.rows] == sorted(without) and all(
        row["reason"] for _, row in sheet.rows
    )


def test_every_row_and_word_was_read_by_two_as_it_stands(ingest):
    """A release has no row that changed since the second and the third reader read it."""
    assert len(ingest.situations.all) > 100
    assert not [str(p) for p in ingest.problems if "is not read by" in p.finding]


def test_the_file_of_the_documentation_is_sound(ingest, tmp_path):
    """It stands in the place of the file that it shortens; nobody has read its rows."""
    document = (ROOT / "docs" / "add-a-situation.md").read_text(encoding="utf-8")
    part = document.partition("\n## A complete file\n")[2].partition("\n## ")[0]
    (id_,) = re.findall(r"^This is `([\w-]+)\.toml`", part, re.MULTILINE)
    text = "\n".join(line[4:] for line in part.split("\n") if line.startswith("    ") or not line)
    for name in ("situations", "vocabulary"):
        shutil.copytree(CORPUS / name, tmp_path / name)
    (tmp_path / "situations" / f"{id_}.toml").write_text(text, encoding="utf-8")
    readings = tmp_path / "situations" / "readings.tsv"
    lines = readings.read_text(encoding="utf-8").splitlines(keepends=True)
    readings.write_text(
        "".join(line for line in lines if f"\t{id_}\t" not in line and not line.startswith(f"{id_}\t")),
        encoding="utf-8",
    )
    found = read_layers(replace(ingest, problems=[]), tmp_path, ("situations",))
    assert [str(p) for p in found.problems if p.fatal] == []
    assert found.situations.by_id()[id_].table.keys() == {"2007"}
