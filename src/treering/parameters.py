"""What may a caller say? The parameters of the door, each with its bounds and the sentence every face shows for it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, PlainValidator, ValidationInfo, WithJsonSchema
from pydantic import Field as Say

from treering.access.audit import AuditKind
from treering.access.grants import Grant
from treering.access.keys import ApiKey
from treering.access.rights import Role as AccessRole
from treering.errors import InvalidRequest
from treering.exchange.backups import BackupFound
from treering.exchange.webhooks.kept import DeadLetter, Webhook
from treering.files import OnDisk, Scratch, Sent
from treering.graph.contradictions import Contradiction
from treering.graph.facts import Fact
from treering.graph.paths import Path as GraphPath
from treering.graph.relation_table import RelationRow
from treering.graph.support import Stale
from treering.ingest.draft import DraftEntity
from treering.language.when.window import Window
from treering.model import limits
from treering.model.edge import Direction as EdgeDirection
from treering.model.entity import Entity
from treering.model.fact import Statement
from treering.model.job import Job
from treering.model.memory import Kind as MemoryKind
from treering.model.memory import Tier as MemoryTier
from treering.model.memory import View as MemoryView
from treering.model.memory import Visibility as MemoryVisibility
from treering.model.memory import memory_kind
from treering.model.review import ReviewItem
from treering.model.review import ReviewKind as ReviewKinds
from treering.model.space import SignerInfo, SpaceInfo, space_name
from treering.model.time import UNKNOWN_WORD, beginning
from treering.operation import AS_FILES_ARE_NAMED, NOT_IN_AN_ADDRESS, Time
from treering.upkeep.beads import Issue
from treering.upkeep.hold import Hold
from treering.upkeep.survey import Which as Standings
from treering.upkeep.use import Score

_NAME = {"min_length": 1, "max_length": limits.NAME_CHARS}
_A_SPACE = Annotated[str, AfterValidator(space_name)]
_SPELLINGS = [*MemoryKind, "fact", "preference"]
_A_KIND = Annotated[str, PlainValidator(memory_kind), WithJsonSchema({"type": "string", "enum": _SPELLINGS})]
_UNIT = {"ge": 0, "le": 1}
_MOST = 1_000_000_000  # more than there will ever be, and every engine can count to it
_FILE_NAME_BYTES = 255  # of one part of a path, on every file system in use

_TEXT = {"type": "string"}
_TIME = {"type": "string", "format": "date-time"}
_FACT_SCHEMA = {
    "type": "object",
    "properties": {
        "subject": _TEXT,
        "relation": _TEXT,
        "object": _TEXT,
        "valid_from": {"anyOf": [_TIME, {"type": "string", "const": UNKNOWN_WORD}]},
        "valid_until": _TIME,
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "memory_id": _TEXT,
    },
    "required": ["subject", "relation", "object"],
}
_TRIPLE_SCHEMA = {"type": "array", "items": _TEXT, "minItems": 3, "maxItems": 3}
_ENTITY_SCHEMA = {"type": "object", "properties": {"name": _TEXT, "kind": _TEXT}, "required": ["name"]}
_A_BEGINNING = Annotated[
    datetime | str,
    PlainValidator(lambda value, info: beginning(value, info.field_name or "valid_from")),
    WithJsonSchema({"anyOf": [_TIME, {"type": "string", "const": UNKNOWN_WORD}]}),
]
_A_FACT = Annotated[
    Statement | Sequence[str] | Mapping[str, Any],
    PlainValidator(Statement.read),
    WithJsonSchema({"anyOf": [_TRIPLE_SCHEMA, _FACT_SCHEMA]}),
]
_AN_ENTITY = Annotated[
    DraftEntity | str | Mapping[str, Any],
    PlainValidator(DraftEntity.read),
    WithJsonSchema({"anyOf": [_TEXT, _ENTITY_SCHEMA]}),
]


def _place(value: object, info: ValidationInfo) -> str | Scratch:
    match value:
        case Scratch():
            return value
        case Path() | str() if str(value).strip():
            return _path(str(value), info)
    raise InvalidRequest(f"{info.field_name}: give the path of a file")


def _place_or_none(value: object, info: ValidationInfo) -> str | Scratch | None:
    return None if value is None else _place(value, info)


def _path(value: str, info: ValidationInfo) -> str:
    """A path that a file system can be asked about; whether something is there is not asked here."""
    try:
        longest = max((len(part.encode()) for part in Path(value).parts), default=0)
    except UnicodeEncodeError:
        longest = _FILE_NAME_BYTES + 1
    if "\x00" in value or longest > _FILE_NAME_BYTES:
        raise InvalidRequest(f"{info.field_name}: {value[:60]!r} is not the path of a file; check its name")
    return value


def _file(value: object, info: ValidationInfo) -> str | bytes | Sent:
    match value:
        case Sent():
            if value.name is not None:
                limits.text(value.name, "name", limits.NAME_CHARS, least=1)
            return value
        case bytes() | bytearray() | memoryview():
            return bytes(value)
        case Path() | str() if str(value).strip():
            return _path(str(value), info)
    raise InvalidRequest(f"{info.field_name}: give the path of a file, or its bytes")


def _folder(value: object, info: ValidationInfo) -> str | None:
    match value:
        case None:
            return None
        case Path() | str() if str(value).strip():
            return _folder_name(str(value), info)
    raise InvalidRequest(f"{info.field_name}: give the path of a folder")


def _folder_name(value: str, info: ValidationInfo) -> str:
    """A name in whatever bytes the file system has it, which may be no text."""
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        raise InvalidRequest(f"{info.field_name}: {value[:60]!r} is not the path of a folder; check its name") from None
    return value


def _one_of(words: type[StrEnum]) -> Any:
    """One of these words, as text or as the enum's own member."""

    def read(value: object, info: ValidationInfo) -> StrEnum:
        try:
            return words(str(value))
        except ValueError:
            raise InvalidRequest(f"{info.field_name}: {value!r} is not one of {', '.join(words)}") from None

    return read


