"""A trap that fails the Nth statement, the ground it is set on, and the writes it is set for."""

from __future__ import annotations

import shutil
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOTARY
from tests.property.drawing import START
from tests.property.twins import Asleep, Clock, minting

from treering.door import Treering
from treering.errors import Unavailable
from treering.ingest.extract.extractors import Extractors
from treering.model.changes import Changes, EntityAdded, MemoryAdded, SourceAdded
from treering.model.embedding import Embedded
from treering.model.entity import Entity
from treering.model.journal import GENESIS
from treering.model.memory import MemoryRecord
from treering.model.source import Source
from treering.store.contract import Reader, Writer
from treering.store.sqlite import SqliteStore

TOLD_AT, EVERY_THIRD = 6, 3
"""At every change some of the statements fail; in the slow group each of them."""
MOST = 500
"""No operation here takes more statements; one that seems to never stops failing."""

DIMS = 1_000
SECRET = "the unspeakable word"
ASLEEP = Extractors("none", {"llm": lambda space, fallback: Asleep()})
"""Of which one never reads what it is given."""


@dataclass
class Trap:
    """Fails the Nth statement after it was set. `late` counts only statements that are final by themselves, such as
    COMMIT and VACUUM, and fails when they have been carried out: done, but nobody was told."""

    late: bool = False
    left: int = 0
    fired: str | None = None
    seen: list[str] = field(default_factory=list)

    def set(self, n: int) -> None:
        self.left, self.fired, self.seen = n, None, []

    def before(self, sql: str) -> None:
        if not self.late:
            self._count(sql)

    def after(self, sql: str, in_transaction: bool, done: sqlite3.Cursor | None = None) -> None:
        if self.late and not in_transaction and not sql.startswith("SELECT"):
            if done is not None and self.left == 1:
                done.fetchall()
                done.close()
            self._count(sql)

    def _count(self, sql: str) -> None:
        self.seen.append(sql)
        self.left -= 1
        if self.left == 0:
            self.fired = sql
            error = sqlite3.OperationalError("disk I/O error, injected")
            error.sqlite_errorname, error.sqlite_errorcode = "SQLITE_IOERR_WRITE", sqlite3.SQLITE_IOERR_WRITE
            raise error

    def connection(self) -> type[sqlite3.Connection]:
        trap = self

        class Trapped(sqlite3.Connection):
            def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
                trap.before(sql)
                done = super().execute(sql, *rest)
                trap.after(sql, self.in_transaction, done)
                return done

            def executemany(self, sql: str, *rest: Any) -> sqlite3.Cursor:
                trap.before(sql)
                done = super().executemany(sql, *rest)
                trap.after(sql, self.in_transaction, done)
                return done

            def backup(self, target: sqlite3.Connection, **how: Any) -> None:
                trap.before("backup")
                super().backup(target, **how)
                trap.after("backup", self.in_transaction)

        return Trapped


@dataclass
class Ground:
    """A small store to try things on, and the ids in it."""

    path: Path
    journal: Path
    first: str = ""
    second: str = ""
    secret: str = ""
    edge: str = ""
    attested: str = ""
    merged: str = ""
    told: int = 0
    read: tuple[Embedded, ...] = ()


def read(thing_id: str, shining_through: str = "") -> Embedded:
    """What an embedder made of it, packed as vectors are."""
    steps = (thing_id.encode() + shining_through.encode() * 40).ljust(DIMS, b"\0")
    return Embedded(thing_id, "small@1", struct.pack("<BHHf", 1, DIMS, 1, 0.001) + steps)


def told_with_vectors(door: Treering) -> None:
    """A write that brings in a memory and an entity together with their vectors."""

    def plan(reader: Reader, at: datetime) -> Changes:
        source, memory, entity = (f"019b796d-d600-7000-8000-{n:012d}" for n in range(3))
        words = {"space": "acme", "content": "Zoë sings", "recorded_at": at}
        return Changes(
            "remember",
            (
                SourceAdded(Source(id=source, occurred_at=START, **words)),
                MemoryAdded(MemoryRecord(id=memory, source_id=source, said_at=START, span=(0, 9), **words)),
                EntityAdded(Entity(id=entity, space="acme", name="Song", recorded_at=at)),
            ),
            (read(memory), read(entity)),
        )

    door._store.write("acme", Writer("ann"), START, plan)


