"""The twelve rules of the model that may never break, each on every store; what is about files, on the SQLite file."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import STORES, Doors, HandClock, everything, write_a_life

from treering.door import OPERATIONS, Treering
from treering.errors import NotFound, TreeringError
from treering.exchange.journal import read_journal
from treering.model.changes import AliasesAdded, Changes, MemoryAdded, SourceAdded
from treering.model.ids import mint
from treering.model.memory import MemoryRecord, View
from treering.model.source import BLANK, Source
from treering.store import open_store
from treering.store.contract import EdgeFilter, MemoryFilter, Scope, Store, Writer
from treering.store.sqlite import SqliteStore, connection

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


def scope(clock: HandClock, **more: Any) -> Scope:
    return Scope(**{"space": "lab", "now": clock.now, "principal": "ann", **more})


def contents(page: Any) -> list[str]:
    return [memory.content for memory in page]


# 1. Content, valid_from and recorded_at never change after the write.


def test_content_and_times_of_every_memory_and_edge_stay_as_written_whatever_happens_later(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    first: dict[str, Any] = {}
    write = store.write

    def watched(*args: Any) -> Any:
        entry = write(*args)
        for one in things():
            first.setdefault(one.id, one)
        return entry

    def things() -> Iterator[Any]:
        with store.reader(scope(clock)) as reader:
            yield from reader.memories(MemoryFilter(view=View.ALL))
            yield from reader.edges(EdgeFilter(include_closed=True, include_forgotten=True))

    store.write = watched  # type: ignore[method-assign]
    write_a_life(mem, clock)
    clock.advance(days=1000)
    last = {one.id: one for one in things()}
    assert len(last) > 15
    for thing_id, now in last.items():
        then = first[thing_id]
        assert (now.valid_from, now.recorded_at) == (then.valid_from, then.recorded_at)
        assert getattr(now, "content", None) == getattr(then, "content", None)


def test_no_operation_of_the_door_takes_new_content_for_an_old_id(mem: Treering, clock: HandClock) -> None:
    first = mem.add("As it was said")
    clock.advance(days=1)
    new = mem.revise(first.id, "As it is now")
    assert new.id != first.id
    assert mem.get(first.id).content == "As it was said"
    assert mem.get(first.id).recorded_at == first.at


# 2. Replaying the journal into an empty store gives an equal store.


@pytest.mark.parametrize("kind", STORES)
def test_a_replayed_journal_answers_everything_as_the_first_store_does(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store], kind: str
) -> None:
    write_a_life(mem, clock)
    other = new_store(kind)
    other.replay(store.entries("lab"))
    assert list(other.entries("lab")) == list(store.entries("lab"))
    moments = [entry.at for entry in store.entries("lab")]
    for principal in ("ann", "doc", "bob", None):
        for known_at in (None, moments[3], moments[len(moments) // 2]):
            for as_of in (None, datetime(2020, 6, 1, tzinfo=UTC)):
                where = scope(clock, principal=principal, known_at=known_at, as_of=as_of)
                assert everything(other, where) == everything(store, where)


def test_a_rebuilt_store_has_the_same_rows_as_before(mem: Treering, store: Store, clock: HandClock) -> None:
    write_a_life(mem, clock)
    before = list(store.rows("lab"))
    store.rebuild("lab")
    assert list(store.rows("lab")) == before


# 3. A read with known_at in the past is not changed by later writes.


def test_what_was_believed_at_each_past_moment_is_told_the_same_forever(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    believed: dict[datetime, Any] = {}
    write = store.write
    as_of = clock.now + timedelta(hours=2)

    def past(at: datetime) -> dict[str, Any]:
        told = everything(store, scope(clock, known_at=at, as_of=as_of))
        return {name: value for name, value in told.items() if name != "head"}

    def watched(space: str, writer: Writer, now: datetime, plan: Any) -> Any:
        entry = write(space, writer, now, plan)
        if entry is not None and entry.op != "purge":
            believed[entry.at] = past(entry.at)
        return entry

    store.write = watched  # type: ignore[method-assign]
    told = write_a_life(mem, clock)
    del told
    believed.pop(max(believed))  # what was purged is the one exception
    assert len(believed) > 15
    for at, then in believed.items():
        assert past(at) == then


def test_the_instant_of_a_write_knows_it_and_the_microsecond_before_does_not(mem: Treering, clock: HandClock) -> None:
    clock.advance(seconds=5)
    receipt = mem.add("Learned now", entities=["Ada"])
    assert contents(mem.list(known_at=receipt.at)) == ["Learned now"]
    before = receipt.at - timedelta(microseconds=1)
    assert contents(mem.list(known_at=before, as_of=receipt.at)) == []
    assert mem.status(known_at=before).entities == 0
    with pytest.raises(NotFound):
        mem.get(receipt.id, known_at=before)


def test_a_mark_a_closing_and_a_merge_are_each_believed_from_their_own_instant_on(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    memory = mem.add("Ada knows Bo", triples=[["Ada", "KNOWS", "Bo"]]).id
    bob = mem.entity_register("Robert").entity_id
    clock.advance(hours=1)
    instants = {}
    for name, do in {
        "closed": lambda: mem.invalidate("Ada", "Bo", "KNOWS"),
        "merged": lambda: mem.entity_merge(bob, "Bo"),
        "forgotten": lambda: mem.forget(memory),
    }.items():
        clock.advance(hours=1)
        do()
        instants[name] = store.head("lab").at
    tick = timedelta(microseconds=1)
    facts = lambda at: len(mem.facts(known_at=at, as_of=clock.now))  # noqa: E731
    assert (facts(instants["closed"] - tick), facts(instants["closed"])) == (1, 0)
    names = [mem.entity_get(bob, known_at=instants["merged"] + shift).name for shift in (-tick, 0 * tick)]
    assert names == ["Robert", "Bo"]
    states = [mem.get(memory, known_at=instants["forgotten"] + shift).state for shift in (-tick, 0 * tick)]
    assert states == ["active", "forgotten"]


# 4. forget hides the memory and the edges whose evidence it is, everywhere; restore brings back exactly those.


def test_forgetting_hides_a_memory_and_what_rests_on_it_and_restoring_brings_back_exactly_that(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    kept = mem.add("Ada likes tea", entities=["Ada"]).id
    gone = mem.add("Ada works at Acme", triples=[["Ada", "WORKS_FOR", "Acme"]], tags=["work"], session="s").id
    mem.link(kept, gone)
    own = mem.link(gone, kept, "extends").edge.id
    mem.forget(own)
    mem.assert_fact("Ada", "KNOWS", "Bo", memory_id=gone)
    mem.assert_fact("Ada", "LIKES", "Bo")
    clock.advance(hours=1)

    def seen() -> tuple[Any, ...]:
        with store.reader(scope(clock)) as reader:
            edges = [edge.id for edge in reader.edges(EdgeFilter(include_closed=True))]
            touching = [edge.id for edge in reader.edges(EdgeFilter(either_ids=(gone,), include_closed=True))]
        return (
            [contents(mem.list(view=view)) for view in ("current", "history")],
            contents(mem.list(entities=["Acme"])),
            contents(mem.list(tags=["work"])),
            contents(mem.list(session="s")),
            [fact.id for fact in mem.facts(include_closed=True)],
            edges,
            touching,
            mem.status().edges,
        )

    before = seen()
    hidden = mem.forget(gone, why="asked to")
    after = seen()
    assert after[0] == [["Ada likes tea"], ["Ada likes tea"]]
    assert after[1:4] == ([], [], [])
    assert [fact.relation for fact in mem.facts(include_closed=True)] == ["LIKES"]
    assert after[6] == []
    assert set(before[5]) - set(after[5]) == set(hidden.edges)
    assert mem.get(gone).state == "forgotten"
    assert mem.forget(gone).changed is False
    clock.advance(hours=1)
    back = mem.restore(gone)
    assert set(back.edges) == set(hidden.edges)
    assert own not in hidden.edges
    assert seen() == before
    assert mem.restore(gone).changed is False


def test_forgetting_what_supersedes_brings_the_older_memory_back_into_view(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Ada lives in Berlin").id
    clock.advance(days=1)
    new = mem.revise(old, "Ada lives in Paris").id
    assert contents(mem.list()) == ["Ada lives in Paris"]
    mem.forget(new)
    assert contents(mem.list()) == ["Ada lives in Berlin"]
    assert mem.get(old).superseded_by is None
    mem.restore(new)
    assert contents(mem.list()) == ["Ada lives in Paris"]
    assert mem.get(old).superseded_by == new


def test_an_edge_between_two_forgotten_memories_stays_hidden_until_both_are_back(mem: Treering) -> None:
    a, b = mem.add("One").id, mem.add("Two").id
    mem.link(a, b)
    mem.forget(a)
    mem.forget(b)
    mem.restore(a)
    assert mem.status().edges == 0
    mem.restore(b)
    assert mem.status().edges == 1


# 5. A closed edge is walked for as_of inside its window and not outside; closing at T keeps as_of < T true.


def test_a_closed_edge_holds_inside_its_window_and_at_neither_side_of_it(mem: Treering) -> None:
    since, until = datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)
    mem.assert_fact("Ada", "WORKS_FOR", "Acme", valid_from=since)
    mem.invalidate("Ada", "Acme", "WORKS_FOR", at=until)
    tick = timedelta(microseconds=1)
    moments = (since - tick, since, since + tick, until - tick, until, until + tick)
    assert [len(mem.facts(as_of=at)) for at in moments] == [0, 1, 1, 1, 0, 0]
    assert [mem.status(as_of=at).edges for at in moments] == [0, 1, 1, 1, 0, 0]
    assert len(mem.facts(include_closed=True)) == 1


def test_an_edge_written_with_its_end_holds_as_one_closed_later_does(mem: Treering) -> None:
    mem.assert_fact("Ada", "MET", "Bo", valid_from="2020-01-01T00:00:00Z", valid_until="2020-01-02T00:00:00Z")
    assert len(mem.facts(as_of="2020-01-01T00:00:00Z")) == 1
    assert len(mem.facts(as_of="2020-01-01T23:59:59.999999Z")) == 1
    assert mem.facts(as_of="2020-01-02T00:00:00Z") == []
    assert mem.facts(as_of="2019-12-31T23:59:59.999999Z") == []


def test_a_memory_holds_from_its_event_or_its_saying_until_it_expires_or_is_superseded(
    mem: Treering, clock: HandClock
) -> None:
    said = clock.now
    past = mem.add("It rained", event_time=said - timedelta(days=2)).id
    planned = mem.add("Ada will travel", event_time=said + timedelta(days=9)).id
    expiring = mem.add("Meeting at three", expires_at=said + timedelta(days=1)).id
    tick = timedelta(microseconds=1)
    begins = mem.get(planned).valid_from
    assert begins == said
    assert mem.get(past).valid_from == said - timedelta(days=2)
    assert contents(mem.list(as_of=said - timedelta(days=2))) == ["It rained"]
    assert contents(mem.list(as_of=said - timedelta(days=2) - tick)) == []
    end = mem.get(expiring).valid_until
    assert mem.get(expiring, as_of=end - tick).state == "active"
    assert mem.get(expiring, as_of=end).state == "expired"
    clock.advance(days=3)
    mem.revise(planned, "Ada will stay")
    assert mem.get(planned).valid_until == clock.now
    assert mem.get(planned, as_of=clock.now - tick).state == "active"
    assert mem.get(planned, as_of=clock.now).state == "superseded"


# 6. An operation happens whole or not at all.


class Failing(sqlite3.Connection):
    """Fails at the statement whose number comes up."""

    left: int | None = None

    def _count(self) -> None:
        if Failing.left is not None:
            Failing.left -= 1
            if Failing.left < 0:
                raise sqlite3.OperationalError("disk I/O error (planted)")

    def execute(self, *args: Any) -> Any:
        self._count()
        return super().execute(*args)

    def executemany(self, *args: Any) -> Any:
        self._count()
        return super().executemany(*args)


WRITES: dict[str, Callable[[Treering, Any], Any]] = {
    "add": lambda mem, told: mem.add("New", entities=["Neu"], triples=[["Neu", "KNOWS", "Ada"]], tags=["t"], key="k"),
    "revise": lambda mem, told: mem.revise(told.new_home, "Ada lives in Rome", triples=[["Ada", "LIVES_IN", "Rome"]]),
    "assert_fact": lambda mem, told: mem.assert_fact("Ada", "LIVES_IN", "Oslo", supersede=True),
    "merge": lambda mem, told: mem.entity_merge("Tea", "Paris"),
    "purge": lambda mem, told: mem.purge(told.new_home, "asked to"),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_fault_at_any_statement_of_a_write_leaves_all_of_it_or_nothing(
    db_path: Path, clock: HandClock, name: str
) -> None:
    store = SqliteStore(db_path, "normal", factory=Failing)
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    told = write_a_life(mem, clock)
    before, head = list(store.rows("lab")), store.head("lab")
    statements = 0
    while True:
        Failing.left = statements
        try:
            WRITES[name](mem, told)
            break
        except TreeringError:
            pass
        finally:
            Failing.left = None
        if store.head("lab") != head:
            break  # committed; what failed came after the write itself
        assert list(store.rows("lab")) == before
        statements += 1
    assert statements > 3
    assert store.head("lab").seq == head.seq + 1
    assert mem.verify().ok
    store.close()


KILLED = """
import sys
import treering
mem = treering.open(sys.argv[1], actor=sys.argv[2], space="lab")
n = 0
while True:
    receipt = mem.add(f"{sys.argv[2]} {n}", entities=[f"E{n % 7}"], triples=[["Ada", "KNOWS", f"E{n % 5}"]])
    print(receipt.id, flush=True)
    n += 1