def _schema(words: type[StrEnum]) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": [word.value for word in words]})


# Where and when a reading stands
Space = Annotated[_A_SPACE | None, Say(description="The space to work in; the door's own if left out.")]
OneSpace = Annotated[_A_SPACE | None, Say(description="Only this space; all if left out.")]
NewName = Annotated[_A_SPACE | None, Say(description="Take a journal of one space in under this name.")]
Prefix = Annotated[_A_SPACE | None, Say(description="Only this space and those below it.")]
AsOf = Annotated[Time | None, Say(description="Valid time: what was true then. The present if left out.")]
KnownAt = Annotated[Time | None, Say(description="Known time: what had been learned by then. All of it if left out.")]
Principal = Annotated[
    str | None,
    Say(max_length=limits.NAME_CHARS, description="Who is asking, for private memories; the actor if left out."),
]
Children = Annotated[bool, Say(description="Read the spaces below this one too.")]
Limit = Annotated[int, Say(ge=1, le=limits.PAGE, description="Most results to return.")]
FactLimit = Annotated[int | None, Say(ge=1, le=_MOST, description="Most facts to return; all if left out.")]
Cursor = Annotated[str | None, Say(description="The `next` of the page before.")]
Order = Annotated[Literal["oldest", "newest"], Say(description="By when it was learned.")]

# Which thing
Id = Annotated[str, Say(**_NAME, description="The id of a memory or edge.")]
AnyId = Annotated[str, Say(**_NAME, description="The id of a memory, entity or edge.")]
MemoryId = Annotated[str, Say(**_NAME, description="The memory's id.")]
PurgedId = Annotated[str, Say(**_NAME, description="The memory's id, or that of a source that no memory rests on.")]
Newer = Annotated[str, Say(**_NAME, description="The memory the link starts from: the newer, the derived.")]
Older = Annotated[str, Say(**_NAME, description="The memory it leads to: the older, the origin.")]
Node = Annotated[str, Say(**_NAME, description="A memory by id, or an entity by id, name or alias.")]
EntityRef = Annotated[str, Say(**_NAME, description="An entity's name, alias or id.")]
GatheredFor = Annotated[
    str | None, Say(**_NAME, description="The entity, by name, alias or id, whose mentions are to be gathered.")
]
GatheredIds = Annotated[
    Sequence[str] | None,
    Say(min_length=1, max_length=limits.BATCH, description="Instead of an entity: the memories to tie."),
]
SettingName = Annotated[str, Say(**_NAME, description="The setting.")]
ResetTimings = Annotated[bool, Say(description="Begin to count anew."), NOT_IN_AN_ADDRESS]
WhichStanding = Annotated[
    str, PlainValidator(_one_of(Standings)), _schema(Standings), Say(description="Memories of which standing.")
]
Offset = Annotated[int, Say(ge=0, le=_MOST, description="How many to pass over.")]
MostSurveyed = Annotated[int | None, Say(ge=1, le=_MOST, description="Count no more than the first so many.")]
CanonicalName = Annotated[str, Say(**_NAME, description="The canonical name.")]
MergedId = Annotated[str, Say(**_NAME, description="The id that was merged away, as the merge answered it.")]
SourceId = Annotated[str, Say(**_NAME, description="The source's id, as a memory names it.")]
EdgeId = Annotated[str, Say(**_NAME, description="The edge's id.")]
Evidence = Annotated[str | None, Say(description="The memory that is its evidence.")]

