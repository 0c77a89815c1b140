"""The schema of TOML files: a dataclass declares the keys, :func:`build_from_file` makes its value from a file.

A field is a key. Its type says what the value must be, its default that it may be left out: ``str``, ``int``, ``bool``,
``X | None``, ``Literal`` (a closed list), :class:`~corpus.files.LocalizedText`, another dataclass (a table),
``tuple[X, ...]`` (a list), ``Mapping[str, X]`` (a table with any keys). ``Annotated`` adds rules (:data:`Rule`), some
of which are in this module. A dataclass may have a method ``check`` for rules over several keys: it yields a
:class:`Fault` for each problem, and is called when every key is right by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import soupsieve

from corpus import files
from corpus.files import MOST_PROBLEMS, InvalidFile, KeyPath, LocalizedText, TomlFile, language_problem
from corpus.model import Source


class Fault(NamedTuple):
    """A problem with a value: finding and next move. ``at``: its place inside the value or table.

    ``words`` of the value help to find the line.
    """

    finding: str
    move: str
    at: KeyPath = ()
    words: str = ""


Rule: TypeAlias = Callable[[str, Any], Iterator[Fault]]  # (name of the key, value) → what is wrong with the value
NOT_IN_FILE = "made"  # marks a field that no file may state
SLUG_PATTERN = "[a-z0-9]+(-[a-z0-9]+)*"  # the form of a step of an address
SINGLE_VALUE_ALLOWED = "lone"  # marks a list that may be written as a single value


@dataclass(frozen=True)
class KeyName:
    """The key of a field, where it differs from the field's name because Python does not allow that name."""

    name: str


@dataclass(frozen=True)
class ValueHint:
    """How to write a value, in words. Problems of the value use it."""

    what: str


def text_rule(pattern: str, what: str, *, optional: bool = False) -> Rule:
    """Return the rule that a text matches ``pattern`` as a whole; with ``optional`` it may be empty.

    ``what`` tells the author what to write.
    """
    compiled = re.compile(pattern)

    def check_text(key: str, value: str) -> Iterator[Fault]:
        if not (optional and not value) and not compiled.fullmatch(value):
            yield Fault(f"“{key}” is {shorten_value(value)}.", f"Write {what}.", words=value)

    return check_text


# The rule of names of files and folders that become part of an address.
slug_rule = text_rule(SLUG_PATTERN, "small letters, digits and hyphens")


def pattern_rule(*known: str, must: str = "") -> Rule:
    """Return the rule that a value is a regular expression.

    ``known``: the groups that it may have (none: any). ``must``: a group that it must have.
    """

    def check_pattern(_key: str, value: str) -> Iterator[Fault]:
        if not value:
            return
        try:
            groups = files.group_names(value)
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

    return check_pattern


def check_at_least_one(key: str, value: int) -> Iterator[Fault]:
    """Yield a fault if a count is less than 1. ``key`` is its name in the fault."""
    if value < 1:
        yield Fault(f"“{key}” is {value}.", "Write a whole number from 1.")


def check_date(key: str, value: str) -> Iterator[Fault]:
    """Yield a fault unless the value is a day of the calendar, a month or a year, or empty."""
    try:
        date.fromisoformat((value or "2000") + "-01-01"[len(value or "2000") - 4 :])
    except ValueError:
        yield Fault(f"“{key}” is “{value}”, which is no date.", 'Write year, month and day, like "2018-01-01".')


def check_not_empty(key: str, value: object) -> Iterator[Fault]:
    """Yield a fault if a value that a page shows is empty. ``key`` is its name in the fault."""
    if not (value.strip() if isinstance(value, str) else value):
        yield Fault(f"“{key}” is empty.", "Write it, or “not stated in the source”.")


def shorten_value(value: object) -> str:
    """A value as messages quote it, at most 80 characters long."""
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "…"


DAY_PATTERN = r"\d{4}-\d\d-\d\d"


