"""Which standby may answer? One that has come as far as the primary had when the question was asked.

The primary tells where the space's journal ends, which is one row; all else is read from a standby that has it too.
So whoever reads finds every write that was acknowledged before, by any process, however far a standby lags behind: if
none has come so far, the primary answers.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from itertools import count

import psycopg

from treering.errors import Unavailable
from treering.store.postgres.connection import Opening, PostgresConnection
from treering.store.postgres.pool import PostgresPool
from treering.store.sql.tables import SqlRow

LEFT_ALONE_SECONDS = 30.0
"""One that does not answer is not asked again for so long."""


class Standbys:
    def __init__(self, urls: tuple[str, ...], factory: type[PostgresConnection], most: int) -> None:
        self._pools = [PostgresPool(url, factory, most) for url in urls]
        self._not_before = [0.0] * len(urls)
        self._turn = count()
        self.answered = 0
        """How many questions they took from the primary."""

    def __len__(self) -> int:
        return len(self._pools)

    def begin(self, stack: ExitStack, opening: Opening, head: SqlRow) -> PostgresConnection | None:
        """A transaction on one of them, which ends with the stack. It looks for its own end of the journal first."""
        first = next(self._turn)
        for place in range(len(self._pools)):
            number = (first + place) % len(self._pools)
            if time.monotonic() < self._not_before[number]:
                continue
            own = ExitStack()
            try:
                connection, found = own.enter_context(self._pools[number].transaction(opening))
            except (psycopg.Error, Unavailable):
                self._not_before[number] = time.monotonic() + LEFT_ALONE_SECONDS
                continue
            if found is not None and (found[0] > head[0] or found == head):
                stack.push(own)
                self.answered += 1
                return connection
            own.close()
        return None

    def close(self) -> None:
        for pool in self._pools:
            pool.close()