# What is remembered
Content = Annotated[
    str,
    Say(min_length=1, max_length=limits.CONTENT_CHARS, description="A self-contained statement in natural language."),
]
Kind = Annotated[
    _A_KIND,
    Say(description="episode: an event. semantic: a lasting fact. viewpoint: a preference. Also: fact, preference."),
]
OtherKind = Annotated[_A_KIND | None, Say(description="Another kind.")]
Title = Annotated[str | None, Say(max_length=limits.TITLE_CHARS, description="A short name for it.")]
Context = Annotated[
    str | None, Say(max_length=limits.CONTEXT_CHARS, description="What surrounded it when it was said.")
]
Tags = Annotated[Sequence[str], Say(max_length=limits.TAGS, description="Words to file it under.")]
OtherTags = Annotated[Sequence[str] | None, Say(max_length=limits.TAGS, description="Other tags.")]
Meta = Annotated[Mapping[str, Any] | None, Say(description="A JSON object of your own, at most 64 KiB.")]
Importance = Annotated[float, Say(**_UNIT, description="0.3 minor, 0.6 moderate, 0.9 identity-defining.")]
Confidence = Annotated[float, Say(**_UNIT, description="How certain it is.")]
OtherImportance = Annotated[float | None, Say(**_UNIT, description="Another importance.")]
OtherConfidence = Annotated[float | None, Say(**_UNIT, description="Another confidence.")]
Strength = Annotated[
    float | None,
    Say(ge=0, le=limits.STRENGTH, description="How well it is retained; by what it says if left out."),
]
Tier = Annotated[
    str, PlainValidator(_one_of(MemoryTier)), _schema(MemoryTier), Say(description="How long it is meant to last.")
]
OtherTier = Annotated[Literal["short", "mid", "long"] | None, Say(description="Another tier.")]
EventTime = Annotated[Time | None, Say(description="When it happened or became true.")]
EventEnd = Annotated[Time | None, Say(description="When what happened was over.")]
ExpiresAt = Annotated[Time | None, Say(description="When it stops being worth knowing.")]
Entities = Annotated[
    Sequence[_AN_ENTITY],
    Say(max_length=limits.ENTITIES_OF_A_MEMORY, description="What it mentions: names, or {name, kind}."),
]
Triples = Annotated[
    Sequence[_A_FACT],
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
    PlainValidator(_one_of(MemoryVisibility)),
    _schema(MemoryVisibility),
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
    PlainValidator(_file),
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
    Literal["hybrid", "rules", "reader", "llm", "client", "none"] | None,
    Say(description="Who reads it; as the space chose if left out."),
]
Rereader = Annotated[
    Literal["hybrid", "rules", "reader", "llm", "client", "none"] | None,
    Say(
        description="Who reads the new words for facts; as the space chose if left out. none leaves facts as they are."
    ),
]
Undoable = Annotated[
    str,
    Say(**_NAME, description="A receipt's seq, or its entries with commas between them, or the id of an edge."),
]

# Which memories
View = Annotated[
    str,
    PlainValidator(_one_of(MemoryView)),
    _schema(MemoryView),
    Say(description="current: what holds. history: superseded and expired too. all: whatever its state."),
]
Kinds = Annotated[Sequence[_A_KIND] | None, Say(description="Only these kinds.")]
WithTags = Annotated[Sequence[str], Say(max_length=limits.TAGS, description="Only memories with all these tags.")]
Mentioning = Annotated[Sequence[str], Say(max_length=100, description="Only memories that mention one of these.")]
InSession = Annotated[str | None, Say(description="Only this conversation.")]
BySpeaker = Annotated[str | None, Say(description="Only what this speaker said.")]
InStates = Annotated[
    Sequence[Literal["active", "promoted", "archived", "superseded", "expired", "forgotten"]] | None,
    Say(max_length=10, description="Only memories in these states, among those that the view shows."),
]
InTiers = Annotated[
    Sequence[Literal["short", "mid", "long"]] | None, Say(max_length=3, description="Only these tiers.")
]
WithWords = Annotated[
    str | None,
    Say(max_length=limits.QUERY_CHARS, description="Only memories in whose text each of these words stands."),
]
FacetValues = Annotated[int, Say(ge=1, le=limits.PAGE, description="Most values of each facet to return.")]
Since = Annotated[Time | None, Say(description="Only what holds from then or later.")]
Until = Annotated[Time | None, Say(description="Only what holds from before then.")]

