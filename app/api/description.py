"""The description of the API in OpenAPI 3.1, made from the operations of the views and the types of their answers.

:func:`describe` makes it. :func:`fill_in_values` adds the values that depend on the build: a schema with ``x-values``
names a list of :func:`value_lists`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import UnionType
from typing import Annotated, Any, NamedTuple, get_args

import msgspec

from app.site import reader
from app.site.answers import VALUES_KEY, ErrorJson
from app.site.atlas import Atlas
from app.site.lookup import ruling_filter_values

INFO = {
    "title": "Lexbridge",
    "version": "1",
    "description": "The Laws of Duplicate Bridge in several editions and languages. Addresses and shapes are stable: a "
    "field may be added, none renamed.",
    "license": {"name": "Code: see LICENSE; the texts belong to their publishers"},
}
BAD_REQUEST = {400: "A parameter cannot be understood."}
NO_INDEX = {503: "The index is missing or damaged; the message says what to do."}
VALUE_KEY = "x-value"  # names a value of a list: the list, and the number of the value
_EVERYWHERE = {405: "Only GET.", 503: "The index is missing, or this takes too long; the message says what to do."}
_COMPONENTS = "#/components/schemas/{name}"
_SUFFIX = re.compile(r'Json(?=")')  # the end of the name of a type, in the text of the description
_LINE_BREAK = re.compile(r"\\n\s*")  # in a docstring, in the text of the description


class Bounds(NamedTuple):
    """The whole numbers that a parameter may have. It is ``default`` when it is left out."""

    default: int
    low: int
    high: int

    @property
    def type(self) -> Any:
        """The annotated type of the parameter: ``int`` with the bounds and the default."""
        return Annotated[int, msgspec.Meta(ge=self.low, le=self.high, extra_json_schema={"default": self.default})]


@dataclass(frozen=True)
class Parameter:
    """A parameter of an address. One that the path does not name stands in the query.

    A list as ``type`` means that the parameter may be repeated. ``example`` may be a value of the build
    (:func:`value_placeholder`).
    """

    name: str
    type: Any
    description: str = ""
    example: Any = None
    required: bool = False


@dataclass(frozen=True)
class Operation:
    """What an address of the API answers.

    - ``path``: the address with its parameters in braces.
    - ``name``: the name of the operation; ``summary`` and ``note`` describe it.
    - ``answer``: the type of the answer, or a union of types.
    - ``found``: describes the answer; ``errors``: status → the same of an error.
    - ``unavailable``: the type of the answer with the status 503.
    """

    path: str
    name: str
    summary: str
    answer: Any
    found: str
    parameters: tuple[Parameter, ...] = ()
    errors: Mapping[int, str] = field(default_factory=dict)
    note: str = ""
    unavailable: Any = ErrorJson


def describe(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the description of operations, without the values that depend on the build."""
    components: dict[str, Any] = {}
    paths = {op.path: {"get": _describe_operation(op, components)} for op in operations}
    text = json.dumps({"openapi": "3.1.0", "info": INFO, "paths": paths, "components": {"schemas": components}})
    described: dict[str, Any] = json.loads(_LINE_BREAK.sub(" ", _SUFFIX.sub("", text)))
    return described


def _describe_operation(op: Operation, components: dict[str, Any]) -> dict[str, Any]:
    responses = {200: (op.found, op.answer)} | {
        status: (text, op.unavailable if status == 503 else ErrorJson)
        for status, text in sorted({**_EVERYWHERE, **op.errors}.items())
    }
    described = {
        "operationId": op.name,
        "summary": op.summary,
        "description": op.note,
        "parameters": [_describe_parameter(p, op.path, components) for p in op.parameters],
        "responses": {
            str(status): {"description": text, "content": {"application/json": {"schema": _schema(kind, components)}}}
            for status, (text, kind) in responses.items()
        },
    }
    return {key: value for key, value in described.items() if value}


def _describe_parameter(parameter: Parameter, path: str, components: dict[str, Any]) -> dict[str, Any]:
    in_path = f"{{{parameter.name}}}" in path
    schema = _schema(parameter.type, components)
    described = {
        "name": parameter.name,
        "in": "path" if in_path else "query",
        "required": in_path or parameter.required,
        "description": parameter.description,
        "schema": schema,
        **({"style": "form", "explode": True} if schema.get("type") == "array" else {}),
        "example": parameter.example,
    }
    return {key: value for key, value in described.items() if value not in (None, "")}


def _schema(kind: Any, components: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type, and add those that it refers to to ``components``."""
    kinds = get_args(kind) if isinstance(kind, UnionType) else [kind]
    schemas, new = msgspec.json.schema_components(kinds, ref_template=_COMPONENTS)
    components.update(new)
    return schemas[0] if len(schemas) == 1 else {"oneOf": [*schemas]}


# -- Values that depend on the build ---


def value_placeholder(name: str, number: int) -> dict[str, Any]:
    """Return what stands in the description for a value of a list until :func:`fill_in_values` replaces it.

    ``name``: of the list, as :func:`value_lists` calls it; ``number``: the place of the value in it, from 0.
    """
    return {VALUE_KEY: [name, number]}


def languages(atlas: Atlas) -> list[str]:
    """Return the languages that a request may name: those of the editions and of the site. A search in one without an
    edition finds nothing.
    """
    return list(dict.fromkeys([*(e.lang for e in atlas.library.editions.values()), *reader.LANGUAGES]))


def value_lists(atlas: Atlas) -> Mapping[str, Iterable[str]]:
    """Return the lists of allowed values by name, each value once."""
    library, rulings = atlas.library, ruling_filter_values(atlas)
    return {
        "editions": library.editions,
        "languages": languages(atlas),
        "languages of texts": dict.fromkeys(e.lang for e in library.editions.values()),
        "codes": atlas.codes,
        "codes with weighted scores": [rules.code for rules in library.scores.codes if rules.weighted.allowed],
        "conditions": library.conditions.names,
        "phases": library.vocabulary.phases,
        "kinds of facts": library.vocabulary.fact_kinds,
        "bodies": rulings["body"],
        "kinds of rulings": rulings["kind"],
        "codes of rulings": rulings["code"],
        "conditions of rulings": rulings["condition"],
    }


def fill_in_values(part: Any, lists: Mapping[str, Iterable[str]]) -> Any:
    """Return a part of the description in which each schema that names a list of ``lists`` has its values as ``enum``.

    For an empty list there is no ``enum``, so any value is allowed. What :func:`value_placeholder` returned becomes the
    value that it stands for.
    """
    if isinstance(part, list):
        return [fill_in_values(p, lists) for p in part]
    if not isinstance(part, dict):
        return part
    if VALUE_KEY in part:
        name, number = part[VALUE_KEY]
        return next(islice(lists[name], number, None), "")
    filled = {name: fill_in_values(p, lists) for name, p in part.items() if name != VALUES_KEY}
    values = [*lists[part[VALUES_KEY]]] if VALUES_KEY in part else []
    return filled | {"enum": values} if values else filled
