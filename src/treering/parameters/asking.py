"""What is asked for? Questions, filters, advice, profiles, notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field as Say
from pydantic import PlainValidator, WithJsonSchema

from treering.files import OnDisk
from treering.model import limits
from treering.model.memory import View as MemoryView
from treering.operation import AS_FILES_ARE_NAMED, Time
from treering.parameters.bounds import A_KIND, MOST, NAME, UNIT, folder_or_none, one_of, schema_of

# Which memories
View = Annotated[
    str,
    PlainValidator(one_of(MemoryView)),
    schema_of(MemoryView),
    Say(description="current: what holds. history: superseded and expired too. all: whatever its state."),
]
Kinds = Annotated[Sequence[A_KIND] | None, Say(description="Only these kinds.")]
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
MinConfidence = Annotated[
    float | None, Say(**UNIT, description="Leave out facts that are less certain; from .5 on none is only probable.")
]
MinScore = Annotated[float | None, Say(**UNIT, description="Leave out what scores less.")]
RecencyBias = Annotated[
    float | None,
    Say(**UNIT, description="How much newer memories are preferred; by what the question asks if left out."),
]
Diversify = Annotated[float, Say(**UNIT, description="How much variety is preferred to the next best of the same.")]
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
        description="turnfinder-2, turnfinder, minilm, static, multilingual, openai, none; left out: the space's own.",
    ),
]
Things = Annotated[int | None, Say(ge=1, le=MOST, description="Read at most so many now; all if left out.")]
EmbedLater = Annotated[bool, Say(description="Write now, and leave the embedding to `reembed`.")]

# Advice
Message = Annotated[str, Say(min_length=1, max_length=limits.CONTENT_CHARS, description="The message, as it was said.")]

# A profile
ProfileOf = Annotated[
    str | None,
    Say(**NAME, description="Whom or what it is about, by name, alias or id; all of the space if left out."),
]
Smooth = Annotated[
    Literal["auto", "always", "never"],
    Say(description="Whether the language model words it. auto: where it reads the space."),
]
ProfileLimit = Annotated[int, Say(ge=1, le=limits.PROFILE_MEMORIES, description="Most memories to tell.")]

# Notes
VaultFolder = Annotated[
    OnDisk | None,
    PlainValidator(folder_or_none),
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
