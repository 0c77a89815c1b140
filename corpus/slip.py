"""Slips of the books that change the law: a reviewed layer on the published words, each with its evidence.

``editions/<id>/slips.toml`` names the place by the printed words and quotes what they stand against – another text of the
corpus, or another provision of the edition itself. Nothing here says what the law is: the sentence on the page comes from
``slips/sentences.toml`` and names the evidence. Slips that leave the meaning alone are in ``spelling.tsv``
(:mod:`corpus.spelling`).

    [[slip]]
    kind = "misprint"          # or "lost" (words are missing), "missing" (a whole provision is)
    node = "46/B/2"            # where it is printed; of what is missing: what it would be part of
    words = "vo farbe výnosu"  # misprint: the printed words; lost: the words after which others are missing; missing: left out
    see = [{node = "pl-2007/46/B/2", words = "najmłodszą kartę w tym kolorze"}]
    why = "…"                  # for those who review the row

Beside ``words``: ``in = "heading"`` and ``occurrence = 2``, in a row and in its evidence. What is missing has a ``cause``:
``print`` where another text of the same laws has it, or (words only) the text itself elsewhere, or the laws before and after;
``unknown`` where none tells whether the laws or this print left it out.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from corpus.model import Node, NodeId, Problem, Quote, Slip, Where

FILE = "slips.toml"
SENTENCES = "slips/sentences.toml"
KINDS = ("misprint", "lost", "missing")
CAUSES = ("print", "unknown")
_SENTENCES = {
    "misprint": "{see}",
    "lost": "{see}",
    "missing-print": "{see}",
    "missing-unknown": "{see}",
    "footnote": "{number}",
}
_KEYS = {"kind", "node", "in", "words", "occurrence", "see", "cause", "why"}
_PLACE_KEYS = {"node", "in", "words", "occurrence"}


@dataclass(frozen=True)
class Place:
    """Printed words: the id of their node, text or heading, and which occurrence it is; 0: they stand there only once."""

    node: NodeId
    where: Where
    words: str
    occurrence: int


@dataclass(frozen=True)
class Row:
    """A row of the file, not yet placed; ``file`` and ``line`` say where it is written."""

    kind: str
    place: Place
    see: tuple[Place, ...]
    cause: str
    why: str
    file: str
    line: int


def read(folder: Path) -> tuple[list[Row], list[Problem]]:
    """The rows of ``folder/slips.toml``; a missing file is no rows, a faulty row is a problem and left out."""
    name, path = f"editions/{folder.name}/{FILE}", folder / FILE
    if not path.exists():
        return [], []
    try:
        text = path.read_bytes().decode("utf-8-sig")
        data = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        line = re.search(r"line (\d+)", str(error))
        return [], [
            Problem(name, int(line[1]) if line else 1, f"The file cannot be read: {error}.", "Correct it, as UTF-8.")
        ]
    lines = [n for n, line in enumerate(text.split("\n"), 1) if line.strip().startswith("[[slip]]")]
    tables = data.get("slip", [])
    if set(data) - {"slip"} or not isinstance(tables, list) or len(lines) != len(tables):
        return [], [
            Problem(
                name,
                1,
                "There is something else than [[slip]] in the file.",
                "Write each slip as a table that begins with a line [[slip]].",
            )
        ]
    rows, problems = [], []
    for line, table in zip(lines, tables):
        if wrong := _wrong(table):
            problems.append(Problem(name, line, *wrong))
        else:
            see = tuple(_place(place, NodeId(place["node"])) for place in table["see"])
            rows.append(
                Row(
                    table["kind"],
                    _place(table, NodeId.of(folder.name, table["node"])),
                    see,
                    table.get("cause", ""),
                    table.get("why", ""),
                    name,
                    line,
                )
            )
    return rows, problems


def _place(table: dict, node: NodeId) -> Place:
    return Place(node, table.get("in", "text"), table.get("words", ""), table.get("occurrence", 0))


def _wrong(table: dict) -> tuple[str, str] | None:
    """What is wrong with the form of a row, and what to do; None when nothing is."""
    if unknown := sorted(set(table) - _KEYS):
        return f"Unknown key “{unknown[0]}”.", f"Remove it, or use one of: {', '.join(sorted(_KEYS))}."
    kind = table.get("kind")
    if kind not in KINDS:
        return f"The kind is “{kind}”.", f"Write one of: {', '.join(KINDS)}."
    evidence = table.get("see")
    if not isinstance(evidence, list) or not evidence or not all(isinstance(p, dict) for p in evidence):
        return (
            "There is no evidence.",
            'Write see = [{node = "…", words = "…"}], the words that the slip stands against.',
        )
    for place in (table, *evidence):
        if place is not table and (unknown := sorted(set(place) - _PLACE_KEYS)):
            return f"Unknown key “{unknown[0]}” in see.", f"Remove it, or use one of: {', '.join(sorted(_PLACE_KEYS))}."
        if not isinstance(place.get("node"), str) or place.get("in", "text") not in ("text", "heading"):
            return (
                "A place without a node, or in neither text nor heading.",
                'Write node = "46/B/2" (in see with its edition), and in = "heading" or nothing.',
            )
        times = place.get("occurrence", 1)
        if not isinstance(times, int) or isinstance(times, bool) or times < 1:
            return f"The occurrence is {times!r}.", "Write a whole number from 1."
        whole = place is table and kind == "missing"
        if whole == bool(place.get("words")) or not isinstance(place.get("words", ""), str):
            return (
                (
                    "A missing provision has no words.",
                    'Remove “words”; for words that are missing inside a text write kind = "lost".',
                )
                if whole
                else ("A place without words.", "Write the printed words.")
            )
    if (table.get("cause") in CAUSES) != (kind != "misprint") or (kind == "misprint" and "cause" in table):
        return (
            f"The cause is “{table.get('cause', '')}”.",
            f"Write {' or '.join(CAUSES)} where something is missing, else nothing.",
        )
    if not isinstance(table.get("why", ""), str):
        return "“why” is no text.", "Write a sentence in quotes, or leave it out."
    return None


def sentences(corpus_dir: Path) -> tuple[dict[str, dict[str, str]], list[Problem]]:
    """key → language → what is said, of ``slips/sentences.toml``; and what it lacks.

    A key for each kind (``missing`` has one for each cause), a sentence with ``{see}``; and ``footnote``, how a note is named.
    Each is there in all of the file's ``languages``, else nothing is.
    """
    try:
        text = (corpus_dir / SENTENCES).read_bytes().decode("utf-8-sig")
        data = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        return {}, [
            Problem(
                SENTENCES,
                1,
                f"The file cannot be read: {error}.",
                "Write it, as UTF-8: it says what pages say of a slip.",
            )
        ]
    languages = data.get("languages")
    if not isinstance(languages, list) or not languages or not all(isinstance(code, str) for code in languages):
        return {}, [
            Problem(SENTENCES, 1, "The key “languages” is no list of codes.", "Write the languages of the notes.")
        ]
    out, problems = {}, []
    for key, sign in _SENTENCES.items():
        table = data.get(key) if isinstance(data.get(key), dict) else {}
        line = next((n for n, line in enumerate(text.split("\n"), 1) if line.strip() == f"[{key}]"), 1)
        problems += [
            Problem(SENTENCES, line, f"There is no “{key}” with {sign} in the language “{code}”.", "Write it.")
            for code in languages
            if sign not in str(table.get(code, ""))
        ]
        out[key] = {code: str(table.get(code, "")) for code in languages}
    return ({}, problems) if problems else (out, [])


def attach(
    rows: list[Row], nodes: dict[NodeId, Node], said: dict[str, dict[str, str]], names: dict[str, str]
) -> tuple[dict[NodeId, Node], list[Problem]]:
    """The nodes that carry slips, by id, and the rows that cannot be placed.

    ``nodes``: of the editions that were read; a row whose evidence is in another edition is left for when that is read, too.
    ``said``: :func:`sentences`; ``names``: id → short name of every edition that there is.
    """
    read_editions = {id_.edition for id_ in nodes}
    changed: dict[NodeId, Node] = {}
    problems = []
    for row in rows:
        editions = [place.node.edition for place in row.see]
        if unknown := [e for e in editions if e not in names]:
            problems.append(
                Problem(
                    row.file,
                    row.line,
                    f"The evidence is from “{unknown[0]}”, which is no edition.",
                    "Name a node with its edition before its path.",
                )
            )
            continue
        if not read_editions.issuperset(editions):
            continue
        found = [_find(place, nodes) for place in (row.place, *row.see)]
        key = row.kind if row.kind != "missing" else f"missing-{row.cause}"
        if faults := [f for f in found if isinstance(f, tuple)]:
            problems += [Problem(row.file, row.line, *fault) for fault in faults]
            continue
        here, *quotes = found
        node = changed.get(here.node, nodes[here.node])
        evidence = [nodes[q.node] for q in quotes]
        note = tuple(
            (code, words.replace("{see}", _named(node.edition, evidence, names, said["footnote"][code])))
            for code, words in said[key].items()
        )
        start = here.start if row.kind == "misprint" else here.end
        slip = Slip(
            start,
            here.end,
            here.where,
            row.kind,
            note,
            tuple(dict.fromkeys(q.node for q in quotes)),
            tuple(quotes),
            row.cause,
        )
        changed[node.id] = replace(
            node, slips=tuple(sorted((*node.slips, slip), key=lambda s: (s.where, s.start, s.end)))
        )
    return changed, problems


def _find(place: Place, nodes: dict[NodeId, Node]) -> Quote | tuple[str, str]:
    """Where the words stand; or (finding, move) when they do not, or not only there."""
    node = nodes.get(place.node)
    if node is None:
        return f"There is no {place.node}.", "Correct the path."
    text = (node.heading or "") if place.where == "heading" else node.text
    if not place.words:
        return Quote(node.id, place.where, len(text), len(text))
    at = [m.start() for m in re.finditer(f"(?={re.escape(place.words)})", text)]
    if len(at) < max(place.occurrence, 1):
        return (
            f"“{place.words}” does not stand in the {place.where} of {place.node}.",
            "Write the words as they are published.",
        )
    if len(at) > 1 and not place.occurrence:
        return (
            f"“{place.words}” stands {len(at)} times in the {place.where} of {place.node}.",
            "Write more of the words, or “occurrence”.",
        )
    start = at[max(place.occurrence, 1) - 1]
    return Quote(node.id, place.where, start, start + len(place.words))


def _named(edition: str, evidence: list[Node], names: dict[str, str], footnote: str) -> str:
    """The evidence as a sentence names it, each provision once: “53B”, “46B2 (MPB 2007)”; the edition itself goes unnamed."""
    cited = lambda n: footnote.replace("{number}", n.label or n.path) if n.kind == "footnote" else n.citation
    return ", ".join(
        dict.fromkeys(cited(n) + (f" ({names[n.edition]})" if n.edition != edition else "") for n in evidence)
    )
