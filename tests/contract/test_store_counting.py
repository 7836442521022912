"""How many memories are of which kind, and when does something change? `facets`, `turns`, and the filters that go with
them: the contract (`treering.store.contract`), on each store in turn."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import HandClock, scope
from tests.contract.writing import ids

from treering.door import Treering
from treering.model.memory import State, Tier, View
from treering.model.time import to_micros
from treering.store.contract import MemoryFilter, Store


@pytest.fixture
def many(mem: Treering, clock: HandClock) -> dict[str, str]:
    """Memories in every state but purged, of every kind and tier."""
    said = {}
    for name, more in {
        "plain Tea": {"speaker": "Ada", "session": "s"},
        "archived tea": {"tags": ["a", "b"], "kind": "episode", "speaker": "Ada"},
        "forgotten": {"tags": ["a"], "kind": "viewpoint"},
        "promoted": {"tier": "short"},
        "old": {"triples": [["Bo", "KNOWS", "Ada"]], "event_time": "2020-01-01T00:00:00Z"},
        "expired": {"expires_at": "2026-01-01T18:00:00Z", "session": "t"},
    }.items():
        said[name] = mem.add(f"It is {name} here", **more).id
        clock.advance(hours=1)
    said["new"] = mem.revise(said["old"], "It is new here", event_time="2025-06-01T00:00:00Z").id
    mem.archive(said["archived tea"])
    mem.forget(said["forgotten"])
    mem.promote(said["promoted"], dry_run=False, force=True)
    clock.advance(days=2)
    return said


FILTERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "words": ({"words": ("tea",)}, ["plain Tea", "archived tea"]),
    "words in other letters": ({"words": ("TEA", "is")}, ["plain Tea", "archived tea"]),
    "words that are not there": ({"words": ("tea", "coffee")}, []),
    "active": ({"states": (State.ACTIVE,)}, ["plain Tea", "new"]),
    "archived or forgotten": ({"states": (State.ARCHIVED, State.FORGOTTEN)}, ["archived tea", "forgotten"]),
    "superseded": ({"states": (State.SUPERSEDED,)}, ["old"]),
    "expired": ({"states": (State.EXPIRED,)}, ["expired"]),
    "promoted": ({"states": (State.PROMOTED,)}, ["promoted"]),
    "no state": ({"states": ()}, []),
    "long: what was promoted": ({"tiers": (Tier.LONG,)}, ["promoted"]),
    "short: no longer": ({"tiers": (Tier.SHORT,)}, []),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_memory_filter_narrows_by(name: str, many: dict[str, str], store: Store, clock: HandClock) -> None:
    fields, expected = FILTERS[name]
    with store.reader(scope(clock)) as reader:
        found = reader.memories(MemoryFilter(view=View.ALL, **fields))
        assert ids(found) == [many[one] for one in expected]
        for one in found:
            assert one.state in fields.get("states", [one.state])


@pytest.mark.parametrize("view", list(View))
def test_facets_count_what_the_same_filter_lists(
    view: View, many: dict[str, str], store: Store, clock: HandClock
) -> None:
    for more in ({}, {"tags": ("a",)}, {"words": ("tea",)}, {"speaker": "Ada"}, {"states": (State.ACTIVE,)}):
        which = MemoryFilter(view=view, **more)
        with store.reader(scope(clock)) as reader:
            listed, counted = reader.memories(which), reader.facets(which)
        for name, read in {"kind": "kind", "state": "state", "tier": "tier"}.items():
            values = [getattr(one, read).value for one in listed]
            assert counted[name] == {value: values.count(value) for value in values}
        tags = [tag for one in listed for tag in one.tags]
        assert counted["tag"] == {tag: tags.count(tag) for tag in tags}
        said = {many["plain Tea"], many["archived tea"]}
        assert counted["speaker"] == ({"Ada": n} if (n := sum(one.id in said for one in listed)) else {})


def test_facets_do_not_count_what_is_private_to_others(mem: Treering, store: Store, clock: HandClock) -> None:
    mem.add("open", tags=["t"])
    mem.add("hidden", tags=["t"], visibility="private", observed_by="bob")
    with store.reader(scope(clock, principal="ann")) as reader:
        assert reader.facets(MemoryFilter())["tag"] == {"t": 1}
        assert sum(one.memories for one in reader.turns("valid")) == 1
    with store.reader(scope(clock, principal="bob")) as reader:
        assert reader.facets(MemoryFilter())["tag"] == {"t": 2}


def test_turns_of_valid_time_are_where_memories_begin_and_facts_begin_or_end(
    many: dict[str, str], mem: Treering, store: Store, clock: HandClock
) -> None:
    with store.reader(scope(clock)) as reader:
        turns = reader.turns("valid")
        seen = [one for one in reader.memories(MemoryFilter(view=View.ALL)) if one.state is not State.FORGOTTEN]
    facts = mem.facts(include_closed=True)
    wanted = [one.valid_from for one in seen]
    wanted += [at for one in facts for at in (one.valid_from, one.valid_until) if at is not None]
    assert [one.at for one in turns] == sorted({to_micros(at) for at in wanted})
    assert sum(one.changes for one in turns) == len(wanted)
    assert sum(one.memories for one in turns) == len(seen)


def test_turns_of_known_time_are_the_entries_of_the_journal(
    many: dict[str, str], store: Store, clock: HandClock
) -> None:
    entries = list(store.entries(scope(clock).space, 0, 100))
    with store.reader(scope(clock)) as reader:
        turns = reader.turns("known")
    assert [one.at for one in turns] == sorted({to_micros(entry.at) for entry in entries})
    assert sum(one.changes for one in turns) == len(entries)
    with store.reader(scope(clock, known_at=entries[2].at)) as reader:
        assert [one.at for one in reader.turns("known")] == [to_micros(entry.at) for entry in entries[:3]]
