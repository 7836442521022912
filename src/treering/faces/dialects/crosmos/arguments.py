"""What may a client of Crosmos ask? Every parameter by its name there, with its default and bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from treering.faces.dialects.contract import Arguments
from treering.model import limits
from treering.operation import Time

SOURCE_CHARS = 100_000
SOURCES = 100
PAGE = 500

Visibility = Literal["private", "org"]
SpaceId = Annotated[str, Field(min_length=1, max_length=limits.SPACE_CHARS, description="The space, by id or name.")]
Id = Annotated[str, Field(min_length=1, max_length=limits.NAME_CHARS)]
Meta = Annotated[dict[str, Any], Field(description="A JSON object of your own.")]
Limit = Annotated[int, Field(ge=1, le=PAGE, description="Most results to return.")]
Offset = Annotated[int, Field(ge=0, description="How many to pass over.")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class NewSpace(Arguments):
    name: Annotated[str, Field(min_length=1, max_length=limits.SPACE_CHARS)]
    description: Annotated[str | None, Field(max_length=limits.CONTEXT_CHARS)] = None
    meta: Annotated[Meta, Field(validation_alias=AliasChoices("meta", "metadata"))] = Field({})


class OneSpace(Arguments):
    id: SpaceId


class Source(_Part):
    content: Annotated[str, Field(min_length=1, max_length=SOURCE_CHARS)]
    content_type: Literal["text", "markdown"] = "text"
    role: Annotated[str | None, Field(max_length=limits.NAME_CHARS)] = None
    visibility: Visibility = "org"
    meta: Meta = Field({})


class Sources(Arguments):
    space_id: SpaceId
    sources: Annotated[list[Source], Field(min_length=1, max_length=SOURCES)]


class Message(_Part):
    role: Annotated[str, Field(min_length=1, max_length=limits.NAME_CHARS)] = "user"
    content: Annotated[str, Field(min_length=1, max_length=SOURCE_CHARS)]


class Conversation(Arguments):
    space_id: SpaceId
    messages: Annotated[list[Message], Field(min_length=1, max_length=limits.MESSAGES)]
    session_id: Annotated[str | None, Field(max_length=limits.NAME_CHARS)] = None
    session_date: Annotated[Time | None, Field(description="When it was held; now if left out.")] = None
    visibility: Visibility = "org"
    meta: Meta = Field({})


class OneJob(Arguments):
    id: Annotated[str, Field(min_length=1)]


class Search(Arguments):
    query: Annotated[str, Field(min_length=1, max_length=3_000)]
    space_id: SpaceId
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    recency_bias: Annotated[float | None, Field(ge=0, le=1)] = None
    rerank: bool = True
    graph: bool = True
    diversify: bool = False
    include_source: bool = False


class Memories(Arguments):
    space_id: SpaceId | None = None
    sort_by: Literal["created_at", "importance_score", "event_time", "last_accessed_at", "access_frequency"] = (
        "created_at"
    )
    order: Literal["asc", "desc"] = "desc"
    limit: Limit = 50
    offset: Offset = 0
    include_forgotten: Annotated[bool, Field(description="Also those that were forgotten, with when.")] = False


class One(Arguments):
    id: Id


class OneMemory(One):
    include_forgotten: Annotated[bool, Field(description="Also if it was forgotten.")] = False


class Entities(Arguments):
    space_id: SpaceId | None = None
    limit: Limit = 50
    offset: Offset = 0


class Graph(Arguments):
    space_id: SpaceId | None = None
    limit: Annotated[int, Field(ge=1, le=PAGE, description="Most nodes, those with the most edges.")] = 100


class Stats(Arguments):
    space_id: SpaceId | None = None
