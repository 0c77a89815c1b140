"""What is learned of sentences: kept as it was learned, and of few sentences as much as they tell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invented import found, invented, lists  # noqa: F401

from corpus.model import NodeId
from index import svm
from index.classifier import ClassifierModel, extract_features
from index.concept import Concepts
from index.train import TrainingSentence, train

STORIES = {
    "roam": "strangers wandered away with our pencil",
    "snore": "everybody snored loudly until morning",
    "juggle": "somebody juggled with three lemons",
    "paint": "my uncle painted the ceiling green",
}


@pytest.fixture(scope="module")
def concepts() -> Concepts:
    return Concepts({})


def sentences(stories: dict[str, str] = STORIES) -> list[TrainingSentence]:
    """Each told twice, of a situation, a law and a provision."""
    return [
        TrainingSentence("xa", f"{text} {again}".strip(), id_, NodeId(f"new/{n}"), NodeId(f"new/{n}/A"))
        for n, (id_, text) in enumerate(stories.items(), 1)
        for again in ("", "again")
    ]


def hear(lesson: ClassifierModel, concepts: Concepts, text: str):
    return lesson.score(extract_features(text, "xa", {}, concepts))


def test_what_was_saved_is_what_is_loaded(tmp_path, concepts):
    lesson = train(sentences(), {}, concepts)
    lesson.save(tmp_path)
    loaded = ClassifierModel.load(tmp_path)
    assert (loaded.situations, loaded.laws) == (lesson.situations, lesson.laws)
    for text in STORIES.values():
        one, other = (hear(kept, concepts, text) for kept in (lesson, loaded))
        for a, b in zip(one, other, strict=True):
            assert np.allclose(a, b, atol=1e-4)


@pytest.mark.parametrize("id_", STORIES)
def test_a_story_is_told_of_what_it_was_learned_of(concepts, id_):
    lesson = train(sentences(), {}, concepts)
    n = list(STORIES).index(id_) + 1
    sums = hear(lesson, concepts, STORIES[id_])
    assert lesson.situations[int(sums.situations.argmax())] == id_
    assert lesson.laws[int(sums.laws.argmax())] == f"new/{n}"


def test_whole_numbers_give_the_order_of_the_weights_that_were_learned(monkeypatch, concepts):
    """Each is at most half a step away; rounding keeps their order, so sorted they can be laid side by side."""
    exact: list[np.ndarray] = []

    class Spied(svm.LinearSVC):
        def fit(self, *arguments):
            fitted = super().fit(*arguments)
            exact.append(fitted.coef_)
            return fitted

    monkeypatch.setattr(svm, "LinearSVC", Spied)
    lesson = train(sentences(), {}, concepts)
    learned = np.vstack(exact)
    kept = (lesson.weights * lesson.scale).T
    assert lesson.weights.dtype == np.int8 and np.abs(lesson.weights).max() == svm.HIGHEST_STEP
    assert kept.shape == learned.shape == (len(lesson.situations) + len(lesson.laws), len(lesson.rarity))
    assert (np.abs(np.sort(kept) - np.sort(learned)) <= lesson.scale[:, None] * 0.501).all()


def test_of_no_sentence_and_of_words_said_once_nothing_is_learned(tmp_path, concepts):
    for told in ([], [TrainingSentence("xa", "only once", "roam")]):
        lesson = train(told, {}, concepts)
        assert not lesson.situations and not lesson.laws and hear(lesson, concepts, "only once") is None
        lesson.save(tmp_path)
        assert hear(ClassifierModel.load(tmp_path), concepts, "only once") is None


def test_two_are_told_apart(concepts):
    two = dict(list(STORIES.items())[:2])
    lesson = train(sentences(two), {}, concepts)
    for n, (id_, text) in enumerate(two.items()):
        sums = hear(lesson, concepts, text)
        assert lesson.situations[int(sums.situations.argmax())] == id_ and int(sums.laws.argmax()) == n


def test_one_alone_is_told_apart_from_nothing(concepts):
    lesson = train(sentences(dict(list(STORIES.items())[:1])), {}, concepts)
    assert not lesson.situations and not lesson.laws
    assert not len(hear(lesson, concepts, STORIES["roam"]).situations)


def test_an_index_without_a_telling_and_with_one_situation_is_built_and_asked(invented):
    provisions = {"new/1": ("", "card")}
    assert found(invented.search(provisions), "card") == ["new/1"]
    searcher = invented.search(provisions, situations={"roam": (STORIES["roam"], "1")})
    assert found(searcher, "card") == ["new/1"] and searcher.search(STORIES["roam"]).situations == ()


@given(st.text(max_size=80))
def test_shares_are_of_one_whole(searcher, text):
    assert sum(searcher._classifier.predict(text, "en").laws.values()) <= 1.001


# ── who and which card ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("lang", "query", "aside"),
    [
        ("en", "partner exposed a penalty card, the ace", {"partner", "ace"}),
        ("pl", "partnerka fałszywie zarenonsowała asa w kierach", {"partnerka", "asa", "kierach"}),
        ("sk", "súper vyniesol eso mimo poradia", {"super", "eso"}),
        ("hr", "protivnik odigrao kralja izvan reda", {"protivnik", "kralja"}),
        ("en", "partner ace", set()),  # nothing else is told
        ("en", "partner revoked", set()),
    ],
)
def test_who_and_which_card_weigh_little_beside_what_happened(searcher, lang, query, aside):
    units = searcher._parser.parse(query, lang).units
    assert {u.form for u in units if u.weight < 1} == aside and all(u.weight > 0 for u in units)


def test_the_same_is_learned_in_one_process_and_in_several(monkeypatch):
    """To the last bit: what is learned belongs to the sentences."""
    words = ["trick", "card", "bid", "lead", "dummy", "revoke", "score", "table"]
    told = [
        TrainingSentence("xa", f"{words[i % 8]} {words[i // 8]}", f"s{i % 5}", NodeId(f"xa-2017/{i % 4}"))
        for i in range(64)
    ]
    lessons = []
    for few, cores in ((1000, {0}), (1, {0, 1}), (1, {0, 1, 2})):
        monkeypatch.setattr("index.train.FEWEST_FOR_PROCESSES", few)
        monkeypatch.setattr("index.train.SENTENCES_PER_PIECE", 7 if few == 1 else 1000)
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=cores: cores)
        lessons.append(train(told, {}, Concepts({})))
    one, *others = lessons
    assert one.situations == ("s0", "s1", "s2", "s3", "s4") and len(one.laws) == 4 and one.weights.any()
    for other in others:
        assert (other.situations, other.laws, other.rarity) == (one.situations, one.laws, one.rarity)
        assert all((getattr(other, n) == getattr(one, n)).all() for n in ("bias", "scale", "weights"))
