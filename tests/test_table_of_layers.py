"""The table of kinds of data: a new one is a module that reads it and one row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from corpus import ingest as ingesting
from corpus import layers, library
from corpus.generation import open_stage
from corpus.json_values import from_rows, to_rows
from corpus.layers import LAYERS, Layer, layer_named, read_layers
from corpus.library import Library
from corpus.model import NodeId, Problem


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_what_is_written_of_a_layer_is_read_again(ingest, library, layer):
    value = ingest.layer(layer.name)
    assert value and value != layer.empty()
    assert from_rows(layer.type, to_rows(value)) == value == library.layers[layer.name]


# The closed lists of situations have a default, and the points of decisions are rulings without a file.
@pytest.mark.parametrize("name", ["terms", "conditions", "paraphrases", "thresholds"])
def test_a_layer_without_data_is_empty(ingest, tmp_path, name):
    for folder in ("editions", "languages", "words"):
        (tmp_path / folder).symlink_to(layers.Path(__file__).parent.parent / "corpus" / folder)
    found = read_layers(replace(ingest, layers={}, problems=[]), tmp_path, (name,))
    assert found.layer(name) == layer_named(name).empty()


def test_an_unknown_layer_is_an_error(ingest):
    with pytest.raises(KeyError):
        layer_named("weather")
    with pytest.raises(KeyError):
        ingest.layer("weather")


@dataclass(frozen=True)
class Weather:
    """What a new kind of data may hold."""

    place: str = ""
    days: tuple[str, ...] = ()
    of: Mapping[NodeId, str] = field(default_factory=dict)


def test_a_row_in_the_table_is_all_that_a_new_kind_needs(ingest, tmp_path, monkeypatch):
    """It is read after the others, its problems are reported, it is written and loaded."""

    def read(result, corpus_dir):
        first = next(iter(result.nodes))
        problem = Problem("weather.tsv", 1, f"It rains on {len(result.terms)} terms.", "Wait.", fatal=False)
        return Weather(corpus_dir.name, ("wet", "dry"), {first: "fog"}), [problem]

    table = (*LAYERS, Layer("weather", Weather, Weather, read))
    for module in (layers, ingesting, library):
        monkeypatch.setattr(module, "LAYERS", table)
    found = read_layers(ingest, tmp_path, ("weather",))
    assert found.problems[-1].finding == f"It rains on {len(ingest.terms)} terms."
    with open_stage(tmp_path) as stage:
        ingesting.write_corpus(found, stage)
        loaded = Library.open(stage.read_parts()).layers["weather"]
    assert loaded == found.layer("weather") == Weather(tmp_path.name, ("wet", "dry"), MappingProxyType(dict(loaded.of)))
    assert [type(id_) for id_ in loaded.of] == [NodeId]
