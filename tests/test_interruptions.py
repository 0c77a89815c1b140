"""A sentence that a footnote interrupts stays whole and in its own provision."""

import pytest

CASES = [
    ("sk-2017", "9/A/1", "bez ohľadu na to, či so svojou hláškou je alebo nie je na rade."),
    ("sk-2017", "16/B/2", "mohlo dôjsť k poškodeniu, môže súperom oznámiť"),
    ("sk-2017", "50/E/3", None),
]


@pytest.mark.parametrize("edition, path, words", CASES)
def test_the_rest_of_the_sentence_follows_its_beginning(library, edition, path, words):
    node = library.node_at(edition, path)
    assert (words is None and "\n\n" not in node.text) or words in node.text


def test_no_section_begins_in_mid_sentence(library):
    """Own text of a container that begins in small letters is the rest of somebody else's sentence."""
    lost = [
        n.id
        for n in library.nodes.values()
        if n.kind in ("section", "law") and n.heading and n.children and n.text[:1].islower()
    ]
    assert not lost
