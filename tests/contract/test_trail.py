"""Every audit trail: what was recorded stays as it was, in one order, whoever writes, and is found by what is known."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.conftest import START, HandClock

from treering.access.audit import verify
from treering.model.meta import Meta
from treering.store import open_store
from treering.store.contract import Store
from treering.store.trail import NO_HASH, Noted, TrailFilter, TrailHead, hash_of, sealed

READ = Noted(at=START, kind="read", operation="recall", space="acme/team", caller="ann", key="k1", request="r1")


def test_records_come_in_order_each_sealed_with_the_one_before(store: Store) -> None:
    assert store.trail.head() == TrailHead(0, NO_HASH)
    detail = Meta({"asked": {"query": "größer?"}, "ids": ["a", "b"]})
    head = store.trail.append([READ, replace(READ, detail=detail, space=None, outcome="forbidden")])
    one, two = store.trail.all()
    assert (one.seq, two.seq, two.prev_hash) == (1, 2, one.hash)
    assert (two.detail, two.space, two.outcome) == (detail, None, "forbidden")
    assert head == store.trail.head() == TrailHead(2, two.hash)
    assert sealed(TrailHead(), READ) == one
    assert [hash_of(record) for record in (one, two)] == [one.hash, two.hash]
    assert verify(store.trail).ok


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (TrailFilter(), [1, 2, 3, 4, 5]),
        (TrailFilter(newest_first=True, limit=2), [5, 4]),
        (TrailFilter(newest_first=True, after=4), [3, 2, 1]),
        (TrailFilter(after=3), [4, 5]),
        (TrailFilter(space="acme"), [2]),
        (TrailFilter(space="acme", children=True), [1, 2]),
        (TrailFilter(kinds=("denied", "export")), [3, 5]),
        (TrailFilter(caller="bo"), [4]),
        (TrailFilter(key="k2", operation="export"), [5]),
        (TrailFilter(request="r1", outcome="ok"), [1, 2, 4, 5]),
        (TrailFilter(since=START + timedelta(hours=2), until=START + timedelta(hours=4)), [3, 4]),
        (TrailFilter(caller="' OR 1 = 1 --"), []),
    ],
)
def test_they_are_found_by_what_is_known(store: Store, asked: TrailFilter, found: list[int]) -> None:
    noted = [
        READ,
        replace(READ, space="acme"),
        replace(READ, kind="denied", outcome="forbidden", space="acme2"),
        replace(READ, caller="bo", space=None),
        replace(READ, kind="export", operation="export", key="k2", space="lab"),
    ]
    store.trail.append([replace(one, at=START + timedelta(hours=hour)) for hour, one in enumerate(noted)])
    assert [one.seq for one in store.trail.found(asked)] == found


def test_of_many_who_write_at_once_each_comes_after_another(store: Store) -> None:
    def write(number: int) -> None:
        store.trail.append([replace(READ, request=f"{number}.{part}") for part in range(3)])

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(12)))
    told = verify(store.trail)
    assert (told.ok, told.records, told.problems) == (True, 36, ())
    order = [one.request for one in store.trail.all()]
    starts = [place for place, one in enumerate(order) if one is not None and one.endswith(".0")]
    assert all(order[place + 1 : place + 3] == [f"{order[place][:-2]}.1", f"{order[place][:-2]}.2"] for place in starts)  # type: ignore[index]


def test_two_processes_of_one_file_write_one_chain(tmp_path: Path, clock: HandClock) -> None:
    url = str(tmp_path / "work.db")
    first, second = open_store(url), open_store(url)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda one: [one.trail.append([READ]) for _ in range(20)], (first, second)))
    assert verify(first.trail).records == 40
    assert verify(second.trail).ok
    for one in (first, second):
        one.close()
    again = open_store(url)
    assert again.trail.head().seq == 40
    again.close()
