"""Rulings as JSON (contract, section 5); the pages of rulings have the same as their twins."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.site import addresses, reader, wording
from app.site.atlas import Atlas
from app.site.drawing import Drawer, Paragraph, Piece, Run
from corpus.exchange import Json, to_json
from corpus.model import Node, NodeId
from corpus.remarks import Only
from corpus.ruling import Ruling, RulingBody, Standing

# Label and words of each of its paragraphs.
Rows = tuple[tuple[str | None, tuple[Piece, ...]], ...]


@dataclass(frozen=True)
class Under:
    """Something holds only under one of ``conditions``, as ``words`` in ``lang`` say; ``node``: what does."""

    conditions: tuple[str, ...]
    words: str
    lang: str
    node: Node | None = None


@dataclass(frozen=True)
class RulingView:
    """A ruling of a body as a page shows it.

    ``title`` and what it says (``rows``: label, words) are in ``lang``; ``after``: the text that comes before it in the
    order of precedence of its body, empty where none does; ``on``: the provision that it is told under; ``under`` which
    conditions it holds as a whole.
    """

    ruling: Ruling
    body: RulingBody
    standing: Standing
    lang: str
    title: str
    after: str
    rows: Rows = ()
    on: Node | None = None
    under: tuple[Under, ...] = ()

    @property
    def ours(self) -> bool:
        """Whether it rules where the reader's language is spoken."""
        return wording.ours(self.body, reader.ui())

    @property
    def whose(self) -> str:
        """What it is, whose, and where it is in force."""
        return wording.ruled(self.ruling, self.body, self.standing)


def told(atlas: Atlas, ruling: Ruling, on: Node | None = None, words: bool = True) -> RulingView:
    """A ruling for a page; ``words``: with what it says."""
    body = atlas.library.bodies[ruling.body]
    lang = language(ruling, body)
    return RulingView(
        ruling=ruling,
        body=body,
        standing=standing(ruling),
        lang=lang,
        title=ruling.title.get(lang, ""),
        after=body.before(ruling.rank) if ruling.rank else "",
        rows=tuple(_rows(atlas, ruling, lang)) if words else (),
        on=on,
        under=() if ruling.node else of_ruling(atlas, ruling),
    )


def standing(ruling: Ruling) -> Standing:
    """Whether it is in force today."""
    return ruling.standing(dt.datetime.now(dt.UTC).date())


def language(ruling: Ruling, body: RulingBody) -> str:
    """The language in which it is told: the reader's, else that of its body, else any that it is in."""
    said = ruling.text or ruling.title
    return next((code for code in (reader.ui(), body.lang, *said) if code in said), body.lang)


def in_order(atlas: Atlas, rows: Iterable[RulingView], lang: str = "") -> tuple[RulingView, ...]:
    """Those in force first; of these the reader's, then those of the language of a text, then by country.

    Nothing here says that one body ranks above another.
    """
    alphabetical = atlas.library.alphabet(reader.ui()).sort_key
    return tuple(
        sorted(
            rows,
            key=lambda r: (
                r.standing == "expired",
                not r.ours,
                not wording.ours(r.body, lang),
                alphabetical(wording.country_of(r.body)),
                alphabetical(r.body.name),
            ),
        )
    )


def _rows(atlas: Atlas, ruling: Ruling, lang: str) -> Iterator[tuple[str | None, tuple[Piece, ...]]]:
    """(label, words) of a ruling and what stands in it, for showing it inside another page."""
    if not ruling.node:
        for paragraph in re.split(r"\n\s*\n", ruling.text.get(lang, "").strip()):
            yield None, (Run(paragraph),)
        return
    # Its notes and what is said of its slips stand on its own page, and so do the elements that they lead to.
    drawer, point = Drawer(atlas, tells=False, notes=False), atlas.library.nodes[ruling.node]
    for node in atlas.library.subtree(point):
        for i, block in enumerate(drawer.blocks(node, 0, len(node.text))):
            if isinstance(block, Paragraph) and block.pieces:
                yield node.label if i == 0 and node is not point else None, block.pieces


