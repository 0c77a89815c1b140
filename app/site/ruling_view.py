"""Rulings as pages show them, and as JSON (contract, section 5).

- :func:`ruling_view` and :func:`sort_ruling_views` make what a page shows.
- :func:`ruling_json`, :func:`rulings_json` and :func:`body_rulings_json` make the same as JSON, for the addresses of
  rulings that end in ``.json`` and for the API.
- :func:`conditions_of_node`, :func:`conditions_around_node` and :func:`conditions_of_ruling` say under which conditions
  (screens, bidding boxes …) something holds.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.site import addresses, answers, reader, wording
from app.site.atlas import Atlas
from app.site.drawing import Drawer, InlinePiece, ParagraphBlock, TextRun
from corpus.json_values import to_json
from corpus.model import Node, NodeId
from corpus.remarks import StatedCondition
from corpus.ruling import LegalStatus, Ruling, RulingBody

# (label, words) of each paragraph of a ruling.
LabelledParagraphs = tuple[tuple[str | None, tuple[InlinePiece, ...]], ...]


@dataclass(frozen=True)
class ConditionNote:
    """Something holds only under one of ``conditions``, as ``words`` in ``lang`` say.

    ``node``: the node that the condition restricts; None when it is a part of a ruling that stands in no edition.
    """

    conditions: tuple[str, ...]
    words: str
    lang: str
    node: Node | None = None


@dataclass(frozen=True)
class RulingView:
    """A ruling of a body as a page shows it.

    - ``legal_status``: whether it is in force today.
    - ``lang``: the language of ``title`` and of ``rows``, which are (label, words) of what it says.
    - ``after``: what comes just before it in the order of precedence of its body, or "".
    - ``on``: the provision under which it is shown, or None.
    - ``under``: the conditions under which it, or a part of it, holds; empty for a point of an edition.
    """

    ruling: Ruling
    body: RulingBody
    legal_status: LegalStatus
    lang: str
    title: str
    after: str
    rows: LabelledParagraphs = ()
    on: Node | None = None
    under: tuple[ConditionNote, ...] = ()

    @property
    def rules_for_reader(self) -> bool:
        """Whether its body rules in a country where the reader's language is spoken."""
        return wording.rules_where_spoken(self.body, reader.ui_language())

    @property
    def attribution(self) -> str:
        """What kind of ruling it is, of which body, and where it is in force."""
        return wording.ruling_attribution(self.ruling, self.body, self.legal_status)


def ruling_view(atlas: Atlas, ruling: Ruling, on: Node | None = None, words: bool = True) -> RulingView:
    """Return a ruling as a page shows it. ``on``: the provision under which it is shown; ``words``: include what it
    says.
    """
    body = atlas.library.bodies[ruling.body]
    lang = ruling_language(ruling, body)
    return RulingView(
        ruling=ruling,
        body=body,
        legal_status=legal_status(ruling),
        lang=lang,
        title=ruling.title.get(lang, ""),
        after=body.text_ranked_before(ruling.rank) if ruling.rank else "",
        rows=tuple(_labelled_paragraphs(atlas, ruling, lang)) if words else (),
        on=on,
        under=() if ruling.node else conditions_of_ruling(atlas, ruling),
    )


def legal_status(ruling: Ruling) -> LegalStatus:
    """Return whether a ruling is in force today (UTC)."""
    return ruling.legal_status(dt.datetime.now(dt.UTC).date())


def ruling_language(ruling: Ruling, body: RulingBody) -> str:
    """Return the language in which a ruling is shown: the reader's, else that of its body, else any that it has."""
    texts = ruling.text or ruling.title
    return next((code for code in (reader.ui_language(), body.lang, *texts) if code in texts), body.lang)


def sort_ruling_views(atlas: Atlas, rows: Iterable[RulingView], lang: str = "") -> tuple[RulingView, ...]:
    """Return the rulings in the order of a page.

    First come those of bodies that rule where the reader's language is spoken, then where ``lang`` is spoken, then by
    the names of country and body. Expired rulings come last. This order does not say that one body ranks above another.
    """
    alphabetical = atlas.library.alphabet_of(reader.ui_language()).sort_key
    return tuple(
        sorted(
            rows,
            key=lambda r: (
                r.legal_status == "expired",
                not r.rules_for_reader,
                not wording.rules_where_spoken(r.body, lang),
                alphabetical(wording.country_of(r.body)),
                alphabetical(r.body.name),
            ),
        )
    )


