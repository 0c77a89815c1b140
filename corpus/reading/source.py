"""Step 1: the bytes of a source become lines, or a problem that says where they cannot."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from corpus.checked import Refused, file
from corpus.model import Problem
from corpus.reading.published import Line

LINE_LIMIT = 100_000  # code points; a longer line is not a printed line but a broken file


def load(path: Path, sha256: str, name: str) -> tuple[list[str], list[Problem]]:
    """Read a UTF-8 source: BOM and CRLF are layout and go, everything else stays.

    ``name`` is how problems call the file. Returns the lines (empty when unreadable) and the problems found.
    """
    try:
        data = file.data(path, name)
    except FileNotFoundError as error:
        finding = f"The source cannot be read ({error.strerror})."
        return [], [Problem(name, 1, finding, "Put the file there, byte for byte as it was published.")]
    except Refused as refused:
        return [], refused.problems
    if hashlib.sha256(data).hexdigest() != sha256:
        return [], [
            Problem(
                name,
                1,
                f"The source is not the one that was reviewed: its sha256 is {hashlib.sha256(data).hexdigest()}.",
                "Restore the file, or review the new text and its corrections and write the new sha256 into "
                "edition.toml.",
            )
        ]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return [], [
            Problem(
                name,
                line,
                f"Byte {data[error.start]:#04x} at offset {error.start} is not UTF-8.",
                f"Convert the file to UTF-8 from the encoding it was written in{_declared(data)}, then write the new "
                "sha256 into edition.toml.",
            )
        ]
    if not text.strip():
        return [], [Problem(name, 1, "The file is empty.", "Put the text of the edition into it.")]
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    problems = [
        Problem(
            name,
            number,
            f"A line of {len(line)} characters.",
            "Break the text into the lines it was printed in; a page of HTML between its tags.",
        )
        for number, line in enumerate(lines, 1)
        if len(line) > LINE_LIMIT
    ]
    return ([] if problems else lines), problems


def _declared(data: bytes) -> str:
    """The encoding that a web page says it has, and the command that converts it; empty for a text."""
    found = re.search(rb"""charset\s*=\s*["']?([\w.:-]{1,40})""", data[:4096], re.IGNORECASE)
    encoding = found[1].decode("ascii", "replace") if found else ""
    named = encoding and encoding.casefold() not in ("utf-8", "utf8")
    return f", {encoding} as the page says (iconv -f {encoding} -t utf-8)" if named else ""


def strange(lines: list[Line], name: str) -> list[Problem]:
    """Characters that no text has, in numbered lines with the corrections applied."""
    return [
        Problem(
            name,
            line.number,
            f"{found} stands in the line: it is no character of a text.",
            "Convert the file again from what it was made of, or say in corrections.tsv what is meant.",
        )
        for line in lines
        if (found := file.strange(line.text))
    ]
