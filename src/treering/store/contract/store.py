"""What does every store promise? It keeps one journal a space and has one way in: `write` runs a plan, a pure function
from what is known to the changes that follow, and carries the changes out whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from treering.model.changes import Changes
from treering.model.edge import Edge
from treering.model.embedding import Embedded
from treering.model.identity import Identity
from treering.model.ids import Mint
from treering.model.journal import Entry, Head, edge_message
from treering.model.space import SpaceInfo
from treering.store.contract.asked import Scope
from treering.store.contract.reader import Reader
from treering.store.contract.told import (
    EdgeVisibility,
    IndexedEdge,
    Probed,
    Renewed,
    Replayed,
    Row,
    SpaceVersion,
    Text,
    UnembeddedText,
    VectorRow,
)
from treering.store.drawer import Drawer
from treering.store.queue import Queue
from treering.store.tending import Tending
from treering.store.trail import AuditTrail
from treering.values import dataclass

Plan = Callable[[Reader, datetime], Changes]
"""From what is known, and the known time the write will get, to what is to change. It may run more than once, so it
must not do anything but read."""
Progress = Callable[[int, int], None]
"""Told of long work as it goes: how much is done, of how much there is to do."""


def unseen(done: int, of: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True, slots=True)
class Writer:
    """On whose behalf a write is made."""

    actor: str
    identity: Identity | None = field(default=None, repr=False)

    def sign(self, edge: Edge) -> Edge:
        """The edge with the actor's signature, if it has a key and observed the edge itself."""
        if self.identity is None or edge.observed_by != self.actor:
            return edge
        return replace(edge, signature=self.identity.sign(edge_message(edge)))


@dataclass(frozen=True, slots=True)
class Act:
    """One write in the making, as the journeys see it: what is known, on whose behalf, and the operation's times."""

    reader: Reader
    space: str
    writer: Writer
    now: datetime
    """The operation's one clock reading."""
    at: datetime
    """The known time that all it writes will have."""
    mint: Mint


