"""Prints all reviewed misprints with their evidence: ``python -m tools.misprints_page > docs/slips.md``."""

from __future__ import annotations

from corpus import misprint
from corpus.edition import Edition
from corpus.layers import IngestResult
from corpus.model import Node, NodeId
from tools.print_page import print_document

_HEAD = """# Slips of the books

Made by `python -m tools.misprints_page > docs/slips.md` from `corpus/editions/*/slips.toml`; a test compares. Each
slip with the words it stands against, as the texts print them, and why the row is there. “misprint”: the printed
words say something else; “lost”: words are missing after those that are shown; “missing”: a provision is missing at
the end of the one named (`print`: another text of the same laws has it, or, of words, the text itself elsewhere or
the laws before and after; `unknown`: no text tells whether the laws or this print left it out). """


def misprints_page_text(result: IngestResult) -> str:
    """Return the text of docs/slips.md."""
    nodes = {n.id: n for reading in result.readings.values() for n in reading.nodes}
    out = [_HEAD]
    for edition in sorted(result.editions.values(), key=lambda e: e.sort_key):
        rows, _problems = misprint.read_misprints(edition.folder)
        if rows:
            out.append(f"\n## {edition.id}: {edition.title}\n")
            out += [_misprint_entry(nodes, row, result.editions) for row in rows]
    return "".join(out)


def _misprint_entry(nodes: dict[NodeId, Node], row: misprint.MisprintRow, editions: dict[str, Edition]) -> str:
    """Return the entry of a misprint: its place and words, the evidence, and why the row is there."""
    node = nodes[row.node]
    words = f" “{row.words}”" if row.words else ""
    lines = [f"\n**{node.citation}** ({row.kind}{', ' + row.cause if row.cause else ''}){words}\n"]
    for place in row.see:
        other = nodes[place.node]
        heading = " (heading)" if place.where == "heading" else ""
        lines.append(f"- {editions[other.edition].short}, {other.citation}{heading}: “{place.words}”\n")
    return "".join(lines) + (f"\n  {row.why[0].upper()}{row.why[1:]}.\n" if row.why else "")


def main() -> None:
    """Print the page."""
    print_document(misprints_page_text)


if __name__ == "__main__":
    main()
