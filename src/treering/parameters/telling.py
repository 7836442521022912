"""What is remembered, and which thing is meant? Texts, drafts, facts, ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainValidator, WithJsonSchema
from pydantic import Field as Say

from treering.files import OnDisk, Sent
from treering.model import limits
from treering.model.memory import Tier as MemoryTier
from treering.model.memory import Visibility as MemoryVisibility
from treering.operation import AS_FILES_ARE_NAMED, NOT_IN_AN_ADDRESS, Time
from treering.parameters.bounds import A_FACT, A_KIND, AN_ENTITY, MOST, NAME, UNIT, file_or_bytes, one_of, schema_of
from treering.upkeep.survey import Which as Standings

# Which thing
Id = Annotated[str, Say(**NAME, description="The id of a memory or edge.")]
AnyId = Annotated[str, Say(**NAME, description="The id of a memory, entity or edge.")]
MemoryId = Annotated[str, Say(**NAME, description="The memory's id.")]
PurgedId = Annotated[str, Say(**NAME, description="The memory's id, or that of a source that no memory rests on.")]
Newer = Annotated[str, Say(**NAME, description="The memory the link starts from: the newer, the derived.")]
Older = Annotated[str, Say(**NAME, description="The memory it leads to: the older, the origin.")]
Node = Annotated[str, Say(**NAME, description="A memory by id, or an entity by id, name or alias.")]
EntityRef = Annotated[str, Say(**NAME, description="An entity's name, alias or id.")]
GatheredFor = Annotated[
    str | None, Say(**NAME, description="The entity, by name, alias or id, whose mentions are to be gathered.")
]
GatheredIds = Annotated[
    Sequence[str] | None,
    Say(min_length=1, max_length=limits.BATCH, description="Instead of an entity: the memories to tie."),
]
SettingName = Annotated[str, Say(**NAME, description="The setting.")]
ResetTimings = Annotated[bool, Say(description="Begin to count anew."), NOT_IN_AN_ADDRESS]
WhichStanding = Annotated[
    str, PlainValidator(one_of(Standings)), schema_of(Standings), Say(description="Memories of which standing.")
]
Offset = Annotated[int, Say(ge=0, le=MOST, description="How many to pass over.")]
MostSurveyed = Annotated[int | None, Say(ge=1, le=MOST, description="Count no more than the first so many.")]
CanonicalName = Annotated[str, Say(**NAME, description="The canonical name.")]
MergedId = Annotated[str, Say(**NAME, description="The id that was merged away, as the merge answered it.")]
SourceId = Annotated[str, Say(**NAME, description="The source's id, as a memory names it.")]
EdgeId = Annotated[str, Say(**NAME, description="The edge's id.")]
Evidence = Annotated[str | None, Say(description="The memory that is its evidence.")]

# What is remembered
Content = Annotated[
    str,
    Say(min_length=1, max_length=limits.CONTENT_CHARS, description="A self-contained statement in natural language."),
]
Kind = Annotated[
    A_KIND,
    Say(description="episode: an event. semantic: a lasting fact. viewpoint: a preference. Also: fact, preference."),
]
OtherKind = Annotated[A_KIND | None, Say(description="Another kind.")]
Title = Annotated[str | None, Say(max_length=limits.TITLE_CHARS, description="A short name for it.")]
Context = Annotated[
    str | None, Say(max_length=limits.CONTEXT_CHARS, description="What surrounded it when it was said.")
]
Tags = Annotated[Sequence[str], Say(max_length=limits.TAGS, description="Words to file it under.")]
OtherTags = Annotated[Sequence[str] | None, Say(max_length=limits.TAGS, description="Other tags.")]
Meta = Annotated[Mapping[str, Any] | None, Say(description="A JSON object of your own, at most 64 KiB.")]
Importance = Annotated[float, Say(**UNIT, description="0.3 minor, 0.6 moderate, 0.9 identity-defining.")]
Confidence = Annotated[float, Say(**UNIT, description="How certain it is.")]
OtherImportance = Annotated[float | None, Say(**UNIT, description="Another importance.")]
OtherConfidence = Annotated[float | None, Say(**UNIT, description="Another confidence.")]
Strength = Annotated[
    float | None,
    Say(ge=0, le=limits.STRENGTH, description="How well it is retained; by what it says if left out."),
]
Tier = Annotated[
    str, PlainValidator(one_of(MemoryTier)), schema_of(MemoryTier), Say(description="How long it is meant to last.")
]
OtherTier = Annotated[Literal["short", "mid", "long"] | None, Say(description="Another tier.")]
EventTime = Annotated[Time | None, Say(description="When it happened or became true.")]
EventEnd = Annotated[Time | None, Say(description="When what happened was over.")]
ExpiresAt = Annotated[Time | None, Say(description="When it stops being worth knowing.")]
Entities = Annotated[
    Sequence[AN_ENTITY],
    Say(max_length=limits.ENTITIES_OF_A_MEMORY, description="What it mentions: names, or {name, kind}."),
]
Triples = Annotated[
    Sequence[A_FACT],
    Say(
        max_length=limits.TRIPLES_OF_A_MEMORY,
        description="Facts it states: [subject, relation, object], or an object with valid_from, valid_until too.",
    ),
]
Origins = Annotated[
    Sequence[str],
    Say(max_length=limits.ORIGINS, description="Ids of memories that it was drawn from; it is linked to each."),
]
SaidAt = Annotated[Time | None, Say(description="When it was said; now if left out.")]
Speaker = Annotated[str | None, Say(max_length=limits.NAME_CHARS, description="Who said it.")]
Session = Annotated[str | None, Say(max_length=limits.NAME_CHARS, description="The conversation it belongs to.")]
Key = Annotated[
    str | None,
    Say(
        min_length=1,
        max_length=limits.KEY_CHARS,
        description="Idempotency key: the same key with the same content is written once.",
    ),
]
ObservedBy = Annotated[
    str | None, Say(max_length=limits.NAME_CHARS, description="Who reported it; the actor if left out.")
]
Visibility = Annotated[
    str,
    PlainValidator(one_of(MemoryVisibility)),
    schema_of(MemoryVisibility),
    Say(description="space: all who read the space. private: only observed_by and visible_to."),
]
VisibleTo = Annotated[
    Sequence[str], Say(max_length=limits.PRINCIPALS, description="Who else may see a private memory.")
]
Items = Annotated[
    Sequence[dict[str, Any]],
    Say(min_length=1, max_length=limits.BATCH, description="Each an object with the parameters of add."),
]

FileOrBytes = Annotated[
    OnDisk | bytes | Sent,
    PlainValidator(file_or_bytes),
    AS_FILES_ARE_NAMED,
    WithJsonSchema({"type": "string", "format": "path"}),
    Say(description="A path to the file; in Python its bytes too, with `name` to tell their kind."),
]
FileName = Annotated[
    str | None,
    Say(min_length=1, max_length=limits.NAME_CHARS, description="The file's name, if it is not that of the path."),
]
Telling = Annotated[
    str | None, Say(max_length=limits.TELLING_CHARS, description="What was said or written, in plain words.")
]
Messages = Annotated[
    Sequence[Mapping[str, Any]] | None,
    Say(
        max_length=limits.MESSAGES,
        description="A conversation in order: each {content, role or speaker, at?}.",
    ),
]
Drafts = Annotated[
    Sequence[Mapping[str, Any]] | None,
    Say(
        max_length=limits.MESSAGES,
        description="Statements you have drawn yourself: each {content, kind?, entities?, triples?, event_time?, …}.",
    ),
]
ExtractorName = Annotated[
    Literal["reader", "llm", "client", "none", "hybrid", "rules"] | None,
    Say(description="Who reads it; as the space chose if left out."),
]
Rereader = Annotated[
    Literal["reader", "llm", "client", "none", "hybrid", "rules"] | None,
    Say(
        description="Who reads the new words for facts; as the space chose if left out. none leaves facts as they are."
    ),
]
Undoable = Annotated[
    str,
    BeforeValidator(lambda given: str(given) if type(given) is int else given),  # as a receipt has it
    Say(**NAME, description="A receipt's seq, or its entries with commas between them, or the id of an edge."),
]

# Jobs
JobId = Annotated[str, Say(**NAME, description="The job's id, as enqueue answered it.")]
OfStatus = Annotated[
    Literal["pending", "processing", "completed", "partial", "failed", "cancelled"] | None,
    Say(description="Only jobs that stand like this."),
]
MostJobs = Annotated[int | None, Say(ge=1, le=MOST, description="Most jobs to do; all that are ready if left out.")]
