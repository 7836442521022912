"""How does a store come back as it was known at a moment? Each journal is replayed up to that moment, and no further.

What was purged later stays purged: its bytes are in no backup that was made after. The entry that follows the last one
replayed says so, as a purge of what is missing, so that the journal still accounts for every change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import count

from treering.model.changes import Change, Changes, Cut, Gone, Marked, Purged, SourceRestated
from treering.model.journal import Entry, Head, seal
from treering.model.memory import Mark
from treering.model.value import Value
from treering.store.admission import known_time
from treering.store.contract import Progress, Snapshot, Store, unseen
from treering.store.moving import vectors_in_parts
from treering.values import dataclass

ACTOR = "restore"
_TELLS = Purged | SourceRestated | Marked
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
        known = _AsKnown(origin, info.name, known_at, now)
        target.replay(_watched(known.entries(), lambda: progress(next(done), of)))
        left_out += info.seq - known.seq
        if not known.seq:
            continue
        spaces.append(info.name)
        entries += known.seq
        purged += [info.name] if known.purged_later else []
        for embedder in origin.embedders(info.name):
            for some in vectors_in_parts(origin, info.name, embedder):
                vectors += target.keep_vectors(info.name, some)
    return Copied(tuple(spaces), entries, left_out, vectors, tuple(purged))


def _watched(entries: Iterable[Entry], tell: Callable[[], None]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        tell()


class _AsKnown:
    """The journal of a space up to a moment, and if need be one entry more: what later purges took from it, and what
    they put in its place. It belongs to the same replay, since what rests on a source that was blanked has none before.
    """

    def __init__(self, origin: Snapshot, space: str, known_at: datetime, now: datetime) -> None:
        self._origin, self._space, self._known_at, self._now = origin, space, known_at, now
        self._later = [one for one in self._changes_later() if not isinstance(one[1], Marked) or one[0] == "purge"]
        self.seq = 0
        """How many entries were known by then."""
        self._buried: set[str] = set()
        self._marked: dict[tuple[str, Mark], bool] = {}

    @property
    def purged_later(self) -> bool:
        return bool(self._cuts())

    def entries(self) -> Iterator[Entry]:
        head = Head()
        for entry in self._origin.entries(self._space):
            if entry.at > self._known_at:
                break
            self._learn(entry)
            self.seq, head = entry.seq, entry.head()
            yield entry
        cuts = self._cuts()
        if cuts:
            at = known_time(self._now, head)
            yield seal(self._purge(cuts), space=self._space, head=head, at=at, actor=ACTOR, identity=None)

    def _changes_later(self) -> Iterator[tuple[str, Change]]:
        for entry in self._origin.entries(self._space):
            if entry.at > self._known_at and any(isinstance(change, Purged) for change in entry.changes()):
                yield from ((entry.op, one) for one in entry.changes() if isinstance(one, _TELLS))

    def _learn(self, entry: Entry) -> None:
        """What is there by then, of what later purges speak of."""
        if not self._later:
            return
        for change in entry.changes():
            if isinstance(change, Purged):
                self._buried |= {one.id for one in change.gone}
            elif isinstance(change, Marked):
                self._marked[change.id, change.mark] = change.on

    def _cuts(self) -> list[Cut]:
        every = {cut for _, one in self._later if isinstance(one, Purged) for cut in one.cuts}
        return sorted((cut for cut in every if cut.seq <= self.seq), key=lambda cut: (cut.seq, cut.index))

    def _purge(self, cuts: list[Cut]) -> Changes:
        gone: dict[str, Gone] = {}
        then: dict[tuple[str, str], Change] = {}
        for _, one in self._later:
            match one:
                case Purged():
                    gone |= {each.id: each for each in one.gone if each.id not in self._buried}
                case SourceRestated() if one.since <= self._known_at:
                    then["source", one.source.id] = one
                case Marked() if not one.on and self._marked.get((one.id, one.mark)):
                    then[one.mark.value, one.id] = one
        left = (one for (_, thing_id), one in then.items() if thing_id not in gone)
        return Changes("purge", (Purged(tuple(gone.values()), tuple(cuts), WHY), *left))
