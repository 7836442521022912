"""`verify` finds and names any change of journal, table, signature or byte; `doctor` mends tables and only tables."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, write_a_life

from treering.door import Treering
from treering.errors import TreeringError
from treering.model.identity import Identity
from treering.model.journal import Entry
from treering.store import open_store
from treering.store.contract import Store
from treering.store.sql import tables as t
from treering.store.verify import Difference, Verification

KEYS = {table.name: table.key for table in (*t.PROJECTED, t.JOURNAL)} | {"space": ("name",)}
TABLES = tuple(name for name in KEYS if name != "kept")
"""All that a store holds by itself. `kept` has rows after an exchange only: tests/exchange/test_sync.py has those."""
SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"


def write_two_spaces(store: Store, clock: HandClock) -> None:
    """Signed and unsigned entries and edges, merges, marks, closings, settings, a purge: a row in every table."""
    signer = Treering(store, clock=clock, actor="ann", identity=Identity.from_secret(SECRET), space="lab")
    write_a_life(signer, clock)
    Treering(store, clock=clock, actor="bob", space="lab").add("Bob was here", triples=[["Bo", "KNOWS", "Ada"]])
    other = Treering(store, clock=clock, actor="bob", space="other")
    other.add("Ada is elsewhere", entities=["Ada"])
    other.add("Still", visibility="private")


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of such a store, all in one file."""
    path = tmp_path_factory.mktemp("healthy") / "work.db"
    store = open_store(str(path))
    write_two_spaces(store, HandClock())
    assert Treering(store).verify().ok
    store.close()
    assert [one.name for one in path.parent.iterdir()] == ["work.db"]
    return path.read_bytes()


@dataclass
class Damage:
    """One change by direct SQL. `key` is how verify names the row, `seq` its entry if it is of the journal."""

    name: str
    sql: str
    params: tuple[Any, ...]
    table: str
    keys: tuple[str, ...]
    seqs: tuple[int, ...] = ()

    def named_by(self, found: Difference) -> bool:
        if self.seqs:
            return found.seq in self.seqs
        if self.table == "space" and found.space in self.keys:
            return True
        place = " ".join((found.table or "", found.key or ""))
        return any(place == f"{self.table} {key}" for key in self.keys)


class Bench:
    """Copies of the healthy file, damaged one by one."""

    def __init__(self, folder: Path, healthy: bytes) -> None:
        self.path, self.healthy = folder / "copy.db", healthy

    def rows(self, table: str) -> list[dict[str, Any]]:
        with closing(self._raw()) as raw:
            raw.row_factory = sqlite3.Row
            rowid = "" if "WITHOUT ROWID" in self._made(raw, table) else ", rowid AS rowid_"
            return [dict(row) for row in raw.execute(f"SELECT *{rowid} FROM {table} ORDER BY 1, 2")]

    @staticmethod
    def _made(raw: sqlite3.Connection, table: str) -> str:
        return str(raw.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0])

    def _raw(self) -> sqlite3.Connection:
        self.write(self.healthy)
        return sqlite3.connect(self.path)

    def write(self, content: bytes) -> None:
        for beside in ("-wal", "-shm"):
            Path(f"{self.path}{beside}").unlink(missing_ok=True)
        self.path.write_bytes(content)

    def verify_after(self, sql: str, params: tuple[Any, ...] = ()) -> Verification:
        assert self.damage(sql, params)
        return self.verify()

    def damage(self, sql: str, params: tuple[Any, ...] = ()) -> bool:
        """Whether the engine let it happen: some changes break a constraint at once."""
        raw = self._raw()
        try:
            assert raw.execute(sql, params).rowcount == 1
            raw.commit()
            return True
        except sqlite3.IntegrityError:
            return False
        finally:
            raw.close()

    def verify(self) -> Verification:
        store = open_store(str(self.path))
        try:
            return Treering(store).verify()
        finally:
            store.close()

    def doctor(self) -> Any:
        store = open_store(str(self.path))
        try:
            return Treering(store).doctor(repair=True)
        finally:
            store.close()


@pytest.fixture
def bench(tmp_path: Path, healthy: bytes) -> Bench:
    return Bench(tmp_path, healthy)


