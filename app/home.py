"""The home page, the jump field (``/go``), the health check (``/healthz``), and the files that every site has.

:func:`home_page` builds the page model. :class:`HealthChecks` asks the search questions that are made from the texts.
"""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, current_app, g, jsonify, redirect, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as BaseResponse

from app.site import addresses, reader
from app.site.answers import HealthJson
from app.site.atlas import Atlas
from app.site.errors import RETRY_SECONDS
from app.site.lookup import canonical_path
from app.site.page import SitePage
from app.site.snapshot import RefusedGeneration, SearchService, Snapshot, current_snapshot
from corpus.edition import Identity
from corpus.generation import StoreError
from corpus.library import Library
from corpus.model import Node, NodeId
from corpus.situation.model import Situation
from corpus.time_limit import limit_time

# -- The health check ---

FAULT_SECONDS = 5.0  # how long a result is reused, so that frequent requests cost nothing
MOST_TRIES = 3  # words that are tried; one of them must find its law
SHORTEST_WORD = 4  # letters of a word that is searched for
MOST_HITS = 100  # hits among which the right one must be: an inflected form may make a rare word common


class HealthChecks:
    """Checks the search and keeps the last result, for the same generation, for ``FAULT_SECONDS``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: tuple[str, float, str] | None = None

    def find_fault(self, snapshot: Snapshot) -> str:
        """Return what is wrong, in a sentence with what to do; empty if all test questions are answered correctly."""
        # Others wait for the result, so the check waits for nobody and has no limit of its own.
        with self._lock, limit_time(None):
            now = time.monotonic()
            if self._found and self._found[0] == snapshot.digest and now - self._found[1] < FAULT_SECONDS:
                return self._found[2]
            fault = _find_fault(snapshot)
            self._found = snapshot.digest, now, fault
            return fault


def _find_fault(snapshot: Snapshot) -> str:
    try:
        wrong = next(find_search_faults(snapshot.library, snapshot.search), "")
    except Exception as error:  # noqa: BLE001 – whatever is wrong, the next move is the same
        wrong = f"A question ended in {type(error).__name__}"
    return f"{wrong}. Run: lexbridge build" if wrong else ""


def find_search_faults(library: Library, search: SearchService) -> Iterator[str]:
    """Yield a phrase for each test question that the search answers wrongly, edition by edition."""
    if not library.editions:
        yield "There is no edition"
    for edition in library.editions:
        laws = library.laws_of(edition)
        if not laws:
            continue
        law = laws[len(laws) // 2]
        hits = search.answer(law.citation, editions=(edition,), limit=1).hits
        if [hit.node.id for hit in hits] != [law.id]:
            yield f"{law.id} is not found by its number"
        if not any(n.text.strip() for n in library.nodes_of(edition)):
            yield f"{edition} has no words"
        if (words := _rare_words(laws)) and not any(_finds_law(search, edition, word, laws) for word in words):
            yield f"{edition}: “{words[0]}” finds nothing under a heading that has it, and neither do others"


def _finds_law(search: SearchService, edition: str, word: str, laws: list[Node]) -> bool:
    """Whether a word finds something in a law that has the word in its heading."""
    under = [n for n in laws if word in _heading_words(n)]
    hits = search.answer(word, editions=(edition,), limit=MOST_HITS).hits
    return any(law.id.contains(hit.node.id) for hit in hits for law in under)


def _rare_words(laws: list[Node]) -> list[str]:
    """Return the words that the fewest headings have; of equally rare words the longest first.

    There are several, because any one of them may be a stop word or may mean much else in the texts.
    """
    often = Counter(word for n in laws for word in _heading_words(n))
    return sorted(often, key=lambda word: (often[word], -len(word), word))[:MOST_TRIES]


def _heading_words(node: Node) -> set[str]:
    return {w for w in re.findall(r"[^\W\d_]+", (node.heading or "").lower()) if len(w) >= SHORTEST_WORD}


# -- The home page ---


@dataclass(frozen=True)
class HomePage(SitePage):
    """The home page.

    ``matrix`` holds (year, editions of the year for each of ``langs``). ``laws`` and ``definitions`` are those of the
    ``chosen`` edition of ``all``. ``examples`` are queries to try. ``tiles`` are the commonest situations;
    ``code``, one of ``codes``, is the one to which they lead. ``count`` is the number of all situations.
    """

    template: ClassVar[str] = "home.html"
    langs: tuple[str, ...]
    matrix: tuple[tuple[int, tuple[tuple[Identity, ...], ...]], ...]
    chosen: Identity
    all: tuple[Identity, ...]
    laws: tuple[Node, ...]
    definitions: Node | None
    examples: tuple[str, ...]
    codes: tuple[str, ...]
    code: str
    tiles: tuple[Situation, ...]
    count: int

    @property
    def codes_shown(self) -> tuple[str, ...]:
        """The codes whose tiles can be shown."""
        return self.codes


def home_page(atlas: Atlas, chosen: Identity, code: str) -> HomePage:
    """Build the home page: the commonest situations in a code, the editions by year and language, the laws of one
    edition.
    """
    situations = atlas.library.situations.values()
    tiles = sorted((s for s in situations if s.tile), key=lambda s: s.tile)
    langs = tuple(dict.fromkeys(e.lang for e in atlas.library.law_editions))
    years = sorted({e.year for e in atlas.editions_in_order})
    cell = lambda year, lang: tuple(e for e in atlas.editions_in_order if (e.year, e.lang) == (year, lang))
    return HomePage(
        langs=langs,
        matrix=tuple((year, tuple(cell(year, lang) for lang in langs)) for year in years),
        chosen=chosen,
        all=atlas.editions_in_order,
        laws=tuple(atlas.library.laws_of(chosen.id)),
        definitions=atlas.library.node_at(chosen.id, "def"),
        examples=tuple(reader.EXAMPLES.get(reader.ui_language(), ())),
        codes=atlas.codes,
        code=code,
        tiles=tuple(tiles),
        count=len(situations),
    )


# -- Addresses ---

blueprint = Blueprint("home", __name__)


def addresses_to_prerender(_atlas: Atlas) -> Iterable[str]:
    """Return the addresses whose pages are rendered when the generation is built."""
    return [addresses.home()]


@blueprint.get("/")
def home() -> str:
    """Show the search box, the commonest situations, the editions by year and language, and the laws of one edition."""
    atlas = current_snapshot().atlas
    code = reader.code_in_address(atlas.codes)
    named = atlas.library.editions.get(request.args.get("edition", ""))
    return home_page(atlas, named or atlas.default_edition(reader.ui_language(), code), code).render()


@blueprint.get("/go")
def go() -> BaseResponse:
    """Answer the jump field: open the cited provision in the edition, or else search."""
    atlas, typed = current_snapshot().atlas, request.args.get("n", "").strip()[: addresses.MAX_CITATION_LENGTH]
    edition = request.args.get("edition", "")
    if edition in atlas.library.editions:
        if not typed:
            return redirect(addresses.redirect_address(addresses.contents(edition)))
        if path := canonical_path(atlas.library, edition, typed):
            return redirect(addresses.redirect_address(addresses.law(NodeId.of(edition, path))))
    return redirect(addresses.redirect_address(addresses.search(typed)))


@blueprint.record
def _add_health_checks(setup: BlueprintSetupState) -> None:
    setup.app.extensions["health"] = HealthChecks()


@blueprint.get("/healthz")
@reader.for_programs
def healthz() -> Response:
    """Return which generation is served, and 200 if test questions are answered correctly, else 503.

    With ``?strict=1`` the served generation must also be the current one.
    """
    try:
        snapshot = current_snapshot()
        fault = current_app.extensions["health"].find_fault(snapshot)
    except StoreError as missing:
        snapshot, fault = None, str(missing)
    state = g.state
    served, current, refused = snapshot.digest if snapshot else None, state.current(), state.refusals()
    health: HealthJson = {
        "served": served,
        "current": current,
        "refused": [{"digest": r.digest, "why": r.why, "since": r.since} for r in refused],
        "pages": "built" if snapshot and snapshot.packs.page_version else "drawn",
        "search": ("learned" if snapshot.search.has_learned else "words") if snapshot else None,
        "reason": fault or _why_not_current(served, current, refused),
        "notice": (snapshot.why_drawn or None) if snapshot else None,
    }
    response = jsonify(health)
    response.headers["Cache-Control"] = "no-store"
    if fault or (request.args.get("strict") == "1" and current != served):
        response.status_code = 503
        response.headers["Retry-After"] = RETRY_SECONDS
    return response


def _why_not_current(served: str | None, current: str | None, refused: Iterable[RefusedGeneration]) -> str | None:
    """Return why the served generation is not the current one; None if it is."""
    if current == served:
        return None
    if current is None:
        return "No generation is current. Run: lexbridge build"
    return next((refusal.why for refusal in refused if refusal.digest == current), "It is being opened.")


@blueprint.get("/favicon.ico")
@reader.for_programs
def favicon() -> BaseResponse:
    """Redirect to the icon. Browsers request this address by themselves."""
    return redirect(addresses.static("icon.svg"), 301)


@blueprint.get("/robots.txt")
@reader.for_programs
def robots() -> Response:
    """Allow everything except addresses without end, such as comparisons and searches."""
    return Response(
        "User-agent: *\nDisallow: /search\nDisallow: /compare/\nDisallow: /peek/\nDisallow: /scan/\nDisallow: /go\n"
        "Disallow: /settings\n",
        mimetype="text/plain",
    )
