"""A backup comes back: whole, as known at a moment, sealed or not; what is not one, or was changed, is told."""

from __future__ import annotations

import os
import sqlite3
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from tests.conftest import HandClock, contents, everything, scope, write_a_life
from tests.recall.hashing import Hashing

import treering
from treering.door import Treering
from treering.errors import Conflict, Corrupted, Forbidden, InvalidRequest, NotFound
from treering.exchange import backups, sealing
from treering.exchange.backups import BackupPolicy
from treering.store import open_store
from treering.store.contract import Store

PASSPHRASE = "correct horse battery"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is made of a passphrase in no time; the format is the same."""
    monkeypatch.setattr(sealing, "WORK", sealing.KeyDerivation(n=2**4))


def door(store: Store, clock: HandClock, **more: object) -> Treering:
    return Treering(store, clock=clock, actor="ann", space="lab", **more)  # type: ignore[arg-type]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    (tmp_path / "kept").mkdir(mode=0o700)
    return tmp_path / "kept"


def scheduled(file_mem: Treering, clock: HandClock, kept: Path, **more: object) -> Treering:
    return door(file_mem._store, clock, backups=BackupPolicy(str(kept), **more))  # type: ignore[arg-type]


# sealed


def test_a_sealed_backup_holds_no_word_and_opens_with_its_passphrase_alone(
    file_mem: Treering, clock: HandClock, tmp_path: Path
) -> None:
    write_a_life(file_mem, clock)
    target = tmp_path / "copy.sealed"
    made = file_mem.backup(str(target), passphrase=PASSPHRASE)
    assert (made.sealed, made.verified, made.entries) == (True, True, file_mem.status().seq)
    assert made.sha256 == backups.digest(target)
    assert made.bytes == target.stat().st_size
    assert target.stat().st_mode & 0o077 == 0
    raw = target.read_bytes()
    assert b"Ada" not in raw
    assert b"SQLite" not in raw
    assert sorted(one.name for one in tmp_path.iterdir() if "treering" in one.name) == []
    with pytest.raises(Forbidden, match=r"does not open copy\.sealed"):
        treering.restore_backup(target, tmp_path / "new.db", passphrase=PASSPHRASE + "!")
    with pytest.raises(InvalidRequest, match="is sealed; give the passphrase"):
        treering.restore_backup(target, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()
    done = treering.restore_backup(target, tmp_path / "new.db", passphrase=PASSPHRASE)
    assert (done.ok, done.entries) == (True, made.entries)
    with treering.open(tmp_path / "new.db", space="lab", actor="ann") as back:
        assert everything(back._store, scope(clock)) == everything(file_mem._store, scope(clock))


@pytest.mark.parametrize("size", [0, 1, sealing.CHUNK_BYTES - 1, sealing.CHUNK_BYTES, 3 * sealing.CHUNK_BYTES + 7])
def test_what_is_sealed_comes_back_to_the_byte(tmp_path: Path, size: int) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(bytes(number % 251 for number in range(size)))
    backups.seal_file(plain, tmp_path / "sealed", PASSPHRASE)
    backups.unseal_file(tmp_path / "sealed", tmp_path / "back", PASSPHRASE)
    assert (tmp_path / "back").read_bytes() == plain.read_bytes()


def test_a_sealed_file_that_was_changed_cut_or_put_together_anew_does_not_open(tmp_path: Path) -> None:
    plain, sealed = tmp_path / "plain", tmp_path / "sealed"
    plain.write_bytes(bytes(range(256)) * 1024)
    backups.seal_file(plain, sealed, PASSPHRASE)
    raw = sealed.read_bytes()
    body = raw.index(b"\n", len(sealing.MAGIC)) + 1 + 32
    chunk = sealing.CHUNK_BYTES + 16
    first, second = raw[body : body + chunk], raw[body + chunk : body + 2 * chunk]
    changed = {
        "a bit of the body": raw[:-1] + bytes([raw[-1] ^ 1]),
        "cut between two chunks": raw[: body + chunk],
        "cut within one": raw[:-5],
        "two chunks exchanged": raw[:body] + second + first + raw[body + 2 * chunk :],
        "one chunk left out": raw[:body] + raw[body + chunk :],
        "more behind it": raw + second,
        "nothing but its header": raw[:body],
    }
    for number, (name, bytes_) in enumerate(changed.items()):
        broken = tmp_path / f"broken-{number}"
        broken.write_bytes(bytes_)
        with pytest.raises(Corrupted, match="was cut off or changed"):
            backups.unseal_file(broken, tmp_path / f"back-{number}", PASSPHRASE)
        assert not (tmp_path / f"back-{number}").exists(), name
    header = raw.replace(b'"n": 16', b'"n": 32')
    (tmp_path / "header").write_bytes(header)
    with pytest.raises(Forbidden, match="passphrase"):
        backups.unseal_file(tmp_path / "header", tmp_path / "back", PASSPHRASE)
    (tmp_path / "greedy").write_bytes(raw.replace(b'"n": 16', b'"n": 1099511627776'))
    with pytest.raises(Corrupted, match="no sealed backup"):
        backups.unseal_file(tmp_path / "greedy", tmp_path / "back", PASSPHRASE)


def test_the_same_file_is_never_sealed_to_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"x" * 100)
    for name in ("one", "two"):
        backups.seal_file(tmp_path / "plain", tmp_path / name, PASSPHRASE)
    assert (tmp_path / "one").read_bytes() != (tmp_path / "two").read_bytes()


def test_a_short_passphrase_is_refused(file_mem: Treering, tmp_path: Path) -> None:
    file_mem.add("Ada likes tea")
    with pytest.raises(InvalidRequest, match="passphrase"):
        file_mem.backup(str(tmp_path / "copy"), passphrase="short")
    (tmp_path / "said").write_text("short\n")
    short = BackupPolicy(passphrase_file=str(tmp_path / "said"))
    with pytest.raises(InvalidRequest, match="has 5 characters; give at least 12"):
        short.passphrase()
    with pytest.raises(InvalidRequest, match="cannot be read"):
        BackupPolicy(passphrase_file=str(tmp_path / "none")).passphrase()


def test_a_copy_that_does_not_verify_is_no_backup(file_mem: Treering, db_path: Path, tmp_path: Path) -> None:
    file_mem.add("Ada likes tea")
    with sqlite3.connect(db_path) as raw:
        raw.execute("UPDATE memory SET content = 'Ada likes rum'")
    for target, passphrase in ((tmp_path / "copy.db", None), (tmp_path / "copy.sealed", PASSPHRASE)):
        with pytest.raises(Corrupted, match="the copy does not verify"):
            file_mem.backup(str(target), passphrase=passphrase)
        assert not target.exists()
    made = file_mem.backup(str(tmp_path / "as-it-is.db"), verify=False)
    assert made.verified is False


# on a schedule


def test_backups_are_made_when_it_is_time_and_the_oldest_go(file_mem: Treering, clock: HandClock, kept: Path) -> None:
    mem = scheduled(file_mem, clock, kept, hours=24, keep=2)
    mem.add("Ada likes tea")
    (kept / "treering.db").write_text("mine")
    names = []
    for day in range(4):
        done = mem.backup_run()
        assert done.ran
        assert done.backup is not None
        assert done.backup.verified
        names.append(done.backup.path)
        assert done.next_at == clock.now + timedelta(hours=24)
        again = mem.backup_run()
        assert (again.ran, again.reason) == (False, "it is not time yet")
        assert list(done.removed) == (names[day - 2 : day - 1] if day >= 2 else [])
        clock.advance(hours=24)
    assert [one.name for one in mem.backup_list()] == names[:1:-1]
    assert sorted(one.name for one in kept.iterdir()) == sorted([*names[2:], "treering.db"])


def test_one_that_fails_is_told_and_tried_again_soon_and_no_older_one_goes(
    file_mem: Treering, clock: HandClock, kept: Path, db_path: Path
) -> None:
    mem = scheduled(file_mem, clock, kept, keep=1)
    mem.add("Ada likes tea")
    first = mem.backup_run().backup
    assert first is not None
    clock.advance(hours=25)
    with sqlite3.connect(db_path) as raw:
        raw.execute("UPDATE memory SET content = 'Ada likes rum'")
    with pytest.raises(Corrupted):
        mem.backup_run()
    told = backups.schedule(mem._store.drawer)
    assert "does not verify" in str(told.error)
    assert told.made_at == clock.now - timedelta(hours=25)
    assert [one.name for one in mem.backup_list()] == [first.path]
    assert mem.backup_run().reason == "it is not time yet"
    mem.doctor(repair=True)
    clock.advance(minutes=16)
    assert mem.backup_run().ran


def test_of_several_processes_one_makes_the_backup(file_mem: Treering, clock: HandClock, kept: Path) -> None:
    file_mem.add("Ada likes tea")
    mem = scheduled(file_mem, clock, kept)
    done: list[bool] = []
    threads = [threading.Thread(target=lambda: done.append(mem.backup_run().ran)) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(done) == [False, False, False, True]
    assert len(mem.backup_list()) == 1


def test_who_died_over_a_backup_holds_nobody_up_for_ever(file_mem: Treering, clock: HandClock, kept: Path) -> None:
    mem = scheduled(file_mem, clock, kept)
    mine, _ = backups.take_turn(mem._store.drawer, clock.now, BackupPolicy(str(kept)), False)
    assert mine  # and nothing more was heard of it
    assert mem.backup_run().reason == "another process is at it"
    clock.advance(hours=6)
    assert mem.backup_run().ran


def test_what_a_process_left_that_died_over_a_backup_is_removed(
    file_mem: Treering, clock: HandClock, kept: Path
) -> None:
    mem = scheduled(file_mem, clock, kept)
    left, young = kept / ".treering-dead", kept / ".treering-young"
    for folder in (left, young):
        folder.mkdir()
        (folder / "plain.db").write_text("Ada likes tea")
    part = kept / "treering-20250101T000000Z.db.1a2b3c4d.part"
    part.write_text("Ada likes tea")
    for one in (left, part):
        os.utime(one, (1_700_000_000, 1_700_000_000))
    assert mem.backup_run().ran
    assert not left.exists()
    assert not part.exists()
    assert young.exists()  # somebody may be at it


def test_a_clock_that_was_ahead_does_not_stop_backups(file_mem: Treering, clock: HandClock, kept: Path) -> None:
    mem = scheduled(file_mem, clock, kept)
    clock.advance(days=400)
    assert mem.backup_run().ran
    clock.advance(days=-400)
    assert mem.backup_run().ran


def test_without_a_folder_it_is_said_what_to_do(file_mem: Treering, clock: HandClock, tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="TREERING_BACKUPS names one"):
        file_mem.backup_run()
    with pytest.raises(InvalidRequest, match="is not a folder; make it"):
        scheduled(file_mem, clock, tmp_path / "none").backup_run()
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFound, match="there is none"):
        scheduled(file_mem, clock, tmp_path / "empty").backup_rehearse()


# rehearsed


def test_a_rehearsal_restores_verifies_and_compares_answers(
    file_mem: Treering, clock: HandClock, tmp_path: Path
) -> None:
    reading = Treering(file_mem._store, clock=clock, actor="ann", space="lab", embedder=Hashing())
    write_a_life(reading, clock)
    reading.add("Bo is in the den", space="den")
    target = tmp_path / "copy.db"
    made = reading.backup(str(target))
    clock.advance(days=1)
    reading.add("Ada likes coffee now")
    told = reading.backup_rehearse(str(target))
    assert told.differences == ()
    assert (told.ok, told.behind, told.entries) == (True, {"den": 0, "lab": 1}, made.entries)
    assert told.asked == told.alike > 3


def test_a_rehearsal_finds_a_backup_that_answers_otherwise(
    file_mem: Treering, clock: HandClock, tmp_path: Path
) -> None:
    tea = file_mem.add("Ada likes tea").id
    file_mem.backup(str(tmp_path / "copy.db"))
    with treering.open(tmp_path / "copy.db", clock=clock, space="lab", embedder="none", judge="none") as other:
        other.forget(tea)
    told = file_mem.backup_rehearse(str(tmp_path / "copy.db"))
    assert not told.ok
    assert "entry 2 of the backup is not in the journal here" in told.differences[0]
    with sqlite3.connect(tmp_path / "copy.db") as raw:
        raw.execute("UPDATE memory SET content = 'Ada likes rum'")
    assert not file_mem.backup_rehearse(str(tmp_path / "copy.db")).ok


def test_a_rehearsal_tells_that_a_backup_still_holds_what_was_purged(file_mem: Treering, tmp_path: Path) -> None:
    tea = file_mem.add("Ada likes tea").id
    file_mem.backup(str(tmp_path / "copy.db"))
    file_mem.purge(tea, "asked to")
    told = file_mem.backup_rehearse(str(tmp_path / "copy.db"))
    assert (told.ok, told.purged_since, told.asked) == (True, ("lab",), 0)


# as known at a moment


def test_a_store_comes_back_as_it_was_known_at_any_moment(file_mem: Treering, clock: HandClock, tmp_path: Path) -> None:
    write_a_life(file_mem, clock)
    moments = [one.at for one in file_mem._store.entries("lab")]
    file_mem.backup(str(tmp_path / "copy.db"))
    for number, at in enumerate((moments[0], moments[len(moments) // 2], moments[-1])):
        target = tmp_path / f"then-{number}.db"
        done = treering.restore_backup(tmp_path / "copy.db", target, known_at=at)
        assert (done.ok, done.differences) == (True, ())
        assert done.left_out == len([one for one in moments if one > at])
        back = open_store(str(target))
        asked = scope(clock, as_of=at, known_at=at)
        here, there = everything(file_mem._store, asked), everything(back, asked)
        assert {**there, "head": None} == {**here, "head": None}
        assert back.head("lab").at == at
        back.close()


def test_what_was_purged_later_stays_purged_in_a_store_of_an_earlier_moment(
    file_mem: Treering, clock: HandClock, tmp_path: Path
) -> None:
    drafts = [{"content": "Ada likes tea"}, {"content": "Bo likes rum"}]
    both = file_mem.remember("Ada likes tea. Bo likes rum", drafts=drafts)
    tea, rum = (one.id for one in file_mem.list(order="oldest"))
    clock.advance(hours=1)
    then = clock.now
    clock.advance(hours=1)
    file_mem.add("Cy sings")
    file_mem.purge(tea, "asked to")
    file_mem.backup(str(tmp_path / "copy.db"))
    done = treering.restore_backup(tmp_path / "copy.db", tmp_path / "then.db", known_at=then)
    assert (done.ok, done.differences, done.purged_since) == (True, (), ("lab",))
    assert b"Ada likes tea" not in (tmp_path / "then.db").read_bytes()
    with treering.open(tmp_path / "then.db", space="lab", embedder="none", judge="none") as back:
        assert contents(back.list()) == ["Bo likes rum"]
        assert back.get(rum).source_id == both.source_ids[0]
        assert "Bo likes rum" in back.source(both.source_ids[0]).content
        with pytest.raises(NotFound):
            back.get(tea)


def test_what_stood_for_others_and_was_purged_later_lets_them_come_back(
    file_mem: Treering, clock: HandClock, tmp_path: Path
) -> None:
    alike = [f"Ada drinks green tea at home every {when} morning" for when in ("early", "late", "cold")]
    for one in alike:
        file_mem.add(one)
    mem = Treering(file_mem._store, clock=clock, actor="ann", space="lab", embedder=Hashing())
    mem.reembed()
    clock.advance(hours=1)
    mem.consolidate(auto=True, mode="apply", cohesion_threshold=0.1)
    [joined] = [one.id for one in mem.list()]
    clock.advance(hours=1)
    then = clock.now
    clock.advance(hours=1)
    mem.purge(joined, "asked to")
    mem.backup(str(tmp_path / "copy.db"))
    restored = treering.restore_backup(tmp_path / "copy.db", tmp_path / "then.db", known_at=then)
    assert (restored.ok, restored.differences) == (True, ())
    with treering.open(tmp_path / "then.db", space="lab", embedder="none", judge="none") as back:
        assert sorted(contents(back.list())) == sorted(alike)


def test_a_backup_is_never_restored_over_a_store(file_mem: Treering, tmp_path: Path, db_path: Path) -> None:
    file_mem.add("Ada likes tea")
    file_mem.backup(str(tmp_path / "copy.db"))
    with pytest.raises(Conflict, match="exists already"):
        treering.restore_backup(tmp_path / "copy.db", db_path)
    with pytest.raises(InvalidRequest, match="there is no backup"):
        treering.restore_backup(tmp_path / "none.db", tmp_path / "new.db")


def test_a_backup_goes_into_an_empty_database(
    file_mem: Treering, clock: HandClock, tmp_path: Path, postgres_url: object
) -> None:
    url = postgres_url()  # type: ignore[operator]
    write_a_life(file_mem, clock)
    file_mem.backup(str(tmp_path / "copy.db"))
    done = treering.restore_backup(tmp_path / "copy.db", url)
    assert (done.ok, done.differences) == (True, ())
    store = open_store(url)
    assert everything(store, scope(clock)) == everything(file_mem._store, scope(clock))
    there = door(store, clock)
    there.backup(str(tmp_path / "again.sealed"), passphrase=PASSPHRASE)
    told = there.backup_rehearse(str(tmp_path / "again.sealed"), passphrase=PASSPHRASE)
    assert (told.ok, told.differences, told.sealed) == (True, (), True)
    store.close()
    with pytest.raises(Conflict, match="holds spaces already"):
        treering.restore_backup(tmp_path / "copy.db", url)
