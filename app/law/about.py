"""The page model of “where the text is from”."""

from __future__ import annotations

import re
from collections import Counter

from markdown import markdown
from markupsafe import Markup

from app.site import slips, wording
from app.site.atlas import Atlas, Way
from corpus.checked.prose import Prose
from corpus.edition.identity import Identity
from corpus.model import Reference


def about(atlas: Atlas, edition: Identity) -> dict:
    """Facts of the manifest, counts of what the edition has, corrections by basis with examples, slips that stay, what it lacks."""
    library = atlas.library
    nodes = library.of(edition.id)
    corrections = [c for c in library.corrections if c.edition == edition.id]
    lost = [(n, r, ways) for n in nodes for r in n.references if (ways := _lost(atlas, r))]
    return {
        "edition": edition,
        "kinds": Counter(n.kind for n in nodes),
        "references": sum(len(n.references) for n in nodes),
        "corrections": Counter(c.basis for c in corrections).most_common(),
        "corrections_total": len(corrections),
        "corrections_shown": corrections[:200],
        "lost": lost,
        "prose": {key: _prose(texts) for key, texts in vars(edition).items() if isinstance(texts, Prose)},
        "scanned": atlas.scanned(edition),
        "slips": slips.told(library, nodes),
    }


def _lost(atlas: Atlas, reference: Reference) -> list[Way]:
    """The ways of those targets that are not where the reference seeks them: missing from its edition, or in no text of another code."""
    ways = [(t in reference.missing, atlas.resolve(t)) for t in reference.targets]
    return [way for missing, way in ways if missing or way.found in ("nearest", "nowhere")]


def _prose(texts: dict[str, str]) -> Markup:
    """Editorial prose, written in Markdown by the maintainers of the corpus, in the language that it is in."""
    lang, text = wording.told(texts)
    return (
        Markup('<span lang="%s">%s</span>')
        % (lang, Markup(re.sub(r"^<p>(.*)</p>$", r"\1", markdown(text), flags=re.DOTALL)))
        if text
        else Markup("")
    )
