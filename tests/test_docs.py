"""What the documents show is there: links lead somewhere, commands exist, records of decisions keep their form."""

from __future__ import annotations

import re
import tomllib

import pytest

from tools.structure import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
WHY = sorted((ROOT / "docs" / "why").glob("*.md"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
name_of = lambda path: str(path.relative_to(ROOT))


def test_there_are_documents():
    assert len(DOCUMENTS) > 10 and len(WHY) >= 7


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_between_documents_lead_somewhere(path):
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", path.read_text(encoding="utf-8"))
    assert not [link for link in links if not (path.parent / link).exists()]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_make_that_is_named_is_a_target(path):
    named = re.findall(r"(?:^ {4}|`)make ([a-z]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert not [name for name in named if not re.search(rf"^{name}:", MAKEFILE, re.MULTILINE)]


def test_make_help_tells_every_target_that_a_person_asks_for():
    phony = re.search(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)[1].split()
    assert [name for name in phony if not re.search(rf"^{name}:.*  ## \S", MAKEFILE, re.MULTILINE)] == []


@pytest.mark.parametrize("path", WHY, ids=name_of)
def test_a_record_of_a_decision_is_short_and_says_when_to_think_again(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 25
    assert [w for w in ("**Decision.**", "**Why.**", "**Weighed.**", "**Think again**") if w not in text] == []


def test_the_rooms_that_contributing_names_are_there():
    table = CONTRIBUTING.partition("## Where things go")[2].partition("\n\nNo code")[0]
    places = [p for p in re.findall(r"`([^`]+/[^`]*)`", table) if "<" not in p]
    assert len(places) > 8 and not [p for p in places if not list(ROOT.glob(p.rstrip("/")))]


def test_the_mutant_that_contributing_shows_is_one_of_the_list():
    shown = CONTRIBUTING.partition("    [[mutant]]\n")[2].partition("\n\n")[0]
    (row,) = tomllib.loads("[[mutant]]\n" + shown)["mutant"]
    listed = tomllib.loads((ROOT / "tests" / "mutants" / "site.toml").read_text(encoding="utf-8"))["mutant"]
    assert row in listed
