"""Slips of the books: on the words, with their evidence, never in the text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from placed import placed, text_of

from corpus import misprint, remarks
from corpus.json_values import node_from_json, node_to_json
from tools.misprints_page import misprints_page_text

ROOT = Path(__file__).parent.parent


def test_every_row_is_placed_and_proved_by_slicing(library, corpus_dir):
    rows = [row for e in library.editions for row in misprint.read_misprints(corpus_dir / "editions" / e)[0]]
    assert len(rows) == len(placed(library)) > 20
    for row in rows:
        found = [
            s
            for s in library.nodes[row.node].misprints
            if s.kind == row.kind
            and {p.node for p in row.see} == set(s.see)
            and row.words
            in (
                "",
                text_of(library.nodes[row.node], s.where)[s.start : s.end],
                text_of(library.nodes[row.node], s.where)[s.end - len(row.words) : s.end],
            )
        ]
        assert found, f"{row.file}:{row.line}"
        for quote, place in zip(found[0].quotes, row.see, strict=True):
            assert text_of(library.nodes[quote.node], quote.where)[quote.start : quote.end] == place.words, place


def test_a_slip_of_words_has_words_and_what_is_missing_has_a_cause(library):
    for node, s in placed(library):
        assert (s.start < s.end) == (s.kind == "misprint") == (s.cause == ""), node.id
        assert set(s.sentences) == {"pl", "sk", "hr", "en"} and all(s.sentences.values())
        assert (s.see or s.sources) and all(id_ in library.nodes for id_ in s.see)
        assert s.kind != "missing" or s.start == len(node.text), node.id


def test_a_note_names_its_evidence_and_says_nothing_of_its_own(library, corpus_dir):
    """Without the names of the evidence it is one of the sentences of the language file: no law in our words."""
    said, faults = misprint.read_sentences(corpus_dir)
    assert not faults
    for node, s in placed(library):
        key = s.kind if s.kind != "missing" else f"missing-{s.cause}"
        for code, words in s.sentences.items():
            before, after = said[key][code].split("{see}")
            assert words.startswith(before) and words.endswith(after)
            named = words[len(before) : len(words) - len(after)]
            for id_ in s.see:
                n = library.nodes[id_]
                assert (n.label if n.kind == "footnote" else n.citation) in named, node.id


@pytest.mark.parametrize(
    "id_, kind, words, see",
    [
        ("sk-2017/26/B", "misprint", "obrancami", "pl-2007/26/A/2"),
        ("sk-2017/46/B/2", "misprint", "vo farbe výnosu", "pl-2007/46/B/2"),
        ("sk-2017/47/F/1", "misprint", "pravidlom 53C", "sk-2017/53/B"),
        ("sk-2017/40/B/2", "missing", "", "pl-2007/40/C/3/a"),
        ("sk-2017/13", "missing", "", "pl-2007/13/E"),
        ("pl-2007/70/C/2", "misprint", "wykraczający nie zdawał sobie sprawy", "sk-2017/70/C/2"),
        ("hr-1997/71/C", "misprint", "koji nije bilo moguće osvojiti nijednom normalnom igrom", "hr-1997/71/C"),
        ("hr-1997/93/B/3", "misprint", "njegovih diskrecionih ovlasti", "hr-1997/83"),
        ("hr-1997/92/D", "misprint", "nisu prisutna", "sk-2017/92/D/2"),
        ("hr-1997/14/B/1", "misprint", "ona se vraća manjkavom listu", "pl-1997/14/B/1/a"),
        ("pl-1997/15/C", "lost", "", "hr-1997/15/C"),
        ("hr-1997/9/A/1", "misprint", "Ukoliko nije pod kaznom", "pl-1997/9/A/1"),
        ("hr-1997/17/E", "misprint", "bude izvedena izvorna ataka", "hr-1997/41/C"),
        ("hr-1997/70/E", "misprint", "ukoliko takav protivnik ranije nije slijedio boju te karte", "pl-2007/70/E/1"),
        ("pl-2007/27/D", "misprint", "postanowień punktu B", "pl-2007/27/B/1/b"),
        ("pl-2007/36/A", "misprint", "zapowiedź tę i wszystkie po niej zgłoszone", "sk-2017/36/A"),
        ("pl-2007/58/B/2", "lost", "", "sk-2017/58/B/2"),
        ("pl-2007/92/B", "lost", "", "pl-2007/12/A"),
        ("sk-2017/13/B/2", "misprint", "Ak už", "sk-2017/13/B/1"),
        ("sk-2017/30/C", "lost", "", "sk-2017/31"),
        ("sk-2017/40/B/2/a/v", "lost", "", "pzbs-2017/15/2"),
        ("sk-2017/38/D", "misprint", "Takýto prípad nie je pravidlami napraviteľný.", "sk-2017/38/D"),
    ],
)
def test_what_is_known(library, id_, kind, words, see):
    node = library.nodes[id_]
    assert [
        s for s in node.misprints if (s.kind, text_of(node, s.where)[s.start : s.end]) == (kind, words) and see in s.see
    ], node.misprints


@pytest.mark.parametrize(
    "id_, words, missing",
    [
        ("pl-1997/13", "musi orzec w takim rozdaniu", " wynik rozjemczy"),
        ("pl-1997/13/B/2", "musi orzec", " wynik rozjemczy"),
        ("pl-1997/16/B/3", "orzec od razu w rozdaniu", " wynik rozjemczy"),
        ("sk-2017/24/C", "musí pasovať keď bude", " na rade"),
    ],
)
def test_the_sign_of_lost_words_stands_where_they_are_lost(library, id_, words, missing):
    """Before the words that they belong to, not after."""
    node = library.nodes[id_]
    (s,) = node.misprints
    assert node.text[: s.start].endswith(words) and node.text[s.start :].startswith(missing)


@pytest.mark.parametrize(
    "id_",
    [
        "pl-2007/47/F/1",
        "pl-2007/10/C/4",
        "sk-2017/16/B/1",
        "pl-2007/def/obronca",
        "pl-2007/79/C/1",
        "hr-1997/12/A/1",
        "hr-1997/20/F/2",
        "hr-1997/86/A",
    ],
)
def test_what_is_printed_rightly_or_not_proved_wrong_has_no_note(library, id_):
    assert library.nodes[id_].misprints == ()


def test_a_slip_in_a_reference_leads_elsewhere_than_its_evidence(library):
    """Two reviewed layers check each other: the export resolves what is printed, the evidence is another provision
    of the edition.
    """
    seen = set()
    for node, s in placed(library):
        for r in node.references:
            if (
                s.kind == "misprint"
                and r.where == s.where
                and r.start < s.end
                and s.start < r.end
                and r.surface in text_of(node, s.where)[s.start : s.end]
            ):
                if s.end - s.start > len(r.surface) + 12:
                    continue  # the reference is only part of what is printed wrong
                seen.add(node.id)
                assert not set(r.targets) & set(s.see), f"{node.id}: {r.surface}"
                assert any(id_.startswith(node.edition + "/") for id_ in s.see), node.id
    assert seen == {
        "hr-1997/30/A",
        "hr-1997/30/B/2/a",
        "hr-1997/30/B/2/b",
        "hr-1997/37",
        "hr-1997/38",
        "hr-1997/fn/16",
        "pl-2007/27/D",
        "sk-2017/47/F/1",
    }


def test_no_page_may_say_dropped_where_no_text_tells(library):
    # Decisions may be evidence, but are no provisions of the laws that an edition could lack.
    laws = {e.id for e in library.law_editions}
    absences = {
        (id_, n.edition): s.cause
        for n in library.nodes.values()
        for s in n.misprints
        if s.kind == "missing"
        for id_ in s.see
        if id_.edition in laws
    }
    unknown = {pair for pair, cause in absences.items() if cause == "unknown"}
    assert {("pl-2007/12/C/1/f", "sk-2017"), ("pl-2007/13/E", "sk-2017")} <= unknown
    assert absences["pl-2007/40/C/3/a", "sk-2017"] == "print"
    for id_, edition in absences:
        rows = library.relations.rows_of(id_, edition)
        assert [p.relation for p in rows] == ["dropped"], f"{id_} and {edition}: {rows}"
        assert rows[0].cause == {"unknown": "unknown", "print": "translation"}[absences[id_, edition]], (
            id_,
            rows[0].cause,
        )


def test_the_document_for_reviewers_is_the_data(ingest):
    assert (ROOT / "docs" / "slips.md").read_text(encoding="utf-8") == misprints_page_text(ingest), (
        "Run: python -m tools.misprints_page > docs/slips.md"
    )


def test_spelling_stands_in_its_line_and_no_slip_is_both(library, corpus_dir):
    count = 0
    for edition in library.editions.values():
        rows = edition.spelling
        source = (corpus_dir / "editions" / edition.id / "source.txt").read_text(encoding="utf-8-sig").split("\n")
        for row in rows:
            assert row.printed in source[row.line - 1] and row.reason in remarks.SPELLING_REASONS
        count += len(rows)
        slipped = {text_of(n, s.where)[s.start : s.end] for n, s in placed(library) if n.edition == edition.id}
        assert not slipped & {row.printed for row in rows if row.printed}
    assert count > 100


def test_notes_survive_the_store(library):
    for node, _ in placed(library):
        data = json.loads(json.dumps(node_to_json(node)))
        assert data["notes"] and "slips" not in data and node_from_json(data) == node
        for note in data["notes"]:
            assert text_of(node, note["in"])[note["start"] : note["end"]] is not None and ("cause" in note) == (
                note["kind"] != "misprint"
            )