# The question
Query = Annotated[str, Say(min_length=1, max_length=limits.QUERY_CHARS, description="The question, in plain words.")]
Hits = Annotated[int, Say(ge=1, le=limits.HITS, description="Most memories to return.")]
Looking = Annotated[
    Literal["auto", "current", "history"],
    Say(
        description="current: what holds. history: superseded and expired too. auto: current, unless the question is "
        "about the past."
    ),
]
MinScore = Annotated[float | None, Say(**_UNIT, description="Leave out what scores less.")]
RecencyBias = Annotated[
    float | None,
    Say(**_UNIT, description="How much newer memories are preferred; by what the question asks if left out."),
]
Diversify = Annotated[float, Say(**_UNIT, description="How much variety is preferred to the next best of the same.")]
IncludeSource = Annotated[bool, Say(description="Quote the words each memory rests on.")]
Explain = Annotated[bool, Say(description="Say for each hit what every signal and modifier added.")]
BudgetTokens = Annotated[int | None, Say(ge=1, description="Leave out what would take more tokens than this in all.")]
Budget = Annotated[int, Say(ge=1, description="Most tokens that the text may take, at about four characters each.")]
Format = Annotated[Literal["markdown", "xml", "json"], Say(description="How the text is written.")]
Neighbours = Annotated[
    int, Say(ge=0, le=limits.NEIGHBOURS, description="Turns before and after each hit to return with it.")
]
EmbedderName = Annotated[
    str | None,
    Say(
        max_length=limits.NAME_CHARS,
        description="turnfinder, turnfinder-2, minilm, static, multilingual, openai, none; left out: the space's own.",
    ),
]
Things = Annotated[int | None, Say(ge=1, le=_MOST, description="Read at most so many now; all if left out.")]
EmbedLater = Annotated[bool, Say(description="Write now, and leave the embedding to `reembed`.")]

# Advice
Message = Annotated[str, Say(min_length=1, max_length=limits.CONTENT_CHARS, description="The message, as it was said.")]

# A profile
ProfileOf = Annotated[
    str | None,
    Say(**_NAME, description="Whom or what it is about, by name, alias or id; all of the space if left out."),
]
Smooth = Annotated[
    Literal["auto", "always", "never"],
    Say(description="Whether the language model words it. auto: where it reads the space."),
]
ProfileLimit = Annotated[int, Say(ge=1, le=limits.PROFILE_MEMORIES, description="Most memories to tell.")]

# Notes
VaultFolder = Annotated[
    OnDisk | None,
    PlainValidator(_folder),
    AS_FILES_ARE_NAMED,
    WithJsonSchema({"anyOf": [{"type": "string", "format": "path"}, {"type": "null"}]}),
    Say(description="The folder of the Obsidian vault; what TREERING_VAULT says if left out."),
]
AnyQuery = Annotated[
    str | None,
    Say(
        min_length=1, max_length=limits.QUERY_CHARS, description="The question, in plain words; the newest if left out."
    ),
]
MemoryWeight = Annotated[float, Say(ge=0, le=10, description="What the score of a memory is multiplied by.")]
NoteWeight = Annotated[float, Say(ge=0, le=10, description="What the score of a note is multiplied by.")]
WindowDays = Annotated[
    int | None, Say(ge=1, le=limits.WINDOW_DAYS, description="Only memories of the last so many days.")
]
LeastDecay = Annotated[float | None, Say(ge=0, description="Only memories of which so much is left: the decay score.")]
Verbose = Annotated[bool, Say(description="Write ids, paths, tags and days into the text too.")]
EmbedNotes = Annotated[
    bool, Say(description="Also let the space's embedder read every section, so that meaning counts.")
]

# The graph
Relation = Annotated[
    str, Say(min_length=1, max_length=limits.RELATION_CHARS, description="The relation, such as WORKS_FOR.")
]
OwnOnly = Annotated[bool, Say(description="Only the rows that the space has of its own.")]
Gloss = Annotated[str | None, Say(description="What it says, such as 'whom somebody mentors'; needed for a new one.")]
RelationCardinality = Annotated[
    Literal["one", "many", "event"] | None,
    Say(description="one: a newer value closes the older; many: values add up; event: it happened. A new one: many."),
]
RelationSentence = Annotated[
    str | None, Say(description="How it is said, with {s} and {v} for the two ends: '{s} mentors {v}'.")
]
RelationFamily = Annotated[
    str | None, Say(description="A word that relations share which end together, such as couple; empty for none.")
]
AskedWords = Annotated[
    Sequence[str] | None, Say(description="Words by which a question asks for it; those of its name if there are none.")
]
OneRelation = Annotated[str | None, Say(description="Only this relation.")]
LinkRelation = Annotated[
    str,
    Say(
        max_length=limits.RELATION_CHARS,
        description="related_to, supersedes, contradicts, derived_from, extends, causes, supports or has_decision.",
    ),
]
TieStrength = Annotated[float, Say(**_UNIT, description="How strong the tie is.")]
LinkedFrom = Annotated[
    Time | None,
    Say(description="From when it holds; as the source memory if left out, or now if it was ended before."),
]
ValidFrom = Annotated[
    _A_BEGINNING | None,
    Say(description="From when it is true, or `unknown`; now, or its evidence's time, if left out."),
]
ValidUntil = Annotated[Time | None, Say(description="Until when it is true; open if left out.")]
ClosedAt = Annotated[Time | None, Say(description="When it stopped being true; now if left out.")]
Supersede = Annotated[bool, Say(description="For a relation with one value at a time, close the older value.")]
Statements = Annotated[
    Sequence[_A_FACT],
    Say(
        min_length=1,
        max_length=limits.BATCH,
        description="Each {subject, relation, object, valid_from?, valid_until?, confidence?, memory_id?}.",
    ),
]
OfSubject = Annotated[str | None, Say(description="Only facts of this entity, by name, alias or id.")]
AboutObject = Annotated[str | None, Say(description="Only facts that lead to this entity.")]
IncludeClosed = Annotated[bool, Say(description="Also facts that do not hold at the moment.")]
Aliases = Annotated[Sequence[str], Say(max_length=limits.ALIASES, description="Other names it answers to.")]
EntityKind = Annotated[
    str | None,
    Say(
        max_length=limits.KIND_CHARS,
        description="person, organization, technology, project, place, event, object, concept, or a word of your own.",
    ),
]

