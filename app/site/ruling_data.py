"""Rulings as JSON (contract, section 5); the pages of rulings have the same as their twins."""

from __future__ import annotations

from app.site import addresses, rulings
from app.site.atlas import Atlas
from corpus.exchange import Json, to_json
from corpus.ruling.model import Ruling, RulingBody


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
        "in_force": {"from": force.since or None, "to": force.until or None, "standing": rulings.standing(found)},
        "precedence": {"rank": found.rank, "after": ruler.before(found.rank) or None} if found.rank else None,
        "title": dict(found.title),
        "text": rulings.plain(atlas, found),
        "source": {"name": found.source.name, "url": found.source.url or None},
        "conditions": [under(u) for u in rulings.of_ruling(atlas, found)],
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


def under(found: rulings.Under) -> Json:
    """Something holds only under any of these conditions; ``node``: what does, None where it is the ruling."""
    node = found.node.id if found.node else None
    return {"any": list(found.conditions), "words": found.words, "node": node}
