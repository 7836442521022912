"""What answers on PostgreSQL where an extension is at hand? The shared reader, with nearness by pgvector and steps of a
walk by Apache AGE; whatever they cannot answer exactly, tables answer as everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from treering.store.contract import MemoryFilter, Reader, Scope
from treering.store.postgres import cypher, meaning
from treering.store.postgres.connection import PostgresConnection
from treering.store.postgres.engines import Engines
from treering.store.sql.bound import Where
from treering.store.sql.reader import SqlReader
from treering.store.sql.walking import Steps


class PostgresReader(SqlReader):
    def __init__(
        self, connection: PostgresConnection, scope: Scope, engines: Engines, all_seeing: bool = False
    ) -> None:
        super().__init__(connection, scope, all_seeing)
        self.connection, self._engines = connection, engines
        self.behind: set[str] = set()
        """Spaces whose mirror in AGE was found not to be where the journal is."""
        self.unindexed: set[tuple[str, int]] = set()
        """Embedders, with their dims, of whose vectors so many were compared that an index is wanted."""

    def all_seeing(self) -> Reader:
        return PostgresReader(self.connection, self._scope, self._engines, all_seeing=True)

    # meaning

    def packed(self, places: Sequence[int]) -> list[tuple[int, bytes]]:
        where = self._bound.where("v")
        # as text: to adapt them one by one takes longer than to find them
        where.add("v.place = ANY ({}::bigint[])", f"{{{','.join(map(str, places))}}}")
        return [
            (row[0], row[1])
            for row in self._bound.rows(f"SELECT v.place, v.data FROM embedding v WHERE TRUE{where}", where)
        ]

    def nearest(
        self, embedder: str, vector: Sequence[float], which: MemoryFilter, limit: int, whole: bool = False
    ) -> list[tuple[str, float]]:
        condition, where = self._in_view(which)
        spaces = f" AND {where.among('v.space_id', self._bound.names)}"
        halves = where.put(meaning.halves(vector))
        by_index = not whole and self._by_index(embedder, len(vector))
        asked = meaning.Nearest(embedder, len(vector), halves, limit, by_index)
        return self._asked(asked.under(condition, spaces), where, by_index)

    def nearest_without(
        self, embedder: str, vector: Sequence[float], without: Sequence[str], limit: int
    ) -> list[tuple[str, float]]:
        where = self._bound.where("v")
        if without:
            where.add("NOT (v.thing_id = ANY ({}))", list(without))
        halves = where.put(meaning.halves(vector))
        by_index = self._by_index(embedder, len(vector))
        asked = meaning.Nearest(embedder, len(vector), halves, limit, by_index)
        return self._asked(asked.of_all(str(where)), where, by_index)

    def _by_index(self, embedder: str, dims: int) -> bool:
        """If there is none yet it is noted that one is wanted."""
        if (embedder, dims) in self._engines.indexed:
            return True
        if dims <= meaning.MOST_DIMS:
            self.unindexed.add((embedder, dims))
        return False

    def _asked(self, sql: str, where: Where, by_index: bool) -> list[tuple[str, float]]:
        values = where.params
        rows = (
            self.connection.rows_under(meaning.SCANNING, sql, values) if by_index else self.connection.rows(sql, values)
        )
        return [(row[0], row[1]) for row in rows]

    # walks

    def _steps(self, space: str) -> Steps:
        number = self._bound.number(space)
        if self._engines.graph == "age" and number is not None and self._mirrored(space, number):
            return Steps(self._bound, self._entities, cypher.ByCypher(self.connection, number))
        return super()._steps(space)

    def _mirrored(self, space: str, number: int) -> bool:
        """Whether AGE knows exactly what this reader sees; asked once a space."""
        told = self._bound.told
        if (number, "mirror") not in told:
            in_step = cypher.is_in_step(self.connection, number, self.heads[space])
            if not in_step:
                self.behind.add(space)
            told[number, "mirror"] = in_step and cypher.serves(self._bound, number)
        return told[number, "mirror"]