# The graph through time
EventsSince = Annotated[Time | None, Say(description="Only what happened then or later.")]
EventsUntil = Annotated[Time | None, Say(description="Only what happened before then.")]
OfRelations = Annotated[
    Sequence[str] | None, Say(max_length=limits.BATCH, description="Only edges of these relations, and nothing else.")
]
Events = Annotated[int, Say(ge=1, le=limits.BATCH, description="Most events to return, the earliest first.")]
OfEach = Annotated[int, Say(ge=1, le=limits.PAGE, description="Most memories and most events to return.")]
From = Annotated[Time, Say(description="The earlier moment, in valid time.")]
To = Annotated[Time | None, Say(description="The later moment, in valid time; the present if left out.")]
Topic = Annotated[
    str | None, Say(**_NAME, description="Only conflicts about this: words one side says, an entity, or a tag.")
]
OneMemory = Annotated[str, Say(**_NAME, description="The memory, by id.")]
OneOfTwo = Annotated[str, Say(**_NAME, description="One of the two memories, by id.")]
OtherOfTwo = Annotated[str, Say(**_NAME, description="The other, by id. Which was said first is known.")]
Steps = Annotated[int, Say(ge=1, le=limits.STEPS, description="Most steps from the memory to look at.")]
Relatives = Annotated[int, Say(ge=1, le=limits.PAGE, description="Most of each kind to return.")]
Levels = Annotated[int, Say(ge=1, le=limits.SPACE_SEGMENTS, description="Levels below the root to show.")]
Branches = Annotated[int, Say(ge=1, le=limits.PAGE, description="Most spaces to show; the counts stay whole.")]
TimeWords = Annotated[
    str,
    Say(min_length=1, max_length=limits.QUERY_CHARS, description="Words that name a time, such as last May."),
]
Reference = Annotated[Time | None, Say(description="The moment from which it is seen; now if left out.")]
WhichClock = Annotated[
    Literal["valid", "known"],
    Say(description="valid: when things begin and end. known: when something was written."),
]
TicksAfter = Annotated[Time | None, Say(description="Only changes later than this.")]
TicksBefore = Annotated[Time | None, Say(description="Only changes earlier than this.")]
Ticks = Annotated[
    int, Say(ge=1, le=limits.PAGE, description="Most ticks to return; where there are more, near ones are one.")
]
AnyNode = Annotated[
    str | None, Say(**_NAME, description="A memory by id, or an entity by id, name or alias; or give a relation.")
]
BeforeSeq = Annotated[
    int | None, Say(ge=1, le=limits.SEQ, description="Only entries before this one: the `before` of the page before.")
]
JournalLines = Annotated[int, Say(ge=1, le=200, description="Most entries to return.")]
NamedLike = Annotated[str | None, Say(**_NAME, description="Only those with a name or alias that begins like this.")]
# Walks
Start = Annotated[str, Say(**_NAME, description="Where to begin: a memory by id, or an entity by id, name or alias.")]
Goal = Annotated[str, Say(**_NAME, description="Where to arrive: a memory by id, or an entity by id, name or alias.")]
Relations = Annotated[
    Sequence[str] | None,
    Say(max_length=100, description="Cross only edges of these relations; all if left out."),
]
Depth = Annotated[int, Say(ge=1, le=limits.WALK_DEPTH, description="Most edges from the start.")]
Direction = Annotated[
    str,
    PlainValidator(_one_of(EdgeDirection)),
    _schema(EdgeDirection),
    Say(description="out: along the edges. in: against them. both: either way. What contradicts leads both ways."),
]
AlsoClosed = Annotated[bool, Say(description="Also cross edges that do not hold at the moment.")]
MostEdges = Annotated[int, Say(ge=1, le=limits.WALK_EDGES, description="Most edges to return.")]
PathDepth = Annotated[int, Say(ge=1, le=limits.PATH_DEPTH, description="Most edges of one path.")]
MostPaths = Annotated[int, Say(ge=1, le=limits.PATHS, description="Most paths to return.")]

