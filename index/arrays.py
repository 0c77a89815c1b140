"""Numbers in a file: named arrays behind a line of JSON that states the type and the shape of each.

:func:`write_arrays` writes such a file, :func:`read_arrays` reads it. Reading compares sizes, copies nothing and
executes nothing, whatever the file holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from corpus.files import ReadablePath

ALIGNMENT = 16  # each array begins at a multiple of this, in bytes
# Type in the file → type of numpy: integers with and without a sign, and floating-point numbers; all little-endian.
_TYPES = {name: np.dtype(name) for name in ("<i1", "<i4", "<u4", "<f2", "<f4")}

_Length = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
_Head = dict[str, tuple[str, tuple[_Length, ...]]]  # name → (type, shape)


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays by name. Equal arrays give equal bytes.

    Raises :class:`ValueError` for a type that :func:`read_arrays` does not read.
    """
    head: _Head = {}
    for name, array in arrays.items():
        kind = f"<{array.dtype.str[1:]}"
        if kind not in _TYPES:
            raise ValueError(f"{name} has the type {array.dtype}, which no file of arrays has.")
        head[name] = (kind, array.shape)
    with path.open("wb") as file:
        file.write(_padded(msgspec.json.encode(head) + b"\n"))
        for name, array in arrays.items():
            file.write(_padded(np.ascontiguousarray(array, dtype=_TYPES[head[name][0]]).tobytes()))


def read_arrays(path: ReadablePath, expected: Mapping[str, str]) -> dict[str, np.ndarray]:
    """Return the arrays of a file by name. They cannot be written to, and share the memory of the file's bytes.

    ``expected``: name → the type that it must have in the file, and its number of dimensions: ``"<f4 2"``.

    Raises :class:`ValueError` when the file is not exactly this, and :class:`OSError` when it cannot be read.
    """
    data = path.read_bytes()
    at, out = data.find(b"\n") + 1, {}
    head = msgspec.json.decode(memoryview(data)[:at], type=_Head)
    if {name: f"{kind} {len(shape)}" for name, (kind, shape) in head.items()} != expected:
        raise ValueError(f"{path} does not hold the arrays {', '.join(expected)}")
    for name, (kind, shape) in head.items():
        at = _next_aligned(at)
        end = at + prod(shape) * _TYPES[kind].itemsize
        if end > len(data):
            raise ValueError(f"{path} ends inside of {name}")
        out[name] = np.frombuffer(data, _TYPES[kind], prod(shape), at).reshape(shape)
        at = end
    if _next_aligned(at) != len(data):
        raise ValueError(f"{path} has bytes behind its arrays")
    return out


def _padded(data: bytes) -> bytes:
    return data.ljust(_next_aligned(len(data)), b"\0")


def _next_aligned(at: int) -> int:
    return -(-at // ALIGNMENT) * ALIGNMENT
