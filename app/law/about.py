"""The page model of “where the text is from”."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from app.law.prose import markdown
from app.site import slips, wording
from app.site.atlas import Atlas, Way
from app.site.page import Page
from corpus.checked.prose import Prose
from corpus.edition.identity import Identity, Notice
from corpus.model import Correction, Node, Reference

# Rows of corrections that the page shows.
SHOWN = 200


@dataclass(frozen=True)
class AboutPage(Page):
    """What is known of an ``edition``.

    ``references``: how many it has · ``corrections``: (basis, how
    many), ``corrections_total``, ``corrections_shown``: the first of them, ``scanned``: whether it was read by machine
    · ``lost``: (node, reference, ways) that lead to nothing, ``missing_laws``: their numbers · ``prose``: what
    maintainers say, by subject, in the reader's language · ``noticed``: (notice, the nodes that it is about) ·
    ``precedence``: texts by rank · ``slips``: what other places contradict, ``spelling``: slips that leave the meaning
    alone.
    """

    template: ClassVar[str] = "about.html"
    edition: Identity
    references: int
    corrections: tuple[tuple[str, int], ...]
    corrections_total: int
    corrections_shown: tuple[Correction, ...]
    scanned: bool
    lost: tuple[tuple[Node, Reference, tuple[Way, ...]], ...]
    prose: Mapping[str, Markup]
    noticed: tuple[tuple[Notice, tuple[Node, ...]], ...]
    slips: tuple[slips.MisprintNote, ...]


def about_page(atlas: Atlas, edition: Identity) -> AboutPage:
    """Facts of the manifest, counts of what the edition has, what was corrected, slips that stay, what it lacks."""
    library = atlas.library
    nodes = library.of(edition.id)
    corrections = [c for c in library.corrections if c.edition == edition.id]
    return AboutPage(
        edition=edition,
        references=sum(len(n.references) for n in nodes),
        corrections=tuple(Counter(edition.corrections).most_common()),
        corrections_total=sum(edition.corrections.values()),
        corrections_shown=tuple(corrections[:SHOWN]),
        scanned=atlas.scanned(edition),
        lost=tuple((n, r, ways) for n in nodes for r in n.references if (ways := _lost(atlas, r))),
        prose={key: _prose(texts) for key, texts in vars(edition).items() if isinstance(texts, Prose)},
        noticed=tuple((n, _nodes(atlas, edition, n.paths)) for n in edition.notices if n.paths),
        slips=tuple(slips.misprint_notes(library, nodes)),
    )


def _lost(atlas: Atlas, reference: Reference) -> tuple[Way, ...]:
    """The ways of those targets that are not where the reference seeks them: missing there, or in no text of a code."""
    ways = [(t in reference.missing, atlas.resolve(t)) for t in reference.targets]
    return tuple(way for missing, way in ways if missing or way.found in ("nearest", "nowhere"))


def _nodes(atlas: Atlas, edition: Identity, paths: tuple[str, ...]) -> tuple[Node, ...]:
    return tuple(node for p in paths if (node := atlas.library.node(edition.id, p)))


def _prose(texts: Prose) -> Markup:
    """Editorial prose in the language that it is in."""
    lang, text = wording.told(texts)
    return Markup('<span lang="%s">%s</span>') % (lang, markdown(text)) if text else Markup()