# Jobs
JobId = Annotated[str, Say(**_NAME, description="The job's id, as enqueue answered it.")]
OfStatus = Annotated[
    Literal["pending", "processing", "completed", "partial", "failed", "cancelled"] | None,
    Say(description="Only jobs that stand like this."),
]
MostJobs = Annotated[int | None, Say(ge=1, le=_MOST, description="Most jobs to do; all that are ready if left out.")]

# Upkeep: what belongs together
Strategy = Annotated[
    Literal["similarity", "words"],
    Say(description="similarity: by meaning, or by words where nobody has read the space. words: by words alone."),
]
ClusterThreshold = Annotated[float, Say(**_UNIT, description="How alike two memories must be to come together.")]
MaxSize = Annotated[int, Say(ge=2, le=limits.CLUSTER_SIZE, description="Most memories of one cluster.")]
MinSize = Annotated[int, Say(ge=2, le=limits.CLUSTER_SIZE, description="Fewest memories of one cluster.")]
FindDuplicates = Annotated[bool, Say(description="Look for pairs that say the same instead.")]
DuplicateThreshold = Annotated[
    float, Say(**_UNIT, description="How alike two must be before their words decide whether they say the same.")
]
ClusterId = Annotated[
    str | None, Say(max_length=limits.NAME_CHARS, description="The cluster, as `cluster` answered it.")
]
AutoClusters = Annotated[bool, Say(description="All clusters that are coherent enough, instead of one.")]
ConsolidationMode = Annotated[
    Literal["preview", "apply", "link"],
    Say(description="preview: say what would be. apply: merge into one. link: relate, and keep all."),
]
CohesionThreshold = Annotated[
    float, Say(**_UNIT, description="How coherent a cluster must be to be merged by `auto`; below it is linked.")
]

# Upkeep: the agents, and what waits for somebody to decide
AgentWord = Annotated[
    Literal["decay", "cluster", "merge", "promote", "relations"], Say(description="Which of the five agents.")
]
OneAgent = Annotated[
    Literal["decay", "cluster", "merge", "promote", "relations"] | None, Say(description="Only what this agent asked.")
]
RateLimit = Annotated[
    int, Say(ge=1, le=limits.BATCH, description="Most writes of an agent in a minute; the rest is for the next run.")
]
Interval = Annotated[
    float, Say(ge=1, le=31_536_000, description="Seconds from the beginning of one run to that of the next.")
]
ForceRun = Annotated[bool, Say(description="Run even if it is not time yet.")]
ReviewId = Annotated[str, Say(**_NAME, description="The review item's id.")]
ReviewWord = Annotated[
    str,
    PlainValidator(_one_of(ReviewKinds)),
    _schema(ReviewKinds),
    Say(description="What it is about."),
]
OneReviewWord = Annotated[
    Literal["decay", "cluster", "merge", "promote", "relations", "same_entity", "contradiction", "stale"] | None,
    Say(description="Only items of this kind."),
]
ReviewUrgency = Annotated[Literal["high", "medium", "low"], Say(description="How soon it should be decided.")]
OneUrgency = Annotated[Literal["high", "medium", "low"] | None, Say(description="Only items that are so urgent.")]
ReviewState = Annotated[
    Literal["open", "claimed", "applied", "dismissed", "closed"] | None,
    Say(description="Only items that stand like this; what waits if left out."),
]
About = Annotated[Sequence[str], Say(max_length=limits.REVIEWED, description="The memories that it is about, by id.")]
AboutEntities = Annotated[
    Sequence[str], Say(max_length=limits.REVIEWED, description="The entities that it is about, by id.")
]
Action = Annotated[str, Say(min_length=1, max_length=limits.NAME_CHARS, description="What should be done, in a word.")]
Proposal = Annotated[
    Mapping[str, Any] | None,
    Say(
        description="What applying it does: {op: review, archive, forget, promote, consolidate, link, …, and its ids}."
    ),
]
ReviewReason = Annotated[str, Say(max_length=limits.WHY_CHARS, description="Why somebody should look at it.")]
Note = Annotated[str | None, Say(max_length=limits.WHY_CHARS, description="What there is to say about the decision.")]
ClaimSeconds = Annotated[
    float, Say(ge=1, le=86_400, description="How long it is yours; then somebody else may take it.")
]
IssueId = Annotated[str, Say(**_NAME, description="The issue's id, as it was answered.")]
IssueStatus = Annotated[
    Literal["open", "in_progress", "closed"] | None, Say(description="Only issues that stand like this.")
]
IssueReason = Annotated[str, Say(min_length=1, max_length=limits.WHY_CHARS, description="How it was dealt with.")]

