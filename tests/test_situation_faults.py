"""A fault of a situation is told with its file and line, what was found and the next move; a sound one has none."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from corpus.model import NodeId
from corpus.relation import alignment, cross_checks
from corpus.relation.relations import Relations
from corpus.situation.placement import QuotedTexts
from corpus.situation.read import read_situations

ROOT = Path(__file__).parent.parent
LANGS = ("pl", "sk", "hr", "en")
SAID = "\n".join(f"{lang} = [{', '.join(f'{chr(34)}{lang} {n}{chr(34)}' for n in range(8))}]" for lang in LANGS)
ELSE = re.sub(" ([0-7])", r" other \1", SAID)
FOUR = "{" + ", ".join(f'{lang} = "{lang}"' for lang in LANGS) + "}"
WHOLE = f"""\
phase = "auction"
near = ["other"]
[name]
pl = "a"
sk = "b"
hr = "c"
en = "d"
[said]
{SAID}
[provisions]
2017 = ["27/B/1/a", "27/A/1", "27/B/2"]
2007 = ["27/B/1/a", "27/A/1"]

[[ask]]
id = "accepted"
kind = "choice"
by = "lho"
question = {FOUR}
see = {{2017 = ["27/A/1"]}}
[[ask.answer]]
id = "yes"
text = {FOUR}
[[ask.answer]]
id = "no"
text = {FOUR}

[[ask]]
id = "other"
kind = "fact"
question = {FOUR}
ticks = {{2017 = ["64/B/2", "64/B/3"]}}

[table.2017]
asks = ["accepted", "other"]
[[table.2017.row]]
id = "stands"
if = {{accepted = "yes"}}
says = {{path = "27/A/1"}}
duties = {{do = "stands", who = "lho"}}
[[table.2017.row]]
id = "lowest"
if = {{accepted = "no", other = "none"}}
says = [
    {{path = "27/B", words = {{sk-2017 = "musí byť nahradená právoplatnou hláškou"}}}},
    {{path = "27/B/1/a"}},
]
duties = {{do = "no-rectification", who = "offender"}}
off = ["26/B", "16/C"]
differs.2007 = {FOUR}
[[table.2017.row.then]]
when = "end-of-play"
kind = "judgment"
by = "director"
says = {{path = "27/D"}}
duties = {{do = "adjusts", who = "director", if = "damaged"}}
[[table.2017.row]]
id = "passes"
if = {{accepted = "no", other = "some"}}
says = {{path = "27/B/2"}}
differs = {{2007 = {FOUR}}}
duties = {{do = "stands", who = "lho"}}
also = {{if = {{other = "64/B/3"}}, says = {{path = "64/B/3"}}}}

[table.2007]
asks = ["accepted"]
[[table.2007.row]]
id = "stands"
if = {{accepted = "yes"}}
says = {{path = "27/A/1", words = {{pl-2007 = "Zostaje ona zaakceptowana, gdy LHO zgłosi swoją zapowiedź."}}}}
duties = {{do = "stands", who = "lho"}}
[[table.2007.row]]
id = "lowest"
if = {{accepted = "no"}}
says = {{path = "27/B/1/a"}}
differs.2017 = {FOUR}
duties = {{do = "no-rectification", who = "offender"}}

