"""Every citation leads to its path as translators print it, and no text whatever breaks the search for references."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from reference_tree import AROUND, ENGLISH, HERE, LAWS, NODES, PIECES, references, targets

from corpus import address
from corpus.reference.grammar import clean_text
from tests.budget import examples


def printed(path: str, style: str) -> str:
    """A path as translators print it."""
    steps = path.split("/")
    if style == "cited":
        return address.cite(path)
    if style == "close":
        return "".join(s if len(steps) < 5 or i < 4 else f"({s})" for i, s in enumerate(steps))
    if style == "dotted":
        return ".".join(steps)
    return " ".join(steps[:3]) + "".join(f" ({s})" for s in steps[3:])


PRINTED = st.sampled_from(LAWS).flatmap(
    lambda p: st.tuples(st.just(p), st.sampled_from(("cited", "close", "dotted", "spaced")))
)


@given(PRINTED, st.sampled_from(ENGLISH.reference_words("law")), AROUND)
def test_a_printed_citation_leads_to_its_path(citation, word, around):
    path, style = citation
    assert targets(f"{around[0]}{word} {printed(path, style)}{around[1]}", ENGLISH) == [path]


@given(st.lists(st.sampled_from(LAWS), min_size=2, max_size=4, unique=True), st.sampled_from(("and", "or")))
def test_a_list_of_citations_leads_to_all(paths, word):
    cited = [address.cite(p) for p in paths]
    # "12C1 or 2": a number that can go on from the one before is read as going on.
    if any(b.isdigit() and a[-1].isdigit() and not a.isdigit() for a, b in itertools.pairwise(cited)):
        return
    assert targets(f"Laws {', '.join(cited[:-1])} {word} {cited[-1]}.", ENGLISH) == paths


@given(
    st.sampled_from([(a, b) for a in range(1, 94) for b in (a + 1, a + 2, a + 7) if b < 94]),
    st.sampled_from(("–", "-", " to ", " — ")),
)
def test_a_range_leads_to_all_between(ends, dash):
    first, last = ends
    assert targets(f"Laws {first}{dash}{last}", ENGLISH) == [str(n) for n in range(first, last + 1)]


@given(
    st.sampled_from([p for p in LAWS if p.count("/") in (1, 2, 3, 4)]),
    st.sampled_from(("section {}", "see {}", "{} below", "{} above")),
)
def test_a_label_from_its_section_on_is_sought_in_the_law_where_it_stands(path, frame):
    law, _, rest = path.partition("/")
    steps = rest.split("/")
    label = "".join(steps[:2]) + "".join(f"({s})" for s in steps[2:])
    assert targets(frame.format(label), ENGLISH, at=law) == [path]


@given(st.sampled_from([p for p in LAWS if p.count("/") == 3 and p != HERE]))
def test_a_bracket_is_a_sibling(path):
    letter = path.rpartition("/")[2]
    for at in (p for p in NODES if p.rpartition("/")[0] == path.rpartition("/")[0] and p != path):
        assert targets(f"as in ({letter})", ENGLISH, at=at) == [path]


@settings(max_examples=examples(300))
@given(st.lists(PIECES, max_size=14), st.sampled_from((" ", "\u00a0", "")))
def test_any_text_is_annotated_and_sliced(pieces, gap):
    text = gap.join(pieces)
    end = 0
    for r in references(text, ENGLISH):
        assert text[r.start : r.end] == r.surface and r.start >= end and r.targets
        end = r.end


@given(st.text())
def test_cleaning_keeps_every_offset(text):
    assert len(clean_text(text)) == len(text) and clean_text(clean_text(text)) == clean_text(text)


@given(st.text(max_size=60))
def test_no_text_breaks_the_search(text):
    for r in references(text, ENGLISH):
        assert text[r.start : r.end] == r.surface