@dataclass(frozen=True, kw_only=True)
class LookedUpPage:
    """A web page that was read as evidence: its ``url``, the day of reading ``read``, and the number of ``readers``."""

    url: Annotated[str, text_rule(r"https?://\S+", "an address that begins with https://")]
    read: Annotated[str, text_rule(DAY_PATTERN, 'a day, like "2026-11-23"'), check_date]
    readers: int

    def check(self) -> Iterator[Fault]:
        """Check that at least two readers have read it."""
        if self.readers < 2:
            yield Fault(f"“readers” is {self.readers}.", "Let a second reader look it up.", ("readers",))

    @property
    def as_source(self) -> Source:
        """The page as a value of the model."""
        return Source(self.url, self.read, self.readers)


LONGEST_SELECTOR = 200  # in characters
_ATTRIBUTE = r"""\[[\w:-]+(?:[~|^$*]?=(?:"[^"\]]*"|'[^'\]]*'|[\w-]+))?\]"""
_SIMPLE_SELECTOR = rf"(?:\*|[\w-]+)?(?:[.#][\w-]+|{_ATTRIBUTE})*+"
_ALLOWED_SELECTOR = re.compile(
    rf"{_SIMPLE_SELECTOR}(?:(?: *[>+] *| +){_SIMPLE_SELECTOR})?(?: *, *{_SIMPLE_SELECTOR}(?:(?: *[>+] *| "
    rf"+){_SIMPLE_SELECTOR})?)*+"
)


def check_selector(_key: str, value: str) -> Iterator[Fault]:
    """Yield a fault unless the value is a CSS selector of tags, classes, ids and attributes.

    At most one may stand inside another. Selectors that look at everything around an element (``:has``,
    ``:nth-child``, ``~``) are refused, because they would not end on a large page.
    """
    if len(value) > LONGEST_SELECTOR:
        yield Fault(f"A selector of {len(value)} characters.", "Write it shorter, or as two rules.")
        return
    try:
        soupsieve.compile(value)
    except (soupsieve.SelectorSyntaxError, ValueError, TypeError, RecursionError) as error:
        finding = f"“{value}” is not a CSS selector: {str(error).splitlines()[0]}."
        yield Fault(finding, "Correct it, like nav or div.menu.")
        return
    if not _ALLOWED_SELECTOR.fullmatch(value.strip()):
        yield Fault(
            f"The selector “{value}” looks at too much of the page.",
            "Write tags, classes, ids and attributes, like nav, div.menu or p > a[href]; at most one inside another.",
        )


T = TypeVar("T")


def read_named_file(kind: type[T], path: Path, docs: str, name_field: str) -> tuple[TomlFile, T]:
    """Return a file as written and as a value. The name of the file is the value of the field ``name_field``.

    Raises:
        InvalidFile: the file or its name has a fault.
    """
    written = files.read_toml(path, path.relative_to(path.parents[1]).as_posix(), ("There is no file.", "Write it."))
    for fault in slug_rule("name of the file", path.stem):
        raise InvalidFile([written.problem((), fault.finding, fault.move)])
    return written, build_from_file(kind, written, docs, **{name_field: path.stem})


TYPE_NAMES = {str: "text in quotes", int: "a whole number", bool: "true or false"}
_LOCALIZED_TEXT_HINT = 'text in quotes, or a table with a text for each language, like {de = "…", fr = "…"}'


def build_from_file(kind: type[T], written: TomlFile, docs: str, /, **made: Any) -> T:
    """The dataclass ``kind`` with the values of a file. Raises :class:`~corpus.files.InvalidFile` with all problems.

    ``docs`` is the page that explains the keys; messages name it. ``made`` are fields that the file does not state.
    """
    builder = _DataclassBuilder(docs)
    value: T = builder.build_table(kind, written.data, (), made)
    if builder.faults:
        problems = [written.problem(f.at, f.finding, f.move, f.words) for f in builder.faults[:MOST_PROBLEMS]]
        raise InvalidFile(sorted(problems, key=lambda p: p.line))
    return value


