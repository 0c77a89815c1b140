"""Scores how well two neighbouring words agree in case, gender and number (the figures were chosen by hand).

A reading is a tuple of class, numbers, cases, genders and persons (``dictionary.features``).
"""

from functools import cache

ADJECTIVAL = {"adj", "ppas", "pact"}
NOMINAL = {"subst", "depr", "ger", "ppron12", "ppron3", "num", "siebie"} | ADJECTIVAL
CASES = {"nom": 0, "gen": 0, "acc": -0.05, "inst": -0.3, "dat": -0.4, "loc": -0.4, "voc": -1.5}
FINITE = {"fin", "bedzie", "praet", "impt", "imps", "winien", "pred"}


def agree(a, b):
    """Whether two grammatical readings share number, case and gender; an empty set agrees with everything."""
    return all(not x or not y or x & y for x, y in zip(a[1:4], b[1:4], strict=True))


def _without_cases(reading):
    return reading[0], reading[1], frozenset(), reading[3]


def reading_score(reading):
    """Return the score of a grammatical reading by itself.

    A law book uses the third person and addresses nobody, so imperatives and other persons get a lower score. So does
    the instrumental case with its ą, unless the words around it support it.
    """
    score = max((CASES[c] for c in reading[2]), default=0) if reading[0] in NOMINAL else 0
    return score - 2 * (reading[0] in {"impt", "depr"} or (bool(reading[4]) and "ter" not in reading[4]))


@cache
def sequence_score(a, b):  # noqa: C901, PLR0911 – a table of pairs of classes, the first that holds
    """Return the score (about log10) of reading b right after reading a."""
    left, right = a[0], b[0]
    if left == "prep":
        if right in NOMINAL:
            return 1.0 if a[2] & b[2] else -1.5
        return -0.8 if right in FINITE | {"inf", "conj", "comp", "prep"} else 0
    if left in ADJECTIVAL and right in {"subst", "ger", "depr"}:
        return 0.9 if agree(a, b) else -0.4
    if left in {"subst", "ger", "depr"} and right in ADJECTIVAL:
        return 0.7 if agree(a, b) else -0.3
    if left in ADJECTIVAL and right in ADJECTIVAL:
        return 0.5 if agree(a, b) else -0.2
    if left in {"subst", "ger"} and right in {"subst", "ger"}:
        return 0.35 if "gen" in b[2] else -0.1
    if left in FINITE | {"inf", "pcon", "pant"} and right in NOMINAL:
        return 0.15 if b[2] & {"acc", "gen", "inst"} else 0
    if right == "praet" and left in {"subst", "adj"}:
        return 0.4 if "nom" in a[2] and agree(_without_cases(a), _without_cases(b)) else -0.1
    if left == "praet" and right in {"subst", "ppas", "adj"} and "nom" in b[2]:
        return 0.2 if agree(_without_cases(a), _without_cases(b)) else -0.1
    if right == "part" or left == "part":
        return 0
    if left == "adv" and right in ADJECTIVAL | FINITE:
        return 0.1
    return 0