def another(value: Any, declared: str) -> Any:
    """A value of the same type that is not this one."""
    if value is None:
        return 7 if declared == "INTEGER" else "x"
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    if isinstance(value, float):
        return value - 0.125
    return value + 1_000_003 if value < (1 << 62) else value - 1


LATE = pytest.param(True, marks=pytest.mark.slow, id="every-row")
EVERY = pytest.mark.parametrize("every", [pytest.param(False, id="a-row"), LATE])


def damages(bench: Bench, table: str, every: bool = True) -> Iterator[Damage]:
    """Each column changed, a row removed, a stray row added; in the first row and in the last, or by turns in one."""
    rows = bench.rows(table)
    assert rows, f"no row of {table} to damage"
    raw = sqlite3.connect(":memory:")
    raw.executescript(Path("src/treering/store/sqlite/schema.sql").read_text())
    types = {name: kind for _, name, kind, *_ in raw.execute(f"PRAGMA table_info({table})")}
    raw.close()
    chosen = (rows[0], rows[-1])[: len(rows)]
    for turn, row in enumerate(chosen):
        mine = list(types.items()) if every else list(types.items())[turn :: len(chosen)]
        where = " AND ".join(f"{name} IS ?" for name in types)
        old = tuple(row[name] for name in types)
        for column, declared in mine:
            new = 3 - row[column] if column == "space_id" else another(row[column], declared)
            keys = tuple(_key(table, one) for one in (row, {**row, column: new}))
            yield Damage(
                f"{table}.{column} of {keys[0]}",
                f"UPDATE {table} SET {column} = ? WHERE {where}",
                (new, *old),
                table,
                keys,
                _seqs(table, row, column, new),
            )
        if not every and turn:
            continue
        yield Damage(
            f"{table} without {_key(table, row)}",
            f"DELETE FROM {table} WHERE {where}",
            old,
            table,
            (_key(table, row),),
            _seqs(table, row, "", None),
        )
    stray = {name: rows[-1][name] for name in types}
    changed = KEYS[table][-1]
    stray[changed] = another(stray[changed], types[changed])
    if "folded" in stray:
        stray["folded"] += " stray"
    if table == "space":
        stray["id"] += 1
    if table == "journal":
        stray["at"] += 1
    if table == "source":
        stray["key"] = None
    marks = ", ".join("?" * len(types))
    yield Damage(
        f"{table} with a stray row",
        f"INSERT INTO {table} ({', '.join(types)}) VALUES ({marks})",
        tuple(stray.values()),
        table,
        (_key(table, stray),),
        (stray["seq"],) if table == "journal" else (),
    )


def _key(table: str, row: dict[str, Any]) -> str:
    return " ".join(str(row[name]) for name in KEYS[table])


def _seqs(table: str, row: dict[str, Any], column: str, new: Any) -> tuple[int, ...]:
    """A change of an entry is seen at it; one that takes it away, at the one that then comes too early."""
    if table != "journal":
        return ()
    moved = column in ("seq", "space_id", "")
    return (row["seq"], row["seq"] + 1, *((new,) if column == "seq" else ())) if moved else (row["seq"],)


@EVERY
@pytest.mark.parametrize("table", TABLES)
def test_any_value_changed_row_removed_or_row_added_is_found_and_named(bench: Bench, table: str, every: bool) -> None:
    missed = []
    for damage in damages(bench, table, every):
        if not bench.damage(damage.sql, damage.params):
            continue
        found = bench.verify()
        by_the_engine = any(f"'{table}'" in one.what for one in found.differences if one.space == "*")
        if found.ok or not (by_the_engine or any(damage.named_by(one) for one in found.differences)):
            missed.append((damage.name, [str(one) for one in found.differences]))
    assert missed == []


@EVERY
@pytest.mark.parametrize("table", [table for table in TABLES if table not in ("journal", "space")])
def test_the_doctor_mends_any_damage_to_a_table(bench: Bench, table: str, every: bool) -> None:
    """What verify finds is mended whichever column it is in: one at every change, each in the slow group."""
    unmended, done = [], list(damages(bench, table, every))
    changed = [one for one in done if one.sql.startswith("UPDATE")]
    for damage in [one for one in done if every or one not in changed[:-1]]:
        if not bench.damage(damage.sql, damage.params):
            continue
        diagnosis = bench.doctor()
        if not diagnosis.ok or diagnosis.before.ok:
            unmended.append((damage.name, [str(one) for one in diagnosis.after.differences]))
    assert unmended == []


