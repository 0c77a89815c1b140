"""The addresses of the JSON API.

:func:`api_route` registers a view and describes it. The type that the view returns is the type of the answer.
:mod:`app.api.objects` builds the answers. A request for something unknown gets 400 or 404 with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, TypeVar, get_args, get_type_hints

from flask import Blueprint, Response, abort, jsonify, request
from msgspec import Meta

from app.api import objects, score_objects
from app.api.description import (
    BAD_REQUEST,
    NO_INDEX,
    Bounds,
    Operation,
    Parameter,
    describe,
    fill_in_values,
    languages,
    value_lists,
    value_placeholder,
)
from app.api.objects import sheet_object, situation_object, situation_row, term_object, term_row
from app.site import addresses, answers, lookup, reader, ruling_view, score_request
from app.site.answers import HealthJson, one_of_list
from app.site.atlas import Atlas
from app.site.lookup import filter_rulings, ruling_filter_values, situation_links
from app.site.page import SitePage
from app.site.snapshot import MAX_SITUATIONS_IN_SEARCH, current_snapshot
from corpus.bid import Overcall
from corpus.compare import compare as compare_editions
from corpus.compare import find_compared_node
from corpus.generation import StoreError
from corpus.model import Kind, NodeId
from corpus.situation.model import RESERVED, read_answers, renew_answers
from corpus.term.model import search_terms
from index.classifier import SituationMatch


@dataclass(frozen=True)
class ApiPage(SitePage):
    """The page about the API. ``addresses`` holds (path, summary) of each address."""

    template: ClassVar[str] = "api.html"
    addresses: tuple[tuple[str, str], ...]


blueprint = Blueprint("api", __name__, template_folder="templates", url_prefix="/api")

Query = Annotated[str, Meta(max_length=addresses.MAX_QUERY_LENGTH)]
Language = Annotated[str, one_of_list("languages")]
BodyId = Annotated[str, one_of_list("bodies")]
RESULTS, OFFSET, SWITCH, SITUATIONS = Bounds(20, 1, 100), Bounds(0, 0, 1_000_000), Bounds(0, 0, 1), Bounds(10, 1, 100)
SITUATION_ID = Parameter("id", str, "Id of a situation.", "insufficient-bid")
NO_SITUATION = {404: "There is none of this id; the nearest is named."}


HEALTH = Operation(
    "/healthz",
    "healthz",
    "Which generation is served, and whether questions taken from it are answered rightly",
    HealthJson,
    "They are.",
    (Parameter("strict", str, "1: what is served must also be what is current."),),
    {503: "One is not, or there is nothing to ask; the reason says what to do."},
    unavailable=HealthJson,
)
operations: list[Operation] = []

View = TypeVar("View", bound=Callable[..., Mapping[str, object]])


def api_route(
    rule: str,
    summary: str,
    found: str,
    *parameters: Parameter,
    errors: Mapping[int, str] = MappingProxyType({}),
    note: str = "",
) -> Callable[[View], View]:
    """Return a decorator that registers a view at an address of the API, and adds its operation to the description.

    ``rule``: the address as Flask writes it, without the prefix of the API. The other arguments are those of
    :class:`app.api.description.Operation`.
    """

    def register(view: View) -> View:
        path = re.sub(r"<(?:\w+:)?(\w+?)_?>", r"{\1}", f"{blueprint.url_prefix}{rule}")
        answer = get_type_hints(view)["return"]
        operations.append(Operation(path, view.__name__, summary, answer, found, parameters, errors, note))
        in_query = frozenset(p.name for p in parameters if f"{{{p.name}}}" not in path)
        addresses.KNOWN_PARAMETERS[f"{blueprint.name}.{view.__name__}"] = in_query
        return blueprint.get(rule)(reader.for_programs(view))

    return register


@blueprint.get("/")
def about() -> str:
    """Show the page for people: all addresses, with examples that can be followed."""
    return ApiPage(tuple((op.path, op.summary) for op in (*operations, HEALTH))).render()


@cache
def _description() -> dict[str, Any]:
    return describe([*operations, HEALTH])


def _description_of_build(atlas: Atlas) -> bytes:
    return jsonify(fill_in_values(_description(), value_lists(atlas))).get_data()


@blueprint.get("/openapi.json")
@reader.for_programs
def openapi() -> Response:
    """Return the OpenAPI 3.1 description. Where nothing was built yet, it lacks the values that depend on the build."""
    try:
        return Response(current_snapshot().atlas.cached(_description_of_build), mimetype="application/json")
    except StoreError:
        return jsonify(_description())


@api_route("/v1/editions", "All editions", "All editions, by year.")
def editions() -> answers.EditionsJson:
    """Return all editions."""
    return {"editions": [objects.edition_object(e) for e in current_snapshot().atlas.editions_in_order]}


@api_route(
    "/v1/nodes/<edition>/<path:path>",
    "One provision or other node",
    "The node.",
    Parameter("edition", answers.EditionId, example=value_placeholder("editions", 0)),
    Parameter("path", str, "Labels joined by /, as they are.", "16/C/2"),
    errors={404: "There is no such node."},
)
def node(edition: str, path: str) -> answers.NodeJson:
    """Return one node. Only canonical addresses are accepted."""
    found = current_snapshot().library.node_at(edition, path)
    if found is None:
        abort(404, f"There is no node “{NodeId.of(edition, path)[: addresses.MAX_QUOTED_LENGTH]}”.")
    return objects.node_object(current_snapshot().atlas, found)


PREFERRED_CODE = Parameter(
    "code",
    Annotated[str, one_of_list("codes")],
    "The laws that come first; a year that the query names takes their place. Left out: none.",
    "2017",
)


@api_route(
    "/v1/search",
    "Search",
    "Results, the best first.",
    Parameter("q", Query, "A citation, or words in any language.", "16D2"),
    Parameter("lang", list[Language], "Only texts in these languages."),
    Parameter("edition", list[answers.EditionId], "Only these editions."),
    Parameter("kind", list[Kind], "Only these kinds of node."),
    Parameter(
        "without",
        list[Annotated[str, one_of_list("conditions")]],
        "For play under none of these conditions (screens, teams …): leaves out what holds only there.",
    ),
    Parameter("qlang", Language, "A hint: the language of the query."),
    PREFERRED_CODE,
    Parameter(
        "nofact",
        list[Annotated[str, one_of_list("kinds of facts")]],
        "Facts of these kinds do not count, though the query states them.",
        "accepted",
    ),
    Parameter("limit", RESULTS.type, "How many results."),
    Parameter("offset", OFFSET.type, "From which on."),
    Parameter("explain", SWITCH.type, "1: with the factors of every score."),
    errors=BAD_REQUEST | NO_INDEX,
)
def search() -> answers.AnswerJson:
    """Return the hits of a search, with the situations that the words describe."""
    q = _requested_query()
    filters = search_filters()
    limit, offset, explain = (
        _requested_number("limit", RESULTS),
        _requested_number("offset", OFFSET),
        bool(_requested_number("explain", SWITCH)),
    )
    ignored = tuple(_requested_values("nofact", current_snapshot().library.vocabulary.fact_kinds))
    found = current_snapshot().search.answer(q, **filters, limit=limit, offset=offset, ignored=ignored)
    calls = _situation_rows(q, found.lang, found.situations[:MAX_SITUATIONS_IN_SEARCH], ignored)
    asks = objects.deciding_question_object(found)
    return {**objects.answer_object(found, explain), "ask": asks, "situations": calls}


@api_route(
    "/v1/compare",
    "Provisions side by side, aligned by content",
    "The rows.",
    Parameter("path", str, "Path in the base edition, or in the first edition named that has it.", "16/C", True),
    Parameter("base", answers.EditionId, "The edition whose order rules.", value_placeholder("editions", 0), True),
    Parameter(
        "edition", list[answers.EditionId], "One to four other editions.", [value_placeholder("editions", 2)], True
    ),
    errors=BAD_REQUEST | {404: "The base has no such node."},
)
def compare() -> answers.ComparisonJson:
    """Return the rows of a comparison of editions. A row holds provisions that correspond, not those of one number."""
    library = current_snapshot().library
    base = request.args.get("base", "")
    if base not in library.editions:
        abort(400, f"“base” must be one of: {', '.join(library.editions)}.")
    others = [e for e in _requested_values("edition", library.editions) if e != base]
    if not 1 <= len(others) < addresses.MAX_COMPARED_EDITIONS:
        abort(400, f"“edition” must name 1 to {addresses.MAX_COMPARED_EDITIONS - 1} editions beside the base.")
    found = find_compared_node(library, request.args.get("path", ""), [base, *others])
    if found is None:
        requested = request.args.get("path", "")[: addresses.MAX_QUOTED_LENGTH]
        abort(404, f"None of {', '.join([base, *others])} has a node “{requested}”.")
    compared = compare_editions(library, found, [base, *others], current_snapshot().atlas.decision_counterparts)
    return objects.comparison_object(library, compared)


@api_route(
    "/v1/suggest",
    "Suggestions while typing",
    "A handful.",
    Parameter("q", Query, "What was typed so far.", "reno"),
    Parameter("lang", Language, "Language of the suggestions."),
    PREFERRED_CODE,
    errors=BAD_REQUEST | NO_INDEX,
)
def suggest() -> answers.SuggestionsJson:
    """Return completions of what a person types."""
    q = _requested_query()
    lang = _requested_values("lang", languages(current_snapshot().atlas))
    found = current_snapshot().search.suggest(q, lang[-1] if lang else None, _requested_code())
    return {"suggestions": [objects.suggestion_object(s) for s in found]}


@api_route(
    "/v1/situations",
    "What happened at the table: all situations, or those that words describe",
    "Best first.",
    Parameter("q", Query, "What was told or typed; without it all situations, by phase.", "dropped a card"),
    Parameter("lang", Language, "Language of the words, a hint."),
    Parameter("limit", SITUATIONS.type, "So many at most, where words are given."),
    errors=BAD_REQUEST | NO_INDEX,
)
def situations() -> answers.SituationsJson:
    """Return the situations that the words describe, or all situations if there are no words."""
    atlas, known, q = current_snapshot().atlas, current_snapshot().library.situations, _requested_query()
    lang, limit = _requested_values("lang", languages(atlas)), _requested_number("limit", SITUATIONS)
    if not q.strip():
        return {"situations": [situation_row(atlas, s) for s in known.values()]}
    hint = lang[-1] if lang else None
    return {"situations": _situation_rows(q, hint, current_snapshot().search.situations(q, hint, limit))}


def _situation_rows(
    q: str, lang: str | None, found: Sequence[SituationMatch], ignored: Collection[str] = ()
) -> list[answers.SituationJson]:
    """Return the situations that the words ``q`` describe, with the answers that they state; facts of ``ignored``
    kinds state none.
    """
    links = situation_links(q, lang, found, ignored=ignored)
    atlas = current_snapshot().atlas
    return [situation_row(atlas, link.situation, f.score, link) for f, link in zip(found, links, strict=True)]


@api_route(
    "/v1/situations/<id_>",
    "A situation with its questions and tables",
    "The situation.",
    SITUATION_ID,
    errors=NO_SITUATION,
)
def situation(id_: str) -> answers.WholeSituationJson:
    """Return a situation with its questions and tables."""
    return situation_object(current_snapshot().atlas, lookup.situation_or_404(id_))


@api_route(
    "/v1/situations/<id_>/outcome",
    "The row that answers meet, else what is asked next",
    "The row, or the next question.",
    SITUATION_ID,
    Parameter(
        "code", Annotated[str, one_of_list("codes")], "The laws that are asked; left out: those in force.", "2017"
    ),
    Parameter("bid", str, "The two bids that the sentences name, of a situation that takes bids.", "1S/2C"),
    errors=BAD_REQUEST | NO_SITUATION,
    note="Each question is a parameter of its id; of a tick list “none”, or paths repeated.",
)
def outcome(id_: str) -> answers.Outcome:
    """Return what the answers lead to, in the code named, or else in the first code with a table: the one in force
    comes first.
    """
    atlas, named = current_snapshot().atlas, lookup.situation_or_404(id_)
    code = request.args.get("code") or next((c for c in atlas.codes if c in named.table), "")
    if code not in named.table:
        known = ", ".join(named.table) or "none"
        abort(400, f"“{id_}” has no table for “{code[:40]}”. It has: {known}.")
    typed = {name: request.args.getlist(name) for name in request.args if name not in RESERVED}
    renewed, _undecided = renew_answers(named, code, typed)
    given, wrong = read_answers(named, code, renewed)
    if wrong:
        name = wrong[0][: addresses.MAX_QUOTED_LENGTH]
        abort(400, f"“{name}” is no question of {code}, or its answer is none. /api/v1/situations/{id_} has all.")
    overcall = Overcall.parse(request.args.get("bid", "")) if named.takes == "bids" else None
    return sheet_object(atlas, named, code, given, overcall if overcall and overcall.is_insufficient else None)


@api_route(
    "/v1/terms",
    "The concepts of the laws: all, or those that words name",
    "The nearest first.",
    Parameter("q", Query, "A name in any language, or what is said for it; without it all terms.", "revoke"),
    errors=BAD_REQUEST | NO_INDEX,
)
def terms() -> answers.TermsJson:
    """Return the terms that match the words, or all terms if there are no words."""
    atlas = current_snapshot().atlas
    return {"terms": [term_row(atlas, t) for t in search_terms(atlas.library.terms, _requested_query())]}


@api_route(
    "/v1/terms/<slug>",
    "A concept: its names, what each edition says of it, where it is used",
    "The concept.",
    Parameter("slug", str, "The name of the concept in addresses.", "revoke"),
    errors={404: "There is no such term; the message names the nearest."} | NO_INDEX,
)
def term(slug: str) -> answers.WholeTermJson:
    """Return a term with the provisions that use it."""
    return term_object(current_snapshot().atlas, lookup.term_or_404(slug))


@api_route(
    "/v1/rulings",
    "Rulings of federations and other bodies",
    "Rulings, in the order of their files, and their bodies.",
    Parameter("body", list[BodyId], "Only these bodies."),
    Parameter(
        "kind",
        list[Annotated[str, one_of_list("kinds of rulings")]],
        "Only these kinds: decision, commentary, clarification, case.",
    ),
    Parameter("code", list[Annotated[str, one_of_list("codes of rulings")]], "Only on these codes."),
    Parameter(
        "condition",
        list[Annotated[str, one_of_list("conditions of rulings")]],
        "Only those that hold, whole or in part, under one of these conditions alone.",
    ),
    errors=BAD_REQUEST,
)
def rulings() -> answers.RulingsJson:
    """Return the rulings that pass the filters."""
    atlas = current_snapshot().atlas
    filters = {name: _requested_values(name, values) for name, values in ruling_filter_values(atlas).items()}
    return ruling_view.rulings_json(atlas, filter_rulings(atlas, filters))


@api_route(
    "/v1/rulings/<body>/<number>",
    "A ruling",
    "The ruling.",
    Parameter("body", BodyId, "Id of a body.", "pzbs"),
    Parameter("number", str, "Number of a ruling of that body.", "3"),
    errors={404: "There is none of this id."},
)
def ruling(body: str, number: str) -> answers.RulingJson:
    """Return a ruling."""
    return ruling_view.ruling_json(current_snapshot().atlas, lookup.ruling_or_404(body, number))


# -- Scores ---


def _score_parameters(group: str) -> tuple[Parameter, ...]:
    """Return the description of the parameters of a group, and that of the code."""
    described = [_score_parameter(p) for p in score_request.GROUPS[group].parameters]
    codes = Annotated[str, one_of_list("codes with weighted scores" if group == "weighted" else "codes")]
    return (*described, Parameter("code", codes, "The laws by which it is scored; left out: those in force.", "2017"))


def _score_parameter(declared: score_request.Parameter) -> Parameter:
    """Return the description of a parameter. A number has its bounds; of the others a choice has its values."""
    more: dict[str, Any] = {"enum": list(declared.values)} if declared.kind == "choice" and declared.values else {}
    kind: Any = str
    if declared.kind == "number":
        kind, more = int, {"minimum": declared.low, "maximum": declared.high}
    if declared.default:
        more["default"] = kind(declared.default)
    return Parameter(
        declared.name,
        Annotated[kind, Meta(extra_json_schema=more)],
        declared.about,
        declared.example or None,
        required=declared.default is None,
    )


def _requested_score(name: str) -> tuple[score_request.ScoreRequest, Any]:
    """Return the request for a score of a group, and the score. Aborts with 400 and the name of a wrong parameter."""
    group, library = score_request.GROUPS[name], current_snapshot().library
    known = [c for c in current_snapshot().atlas.codes if library.scores.of_code(c)]
    code = next(iter(_requested_values("code", known)), next(iter(known), ""))
    rules = library.scores.of_code(code)
    if rules is None:
        abort(400, "“code”: no scores of any laws are in this build.")
    given = {n: request.args.getlist(n) for n in request.args}
    for unknown in (n for n in given if n not in ("code", "ui") and all(n != p.name for p in group.parameters)):
        abort(400, f"“{unknown[: addresses.MAX_QUOTED_LENGTH]}” is no parameter of {name}.")
    asked = score_request.read_request(group, rules, given, library)
    if asked.refused:
        regulation = asked.values.get("regulation", "none")
        abort(400, asked.refused if regulation == "none" else f"“regulation={regulation}”: {asked.refused}")
    for parameter, fault in asked.faults.items():
        abort(400, f"“{parameter}”: {fault}")
    if asked.missing:
        abort(400, f"“{asked.missing[0]}” is missing.")
    return asked, score_request.compute_score(asked)


def score_route(group: str, rule: str, summary: str) -> Callable[[View], View]:
    """Return a decorator that registers the view of a kind of score at an address of the API."""
    note = "docs/contract.md has the meaning of the parameters. “provisions” are those that decide."
    return api_route(rule, summary, "The score.", *_score_parameters(group), errors=BAD_REQUEST, note=note)


@score_route("contract", "/v1/score/contract", "The score of a contract, by law 77")
def score_contract() -> answers.ContractScoreJson:
    """Return the score of a contract."""
    return score_objects.contract_object(_requested_score("contract")[1], current_snapshot().library)


@score_route("imps", "/v1/score/imps", "IMPs for a difference, by law 78B")
def score_imps() -> answers.ImpsJson:
    """Return IMPs."""
    return score_objects.imps_object(_requested_score("imps")[1], current_snapshot().library)


@score_route("matchpoints", "/v1/score/matchpoints", "Matchpoints of the scores of a board, by law 78A")
def score_matchpoints() -> answers.MatchpointsJson:
    """Return matchpoints."""
    return score_objects.matchpoints_object(_requested_score("matchpoints")[1], current_snapshot().library)


@score_route("revoke", "/v1/score/revoke", "Tricks that are transferred after a revoke, by laws 62 to 64")
def score_revoke() -> answers.RevokeJson:
    """Return what follows from a revoke."""
    return score_objects.revoke_object(_requested_score("revoke")[1], current_snapshot().library)


@score_route("artificial", "/v1/score/artificial", "Artificial adjusted scores, by 12C")
def score_artificial() -> answers.ArtificialJson:
    """Return average plus, average or average minus of both sides."""
    return score_objects.artificial_object(*_requested_score("artificial"), current_snapshot().library)


@score_route("weighted", "/v1/score/weighted", "A weighted score, by 12C1(c)")
def score_weighted() -> answers.WeightedJson:
    """Return a weighted score."""
    return score_objects.weighted_object(_requested_score("weighted")[1], current_snapshot().library)


@blueprint.get("/<path:_rest>")
@reader.for_programs
def unknown_address(_rest: str) -> Response:
    """Answer unknown addresses of the API with 404 in JSON."""
    abort(404, "There is no such address in the API; /api/openapi.json lists them.")


def search_filters() -> dict[str, Any]:
    """Return the filters of a search from the address. Aborts with 400 if a value does not exist."""
    library = current_snapshot().library
    qlang = _requested_values("qlang", languages(current_snapshot().atlas))
    return {
        "langs": tuple(_requested_values("lang", languages(current_snapshot().atlas))),
        "editions": tuple(_requested_values("edition", library.editions)),
        "kinds": tuple(_requested_values("kind", get_args(Kind))),
        "without": tuple(_requested_values("without", library.conditions.names)),
        "qlang": qlang[-1] if qlang else None,
        "code": _requested_code(),
    }


def _requested_code() -> str:
    """Return the code of laws that the request prefers, "" without one. Aborts with 400 if it does not exist."""
    return next(iter(_requested_values("code", current_snapshot().atlas.codes)), "")


def _requested_query() -> str:
    """Return the parameter ``q`` of the request, "" without one. Aborts with 400 if it is too long."""
    q = request.args.get("q", "")
    if len(q) > addresses.MAX_QUERY_LENGTH:
        abort(400, f"“q” may have {addresses.MAX_QUERY_LENGTH} characters; this one has {len(q)}.")
    return q


def _requested_values(name: str, known: Collection[str]) -> list[str]:
    """Return all values of a parameter, each once. Aborts with 400 if one is not ``known``."""
    values = list(dict.fromkeys(v for v in request.args.getlist(name) if v))
    for value in values:
        if value not in known:
            abort(400, f"“{name}” must be one of: {', '.join(dict.fromkeys(known))}.")
    return values


def _requested_number(name: str, bounds: Bounds) -> int:
    text = request.args.get(name)
    if text is None:
        return bounds.default
    if not (text.isascii() and text.isdigit() and len(text) < 9 and bounds.low <= int(text) <= bounds.high):
        abort(400, f"“{name}” must be a number from {bounds.low} to {bounds.high}.")
    return int(text)
