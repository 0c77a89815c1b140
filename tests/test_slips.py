"""Slips of the books: on the words, with their evidence, told on every page that shows the words, never in the text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from app_site import client, page, site  # noqa: F401
from click.testing import CliRunner
from strangers import CORPUS, write_edition

from app.site import reader
from corpus import ingest as ingesting
from corpus import slip, spelling, store
from corpus.exchange import node_from_json, node_to_json
from scripts import slips as document
from scripts.cli import main

ROOT = Path(__file__).parent.parent
SOURCE = "LAW 1 — ONE\n\nA. Leads\nThe partner leads, see 2A.\nB. Plays\nThe partner plays and plays.\n\nLAW 2 — TWO\n\nA. Cards\nHe leads a card, see 1B.\nB. Hands\nHe plays.\n\nLAW 3 — THREE\n\nHe bids.\n"
ROW = '[[slip]]\nkind = "misprint"\nnode = "1/A"\nwords = "The partner"\nsee = [{node = "xx-2030/2/A", words = "He leads"}]\n'


def placed(library):
    """(node, slip) of every slip there is."""
    return [(n, s) for n in library.nodes.values() for s in n.slips]


def text_of(node, where: str) -> str:
    return (node.heading or "") if where == "heading" else node.text


# ── the data ─────────────────────────────────────────────────────────────────────────────────────


def test_every_row_is_placed_and_proved_by_slicing(library, corpus_dir):
    rows = [row for e in library.editions for row in slip.read(corpus_dir / "editions" / e)[0]]
    assert len(rows) == len(placed(library)) > 20
    for row in rows:
        found = [
            s
            for s in library.nodes[row.node].slips
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
        for quote, place in zip(found[0].quotes, row.see):
            assert text_of(library.nodes[quote.node], quote.where)[quote.start : quote.end] == place.words, place


def test_a_slip_of_words_has_words_and_what_is_missing_has_a_cause(library):
    for node, s in placed(library):
        assert (s.start < s.end) == (s.kind == "misprint") == (s.cause == ""), node.id
        assert {code for code, _ in s.remark} == {"pl", "sk", "hr", "en"} and all(words for _, words in s.remark)
        assert s.see and all(id_ in library.nodes for id_ in s.see)
        assert s.kind != "missing" or s.start == len(node.text), node.id


def test_a_note_names_its_evidence_and_says_nothing_of_its_own(library, corpus_dir):
    """The sentence without the names of the evidence is one of the sentences of the language file: no law in our words."""
    said, faults = slip.sentences(corpus_dir)
    assert not faults
    for node, s in placed(library):
        key = s.kind if s.kind != "missing" else f"missing-{s.cause}"
        for code, words in s.remark:
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
        ("sk-2017/70/D", "missing", "", "pl-2007/70/D/3"),
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
        s for s in node.slips if (s.kind, text_of(node, s.where)[s.start : s.end]) == (kind, words) and see in s.see
    ], node.slips


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
    (s,) = node.slips
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
    assert library.nodes[id_].slips == ()


def test_a_slip_in_a_reference_leads_elsewhere_than_its_evidence(library):
    """Two reviewed layers check each other: the export resolves what is printed, the evidence is another provision of the edition."""
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
        "hr-1997/fn/16",
        "pl-2007/27/D",
        "sk-2017/47/F/1",
    }


def test_no_page_may_say_dropped_where_no_text_tells(library):
    # Decisions may be evidence, but are no provisions of the laws that an edition could lack.
    laws = {e.id for e in library.codes}
    absences = {
        (id_, n.edition): s.cause
        for n in library.nodes.values()
        for s in n.slips
        if s.kind == "missing"
        for id_ in s.see
        if id_.edition in laws
    }
    unknown = {pair for pair, cause in absences.items() if cause == "unknown"}
    assert {("pl-2007/70/D/3", "sk-2017"), ("pl-2007/16/A/3", "sk-2017")} <= unknown
    assert absences["pl-2007/40/C/3/a", "sk-2017"] == "print"
    for id_, edition in absences:
        rows = library.relations.rows_of(id_, edition)
        assert [p.relation for p in rows] == ["dropped"], f"{id_} and {edition}: {rows}"
        assert rows[0].cause == {"unknown": "unknown", "print": "translation"}[absences[id_, edition]], (
            id_,
            rows[0].cause,
        )


def test_the_document_for_reviewers_is_the_data(ingest):
    assert (ROOT / "docs" / "slips.md").read_text(encoding="utf-8") == document.document(ingest), (
        "Run: python -m scripts.slips > docs/slips.md"
    )


def test_spelling_stands_in_its_line_and_no_slip_is_both(library, corpus_dir):
    count = 0
    for edition in library.editions.values():
        rows = edition.spelling
        source = (corpus_dir / "editions" / edition.id / "source.txt").read_text(encoding="utf-8-sig").split("\n")
        for row in rows:
            assert row.printed in source[row.line - 1] and row.reason in spelling.REASONS
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


# ── faults are told, and keep the corpus from being published ───────────────────────────────────


def corpus_with(folder: Path, slips: str = ROW, spelt: str = "", change: tuple[str, str] = ("", "")) -> Path:
    corpus = write_edition(folder, SOURCE)
    (corpus / "slips").mkdir()
    (corpus / slip.SENTENCES).write_text(
        (CORPUS / slip.SENTENCES).read_text(encoding="utf-8").replace(*change), encoding="utf-8"
    )
    (corpus / "editions" / "xx-2030" / slip.FILE).write_text(slips, encoding="utf-8")
    if spelt:
        (corpus / "editions" / "xx-2030" / spelling.FILE).write_text(spelt, encoding="utf-8")
    return corpus


def test_a_sound_file_has_no_problem(tmp_path):
    result = ingesting.read_all(
        corpus_with(tmp_path, spelt="line\tprinted\tmeant\treason\tremark\n4\tThe partner\tThe Partner\tcapital\t\n")
    )
    assert not result.problems
    node = next(n for n in result.readings["xx-2030"].nodes if n.path == "1/A")
    assert [(s.start, s.end, dict(s.remark)["en"]) for s in node.slips] == [(0, 11, "so printed; compare 2A")]
    assert [s.meant for s in result.readings["xx-2030"].spelling] == ["The Partner"]


@pytest.mark.parametrize(
    "change, says, line",
    [
        (('words = "The partner"', 'words = "the partner"'), "does not stand in the text of xx-2030/1/A", 3),
        (('node = "1/A"', 'node = "1/C"'), "There is no xx-2030/1/C", 3),
        (('node = "1/A"\nwords = "The partner"', 'node = "1/B"\nwords = "plays"'), "stands 2 times", 3),
        (('node = "1/A"\nwords = "The partner"', 'node = "1/B"\nwords = "plays"\noccurrence = 3'), "does not stand", 3),
        (('"He leads"', '"She leads"'), "“She leads” does not stand", 3),
        (("xx-2030/2/A", "xx-2030/2/C"), "There is no xx-2030/2/C", 3),
        (("xx-2030/2/A", "yy-2031/2/A"), "“yy-2031”, which is no edition", 3),
        (('kind = "misprint"', 'kind = "guess"'), "“slip.kind” is “guess”", 4),
        (('kind = "misprint"', 'kind = "lost"'), "The cause is “”", 3),
        (('kind = "misprint"', 'kind = "missing"\ncause = "unknown"'), "A missing provision has no words", 7),
        (('kind = "misprint"', 'kind = "misprint"\ncause = "unknown"'), "The cause is “unknown”", 5),
        (('kind = "misprint"', 'kind = "lost"\ncause = "printer"'), "“slip.cause” is “printer”", 5),
        (('words = "The partner"\n', ""), "A place without words", 3),
        (('words = "The partner"', 'words = "The partner"\nmeant = "x"'), "Unknown key “meant”", 7),
        (('see = [{node = "xx-2030/2/A", words = "He leads"}]\n', ""), "There is no evidence", 3),
        (('see = [{node = "xx-2030/2/A", words = "He leads"}]\n', "see = []\n"), "There is no evidence", 7),
    ],
)
def test_a_faulty_slip_is_told_with_its_line(change, says, line, tmp_path):
    assert change[0] in ROW
    corpus = corpus_with(tmp_path, "# a comment\n\n" + ROW.replace(*change))
    found = [p for p in ingesting.read_all(corpus).problems if says in p.finding]
    assert [(p.file, p.line, p.fatal) for p in found] == [(f"editions/xx-2030/{slip.FILE}", line, True)], [
        str(p) for p in ingesting.read_all(corpus).problems
    ]
    assert found[0].move


@pytest.mark.parametrize("text, line", [("[[slip]]\nkind = \n", 2), ("[slips]\n", 1), (ROW + "[[other]]\n", 6)])
def test_a_file_that_is_no_list_of_slips_is_told(text, line, tmp_path):
    found = [p for p in ingesting.read_all(corpus_with(tmp_path, text)).problems if p.file.endswith(slip.FILE)]
    assert [(p.line, p.fatal) for p in found] == [(line, True)]


@pytest.mark.parametrize(
    "change, line, says",
    [
        (('hr = "tako tiskano; usp. {see}"\n', ""), 5, "no “misprint” with {see} in the language “hr”"),
        (('sk = "pozn. {number}"', 'sk = "pozn."'), 29, "no “footnote” with {number} in the language “sk”"),
        (("[lost]", "[lots]"), 11, "Unknown key “lots”"),
        (("[lost]", "[[lost]]"), 11, "“lost” is ["),
        (("[lost]\npl =", "[lost]\nxx ="), 11, "no “lost” with {see} in the language “pl”"),
        (("languages = [", "codes = ["), 1, "The key “languages” is missing"),
        (('languages = ["pl", "sk", "hr", "en"]', "languages = []"), 3, "“languages” is empty"),
        (("[misprint]", "[misprint"), 5, "cannot be read"),
    ],
)
def test_a_sentence_that_a_language_lacks_is_told(change, line, says, tmp_path):
    found = [p for p in ingesting.read_all(corpus_with(tmp_path, change=change)).problems if says in p.finding]
    assert [(p.file, p.line, p.fatal) for p in found] == [(slip.SENTENCES, line, True)]


def test_the_sentences_are_in_the_languages_of_the_site(corpus_dir):
    said, _ = slip.sentences(corpus_dir)
    assert said and all(set(words) == set(reader.LANGUAGES) for words in said.values())


@pytest.mark.parametrize(
    "row, says",
    [
        ("99\tx\ty\ttyping\t", "The source has no line “99”"),
        ("4\tHe bids\ty\ttyping\t", "does not stand in line 4"),
        ("4\tleads\ty\twhim\t", "The reason is “whim”"),
        ("4\tleads\ty\ttyping", "4 cells"),
        ("4\t\t\torder\t", "says nothing"),
    ],
)
def test_a_faulty_row_of_spelling_is_told_with_its_line(row, says, tmp_path):
    corpus = corpus_with(tmp_path, spelt="line\tprinted\tmeant\treason\tremark\n" + row + "\n")
    assert [(p.line, says in p.finding, p.fatal) for p in ingesting.read_all(corpus).problems] == [(2, True, True)]


def test_a_fault_keeps_the_corpus_from_being_published_also_when_one_edition_is_asked_for(tmp_path, monkeypatch):
    corpus = corpus_with(
        tmp_path / "corpus", ROW.replace("xx-2030/2/A", "yy-2031/2/A").replace("He leads", "no such words")
    )
    write_edition(tmp_path / "corpus", SOURCE + "\nMore.\n", name="yy-2031")
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    assert store.build_dir() == tmp_path / "build"
    for command in (["check"], ["ingest"], ["ingest", "xx-2030"], ["ingest", "yy-2031"]):
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 1 and f"editions/xx-2030/{slip.FILE}:1:" in result.output, (command, result.output)
    assert not (tmp_path / "build").exists()


# ── pages ───────────────────────────────────────────────────────────────────────────────────────


def flat(element) -> str:
    return re.sub(r"\s+", " ", element.get_text()).strip()


SHOWN = [
    "sk-2017/26/B",
    "sk-2017/47/F/1",
    "hr-1997/42/A/1",
    "sk-2017/40/B/2",
    "hr-1997/30/A",
    "sk-2017/intro",
    "hr-1997/fn/16",
]


@pytest.mark.parametrize("lang", ["pl", "sk", "hr", "en"])
@pytest.mark.parametrize("id_", SHOWN)
@pytest.mark.parametrize("kind", ["", "/peek", "/card"])
def test_a_page_tells_the_slip_at_the_words_with_the_evidence_beside_it(client, library, id_, lang, kind):
    node = library.nodes[id_]
    soup = page(client, f"{kind}/{id_}?ui={lang}")
    for s in node.slips:
        if s.kind == "misprint":
            assert text_of(node, s.where)[s.start : s.end].replace(" ", "") in "".join(
                flat(e) for e in soup.select(".slip")
            ).replace(" ", "").replace("\u00a0", "")
        note = dict(s.remark)[lang]
        assert any(note in flat(a) for a in soup.select("a.sic")), "the sign does not say it"
        listed = next(li for li in soup.select(".slips li") if note in flat(li))
        for quote in s.quotes:
            other = library.nodes[quote.node]
            beside = [
                b
                for b in listed.select("blockquote")
                if b.q.get_text() == text_of(other, quote.where)[quote.start : quote.end]
            ]
            assert (
                beside
                and beside[0].q["lang"] == other.lang
                and beside[0].select_one(f'a[href^="/{other.id}"], a[href*="#"]') is not None
            )


def test_signs_and_notes_lead_to_each_other_and_no_link_stands_in_a_link(client, library):
    for law in {library.law_of(n).id if n.parent or n.kind != "footnote" else "hr-1997/53" for n, _ in placed(library)}:
        soup = page(client, f"/{law}")
        ids = {e["id"] for e in soup.select("[id]")}
        signs = [a["href"][1:] for a in soup.select("article a.sic")]
        assert signs and set(signs) <= ids and {a["href"][1:] for a in soup.select(".slips a.back")} <= ids, law
        assert not soup.select("a a")


def test_a_page_without_slips_has_none(client):
    assert not page(client, "/sk-2017/1").select(".slips, .slip, .sic, .lacking")


def test_a_selection_brings_the_notes_of_its_own_words_only(client, library):
    soup = page(client, "/sk-2017/16?only=16/A,16/B&ui=en")
    assert (
        len(soup.select(".slips li"))
        == sum(n.id.startswith(("sk-2017/16/A", "sk-2017/16/B")) for n, _ in placed(library))
        > 0
    )
    assert not page(client, "/sk-2017/16?only=16/B").select(".slips")


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_a_quotation_brings_the_note_along_outside_of_the_quoted_words(client, library, lang):
    node = library.nodes["sk-2017/26/B"]
    quoted = page(client, f"/cite/{node.id}?ui={lang}").select("blockquote[data-copy]")[2].get_text()
    note = dict(node.slips[0].remark)[lang]
    assert note in quoted and quoted.index(node.text[-20:]) < quoted.index("[26B") < quoted.index(note) < quoted.index(
        "http"
    )


def test_the_law_that_holds_the_provision_brings_it_too(client, library):
    assert "46B2" in page(client, "/cite/sk-2017/46?ui=en").select("blockquote[data-copy]")[2].get_text().split("[")[-1]


def test_columns_of_a_comparison_carry_the_sign(client):
    sign = page(client, "/compare/46/B/2?e=pl-2007&e=sk-2017&ui=en").select_one("a.sic")
    assert (
        sign["href"].startswith("/sk-2017/46/B/2")
        and sign["href"].endswith("#slip-46-B-2-1")
        and "so printed" in sign.get_text()
    )


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_the_editions_page_lists_spelling_with_reasons_in_the_sites_language(client, library, lang):
    soup = page(client, f"/sk-2017/about?ui={lang}")
    rows = soup.select("details table tr")
    table = [r for r in rows if "kontrolou" in r.get_text()][0]
    reason = re.sub(r"\s*\(.*", "", flat(table.select("td")[3]))
    assert reason == {"pl": "inny wyraz", "sk": "iné slovo", "hr": "druga riječ", "en": "another word"}[lang]
    assert soup.select_one('li a[href*="#slip-26-B-1"]') is not None
    assert not page(client, f"/pl-2007/about?ui={lang}").select("#slips + details")


def test_the_api_has_the_notes(client, library):
    data = client.get("/api/v1/nodes/sk-2017/46/B/2").get_json()
    note = data["notes"][0]
    assert (
        data["text"][note["start"] : note["end"]] == "vo farbe výnosu"
        and "pl-2007/46/B/2" in note["see"]
        and note["kind"] == "misprint"
    )
