"""Values of the model as JSON, and back: for the files of the build and of the export (docs/contract.md, section 4).

:func:`to_json` and :func:`from_json` convert any frozen dataclass by its field names. Nodes, misprints, pairs and index
entries have functions of their own, because their published form differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from corpus.model import (
    IndexEntry,
    Mark,
    Misprint,
    Node,
    NodeId,
    Pair,
    Part,
    Piece,
    Quote,
    Reference,
    Source,
    StrengthMark,
    Table,
    TermMark,
    Text,
)

Json = dict[str, Any]
Value = TypeVar("Value")


def to_json(value: Any) -> Any:
    """A frozen value, with the values in it, as JSON. Keys are the names of its fields.

    >>> to_json(Quote(NodeId("pl-2007/16/D"), "text", 0, 4))
    {'node': 'pl-2007/16/D', 'where': 'text', 'start': 0, 'end': 4}
    """
    if is_dataclass(value):
        return {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {key: to_json(v) for key, v in value.items()}
    return [to_json(v) for v in value] if isinstance(value, tuple) else value


def from_json(kind: type[Value], data: Any) -> Value:
    """The inverse of :func:`to_json`. ``kind`` is a dataclass, or the type of one of its fields."""
    made: Any = data
    if data is None:
        return cast(Value, None)
    if get_origin(kind) is UnionType:
        kind = next(t for t in get_args(kind) if t is not NoneType)
    if is_dataclass(kind):
        hints = _type_hints(kind)
        made = kind(**{name: from_json(hints[name], value) for name, value in data.items()})
    elif get_origin(kind) is tuple:
        made = tuple(from_json(get_args(kind)[0], value) for value in data)
    elif get_origin(kind) is Mapping:
        named, held = get_args(kind)
        made = {from_json(named, key): from_json(held, value) for key, value in data.items()}
    elif isinstance(kind, type) and issubclass(kind, (str, dict)):
        made = kind(data)
    return cast(Value, made)


def to_rows(value: Any) -> list[Any]:
    """A large value as many rows of JSON: one for each item of a tuple, key and item of a mapping.

    Of a dataclass each row has the name of a field before it.

    >>> to_rows((NodeId("a/1"), NodeId("a/2"))), to_rows({"a": 1})
    (['a/1', 'a/2'], [['a', 1]])
    """
    if is_dataclass(value):
        parts = {f.name: getattr(value, f.name) for f in fields(value)}
        return [[name, row] for name, part in parts.items() for row in _rows_of_field(part)]
    if isinstance(value, dict):
        return [[key, to_json(item)] for key, item in value.items()]
    return [to_json(item) for item in value]


def _rows_of_field(part: Any) -> list[Any]:
    return to_rows(part) if isinstance(part, (tuple, dict)) else [to_json(part)]


def from_rows(kind: Any, rows: list[Any]) -> Any:
    """The inverse of :func:`to_rows`. ``kind``: a dataclass, or the type of a mapping or a tuple."""
    if is_dataclass(kind):
        hints = _type_hints(cast(type, kind))
        parts: dict[str, list[Any]] = {name: [] for name in hints}
        for name, row in rows:
            parts[name].append(row)
        many = {name: get_origin(hint) in (tuple, Mapping) for name, hint in hints.items()}
        make = cast(Callable[..., Any], kind)
        return make(
            **{n: from_rows(hints[n], its) if many[n] else from_json(hints[n], its[0]) for n, its in parts.items()}
        )
    if get_origin(kind) is Mapping:
        named, held = get_args(kind)
        return {from_json(named, key): from_json(held, item) for key, item in rows}
    return tuple(from_json(get_args(kind)[0], item) for item in rows)


@cache
def _type_hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def node_to_json(node: Node) -> Json:
    """The JSON object of a node, with ``places``: the runs of :class:`~corpus.model.Text` of label, heading and text.

    ``aside``, ``remarks`` and ``strengths`` are left out when they are empty.
    """
    words = {"label": node.label, "heading": node.heading, "text": node.text}
    places = {k: [list(run) for run in v.places] for k, v in words.items() if isinstance(v, Text) and v.places}
    strengths = [
        {"start": m.start, "end": m.end, "in": m.where, "strength": m.strength} | ({"loose": True} if m.loose else {})
        for m in node.strengths
    ]
    optional = {"aside": node.aside, "remarks": list(node.remarks), "strengths": strengths}
    return {
        "id": node.id,
        "edition": node.edition,
        "lang": node.lang,
        "year": node.year,
        "path": node.path,
        "kind": node.kind,
        "label": node.label,
        "citation": node.citation,
        "heading": node.heading,
        "parent": node.parent,
        "text": node.text,
        "content": [{"child": p.child} if p.child else {"text": p.text, "at": p.at} for p in node.content],
        "tables": [
            {"caption": t.caption, "rows": [list(r) for r in t.rows], "start": t.start, "end": t.end}
            for t in node.tables
        ],
        "marks": [{"at": m.at, "target": m.target, "in": m.where, "sign": m.sign} for m in node.marks],
        "source_text": node.source_text,
        "source_spans": [list(span) for span in node.source_spans],
        "references": [_reference_to_json(r) for r in node.references],
        "terms": [{"start": t.start, "end": t.end, "in": t.where, "concept": t.concept} for t in node.terms],
        "places": places,
        "notes": [misprint_to_json(s) for s in node.misprints],
    } | {key: value for key, value in optional.items() if value}


def node_from_json(data: Json) -> Node:
    """The inverse of :func:`node_to_json`."""
    places = data["places"]

    def text_with_places(key: str) -> Text:
        return Text(data[key], tuple(map(tuple, places.get(key, ()))))

    def optional_text(key: str) -> Text | None:
        return text_with_places(key) if data[key] is not None else None

    return Node(
        id=NodeId(data["id"]),
        edition=data["edition"],
        lang=data["lang"],
        year=data["year"],
        path=data["path"],
        kind=data["kind"],
        label=optional_text("label"),
        citation=data["citation"],
        heading=optional_text("heading"),
        parent=_node_id(data["parent"]),
        text=text_with_places("text"),
        content=tuple(Piece(p.get("text"), _node_id(p.get("child")), p.get("at", 0)) for p in data["content"]),
        tables=tuple(Table(t["caption"], tuple(map(tuple, t["rows"])), t["start"], t["end"]) for t in data["tables"]),
        marks=tuple(Mark(m["at"], NodeId(m["target"]), m["in"], m["sign"]) for m in data["marks"]),
        source_text=data["source_text"],
        source_spans=tuple(map(tuple, data["source_spans"])),
        references=tuple(map(_reference_from_json, data["references"])),
        misprints=tuple(map(_misprint_from_json, data["notes"])),
        terms=tuple(TermMark(t["start"], t["end"], t["in"], t["concept"]) for t in data["terms"]),
        aside=data.get("aside", ""),
        remarks=tuple(data.get("remarks", ())),
        strengths=tuple(
            StrengthMark(m["start"], m["end"], m["strength"], m["in"], m.get("loose", False))
            for m in data.get("strengths", ())
        ),
    )


def _reference_to_json(ref: Reference) -> Json:
    return {
        "start": ref.start,
        "end": ref.end,
        "in": ref.where,
        "surface": ref.surface,
        "kind": ref.kind,
        "targets": list(ref.targets),
        "missing": list(ref.missing),
        "parts": [{"start": p.start, "end": p.end, "targets": list(p.targets)} for p in ref.parts],
    }


def _reference_from_json(data: Json) -> Reference:
    return Reference(
        start=data["start"],
        end=data["end"],
        where=data["in"],
        surface=data["surface"],
        kind=data["kind"],
        targets=_node_ids(data["targets"]),
        missing=_node_ids(data["missing"]),
        parts=tuple(Part(p["start"], p["end"], _node_ids(p["targets"])) for p in data["parts"]),
    )


def misprint_to_json(slip: Misprint) -> Json:
    """The JSON object of a misprint, one of a node's ``notes``. Empty values from ``cause`` on are left out."""
    shown = {
        "start": slip.start,
        "end": slip.end,
        "in": slip.where,
        "kind": slip.kind,
        "note": dict(slip.sentences),
        "see": list(slip.see),
        "quotes": [{"node": q.node, "in": q.where, "start": q.start, "end": q.end} for q in slip.quotes],
    }
    optional = {
        "cause": slip.cause,
        "id": slip.id,
        "print": dict(slip.printed),
        "law": dict(slip.law),
        "sources": [to_json(s) for s in slip.sources],
    }
    return shown | {key: value for key, value in optional.items() if value}


