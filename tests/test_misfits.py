"""A manifest that does not fit its text is never silent: each likely mistake has its place and its next move.

A sound book says nothing, nor do the texts of the corpus and the invented editions.
"""

import hashlib
import shutil
import tomllib

import pytest
from broken import changed
from strangers import CORPUS, HERE, STRANGERS, copy_of_strangers

from corpus import ingest, language
from corpus.edition import list_editions, load_edition
from corpus.reading.checks import _CHECKS
from corpus.reading.read import read_source

CASES = HERE / "cases" / "misfits"
BOOK, MANIFEST = ((CASES / name).read_text(encoding="utf-8") for name in ("book.txt", "book.toml"))
MANIFESTS, SOURCES = (
    tomllib.loads((CASES / name).read_text(encoding="utf-8")) for name in ("manifest.toml", "source.toml")
)


def problems(tmp_path, book=BOOK, stated=MANIFEST):
    folder = tmp_path / "editions" / "nl-2041"
    folder.mkdir(parents=True)
    (tmp_path / "languages").mkdir()
    shutil.copy(CASES / "nl.toml", tmp_path / "languages")
    (folder / "source.txt").write_text(book, encoding="utf-8")
    digest = hashlib.sha256(book.encode()).hexdigest()
    (folder / "edition.toml").write_text(stated.replace("DIGEST", digest), encoding="utf-8")
    return ingest.read_editions(tmp_path, ("nl-2041",))


def expect(case, result):
    found = result.problems
    if "says" not in case:
        assert [str(p) for p in found] == []
        return
    matching = [p for p in found if all(words in str(p) for words in case["says"])]
    assert matching, f"no problem says {case['says']}; there are:\n" + "\n".join(map(str, found))
    problem = matching[0]
    assert problem.file == f"editions/nl-2041/{case.get('file', 'source.txt')}"
    assert problem.line == case.get("line", problem.line), str(problem)
    assert problem.fatal == case.get("fatal", False) and problem.move.strip()


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_mistake_of_a_manifest_is_told(name, tmp_path):
    expect(MANIFESTS[name], problems(tmp_path, stated=changed(MANIFEST, MANIFESTS[name]["change"])))


@pytest.mark.parametrize("name", SOURCES)
def test_a_broken_source_is_told(name, tmp_path):
    expect(SOURCES[name], problems(tmp_path, book=changed(BOOK, SOURCES[name]["change"])))


def test_some_cases_are_sound():
    for cases in (MANIFESTS, SOURCES):
        assert sum("says" not in case for case in cases.values()) > 4 < len(cases)


def test_a_paragraph_goes_into_the_note_that_the_manifest_names(tmp_path):
    book = changed(BOOK, SOURCES["a-note-of-two-paragraphs"]["change"]).replace("bieden, en", "bieden\nen")
    placed = '[[placements]]\nline = 29\npath = "fn/1"\nreason = "the second paragraph of the note"\n\n[[tables]]'
    result = problems(tmp_path, book, MANIFEST.replace("[[tables]]", placed, 1))
    assert [str(p) for p in result.problems] == []
    nodes = {n.path: n for n in result.readings["nl-2041"].nodes}
    assert nodes["fn/1"].text == "Tel ze na.\n\nDoe dit voor het bieden en zeg het hardop."
    assert nodes["1"].text.endswith("voordat het bieden begint.")


@pytest.mark.parametrize("name", list_editions(CORPUS) + list_editions(STRANGERS))
def test_a_sound_text_says_nothing(name, tmp_path):
    corpus = CORPUS if name in list_editions(CORPUS) else copy_of_strangers(tmp_path)
    edition = load_edition(corpus / "editions" / name)
    assert [
        str(p) for p in read_source(edition, language.load_language(corpus / "languages", edition.lang)).problems
    ] == []


def test_every_check_says_what_it_looks_for():
    assert all(check.__doc__ for check in _CHECKS) and len(set(_CHECKS)) == len(_CHECKS)


def test_a_placement_at_a_label_makes_the_words_beside_it_text(tmp_path):
    plain = "A. Plichten\nDe spelleider past de artikelen 1 tot 3 toe en beslist in de\nvolgende gevallen:\n"
    words = "De spelleider past de artikelen 1 tot 3 toe en beslist altijd zelf wanneer"
    book = changed(BOOK, [[plain, f"A. {words}\n"]])
    line = 1 + book.splitlines().index(f"A. {words}")
    placed = f'[[placements]]\nline = {line}\npath = "4/A"\nreason = "the items go on"\n\n[[tables]]'
    result = problems(tmp_path, book=book, stated=changed(MANIFEST, [["[[tables]]", placed]]))
    node = result.nodes["nl-2041/4/A"]
    assert (node.heading, node.text) == (None, words) and not result.problems
