"""``lexbridge evaluate``: how often the search puts the right provision first, on our judged queries.

The queries are in ``tests/cases/queries/queries.tsv``; its README says how they were judged. A query with an even
number is held out: nothing may be tuned on it. docs/search.md says how success is counted. ``--ablate`` measures what
every weight of the ranking earns.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import click

from corpus import address
from corpus.generation import Generation, StoreError, build_dir, open_stage
from corpus.library import Library
from index import weights
from index.answer import SearchAnswer
from index.weights import WEIGHTS

if TYPE_CHECKING:  # the command is known without Whoosh
    from index.search import Searcher

QUERIES = Path(__file__).parent.parent / "tests" / "cases" / "queries" / "queries.tsv"
# Written by somebody who did not know the search and its lists.
FRESH_QUERIES = QUERIES.with_name("fresh.tsv")
# By writers who had seen neither the program nor its data. Nobody looks at single queries with even numbers.
BLIND_QUERIES = QUERIES.with_name("blind.tsv")


@dataclass(frozen=True)
class JudgedQuery:
    """A query with the provisions that answer it (grade 2) or touch it (grade 1), as (edition, path)."""

    qid: str
    lang: str
    kind: str
    query: str
    answers: frozenset[tuple[str, str]]
    related: frozenset[tuple[str, str]]

    @property
    def is_held_out(self) -> bool:
        """Whether the query only measures the search: no weight may be tuned on it."""
        return int(self.qid.rsplit("-", 1)[1]) % 2 == 0


@dataclass(frozen=True)
class QueryOutcome:
    """The result of a query.

    ``rank`` is that of the first right hit, from 1, or None. ``ndcg`` is the gain, from 0 to 1. ``confident`` and
    ``total`` are those of the answer: whether it is confident, and how many hits it has. ``first`` are the ids of the
    first three hits. ``law`` says whether one of the first three hits is in a law that answers.
    """

    judged: JudgedQuery
    rank: int | None
    ndcg: float
    confident: bool
    total: int
    first: tuple[str, ...]
    law: bool

    def within(self, k: int) -> bool:
        """Whether a right hit is among the first ``k``; for queries without an answer, whether the search said so."""
        if self.judged.kind == "nothing":
            return not self.total or not self.confident
        return self.rank is not None and self.rank <= k


def read_queries(path: Path = QUERIES) -> list[JudgedQuery]:
    """Return the judged queries of a file in the project's format.

    ``def_aliases.tsv`` beside it, if there is one, has the present path of each definition that a query names by an old
    path.
    """
    out, aliases, renamed = [], {}, path.with_name("def_aliases.tsv")
    if renamed.exists():
        aliases = dict(line.split("\t")[:2] for line in renamed.read_text(encoding="utf-8").splitlines()[1:] if line)
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        if not line:
            continue
        qid, lang, kind, query, relevant, *_ = line.split("\t")
        grades: dict[str, set] = {"1": set(), "2": set()}
        for item in relevant.split(";") if relevant != "none" else ():
            place, _, grade = item.rpartition("@")
            edition, _, place = place.partition(":")
            grades[grade].add(_answer_key(edition, aliases.get(place, place)))
        out.append(JudgedQuery(qid, lang, kind, query, frozenset(grades["2"]), frozenset(grades["1"])))
    return out


def _answer_key(edition: str, path: str) -> tuple[str, str]:
    """Return (edition, path) of a judged answer; the name in the path of a definition becomes a step."""
    if path.startswith("def/"):
        return edition, "def/" + address.slugify(path[4:])
    return edition, path


def _counts_as_right(a: tuple[str, str], b: tuple[str, str]) -> bool:
    """Whether a hit (``a``) counts as right for a judged answer (``b``): it is the same provision, lies inside it, or
    is its parent. Both are (edition, path).
    """
    return a[0] == b[0] and (address.contains_path(b[1], a[1]) or address.without_last_step(b[1]) == a[1])


def judge_answer(judged: JudgedQuery, answer: SearchAnswer, library: Library) -> QueryOutcome:
    """Return the result of a query: where the first right provision stands in the answer.

    Of a cross-language query only hits in other languages count; the counterparts of a hit count as the hit.
    """
    across = judged.kind == "crosslingual"
    wanted = {k for k in judged.answers if not across or library.editions[k[0]].lang != judged.lang}
    rank, gains = None, []
    for i, found in enumerate(answer.hits, 1):
        keys = {_answer_key(id_.edition, id_.path) for id_ in (found.node.id, *(found.counterparts if across else ()))}
        if across:
            keys = {k for k in keys if library.editions[k[0]].lang != judged.lang}
        hit = any(_counts_as_right(k, w) for k in keys for w in wanted)
        gains.append(2 if hit else 1 if keys & judged.related else 0)
        if hit and rank is None:
            rank = i
    if judged.kind == "comparison" and answer.compare and _is_wanted_path(answer.compare.path, wanted):
        rank = 1
    laws = {address.split_path(path)[0] for _, path in wanted}
    law = any(address.split_path(hit.node.path)[0] in laws for hit in answer.hits[:3])
    best = sorted([2] * len(wanted) + [1] * len(judged.related), reverse=True)[:10]
    ideal = sum(g / math.log2(i + 2) for i, g in enumerate(best))
    ndcg = min(1.0, sum(g / math.log2(i + 2) for i, g in enumerate(gains[:10])) / ideal) if ideal else 0.0
    return QueryOutcome(
        judged, rank, ndcg, answer.confident, answer.total, tuple(h.node.id for h in answer.hits[:3]), law
    )


def _is_wanted_path(path: str, wanted: set[tuple[str, str]]) -> bool:
    """Whether the path that an answer compares is that of a wanted (edition, path), contains it or lies inside it."""
    return any(address.paths_overlap(path, other) for _, other in wanted)


SearchFunction = Callable[[str, str, bool], SearchAnswer]  # query, its language, whether over all editions
CROSS_LANGUAGE_KINDS = ("crosslingual", "comparison")  # kinds of queries that are searched over all editions


def run_queries(search: SearchFunction, queries: list[JudgedQuery], library: Library) -> list[QueryOutcome]:
    """Search for every query and return the results."""
    return [judge_answer(q, search(q.query, q.lang, q.kind in CROSS_LANGUAGE_KINDS), library) for q in queries]


def make_api_search(searcher: Searcher, library: Library) -> SearchFunction:
    """Return a function that searches as the API does: filtered by language.

    When it searches all editions, or in a language without an edition, the language is only a hint.
    """
    langs = {e.lang for e in library.editions.values()}

    def search(query: str, lang: str, across: bool) -> SearchAnswer:
        if across or lang not in langs:
            return searcher.search(query, limit=20, qlang=lang)
        return searcher.search(query, limit=20, langs=(lang,))

    return search


def figure_lines(outcomes: list[QueryOutcome], by: Callable[[QueryOutcome], str]) -> list[str]:
    """Return the lines of a table of figures: a head, and a line for each value of ``by(outcome)``."""
    groups: dict[str, list[QueryOutcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[by(outcome)].append(outcome)
    lines = [f"{'':14}{'n':>4}{'S@1':>7}{'S@3':>7}{'S@10':>7}{'MRR':>7}{'nDCG':>7}{'sure':>7}{'law@3':>7}"]
    for name, group in sorted(groups.items()):
        cells = "".join(f"{sum(map(figure, group)) / len(group):7.3f}" for figure in FIGURES)
        lines.append(f"{name:14}{len(group):4}{cells}")
    return lines


# The columns of the table: S@1, S@3, S@10, MRR, nDCG, confident answers, law among the first three.
FIGURES: tuple[Callable[[QueryOutcome], float], ...] = (
    lambda o: o.within(1),
    lambda o: o.within(3),
    lambda o: o.within(10),
    lambda o: 1 / o.rank if o.rank else 0.0,
    lambda o: o.ndcg,
    lambda o: o.confident,
    lambda o: o.law,
)


def report_lines(outcomes: list[QueryOutcome]) -> list[str]:
    """Return the lines of all tables: by kind, by language, and over all queries that have an answer."""
    real = [o for o in outcomes if o.judged.kind != "nothing"]
    every = figure_lines(real, lambda _: "with an answer")[1:]
    sure = [o for o in real if o.confident and o.judged.kind != "citation"]
    right = f"sure, and right among three: {sum(o.within(3) for o in sure) / (len(sure) or 1):.3f} of {len(sure)}"
    return [
        *figure_lines(outcomes, lambda o: o.judged.kind),
        "",
        *figure_lines(real, lambda o: o.judged.lang),
        "",
        *every,
        right,
    ]


class Figures(NamedTuple):
    """The figures that are compared when a weight is switched off.

    ``first`` and ``three``: the shares of queries with a right hit first, or among the first three (S@1, S@3).
    ``sure``: the share of confident answers where there is an answer; ``honest``: the share of queries without an
    answer for which the search says so.
    """

    first: float
    three: float
    sure: float
    honest: float

    @classmethod
    def of(cls, outcomes: list[QueryOutcome]) -> Figures:
        """Return the figures of the results of queries."""
        real = [o for o in outcomes if o.judged.kind != "nothing"]
        rest = [o for o in outcomes if o.judged.kind == "nothing"]
        share = lambda rows, f: sum(map(f, rows)) / len(rows)
        within = lambda k: share(real, lambda o: o.within(k))
        return cls(within(1), within(3), share(real, lambda o: o.confident), share(rest, lambda o: o.within(3)))


def figures(searcher: Searcher, library: Library) -> tuple[Figures, Figures]:
    """Return (figures of our own queries, figures of the queries that a stranger wrote)."""
    own, fresh = (
        Figures.of(run_queries(make_api_search(searcher, library), read_queries(path), library))
        for path in (QUERIES, FRESH_QUERIES)
    )
    return own, fresh


def gain_cells(before: tuple[Figures, Figures], after: tuple[Figures, Figures]) -> str:
    """Return two table cells with what a weight earns: the loss of each figure without it, in thousandths; a dot for no
    loss.

    ``before``: the figures with the weight; ``after``: without it. Both are pairs as :func:`figures` returns them.
    """
    cell = lambda a, b: f"{round(1000 * a) - round(1000 * b):+d}".replace("+0", "·")
    return " | ".join(
        " ".join(cell(a, b) for a, b in zip(x, y, strict=True)) for x, y in zip(before, after, strict=True)
    )


def ablation_rows(library: Library, made: Generation) -> Iterator[str]:
    """Yield the rows of a Markdown table: a head, the figures of the whole search, and for every weight what it earns.

    A weight that is built into the index needs an index of its own, which is made in a temporary folder.
    """
    from index import build
    from index.search import Searcher

    searcher = Searcher.open(made, library)
    whole = figures(searcher, library)
    yield "| number | value | off | ours: S@1 S@3 sure honest | a stranger's | why |\n|---|---|---|---|---|---|"
    yield f"| all of them | | | {' | '.join(' '.join(f'{x:.3f}' for x in f) for f in whole)} | |"
    for weight in fields(WEIGHTS):
        other = weights.without_weight(weight.name)
        if weight.name in weights.BUILT_INTO_INDEX:
            with TemporaryDirectory() as folder, open_stage(Path(folder)) as stage:
                build.build(library, stage, other)
                without = figures(Searcher.open(stage.read_parts(), library), library)
        else:
            without = figures(searcher.with_weights(other), library)
        said = weight.metadata
        yield f"| {weight.name} | {weight.default} | {said['off']} | {gain_cells(whole, without)} | {said['why']} |"


@click.command()
@click.option("--half", type=click.Choice(["all", "tuned", "held-out"]), default="all", show_default=True)
@click.option("--misses", is_flag=True, help="Also list the queries whose answer is not among the first three.")
@click.option("--ablate", "ablating", is_flag=True, help="What every number of the ranking earns (index/weights.py).")
@click.option(
    "--queries", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=QUERIES, show_default=False
)
def evaluate(half: str, misses: bool, queries: Path, ablating: bool) -> None:
    """Measure how well the search answers our judged queries."""
    from index.search import Searcher

    try:
        made = Generation.open_latest(build_dir())
        library = Library.open(made)
        searcher = Searcher.open(made, library)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    if ablating:
        for row in ablation_rows(library, made):
            click.echo(row)
        return
    chosen = [q for q in read_queries(queries) if half == "all" or q.is_held_out == (half == "held-out")]
    if not chosen:
        raise click.ClickException(f"There are no queries in {queries}.")
    outcomes = run_queries(make_api_search(searcher, library), chosen, library)
    click.echo("\n".join(report_lines(outcomes)))
    if queries == QUERIES and half == "all":
        for name, path in (
            ("A stranger's queries:", FRESH_QUERIES),
            ("Blind queries, the half that is looked at:", BLIND_QUERIES),
        ):
            asked = [q for q in read_queries(path) if path == FRESH_QUERIES or not q.is_held_out]
            found = run_queries(make_api_search(searcher, library), asked, library)
            click.echo("\n".join(["", name, *report_lines(found)]))
            outcomes += found
    if misses:
        for o in outcomes:
            unsure = "" if o.confident or o.judged.kind == "nothing" else " (unsure)"
            if not o.within(3) or unsure:
                first = ", ".join(o.first) or "nothing"
                click.echo(f"  {o.judged.qid}  {o.judged.query}{unsure}: answer at {o.rank}; first {first}")


if __name__ == "__main__":
    evaluate()
