"""Would the histories notice? An off-by-one planted in either store's window tests is found by comparing them."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample
from tests.property.answers import Known, wide_answers
from tests.property.drawing import SPACES, START, Op, Ref, at
from tests.property.histories import Drawn, histories, live
from tests.property.twins import Different, Twins

from treering.model.time import MICROSECOND
from treering.store.contract import MemoryFilter, Reader, Scope, Store
from treering.store.reference import ReferenceStore
from treering.store.reference.edges import ReferenceEdges
from treering.store.reference.memories import ReferenceMemories
from treering.store.reference.visibility import ReferenceVisibility
from treering.store.sql import reader
from treering.store.sql import store as sql_store
from treering.store.sqlite import SqliteStore
from treering.store.sqlite.connection import SqliteConnection

# Histories in which everything happens exactly at the end of something else.
_FIRST = Ref("memory", 0)
BOUNDARIES: dict[str, list[Op]] = {
    "a fact that is closed and opened again": [
        Op(
            "assert_fact",
            {"subject": "Ann", "relation": "KNOWS", "object": "Ben", "valid_from": at(1), "valid_until": at(3)},
        ),
        Op("clock", {"hours": 1, "micros": 0}),
        Op("invalidate", {"edge": Ref("edge", 0), "at": at(2)}),
        Op("clock", {"hours": 1, "micros": 0}),
        Op("reopen", {"edge": Ref("edge", 0)}),
    ],
    "a memory that expires and is forgotten for a while": [
        Op("add", {"content": "tea at three", "event_time": at(-1), "expires_at": at(2), "entities": ["Ann"]}),
        Op("clock", {"hours": 1, "micros": 0}),
        Op("forget", {"id": _FIRST}),
        Op("clock", {"hours": 1, "micros": 0}),
        Op("restore", {"id": _FIRST}),
    ],
    "a memory that is superseded, and then is not": [
        Op("add", {"content": "Ann lives in Berlin", "entities": ["Ann"], "triples": [["Ann", "LIVES_IN", "Berlin"]]}),
        Op("clock", {"hours": 2, "micros": 0}),
        Op("revise", {"id": _FIRST, "content": "Ann lives in Rome", "event_time": at(1)}),
        Op("clock", {"hours": 1, "micros": 0}),
        Op("invalidate", {"edge": Ref("edge", -1), "at": at(3)}),
        Op("clock", {"hours": 1, "micros": 0}),
        Op("invalidate", {"edge": Ref("edge", -1), "at": at(1)}),
    ],
    "entities that are merged for a while": [
        Op("entity_register", {"name": "Ann"}),
        Op("clock", {"hours": 1, "micros": 0}),
        Op("entity_register", {"name": "Anna", "aliases": ["Annie"]}),
        Op("assert_fact", {"subject": "Anna", "relation": "USES", "object": "tea", "valid_from": at(0)}),
        Op("clock", {"hours": 1, "micros": 0}),
        Op("entity_merge", {"entity": "Anna", "into": "Ann"}),
        Op("clock", {"hours": 1, "micros": 0}),
        Op("entity_split", {"entity_id": Ref("entity", 1)}),
        Op("settings", {"changes": {"functional_relations": ["USES"]}}),
    ],
}

SQL_PLANTS = {
    "an edge still holds at its end": ("w.valid_until > :as_of", "w.valid_until >= :as_of"),
    "an edge does not hold yet at its beginning": ("e.valid_from <= :as_of", "e.valid_from < :as_of"),
    "a belief is held from after it was formed": ("known_from <= :known", "known_from < :known"),
    "a belief is still held when it is given up": ("known_until > :known", "known_until >= :known"),
    "a memory is still good when it expires": ("expires_at <= :as_of", "expires_at < :as_of"),
    "a memory does not hold yet at its beginning": ("m.valid_from <= :as_of", "m.valid_from < :as_of"),
    "a memory is known from after it was recorded": ("m.recorded_at <= :known", "m.recorded_at < :known"),
    "an edge is known from after it was recorded": ("e.recorded_at <= :known", "e.recorded_at < :known"),
    "a name is known from after it was recorded": ("a.recorded_at <= :known", "a.recorded_at < :known"),
    "a source is known from after it was recorded": ("o.recorded_at <= :known", "o.recorded_at < :known"),
    "an empty supersession replaces": ("w.valid_until > e.valid_from", "w.valid_until >= e.valid_from"),
    "since leaves out its own beginning": ("m.valid_from >= ", "m.valid_from > "),
    "until takes in its own end": ("m.valid_from < ", "m.valid_from <= "),
}

READER_PLANTS = {
    "a memory still stands when it is superseded": (
        "superseded_from <= self._bound.as_of",
        "superseded_from < self._bound.as_of",
    ),
    "a memory is still good when it expires": (
        "columns[_EXPIRES_AT] <= self._bound.as_of",
        "columns[_EXPIRES_AT] < self._bound.as_of",
    ),
}

_HOLDS = "edge.period.holds(self.moment.as_of)"
REFERENCE_PLANTS: dict[str, tuple[type, str, str]] = {
    "an edge still holds at its end": (ReferenceEdges, _HOLDS, f"({_HOLDS} or edge.valid_until == self.moment.as_of)"),
    "an edge does not hold yet at its beginning": (
        ReferenceEdges,
        _HOLDS,
        f"({_HOLDS} and edge.valid_from < self.moment.as_of)",
    ),
    "an entry is known from after it was written": (
        ReferenceVisibility,
        "if self.moment.knows(entry.at):",
        "if self.moment.known_at is None or entry.at < self.moment.known_at:",
    ),
    "a memory is still good when it expires": (
        ReferenceMemories,
        "record.expires_at <= as_of",
        "record.expires_at < as_of",
    ),
    "a memory still stands when it is superseded": (
        ReferenceMemories,
        "superseding[0].valid_from <= as_of",
        "superseding[0].valid_from < as_of",
    ),
    "a memory does not hold yet at its beginning": (
        ReferenceMemories,
        "memory.valid_from <= self.moment.as_of",
        "memory.valid_from < self.moment.as_of",
    ),
    "a supersession is over only after its end": (
        ReferenceMemories,
        "edge.valid_until <= self.moment.as_of",
        "edge.valid_until < self.moment.as_of",
    ),
    "since leaves out its own beginning": (
        ReferenceMemories,
        "memory.holds_from >= which.since",
        "memory.holds_from > which.since",
    ),
    "until takes in its own end": (
        ReferenceMemories,
        "memory.holds_from < which.until",
        "memory.holds_from <= which.until",
    ),
}


class Planted:
    """Statements are altered on their way to SQLite. `used` says that the text was met at all."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
        self.used = False
        honest = SqliteConnection.rows

        def rows(connection: SqliteConnection, sql: str, *params: object) -> object:
            self.used |= old in sql
            return honest(connection, sql.replace(old, new), *params)

        monkeypatch.setattr(SqliteConnection, "rows", rows)


