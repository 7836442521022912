"""What may a space decide about what time does to its memories? One topic each for fading, lifetimes, keeping, review,
reinforcement, promotion and consolidation.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from treering.model.topic import Topic, flag, number, of_kinds, of_tags, pace, whole

_SCORE = number(0, 10)
_SHARE = number(0, 1)
_DAYS = number(0, 36_500)


def _days_or_none(name: str, value: Any) -> float | None:
    return None if value is None else float(number(0, 36_500)(name, value))


def _in_order(*names: str) -> Any:
    """These parts must not fall."""

    def rule(parts: dict[str, Any]) -> str | None:
        for low, high in pairwise(names):
            if parts[low] > parts[high]:
                return f"{low} {parts[low]:g} is above {high} {parts[high]:g}; turn them round"
        return None

    return rule


DECAY = Topic(
    "decay",
    model=("power_law", pace("model")),
    half_life_days=(3.0, pace("half_life_days")),
    beta=(0.6, pace("beta")),
    importance=(1.0, number(0, 4)),
    kinds=({"viewpoint": {"half_life_days": 7.0}}, of_kinds),
    tags=({"decision": {"half_life_days": 7.0}}, of_tags),
)
TIERS = Topic("tiers", enabled=(False, flag), short_hours=(6.0, number(0.01, 876_000)), mid_days=(7.0, _DAYS))
RETENTION = Topic(
    "retention",
    _in_order("collect_below", "fading_below"),
    collect_below=(0.05, _SCORE),
    fading_below=(0.10, _SCORE),
    keep_importance=(0.9, _SHARE),
)
PURGING = Topic("purging", after_days=(None, _days_or_none), forgotten_after_days=(None, _days_or_none))
REVIEW = Topic("review", _in_order("low", "high"), low=(0.15, _SCORE), high=(0.35, _SCORE), blend=(0.3, _SHARE))
REINFORCEMENT = Topic(
    "reinforcement", enabled=(True, flag), boost=(0.1, number(0, 2)), cross_domain_below=(0.3, _SHARE)
)
PROMOTION = Topic(
    "promotion",
    score=(0.65, _SCORE),
    uses=(5, whole(1, 1_000_000)),
    within_days=(14.0, _DAYS),
    min_age_days=(1.0, _DAYS),
)
CONSOLIDATION = Topic(
    "consolidation",
    _in_order("link_from", "cohesion"),
    threshold=(0.83, _SHARE),
    duplicate_threshold=(0.88, _SHARE),
    max_size=(12, whole(2, 100)),
    min_size=(2, whole(2, 100)),
    cohesion=(0.75, _SHARE),
    auto_merge=(0.85, _SHARE),
    review=(0.65, _SHARE),
    link_from=(0.40, _SHARE),
    min_shared_entities=(2, whole(2, 12)),
    min_confidence=(0.5, _SHARE),
)
ENRICHMENT = Topic("enrichment", enabled=(True, flag))
AUTO_RECALL = Topic(
    "auto_recall",
    enabled=(True, flag),
    min_interval_seconds=(300.0, number(0, 86_400)),
    relevance=(0.3, _SHARE),
    most=(3, whole(1, 20)),
)

HELP: tuple[tuple[str, Topic, str], ...] = (
    (
        "decay",
        DECAY,
        "How memories fade: model, half_life_days and beta, how much importance slows it, paces by kinds and tags.",
    ),
    ("tiers", TIERS, "How long short and mid memories last unless used, if enabled; then `expire` archives them."),
    ("retention", RETENTION, "Below which score memories fade and are collected, and which importance never is."),
    (
        "purging",
        PURGING,
        "After how many days memories are purged, and forgotten ones since they were; none given is never.",
    ),
    ("review", REVIEW, "The scores between which a memory is worth a review, and how many recall may blend in."),
    ("reinforcement", REINFORCEMENT, "Whether memories that were of use grow stronger, by how much, and when."),
    ("promotion", PROMOTION, "Which score, or how many uses within how many days, and which age promote a memory."),
    ("consolidation", CONSOLIDATION, "How near memories are grouped, and how coherent groups are joined or linked."),
    ("enrichment", ENRICHMENT, "Whether names and strength are read out of what is saved as it stands without them."),
    ("auto_recall", AUTO_RECALL, "Whether what a message speaks of is reinforced, how often, and how much of it."),
)
"""Name, topic and the sentence that faces show."""
