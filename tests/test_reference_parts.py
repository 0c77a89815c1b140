"""Every printed label of a reference is kept with its place and its own targets, whatever the phrase looks like."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_tree import AROUND, DECISIONS, EDITION, ENGLISH, FURTHER, LAWS, PIECES, ROMAN, load, references
from strangers import STRANGERS, copy_of_strangers

from corpus import language
from corpus.ingest import read_editions
from corpus.json_values import node_from_json, node_to_json
from corpus.reference.find import find_phrases
from corpus.reference.grammar import Grammar, clean_text
from corpus.reference.resolve import annotate_references

# language, phrase as it stands in 12B2(b), then label → its targets for each part.
OUTLINES = [
    ("en", "Law 16", "16 → 16"),
    ("en", "see Law 16D.", "16D → 16/D"),
    ("en", "Laws 30, 31 or 32", "30 → 30 | 31 → 31 | 32 → 32"),
    ("en", "Laws 69 to 71", "69 → 69 | 71 → 69 70 71"),
    ("en", "Laws 69–70", "69 → 69 | 70 → 69 70"),
    ("en", "Laws 16, 69–71 and 90", "16 → 16 | 69 → 69 | 71 → 69 70 71 | 90 → 90"),
    ("en", "sections A to C above", "A → 12/A | C → 12/A 12/B 12/C"),
    ("en", "Laws 12C1b–d", "12C1b → 12/C/1/b | d → 12/C/1/b 12/C/1/c 12/C/1/d"),
    ("en", "Laws 92 to 95", "92 → 92 | 95 → 92 93 94 95"),
    ("en", "Laws 16 and 16", "16 → 16 | 16 → 16"),
    ("en", "section B of Law 16", "B → 16/B"),
    ("en", "Law 16, sections B and C", "B → 16/B | C → 16/C"),
    ("en", "Law 16 (section B)", "B → 16/B"),
    ("en", "item 2 of section B of Law 16", "2 → 16/B/2"),
    ("en", "as in (a) or (c)", "(a) → 12/B/2/a | (c) → 12/B/2/c"),
    ("en", "A1 and 2 above", "A1 → 12/A/1 | 2 → 12/A/2"),
    ("en", "see section C 2 players", "C 2 → 12/C/2"),
    ("en", "see section F 4 players", "F → 12/F"),
    ("en", "see also “Adjusted score”", "Adjusted score → def/adjusted-score"),
    ("en", "see Honour) – and", "Honour → def/honour"),
    ("en", "footnote to Law 16", "16 → fn/1"),
    ("pl", "przepisów 42 i 43", "42 → 42 | 43 → 43"),
    ("pl", "przepisach 4, 12C2 i 91", "4 → 4 | 12C2 → 12/C/2 | 91 → 91"),
    ("pl", "przepis 12C2b i d", "12C2b → 12/C/2/b | d → 12/C/2/d"),
    ("pl", "punktach A1 lub A2", "A1 → 12/A/1 | A2 → 12/A/2"),
    ("pl", "przepisy 41–43", "41 → 41 | 43 → 41 42 43"),
    ("sk", "pravidlo 20F2 a 20F3", "20F2 → 20/F/2 | 20F3 → 20/F/3"),
    ("sk", "odseku (a) alebo (b) vyššie", "(a) → 12/B/2/a | (b) → 12/B/2/b"),
    ("sk", "bodov 2(c) alebo 2(d) vyššie", "2(c) → 12/B/2/c | 2(d) → 12/B/2/d"),
    ("sk", "pravidlá 27B1(b), 12B1(b)(i) a 31", "27B1(b) → 27/B/1/b | 12B1(b)(i) → 12/B/1/b/i | 31 → 31"),
    ("hr", "stavovima A do C gore", "A → 12/A | C → 12/A 12/B 12/C"),
    ("hr", "b. ili c. gore", "b → 12/B/2/b | c → 12/B/2/c"),
    ("sv", "§§ 12 A), B) och C)", "12 A) → 12/A | B) → 12/B | C) → 12/C"),
    ("sv", "metoderna i A–C.", "A → 12/A | C → 12/A 12/B 12/C"),
    ("xii", "Articles XII C 2 and XVI", "XII C 2 → 12/C/2 | XVI → 16"),
]


def words_of(code: str) -> language.Language:
    return FURTHER[code] if code in FURTHER else load(code)


def outline(text: str, reference, name: str = "book") -> str:
    return " | ".join(
        f"{text[p.start : p.end]} → {' '.join(t.removeprefix(f'{name}/') for t in p.targets)}" for p in reference.parts
    )


@pytest.mark.parametrize("code, phrase, wanted", OUTLINES, ids=lambda v: v)
def test_every_label_leads_where_the_table_says(code, phrase, wanted):
    for text in (phrase, f"Xx {phrase}", f"Xx\u00a0{phrase}; xx"):
        (reference,) = references(text, words_of(code), edition=ROMAN if code == "xii" else EDITION)
        assert outline(text, reference) == wanted


@pytest.mark.parametrize(
    "phrase, wanted",
    [
        ("przepisy 12C2b i 12C2d", "12C2b → laws/12/C/2/b | 12C2d → laws/12/C/2/d"),
        ("przepisem 93 i punktem 13", "93 → laws/93"),
        ("przepisy 41–43", "41 → laws/41 | 43 → laws/41 laws/42 laws/43"),
    ],
)
def test_labels_of_another_text_are_kept_too(phrase, wanted):
    assert outline(phrase, references(phrase, load("pl"), edition=DECISIONS)[0]) == wanted


def test_the_heading_of_a_decision_has_the_term_alone_as_its_part():
    text = "Alert – definicje"
    (reference,) = references(text, load("pl"), at="13", edition=DECISIONS, heading=True)
    assert outline(text, reference) == "Alert → laws/def/alert"


# ── the real texts, and those of strangers ──────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def strangers(tmp_path_factory):
    folder = copy_of_strangers(tmp_path_factory.mktemp("corpus"))
    return folder, read_editions(folder)


@pytest.fixture(scope="module")
def texts(ingest, corpus_dir, strangers):
    """(edition, its grammar, its language, its nodes) of every edition there is."""
    out = []
    for folder, result in ((corpus_dir, ingest), strangers):
        for name, edition in result.editions.items():
            words = language.load_language(folder / "languages", edition.lang)
            out.append((edition, Grammar(words), words, result.readings[name].nodes))
    assert len(out) >= 5 + len(list((STRANGERS / "editions").iterdir()))
    return out


def all_references(texts):
    for edition, grammar, words, nodes in texts:
        for node in nodes:
            for reference in node.references:
                yield edition, grammar, words, {n.id: n for n in nodes}, node, reference


def check_shape(text: str, reference) -> None:
    """Parts stand inside their reference, in order, apart; together they lead where it leads."""
    assert reference.parts
    at = reference.start
    for part in reference.parts:
        assert at <= part.start < part.end <= reference.end and part.targets
        assert text[part.start : part.end].strip() == text[part.start : part.end]
        assert len(set(part.targets)) == len(part.targets)
        at = part.end
    assert tuple(dict.fromkeys(t for p in reference.parts for t in p.targets)) == reference.targets
    for before, part in zip((None, *reference.parts), reference.parts, strict=False):
        if len(part.targets) > 1 and "fn" not in part.targets[-1].split("/"):
            assert before is not None and part.targets[0] == before.targets[-1], (
                "only the end of a range has more than one target, its first label the first of them"
            )


def test_parts_stand_in_order_and_lead_together_where_the_reference_leads(texts):
    several = 0
    for *_, node, reference in all_references(texts):
        check_shape(node.text if reference.where == "text" else node.heading, reference)
        several += len(reference.parts) > 1
    assert several > 70


def printed_steps(target: str, nodes: dict) -> list[set[str]]:
    """For every step of a target how it may be printed: as in its path, or as on the label that it has."""
    edition, _, path = target.partition("/")
    steps = path.split("/")
    ids = [f"{edition}/{'/'.join(steps[: i + 1])}" for i in range(len(steps))]
    return [
        {step, re.sub(r"\W", "", nodes[i].label or "") if i in nodes else step}
        for step, i in zip(steps, ids, strict=False)
    ]


def test_the_slice_of_a_part_is_the_label_that_names_its_target(texts):
    seen = 0
    for _, grammar, words, nodes, node, reference in all_references(texts):
        text = clean_text(node.text if reference.where == "text" else node.heading)
        for part in reference.parts:
            label, path = text[part.start : part.end], part.targets[-1].partition("/")[2]
            if path.startswith("def/"):
                continue
            found = [
                f
                for key in ("law", "provision")
                if words.reference_words(key)
                for f in find_phrases(f"{words.reference_words(key)[0]} {label}", grammar)
                if f.labels and f.labels[0].end == len(f"{words.reference_words(key)[0]} {label}")
            ]
            assert found, f"{node.id}: {label!r} is no label"
            if "fn" not in path.split("/"):
                said, named = found[0].labels[0].steps, printed_steps(part.targets[-1], nodes)
                assert all(step in ways for step, ways in zip(reversed(said), reversed(named), strict=False)), (
                    f"{node.id}: {label!r} → {path}"
                )
                seen += 1
    assert seen > 800


def test_a_term_is_sliced_without_the_words_around_it(texts):
    seen = 0
    for *_, nodes, node, reference in all_references(texts):
        if reference.kind == "definition":
            text = node.text if reference.where == "text" else node.heading
            (part,) = reference.parts
            term = text[part.start : part.end]
            assert (
                term[0].isalnum()
                and term[-1].isalnum()
                and nodes[part.targets[0]].heading.lower().startswith(term.lower())
            ), term
            seen += 1
    assert seen >= 2


def test_the_stored_form_keeps_the_parts(texts):
    for *_, node, reference in all_references(texts):
        assert node_from_json(node_to_json(node)) == node
        row = node_to_json(node)["references"][node.references.index(reference)]
        assert [set(p) for p in row["parts"]] == [{"start", "end", "targets"}] * len(reference.parts)


def test_a_footnote_of_a_law_is_every_note_whose_mark_stands_in_it(texts):
    """Each law of each edition is asked for its notes, in the words of its language; some have none, one or several."""
    counts = set()
    for edition, _, words, nodes in texts:
        if not words.reference_words("footnote") or edition.modifies:
            continue
        laws = [n for n in nodes if n.kind == "law"]
        announced = f"{words.reference_words('footnote')[0]} {words.reference_words('law')[0]} "
        asking = [
            replace(n, text=(announced + n.path).replace("' ", "'"), tables=()) if n in laws else n for n in nodes
        ]
        asked, _ = annotate_references(asking, edition, words)
        for node in (n for n in asked if n.kind == "law"):
            inside = {
                m.target for n in nodes if n.path == node.path or n.path.startswith(f"{node.path}/") for m in n.marks
            }
            inside |= {n.id for n in nodes if n.kind == "footnote" and n.path.startswith(f"{node.path}/")}
            (reference,) = (r for r in node.references if r.where == "text")
            assert (
                set(reference.targets) == (inside or {f"{node.id}/fn/1"})
                and set(reference.missing) == set(reference.targets) - inside
            )
            assert len(reference.parts) == 1
            counts.add(min(len(inside), 2))
    assert counts == {0, 1, 2}


# ── any text ────────────────────────────────────────────────────────────────────────────────────


@given(st.lists(PIECES, max_size=14), st.sampled_from((" ", "\u00a0", "")))
def test_any_text_has_parts_in_order(pieces, gap):
    text = gap.join(pieces)
    for reference in references(text, ENGLISH):
        check_shape(text, reference)


@given(st.lists(st.sampled_from([p for p in LAWS if p.count("/") == 1]), min_size=1, max_size=5, unique=True), AROUND)
def test_a_list_has_a_part_for_every_label(paths, around):
    cited = [p.replace("/", "") for p in paths]
    text = f"{around[0]}Laws {', '.join(cited)}{around[1]}"
    (reference,) = [r for r in references(text, ENGLISH) if r.surface.startswith("Laws")]
    assert [(text[p.start : p.end], p.targets) for p in reference.parts] == [
        (c, (f"book/{p}",)) for c, p in zip(cited, paths, strict=False)
    ]


@given(st.integers(1, 92), st.integers(1, 8), st.sampled_from(("–", "-", " to ", " — ")))
def test_a_range_has_a_part_for_each_end(first, more, dash):
    last = min(first + more, 93)
    text = f"Laws {first}{dash}{last} apply"
    (reference,) = references(text, ENGLISH)
    every = tuple(f"book/{n}" for n in range(first, last + 1))
    assert [(text[p.start : p.end], p.targets) for p in reference.parts] == [
        (str(first), every[:1]),
        (str(last), every),
    ]
