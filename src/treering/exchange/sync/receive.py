"""How is another store's journal taken over? Read from its beginning, every entry checked, and what is new here written
entry by entry: broken off anywhere, what was taken stays, and the next time goes on from there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from treering.errors import Conflict, InvalidRequest
from treering.exchange.sync.standing import SyncState, origins
from treering.exchange.sync.taking import Offered, settled, take
from treering.model.changes import Change, Changes, EdgeAdded, Purged, Thing
from treering.model.edge import Edge, Link
from treering.model.journal import SYNC, Entry, Head, read_line
from treering.model.memory import View
from treering.model.time import MICROSECOND, to_text
from treering.store.attestation import Vouching
from treering.store.contract import EdgeFilter, MemoryFilter, Plan, Progress, Reader, Scope, Store, Writer, unseen
from treering.values import dataclass

RECONCILE = "reconcile"
"""The operation that writes down what two stores disagree on."""
TWO_STORES = "two stores put something else in place of the same memory"

MOST_AHEAD = timedelta(days=1)
"""A clock that far ahead is wrong, and would drag the known times of this store along."""

PurgePlan = Callable[[Reader, str, str | None], Changes]


@dataclass(frozen=True, slots=True)
class Here:
    """The store that takes over, on whose behalf, how it purges, and whether there is room for what comes."""

    store: Store
    space: str
    writer: Writer
    now: Callable[[], datetime]
    purge: PurgePlan
    hold: Callable[[Plan], tuple[Plan, Callable[[Entry], None]]]
    """The plan, refused where the space may not hold what it brings; and who is to be told of the entry."""


@dataclass
class ReceivedJournal:
    """What one journal brought. `cut`: it ended in the middle of a line, as a file does that is still being copied."""

    received: int = 0
    known: int = 0
    purged: int = 0
    contradictions: int = 0
    cut: bool = False

    def add(self, other: ReceivedJournal) -> None:
        self.received += other.received
        self.known += other.known
        self.purged += other.purged
        self.contradictions += other.contradictions


def read_cut(path: Path, taken: ReceivedJournal, space: str) -> Iterator[Entry]:
    """The entries of a journal file under this space's name, as far as it goes: the last line may be cut off."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                if not line.endswith(b"\n"):
                    taken.cut = True
                    return
                entry = read_line(line.decode("utf-8", "replace"), f"{path}, line {number}")
                yield replace(entry, space=space)
    except OSError as error:
        raise InvalidRequest(f"path: {path} cannot be read ({error.strerror})") from error


def receive(
    here: Here, entries: Iterable[Entry], taken: ReceivedJournal, progress: Progress = unseen
) -> ReceivedJournal:
    """All that is new in these entries, which are a journal from its beginning."""
    receiving = _Receiving(here, taken)
    head, vouching = Head(), Vouching()
    with here.store.together():
        for entry in entries:
            wrong = entry.follows(head) or vouching.fault(entry)
            if wrong:
                raise Conflict(
                    f"journal of {entry.space} in the other store: entry {entry.seq} cannot be taken over: {wrong}"
                )
            receiving.take(entry)
            head = entry.head()
            progress(entry.seq, entry.seq)
        receiving.settle()
        receiving.reconcile()
    if taken.purged:
        here.store.scrub()
    return taken


