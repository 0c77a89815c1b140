"""Decisions on a code beside its provisions: whose they are, where they are in force, and that they are no law."""

from __future__ import annotations

from app_site import client, page, site  # noqa: F401


def deciding(library):
    """(edition of decisions, its points)."""
    rows = [(e, library.laws_of(e.id)) for e in library.editions.values() if e.is_decisions]
    assert rows
    return rows


def test_decisions_can_be_switched_off(client):
    assert page(client, "/sk-2017/40").select(".decision a[href^='/pzbs-2017/']")
    assert not page(client, "/sk-2017/40?decisions=0").select(".decision")


def test_every_decision_says_whose_it_is_where_it_is_in_force_and_what_it_does_after_the_words_of_the_law(
    client, library, site
):
    """On every page of the code: after the provision's own words and parts;
    open for readers of that country's language only.
    """
    seen = set()
    for edition, points in deciding(library):
        for ui, country, opened in (
            ("pl", "Polska", True),
            ("sk", "Poľsko", False),
            ("hr", "Poljska", False),
            ("en", "Poland", False),
        ):
            for law in [*library.laws_of("sk-2017"), library.node_at("sk-2017", "def")]:
                soup = page(client, f"/{law.id}?ui={ui}")
                for box in soup.select(".decision"):
                    assert edition.body in box.summary.get_text() and country in box.select_one(".who").get_text()
                    assert (box.name, box.has_attr("open")) == ("details", opened)
                    assert box["data-decision"] in ("modifies", "explains")
                    assert not box.find_next_siblings(["p", "div"]), (
                        f"{law.id}: words of the law stand after the decision"
                    )
                    point = library.nodes[box.select_one('a[href^="/"]')["href"].partition("#")[0].lstrip("/")]
                    assert edition.decisions.kind_by_point[point.path] == box["data-decision"]
                    seen.add(point.id)
        # One point is about a provision that the text of this code does not have.
        assert len(seen) >= len(points) - 1


def test_under_a_superseded_text_one_folded_line_leads_to_the_decision_on_the_corresponding_provision(client):
    for url, point, on in (
        ("/pl-2007/16/B/2", "/pzbs-2017/4", "/sk-2017/16/B/2"),
        ("/hr-1997/45/A", "/pzbs-2017/19", "/sk-2017/45/A"),
    ):
        for ui in ("pl", "hr"):
            box = page(client, f"{url}?ui={ui}").select_one('[aria-current="true"] > .decision')
            assert not box.has_attr("open") and "2017" in box.summary.get_text()
            assert [a["href"].partition("#")[0] for a in box.select("a")] == [point, on]
            assert not box.select("div"), "what the decision says is not told under a text that it does not modify"


def test_a_decision_modifies_or_explains_and_is_no_step_in_a_provisions_life(client, library):
    said = {"modifies": "adds to or varies: ", "explains": "confirms or explains: "}
    for edition, points in deciding(library):
        assert set(edition.decisions.kind_by_point) == {p.path for p in points}
        for point in points:
            soup = page(client, f"/{point.id}?ui=en")
            assert not soup.select(".lineage, .twins, [data-relation]"), point.id
            line = soup.select_one(".concerns")
            kind = edition.decisions.kind_by_point[point.path]
            assert line is None or (line["data-decision"] == kind and line.get_text().startswith(said[kind])), point.id


def test_the_order_of_precedence_names_its_country_and_what_comes_before(client):
    who = page(client, "/sk-2017/40/B/1?ui=pl").select_one(".decision .who").get_text()
    assert "Polska" in who and who.rstrip().endswith("Międzynarodowe Prawo Brydżowe 2017")
    assert (
        "(Poland)"
        in next(h for h in page(client, "/pzbs-2017/about?ui=en").select("h2") if "precedence" in h.text).text
    )


def test_a_decision_is_cited_by_the_name_that_its_text_gives_its_points(client):
    assert "punkt 3.1" in page(client, "/cite/pzbs-2017/3/1?ui=pl").select("blockquote")[1].text