"""


def test_killing_two_writers_at_any_moment_loses_no_acknowledged_write_and_leaves_no_half(db_path: Path) -> None:
    acknowledged: list[str] = []
    for wait in (1, 7, 23):
        writers = [
            subprocess.Popen([sys.executable, "-c", KILLED, str(db_path), who], stdout=subprocess.PIPE, text=True)
            for who in ("ann", "bob")
        ]
        for writer in writers:
            assert writer.stdout is not None
            acknowledged += [writer.stdout.readline().strip() for _ in range(wait)]
            writer.send_signal(signal.SIGKILL)
            acknowledged += [line.strip() for line in writer.stdout.read().splitlines(keepends=True) if "\n" in line]
            writer.wait()
            writer.stdout.close()
    store = open_store(str(db_path))
    mem = Treering(store, space="lab")
    assert len(acknowledged) >= 62
    for memory_id in acknowledged:
        assert mem.get(memory_id).state == "active"
    assert mem.verify().ok
    store.close()


# 7. No read or write crosses a space, or shows a private memory to another principal.


def outcome(do: Callable[[], Any], thing_id: str) -> str:
    """What came of a call, with ids and times blotted out so that two calls can be compared."""
    try:
        result = do()
        told = json.dumps([one.to_dict() for one in result] if isinstance(result, list) else result.to_dict())
    except TreeringError as error:
        told = f"{type(error).__name__}: {error}"
    return re.sub(r'"seq": \d+', '"seq": …', TIME.sub("TIME", UUID.sub("ID", told.replace(thing_id, "ID"))))


def attempts(door: Treering, own: str) -> dict[str, Callable[[str], Any]]:
    """Every operation of the door that takes an id, on some id."""
    return {
        "get": door.get,
        "get of children": lambda one: door.get(one, children=True),
        "get as of": lambda one: door.get(one, as_of="2020-01-01T00:00:00Z"),
        "history": door.history,
        "list by entity": lambda one: door.list(entities=[one], view="all"),
        "list by session": lambda one: door.list(session=one, view="all"),
        "facts of": lambda one: door.facts(subject=one, include_closed=True),
        "facts to": lambda one: door.facts(object=one, include_closed=True),
        "entity_get": door.entity_get,
        "entity_merge": lambda one: door.entity_merge(one, "Ada"),
        "entity_merge into": lambda one: door.entity_merge("Ada", one),
        "entity_split": door.entity_split,
        "revise": lambda one: door.revise(one, "Mine now"),
        "revise dry": lambda one: door.revise(one, "Mine now", dry_run=True),
        "forget": door.forget,
        "forget dry": lambda one: door.forget(one, dry_run=True),
        "restore": door.restore,
        "purge dry": lambda one: door.purge(one, "because", dry_run=True),
        "purge": lambda one: door.purge(one, "because"),
        "link from": lambda one: door.link(one, own),
        "link to": lambda one: door.link(own, one, "supersedes"),
        "unlink from": lambda one: door.unlink(one, own),
        "unlink to": lambda one: door.unlink(own, one),
        "invalidate from": lambda one: door.invalidate(one, own, "related_to"),
        "invalidate to": lambda one: door.invalidate("Ada", one, "KNOWS"),
        "reopen from": lambda one: door.reopen(one, own, "related_to"),
        "reopen to": lambda one: door.reopen(own, one, "about_entity"),
        "assert_fact on": lambda one: door.assert_fact("Ada", "KNOWS", "Bo", memory_id=one),
        "assert_fact of": lambda one: door.assert_fact(one, "KNOWS", "Ada"),
        "assert_facts to": lambda one: door.assert_facts([["Ada", "KNOWS", one]]),
        "add about": lambda one: door.add("About something", entities=[one]),
        "add stating": lambda one: door.add("Stating something", triples=[["Ada", "KNOWS", one]]),
        "entity_register": door.entity_register,
    }


def test_the_attempts_below_try_every_operation_that_can_be_given_an_id(mem: Treering) -> None:
    tried = {name.split()[0] for name in attempts(mem, "x")}
    about_the_store = {
        "add_many",
        "spaces",
        "status",
        "settings",
        "verify",
        "doctor",
        "export",
        "import_journal",
        "backup",
    }
    assert tried | about_the_store | {"import_journal"} == set(OPERATIONS)


def secrets_of(ann: Treering, clock: HandClock) -> dict[str, str]:
    """Ann's private knowledge, as ids: memories, sources, edges and an entity that nobody else may know of."""
    public = ann.list()[0].id
    receipt = ann.add(
        "Ada has a secret",
        visibility="private",
        title="Whisper",
        tags=["hush"],
        session="night",
        speaker="Ghost",
        key="hidden",
        entities=["Lair"],
        triples=[["Ada", "OWNS", "Lair"]],
    )
    other = ann.add("A second secret", visibility="private", visible_to=["cy"])
    clock.advance(hours=1)
    ids = {
        "memory": receipt.id,
        "source": receipt.source_ids[0],
        "entity": ann.entity_get("Lair").id,
        "link": ann.link(receipt.id, public).edge.id,
        "superseding": ann.link(other.id, public, "supersedes").edge.id,
        "fact on evidence": ann.assert_fact("Ada", "KNOWS", "Lair", memory_id=receipt.id).facts[0].id,
    }
    ids |= {f"edge {n}": edge for n, edge in enumerate(receipt.edges_added)}
    return ids


