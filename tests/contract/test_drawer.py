"""Every drawer: what is laid in stays, and of several who change a paper one does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

from tests.conftest import HandClock

from treering.store import open_store
from treering.store.contract import Store


def test_a_paper_is_found_as_it_was_laid_in(store: Store) -> None:
    paper = store.drawer.put("key", "a", {"role": "read", "spaces": ["x/*"]}, version=0)
    assert paper is not None
    assert paper.version == 1
    assert store.drawer.get("key", "a") == paper
    assert store.drawer.get("key", "b") is None
    assert store.drawer.get("hook", "a") is None


def test_only_who_saw_the_latest_version_changes_it(store: Store) -> None:
    store.drawer.put("key", "a", {"n": 1}, version=0)
    assert store.drawer.put("key", "a", {"n": 2}, version=0) is None
    assert store.drawer.put("key", "a", {"n": 2}, version=1) is not None
    assert store.drawer.put("key", "a", {"n": 3}, version=1) is None
    found = store.drawer.get("key", "a")
    assert found is not None
    assert (found.value, found.version) == ({"n": 2}, 2)


def test_papers_are_listed_by_id_and_those_due_by_how_long_they_are_due(store: Store, clock: HandClock) -> None:
    for number, name in enumerate("cab"):
        store.drawer.put("hook", name, {}, version=0, due=clock.now + timedelta(minutes=number))
    store.drawer.put("hook", "never", {}, version=0)
    store.drawer.put("key", "other", {}, version=0, due=clock.now)
    assert [one.id for one in store.drawer.listed("hook")] == ["a", "b", "c", "never"]
    assert [one.id for one in store.drawer.listed("hook", due_by=clock.now + timedelta(minutes=1))] == ["c", "a"]
    assert [one.id for one in store.drawer.listed("hook", due_by=clock.now + timedelta(hours=1), limit=2)] == ["c", "a"]
    assert [one.due for one in store.drawer.listed("hook", due_by=clock.now)] == [clock.now]


def test_what_is_removed_is_gone_and_may_be_laid_in_anew(store: Store) -> None:
    store.drawer.put("key", "a", {"n": 1}, version=0)
    assert store.drawer.remove("key", "a") is True
    assert store.drawer.remove("key", "a") is False
    assert store.drawer.get("key", "a") is None
    assert store.drawer.put("key", "a", {"n": 2}, version=1) is None, "who saw it before does not bring it back"
    assert store.drawer.put("key", "a", {"n": 2}, version=0) is not None


def test_of_many_at_once_one_lays_its_paper_in(store: Store) -> None:
    def lay(number: int) -> bool:
        return store.drawer.put("lease", "sweep", {"holder": number}, version=0) is not None

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lay, range(8))) == 1


def test_a_paper_outlives_the_process_that_laid_it_in(tmp_path: Path) -> None:
    url = str(tmp_path / "work.db")
    first = open_store(url)
    first.drawer.put("key", "a", {"n": 1}, version=0)
    first.close()
    second = open_store(url)
    found = second.drawer.get("key", "a")
    second.close()
    assert found is not None
    assert found.value == {"n": 1}
