"""What if the disk fails in the middle? A fault at the Nth statement of every write, for every N: all or nothing."""

from __future__ import annotations

import shutil
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOTARY
from tests.property.drawing import START
from tests.property.twins import Asleep, Clock, minting

from treering.door import Diagnosis, Treering
from treering.errors import Fault, Unavailable
from treering.ingest.extract.extractors import Extractors
from treering.model.changes import Changes, EntityAdded, MemoryAdded, SourceAdded
from treering.model.embedding import Embedded
from treering.model.entity import Entity
from treering.model.job import Job, JobRequest, JobStatus, Made, Progress, Stage
from treering.model.journal import GENESIS
from treering.model.memory import MemoryRecord
from treering.model.source import Source
from treering.store.contract import Reader, Writer
from treering.store.sqlite import SqliteStore, schema

TOLD_AT, EVERY_THIRD = 6, 3
"""At every change some of the statements fail; in the slow group each of them."""
SOME = [pytest.param(EVERY_THIRD, id="some"), pytest.param(1, id="every", marks=pytest.mark.slow)]
MOST = 500
"""No operation here takes more statements; one that seems to never stops failing."""

DIMS = 1_000
SECRET = "the unspeakable word"
ASLEEP = Extractors("none", {"llm": lambda space, fallback: Asleep()})
"""Of which one never reads what it is given."""


LATE = [False, pytest.param(True, marks=pytest.mark.slow)]
"""Faults before a statement are tried at every change, those right after it in the slow group."""


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


def _door(store: SqliteStore) -> Treering:
    return Treering(store, clock=Clock(), actor="ann", space="acme")


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    folder = tmp_path_factory.mktemp("ground")
    made = Ground(folder / "ground.db", folder / "other.jsonl")
    with _door(SqliteStore(made.path)) as door:
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
    with _door(SqliteStore(folder / "other.db")) as door:
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


def _copies(ground: Ground, folder: Path) -> Iterator[Path]:
    for n in range(1, MOST):
        path = folder / f"{n}.db"
        shutil.copy(ground.path, path)
        yield path
        for part in folder.glob(f"{n}.db*"):
            shutil.rmtree(part) if part.is_dir() else part.unlink()


def _after(ground: Ground, act: Act, folder: Path) -> list[object]:
    path = folder / "after.db"
    shutil.copy(ground.path, path)
    with minting(900), _door(SqliteStore(path)) as door:
        act(door, ground)
    return whole(path)


@dataclass(frozen=True)
class Outcome:
    """What a store may hold after a fault, and what it holds when life has gone on from there."""

    held: list[object]
    later: list[object]


def _outcomes(ground: Ground, act: Act, folder: Path) -> list[Outcome]:
    """Nothing of it, and all of it."""
    return [_outcome(ground, lambda door, on: None, folder), _outcome(ground, act, folder)]


def _outcome(ground: Ground, act: Act, folder: Path) -> Outcome:
    held = _after(ground, act, folder)
    with _door(SqliteStore(folder / "after.db")) as door:
        _goes_on(door)
        found = door.verify()
        assert found.ok, found.differences
        return Outcome(held, whole_of(door._store))


