"""What is left of a memory after a while, by each model, and when it will have faded."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.model.memory import Kind
from treering.model.setting import SETTINGS
from treering.upkeep.decay import HALF_LIFE_DAYS, POWER_SCALE, Band, Bands, DangerZone, DecayModel, DecayPolicy, Pace
from treering.upkeep.persistence import PersistencePolicy

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

FRESH = {
    0.5: (0.860533, 0.890944, 0.635725),
    1: (0.754018, 0.793781, 0.446923),
    3: (0.500000, 0.500153, 0.233826),
    7: (0.293447, 0.198567, 0.149959),
    14: (0.166718, 0.039429, 0.074916),
    30: (0.081413, 0.000980, 0.015345),
}


@dataclass(frozen=True)
class Kept:
    kind: Kind = Kind.SEMANTIC
    tags: tuple[str, ...] = ()
    strength: float = 1.0
    importance: float = 0.6
    use_count: int = 0
    last_used: datetime = NOW
    recorded_at: datetime = NOW


@pytest.mark.parametrize("days", FRESH)
def test_a_memory_never_used_fades_as_the_table_says(days: float) -> None:
    scores = [round(Pace(model).score(0, 1.0, days * 86_400), 6) for model in DecayModel]
    assert tuple(scores) == FRESH[days]


def test_the_power_law_has_the_scale_that_its_half_life_gives() -> None:
    assert round(HALF_LIFE_DAYS * POWER_SCALE, 2) == 295_262.87


def test_the_three_models_really_differ() -> None:
    for days in (0.5, 1, 7, 14, 30):
        scores = [Pace(model).left(days * 86_400) for model in DecayModel]
        assert min(abs(one - other) for one in scores for other in scores if one is not other) > 0.01


def test_uses_and_strength_raise_the_score() -> None:
    once, idle = Pace().score(1, 1.0, 86_400), Pace().score(0, 1.0, 86_400)
    assert once / idle == pytest.approx(2**0.6)
    assert Pace().score(0, 1.5, 86_400) == pytest.approx(1.5 * idle)


def test_a_clock_that_ran_back_makes_nothing_fresher_than_fresh() -> None:
    assert all(Pace(model).score(0, 1.0, -5.0) == 1.0 for model in DecayModel)


@pytest.mark.parametrize("model", DecayModel)
def test_a_longer_half_life_stretches_time(model: DecayModel) -> None:
    assert Pace(model, 6.0).left(2 * 86_400) == pytest.approx(Pace(model, 3.0).left(86_400))


paces = st.builds(Pace, st.sampled_from(DecayModel), st.floats(0.05, 400), st.floats(0, 2))


@given(pace=paces, share=st.floats(1e-6, 1.0))
def test_the_time_until_a_share_is_left_leaves_that_share(pace: Pace, share: float) -> None:
    seconds = pace.seconds_until(share)
    assert seconds >= 0
    assert pace.left(seconds) == pytest.approx(share, rel=1e-9)


@given(pace=paces, seconds=st.floats(0, 1e7))
def test_the_share_left_after_a_time_is_left_until_that_time(pace: Pace, seconds: float) -> None:
    share = pace.left(seconds)
    if share > 1e-12:
        assert pace.seconds_until(share) == pytest.approx(seconds, rel=1e-6, abs=1e-3)


@given(pace=paces, uses=st.integers(0, 50), strength=st.floats(0.1, 2), threshold=st.floats(0.001, 3))
def test_a_memory_scores_the_threshold_when_it_is_said_to(
    pace: Pace, uses: int, strength: float, threshold: float
) -> None:
    policy, memory = DecayPolicy(pace, {}, {}), Kept(use_count=uses, strength=strength)
    when = policy.time_until(memory, threshold)
    if when is None:
        assert pace.score(uses, strength, 7_000 * 365 * 86_400) > threshold
    elif when > memory.last_used:
        assert policy.score(memory, when) == pytest.approx(threshold, rel=1e-4)
    else:
        assert policy.score(memory, when) <= threshold * (1 + 1e-9)


def test_what_is_to_fade_away_altogether_never_has() -> None:
    assert DecayPolicy().time_until(Kept(), 0.0) is None


def test_preferences_and_decisions_fade_slower_than_passing_facts() -> None:
    policy, later = DecayPolicy(), NOW + timedelta(days=7)
    fact = policy.score(Kept(), later)
    assert fact == pytest.approx(0.293447, abs=1e-6)
    assert policy.score(Kept(kind=Kind.VIEWPOINT), later) == pytest.approx(0.5)
    assert policy.score(Kept(tags=("decision",)), later) == pytest.approx(0.5)


def test_of_several_paces_the_slowest_counts() -> None:
    quick, slow = Pace(half_life_days=1.0), Pace(half_life_days=30.0)
    policy = DecayPolicy(Pace(), {"viewpoint": slow}, {"today": quick})
    assert policy.of_memory(Kept(kind=Kind.VIEWPOINT, tags=("today",))) is slow
    assert policy.of_memory(Kept(tags=("today",))) is quick


@pytest.mark.parametrize(
    ("score", "band"),
    [(2.0, "strong"), (0.65, "strong"), (0.6499, "active"), (0.10, "active"), (0.0999, "fading"), (0.05, "fading"),
     (0.0499, "faded"), (0.0, "faded")],
)  # fmt: skip
def test_a_score_lies_in_one_band(score: float, band: str) -> None:
    assert Bands().of(score) is Band(band)


def test_review_is_most_wanted_in_the_middle_of_the_danger_zone_and_not_at_all_outside() -> None:
    zone = DangerZone()
    assert zone.priority(0.25) == 1
    assert zone.priority(0.30) == pytest.approx(0.75)
    assert zone.priority(0.20) == pytest.approx(0.75)
    assert [zone.priority(score) for score in (0.0, 0.14, 0.36, 1.0)] == [0, 0, 0, 0]
    assert zone.priority(0.15) == pytest.approx(0, abs=1e-12)


def test_what_is_worth_keeping_wears_off_with_age_and_is_renewed_by_use() -> None:
    worth = PersistencePolicy().of
    old = Kept(recorded_at=NOW - timedelta(days=100), last_used=NOW - timedelta(days=100))
    assert worth(old, NOW) == pytest.approx(0.6 * math.exp(-0.5))
    used = replace(old, use_count=4, last_used=NOW - timedelta(days=9))
    assert worth(used, NOW) == pytest.approx(0.6 * math.exp(-0.5) + 0.1 * 2 / (1 + 3))
    assert worth(Kept(importance=1.0, use_count=100), NOW) == 1.0


def test_what_makes_us_who_we_are_is_never_let_go_by_itself() -> None:
    assert PersistencePolicy().never_lets_go(Kept(importance=0.9))
    assert not PersistencePolicy().never_lets_go(Kept(importance=0.89))


def test_the_default_settings_of_a_space_are_the_default_policies() -> None:
    assert DecayPolicy.of(SETTINGS["decay"].default) == DecayPolicy()
    assert Bands.of_settings(SETTINGS["promotion"].default, SETTINGS["retention"].default) == Bands()
    assert DangerZone.of_setting(SETTINGS["review"].default) == DangerZone()
    assert PersistencePolicy(keeps=SETTINGS["retention"].default["keep_importance"]) == PersistencePolicy()