def door_on(store: SqliteStore) -> Treering:
    return Treering(store, clock=Clock(), actor="ann", space="acme")


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    folder = tmp_path_factory.mktemp("ground")
    made = Ground(folder / "ground.db", folder / "other.jsonl")
    with door_on(SqliteStore(made.path)) as door:
        made.first = door.add("Ann works for Acme", triples=[["Ann", "WORKS_FOR", "Acme"]], tags=["work"]).id
        made.second = door.add("Ann lives in Berlin", entities=["Ann", "Berlin"], key="k").id
        made.secret = door.add(SECRET, entities=["Ann", "Nowhere"], tags=["x"], visibility="private").id
        door.link(made.second, made.first, "extends")
        door.assert_fact("Ann", "LIVES_IN", "Berlin")
        door.assert_fact("Ann", "KNOWS", "Ben")
        door.invalidate("Ann", "Ben", "KNOWS")
        door.entity_register("Benjamin", aliases=["Benny"])
        made.merged = door.entity_merge("Benjamin", "Ben").entity_id
        made.edge = door.facts(subject="Ann", relation="LIVES_IN")[0].id
        made.attested = door.facts(subject="Ann", relation="WORKS_FOR")[0].id
        door.forget(made.edge)
        door.observe([made.secret, made.second], ["far"])
        door.settings({"retention": {"collect_below": 5.0, "fading_below": 5.0}})
        door.relation_set("COACHES", gloss="whom somebody coaches")
        waits = Treering(door._store, clock=Clock(), actor="ann", space="acme", extractors=ASLEEP)
        with suppress(Unavailable):
            waits.remember("Ann waits for Ben", extractor="llm", session="s", key="waiting")
        door.remember(drafts=[{"content": "Ann drives a van", "triples": [["Ann", "OWNS", "Van"]]}])
        sold = {"subject": "Ann", "relation": "OWNS", "object": "Van", "stance": "ends"}
        made.told = door.remember(drafts=[{"content": "Ann sold the van", "triples": [sold]}]).seq
        made.read = (read(made.first), read(made.secret, SECRET), read(door.entity_get("Nowhere").id, SECRET))
        door._store.keep_vectors("acme", made.read)
    with door_on(SqliteStore(folder / "other.db")) as door:
        other = door.add("Zoë moved away", space="elsewhere", entities=["Zoë"]).id
        door.add("Zoë stayed", space="elsewhere", entities=["Zoë"])
        door.revise(other, "Zoë moved to Rome", space="elsewhere", triples=[["Zoë", "LIVES_IN", "Rome"]])
        door.purge(other, "asked", space="elsewhere")
        door.export(str(made.journal))
    return made


def whole(path: Path) -> list[object]:
    """All that the file holds, read anew, but for the hashes: they are salted at random."""
    store = SqliteStore(path)
    try:
        return whole_of(store)
    finally:
        store.close()


def whole_of(store: SqliteStore) -> list[object]:
    found: list[object] = []
    for info in store.spaces():
        found.append(info)
        found += [
            (
                row.table,
                row.key,
                {name: value for name, value in row.values.items() if name not in ("head_hash", "name_seal")},
            )
            for row in store.rows(info.name)
        ]
        found += [
            (entry.seq, entry.at, entry.actor, entry.op, tuple(leaf.text for leaf in entry.leaves))
            for entry in store.entries(info.name)
        ]
        found += [(one, *store.vectors(info.name, one)) for one in store.embedders(info.name)]
    return found


Act = Callable[[Treering, Ground], object]


def _notary(door: Treering) -> Treering:
    """Another actor, who signs."""
    return Treering(door._store, clock=Clock(), actor="notary", identity=NOTARY, space="acme")


