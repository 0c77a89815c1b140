"""``lexbridge outline``: what the reader made of an edition, provision by provision, with every reference found in it."""

from __future__ import annotations

import click

from corpus import ingest as ingesting
from corpus import store
from corpus.address import holds
from corpus.model import Node, Reference

_WORDS = 50  # code points of a text without a title that tell which one it is


def lines(nodes: list[Node]) -> list[str]:
    """A line for each node – path, kind, label, title or first words – and one below for each of its references."""
    width = max((len(n.path) for n in nodes), default=0)
    out = []
    for node in nodes:
        out.append(
            "  ".join(filter(None, (f"{node.path:<{width}}", f"{node.kind:<10}", node.label, _title(node)))).rstrip()
        )
        out += [f"{'':{width}}    “{r.surface}” → {_targets(r, node)}" for r in node.references]
    return out


def _title(node: Node) -> str:
    text = " ".join(node.text.split())
    return node.heading or (text if len(text) <= _WORDS else text[:_WORDS].rsplit(" ", 1)[0] + " …")


def _targets(reference: Reference, node: Node) -> str:
    named = [
        (t.path if t.edition == node.edition else t) + (" (not there)" if t in reference.missing else "")
        for t in reference.targets
    ]
    return ", ".join(named) or reference.kind


@click.command()
@click.argument("name", metavar="ID")
@click.argument("path", required=False)
def outline(name: str, path: str | None) -> None:
    """The provisions of an edition (or of one PATH) as they were read, with the references found in them."""
    try:
        result = ingesting.read_all(store.corpus_dir(), (name,))
    except ingesting.UnknownEdition as error:
        raise click.ClickException(str(error)) from None
    for problem in result.fatal:
        click.echo(str(problem), err=True)
    nodes = [n for r in result.readings.values() for n in r.nodes if path is None or holds(path, n.path)]
    if not nodes:
        raise click.ClickException(
            f"{name} has no provision {path}." if path and result.readings else f"Nothing of {name} can be read."
        )
    click.echo("\n".join(lines(nodes)))
