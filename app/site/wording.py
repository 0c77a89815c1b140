"""The site's words for codes of the corpus, in the reader's language: kinds, relations, rulings, countries, languages.

Also how things are named on pages: a node (:func:`citation_of`, :func:`title_of`), a bid (:func:`format_bid`), a day,
and texts that maintainers wrote in several languages (:func:`text_for_reader`). Whole sentences are in
:mod:`app.site.phrases`. Templates know this module as ``wording``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import cache
from urllib.parse import urlsplit

from babel import Locale, UnknownLocaleError
from babel.languages import get_official_languages
from flask_babel import format_date, get_locale
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from app.site import reader
from app.site.drawing import strip_dash
from corpus import address
from corpus.bid import SUIT_SYMBOLS, Bid, Overcall
from corpus.edition import is_user_assigned_country
from corpus.model import Misprint, Node
from corpus.ruling import LegalStatus, Ruling, RulingBody
from corpus.strength import Step

NODE_KINDS = {
    "law": _l("law"),
    "section": _l("section"),
    "subsection": _l("subsection"),
    "clause": _l("clause"),
    "subclause": _l("subclause"),
    "point": _l("decision"),
    "footnote": _l("footnote"),
    "definition": _l("definition"),
    "container": _l("part of the edition"),
    "chapter": _l("chapter"),
    "part": _l("part"),
    "division": _l("division"),
    "preface": _l("preface"),
    "intro": _l("introduction"),
    "index": _l("subject index"),
    "example": _l("example"),
}

SCORE_TITLES = {
    "contract": _l("Score of a contract"),
    "imps": _l("IMPs"),
    "matchpoints": _l("Matchpoints"),
    "revoke": _l("Tricks after a revoke"),
    "artificial": _l("Artificial adjusted score"),
    "weighted": _l("Weighted score"),
}

RELATIONS = {
    "same": _l("same in substance"),
    "reworded": _l("changed in substance"),
    "moved": _l("moved"),
    "split": _l("split"),
    "merged": _l("merged"),
    "new": _l("new"),
    "dropped": _l("dropped"),
}

# What a relation says about a provision's own words in the older and the newer text, for the legend.
RELATION_MEANINGS = {
    "same": _l("the same number; nothing of substance changed, the wording may differ"),
    "reworded": _l("the same number; the substance changed, not only the wording"),
    "moved": _l("the provision stands under another number"),
    "split": _l("one provision of the older text is several in the newer"),
    "merged": _l("several provisions of the older text are one in the newer"),
    "new": _l("only the newer text has it"),
    "dropped": _l("only the older text has it"),
}

CHANGE_KINDS = {
    "new-law": _l("new law"),
    "dropped-law": _l("law dropped"),
    "reused": _l("same number, different content"),
    "new": _l("new"),
    "dropped": _l("dropped"),
    "split": _l("split"),
    "merged": _l("merged"),
    "moved": _l("moved"),
    "along": _l("moved with what it belongs to"),
    "reworded": _l("changed in substance"),
    "references": _l("only its references changed"),
    "translation": _l("differs only in the translation"),
    "missing": _l("only in one of the two texts"),
}

# The sign of each strength (codes of vocabulary/strengths.toml). More signs mean stronger words.
RANK_SIGNS = {
    "may": "•",
    "should": "••",
    "shall": "•••",
    "must": "••••",
    "strong-prohibition": "✕",
    "stronger-prohibition": "✕✕",
    "strongest-prohibition": "✕✕✕",
}
UNRANKED_SIGN = "○"


def rank_sign(step: Step) -> str:
    """Return the sign that is shown after words of a step. Where the text does not keep to its introduction, the sign
    claims no rank.
    """
    return UNRANKED_SIGN if step.loose else RANK_SIGNS[step.strength]


# What a ruling does with a provision, by the codes of ``corpus.ruling.RulingEffect``.
RULING_EFFECTS = {"modifies": _l("modifies"), "explains": _l("explains")}

# What a ruling is, and whose.
RULING_TITLES = {
    "decision": _l("Decision of %(body)s"),
    "commentary": _l("Commentary of %(body)s"),
    "clarification": _l("Clarification of %(body)s"),
    "case": _l("Case of %(body)s"),
}
RULING_KINDS = {
    "decision": _l("decision"),
    "commentary": _l("commentary"),
    "clarification": _l("clarification"),
    "case": _l("case"),
}
LEGAL_STATUSES = {
    "in force": _l("in force"),
    "coming": _l("not yet in force"),
    "expired": _l("expired"),
    "not stated": _l("whether it is in force is not stated in the source"),
}

# Corrections that change no word of a text.
CORRECTION_EFFECTS = {"sign": _l("the sign of a note"), "layout": _l("layout"), "dropped": _l("not part of the text")}

# Kinds of misprints that do not change the meaning.
SPELLING_REASONS = {
    "typing": _l("typing slip"),
    "form": _l("another form of the word"),
    "word": _l("another word"),
    "lost": _l("a word is missing"),
    "surplus": _l("a word too many"),
    "punctuation": _l("punctuation"),
    "sign": _l("a sign missing or too many"),
    "capital": _l("capital or small letter"),
    "variant": _l("spelling or word that varies"),
    "order": _l("order of the parts"),
}


def kind_name(kind: str) -> str:
    """Return the site's word for a kind of node."""
    return str(NODE_KINDS.get(kind, kind))


