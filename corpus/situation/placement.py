"""Finds the quotations, duties and misprints of situations in the texts, and checks them there.

- :func:`place_quotations`: every path exists, and every slice is found in every text of the code.
- :func:`place_orders`: the words of each duty are found in the quotations, and each duty says what it does with a
  misprint in its words. Our own words follow the law and never a misprint.
- :func:`read_rules` and :func:`companion_problems`: the rules for orders, ``vocabulary/orders.toml`` and
  ``vocabulary/together.toml``.

The rules are data::

    undecided = "follows-words"        # the duty of a row whose misprint is undecided: no order of ours
    lenient = ["does-not-adjust"]      # duties that let somebody off: each names the quoted words that say so

    [[opposites]]                      # no row orders both
    duties = ["does-not-adjust"]
    against = ["adjusts"]
    at_once = false                    # true: only at the same moment; one first and the other later is allowed

    [[together]]                       # provisions that belong together (together.toml)
    provisions = {2017 = ["50/D/2/a"]} # a row that quotes one of them …
    duties = ["leads-freely"]          # … or orders one of these …
    objects = ["penalty-card"]         # (with one of these objects, where any are named)
    needs = {2017 = ["50/E/2"]}        # … quotes one of these, too, or has it under “off”
    reason = "…"                       # for those who review the row
    [[together.except]]
    rows = ["2017/exposed-card/small"] # where it is not needed: code/situation/row
    why = "…"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, TypeVar

from corpus import address, files, model, schema
from corpus.files import InvalidFile, KeyPath, TomlFile
from corpus.model import Misprint, Node, NodeId, Problem, Quote
from corpus.schema import Fault, KeyName, check_not_empty
from corpus.situation.model import DOCS, SOME, Also, Ask, Duty, DutyMisprint, Row, Situation, Slice, Vocabulary

# -- Misprints under duties ---

MisprintsByName = Mapping[str, tuple[Node, Misprint]]  # how a table names a misprint → where it is printed


@dataclass(frozen=True)
class MisprintPlacer:
    """Finds the misprints that duties mention.

    ``undecided`` is the duty of rows whose misprint is undecided: it only refers to the printed words.
    """

    nodes: Mapping[NodeId, Node]
    undecided: str = ""

    def place_row(self, row: Row, asks: Iterable[Ask], code: str) -> tuple[Row, list[Fault]]:
        """Return a row with the misprints of its duties found in the texts, and its faults.

        The quotations of the row are placed already. ``asks`` are the questions of the table, ``code`` its code of
        laws.
        """
        faults: list[Fault] = []
        ticked = [s for ask in asks if SOME in row.if_.get(ask.id, ()) for s in ask.ticked.get(code, ())]
        now = (*row.says, *ticked)

        def place_all(duties: tuple[Duty, ...], says: Iterable[Slice], at: KeyPath) -> tuple[Duty, ...]:
            known = self.misprints_in_quotations(says)
            done = [self.place_duty(duty, known, (*at, n)) for n, duty in enumerate(duties)]
            faults.extend(f for _, found in done for f in found)
            return tuple(duty for duty, _ in done)

        then = tuple(
            replace(t, duties=place_all(t.duties, t.says, ("then", n, "duties"))) for n, t in enumerate(row.then)
        )
        also = tuple(
            replace(a, duties=place_all(a.duties, a.says, ("also", n, "duties"))) for n, a in enumerate(row.also)
        )
        goto = row.goto and replace(row.goto, duties=place_all(row.goto.duties, now, ("goto", "duties")))
        return replace(row, duties=place_all(row.duties, now, ("duties",)), then=then, also=also, goto=goto), faults

    def misprints_in_quotations(self, says: Iterable[Slice]) -> MisprintsByName:
        """Return name of a misprint → (its node, the misprint), for the misprints inside quoted words.

        Misprints that change no words (a whole provision is missing) are left out.
        """
        quotes = (quote for s in says for quote in s.quotes)
        found = ((self.nodes[q.node], slip) for q in quotes for slip in self.nodes[q.node].misprints if q.touches(slip))
        return {misprint_name(node, slip): (node, slip) for node, slip in found if slip.can_mislead_quotation}

    def place_duty(self, duty: Duty, known: MisprintsByName, at: KeyPath) -> tuple[Duty, list[Fault]]:
        """Return a duty with its misprints placed, and its faults. ``known`` are the misprints in the quoted words, by
        name.

        A fault is a misprint of ``known`` that the duty does not mention, or one that it mentions without need or
        proof. ``at`` is the place of the duty in its file.
        """
        said = {m.slip for m in duty.misprints}
        faults = [self._unnamed_misprint_fault(duty, *known[slip], at) for slip in known if slip not in said]
        placed = []
        for n, misprint in enumerate(duty.misprints):
            if misprint.slip not in known:
                move = f"Name one of: {', '.join(known)}." if known else "Remove it."
                finding = f"No misprint “{misprint.slip}” stands in the words of “{duty.do}”."
                faults.append(Fault(finding, move, (*at, "misprints", n), misprint.slip))
                continue
            node, slip = known[misprint.slip]
            faults += [f._replace(at=(*at, "misprints", n)) for f in self._state_faults(duty, misprint, slip)]
            placed.append(replace(misprint, node=node.id))
        if duty.do == self.undecided and not any(m.state == "undecided" for m in duty.misprints):
            move = "Name the misprint that is undecided, or write what is ordered."
            faults.append(Fault(f"“{duty.do}” orders nothing of ours, and no misprint is undecided.", move, at))
        return replace(duty, misprints=tuple(placed)), faults

    def _unnamed_misprint_fault(self, duty: Duty, node: Node, slip: Misprint, at: KeyPath) -> Fault:
        """Return the fault of a duty that does not mention a misprint in its words."""
        words, where = (
            node.words_of_span(slip),
            f"{node.id} “{node.words_of_span(slip)}”" if slip.end > slip.start else node.id,
        )
        if not slip.id:
            move = f"Give it an id in editions/{node.edition}/slips.toml, and write what “{duty.do}” does with it."
            return Fault(f"The words of “{duty.do}” overlap a misprint without an id: {where}.", move, at, words)
        name = misprint_name(node, slip)
        move = f'Write misprints = [{{slip = "{name}", state = "harmless | corrected | undecided", …}}].'
        return Fault(f"“{duty.do}” does not say what it does with the misprint in {where}.", move, at)

    def _state_faults(self, duty: Duty, misprint: DutyMisprint, slip: Misprint) -> Iterator[Fault]:
        """Yield what is wrong with the state that a duty gives a misprint."""
        if misprint.state == "corrected" and not slip.law:
            finding = f"“{duty.do}” follows the law, and nothing says what that is."
            yield Fault(finding, f"Write “print” and “law” of {misprint.slip} in its slips.toml, with the evidence.")
        if (misprint.state == "undecided") != (duty.do == self.undecided):
            finding = f"“{duty.do}” is ordered on words whose misprint is {misprint.state}."
            move = (
                "Where it is undecided, the words speak alone: write the duty that orders nothing of ours, only there."
            )
            yield Fault(finding, move)


def misprint_name(node: Node, slip: Misprint) -> str:
    """Return how tables name a misprint: edition, colon, id."""
    return f"{node.edition}:{slip.id}"


# -- The rules for orders ---

ORDERS_FILE, TOGETHER_FILE = "orders.toml", "together.toml"
Ids = tuple[Annotated[str, check_not_empty], ...]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Opposites:
    """Duties, and those that order the contrary. ``at_once``: they exclude each other only at the same moment."""

    duties: Annotated[Ids, check_not_empty]
    against: Annotated[Ids, check_not_empty]
    at_once: bool = False

    def are_opposed(self, one: str, other: str) -> bool:
        """Whether one duty is in ``duties`` and the other in ``against``."""
        return (one in self.duties and other in self.against) or (other in self.duties and one in self.against)


@dataclass(frozen=True, kw_only=True)
class ExemptRows:
    """Rows, as code/situation/row, that need not quote the companion provisions of a rule, and why.

    The companion provisions are the ``needs`` of the :class:`CompanionRule`.
    """

    rows: Annotated[Ids, check_not_empty]
    why: Annotated[str, check_not_empty]


@dataclass(frozen=True, kw_only=True)
class CompanionRule:
    """A provision that a row must quote besides others; the module's docstring explains the keys."""

    provisions: Mapping[str, Ids] = field(default_factory=dict)
    duties: Ids = ()
    objects: Ids = ()
    needs: Annotated[Mapping[str, Ids], check_not_empty]
    reason: Annotated[str, check_not_empty]
    except_: Annotated[tuple[ExemptRows, ...], KeyName("except")] = ()

    def check(self) -> Iterator[Fault]:
        """Yield a fault when the rule names neither provisions nor duties that call for the companion provision."""
        if not self.provisions and not self.duties:
            yield Fault("Nothing calls for the partner.", "Write “provisions” or “duties”.")

    def applies_to(self, row: Row, code: str) -> bool:
        """Whether a row quotes or orders something that calls for the companion."""
        quoted = any(address.contains_path(p, s.path) for s in row.slices for p in self.provisions.get(code, ()))
        return quoted or any(
            d.do in self.duties and (not self.objects or d.what in self.objects) for d in row.all_duties
        )

    def is_met_by(self, row: Row, code: str) -> bool:
        """Whether a row quotes the companion provision or says that it does not apply (``off``)."""
        also, later = (path for part in row.also for path in part.off), (path for part in row.then for path in part.off)
        off = (*row.off, *also, *later)
        needs = self.needs[code]
        quoted = any(address.contains_path(n, s.path) for s in row.slices for n in needs)
        return quoted or any(address.contains_path(path, n) for path in off for n in needs)


