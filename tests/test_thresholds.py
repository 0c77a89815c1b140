"""Thresholds: a fault of the table is told with its line, the table of this corpus is whole, and one page shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_site import client, page, site  # noqa: F401
from little import node

from app.site import reader
from corpus import threshold
from corpus.model import NodeId
from corpus.threshold import Threshold

WORDS = {"aa-1997/1": "It is likely.", "aa-2007/1": "It is possible.", "aa-2007/2": "It is likely, quite likely."}
NODES = {NodeId(id_): node(NodeId(id_), "aa", 2000, "law", text=text) for id_, text in WORDS.items()}
NODES[NodeId("ab-1997/2")] = node(NodeId("ab-1997/2"), "ab", 1997, "law", text="It is so.")
SOUND = """\
[forms]
aa = ["likel"]

[[aside]]
node = "aa-2007/2"
words = "quite likely"
why = "nothing is judged"

[[threshold]]
id = "one"
name = {aa = "eins", en = "one"}
same = false
cause = "translation"
at = [
  {node = "aa-1997/1", words = "likely", level = "a"},
  {node = "aa-2007/1", words = "possible", level = "b"},
]
source = [{url = "https://laws.example/1", read = "2026-11-23", readers = 2, finds = {aa = "zwei", en = "two"}}]

[[threshold]]
id = "two"
name = {aa = "drei", en = "three"}
same = true
at = [{node = "ab-1997/2", words = "so"}]
absent = {aa-1997 = "provision", aa-2007 = "words"}
"""


def read(folder: Path, text: str, cause: str | None = None) -> tuple[tuple[Threshold, ...], list[str]]:
    """What is read of a table, and what is wrong with it; ``cause``: the concordance's, of the first two provisions."""
    (folder / threshold.FILE).write_text(text, encoding="utf-8")
    known = ("aa-1997", "aa-2007", "ab-1997", "ac-2017")
    stated = {(NodeId("aa-1997/1"), NodeId("aa-2007/1")): (cause, "concordances/aa.tsv:7")} if cause else {}
    texts = threshold.ThresholdTexts(NODES, known, {"aa-1997", "aa-2007"}, stated)
    found, problems = threshold.read_thresholds(folder, texts)
    return found, [f"{p.line}{'' if p.fatal else ' (open)'}: {p.finding}" for p in problems]


def test_a_sound_table_has_no_problem(tmp_path):
    (one, two), problems = read(tmp_path, SOUND, "translation")
    assert not problems
    assert [(NODES[w.quote.node].words_of_span(w.quote), w.level) for w in one.words] == [
        ("likely", "a"),
        ("possible", "b"),
    ]
    assert one.nodes == {"aa-1997/1", "aa-2007/1"} and one.source[0].read_by == 2
    assert two.same and two.absent == {"aa-1997": "provision", "aa-2007": "words"}


def test_no_file_is_no_threshold(tmp_path):
    assert threshold.read_thresholds(tmp_path, threshold.ThresholdTexts(NODES, (), (), {})) == ((), [])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (('words = "likely", level', 'words = "certain", level'), "15: “certain” does not stand in the text"),
        (("aa-1997/1", "aa-1997/9"), "15: There is no aa-1997/9."),
        (("aa-1997/1", "zz-1997/1"), "15: “zz-1997” is no edition."),
        (('level = "b"', 'level = "a"'), "14: The thresholds differ, and the levels do not say where."),
        ((', level = "b"', ""), "14: The thresholds differ, and the levels do not say where."),
        (('level = "b"', 'level = "B"'), "16: “threshold.at.level” is 'B'."),
        (('cause = "translation"\n', ""), "12: The thresholds differ, and there is no cause."),
        (('cause = "translation"', 'cause = "print"'), "13: “threshold.cause” is “print”."),
        (("readers = 2", "readers = 1"), "13: The cause is “translation”, and no source was read by two."),
        (("readers = 2", "readers = 0"), "18: “threshold.source.readers” is 0."),
        (("2026-11-23", "2026-13-23"), "18: “threshold.source.read” is “2026-13-23”, which is no date."),
        (('finds = {aa = "zwei", en', "finds = {en"), "18: “source” is not said in each language."),
        (('{aa = "drei", en = "three"}', '{aa = "drei"}'), "22: “name” is not said in each language."),
        (('id = "two"', 'id = "one"'), "21: “one” stands in the file twice."),
        (("same = true", 'same = true\ncause = "unknown"'), "24: The thresholds are the same, and “cause” says"),
        (("same = true", 'same = true\nalso = "x"'), "24: The thresholds are the same, and “also” says"),
        (('words = "so"', 'words = "so", level = "a"'), "24: The thresholds are the same, and have levels."),
        (('at = [{node = "ab-1997/2", words = "so"}]', "at = []"), "24: No words are quoted."),
        (('aa-2007 = "words"', 'ab-1997 = "words"'), "25: ab-1997 is quoted and absent."),
        (('aa-2007 = "words"', 'zz-2007 = "words"'), "25: “zz-2007” is no edition."),
        (('aa-2007 = "words"', 'aa-2007 = "extract"'), "25: aa-2007 is no extract."),
        ((', aa-2007 = "words"', ""), "24 (open): aa-2007 is not there."),
        (('words = "quite likely"', 'words = "most likely"'), "4: “most likely” does not stand in the text"),
        (('why = "nothing is judged"', 'why = ""'), "7: “aside.why” is empty."),
    ],
    ids=lambda change: change[1].strip() if isinstance(change, tuple) else None,
)
def test_a_fault_of_the_table_is_told_with_its_line(tmp_path, change, problem):
    assert change[0] in SOUND
    _, problems = read(tmp_path, SOUND.replace(*change, 1), None)
    assert any(p.startswith(problem) for p in problems), problems


