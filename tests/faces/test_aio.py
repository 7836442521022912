"""The async door: the same answers, many at once, the same errors."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path

import pytest

import treering
from treering.door import OPERATIONS, Treering
from treering.faces.aio import AsyncTreering
from treering.model.value import plain


def test_what_is_read_equals_what_the_door_reads(store: Path, life: dict[str, str]) -> None:
    async def asked() -> list[object]:
        async with treering.aio.open(store) as mem:
            return [
                await mem.get(life["job"]),
                await mem.list(view="all"),
                await mem.facts(subject="Sam", as_of="2025-01-01"),
                await mem.history(life["fact"]),
                await mem.entity_get("Sammy"),
                await mem.verify(),
            ]

    with treering.open(store) as mem:
        expected = [
            mem.get(life["job"]),
            mem.list(view="all"),
            mem.facts(subject="Sam", as_of="2025-01-01"),
            mem.history(life["fact"]),
            mem.entity_get("Sammy"),
            mem.verify(),
        ]
    assert plain(asyncio.run(asked())) == plain(expected)


def test_what_is_written_there_is_read_here(store: Path) -> None:
    async def written() -> str:
        async with treering.aio.open(store, actor="agent:async", space="mine") as mem:
            return (await mem.add("said while waiting", tags=["a"])).id

    memory_id = asyncio.run(written())
    with treering.open(store, space="mine") as mem:
        memory = mem.get(memory_id)
    assert (memory.content, memory.tags, memory.observed_by) == ("said while waiting", ("a",), "agent:async")


def test_twenty_additions_at_once_are_all_kept_each_with_its_own_entry(store: Path) -> None:
    async def together() -> list[int]:
        async with treering.aio.open(store) as mem:
            receipts = await asyncio.gather(*(mem.add(f"thought {n}", entities=["Sam"]) for n in range(20)))
            return [receipt.seq for receipt in receipts]

    assert sorted(asyncio.run(together())) == list(range(1, 21))
    with treering.open(store) as mem:
        assert {memory.content for memory in mem.list()} == {f"thought {n}" for n in range(20)}
        assert mem.verify().ok


def test_first_calls_at_the_same_time_share_one_store() -> None:
    async def together() -> int:
        mem = treering.aio.open(":memory:")
        await asyncio.gather(*(mem.add(f"thought {n}") for n in range(8)))
        found = len(await mem.list())
        await mem.close()
        return found

    assert asyncio.run(together()) == 8


def test_the_loop_goes_on_while_the_store_works(store: Path) -> None:
    async def counted() -> int:
        turns = 0
        async with treering.aio.open(store) as mem:
            writing = asyncio.ensure_future(mem.add_many([{"content": f"n {n}"} for n in range(2000)]))
            while not writing.done():
                turns += 1
                await asyncio.sleep(0)
            await writing
        return turns

    assert asyncio.run(counted()) > 10


def test_errors_come_through_as_they_are(store: Path) -> None:
    async def ask(**wrong: object) -> None:
        async with treering.aio.open(store) as mem:
            await mem.get(**wrong)  # type: ignore[arg-type]

    with pytest.raises(treering.NotFound, match="there is no memory 'nobody'"):
        asyncio.run(ask(id="nobody"))
    with pytest.raises(treering.InvalidRequest, match="has no time zone"):
        asyncio.run(ask(id="nobody", as_of="2025-01-01T00:00:00"))
    with pytest.raises(treering.InvalidRequest, match="did you mean as_of"):
        asyncio.run(ask(id="nobody", asof="2025-01-01"))


def test_a_store_that_cannot_be_opened_says_so_on_entry(tmp_path: Path) -> None:
    async def enter() -> None:
        async with treering.aio.open(tmp_path):
            pass

    with pytest.raises(treering.InvalidRequest, match="is a folder"):
        asyncio.run(enter())


def test_a_door_bound_to_a_space_stays_there(store: Path) -> None:
    async def both() -> tuple[int, int]:
        async with treering.aio.open(store) as mem:
            mine = mem.space("mine")
            await mine.add("only here")
            return len(await mine.list()), len(await mem.list())

    assert asyncio.run(both()) == (1, 0)


def test_every_operation_is_a_coroutine_that_describes_itself(store: Path) -> None:
    mem = treering.aio.open(store)
    for name in OPERATIONS:
        call = getattr(mem, name)
        assert inspect.iscoroutinefunction(call)
        assert call.__doc__ == getattr(Treering, name).__doc__
    assert not store.exists()


def test_what_the_door_cannot_do_the_async_one_cannot_either(store: Path) -> None:
    mem = treering.aio.open(store)
    assert isinstance(mem, AsyncTreering)
    with pytest.raises(AttributeError, match="there is no operation 'dream'; there are: remember, "):
        mem.dream  # noqa: B018