@dataclass(frozen=True)
class OrderRules:
    """The content of ``vocabulary/orders.toml``."""

    undecided: str = ""
    lenient: Ids = ()
    opposites: tuple[Opposites, ...] = ()


@dataclass(frozen=True)
class CompanionRules:
    """The content of ``vocabulary/together.toml``."""

    together: tuple[CompanionRule, ...] = ()


@dataclass(frozen=True)
class DutyRules:
    """Both lists as they were read; a list without a file is empty. ``written`` is together.toml, for its problems."""

    orders: OrderRules = OrderRules()
    companions: CompanionRules = CompanionRules()
    written: TomlFile | None = None


def read_rules(folder: Path, vocabulary: Vocabulary) -> tuple[DutyRules, list[Problem]]:
    """Return the two lists of a vocabulary folder, and what is wrong with them by themselves."""
    orders, ours, problems = _read_list(folder, ORDERS_FILE, OrderRules)
    companions, theirs, more = _read_list(folder, TOGETHER_FILE, CompanionRules)
    problems += more
    if ours and orders:
        named: list[tuple[KeyPath, str]] = [(("lenient",), d) for d in orders.lenient]
        named += [(("opposites", n), d) for n, o in enumerate(orders.opposites) for d in (*o.duties, *o.against)]
        named.append((("undecided",), orders.undecided))
        for at, duty in named:
            problems += [ours.problem(at, f.finding, f.move, duty) for f in vocabulary.check_word("duties", duty)]
    if theirs and companions:
        for n, rule in enumerate(companions.together):
            for which, words in (("duties", rule.duties), ("objects", rule.objects)):
                for word in words:
                    faults = vocabulary.check_word(which, word)
                    problems += [theirs.problem(("together", n, which), f.finding, f.move, word) for f in faults]
    return DutyRules(orders or OrderRules(), companions or CompanionRules(), theirs), problems


