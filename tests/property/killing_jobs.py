"""Processes that ask for jobs and do them, killed at random moments, and a parent that looks what became of each job.

Run as a module it is one of those processes: `python -m tests.property.killing_jobs asker|doer FILE NAME`.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from tests.property.killing import SPACE, Process, _content, _say

SESSIONS = ("monday", "tuesday", None)
LEASE_SECONDS = 0.5
"""So short that what a killed worker left is taken up while the killing goes on."""


# the processes


def asker(path: str, name: str) -> None:
    """Asks for jobs until it is killed; what was accepted is said."""
    from treering.door import open as open_door
    from treering.errors import Unavailable

    chance = random.Random()
    with open_door(path, actor=name, space=SPACE) as door:
        while True:
            contents = [f"{name} {_content(name)}" for _ in range(chance.choice((1, 1, 1, 4)))]
            session = chance.choice(SESSIONS)
            said: dict[str, Any] = (
                {"content": contents[0]} if len(contents) == 1 else {"messages": [{"content": one} for one in contents]}
            )
            try:
                job = door.enqueue(**said, session=session, extractor="none")
            except Unavailable:
                time.sleep(0.05)
                continue
            _say(asked=job.id, session=session, contents=contents)
            time.sleep(chance.random() * 0.02)


def doer(path: str, name: str) -> None:
    """Does what is there until it is killed."""
    from treering.door import open as open_door
    from treering.ingest.jobs import JobRetryPolicy

    with open_door(path, actor=name, space=SPACE) as door:
        worker = door.worker(JobRetryPolicy(attempts=10_000, lease_seconds=LEASE_SECONDS))
        while True:
            done = worker.work_off(limit=1)
            if done.completed:
                _say(completed=1)
            else:
                time.sleep(0.01)


# the parent


def kill_and_look(folder: Path, rounds: int, seed: int) -> tuple[int, int]:
    """One asks and two do, each killed again and again; answers how many jobs there were, and how many were begun more
    than once."""
    chance, path = random.Random(seed), folder / "jobs.db"
    module = "tests.property.killing_jobs"
    asking = Process("asker", folder, path, "ann", module=module)
    doing = [Process("doer", folder, path, name, module=module) for name in ("ben", "cay")]
    everyone = [asking, *doing]
    try:
        for _ in range(rounds):
            heard = [one.said_in.stat().st_size for one in everyone]
            for one in everyone:
                one.start()
            for one, size in zip(everyone[:2], heard[:2], strict=True):
                one.speaks(size)
            time.sleep(chance.random() * 0.3)
            for one in chance.sample(everyone, chance.randrange(1, 4)):
                one.kill()
        asking.kill()
        _wait_until_all_is_done(path, doing)
    finally:
        for one in everyone:
            if one.alive:
                one.kill()
    return check(path, list(asking.said()))


def _wait_until_all_is_done(path: Path, doing: list[Process]) -> None:
    from treering.door import open as open_door

    for one in doing:
        one.start()
    give_up = time.monotonic() + 120
    with open_door(path, actor="ann", space=SPACE) as door:
        while door.jobs(status="pending") or door.jobs(status="processing"):
            assert time.monotonic() < give_up, "some jobs are never done"
            time.sleep(0.1)


def check(path: Path, said: list[dict[str, Any]]) -> tuple[int, int]:
    """Nothing lost, nothing twice, each session in order, and the store sound."""
    from treering.door import open as open_door
    from treering.model.memory import View
    from treering.store.contract import MemoryFilter, Scope

    with open_door(path, actor="ann", space=SPACE) as door:
        with door._store.reader(Scope(SPACE, door._now(), principal="ann")) as reader:
            memories = reader.memories(MemoryFilter(view=View.ALL))
            sources = reader.sources(memory.source_id for memory in memories)
            assert reader.waiting() == []
        jobs = {job.id: job for job in door.jobs(limit=1000)}
        found = door.verify()
        assert found.ok, [str(one) for one in found.differences]
    times = Counter(memory.content for memory in memories)
    assert not [content for content, count in times.items() if count > 1], "something was remembered twice"
    order = defaultdict(list)
    for line in said:
        lost = [content for content in line["contents"] if content not in times]
        assert not lost, f"job {line['asked']} was accepted and {lost} is lost"
        order[line["session"]] += line["contents"]
    # what was accepted in the moment of a kill may be there without having been said; it may not be out of order either
    for session in filter(None, SESSIONS):
        kept = [one.content for one in memories if sources[one.source_id].session == session]
        accepted = set(order[session])
        assert [content for content in kept if content in accepted] == order[session]
    assert {job.status for job in jobs.values()} == {"completed"}
    assert not [job.id for job in jobs.values() if job.holds_words]
    return len(said), sum(job.attempts > 1 for job in jobs.values())


if __name__ == "__main__":
    {"asker": asker, "doer": doer}[sys.argv[1]](*sys.argv[2:])
