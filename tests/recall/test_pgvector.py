"""Does recall find the same where pgvector measures what is near? The same talk in SQLite, whose vectors are in memory,
and in a PostgreSQL with pgvector; what is small enough to be compared whole elsewhere is asked of the server here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from tests.conftest import START, HandClock, open_pglite, pglite_url
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.mind.minds import Minds
from treering.model.memory import View
from treering.recall import fuse, semantic
from treering.recall.index import distant
from treering.store.contract import MemoryFilter, Scope
from treering.store.postgres import PostgresStore, meaning
from treering.store.postgres.reader import PostgresReader
from treering.store.sqlite import SqliteStore

WHO = ("Ann", "Ben", "Cleo", "Dov")
DOES = ("bakes", "sells", "paints", "repairs", "collects", "forgets", "borrows")
WHAT = ("bread", "clocks", "boats", "maps", "chairs", "stamps", "kites", "violins", "lamps")
WHERE = ("in Rome", "at home", "by the sea", "in winter", "at school")
QUESTIONS = (
    "Who repairs clocks by the sea?",
    "What does Cleo collect?",
    "violins in winter",
    "Who sells boats in Rome?",
    "maps",
    "What was borrowed at school?",
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few are compared whole that the server is asked."""
    monkeypatch.setattr(distant, "EXACT_UP_TO", 20)
    monkeypatch.setattr(semantic, "WHOLE_UP_TO", 20)
    monkeypatch.setattr(fuse, "WEIGH_ALL_UP_TO", 20)


@pytest.fixture
def measuring() -> Iterator[PostgresStore]:
    pglite_url()
    store = open_pglite(vectors="pgvector", graph="sql")
    assert isinstance(store, PostgresStore)
    yield store
    store.close()


def door(store: Any, clock: HandClock, actor: str = "ann") -> Treering:
    return Treering(store, clock=clock, actor=actor, space="lab", minds=Minds(Hashing()))


def talk(mem: Treering, clock: HandClock, count: int = 90) -> list[str]:
    ids = []
    for number in range(count):
        words = (WHO[number % 4], DOES[number % 7], WHAT[number % 9], WHERE[number % 5])
        ids.append(
            mem.add(
                f"{' '.join(words)}. It was the {number}th time",
                session=f"s{number // 15}",
                tags=["late"] if number % 3 else [],
                event_time=START - timedelta(days=number),
            ).id
        )
        clock.advance(minutes=1)
    return ids


