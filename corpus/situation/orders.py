"""What is checked of orders beyond their words, by lists that are data: ``vocabulary/orders.toml`` and
``vocabulary/together.toml``.

    undecided = "follows-words"        # the duty of a row whose misprint nothing here decides: no order of ours
    lenient = ["does-not-adjust"]     # duties that let somebody off: each says by which of the quoted words

    [[opposites]]                      # no row orders both
    duties = ["does-not-adjust"]
    against = ["adjusts"]
    at_once = false                    # true: only at the same moment; first one, later the other is no contradiction

    [[together]]                       # provisions that belong together (together.toml)
    provisions = {2017 = ["50/D/2/a"]} # a row that quotes one of them …
    duties = ["leads-freely"]          # … or orders one of these …
    objects = ["penalty-card"]         # (about one of these, where any are named)
    needs = {2017 = ["50/E/2"]}        # … quotes one of these, too, or has it under “off”
    reason = "…"                       # for those who review the row
    [[together.except]]
    rows = ["2017/exposed-card/small"] # where it is not needed: code/situation/row
    why = "…"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, TypeVar

from corpus import quoting
from corpus.checked import Refused, file, table, toml
from corpus.checked.rule import Fault, Key, filled
from corpus.checked.toml import At, Written
from corpus.model import Node, NodeId, Problem, Quote
from corpus.situation.model import Also, Duty, Row, Situation, Slice
from corpus.situation.vocabulary import DOCS, Vocabulary

ORDERS, TOGETHER = "orders.toml", "together.toml"
Ids = tuple[Annotated[str, filled], ...]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Opposites:
    """Duties and those that order the contrary."""

    duties: Annotated[Ids, filled]
    against: Annotated[Ids, filled]
    at_once: bool = False

    def part(self, one: str, other: str) -> bool:
        """Whether two duties are one of each."""
        return (one in self.duties and other in self.against) or (other in self.duties and one in self.against)


@dataclass(frozen=True, kw_only=True)
class Except:
    """Rows, as code/situation/row, that need no partner, and why."""

    rows: Annotated[Ids, filled]
    why: Annotated[str, filled]


@dataclass(frozen=True, kw_only=True)
class Together:
    """What a row must quote besides; the module says what each key means."""

    provisions: Mapping[str, Ids] = field(default_factory=dict)
    duties: Ids = ()
    objects: Ids = ()
    needs: Annotated[Mapping[str, Ids], filled]
    reason: Annotated[str, filled]
    except_: Annotated[tuple[Except, ...], Key("except")] = ()

    def check(self) -> Iterator[Fault]:
        """Something calls for the partner."""
        if not self.provisions and not self.duties:
            yield Fault("Nothing calls for the partner.", "Write “provisions” or “duties”.")

    def calls(self, row: Row, code: str) -> bool:
        """Whether a row quotes or orders what calls for the partner."""
        quoted = any(_within(s.path, p) for s in row.slices for p in self.provisions.get(code, ()))
        return quoted or any(d.do in self.duties and (not self.objects or d.what in self.objects) for d in row.ordered)

    def met(self, row: Row, code: str) -> bool:
        """Whether a row quotes the partner, or switches it off."""
        off = (*row.off, *(path for also in row.also for path in also.off))
        needs = self.needs[code]
        quoted = any(_within(s.path, n) for s in row.slices for n in needs)
        return quoted or any(_within(n, path) for path in off for n in needs)


@dataclass(frozen=True)
class Orders:
    """``vocabulary/orders.toml``."""

    undecided: str = ""
    lenient: Ids = ()
    opposites: tuple[Opposites, ...] = ()


@dataclass(frozen=True)
class Companions:
    """``vocabulary/together.toml``."""

    together: tuple[Together, ...] = ()


@dataclass(frozen=True)
class Rules:
    """Both lists as they were read; an empty one where there is no file."""

    orders: Orders = Orders()
    companions: Companions = Companions()
    written: Written | None = None


def read(folder: Path, vocabulary: Vocabulary) -> tuple[Rules, list[Problem]]:
    """The lists of a vocabulary folder, and what is wrong with them by themselves."""
    orders, ours, problems = _read(folder, ORDERS, Orders)
    companions, theirs, more = _read(folder, TOGETHER, Companions)
    problems += more
    if ours and orders:
        named: list[tuple[At, str]] = [(("lenient",), d) for d in orders.lenient]
        named += [(("opposites", n), d) for n, o in enumerate(orders.opposites) for d in (*o.duties, *o.against)]
        named.append((("undecided",), orders.undecided))
        for at, duty in named:
            problems += [ours.problem(at, f.finding, f.move, duty) for f in vocabulary.word("duties", duty)]
    if theirs and companions:
        for n, rule in enumerate(companions.together):
            for which, words in (("duties", rule.duties), ("objects", rule.objects)):
                for word in words:
                    faults = vocabulary.word(which, word)
                    problems += [theirs.problem(("together", n, which), f.finding, f.move, word) for f in faults]
    return Rules(orders or Orders(), companions or Companions(), theirs), problems


def _read(folder: Path, name: str, kind: type[T]) -> tuple[T | None, Written | None, list[Problem]]:
    if not file.is_there(folder / name):
        return None, None, []
    try:
        written = toml.read_toml(folder / name, f"vocabulary/{name}", ("There is no file.", "Write it."))
        return table.build(kind, written, DOCS), written, []
    except Refused as refused:
        return None, None, refused.problems


def place_duties(row: Row, rules: Orders, nodes: Mapping[NodeId, Node]) -> tuple[Row, list[Fault]]:
    """A row with the words of each duty at their place, and what is wrong with its orders."""
    faults: list[Fault] = []

    def placed(duties: tuple[Duty, ...], says: tuple[Slice, ...], at: At) -> tuple[Duty, ...]:
        out = []
        for n, duty in enumerate(duties):
            given = [_given(e, words, says, nodes) for e, words in duty.words.items()]
            faults.extend(Fault(*g, (*at, n, "words")) for g in given if not isinstance(g, Quote))
            if duty.do in rules.lenient and not duty.words:
                move = "Write “words” by edition: those of the quoted words that say so for this very case."
                faults.append(Fault(f"No words are named that order “{duty.do}”.", move, (*at, n)))
            out.append(replace(duty, given=tuple(g for g in given if isinstance(g, Quote))))
        return tuple(out)

    then = tuple(replace(t, duties=placed(t.duties, t.says, ("then", n, "duties"))) for n, t in enumerate(row.then))
    also = tuple(replace(a, duties=placed(a.duties, a.says, ("also", n, "duties"))) for n, a in enumerate(row.also))
    goto = row.goto and replace(row.goto, duties=placed(row.goto.duties, row.says, ("goto", "duties")))
    done = replace(row, duties=placed(row.duties, row.says, ("duties",)), then=then, also=also, goto=goto)
    return done, [*faults, *_opposed(row, rules)]


def _given(edition: str, words: str, says: tuple[Slice, ...], nodes: Mapping[NodeId, Node]) -> Quote | tuple[str, str]:
    """Where words of a duty stand in the quotations of a text; or (finding, move)."""
    for quote in (q for s in says if (q := s.in_edition(edition))):
        node = nodes[quote.node]
        quoted = node.words_of(quote)
        if words and words in quoted:
            found = quoting.find(node, quote.where, words, node.words(quote.where)[: quote.start].count(words) + 1)
            if isinstance(found, Quote):
                return found
    return f"“{words}” is not among the words quoted of {edition}.", "Write words that the row quotes there."


def _opposed(row: Row, rules: Orders) -> Iterator[Fault]:
    """Two orders of a row that cannot both be followed: the contrary of each other, under no or the same condition."""
    parts: list[tuple[str, Also | None, Duty]] = [("", None, d) for d in row.duties]
    parts += [(later.when, None, d) for later in row.then for d in later.duties]
    parts += [("", also, d) for also in row.also for d in also.duties]
    for (now, p, one), (then, q, other) in combinations(parts, 2):
        contrary = any(o.part(one.do, other.do) and (now == then or not o.at_once) for o in rules.opposites)
        apart = bool(p and q and any(not set(a) & set(q.if_.get(ask, a)) for ask, a in p.if_.items()))
        conditions = {one.if_, other.if_}
        alike = one.who == other.who and one.what == other.what and (len(conditions) == 1 or "" in conditions)
        if contrary and alike and not apart:
            finding = f"“{one.do}” and “{other.do}” of “{row.id}” order the contrary of each other."
            yield Fault(finding, "Give the one that the words order, or the condition of each.")


def companions(situations: Mapping[str, Situation], rules: Rules, write: Mapping[str, Written]) -> Iterator[Problem]:
    """Rows that lack a provision that belongs to what they quote or order, and exceptions that name no such row."""
    rows = [
        (code, s, n, row) for s in situations.values() for code, its in s.table.items() for n, row in enumerate(its.row)
    ]
    for n, rule in enumerate(rules.companions.together):
        excepted = {name for e in rule.except_ for name in e.rows}
        lacking = {
            f"{code}/{s.id}/{row.id}": (code, s, number, row)
            for code, s, number, row in rows
            if code in rule.needs and rule.calls(row, code) and not rule.met(row, code)
        }
        for name, (code, s, number, row) in lacking.items():
            if name not in excepted:
                finding = f"“{row.id}” of {code} lacks {' or '.join(rule.needs[code])}: {rule.reason}."
                move = "Quote it, have it under “off”, or name the row under “except” in vocabulary/together.toml."
                yield write[s.id].problem(("table", code, "row", number), finding, move)
        for k, e in enumerate(rule.except_):
            for name in e.rows:
                if rules.written and situations and name not in lacking:
                    finding = f"“{name}” needs no exception, or is no row."
                    yield rules.written.problem(("together", n, "except", k), finding, "Remove it.", name)


def _within(path: str, around: str) -> bool:
    return f"{path}/".startswith(f"{around}/")
