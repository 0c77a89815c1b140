"""The addresses of an edition: contents, about, every provision in its law, alone, and as its source has it.

``blueprint`` is registered by :func:`app.create_app`. The module also redirects citations (``/id/2017/16D2``,
``/16D2``) and makes the page model of a provision's source (:func:`scan_page`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from app.law.page import DisplayOptions, contents_page
from app.law.provision import about_page, peek_page, render_provision_page, selected_nodes, selection_page
from app.site import addresses, reader
from app.site.atlas import Atlas
from app.site.lookup import canonical_path, match_edition_id, node_or_404, possible_paths
from app.site.page import SitePage
from app.site.snapshot import current_snapshot
from corpus.corrections import CorrectedSpan
from corpus.edition import Identity
from corpus.letters import fold
from corpus.library import Library
from corpus.model import Correction, Node, NodeId, Text

# -- Redirects of citations ---

citations = Blueprint("cited", __name__)


@citations.get("/id/<code>/")
@citations.get("/id/<code>/<path:typed>")
def redirect_to_code(code: str, typed: str = "") -> Response:
    """Redirect to a provision in the reader's edition of a code, else in another edition of the code that has it.

    ``typed``: the citation or path in the address. Without it: redirect to the contents of the reader's edition.
    """
    atlas = current_snapshot().atlas
    found = (
        (e.id, canonical_path(atlas.library, e.id, typed))
        for e in atlas.editions_of_code(code, reader.redirect_language())
    )
    edition, path = next(((e, path) for e, path in found if path or not typed), (None, None))
    return _redirect_to_provision(edition, path or "") if edition else abort(404)


def redirect_to_citation(typed: str) -> Response:
    """Redirect an address that is only a citation (``typed``) to the provision in the code that ``?code=`` names, else
    in the one that the reader chose, else in the one in force: in the reader's language where that code has such a
    text. Raises 404 when it is no citation, or no text of that code or of the one in force has the provision.

    It is tried when an address is neither a page nor an edition.
    """
    atlas, lang = current_snapshot().atlas, reader.redirect_language()
    wanted = (request.args.get(reader.CODE_COOKIE), reader.chosen_code(), *atlas.codes[:1])
    codes = dict.fromkeys([*[code for code in wanted if code in atlas.codes][:1], *atlas.codes[:1]])
    texts = [e for code in codes for e in atlas.editions_of_code(code, lang)]
    ways = ((e.id, canonical_path(atlas.library, e.id, typed)) for e in texts if possible_paths(atlas.library, typed))
    edition, path = next(((e, path) for e, path in ways if path), ("", ""))
    response = _redirect_to_provision(edition, path) if path else abort(404)
    response.headers["Cache-Control"] = "private, no-store"  # it depends on the code that the reader chose
    return response


def _redirect_to_provision(edition: str, path: str) -> Response:
    """Return the redirect to a provision, with status 303: another reader may be led elsewhere.

    Of the query only the language is kept.
    """
    return redirect(addresses.redirect_address(addresses.provision(NodeId.of(edition, path))), 303)


# -- A provision beside its source ---

_SPAN_PATTERN = re.compile(r"(\d{1,7})\.(\d{1,6})-(\d{1,6})")


@dataclass(frozen=True)
class Span:
    """Characters of a line of the source: columns ``start`` to ``end``, 1-based, ``end`` excluded."""

    line: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.line}.{self.start}-{self.end}"


@dataclass(frozen=True)
class Word:
    """A word, or the blanks between two words.

    ``spans``: where its characters stand in the source; ``fixed``: a correction changed them.
    """

    text: str
    spans: tuple[Span, ...] = ()
    fixed: bool = False


@dataclass(frozen=True)
class SourceLinePart:
    """A line of the source, or the part of it that belongs to a node. ``column``: where that part begins, 1-based."""

    number: int
    column: int
    text: str

    @property
    def words(self) -> list[Word]:
        """The words of the line and the blanks between them."""
        return [
            Word(m[0], (Span(self.number, self.column + m.start(), self.column + m.end()),) if m[0].strip() else ())
            for m in re.finditer(r"\s+|\S+", self.text)
        ]


@dataclass(frozen=True)
class ScanPage(SitePage):
    """A ``node`` of an ``edition`` beside its source.

    - ``published``: paragraphs of label, heading and text, in words.
    - ``lines``: its lines of the source.
    - ``corrections``: those in it.
    - ``rows``: rows of corrections for the words that were requested.
    """

    template: ClassVar[str] = "scan.html"
    node: Node
    edition: Identity
    published: tuple[tuple[Word, ...], ...]
    lines: tuple[SourceLinePart, ...]
    corrections: tuple[Correction, ...]
    rows: tuple[str, ...]


def scan_page(
    library: Library, node: Node, corrections: Sequence[CorrectedSpan], requested: Sequence[str] = ()
) -> ScanPage:
    """Return the page of a provision's source. ``requested``: the spans (“580.12-18”: line, columns) whose rows of
    corrections are shown. Spans outside its lines are ignored.
    """
    edition, source = library.editions[node.edition], library.source_lines(node.edition)
    own = tuple(dict.fromkeys(c.correction for c in corrections))
    shown = source_lines(source, node)
    spans = [
        Span(*map(int, m.groups())) for a in requested[: addresses.MAX_SCAN_WORDS] if (m := _SPAN_PATTERN.fullmatch(a))
    ]
    inside = [
        s
        for s in spans
        if any(s.line == at.number and at.column <= s.start <= s.end <= at.column + len(at.text) for at in shown)
    ]
    published = (
        tuple(p) for where in ("label", "heading", "text") for p in _published_paragraphs(node, where, corrections)
    )
    return ScanPage(
        node,
        edition,
        tuple(published),
        tuple(shown),
        own,
        tuple(dict.fromkeys(r for s in inside for r in correction_tsv_rows(source[s.line - 1], s, own))),
    )


def source_lines(source: Sequence[str], node: Node) -> list[SourceLinePart]:
    """Return the lines of the source that belong to a node; empty when the source is not available."""
    out = []
    for first, start, last, end in node.source_spans:
        for number in range(first, min(last, len(source)) + 1):
            text = source[number - 1]
            begin = start - 1 if number == first else 0
            part = text[begin : end if number == last else len(text)]
            if part.strip():
                blank = len(part) - len(part.lstrip())
                out.append(SourceLinePart(number, begin + blank + 1, part.strip()))
    return out


def correction_tsv_rows(line: str, span: Span, corrections: Sequence[Correction]) -> list[str]:
    """Return lines in the format of corrections.tsv for some characters of a source line, to copy from the page.

    There is one for each correction there, and one for each stretch between them, with the words unchanged.

    >>> found = correction_tsv_rows("a pl4yerbids", Span(1, 3, 13), [Correction("x", 1, 5, "4", "a", "rule", "")])
    >>> [row.split()[:4] for row in found]
    [['1', '3', 'pl', 'pl'], ['1', '5', '4', 'a'], ['1', '6', 'yerbids', 'yerbids']]
    """
    out, at = [], span.start
    for c in sorted((c for c in corrections if c.line == span.line), key=lambda c: c.column):
        end = c.column + len(c.source)
        if (c.column < span.end and end > span.start) or (not c.source and span.start <= c.column <= span.end):
            out += [
                *_unchanged_row(line, span.line, at, c.column),
                _format_row(c.line, c.column, c.source, c.published),
            ]
            at = max(at, end)
    return out + _unchanged_row(line, span.line, at, span.end)


def _unchanged_row(line: str, number: int, start: int, end: int) -> list[str]:
    words = line[start - 1 : end - 1] if start < end else ""
    at = start + len(words) - len(words.lstrip())
    return [_format_row(number, at, words.strip(), words.strip())] if words.strip() else []


def _format_row(*cells: object) -> str:
    return "\t".join((*map(str, cells), "proofread", "seen by a reader"))


def _published_paragraphs(node: Node, where: str, corrections: Sequence[CorrectedSpan]) -> list[list[Word]]:
    text = node.words_in(where)
    fixed = [c for c in corrections if c.where == where]
    places = list(text.character_places()) if isinstance(text, Text) and text.places else [()] * len(text)
    out, at = [], 0
    for paragraph in re.split(r"(\n\n)", text):
        if paragraph.strip():
            out.append(
                [_published_word(m[0], at + m.start(), places, fixed) for m in re.finditer(r"\s+|\S+", paragraph)]
            )
        at += len(paragraph)
    return out


def _published_word(word: str, start: int, places: list[tuple], fixed: list[CorrectedSpan]) -> Word:
    """Return a published word with its span in each line of the source. A word broken by a hyphen stands in two lines.

    ``start``: where the word begins in the published text. ``places``: the place of each character of that text in the
    source. ``fixed``: the corrections in that text. Characters that a correction removed inside the word or at its edge
    are part of its span.
    """
    end = start + len(word)
    if not word.strip():
        return Word(word)
    reach: dict[int, list[int]] = {}
    for line, column, *width in filter(None, places[start:end]):
        reach.setdefault(line, []).extend((column, column + (width[0] if width else 1)))
    gone = [c.correction for c in fixed if c.start == c.end and start <= c.end <= end]
    for c in gone:
        reach.setdefault(c.line, []).extend((c.column, c.column + len(c.source)))
    changed = bool(gone) or any(c.start < end and c.end > start for c in fixed)
    return Word(
        word,
        tuple(
            Span(line, min(columns), max(columns))
            for line, columns in reach.items()
            if changed or min(columns) < max(columns)
        ),
        changed,
    )


# -- Views ---

blueprint = Blueprint("law", __name__, template_folder="templates")
blueprint.register_blueprint(citations)


def addresses_to_prerender(atlas: Atlas) -> Iterable[str]:
    """Yield the addresses whose pages are rendered when the generation is built."""
    for edition in atlas.library.editions:
        yield addresses.contents(edition)
        yield addresses.about(edition)
    yield from map(addresses.provision, dict.fromkeys(atlas.page_node_of(n).id for n in atlas.library.nodes.values()))


@blueprint.get("/<edition>/")
def contents(edition: str) -> str | Response:
    """Show the contents of the edition, in the order of the book."""
    library = current_snapshot().library
    if edition not in library.editions:
        return _redirect_other_spelling(edition, addresses.contents)
    if not request.path.endswith("/"):
        return _redirect_permanently(addresses.contents(edition))
    return contents_page(library, edition).render()


@blueprint.get("/<edition>/about")
def about(edition: str) -> str | Response:
    """Show where the text of the edition is from, what was corrected, and what is missing."""
    library = current_snapshot().library
    if edition not in library.editions:
        return _redirect_other_spelling(edition, addresses.about)
    return about_page(current_snapshot().atlas, library.editions[edition]).render()


@blueprint.get("/<edition>/<path:path>")
def provision(edition: str, path: str) -> str | Response:
    """Show a provision, marked and in view on the page of its law. ``?only=``: some provisions alone."""
    library, atlas = current_snapshot().library, current_snapshot().atlas
    if match_edition_id(library, edition) is None:
        return redirect_to_citation(request.path.strip("/"))
    node = node_or_404(addresses.provision, edition, path)
    if nodes := selected_nodes(library, edition, request.args.getlist("only")):
        return selection_page(atlas, node, nodes).render()
    match = frozenset(fold(w) for w in re.findall(r"\w+", request.args.get("hl", "")[: addresses.MAX_HIGHLIGHT_LENGTH]))
    flag = lambda name: request.args.get(name) == "1"
    shown = DisplayOptions(match, request.args.get("decisions") != "0", flag("fixes"), flag("strength"))
    return Response(render_provision_page(atlas, node, shown), mimetype="text/html")


@blueprint.get("/peek/<edition>/<path:path>")
def peek(edition: str, path: str) -> str:
    """Return a provision alone, as a piece of HTML: the preview of a provision to which a reference leads."""
    return peek_page(current_snapshot().atlas, node_or_404(addresses.peek, edition, path)).render()


@blueprint.get("/scan/<edition>/<path:path>")
def scan(edition: str, path: str) -> str:
    """Show a provision as its source has it. ``?word=580.12-18`` requests the rows of corrections for these places."""
    node, atlas = node_or_404(addresses.scan, edition, path), current_snapshot().atlas
    corrections = atlas.corrections_by_node.get(node.id, ())
    return scan_page(atlas.library, node, corrections, request.args.getlist("word")).render()


def _redirect_other_spelling(edition: str, page: Callable[[str], str]) -> Response:
    """Redirect ``/PL-2007/`` to the page of the edition ``pl-2007``; ``page`` makes its address from the id. If no
    edition is meant, treat the address as a citation alone.
    """
    meant = match_edition_id(current_snapshot().library, edition)
    return _redirect_permanently(page(meant)) if meant else redirect_to_citation(request.path.strip("/"))


def _redirect_permanently(address: str) -> Response:
    """Redirect by 308 to an address of this site, with the query of this request. The address must be built from what
    the library knows, not from what the reader typed.
    """
    return redirect(addresses.add_request_query(address), 308)