class Snapshot(Protocol):
    """The journal and its projections as they stand at one instant, whatever is written meanwhile."""

    def spaces(self) -> list[SpaceInfo]: ...

    def head(self, space: str) -> Head: ...

    def entries(self, space: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The journal from `after` on, in order: audit, export and index catch-up are this."""

    def rows(self, space: str) -> Iterator[Row]:
        """Every projected row, ordered by table and key."""

    def texts(self, space: str, after: int = 0) -> Iterator[Text]:
        """Every memory recorded after this known time, whoever may see it, in order of (recorded_at, id)."""

    def vectors(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        """What this embedder made of the space's things, in order of place, after this one."""

    def read_things(self, space: str, embedder: str, after: int = 0) -> Iterator[VectorRow]:
        """The same as `vectors` without the data of memories: only that they were read."""

    def ties(self, space: str) -> Iterator[IndexedEdge]:
        """Every edge, whoever may see it, in no order."""

    def edge_visibility(self, space: str) -> EdgeVisibility: ...

    def version(self, space: str) -> SpaceVersion: ...

    def embedders(self, space: str) -> list[str]:
        """Those whose vectors are kept, the one that began to read first before the others."""

    def purges(self, space: str) -> int:
        """How many things have been purged: what was learned before another one must be learned anew."""

    def unread(self, space: str, embedder: str, limit: int) -> list[UnembeddedText]:
        """Things that this embedder has not read, the oldest first."""

    def left(self, space: str, embedder: str) -> int:
        """How many things it has not read."""


class Store(Snapshot, Protocol):
    @property
    def jobs(self) -> Queue:
        """Work to be done later, kept beside the journal. A purge takes its words from there too."""

    @property
    def tending(self) -> Tending:
        """What is kept of upkeep, beside the journal. A purge takes from there what names the purged."""

    @property
    def drawer(self) -> Drawer:
        """Small papers that are no knowledge, such as keys and webhooks."""

    @property
    def trail(self) -> AuditTrail:
        """Who read what, came in, was refused or took something out."""

    @property
    def measures(self) -> bool:
        """Whether its readers tell what is near in meaning (`Measuring`), so that no process needs to hold all vectors
        in memory."""

    def follow(self, kept: Callable[[], Iterable[str]], tell: Callable[[str], None]) -> None:
        """From now on, until the store is closed, `tell` is called from another thread with each of the `kept` spaces
        soon after another process has written to it. It is a hint: where a store cannot know, nothing is told."""

    def strayed(self, space: str) -> list[tuple[str, str]]:
        """What an engine keeps of the space beside its tables and what is not as these have it: by name."""

    def snapshot(self, of: Reader | None = None) -> AbstractContextManager[Snapshot]:
        """Holds one instant for several questions; each method of the store itself answers from the latest. `of`: the
        instant of this reader, or a later one."""

    def reader(self, scope: Scope) -> AbstractContextManager[Reader]:
        """A consistent snapshot that holds every write acknowledged before, by any process."""

    def write(self, space: str, writer: Writer, now: datetime, plan: Plan) -> Entry | None:
        """Runs the plan on the latest state with no other writer between, seals its changes into the next entry, and
        applies both or neither. None if the plan changes nothing. Durable when it returns.
        Unavailable if the store is busy, full or read-only; Forbidden if the actor has a key and did not sign."""

    def together(self) -> AbstractContextManager[None]:
        """What this thread writes within it is on disk when it ends, and need not be before: a crash of the process
        loses nothing, and a power cut may take the last of these writes, never one from their middle."""

    def replay(self, entries: Iterable[Entry]) -> list[Replayed]:
        """Takes over entries made elsewhere, checking the chain; those already here are passed over. Each space in one
        transaction. Conflict if the two histories differ."""

    def keep_vectors(self, space: str, vectors: Iterable[Embedded]) -> int:
        """Keeps what an embedder read outside of a write, for things that are there and have none of that embedder;
        answers how many."""

    def drop_vectors(self, space: str, embedder: str) -> None:
        """Lets go of what one embedder read."""

    def spent(self, space: str, day: str | None = None) -> tuple[int, int]:
        """Tokens that a language model has read and written for the space, on a day (ISO) or since ever."""

    def spend(self, space: str, day: str, read: int, written: int) -> None:
        """Adds to what the space has spent that day. Durable when it returns."""

    def rebuild(self, space: str) -> None:
        """Throws the projections away and makes them again from the journal; with them goes what lies beside."""

    def empty_twin(self) -> Store:
        """An empty store of the same kind in a place of its own, gone when it is closed: `verify` replays into it."""

    def faults(self) -> list[str]:
        """What the engine itself finds wrong with its files."""

    def troubles(self) -> list[str]:
        """Why nothing can be written now, as far as that is known without looking: damage that was met, a full disk."""

    def look_over(self) -> list[str]:
        """`faults`, kept in mind: a store that was found damaged takes no writes until it was mended."""

    def renew(self) -> Renewed | None:
        """Makes a damaged file whole again: all that follows from the journals anew, everything else as far as it can
        be read. A copy of the damaged one is set aside. Corrupted, and nothing changed, if a journal cannot be read to
        its end; none if there is no file that is this store's own to mend."""

    def scrub(self) -> bool:
        """Makes sure that removed bytes are gone from the files, those `beside` included. False if a reader elsewhere
        held it up: try later."""

    def probe(self, space: str, ids: Collection[str], since: int) -> Probed:
        """Looks for purged things in every table and in the journal, whatever the purge believes to have removed.
        `since`: the entry that first spoke of one of them."""

    def beside(self) -> Path | None:
        """A folder next to the store for what can be made anew from it, named as `store.beside` says; made by who first
        writes there. None if there is no such place, or nothing may be written. A backup leaves it out."""

    def backup(self, path: Path, progress: Progress = unseen) -> None:
        """A consistent copy while others go on writing."""

    def describe(self) -> dict[str, Any]:
        """Engine, location, size and schema version, for people."""

    def close(self) -> None: ...


class Index(Protocol):
    """Something in memory that is derived from the journal and follows it."""

    seq: int

    def take(self, entry: Entry) -> None:
        """Learns one more entry; entries come in order and once."""


def catch_up(store: Store, space: str, index: Index) -> int:
    """Brings an index up to the journal's head; answers how many entries it had missed. Cheap when there are none."""
    missed = 0
    for entry in store.entries(space, after=index.seq):
        index.take(entry)
        index.seq = entry.seq
        missed += 1
    return missed
