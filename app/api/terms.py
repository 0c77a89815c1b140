"""Terms as JSON (contract, section 5)."""

from __future__ import annotations

from app.site import addresses
from app.site.atlas import Atlas
from corpus.exchange import Json
from corpus.term.model import Names, Paths, Term


def term_row(atlas: Atlas, term: Term) -> Json:
    """A term: its names, and by edition the ids of what ``defined`` it and of what is ``about`` it, null where there is
    none; ``none`` says why an edition has neither. An edition in which nobody has looked for it is not named.
    """
    editions = [e.id for e in atlas.ordered if term.has(e.id)]
    ids = lambda paths: {e: _ids(atlas, e, paths) for e in editions}
    return {
        "id": term.slug,
        "names": _words(term.names),
        "wordings": _words(term.wordings),
        "players": _words(term.players),
        "defined": ids(term.defined),
        "about": ids(term.about),
        "none": dict(term.none),
        "broader": list(term.broader),
        "related": list(term.related),
        "apart": [{"term": a.term, "why": dict(a.why)} for a in term.apart],
        "unlike": [{"lang": u.lang, "words": u.words} for u in term.unlike],
        "url": addresses.term(term.slug),
    }


def term_object(atlas: Atlas, term: Term) -> Json:
    """The same with ``narrower`` terms, ``used``: edition → ids of the provisions that use it, and ``situations``."""
    return term_row(atlas, term) | {
        "narrower": [t.slug for t in atlas.library.terms.values() if term.slug in t.broader],
        "used": {e: [n.id for n in nodes] for e, nodes in atlas.using.get(term.slug, {}).items()},
        "situations": [s.id for s in atlas.situations_of(term)],
    }


def _words(names: Names) -> Json:
    return {lang: list(words) for lang, words in names.items()}


def _ids(atlas: Atlas, edition: str, paths: Paths) -> list[str] | None:
    found = [atlas.library.node(edition, path) for path in paths.get(edition, ())]
    return [n.id for n in found if n] or None
