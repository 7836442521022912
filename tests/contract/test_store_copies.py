"""What is a store besides its journal? Rows that can be compared, an empty twin, a backup, and what it says of itself.
The contract (`treering.store.contract`), on each store in turn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import HandClock, everything, scope, write_a_life
from tests.contract.writing import ANN, setting

from treering.door import Treering
from treering.errors import Conflict, Unsupported
from treering.store.contract import Store


def test_rows_are_ordered_by_table_and_key(mem: Treering, store: Store, clock: HandClock) -> None:
    write_a_life(mem, clock)
    places = [(row.table, *row.key) for row in store.rows("lab")]
    assert len(places) > 20
    assert places == sorted(places)
    assert len(set(places)) == len(places)


def test_an_empty_twin_is_of_the_same_kind_empty_and_apart(store: Store, clock: HandClock) -> None:
    store.write("lab", ANN, clock.now, setting("R0"))
    twin = store.empty_twin()
    assert twin.spaces() == []
    twin.write("twin", ANN, clock.now, setting("R1"))
    assert [one.name for one in store.spaces()] == ["lab"]
    assert type(twin) is type(store)
    twin.close()


def test_a_twin_leaves_no_file_behind(new_store: Callable[[str], Store]) -> None:
    twin = new_store("sqlite").empty_twin()
    place = Path(twin.describe()["url"]).parent
    assert place.exists()
    twin.close()
    assert not place.exists()


def test_a_backup_is_a_whole_store_and_never_overwrites(
    clock: HandClock, new_store: Callable[[str], Store], tmp_path: Path
) -> None:
    for kind in ("sqlite", "memory"):
        store, target = new_store(kind), tmp_path / f"{kind}-copy.db"
        write_a_life(Treering(store, clock=clock, actor="ann", space="lab"), clock)
        store.backup(target)
        copy = new_store(str(target))
        assert everything(copy, scope(clock)) == everything(store, scope(clock))
        assert Treering(copy).verify().ok
        assert target.stat().st_mode & 0o777 == 0o600
        with pytest.raises(Conflict, match="never overwrites"):
            store.backup(target)


def test_the_reference_store_says_that_it_cannot_be_backed_up(new_store: Callable[[str], Store]) -> None:
    with pytest.raises(Unsupported, match="lives in memory only"):
        new_store("reference").backup(Path("x.db"))


def test_every_store_says_what_it_is_and_finds_nothing_wrong_with_itself(store: Store, store_url: str) -> None:
    told = store.describe()
    assert told["url"] == store_url
    json.dumps(told)
    assert store.faults() == []
    assert store.scrub() is True
