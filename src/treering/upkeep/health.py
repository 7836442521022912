"""How is a space doing? Counts of what there is, what fades, what is in doubt, and when it was last looked after.

Some figures come from elsewhere: what is stale and what waits for a review are handed in by who knows.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from treering.model.edge import Link
from treering.model.memory import Tier
from treering.model.value import Value
from treering.store.contract import EdgeFilter, Reader
from treering.upkeep.decay import Band
from treering.upkeep.policies import Policies, present
from treering.upkeep.said_twice import said_twice
from treering.values import dataclass

UPKEEP = ("gc", "expire", "promote", "consolidate")
"""The operations by which a space is looked after."""
GROWTH_DAYS = {"day": 1, "week": 7, "month": 30}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What other rooms say; none where nobody could be asked."""

    stale: int | None = None
    review_backlog: int | None = None
    last_upkeep: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Health(Value):
    """`states` counts all memories; `tiers`, `bands` and what follows are of the current ones. `in_danger`: how many
    fade and want a review. `conflicts`: contradictions that stand. `duplicates`: how many say what another said before,
    of the newest `duplicates_among`. `orphans`: memories that no edge touches. `growth`: how many were learned in the
    last day, week and month."""

    space: str
    at: datetime
    memories: int
    states: dict[str, int]
    tiers: dict[str, int]
    bands: dict[str, int]
    mean_score: float | None
    in_danger: int
    stale: int | None
    conflicts: int
    duplicates: int
    duplicates_among: int
    orphans: int
    review_backlog: int | None
    growth: dict[str, int]
    entities: int
    edges: int
    last_upkeep: datetime | None


def health(reader: Reader, space: str, elsewhere: Elsewhere) -> Health:
    policies, at, counts = Policies.of(reader), present(reader), reader.counts()
    tiers, bands, total, in_danger = Counter[Tier](), Counter[Band](), 0.0, 0
    for one in reader.standing():
        score = policies.decay.score(one, at)
        tiers[one.tier] += 1
        bands[policies.bands.of(score)] += 1
        in_danger += policies.zone.priority(score) > 0
        total += score
    tally = reader.tally([at - timedelta(days=days) for days in GROWTH_DAYS.values()], UPKEEP)
    current, double = sum(tiers.values()), said_twice(reader)
    upkept = [point for point in (tally.written_at, elsewhere.last_upkeep) if point is not None]
    return Health(
        space=space,
        at=at,
        memories=current,
        states=dict(counts.memories),
        tiers={tier.value: tiers[tier] for tier in Tier},
        bands={band.value: bands[band] for band in Band},
        mean_score=round(total / current, 6) if current else None,
        in_danger=in_danger,
        stale=elsewhere.stale,
        conflicts=len(reader.edges(EdgeFilter(relations=(Link.CONTRADICTS.value,)))),
        duplicates=double.duplicates,
        duplicates_among=double.among,
        orphans=tally.orphans,
        review_backlog=elsewhere.review_backlog,
        growth=dict(zip(GROWTH_DAYS, tally.learned, strict=True)),
        entities=counts.entities,
        edges=counts.edges,
        last_upkeep=max(upkept, default=None),
    )
