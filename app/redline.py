"""What was added and what was removed between two texts of one language, word by word."""
from __future__ import annotations

import re
from difflib import SequenceMatcher

from markupsafe import Markup, escape

# A word or a sign with the blanks after it; only what is before the blanks is compared.
_TOKEN = re.compile(r"\w+\s*|[^\w\s]\s*|^\s+")


def redline(old: str, new: str) -> list[tuple[str, str]]:
    """``[(sign, words)]`` with sign ``=``, ``-`` (only in old) or ``+`` (only in new); joined ``=`` and ``+`` give new.

    >>> redline("a small penalty", "a penalty card")
    [('=', 'a '), ('-', 'small '), ('=', 'penalty '), ('+', 'card')]
    """
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    out: list[tuple[str, str]] = []
    matcher = SequenceMatcher(None, [t.rstrip() for t in a], [t.rstrip() for t in b], autojunk=False)
    for op, i1, i2, j1, j2 in matcher.get_opcodes():
        if op == "equal":
            out.append(("=", "".join(b[j1:j2])))
            continue
        for sign, words in (("-", "".join(a[i1:i2])), ("+", "".join(b[j1:j2]))):
            if words:
                out.append((sign, words))
    return out


def as_html(parts: list[tuple[str, str]], added: str, removed: str) -> Markup:
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
