"""What if the connection to the server breaks in the middle, or a statement fails? A fault at the Nth statement of
every write, for every N: all or nothing, as on a file. On a server, and on the one connection of an engine with
pgvector and Apache AGE, which must be in step with either.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Protocol

import psycopg
import pytest
from tests.conftest import pglite_url
from tests.pglite import Unprepared, out_of_step
from tests.postgres import databases
from tests.property.faults import MOST, WRITES, Ground, door_on, goes_on, ground, held_after, whole_of
from tests.property.killing import kill_and_look
from tests.property.twins import minting

from treering.errors import Fault, Unavailable
from treering.store.contract import Store, VectorRow
from treering.store.moving import move
from treering.store.postgres import PostgresStore
from treering.store.postgres.connection import PostgresConnection
from treering.store.sql.tables import Params, SqlRow
from treering.store.sqlite import SqliteStore

__all__ = ["ground"]


LOST, REFUSED, LATE = "the connection breaks at it", "it fails", "the connection breaks after its commit"
MANNERS = (LOST, REFUSED, LATE)


class Trapped(PostgresConnection):
    """Fails the Nth statement after it was set, of whatever connection. `LATE` counts commits only, and fails when they
    have been carried out: done, but nobody was told."""

    manner: ClassVar[str] = LOST
    left: ClassVar[int] = 0
    fired: ClassVar[str | None] = None

    @classmethod
    def set(cls, n: int, manner: str = LOST) -> None:
        Trapped.left, Trapped.fired, Trapped.manner = n, None, manner

    def _count(self, sql: str) -> None:
        Trapped.left -= 1
        if Trapped.left == 0:
            Trapped.fired = sql
            if self.manner == REFUSED:
                self.raw.execute("SELECT 1 / 0 AS injected")  # by the server, to which the transaction has failed
            self.raw.close()
            raise psycopg.OperationalError("the connection is lost (injected)")

    def _before(self, sql: str) -> None:
        if self.manner != LATE:
            self._count(sql)

    def run(self, sql: str, params: Params = ()) -> int:
        self._before(sql)
        return super().run(sql, params)

    def rows(self, sql: str, params: Params = ()) -> list[SqlRow]:
        self._before(sql)
        return super().rows(sql, params)

    def run_many(self, sql: str, rows: list[SqlRow]) -> None:
        self._before(sql)
        super().run_many(sql, rows)

    def stream(self, sql: str, params: Params = ()) -> Iterator[SqlRow]:
        self._before(sql)
        return super().stream(sql, params)

    def commit(self) -> None:
        self._before("COMMIT")
        super().commit()
        if self.manner == LATE:
            self._count("COMMIT")


def everything_in(store: Store) -> list[object]:
    """All that it holds, but for the places of vectors, which each engine counts in its own way."""
    return [
        tuple((part.thing_id, part.data) if isinstance(part, VectorRow) else part for part in one)
        if isinstance(one, tuple) and any(isinstance(part, VectorRow) for part in one)
        else one
        for one in whole_of(store)  # type: ignore[arg-type]
    ]


class Engine(Protocol):
    """Gives an empty store that fails when told to, again and again."""

    def empty(self) -> PostgresStore: ...

    def out_of_step(self, store: PostgresStore) -> list[str]:
        """What its extensions have not followed."""

    def give_back(self) -> None: ...


class OnServer:
    def empty(self) -> PostgresStore:
        self._url = databases().empty()
        return PostgresStore(self._url, "normal", Trapped)

    def out_of_step(self, store: PostgresStore) -> list[str]:
        """It has none."""
        return []

    def give_back(self) -> None:
        databases().give_back(self._url)


class TrappedAlone(Trapped, Unprepared):
    """The only one there is."""


class OnPglite:
    def empty(self) -> PostgresStore:
        return PostgresStore(pglite_url(), "normal", TrappedAlone, connections=1, vectors="pgvector", graph="age")

    def out_of_step(self, store: PostgresStore) -> list[str]:
        return out_of_step(store)

    def give_back(self) -> None:
        """It is emptied before it is used."""


class Trial:
    """One operation, tried again and again on a database that stands as it stood before."""

    def __init__(self, engine: Engine, ground: Ground) -> None:
        self._engine, self._ground = engine, ground
        self.store = self._filled()

    def _filled(self) -> PostgresStore:
        store = self._engine.empty()
        origin = SqliteStore(self._ground.path)
        assert move(origin, store).ok
        origin.close()
        return store

    def anew(self) -> None:
        self.close()
        self.store = self._filled()

    def close(self) -> None:
        Trapped.set(0)
        self.store.close()
        self._engine.give_back()


def try_all(engine: Engine, name: str, manner: str, ground: Ground, folder: Path) -> int:
    """How many faults there were; every one left all of it or nothing, and extensions in step with it."""
    act = WRITES[name]
    held_after(ground, act, folder)
    done = SqliteStore(folder / "after.db")
    after = everything_in(done)
    done.close()
    Trapped.set(0)
    trial = Trial(engine, ground)
    before = everything_in(trial.store)
    outcomes = set[int]()
    try:
        for n in range(1, MOST):
            Trapped.set(n, manner)
            try:
                with minting(900):
                    act(door_on(trial.store), ground)  # type: ignore[arg-type]
                if Trapped.fired is None:
                    break
            except (Unavailable, Fault):
                assert Trapped.fired is not None
            fired = Trapped.fired
            Trapped.set(0)
            now = everything_in(trial.store)
            assert now in (before, after), f"half of it after a fault at statement {n}: {fired}"
            outcomes.add((before, after).index(now))
            strayed = engine.out_of_step(trial.store)
            assert not strayed, f"{strayed} after a fault at statement {n}: {fired}"
            if now == after:
                trial.anew()
        Trapped.set(0)
        goes_on(door_on(trial.store))  # type: ignore[arg-type]
    finally:
        trial.close()
    assert ((before, after).index(after) if manner == LATE else 0) in outcomes  # some change nothing that can be seen
    return n - 1


def test_a_connection_that_breaks_at_any_statement_of_an_add_leaves_all_of_it_or_nothing(
    ground: Ground, tmp_path: Path
) -> None:
    assert try_all(OnServer(), "a write with vectors", LOST, ground, tmp_path) > 5


def test_a_fault_at_any_statement_leaves_pgvector_and_age_in_step_with_all_of_it_or_nothing(
    ground: Ground, tmp_path: Path
) -> None:
    assert try_all(OnPglite(), "a write with vectors", REFUSED, ground, tmp_path) > 5


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("engine", [OnServer, OnPglite])
@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("name", WRITES)
def test_a_fault_at_any_statement_leaves_all_of_it_or_nothing(
    name: str, manner: str, engine: type[Engine], ground: Ground, tmp_path: Path
) -> None:
    least = 2 if name in ("keep_vectors", "drop_vectors") else 5
    assert try_all(engine(), name, manner, ground, tmp_path) >= (1 if manner == LATE else least)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_nothing_acknowledged_is_lost_when_writers_to_a_database_are_killed(tmp_path: Path) -> None:
    url = databases().empty()
    try:
        kill_and_look(tmp_path, rounds=20, verify_every=5, seed=7, url=url)
    finally:
        databases().give_back(url)