def test_an_id_private_to_another_is_in_every_operation_as_an_id_that_never_existed(
    doors: Doors, clock: HandClock
) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada is here", entities=["Ada"])
    own = bob.add("Bob was here", entities=["Bo"]).id
    clock.advance(hours=1)
    secrets = secrets_of(ann, clock)
    told = {name: ann.history(one) for name, one in secrets.items() if name != "source"}
    fresh = mint(clock.now)
    nevers = {what: fresh() for what in secrets}
    for name, do in attempts(bob, own).items():
        for what, secret in secrets.items():
            never = nevers[what]
            expected = outcome(lambda: do(never), never)  # noqa: B023
            assert outcome(lambda: do(secret), secret) == expected, f"{name} on {what}"  # noqa: B023
    after = {name: ann.history(one) for name, one in secrets.items() if name != "source"}
    assert after == told
    assert ann.get(secrets["memory"]).state == "active"


def test_an_id_of_another_space_is_in_every_operation_as_an_id_that_never_existed(
    doors: Doors, clock: HandClock
) -> None:
    there, here = doors("ann", space="there"), doors("ann", space="here")
    there.add("Ada is there", entities=["Ada"])
    here.add("Ada is here", entities=["Ada", "Bo"])
    own = here.add("I was here").id
    ids = secrets_of(there, clock)
    ids["public memory"] = there.list(view="all")[0].id
    ids["public entity"] = there.entity_get("Ada").id
    fresh = mint(clock.now)
    nevers = {what: fresh() for what in ids}
    for name, do in attempts(here, own).items():
        for what, foreign in ids.items():
            never = nevers[what]
            expected = outcome(lambda: do(never), never)  # noqa: B023
            assert outcome(lambda: do(foreign), foreign) == expected, f"{name} on {what}"  # noqa: B023
    assert there.status(principal="ann").seq == there.status().seq
    assert here.verify().ok


