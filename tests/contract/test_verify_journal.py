"""`verify` finds and names any change of the journal or of a byte of the file, which nothing mends."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock
from tests.contract.damage import SECRET, TABLES, Bench, write_two_spaces

from treering.door import Treering
from treering.errors import TreeringError
from treering.model.identity import Identity
from treering.model.journal import Entry
from treering.store import open_store
from treering.store.contract import Store


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
