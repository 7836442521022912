"""What may a client of ai-memory ask? Every parameter by its name there, with its default and bounds.

Where that system's clients have used several names for one thing, all are read and the first is shown.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field

from treering.errors import LimitExceeded
from treering.faces.dialects.contract import Arguments, Listed, listed
from treering.model import limits
from treering.operation import Time

CONTENT_BYTES = 64 << 10
MOST_SOURCES = 100
RELATIONS = ("related_to", "supersedes", "contradicts", "derived_from")


def named(*names: str) -> Any:
    return Field(validation_alias=AliasChoices(*names))


def _relation(value: object) -> object:
    return "related_to" if value == "kg_related_to" else value


def _within(value: str) -> str:
    size = len(value.encode(errors="replace"))
    if size > CONTENT_BYTES:
        raise LimitExceeded(f"content: {size:,} bytes; at most {CONTENT_BYTES:,} are kept. Shorten or split it")
    return value


STORED = {"importance": "priority", "meta": "metadata", "observed_by": "agent_id", "session": "session_id"}
"""What is stored, by the names of the door and by theirs."""
_QUESTION = ("context", "query", "q")
_NAME = {"min_length": 1, "max_length": limits.NAME_CHARS}
Id = Annotated[str, Field(**_NAME)]
Namespace = Annotated[str | None, Field(min_length=1, max_length=limits.SPACE_CHARS)]
Relation = Annotated[Literal["related_to", "supersedes", "contradicts", "derived_from"], BeforeValidator(_relation)]
Relations = Annotated[list[Relation], BeforeValidator(listed)]
Tier = Literal["short", "mid", "long"]
Content = Annotated[str, Field(min_length=1, description="The memory itself, at most 64 KiB."), AfterValidator(_within)]
Title = Annotated[str, Field(min_length=1, max_length=limits.TITLE_CHARS, description="Short descriptive title.")]
Tags = Annotated[Listed, Field(max_length=limits.TAGS, description="Words to file it under.")]
Priority = Annotated[int, Field(ge=1, le=10, description="From 1 to 10.")]
Confidence = Annotated[float, Field(ge=0, le=1, description="How certain it is.")]
Metadata = Annotated[dict[str, Any], Field(description="A JSON object of your own.")]
Author = Annotated[str | None, Field(**_NAME, description="Who reports it, if not the caller.")]


class Store(Arguments):
    title: Title
    content: Content
    tier: Annotated[Tier, Field(description="How long it is meant to last.")] = "mid"
    namespace: Annotated[Namespace, Field(description="Where it belongs; the default namespace if left out.")] = None
    tags: Tags = Field([])
    priority: Priority = 5
    confidence: Confidence = 1.0
    source: Annotated[str, Field(**_NAME, description="Who it comes from: user, claude, hook, api, cli …")] = "claude"
    metadata: Metadata = Field({})
    agent_id: Author = None
    expires_at: Annotated[Time | None, Field(description="When it stops being worth knowing.")] = None


class Recall(Arguments):
    context: Annotated[
        str,
        Field(min_length=1, max_length=limits.QUERY_CHARS, description="What you are trying to remember."),
        named(*_QUESTION),
    ]
    namespace: Annotated[Namespace, Field(description="Only this namespace; all if left out.")] = None
    limit: Annotated[int, Field(ge=1, le=50, description="Most memories to return.")] = 10
    tags: Annotated[Listed, Field(max_length=limits.TAGS, description="Only memories with all these tags.")] = Field([])
    since: Annotated[Time | None, Field(description="Only from then on.")] = None
    until: Annotated[Time | None, Field(description="Only before then.")] = None
    budget_tokens: Annotated[int | None, Field(ge=1, description="Leave out what would take more tokens.")] = None


class RecallMany(Recall):
    """As over HTTP, where programs ask: they may want as many as a list gives."""

    limit: Annotated[int, Field(ge=1, le=1000, description="Most memories to return.")] = 10


class Search(RecallMany):
    """The same where the question goes by another name."""

    context: Annotated[
        str,
        Field(min_length=1, max_length=limits.QUERY_CHARS, description="What to look for."),
        named(*reversed(_QUESTION)),
    ]


class Get(Arguments):
    id: Annotated[Id, Field(description="The memory's id.")]
    namespace: Annotated[Namespace, Field(description="Where it is, should the id be taken in several.")] = None


class List(Arguments):
    namespace: Annotated[Namespace, Field(description="Only this namespace; all if left out.")] = None
    tier: Annotated[Tier | None, Field(description="Only this tier.")] = None
    limit: Annotated[int, Field(ge=1, le=1000, description="Most memories to return.")] = 20
    session_id: Annotated[str | None, Field(description="Only this conversation.")] = None
    agent_id: Annotated[str | None, Field(description="Only what this agent reported.")] = None


class Forget(Arguments):
    ids: Annotated[Listed | None, Field(max_length=1000, description="These memories."), named("ids", "id")] = None
    namespace: Annotated[Namespace, Field(description="Those of this namespace.")] = None
    pattern: Annotated[str | None, Field(min_length=1, description="Those that say all these words.")] = None
    tier: Annotated[Tier | None, Field(description="Those of this tier.")] = None
    dry_run: Annotated[bool, Field(description="Say what would be forgotten, and forget nothing.")] = False


class Link(Arguments):
    source_id: Annotated[Id, Field(description="The memory the link starts from: the newer, the derived.")]
    target_id: Annotated[Id, Field(description="The memory it leads to: the older, the origin.")]
    relation: Annotated[Relation, Field(description="One of the four relations.")] = "related_to"
    valid_from: Annotated[Time | None, Field(description="From when it is true; as the source if left out.")] = None
    valid_until: Annotated[Time | None, Field(description="Until when it is true; open if left out.")] = None
    observed_by: Annotated[
        str | None,
        Field(**_NAME, description="Who reports it, if not the caller."),
        named("observed_by", "agent_id"),
    ] = None


class Unlink(Arguments):
    source_id: Annotated[Id, Field(description="The memory the link starts from.")]
    target_id: Annotated[Id, Field(description="The memory it leads to.")]
    relation: Annotated[Relation | None, Field(description="Only this relation; all four if left out.")] = None


class KgQuery(Arguments):
    start_id: Annotated[Id, Field(description="The memory or entity to start from."), named("start_id", "source_id")]
    relations: Annotated[Relations | None, Field(description="Only these relations; all if left out.")] = None
    depth: Annotated[int, Field(ge=1, le=8, description="How many edges far."), named("depth", "max_depth")] = 3
    as_of: Annotated[
        Time | None, Field(description="Edges that were valid then; now if left out."), named("as_of", "valid_at")
    ] = None
    namespace: Annotated[Namespace, Field(description="Only within this namespace; all if left out.")] = None
    include_invalidated: Annotated[bool, Field(description="Also edges that are not valid then.")] = False
    include_automatic: Annotated[bool, Field(description="Also edges that a rule made, and no client.")] = False


class KgTimeline(Arguments):
    node_id: Annotated[Id, Field(description="The memory or entity."), named("node_id", "source_id")]
    since: Annotated[Time | None, Field(description="Only from then on.")] = None
    until: Annotated[Time | None, Field(description="Only before then.")] = None
    relations: Annotated[Relations | None, Field(description="Only these relations; all if left out.")] = None


class KgInvalidate(Arguments):
    source_id: Annotated[Id, Field(description="Where the edge starts.")]
    target_id: Annotated[Id, Field(description="Where it leads.")]
    relation: Annotated[Relation, Field(description="One of the four relations.")]
    valid_until: Annotated[Time | None, Field(description="When it stopped being true; now if left out.")] = None


class EntityRegister(Arguments):
    canonical_name: Annotated[Id, Field(description="The name it goes by.")]
    namespace: Annotated[Namespace, Field(description="Where it belongs; the default namespace if left out.")] = None
    aliases: Annotated[Listed, Field(max_length=limits.ALIASES, description="Other names it answers to.")] = Field([])
    kind: Annotated[
        str | None, Field(max_length=limits.KIND_CHARS, description="What it is, such as organization; any word.")
    ] = None


class EntityByAlias(Arguments):
    alias: Annotated[Id, Field(description="Any name it answers to.")]
    namespace: Annotated[Namespace, Field(description="Only this namespace; all if left out.")] = None


class Consolidate(Arguments):
    ids: Annotated[Listed, Field(min_length=2, max_length=MOST_SOURCES, description="The memories to make one of.")]
    title: Annotated[str, Field(min_length=1, max_length=limits.TITLE_CHARS, description="Title of the new memory.")]
    summary: Annotated[
        str | None,
        Field(min_length=1, description="What it says; all that they say if left out."),
        AfterValidator(lambda given: given and _within(given)),
    ] = None
    namespace: Annotated[Namespace, Field(description="Where they all are.")] = None


class DetectContradiction(Arguments):
    id_a: Annotated[Id | None, Field(description="One memory.")] = None
    id_b: Annotated[Id | None, Field(description="Another memory.")] = None
    topic: Annotated[
        str | None, Field(min_length=1, description="Instead of two memories: all that speak of this topic.")
    ] = None
    namespace: Annotated[Namespace, Field(description="Only this namespace; all if left out.")] = None
