"""By which rules is a space kept? Its settings, as the policies of this room."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from treering.model.memory import Tier
from treering.store.contract import Reader
from treering.upkeep.decay import Bands, DangerZone, DecayPolicy
from treering.upkeep.persistence import PersistencePolicy
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class PromotionPolicy:
    """So high a score, or so many uses within so many days, and so many days of age."""

    score: float = 0.65
    uses: int = 5
    within_days: float = 14.0
    min_age_days: float = 1.0


@dataclass(frozen=True, slots=True)
class ReinforcementPolicy:
    """`cross_domain_below`: below this likeness of tags a use counts as one in another domain."""

    enabled: bool = True
    boost: float = 0.1
    cross_domain_below: float = 0.3


@dataclass(frozen=True, slots=True)
class Policies:
    decay: DecayPolicy
    bands: Bands
    zone: DangerZone
    persistence: PersistencePolicy
    promotion: PromotionPolicy
    reinforcement: ReinforcementPolicy
    lifetimes: Mapping[Tier, timedelta]
    """How long memories of a tier last unless used; empty if the space does not ask for it."""

    @classmethod
    def of(cls, reader: Reader) -> Policies:
        retention, promotion = reader.setting("retention"), reader.setting("promotion")
        return cls(
            decay=DecayPolicy.of(reader.setting("decay")),
            bands=Bands.of_settings(promotion, retention),
            zone=DangerZone.of_setting(reader.setting("review")),
            persistence=PersistencePolicy(keeps=retention["keep_importance"]),
            promotion=PromotionPolicy(**promotion),
            reinforcement=ReinforcementPolicy(**reader.setting("reinforcement")),
            lifetimes=_lifetimes(reader.setting("tiers")),
        )


def _lifetimes(tiers: Mapping[str, Any]) -> dict[Tier, timedelta]:
    if not tiers["enabled"]:
        return {}
    return {Tier.SHORT: timedelta(hours=tiers["short_hours"]), Tier.MID: timedelta(days=tiers["mid_days"])}


def present(reader: Reader) -> datetime:
    """The time that scores are of: what was known then must never score otherwise later."""
    return reader.moment.known_at or reader.moment.as_of
