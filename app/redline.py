"""What was added and what was removed between two texts of one language, word by word."""
from __future__ import annotations

import re
from difflib import SequenceMatcher

from markupsafe import Markup, escape

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def redline(old: str, new: str) -> list[tuple[str, str]]:
    """``[(sign, words)]`` with sign ``=``, ``-`` (only in old) or ``+`` (only in new); joined ``=`` and ``+`` give new.

    >>> redline("a small penalty", "a penalty card")
    [('=', 'a '), ('-', 'small '), ('=', 'penalty'), ('+', ' card')]
    """
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    out: list[tuple[str, str]] = []
    for op, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if op == "equal":
            out.append(("=", "".join(b[j1:j2])))
            continue
        for sign, words in (("-", "".join(a[i1:i2])), ("+", "".join(b[j1:j2]))):
            if words:
                out.append((sign, words))
    return _joined(out)


def _joined(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Changes with nothing but a blank between them are one change: “− kara + konsekwencje”, not word by word."""
    out: list[tuple[str, str]] = []
    for n, (sign, words) in enumerate(parts):
        blank = sign == "=" and not words.strip() and out and out[-1][0] != "=" and n + 1 < len(parts)
        for s, w in ((("-", words), ("+", words)) if blank else ((sign, words),)):
            # Within one stretch of change all that was removed stands before all that was added.
            last = next((k for k in range(len(out) - 1, max(len(out) - 3, -1), -1) if out[k][0] == s and all(o[0] != "=" for o in out[k:])), None)
            if s != "=" and last is not None:
                out[last] = (s, out[last][1] + w)
            elif s == "-" and out and out[-1][0] == "+":
                out.insert(len(out) - 1, (s, w))
            else:
                out.append((s, w))
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