# Serving others
Description = Annotated[
    str | None, Say(max_length=limits.CONTEXT_CHARS, description="What the space is for, in a sentence or two.")
]
AfterSeq = Annotated[
    int,
    Say(ge=0, le=limits.SEQ, description="Only what came after this entry: the `after` of the answer before."),
]
KeyName = Annotated[str, Say(**_NAME, description="Who its bearer acts for: what is written is written in this name.")]
KeyRole = Annotated[
    str,
    PlainValidator(_one_of(AccessRole)),
    _schema(AccessRole),
    Say(description="read; write, which also reads; admin, which may do all, also remove."),
]
Opened = Annotated[
    Sequence[str],
    Say(min_length=1, max_length=100, description="The spaces it opens: acme/research, acme/* with all below, or *."),
]
RequestsAMinute = Annotated[
    int | None, Say(ge=1, le=_MOST, description="Most requests a minute; the server's own bound if left out.")
]
RequestsADay = Annotated[
    int | None, Say(ge=1, le=_MOST, description="Most requests a day (UTC); no bound if left out.")
]
ReportsForOthers = Annotated[
    bool,
    Say(description="May say that another has reported something (observed_by); who wrote it is shown beside it."),
]
HookUrl = Annotated[str, Say(min_length=1, max_length=2_000, description="Where to: an http or https address.")]
HookEvents = Annotated[
    Sequence[str],
    Say(max_length=100, description="Only these kinds of change (memory_added) or operations (remember); all if none."),
]
FromStart = Annotated[bool, Say(description="Tell it of all that happened before, too.")]
HookId = Annotated[str, Say(**_NAME, description="The webhook's id.")]
OfHook = Annotated[str | None, Say(description="Only of this webhook, by its id.")]
KeyId = Annotated[str, Say(**_NAME, description="The key's id, as key_list shows it; not the key itself.")]
KeyExpiresAt = Annotated[
    Time | None, Say(description="From then on the key opens nothing; it never expires if left out.")
]
NewExpiry = Annotated[
    Time | None, Say(description="When the new key expires; if left out, after as long as the old one was made for.")
]
OverlapSeconds = Annotated[
    int, Say(ge=0, le=366 * 86_400, description="How long the old key still holds beside the new one.")
]
Group = Annotated[str, Say(**_NAME, description="A group, as the identity provider's tokens name it.")]
GrantPath = Annotated[
    str, Say(**_NAME, description="Where: acme/research, which holds for all below it too, or * for everywhere.")
]

# Audit
AuditKinds = Annotated[
    Sequence[Annotated[str, PlainValidator(_one_of(AuditKind)), _schema(AuditKind)]],
    Say(max_length=len(AuditKind), description="Only of these kinds: read, export, write, manage, sign_in, denied."),
]
OfCaller = Annotated[str | None, Say(description="Only what this caller did, by name.")]
OfKey = Annotated[str | None, Say(description="Only what was done with this key, by its id.")]
OfRequest = Annotated[str | None, Say(description="Only what belongs to this request, by its X-Request-Id.")]
OfOperation = Annotated[str | None, Say(description="Only this operation, such as recall.")]
Outcome = Annotated[str | None, Say(description="Only what ended so: ok, or the code of an error, such as forbidden.")]
AuditSince = Annotated[Time | None, Say(description="Only from then on.")]
AuditUntil = Annotated[Time | None, Say(description="Only before then.")]
AfterRecord = Annotated[int, Say(ge=0, le=limits.SEQ, description="Where to go on: the `after` of the answer before.")]
AuditOrder = Annotated[Literal["newest", "oldest"], Say(description="Which come first.")]
SeenHead = Annotated[
    str | None, Say(max_length=100, description="A head that was noted earlier: is that record still there as it was?")
]

# Upkeep
Boost = Annotated[bool, Say(description="Make it stronger too.")]
UsedIds = Annotated[
    Sequence[str],
    Say(min_length=1, max_length=limits.USED_AT_ONCE, description="The ids of the memories that were used."),
]
MemoryIds = Annotated[
    Sequence[str], Say(min_length=1, max_length=limits.USED_AT_ONCE, description="The ids of the memories.")
]
ContextTags = Annotated[Sequence[str], Say(max_length=limits.TAGS, description="Tags of what is being talked about.")]
IdOrQuery = Annotated[str | None, Say(**_NAME, description="The id of a memory or edge; or give a query.")]
ForgetQuery = Annotated[
    str | None,
    Say(min_length=1, max_length=limits.QUERY_CHARS, description="Show what has to do with this, to be forgotten."),
]
Confirm = Annotated[
    str | None, Say(max_length=limits.NAME_CHARS, description="The token of the preview: forget what it showed.")
]
Preview = Annotated[bool, Say(description="Only say what would happen; false to have it done.")]
Archive = Annotated[bool, Say(description="Archive; false to forget instead. Both can be restored.")]
MostCollected = Annotated[
    int | None, Say(ge=1, le=limits.BATCH, description="Most memories to take at once; 10,000 if left out.")
]
PromoteId = Annotated[str | None, Say(**_NAME, description="The memory to promote; or give auto.")]
Auto = Annotated[bool, Say(description="Promote all that meet the criteria.")]
PromotionTarget = Annotated[
    Literal["long", "obsidian"] | None,
    Say(description="long: the tier alone. obsidian: a note too. Left out: a note too if there is a vault."),
]
Force = Annotated[bool, Say(description="Promote it even if it does not meet the criteria.")]
ReviewToo = Annotated[
    bool,
    Say(description="Put some fading memories that have to do with the question last, marked, to be seen again."),
]

