"""What is done to what is known already? Uses, clusters, agents, reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field as Say
from pydantic import PlainValidator

from treering.model import limits
from treering.model.review import ReviewKind as ReviewKinds
from treering.parameters.bounds import NAME, UNIT, one_of, schema_of

# Upkeep: what belongs together
Strategy = Annotated[
    Literal["similarity", "words"],
    Say(description="similarity: by meaning, or by words where nobody has read the space. words: by words alone."),
]
ClusterThreshold = Annotated[float, Say(**UNIT, description="How alike two memories must be to come together.")]
MaxSize = Annotated[int, Say(ge=2, le=limits.CLUSTER_SIZE, description="Most memories of one cluster.")]
MinSize = Annotated[int, Say(ge=2, le=limits.CLUSTER_SIZE, description="Fewest memories of one cluster.")]
FindDuplicates = Annotated[bool, Say(description="Look for pairs that say the same instead.")]
DuplicateThreshold = Annotated[
    float, Say(**UNIT, description="How alike two must be before their words decide whether they say the same.")
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
    float, Say(**UNIT, description="How coherent a cluster must be to be merged by `auto`; below it is linked.")
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
ReviewId = Annotated[str, Say(**NAME, description="The review item's id.")]
ReviewWord = Annotated[
    str,
    PlainValidator(one_of(ReviewKinds)),
    schema_of(ReviewKinds),
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
IssueId = Annotated[str, Say(**NAME, description="The issue's id, as it was answered.")]
IssueStatus = Annotated[
    Literal["open", "in_progress", "closed"] | None, Say(description="Only issues that stand like this.")
]
IssueReason = Annotated[str, Say(min_length=1, max_length=limits.WHY_CHARS, description="How it was dealt with.")]

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
IdOrQuery = Annotated[str | None, Say(**NAME, description="The id of a memory or edge; or give a query.")]
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
PromoteId = Annotated[str | None, Say(**NAME, description="The memory to promote; or give auto.")]
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