def test_words_of_thresholds_that_nobody_decided_are_reported(tmp_path):
    text = SOUND.replace('node = "aa-2007/2"\nwords = "quite likely"', 'node = "aa-1997/1"\nwords = "likely"')
    assert read(tmp_path, text)[1] == ["1 (open): “likely” stands in aa-2007/2, which no row quotes."]


@pytest.mark.parametrize(
    ("cause", "change", "told"),
    [
        ("code", ("", ""), True),
        ("unknown", ("", ""), True),
        ("translation", ("", ""), False),
        (None, ("", ""), False),
        ("code", ("source = [", 'also = "its number changed"\nsource = ['), False),
        ("code", ('cause = "translation"', 'cause = "unknown"'), True),
        ("unknown", ('cause = "translation"', 'cause = "unknown"'), False),
        ("code", ('level = "b"},', 'level = "a"},\n  {node = "ab-1997/2", words = "so", level = "b"},'), False),
    ],
)
def test_the_concordance_states_the_same_cause_or_the_row_says_what_else_differs(tmp_path, cause, change, told):
    _, problems = read(tmp_path, SOUND.replace(*change), cause)
    finding = f"13 (open): concordances/aa.tsv:7 says “{cause}” of aa-1997/1 and aa-2007/1"
    assert [p.startswith(finding) for p in problems] == [True] * told


def test_a_row_about_an_edition_that_was_not_read_waits(tmp_path):
    text = SOUND.replace('{node = "ab-1997/2", words = "so"}', '{node = "ac-2017/2", words = "so"}')
    found, problems = read(tmp_path, text)
    assert [t.id for t in found] == ["one"] and not problems


# ── this corpus ───────────────────────────────────────────────────────────────────────────────────


def test_every_text_of_the_laws_is_quoted(library):
    quoted = {id_.edition for t in library.thresholds for id_ in t.nodes}
    assert quoted == {e.id for e in library.law_editions} and len(library.thresholds) >= 60


def test_a_known_cause_has_an_address_that_two_read(library):
    known = [t for t in library.thresholds if t.cause in threshold.KNOWN_CAUSES]
    assert "claim-unaware-of-trump" in {t.id for t in known}
    assert all(any(s.read_by >= threshold.MIN_READERS for s in t.source) for t in known)


# ── the site ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_the_page_has_every_matter_with_the_words_of_each_text(client, library, ui):
    found = page(client, f"/thresholds/?ui={ui}")
    for t in library.thresholds:
        section = found.select_one(f"section#{t.id}")
        assert section.h2.get_text() == t.name[ui]
        quoted = [(q["lang"], q.get_text()) for q in section.select("q")]
        nodes = [library.nodes[w.quote.node] for w in t.words]
        assert sorted(quoted) == sorted((n.lang, n.words_of_span(w.quote)) for n, w in zip(nodes, t.words, strict=True))
        assert len(section.select(".gone")) == len(t.absent)
        assert len(section.select("a[rel=external]")) == len(t.source)
        assert all(s.finds[ui] in section.get_text() for s in t.source)


def test_what_differs_says_so_and_why(client):
    found = page(client, "/thresholds/")
    says = lambda id_: found.select_one(f"#{id_} > p").get_text()
    assert "a translation differs" in says("claim-unaware-of-trump")
    assert "the reason is not known" in says("damage-likely")
    assert "the same threshold" in says("could-have-known")
    assert "Only this text" in says("repeated-revoke")
    assert "so printed" in found.select_one("#claim-unaware-of-trump .slipped").get_text()
    assert [t.get_text() for t in found.select("#claim-unaware-of-trump .tag")] == ["A", "B", "C"]


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_the_terms_and_the_laws_that_it_quotes_lead_there(client, library, ui):
    assert page(client, f"/terms/?ui={ui}").select('a[href="/thresholds/"]')
    link = 'a[href="/thresholds/#claim-doubt"]'
    for edition in ("hr-1997", "pl-2007", "sk-2017"):
        assert page(client, f"/{edition}/70?ui={ui}").select(link)
    assert not page(client, f"/sk-2017/1?ui={ui}").select('a[href^="/thresholds/"]')


def test_the_same_as_json(client, library):
    found = client.get("/thresholds.json").json["thresholds"]
    assert [t["id"] for t in found] == [t.id for t in library.thresholds]
    one = next(t for t in found if t["id"] == "claim-unaware-of-trump")
    assert (one["same"], one["cause"], len(one["sources"])) == (False, "translation", 3)
    assert next((w["node"], w["level"]) for w in one["words"]) == ("hr-1997/70/C/2", "a")
