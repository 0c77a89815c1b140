"""Tables of a file → the dataclass that declares their keys, or everything that is wrong with them.

A field is a key; its type says what stands there, its default that it may be left out: ``str``, ``int``, ``bool``,
``X | None``, ``Literal`` (a closed list), :class:`Prose`, another dataclass (a table), ``tuple[X, ...]`` (a list),
``Mapping[str, X]`` (a table with keys of its own).
``Annotated`` adds rules (:mod:`corpus.checked.rule`). What only shows when keys are seen together says the dataclass's
method ``check``: it yields a :class:`Fault` for each, and is asked when each key is right by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from datetime import date
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import soupsieve

from corpus import files
from corpus.files import MOST_TOLD, At, Prose, Refused, Written, language_problem
from corpus.model import Source


class Fault(NamedTuple):
    """What is wrong, and what to do about it; ``at``: where inside the value or table, ``words`` may tell the line."""

    finding: str
    move: str
    at: At = ()
    words: str = ""


Rule: TypeAlias = Callable[[str, Any], Iterator[Fault]]  # what is wrong with a value, given the name of its key
MADE = "made"  # marks a field that no file states
SLUG = "[a-z0-9]+(-[a-z0-9]+)*"  # what may be a step of an address
LONE = "lone"  # marks a list that may be written as its only value


@dataclass(frozen=True)
class Key:
    """The key of a field whose name Python does not allow."""

    name: str


@dataclass(frozen=True)
class Wanted:
    """How to write a value, in words, for those who wrote another."""

    what: str


def shape(pattern: str, what: str, *, optional: bool = False) -> Rule:
    """A text matches as a whole; ``what`` says how it looks, ``optional`` that it may be empty."""
    compiled = re.compile(pattern)

    def look(key: str, value: str) -> Iterator[Fault]:
        if not (optional and not value) and not compiled.fullmatch(value):
            yield Fault(f"“{key}” is {short(value)}.", f"Write {what}.", words=value)

    return look


# What a file or folder is called whose name stands in addresses.
addressed = shape(SLUG, "small letters, digits and hyphens")


def pattern(*known: str, must: str = "") -> Rule:
    """A regular expression; ``known``: the groups it may name (none: any), ``must``: has to."""

    def look(_key: str, value: str) -> Iterator[Fault]:
        if not value:
            return
        try:
            groups = files.groups(value)
        except (re.error, OverflowError, RecursionError) as error:
            yield Fault(f"“{value}” is not a pattern: {error}.", "Correct the regular expression.", words=value)
            return
        for group in sorted(set(groups).difference(known) if known else ()):
            yield Fault(
                f"The pattern “{value}” has a group “{group}”, which says nothing here.",
                f"Name it one of: {', '.join(known)}; or write (?:…).",
                words=value,
            )
        if must and must not in groups:
            yield Fault(
                f"The pattern “{value}” has no group {must}.",
                f"Put (?P<{must}>…) around what it is about.",
                words=value,
            )

    return look


def from_one(key: str, value: int) -> Iterator[Fault]:
    """A count that begins at 1."""
    if value < 1:
        yield Fault(f"“{key}” is {value}.", "Write a whole number from 1.")


def a_date(key: str, value: str) -> Iterator[Fault]:
    """A rule: a day that the calendar has, or its year or month."""
    try:
        date.fromisoformat((value or "2000") + "-01-01"[len(value or "2000") - 4 :])
    except ValueError:
        yield Fault(f"“{key}” is “{value}”, which is no date.", 'Write year, month and day, like "2018-01-01".')


def filled(key: str, value: object) -> Iterator[Fault]:
    """A text that a page shows says something."""
    if not (value.strip() if isinstance(value, str) else value):
        yield Fault(f"“{key}” is empty.", "Write it, or “not stated in the source”.")


def short(value: object) -> str:
    """A value as a sentence quotes it."""
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "…"


DAY = r"\d{4}-\d\d-\d\d"


@dataclass(frozen=True, kw_only=True)
class LookedUp:
    """A page: its ``url``, the day on which it was ``read``, and by how many ``readers``."""

    url: Annotated[str, shape(r"https?://\S+", "an address that begins with https://")]
    read: Annotated[str, shape(DAY, 'a day, like "2026-11-23"'), a_date]
    readers: int

    def check(self) -> Iterator[Fault]:
        """A second reader has read it, too."""
        if self.readers < 2:
            yield Fault(f"“readers” is {self.readers}.", "Let a second reader look it up.", ("readers",))

    @property
    def source(self) -> Source:
        """The value that goes with what it proves."""
        return Source(self.url, self.read, self.readers)


LONGEST = 200  # characters
_ATTRIBUTE = r"""\[[\w:-]+(?:[~|^$*]?=(?:"[^"\]]*"|'[^'\]]*'|[\w-]+))?\]"""
_ONE = rf"(?:\*|[\w-]+)?(?:[.#][\w-]+|{_ATTRIBUTE})*+"
_WHOLE = re.compile(rf"{_ONE}(?:(?: *[>+] *| +){_ONE})?(?: *, *{_ONE}(?:(?: *[>+] *| +){_ONE})?)*+")


def selector(_key: str, value: str) -> Iterator[Fault]:
    """A rule: tags, classes, ids and attributes, each at most inside one other. Whatever looks at all that stands
    around an element (``:has``, ``:nth-child``, ``~``) would not end on a large page.
    """
    if len(value) > LONGEST:
        yield Fault(f"A selector of {len(value)} characters.", "Write it shorter, or as two rules.")
        return
    try:
        soupsieve.compile(value)
    except (soupsieve.SelectorSyntaxError, ValueError, TypeError, RecursionError) as error:
        finding = f"“{value}” is not a CSS selector: {str(error).splitlines()[0]}."
        yield Fault(finding, "Correct it, like nav or div.menu.")
        return
    if not _WHOLE.fullmatch(value.strip()):
        yield Fault(
            f"The selector “{value}” looks at too much of the page.",
            "Write tags, classes, ids and attributes, like nav, div.menu or p > a[href]; at most one inside another.",
        )


T = TypeVar("T")
TYPES = {str: "text in quotes", int: "a whole number", bool: "true or false"}
_PROSE = 'text in quotes, or a table with a text for each language, like {de = "…", fr = "…"}'


def build(kind: type[T], written: Written, docs: str, /, **made: Any) -> T:
    """The dataclass that the tables of a file make; raises :class:`Refused` with every problem.

    ``docs`` is the page that explains the keys, ``made`` are fields that the file does not state.
    """
    builder = _Builder(docs)
    value: T = builder.table(kind, written.data, (), made)
    if builder.faults:
        problems = [written.problem(f.at, f.finding, f.move, f.words) for f in builder.faults[:MOST_TOLD]]
        raise Refused(sorted(problems, key=lambda p: p.line))
    return value


def keys(kind: Any) -> dict[str, Field[Any]]:
    """Key → field, of what a file may state of a dataclass."""
    return {_key(f.name, kind): f for f in fields(kind) if MADE not in _demands(kind, f.name)}


def keyed(value: Any) -> dict[str, Any]:
    """The values of a dataclass by their keys in the file, those that say something."""
    return {key: v for key, f in keys(type(value)).items() if (v := getattr(value, f.name))}


@dataclass(frozen=True)
class _Builder:
    """Goes through tables and values, and collects what is wrong; of what is wrong it hands on None."""

    docs: str
    faults: list[Fault] = field(default_factory=list)

    def fault(self, at: At, finding: str, move: str, words: str = "") -> None:
        """Keeps what is wrong at a place of the file."""
        self.faults.append(Fault(finding, move, at, words))

    def table(self, kind: Any, data: dict[str, Any], at: At, made: dict[str, Any]) -> Any:
        """The dataclass of a table whose every key is right."""
        before, hints, known = len(self.faults), _hints(kind), keys(kind)
        self.compare(kind, data, at)
        stated = {known[key].name: (key, value) for key, value in data.items() if key in known}
        values = {name: self.value(hints[name], value, (*at, key)) for name, (key, value) in stated.items()}
        if len(self.faults) > before:
            return None
        whole = kind(**values, **made)
        self.faults.extend(f._replace(at=at + f.at) for f in getattr(whole, "check", tuple)())
        return whole

    def compare(self, kind: Any, data: dict[str, Any], at: At) -> None:
        """The keys of a table with those that there are, and those that there must be."""
        known, place = keys(kind), f" in {_name(at)}" if at else ""
        for key in data:
            if key not in known:
                move = f"Remove it, or use one of: {', '.join(sorted(known))}."
                self.fault((*at, key), f"Unknown key “{key}”{place}.", move)
        for key, declared in known.items():
            if declared.default is MISSING and declared.default_factory is MISSING and key not in data:
                wanted = next((n.what for n in _demands(kind, declared.name) if isinstance(n, Wanted)), "")
                move = f"Write {wanted}." if wanted else f"Add it; {self.docs} says what it holds."
                self.fault((*at, key), f"The key “{key}” is missing{place}.", move)

    def value(self, hint: Any, value: Any, at: At) -> Any:
        """One value as its type wants it."""
        demands: tuple[Any, ...] = ()
        if get_origin(hint) is Annotated:
            hint, *more = get_args(hint)
            demands = tuple(more)
        wanted = next((n.what for n in demands if isinstance(n, Wanted)), _wanted(hint))
        if get_origin(hint) in (Union, UnionType):
            hint = next(t for t in get_args(hint) if t is not NoneType)
        if LONE in demands and isinstance(value, str):
            value = [value]
        before = len(self.faults)
        read = self.read(hint, value, at, wanted)
        if len(self.faults) == before:
            found = (list(rule(_name(at), read)) for rule in demands if callable(rule))
            self.faults.extend(f._replace(at=at + f.at) for f in next(filter(None, found), ()))
        return read

    def read(self, hint: Any, value: Any, at: At, wanted: str) -> Any:
        """A value of the right type."""
        if hint is Prose:
            return self.prose(value, at)
        if is_dataclass(hint) and isinstance(value, dict):
            return self.table(hint, value, at, {})
        if get_origin(hint) in (tuple, Mapping):
            return self.several(hint, value, at, wanted)
        if get_origin(hint) is Literal:
            return self.choice(get_args(hint), value, at)
        if isinstance(hint, type) and type(value) is (str if issubclass(hint, str) else hint):
            return hint(value)  # perhaps a text that has a name of its own, like NodeId
        return self.mistyped(value, at, wanted)

    def several(self, hint: Any, value: Any, at: At, wanted: str) -> Any:
        """The values of a list, or those of a table with keys of its own."""
        *_, inner = (arg for arg in get_args(hint) if arg is not Ellipsis)
        if get_origin(hint) is tuple and is_dataclass(inner) and isinstance(value, dict):
            value = [value]
        if get_origin(hint) is tuple and isinstance(value, list):
            return tuple(self.value(inner, v, (*at, n)) for n, v in enumerate(value))
        if get_origin(hint) is Mapping and isinstance(value, dict):
            return {key: self.value(inner, v, (*at, key)) for key, v in value.items()}
        return self.mistyped(value, at, wanted)

    def choice(self, closed: tuple[str, ...], value: Any, at: At) -> Any:
        """One of a closed list."""
        if type(value) is not str:
            return self.mistyped(value, at, TYPES[str])
        if value not in closed:
            named = ", ".join(filter(None, closed)) + (", or leave it out" if "" in closed else "")
            self.fault(at, f"“{_name(at)}” is “{value}”.", f"Choose one of: {named}.", value)
        return value

    def prose(self, value: Any, at: At) -> Any:
        """A text for readers: a plain one for all, or a table with a text for each language."""
        if isinstance(value, str):
            return Prose({"": value} if value.strip() else {})
        if not isinstance(value, dict) or not value or not all(type(v) is str and v.strip() for v in value.values()):
            return self.mistyped(value, at, _PROSE)
        for code in value:
            if wrong := language_problem(code):
                self.fault((*at, code), *wrong)
        return Prose(value)

    def mistyped(self, value: Any, at: At, wanted: str) -> Any:
        """Says how to write a value instead."""
        words = value if isinstance(value, str) else ""
        self.fault(at, f"“{_name(at)}” is {short(value)}.", f"Write {wanted}.", words)


def _wanted(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        return _wanted(get_args(hint)[0])
    if get_origin(hint) is tuple:
        return f"a list, each of it {_wanted(get_args(hint)[0])}"
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_wanted(t) for t in get_args(hint) if t is not NoneType)
    text = get_origin(hint) is Literal or (isinstance(hint, type) and issubclass(hint, str))
    return TYPES[str] if text else TYPES.get(hint, "a table")


def _name(at: At) -> str:
    """How sentences name a place: the table, not its number, and the key: “levels.labels”."""
    return ".".join(str(step) for step in at if isinstance(step, str))


def _key(name: str, kind: Any) -> str:
    return next((n.name for n in _demands(kind, name) if isinstance(n, Key)), name)


def _demands(kind: Any, name: str) -> tuple[Any, ...]:
    return getattr(_hints(kind)[name], "__metadata__", ())


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
