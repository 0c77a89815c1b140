"""Values of the model as JSON, and back: for the files of the build and of the export (docs/contract.md, section 4).

:func:`to_json` and :func:`from_json` convert any frozen dataclass by its field names. Nodes, misprints and pairs have
functions of their own, because their published form differs. :class:`PublishedNode`, :class:`PublishedMisprint` and the
classes that they hold are that form. Their fields have the names of the model; the keys of the JSON are others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from corpus.model import Kind, Misprint, Node, NodeId, Pair, Part, Piece, ReferenceKind, Source, Table, Text, Where

Json = dict[str, Any]
Value = TypeVar("Value")


def to_json(value: Any) -> Any:
    """A frozen value, with the values in it, as JSON. Keys are the names of its fields.

    >>> to_json(Piece(child=NodeId("pl-2007/16/D/1")))
    {'text': None, 'child': 'pl-2007/16/D/1', 'at': 0}
    """
    return msgspec.to_builtins(value, enc_hook=_plain_string)


def _plain_string(value: Any) -> str:
    """A :class:`~corpus.model.NodeId` or :class:`~corpus.model.Text` as a plain string: msgspec knows no subclass."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


def from_json(kind: type[Value], data: Any) -> Value:
    """The inverse of :func:`to_json`. ``kind`` is a dataclass, or the type of one of its fields.

    Raises :class:`msgspec.ValidationError` when the data are of another form.
    """
    return msgspec.convert(data, kind, from_attributes=True, dec_hook=_decode_str_or_dict)


def _decode_str_or_dict(kind: Any, value: Any) -> Any:
    """Return ``value`` as a ``kind``: a subclass of ``str`` or ``dict``, which msgspec does not know."""
    return value if isinstance(value, kind) else kind(value)


def to_rows(value: Any) -> list[Any]:
    """A large value as many rows of JSON: one for each item of a tuple, key and item of a mapping.

    Of a dataclass each row has the name of a field before it.

    >>> to_rows((NodeId("a/1"), NodeId("a/2"))), to_rows({"a": 1})
    (['a/1', 'a/2'], [['a', 1]])
    """
    if is_dataclass(value):
        parts = {f.name: getattr(value, f.name) for f in fields(value)}
        many = {name: part if isinstance(part, (tuple, dict)) else (part,) for name, part in parts.items()}
        return [[name, row] for name, part in many.items() for row in to_rows(part)]
    return [to_json(item) for item in (map(list, value.items()) if isinstance(value, dict) else value)]


def from_rows(kind: Any, rows: list[Any]) -> Any:
    """The inverse of :func:`to_rows`. ``kind``: a dataclass, or the type of a mapping or a tuple."""
    if not is_dataclass(kind):
        return _collection_from_rows(kind, rows)
    hints = get_type_hints(cast(type, kind))
    parts: dict[str, list[Any]] = {name: [] for name in hints}
    for name, row in rows:
        parts[name].append(row)
    make = cast(Callable[..., Any], kind)
    return make(**{name: _collection_from_rows(hints[name], its) for name, its in parts.items()})


def _collection_from_rows(kind: Any, rows: list[Any]) -> Any:
    if get_origin(kind) is Mapping:  # msgspec would leave its keys plain strings
        named, held = get_args(kind)
        return {from_json(named, key): from_json(held, item) for key, item in rows}
    if get_origin(kind) is tuple:
        return tuple(from_json(get_args(kind)[0], row) for row in rows)
    return from_json(kind, rows[0])


# ── Published forms ─────────────────────────────────────────────────────────────────────────────

_NAMES = {"where": "in", "misprints": "notes", "sentences": "note", "printed": "print"}  # field of the model → key


class _Published(Struct, frozen=True, omit_defaults=True, rename=_NAMES):
    """A published form. A field that has its default is left out."""


class _Span(_Published, frozen=True):
    start: int
    end: int
    where: Where


class _Reference(_Span, frozen=True):
    surface: str
    kind: ReferenceKind
    targets: tuple[NodeId, ...]
    missing: tuple[NodeId, ...]
    parts: tuple[Part, ...]


class _TermMark(_Span, frozen=True):
    concept: str


class _StrengthMark(_Span, frozen=True):
    strength: str
    loose: bool = False


class _Mark(_Published, frozen=True):
    at: int
    target: NodeId
    where: Where
    sign: str


class _Quote(_Published, frozen=True):
    node: NodeId
    where: Where
    start: int
    end: int


class PublishedMisprint(_Span, frozen=True):
    """A misprint, one of the ``notes`` of a node. What stands from ``cause`` on is left out when it is empty."""

    kind: Literal["misprint", "lost", "missing"]
    sentences: dict[str, str]
    see: tuple[NodeId, ...]
    quotes: tuple[_Quote, ...]
    cause: Literal["", "print", "unknown"] = ""
    id: str = ""
    printed: dict[str, str] = {}
    law: dict[str, str] = {}
    sources: tuple[Source, ...] = ()


class PublishedNode(_Published, frozen=True):
    """A node, with its :attr:`~corpus.model.Node.places`. The last three fields are left out when they are empty."""

    id: NodeId
    edition: str
    lang: str
    year: int
    path: str
    kind: Kind
    label: str | None
    citation: str
    heading: str | None
    parent: NodeId | None
    text: str
    content: tuple[Piece, ...]
    tables: tuple[Table, ...]
    marks: tuple[_Mark, ...]
    source_text: str
    source_spans: tuple[tuple[int, int, int, int], ...]
    references: tuple[_Reference, ...]
    terms: tuple[_TermMark, ...]
    places: dict[str, tuple[tuple[int, ...], ...]]
    misprints: tuple[PublishedMisprint, ...]
    aside: str = ""
    remarks: tuple[str, ...] = ()
    strengths: tuple[_StrengthMark, ...] = ()


def node_to_json(node: Node) -> Json:
    """The JSON object of a node, as in :class:`PublishedNode`. A piece of its content is a text or a child."""
    content = [{"child": p.child} if p.child else {"text": p.text, "at": p.at} for p in node.content]
    return _published_object(PublishedNode, node) | {"content": content}


def node_from_json(data: Json) -> Node:
    """The inverse of :func:`node_to_json`."""
    published = from_json(PublishedNode, data)
    words = {"label": published.label, "heading": published.heading, "text": published.text}
    texts = {name: Text(text, published.places.get(name, ())) for name, text in words.items() if text is not None}
    return from_json(Node, msgspec.structs.replace(published, **texts))


def misprint_to_json(slip: Misprint) -> Json:
    """The JSON object of a misprint, as in :class:`PublishedMisprint`."""
    return _published_object(PublishedMisprint, slip)


def _published_object(form: type[_Published], value: Node | Misprint) -> Json:
    return cast(Json, to_json(from_json(form, value)))


def pair_to_json(pair: Pair) -> Json:
    """The JSON object of a pair: a row of ``alignment.jsonl``, with ``heading``, which only the build needs."""
    return {"note" if name == "remark" else name: value for name, value in to_json(pair).items()}


def pair_from_json(data: Json) -> Pair:
    """The inverse of :func:`pair_to_json`."""
    return from_json(Pair, {"remark" if key == "note" else key: value for key, value in data.items()})
