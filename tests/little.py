"""Texts so small that every answer can be counted by hand."""

from __future__ import annotations

from corpus import address
from corpus.edition import Identity
from corpus.files import LocalizedText
from corpus.library import Library
from corpus.model import NUMBERED_KINDS, Node, NodeId, Pair, Piece, Reference, Table

A, B, C = "aa-1997", "aa-2007", "aa-2017"


def identity(id_: str, lang: str, year: int, **known) -> Identity:
    """An edition of which nothing is stated but what is ``known``."""
    named = {"title": id_, "short": id_, "code": str(year), "proofread": True}
    silent = {"publisher": "", "provenance": LocalizedText(), "rights": LocalizedText(), "sha256": ""}
    return Identity(id=id_, lang=lang, year=year, **(named | silent | known))


def node(id_: NodeId, lang: str, year: int, kind: str, heading: str | None = None, text: str = "", **more) -> Node:
    """A node that is cited as its path says, and has nothing else but what ``more`` gives it."""
    plain = {"label": None, "citation": id_.path, "parent": None}
    where = {"id": id_, "edition": id_.edition, "lang": lang, "year": year, "path": id_.path}
    return Node(kind=kind, heading=heading, text=text, **where, **(plain | more))


def little(texts: dict[str, dict[str, str]], links=(), cites=None, extracts=(), tables=()) -> Library:
    """A library of texts {edition: {path: words}}; ``cites``: {id: paths}; ``tables``: ids of nodes that hold one."""
    nodes, infos = [], []
    for edition, paths in texts.items():
        lang, year = edition.split("-")
        for path, words in paths.items():
            above, id_ = address.parent_path(path), NodeId.of(edition, path)
            below = tuple(Piece(child=NodeId.of(edition, p)) for p in paths if address.parent_path(p) == path)
            references = tuple(
                Reference(0, 1, "text", "x", "absolute", (NodeId.of(edition, t),)) for t in (cites or {}).get(id_, ())
            )
            nodes.append(
                node(
                    id_,
                    lang,
                    int(year),
                    NUMBERED_KINDS[path.count("/")],
                    text=words,
                    parent=NodeId.of(edition, above) if above else None,
                    content=below,
                    references=references,
                    tables=(Table(None, (("x",),)),) if id_ in tables else (),
                )
            )
        infos.append(identity(edition, lang, int(year), in_force=True, complete=edition not in extracts))
    return Library(nodes, infos, list(links), [], [])


def link(
    a,
    b,
    relation="same",
    older=A,
    newer=B,
    reworded=False,
    basis="reviewed",
    remark="",
    cause=None,
    via=(),
    heading=False,
    score=1.0,
    differences=(),
) -> Pair:
    full = lambda e, p: NodeId.of(e, p) if p else None
    return Pair(
        full(older, a),
        full(newer, b),
        relation,
        reworded,
        score,
        basis,
        remark,
        older,
        newer,
        cause,
        via,
        heading,
        differences,
    )


def said(rows) -> list[tuple]:
    return [(c.kind, c.older and c.older.path, c.newer and c.newer.path) for c in rows]
