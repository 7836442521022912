"""Is this known already? What ai-memory's clients ask before they store: the nearest memories, and how near."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Annotated

from pydantic import Field

from treering.errors import Forbidden, InvalidRequest
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.likeness import likeness
from treering.faces.dialects.ai_memory.places import newest
from treering.faces.dialects.ai_memory.shapes import client_id, content_of, memory_told
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.everywhere import everywhere
from treering.faces.dialects.namespaces import space_of
from treering.model import limits
from treering.model.memory import Memory
from treering.operation import READS

SHOWN = 5
_LOOKED_AT = 500
"""How many of the newest memories are compared besides those that recall finds: nothing near is an answer too."""


class CheckDuplicate(Arguments):
    content: a.Content
    title: a.Title | None = None
    namespace: Annotated[a.Namespace, Field(description="Only this namespace; all if left out.")] = None
    threshold: Annotated[float, Field(ge=0, le=1, description="From when on it is taken for the same.")] = 0.85
    limit: Annotated[int, Field(ge=1, le=50, description="Most matches to show.")] = SHOWN


@tool(CheckDuplicate, READS)
def memory_check_duplicate(door: Door, asked: CheckDuplicate) -> Answer:
    """Which memories say nearly the same, the nearest first; also those below the threshold."""
    near = _near(door, asked)
    found = {
        client_id(one): one for one in (*_recalled(door, asked), *islice(newest(door, asked.namespace), _LOOKED_AT))
    }
    weighed = {key: max(near.get(one.id, 0.0), likeness(asked.content, content_of(one))) for key, one in found.items()}
    ranked = sorted(weighed, key=lambda key: (-weighed[key], key))[: asked.limit]
    matches = [
        {
            "id": key,
            "title": memory_told(found[key])["title"],
            "namespace": memory_told(found[key])["namespace"],
            "similarity": round(weighed[key], 4),
        }
        for key in ranked
    ]
    same = bool(matches) and weighed[ranked[0]] >= asked.threshold
    return {
        "is_duplicate": same,
        "threshold": asked.threshold,
        "matches": matches,
        "nearest": matches[0] if matches else None,
        "candidates_scanned": len(found),
    }


def _recalled(door: Door, asked: CheckDuplicate) -> list[Memory]:
    query = asked.content[: limits.QUERY_CHARS]
    looking = door.unnoticed()
    answers = everywhere(
        door,
        asked.namespace,
        lambda place: looking.recall(query, space=place.space, children=place.children, limit=20, view="current"),
    )
    return [hit.memory for answer in answers for hit in answer]


def _near(door: Door, asked: CheckDuplicate) -> dict[str, float]:
    """What would be taken for said once more, by meaning, if it were remembered in this namespace."""
    space = None if asked.namespace is None else space_of(asked.namespace)
    content = asked.content[: limits.CONTENT_CHARS]
    with suppress(Forbidden, InvalidRequest):  # a dry run, but of writing; and nothing to compare says nothing
        receipt = door.remember(drafts=[{"content": content}], space=space, dry_run=True)
        return {one.memory_id: one.score for one in receipt.duplicates}
    return {}