Telling = dict[str, Any]


def world_of(door: Treering, **more: Any) -> Telling:
    """All that a principal can learn through the door without knowing an id beforehand."""
    memories = door.list(view="all", limit=1000, **more)
    lists = {
        "views": [door.list(view=view, **more) for view in ("current", "history", "all")],
        "orders": [door.list(order=order, view="all", limit=1, **more) for order in ("oldest", "newest")],
        "filters": [
            door.list(view="all", **{**more, **one})
            for one in (
                {"kinds": ["semantic"]},
                {"tags": ["hush"]},
                {"entities": ["Lair"]},
                {"entities": ["Ada"]},
                {"session": "night"},
                {"speaker": "Ghost"},
                {"since": "2026-01-01T00:00:00Z"},
                {"until": "2027-01-01T00:00:00Z"},
                {"as_of": "2026-01-01T12:30:00Z"},
                {"known_at": "2026-06-01T00:00:00Z"},
            )
        ],
    }
    plain: Telling = {name: [page.to_dict() for page in pages] for name, pages in lists.items()}
    principal = {"principal": more["principal"]} if "principal" in more else {}
    where = [memory.space for memory in memories]
    plain["histories"] = [
        door.history(memory.id, space=space, **principal).to_dict()
        for memory, space in zip(memories, where, strict=True)
    ]
    plain["facts"] = [fact.to_dict() for fact in door.facts(include_closed=True, **more)]
    plain["facts now"] = [fact.to_dict() for fact in door.facts(**more)]
    known = [door.entity_get(name, **more) for name in ("Ada",)]
    plain["entity histories"] = [door.history(one.id, space=one.space, **principal).to_dict() for one in known]
    status = door.status(**more)
    plain["counts"] = (status.memories, status.entities, status.edges)
    plain["entities"] = [
        outcome(lambda: door.entity_get(name, **more), name)  # noqa: B023
        for name in ("Ada", "Acme", "Lair", "Bo", "Whisper")
    ]
    return plain


def blotted(telling: Telling) -> str:
    """Without ids and journal places, which differ between any two stores."""
    text = json.dumps(telling, indent=1, default=str)
    return re.sub(r'"(seq|next)": .*', r'"\1": …', UUID.sub("ID", text))


def speak_in_public(ann: Treering, clock: HandClock, between: Callable[[str], None]) -> None:
    """A public life, with a place between any two steps for something that others must not notice."""

    def public() -> Any:
        return ann.list(view="all", principal="bob")

    steps: list[Callable[[], Any]] = [
        lambda: ann.add("Ada is here", entities=["Ada"], tags=["open"], session="day"),
        lambda: ann.add("Ada works at Acme", triples=[["Ada", "WORKS_FOR", "Acme"]]),
        lambda: ann.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from="2020-01-01T00:00:00Z"),
        lambda: ann.link(public()[1].id, public()[0].id),
        lambda: ann.forget(public()[1].id),
        lambda: ann.restore(public()[1].id),
    ]
    for step in steps:
        step()
        clock.advance(hours=1)
        between(public()[0].id)
        clock.advance(hours=1)