WRITES: dict[str, Act] = {
    "add": lambda door, on: door.add(
        "Ann met Zoë", entities=["Zoë"], triples=[["Ann", "KNOWS", "Zoë"]], tags=["a", "b"], visibility="private"
    ),
    "add in a new space": lambda door, on: door.add("hello", space="new/one", entities=["Ann"]),
    "add_many": lambda door, on: door.add_many([{"content": "one", "entities": ["A", "B"]}, {"content": "two"}]),
    "add_file": lambda door, on: door.add_file(b"# Ann\n\nShe left.\n\n## Later\n\nShe came back.", name="ann.md"),
    "revise": lambda door, on: door.revise(on.first, "Ann works for Zoo", triples=[["Ann", "WORKS_FOR", "Zoo"]]),
    "forget": lambda door, on: door.forget(on.first, why="asked"),
    "restore": lambda door, on: door.restore(on.edge),
    "touch": lambda door, on: door.touch(on.first, boost=True),
    "archive": lambda door, on: door.archive(on.first, why="done"),
    "attest": lambda door, on: _notary(door).attest(on.attested),
    "describe": lambda door, on: door.describe(description="What Ann told", metadata={"team": "red"}),
    "observe": lambda door, on: door.observe([on.first, on.second], ["far"]),
    "promote": lambda door, on: door.promote(on.second, force=True),
    "gc": lambda door, on: door.gc(dry_run=False, limit=2),
    "purge": lambda door, on: door.purge(on.secret, "asked"),
    "link": lambda door, on: door.link(on.first, on.second, "supersedes"),
    "unlink": lambda door, on: door.unlink(on.second, on.first, "extends"),
    "undo": lambda door, on: door.undo(str(on.told)),
    "resume": lambda door, on: door.resume(extractor="none"),
    "invalidate": lambda door, on: door.invalidate("Ann", "Acme", "WORKS_FOR"),
    "reopen": lambda door, on: door.reopen("Ann", "Ben", "KNOWS"),
    "assert_fact": lambda door, on: door.assert_fact("Ann", "WORKS_FOR", "Zoo", supersede=True),
    "assert_facts": lambda door, on: door.assert_facts([["Ann", "USES", "tea"], ["Ben", "KNOWS", "Ann"]]),
    "entity_register": lambda door, on: door.entity_register("Ann", aliases=["Annie", "Anna"]),
    "entity_merge": lambda door, on: door.entity_merge("Acme", "Berlin"),
    "entity_split": lambda door, on: door.entity_split(on.merged),
    "settings": lambda door, on: door.settings({"functional_relations": ["USES"]}),
    "relation_set": lambda door, on: door.relation_set("MENTORS", gloss="whom somebody mentors", cardinality="one"),
    "relation_remove": lambda door, on: door.relation_remove("COACHES"),
    "a write with vectors": lambda door, on: told_with_vectors(door),
    "keep_vectors": lambda door, on: door._store.keep_vectors("acme", [read(on.second), read(on.first)]),
    "drop_vectors": lambda door, on: door._store.drop_vectors("acme", "small@1"),
    "import_journal": lambda door, on: door.import_journal(str(on.journal)),
    "rebuild": lambda door, on: door._store.rebuild("acme"),
}


def copies_of(ground: Ground, folder: Path) -> Iterator[Path]:
    for n in range(1, MOST):
        path = folder / f"{n}.db"
        shutil.copy(ground.path, path)
        yield path
        for part in folder.glob(f"{n}.db*"):
            shutil.rmtree(part) if part.is_dir() else part.unlink()


def held_after(ground: Ground, act: Act, folder: Path) -> list[object]:
    path = folder / "after.db"
    shutil.copy(ground.path, path)
    with minting(900), door_on(SqliteStore(path)) as door:
        act(door, ground)
    return whole(path)


@dataclass(frozen=True)
class Outcome:
    """What a store may hold after a fault, and what it holds when life has gone on from there."""

    held: list[object]
    later: list[object]


def outcomes_of(ground: Ground, act: Act, folder: Path) -> list[Outcome]:
    """Nothing of it, and all of it."""
    return [_outcome(ground, lambda door, on: None, folder), _outcome(ground, act, folder)]


def _outcome(ground: Ground, act: Act, folder: Path) -> Outcome:
    held = held_after(ground, act, folder)
    with door_on(SqliteStore(folder / "after.db")) as door:
        goes_on(door)
        found = door.verify()
        assert found.ok, found.differences
        return Outcome(held, whole_of(door._store))


def goes_on(door: Treering) -> None:
    """The same store, not opened anew, reads and writes."""
    with minting(901):
        added = door.add("and life goes on", entities=["Ann"]).id
    assert door.get(added).content == "and life goes on"


def goes_on_to(door: Treering, *outcomes: Outcome) -> None:
    """It goes on as if there had been no fault: to what was verified once, in one chain."""
    goes_on(door)
    store: SqliteStore = door._store  # type: ignore[assignment]
    assert whole_of(store) in [one.later for one in outcomes]
    for info in store.spaces():
        last = GENESIS
        for entry in store.entries(info.name):
            assert entry.prev_hash == last
            last = entry.hash
        assert store.head(info.name).hash == last


def outline(found: list[object]) -> list[object]:
    """How many rows there are of each kind: ids and times are new at every try."""
    rows = [one[0] for one in found if isinstance(one, tuple) and isinstance(one[0], str)]
    return sorted((table, rows.count(table)) for table in set(rows))
