"""Who calls the server, and what does it cost? Clients of `bench.serve`: connections that ask again as soon as they are
answered, in one process, written on the bare protocol so that they take little of the cores they share with the server;
and the processes of a server as the machine counts them.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from bench import corpus

SPACE = "load"
WRITES = 0.1
"""Nine questions to one thing to remember."""
_AT_HAND = 1_000_000  # things that a client has to say and to ask about: more than it comes to


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong, with the request that met it. `number`: by which the server's log knows that request."""

    what: str
    request: str = ""
    number: str = ""

    def __str__(self) -> str:
        return self.what if not self.request else f"{self.what}\n  asked: {self.request}"


@dataclass
class Seen:
    """What all clients of a run saw together."""

    recalls: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    errors: list[Trouble] = field(default_factory=list)
    forgiving: bool = False
    """Whether a connection that breaks is no error: the server is being killed."""
    client_seconds: float = 0.0
    """Of a core, that the clients themselves took."""


class Client(asyncio.Protocol):
    """One connection: questions, and now and then something to remember. No question is asked twice by anybody."""

    def __init__(self, calling: Calling, number: int) -> None:
        self._calling, self._name = calling, f"{calling.name}-{number}"
        self._chance = random.Random(self._name)
        self._said = corpus.memories(_AT_HAND, seed=self._chance.randrange(1, 1 << 32))
        self._asked = 0
        self._wrote: str | None = None
        self._got = b""
        self._sent = ""
        """The request that is being answered."""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._got = transport, b""
        self._ask()

    def connection_lost(self, error: Exception | None) -> None:
        if not self._calling.over:
            self._calling.broken(self, error, self._sent)

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, found, body = self._got.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(_header(head, b"content-length"))
        if len(body) >= length:
            self._got = b""
            seconds, status = time.perf_counter() - self._begun, int(head[9:12])
            if status in (200, 202):
                self._calling.answered(seconds, self._wrote)
            else:
                said = body[:200].decode(errors="replace")
                number = _header(head, b"x-request-id").decode(errors="replace")
                self._calling.trouble(Trouble(f"{status} {said}", self._sent, number))
            self._ask()

    def _ask(self) -> None:
        assert self._transport is not None
        if self._calling.over:
            self._transport.close()
            return
        self._asked += 1
        self._wrote = None
        if self._chance.random() < self._calling.writes:
            said = next(self._said)
            self._wrote = f"{self._name}-{self._asked}"
            body = json.dumps({"content": said.content, "speaker": said.speaker, "key": self._wrote})
            head = f"POST /v1/spaces/{SPACE}/remember HTTP/1.1\r\nContent-Length: {len(body)}\r\n"
        else:
            asked = self._calling.new_question(self._said)
            body, head = "", f"GET /v1/spaces/{SPACE}/recall?query={quote(asked)}&limit=5 HTTP/1.1\r\n"
        self._sent, self._begun = f"{head.partition(' HTTP')[0]} {body}".rstrip(), time.perf_counter()
        self._transport.write(f"{head}Host: 127.0.0.1\r\n\r\n{body}".encode())


def _header(head: bytes, name: bytes) -> bytes:
    return head.lower().partition(b"\r\n" + name + b":")[2].partition(b"\r\n")[0].strip()


class Calling:
    """All clients of a run, until it is over. What they say and ask, and under which keys, goes by the run's `name`.
    `writes`: how much of it is something to remember."""

    def __init__(self, url: str, clients: int, seconds: float, name: str, writes: float = WRITES) -> None:
        self.name, self.writes = name, writes
        self._host, self._port = str(urlsplit(url).hostname), urlsplit(url).port or 80
        self._clients, self._seconds = clients, seconds
        self.seen, self.over = Seen(), False
        self._asked: set[str] = set()
        self._waiting: set[asyncio.Task[None]] = set()

    def run(self) -> Seen:
        begun = time.process_time()
        asyncio.run(self._run())
        self.seen.client_seconds = time.process_time() - begun
        return self.seen

    async def _run(self) -> None:
        every = [Client(self, number) for number in range(self._clients)]
        await asyncio.gather(*(self._connect(one) for one in every))
        await asyncio.sleep(self._seconds)
        self.over = True
        await asyncio.sleep(1)  # what is under way is answered

    async def _connect(self, client: Client) -> None:
        while not self.over:
            try:
                await asyncio.get_running_loop().create_connection(lambda: client, self._host, self._port)
                return
            except OSError as error:
                self._note_broken(error, "a connection")
                await asyncio.sleep(0.05)

    def new_question(self, about: Iterator[corpus.Said]) -> str:
        """About the first of these that answers something nobody has asked yet."""
        every = (corpus.question_about(said) for said in about)
        found = next(one for one in every if one is not None and one not in self._asked)
        self._asked.add(found)
        return found

    def broken(self, client: Client, error: Exception | None, asked: str) -> None:
        self._note_broken(error, asked)
        task = asyncio.get_running_loop().create_task(self._connect(client))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    def _note_broken(self, error: Exception | None, asked: str) -> None:
        if not self.seen.forgiving:
            self.trouble(Trouble(f"the connection broke: {error!r}", asked))

    def trouble(self, one: Trouble) -> None:
        if not self.over:
            self.seen.errors.append(one)

    def answered(self, seconds: float, wrote: str | None) -> None:
        if self.over:
            return
        if wrote is None:
            self.seen.recalls.append(seconds)
        else:
            self.seen.writes.append(seconds)
            self.seen.acknowledged.append(wrote)


@dataclass(frozen=True, slots=True)
class Cost:
    """What the processes of a server have taken by now: megabytes together, shared ones counted once, and seconds of a
    core, of those that answer and of the one that does jobs (it is the one that makes way for others)."""

    megabytes: float
    answering_seconds: float
    working_seconds: float


def cost_of(server: int) -> Cost:
    megabytes, seconds = 0.0, {False: 0.0, True: 0.0}
    for process in _family(server):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:  # it has just ended
            continue
        megabytes += int(rollup.split("\nPss:")[1].split()[0]) / 1024
        seconds[int(fields[16]) > 0] += (int(fields[11]) + int(fields[12])) / 100
    return Cost(megabytes, seconds[False], seconds[True])


def _family(process: int) -> Iterator[int]:
    yield process
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        for child in listed.read_text().split():
            yield from _family(int(child))
