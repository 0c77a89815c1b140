"""Fits the weights that make an answer confident (index/rank/confidence.py) on one half of the judged queries.

``python -m tools.fit_confidence`` prints the weights for index/weights.py, and how well they do on the other half.

The fit is a logistic regression over the evidence of each query. An answer is right when it is among the first three
hits; where the laws do not answer, none is right. Queries with odd numbers are fitted, even ones are only measured.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import click
import numpy as np

from corpus.generation import Generation, build_dir
from corpus.library import Library
from index.answer import SearchAnswer
from index.query.model import WordQuery
from index.rank import confidence, rank
from index.rank.candidates import Ranking
from index.rank.confidence import EditionPrediction, Evidence, collect_evidence
from index.search import Searcher
from index.weights import WEIGHTS, RankingWeights
from scripts.evaluate import (
    BLIND_QUERIES,
    CROSS_LANGUAGE_KINDS,
    FRESH_QUERIES,
    QUERIES,
    JudgedQuery,
    QueryOutcome,
    judge_answer,
    make_api_search,
    read_queries,
)

# From this probability on an answer is confident. A wrong confident answer is worse than no answer.
MIN_PROBABILITY = 0.6
# The parameter C of the regression; by measurement a higher value makes no difference.
REGULARISATION = 3.0
# Kinds of queries that are answered by an address or word for word, so no evidence is weighed.
EXACT_KINDS = ("citation", "phrase", "comparison")


def evidence_of(
    searcher: Searcher, library: Library, queries: Iterable[JudgedQuery]
) -> list[tuple[QueryOutcome, Evidence]]:
    """Return (result, evidence) of each query; queries that need no evidence are left out.

    The confidence function of the ranking is replaced meanwhile, to record the evidence.
    """
    seen: list[Evidence] = []

    def record_evidence(
        query: WordQuery, found: Ranking, verbatim: bool, told: EditionPrediction, weights: RankingWeights
    ) -> bool:
        seen.append(collect_evidence(query, found, told, weights))
        return confidence.is_confident(query, found, verbatim, told, weights)

    ask, out = make_api_search(searcher, library), []
    plain = rank.is_confident
    vars(rank)["is_confident"] = record_evidence
    try:
        for query in queries:
            seen.clear()
            answer: SearchAnswer = ask(query.query, query.lang, query.kind in CROSS_LANGUAGE_KINDS)
            if seen:
                out.append((judge_answer(query, answer, library), seen[0]))
    finally:
        vars(rank)["is_confident"] = plain
    return out


def fit_weights(rows: list[tuple[QueryOutcome, Evidence]]) -> RankingWeights:
    """Return the weights that best separate queries with a right answer from others. ``rows``: (result, evidence)."""
    from sklearn.linear_model import LogisticRegression

    right = [outcome.rank is not None and outcome.within(3) for outcome, _ in rows]
    model = LogisticRegression(C=REGULARISATION, max_iter=2000, class_weight="balanced").fit(
        [e for _, e in rows], right
    )
    least = np.log(MIN_PROBABILITY / (1 - MIN_PROBABILITY))
    named: dict[str, Any] = {
        f"sure_{name}": round(float(w), 2) for name, w in zip(Evidence._fields, model.coef_[0], strict=True)
    }
    return replace(WEIGHTS, sure=round(float(model.intercept_[0] - least), 2), **named)


def figures_sentence(rows: list[tuple[QueryOutcome, Evidence]], weights: RankingWeights) -> str:
    """Return three shares as a sentence. “honest”: of the queries without an answer, those whose hits are not
    confident. “sure”: of the others, those with a confident answer. “sure and right”: of these, those with a right hit.
    """
    sure = [confidence.is_enough(found, weights) for _, found in rows]
    nothing = [s for (o, _), s in zip(rows, sure, strict=True) if o.judged.kind == "nothing"]
    real = [(o.within(3), s) for (o, _), s in zip(rows, sure, strict=True) if o.judged.kind != "nothing"]
    right = [within for within, s in real if s]
    share = lambda found: sum(found) / (len(found) or 1)
    return f"honest {1 - share(nothing):.3f}, sure {share([s for _, s in real]):.3f}, sure and right {share(right):.3f}"


@click.command()
def main() -> None:
    """Fit the weights, and print them with their figures."""
    made = Generation.open_latest(build_dir())
    library = Library.open(made)
    searcher = Searcher.open(made, library)
    queries = [
        q for path in (QUERIES, FRESH_QUERIES, BLIND_QUERIES) for q in read_queries(path) if q.kind not in EXACT_KINDS
    ]
    rows = evidence_of(searcher, library, queries)
    fitted = [row for row in rows if not row[0].judged.is_held_out]
    aside = [row for row in rows if row[0].judged.is_held_out]
    weights = fit_weights(fitted)
    for name in ("sure", *(f"sure_{field}" for field in Evidence._fields)):
        click.echo(f"{name:16} {getattr(weights, name)}")
    for name, numbers in (("as it is", WEIGHTS), ("fitted", weights)):
        click.echo(
            f"{name}: fitted half: {figures_sentence(fitted, numbers)}; other half: {figures_sentence(aside, numbers)}"
        )


if __name__ == "__main__":
    main()
