"""The page model of “where the text is from”."""
from __future__ import annotations

import re
from collections import Counter

from markdown import markdown
from markupsafe import Markup

from app import words
from app.atlas import Atlas
from corpus.library import EditionInfo


def about(atlas: Atlas, edition: EditionInfo) -> dict:
    """Facts of the manifest, counts of what the edition has, corrections by basis with examples, what it lacks."""
    library, data = atlas.library, edition.data
    nodes = library.of(edition.id)
    corrections = [c for c in library.corrections if c.edition == edition.id]
    lost = [(n, r) for n in nodes for r in n.references if any(atlas.resolve(t) is None for t in r.targets)]
    first, last = data.get("laws") or (None, None)
    have = {n.path for n in nodes if n.kind in ("law", "point")}
    return {
        "edition": edition, "data": data,
        "kinds": Counter(n.kind for n in nodes), "references": sum(len(n.references) for n in nodes),
        "corrections": Counter(c.basis for c in corrections).most_common(), "corrections_total": len(corrections),
        "corrections_shown": corrections[:200],
        "lost": lost, "missing_laws": [str(i) for i in range(first, last + 1) if str(i) not in have] if first else [],
        "prose": {key: _prose(texts) for key, texts in data["prose"].items()},
        "scanned": atlas.scanned(edition), "precedence": data.get("precedence") or (),
    }


def _prose(texts: dict[str, str]) -> Markup:
    """Editorial prose, written in Markdown by the maintainers of the corpus, in the language that it is in."""
    lang, text = words.told(texts)
    return Markup('<span lang="%s">%s</span>') % (lang, Markup(re.sub(r"^<p>(.*)</p>$", r"\1", markdown(text), flags=re.S))) if text else Markup("")