def _read_list(folder: Path, name: str, kind: type[T]) -> tuple[T | None, TomlFile | None, list[Problem]]:
    """Return (the list, its file, its problems); the first two are None where there is no file or a faulty one.

    ``kind`` is the dataclass of the list.
    """
    if not files.exists_or_is_link(folder / name):
        return None, None, []
    try:
        written = files.read_toml(folder / name, f"vocabulary/{name}", ("There is no file.", "Write it."))
        return schema.build_from_file(kind, written, DOCS), written, []
    except InvalidFile as refused:
        return None, None, refused.problems


def place_duties(row: Row, rules: OrderRules, nodes: Mapping[NodeId, Node]) -> tuple[Row, list[Fault]]:
    """Return the row with the words of its duties found in its quotations, and the faults of its orders.

    Each duty gets ``given``: the place of its words in the text of each edition (:class:`corpus.model.Quote`). Words
    that are not found are a fault. So are two orders that cannot both be followed.
    """
    faults: list[Fault] = []

    def place_all(duties: tuple[Duty, ...], says: tuple[Slice, ...], at: KeyPath) -> tuple[Duty, ...]:
        out = []
        for n, duty in enumerate(duties):
            given = [_find_words(e, words, says, nodes) for e, words in duty.words.items()]
            faults.extend(Fault(*g, (*at, n, "words")) for g in given if not isinstance(g, Quote))
            if duty.do in rules.lenient and not duty.words:
                move = "Write “words” by edition: those of the quoted words that say so for this very case."
                faults.append(Fault(f"No words are named that order “{duty.do}”.", move, (*at, n)))
            out.append(replace(duty, given=tuple(g for g in given if isinstance(g, Quote))))
        return tuple(out)

    then = tuple(replace(t, duties=place_all(t.duties, t.says, ("then", n, "duties"))) for n, t in enumerate(row.then))
    also = tuple(replace(a, duties=place_all(a.duties, a.says, ("also", n, "duties"))) for n, a in enumerate(row.also))
    goto = row.goto and replace(row.goto, duties=place_all(row.goto.duties, row.says, ("goto", "duties")))
    done = replace(row, duties=place_all(row.duties, row.says, ("duties",)), then=then, also=also, goto=goto)
    return done, [*faults, *_contrary_order_faults(row, rules)]


