"""A redline as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from corpus.relation.redline import Stretch


def as_html(parts: Sequence[Stretch], added: str, removed: str) -> Markup:
    """HTML of a redline; the words ``added`` and ``removed`` are said to those who do not see the signs."""
    tags = {"+": ("ins", added), "-": ("del", removed)}
    out = []
    for sign, words in parts:
        body = Markup("<br>").join(escape(w) for w in words.split("\n\n"))
        if sign == "=":
            out.append(body)
        else:
            tag, said = tags[sign]
            out.append(Markup('<%s title="%s">%s</%s>') % (Markup(tag), said, body, Markup(tag)))
    return Markup("").join(out)
