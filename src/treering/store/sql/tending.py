"""How does upkeep lie in tables? The statements around runs, clusters and review items, each to run in a transaction of
its caller's. Values change in the model only: here they are read, and written back whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from treering.model import limits
from treering.model.codec import canonical, decode, encode
from treering.model.review import ReviewItem, ReviewKind, ReviewStatus
from treering.model.time import to_micros
from treering.model.upkeep import UpkeepRun
from treering.store.sql.queue import Transaction
from treering.store.sql.tables import FOREVER, Connection, SqlRow
from treering.store.tending import FoundCluster, ReviewFilter

_OPEN = "('open', 'claimed')"
_STANDING = "('open', 'claimed', 'dismissed')"
_KEPT = "id, space, kind, status, rank, key, updated_at, concerns, item"
_INSERT = f"INSERT INTO review ({_KEPT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def run(connection: Connection, space: str) -> UpkeepRun | None:
    rows = connection.rows("SELECT run FROM upkeep WHERE space = ?", (space,))
    return decode(UpkeepRun, json.loads(rows[0][0])) if rows else None


def turn_run(
    connection: Connection, space: str, step: Callable[[UpkeepRun | None], UpkeepRun | None]
) -> UpkeepRun | None:
    after = step(run(connection, space))
    if after is not None:
        sql = "INSERT INTO upkeep (space, run) VALUES (?, ?) ON CONFLICT (space) DO UPDATE SET run = excluded.run"
        connection.run(sql, (space, canonical(encode(after))))
    return after


def keep_clusters(connection: Connection, space: str, clusters: Iterable[FoundCluster], now: datetime) -> None:
    at = to_micros(now)
    rows = [(space, one.id, canonical(list(one.memory_ids)), one.cohesion, at) for one in clusters]
    connection.run_many("DELETE FROM found_cluster WHERE space = ? AND id = ?", [row[:2] for row in rows])
    sql = "INSERT INTO found_cluster (space, id, memory_ids, cohesion, found_at) VALUES (?, ?, ?, ?, ?)"
    connection.run_many(sql, rows)
    oldest = "SELECT place FROM found_cluster WHERE space = ? ORDER BY place DESC LIMIT 1 OFFSET ?"
    sql = f"DELETE FROM found_cluster WHERE space = ? AND place <= ({oldest})"
    connection.run(sql, (space, space, limits.CLUSTERS_KEPT))


def cluster(connection: Connection, space: str, cluster_id: str) -> FoundCluster | None:
    sql = "SELECT id, memory_ids, cohesion FROM found_cluster WHERE space = ? AND id = ?"
    for found, members, cohesion in connection.rows(sql, (space, cluster_id)):
        return FoundCluster(found, tuple(json.loads(members)), cohesion)
    return None


def put(connection: Connection, items: Sequence[ReviewItem]) -> list[ReviewItem]:
    return [_put(connection, item) for item in items]


def _put(connection: Connection, item: ReviewItem) -> ReviewItem:
    sql = f"SELECT item, space FROM review WHERE space = ? AND key = ? AND status IN {_STANDING}"
    for text, space in connection.rows(sql, (item.space, item.key)):
        return _item(text, space)
    connection.run(_INSERT, (item.id, item.space, *_columns(item)))
    return item


def kept(connection: Connection) -> list[SqlRow]:
    """Every item, the oldest first, for another store to take in."""
    return connection.rows(f"SELECT {_KEPT} FROM review ORDER BY place")


def take_in(connection: Connection, items: list[SqlRow]) -> int:
    """Those that are not here already, and that nobody is asked here in the same words; answers how many."""
    return sum(connection.run(f"{_INSERT} ON CONFLICT DO NOTHING", row) for row in items)


def item(connection: Connection, space: str, item_id: str) -> ReviewItem | None:
    rows = connection.rows("SELECT item FROM review WHERE space = ? AND id = ?", (space, item_id))
    return _item(rows[0][0], space) if rows else None


def items(connection: Connection, space: str, which: ReviewFilter) -> list[ReviewItem]:
    conditions, params = ["space = ?"], list[Any]([space])
    for column, wanted in (("kind", which.kinds), ("status", which.statuses)):
        if wanted is not None:
            conditions.append(f"{column} IN ({', '.join('?' * len(wanted))})")
            params += [one.value for one in wanted]
    sql = f"""SELECT item FROM review WHERE {" AND ".join(conditions)}
        ORDER BY status NOT IN {_OPEN}, CASE WHEN status IN {_OPEN} THEN rank ELSE -updated_at END, place
        LIMIT ? OFFSET ?"""
    return [_item(row[0], space) for row in connection.rows(sql, (*params, which.limit, which.offset))]


def turn_item(
    connection: Connection, space: str, item_id: str, step: Callable[[ReviewItem], ReviewItem]
) -> ReviewItem | None:
    before = item(connection, space, item_id)
    if before is None:
        return None
    after = step(before)
    sql = """UPDATE review SET kind = ?, status = ?, rank = ?, key = ?, updated_at = ?, concerns = ?, item = ?
        WHERE space = ? AND id = ?"""
    connection.run(sql, (*_columns(after), space, item_id))
    if after.ended:
        _drop_oldest(connection, space)
    return after


def _drop_oldest(connection: Connection, space: str) -> None:
    """Not of what was dismissed: by that it is known that nobody wants to be asked again."""
    kept = f"""SELECT place FROM review WHERE space = ? AND status NOT IN {_STANDING}
        ORDER BY updated_at DESC, place DESC LIMIT {FOREVER} OFFSET ?"""
    connection.run(f"DELETE FROM review WHERE space = ? AND place IN ({kept})", (space, space, limits.REVIEWS_ENDED))


def count_items(connection: Connection, space: str) -> dict[tuple[ReviewKind, ReviewStatus], int]:
    sql = "SELECT kind, status, COUNT(*) FROM review WHERE space = ? GROUP BY kind, status"
    return {(ReviewKind(kind), ReviewStatus(status)): count for kind, status, count in connection.rows(sql, (space,))}


def let_go(connection: Connection, space: str, gone: Iterable[str]) -> None:
    """What a purge of these takes from here: all that names one of them."""
    for one in gone:
        connection.run("DELETE FROM review WHERE space = ? AND INSTR(concerns, ?) > 0", (space, one))
        connection.run("DELETE FROM found_cluster WHERE space = ? AND INSTR(memory_ids, ?) > 0", (space, one))


def _columns(item: ReviewItem) -> tuple[Any, ...]:
    about = (item.kind.value, item.status.value, item.urgency.rank, item.key, to_micros(item.updated_at))
    return (*about, canonical(list(item.concerns)), canonical(encode(item)))


def _item(text: str, space: str) -> ReviewItem:
    return decode(ReviewItem, json.loads(text), space=space)


class SqlTending:
    """Upkeep on any engine that gives transactions to read and to write in: each step is one of its own."""

    def __init__(self, reading: Transaction, writing: Transaction) -> None:
        self._reading = reading
        self._writing = writing

    def run(self, space: str) -> UpkeepRun | None:
        with self._reading(space) as connection:
            return run(connection, space)

    def turn_run(self, space: str, step: Callable[[UpkeepRun | None], UpkeepRun | None]) -> UpkeepRun | None:
        with self._writing(space) as connection:
            return turn_run(connection, space, step)

    def keep_clusters(self, space: str, clusters: Iterable[FoundCluster], now: datetime) -> None:
        with self._writing(space) as connection:
            keep_clusters(connection, space, clusters, now)

    def cluster(self, space: str, cluster_id: str) -> FoundCluster | None:
        with self._reading(space) as connection:
            return cluster(connection, space, cluster_id)

    def put(self, items: Sequence[ReviewItem]) -> list[ReviewItem]:
        with self._writing(items[0].space if items else None) as connection:
            return put(connection, items)

    def item(self, space: str, item_id: str) -> ReviewItem | None:
        with self._reading(space) as connection:
            return item(connection, space, item_id)

    def items(self, space: str, which: ReviewFilter) -> list[ReviewItem]:
        with self._reading(space) as connection:
            return items(connection, space, which)

    def turn_item(self, space: str, item_id: str, step: Callable[[ReviewItem], ReviewItem]) -> ReviewItem | None:
        with self._writing(space) as connection:
            return turn_item(connection, space, item_id, step)

    def count_items(self, space: str) -> dict[tuple[ReviewKind, ReviewStatus], int]:
        with self._reading(space) as connection:
            return count_items(connection, space)