def _telling(seen: list[str]) -> list[int]:
    """Which faults tell the most: at statements that write when they come first, of which the first and the last are
    among them, at the first that reads and at the last."""
    reads = [n for n, sql in enumerate(seen, 1) if sql.lstrip().startswith(("SELECT", "WITH"))]
    writes = sorted({sql: n for n, sql in reversed(list(enumerate(seen, 1))) if n not in reads}.values())
    return sorted({*writes[:: -(-len(writes) // TOLD_AT)], *writes[-1:], *reads[:1], *reads[-1:]})


def _statements(ground: Ground, act: Act, folder: Path) -> list[str]:
    path, trap = folder / "counted.db", Trap()
    shutil.copy(ground.path, path)
    store = SqliteStore(path, durability="off", factory=trap.connection())
    trap.set(MOST)
    with minting(900):
        act(_door(store), ground)
    seen = list(trap.seen)
    store.close()
    return seen


@pytest.mark.parametrize(
    ("late", "every"),
    [
        pytest.param(False, False, id="at a statement"),
        pytest.param(False, True, id="at every statement", marks=pytest.mark.slow),
        pytest.param(True, True, id="after it was carried out", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", WRITES)
def test_a_fault_at_any_statement_of_a_write_leaves_all_of_it_or_nothing(
    name: str, late: bool, every: bool, ground: Ground, tmp_path: Path
) -> None:
    act = WRITES[name]
    before, after = _outcomes(ground, act, tmp_path)
    trap, faults, reached = Trap(late), 0, set[bool]()
    places = range(1, MOST) if every else _telling(_statements(ground, act, tmp_path))
    for n, path in zip(places, _copies(ground, tmp_path), strict=False):
        store = SqliteStore(path, durability="off", factory=trap.connection())
        door = _door(store)
        trap.set(n)
        try:
            with minting(900):
                act(door, ground)
            if trap.fired is None and every:
                break
            pytest.fail(f"nobody heard of the fault at statement {n}: {trap.fired}")
        except (Unavailable, Fault):
            assert trap.fired is not None
        faults += 1
        now = whole(path)
        assert now in (before.held, after.held), f"half of it after a fault at statement {n}: {trap.fired}"
        reached.add(now == after.held)
        _goes_on_to(door, before if now == before.held else after)
        store.close()
        if name == "purge" and now == after.held:
            _leaves_no_byte_of_the_secret(path)
    store.close()
    assert faults >= (1 if late else 5)
    assert late in reached or before == after


def _goes_on(door: Treering) -> None:
    """The same store, not opened anew, reads and writes."""
    with minting(901):
        added = door.add("and life goes on", entities=["Ann"]).id
    assert door.get(added).content == "and life goes on"


def _goes_on_to(door: Treering, *outcomes: Outcome) -> None:
    """It goes on as if there had been no fault: to what was verified once, in one chain."""
    _goes_on(door)
    store: SqliteStore = door._store  # type: ignore[assignment]
    assert whole_of(store) in [one.later for one in outcomes]
    for info in store.spaces():
        last = GENESIS
        for entry in store.entries(info.name):
            assert entry.prev_hash == last
            last = entry.hash
        assert store.head(info.name).hash == last


def _leaves_no_byte_of_the_secret(path: Path) -> None:
    """The scrub that a fault cut short is made up for by whoever opens the file next."""
    SqliteStore(path).close()
    for part in path.parent.glob(path.name + "*"):
        assert SECRET.encode() not in part.read_bytes(), part


IN_MEMORY = ("add", "a write with vectors", "keep_vectors")
IN_MEMORY_TOO = ("add_many", "purge", "assert_fact")


@pytest.mark.parametrize("name", [*IN_MEMORY, *(pytest.param(one, marks=pytest.mark.slow) for one in IN_MEMORY_TOO)])
def test_a_fault_leaves_all_or_nothing_in_a_store_that_lives_in_memory(
    name: str, ground: Ground, tmp_path: Path
) -> None:
    journal = tmp_path / "ground.jsonl"
    with _door(SqliteStore(ground.path)) as door:
        door.export(str(journal))
    outcomes = _outcomes(ground, WRITES[name], tmp_path)
    for n in range(1, MOST):
        trap = Trap()
        store = SqliteStore(":memory:", factory=trap.connection())
        door = _door(store)
        door.import_journal(str(journal))
        store.keep_vectors("acme", ground.read)
        trap.set(n)
        try:
            with minting(900):
                WRITES[name](door, ground)
        except (Unavailable, Fault):
            assert whole_of(store) in [one.held for one in outcomes]
            _goes_on_to(door, *outcomes)
        store.close()
        if trap.fired is None:
            assert n > 5
            return


def test_a_fault_while_a_new_file_is_made_leaves_a_file_that_can_be_opened(tmp_path: Path) -> None:
    for late in (False, True):
        for n in range(1, MOST):
            path, trap = tmp_path / f"{late}-{n}.db", Trap(late)
            trap.set(n)
            try:
                SqliteStore(path, factory=trap.connection()).close()
            except (Unavailable, Fault):
                with _door(SqliteStore(path)) as door:
                    assert door.spaces() == []
                    _goes_on(door)
                    assert door.verify().ok
            if trap.fired is None:
                assert n > 3
                break
            for part in tmp_path.glob("*"):
                part.unlink()


def test_a_fault_in_the_middle_of_a_migration_leaves_the_file_as_it_was_or_as_it_shall_be(
    ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, newest = whole(ground.path), len(schema.migrations())
    step = "CREATE TABLE extra (id INTEGER PRIMARY KEY) STRICT;\nALTER TABLE chore ADD COLUMN since INTEGER;\n"
    steps = [*schema.migrations(), step]
    monkeypatch.setattr(schema, "migrations", lambda: steps)
    for late in (False, True):
        for n, path in enumerate(_copies(ground, tmp_path), 1):
            trap = Trap(late)
            trap.set(n)
            try:
                SqliteStore(path, factory=trap.connection()).close()
            except (Unavailable, Fault):
                raw = sqlite3.connect(path)
                version = raw.execute("PRAGMA user_version").fetchone()[0]
                made = raw.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'extra'").fetchone()[0]
                raw.close()
                assert (version, made) in ((newest, 0), (newest + 1, 1))
                assert whole(path) == before
            if trap.fired is None:
                assert n > 3
                break


@pytest.mark.parametrize("step", [pytest.param(7, id="some"), pytest.param(1, id="every", marks=pytest.mark.slow)])
def test_a_fault_while_repairing_leaves_the_damage_or_the_repair(ground: Ground, tmp_path: Path, step: int) -> None:
    damaged = Ground(tmp_path / "damaged.db", ground.journal)
    shutil.copy(ground.path, damaged.path)
    raw = sqlite3.connect(damaged.path)
    raw.execute("UPDATE memory SET content = 'something else' WHERE id = ?", (ground.first,))
    raw.commit()
    raw.close()
    states = whole(damaged.path), whole(ground.path)
    told = tried = 0
    for n, path in zip(range(1, MOST, step), _copies(damaged, tmp_path), strict=False):
        trap = Trap()
        store = SqliteStore(path, durability="off", factory=trap.connection())
        door = _door(store)
        trap.set(n)
        try:
            diagnosis = door.doctor(repair=True)
            if trap.fired is None:
                assert diagnosis.ok
                store.close()
                break
            tried += 1
            told += _says_that_something_is_wrong(diagnosis)
        except (Unavailable, Fault):
            tried, told = tried + 1, told + 1
        trap.set(0)
        assert whole(path) in states
        store.rebuild("acme")
        assert whole(path) == states[1]
        store.close()
    assert trap.fired is None
    assert told == tried > 10


def _says_that_something_is_wrong(diagnosis: Diagnosis) -> bool:
    """A file that could not be read is not sound."""
    return not diagnosis.ok or not diagnosis.before.ok


def test_a_fault_in_a_backup_leaves_no_half_of_a_file(ground: Ground, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    for late in (False, True):
        for n in range(1, MOST):
            trap = Trap(late)
            store = SqliteStore(ground.path, factory=trap.connection())
            trap.set(n)
            try:
                _door(store).backup(str(target))
            except (Unavailable, Fault):
                assert not target.exists()
            finally:
                store.close()
            if trap.fired is None:
                assert n > 1
                assert whole(target) == whole(ground.path)
                target.unlink()
                break


def _ask(store: SqliteStore, n: int, content: str) -> Job:
    request = {"content": content}
    asked = JobRequest(
        id=f"019b796d-d600-7000-8000-{n:012d}", space="acme", actor="ann", kind="remember", request=request, sources=1
    )
    return store.jobs.put(asked, START)


def _queue_of(store: SqliteStore) -> list[object]:
    with store._reading() as connection:
        rows = connection.rows("SELECT * FROM job ORDER BY place")
    return [*rows, *([row.key for row in store.rows("acme") if row.table == "memory"])]


def _claimed(store: SqliteStore) -> Job:
    """The one in work, as its worker holds it."""
    [job] = store.jobs.listed("acme", "ann", JobStatus.PROCESSING)
    return job


LATER = START + timedelta(hours=1)
QUEUE_STEPS: dict[str, Act] = {
    "put": lambda door, on: _ask(door._store, 9, "Something new"),
    "claim": lambda door, on: door._store.jobs.claim("w2", START, 60),
    "claim what a worker died of": lambda door, on: door._store.jobs.claim("w2", LATER, 60),
    "keep": lambda door, on: door._store.jobs.keep(_claimed(door._store), LATER, 60, Progress(1, 1, Stage.STORED)),
    "retry": lambda door, on: door._store.jobs.retry(_claimed(door._store), START, LATER),
    "finish": lambda door, on: door._store.jobs.finish(_claimed(door._store), START, JobStatus.COMPLETED, Made(seq=3)),
    "cancel": lambda door, on: door._store.jobs.cancel("acme", "ann", _claimed(door._store).id, LATER),
    "purge": lambda door, on: door.purge(on.secret, "asked"),
}


@pytest.mark.parametrize("step", SOME)
@pytest.mark.parametrize("name", QUEUE_STEPS)
def test_a_fault_at_any_statement_of_a_step_of_a_job_leaves_all_of_it_or_nothing(
    name: str, step: int, ground: Ground, tmp_path: Path
) -> None:
    path, act = tmp_path / "jobs.db", QUEUE_STEPS[name]
    shutil.copy(ground.path, path)
    store = SqliteStore(path)
    _ask(store, 1, SECRET)
    _ask(store, 2, "Ann is here")
    assert store.jobs.claim("w1", START, 60) is not None
    before = _queue_of(store)
    store.close()
    with_jobs = replace(ground, path=path)
    outcomes = _outcomes(with_jobs, act, tmp_path)
    shutil.copy(path, tmp_path / "after.db")
    with minting(900), _door(SqliteStore(tmp_path / "after.db")) as door:
        act(door, ground)
        after = _queue_of(door._store)
    for n, copy in zip(range(1, MOST, step), _copies(with_jobs, tmp_path), strict=False):
        trap = Trap()
        store = SqliteStore(copy, durability="off", factory=trap.connection())
        trap.set(n)
        with minting(900), suppress(Unavailable, Fault):
            act(_door(store), ground)
        trap.left = 0
        assert _queue_of(store) in (before, after), f"half of it after a fault at statement {n}: {trap.fired}"
        _goes_on_to(_door(store), *outcomes)
        store.close()
        if trap.fired is None:
            assert n > 3
            break


def test_the_trap_counts_what_it_says(tmp_path: Path) -> None:
    """Else every test above would pass for want of faults."""
    trap = Trap()
    store = SqliteStore(tmp_path / "work.db", factory=trap.connection())
    trap.set(3)
    with pytest.raises(Unavailable, match="SQLITE_IOERR"):
        _door(store).add("one")
    assert trap.fired is not None
    assert len(trap.seen) == 3
    trap.set(0)
    assert _door(store).add("one").seq == 1
    assert _door(store).status().changed_at == START
    store.close()


TOLD: dict[str, Act] = {
    "a text": lambda door, on: door.remember("Ann bought a boat", extractor="none", key="told"),
    "drafts that end a fact": lambda door, on: door.remember(
        drafts=[{"content": "Ann left Acme for Zoo", "triples": [["Ann", "WORKS_FOR", "Zoo"]], "entities": ["Zoo"]}],
        key="told",
    ),
    "a conversation": lambda door, on: door.remember(
        messages=[{"content": "Ann sings"}, {"content": "Ben dances"}], extractor="none", key="told"
    ),
    "in private": lambda door, on: door.remember("Ann is ill", extractor="none", key="told", visibility="private"),
}
AT_EVERY_CHANGE = ("drafts that end a fact", "a conversation")


@pytest.mark.parametrize("step", SOME)
@pytest.mark.parametrize("late", LATE, ids=["at the statement", "after it was carried out"])
@pytest.mark.parametrize(
    "name",
    [one if one in AT_EVERY_CHANGE else pytest.param(one, marks=pytest.mark.slow) for one in TOLD],
)
def test_a_fault_at_any_statement_of_a_remembering_loses_nothing_that_was_kept_and_the_same_key_goes_on(
    name: str, late: bool, step: int, ground: Ground, tmp_path: Path
) -> None:
    """Several writes, each whole or not at all: whatever was reached, saying it again ends the same."""
    act, trap, reached = TOLD[name], Trap(late), set[int]()
    right = _outline(_after(ground, act, tmp_path))
    for n, path in zip(range(1, MOST, 1 if late else step), _copies(ground, tmp_path), strict=False):
        store = SqliteStore(path, durability="off", factory=trap.connection())
        door = _door(store)
        trap.set(n)
        try:
            act(door, ground)
            assert trap.fired is None
            break
        except (Unavailable, Fault):
            assert trap.fired is not None
        reached.add(store.head("acme").seq)
        trap.set(0)
        found = door.verify()
        assert found.ok, found.differences
        act(door, ground)
        store.close()
        assert _outline(whole(path)) == right, f"not the same after a fault at statement {n}: {trap.fired}"
    store.close()
    assert len(reached) >= (1 if late else 2)


def _outline(found: list[object]) -> list[object]:
    """How many rows there are of each kind: ids and times are new at every try."""
    rows = [one[0] for one in found if isinstance(one, tuple) and isinstance(one[0], str)]
    return sorted((table, rows.count(table)) for table in set(rows))
