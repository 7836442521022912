"""Does a purge reach the file of an index? Whoever writes it meanwhile, whatever name the store goes by, and also when
the scrub was held up; and what is mended or backed up takes no file along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.recall.index_file.filed import Opened, afresh, answers, files, tell, written


def test_a_purge_removes_the_file_and_no_older_index_is_written_after_it(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    file = written(opened, clock, db_path)
    door, elsewhere = opened(), opened()
    answers(elsewhere)
    tell(elsewhere, clock, 3, seed=5)
    answers(elsewhere)
    gone = door.add("The code is Mitternachtsblau", tags=["panzerknacker"], session="nachtsitzung").id
    answers(elsewhere)
    assert door.purge(gone, "asked to").scrubbed
    assert not file.exists()
    elsewhere.close()  # with an index that knows the code
    assert files(db_path) == []
    assert answers(door) == afresh(db_path, clock, embedder)
    door.close()
    (new,) = files(db_path)
    for trace in (b"mitternachtsblau", b"panzerknacker", b"nachtsitzung"):
        assert trace not in new.read_bytes()
    assert answers(opened()) == afresh(db_path, clock, embedder)


@pytest.mark.parametrize("moment", [0, 1, 2])
def test_a_purge_that_comes_while_an_index_is_written_leaves_none(
    opened: Opened, clock: HandClock, db_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """At each of the three times at which the writer asks whether something was purged."""
    door, other = opened(), opened()
    tell(door, clock, 10)
    gone = door.add("The code is Mitternachtsblau").id
    answers(door)
    real, asked = door._store.purges, []

    def purges(space: str) -> int:
        asked.append(space)
        found = real(space)
        if len(asked) - 1 == moment:
            other.purge(gone, "asked to")  # just after the question
        return found

    monkeypatch.setattr(door._store, "purges", purges)
    door.close()
    assert len(asked) > moment
    left = [one.name for one in db_path.with_name("work.db.index").iterdir()]
    assert left == []


def test_a_file_from_before_a_purge_that_turns_up_again_is_removed_at_sight(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    file = written(opened, clock, db_path)
    old = file.read_bytes()
    door = opened()
    door.purge(door.add("The code is 8142").id, "asked to")
    file.write_bytes(old)
    answers(door)
    assert not file.exists()


def test_a_purge_reaches_what_lies_beside_whatever_name_the_file_is_opened_by(
    opened: Opened, clock: HandClock, db_path: Path
) -> None:
    written(opened, clock, db_path)
    other_name = db_path.with_name("link.db")
    other_name.symlink_to(db_path)
    door = opened(other_name)
    door.purge(door.add("The code is 8142").id, "asked to")
    assert files(db_path) == files(other_name) == []


def test_the_files_of_other_spaces_outlive_a_purge(opened: Opened, clock: HandClock, db_path: Path) -> None:
    written(opened, clock, db_path)
    door = opened().space("other")
    door.purge(door.add("The code is 8142").id, "asked to")
    assert len(files(db_path)) == 1


def test_a_purge_whose_scrub_never_came_is_made_good_at_the_next_open(
    opened: Opened, clock: HandClock, db_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(opened, clock, db_path)
    door = opened()
    gone = door.add("The code is 8142").id
    monkeypatch.setattr(door._store, "scrub", lambda: False)
    door.purge(gone, "asked to")
    assert file.exists()
    opened()
    assert not file.exists()


def test_a_file_that_cannot_be_removed_holds_the_scrub_up(
    opened: Opened, clock: HandClock, db_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(opened, clock, db_path)
    door = opened()
    gone = door.add("The code is 8142").id

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refuse)
        assert door.purge(gone, "asked to").scrubbed is False
    assert file.exists()
    opened()
    assert not file.exists()


def test_a_backup_takes_no_index_along(opened: Opened, clock: HandClock, db_path: Path) -> None:
    written(opened, clock, db_path)
    opened().backup(str(db_path.with_name("copy.db")))
    assert [one.name for one in db_path.parent.glob("copy.db*")] == ["copy.db"]


def test_tables_that_are_mended_take_what_was_made_from_them_along(
    opened: Opened, clock: HandClock, db_path: Path, embedder: Any
) -> None:
    written(opened, clock, db_path)
    door, elsewhere = opened(), opened()
    with door._store._writing() as raw:  # type: ignore[attr-defined]
        raw.run("UPDATE memory SET content = 'Ada likes gin in the garden', recorded_at = recorded_at + 1")
    for one in files(db_path):
        one.unlink()
    assert answers(elsewhere) != []
    assert door.doctor(repair=True).ok
    assert files(db_path) == []
    right = afresh(db_path, clock, embedder)
    assert answers(door) == right
    elsewhere._found[0].keep_indexes()  # learned from the damaged tables
    assert files(db_path) == []
    assert answers(elsewhere) == right
    elsewhere.close()
    assert answers(opened()) == right
