"""Orders of situations beside their words: misprints, lenient, the contrary, companions, readings – each planted fault
is told, with the place and the next move.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from corpus.situation import read
from corpus.situation.placement import CompanionRule
from corpus.situation.read import read_situations
from tests.test_situation_faults import FOUR, WHOLE, ground, problems

__all__ = ["ground"]

# The words of 26B of sk-2017 stand on a misprint that has an id.
UNDER = WHOLE.replace('says = {path = "27/D"}', 'says = {path = "26/B"}')
NAMED = 'duties = {do = "adjusts", who = "director", if = "damaged"'
MISPRINT = 'misprints = [{slip = "sk-2017:26B-defenders", STATE}]'
ORDERS = """
undecided = "stands"
lenient = ["no-rectification"]
[[opposites]]
duties = ["no-rectification"]
against = ["adjusts"]
"""
TOGETHER = """
[[together]]
provisions = {2017 = ["27/B/2"]}
needs = {2017 = ["27/B/4"]}
reason = "because"
"""


def under(state: str, do: str = "adjusts") -> str:
    """The folder's situation with a duty on the misprinted words of 26B."""
    duty = NAMED.replace("adjusts", do) + ", " + MISPRINT.replace("STATE", state)
    changed = UNDER.replace(NAMED, duty)
    assert changed != UNDER
    return changed


@pytest.mark.parametrize(
    "text, said",
    [
        (UNDER, "“adjusts” does not say what it does with the misprint in sk-2017/26/B “obrancami”"),
        (under('state = "harmless"'), "A misprint is “harmless” without a reason."),
        (under('state = "corrected", reason = "so"'), "A misprint is “corrected” with a reason."),
        (under('state = "guessed"'), ".misprints.state” is “guessed”."),
        (under('state = "harmless", reason = "so"').replace("26B-d", "26B-x"), "No misprint “sk-2017:26B-xefenders”"),
        (under('state = "undecided", reason = "so"'), "“adjusts” is ordered on words whose misprint is undecided."),
        (
            under('state = "harmless", reason = "so"', do="stands"),
            "“stands” is ordered on words whose misprint is harmless.",
        ),
        (WHOLE.replace(NAMED, NAMED.replace("adjusts", "stands")), "“stands” orders nothing of ours"),
        (
            WHOLE.replace(NAMED, f"{NAMED}, {MISPRINT}".replace("STATE", 'state = "corrected"')),
            "No misprint “sk-2017:26B-defenders” stands in the words of “adjusts”.",
        ),
    ],
)
def test_a_duty_on_misprinted_words_says_what_it_does_with_the_misprint(tmp_path, ground, text, said):
    files = {"vocabulary/orders.toml": 'undecided = "stands"\n'} if "stands" in said else {}
    found = problems(tmp_path, ground, text, files)
    assert any(said in f for f in found), found
    assert all(f.startswith("situations/call.toml:") for f in found)


@pytest.mark.parametrize(
    "text, files",
    [
        (under('state = "harmless", reason = "so"'), {}),
        (under('state = "corrected"'), {}),
        (under('state = "undecided", reason = "so"', do="no-rectification"), {"undecided": "no-rectification"}),
    ],
)
def test_what_says_it_has_no_problem(tmp_path, ground, text, files):
    orders = {"vocabulary/orders.toml": "".join(f'{key} = "{value}"\n' for key, value in files.items())}
    row = 'duties = {do = "no-rectification", who = "offender"}'
    text = text.replace(row, row.replace("no-rectification", "adjusts")) if files else text
    assert problems(tmp_path, ground, text, orders) == []


@pytest.mark.parametrize(
    "orders, old, new, said",
    [
        (ORDERS, "", "", "No words are named that order “no-rectification”."),
        (ORDERS, 'who = "offender"}', 'who = "offender", words = {sk-2017 = "xyz"}}', "“xyz” is not among the words"),
        (ORDERS, 'who = "offender"}', 'who = "offender", words = {hr-1997 = "a"}}', "“a” is not among the words"),
        (ORDERS, 'who = "director"', 'who = "offender"', "“no-rectification” and “adjusts” of “lowest”"),
        ('lenient = ["sings"]', "", "", "“sings” is not among the duties."),
        ('undecided = "sings"', "", "", "“sings” is not among the duties."),
        ("[[opposites]]\nduties = []\nagainst = []", "", "", "“opposites.duties” is empty."),
        ("lenient = 3", "", "", "“lenient” is 3."),
    ],
)
def test_an_order_that_lets_off_or_contradicts_is_told(tmp_path, ground, orders, old, new, said):
    text = WHOLE.replace(old, new) if old else WHOLE
    found = problems(tmp_path, ground, text, {"vocabulary/orders.toml": orders})
    assert any(said in f for f in found), found


def test_the_contrary_later_is_none_where_both_cannot_be_meant_at_once(tmp_path, ground):
    row = 'duties = {do = "adjusts", who = "director", if = "damaged"}'
    text = WHOLE.replace(row, 'duties = {do = "adjusts", who = "offender"}')
    lists = ORDERS.partition("[[")[1] + ORDERS.partition("[[")[2]
    assert any("order the contrary" in f for f in problems(tmp_path, ground, text, {"vocabulary/orders.toml": lists}))
    (tmp_path / "vocabulary/orders.toml").write_text(lists + "at_once = true\n", "utf-8")
    assert [str(p) for p in read_situations(tmp_path, *ground)[1]] == []


