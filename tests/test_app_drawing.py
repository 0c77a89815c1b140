"""A page is a body, which is an edition's, and a frame, which is the
site's: the body holds none of the site's words.
"""

from __future__ import annotations

import re

import pytest
from app_site import client, page, site  # noqa: F401
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import meta, nodes

from app.site import reader
from app.site.atlas import Atlas
from app.site.drawing import Drawer, LabelLink, TermUse, TextRun
from corpus.model import CONTAINER_KINDS

EDITIONS = ["hr-1997", "pl-1997", "pl-2007", "pzbs-2017", "sk-2017"]
# What a body shows beside the words of its text: signs at slips, and the citation where the labels do not tell it.
SIGNS = "a.sic, sup.mark, sup:has(a.mark), .beside, .lacking"


@pytest.fixture(scope="module")
def atlas(library) -> Atlas:
    return Atlas(library)


def pages_of(library, edition: str):
    """The nodes of an edition that have a page of their own."""
    return list(
        {
            library.page_node_of(n).id: library.page_node_of(n)
            for n in library.nodes_of(edition)
            if n.kind != "footnote"
        }.values()
    )


def drawn(site, lang: str, *bodies) -> str:
    """Bodies as provision.html draws them on a page in a language, without what the site says or hangs on them."""
    with site.test_request_context(f"/?ui={lang}"):
        assert reader.ui_language() == lang
        template = site.jinja_env.get_template("provision.html").make_module({"ui": lang})
        drawn = "".join(template.provision(b, level=1, ids=True) for b in bodies)
        # Each of its links is in the language of the page, and the body is the same without.
        assert drawn.count(f"ui={lang}") == drawn.count("ui=") >= drawn.count('href="/')
        return re.sub(r"(\?|&amp;)ui=\w+", "", drawn)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_body_is_the_same_in_every_language_of_the_site(site, library, atlas, edition):
    bodies = [Drawer(atlas).body(n) for n in pages_of(library, edition)]
    assert len(bodies) > 5
    assert len({drawn(site, lang, *bodies) for lang in reader.LANGUAGES}) == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_body_shows_the_words_of_its_text_and_no_others(site, library, atlas, edition):
    for node in pages_of(library, edition):
        soup = BeautifulSoup(drawn(site, reader.DEFAULT_LANGUAGE, Drawer(atlas).body(node)), "html.parser")
        assert not soup.select("[title], [lang], .why")
        captions = {t.caption for n in library.nodes_inside(node) for t in n.tables}
        assert {e["aria-label"] for e in soup.select("[aria-label]")} <= captions
        for sign in [*soup.select(SIGNS), *soup.select("caption")]:
            sign.decompose()
        inside = (
            [n for n in library.subtree_of(node) if n.kind != "footnote"]
            if node.kind not in CONTAINER_KINDS
            else [node]
        )
        words = "".join(f"{n.label or ''}{n.heading or ''}" + n.text for n in inside)
        assert sorted(letters(soup.get_text())) == sorted(letters(words)), node.id


def letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_the_macro_of_a_provision_knows_no_word_of_the_site(site):
    source = site.jinja_env.loader.get_source(site.jinja_env, "provision.html")[0]
    tree = site.jinja_env.parse(source)
    assert not meta.find_undeclared_variables(tree), "it takes nothing from the page around it"
    assert {n.name for n in tree.find_all(nodes.Name)} & set(site.jinja_env.globals) == {"url"}
    assert not list(tree.find_all((nodes.Import, nodes.Include, nodes.FromImport)))


def test_one_macro_draws_provisions(site):
    """No other template writes the element of a provision but the frame of a law, around its own heading."""
    env = site.jinja_env
    guilty = [t for t in env.list_templates() if re.search(r'class="prov[ "]', env.loader.get_source(env, t)[0])]
    assert sorted(guilty) == ["law.html", "provision.html"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_pieces_are_the_text_whatever_stands_on_it(atlas, library, edition):
    """Whatever is marked, no character is lost and none is drawn twice: the runs joined are the words, blanks aside."""
    match = frozenset({"a", "i", "je", "karta", "board"})
    drawer = Drawer(atlas, match, atlas.corrections_by_node)
    for node in library.nodes_of(edition):
        for where in ("label", "heading"):
            assert letters(joined(getattr(drawer, where)(node))) == letters(getattr(node, where) or ""), node.id
        blocks = drawer.blocks(node, 0, len(node.text))
        cells = [p for b in blocks for p in ([b.pieces] if b.form == "paragraph" else [c for r in b.rows for c in r])]
        assert letters("".join(map(joined, cells))) == letters(node.text), node.id


def joined(pieces) -> str:
    return "".join(
        p.text if isinstance(p, TextRun) else joined(p.pieces) if isinstance(p, LabelLink | TermUse) else ""
        for p in pieces
    )


@given(data=st.data())
def test_any_stretch_of_a_text_can_be_drawn(atlas, library, data):
    node = data.draw(st.sampled_from([n for n in library.nodes.values() if len(n.text) > 40 and not n.tables][::9]))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(node.text))] * 2)))
    blocks = Drawer(atlas, corrected=atlas.corrections_by_node).blocks(node, start, end)
    assert letters("".join(joined(b.pieces) for b in blocks)) == letters(node.text[start:end])


def test_a_preview_keeps_the_label_of_a_provision_whose_words_are_all_in_its_parts(client, library):
    """50D1 has no words of its own: its label stands before those of its parts."""
    assert not library.nodes["pl-2007/50/D/1"].text
    labels = [e.text for e in page(client, "/peek/pl-2007/50/D").select(".label")]
    assert labels[:2] == ["1.", "(a)"]
