"""Rule 12: the names that a purged memory brought go with it, and those that others use stay."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.conftest import HandClock, contents, everything, scope

from treering.door import Treering
from treering.errors import NotFound
from treering.model.changes import AliasesAdded, Changes
from treering.store.contract import Store, Writer


def test_what_another_memory_also_speaks_of_stays_when_one_is_purged(mem: Treering) -> None:
    first = mem.add("Ada met Bo", entities=["Ada", "Bo"]).id
    mem.add("Bo was late", entities=["bo"])
    report = mem.purge(first, "asked to")
    assert len(report.entities) == 1
    assert mem.entity_get("Bo").name == "Bo"
    assert contents(mem.list(entities=["Bo"])) == ["Bo was late"]
    again = mem.add("Bo is here", entities=["Bo"]).entities[0]
    assert again.created is False
    assert mem.verify().ok


def test_a_name_that_a_purged_memory_gave_to_an_entity_that_stays_goes_with_it(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    entity = mem.entity_register("Ada", aliases=["Countess"]).entity_id
    memory = mem.add("Her nickname is Zahlenfee", entities=["Ada"]).id
    nickname = AliasesAdded(entity, ("Zahlenfee",), memory)
    store.write("lab", Writer("ann"), clock.now, lambda reader, at: Changes("alias", (nickname,)))
    assert mem.entity_get("zahlenfee").id == entity
    mem.purge(memory, "asked to")
    assert mem.entity_get("Ada").aliases == ("Countess",)
    with pytest.raises(NotFound):
        mem.entity_get("Zahlenfee")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("split", [False, True])
def test_a_name_that_only_a_purged_memory_brought_goes_even_if_it_was_merged(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store], turned: bool, split: bool
) -> None:
    mem.add("Ada is here", entities=["Ada"])
    memory = mem.add("They call her Zahlenfee", entities=["Zahlenfee"]).id
    merged = mem.entity_merge(*(("Ada", "Zahlenfee") if turned else ("Zahlenfee", "Ada"))).entity_id
    if split:
        mem.entity_split(merged)
    mem.purge(memory, "asked to")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert (mem.entity_get("Ada").name, mem.entity_get("Ada").aliases) == ("Ada", ())
    assert contents(mem.list(entities=["Ada"])) == ["Ada is here"]
    assert mem.verify().ok
    other = new_store("reference")
    other.replay(store.entries("lab"))
    assert everything(other, scope(clock)) == everything(store, scope(clock))


def test_a_name_that_came_with_a_new_entity_in_one_write_goes_with_the_memory_that_gave_it(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    """SQLite once kept the row, and its words, after the journal had lost them."""
    person = {"name": "Zahlenfee Jones", "kind": "person"}
    first = mem.remember(drafts=[{"content": "She came", "entities": [person]}]).id
    mem.remember(drafts=[{"content": "She left", "entities": [person]}])
    assert mem.entity_get("Zahlenfee").name == "Zahlenfee Jones"
    mem.purge(first, "asked to")
    assert mem.entity_get("Zahlenfee Jones").aliases == ()
    assert mem.verify().ok
    other = new_store("reference")
    other.replay(store.entries("lab"))
    assert everything(other, scope(clock)) == everything(store, scope(clock))


def test_a_name_that_a_memory_brought_and_nothing_states_goes_with_it(mem: Treering, store: Store) -> None:
    ends = {"subject": "Zahlenfee", "relation": "LIVES_IN", "object": "Schlaraffia", "stance": "never"}
    memory = mem.remember(drafts=[{"content": "It is not so", "triples": [ends]}]).id
    mem.purge(memory, "asked to")
    assert not any(word in entry.payload() for entry in store.entries("lab") for word in ("Zahlenfee", "Schlaraffia"))
    assert mem.verify().ok


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_a_name_that_several_memories_spoke_of_goes_with_the_last_of_them(
    mem: Treering, store: Store, order: tuple[int, ...]
) -> None:
    said = ("He called", "He wrote back", "He never came")
    ids = [mem.add(one, entities=["Zahlenfee", "Ada"]).id for one in said]
    mem.add("Ada is here", entities=["Ada"])
    *first, last = [ids[one] for one in order]
    assert [mem.purge(one, "asked to").entities for one in first] == [(), ()]
    known = mem.entity_get("Zahlenfee").id
    assert mem.purge(last, "asked to").entities == (known,)
    with pytest.raises(NotFound):
        mem.entity_get("Zahlenfee")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.entity_get("Ada").name == "Ada"
    assert mem.verify().ok


def test_a_name_that_somebody_registered_or_that_a_fact_states_stays(mem: Treering) -> None:
    mem.entity_register("Zahlenfee")
    one, other = (mem.add("She came", entities=[name, "Bo"]).id for name in ("Zahlenfee", "Cleo"))
    mem.assert_fact("Cleo", "KNOWS", "Dan")
    for memory in (one, other):
        mem.purge(memory, "asked to")
    assert [mem.entity_get(name).name for name in ("Zahlenfee", "Cleo")] == ["Zahlenfee", "Cleo"]
    with pytest.raises(NotFound):
        mem.entity_get("Bo")
    assert mem.verify().ok
