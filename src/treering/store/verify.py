"""Does it all hold together? The chain recomputed, every signature checked, and the tables compared with a replay.

An edge that somebody vouches for and that was tampered with is named with its ends, its signer and what differs.

What cannot be seen from inside: an attacker who rewrites a whole unsigned chain, or cuts off its end, leaves a chain
that holds. Signed entries and a head hash noted elsewhere are the answer to that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest

from treering.errors import Fault, TreeringError
from treering.model.changes import Purged
from treering.model.identity import Attestation
from treering.model.journal import Entry, Head
from treering.model.value import Value
from treering.store.attestation import BrokenEdge, Vouching
from treering.store.contract import Progress, Row, Snapshot, Store, unseen
from treering.store.tampering import in_journal, in_tables, row_order
from treering.values import dataclass

_NOT_HERE = "does not hold; an admin of the space is told what"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Difference(Value):
    """What does not hold: an entry of the journal (`seq`), or a row of a table (`table`, `key`)."""

    space: str
    what: str
    seq: int | None = None
    table: str | None = None
    key: str | None = None

    def __str__(self) -> str:
        place = f"entry {self.seq}" if self.seq is not None else f"{self.table} {self.key}" if self.table else "store"
        return f"{self.space}: {place}: {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Verification(Value):
    """`differences` names the first that was found in each space, and what the engine itself complains of.
    `signatures` counts entries and `edges` edges by how far they are vouched for; `tampered` names the edges whose
    signatures do not hold for what is stored of them.

    To who is no admin of the space a server tells nothing that counts or names what may be private to others: `rows`
    and `purged_changes` are none, `signatures` and `edges` empty."""

    ok: bool
    spaces: tuple[str, ...]
    entries: int
    rows: int | None
    purged_changes: int | None
    signatures: dict[str, int]
    edges: dict[str, int]
    heads: dict[str, str]
    differences: tuple[Difference, ...]
    tampered: tuple[BrokenEdge, ...] = ()

    def for_readers(self) -> Verification:
        """Whether it holds, without what would tell how much there is that not all may see, or name it."""
        told = (Difference(space=one.space, what=_NOT_HERE, seq=one.seq) for one in self.differences)
        return replace(
            self, rows=None, purged_changes=None, signatures={}, edges={}, differences=tuple(told), tampered=()
        )

    @property
    def damaged(self) -> bool:
        """Whether the engine itself complains of its files."""
        return any(one.space == "*" for one in self.differences)


class _Broken(Exception):
    """Ends the reading of a journal at its first entry that does not hold."""

    def __init__(self, difference: Difference) -> None:
        self.difference = difference


class _Check:
    """One pass over a journal checks each entry and replays it into an empty twin; then the rows are compared."""

    def __init__(self, store: Store, held: Snapshot, progress: Progress) -> None:
        self.store, self.held, self.progress = store, held, progress
        self.entries = self.rows = self.cut = self.of = 0
        self.signatures: Counter[str] = Counter()
        self.edges: Counter[str] = Counter()
        self.heads: dict[str, str] = {}
        self.differences: list[Difference] = []
        self.tampered: list[BrokenEdge] = []

    def spaces(self) -> list[str]:
        try:
            return [one.name for one in self.held.spaces()]
        except TreeringError as error:
            self.differences.append(Difference(space="*", what=f"the list of spaces cannot be read: {error}"))
            return []

    def expected(self, spaces: Sequence[str]) -> int:
        """How many entries there should be; a head that cannot be read is told of when its space is checked."""
        of = 0
        for space in spaces:
            with suppress(TreeringError):
                of += self.held.head(space).seq
        return of

    def space(self, space: str) -> None:
        twin = self.store.empty_twin()
        try:
            twin.replay(self._sound_entries(space))
            found = self._compare(space, twin)
            self.tampered += in_tables(space, self.held, twin) if found else ()
            for table, what in [] if found else self.store.strayed(space):
                found = Difference(space=space, table=table, what=what)
        except _Broken as broken:
            found = broken.difference
            self.tampered += in_journal(space, self.held)
        except TreeringError as error:
            found = Difference(space=space, what=str(error))
        finally:
            twin.close()
        if found is not None:
            self.differences.append(found)

    def _sound_entries(self, space: str) -> Iterator[Entry]:
        head, vouching = Head(), Vouching()
        cut: set[tuple[int, int]] = set()
        allowed: set[tuple[int, int]] = set()
        for entry in self._readable_entries(space):
            wrong = entry.follows(head) or vouching.fault(entry)
            if wrong:
                raise _Broken(Difference(space=space, seq=entry.seq, what=wrong))
            cut |= {(entry.seq, index) for index, leaf in enumerate(entry.leaves) if leaf.purged}
            purges = (change for _, change in entry.parts[0][1] if isinstance(change, Purged))
            allowed |= {(one.seq, one.index) for purge in purges for one in purge.cuts}
            head = entry.head()
            self.entries += 1
            yield entry
            self.progress(self.entries, max(self.of, self.entries))
        self.signatures.update(vouching.entries)
        self.edges.update(vouching.levels())
        self._closing(space, head, cut, allowed)

    def _closing(self, space: str, head: Head, cut: set[tuple[int, int]], allowed: set[tuple[int, int]]) -> None:
        """What can only be said at the end: every missing change was purged, and the head is the last entry."""
        self.cut += len(cut)
        self.heads[space] = head.hash
        for seq, index in sorted(cut ^ allowed):
            what = "is missing, and no purge removed it" if (seq, index) in cut else "was purged but is still there"
            raise _Broken(Difference(space=space, seq=seq, what=f"change {index} {what}"))
        known = self.held.head(space)
        if known.seq > head.seq and known.hash != head.hash:
            what = f"is missing: the journal went on to entry {known.seq}"
            raise _Broken(Difference(space=space, seq=head.seq + 1, what=what))
        if known != head:
            raise _Broken(Difference(space=space, table="space", key=space, what="the head is not the last entry's"))

    def _readable_entries(self, space: str) -> Iterator[Entry]:
        """Entry by entry, so that one that cannot be read is named."""
        seq = 0
        try:
            for entry in self.held.entries(space):
                yield entry
                seq = entry.seq
        except Fault as error:
            seq = self._last_readable(space, seq)
            raise _Broken(Difference(space=space, seq=seq + 1, what=str(error))) from error

    def _last_readable(self, space: str, seq: int) -> int:
        while True:
            try:
                if not list(self.held.entries(space, after=seq, limit=1)):
                    return seq
            except TreeringError:
                return seq
            seq += 1

    def _compare(self, space: str, twin: Store) -> Difference | None:
        for here, there in zip_longest(self.held.rows(space), twin.rows(space)):
            self.rows += 1
            if here != there:
                return _row_difference(space, here, there)
        return None


def _row_difference(space: str, here: Row | None, there: Row | None) -> Difference:
    extra = there is None or (here is not None and row_order(here) < row_order(there))
    if here is None or (there is not None and row_order(here) > row_order(there)):
        assert there is not None
        return _difference(space, there, "the journal has this row, the table does not")
    if extra:
        return _difference(space, here, "the table has this row, the journal does not")
    assert there is not None
    column = next((name for name in here.values if here.values[name] != there.values.get(name)), "?")
    return _difference(space, here, f"column {column} differs from what the journal says")


def _difference(space: str, row: Row, what: str) -> Difference:
    return Difference(space=space, table=row.table, key=" ".join(str(part) for part in row.key), what=what)


def verify(store: Store, space: str | None = None, progress: Progress = unseen) -> Verification:
    """One space, or all, as they stand at one instant: others may go on writing. `progress` is told of entries."""
    with store.snapshot() as held:
        check = _Check(store, held, progress)
        check.differences += (Difference(space="*", what=fault) for fault in store.faults())
        spaces = [space] if space is not None else check.spaces()
        check.of = check.expected(spaces)
        for name in spaces:
            check.space(name)
    return Verification(
        ok=not check.differences,
        spaces=tuple(spaces),
        entries=check.entries,
        rows=check.rows,
        purged_changes=check.cut,
        signatures={level.value: check.signatures[level] for level in Attestation},
        edges={level.value: check.edges[level] for level in Attestation},
        heads=check.heads,
        differences=tuple(check.differences),
        tampered=tuple(check.tampered),
    )
