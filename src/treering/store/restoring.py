"""How does a store come back as it was known at a moment? Each journal is replayed up to that moment, and no further.

What was purged later stays purged: its bytes are in no backup that was made after. The entry that follows the last one
replayed says so, as a purge of what is missing, so that the journal still accounts for every change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from treering.model.changes import Change, Changes, Marked, Purged, SourceRestated
from treering.model.journal import Entry
from treering.model.value import Value
from treering.store.contract import Plan, Progress, Reader, Snapshot, Store, Writer, unseen
from treering.store.moving import vectors_in_parts

ACTOR = "restore"
WHY = "purged after the moment this store was restored to"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Restored(Value):
    """`entries`: how many were replayed; `left_out`: how many came after the moment. `purged_since`: spaces in which
    something known by then was purged later, and stays so. `ok`: the new store verifies."""

    ok: bool
    to: str
    spaces: tuple[str, ...]
    entries: int
    left_out: int = 0
    vectors: int = 0
    known_at: datetime | None = None
    purged_since: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Copied:
    spaces: tuple[str, ...]
    entries: int
    left_out: int
    vectors: int
    purged_since: tuple[str, ...]


def copy_as_known(
    origin: Snapshot, target: Store, known_at: datetime, now: datetime, progress: Progress = unseen
) -> Copied:
    """Every space that was begun by then. Conflict if the target has another history of one of them."""
    spaces, entries, left_out, vectors, purged = list[str](), 0, 0, 0, list[str]()
    infos = origin.spaces()
    done, of = count(1), sum(info.seq for info in infos)
    for info in infos:
        later = list[Entry]()

        def known(later: list[Entry] = later, name: str = info.name) -> Iterator[Entry]:
            for entry in origin.entries(name):
                progress(next(done), of)
                if entry.at <= known_at:
                    yield entry
                elif _removes(entry):
                    later.append(entry)

        replayed = target.replay(known())
        if not replayed:
            left_out += info.seq
            continue
        head = target.head(info.name)
        spaces.append(info.name)
        entries, left_out = entries + head.seq, left_out + info.seq - head.seq
        if later and target.write(info.name, Writer(ACTOR), now, _gone_later(later, head.seq, known_at)):
            purged.append(info.name)
        for embedder in origin.embedders(info.name):
            for some in vectors_in_parts(origin, info.name, embedder):
                vectors += target.keep_vectors(info.name, some)
    return Copied(tuple(spaces), entries, left_out, vectors, tuple(purged))


def _removes(entry: Entry) -> bool:
    return any(isinstance(change, Purged) for change in entry.changes())


def _gone_later(entries: list[Entry], seq: int, known_at: datetime) -> Plan:
    """Of all purges after the moment, what they took from the first `seq` entries, and what they put in its place."""
    every = [(entry.op, change) for entry in entries for change in entry.changes()]
    purges = [one for _, one in every if isinstance(one, Purged)]
    cuts = sorted({cut for one in purges for cut in one.cuts if cut.seq <= seq}, key=lambda cut: (cut.seq, cut.index))

    def plan(reader: Reader, at: datetime) -> Changes:
        everything = reader.all_seeing()
        gone = {one.id: one for purge in purges for one in purge.gone if everything.tombstone(one.id) is None}
        then: dict[tuple[str, str], Change] = {}
        for op, one in every:
            if isinstance(one, SourceRestated) and one.since <= known_at:
                then["source", one.source.id] = one
            elif isinstance(one, Marked) and op == "purge" and not one.on and _bears(everything, one):
                then[one.mark.value, one.id] = one
        if not cuts:
            return Changes("purge")
        return Changes("purge", (Purged(tuple(gone.values()), tuple(cuts), WHY), *then.values()))

    return plan


def _bears(reader: Reader, marked: Marked) -> bool:
    memory = reader.memory(marked.id)
    return memory is not None and marked.mark in memory.marks
