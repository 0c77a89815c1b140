"""Rules of the site's rooms: who knows whom, who makes an address, what a template may use, how long its lines are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import pytest
from app_site import site  # noqa: F401
from jinja2 import meta, nodes

from app.site import wording
from app.site.page import TEMPLATE_GLOBALS, SitePage, TemplateContext
from corpus.model import Kind

APP = Path(__file__).parent.parent / "app"
CODE = sorted(APP.rglob("*.py"))
TEMPLATES = sorted([*APP.rglob("templates/*.html"), *APP.rglob("templates/*.xml")])
# A stroke or a question mark that begins an address, joined to something else.
BY_HAND = re.compile(r"""f["'][/?]|["'][/?][\w/.-]*["'] ?[+%]|urlencode|\bquote\(""")
PRINTED = re.compile(r"""(?:href|action|src)=["'](?:[/?]|\{\{ ?["'])|\{\{[^}]*["'][/?][^}]*\}\}|urlencode""")
GETTEXT = {"_", "ngettext"}


def named(path: Path) -> str:
    return str(path.relative_to(APP))


def pages() -> list[type[SitePage]]:
    """The kinds of pages; the application has imported all of them."""
    return sorted(SitePage.__subclasses__(), key=lambda c: c.__name__)


def test_there_are_rooms(site):
    assert len(CODE) > 30 and len(TEMPLATES) > 15 and len(pages()) > 10
    assert len({p.name for p in TEMPLATES}) == len(TEMPLATES), "templates are found by their names alone"


@pytest.mark.parametrize("path", [p for p in CODE if len(p.relative_to(APP).parts) > 1], ids=named)
def test_a_kind_of_page_knows_itself_and_what_all_share(path):
    own = path.relative_to(APP).parts[0]
    known = set(re.findall(r"^\s*(?:from|import) app\.(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert known <= {own, "site"}, f"app/{named(path)} may import app.site and app.{own} only."


@pytest.mark.parametrize("path", [p for p in CODE if named(p) != "site/addresses.py"], ids=named)
def test_addresses_are_made_in_one_module(path):
    assert not BY_HAND.findall(path.read_text(encoding="utf-8")), f"{named(path)}: ask app.site.addresses"


@pytest.mark.parametrize("path", TEMPLATES, ids=named)
def test_templates_ask_for_addresses(path):
    assert not PRINTED.findall(path.read_text(encoding="utf-8")), f"{named(path)}: ask url"


@pytest.mark.parametrize("path", TEMPLATES, ids=named)
def test_a_line_of_a_template_can_be_read(path):
    assert not [n for n, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1) if len(line) > 160]


@pytest.mark.parametrize("path", TEMPLATES, ids=named)
def test_a_template_uses_its_page_and_what_all_know(site, path):
    tree = site.jinja_env.parse(path.read_text(encoding="utf-8"))
    found = meta.find_undeclared_variables(tree) - own_names(tree)
    assert found <= {"page", *(f.name for f in fields(TemplateContext)), *TEMPLATE_GLOBALS, *GETTEXT}


def own_names(tree: nodes.Template) -> set[str]:
    """What a template sets, imports and defines at its top, which its blocks may use."""
    out = {n.name for n in tree.body if isinstance(n, nodes.Macro)}
    out |= {n.target for n in tree.body if isinstance(n, nodes.Import)}
    return out | {n.target.name for n in tree.body if isinstance(n, nodes.Assign)}


def test_a_template_asks_its_page_for_what_it_has(site):
    """Also in the pieces that it imports or includes; what all pages share asks for nothing that one lacks."""
    asked = 0
    for kind in pages():
        has = {f.name for f in fields(kind)} | {n for n, v in vars(kind).items() if isinstance(v, property)}
        for wanted in attributes(site.jinja_env, kind.template):
            assert wanted in has, f"{kind.template} asks {kind.__name__} for {wanted}"
            asked += 1
    assert asked > 80


def attributes(env, template: str) -> set[str]:
    """The attributes of ``page`` that a template asks for, the one that it extends left out."""
    tree = env.parse(env.loader.get_source(env, template)[0])
    found = {n.attr for n in tree.find_all(nodes.Getattr) if isinstance(n.node, nodes.Name) and n.node.name == "page"}
    for other in tree.find_all((nodes.Import, nodes.Include)):
        found |= attributes(env, other.template.value)
    return found


def test_every_field_of_a_page_is_documented(site):
    for kind in [*pages(), TemplateContext]:
        for f in fields(kind):
            assert f"``{f.name}``" in (kind.__doc__ or ""), f"{kind.__name__}.{f.name}"


def test_what_a_page_holds_cannot_be_changed(site):
    """Frozen values of tuples all the way down, as far as they are made in this house."""
    seen: set[type] = set()

    def held(hint) -> Iterator[object]:
        yield hint
        for inner in get_args(hint):
            yield from held(inner)
        if is_dataclass(hint) and hint.__module__.startswith("app.") and hint not in seen:
            seen.add(hint)
            assert hint.__dataclass_params__.frozen, hint
            for name, told in get_type_hints(hint).items():
                if name in {f.name for f in fields(hint)}:
                    yield from held(told)

    for kind in pages():
        for hint in held(kind):
            assert get_origin(hint) not in (list, dict, set) and hint not in (list, dict, set), (kind, hint)
    assert len(seen) > 30


def test_every_kind_of_a_node_has_a_word_of_the_site():
    assert set(wording.NODE_KINDS) == set(get_args(Kind))
