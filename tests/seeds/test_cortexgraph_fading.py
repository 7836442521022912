"""CortexGraph's API reference: decay, variables and agents. A test's docstring is the promise, in our words."""

from __future__ import annotations

import math

import pytest
from tests.conftest import HandClock
from tests.seeds.conftest import Tools
from tests.seeds.cortexgraph import saved, tools

from treering.door import Treering
from treering.upkeep.agents.relations import RelationResult

__all__ = ["tools"]


DAY = 86_400


# scoring and configuration


@pytest.mark.parametrize(
    ("model", "left"),
    [("exponential", math.exp(-2.673e-6 * 3 * DAY)), ("power_law", 0.5)],
)
def test_a_memory_decays_by_the_documented_formula(
    tools: Tools, door: Treering, clock: HandClock, model: str, left: float
) -> None:
    """Half is left after three days unused, by the constants of the document; each use raises it by its power."""
    door.settings({"decay": {"model": model, "kinds": {}, "tags": {}}})
    memory_id = saved(tools, "decays", strength=1.0)
    clock.advance(days=3)
    assert door.scores([memory_id])[0].score == pytest.approx(left, abs=1e-6)
    tools("touch_memory", memory_id=memory_id)
    assert door.scores([memory_id])[0].score == pytest.approx(2**0.6, abs=1e-6)


def test_importance_is_weighed_in_fading(door: Treering, clock: HandClock) -> None:
    """What matters more fades slower: of moderate importance by the formula, a step up takes twice as long."""
    minor, moderate, defining = (door.add(f"note {one}", importance=one, strength=1.0).id for one in (0.3, 0.6, 0.9))
    clock.advance(days=3)
    scores = {one.id: one.score for one in door.scores([minor, moderate, defining])}
    assert scores[moderate] == pytest.approx(0.5, abs=1e-6)
    assert scores[minor] < scores[moderate] < scores[defining]
    clock.advance(days=3)
    assert door.scores([defining])[0].score == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("variable", "value", "topic", "part", "becomes"),
    [
        ("CORTEXGRAPH_DECAY_MODEL", "two_component", "decay", "model", "two_component"),
        ("CORTEXGRAPH_PL_HALFLIFE_DAYS", "1.0", "decay", "half_life_days", 1.0),
        ("CORTEXGRAPH_DECAY_BETA", "0.5", "decay", "beta", 0.5),
        ("CORTEXGRAPH_FORGET_THRESHOLD", "0.01", "retention", "collect_below", 0.01),
        ("CORTEXGRAPH_PROMOTE_THRESHOLD", "0.5", "promotion", "score", 0.5),
        ("CORTEXGRAPH_PROMOTE_USE_COUNT", "3", "promotion", "uses", 3),
        ("CORTEXGRAPH_CLUSTER_THRESHOLD", "0.9", "consolidation", "threshold", 0.9),
        ("CORTEXGRAPH_MIN_CLUSTER_SIZE", "3", "consolidation", "min_size", 3),
        ("CORTEXGRAPH_AUTO_REINFORCE", "false", "reinforcement", "enabled", False),
    ],
)
def test_a_variable_of_the_environment_is_followed(
    door: Treering, variable: str, value: str, topic: str, part: str, becomes: object
) -> None:
    """The documented variables steer the space that the tools serve."""
    from treering.faces.dialects.cortexgraph.environment import adopt

    adopt(door, {variable: value})
    assert door.settings()[topic][part] == becomes


def test_a_rate_of_decay_is_read_as_its_half_life(door: Treering) -> None:
    """A lambda of 8.02e-6 is the document's half-life of one day."""
    from treering.faces.dialects.cortexgraph.environment import adopt

    adopt(door, {"CORTEXGRAPH_DECAY_MODEL": "exponential", "CORTEXGRAPH_DECAY_LAMBDA": "8.02e-6"})
    assert door.settings()["decay"]["half_life_days"] == pytest.approx(1.0, rel=0.01)


def test_a_variable_that_is_not_read_is_told_with_what_to_do(door: Treering, caplog: pytest.LogCaptureFixture) -> None:
    """A variable that means nothing here is warned about, with the way it is done instead."""
    from treering.faces.dialects.cortexgraph.environment import adopt

    adopt(door, {"CORTEXGRAPH_STORAGE_PATH": "/old", "CORTEXGRAPH_ENABLE_EMBEDDINGS": "true"})
    assert "treering import /old" in caplog.text
    assert "TREERING_EMBEDDER" in caplog.text


def test_the_vault_is_found_by_its_old_name() -> None:
    """LTM_VAULT_PATH names the vault where no other variable does."""
    from treering import settings

    assert settings.read({"LTM_VAULT_PATH": "/notes"}).vault == "/notes"
    assert settings.read({"LTM_VAULT_PATH": "/notes", "TREERING_VAULT": "/mine"}).vault == "/mine"


# the agents


def test_the_agents_run_in_the_documented_order(door: Treering) -> None:
    """The pipeline is decay, cluster, merge, promote, relations, and a dry run changes nothing."""
    door.add("something to look at")
    done = door.run_pipeline(dry_run=True)
    assert [one.agent for one in done.agents] == ["decay", "cluster", "merge", "promote", "relations"]


def test_how_much_memories_must_share_to_be_related_is_set(door: Treering) -> None:
    """min_shared_entities and min_confidence say when the agent relates two memories."""
    door.add("alpha and beta met", entities=["alpha", "beta"])
    door.add("beta and alpha spoke", entities=["alpha", "beta"])

    def found() -> list[RelationResult]:
        return list(door.run_agent("relations", dry_run=True).results)  # type: ignore[arg-type]

    [one] = found()
    assert (one.shared_entities, one.strength, one.confidence) == (("alpha", "beta"), 0.7, 0.5)
    door.settings({"consolidation": {"min_shared_entities": 3}})
    assert found() == []
    door.settings({"consolidation": {"min_confidence": 0.9}})
    assert found() == []
