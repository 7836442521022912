"""Which memories does a filter leave, and a view show? Each field of `MemoryFilter`, pages, and states at a moment. The
contract (`treering.store.contract`), on each store in turn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.conftest import HandClock, scope
from tests.contract.writing import ANN, TICK, ids
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.model.changes import Changes, Marked, Thing
from treering.model.memory import Kind, Mark
from treering.store.contract import MemoryFilter, Store


@pytest.fixture
def many(mem: Treering, clock: HandClock) -> dict[str, str]:
    """Memories that differ in what a filter can ask for."""
    said = {}
    for name, more in {
        "plain": {},
        "tagged": {"tags": ["a", "b"], "kind": "episode"},
        "half tagged": {"tags": ["a"], "kind": "viewpoint"},
        "in session": {"session": "s", "speaker": "Ada"},
        "mentions": {"entities": ["Ada"], "title": "The title"},
        "past": {"event_time": "2020-01-01T00:00:00Z"},
        "state%": {"triples": [["Bo", "KNOWS", "Ada"]]},
    }.items():
        said[name] = mem.add(f"It is {name} here", **more).id
        clock.advance(hours=1)
    return said


MEMORY_FILTERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing": ({}, ["plain", "tagged", "half tagged", "in session", "mentions", "past", "state%"]),
    "kinds": ({"kinds": (Kind.EPISODE, Kind.VIEWPOINT)}, ["tagged", "half tagged"]),
    "no kinds": ({"kinds": ()}, []),
    "tags": ({"tags": ("a",)}, ["tagged", "half tagged"]),
    "all tags": ({"tags": ("b", "a")}, ["tagged"]),
    "session": ({"session": "s"}, ["in session"]),
    "speaker": ({"speaker": "Ada"}, ["in session"]),
    "other speaker": ({"speaker": "ada"}, []),
    "title": ({"title": "The title"}, ["mentions"]),
    "containing": ({"containing": "tagged"}, ["tagged", "half tagged"]),
    "containing a sign": ({"containing": "e%"}, ["state%"]),
    "limit": ({"limit": 2}, ["plain", "tagged"]),
    "newest": ({"limit": 2, "newest_first": True}, ["state%", "past"]),
    "since": ({"since": datetime(2026, 1, 1, 17, tzinfo=UTC)}, ["state%"]),
    "since and later": ({"since": datetime(2026, 1, 1, 18, tzinfo=UTC)}, ["state%"]),
    "since after": ({"since": datetime(2026, 1, 1, 18, tzinfo=UTC) + TICK}, []),
    "until": ({"until": datetime(2026, 1, 1, 12, tzinfo=UTC)}, ["past"]),
    "until and earlier": ({"until": datetime(2026, 1, 1, 12, tzinfo=UTC) + TICK}, ["plain", "past"]),
    "several": ({"tags": ("a",), "kinds": (Kind.EPISODE,), "containing": "here"}, ["tagged"]),
    "several that exclude": ({"tags": ("a",), "session": "s"}, []),
}


@pytest.mark.parametrize("name", MEMORY_FILTERS)
def test_a_memory_filter_narrows_by(name: str, many: dict[str, str], store: Store, clock: HandClock) -> None:
    fields, expected = MEMORY_FILTERS[name]
    with store.reader(scope(clock)) as reader:
        assert ids(reader.memories(MemoryFilter(**fields))) == [many[one] for one in expected]


def test_a_memory_filter_narrows_by_ids_source_and_entities(
    many: dict[str, str], mem: Treering, store: Store, clock: HandClock
) -> None:
    ada, bo = mem.entity_get("Ada").id, mem.entity_get("Bo").id
    with store.reader(scope(clock)) as reader:
        find = lambda **more: ids(reader.memories(MemoryFilter(**more)))  # noqa: E731
        assert find(ids=(many["past"], many["plain"], "x")) == [many["plain"], many["past"]]
        assert find(ids=()) == []
        memory = reader.memory(many["past"])
        assert memory is not None
        assert find(source_id=memory.source_id) == [many["past"]]
        assert find(entity_ids=(ada,)) == [many["mentions"], many["state%"]]
        assert find(entity_ids=(bo,)) == [many["state%"]]
        assert find(entity_ids=(bo, ada)) == [many["mentions"], many["state%"]]
        assert find(entity_ids=()) == find(entity_ids=("x",)) == []
    mem.entity_merge(bo, ada)
    with store.reader(scope(clock)) as reader:
        for one in (bo, ada):
            assert ids(reader.memories(MemoryFilter(entity_ids=(one,)))) == [many["mentions"], many["state%"]]


@pytest.mark.parametrize("order", ["oldest", "newest"])
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_follow_one_another_without_a_gap_or_a_repeat_even_at_one_instant(
    mem: Treering, clock: HandClock, order: str, limit: int
) -> None:
    mem.add_many([{"content": f"Batch {n}"} for n in range(5)])
    mem.add("Same instant")
    clock.advance(hours=1)
    mem.add("Later")
    everyone = [memory.id for memory in mem.list(order=order, limit=100)]
    assert len(everyone) == 7
    got, cursor = [], None
    for _ in range(8):
        page = mem.list(order=order, limit=limit, cursor=cursor)
        got += [memory.id for memory in page]
        cursor = page.next
        if cursor is None:
            break
        assert len(page) == limit
    assert got == everyone
    assert [memory.id for memory in mem.list(order="newest", limit=100)] == [
        memory.id for memory in reversed(mem.list(order="oldest", limit=100).memories)
    ]


def test_a_cursor_holds_while_others_write_and_forget(mem: Treering, clock: HandClock) -> None:
    first = [mem.add(f"Item {n}").id for n in range(6)]
    page = mem.list(limit=3)
    mem.forget(first[2])
    mem.forget(first[4])
    clock.advance(hours=1)
    last = mem.add("New").id
    rest = mem.list(limit=10, cursor=page.next)
    assert [memory.id for memory in rest] == [first[3], first[5], last]


def test_each_view_shows_its_states_at_the_moment(mem: Treering, store: Store, clock: HandClock) -> None:
    start = clock.now
    made = {
        name: mem.add(name, **more).id
        for name, more in {
            "active": {},
            "expired": {"expires_at": start + timedelta(hours=1)},
            "superseded": {},
            "forgotten": {},
            "archived": {},
            "promoted": {},
            "archived then superseded": {},
        }.items()
    }
    clock.advance(hours=2)
    mem.revise(made["superseded"], "new")
    mem.revise(made["archived then superseded"], "newer")
    mem.forget(made["forgotten"])
    marks = [
        Marked(Thing.MEMORY, made[name], mark, True)
        for name, mark in (
            ("archived", Mark.ARCHIVED),
            ("archived then superseded", Mark.ARCHIVED),
            ("promoted", Mark.PROMOTED),
            ("forgotten", Mark.PROMOTED),
        )
    ]
    store.write("lab", ANN, clock.now, lambda reader, at: Changes("mark", tuple(marks)))
    clock.advance(hours=1)
    mem.add("not yet", at=clock.now, event_time=clock.now + timedelta(days=1))
    shown = {view: [memory.content for memory in mem.list(view=view)] for view in ("current", "history", "all")}
    assert shown["current"] == ["active", "promoted", "new", "newer", "not yet"]
    history = ["active", "expired", "superseded", "promoted", "archived then superseded", "new", "newer", "not yet"]
    assert shown["history"] == history
    assert len(shown["all"]) == 10
    states = [memory.state.value for memory in mem.list(view="all")]
    assert states[:7] == ["active", "expired", "superseded", "forgotten", "archived", "promoted", "superseded"]
    assert mem.status().memories == {
        "forgotten": 1, "expired": 1, "superseded": 2, "archived": 1, "promoted": 1, "active": 4,
    }  # fmt: skip
    earlier = mem.list(view="current", as_of=start)
    assert [memory.content for memory in earlier] == [
        "active", "expired", "superseded", "promoted",
    ]  # fmt: skip


def test_a_memory_superseded_by_several_ends_with_the_first_and_names_it(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Old").id
    clock.advance(days=1)
    late = mem.add("Late", event_time=clock.now).id
    early = mem.add("Early", event_time=clock.now - timedelta(hours=12)).id
    mem.link(late, old, "supersedes")
    mem.link(early, old, "supersedes")
    memory = mem.get(old)
    assert (memory.superseded_by, memory.valid_until) == (early, clock.now - timedelta(hours=12))
    mem.forget(early)
    assert mem.get(old).superseded_by == late


def test_a_window_is_never_told_to_end_before_it_begins(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Old").id
    new = mem.add("Older still", event_time=clock.now - timedelta(days=9)).id
    mem.link(new, old, "supersedes")
    memory = mem.get(old)
    assert memory.valid_until == memory.valid_from
    gone = mem.add("Gone before it was said", expires_at=clock.now - timedelta(days=1)).id
    assert mem.get(gone).valid_until == mem.get(gone).valid_from
    assert mem.get(gone).state == "expired"


def test_evidence_comes_in_the_order_in_which_it_was_said(store: Store, clock: HandClock) -> None:
    mem, said = Treering(store, clock=clock, actor="ann", space="lab", embedder=Hashing()), list[str]()
    for _ in range(4):
        said += mem.remember(drafts=[{"content": "The gate code of the yard is 4411"}]).source_ids
        clock.advance(hours=1)
    with store.reader(scope(clock)) as reader:
        [memory] = reader.memories(MemoryFilter())
        assert [memory.source_id, *(one.source_id for one in reader.evidence([memory.id]))] == said
