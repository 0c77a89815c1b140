"""Reads spelling dictionaries of Hunspell: every entry with the forms that its affix rules produce."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Affix(NamedTuple):
    """One rule: at its end, or for a prefix at its beginning, a word loses ``strip`` and gets ``add``."""

    flag: str
    is_prefix: bool
    strip: str
    add: str
    condition: re.Pattern[str]

    def apply_to(self, word: str) -> str | None:
        """Return the word with the affix; None where the rule does not apply to it."""
        if not self.condition.search(word):
            return None
        if self.is_prefix:
            return self.add + word.removeprefix(self.strip) if word.startswith(self.strip) else None
        return word.removesuffix(self.strip) + self.add if word.endswith(self.strip) else None


@dataclass
class Affixes:
    """An ``.aff`` file, as far as forms need it. ``affixes``: flag → its affixes. ``aliases``: sets of flags, by
    number. ``width``: how many letters a flag has.
    """

    affixes: dict[str, list[Affix]] = field(default_factory=dict)
    aliases: list[str] = field(default_factory=list)
    width: int = 1

    @classmethod
    def parse(cls, text: str) -> Affixes:
        r"""Return the rules of a file.

        Flags of one letter or two and numbered sets of flags are read. An affix on an affix is not: the files that we
        read have none.

        >>> rules = Affixes.parse("SFX A Y 1\nSFX A a y [^e]a\nPFX N Y 1\nPFX N 0 ne .")
        >>> [affix.apply_to("karta") for flag in "AN" for affix in rules.affixes[flag]]
        ['karty', 'nekarta']
        """
        self = cls()
        for part in filter(None, map(str.split, text.splitlines())):
            if part[:2] == ["FLAG", "long"]:
                self.width = 2
            elif part[0] == "AF":
                self.aliases.append(part[1])  # the first line is the count; it fills number 0, which no set has
            elif part[0] in ("SFX", "PFX") and len(part) > 4:
                strip, add = ("" if x == "0" else x for x in part[2:4])
                before = part[0] == "PFX"
                condition = re.compile(f"^{part[4]}" if before else f"{part[4]}$")
                self.affixes.setdefault(part[1], []).append(Affix(part[1], before, strip, add, condition))
        return self

    def flags(self, written: str) -> list[str]:
        """Return the flags of an entry. ``written``: what stands after the slash, flags or the number of a set."""
        if self.aliases and written.isdecimal():
            written = self.aliases[int(written)]
        return [written[i : i + self.width] for i in range(0, len(written), self.width)]

    def derive_words(self, stem: str, flags: Collection[str], apart: Collection[str]) -> Iterator[tuple[str, set[str]]]:
        """Yield (word, its forms) for each word that an entry makes.

        The first is the stem with its suffixes and prefixes. Each affix whose flag is in ``apart`` makes another word:
        a prefix with all forms, a suffix with only one.
        """
        own = [a for flag in flags if flag not in apart for a in self.affixes.get(flag, ())]
        forms = {stem, *(w for a in own if not a.is_prefix and (w := a.apply_to(stem)))}
        yield stem, forms | {w for a in own if a.is_prefix for form in forms if (w := a.apply_to(form))}
        for affix in (a for flag in flags if flag in apart for a in self.affixes.get(flag, ())):
            if word := affix.apply_to(stem):
                yield word, {w for form in forms if (w := affix.apply_to(form))} if affix.is_prefix else {word}


def forms_by_word(affixes: Path, words: Path, apart: Collection[str] = ()) -> Mapping[str, frozenset[str]]:
    """Return word → its forms, including itself, from a ``.aff`` and a ``.dic`` file.

    ``apart``: flags of affixes that make another word and not a form, such as a negated word or the noun of a verb.
    An entry that names its word (``st:``) is a form of that word.
    """
    rules = Affixes.parse(affixes.read_text(encoding="utf-8"))
    out: dict[str, set[str]] = {}
    for line in words.read_text(encoding="utf-8").splitlines()[1:]:
        entry, *fields = line.split() or [""]
        stem, _, written = entry.partition("/")
        base = next((said[3:] for said in fields if said.startswith("st:")), None)
        for word, forms in rules.derive_words(stem, rules.flags(written), apart) if stem else ():
            out.setdefault(base if base and word == stem else word, set()).update(forms)
    return {word: frozenset(forms) for word, forms in out.items()}
