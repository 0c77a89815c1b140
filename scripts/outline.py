"""``lexbridge outline``: what was read from an edition, provision by provision with its references, or line by line."""

from __future__ import annotations

import click

from corpus import address, generation, ingest
from corpus.model import Node, Reference
from corpus.reading.result import Placing, Reading

_TITLE_LENGTH = 50  # code points of the text that stand in for a missing title


def outline_lines(nodes: list[Node]) -> list[str]:
    """Return a line for each node and, below it, one for each of its references.

    The line of a node has path, kind, label, and title or first words.
    """
    width = max((len(n.path) for n in nodes), default=0)
    out = []
    for node in nodes:
        out.append(
            "  ".join(
                filter(None, (f"{node.path:<{width}}", f"{node.kind:<10}", node.label, _title_or_first_words(node)))
            ).rstrip()
        )
        out += [f"{'':{width}}    “{r.surface}” → {_target_list(r, node)}" for r in node.references]
    return out


def _title_or_first_words(node: Node) -> str:
    """Return the heading of a node, or the first words of its text."""
    text = " ".join(node.text.split())
    return node.heading or (text if len(text) <= _TITLE_LENGTH else text[:_TITLE_LENGTH].rsplit(" ", 1)[0] + " …")


def _target_list(reference: Reference, node: Node) -> str:
    """Return the targets of a reference as text, those in the edition of ``node`` without its id. Without targets: the
    kind of the reference.
    """
    named = [
        (t.path if t.edition == node.edition else t) + (" (not there)" if t in reference.missing else "")
        for t in reference.targets
    ]
    return ", ".join(named) or reference.kind


def placing_rows(reading: Reading, path: str | None) -> list[str]:
    """Return a line of text for each placing: number of the source line, what became of it, and why.

    A line of the source of which nothing was left has the drop rule that removed it. ``path``: only what was placed
    inside this provision; None for all.
    """
    left = {d.line for d in reading.placings}
    dropped = [Placing(d.line, "dropped", "", f"rule “{d.rule}”") for d in reading.dropped if d.line not in left]
    rows = [
        (str(d.line), f"{d.did} {d.path}".rstrip(), d.reason)
        for d in sorted(dict.fromkeys([*reading.placings, *dropped]), key=lambda d: d.line)
        if _is_inside(d.path, path)
    ]
    number, did = (max((len(row[i]) for row in rows), default=0) for i in range(2))
    return [f"{line:>{number}}  {what:<{did}}  {reason}" for line, what, reason in rows]


def _is_inside(path: str, asked: str | None) -> bool:
    return asked is None or address.contains_path(asked, path)


@click.command()
@click.argument("name", metavar="ID")
@click.argument("path", required=False)
@click.option("--why", "by_line", is_flag=True, help="Every line of the source: what became of it, and why.")
def outline(name: str, path: str | None, by_line: bool) -> None:
    """Show the provisions of an edition (or of one PATH) as they were read, with the references found in them."""
    try:
        result = ingest.read_editions(generation.corpus_dir(), (name,))
    except ingest.UnknownEdition as error:
        raise click.ClickException(str(error)) from None
    for problem in result.fatal_problems:
        click.echo(str(problem), err=True)
    readings = list(result.readings.values())
    nodes = [n for r in readings for n in r.nodes if _is_inside(n.path, path)]
    rows = [row for r in readings for row in placing_rows(r, path)] if by_line else outline_lines(nodes)
    if not rows:
        raise click.ClickException(
            f"{name} has no provision {path}." if path and readings else f"Nothing of {name} can be read."
        )
    click.echo("\n".join(rows))
