"""References in any order of law words, part words and labels: they lead where a reader would look, or nowhere with a
note; never elsewhere.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_tree import CASES, EDITION, HERE, LAWS, NODES, rows

from corpus import language
from corpus.reference.grammar import Grammar, counting_letter_table_of, read_label
from corpus.reference.resolve import annotate_references

FOLDER = CASES / "references" / "orders"
CODES = sorted(p.stem for p in FOLDER.glob("*.toml"))
WORDS = {code: language.load_language(FOLDER, code) for code in CODES}
TABLE = rows(CASES / "references" / "orders.tsv")
# Editions that count by their own letters.
ALPHABETS = {"bg": "абвгдежзийклмнопрст", "el": "αβγδεζηθ"}
LEVELS = {
    code: (
        *EDITION.levels,
        replace(EDITION.levels[0], kind="section", labels=("A.",), count="", letters=letters),
        replace(EDITION.levels[0], kind="clause", labels=("a)",), count="", letters=letters),
    )
    for code, letters in ALPHABETS.items()
}


def read(text: str, code: str, at: str = HERE):
    """The references of a text that stands at a path of the book, and the problems that are noted."""
    edition = replace(EDITION, levels=LEVELS.get(code, EDITION.levels))
    node = replace(NODES[at], text=text, source_text=text, source_spans=((7, 0, 7, len(text)),))
    out, problems = annotate_references([node if p == at else n for p, n in NODES.items()], edition, WORDS[code])
    return next(n for n in out if n.path == at).references, problems


def paths(references) -> list[str]:
    return [t.removeprefix("book/") for r in references for t in r.targets]


def test_the_table_has_languages_of_every_order():
    assert len(CODES) >= 8 and {row["lang"] for row in TABLE} == set(CODES)
    assert sum(not row["targets"] for row in TABLE) >= 5 and sum(bool(row["noted"]) for row in TABLE) >= 10
    after = [c for c in CODES if WORDS[c].reference_words("law_after")]
    before = [c for c in CODES if WORDS[c].reference_words("law")]
    assert set(after) - set(before) and set(before) - set(after) and set(before) & set(after)


@pytest.mark.parametrize("row", TABLE, ids=lambda r: f"{r['lang']} {r['phrase']}")
def test_a_phrase_leads_where_a_reader_would_look_or_nowhere_with_a_note(row):
    phrase, begins = row["phrase"], row["proves"].endswith("at the beginning")
    around = (("", ""),) if begins else (("", ""), ("xx ", "."), ("xx\u00a0", ", xx xx"))
    for before, after in around:
        references, problems = read(f"{before}{phrase}{after}", row["lang"], row["at"])
        assert paths(references) == row["targets"].split()
        assert [p.finding.split("”")[0][1:] for p in problems] == [row["noted"]] * bool(row["noted"])
        assert all(not p.fatal and p.line == 7 and p.move for p in problems)


@pytest.mark.parametrize("row", TABLE, ids=lambda r: f"{r['lang']} {r['phrase']}")
def test_the_label_of_every_target_is_proved_by_slicing(row):
    references, _ = read(row["phrase"], row["lang"], row["at"])
    prove(row["phrase"], references, row["lang"])


def prove(text: str, references, code: str) -> None:
    """Every part is a label, and the path that it leads to ends in the steps of that label."""
    grammar = Grammar(WORDS[code], letters=counting_letter_table_of(LEVELS.get(code, ())))
    end = 0
    for reference in references:
        assert text[reference.start : reference.end] == reference.surface and reference.start >= end
        end = reference.end
        for part in reference.parts:
            printed = grammar.clean(text[part.start : part.end])
            if reference.kind == "definition":
                assert part.targets == (f"book/def/{printed.lower()}",)
                continue
            size = part.end - part.start
            read_at = (
                read_label(printed, 0, grammar, "provision"),
                read_label(f"{printed}.", 0, grammar, "provision"),
                read_label(grammar.clean(text[part.start :]), 0, grammar, "provision"),
            )
            label = next((found for found in read_at if found and found.end >= size), None)
            assert label, printed
            steps = part.targets[-1].split("/")[1:]
            assert steps[0] == "fn" or steps[-len(label.steps) :] == list(label.steps)


@pytest.mark.parametrize(
    "code, line, reference",
    [
        ("hu", "a 43. §", True),
        ("fi", "katso 16 §:n", True),
        ("sv", "enligt 16 §", True),
        ("hu", "a törvény", False),
        ("hu", "a 13 lap", False),
    ],
)
def test_a_label_in_the_line_after_a_law_word_that_follows_its_number_is_a_reference(code, line, reference):
    pattern = WORDS[code].law_word_end_pattern
    assert bool(pattern and pattern.search(line)) == reference


# How a law and its part are printed, with the steps of the part: "{law}" and "{part}".
FRAMES = {
    "before, close": ("de", "§ {law}{close}", "und"),
    "before, with blanks": ("de", "§ {law} {open}", "und"),
    "before, part first": ("de", "{open} von § {law}", "und"),
    "before, part with words": ("nl", "artikel {law}, onderdeel {section}, punt {number}", "en"),
    "before, part with words first": ("it", "punto {number} del comma {section} dell'articolo {law}", "e"),
    "before, part close first": ("fr", "{close} de l'article {law}", "et"),
    "after": ("sv", "{law} § {open}", "och"),
    "after, part first": ("sv", "{open} i {law} §", "och"),
    "after, with full stops": ("hu", "{law}. § {section}) {number}.", "és"),
    "after, with endings and words": ("fi", "{law} §:n {section} kohdan {number} alakohta", "ja"),
    "after, with words": ("tr", "{law}. maddenin {section} bendinin {number}. fıkrası", "ve"),
    "after, part with words first": ("sl", "{number}. točka odstavka {section} {law}. člena", "in"),
}
DEEP = st.sampled_from([p for p in LAWS if p.count("/") == 2])


def printed(frame: str, path: str) -> str:
    law, section, number = path.split("/")
    return frame.format(law=law, section=section, number=number, close=section + number, open=f"{section} {number}")


@pytest.mark.parametrize("name", FRAMES)
@given(data=st.data())
def test_two_citations_of_any_order_lead_to_both(name, data):
    code, frame, joint = FRAMES[name]
    first, last = data.draw(DEEP), data.draw(DEEP)
    text = f"xx {printed(frame, first)} {joint} {printed(frame, last)} xx"
    references, problems = read(text, code)
    assert paths(references) == [first, last] and not problems
    prove(text, references, code)


# What may stand in one sentence: orders of one language.
MIXED = {
    "de": ("und", ["§ {law} {open}", "{open} von § {law}", "{close} von § {law}", "§ {law}"]),
    "sv": ("eller", ["{law} § {open}", "{open} i {law} §", "{law} §"]),
    "it": (
        "e",
        [
            "articolo {law} {open}",
            "{close} dell'articolo {law}",
            "punto {number} del comma {section} dell'articolo {law}",
        ],
    ),
    "fi": ("tai", ["{law} §:n {open}", "{law} §:n {section} kohdan {number} alakohta", "{law} §"]),
}


@pytest.mark.parametrize("code", MIXED)
@given(data=st.data())
def test_citations_of_mixed_orders_lead_where_each_leads_alone(code, data):
    joint, frames = MIXED[code]
    cited = data.draw(st.lists(st.tuples(DEEP, st.sampled_from(frames)), min_size=2, max_size=4))
    each = [printed(frame, path) for path, frame in cited]
    wanted = [
        path if "{section}" in frame or "{open}" in frame or "{close}" in frame else path.split("/")[0]
        for path, frame in cited
    ]
    text = f"xx {', '.join(each[:-1])} {joint} {each[-1]}."
    references, problems = read(text, code)
    assert paths(references) == wanted and not problems
    prove(text, references, code)


@pytest.mark.parametrize("code", CODES)
@given(data=st.data())
def test_whatever_the_words_of_a_language_are_strung_to_is_sliced(code, data):
    words = WORDS[code]
    some = [
        w
        for key in ("law", "law_after", "provision", "provision_after", "of", "in", "and", "to")
        for w in words.reference_words(key)
    ]
    piece = st.sampled_from([*some, *"16 17. 2 B C2 D b) a ii (a) 12B 16 3. , . – - ( )".split()])
    text = " ".join(data.draw(st.lists(piece, max_size=12)))
    references, problems = read(text, code)
    end = 0
    for reference in references:
        assert text[reference.start : reference.end] == reference.surface and reference.start >= end
        end = reference.end
    assert all(not p.fatal for p in problems)


@pytest.mark.parametrize(
    "code, phrase, question",
    [
        ("de", "wenn A oder C gilt", "Does “wenn” announce labels? Then it belongs to “in” of"),
        ("de", "Ziffer 2 nach § 27", "Does “nach” always join a part to its law? Then it belongs to “of” of"),
        ("de", "(A oder C gilt)", "Does a word in it belong to another key of"),
        ("lt", "jei a punktas", "Does a word in it belong to another key of"),
        ("is", "sbr. 2. mgr. gilda", "Does “mgr” name a part or a law? Then it belongs to “provision_after” or"),
        ("sv", "enligt 12 § 14", "Does a word in it belong to another key of"),
    ],
)
def test_a_note_on_two_readings_names_the_word_that_may_decide(code, phrase, question):
    _, problems = read(phrase, code)
    assert [p.move.startswith(question) for p in problems] == [True]


def test_the_name_of_a_definition_is_taken_as_it_is_published():
    """Clauses are counted e, h, o: their letters stand for a, b, c in citations, not in names of definitions."""
    clause = replace(EDITION.levels[0], kind="clause", labels=("a)",), count="", letters="ehonru")
    node = replace(NODES[HERE], text="siehe „Honour“", source_text="siehe „Honour“")
    out, _ = annotate_references(
        [node if p == HERE else n for p, n in NODES.items()],
        replace(EDITION, levels=(*EDITION.levels, clause)),
        WORDS["de"],
    )
    assert paths(next(n for n in out if n.path == HERE).references) == ["def/honour"]
