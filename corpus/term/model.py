"""A concept of the laws, as ``terms/<slug>.toml`` states it. Frozen values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from corpus.checked.prose import Prose
from corpus.checked.rule import MADE, Fault, Key, Wanted, filled, from_one
from corpus.language import Words
from corpus.model import NodeId, Where

VARIANTS = 4  # names beside the first, in one language: more are wordings
Slug: TypeAlias = str
Names: TypeAlias = Mapping[str, Words]  # by language
Paths: TypeAlias = Mapping[str, Words]  # by edition

# Why an edition has no such concept: it came with a later code, only an earlier one has it, the text speaks of it
# without a name or a provision of its own.
Reason = Literal["later", "earlier", "unnamed"]
Reasons: TypeAlias = Mapping[str, Reason]


@dataclass(frozen=True, kw_only=True)
class Unlike:
    """Words of a language in which a name of the concept stands and does not mean it: “je na rade” is not out of turn.

    ``reason``: for those who review the record.
    """

    lang: str
    words: Annotated[str, filled]
    reason: Annotated[str, filled]


@dataclass(frozen=True, kw_only=True)
class Place:
    """Words of a text. ``occurrence``: which one of several equal words, from 1; 0: they stand there only once."""

    at: Annotated[NodeId, Wanted('the id of the provision, with its edition: "<edition>/12/C/1"')]
    where: Annotated[Where, Key("in")] = "text"
    words: Annotated[str, filled]
    occurrence: Annotated[int, from_one] = 0


@dataclass(frozen=True, kw_only=True)
class Everyday(Place):
    """One place of a text where a name of the concept stands in its everyday sense."""

    reason: Annotated[str, filled]


@dataclass(frozen=True, kw_only=True)
class Split(Place):
    """One place where the words of a name stand apart: “the score may be weighted” has “weighted score”."""

    name: Annotated[str, filled]


@dataclass(frozen=True, kw_only=True)
class Apart:
    """Another concept that shares a name with this one or is taken for it, and how a reader tells them apart."""

    term: Slug
    why: Prose


@dataclass(frozen=True, kw_only=True)
class Term:
    """A concept: ``slug`` is its name in addresses and never changes.

    ``names``: by language, the preferred one first; each stands in a text of its language, and in what defines the
    concept there. In a language in whose texts nobody has looked for it they are what the laws are known by.
    ``wordings``: how the texts say it in other words, verbs among them: they are found in texts and are no names.
    ``players``: what players say; understood in a query, never sought in a text.
    ``defined``: edition → paths of the definitions or provisions that give the meaning; ``about``: those that deal
    with it; ``none``: why an edition has neither.
    ``split``: where names stand whose words no text has side by side.
    ``broader``, ``related``: other concepts. ``unlike``, ``everyday``, ``apart``: what it is not.
    ``common``: its names are words of every sentence, which no search looks for.
    ``unmarked``: those of its names that mostly stand in the texts as words of every day: no text is searched for them.
    ``remark``: for those who review the record.
    """

    slug: Annotated[Slug, MADE] = ""
    names: Names
    wordings: Names = field(default_factory=dict)
    players: Names = field(default_factory=dict)
    defined: Paths = field(default_factory=dict)
    about: Paths = field(default_factory=dict)
    none: Reasons = field(default_factory=dict)
    broader: Words = ()
    related: Words = ()
    split: tuple[Split, ...] = ()
    unlike: tuple[Unlike, ...] = ()
    everyday: tuple[Everyday, ...] = ()
    apart: tuple[Apart, ...] = ()
    common: bool = False
    unmarked: Names = field(default_factory=dict)
    remark: str = ""

    def check(self) -> Iterator[Fault]:
        """Names, not more than a reader takes in; everything said once; nothing said of an edition and denied."""
        if not any(self.names.values()):
            yield Fault("The concept has no name.", 'Write [names] with en = ["…"], pl = ["…"].', ("names",))
        for lang, names in self.names.items():
            if len(names) > VARIANTS + 1:
                move = f"Keep at most {VARIANTS} beside the first; others that stand in a text are “wordings”."
                yield Fault(f"There are {len(names)} names in “{lang}”.", move, ("names", lang))
        yield from self._twice()
        for lang, unmarked in self.unmarked.items():
            for name in set(unmarked) - set(self.names.get(lang, ())):
                yield Fault(f"“{name}” is no name.", "List it under [names], too.", ("unmarked", lang), name)
        for edition in self.none.keys() & {*self.defined, *self.about}:
            move = "Remove “none”, or the provisions."
            yield Fault(f"“{edition}” has provisions and has none.", move, ("none", edition))

    def _twice(self) -> Iterator[Fault]:
        """What is said twice in a language."""
        said: set[tuple[str, str]] = set()
        for key, lists in (("names", self.names), ("wordings", self.wordings), ("players", self.players)):
            for lang, one in ((lang, one) for lang, words in lists.items() for one in words):
                if (lang, one.casefold()) in said:
                    yield Fault(f"“{one}” is said twice in “{lang}”.", "Keep it once.", (key, lang), one)
                said.add((lang, one.casefold()))

    def sought(self, lang: str) -> tuple[str, ...]:
        """The names in a language that texts are searched for."""
        return tuple(name for name in self.names.get(lang, ()) if name not in self.unmarked.get(lang, ()))

    def name(self, lang: str) -> str:
        """The preferred name in a language; empty where it has none."""
        return next(iter(self.names.get(lang, ())), "")

    def places(self, edition: str) -> tuple[NodeId, ...]:
        """Where an edition deals with it: what defines it first."""
        paths = dict.fromkeys((*self.defined.get(edition, ()), *self.about.get(edition, ())))
        return tuple(NodeId.of(edition, path) for path in paths)

    def meaning(self, edition: str) -> tuple[NodeId, ...]:
        """What gives its meaning in an edition."""
        return tuple(NodeId.of(edition, path) for path in self.defined.get(edition, ()))

    def has(self, edition: str) -> bool:
        """Whether anything is known of it in an edition, be it that it has no such concept."""
        return any(edition in known for known in (self.defined, self.about, self.none))


Terms: TypeAlias = Mapping[Slug, Term]