def plain(atlas: Atlas, ruling: Ruling) -> dict[str, str]:
    """What it says by language, without any marks: the labels of its parts on their lines."""
    if not ruling.node:
        return {lang: text.strip() for lang, text in ruling.text.items()}
    point = atlas.library.nodes[ruling.node]
    parts = [n for n in atlas.library.subtree(point, notes=False) if n is not point]
    lines = [point.text, *(" ".join(filter(None, (n.label, n.heading, n.text))) for n in parts)]
    return {point.lang: "\n".join(filter(None, lines))}


def of_node(atlas: Atlas, id_: NodeId) -> tuple[Under, ...]:
    """Under which conditions a node holds alone, by itself."""
    return tuple(_under(atlas, only, atlas.library.nodes[id_]) for only in atlas.library.conditions.only.get(id_, ()))


def around(atlas: Atlas, id_: NodeId) -> tuple[Under, ...]:
    """Under which conditions a node holds alone, by itself or by what it stands in."""
    return tuple(_under(atlas, only, atlas.library.nodes[id_]) for only in atlas.library.conditions.around(id_))


def of_ruling(atlas: Atlas, ruling: Ruling) -> tuple[Under, ...]:
    """Under which conditions a ruling holds alone, or parts of it do."""
    if ruling.node:
        return tuple(u for n in atlas.library.subtree(atlas.library.nodes[ruling.node]) for u in of_node(atlas, n.id))
    where = lambda words: next((lang for lang, text in ruling.text.items() if words in text), "")
    return tuple(Under((name,), words, where(words)) for name, words in ruling.under.items())


def _under(atlas: Atlas, only: Only, node: Node) -> Under:
    holder = atlas.library.nodes[only.quote.node]
    return Under(only.any, holder.words_of(only.quote), holder.lang, node)


def body(found: RulingBody) -> Json:
    """Who rules, with the order of precedence of its own."""
    return {
        "id": found.id,
        "name": found.name,
        "title": found.title,
        "lang": found.lang,
        "country": found.country,
        "country_name": dict(found.country_name),
        "edition": found.edition or None,
        "precedence": to_json(found.precedence),
        "laws": dict(found.laws),
        "links": to_json(found.links),
        "url": addresses.rulings(found.id),
    }


def ruling(atlas: Atlas, found: Ruling) -> Json:
    """A ruling; ``nodes``: the provisions that it is about, in every text of its code."""
    force, ruler = found.force, atlas.library.bodies[found.body]
    return {
        "id": found.id,
        "body": found.body,
        "country": ruler.country,
        "number": found.number,
        "kind": found.kind,
        "effect": found.effect,
        "code": found.code,
        "provisions": list(found.provisions),
        "nodes": [n.id for n in atlas.concerns[found.id]],
        "date": found.date or None,
        "in_force": {"from": force.since or None, "to": force.until or None, "standing": standing(found)},
        "precedence": {"rank": found.rank, "after": ruler.before(found.rank) or None} if found.rank else None,
        "title": dict(found.title),
        "text": plain(atlas, found),
        "source": {"name": found.source.name, "url": found.source.url or None},
        "conditions": [under(u) for u in of_ruling(atlas, found)],
        "edition": found.edition or None,
        "node": found.node,
        "url": addresses.ruling(found),
    }


def several(atlas: Atlas, found: list[Ruling]) -> Json:
    """Rulings with the bodies whose they are."""
    ids = {r.body for r in found}
    return {
        "bodies": [body(b) for b in atlas.library.bodies.values() if b.id in ids],
        "rulings": [ruling(atlas, r) for r in found],
    }


def of_body(atlas: Atlas, found: RulingBody) -> Json:
    """A body with all that it ruled."""
    own = [ruling(atlas, r) for r in atlas.library.rulings.values() if r.body == found.id]
    return body(found) | {"rulings": own}


def under(found: Under) -> Json:
    """Something holds only under any of these conditions; ``node``: what does, None where it is the ruling."""
    node = found.node.id if found.node else None
    return {"any": list(found.conditions), "words": found.words, "node": node}