@cache
def file_keys(kind: Any) -> Mapping[str, Field[Any]]:
    """Return key → field, for the keys that a file may state for a dataclass ``kind``."""
    return {_key_of_field(f.name, kind): f for f in fields(kind) if NOT_IN_FILE not in _annotations_of(kind, f.name)}


def values_by_key(value: Any) -> dict[str, Any]:
    """Key → value of a dataclass, without empty values."""
    kind: Any = type(value)
    return {key: v for key, f in file_keys(kind).items() if (v := getattr(value, f.name))}


@dataclass(frozen=True)
class _DataclassBuilder:
    """Walks through tables and values and collects the faults. A wrong value becomes None."""

    docs: str
    faults: list[Fault] = field(default_factory=list)

    def add_fault(self, at: KeyPath, finding: str, move: str, words: str = "") -> None:
        """Record a fault at a place of the file. ``words`` of the value help to find its line."""
        self.faults.append(Fault(finding, move, at, words))

    def build_table(self, kind: Any, data: dict[str, Any], at: KeyPath, made: dict[str, Any]) -> Any:
        """Return the table ``data`` as a value of the dataclass ``kind``; None when one of its keys is wrong.

        ``at`` is its place in the file. ``made``: fields that the file does not state.
        """
        before, hints, known = len(self.faults), _type_hints(kind), file_keys(kind)
        self.check_keys(kind, data, at)
        stated = {known[key].name: (key, value) for key, value in data.items() if key in known}
        values = {name: self.build_value(hints[name], value, (*at, key)) for name, (key, value) in stated.items()}
        if len(self.faults) > before:
            return None
        whole = kind(**values, **made)
        self.faults.extend(f._replace(at=at + f.at) for f in getattr(whole, "check", tuple)())
        return whole

    def check_keys(self, kind: Any, data: dict[str, Any], at: KeyPath) -> None:
        """Record a fault for each key of a table that the dataclass ``kind`` does not have, and for each one that is
        missing.

        ``data`` is the table, ``at`` its place in the file.
        """
        known, place = file_keys(kind), f" in {_name_of_place(at)}" if at else ""
        for key in data:
            if key not in known:
                move = f"Remove it, or use one of: {', '.join(sorted(known))}."
                self.add_fault((*at, key), f"Unknown key “{key}”{place}.", move)
        for key, declared in known.items():
            if declared.default is MISSING and declared.default_factory is MISSING and key not in data:
                wanted = next((n.what for n in _annotations_of(kind, declared.name) if isinstance(n, ValueHint)), "")
                move = f"Write {wanted}." if wanted else f"Add it; {self.docs} says what it holds."
                self.add_fault((*at, key), f"The key “{key}” is missing{place}.", move)

    def build_value(self, hint: Any, value: Any, at: KeyPath) -> Any:
        """Return one value as its type hint requires it, checked by its rules. ``at``: its place in the file."""
        before, parts = len(self.faults), _hint_parts(hint)
        if SINGLE_VALUE_ALLOWED in parts.demands and isinstance(value, str):
            value = [value]
        read = self.build_typed_value(parts, value, at)
        if parts.demands and len(self.faults) == before:
            found = (list(rule(_name_of_place(at), read)) for rule in parts.demands if callable(rule))
            self.faults.extend(f._replace(at=at + f.at) for f in next(filter(None, found), ()))
        return read

    def build_typed_value(self, hint: _HintParts, value: Any, at: KeyPath) -> Any:
        """Return one value of the right type, without its rules."""
        if hint.type is LocalizedText:
            return self.build_localized_text(value, at)
        if is_dataclass(hint.type) and isinstance(value, dict):
            return self.build_table(hint.type, value, at, {})
        if hint.origin in (tuple, Mapping):
            return self.build_collection(hint, value, at)
        if hint.origin is Literal:
            return self.build_choice(hint.arguments, value, at)
        if isinstance(hint.type, type) and type(value) is (str if issubclass(hint.type, str) else hint.type):
            return hint.type(value)  # may be a subclass of str, like NodeId
        return self.report_wrong_type(value, at, hint.wanted)

    def build_collection(self, hint: _HintParts, value: Any, at: KeyPath) -> Any:
        """Return the values of a list, or of a table with any keys."""
        *_, inner = (arg for arg in hint.arguments if arg is not Ellipsis)
        if hint.origin is tuple and is_dataclass(inner) and isinstance(value, dict):
            value = [value]
        if hint.origin is tuple and isinstance(value, list):
            return tuple(self.build_value(inner, v, (*at, n)) for n, v in enumerate(value))
        if hint.origin is Mapping and isinstance(value, dict):
            return {key: self.build_value(inner, v, (*at, key)) for key, v in value.items()}
        return self.report_wrong_type(value, at, hint.wanted)

    def build_choice(self, closed: tuple[str, ...], value: Any, at: KeyPath) -> Any:
        """Return a value of a closed list (``closed``); with another value a fault is recorded."""
        if type(value) is not str:
            return self.report_wrong_type(value, at, TYPE_NAMES[str])
        if value not in closed:
            named = ", ".join(filter(None, closed)) + (", or leave it out" if "" in closed else "")
            self.add_fault(at, f"“{_name_of_place(at)}” is “{value}”.", f"Choose one of: {named}.", value)
        return value

    def build_localized_text(self, value: Any, at: KeyPath) -> Any:
        """Return a text for readers: one text for all, or a table with a text for each language."""
        if isinstance(value, str):
            return LocalizedText({"": value} if value.strip() else {})
        if not isinstance(value, dict) or not value or not all(type(v) is str and v.strip() for v in value.values()):
            return self.report_wrong_type(value, at, _LOCALIZED_TEXT_HINT)
        for code in value:
            if wrong := language_problem(code):
                self.add_fault((*at, code), *wrong)
        return LocalizedText(value)

    def report_wrong_type(self, value: Any, at: KeyPath, wanted: str) -> Any:
        """Record a fault that says how to write the value (``wanted``), and return None."""
        words = value if isinstance(value, str) else ""
        self.add_fault(at, f"“{_name_of_place(at)}” is {shorten_value(value)}.", f"Write {wanted}.", words)


