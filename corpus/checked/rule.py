"""What a field of checked data demands of its value beyond the type, written at the field: ``Annotated[str, URL]``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, TypeAlias

from corpus.checked import patience
from corpus.checked.toml import At


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
            groups = patience.groups(value)
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
