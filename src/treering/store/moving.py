"""How does everything known come from one store into another? The journals are replayed, and then all is compared.

Vectors go along: they could be made again, but that takes an embedder and time. So does work that was promised and is
not done yet, what waits in review or was decided there, and what was spent. What belongs to a server, such as keys,
stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, zip_longest

from treering.model.embedding import Embedded
from treering.model.journal import Entry
from treering.model.value import Value
from treering.store.contract import Progress, Replayed, Snapshot, Store, unseen
from treering.store.sql.store import SqlStore
from treering.values import dataclass

VECTORS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Moved(Value):
    """`differences`: by space, the first row or head that is not the same on both sides; none if all came over."""

    ok: bool
    spaces: tuple[str, ...]
    added: int
    skipped: int
    vectors: int
    jobs: int
    reviews: int
    rows: int
    differences: dict[str, str]


def move(origin: Store, target: Store, progress: Progress = unseen) -> Moved:
    """As the origin stands at this instant. What is there already is passed over: done again, it catches up."""
    with origin.snapshot() as held:
        replayed, vectors = copy_all(held, target, progress)
        jobs, reviews = copy_promises(origin, target)
        if any(held.purges(one.space) for one in replayed):
            target.scrub()
        rows, differences = 0, dict[str, str]()
        for one in replayed:
            compared, difference = compare(held, target, one.space)
            rows += compared
            if difference:
                differences[one.space] = difference
    return Moved(
        ok=not differences,
        spaces=tuple(one.space for one in replayed),
        added=sum(one.added for one in replayed),
        skipped=sum(one.skipped for one in replayed),
        vectors=vectors,
        jobs=jobs,
        reviews=reviews,
        rows=rows,
        differences=differences,
    )


def copy_all(origin: Snapshot, target: Store, progress: Progress = unseen) -> tuple[list[Replayed], int]:
    """Each space and how many vectors; Conflict if two histories differ. `progress` is told of entries."""
    replayed, vectors = [], 0
    spaces = origin.spaces()
    done, of = count(1), sum(info.seq for info in spaces)

    def watched(entries: Iterator[Entry]) -> Iterator[Entry]:
        for entry in entries:
            yield entry
            progress(next(done), of)

    for info in spaces:
        replayed += target.replay(watched(origin.entries(info.name)))
        for embedder in origin.embedders(info.name):
            for some in vectors_in_parts(origin, info.name, embedder):
                vectors += target.keep_vectors(info.name, some)
    return replayed, vectors


def copy_promises(origin: Store, target: Store) -> tuple[int, int]:
    """Work that waits, the review queue, and what was spent; answers how many jobs and review items."""
    if isinstance(origin, SqlStore) and isinstance(target, SqlStore):
        return origin.hand_over_promises(target)
    return 0, 0


def compare(origin: Snapshot, target: Store, space: str) -> tuple[int, str | None]:
    """How many rows were compared, and the first difference."""
    with target.snapshot() as there:
        if there.head(space) != origin.head(space):
            return 0, f"the journal ends with entry {there.head(space).seq}, not {origin.head(space).seq} as it should"
        count = 0
        for one, other in zip_longest(origin.rows(space), there.rows(space)):
            count += 1
            if one != other:
                known = one or other
                assert known is not None
                return count, f"{known.table} {' '.join(map(str, known.key))} is not the same"
    return count, None


def vectors_in_parts(origin: Snapshot, space: str, embedder: str) -> Iterator[list[Embedded]]:
    part: list[Embedded] = []
    for row in origin.vectors(space, embedder):
        part.append(Embedded(row.thing_id, embedder, row.data))
        if len(part) == VECTORS_AT_ONCE:
            yield part
            part = []
    if part:
        yield part
