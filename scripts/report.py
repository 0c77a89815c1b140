"""The reports of ``lexbridge audit``: what became of every character of the sources.

:func:`audit_summary` returns lines for a terminal, :func:`audit_page` an HTML page to be read and signed.
"""

from __future__ import annotations

from collections import Counter
from html import escape

from corpus.audit import audit_edition
from corpus.edition import Edition
from corpus.reading.result import Reading


def audit_summary(edition: Edition, reading: Reading) -> str:
    """Return the counts of an edition as text, in lines for a terminal."""
    counted = audit_edition(edition, reading)
    lines = [
        (
            f"{edition.id}: {counted.total} characters, {counted.nodes} in {len(reading.nodes)} nodes, "
            f"{counted.unaccounted} unaccounted"
        )
    ]
    lines += [
        f"  dropped: {rule.name}: {rule.characters} characters in {rule.pieces} pieces, pattern {rule.pattern}"
        for rule in counted.rules
    ]
    lines += [
        f"  {edition.source_name}:{line}: column {column}: “{char}” is in no node and no rule."
        for line, column, char in reading.unaccounted[:20]
    ]
    return "\n".join(lines)


def audit_page(editions: dict[str, Edition], readings: dict[str, Reading]) -> str:
    """Return an HTML page for the maintainer or translator, with a section for each edition.

    A section has counts, dropped lines, corrections, references to what is missing, and notes.
    """
    body = []
    for id_, reading in readings.items():
        edition = editions[id_]
        counted = audit_edition(edition, reading)
        kinds = Counter(n.kind for n in reading.nodes)
        body.append(
            f"<section><h2>{escape(edition.title)} <small>{id_}</small></h2>"
            f"<p>{counted.total} characters: {counted.nodes} in nodes, "
            f"{counted.dropped_characters} dropped by rule, "
            f"{counted.unaccounted} unaccounted.</p>"
        )
        body.append(_html_table("What the edition holds", ("kind", "count"), kinds.most_common()))
        body.append(
            _html_table(
                "Dropped, by rule",
                ("rule", "pattern", "pieces", "characters"),
                [(r.name, r.pattern, r.pieces, r.characters) for r in counted.rules],
            )
        )
        body.append(
            _html_table(
                "Dropped lines",
                ("line", "rule", "text"),
                [(d.line, d.rule, d.text) for d in reading.dropped],
                folded=True,
            )
        )
        reasons = Counter((c.basis, c.reason) for c in reading.corrections)
        body.append(
            _html_table(
                "Corrections, by reason",
                ("basis", "reason", "count"),
                [(b, r, n) for (b, r), n in reasons.most_common()],
            )
        )
        body.append(
            _html_table(
                "Corrections",
                ("line", "column", "source", "published", "basis", "reason"),
                [(c.line, c.column, c.source, c.published, c.basis, c.reason) for c in reading.corrections],
                folded=True,
            )
        )
        body.append(
            _html_table(
                "References to what the edition does not have",
                ("provision", "words", "missing"),
                [
                    (n.citation, r.surface, ", ".join(r.missing))
                    for n in reading.nodes
                    for r in n.references
                    if r.missing
                ],
            )
        )
        body.append(
            _html_table(
                "Problems and notes",
                ("line", "finding", "next move"),
                [(p.line, p.finding, p.move) for p in reading.problems],
            )
        )
        body.append(
            "<p class='sign'>Read and found right: ______________________ &nbsp; Date: ____________</p></section>"
        )
    return _PAGE.replace("BODY", "\n".join(body))


def _html_table(caption: str, head: tuple[str, ...], rows, folded: bool = False) -> str:
    """Return an HTML table; without rows a line that says so. ``head``: the names of the columns; ``folded``: put the
    table into a ``<details>``.
    """
    rows = list(rows)
    if not rows:
        return f"<p><b>{escape(caption)}</b>: none.</p>"
    cells = lambda row, tag: "".join(f"<{tag}>{escape(str(c))}</{tag}>" for c in row)
    table = (
        f"<table><caption>{escape(caption)} ({len(rows)})</caption><thead><tr>{cells(head, 'th')}</tr></thead><tbody>"
        + "".join(f"<tr>{cells(r, 'td')}</tr>" for r in rows)
        + "</tbody></table>"
    )
    return f"<details><summary>{escape(caption)} ({len(rows)})</summary>{table}</details>" if folded else table


_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Lexbridge: report of the texts</title>
<style>body{font:16px/1.5 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d1d1b}
table{border-collapse:collapse;margin:1rem 0;width:100%}
caption{text-align:left;font-weight:bold;padding:.3rem 0}
td,th{border-bottom:1px solid #ccc;padding:.2rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
section{margin-bottom:4rem}.sign{margin-top:2rem}</style><h1>Report of the texts</h1>BODY</html>"""
