"""The marks of strength of two texts beside each other: every disagreement is found, or the data says why it stands."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from strangers import CORPUS, write_edition

from corpus import ingest
from corpus.library import Library
from corpus.relation import cross_checks
from corpus.strength import FILE, kind_of_strength

OLD, NEW = "xx-2030", "yy-2031"
TEXT = """\
INTRODUCTION
“May” do, “should” do, “must” do, “shall not” is a prohibition, “must not” a stronger one.

LAW 1 — ONE

A. Leads
{}
B. Plays
{}

LAW 2 — TWO

He may bid, he should bid, he must bid, he shall not bid, he must not bid.

LAW 3 — THREE

He bids.
"""
KEYS = 'laws = "1–3"\n\n[[parts]]\npath = "intro"\nstart = \'^(?P<heading>INTRODUCTION)$\'\n'
STEPS = {
    "may": "“May” do",
    "should": "“should” do",
    "must": "“must” do",
    "strong-prohibition": "“shall not” is a prohibition",
    "strongest-prohibition": "“must not” a stronger one",
}
FORMS = {"strong-prohibition": "shall not", "strongest-prohibition": "must not"}
PROSE = 'loose = {en = "The text does not keep to it."}\n'


def scale(loose: tuple[str, ...] = (), more: str = "") -> str:
    """A strength.toml of all steps; those named are loose."""
    steps = (
        f'[[step]]\nstrength = "{s}"\nsentence = "{said}"\nforms = ["{FORMS.get(s, s)}"]\n' + PROSE * (s in loose)
        for s, said in STEPS.items()
    )
    return "\n".join(['node = "intro"\n', *steps, more])


def differs(node: str, other: str) -> str:
    """A row for an exception."""
    return f'[[differs]]\nnode = "{node}"\nfrom = "{other}"\nwhy = "x"\n'


LAST = scale().count("\n") + 1
# The last of a problem's finding, of the pair 1/A → 1/A unless a test says otherwise.
MUST = f"{NEW}/1/A has “must” (must) where {OLD}/1/A, not reworded, has “should” (should)."
LINES = {"may": 6, "should": 11, "must": 16, "strong-prohibition": 21, "strongest-prohibition": 26}


def corpus_of(
    folder: Path,
    older: str,
    newer: str,
    scales: tuple[str, str] = (scale(), scale()),
    row: str = "1/A\t1/A\tsame\tno\t\t",
) -> Path:
    """Two editions of two laws whose 1A say ``older`` and ``newer``, a reviewed table, and a scale of each."""
    for name, words, year in ((OLD, older, 2030), (NEW, newer, 2031)):
        write_edition(folder, TEXT.format(words, "He must play."), KEYS, name=name)
        manifest = folder / "editions" / name / "edition.toml"
        manifest.write_text(manifest.read_text("utf-8").replace("year = 2030", f"year = {year}"), "utf-8")
    for name, text in zip((OLD, NEW), scales, strict=True):
        (folder / "editions" / name / FILE).write_text(text, "utf-8")
    (folder / "concordances").mkdir()
    rows = f"{OLD}\t{NEW}\trelation\treworded\tcause\tpart\n{row}\n1/B\t1/B\tsame\tno\t\t\n2\t2\tsame\tno\t\t\n"
    (folder / "concordances" / "table.tsv").write_text(rows, "utf-8")
    (folder / "vocabulary").mkdir()
    shutil.copy(CORPUS / "vocabulary" / "strengths.toml", folder / "vocabulary")
    return folder


def told(corpus: Path) -> list:
    found = ingest.read_editions(corpus).problems
    assert not [p for p in found if p.file.startswith("concordances/")], found
    return [p for p in found if p.file.endswith(FILE)]


@pytest.mark.parametrize(
    "older, newer, finding, line",
    [
        ("He should lead.", "He must lead.", MUST, "must"),
        ("He must lead.", "He should lead.", "has “should” (should) where", "should"),
        ("He may lead.", "He must lead.", "has “must” (must) where", "must"),
        (
            "He shall not lead.",
            "He must not lead.",
            "has “must not” (strongest-prohibition) where",
            "strongest-prohibition",
        ),
        ("He must lead.", "He must not lead.", "has “must not” (", "strongest-prohibition"),
        ("He must, must lead.", "He must, should lead.", "has “should” (should) where", "should"),
        ("He may and should lead.", "He MUST, and may, lead.", "has “must” (must) where", "must"),
        ("He must lead.", "He must lead.", "", ""),
        ("He may and must lead.", "He must lead, he may.", "", ""),
        ("He must lead.", "He leads.", "", ""),
        ("He must lead.", "He must lead, he should.", "", ""),
    ],
)
def test_marks_of_one_pair_that_disagree_are_told(older, newer, finding, line, tmp_path):
    found = told(corpus_of(tmp_path, older, newer))
    if not finding:
        assert not found
        return
    ((problem),) = found
    assert finding in problem.finding and problem.file == f"editions/{NEW}/{FILE}" and problem.fatal
    assert problem.line == LINES[line]
    assert f'node = "1/A", from = "{OLD}"' in problem.move


@pytest.mark.parametrize(
    "row",
    [
        "1/A\t1/A\treworded\tyes\tcode\t",
        "1/A\t1/A\tsame\tno\t\theading",
        "1/A\t\tdropped\tno\tcode\t\n\t1/A\tnew\tno\tcode\t",
    ],
)
def test_what_is_reworded_or_no_pair_of_words_need_not_agree(row, tmp_path):
    assert not told(corpus_of(tmp_path, "He should lead.", "He must lead.", row=row))


def test_what_only_a_computed_alignment_joins_need_not_agree(tmp_path):
    corpus = corpus_of(tmp_path, "He should lead.", "He must lead.")
    (corpus / "concordances" / "table.tsv").unlink()
    assert not told(corpus)


@pytest.mark.parametrize(
    "older, newer, loose, agree",
    [
        ("should", "must", ((), ("must",)), True),
        ("should", "must", (("should",), ()), True),
        ("should", "must", ((), ("should",)), False),
        ("shall not", "must not", (("strong-prohibition",), ()), True),
        ("may", "must not", ((), ("strongest-prohibition",)), True),
        ("must not", "must", (("may",), ("may",)), False),
        ("should, must not", "must, must not, shall not", (("should",), ()), True),
        ("should, may", "must, shall not", (("should",), ()), False),
        ("may, should", "must, must", ((), ("must",)), True),
        ("may, must not", "must, shall not", ((), ("must",)), False),
        ("must not", "should, shall not", ((), ("should",)), False),
    ],
)
def test_a_loose_word_may_be_of_any_strength_of_its_kind(older, newer, loose, agree, tmp_path):
    found = told(corpus_of(tmp_path, f"He {older} lead.", f"He {newer} lead.", tuple(map(scale, loose))))
    assert bool(found) is not agree, [str(p) for p in found]


@pytest.mark.parametrize(
    "rows, says",
    [
        (("", differs("1/A", OLD)), ""),
        ((differs("1/A", NEW), ""), ""),
        (("", differs("1/B", OLD)), f"The marks of {NEW}/1/B do not differ from those of {OLD}."),
        (
            ("", differs("1/A", OLD) + differs("1/A", "zz-2000")),
            f"The marks of {NEW}/1/A do not differ from those of zz",
        ),
        (("", differs("1/C", OLD)), "There is no 1/C"),
        (("", differs("1/A", OLD).replace('why = "x"\n', "")), "The key “why” is missing"),
    ],
)
def test_an_exception_has_its_reason_and_is_needed(rows, says, tmp_path):
    scales = tuple(scale(more=more) for more in rows)
    found = told(corpus_of(tmp_path, "He should lead.", "He must lead.", scales))
    assert any(says in p.finding and p.line >= LAST for p in found) if says else not found, [str(p) for p in found]


def test_of_a_text_that_cannot_be_read_nobody_says_that_its_exceptions_are_needless(tmp_path):
    corpus = corpus_of(tmp_path, "He should lead.", "He must lead.", (scale(), scale(more=differs("1/A", OLD))))
    (corpus / "editions" / OLD / FILE).write_text("node = \n", "utf-8")
    assert [p.file for p in told(corpus)] == [f"editions/{OLD}/{FILE}"]


def test_only_what_is_marked_is_loose(tmp_path):
    text = scale(("may",)).replace('forms = ["may"]', 'unmarked = {en = "x"}')
    (found,) = told(corpus_of(tmp_path, "He leads.", "He leads.", (scale(), text)))
    assert "has no forms to be “loose”" in found.finding and found.line == 7


# ── our editions ──────────────────────────────────────────────────────────────────────────────────

LOOSE = {
    "pl-2007": {"powinien", "powinna", "powinno", "powinni", "powinny", "nie powinien", "nie powinno"}
    | {"nie może", "nie mogą"},
    "sk-2017": {"musí", "musia", "nesmie", "nesmú"},
}


def test_the_words_that_the_laws_use_otherwise_than_their_introductions_say(library: Library):
    for id_, words in LOOSE.items():
        marks = [(n.words_of_span(m).lower(), m.loose) for n in library.nodes_of(id_) for m in n.strengths]
        assert {word for word, loose in marks if loose} == words
        assert not {word for word, loose in marks if not loose} & words


def test_without_loose_words_and_exceptions_the_texts_disagree_in_many_places(library: Library):
    """That the check finds nothing is no proof: with the scales taken at their word it finds what the data answers."""
    ranked = lambda n: replace(n, strengths=tuple(replace(m, loose=False) for m in n.strengths))
    strict = {id_: ranked(n) for id_, n in library.nodes.items()}
    found = {f.newer.id: f for f in cross_checks.strength_findings(["pl-2007", "sk-2017"], strict, library.relations)}
    assert len(found) > 50
    assert {"sk-2017/7/C", "sk-2017/6/D/3", "sk-2017/24/B", "sk-2017/79/A/1"} <= set(found)
    left = [
        f.newer.id for f in cross_checks.strength_findings(["pl-2007", "sk-2017"], library.nodes, library.relations)
    ]
    assert left == ["sk-2017/6/D/3"]


@pytest.mark.parametrize(
    "id_, beside",
    [
        ("sk-2017/24/B", [("musi", "must")]),
        ("sk-2017/9/A/4", [("nie wolno", "stronger-prohibition")]),
        ("sk-2017/38/C", [("musi", "must"), ("muszą", "must")]),
        ("sk-2017/7/C", []),  # loose there, too
        ("sk-2017/13/D", []),  # two words here, one there
        ("sk-2017/16/B/1/a", []),  # reworded
        ("pl-2007/7/C", [("by mal", "should")]),
        ("pl-2007/16/B/3", []),  # of a player and of the director, there of the player alone
    ],
)
def test_beside_a_loose_word_stands_what_the_same_provision_has_elsewhere(library: Library, id_, beside):
    node = library.nodes[id_]
    mark = next(m for m in node.strengths if m.loose)
    found = cross_checks.strict_marks_elsewhere(node, mark, library.editions, library.nodes, library.relations)
    assert [(n.words_of_span(m).lower(), m.strength) for n, m in found] == beside
    ranked = [m for m in node.strengths if not m.loose]
    assert not [
        x
        for m in ranked
        for x in cross_checks.strict_marks_elsewhere(node, m, library.editions, library.nodes, library.relations)
    ]


def test_every_strength_is_of_one_kind():
    kinds = {s: kind_of_strength(s) for s in STEPS}
    assert list(kinds.values()) == ["permission", "order", "order", "prohibition", "prohibition"]