class _HintParts(NamedTuple):
    """A type hint, taken apart: the type, its origin and arguments, its demands (rules and marks), how to write it."""

    type: Any
    origin: Any
    arguments: tuple[Any, ...]
    demands: tuple[Any, ...]
    wanted: str


@cache  # a file has thousands of values of a few types
def _hint_parts(hint: Any) -> _HintParts:
    demands: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        demands = tuple(more)
    wanted = next((n.what for n in demands if isinstance(n, ValueHint)), None) or _describe_type(hint)
    if get_origin(hint) in (Union, UnionType):
        hint = next(t for t in get_args(hint) if t is not NoneType)
    return _HintParts(hint, get_origin(hint), get_args(hint), demands, wanted)


def _describe_type(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        return _describe_type(get_args(hint)[0])
    if get_origin(hint) is tuple:
        return f"a list, each of it {_describe_type(get_args(hint)[0])}"
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_describe_type(t) for t in get_args(hint) if t is not NoneType)
    text = get_origin(hint) is Literal or (isinstance(hint, type) and issubclass(hint, str))
    return TYPE_NAMES[str] if text else TYPE_NAMES.get(hint, "a table")


def _name_of_place(at: KeyPath) -> str:
    """Return the name of a place for messages: its keys without indices, “levels.labels”."""
    return ".".join(str(step) for step in at if isinstance(step, str))


def _key_of_field(name: str, kind: Any) -> str:
    return next((n.name for n in _annotations_of(kind, name) if isinstance(n, KeyName)), name)


def _annotations_of(kind: Any, name: str) -> tuple[Any, ...]:
    return getattr(_type_hints(kind)[name], "__metadata__", ())


@cache
def _type_hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
