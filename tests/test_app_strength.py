"""The strength of words on the pages: off by default, on one switch, with the scale in the edition's own words."""

from __future__ import annotations

import re

import pytest
from app_site import client, page, site  # noqa: F401

from app.site import wording

ON = "strength=1"
# A law page of each edition, and whether its edition has a scale.
LAWS = {"pl-2007/16": True, "sk-2017/9": True, "hr-1997/16": False, "pl-1997/16": False, "pzbs-2017/3": False}


def flat(element) -> str:
    return re.sub(r"\s+", " ", element.get_text()).strip()


SWITCH = {
    "pl": ("Zaznacz siłę określeń", "Nie zaznaczaj siły określeń"),
    "sk": ("Vyznačiť silu výrazov", "Nevyznačovať silu výrazov"),
    "hr": ("Označi snagu izraza", "Ne označuj snagu izraza"),
    "en": ("Mark the strength of words", "Do not mark the strength of words"),
}

NO_RANK = {
    "pl": "bez stopnia – według wstępu: {}, ale ten tekst nie trzyma się tej kolejności",
    "sk": "bez stupňa – podľa úvodu: {}, tento text sa však toho nedrží",
    "hr": "bez stupnja – prema uvodu: {}, ali se ovaj tekst toga ne drži",
    "en": "no rank – in the introduction: {}, but this text does not keep to that",
}
NOT_MARKED = {"pl": "Nie zaznaczono.", "sk": "Nie je vyznačené.", "hr": "Nije označeno.", "en": "Not marked."}


def switches(soup) -> list[tuple[str, str]]:
    """(what it says, where it leads) of the links that turn the marks on or off."""
    said = {words for both in SWITCH.values() for words in both}
    return [(flat(a), a["href"]) for a in soup.select(".side .tools a") if flat(a) in said]


@pytest.mark.parametrize("id_", LAWS)
def test_nothing_is_marked_until_it_is_asked_for(client, id_):
    for address in (f"/{id_}", f"/{id_}?strength=0", f"/{id_}?strength=yes"):
        soup = page(client, address)
        assert not soup.select(".order, .rank, .scale")
        ((_, there),) = switches(soup)
        assert there.endswith(ON)


@pytest.mark.parametrize("lang", ["pl", "sk", "hr", "en"])
@pytest.mark.parametrize("id_", LAWS)
def test_on_one_switch_words_are_marked_and_the_scale_stands_there(client, library, id_, lang):
    ((said, there),) = switches(page(client, f"/{id_}?ui={lang}&hl=qwxz&decisions=0"))
    soup = page(client, f"{there}&ui={lang}")
    ((other, back),) = switches(soup)
    assert (said, other) == SWITCH[lang]
    assert "strength" not in back and "hl=qwxz" in back and "decisions=0" in back, "what else was asked stays"
    law = library.nodes[id_]
    marked = [(n, m) for n in library.subtree_of(law) for m in n.strengths]
    assert bool(marked) is LAWS[id_]
    legend = soup.select_one(".scale")
    scale = library.editions[law.edition].scale
    names = {step.strength: step.name[lang] for step in scale.steps} if scale else {}
    signs = [flat(e) for e in soup.select(".rank")]
    assert len(signs) == len(marked)
    for sign, (_, m) in zip(signs, marked, strict=True):
        if m.loose:
            assert sign.startswith(f"○ [{NO_RANK[lang].format(names[m.strength])}")
        else:
            assert sign == f"{wording.RANK_SIGNS[m.strength]} [{names[m.strength]}]"
    assert [flat(e).replace("\u00a0", " ") for e in soup.select(".order")] == [
        n.text[m.start : m.end] for n, m in marked
    ]
    assert [e["data-strength"] for e in soup.select(".order")] == [
        "loose" if m.loose else m.strength for _, m in marked
    ]
    assert all(e["lang"] == lang for e in soup.select(".rank"))
    if not scale:
        assert not legend.select("dl") and len(legend.select("p")) == 1
        return
    quoted = [(q.get_text(), q["lang"]) for q in legend.select("dd q")]
    home = library.nodes[scale.steps[0].quote.node]
    assert quoted == [(home.text[s.quote.start : s.quote.end], law.lang) for s in scale.steps]
    assert legend.select_one("a")["href"] == f"/{home.id}"
    for step, term, told in zip(scale.steps, legend.select("dt"), legend.select("dd"), strict=True):
        assert step.name[lang] in flat(term)
        ranked = step.forms and not step.loose
        assert flat(term) == (
            f"{wording.RANK_SIGNS[step.strength] if ranked else '○'} {step.name[lang]}"
            if step.forms
            else step.name[lang]
        )
        assert (step.loose[lang] in flat(told)) if step.loose else (not step.forms) == (NOT_MARKED[lang] in flat(told))
        assert step.forms or step.unmarked[lang] in flat(told)


