"""The subject index of the site. It is made from the printed indexes of the editions.

``blueprint`` is registered by :func:`app.create_app`. :func:`topics_page` makes the page model. Each line of a printed
index becomes a :class:`TopicEntry` in the reader's language, with what every complete edition has for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, request

from app.site import addresses, reader
from app.site.atlas import Atlas
from app.site.page import SitePage
from app.site.snapshot import current_snapshot
from corpus import address
from corpus.changes import MappedTarget, map_target
from corpus.edition import Identity, sort_key_for_reader
from corpus.letters import fold
from corpus.model import FRAME_KINDS, LAW_KINDS, IndexEntry, Node
from corpus.situation.model import Situation

MAX_SITUATIONS = 4  # shown beside a topic; the pages of its laws list more
MAX_FOUND_IN_FULL = 40  # topics that a query finds and that are shown with their places; of more, only the names


@dataclass(frozen=True)
class TopicName:
    """The name of a line of the index for the reader, in ``lang``.

    ``address``: of the term or the heading from which the name is taken; "" for the name of the printed index.
    """

    words: str
    lang: str
    address: str = ""


@dataclass(frozen=True)
class TopicPlace:
    """What an edition has for a line of the index.

    ``found``: each target of the line, mapped to the edition; a target that it does not have says why. ``term``: the
    provisions on the term that names the line, when the edition has none of the targets.
    """

    edition: Identity
    found: tuple[MappedTarget, ...]
    term: tuple[Node, ...] = ()

    @property
    def corresponding_nodes(self) -> tuple[Node, ...]:
        """The provisions that correspond to what the index names, each once."""
        return tuple({n.id: n for c in self.found if c.is_found for n in c.nodes}.values())

    @property
    def unmatched_targets(self) -> tuple[MappedTarget, ...]:
        """The targets to which nothing corresponds."""
        return tuple(c for c in self.found if not c.is_found)


@dataclass(frozen=True)
class TopicEntry:
    """A line of the index: an entry's own or one under it. ``printed``: its name in the printed index.

    ``places``: what each complete edition has for it; ``see``: (name, address or "") of each “see also”.
    """

    name: TopicName
    printed: str
    places: tuple[TopicPlace, ...]
    see: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Topic:
    """An entry of the subject index with its subentries.

    ``dom``: the id of its HTML element. ``situations``: those whose first provision it names.
    """

    dom: str
    own: TopicEntry
    under: tuple[TopicEntry, ...]
    situations: tuple[Situation, ...]

    def matches(self, sought: str) -> bool:
        """Whether ``sought`` stands in one of its names. ``sought`` is folded: lower case, without diacritics."""
        return any(sought in fold(f"{x.name.words} {x.printed}") for x in (self.own, *self.under))


@dataclass(frozen=True)
class TopicsPage(SitePage):
    """The page of the subject index.

    - ``letters``: letter → topics with a name in the reader's language.
    - ``printed``: letter → topics that keep the name of the printed index.
    - ``sources``: the editions that print an index.
    - ``words``: the words sought in the names; ``count``: how many topics they find.
    - ``brief``: they find too many, so only the names are shown, each with a link to its place on the whole page.
    """

    template: ClassVar[str] = "topics.html"
    letters: Mapping[str, tuple[Topic, ...]]
    printed: Mapping[str, tuple[Topic, ...]]
    sources: tuple[Identity, ...]
    words: str
    count: int
    brief: bool


def topics_page(atlas: Atlas, lang: str, query: str = "") -> TopicsPage:
    """Return all topics, or those that have the words of a query in their names."""
    sought = " ".join(fold(query).split())
    every = [t for t in atlas.cached_for_language(_make_topics, lang) if not sought or t.matches(sought)]
    own = [t for t in every if t.own.name.lang == lang]
    return TopicsPage(
        letters=_by_letter(atlas, own),
        printed=_by_letter(atlas, [t for t in every if t.own.name.lang != lang]),
        sources=tuple(atlas.library.editions[e] for e in dict.fromkeys(r.edition for r in atlas.library.index)),
        words=query,
        count=len(every),
        brief=bool(sought) and len(every) > MAX_FOUND_IN_FULL,
    )


def _by_letter(atlas: Atlas, topics: Iterable[Topic]) -> dict[str, tuple[Topic, ...]]:
    out: dict[str, tuple[Topic, ...]] = {}
    alphabet = lambda t: atlas.library.alphabet_of(t.own.name.lang)
    for topic in sorted(topics, key=lambda t: (alphabet(t).sort_key(t.own.name.words), t.dom)):
        initial = alphabet(topic).index_letter(topic.own.name.words)
        out[initial] = (*out.get(initial, ()), topic)
    return out


def _make_topics(atlas: Atlas, lang: str) -> tuple[Topic, ...]:
    return tuple(_TopicMaker(atlas, lang).make_topics())


class _TopicMaker:
    """Makes the topics for a reader of a language."""

    def __init__(self, atlas: Atlas, lang: str):
        self.atlas, self.library, self.lang = atlas, atlas.library, lang
        self.editions = sorted((e for e in self.library.law_editions if e.complete), key=sort_key_for_reader(lang))

    def make_topics(self) -> list[Topic]:
        """Return a topic for every entry of every printed index."""
        entries: dict[tuple[str, str], list[IndexEntry]] = {}
        for row in self.library.index:
            entries.setdefault((row.edition, row.entry), []).append(row)
        return [self._make_topic(entry, rows) for (_, entry), rows in entries.items()]

    def _make_topic(self, entry: str, rows: list[IndexEntry]) -> Topic:
        own = next((r for r in rows if not r.subentry), IndexEntry(rows[0].edition, entry, None))
        under = tuple(self._make_entry(r) for r in rows if r.subentry)
        return Topic(_topic_dom(own), self._make_entry(own), under, self._deciding_situations(rows))

    def _make_entry(self, row: IndexEntry) -> TopicEntry:
        places = tuple(self._make_place(row, e) for e in self.editions) if row.targets else ()
        see = tuple((name, self._see_address(row.edition, name)) for name in row.see)
        return TopicEntry(self._topic_name(row), row.subentry or row.entry, places, see)

    def _make_place(self, row: IndexEntry, edition: Identity) -> TopicPlace:
        found = tuple(map_target(self.library, t, edition.id) for t in row.targets)
        term = self.library.terms.get(row.term)
        ids = term.places(edition.id) if term and not any(c.nodes for c in found if c.is_found) else ()
        return TopicPlace(edition, found, tuple(self.library.nodes[id_] for id_ in ids))

    def _see_address(self, edition: str, name: str) -> str:
        """Return the address of the entry that a “see also” names, or of the first entry whose name begins so; "" for
        none.
        """
        entries = [r.entry for r in self.library.index if r.edition == edition]
        begun = [e for e in entries if fold(e).startswith(fold(name))]
        found = [e for e in begun if fold(e) == fold(name)] or begun
        return addresses.topics(jump=_topic_dom(IndexEntry(edition, found[0], None))) if found else ""

    def _topic_name(self, row: IndexEntry) -> TopicName:
        """Return the name of a line: the name of its term in the reader's language, else the heading of what
        corresponds in that language, else the printed name.
        """
        printed = row.subentry or row.entry
        own = self.library.editions[row.edition].lang
        term = self.library.terms.get(row.term)
        if term and (name := term.name(self.lang)):
            return TopicName(printed if own == self.lang else name, self.lang, addresses.term(term.slug))
        if row.heading and own != self.lang:
            for edition in self.editions:
                found = map_target(self.library, row.heading, edition.id)
                heading = found.nodes[0].heading if found.how == "row" and len(found.nodes) == 1 else None
                if edition.lang == self.lang and heading:
                    return TopicName(heading, self.lang, addresses.law(found.nodes[0].id))
        return TopicName(printed, own)

    def _deciding_situations(self, rows: list[IndexEntry]) -> tuple[Situation, ...]:
        """Return the situations whose first provision is one that an entry of the index names, or stands inside one.

        ``rows`` are the lines of the entry. The provisions are read in the code of the index. A whole law counts only
        when it is the single target of its line; among others it says too little.
        """
        named = {
            (self.library.editions[r.edition].code, t.path)
            for r in rows
            for t in r.targets
            if (n := self.library.find_node(t))
            and n.kind not in FRAME_KINDS
            and (n.kind not in LAW_KINDS or len(r.targets) == 1)
        }
        first = {
            id_ for place in named for id_, n in self.atlas.situation_positions_by_path.get(place, {}).items() if n == 0
        }
        return tuple(s for s in self.library.situations.values() if s.id in first)[:MAX_SITUATIONS]


def _topic_dom(row: IndexEntry) -> str:
    return f"topic-{address.slugify(row.entry)}"


blueprint = Blueprint("topics", __name__)


def addresses_to_prerender(_atlas: Atlas) -> Iterable[str]:
    """Return the addresses whose pages are rendered when the generation is built."""
    return [addresses.topics()]


@blueprint.get("/topics/")
def topics() -> str:
    """Show all topics by letter. ``?q=``: words of their names."""
    return topics_page(
        current_snapshot().atlas, reader.ui_language(), request.args.get("q", "").strip()[: addresses.MAX_QUERY_LENGTH]
    ).render()