def relation_name(relation: str) -> str:
    """Return the site's word for a relation of the alignment."""
    return str(RELATIONS.get(relation, relation))


def relation_meaning(relation: str) -> str:
    """Return what a relation says, in a sentence; "" for an unknown one."""
    return str(RELATION_MEANINGS.get(relation, ""))


def change_name(kind: str) -> str:
    """Return the site's word for a kind of change between two editions."""
    return str(CHANGE_KINDS.get(kind, kind))


def spelling_reason(kind: str) -> str:
    """Return the site's words for the kind of a printed error that does not change the law: “typing slip”."""
    return str(SPELLING_REASONS.get(kind, kind))


def effect_name(effect: str) -> str:
    """Return what a ruling does with its provision, in the site's words. ``effect``: the word for it in the ruling's
    file.
    """
    return str(RULING_EFFECTS.get(effect, effect))


def ruling_kind_name(kind: str) -> str:
    """Return the site's word for a kind of ruling."""
    return str(RULING_KINDS[kind])


def legal_status_name(status: LegalStatus) -> str:
    """Return whether a ruling is in force, in the site's words."""
    return str(LEGAL_STATUSES[status])


def ruling_attribution(ruling: Ruling, body: RulingBody, status: LegalStatus) -> str:
    """Return what kind of ruling it is and of which body. For readers who do not live there: also where it is in force,
    or its country. ``status``: whether the ruling is in force.
    """
    title = str(RULING_TITLES[ruling.kind]) % {"body": body.of.get(reader.ui_language(), body.name)}
    if rules_where_spoken(body, reader.ui_language()):
        return title
    place = body.place.get(reader.ui_language())
    if status != "in force" or not place:
        return f"{title} ({country_of(body)})"
    where = _("in force %(place)s", place=place)
    return f"{title}, {where}"


def rules_where_spoken(body: RulingBody, lang: str) -> bool:
    """Whether a body rules where a language is spoken."""
    return body.lang == lang or is_official_language(lang, body.country)


def country_of(body: RulingBody) -> str:
    """Return the country of a body in the site's language. An invented country has the name that the body gives it."""
    return text_for_reader(body.country_name)[1] or country_name(body.country)


def country_name(code: str) -> str:
    """Return the name of a country in the site's language. ``code``: its ISO code. A code that ISO leaves to users
    has no name, so it is returned unchanged.
    """
    return code if is_user_assigned_country(code) else get_locale().territories.get(code, code)


def is_official_language(lang: str, country: str) -> bool:
    """Whether a language is an official one of a country.

    >>> is_official_language("fr", "CH"), is_official_language("fr", "SE")
    (True, False)
    """
    return lang in get_official_languages(country, de_facto=True)


