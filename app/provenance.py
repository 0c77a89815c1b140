"""The page model of “where the text is from”."""

from __future__ import annotations

import re
from collections import Counter

from markdown import markdown
from markupsafe import Markup

from app import slips, words
from app.atlas import Atlas, Way
from corpus.library import EditionInfo
from corpus.model import LAWS, Reference


def about(atlas: Atlas, edition: EditionInfo) -> dict:
    """Facts of the manifest, counts of what the edition has, corrections by basis with examples, slips that stay, what it lacks."""
    library, data = atlas.library, edition.data
    nodes = library.of(edition.id)
    corrections = [c for c in library.corrections if c.edition == edition.id]
    lost = [(n, r, ways) for n in nodes for r in n.references if (ways := _lost(atlas, r))]
    first, last = data.get("laws") or (None, None)
    have = {n.path for n in nodes if n.kind in LAWS}
    return {
        "edition": edition,
        "data": data,
        "kinds": Counter(n.kind for n in nodes),
        "references": sum(len(n.references) for n in nodes),
        "corrections": Counter(c.basis for c in corrections).most_common(),
        "corrections_total": len(corrections),
        "corrections_shown": corrections[:200],
        "lost": lost,
        "missing_laws": [str(i) for i in range(first, last + 1) if str(i) not in have] if first else [],
        "prose": {key: _prose(texts) for key, texts in data["prose"].items()},
        "scanned": atlas.scanned(edition),
        "precedence": data.get("precedence") or (),
        "slips": slips.told(library, nodes),
        "spelling": data.get("spelling") or (),
    }


def _lost(atlas: Atlas, reference: Reference) -> list[Way]:
    """The ways of those targets that are not where the reference seeks them: missing from its edition, or in no text of another code."""
    ways = [(t in reference.missing, atlas.resolve(t)) for t in reference.targets]
    return [way for missing, way in ways if missing or way.found in ("nearest", "nowhere")]


def _prose(texts: dict[str, str]) -> Markup:
    """Editorial prose, written in Markdown by the maintainers of the corpus, in the language that it is in."""
    lang, text = words.told(texts)
    return (
        Markup('<span lang="%s">%s</span>')
        % (lang, Markup(re.sub(r"^<p>(.*)</p>$", r"\1", markdown(text), flags=re.DOTALL)))
        if text
        else Markup("")
    )