def hits(mem: Treering, question: str, **more: Any) -> list[tuple[str, float]]:
    return [(hit.memory.content, round(hit.score, 3)) for hit in mem.recall(question, limit=8, **more)]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the server was asked for the nearest, and in which way."""
    counted: Counter[str] = Counter()

    def count(name: str) -> None:
        ask = getattr(PostgresReader, name)

        def counting(self: PostgresReader, *given: Any, **more: Any) -> Any:
            counted[name] += 1
            return ask(self, *given, **more)

        monkeypatch.setattr(PostgresReader, name, counting)

    for name in ("nearest", "nearest_without"):
        count(name)
    return counted


@pytest.mark.parametrize(
    "left_out",
    [pytest.param(0, id="by the filter", marks=pytest.mark.slow), pytest.param(2_000, id="by what is left out")],
)
def test_recall_finds_the_same_whether_pgvector_or_an_index_in_memory_measures(
    small: None, measuring: PostgresStore, asked: Counter[str], left_out: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distant, "LEFT_OUT", left_out)
    doors = []
    for store in (SqliteStore(":memory:"), measuring):
        clock = HandClock()
        mem = door(store, clock)
        ids = talk(mem, clock)
        mem.forget(ids[7])
        mem.revise(ids[11], "Dov gave his kites away")
        mem.add("Ann bakes bread in secret", visibility="private")
        doors.append((mem, door(store, clock, "bob")))
    measuring.index_meanings("hashing@64", 64)
    assert measuring.describe()["vectors"] == "pgvector"
    for question in QUESTIONS:
        for ours, theirs in zip(*doors, strict=True):
            assert hits(ours, question) == hits(theirs, question), question
        for more in (
            {"tags": ["late"]},
            {"view": "history"},
            {"as_of": START - timedelta(days=40)},
            {"known_at": START + timedelta(minutes=60)},
        ):
            assert hits(doors[0][0], question, **more) == hits(doors[1][0], question, **more), (question, more)
    assert asked["nearest_without" if left_out else "nearest"] > 20
    doors[0][0]._store.close()


def test_the_filter_is_inside_the_search_so_that_what_is_left_is_found_among_very_many_others(
    measuring: PostgresStore, clock: HandClock
) -> None:
    mem = door(measuring, clock)
    ids = talk(mem, clock)
    measuring.index_meanings("hashing@64", 64)
    vector = Hashing().embed_question("Ann bakes bread in Rome").tolist()
    with measuring.reader(Scope("lab", clock.now, principal="ann")) as reader:
        few = MemoryFilter(view=View.ALL, ids=tuple(ids[80:]))
        found = reader.nearest("hashing@64", vector, few, 5)  # type: ignore[attr-defined]
        exactly = reader.nearest("hashing@64", vector, few, 5, whole=True)  # type: ignore[attr-defined]
        plans = _plans_of_the_nearest(measuring, vector)
    assert [one for one, _ in found] == [one for one, _ in exactly]
    assert len(found) == 5
    assert all("meaning_near_" in plan for plan in plans)


def _plans_of_the_nearest(store: PostgresStore, vector: list[float]) -> list[str]:
    with store._reading("lab") as connection:
        text = "'[" + ",".join(map(str, vector)) + "]'"
        sql = meaning.Nearest("hashing@64", 64, text, 5, by_index=True)
        plans = [
            connection.rows_under(meaning.SCANNING, f"EXPLAIN {one}", ())
            for one in (sql.under("TRUE", ""), sql.of_all(""))
        ]
        assert connection.rows("SHOW enable_sort") == [("on",)]
    return ["\n".join(row[0] for row in plan) for plan in plans]


@pytest.mark.slow
def test_cosines_are_those_of_the_packed_vectors_but_for_the_halves_of_the_question(
    measuring: PostgresStore, clock: HandClock
) -> None:
    mem = door(measuring, clock)
    talk(mem, clock, 12)
    question = Hashing().embed_question("Who sells boats?")
    local = SqliteStore(":memory:")
    again = HandClock()
    talk(door(local, again), again, 12)
    with measuring.reader(Scope("lab", clock.now, principal="ann")) as reader:
        told = reader.nearest("hashing@64", question.tolist(), MemoryFilter(view=View.ALL), 12, whole=True)  # type: ignore[attr-defined]
        said = {one.id: one.content for one in reader.memories(MemoryFilter(view=View.ALL))}
    ours = door(local, again)._finder.nearest(Scope("lab", again.now, principal="ann"), "hashing@64", [question], 12)[0]
    with local.reader(Scope("lab", again.now, principal="ann")) as reader:
        ours_said = {one.id: one.content for one in reader.memories(MemoryFilter(view=View.ALL))}
    assert [said[one] for one, _ in told] == [ours_said[one] for one, _ in ours]
    assert np.allclose([cosine for _, cosine in told], [cosine for _, cosine in ours], atol=1e-4)
    local.close()


def test_what_is_purged_or_read_anew_goes_from_pgvector_too(measuring: PostgresStore, clock: HandClock) -> None:
    mem = door(measuring, clock)
    ids = talk(mem, clock, 6)
    count = _counting(measuring)
    assert count() == 6
    mem.purge(ids[0], "asked")
    assert count() == 5
    measuring.drop_vectors("lab", "hashing@64")
    assert count() == 0
    assert mem.verify().ok


def _counting(store: PostgresStore) -> Callable[[], int]:
    def count() -> int:
        with store._reading("lab") as connection:
            return int(connection.rows("SELECT COUNT(*) FROM meaning")[0][0])

    return count


def test_vectors_that_pgvector_lost_are_told_of_and_mended(measuring: PostgresStore, clock: HandClock) -> None:
    mem = door(measuring, clock)
    talk(mem, clock, 6)
    with measuring._writing("lab") as connection:
        connection.run("DELETE FROM meaning WHERE place % 2 = 0")
    assert [str(one) for one in mem.verify().differences] == ["lab: meaning None: 3 vectors are not with pgvector"]
    assert mem.doctor(repair=True).ok
    assert _counting(measuring)() == 6


def test_what_was_kept_before_pgvector_was_there_is_taken_over(clock: HandClock) -> None:
    pglite_url()
    before = open_pglite(vectors="local", graph="sql")
    talk(door(before, clock), clock, 6)
    before.close()
    store = open_pglite(vectors="auto", graph="sql")
    assert isinstance(store, PostgresStore)
    assert store.describe()["vectors"] == "pgvector"
    assert _counting(store)() == 6
    store.close()


@pytest.mark.slow
def test_what_is_at_hand_is_bounded(
    small: None, measuring: PostgresStore, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distant, "MOST_AT_HAND", 30)
    mem = door(measuring, clock)
    talk(mem, clock)
    first = [hits(mem, question) for question in QUESTIONS]
    held = mem._finder._cache._kept["lab", "hashing@64"].cached
    assert held is not None
    full = held.index.vectors
    assert full is not None
    assert len(full.whole) > 30
    assert [hits(mem, question) for question in QUESTIONS] == first
    assert held.index.vectors is not full, "nothing was let go of"
    assert held.index.vectors is not None
    assert len(held.index.vectors) == len(full) == 90


def test_a_large_space_that_is_asked_about_gets_an_index_beside_the_questions(
    small: None, measuring: PostgresStore, clock: HandClock
) -> None:
    mem = door(measuring, clock)
    talk(mem, clock, 40)
    first = hits(mem, QUESTIONS[0])
    assert measuring._errands.done(30.0)
    assert measuring._engines.indexed == {("hashing@64", 64)}
    assert hits(mem, QUESTIONS[0]) == first
