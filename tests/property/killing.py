"""Processes that write to one file and say what was acknowledged, and a parent that kills them and looks what is left.

Run as a module it is one of those processes: `python -m tests.property.killing writer|reader|worker FILE NAME …`.
What a process has to say it appends to a file, a line a write, so that a kill can take no more than the last line.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treering.door import Treering

SPACE = "shared"
ALONE = "alone:"
"""Before the URL of an engine that has one connection."""
ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = float(os.environ.get("TREERING_PATIENCE_SECONDS") or 30.0)
"""How long a process that says nothing is waited for; on a machine with much else to do it takes longer to begin."""


# the processes


def _say(**what: Any) -> None:
    os.write(1, (json.dumps(what) + "\n").encode())


def _content(name: str) -> str:
    return f"{name} said {random.SystemRandom().getrandbits(64):016x} and meant it"


def opened(path: Path | str, name: str) -> Treering:
    """A file or a database; or the one connection of an engine where pgvector and Apache AGE follow every write."""
    from treering.door import open as open_door

    if not str(path).startswith(ALONE):
        return open_door(path, actor=name, space=SPACE)
    from tests.pglite import alone
    from tests.recall.hashing import Hashing

    from treering.door import Treering
    from treering.mind.minds import Minds

    store = alone(str(path).removeprefix(ALONE), "full", vectors="pgvector", graph="age")
    return Treering(store, actor=name, space=SPACE, minds=Minds(Hashing()))


def writer(path: str, name: str, patience: str = "") -> None:
    """Writes until it is killed; with `patient`, also while its store comes and goes."""
    from treering.errors import Unavailable

    chance, mine = random.Random(), list[str]()
    with opened(path, name) as door:
        while True:
            try:
                _write_something(door, name, chance, mine)
            except Unavailable as error:
                if not patience:
                    raise
                _say(unavailable=str(error))
                time.sleep(0.05)


def _write_something(door: Treering, name: str, chance: random.Random, mine: list[str]) -> None:
    """`will` is said before what removes, `did` when the store has acknowledged."""
    what = chance.random()
    if what < 0.6 or len(mine) < 3:
        content = _content(name)
        done = door.add(content, entities=[name, "Everyone"], tags=[name], triples=[[name, "KNOWS", "Everyone"]])
        mine.append(done.id)
        _say(did="add", seq=done.seq, ids=[done.id], contents=[content])
    elif what < 0.7:
        contents = [_content(name) for _ in range(chance.randrange(1, 30))]
        many = door.add_many([{"content": one, "entities": [name]} for one in contents])
        _say(did="add_many", seq=many.seq, ids=[one.id for one in many.memories], contents=contents)
    elif what < 0.85:
        content = _content(name)
        revised = door.revise(chance.choice(mine), content)
        mine.append(revised.id)
        _say(did="revise", seq=revised.seq, ids=[revised.id], contents=[content])
    elif what < 0.93:
        gone = chance.choice(mine)
        if door.forget(gone).changed:
            _say(did="forget", ids=[gone])
        if door.restore(gone).changed:
            _say(did="restore", ids=[gone])
    else:
        gone = mine.pop(chance.randrange(len(mine)))
        _say(will="purge", ids=[gone])
        report = door.purge(gone, "asked")
        _say(did="purge", ids=[gone], scrubbed=report.scrubbed)


def reader(path: str, name: str) -> None:
    """What was once seen is always seen, but for what was purged; the journal never gets shorter."""
    from treering.model.memory import View
    from treering.store.contract import MemoryFilter, Scope

    seen, seq, rounds = set[str](), 0, 0
    with opened(path, name) as door:
        while True:
            with door._store.reader(Scope(SPACE, door._now(), principal=name)) as snapshot:
                now = {one.id for one in snapshot.memories(MemoryFilter(view=View.ALL))}
                lost = [one for one in seen - now if snapshot.tombstone(one) is None]
                counted, head = sum(snapshot.counts().memories.values()), snapshot.head.seq
            if lost or counted != len(now) or head < seq:
                _say(wrong=f"lost {lost}, counted {counted} of {len(now)}, head {head} after {seq}")
                sys.exit(1)
            seen, seq, rounds = now, head, rounds + 1
            _say(rounds=rounds, seen=len(seen), seq=seq)


def worker(path: str, name: str, times: str) -> None:
    """Writes and reads a number of times, then says how long its longest write took."""
    longest, count = 0.0, 0
    with opened(path, name) as door:
        for _ in range(int(times)):
            content = _content(name)
            begun = time.perf_counter()
            done = door.add(content, entities=[name], tags=[name])
            longest = max(longest, time.perf_counter() - begun)
            _say(did="add", seq=done.seq, ids=[done.id], contents=[content])
            if door.get(done.id).content != content:
                sys.exit(f"{done.id} is not what was written")
            total = sum(door.status().memories.values())
            if total <= count or len(door.list(tags=[name], order="newest", limit=5)) == 0:
                sys.exit(f"{total} memories after {count}")
            count = total
        _say(longest=longest)


# the parent


class Process:
    """One of the above, restarted at will; all its lives speak into one file."""

    def __init__(
        self, kind: str, folder: Path, path: Path | str, name: str, *more: str, module: str = "tests.property.killing"
    ) -> None:
        self.name, self.said_in = name, folder / f"{name}.said"
        self.said_in.touch()
        self._command = [sys.executable, "-m", module, kind, str(path), name, *more]
        self._errors = folder / f"{name}.errors"
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self._running is None:
            with self.said_in.open("ab") as said, self._errors.open("ab") as errors:
                self._running = subprocess.Popen(self._command, stdout=said, stderr=errors, cwd=ROOT)

    @property
    def alive(self) -> bool:
        return self._running is not None and self._running.poll() is None

    def kill(self) -> None:
        """As hard as it goes. One that had died by itself is a failure."""
        if self._running is not None:
            ended = self._running.poll()
            assert ended is None, f"{self.name} ended with {ended}: {self._errors.read_text()[-2000:]}"
            self._running.send_signal(signal.SIGKILL)
            self._running.wait()
            self._running = None
            self._end_line()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Not moving meanwhile."""
        assert self._running is not None
        self._running.send_signal(signal.SIGSTOP)
        yield
        self._running.send_signal(signal.SIGCONT)

    def _end_line(self) -> None:
        """A line that the kill cut short stands alone, and is nothing that was said."""
        said = self.said_in.read_bytes()
        if said and not said.endswith(b"\n"):
            self.said_in.write_bytes(said[: said.rfind(b"\n") + 1])

    def wait(self) -> int:
        assert self._running is not None
        code = self._running.wait()
        self._running = None
        return code

    def errors(self) -> str:
        return self._errors.read_text()

    def said(self) -> Iterator[dict[str, Any]]:
        for line in self.said_in.read_bytes().split(b"\n")[:-1]:
            yield json.loads(line)

    def speaks(self, more_than: int) -> None:
        """Waits until it has said something new."""
        give_up = time.monotonic() + PATIENCE_SECONDS
        while self.said_in.stat().st_size <= more_than:
            assert self.alive, f"{self.name} died: {self._errors.read_text()[-2000:]}"
            assert time.monotonic() < give_up, f"{self.name} says nothing"
            time.sleep(0.005)

    def does(self, more: int) -> None:
        """Waits until so much more was acknowledged."""
        before, give_up = self.acknowledged, time.monotonic() + 2 * PATIENCE_SECONDS
        while self.acknowledged < before + more:
            assert self.alive, f"{self.name} died: {self._errors.read_text()[-2000:]}"
            assert time.monotonic() < give_up, f"{self.name} does nothing"
            time.sleep(0.005)

    @property
    def acknowledged(self) -> int:
        return sum("did" in line for line in self.said())


