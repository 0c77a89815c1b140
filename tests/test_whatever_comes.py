"""No manifest, no text and no web page makes the reader raise; every character of what it reads is somewhere."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strangers import LEVELS, write_edition
from test_check import KEYS, WITH_BREAK, problems

from corpus import ingest
from tests.budget import examples

# ── manifests and texts ─────────────────────────────────────────────────────────────────────────

ANY = st.recursive(
    st.one_of(
        st.text(max_size=8), st.integers(-5, 10**6), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["path", "start", "kind", "labels", "name", "pattern", "scope", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
KEYS_KNOWN = [
    "title",
    "lang",
    "year",
    "sha256",
    "laws",
    "levels",
    "parts",
    "headed",
    "tables",
    "drop",
    "split",
    "notes",
    "definitions",
    "placements",
    "indent",
    "links",
    "precedence",
    "unknown",
]
slow = settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def as_toml(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {as_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(c):08X}" if not c.isalnum() else c for c in value) + '"'
    return repr(value)


@slow
@given(values=st.dictionaries(st.sampled_from(KEYS_KNOWN), ANY, min_size=1, max_size=4))
def test_no_manifest_raises(values, tmp_path_factory):
    keys = "".join(f"{k} = {as_toml(v)}\n" for k, v in values.items() if k not in ("title", "lang", "year", "sha256"))
    levels = "" if "levels" in values else LEVELS
    corpus = write_edition(
        tmp_path_factory.mktemp("fuzz"), WITH_BREAK, keys if "laws" in values else 'laws = "1–3"\n' + keys, levels
    )
    for problem in problems(corpus):
        assert problem.finding and problem.move and problem.line >= 1


PIECES = st.sampled_from(
    [
        "LAW 1 — ONE\n",
        "LAW 2 — TWO",
        "LAW 3 — THREE\n",
        "A. ",
        "B. ",
        "1. ",
        "2. ",
        "(a) ",
        "(b) ",
        "(i) ",
        "* ",
        "*",
        "\n",
        "\n\n",
        " ",
        "\t",
        "\f",
        "\u00a0",
        "\u00ad\n",
        "word ",
        "Word",
        "end.\n",
        "see Law 2A",
        "PREFACE\n",
        "BREAK\n",
        "-",
        "–",
        "\r\n",
        "\ufeff",
        "é",
        "漢",
    ]
)


@slow
@given(pieces=st.lists(PIECES | st.text(max_size=5), max_size=60))
def test_no_source_raises_and_every_character_is_somewhere(pieces, tmp_path_factory):
    corpus = write_edition(tmp_path_factory.mktemp("fuzz"), "".join(pieces).encode("utf-8", "replace"), KEYS)
    result = ingest.read_editions(corpus)
    for reading in result.readings.values():
        assert result.fatal_problems or not reading.unaccounted
        assert not any("two nodes" in str(p) for p in reading.problems)
    for problem in result.problems:
        assert problem.finding and problem.move and problem.line >= 1


# ── HTML ──────────────────────────────────────────────────────────────────────────────────────────

INLINE = st.sampled_from(
    [
        "word ",
        "&amp;",
        "&eacute;",
        "&nbsp;",
        "&#160; ",
        "<b>bold</b> ",
        "<i>x",
        "</i>",
        "&#233;",
        "<!-- A. -->",
        "<br>",
        "<a href='#n'>1</a>",
        "<sup>2</sup>",
        "\n",
        "  ",
        "a < b ",
        "A. ",
        "1. ",
    ]
)
BLOCK = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<ol>",
        "</ol>",
        "<ol type='A'>",
        "<li>",
        "</li>",
        "<table>",
        "<tr>",
        "<td>",
        "<th>",
        "</td>",
        "</tr>",
        "</table>",
        "<div>",
        "</div>",
        "<h3>LAW 1 — ONE</h3>",
        "<h3>LAW 2 — TWO</h3>",
        "<h3>LAW 3 — THREE</h3>",
        "<dl><dt>term</dt><dd>meaning</dd></dl>",
        "<ul><li>dot</ul>",
        "<script>if (a < b) {}</script>",
        "<pre> x\n y</pre>",
    ]
)


@settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(BLOCK | INLINE, max_size=40))
def test_no_web_page_raises_and_every_character_is_somewhere(tmp_path_factory, pieces):
    corpus = write_edition(
        tmp_path_factory.mktemp("web"),
        "<html><head><title>x</title></head><body><h3>LAW 1 — ONE</h3>" + "".join(pieces),
        'laws = "1–3"\nparagraphs = "lines"\n',
        file="source.html",
    )
    result = ingest.read_editions(corpus)
    assert not any("two nodes" in str(p) or "no node" in str(p) for p in result.problems), [
        str(p) for p in result.problems
    ]
