"""What a test of PostgreSQL does with a store: it opens doors, asks for jobs, and does several things at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tests.conftest import HandClock

from treering.door import Treering
from treering.model.changes import Changes
from treering.model.job import JobRequest
from treering.store.contract import Store

SOON = 5.0

BESIDE = {"job", "spending", "drawer", "upkeep", "found_cluster", "review", "audit"}
DIRECTORY = {"space", *BESIDE}
"""Which spaces there are; and what is no knowledge, but work still to be done, of a space by name or of a server."""


def door(store: Store, clock: HandClock, space: str = "lab", actor: str = "ann") -> Treering:
    return Treering(store, clock=clock, actor=actor, space=space)


def asked(number: int, space: str) -> JobRequest:
    return JobRequest(
        id=f"019b796d-d600-7000-8000-{number:012d}",
        space=space,
        actor="ann",
        kind="remember",
        request={"content": f"number {number}"},
        sources=1,
    )


def nothing(reader: Any, at: Any) -> Any:
    return Changes("add", ())


def at_once(*acts: Callable[[], object]) -> None:
    failed: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if failed:
        raise failed[0]