def test_the_doctor_mends_a_head_that_is_not_the_journals(bench: Bench) -> None:
    for column in ("head_seq", "head_at", "head_hash", "created_at"):
        row = bench.rows("space")[0]
        new = another(row[column], "INTEGER")
        assert not bench.verify_after(f"UPDATE space SET {column} = ? WHERE id = ?", (new, row["id"])).ok
        assert bench.doctor().ok, column
        assert bench.verify().ok


def test_the_doctor_removes_rows_that_belong_to_no_space(bench: Bench) -> None:
    for table in ("memory", "memory_tag", "edge", "alias", "tombstone"):
        keys = ", ".join(KEYS[table])
        first = f"(SELECT {keys} FROM {table} ORDER BY 1 LIMIT 1)"
        assert bench.damage(f"UPDATE {table} SET space_id = 99 WHERE ({keys}) = {first}")
        assert not bench.verify().ok
        assert bench.doctor().ok, table


def test_a_space_whose_head_says_that_nothing_was_written_is_not_passed_over(bench: Bench) -> None:
    found = bench.verify_after("UPDATE space SET head_seq = 0 WHERE name = 'lab'")
    assert not found.ok
    assert "lab" in {one.space for one in found.differences}


def test_the_doctor_does_not_mend_a_broken_journal_nor_touch_it(bench: Bench) -> None:
    fooled = []
    for damage in damages(bench, "journal", every=False):
        if not bench.damage(damage.sql, damage.params):
            continue
        before = journal_of(bench.path)
        diagnosis = bench.doctor()
        if diagnosis.ok or bench.verify().ok or journal_of(bench.path) != before:
            fooled.append(damage.name)
    assert fooled == []


def journal_of(path: Path) -> list[Any]:
    raw = sqlite3.connect(path)
    found = raw.execute("SELECT * FROM journal ORDER BY 1, 2").fetchall()
    raw.close()
    return found


def test_the_last_entry_cut_off_is_found_and_not_mended(bench: Bench) -> None:
    last = max(row["seq"] for row in bench.rows("journal") if row["space_id"] == 1)
    found = bench.verify_after("DELETE FROM journal WHERE space_id = 1 AND seq = ?", (last,))
    assert [one.seq for one in found.differences if one.space == "lab"] == [last]
    assert not bench.doctor().ok
    assert not bench.verify().ok


def test_any_character_of_a_payload_changed_names_its_entry(bench: Bench) -> None:
    chance = random.Random(7)
    for row in bench.rows("journal"):
        payload = row["payload"]
        for place in chance.sample(range(len(payload)), 1):
            new = "7" if payload[place] != "7" else "8"
            found = bench.verify_after(
                "UPDATE journal SET payload = ? WHERE space_id = ? AND seq = ?",
                (payload[:place] + new + payload[place + 1 :], row["space_id"], row["seq"]),
            )
            space = "lab" if row["space_id"] == 1 else "other"
            named = [one for one in found.differences if one.space == space]
            assert [one.seq for one in named] == [row["seq"]], (row["seq"], place)


def test_text_that_is_not_utf8_names_its_entry_or_row(bench: Bench) -> None:
    found = bench.verify_after(
        "UPDATE journal SET payload = CAST(X'5BFF5D' AS TEXT) WHERE space_id = 1 AND seq = 4",
    )
    assert [one.seq for one in found.differences if one.space == "lab"] == [4]
    found = bench.verify_after("UPDATE memory SET content = CAST(X'41FF42' AS TEXT) WHERE content = 'Bob was here'")
    assert not found.ok


def test_a_time_outside_all_years_names_its_entry(bench: Bench) -> None:
    found = bench.verify_after("UPDATE journal SET at = 9223372036854775807 WHERE space_id = 1 AND seq = 4")
    assert [one.seq for one in found.differences if one.space == "lab"] == [4]
    for column in ("head_at", "created_at"):
        assert not bench.verify_after(f"UPDATE space SET {column} = 9223372036854775807 WHERE name = 'lab'").ok


# signatures


def signed_rows(bench: Bench) -> list[dict[str, Any]]:
    return [row for row in bench.rows("journal") if row["signature"]]