# The call itself
Why = Annotated[str | None, Say(max_length=limits.WHY_CHARS, description="The reason, kept with the change.")]
Reason = Annotated[
    str,
    Say(min_length=1, max_length=limits.WHY_CHARS, description="The reason; it stays when the content is gone."),
]
DryRun = Annotated[bool, Say(description="Say what would happen and write nothing.")]
WrittenSince = Annotated[Time | None, Say(description="Only what was written since then; all if left out.")]
_A_PATH = WithJsonSchema({"type": "string", "format": "path", "minLength": 1})
NewFile = Annotated[
    OnDisk | Scratch,
    PlainValidator(_place),
    AS_FILES_ARE_NAMED,
    _A_PATH,
    Say(description="The file to write; it must not exist yet."),
]
OtherMemory = Annotated[
    OnDisk | None,
    PlainValidator(_folder),
    AS_FILES_ARE_NAMED,
    WithJsonSchema({"anyOf": [{"type": "string", "format": "path"}, {"type": "null"}]}),
    Say(
        description="A storage folder of CortexGraph, an export or database of ai-memory, or saved answers of Crosmos "
        "or LongMem."
    ),
]
OtherRecords = Annotated[
    dict[str, Any] | None,
    Say(description="Instead of a path: an export as ai-memory gives it, or answers of Crosmos or LongMem."),
]
OtherSystem = Annotated[
    Literal["cortexgraph", "ai-memory", "crosmos", "longmem"] | None,
    Say(description="Whose it is; recognised if left out."),
]
ExportFormat = Annotated[
    Literal[
        "journal",
        "jsonl",
        "markdown",
        "graphml",
        "cypher",
        "cortexgraph",
        "ai-memory",
        "crosmos",
        "longmem",
        "mem0",
        "mcp",
        "mcp-memory-service",
        "graphiti",
    ]
    | None,
    Say(description="In which form; if left out, by the ending of the name, and the journal where it tells none."),
]
BackupFile = Annotated[
    OnDisk | Scratch | None,
    PlainValidator(_place_or_none),
    AS_FILES_ARE_NAMED,
    WithJsonSchema({"anyOf": [{"type": "string", "format": "path"}, {"type": "null"}]}),
    Say(description="A backup; the newest of the folder TREERING_BACKUPS if left out."),
]
Passphrase = Annotated[
    str | None,
    Say(
        min_length=12,
        max_length=1024,
        description="What the backup is sealed with. Where other users see command lines, name a file in "
        "TREERING_BACKUP_PASSPHRASE_FILE instead.",
    ),
    NOT_IN_AN_ADDRESS,
]
VerifyCopy = Annotated[bool, Say(description="Check every entry and row of the copy; false only copies.")]
ForceBackup = Annotated[bool, Say(description="Also if it is not time yet.")]
Questions = Annotated[int, Say(ge=0, le=1000, description="How many questions are asked of both.")]
HeldId = Annotated[str | None, Say(**_NAME, description="The memory; the whole space if left out.")]
JournalFile = Annotated[
    OnDisk | Scratch,
    PlainValidator(_place),
    AS_FILES_ARE_NAMED,
    _A_PATH,
    Say(description="A file made by export."),
]
MeetingPlace = Annotated[
    str,
    AfterValidator(_path),
    AS_FILES_ARE_NAMED,
    Say(
        min_length=1,
        description="Where the stores meet: a folder that all of them can reach, or the address of a server.",
        examples=["~/Dropbox/treering", "https://memory.example.org"],
    ),
]
PlaceKey = Annotated[
    str | None, Say(description="At a server: the key of an admin of all spaces. A folder needs none.", max_length=200)
]
Repair = Annotated[bool, Say(description="Make damaged tables again from the journal.")]
SettingChanges = Annotated[Mapping[str, Any], Say(description="Settings to change, by name; none to only read.")]

# What comes back in lists; inside the door `list` is an operation
Facts = list[Fact]
EntityList = list[Entity]
RelationRows = list[RelationRow]
Keys = list[ApiKey]
Grants = list[Grant]
Holds = list[Hold]
Backups = list[BackupFound]
Webhooks = list[Webhook]
DeadLetters = list[DeadLetter]
StaleOnes = list[Stale]
Contradictions = list[Contradiction]
Jobs = list[Job]
Paths = list[GraphPath]
Scores = list[Score]
Spaces = list[SpaceInfo]
Signers = list[SignerInfo]
Names = list[str]
Windows = list[Window]
ReviewItems = list[ReviewItem]
Issues = list[Issue]
