"""Everyday tellings of provisions: a fault is told with its file and line, the tables of this corpus are whole, and a
query is led by them to provisions that it shares no word with.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from invented import found, invented, lists  # noqa: F401
from little import node

from corpus import remarks
from corpus.model import NodeId
from corpus.remarks import Paraphrase
from index.weights import WEIGHTS

NODES = {id_: node(id_, "sk", 2017, "law") for id_ in (NodeId("sk-2017/1"), NodeId("sk-2017/2"))}
HEAD = "path\tpl\ten\n"


def read(folder: Path, tables: dict[str, str]) -> tuple[tuple[Paraphrase, ...], list[str]]:
    """What is read of tables, edition → text, and what is wrong with them."""
    (folder / remarks.PARAPHRASES).mkdir()
    for edition, text in tables.items():
        (folder / remarks.PARAPHRASES / f"{edition}.tsv").write_text(text, encoding="utf-8")
    tellings, problems = remarks.read_paraphrases(folder, NODES, ("sk-2017", "unread"), ("pl", "en"))
    return tellings, [f"{p.file}:{p.line}: {p.finding}" for p in problems]


def test_a_sound_table_has_no_problem(tmp_path):
    tellings, problems = read(tmp_path, {"sk-2017": HEAD + "1\t jeden \tone\n1\tinny\tanother\n2\tdwa\ttwo\n"})
    assert not problems
    assert tellings == (
        Paraphrase(NodeId("sk-2017/1"), {"pl": "jeden", "en": "one"}),
        Paraphrase(NodeId("sk-2017/1"), {"pl": "inny", "en": "another"}),
        Paraphrase(NodeId("sk-2017/2"), {"pl": "dwa", "en": "two"}),
    )


def test_no_folder_is_no_telling(tmp_path):
    assert remarks.read_paraphrases(tmp_path, NODES, ("sk-2017",), ("pl", "en")) == ((), [])


@pytest.mark.parametrize(
    ("rows", "line", "finding"),
    [
        ("1\tjeden\tone\n9\tdwa\ttwo\n", 3, "There is no sk-2017/9."),
        ("1\tjeden\tone\n2\tdwa\ttwo\tdva\n", 3, "4 cells, the header has 3."),
        ("1\tjeden\tone\n2\tdwa\n", 3, "Nothing is said in “en”."),
        ("1\tjeden\t\n", 2, "Nothing is said in “en”."),
        ("1\t  \tone\n", 2, "Nothing is said in “pl”."),
        ("1\tjeden\tone\n2\tdwa\tone\n", 3, "“one” was said of sk-2017/1 before (paraphrases/sk-2017.tsv:2)."),
        ("1\tjeden\tone\n1\tdwa\tOne\n", 3, "“One” was said of sk-2017/1 before (paraphrases/sk-2017.tsv:2)."),
        ("1\tłąka\tone\n2\tLaka\ttwo\n", 3, "“Laka” was said of sk-2017/1 before (paraphrases/sk-2017.tsv:2)."),
    ],
)
def test_a_fault_of_a_row_is_told_with_its_line(tmp_path, rows, line, finding):
    """And the row teaches nothing; the others do."""
    tellings, problems = read(tmp_path, {"sk-2017": HEAD + rows})
    assert problems == [f"paraphrases/sk-2017.tsv:{line}: {finding}"]
    assert len(tellings) == rows.count("\n") - 1


@pytest.mark.parametrize("head", ["pl\ten\tpath", "path\tpl\txx", "place\tpl\ten"])
def test_a_header_is_a_path_and_languages(tmp_path, head):
    tellings, (problem,) = read(tmp_path, {"sk-2017": f"{head}\n1\tjeden\tone\n"})
    assert not tellings and problem.startswith("paraphrases/sk-2017.tsv:1: The header is “")


def test_a_file_is_named_after_an_edition(tmp_path):
    """One that was not read is no fault of the table, and teaches nothing."""
    tellings, problems = read(tmp_path, {"nowhere": HEAD + "1\tjeden\tone\n", "unread": HEAD + "1\tjeden\tone\n"})
    assert not tellings and problems == ["paraphrases/nowhere.tsv:1: There is no edition “nowhere”."]


def test_a_folder_of_the_old_name_is_read_and_told(tmp_path):
    (tmp_path / "tellings").mkdir()
    (tmp_path / "tellings" / "sk-2017.tsv").write_text(HEAD + "1\tjeden\tone\n", encoding="utf-8")
    read = lambda: remarks.read_paraphrases(tmp_path, NODES, ("sk-2017",), ("pl", "en"))
    found, (told,) = read()
    assert len(found) == 1 and not told.fatal and "“tellings” is called “paraphrases”" in told.finding
    (tmp_path / "paraphrases").mkdir()
    found, (told,) = read()
    assert not found and not told.fatal and told.move == "Move its files to “paraphrases”."


def test_every_problem_says_what_to_do(tmp_path):
    (tmp_path / remarks.PARAPHRASES).mkdir()
    (tmp_path / remarks.PARAPHRASES / "nowhere.tsv").write_text(HEAD, encoding="utf-8")
    (tmp_path / remarks.PARAPHRASES / "sk-2017.tsv").write_text(HEAD + "9\t\tone\n", encoding="utf-8")
    problems = remarks.read_paraphrases(tmp_path, NODES, ("sk-2017",), ("pl", "en"))[1]
    assert len(problems) == 3 and all(p.move for p in problems)


# ── the tables of this corpus ───────────────────────────────────────────────────────────────────────


def test_every_telling_is_of_a_provision_and_said_in_all_languages(library, corpus_dir):
    sheets = sorted((corpus_dir / remarks.PARAPHRASES).glob("*.tsv"))
    rows = sum(len(path.read_text(encoding="utf-8").splitlines()) - 1 for path in sheets)
    assert rows == len(library.paraphrases) > 1_500
    for told in library.paraphrases:
        head = (corpus_dir / remarks.PARAPHRASES / f"{told.of.edition}.tsv").read_text(encoding="utf-8").splitlines()[0]
        assert told.of in library.nodes and [remarks.PATH_COLUMN, *told.said] == head.split("\t"), told
        assert all(words == words.strip() and len(words.split()) > 1 for words in told.said.values()), told


def test_every_law_in_force_is_told(library):
    in_force = {id_ for id_, edition in library.editions.items() if edition.is_in_force}
    assert in_force <= {told.of.edition for told in library.paraphrases}
    for edition in in_force:
        told = {library.page_node_of(library.nodes[t.of]).id for t in library.paraphrases if t.of.edition == edition}
        laws = {library.page_node_of(n).id for n in library.nodes_of(edition) if n.kind in ("law", "point")}
        assert len(laws) > 5 and laws <= told, (edition, laws - told)


# Not from the tables, nor tried beforehand on the search: how else somebody might put it.
PARAPHRASES = [
    ("en", "My screenmate's cards fell on the floor face up before we had even started bidding", {"24"}),
    ("en", "dummy reached over and played a card nobody had asked for", {"45"}),
    ("en", "we ran out of time on the last hand, can we just skip it", {"8", "15"}),
    ("en", "she counted only twelve cards after the first tricks were over", {"13", "14"}),
    ("en", "he claimed the rest but forgot about one outstanding trump", {"70", "68"}),
    ("en", "the scorer typed 620 instead of 420, noticed next morning", {"79"}),
    ("pl", "obrońca położył kartę zanim rozgrywający zdążył zagrać ze stołu", {"57", "53"}),
    ("pl", "pytał o znaczenie licytacji tylko po to, żeby partner się domyślił", {"73", "20", "16"}),
    ("pl", "gapa przy stole powiedział głośno, że ktoś nie dorzucił pika", {"11", "76", "62"}),
    ("sk", "sused pri vedľajšom stole kričal, že slem nejde splniť", {"16"}),
    ("sk", "zle som siahol do krabičky a vytiahol inú kartičku, než som chcel", {"25"}),
    ("sk", "hrali sme rozdanie otočené o deväťdesiat stupňov", {"15", "5", "87"}),
    ("hr", "suparnik je predugo razmišljao pa je njegov partner ipak povisio", {"16", "73"}),
    ("hr", "pogrešan čovjek je počeo igru prvom kartom", {"54", "53", "56"}),
    ("en", "he put down a heart although there was still a spade in his hand", {"61", "62", "63", "64"}),
    ("en", "whoever goes first is written on the tray", {"2"}),
    ("en", "two people shouted their bid at the very same moment", {"33"}),
    ("en", "a pensioner kibitzing pointed at the winning card", {"76", "11"}),
    ("en", "we swapped chairs by mistake and sat the wrong way round for a round", {"5", "15", "87"}),
    ("pl", "chciał cofnąć to, co powiedział w licytacji, bo mu się język zaplątał", {"25"}),
    ("pl", "spóźnili się na rundę o kwadrans", {"90"}),
    ("pl", "ktoś podejrzał, co dziadek trzyma, jeszcze przed wyłożeniem", {"24", "16", "74"}),
    ("pl", "cztery razy pas i co teraz z kartami", {"22"}),
    ("sk", "vynášal ten, kto vôbec nemal", {"53", "54", "55", "56"}),
    ("sk", "spoluhráč sa na mňa mračil, kým som rozmýšľal", {"16", "73"}),
    ("sk", "dvaja tvrdia každý iný počet vyhratých štichov", {"65", "66", "79"}),
    ("hr", "rekao je kontra na boju svog partnera", {"19", "36"}),
    ("hr", "zapisničar je krivo upisao rezultat, a svi su već otišli kući", {"79"}),
]


def test_what_was_told_otherwise_leads_to_its_law_more_often_than_its_words_do(searcher):
    def right(asked) -> int:
        three = [
            ({h.node.id.law for h in asked.search(text, qlang=lang, editions=["sk-2017"], limit=3).hits}, laws)
            for lang, text, laws in PARAPHRASES
        ]
        return sum(bool(found & laws) for found, laws in three)

    by_words = searcher.with_weights(replace(WEIGHTS, told_law=0.0, told_situation=0.0, told_section=0.0))
    assert right(searcher) >= len(PARAPHRASES) * 0.7 and right(searcher) > right(by_words)


# ── over an invented library ────────────────────────────────────────────────────────────────────────

STORY = "strangers wandered away with our pencil"
TELLINGS = [
    ("new/1/A", STORY),
    ("new/1/A", f"yesterday {STORY}"),
    ("new/2", "everybody snored"),
    ("new/2", "we snored"),
]
TEXTS = {"new/1": ("", "card"), "new/1/A": ("", "hand"), "new/2": ("", "table"), "old/1/A": ("", "palm")}


# So small a library teaches little of its laws: what a telling does is seen where no law need be sure.
ALONE = replace(WEIGHTS, told_alone=0.0)


def test_a_provision_is_found_by_its_telling_alone(invented):
    searcher = invented.search(TEXTS, tellings=TELLINGS, weights=ALONE)
    hits = searcher.search("strangers wandered away", editions=["new"]).hits
    assert hits[0].node.id == "new/1/A" and [f.name for f in hits[0].factors] == ["told"]
    assert not found(invented.search(TEXTS, weights=ALONE), "strangers wandered away")
    unsure = replace(WEIGHTS, told_alone=1.0)
    assert not found(invented.search(TEXTS, tellings=TELLINGS, weights=unsure), "strangers wandered away")


def test_what_corresponds_in_another_edition_is_found_by_the_same_words(invented):
    searcher = invented.search(TEXTS, [("old/1/A", "new/1/A")], tellings=TELLINGS, weights=ALONE)
    assert found(searcher, "strangers wandered away", editions=["old"]) == ["old/1/A"]
    assert not found(
        invented.search(TEXTS, tellings=TELLINGS, weights=ALONE), "strangers wandered away", editions=["old"]
    )


@pytest.mark.parametrize(
    "query", ["wandered AND pencil", "wandered NOT card", '"strangers wandered"', "what is wandered"]
)
def test_who_asks_for_words_is_answered_by_words_alone(invented, query):
    assert not found(invented.search(TEXTS, tellings=TELLINGS, weights=ALONE), query)


def test_what_is_told_is_not_for_who_asked_for_other_kinds(invented):
    searcher = invented.search(TEXTS, tellings=TELLINGS, weights=ALONE)
    assert found(searcher, STORY, kinds=["section"]) == ["new/1/A"] and not found(searcher, STORY, kinds=["definition"])


def test_a_telling_is_sure_only_where_an_edition_chosen_has_its_provision(invented):
    texts = {**TEXTS, "old/3": ("", f"the pencil {STORY.split(maxsplit=1)[0]}")}
    searcher = invented.search(texts, tellings=TELLINGS, weights=ALONE)
    sure = {e: searcher.search(STORY, editions=[e]).confident for e in ("new", "old")}
    assert sure == {"new": sure["new"], "old": False}