def check_acknowledged(path: Path | str, processes: list[Process]) -> int:
    """Everything acknowledged is there, whole, and was asked for; answers how many acknowledgements there were."""
    from treering.model.memory import View
    from treering.store.contract import MemoryFilter, Scope

    said = [(one.name, line) for one in processes for line in one.said()]
    gone = {gone for _, line in said if line.get("did") == "purge" for gone in line["ids"]}
    with opened(path, "parent") as door:
        entries = {entry.seq: entry for entry in door._store.entries(SPACE)}
        with door._store.reader(Scope(SPACE, door._now())) as reader:
            there = {one.id: one.content for one in reader.memories(MemoryFilter(view=View.ALL))}
            purged = {one for one in _contents(said) if reader.tombstone(one) is not None}
    assert list(entries) == list(range(1, len(entries) + 1)), "the journal has a gap"
    for entry in entries.values():
        assert entry.own_fault() is None
    for name, line in said:
        if "seq" in line:
            assert line["seq"] in entries, f"{line} was acknowledged and is lost"
            assert (entries[line["seq"]].actor, entries[line["seq"]].op) == (name, line["did"])
    for memory_id, content in _contents(said).items():
        if memory_id not in purged:
            assert there.get(memory_id) == content, f"{memory_id} was acknowledged and is lost"
    assert gone <= purged
    assert purged <= _going(processes)
    assert not purged & there.keys()
    return sum(one.acknowledged for one in processes)


