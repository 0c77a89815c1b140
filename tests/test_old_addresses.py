"""Addresses of sheets that the release before printed: each gives the same row, or asks again and says why."""

from __future__ import annotations

import csv
from pathlib import Path
from urllib.parse import parse_qsl

from corpus.situation.model import next_ask, read_answers, renew_answers, rows_still_possible

CASES = Path(__file__).parent / "cases" / "situations" / "old-addresses.tsv"
ROWS = list(csv.DictReader(CASES.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))


def states(library):
    """(the old address, its situation, the answers as they are now, the rows that they leave, what is asked next,
    whether the page says that the guide has changed)
    """
    for case in ROWS:
        situation, code = library.situations[case["situation"]], case["code"]
        said: dict[str, tuple[str, ...]] = {}
        for ask, answer in parse_qsl(case["answers"]):
            said[ask] = (*said.get(ask, ()), answer)
        renewed, undecided = renew_answers(situation, code, said)
        given, wrong = read_answers(situation, code, renewed)
        rows = rows_still_possible(situation, code, given)
        yield case, situation, given, rows, next_ask(situation, code, given), bool(undecided or wrong)


def test_there_are_as_many_as_the_release_had():
    assert len(ROWS) > 700 and len({case["situation"] for case in ROWS}) == 28


def test_an_old_address_gives_the_same_ruling_or_says_that_the_guide_has_changed(library):
    wrong = []
    for case, situation, given, rows, following, told in states(library):
        code, old = case["code"], case["row"]
        gone = [r for r in situation.retired if r.row == old and (not r.codes or code in r.codes)]
        now = {r.row_now for r in gone if all(a in given.get(ask, ()) for ask, a in r.given.items())} or {old}
        met = {row.id for row in rows}
        if not rows:
            wrong.append((case, "nothing"))
        elif following is None and not met <= now and not told:
            wrong.append((case, sorted(met)))
        elif following is not None and not told and old not in met and not now & met:
            wrong.append((case, "asks", following.id))
    assert not wrong, (len(wrong), wrong[:20])


def test_most_old_addresses_are_still_decided(library):
    decided = [following is None for *_, following, _told in states(library)]
    assert sum(decided) >= 0.8 * len(decided), (sum(decided), len(decided))
