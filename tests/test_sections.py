"""Which provision of a law words are about: trained from paraphrases, each law by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model import NodeId
from index.concept import Concepts
from index.query.stated import FactReader
from index.sections import SectionModel, extract_section_features
from index.train import TrainingSentence, train_sections

# Law → provision → what is said of it. The provisions of a law share all words but one.
SAID = {
    "1": {"1/A": "the trick was won by him", "1/B": "the trick was lost by him", "1/C": "the trick was skipped by him"},
    "2": {"2/A": "she dealt quickly", "2/B": "she dealt slowly"},
    "3": {"3": "everybody went home"},
}
FACTS = FactReader(())


@pytest.fixture(scope="module")
def model() -> SectionModel:
    return train_sections(sentences(), {}, Concepts({}), FACTS)


def sentences() -> list[TrainingSentence]:
    """Each is said twice, in the order of the laws backwards."""
    return [
        TrainingSentence("xa", f"{text} {again}".strip(), law=NodeId(f"new/{law}"), provision=NodeId(f"new/{path}"))
        for law in reversed(SAID)
        for path, text in SAID[law].items()
        for again in ("", "again")
    ]


def shares(model: SectionModel, text: str) -> dict[NodeId, float]:
    return dict(model.shares(extract_section_features(text, "xa", {}, Concepts({}), FACTS), 3.0))


@pytest.mark.parametrize(("law", "path"), [(law, path) for law, of in SAID.items() for path in of])
def test_the_provision_that_was_said_has_the_largest_share_of_its_law(model, law, path):
    found = shares(model, SAID[law][path])
    of_law = {id_: share for id_, share in found.items() if id_.startswith(f"new/{law}")}
    assert max(of_law, key=of_law.get) == f"new/{path}" and sum(of_law.values()) == pytest.approx(1)


def test_the_only_provision_of_a_law_has_all_of_it(model):
    assert shares(model, "the trick was won")[NodeId("new/3")] == pytest.approx(1)


@given(st.text(max_size=60))
def test_the_shares_of_every_law_sum_to_one(model, text):
    found = shares(model, text)
    for law in SAID if found else ():
        assert sum(v for id_, v in found.items() if id_.law == f"new/{law}") == pytest.approx(1)


def test_words_that_nothing_was_said_with_have_no_shares(model):
    assert not shares(model, "zzzz") and not shares(model, "")


def test_sentences_of_no_provision_teach_nothing():
    empty = train_sections([TrainingSentence("xa", "a b c", "situation")] * 2, {}, Concepts({}), FACTS)
    assert empty.provisions == () and not shares(empty, "a b c")


def test_what_was_saved_is_what_is_loaded(model, tmp_path):
    model.save(tmp_path)
    loaded = SectionModel.load(tmp_path)
    assert loaded.provisions == model.provisions and loaded.law == model.law
    for of in SAID.values():
        for text in of.values():
            assert shares(loaded, text) == pytest.approx(shares(model, text), abs=1e-3)


@pytest.mark.parametrize("broken", ["columns", "begins", "steps", "bias"])
def test_files_that_do_not_fit_each_other_are_refused(model, tmp_path, broken):
    array = getattr(model, broken)
    other = np.append(array, array[-1] + 1)
    vars(other_model := SectionModel(**{name: getattr(model, name) for name in FIELDS}))[broken] = other
    other_model.save(tmp_path)
    with pytest.raises(ValueError, match="does not fit"):
        SectionModel.load(tmp_path)


FIELDS = ("provisions", "law", "rarity", "bias", "scale", "begins", "columns", "steps")


def test_a_fact_that_is_stated_is_a_feature(searcher):
    index, reader = searcher._index, searcher._fact_reader
    said = extract_section_features("LHO did not accept it", "en", index.lexicons, index.concepts, reader)
    assert said["f accepted-no"] == 1.0 and any(feature.startswith("n ") and "not" in feature for feature in said)