[[scenario]]
told = "Accepted."
code = "2017"
answers = {{accepted = "yes"}}
row = "stands"
"""
OTHER = f"""\
phase = "play"
[name]
pl = "a"
sk = "b"
hr = "c"
en = "d"
[said]
{ELSE}
[provisions]
2017 = ["66/C"]
"""
VOCABULARY = {
    "phases": ("auction", "play"),
    "roles": ("lho", "offender", "director"),
    "duties": ("stands", "no-rectification", "adjusts"),
    "objects": ("card",),
    "moments": ("end-of-play",),
    "conditions": ("damaged",),
    "facts": ("accepted-yes",),
}


@pytest.fixture(scope="module")
def ground(ingest):
    """The texts of the corpus, and what holds between them."""
    nodes = {n.id: n for r in ingest.readings.values() for n in r.nodes}
    texts = [e for e in ingest.editions.values() if not e.is_decisions]
    editions = [
        alignment.EditionToAlign.of(e, ingest.readings[e.id].nodes) for e in sorted(texts, key=lambda e: e.sort_key)
    ]
    relations = Relations(editions, nodes, ingest.links)
    return QuotedTexts({e.id: e.code for e in texts}, nodes), lambda s: cross_checks.disagreement_faults(s, relations)


def problems(folder: Path, ground, text: str = WHOLE, files: dict[str, str] | None = None) -> list[str]:
    """What is said of a folder with ``call.toml`` and ``other.toml``, and other files that a case has."""
    for name, ids in VOCABULARY.items():
        (folder / "vocabulary").mkdir(exist_ok=True)
        lines = (f"{id_} = {FOUR}\n" for id_ in ids)
        (folder / "vocabulary" / f"{name}.toml").write_text("".join(lines), encoding="utf-8")
    (folder / "situations").mkdir()
    for name, content in {"situations/call.toml": text, "situations/other.toml": OTHER, **(files or {})}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return [str(p) for p in read_situations(folder, *ground)[1]]


def test_a_sound_folder_has_no_problem(tmp_path, ground):
    assert problems(tmp_path, ground) == []


def test_a_part_of_what_the_words_switch_off_is_switched_off(tmp_path, ground):
    assert problems(tmp_path, ground, WHOLE.replace('"16/C"]', '"16/C", "16/C/2"]')) == []


def test_no_folder_is_no_situation(tmp_path, ground):
    situations, found = read_situations(tmp_path, *ground)
    assert situations.all == () and found == []


FAULTS = [
    ('phase = "auction"', 'phase = "tea"', ":1: “tea” is not among the phases."),
    ('near = ["other"]', 'near = ["nobody"]', ":2: There is no other situation “nobody”."),
    ('near = ["other"]', 'near = ["call"]', ":2: There is no other situation “call”."),
    ('en = "d"\n', "", "It is not said in “en”."),
    ('"pl 0", ', "", "There are 7 ways of saying it in “pl”."),
    ('"pl 0", ', '"pl 1", ', ": “pl 1” says nothing new."),
    ('"pl 0", ', '"pl other 0", ', "“pl other 0” is said of “call”, too."),
    ('by = "lho"\nquestion', "question", "A choice is somebody's, and only a choice is."),
    ('id = "accepted"', 'id = "code"', "A question cannot be called “code”."),
    ('kind = "fact"', 'kind = "guess"', "“ask.kind” is “guess”."),
    ('[[ask.answer]]\nid = "no"\n', '[[ask.answer]]\nid = "yes"\n', "“yes” stands there 2 times."),
    ('"64/B/3"]}', '"64/B/9"]}', "No text of 2017 has 64/B/9."),
    ('see = {2017 = ["27/A/1"]}', 'see = {2017 = ["27/A/7"]}', "No text of 2017 has 27/A/7."),
    ('2017 = ["27/B/1/a", ', '2017 = ["27/B/1/z", ', "No text of 2017 has 27/B/1/z."),
    ('"27/A/1", "27/B/2"]', '"27/A/1"]', "27/B/2 decides the row “passes” and is not among the provisions of 2017."),
    ('asks = ["accepted", "other"]', 'asks = ["accepted", "nothing"]', "There is no question “nothing”."),
    ('asks = ["accepted", "other"]', 'asks = ["accepted"]', "The table does not ask “other”."),
    ('asks = ["accepted"]', 'asks = ["accepted", "other"]', "“other” has nothing to tick in 2007."),
    ('if = {accepted = "yes"}\nsays = {path = "27/A/1"}', 'says = {path = "27/A/1"}', "stands and lowest."),
    ('accepted = "no", other = "none"', 'accepted = "no", other = "some"', "accepted = no, other = none: no row."),
    ('other = "some"', 'other = "maybe"', "“maybe” is no answer to “other” in 2017."),
    ('if = {other = "64/B/3"}', 'if = {other = "some"}', "“some” is no answer to “other” in 2017."),
    ('duties = {do = "stands", who = "lho"}\nalso', "also", "The row “passes” orders nothing."),
    ('do = "adjusts"', 'do = "sings"', "“sings” is not among the duties."),
    ('id = "no"\n', 'id = "no"\nfacts = ["accepted-maybe"]\n', "“accepted-maybe” is not among the facts."),
    ('who = "director", if', 'who = "barman", if', "“barman” is not among the roles."),
    ('if = "damaged"', 'if = "raining"', "“raining” is not among the conditions."),
    ('when = "end-of-play"', 'when = "midnight"', "“midnight” is not among the moments."),
    ("musí byť nahradená", "môže byť nahradená", "does not stand in the text of sk-2017/27/B."),
    ("Zostaje ona", "Ona", "does not stand in the text of pl-2007/27/A/1."),
    ('{path = "27/B/1/a"},', '{path = "27/B/1/f"},', "There is no sk-2017/27/B/1/f."),
    ('{path = "27/B/1/a"},', '{path = "97/B"},', "No text of 2017 has 97/B."),
    ('{path = "27/B/1/a"},', '{path = "27/B/1"},', "The text of sk-2017/27/B/1 has no words."),
    ("{sk-2017 =", "{pl-2007 =", "“pl-2007” is no text of 2017."),
    ('off = ["26/B", "16/C"]', 'off = ["26/B", "16/C", "98/D"]', "No text of 2017 has 98/D."),
    ('off = ["26/B", "16/C"]', 'off = ["26/B", "50/D"]', "The quoted words do not name 50/D."),
    # What is named by a part of it alone is not switched off as a whole.
    ('off = ["26/B", "16/C"]', 'off = ["26/B", "16"]', "The quoted words do not name 16."),
    ('off = ["26/B", "16/C"]', 'off = ["26", "16/C"]', "The quoted words do not name 26."),
    ('duties = {do = "stands", who = "lho"}\nalso', 'goto = {situation = "x"}\nalso', "There is no situation “x”."),
    (
        'duties = {do = "stands", who = "lho"}\nalso',
        'goto = {situation = "call"}\nalso',
        "It leads back to itself with everything open.",
    ),
    (
        'duties = {do = "stands", who = "lho"}\nalso',
        'goto = {situation = "other", answers = {accepted = "no"}}\nalso',
        "“other” has no table for 2017.",
    ),
    (
        'duties = {do = "stands", who = "lho"}\nalso',
        'goto = {situation = "call", closed = {accepted = "perhaps"}}\nalso',
        "“perhaps” is no answer to “accepted” of “call”.",
    ),
    ('path = "27/B/2"}', f'path = "27/B/2"}}\nnone = {FOUR}', "Where no provision speaks, 12A1 stands."),
    (
        'answers = {accepted = "yes"}\nrow',
        'answers = {accepted = "no"}\nrow',
        "The case meets lowest or passes, not “stands”.",
    ),
    ('answers = {accepted = "yes"}\nrow', 'answers = {accepted = "oh"}\nrow', "“oh” is no answer to “accepted”."),
    ('code = "2017"\nanswers', 'code = "2018"\nanswers', "There is no table for “2018”."),
    (
        'duties = {do = "stands", who = "lho"}\n[[table.2007.row]]',
        'duties = {do = "adjusts", who = "lho"}\n[[table.2007.row]]',
        "For the answers of “stands” 2007 differs in duties.",
    ),
    ('[[ask.answer]]\nid = "no"', '[[ask.answer]]\nid = "no"\ncodes = ["2017"]', "“accepted” has 1 answers in 2007."),
    ('phase = "auction"', 'phase = "auction"\ntiles = 3', "Unknown key “tiles”."),
    ('phase = "auction"', 'phase = "auction"\ntakes = "cards"', "“takes” is “cards”."),
    ('phase = "auction"', "phase = auction", "Not TOML"),
]


@pytest.mark.parametrize("old, new, said", FAULTS, ids=[said[:60] for *_, said in FAULTS])
def test_a_fault_is_told(tmp_path, ground, old, new, said):
    assert WHOLE.count(old) >= 1, "the case changes the file"
    found = problems(tmp_path, ground, WHOLE.replace(old, new, 1))
    assert any(said in f for f in found), found
    assert all(f.startswith("situations/") for f in found)


def test_where_another_code_orders_otherwise_both_rows_say_so(tmp_path, ground):
    row = 'duties = {do = "stands", who = "lho"}\n[[table.2007.row]]'
    other = 'duties = {do = "adjusts", who = "lho"}\ndiffers.2017 = FOUR\n[[table.2007.row]]'.replace("FOUR", FOUR)
    changed = WHOLE.replace(row, other)
    assert changed != WHOLE
    found = problems(tmp_path, ground, changed)
    assert [f for f in found if "“stands” 2007 differs in duties." in f] == found, "the row of 2017 says it, too"


def test_a_code_that_asks_further_is_told(tmp_path, ground):
    ask = 'if = {accepted = "yes"}\nsays = {path = "27/A/1"}'
    changed = WHOLE.replace(f"differs = {{2007 = {FOUR}}}\n", "")
    changed = changed.replace('if = {accepted = "no", other = "some"}', 'if = {other = "some"}')
    changed = changed.replace(ask, ask.replace('"yes"}', '"yes", other = "none"}'), 1)
    changed = changed.replace('answers = {accepted = "yes"}', 'answers = {accepted = "yes", other = "none"}')
    found = problems(tmp_path, ground, changed)
    assert any("2017 differs in what is asked" in f for f in found), found


def test_one_situation_takes_the_bids_of_a_query(tmp_path, ground):
    takes = lambda text: text.replace("[name]", 'takes = "bids"\n[name]', 1)
    found = problems(tmp_path, ground, takes(WHOLE), {"situations/other.toml": takes(OTHER)})
    assert found == ["situations/other.toml:2: “call” takes bids, too. Remove “takes” from one of them."]


def test_a_circle_of_two_situations_is_told(tmp_path, ground):
    onward = lambda to: f'goto = {{situation = "{to}"}}\n'
    call = WHOLE.replace('duties = {do = "stands", who = "lho"}\nalso', onward("other") + "also")
    back = OTHER + '[table.2017]\nasks = []\n[[table.2017.row]]\nid = "x"\nsays = {path = "66/C"}\n' + onward("call")
    found = problems(tmp_path, ground, call, {"situations/other.toml": back})
    assert any("“other” leads back here: a circle." in f for f in found), found


def test_a_circle_of_three_situations_is_told(tmp_path, ground):
    onward = lambda to: f'goto = {{situation = "{to}"}}\n'
    row = '[table.2017]\nasks = []\n[[table.2017.row]]\nid = "x"\nsays = {path = "66/C"}\n'
    call = WHOLE.replace('duties = {do = "stands", who = "lho"}\nalso', onward("other") + "also")
    third = OTHER.replace(" other ", " third ") + row + onward("call")
    files = {"situations/other.toml": OTHER + row + onward("third"), "situations/third.toml": third}
    assert any("“other” leads back here: a circle." in f for f in problems(tmp_path, ground, call, files))


def test_the_words_of_a_list_are_in_every_language(tmp_path, ground):
    found = problems(
        tmp_path, ground, files={"vocabulary/roles.toml": f'lho = {FOUR}\noffender = {FOUR}\ndirector = {{pl = "s"}}\n'}
    )
    assert any(f.startswith("vocabulary/roles.toml:3: director: It is not said in “sk”.") for f in found), found


ORDERS = "path\tdoes\tsituations\treason\n"


@pytest.mark.parametrize(
    "row, said",
    [
        ("27/B/2\torders\tcall\t", ""),
        ("99/B\torders\tcall\t", "No text of 2017 has 99/B."),
        ("27/B/2\tsings\tcall\t", "“does” is “sings”."),
        ("27/B/2\torders\t\t", "27/B/2 has situations and a reason, or neither."),
        ("27/B/2\torders\tnobody\t", "There is no situation “nobody”."),
        ("70/A\torders\tcall\t", "“call” does not list 70/A, or what it stands in."),
    ],
)
def test_the_list_of_what_is_ordered(tmp_path, ground, row, said):
    found = problems(tmp_path, ground, files={"situations/orders-2017.tsv": ORDERS + row + "\n"})
    assert [f for f in found if said in f] == found if not said else any(said in f for f in found), found


def test_a_text_that_nothing_quotes_is_not_asked_for(tmp_path, ground):
    """A further text of a code does not break the situations that were written before it came."""
    texts, disagree = ground
    also = {NodeId.of("xx-2017", n.path): n for n in texts.nodes.values() if n.edition == "sk-2017"}
    more = QuotedTexts({**texts.codes, "xx-2017": "2017"}, {**texts.nodes, **also})
    assert problems(tmp_path, (more, disagree)) == []


def test_the_files_of_the_corpus_are_checked(tmp_path):
    """A fault in one of them keeps the build from being published."""
    from click.testing import CliRunner

    from scripts.cli import main

    shutil.copytree(ROOT / "corpus", tmp_path / "corpus", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    file = tmp_path / "corpus" / "situations" / "insufficient-bid.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('phase = "auction"', 'phase = "tea"'), encoding="utf-8")
    env = {"LEXBRIDGE_CORPUS": str(tmp_path / "corpus"), "LEXBRIDGE_BUILD": str(tmp_path / "build")}
    result = CliRunner().invoke(main, ["ingest"], env=env)
    assert result.exit_code == 1 and "situations/insufficient-bid.toml:1:" in result.output, result.output
    assert not (tmp_path / "build").exists()
