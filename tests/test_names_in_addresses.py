"""What names itself – an edition, a situation, a term, a body – takes the address of no page, also of a new one."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from app_site import site  # noqa: F401
from broken import KEYS, WITH_BREAK, problems
from strangers import write_edition

from corpus import address, edition
from corpus.schema import SLUG_PATTERN

# Variable of an address → whether data may be named so.
MAY_BE: dict[str, Callable[[str], bool]] = {
    "edition": lambda name: edition.id_problem(name) is None,
    "older": lambda name: edition.id_problem(name) is None,
    "newer": lambda name: edition.id_problem(name) is None,
    "path": address.is_path,
    "typed": address.is_path,
    **dict.fromkeys(
        ("situation", "term", "slug", "id_", "body", "number", "code"),
        lambda name: bool(re.fullmatch(SLUG_PATTERN, name)),
    ),
    "group": lambda _score: False,  # the kinds of score stand in the code
    "name": lambda _file: False,  # files of the site, none of the corpus
    "_rest": lambda _unknown: False,
}


def steps(rule) -> list[str]:
    return rule.rule.strip("/").split("/")


def variable(step: str) -> str:
    """The variable of a step, with what stands around it: (before, name, after)."""
    return (re.search(r"<(?:[^:<>]+:)?(\w+)>", step) or [None, ""])[1]


def around(step: str, inner: str) -> str | None:
    """What the variable of a step is where an address has ``inner`` there; None where it cannot be that."""
    match = re.fullmatch(re.escape(re.sub("<[^<>]+>", "\0", step)).replace("\0", "(.+)"), inner)
    return match[1] if match else None


def rivals(rules) -> list[tuple[str, str, str]]:
    """(variable, what stands there instead, the address that has it) of every two addresses that part there."""
    found = []
    for rule in rules:
        for n, step in enumerate(steps(rule)):
            if not variable(step):
                continue
            for other in rules:
                theirs = steps(other)
                if theirs[:n] == steps(rule)[:n] and len(theirs) > n and not variable(theirs[n]):
                    said = around(step, theirs[n])
                    found += [(variable(step), said, other.rule)] if said else []
    return found


def test_no_name_takes_the_address_of_a_page(site):
    rules = list(site.url_map.iter_rules())
    parted = rivals(rules)
    assert {name for name, *_ in parted} >= {"edition", "path", "body"} and len(parted) > 30
    assert [(name, said, rule) for name, said, rule in parted if MAY_BE[name](said)] == []


def test_every_variable_of_an_address_is_known(site):
    assert {variable(step) for rule in site.url_map.iter_rules() for step in steps(rule)} - {""} <= MAY_BE.keys()


@pytest.mark.parametrize(
    "name",
    "search static api compare healthz terms about all 27b1 16d 12 12-c 16d2 16-17 p12 law27 Xx-2030 a--b x_y é a.b"
    " -a a- favicon.ico aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".split(),
)
def test_an_edition_that_takes_an_address_is_refused(name, tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS, name=name)
    (corpus / "languages" / "xa.toml").write_text('name = "Xa"\n[reference]\nlaw = ["law"]\n[search]\nlaw = ["p"]\n')
    write_edition(tmp_path, WITH_BREAK.replace("nothing", "little"), KEYS, name="yy-2030")
    told = [p for p in problems(corpus) if p.fatal]
    assert [p.file for p in told] == [f"editions/{name}/edition.toml"]
    assert "cannot be the id" in told[0].finding and "Name the folder" in told[0].move


@pytest.mark.parametrize("name", ["xx-2030", "wbf", "2030", "ebl-a", "law-27", "sk-2017", "x1-y2-z3"])
def test_an_edition_that_takes_none_is_read(name, tmp_path):
    found = problems(write_edition(tmp_path, WITH_BREAK, KEYS, name=name))
    assert [str(p) for p in found if "the id ends in" not in p.finding] == []  # the year of KEYS is another


@pytest.mark.parametrize("name", ["Feed", "feed.atom", "a.json", "a b", "ä", "..", "a/b", "a\u202eb", "-"])
def test_a_slug_has_small_letters_digits_and_hyphens_alone(name):
    assert not re.fullmatch(SLUG_PATTERN, name)