class _Receiving:
    def __init__(self, here: Here, taken: ReceivedJournal) -> None:
        self._here, self._taken = here, taken
        self._standing, self._seq = SyncState(), 0
        self._offered = Offered()
        self._seen: set[str] = set()
        """Edges by which one memory took another's place, of which the other store knew so far."""
        self._rivals: dict[tuple[str, str], EdgeAdded] = {}
        self._catch_up()

    def _catch_up(self) -> None:
        for entry in self._here.store.entries(self._here.space, after=self._seq):
            self._standing.take(entry)
            self._seq = entry.seq

    def take(self, entry: Entry) -> None:
        for _, change in entry.parts[0][1] if entry.op == SYNC else ():
            self._offered.learn(change)
        for made, changes in origins(entry):
            for _, change in changes:
                self._offered.learn(change)
            if made.hash in self._standing.known:
                self._taken.known += 1
            else:
                self._take(made, [change for _, change in changes])
            self._compare(changes, told_there=made is entry)

    def _take(self, made: Entry, changes: list[Change]) -> None:
        for change in changes:
            if isinstance(change, Purged):
                self._purge(change)

        def plan(reader: Reader, at: datetime) -> Changes:
            if reader.head.seq != self._seq:
                self._catch_up()
            if made.hash in self._standing.known:
                return Changes(SYNC)
            return take(reader, at, made, self._standing, self._offered)

        self._write(plan, after=made.at)
        self._taken.received += 1

    def _write(self, plan: Callable[[Reader, datetime], Changes], after: datetime | None = None) -> bool:
        """`after`: what is written here from now on comes later than this, whatever the clocks say: who overrules
        what arrived has the last word."""
        here = self._here
        now = here.now()
        if after is not None:
            if after - now > MOST_AHEAD:
                raise Conflict(
                    f"the clock of the other store is ahead: an entry was written there at {to_text(after)}, and here "
                    f"it is {to_text(now)}. Set the clocks right; what is more than a day ahead is not taken over"
                )
            now = max(now, after + MICROSECOND)
        held, wrote = here.hold(plan)
        entry = here.store.write(here.space, here.writer, now, held)
        if entry is None:
            return False
        wrote(entry)
        self._taken.purged += bool(entry.taken)
        self._catch_up()
        return True

    def _purge(self, purged: Purged) -> None:
        """What goes there goes here, with all that rests on it here: as a purge of this store's own, so that what went
        further here goes further there too."""
        why = purged.why or "purged in another store"
        for one in purged.gone:
            if one.thing is Thing.MEMORY:
                self._purge_one(one.id, why)
            elif one.thing is Thing.SOURCE:
                for memory_id in self._resting_on(one.id):
                    self._purge_one(memory_id, why)
                self._purge_one(one.id, why)

    def _purge_one(self, thing_id: str, why: str) -> None:
        def plan(reader: Reader, at: datetime) -> Changes:
            everything = reader.all_seeing()
            here = everything.memory(thing_id) or everything.source(thing_id)
            return self._here.purge(everything, thing_id, why) if here else Changes("purge")

        self._write(plan)

    def _resting_on(self, source_id: str) -> list[str]:
        with self._here.store.reader(Scope(self._here.space, self._here.now())) as reader:
            everything = reader.all_seeing()
            resting = [one.id for one in everything.memories(MemoryFilter(view=View.ALL, source_id=source_id))]
            said = everything.events(source_id)
            again = [getattr(event.change, "memory_id", None) for event in said]
            return [one for one in dict.fromkeys((*resting, *again)) if one and everything.memory(one)]

    # what the stores disagree on

    def _compare(self, changes: list[tuple[int, Change]], told_there: bool) -> None:
        """Who put something in the place of a memory there, not knowing that somebody here had done so already."""
        for _, change in changes:
            if not isinstance(change, EdgeAdded) or change.edge.relation != Link.SUPERSEDES:
                continue
            for other in self._standing.superseding.get(change.edge.target_id, ()) if told_there else ():
                if other.edge.id == change.edge.id:
                    break
                if other.edge.id not in self._seen and other.edge.source_id != change.edge.source_id:
                    self._rivals[other.edge.source_id, change.edge.source_id] = change
            self._seen.add(change.edge.id)

    def settle(self) -> None:
        """What can only be said when all was taken."""
        self._write(lambda reader, at: settled(reader.all_seeing(), at, self._standing, self._offered))

    def reconcile(self) -> None:
        """Both stay, and a link between them says that they contradict each other."""
        if self._rivals:
            self._write(self._linked)

    def _linked(self, reader: Reader, at: datetime) -> Changes:
        links = [one for pair in sorted(self._rivals) if (one := self._link(reader.all_seeing(), pair, at))]
        self._taken.contradictions += len(links)
        return Changes(RECONCILE, tuple(EdgeAdded(one) for one in links))

    def _link(self, reader: Reader, pair: tuple[str, str], at: datetime) -> Edge | None:
        """Its id follows from the two, so that two stores that see the same write the same."""
        older, newer = sorted(pair, key=lambda one: (_made(self._standing, one), one))
        memories = [reader.memory(one) for one in (newer, older)]
        digest = hashlib.sha256(f"{Link.CONTRADICTS} {' '.join(sorted(pair))}".encode()).hexdigest()
        edge_id = f"{digest[:8]}-{digest[8:12]}-8{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"
        every = EdgeFilter(include_closed=True, include_forgotten=True, relations=(Link.CONTRADICTS.value,))
        either = replace(every, source_ids=(newer, older), target_ids=(newer, older))
        if None in memories or reader.edges(replace(every, ids=(edge_id,))) or reader.edges(either):
            return None
        if reader.tombstone(edge_id) is not None:
            return None
        return Edge(
            id=edge_id,
            space=self._here.space,
            source_id=newer,
            target_id=older,
            relation=Link.CONTRADICTS.value,
            valid_from=max(one.valid_from for one in memories if one is not None),
            recorded_at=at,
            memory_id=newer,
            rule=SYNC,
            why=TWO_STORES,
        )


def _made(standing: SyncState, memory_id: str) -> tuple[datetime, str, int]:
    """When the memory was put in another's place."""
    taking = [one.edge.id for of in standing.superseding.values() for one in of if one.edge.source_id == memory_id]
    return min(standing.stamps[one] for one in taking)
