"""``lexbridge told``: how often the search finds the right situation for sentences of people outside the project.

Cases and sentences are in ``tests/cases/situations``; its README says who wrote them. A case is found where a
situation has, among its first eight provisions, one of the deciding ones, one inside it, or its parent below law
level.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corpus import address, files
from corpus.generation import Generation, build_dir
from corpus.library import Library
from corpus.model import NodeId
from index.weights import CLASSIFIER_WEIGHTS, ClassifierWeights

if TYPE_CHECKING:  # the command is known without Whoosh
    from index.opening import Index
    from index.search import Searcher

CASES = Path(__file__).parent.parent / "tests" / "cases" / "situations"
MAX_PROVISIONS = 8  # provisions of a situation
FOLDS = 5
LEARNING_WEIGHTS = ("skipped", "beside", "part", "named", "together", "law")  # weights that the training depends on

ScoreByGroup = dict[str, list[int]]  # group → [sentences, found first, found among three]


def has_any_provision(listed: Iterable[NodeId], wanted: Iterable[NodeId]) -> bool:
    """Whether ``listed`` has one of the wanted provisions, one inside it, or its parent. A whole law does not count as
    a parent.

    >>> has_any_provision([NodeId("e/27/B/1/a")], [NodeId("e/27/B/1")])
    True
    >>> has_any_provision([NodeId("e/27/B")], [NodeId("e/27/B/1")])
    True
    >>> has_any_provision([NodeId("e/27")], [NodeId("e/27/B")])
    False
    """
    near = lambda a, b: (
        b.contains(a) or (len(address.split_path(a.path)) > 1 and address.without_last_step(b.path) == a.path)
    )
    return any(a.edition == b.edition and near(a, b) for a in listed for b in wanted)


def score_cases(searcher: Searcher, library: Library, folder: Path = CASES) -> ScoreByGroup:
    """Return group → [count, found by the first situation, found by one of the first three]. Every sentence of the
    cases is searched once and counts for each edition that has a rule for its case.

    The groups are all, each language, ``told`` and ``typed`` (the first sentence of a case and the others), and each
    edition.
    """
    cases = {row["id"]: row for _, row in files.read_tsv(folder / "cases.tsv", "cases.tsv").rows}
    editions = [e.id for e in library.law_editions if e.id in next(iter(cases.values()))]
    out: ScoreByGroup = defaultdict(lambda: [0, 0, 0])
    seen: dict[tuple[str, str], int] = defaultdict(int)
    for _, row in files.read_tsv(folder / "heard.tsv", "heard.tsv").rows:
        seen[row["id"], row["lang"]] += 1
        how = "told" if seen[row["id"], row["lang"]] == 1 else "typed"
        found = [library.situations[d.id] for d in searcher.situations(row["text"], row["lang"], 3)]
        for edition in editions:
            wanted = [NodeId.of(edition, path) for path in cases[row["id"]][edition].split(";") if path]
            code = library.editions[edition].code
            lists = [[NodeId.of(edition, path) for path in s.bundle.get(code, ())[:MAX_PROVISIONS]] for s in found]
            met = [has_any_provision(listed, wanted) for listed in lists]
            for group in ("all", row["lang"], how, edition) if wanted else ():
                out[group][0] += 1
                out[group][1] += bool(met and met[0])
                out[group][2] += any(met)
    return out


def cross_validate(
    index: Index, weights: ClassifierWeights = CLASSIFIER_WEIGHTS, folds: int = FOLDS
) -> tuple[float, float]:
    """Return the shares of our own sentences whose situation is predicted first, and among the first three (S@1, S@3).
    Each fifth of them is predicted by a model trained on the rest.

    ``folds`` is the number of fifths that are tried.
    """
    from index.classifier import Classifier
    from index.train import train, training_sentences

    own = {(s.id, lang, text) for s in index.library.situations.values() for lang in s.said for text in s.said[lang]}
    every = list(training_sentences(index.library, weights))
    asked = [s for s in every if s in own]
    first = three = count = 0
    for fold in range(folds):
        test = set(asked[fold::FOLDS])
        lesson = train([s for s in every if s not in test], index.lexicons, index.concepts, weights)
        finder = Classifier(lesson, index.library, index.lexicons, index.concepts, weights)
        for sentence in sorted(test):
            best = [d.id for d in finder.situations_of_words(sentence.text, sentence.lang, 3)]
            first, three, count = (
                first + (best[:1] == [sentence.situation]),
                three + (sentence.situation in best),
                count + 1,
            )
    return first / count, three / count


@click.command("told")
@click.option("--ablate", is_flag=True, help="What each number earns on our own sentences (minutes).")
def evaluate_situations(ablate: bool) -> None:
    """Measure how often words lead to the situation that decides, on the judged cases."""
    from index import opening
    from index.search import Searcher

    made = Generation.open_latest(build_dir())
    library = Library.open(made)
    if ablate:
        index = opening.open_index(made, library)
        before = cross_validate(index, folds=1)
        click.echo(f"{'':12} S@1 {before[0]:.3f}  S@3 {before[1]:.3f}")
        for f in fields(CLASSIFIER_WEIGHTS):
            if f.name in LEARNING_WEIGHTS:
                after = cross_validate(index, replace(CLASSIFIER_WEIGHTS, **{f.name: f.metadata["off"]}), folds=1)
                cells = " ".join(f"{round(1000 * (b - a)):+d}" for b, a in zip(before, after, strict=True))
                click.echo(f"{f.name:12} {cells}")
        return
    searcher = Searcher.open(made, library)
    for group, (n, first, three) in score_cases(searcher, library).items():
        click.echo(f"{group:9} n {n:5}  first {first / n:.3f}  three {three / n:.3f}")
