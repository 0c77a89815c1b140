"""What a query opens that is the number of one provision and nothing else."""

from __future__ import annotations

from app.search.asked import Asked
from app.site import reader
from app.site.asked import readings
from app.site.atlas import Atlas
from corpus.model import NodeId
from index.answer import Answer


def cited(atlas: Atlas, asked: Asked, answer: Answer) -> NodeId | None:
    """The provision cited, in the edition that the reader reads first; None where a list is asked for, where that
    edition lacks it, or where more is asked than the number.
    """
    if asked.listed or answer.kind != "citation" or len(answer.paths) != 1 or answer.compare or answer.overcall:
        return None
    id_ = NodeId.of(atlas.home_edition(asked.qlang or reader.language()).id, answer.paths[0])
    alone = answer.paths[0].lower() in {path.lower() for path in readings(atlas.library, asked.query)}
    first = answer.hits[0].node.id if answer.hits else None
    return id_ if answer.confident and alone and first == id_ else None