SECRETS: dict[str, Callable[[Treering, str], Any]] = {
    "said in private": lambda ann, public: ann.add(
        "A secret", visibility="private", tags=["hush"], session="night", speaker="Ghost", title="Whisper"
    ),
    "about a known entity": lambda ann, public: ann.add("Ada hides", visibility="private", entities=["Ada"]),
    "about an entity of its own": lambda ann, public: ann.add(
        "The lair", visibility="private", triples=[["Ada", "OWNS", "Lair"], ["Lair", "PART_OF", "Ada"]]
    ),
    "about what is spoken of openly later": lambda ann, public: ann.add(
        "Early", visibility="private", entities=[{"name": "ACME", "kind": "organization"}, {"name": "BERLIN"}]
    ),
    "superseding what is public": lambda ann, public: ann.link(
        ann.add("It was not so", visibility="private").id, public, "supersedes"
    ),
    "linked to what is public": lambda ann, public: [
        ann.link(public, ann.add("Because", visibility="private").id, relation, why="a secret reason")
        for relation in ("derived_from", "contradicts")
    ],
    "forgotten in private": lambda ann, public: ann.forget(ann.add("Gone", visibility="private").id, why="hush"),
    "revised in private": lambda ann, public: ann.revise(
        ann.add("First", visibility="private", triples=[["Ada", "LIKES", "Lair"]]).id,
        "Second",
        triples=[["Ada", "DISLIKES", "Lair"]],
    ),
    "a link untied": lambda ann, public: ann.unlink(
        ann.link(ann.add("Tied", visibility="private").id, public).edge.source_id, public, why="hush"
    ),
    "an edge closed": lambda ann, public: [
        ann.add("Owner", visibility="private", triples=[["Ada", "OWNS", "Lair"]]),
        ann.invalidate("Ada", "Lair", "OWNS", why="hush"),
        ann.reopen("Ada", "Lair", "OWNS"),
    ],
    "a fact on a private memory": lambda ann, public: ann.assert_fact(
        "Ada", "KNOWS", "Lair", memory_id=ann.add("Heard", visibility="private").id
    ),
    "an entity merged": lambda ann, public: [
        ann.add("The lair", visibility="private", entities=["Lair", "Cave"]),
        ann.entity_get("Cave").name == "Lair" or ann.entity_merge("Cave", "Lair", why="hush"),
    ],
    "an entity merged into a public one": lambda ann, public: [
        ann.add("The lair", visibility="private", entities=["Lair", "Ada"]),
        ann.entity_get("Lair").name == "Ada" or ann.entity_merge("Lair", "Ada", why="hush"),
    ],
    "a public entity merged into one of its own": lambda ann, public: [
        ann.add("The lair", visibility="private", entities=["Lair", "Ada"]),
        ann.entity_get("Ada").name == "Lair" or ann.entity_merge("Ada", "Lair", why="hush"),
    ],
    "a fact closed on private evidence": lambda ann, public: [
        ann.assert_fact("Ada", "LIVES_IN", "Lair", memory_id=ann.add("Moved", visibility="private").id, supersede=True),
    ],
    "a key": lambda ann, public: ann.add("Keyed", visibility="private", key=f"hush {ann.status().seq}"),
}


@pytest.mark.parametrize("secret", SECRETS)
def test_the_world_of_others_is_as_if_the_secret_had_never_been(
    new_store: Callable[[str], Store], request: pytest.FixtureRequest, store_url: str, secret: str
) -> None:
    told = []
    for hides in (False, True):
        clock = HandClock()
        store = new_store(store_url if hides or store_url in ("reference:", ":memory:") else "sqlite")
        ann, bob = (Treering(store, clock=clock, actor=actor, space="lab/den") for actor in ("ann", "bob"))
        seen = []
        act = SECRETS[secret] if hides else lambda ann, public: None
        speak_in_public(ann, clock, lambda public: act(ann, public))  # noqa: B023
        for door in (bob, bob.space("lab")):
            seen.append(blotted(world_of(door, children=True)))
        seen.append(blotted(world_of(ann, principal="bob")))
        seen.append(blotted(world_of(bob, known_at="2026-01-01T17:30:00Z")))
        told.append(seen)
    noticed = [
        (there, here)
        for without, hidden in zip(*told, strict=True)
        for there, here in zip_longest(without.splitlines(), hidden.splitlines())
        if there != here
    ]
    assert noticed[:8] == []


def test_a_private_memory_is_seen_by_its_observer_and_those_it_names_and_by_nobody_else(doors: Doors) -> None:
    ann, bob, cy = doors("ann", "bob", "cy")
    memory = ann.add("For Cy", visibility="private", visible_to=["cy"]).id
    assert [len(door.list(view="all")) for door in (ann, bob, cy)] == [1, 0, 1]
    assert ann.get(memory) == cy.get(memory)
    assert len(bob.list(principal="cy")) == 1
    assert len(ann.list(principal="")) == 0
    revised = cy.revise(memory, "For Ann").id
    assert [len(door.list()) for door in (ann, bob, cy)] == [1, 0, 1]
    assert ann.get(memory).superseded_by == revised


