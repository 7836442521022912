"""How is the graph read? Walks, timelines, differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field as Say
from pydantic import PlainValidator

from treering.model import limits
from treering.model.edge import Direction as EdgeDirection
from treering.operation import Time
from treering.parameters.bounds import A_BEGINNING, A_FACT, NAME, UNIT, one_of, schema_of

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
OtherNames = Annotated[
    Sequence[str] | None,
    Say(description="Other names of relations that mean the same, in the same direction; in place of those it had."),
]
OneRelation = Annotated[str | None, Say(description="Only this relation.")]
LinkRelation = Annotated[
    str,
    Say(
        max_length=limits.RELATION_CHARS,
        description="related_to, supersedes, contradicts, derived_from, extends, causes, supports or has_decision.",
    ),
]
TieStrength = Annotated[float, Say(**UNIT, description="How strong the tie is.")]
LinkedFrom = Annotated[
    Time | None,
    Say(description="From when it holds; as the source memory if left out, or now if it was ended before."),
]
ValidFrom = Annotated[
    A_BEGINNING | None,
    Say(description="From when it is true, or `unknown`; now, or its evidence's time, if left out."),
]
ValidUntil = Annotated[Time | None, Say(description="Until when it is true; open if left out.")]
ClosedAt = Annotated[Time | None, Say(description="When it stopped being true; now if left out.")]
Supersede = Annotated[bool, Say(description="For a relation with one value at a time, close the older value.")]
Statements = Annotated[
    Sequence[A_FACT],
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
    str | None, Say(**NAME, description="Only conflicts about this: words one side says, an entity, or a tag.")
]
OneMemory = Annotated[str, Say(**NAME, description="The memory, by id.")]
OneOfTwo = Annotated[str, Say(**NAME, description="One of the two memories, by id.")]
OtherOfTwo = Annotated[str, Say(**NAME, description="The other, by id. Which was said first is known.")]
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
    str | None, Say(**NAME, description="A memory by id, or an entity by id, name or alias; or give a relation.")
]
BeforeSeq = Annotated[
    int | None, Say(ge=1, le=limits.SEQ, description="Only entries before this one: the `before` of the page before.")
]
JournalLines = Annotated[int, Say(ge=1, le=200, description="Most entries to return.")]
NamedLike = Annotated[str | None, Say(**NAME, description="Only those with a name or alias that begins like this.")]

# Walks
Start = Annotated[str, Say(**NAME, description="Where to begin: a memory by id, or an entity by id, name or alias.")]
Goal = Annotated[str, Say(**NAME, description="Where to arrive: a memory by id, or an entity by id, name or alias.")]
Relations = Annotated[
    Sequence[str] | None,
    Say(max_length=100, description="Cross only edges of these relations; all if left out."),
]
Depth = Annotated[int, Say(ge=1, le=limits.WALK_DEPTH, description="Most edges from the start.")]
Direction = Annotated[
    str,
    PlainValidator(one_of(EdgeDirection)),
    schema_of(EdgeDirection),
    Say(description="out: along the edges. in: against them. both: either way. What contradicts leads both ways."),
]
AlsoClosed = Annotated[bool, Say(description="Also cross edges that do not hold at the moment.")]
MostEdges = Annotated[int, Say(ge=1, le=limits.WALK_EDGES, description="Most edges to return.")]
SeenNodes = Annotated[int, Say(ge=1, le=limits.SEEN_NODES, description="Most entities to return.")]
SeenEdges = Annotated[int, Say(ge=1, le=limits.SEEN_EDGES, description="Most facts to return.")]
EndKind = Annotated[
    str | None, Say(max_length=limits.KIND_CHARS, description="Only facts of which an end is of this kind.")
]
LeastConfidence = Annotated[float, Say(**UNIT, description="Only facts that are at least so certain.")]
PathDepth = Annotated[int, Say(ge=1, le=limits.PATH_DEPTH, description="Most edges of one path.")]
MostPaths = Annotated[int, Say(ge=1, le=limits.PATHS, description="Most paths to return.")]
