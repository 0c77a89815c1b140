"""A ruling's citation, in every language of the site: short, full, with quotation."""

from __future__ import annotations

from flask_babel import force_locale
from flask_babel import gettext as _

from app.site import addresses, reader, rulings, wording
from app.site.atlas import Atlas
from app.site.citing import Citation


def forms(atlas: Atlas, told: rulings.RulingView) -> list[Citation]:
    """Citations of a ruling that stands in no edition, in the languages of the site; quoted in that of its body."""
    one, body = told.ruling, told.body
    text = rulings.plain(atlas, one)
    quoted = text.get(body.lang) or next(iter(text.values()))
    link = addresses.known_as(addresses.ruling(one))
    cited = ", ".join(dict.fromkeys(node.citation for node in atlas.concerns[one.id])) or ", ".join(one.provisions)
    out = []
    for lang in sorted(reader.LANGUAGES, key=lambda code: code != reader.ui()):
        with force_locale(lang):
            day = wording.day(one.date) if one.date else ""
            about = _("on %(citations)s of the laws of %(code)s", citations=cited, code=one.code)
            named = f"{wording.ruling_kind(one.kind)} {one.number}"
            full = ", ".join(filter(None, (f"{body.title} ({body.name})", named, day, about, one.source.name)))
            quotation = "\n".join([f"{full}:", _("“%(text)s”", text=quoted), link])
        out.append(Citation(lang, f"{body.name}, {one.number}", full, quotation))
    return out
