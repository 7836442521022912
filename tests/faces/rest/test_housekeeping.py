"""The server keeps house while it serves."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.errors import Unavailable
from treering.faces.rest.housekeeping import ServerUpkeep
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.running import works


def test_every_space_is_looked_after_when_it_is_due(served: Treering, clock: HandClock) -> None:
    for space in ("lab", "acme/research"):
        served.add("Ada sings", space=space)
        assert served.upkeep_status(space=space).run is None
    ServerUpkeep(served).look_in()
    runs = [served.upkeep_status(space=space).run for space in ("lab", "acme/research")]
    assert all(run is not None and run.ended_at is not None for run in runs)
    ServerUpkeep(served).look_in()
    assert [served.upkeep_status(space=space).run for space in ("lab", "acme/research")] == runs
    clock.advance(hours=2)
    ServerUpkeep(served).look_in()
    assert served.upkeep_status(space="lab").run != runs[0]


def test_a_space_that_cannot_be_kept_holds_no_other_up(served: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    for space in ("a", "b"):
        served.add("Ada sings", space=space)
    real = Treering.run_scheduled

    def fail_at_a(self: Treering) -> object:
        if self.bound_space == "a":
            raise Unavailable("busy")
        return real(self)

    monkeypatch.setattr(Treering, "run_scheduled", fail_at_a)
    ServerUpkeep(served).look_in()
    assert served.upkeep_status(space="a").run is None
    assert served.upkeep_status(space="b").run is not None


def test_what_goes_wrong_is_tried_again_and_stops_nothing(served: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper, tried = ServerUpkeep(served, look_seconds=0.001), []

    def fail() -> None:
        tried.append(1)
        if len(tried) == 2:
            keeper.stop()
        raise Unavailable("busy")

    monkeypatch.setattr(keeper, "look_in", fail)
    keeper.work()
    assert tried == [1, 1]


def test_it_can_be_left_to_others(served: Treering) -> None:
    assert any(isinstance(one, ServerUpkeep) for one in works(served, ServerPolicy()))
    assert not any(isinstance(one, ServerUpkeep) for one in works(served, ServerPolicy(upkeep=False)))
