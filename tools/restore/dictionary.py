"""Asks Morfeusz 2 (SGJP) whether a form is a Polish word, and what it can be."""

from functools import cache

import morfeusz2

_MORFEUSZ = morfeusz2.Morfeusz(generate=False, expand_tags=False)
CASES = {"nom", "gen", "dat", "acc", "inst", "loc", "voc"}
PERSONS = {"pri", "sec", "ter"}
NUMBERS = set("sg pl".split())
GENDERS = {"m1", "m2", "m3", "f", "n", "n1", "n2"}
RARE = {"arch.", "daw.", "rzad.", "przest.", "gwar.", "reg.", "poet.", "wulg.", "slang"}


@cache
def analyses(form):
    """Return (lemma, tag, rare) for each analysis of a form; empty when it is no word.

    A capital at the start is ignored.
    """
    found = []
    for variant in dict.fromkeys((form, form.lower(), form.capitalize() if form.isupper() else form)):
        graph = _MORFEUSZ.analyse(variant)
        if any(tag == "ign" for _, _, (_, _, tag, *_) in graph):
            continue
        if {(a, b) for a, b, _ in graph} == {(0, 1)}:
            found += [(lemma.split(":")[0], tag, bool(RARE & set(style))) for _, _, (_, lemma, tag, _, style) in graph]
        elif (
            graph
            and variant.isalpha()
            and any(t.startswith(("praet", "fin", "aglt", "subst", "winien")) for _, _, (_, _, t, *_) in graph)
        ):
            found += [(lemma.split(":")[0], tag, False) for a, _, (_, lemma, tag, *_) in graph if a == 0]
    return tuple(found)


@cache
def features(form):
    """Return the grammatical readings of a form as tuples: class, and frozensets of numbers, cases, genders and
    persons.
    """
    out = set()
    for _, tag, _ in analyses(form):
        if tag.startswith(("brev", "dig")):
            continue
        fields = tag.split(":")
        sets = [set(f.split(".")) for f in fields[1:]]
        picked = (frozenset(x for s in sets if s <= names for x in s) for names in (NUMBERS, CASES, GENDERS, PERSONS))
        out.add((fields[0], *picked))
    return tuple(sorted(out, key=str)) or (("ign", *[frozenset()] * 4),)
