"""How tables of lemmas are made: what affix rules give, of which word a form is, which lemma stands first."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from tools.lemmas import graded, hunspell, tables
from tools.lemmas.dictionaries import ListedDictionary
from tools.lemmas.guess import Endings, guess_words

AFFIXES = """
SFX A Y 2
SFX A a y [^e]a
SFX A a ou [^e]a
SFX B Y 1
SFX B 0 ok .
PFX N Y 1
PFX N 0 ne .
PFX S Y 1
PFX S 0 naj .
"""
LONG = "FLAG long\nAF 2\nAF aabb\nAF aa\nSFX aa Y 1\nSFX aa 0 i .\nSFX bb Y 1\nSFX bb 0 u ."


@pytest.mark.parametrize(
    "affixes, words, apart, forms",
    [
        (AFFIXES, "1\nkarta/A", "", {"karta": {"karta", "karty", "kartou"}}),
        (AFFIXES, "1\nkoleja/A", "", {"koleja": {"koleja", "kolejy", "kolejou"}}),
        (AFFIXES, "1\nidea/A", "", {"idea": {"idea"}}),
        (AFFIXES, "1\nhrat", "", {"hrat": {"hrat"}}),
        (AFFIXES, "1\nmoc/BS", "", {"moc": {"moc", "mocok", "najmoc", "najmocok"}}),
        (AFFIXES, "1\nmoc/BN", "N", {"moc": {"moc", "mocok"}, "nemoc": {"nemoc", "nemocok"}}),
        (AFFIXES, "1\nmoc/BN", "B", {"moc": {"moc", "nemoc"}, "mocok": {"mocok"}}),
        (AFFIXES, "2\nbol/N st:byt po:verb\nbyt", "N", {"byt": {"byt", "bol"}, "nebol": {"nebol"}}),
        (LONG, "2\nlicit/1\npas/2", "", {"licit": {"licit", "liciti", "licitu"}, "pas": {"pas", "pasi"}}),
        (LONG, "1\nlicit/aa", "", {"licit": {"licit"}}),
        (AFFIXES, "1\n\n", "", {}),
    ],
)
def test_what_the_affix_rules_of_a_dictionary_give(tmp_path, affixes, words, apart, forms):
    (tmp_path / "x.aff").write_text(affixes)
    (tmp_path / "x.dic").write_text(words)
    if words == "1\nlicit/aa":
        affixes = affixes.replace("AF", "#")
        (tmp_path / "x.aff").write_text(affixes)
        forms = {"licit": {"licit", "liciti"}}
    found = hunspell.forms_by_word(tmp_path / "x.aff", tmp_path / "x.dic", apart)
    assert {word: set(of_word) for word, of_word in found.items()} == forms


RULES = ["ies:y", "es::(s|x)$", "s::[^sx]$", "+ed:", "ed::^(?![^aeiou]*[aeiou][^aeiouwxy]$).*[^e]$", "d::e$", "ing:e"]


@pytest.mark.parametrize(
    "levels, forms",
    [
        ([["pass", "passed", "passes"], ["passe"]], {"pass": {"pass", "passed", "passes"}, "passe": {"passe"}}),
        ([["rat", "rate", "rated"]], {"rat": {"rat"}, "rate": {"rate", "rated"}}),
        ([["drop", "dropped"]], {"drop": {"drop", "dropped"}}),
        ([["bats"], ["bate", "bat"]], {"bat": {"bat", "bats"}, "bate": {"bate"}}),
        ([["thing"]], {"thing": {"thing"}}),
        ([["try", "tries"]], {"try": {"try", "tries"}}),
    ],
)
def test_a_form_is_one_of_the_commonest_word_it_may_be_of(levels, forms):
    assert {word: set(of) for word, of in graded.forms_by_word(levels, RULES).items()} == forms


PARADIGMS = {
    "karta": ("karta", "karty", "kartu"),
    "vatra": ("vatra", "vatry", "vatru"),
    "partia": ("partia", "partie"),
    "stopa": ("stopa", "stopy", "stopu"),
    "hrad": ("hrad", "hrady", "hradu"),
}


@pytest.mark.parametrize(
    "forms, listed, found",
    [
        # The genitive, the accusative and the word itself agree.
        (("kontra", "kontry", "kontru"), (), {"kontry": "kontra", "kontru": "kontra"}),
        # Alone, a form is of a word that is listed, or of none.
        (("lopaty",), ("lopata",), {"lopaty": "lopata"}),
        (("lopaty",), (), {}),
        # What is too short is of no other word.
        (("oky", "oka"), ("oka",), {}),
        ((), (), {}),
    ],
)
def test_what_forms_of_the_texts_agree_on(forms, listed, found):
    assert guess_words(forms, Endings(PARADIGMS), listed) == found


def test_an_unknown_word_takes_the_paradigm_of_the_texts_and_a_known_one_keeps_its_own():
    dictionary = ListedDictionary(PARADIGMS, ["kontra", "kontry", "karty", "vlak"])
    assert set(dictionary.lemmas("kontry")) == {"kontra"} and set(dictionary.forms("kontra")) >= {"kontry"}
    assert set(dictionary.lemmas("karty")) == {"karta"} and set(dictionary.forms("karta")) == {
        "karta",
        "karty",
        "kartu",
    }
    assert not dictionary.lemmas("vlak")


TWO = {"mat": {"mat", "ma", "mal"}, "mama": {"mama", "ma"}}


class Two:
    """A dictionary in which “ma” is a form of two words."""

    def lemmas(self, form):
        return [lemma for lemma, forms in TWO.items() if form in forms]

    def forms(self, lemma):
        return TWO.get(lemma, set())


@pytest.mark.parametrize(
    "words, first", [({"ma": 4, "mal": 3, "mama": 1}, "mat"), ({"ma": 4, "mal": 1, "mama": 3}, "mama")]
)
def test_the_commoner_word_of_a_form_stands_first(words, first):
    rows = tables.lemma_table(Two(), Counter(words))
    assert next(iter(rows)) == first and rows["mat"] == {"mat", "ma", "mal"}
    assert list(tables.table_lines({"mat": {"mat", "mal", "ma-"}, "x": {"x"}})) == ["mat\tmal mat"]


def test_everyday_words_bring_their_forms_but_those_that_are_known_or_short():
    dictionary = ListedDictionary({"hora": ("hora", "hory", "horami", "hor")}, [])
    assert tables.everyday_table(dictionary, ["hora", "les"], {"hory"}) == {"hora": {"hora", "horami"}, "les": set()}


def test_the_guesses_are_the_same_whatever_the_order_of_sets():
    code = (
        "from tools.lemmas.guess import Endings, guess_words; "
        "p = {w + 'a': {w + e for e in ('a', 'y', 'u', 'ou', 'ami')} for w in ('vatr', 'fars', 'lamp', 'polk')}; "
        "forms = {w + e for w in ('kontr', 'mars', 'volk') for e in ('y', 'u', 'ami')}; "
        "print(sorted(guess_words(forms, Endings(p), ()).items()))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1 and "kontra" in said.pop()