def _contents(said: list[tuple[str, dict[str, Any]]]) -> dict[str, str]:
    """By id, all that was acknowledged."""
    return {
        memory_id: content
        for _, line in said
        for memory_id, content in zip(line.get("ids", ()), line.get("contents", ()), strict=False)
    }


def _going(processes: list[Process]) -> set[str]:
    """What somebody set out to purge, by now."""
    lines = (line for one in processes for line in one.said() if "will" in line)
    return {gone for line in lines for gone in line["ids"]}


def check_sound(path: Path | str, processes: list[Process]) -> None:
    """With nobody writing: it verifies, and of what was purged no byte is left once the file was opened."""
    with opened(path, "parent") as door:
        found = door.verify()
        assert found.ok, [str(one) for one in found.differences]
    if isinstance(path, str):  # a server's files are its own
        return
    said = [(one.name, line) for one in processes for line in one.said()]
    contents = _contents(said)
    every = (part for one in path.parent.glob(path.name + "*") for part in (one, *one.rglob("*")))
    left = [part.read_bytes() for part in every if part.is_file()]
    for _, line in said:
        if line.get("did") == "purge":
            secret = contents[line["ids"][0]].encode()
            assert not any(secret in part for part in left), f"{line['ids'][0]} was purged, but its bytes are there"


def kill_and_look(folder: Path, rounds: int, verify_every: int, seed: int, url: str | None = None) -> int:
    """Two writers on one file, one or both killed at random moments, again and again; a reader watches all along. Or on
    one database, if a URL is given."""
    chance, path = random.Random(seed), url or folder / "shared.db"
    writers = [Process("writer", folder, path, name) for name in ("ann", "ben")]
    watcher = Process("reader", folder, path, "eve")
    acknowledged = 0
    try:
        for number in range(1, rounds + 1):
            heard = {one.name: one.said_in.stat().st_size for one in writers}
            for one in writers:
                one.start()
            for one in writers:
                one.speaks(heard[one.name])
            watcher.start()
            time.sleep(chance.random() * 0.3)
            to_look = number % verify_every == 0 or number == rounds
            for one in writers if to_look else chance.sample(writers, chance.randrange(1, 3)):
                one.kill()
            acknowledged = check_acknowledged(path, writers)
            if to_look:
                watcher.speaks(watcher.said_in.stat().st_size)
                watcher.kill()
                check_sound(path, writers)
        assert not any("wrong" in line for line in watcher.said())
        assert acknowledged > rounds
        return acknowledged
    finally:
        for one in (*writers, watcher):
            if one.alive:
                one.kill()


if __name__ == "__main__":
    {"writer": writer, "reader": reader, "worker": worker}[sys.argv[1]](*sys.argv[2:])