def _misprint_from_json(data: Json) -> Misprint:
    return Misprint(
        start=data["start"],
        end=data["end"],
        where=data["in"],
        kind=data["kind"],
        sentences=tuple(data["note"].items()),
        see=_node_ids(data["see"]),
        quotes=tuple(Quote(NodeId(q["node"]), q["in"], q["start"], q["end"]) for q in data["quotes"]),
        cause=data.get("cause", ""),
        id=data.get("id", ""),
        printed=tuple(data.get("print", {}).items()),
        law=tuple(data.get("law", {}).items()),
        sources=tuple(Source(**s) for s in data.get("sources", ())),
    )


def pair_to_json(pair: Pair) -> Json:
    """The JSON object of a pair: a row of ``alignment.jsonl``, with ``heading``, which only the build needs."""
    renamed = {"note" if k == "remark" else k: v for k, v in vars(pair).items()}
    return renamed | {"via": list(pair.via), "differences": [dict(sentences) for sentences in pair.differences]}


def pair_from_json(data: Json) -> Pair:
    """The inverse of :func:`pair_to_json`."""
    rest = {"remark" if k == "note" else k: v for k, v in data.items()}
    differences = tuple(tuple(sentences.items()) for sentences in data["differences"])
    ends = {"a": _node_id(data["a"]), "b": _node_id(data["b"])}
    return Pair(**rest | ends | {"via": tuple(data["via"]), "differences": differences})


def index_entry_from_json(data: Json) -> IndexEntry:
    """The entry of a row of ``index.jsonl``."""
    known = {"targets": _node_ids(data["targets"]), "see": tuple(data["see"]), "heading": _node_id(data["heading"])}
    return IndexEntry(**data | known)


def _node_id(text: str | None) -> NodeId | None:
    return NodeId(text) if text else None


def _node_ids(texts: Iterable[str]) -> tuple[NodeId, ...]:
    return tuple(map(NodeId, texts))
