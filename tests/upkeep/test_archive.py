"""Archiving: a memory is put away by hand, as keeping house does it, and comes back as it was."""

from __future__ import annotations

import pytest

from treering.door import Treering
from treering.errors import Conflict, NotFound
from treering.model.memory import State


def test_what_is_archived_is_out_of_lists_and_read_by_its_id(mem: Treering) -> None:
    tea, milk = mem.add("Ann likes tea").id, mem.add("Ann likes milk").id
    assert mem.archive(tea, why="settled").changed
    assert [one.id for one in mem.list()] == [milk]
    assert mem.get(tea).state is State.ARCHIVED
    assert mem.history(tea).events[-1].why == "settled"
    assert not mem.archive(tea).changed
    mem.restore(tea)
    assert mem.get(tea).state is State.ACTIVE


def test_what_is_forgotten_or_not_there_is_not_archived(mem: Treering) -> None:
    tea = mem.add("Ann likes tea").id
    mem.forget(tea)
    with pytest.raises(Conflict, match="restore it before"):
        mem.archive(tea)
    with pytest.raises(NotFound):
        mem.archive("nowhere")


def test_a_revision_may_have_another_tier(mem: Treering) -> None:
    tea = mem.add("Ann likes tea", tier="short").id
    assert mem.get(mem.revise(tea, "Ann likes green tea").id).tier == "short"
    assert mem.get(mem.revise(tea, "Ann loves tea", tier="long").id).tier == "long"


def test_entities_are_listed_the_newest_first_and_by_kind(mem: Treering) -> None:
    mem.entity_register("Ada", kind="person", aliases=["Countess"])
    mem.entity_register("Orion", kind="project")
    assert [one.name for one in mem.entities()] == ["Orion", "Ada"]
    assert [one.aliases for one in mem.entities(kind="person")] == [("Countess",)]
    assert len(mem.entities(limit=1)) == 1