SWAP = "UPDATE journal SET signature = ? WHERE space_id = ? AND seq = ?"


def test_a_signature_that_is_stripped_replaced_or_moved_names_its_entry(bench: Bench) -> None:
    rows = signed_rows(bench)
    assert len(rows) > 10
    stranger = Identity.generate()
    for row, neighbour in list(pairwise(rows))[::4]:
        signature = row["signature"]
        respelled = signature[:-1] + {"A": "B", "Q": "R", "g": "h", "w": "x"}[signature[-1]]
        for wrong in (None, "", "!", stranger.sign(bytes.fromhex(row["hash"])), neighbour["signature"], respelled):
            found = bench.verify_after(SWAP, (wrong, row["space_id"], row["seq"]))
            assert [one.seq for one in found.differences] == [row["seq"]], wrong


def test_a_signature_on_an_entry_whose_actor_has_no_key_is_not_taken_for_one(bench: Bench) -> None:
    row = next(row for row in bench.rows("journal") if row["actor"] == "bob")
    found = bench.verify_after(SWAP, (Identity.generate().sign(b"x"), row["space_id"], row["seq"]))
    assert [one.seq for one in found.differences] == [row["seq"]]


def test_verify_counts_who_vouches_for_what(bench: Bench) -> None:
    bench.write(bench.healthy)
    found = bench.verify()
    signed = len(signed_rows(bench))
    assert found.signatures == {"unsigned": found.entries - signed, "self_signed": signed, "peer_attested": 0}
    assert found.spaces == ("lab", "other")
    assert set(found.heads) == {"lab", "other"}
    assert found.purged_changes > 0
    assert found.rows > 100


def test_an_edge_whose_signature_was_made_for_another_edge_is_named(
    new_store: Callable[[str], Store], clock: HandClock
) -> None:
    """Even when the whole chain around it is forged anew: only the actor can sign an edge."""
    from treering.model.changes import Changes, EdgeAdded, KeyBound
    from treering.model.journal import edge_message, seal

    identity = Identity.from_secret(SECRET)
    for kind in ("reference", "memory"):
        store, other = new_store(kind), new_store(kind)
        door = Treering(store, clock=clock, actor="ann", identity=identity, space="lab")
        door.assert_fact("Ada", "KNOWS", "Bo")
        [entry] = store.entries("lab")
        bound, *made, said = entry.changes() if callable(entry.changes) else entry.changes
        assert isinstance(bound, KeyBound)
        assert isinstance(said, EdgeAdded)
        assert identity.sign(edge_message(said.edge)) == said.edge.signature
        turned = EdgeAdded(
            type(said.edge)(
                **{
                    name: getattr(said.edge, name)
                    for name in ("id", "space", "relation", "valid_from", "recorded_at", "observed_by", "signature")
                },
                source_id=said.edge.target_id,
                target_id=said.edge.source_id,
            )
        )
        forged = seal(
            Changes("assert_facts", (bound, *made, turned)),
            space="lab",
            head=type(store.head("lab"))(),
            at=entry.at,
            actor="ann",
            identity=identity,
        )
        other.replay([forged])
        [found] = Treering(other).verify().differences
        assert (found.seq, said.edge.id in found.what) == (1, True)


# the journal's order


def test_an_entry_removed_from_the_middle_names_the_gap(bench: Bench) -> None:
    found = bench.verify_after("DELETE FROM journal WHERE space_id = 1 AND seq = 5")
    assert [one.seq for one in found.differences if one.space == "lab"] == [6]


def test_two_entries_that_changed_places_are_found(bench: Bench) -> None:
    raw = bench._raw()
    for old, new in ((5, -1), (6, 5), (-1, 6)):
        raw.execute("UPDATE journal SET seq = ? WHERE space_id = 1 AND seq = ?", (new, old))
    raw.commit()
    raw.close()
    assert [one.seq for one in bench.verify().differences if one.space == "lab"] == [5]


def test_a_change_blanked_as_if_purged_without_a_purge_is_found(bench: Bench) -> None:
    bench.write(bench.healthy)
    store = open_store(str(bench.path))
    entry: Entry = list(store.entries("lab"))[2]
    store.close()
    found = bench.verify_after(
        "UPDATE journal SET payload = ? WHERE space_id = 1 AND seq = 3", (entry.cut([0]).payload(),)
    )
    assert [(one.seq, one.what) for one in found.differences if one.space == "lab"] == [
        (3, "change 0 is missing, and no purge removed it")
    ]