def _labelled_paragraphs(
    atlas: Atlas, ruling: Ruling, lang: str
) -> Iterator[tuple[str | None, tuple[InlinePiece, ...]]]:
    """Yield (label or None, words) of each paragraph of a ruling, for showing it inside another page."""
    if not ruling.node:
        for paragraph in re.split(r"\n\s*\n", ruling.text.get(lang, "").strip()):
            yield None, (TextRun(paragraph),)
        return
    # Its footnotes and the remarks on its misprints are on its own page. So the signs lead there.
    drawer, point = Drawer(atlas, links_misprints=False, notes=False), atlas.library.nodes[ruling.node]
    for node in atlas.library.subtree_of(point):
        for i, block in enumerate(drawer.blocks(node, 0, len(node.text))):
            if isinstance(block, ParagraphBlock) and block.pieces:
                yield node.label if i == 0 and node is not point else None, block.pieces


def plain_texts(atlas: Atlas, ruling: Ruling) -> dict[str, str]:
    """Return language → what a ruling says, as plain text. The labels of its parts stand at the beginning of their
    lines.
    """
    if not ruling.node:
        return {lang: text.strip() for lang, text in ruling.text.items()}
    point = atlas.library.nodes[ruling.node]
    parts = [n for n in atlas.library.subtree_of(point, notes=False) if n is not point]
    lines = [point.text, *(" ".join(filter(None, (n.label, n.heading, n.text))) for n in parts)]
    return {point.lang: "\n".join(filter(None, lines))}


def conditions_of_node(atlas: Atlas, id_: NodeId) -> tuple[ConditionNote, ...]:
    """Return the conditions without which a node does not hold, those on the node itself."""
    return tuple(
        _condition_note(atlas, only, atlas.library.nodes[id_]) for only in atlas.library.conditions.only.get(id_, ())
    )


def conditions_around_node(atlas: Atlas, id_: NodeId) -> tuple[ConditionNote, ...]:
    """Return the conditions without which a node does not hold: those on the node itself and on what it stands in."""
    return tuple(
        _condition_note(atlas, only, atlas.library.nodes[id_])
        for only in atlas.library.conditions.stated_conditions_around(id_)
    )


def conditions_of_ruling(atlas: Atlas, ruling: Ruling) -> tuple[ConditionNote, ...]:
    """Return the conditions without which a ruling, or a part of it, does not hold."""
    if ruling.node:
        return tuple(
            u
            for n in atlas.library.subtree_of(atlas.library.nodes[ruling.node])
            for u in conditions_of_node(atlas, n.id)
        )
    where = lambda words: next((lang for lang, text in ruling.text.items() if words in text), "")
    return tuple(ConditionNote((name,), words, where(words)) for name, words in ruling.under.items())


def _condition_note(atlas: Atlas, only: StatedCondition, node: Node) -> ConditionNote:
    holder = atlas.library.nodes[only.quote.node]
    return ConditionNote(only.any, holder.words_of_span(only.quote), holder.lang, node)


# -- JSON ---


def body_json(found: RulingBody) -> answers.BodyJson:
    """Return a body as JSON, with its order of precedence."""
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


def ruling_json(atlas: Atlas, found: Ruling) -> answers.RulingJson:
    """Return a ruling as JSON. ``nodes``: the provisions that it is about, in every text of its code."""
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
        "nodes": [n.id for n in atlas.nodes_by_ruling[found.id]],
        "date": found.date or None,
        "in_force": {"from": force.since or None, "to": force.until or None, "standing": legal_status(found)},
        "precedence": {"rank": found.rank, "after": ruler.text_ranked_before(found.rank) or None}
        if found.rank
        else None,
        "title": dict(found.title),
        "text": plain_texts(atlas, found),
        "source": {"name": found.source.name, "url": found.source.url or None},
        "conditions": [condition_json(u) for u in conditions_of_ruling(atlas, found)],
        "edition": found.edition or None,
        "node": found.node,
        "url": addresses.ruling(found),
    }


def rulings_json(atlas: Atlas, found: list[Ruling]) -> answers.RulingsJson:
    """Return rulings as JSON, with their bodies."""
    ids = {r.body for r in found}
    return {
        "bodies": [body_json(b) for b in atlas.library.bodies.values() if b.id in ids],
        "rulings": [ruling_json(atlas, r) for r in found],
    }


def body_rulings_json(atlas: Atlas, found: RulingBody) -> answers.WholeBodyJson:
    """Return a body as JSON with all its rulings."""
    own = [ruling_json(atlas, r) for r in atlas.library.rulings.values() if r.body == found.id]
    return {**body_json(found), "rulings": own}


def condition_json(found: ConditionNote) -> answers.ConditionJson:
    """Return a note on conditions as JSON. One of those in ``any`` is enough. ``node`` is None when the note is on the
    ruling.
    """
    node = found.node.id if found.node else None
    return {"any": list(found.conditions), "words": found.words, "node": node}