@pytest.mark.parametrize(
    "together, text, said",
    [
        (TOGETHER, WHOLE, "“passes” of 2017 lacks 27/B/4: because."),
        (TOGETHER.replace("27/B/4", "27/B/2"), WHOLE, ""),
        (TOGETHER + '[[together.except]]\nrows = ["2017/call/passes"]\nwhy = "so"\n', WHOLE, ""),
        (
            TOGETHER + '[[together.except]]\nrows = ["2017/call/stands"]\nwhy = "so"\n',
            WHOLE,
            "“2017/call/stands” needs no exception, or is no row.",
        ),
        (
            TOGETHER.replace("provisions = {2017", 'duties = ["sings"]\nprovisions = {2017'),
            WHOLE,
            "“sings” is not among",
        ),
        (TOGETHER.replace('provisions = {2017 = ["27/B/2"]}\n', ""), WHOLE, "Nothing calls for the partner."),
        (TOGETHER.replace('["27/B/2"]', '["27/B/1/a"]').replace('["27/B/4"]', '["26/B"]'), WHOLE, ""),
        (
            TOGETHER.replace('provisions = {2017 = ["27/B/2"]}', 'duties = ["adjusts"]').replace("27/B/4", "12/C"),
            WHOLE,
            "“lowest” of 2017 lacks 12/C: because.",
        ),
    ],
)
def test_a_provision_that_belongs_to_another_is_quoted_with_it(tmp_path, ground, together, text, said):
    found = problems(tmp_path, ground, text, {"vocabulary/together.toml": together})
    assert [f for f in found if said in f] if said else not found, found


def test_differs_names_another_code_in_every_language(tmp_path, ground):
    text = WHOLE.replace(f"differs.2007 = {FOUR}", 'differs.2007 = {pl = "x"}\ndiffers.1997 = ' + FOUR)
    found = problems(tmp_path, ground, text)
    assert any("It is not said in “sk”." in f for f in found)
    assert any("“differs” names 1997." in f for f in found)


def lines(folder, ground) -> tuple[dict[read.ReadingKey, str], list[str]]:
    """The digests of the folder's rows, and what is noted of them."""
    situations, found = read_situations(folder, *ground)
    nodes = ground[0].nodes
    return read.reading_digests(situations.all, situations.vocabulary, nodes), [str(p) for p in found]


def record(folder, digests: dict[read.ReadingKey, str], readers=read.READERS) -> None:
    """Two readers have read all."""
    rows = ["\t".join((*key, digest, reader, "2026-11-23")) for key, digest in digests.items() for reader in readers]
    (folder / read.FILE).write_text("\n".join(("\t".join(read.COLUMNS), *rows)) + "\n", "utf-8")


def test_a_row_that_two_have_read_is_noted_again_when_anything_of_it_changes(tmp_path, ground):
    assert problems(tmp_path, ground) == []
    digests, _ = lines(tmp_path, ground)
    record(tmp_path, digests)
    assert lines(tmp_path, ground)[1] == []
    for old, new in (
        ('who = "director", if = "damaged"', 'who = "director"'),
        ("musí byť nahradená právoplatnou hláškou", "musí byť nahradená"),
        ('id = "no"\ntext = {pl = "pl"', 'id = "no"\ntext = {pl = "nie"'),
        ('differs.2007 = {pl = "pl"', 'differs.2007 = {pl = "inaczej"'),
        ('off = ["26/B", "16/C"]', 'off = ["26/B"]'),
    ):
        changed = WHOLE.replace(old, new, 1)
        assert changed != WHOLE, old
        (tmp_path / "situations/call.toml").write_text(changed, "utf-8")
        noted = lines(tmp_path, ground)[1]
        assert any("“lowest” of 2017 is not read by the second and the third reader" in n for n in noted), old
        assert all("“stands” of 2017" not in n for n in noted), old


def test_one_reader_is_not_two_and_a_line_without_a_row_is_told(tmp_path, ground):
    problems(tmp_path, ground)
    digests, _ = lines(tmp_path, ground)
    record(tmp_path, digests, readers=("second",))
    noted = lines(tmp_path, ground)[1]
    assert len(noted) == len(digests) and all("by the third reader" in n for n in noted)
    record(tmp_path, digests | {read.ReadingKey("call", "2017", "gone"): "x"})
    assert any("There is no row “gone” of 2017" in n for n in lines(tmp_path, ground)[1])
    record(tmp_path, digests, readers=("second", "fifth"))
    assert any("The reader is “fifth”." in n for n in lines(tmp_path, ground)[1])


@pytest.mark.parametrize(
    "off, met",
    [((), False), (("27",), True), (("27/B",), True), (("27/B/1",), False), (("27/C",), False), (("2",), False)],
)
def test_a_companion_is_switched_off_with_all_of_it(off, met):
    rule = CompanionRule(needs={"2017": ("27/B",)}, reason="because")
    row = SimpleNamespace(slices=(), off=off, also=(), then=())
    assert rule.is_met_by(row, "2017") is met
    part = (SimpleNamespace(off=off),)
    assert rule.is_met_by(SimpleNamespace(slices=(), off=(), also=part, then=()), "2017") is met
    assert rule.is_met_by(SimpleNamespace(slices=(), off=(), also=(), then=part), "2017") is met