# the file


def dump(path: Path) -> Any:
    """All rows as they can be read, or what the engine says instead."""
    raw = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    raw.text_factory = bytes
    try:
        rows = {table: raw.execute(f"SELECT * FROM {table} NOT INDEXED").fetchall() for table in (*TABLES, "chore")}
        return [*rows.values(), raw.execute("PRAGMA user_version").fetchall()]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return str(error)
    finally:
        raw.close()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_a_byte_changed_anywhere_in_the_file_is_found_or_holds_nothing(bench: Bench, tmp_path: Path, seed: int) -> None:
    bench.write(bench.healthy)
    whole, found = dump(bench.path), 0
    chance = random.Random(seed)
    used = [place for place, byte in enumerate(bench.healthy) if byte]
    for place in sorted(chance.sample(used, 50)):
        damaged = bytearray(bench.healthy)
        damaged[place] ^= 1 << chance.randrange(8)
        bench.write(damaged)
        differs = dump(bench.path) != whole
        try:
            ok = bench.verify().ok
        except TreeringError:
            ok = False
        found += not ok
        assert not (ok and differs), f"byte {place}: content differs and verify says it is well"
    assert found > 15


def test_a_damaged_copy_is_told_from_the_whole_one_and_a_backup_is_as_good_as_the_first(
    bench: Bench, tmp_path: Path
) -> None:
    bench.write(bench.healthy)
    store = open_store(str(bench.path))
    store.backup(tmp_path / "backup.db")
    store.close()
    place = bench.healthy.rindex(b"Bob was here")
    bench.write(bench.healthy[:place] + b"Rob" + bench.healthy[place + 3 :])
    assert not bench.verify().ok
    copy = open_store(str(tmp_path / "backup.db"))
    assert Treering(copy).verify().ok
    copy.close()


# on every store


def test_verify_passes_at_every_step_of_a_life_and_tells_the_heads(
    doors: Doors, store: Store, clock: HandClock
) -> None:
    write_two_spaces(store, clock)
    found = doors("ann").verify()
    assert found.ok
    assert found.differences == ()
    assert found.heads == {"lab": store.head("lab").hash, "other": store.head("other").hash}
    assert found.entries == store.head("lab").seq + store.head("other").seq
    assert doors("ann").verify(space="other").spaces == ("other",)
    assert doors("ann").doctor(repair=True).repaired == ()


def test_verify_finds_an_entry_that_came_by_import_without_the_signature_its_actor_gives(
    new_store: Callable[[str], Store], clock: HandClock, doors: Doors, store: Store
) -> None:
    """The chain of an unsigned forgery holds; the missing signature gives it away."""
    from treering.model.changes import Changes, SettingChanged
    from treering.model.journal import seal

    door = doors("ann", identity=Identity.from_secret(SECRET))
    door.add("Signed")
    forged = seal(
        Changes("settings", (SettingChanged("functional_relations", []),)),
        space="lab",
        head=store.head("lab"),
        at=clock.now + timedelta(hours=1),
        actor="ann",
    )
    other = new_store("memory")
    other.replay([*store.entries("lab"), forged])
    [found] = Treering(other).verify().differences
    assert (found.seq, "signature is missing" in found.what) == (2, True)


def test_two_spaces_that_exchanged_their_names_are_both_found(bench: Bench) -> None:
    raw = bench._raw()
    names = [row["name"] for row in bench.rows("space")]
    for old, new in ((names[0], "between"), (names[1], names[0]), ("between", names[1])):
        raw.execute("UPDATE space SET name = ? WHERE name = ?", (new, old))
    raw.commit()
    raw.close()
    found = bench.verify().differences
    assert {(one.space, one.table) for one in found} >= {(name, "space") for name in names[:2]}
    assert all("name_seal" in one.what for one in found)


def test_the_doctor_does_not_make_a_changed_name_good(bench: Bench) -> None:
    assert not bench.verify_after("UPDATE space SET name = 'elsewhere' WHERE name = 'lab'").ok
    store = open_store(str(bench.path))
    try:
        diagnosis = Treering(store).doctor(repair=True)
    finally:
        store.close()
    assert not diagnosis.ok