def _find_words(
    edition: str, words: str, says: tuple[Slice, ...], nodes: Mapping[NodeId, Node]
) -> Quote | tuple[str, str]:
    """Return where words of a duty stand in the quotations of an edition; or (finding, move)."""
    for quote in (q for s in says if (q := s.in_edition(edition))):
        node = nodes[quote.node]
        quoted = node.words_of_span(quote)
        if words and words in quoted:
            found = model.find_quote(
                node, quote.where, words, node.words_in(quote.where)[: quote.start].count(words) + 1
            )
            if isinstance(found, Quote):
                return found
    return f"“{words}” is not among the words quoted of {edition}.", "Write words that the row quotes there."


def _contrary_order_faults(row: Row, rules: OrderRules) -> Iterator[Fault]:
    """Yield a fault for each two orders of a row that cannot both be followed.

    They are the contrary of each other, for the same person and object, and their conditions are equal or one has
    none. Orders of two ``also`` parts that never hold together are left out.
    """
    parts: list[tuple[str, Also | None, Duty]] = [("", None, d) for d in row.duties]
    parts += [(later.when, None, d) for later in row.then for d in later.duties]
    parts += [("", also, d) for also in row.also for d in also.duties]
    for (now, p, one), (then, q, other) in combinations(parts, 2):
        contrary = any(o.are_opposed(one.do, other.do) and (now == then or not o.at_once) for o in rules.opposites)
        apart = bool(p and q and any(not set(a) & set(q.if_.get(ask, a)) for ask, a in p.if_.items()))
        conditions = {one.if_, other.if_}
        alike = one.who == other.who and one.what == other.what and (len(conditions) == 1 or "" in conditions)
        if contrary and alike and not apart:
            finding = f"“{one.do}” and “{other.do}” of “{row.id}” order the contrary of each other."
            yield Fault(finding, "Give the one that the words order, or the condition of each.")