# Address → of its first mark without a rank what is said beyond the introduction, by language.
BESIDE = {
    "sk-2017/24/B": {
        "pl": "; MPB 2007, 24B: „musi”, najsilniejszy obowiązek]",
        "sk": "; MPB 2007, 24B: „musi“, najsilnejšia povinnosť]",
        "hr": "; MPB 2007, 24B: „musi”, najjača dužnost]",
        "en": "; MPB 2007, 24B: “musi”, strongest duty]",
    },
    "pl-2007/7/C": {
        "pl": "; PSB 2017, 7C: „by mal”, obowiązek]",
        "sk": "; PSB 2017, 7C: „by mal“, povinnosť]",
        "hr": "; PSB 2017, 7C: „by mal”, dužnost]",
        "en": "; PSB 2017, 7C: “by mal”, duty]",
    },
    "sk-2017/7/C": dict.fromkeys(NO_RANK, "]"),
}


@pytest.mark.parametrize("lang", NO_RANK)
@pytest.mark.parametrize("id_", BESIDE)
def test_a_word_that_the_text_uses_otherwise_has_no_rank_and_what_stands_elsewhere(client, library, id_, lang):
    sign = page(client, f"/{id_}?{ON}&ui={lang}").select_one(f'[data-id="{id_}"] [data-strength=loose] + .rank')
    step = library.editions[id_.split("/")[0]].scale.step(
        next(m for m in library.nodes[id_].strengths if m.loose).strength
    )
    said = NO_RANK[lang].format(step.name[lang]) + BESIDE[id_][lang]
    assert flat(sign) == f"○ [{said}" and sign["title"] == said.removesuffix("]")


def test_what_is_a_condition_or_says_who_somebody_is_orders_nothing(client):
    for id_, words in (("sk-2017/59", "musí"), ("sk-2017/20/E", "musí")):
        place = page(client, f"/{id_}?{ON}").select_one(f'[data-id="{id_}"]')
        assert words in place.get_text() and words not in [flat(e) for e in place.select(".order")]


def test_with_the_marks_the_words_of_the_law_are_the_same(client):
    for id_ in LAWS:
        off, on = (page(client, f"/{id_}?{asked}").select_one("article") for asked in ("ui=en", f"ui=en&{ON}"))
        for sign in on.select(".rank"):
            sign.decompose()
        assert on.get_text() == off.get_text()


def test_words_searched_for_and_corrected_keep_their_marks_in_a_marked_word(client):
    soup = page(client, f"/pl-2007/72/B/1?{ON}&hl=prawa&fixes=1")
    assert any(m.find_parent(class_="order") for m in soup.select("mark"))
    assert len(soup.select(".rank")) == len(page(client, f"/pl-2007/72/B/1?{ON}").select(".rank"))


@pytest.mark.parametrize("id_", ["pl-2007/intro", "sk-2017/intro", "pl-2007/preface", "pl-2007/index"])
def test_where_no_provisions_stand_there_is_no_switch(client, id_):
    soup = page(client, f"/{id_}?{ON}")
    assert not soup.select(".order, .scale") and not switches(soup)


def test_other_pages_mark_nothing(client):
    for address in (
        "/peek/sk-2017/9/A",
        "/card/sk-2017/9/A",
        "/pl-2007/16?only=16/A",
        "/compare/16?e=pl-2007&e=sk-2017",
    ):
        assert not page(client, address + ("&" if "?" in address else "?") + ON).select(".order")


def test_programs_get_the_marks_and_the_scale(client, library):
    node = client.get("/api/v1/nodes/sk-2017/9/A/4").get_json()
    assert [(node["text"][m["start"] : m["end"]], m["in"], m["strength"]) for m in node["strengths"]] == [
        ("nesmie", "text", "strongest-prohibition"),
        ("Môže", "text", "may"),
    ]
    assert [m.get("loose") for m in node["strengths"]] == [True, None]
    assert "strengths" not in client.get("/api/v1/nodes/hr-1997/16").get_json()
    for edition in client.get("/api/v1/editions").get_json()["editions"]:
        scale = library.editions[edition["id"]].scale
        assert bool(edition["scale"]) is bool(scale)
        assert [s["loose"] for s in edition["scale"]["steps"]] == [s.loose for s in scale.steps] if scale else True
