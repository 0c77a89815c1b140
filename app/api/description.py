"""The description of the API: ``openapi.json``, with the values that what was built allows where a schema asks for
some (``x-values``: the name of a list).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.site import reader
from app.site.atlas import Atlas
from app.site.narrowed import known_filters

FILE = Path(__file__).parent / "openapi.json"
ASKS = "x-values"


def description(atlas: Atlas | None) -> dict[str, Any]:
    """OpenAPI 3.1; where nothing was built yet, without the values that depend on it."""
    written = json.loads(FILE.read_text(encoding="utf-8"))
    return _filled(written, values(atlas)) if atlas else written


def languages(atlas: Atlas) -> list[str]:
    """Languages one may ask for: those of the editions and of the site; one without an edition finds nothing."""
    return list(dict.fromkeys([*(e.lang for e in atlas.library.editions.values()), *reader.LANGUAGES]))


def values(atlas: Atlas) -> Mapping[str, Iterable[str]]:
    """List → its values, each once."""
    library, rulings = atlas.library, known_filters(atlas)
    return {
        "editions": library.editions,
        "languages": languages(atlas),
        "languages of texts": dict.fromkeys(e.lang for e in library.editions.values()),
        "codes": atlas.codes,
        "conditions": library.conditions.names,
        "phases": library.vocabulary.phases,
        "bodies": rulings["body"],
        "kinds of rulings": rulings["kind"],
        "codes of rulings": rulings["code"],
        "conditions of rulings": rulings["condition"],
    }


def _filled(part: Any, lists: Mapping[str, Iterable[str]]) -> Any:
    """A part of the description, with an ``enum`` for each list that it asks for; of an empty one any value."""
    if isinstance(part, list):
        return [_filled(p, lists) for p in part]
    if not isinstance(part, dict):
        return part
    filled = {name: _filled(p, lists) for name, p in part.items() if name != ASKS}
    return filled | {"enum": list(lists[part[ASKS]])} if part.get(ASKS) and lists[part[ASKS]] else filled
