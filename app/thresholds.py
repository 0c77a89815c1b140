"""The page of thresholds, which quotes how confident a Director must be in each matter; and the same as JSON.

``blueprint`` is registered by :func:`app.create_app`. :func:`thresholds_page` and :func:`thresholds_json` are made from
the same thresholds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, jsonify

from app.site import addresses, answers, reader, wording
from app.site.atlas import Atlas
from app.site.page import SitePage
from app.site.snapshot import current_snapshot
from corpus.edition import Identity
from corpus.model import Node
from corpus.threshold import Absence, Threshold


@dataclass(frozen=True)
class ThresholdQuotation:
    """Printed ``words`` of a ``node``.

    ``level``: equal letters stand for equal thresholds; "" when all are equal. ``misprints``: what is said of
    misprints in the words.
    """

    node: Node
    words: str
    level: str
    misprints: tuple[str, ...]


@dataclass(frozen=True)
class ThresholdSide:
    """What an edition says on a threshold: the words that are ``quoted``. ``absent``: the reason when there
    are none.
    """

    edition: Identity
    quoted: tuple[ThresholdQuotation, ...]
    absent: Absence | None


@dataclass(frozen=True)
class ThresholdByEdition:
    """A threshold with what each edition says on it (``sides``), in time order.

    An edition is left out when it has no words on the threshold and no reason for their absence is recorded.
    """

    threshold: Threshold
    sides: tuple[ThresholdSide, ...]

    @property
    def is_in_one_text(self) -> bool:
        """Whether only one edition has words on the threshold."""
        return sum(bool(side.quoted) for side in self.sides) == 1


@dataclass(frozen=True)
class ThresholdsPage(SitePage):
    """All ``thresholds`` in the order of the table. ``data``: the address of the same as JSON."""

    template: ClassVar[str] = "thresholds.html"
    thresholds: tuple[ThresholdByEdition, ...]
    data: str


def thresholds_page(atlas: Atlas) -> ThresholdsPage:
    """Return the page with all thresholds."""
    return ThresholdsPage(
        tuple(_threshold_by_edition(atlas, t) for t in atlas.library.thresholds), addresses.thresholds_data()
    )


def thresholds_json(atlas: Atlas) -> answers.ThresholdsJson:
    """Return all thresholds as JSON: the answer of ``/thresholds.json`` (docs/contract.md)."""
    return {"thresholds": [_threshold_json(_threshold_by_edition(atlas, t)) for t in atlas.library.thresholds]}


def _threshold_by_edition(atlas: Atlas, threshold: Threshold) -> ThresholdByEdition:
    sides = (
        ThresholdSide(e, _quotations(atlas, threshold, e), threshold.absent.get(e.id))
        for e in atlas.library.law_editions
    )
    return ThresholdByEdition(threshold, tuple(side for side in sides if side.quoted or side.absent))


def _quotations(atlas: Atlas, threshold: Threshold, edition: Identity) -> tuple[ThresholdQuotation, ...]:
    found = []
    for words in threshold.words:
        node = atlas.library.nodes[words.quote.node]
        if node.edition == edition.id:
            misprints = tuple(
                wording.misprint_remark(misprint) for misprint in node.misprints if words.quote.touches(misprint)
            )
            found.append(ThresholdQuotation(node, node.words_of_span(words.quote), words.level, misprints))
    return tuple(found)


def _threshold_json(by_edition: ThresholdByEdition) -> answers.ThresholdJson:
    threshold = by_edition.threshold
    return {
        "id": threshold.id,
        "name": dict(threshold.name),
        "same": threshold.same,
        "cause": threshold.cause or None,
        "words": [
            {"node": q.node.id, "lang": q.node.lang, "words": q.words, "level": q.level or None}
            for side in by_edition.sides
            for q in side.quoted
        ],
        "absent": dict(threshold.absent),
        "sources": [
            {"url": s.url, "read": s.read, "readers": s.read_by, "finds": dict(s.finds)} for s in threshold.source
        ],
        "url": addresses.thresholds(jump=threshold.id),
    }


blueprint = Blueprint("thresholds", __name__)


def addresses_to_prerender(_atlas: Atlas) -> Iterable[str]:
    """Return the addresses whose pages are rendered when the generation is built."""
    return [addresses.thresholds()]


@blueprint.get("/thresholds/")
def thresholds() -> str:
    """Show every threshold, in the order of the laws."""
    return thresholds_page(current_snapshot().atlas).render()


@blueprint.get("/thresholds.json")
@reader.for_programs
def data() -> Response:
    """Return every threshold as JSON."""
    return jsonify(thresholds_json(current_snapshot().atlas))