def test_a_name_that_only_a_private_memory_brought_is_new_to_others_who_use_it(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Secret", visibility="private", entities=["Lair"]).id
    assert bob.add("Mine", entities=["lair"]).entities[0].created is True
    assert bob.add("Mine too", entities=["LAIR"]).entities[0].created is False
    seen = bob.entity_get("lair")
    assert seen.memory_id != secret
    assert secret not in json.dumps(bob.history(seen.id).to_dict())
    assert "Lair" in ann.entity_get("lair").name


def test_registering_a_name_that_a_private_memory_brought_makes_it_known_without_telling(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Secret", visibility="private", entities=["Lair"]).id
    first = bob.entity_register("Lair", aliases=["Den"])
    assert (first.created, first.aliases_added) == (True, ("Den",))
    assert bob.entity_register("Lair").created is False
    assert secret not in json.dumps(bob.history(first.entity_id).to_dict())
    assert ann.entity_get("den").id == first.entity_id


def test_a_key_used_in_private_is_refused_to_others_in_the_same_words_whatever_they_say(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("The secret", key="turn-1", visibility="private")
    ann.add("Said openly", key="turn-2")
    said = [outcome(lambda: bob.add(text, key="turn-1"), "x") for text in ("The secret", "A guess")]  # noqa: B023
    assert said[0] == said[1]
    assert said[0].startswith("Conflict")
    assert "secret" not in said[0]
    assert bob.add("Said openly", key="turn-2").repeated is True


def test_a_purge_tells_nothing_of_private_memories_that_hold_the_same_words(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    hidden = ann.add("They said: the same words", visibility="private").id
    mine = bob.add("the same words").id
    assert bob.purge(mine, "asked to", dry_run=True).found == ()
    ann.link(hidden, mine, "derived_from")
    report = bob.purge(mine, "asked to")
    assert report.memories == (mine,)
    assert hidden not in json.dumps(report.to_dict())
    with pytest.raises(NotFound):
        ann.get(hidden)


def test_the_source_of_a_private_memory_is_not_there_for_others(doors: Doors, store: Store, clock: HandClock) -> None:
    ann = doors("ann")
    source = ann.add("The secret", visibility="private", visible_to=["cy"]).source_ids[0]
    for principal, sees in (("ann", True), ("cy", True), ("bob", False), (None, False)):
        with store.reader(scope(clock, principal=principal)) as reader:
            assert (reader.source(source) is not None) is sees


def test_spaces_share_no_names_keys_settings_or_numbers(doors: Doors) -> None:
    one, two = doors("ann", space="one"), doors("ann", space="two")
    first = one.add("Ada is here", entities=["Ada"], key="k", title="T")
    one.settings({"functional_relations": []})
    assert (two.status().seq, len(two.list(view="all")), two.status().entities) == (0, 0, 0)
    second = two.add("Other words", entities=["ada"], key="k")
    assert second.entities[0].created is True
    assert second.entities[0].id != first.entities[0].id
    assert two.settings()["functional_relations"] != []
    assert one.entity_get("Ada").name == "Ada"
    assert two.entity_get("Ada").name == "ada"
    assert [one.status().seq, two.status().seq] == [2, 1]
    two.entity_register("T")


def test_reading_children_takes_in_what_is_below_and_nothing_beside(doors: Doors) -> None:
    for space in ("acme", "acme/lab", "acme/lab/den", "acme-x", "acmeé"[:-1] + "x", "acme.x", "ac", "zzz/acme"):
        doors("ann", space=space).add(f"In {space}", entities=[space.replace("/", " ")])
    door = doors("ann", space="acme")
    assert sorted(contents(door.list(children=True))) == ["In acme", "In acme/lab", "In acme/lab/den"]
    assert contents(door.list()) == ["In acme"]
    assert door.status(children=True).memories["active"] == 3
    assert door.status(children=True).entities == 3
    assert sorted(contents(door.list(space="acme/lab", children=True))) == ["In acme/lab", "In acme/lab/den"]


def test_children_keep_what_is_private_there_private(doors: Doors) -> None:
    ann, bob = doors("ann", space="acme/lab"), doors("bob", space="acme")
    ann.add("Secret", visibility="private", triples=[["Ada", "OWNS", "Lair"]])
    bob.add("Open")
    assert contents(bob.list(view="all", children=True)) == ["Open"]
    assert bob.facts(children=True, include_closed=True) == []
    assert bob.status(children=True).entities == 0


# 8. The same question on the same state at the same moment gives the same answer in the same order.


def test_the_same_question_gives_the_same_answer_in_the_same_order(
    mem: Treering, store: Store, clock: HandClock, store_url: str, new_store: Callable[[str], Store]
) -> None:
    write_a_life(mem, clock)
    mem.add_many([{"content": f"Item {n}", "entities": [f"E{n % 3}"]} for n in range(20)])
    first = everything(store, scope(clock))
    assert everything(store, scope(clock)) == first
    store.rebuild("lab")
    assert everything(store, scope(clock)) == first
    assert contents(mem.list(limit=1000))[-20:] == [f"Item {n}" for n in range(20)]


# 9. Two processes on one file both see each other's writes in the next read.


ECHO = """
import sys
import treering
mem = treering.open(sys.argv[1], actor="other", space="lab")
for line in sys.stdin:
    word = line.strip()
    seen = [memory.content for memory in mem.list()]
    mem.add(f"{word} heard")
    print(len(seen), word in seen, flush=True)
"""


def test_two_processes_on_one_file_see_each_others_writes_in_the_next_read(
    file_mem: Treering, db_path: Path, clock: HandClock
) -> None:
    file_mem.add("before")
    other = subprocess.Popen(
        [sys.executable, "-c", ECHO, str(db_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdin is not None
    assert other.stdout is not None
    for n in range(10):
        file_mem.add(f"word {n}")
        other.stdin.write(f"word {n}\n")
        other.stdin.flush()
        assert other.stdout.readline().split() == [str(2 + 2 * n), "True"]
        assert contents(file_mem.list(limit=1000))[-1] == f"word {n} heard"
    other.stdin.close()
    assert other.wait() == 0
    other.stdout.close()
    assert file_mem.verify().ok


# 10. Supersession never removes.


def test_a_superseded_memory_is_reachable_by_history_by_as_of_and_in_the_history_view(
    mem: Treering, clock: HandClock
) -> None:
    first = mem.add("Ada lives in Berlin").id
    then = clock.now
    clock.advance(days=30)
    second = mem.revise(first, "Ada lives in Paris").id
    clock.advance(days=30)
    third = mem.revise(second, "Ada lives in Rome").id
    clock.advance(days=30)
    assert contents(mem.list()) == ["Ada lives in Rome"]
    assert contents(mem.list(as_of=then)) == ["Ada lives in Berlin"]
    assert contents(mem.list(as_of=then + timedelta(days=31))) == ["Ada lives in Paris"]
    assert len(mem.list(view="history")) == 3
    assert mem.history(first).superseded_by == (second, third)
    assert mem.history(third).supersedes == (second, first)
    assert [mem.get(one).state for one in (first, second, third)] == ["superseded", "superseded", "active"]
    assert (mem.get(first).superseded_by, mem.get(second).superseded_by) == (second, third)


# 11. Every memory leads to its source span, every change to rule and evidence, and it can be undone.


def test_every_memory_leads_to_the_words_it_was_said_in(mem: Treering, store: Store, clock: HandClock) -> None:
    write_a_life(mem, clock)
    with store.reader(scope(clock)) as reader:
        memories = reader.memories(MemoryFilter(view=View.ALL))
        assert len(memories) == 6
        for memory in memories:
            source = reader.source(memory.source_id)
            assert source is not None
            assert source.content[slice(*memory.span)] == memory.content
            assert source.occurred_at == memory.said_at
            said = [event for event in reader.events(memory.source_id) if isinstance(event.change, SourceAdded)]
            assert len(said) == 1


def test_a_superseded_memory_leads_to_what_did_it_and_unlinking_undoes_it(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Ada lives in Berlin").id
    clock.advance(days=1)
    new = mem.revise(old, "Ada lives in Paris", why="she said so").id
    event = mem.history(old).events[-1]
    assert (event.type, event.rule, event.evidence, event.why) == ("edge_added", "revised", new, "she said so")
    edge = mem.unlink(new, old, "supersedes").edge_ids[0]
    assert mem.get(old).state == "active"
    mem.restore(edge)
    assert mem.get(old).state == "superseded"


def test_a_closed_fact_leads_to_the_rule_and_memory_that_closed_it_and_reopening_undoes_it(
    mem: Treering, clock: HandClock
) -> None:
    edge = mem.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from="2020-01-01T00:00:00Z").facts[0].id
    heard = mem.add("Ada moved to Paris").id
    clock.advance(days=1)
    mem.assert_fact("Ada", "LIVES_IN", "Paris", valid_from="2024-01-01T00:00:00Z", memory_id=heard, supersede=True)
    closed = mem.history(edge).events[-1]
    assert (closed.type, closed.rule, closed.evidence) == ("edge_closed", "functional", heard)
    assert [fact.closed_by for fact in mem.facts(object="Berlin", include_closed=True)] == ["functional"]
    moved = mem.reopen("Ada", "Berlin", "LIVES_IN")
    assert (moved.valid_until, moved.changed) == (None, True)
    assert sorted(fact.object for fact in mem.facts()) == ["Berlin", "Paris"]


def test_a_merged_entity_leads_to_the_rule_and_reason_and_a_split_undoes_it(mem: Treering) -> None:
    mem.assert_fact("Bob", "KNOWS", "Ada")
    mem.assert_fact("Robert", "LIKES", "Ada")
    bob, robert = mem.entity_get("Bob"), mem.entity_get("Robert")
    before = [fact.to_dict() for fact in mem.facts()]
    mem.entity_merge("Bob", "Robert", why="one person")
    for one, words in ((bob.id, f"merged into {robert.id}"), (robert.id, f"took in {bob.id}")):
        event = next(event for event in mem.history(one).events if event.type == "entity_merged")
        assert (event.rule, event.why, event.what) == ("stated", "one person", words)
    assert {fact.subject for fact in mem.facts()} == {"Robert"}
    mem.entity_split(bob.id)
    assert [fact.to_dict() for fact in mem.facts()] == before
    assert (mem.entity_get("Bob"), mem.entity_get("Robert")) == (bob, robert)


def test_a_contradiction_leads_to_both_sides_and_can_be_taken_back(mem: Treering) -> None:
    older, newer = mem.add("The sky is green").id, mem.add("The sky is blue").id
    edge = mem.link(newer, older, "contradicts", why="seen outside").edge.id
    for one in (older, newer):
        event = mem.history(one).events[-1]
        assert (event.rule, event.evidence, event.why) == ("stated", newer, "seen outside")
    mem.forget(edge)
    assert mem.status().edges == 0
    mem.restore(edge)
    assert mem.status().edges == 1


# 12. A purge leaves no trace.

TRACES = {
    "content": "Die Zahlenkombination ist größer als 8142",
    "title": "Tresorzettel",
    "context": "geflüstert im Aufzug",
    "tag": "panzerknacker",
    "meta": "hinterzimmer",
    "speaker": "Egon Olsen",
    "session": "nachtsitzung",
    "key": "schlüssel-17",
    "entity": "Franz-Jäger-Tresor",
    "fact": "HAT_DIE_FARBE_VON",
    "object": "Mitternachtsblau",
    "link": "weil es dieselbe Nacht war",
    "derived": "Zusammengefasst: es geht um 8142",
    "forgotten": "bitte vergessen, peinlich",
}


def write_what_is_to_go(mem: Treering) -> str:
    kept = mem.add("Ada is here", entities=["Ada"]).id
    gone = mem.add(
        TRACES["content"],
        title=TRACES["title"],
        context=TRACES["context"],
        tags=[TRACES["tag"]],
        meta={"where": TRACES["meta"]},
        speaker=TRACES["speaker"],
        session=TRACES["session"],
        key=TRACES["key"],
        entities=[TRACES["entity"], "Ada"],
        triples=[["Ada", TRACES["fact"], TRACES["object"]]],
    ).id
    mem.link(kept, gone, why=TRACES["link"], meta={"why": TRACES["link"]})
    derived = mem.add(TRACES["derived"]).id
    mem.link(derived, gone, "derived_from")
    again = mem.add(f"Noch einmal: {TRACES['derived']}").id
    mem.link(again, derived, "derived_from")
    mem.forget(gone, why=TRACES["forgotten"])
    mem.restore(gone)
    return gone


def traces_in(raw: bytes) -> list[str]:
    spelled = lambda text: {text.encode(), json.dumps(text)[1:-1].encode(), text.encode("utf-16-le")}  # noqa: E731
    return [name for name, text in TRACES.items() if any(one in raw for one in spelled(text))]


def files_of(path: Path) -> list[Path]:
    return sorted(path.parent.glob(path.name + "*"))


def test_a_purge_leaves_no_byte_in_the_file_beside_it_or_in_an_export(
    file_mem: Treering, db_path: Path, tmp_path: Path
) -> None:
    gone = write_what_is_to_go(file_mem)
    assert set(traces_in(b"".join(one.read_bytes() for one in files_of(db_path)))) == set(TRACES)
    report = file_mem.purge(gone, "asked to")
    assert report.scrubbed is True
    file_mem.export(str(tmp_path / "out.jsonl"))
    file_mem.backup(str(tmp_path / "copy.db"))
    for path in (*files_of(db_path), tmp_path / "out.jsonl", *files_of(tmp_path / "copy.db")):
        assert traces_in(path.read_bytes()) == [], path
    assert file_mem.verify().ok
    assert file_mem.verify().purged_changes == report.changes_cut > 10


def test_a_purge_rewrites_the_file_without_the_room_that_was_freed(file_mem: Treering, db_path: Path) -> None:
    memory = file_mem.add("A long story. " * 3000).id
    file_mem.purge(memory, "asked to")
    raw = sqlite3.connect(db_path)
    assert raw.execute("PRAGMA freelist_count").fetchone() == (0,)
    raw.close()
    assert db_path.with_name("work.db-wal").stat().st_size < 100_000


def test_a_purge_leaves_nothing_to_be_read_at_any_moment_and_the_chain_holds(
    mem: Treering, store: Store, clock: HandClock, tmp_path: Path
) -> None:
    gone = write_what_is_to_go(mem)
    before = clock.advance(hours=1)
    clock.advance(hours=1)
    report = mem.purge(gone, "asked to")
    assert len(report.memories) == 3
    assert len(report.entities) == 2
    for known_at in (None, before):
        told = everything(store, scope(clock, known_at=known_at))
        assert traces_in(repr(told).encode()) == []
    for entry in store.entries("lab"):
        assert traces_in(entry.payload().encode()) == []
    assert contents(mem.list(view="all")) == ["Ada is here"]
    for one in report.memories:
        with pytest.raises(NotFound, match="was purged"):
            mem.get(one)
        assert mem.history(one).state == "purged"
        assert mem.history(one).events[-1].why == "asked to"
    assert mem.verify().ok
    assert mem.add("New", key=TRACES["key"], entities=[TRACES["entity"]]).entities[0].created is True


@pytest.mark.parametrize("kind", STORES)
def test_the_export_after_a_purge_makes_an_equal_store_of_every_kind(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store], kind: str, tmp_path: Path
) -> None:
    mem.purge(write_what_is_to_go(mem), "asked to")
    two_said_in_one_breath(mem, store, clock)
    mem.purge(mem.list(speaker="Ada")[0].id, "asked to")
    mem.export(str(tmp_path / "out.jsonl"))
    other = new_store(kind)
    other.replay(read_journal(tmp_path / "out.jsonl"))
    for known_at in (None, clock.now - timedelta(minutes=30)):
        where = scope(clock, known_at=known_at)
        assert everything(other, where) == everything(store, where)


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


def two_said_in_one_breath(mem: Treering, store: Store, clock: HandClock) -> list[str]:
    """One source and three memories that each rest on a stretch of it, written by hand."""
    fresh, said = mint(clock.now), "Ada lives in Berlin. Her code is 8142! She likes tea."
    source_id, ids = fresh(), [fresh() for _ in range(3)]

    def plan(reader: Any, at: datetime) -> Changes:
        source = Source(
            id=source_id, space="lab", content=said, speaker="Ada", occurred_at=clock.now, recorded_at=at, meta={}
        )
        parts = ["Ada lives in Berlin.", "Her code is 8142!", "She likes tea."]
        memories = [
            MemoryRecord(
                id=one,
                space="lab",
                content=part,
                said_at=clock.now,
                recorded_at=at,
                source_id=source_id,
                span=(said.index(part), said.index(part) + len(part)),
            )
            for one, part in zip(ids, parts, strict=True)
        ]
        return Changes("remember", (SourceAdded(source), *(MemoryAdded(one) for one in memories)))

    store.write("lab", Writer("ann"), clock.now, plan)
    return ids


def test_a_source_that_others_rest_on_is_blanked_and_their_spans_still_hold(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    home, code, tea = two_said_in_one_breath(mem, store, clock)
    source_id = mem.get(home).source_id
    clock.advance(hours=1)
    report = mem.purge(code, "asked to")
    assert (report.sources, report.sources_blanked) == ((), (source_id,))
    recorded_at = mem.get(home).recorded_at
    for known_at in (None, recorded_at):
        with store.reader(scope(clock, known_at=known_at)) as reader:
            source = reader.source(source_id)
            assert source is not None
            assert source.content == f"Ada lives in Berlin. {BLANK * 17} She likes tea."
            assert source.recorded_at == recorded_at
            for one in (home, tea):
                memory = reader.memory(one)
                assert memory is not None
                assert source.content[slice(*memory.span)] == memory.content
    assert not any("8142" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok
    assert mem.purge(tea, "asked to").sources_blanked == (source_id,)
    assert not any("tea" in entry.payload() for entry in store.entries("lab"))
    assert mem.purge(home, "asked to").sources == (source_id,)
    assert not any("Ada lives" in entry.payload() for entry in store.entries("lab"))
    with store.reader(scope(clock)) as reader:
        assert reader.source(source_id) is None
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


def test_a_purge_while_another_reads_says_so_and_the_next_open_scrubs(
    db_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.2)
    store = open_store(str(db_path))
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    gone = write_what_is_to_go(mem)
    reading = sqlite3.connect(db_path, isolation_level=None)
    reading.execute("BEGIN")
    assert reading.execute("SELECT COUNT(*) FROM memory").fetchone() == (4,)
    assert mem.purge(gone, "asked to").scrubbed is False
    assert contents(mem.list(view="all")) == ["Ada is here"]
    reading.execute("COMMIT")
    reading.close()
    store.close()
    again = open_store(str(db_path))
    for path in files_of(db_path):
        assert traces_in(path.read_bytes()) == [], path
    assert Treering(again, space="lab").verify().ok
    again.close()


def test_a_scrub_that_a_writer_elsewhere_holds_up_says_so_and_is_not_an_error(
    db_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.1)
    store = open_store(str(db_path))
    Treering(store, clock=clock, space="lab").add("One")
    writing = sqlite3.connect(db_path, isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    assert store.scrub() is False
    writing.execute("ROLLBACK")
    writing.close()
    assert store.scrub() is True
    store.close()


def test_a_crash_between_the_purge_and_its_scrub_is_made_good_at_the_next_open(db_path: Path, clock: HandClock) -> None:
    code = """
import os, sys
sys.path.insert(0, ".")
from tests.conftest import HandClock
from tests.contract.test_never_breaks import write_what_is_to_go
from treering.door import Treering
from treering.store import open_store
store = open_store(sys.argv[1])
mem = Treering(store, clock=HandClock(), actor="ann", space="lab")
gone = write_what_is_to_go(mem)
store.scrub = lambda: os._exit(9)
mem.purge(gone, "asked to")
"""
    died = subprocess.run([sys.executable, "-c", code, str(db_path)], check=False)
    assert died.returncode == 9
    assert traces_in(b"".join(one.read_bytes() for one in files_of(db_path))) != []
    store = open_store(str(db_path))
    for path in files_of(db_path):
        assert traces_in(path.read_bytes()) == [], path
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    assert contents(mem.list(view="all")) == ["Ada is here"]
    assert mem.verify().ok
    store.close()
    assert os.path.getsize(db_path) > 0  # noqa: PTH202


def test_a_dry_run_of_a_purge_tells_its_reach_and_removes_nothing(mem: Treering, store: Store) -> None:
    gone = write_what_is_to_go(mem)
    head = store.head("lab")
    dry = mem.purge(gone, "asked to", dry_run=True)
    assert store.head("lab") == head
    assert mem.get(gone).content == TRACES["content"]
    wet = mem.purge(gone, "asked to")
    assert replace(dry, dry_run=False, scrubbed=wet.scrubbed) == wet
