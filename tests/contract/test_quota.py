"""How much a space may hold: what was granted to it and not a memory or a byte more, on every store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import HandClock

from treering import settings
from treering.access.quota import Quota
from treering.door import Treering
from treering.errors import InvalidRequest, LimitExceeded, QuotaExceeded
from treering.store.contract import Store, Weight


def granted(mem: Treering, **quota: int | None) -> None:
    mem.settings({"quota": quota})


def held(mem: Treering) -> Weight:
    with mem._reading(None) as reader:
        return reader.weight()


def test_a_space_takes_as_many_memories_as_were_granted_and_no_more(mem: Treering) -> None:
    granted(mem, memories=3)
    mem.add("one")
    mem.add_many([{"content": "two"}, {"content": "three"}])
    seq = mem.status().seq
    with pytest.raises(QuotaExceeded, match=r"'lab' may hold 3 memories.*quota\.memories"):
        mem.add("four")
    assert (mem.status().seq, held(mem).memories) == (seq, 3)
    granted(mem, memories=4)
    mem.add("four")


def test_what_does_not_fit_is_refused_whole(mem: Treering) -> None:
    granted(mem, memories=2)
    with pytest.raises(QuotaExceeded):
        mem.add_many([{"content": f"number {n}"} for n in range(3)])
    assert mem.list().memories == ()


def test_bytes_are_those_of_what_was_said(mem: Treering) -> None:
    granted(mem, bytes=12)
    mem.add("größer")  # eight in UTF-8
    assert held(mem) == Weight(1, 8)
    with pytest.raises(QuotaExceeded, match="12 bytes"):
        mem.add("fünf!")
    mem.add("four")
    assert held(mem) == Weight(2, 12)


def test_what_was_forgotten_still_counts_and_what_was_purged_does_not(mem: Treering) -> None:
    granted(mem, memories=1)
    first = mem.add("one").id
    mem.forget(first)
    with pytest.raises(QuotaExceeded):
        mem.add("two")
    mem.restore(first)
    mem.purge(first, "make room")
    assert held(mem) == Weight(0, 0)
    mem.add("two")


def test_another_space_has_its_own(mem: Treering) -> None:
    granted(mem, memories=1)
    mem.add("one")
    mem.space("lab/other").add_many([{"content": str(n)} for n in range(5)])
    assert held(mem).memories == 1


def test_what_changes_no_more_than_what_is_there_goes_on(mem: Treering) -> None:
    granted(mem, memories=2)
    one, two = (mem.add(text).id for text in ("Ada lives in Oslo", "Bo lives in Rome"))
    mem.link(one, two, "related_to")
    mem.touch(one)
    mem.archive(two)
    mem.assert_fact("Ada", "KNOWS", "Bo")
    with pytest.raises(QuotaExceeded):
        mem.revise(one, "Ada lives in Bergen")


def test_a_dry_run_says_that_it_would_not_fit(mem: Treering) -> None:
    granted(mem, memories=1)
    mem.add("one")
    with pytest.raises(QuotaExceeded):
        mem.add("two", dry_run=True)


def test_what_is_said_is_refused_before_it_is_kept_where_no_memory_fits(mem: Treering) -> None:
    granted(mem, memories=1)
    mem.add("one")
    before = mem.status().seq, held(mem)
    with pytest.raises(QuotaExceeded):
        mem.remember("Ada came", extractor="none")
    with pytest.raises(QuotaExceeded):
        mem.enqueue("Ada came", extractor="none")
    assert (mem.status().seq, held(mem)) == before
    assert mem.jobs() == []


def test_what_was_kept_and_did_not_fit_is_read_when_there_is_room(mem: Treering) -> None:
    granted(mem, memories=2)
    told = [{"content": "Ada came"}, {"content": "Bo came"}, {"content": "Cy came"}]
    with pytest.raises(QuotaExceeded):
        mem.remember(messages=told, extractor="none", key="k")
    assert len(mem.list().memories) == 2
    granted(mem)
    mem.resume(extractor="none")
    assert [one.content for one in mem.list().memories] == ["Ada came", "Bo came", "Cy came"]


def test_upkeep_makes_one_of_many_also_where_all_is_full(mem: Treering) -> None:
    mem.add_many([{"content": "Sam likes green tea"}, {"content": "Sam likes green tea a lot"}])
    granted(mem, memories=2)
    [cluster] = mem.cluster(threshold=0.5).clusters
    assert mem.consolidate(cluster.id, mode="apply").merged


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_writers_at_the_same_time_share_what_is_left(
    kind: str, tmp_path: Path, postgres_url: Callable[[], str], new_store: Callable[[str], Store], clock: HandClock
) -> None:
    place = postgres_url() if kind == "postgres" else str(tmp_path / "shared.db")
    doors = [Treering(new_store(place), clock=clock, space="lab") for _ in range(4)]
    granted(doors[0], memories=10)
    refused: list[Exception] = []

    def write(door: Treering, who: int) -> None:
        for number in range(6):
            try:
                door.add(f"{who} says {number}")
            except QuotaExceeded as error:
                refused.append(error)

    threads = [threading.Thread(target=write, args=(door, who)) for who, door in enumerate(doors)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert held(doors[0]).memories == 10
    assert len(refused) == 24 - 10


def test_a_quota_holds_for_every_space_that_has_none_of_its_own(store: Store, clock: HandClock) -> None:
    mem = Treering(store, clock=clock, space="lab", quota=Quota(memories=1, bytes=1_000))
    mem.add("one")
    with pytest.raises(QuotaExceeded):
        mem.add("two")
    granted(mem, memories=2)
    mem.add("two")
    with pytest.raises(QuotaExceeded, match="1,000 bytes"):
        mem.space("other").add("x" * 1_001)


def test_a_quota_is_whole_numbers_from_one_on(mem: Treering) -> None:
    for wrong in ({"memories": 0}, {"bytes": -1}, {"memories": 1.5}, {"memories": True}, {"tokens": 5}, 7):
        with pytest.raises(InvalidRequest, match="quota"):
            mem.settings({"quota": wrong})
    assert mem.settings()["quota"] == {"memories": None, "bytes": None}


def test_it_is_a_limit_that_was_exceeded() -> None:
    assert issubclass(QuotaExceeded, LimitExceeded)


def test_the_environment_says_what_holds_where_nothing_is_said() -> None:
    read = settings.read({"TREERING_QUOTA_MEMORIES": "100", "TREERING_QUOTA_BYTES": ""})
    assert read.quota == (100, None)
    with pytest.raises(InvalidRequest, match="TREERING_QUOTA_BYTES"):
        settings.read({"TREERING_QUOTA_BYTES": "lots"})
