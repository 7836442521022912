"""LongMem's `remember`: what was said is read into facts, and each is told with what it updates or extends. By tool at
once; by route also later, with a number to ask by.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import AliasChoices, Field

from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.faces.dialects.longmem.told import DEFAULT_COLLECTION, RELATIONS, REVISIONS, CollectionName, told
from treering.model import limits
from treering.model.memory import Memory
from treering.model.namespaces import space_of
from treering.operation import WRITES, Time

_OF_A_FACT = ("id", "text", "type", "expires_at", "is_latest")


class Told(Arguments):
    """What was said, and when, where and by whom, if that is not now, nowhere and whoever calls."""

    content: str = Field(
        min_length=1, max_length=limits.TELLING_CHARS, validation_alias=AliasChoices("content", "text", "message")
    )
    at: Time | None = Field(None, description="When it was said; now if left out.")
    session: str | None = Field(
        None,
        max_length=limits.NAME_CHARS,
        validation_alias=AliasChoices("session", "session_id"),
        description="Which conversation it belongs to.",
    )
    speaker: str | None = Field(None, max_length=limits.NAME_CHARS, description="Who said it.")
    container_tag: str | None = Field(
        None, max_length=limits.TAG_CHARS, description="Whose it is, within a collection."
    )
    metadata: dict[str, Any] = Field(default_factory=dict, description="Further data of your own.")

    def as_asked(self, collection: str) -> dict[str, Any]:
        """As `remember` and `enqueue` of the door take it."""
        given = {
            "content": self.content,
            "space": space_of(collection),
            "at": self.at,
            "session": self.session,
            "speaker": self.speaker,
            "tags": [self.container_tag] if self.container_tag else None,
            "meta": self.metadata or None,
        }
        return {name: value for name, value in given.items() if value is not None}


class Remember(Told):
    collection: CollectionName = DEFAULT_COLLECTION


@tool(Remember, WRITES, {"text": "content", "namespace": "collection", "tags": "container_tag", "meta": "metadata"})
def remember(door: Door, asked: Remember) -> Answer:
    """Remember what was said: it is read into facts, preferences and episodes, and what they replace is no longer
    latest."""
    return remembered(door, asked, asked.collection)


def remembered(door: Door, said: Told, collection: str) -> Answer:
    receipt = door.remember(**said.as_asked(collection))
    again = [one.memory_id for one in receipt.duplicates]
    ids = [*(one.id for one in receipt.memories), *again]
    return {"facts": facts_of(door, space_of(collection), ids), "collection": collection, "count": len(set(ids))}


def facts_of(door: Door, space: str, ids: Sequence[str]) -> list[dict[str, Any]]:
    return [_fact(door, door.get(one, space=space)) for one in dict.fromkeys(ids)]


def _fact(door: Door, memory: Memory) -> dict[str, Any]:
    about = told(memory)
    links = door.graph(memory.id, relations=list(RELATIONS), depth=1, space=memory.space).edges
    ends = ((one.relation, REVISIONS.client_id(door.get(one.target_id, space=memory.space)), one.rule) for one in links)
    relation, other, why = next(
        ((RELATIONS[name], end, rule) for name, end, rule in ends if end != about["id"]), ("none", None, None)
    )
    return {**{name: about[name] for name in _OF_A_FACT}, "relation": relation, "related_id": other, "why": why}
