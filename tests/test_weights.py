"""Every number of the ranking stands in one table, with its reason; none stands elsewhere, and none in the table is
unused.
"""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from index.weights import BUILT_INTO_INDEX, CLASSIFIER_WEIGHTS, WEIGHTS, without_weight
from scripts.evaluate_situations import LEARNING_WEIGHTS

ROOT = Path(__file__).parent.parent
MODULES = [p for p in sorted((ROOT / "index").rglob("*.py")) if p.name != "weights.py"]
NAMES = {f.name for table in (WEIGHTS, CLASSIFIER_WEIGHTS) for f in fields(table)}


def test_every_number_is_used_and_none_is_missing():
    used = {
        node.attr
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and (
            (isinstance(node.value, ast.Name) and node.value.id in ("weights", "CLASSIFIER_WEIGHTS"))
            or (isinstance(node.value, ast.Attribute) and node.value.attr == "_weights")
        )
    }
    assert used == NAMES and set(BUILT_INTO_INDEX) <= NAMES


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_other_number_tunes_the_order(path):
    """0 and 1 are no tuning; 2 belongs to formulas. A fraction outside the table would be one."""
    numbers = {
        node.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
    }
    assert not [n for n in numbers if isinstance(n, float) and n not in (0.0, 1.0, 1e-9)]
    if path.parent.name == "rank":
        # A question of four words, in confidence.py, is a name: enough_four.
        assert numbers <= {0, 1, 2} | ({4} if path.name == "confidence.py" else set())


@pytest.mark.parametrize("weight", fields(CLASSIFIER_WEIGHTS), ids=lambda f: f.name)
def test_a_number_of_the_situations_has_its_reason(weight):
    said = weight.metadata
    assert said["why"] and said["off"] != weight.default and bool(said["earned"]) == (weight.name in LEARNING_WEIGHTS)


@pytest.mark.parametrize("weight", fields(WEIGHTS), ids=lambda f: f.name)
def test_a_number_has_its_reason_and_what_it_earned(weight):
    said = weight.metadata
    assert said["why"] and said["earned"] and said["off"] != weight.default
    assert getattr(without_weight(weight.name), weight.name) == said["off"]


def test_the_table_of_the_documents_is_that_of_the_code():
    text = (ROOT / "docs" / "search.md").read_text(encoding="utf-8").split("### What every number earns")[1]
    rows = re.findall(
        r"^\| (\w+) \| (-?[\d.]+) \| ([\d.]+) \| (.+? \| .+?) \| (.+) \|$", text.split("\n## ")[0], re.MULTILINE
    )
    said = {f: f.metadata for f in fields(WEIGHTS)}
    code = {(f.name, str(f.default), str(of["off"]), of["earned"], of["why"]) for f, of in said.items()}
    assert set(rows) == code


def test_the_table_of_the_situations_is_that_of_the_code():
    text = (ROOT / "docs" / "search.md").read_text(encoding="utf-8").split("## What happened?")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \| ([\d.]+) \| (.*?) \| (.+) \|$", text, re.MULTILINE)
    said = {f: f.metadata for f in fields(CLASSIFIER_WEIGHTS)}
    assert set(rows) == {(f.name, str(f.default), str(of["off"]), of["earned"], of["why"]) for f, of in said.items()}