def companion_problems(
    situations: Mapping[str, Situation], rules: DutyRules, write: Mapping[str, TomlFile]
) -> Iterator[Problem]:
    """Yield a problem for each row that lacks a companion provision, and for each exception without such a row.

    ``write`` maps the id of a situation to its file.
    """
    rows = [
        (code, s, n, row) for s in situations.values() for code, its in s.table.items() for n, row in enumerate(its.row)
    ]
    for n, rule in enumerate(rules.companions.together):
        excepted = {name for e in rule.except_ for name in e.rows}
        lacking = {
            f"{code}/{s.id}/{row.id}": (code, s, number, row)
            for code, s, number, row in rows
            if code in rule.needs and rule.applies_to(row, code) and not rule.is_met_by(row, code)
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


# -- Quotations ---

FOOTNOTES = "fn"  # the first step of the path of a footnote, where the notes of the whole book are numbered together


@dataclass(frozen=True)
class QuotedTexts:
    """The texts of the codes that were read.

    ``codes``: edition → code. ``quoted``: the editions that are quoted somewhere, and so must be quoted everywhere.
    ``unread``: a text could not be read, so nothing proves a situation wrong.
    """

    codes: Mapping[str, str]
    nodes: Mapping[NodeId, Node]
    quoted: frozenset[str] = frozenset()
    unread: bool = False

    def editions_of(self, code: str) -> list[str]:
        """Return the editions of a code."""
        return [e for e, its in self.codes.items() if its == code]

    def editions_with(self, code: str, path: str) -> list[str]:
        """Return the editions of a code that must be quoted for a path: situations quote them, and they have its law.

        An extract has only some laws. For a footnote numbered through a book, they must have the footnote itself.
        """
        law = address.split_path(path)[0]
        own = path if law == FOOTNOTES else law
        return [e for e in self.editions_of(code) if e in self.quoted and NodeId.of(e, own) in self.nodes]


def place_quotations(situation: Situation, texts: QuotedTexts) -> tuple[Situation, list[Fault]]:
    """Return the situation with its quotations found in the texts, and a fault for each that was not found."""
    found: list[Fault] = list(_path_faults(situation, texts))
    tables = {}
    for code, table in situation.table.items():
        placer = _QuotationPlacer(code, texts, found)
        rows = tuple(placer.place_row(row, ("table", code, "row", n)) for n, row in enumerate(table.row))
        tables[code] = replace(table, row=rows)
    asks = tuple(replace(ask, ticked=_quote_ticks(ask, texts)) for ask in situation.ask)
    return replace(situation, table=tables, ask=asks), found


def place_orders(situation: Situation, texts: QuotedTexts, rules: OrderRules) -> tuple[Situation, list[Fault]]:
    """Return the situation with the words and misprints of its duties placed, and the faults.

    The quotations of the situation are placed already.
    """
    found: list[Fault] = []
    placer = MisprintPlacer(texts.nodes, rules.undecided)
    tables = {}
    for code, table in situation.table.items():
        rows = []
        for n, row in enumerate(table.row):
            given, faults = place_duties(row, rules, texts.nodes)
            done, more = placer.place_row(given, situation.ask, code)
            found += [f._replace(at=("table", code, "row", n, *f.at)) for f in (*faults, *more)]
            rows.append(done)
        tables[code] = replace(table, row=tuple(rows))
    return replace(situation, table=tables), found


def _quote_ticks(ask: Ask, texts: QuotedTexts) -> dict[str, tuple[Slice, ...]]:
    """Return code → slices, for the provisions that may be ticked in answer to ``ask``. Each is quoted as a whole."""
    return {
        code: tuple(Slice(path=path, quotes=tuple(_whole_quotes(path, code, texts))) for path in paths)
        for code, paths in ask.ticks.items()
    }


def _whole_quotes(path: str, code: str, texts: QuotedTexts) -> Iterator[Quote]:
    for edition in texts.editions_with(code, path):
        node = texts.nodes.get(NodeId.of(edition, path))
        if node is not None:
            yield Quote(node.id, "text", 0, len(node.text))


def _path_faults(situation: Situation, texts: QuotedTexts) -> Iterator[Fault]:
    """Yield a fault for each path that no text of the code has.

    Also yield one for each row whose deciding provision is not among those of the situation.
    """
    lists: list[tuple[KeyPath, str, Iterable[str]]] = [
        (("provisions", code), code, paths) for code, paths in situation.provisions.items()
    ]
    for n, ask in enumerate(situation.ask):
        lists += [(("ask", n, "ticks", code), code, paths) for code, paths in ask.ticks.items()]
        lists += [(("ask", n, "see", code), code, paths) for code, paths in ask.see.items()]
    for code, table in situation.table.items():
        if code not in situation.provisions:
            yield Fault(f"There are no provisions of {code}.", "List them, the deciding ones first.", ("provisions",))
        for n, row in enumerate(table.row):
            lists.append((("table", code, "row", n, "off"), code, row.off))
            decides, known = row.deciding_slice.path, situation.provisions.get(code, ())
            if known and not any(address.paths_overlap(decides, p) for p in known):
                finding = f"{decides} decides the row “{row.id}” and is not among the provisions of {code}."
                yield Fault(finding, "Add it, at its place in the order.", ("provisions", code))
    for at, code, paths in lists:
        if code not in texts.codes.values():
            continue
        for path in paths:
            if not any(NodeId.of(e, path) in texts.nodes for e in texts.editions_of(code)):
                yield Fault(f"No text of {code} has {path}.", "Correct the path.", at, path)


@dataclass
class _QuotationPlacer:
    """Places the quotations of one decision table; what is wrong is added to ``faults``."""

    code: str
    texts: QuotedTexts
    faults: list[Fault]

    def place_row(self, row: Any, at: KeyPath) -> Any:
        """Return a row of the table, with the quotations of its slices found in the texts.

        A fault is recorded for each slice that is not found, and for each path under ``off`` (provisions that do not
        apply) which the quoted words do not name. ``at`` is the place of the row in its file.
        """
        says = self.place_slices(row.says, (*at, "says"))
        self.check_switched_off(row.off, says, (*at, "off"))
        also = []
        for n, part in enumerate(row.also):
            placed = self.place_slices(part.says, (*at, "also", n, "says"))
            self.check_switched_off(part.off, placed, (*at, "also", n, "off"))
            also.append(replace(part, says=placed))
        then = []
        for n, later in enumerate(row.then):
            placed = self.place_slices(later.says, (*at, "then", n, "says"))
            self.check_switched_off(later.off, placed, (*at, "then", n, "off"))
            then.append(replace(later, says=placed))
        return replace(row, says=says, also=tuple(also), then=tuple(then))

    def place_slices(self, slices: tuple[Slice, ...], at: KeyPath) -> tuple[Slice, ...]:
        """Return the slices with their quotations, one for each text of the code that has the law. ``at``: where they
        stand.
        """
        if not slices:
            self.faults.append(Fault("Nothing is quoted.", "Quote the words that decide.", at))
        return tuple(self.place_slice(s, (*at, n)) for n, s in enumerate(slices))

    def place_slice(self, slice_: Slice, at: KeyPath) -> Slice:
        """Return a slice with its quotations. What is not found is recorded as a fault at ``at``, the place of the
        slice.
        """
        having = self.texts.editions_with(self.code, slice_.path)
        if not having and self.texts.quoted.intersection(self.texts.editions_of(self.code)):
            self.faults.append(Fault(f"No text of {self.code} has {slice_.path}.", "Correct the path.", at))
        for edition in (*slice_.words, *slice_.at):
            if self.texts.codes.get(edition, self.code) != self.code:
                finding = f"“{edition}” is no text of {self.code}."
                self.faults.append(Fault(finding, "Quote the texts of the code of the table.", at, edition))
        quotes = [self.find_quote(slice_, edition, at) for edition in having]
        return replace(slice_, quotes=tuple(q for q in quotes if q))

    def find_quote(self, slice_: Slice, edition: str, at: KeyPath) -> Quote | None:
        """Return the words that a slice quotes from one edition: those that it states for the edition, otherwise all of
        them.

        None where they are not found; then a fault is recorded at ``at``, the place of the slice.
        """
        id_ = NodeId.of(edition, slice_.at.get(edition, slice_.path))
        node = self.texts.nodes.get(id_)
        if node is None:
            move = f'Correct the path, or write at = {{{edition} = "…"}} where it is numbered otherwise.'
            self.faults.append(Fault(f"There is no {id_}.", move, at, slice_.path))
            return None
        words = slice_.words.get(edition) or node.words_in(slice_.where)
        found = model.find_quote(node, slice_.where, words, slice_.occurrence)
        if not words:
            found = (f"The {slice_.where} of {id_} has no words.", "Quote the parts that have words.")
        if isinstance(found, Quote):
            return found
        self.faults.append(Fault(*found, at, edition))
        return None

    def check_switched_off(self, paths: tuple[str, ...], says: tuple[Slice, ...], at: KeyPath) -> None:
        """Record a fault for each path under ``off`` that no reference inside the quoted words (``says``) names."""
        named = {id_.path for s in says for q in s.quotes for id_ in self.referenced_provisions(q)}
        for path in paths:
            if self.texts.editions_of(self.code) and not any(address.contains_path(n, path) for n in named):
                finding = f"The quoted words do not name {path}."
                self.faults.append(Fault(finding, "Quote the words that switch it off, or remove it.", at, path))

    def referenced_provisions(self, quote: Quote) -> Iterator[NodeId]:
        """Yield the provisions that references inside a quotation name."""
        for ref in self.texts.nodes[quote.node].references:
            if ref.where == quote.where and quote.start <= ref.start and ref.end <= quote.end:
                yield from ref.targets