def text_for_reader(texts: dict[str, str]) -> tuple[str, str]:
    """Return (language, text) of a text that maintainers wrote, for this reader.

    It is in the site's language, else for all languages (key ""), else in the default language.

    ``text_for_reader({"": "for all"})`` → ``("", "for all")``
    """
    lang = next((code for code in (reader.ui_language(), "", reader.DEFAULT_LANGUAGE, *texts) if code in texts), "")
    return lang, texts.get(lang, "")


def in_reader_language(texts: Mapping[str, str]) -> str:
    """Return a text that exists in every language of the site, such as a word of a closed list, in the reader's
    language.
    """
    return text_for_reader(dict(texts))[1]


def with_capital(texts: Mapping[str, str]) -> str:
    """Return what :func:`in_reader_language` returns, with a capital, for the first word of a line."""
    text = in_reader_language(texts)
    return text[:1].upper() + text[1:]


def format_bid(one: Bid) -> str:
    """Return a bid as a reader writes it: “2♠”, “1NT”."""
    sign = SUIT_SYMBOLS.get(one.denomination) or _("NT")
    return f"{one.level}{sign}"


def describe_insufficient_bid(two: Overcall) -> str:
    """Return a sentence about a bid that is too low, with the lowest sufficient bid."""
    made, over = format_bid(two.made), format_bid(two.over)
    if two.lowest_sufficient is None:
        return _(
            "%(made)s over %(over)s is insufficient; no bid in that denomination is sufficient", made=made, over=over
        )
    return _(
        "%(made)s over %(over)s is insufficient; the lowest sufficient bid in that denomination is %(lowest)s",
        made=made,
        over=over,
        lowest=format_bid(two.lowest_sufficient),
    )


def format_day(date: str) -> str:
    """Return a day in the reader's form: ``2018-01-01`` → “1 January 2018”."""
    return format_date(dt.date.fromisoformat(date), "long")


def host_of(url: str) -> str:
    """Return the host of a URL, as a link names it: ``https://www.laws.example/2017`` → “laws.example”."""
    return (urlsplit(url).hostname or url).removeprefix("www.")


def language_name(code: str) -> str:
    """Return the name of a language (``code``: “pl”) in the site's language."""
    return _language_name(code, str(get_locale()))


@cache
def _language_name(code: str, site: str) -> str:  # cached: a long page calls it two thousand times
    try:
        return Locale.parse(code).get_display_name(site) or code
    except (UnknownLocaleError, ValueError):
        return code


def citation_of(node: Node) -> str:
    """Return how a node is named in running text: ``16D2``, or its heading where it has no number.

    A law and its parts are named by their citation, definitions by their term, parts of the book by their title. A
    footnote is named by its number in the words of the site: ``64 fn. 1``.
    """
    if node.kind == "footnote":
        *holder, _fn, number = address.split_path(node.path)
        return " ".join([*holder, _("fn. %(number)s", number=number)])
    return strip_dash(node.citation or node.heading or node.path)


def title_of(node: Node) -> str:
    """Return citation and heading together, as the name of a link or a page."""
    name = citation_of(node)
    return f"{name} {node.heading}" if node.heading and not name.endswith(node.heading) else name


def label_of(node: Node) -> str:
    """Return the label of a node without a dash, for a list or a trail of links; "" when it has none."""
    return strip_dash(node.label or "")


def correction_effect(effect: str) -> str:
    """Return the site's words for the effect of a correction that changes no word of the text: “layout”."""
    return str(CORRECTION_EFFECTS[effect])


def source_words(source: str) -> str:
    """Return the words of the source at a correction; a phrase of the site when the source has none there."""
    return source if source.strip() else _("not in the source")


def misprint_remark(misprint: Misprint, lang: str = "") -> str:
    """Return the remark on a misprint, in a language or in the reader's."""
    return dict(misprint.sentences)[lang or reader.ui_language()]