def altered(module: types.ModuleType, old: str, new: str) -> types.ModuleType:
    """A module from source in which a piece of text stands otherwise."""
    source = inspect.getsource(module)
    assert old in source, f"{old!r} is no longer how {module.__name__} says it; plant the fault anew"
    made = types.ModuleType(f"altered_{module.__name__}")
    sys.modules[made.__name__] = made  # dataclasses look themselves up
    exec(compile(source.replace(old, new), made.__name__, "exec"), vars(made))
    return made


def _narrow(asked: Reader, known: Known) -> Iterator[tuple[str, object]]:
    """Fewer questions, so that every moment can be asked."""
    yield from wide_answers(asked, known)
    yield "names", [asked.entities(name) for name in ("Ann", "Anna", "annie")]
    yield "sources", [asked.source(one) for one in known.sources]
    for point in sorted(known.valid):
        yield f"since {point}", asked.memories(MemoryFilter(since=point))
        yield f"until {point}", asked.memories(MemoryFilter(until=point))


def compare_at_every_boundary(twins: Twins) -> None:
    valid, known = sorted({*twins.known.valid, *twins.known.known}), sorted(twins.known.known)
    for as_of, known_at in product(valid, (None, START - MICROSECOND, *known)):
        twins.compare(Scope(SPACES[0], twins.clock.now, as_of, known_at, "ann"), _narrow)


def live_through_boundaries(stores: dict[str, Store], ops: list[Op]) -> None:
    twins = Twins(stores)
    try:
        for op in ops:
            outcome = twins.run(_last_edge(twins, op))
            assert outcome.error is None, outcome
        compare_at_every_boundary(twins)
    finally:
        twins.close()


def _last_edge(twins: Twins, op: Op) -> Op:
    """A reference to edge -1 means the newest."""
    if op.args.get("edge") == Ref("edge", -1):
        return replace(op, args={**op.args, "edge": Ref("edge", len(twins.known.edges[op.space]) - 1)})
    return op


def _is_found(of_reference: Callable[[], Store]) -> bool:
    for ops in BOUNDARIES.values():
        try:
            live_through_boundaries({"reference": of_reference(), "sqlite": _sqlite()}, ops)
        except Different:
            return True
    return False


def _sqlite() -> Store:
    return SqliteStore(":memory:")


@pytest.mark.parametrize("name", BOUNDARIES)
def test_both_stores_agree_at_every_boundary(name: str) -> None:
    live_through_boundaries({"reference": ReferenceStore(), "sqlite": _sqlite()}, BOUNDARIES[name])


@pytest.mark.parametrize("plant", SQL_PLANTS)
def test_an_off_by_one_in_a_statement_is_caught(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = Planted(monkeypatch, *SQL_PLANTS[plant])
    assert _is_found(ReferenceStore)
    assert planted.used, "no statement says it so any more; plant the fault anew"


@pytest.mark.parametrize("plant", READER_PLANTS)
def test_an_off_by_one_in_what_is_made_of_rows_is_caught(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_store, "SqlReader", altered(reader, *READER_PLANTS[plant]).SqlReader)
    assert _is_found(ReferenceStore)


@pytest.mark.parametrize("plant", REFERENCE_PLANTS)
def test_an_off_by_one_in_the_reference_store_is_caught(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    part, old, new = REFERENCE_PLANTS[plant]
    otherwise = getattr(altered(sys.modules[part.__module__], old, new), part.__name__)
    for name, method in vars(otherwise).items():
        if inspect.isfunction(method):
            monkeypatch.setattr(part, name, method)
    assert _is_found(ReferenceStore)


_SEARCH = settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def _differ(drawn: Drawn) -> bool:
    twins = Twins({"reference": ReferenceStore(), "sqlite": _sqlite()})
    try:
        live(drawn, twins)
    except Different:
        return True
    finally:
        twins.close()
    return False


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "plant",
    [
        "a memory is still good when it expires",
        "a memory is known from after it was recorded",
        pytest.param("an edge still holds at its end", marks=pytest.mark.slow),
        pytest.param("a belief is held from after it was formed", marks=pytest.mark.slow),
    ],
)
def test_random_histories_find_the_off_by_one_too(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Planted(monkeypatch, *SQL_PLANTS[plant])
    try:
        find(histories(most=16), _differ, settings=_SEARCH)
    except NoSuchExample:
        pytest.fail(f"{_SEARCH.max_examples} histories did not notice that {plant}")
