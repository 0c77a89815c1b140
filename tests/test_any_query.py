"""Nothing breaks the search: not a query, not many at once; and a bad index is refused with the next move."""

from __future__ import annotations

import itertools
import json
import shutil
import threading
import time

import pytest
from generations import staged
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api.objects import answer_object as answer_json
from corpus.generation import LEARNED_PART, MANIFEST_FILE, SEARCH_PART, Generation, StoreError
from index.lexicon import edit_distance
from index.search import Searcher
from tests.budget import examples

BAD = [
    "",
    " ",
    "***",
    '"',
    '""',
    '"""',
    '"niezamknięty',
    "\x00",
    "\x00\x01",
    "\u202e\u200f",
    "a" * 10_000,
    "a " * 5_000,
    "* " * 5_000,
    "12C1(e)" * 1_500,
    '"a" ' * 200,
    "- -",
    "-a -b",
    "AND",
    "OR OR",
    "NOT NOT x",
    "(((((",
    "?" * 10_000,
    "karta " * 2_000,
    "%",
    "\\",
    "😀",
    "ﬁ",
    "ß" * 500,
    "٣",
    "\ud800",
    "a AND b OR c NOT d " * 400,
    "x ANDNOT y " * 900,
]


@pytest.mark.parametrize("query", BAD, ids=lambda q: repr(q[:12]))
def test_bad_input_is_answered_in_bounded_time(searcher, query):
    start = time.perf_counter()
    json.dumps(answer_json(searcher.search(query)))
    searcher.suggest(query)
    assert time.perf_counter() - start < 3


@settings(max_examples=examples(150))
@given(st.text(max_size=80))
def test_any_text_is_answered(searcher, query):
    answer = searcher.search(query)
    assert answer.query == query and answer.total >= len(answer.hits)


def test_threads_get_the_same_answers(searcher):
    queries = ["fałszywy renons", "kaznena karta", "nepriznanie farby", "revoke", '"bez pauze"'] * 4
    expected = [searcher.search(q) for q in queries]
    got: dict[int, list] = {}
    threads = [
        threading.Thread(target=lambda n=n: got.__setitem__(n, [searcher.search(q) for q in queries])) for n in range(4)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(got) == 4 and all(g == expected for g in got.values())


@pytest.mark.parametrize(
    ("harm", "finding"),
    [
        ("missing", "cannot be read"),
        ("damaged", "is not the file that was built"),
        ("no manifest", "manifest.json cannot be read"),
        ("not built", "There is no search in"),
        ("other corpus", "search was made from another corpus"),
        ("other layout", "search has the layout “other-"),
    ],
)
def test_a_bad_index_is_refused_with_the_next_move(build_dir, library, tmp_path, harm, finding):
    stage = staged(tmp_path / "build", build_dir)
    search, manifest = stage.folder / SEARCH_PART, stage.folder / MANIFEST_FILE
    if harm in ("missing", "not built"):
        shutil.rmtree(search)
    if harm == "not built":
        shutil.rmtree(stage.folder / LEARNED_PART)
        del stage.parts[SEARCH_PART], stage.parts[LEARNED_PART]
        stage.seal()
    elif harm == "damaged":
        block = max((search / "postings").iterdir(), key=lambda p: p.stat().st_size)
        data = bytearray(block.read_bytes())
        data[len(data) // 2] ^= 255
        block.write_bytes(data)
    elif harm == "no manifest":
        manifest.unlink()
    elif harm == "other corpus":
        (stage.folder / "corpus" / "nodes.jsonl").write_text("{}")
        stage.seal()
    elif harm == "other layout":
        manifest.write_text(manifest.read_text().replace('"search-', '"other-'))
    with pytest.raises(StoreError, match=f"{finding}.* Run: lexbridge build"):
        Searcher.open(Generation.load(stage.folder, (SEARCH_PART,)), library)


@settings(max_examples=examples(300))
@given(st.text("abcd", max_size=8), st.text("abcd", max_size=8))
def test_the_distance_is_symmetric_and_bounded(a, b):
    assert edit_distance(a, b, 2) == edit_distance(b, a, 2) <= 3
    assert (edit_distance(a, b, 2) == 0) == (a == b)


def test_the_distance_is_the_least_number_of_letters_lost_added_changed_or_swapped():
    """At the edges of a word and inside it; of all words of up to four of three letters."""
    words = ["".join(w) for n in range(5) for w in itertools.product("abc", repeat=n)]

    def one_error(word: str) -> set[str]:
        cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
        swapped = {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
        changed = {a + c + b[1:] for a, b in cuts if b for c in "abc"}
        return {a + b[1:] for a, b in cuts if b} | {a + c + b for a, b in cuts for c in "abc"} | swapped | changed

    for a in words:
        once = one_error(a) - {a}
        for b in words:
            assert (edit_distance(a, b, 1) == 1) == (edit_distance(a, b, 2) == 1) == (b in once), (a, b)
