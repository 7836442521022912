"""Does a walk from memory come to the same as one that asks the store? Dense random histories of closings, reopenings,
forgetting, merges, secrets, late facts and purges, followed entry by entry, and walks at random moments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from tests.property.drawing import PRINCIPALS, Op, Question, Ref, at
from tests.property.twins import Twins, pair

from treering.graph.atlas import Atlas
from treering.graph.index import adjacency
from treering.graph.index.adjacency import Adjacency
from treering.graph.paths import PathLimits, paths
from treering.graph.walk import Trail, WalkLimits, by_steps, graph
from treering.model.edge import Direction
from treering.store.contract import Reader, Scope, Ways

SPACE = "acme"
NAMES = ("Ann", "Ben", "Acme", "Berlin", "Zoë", "Cy")
RELATIONS = ("KNOWS", "USES", "LIVES_IN", "WORKS_FOR")
LINKS = ("contradicts", "supports", "derived_from", "related_to")
WALKED = (None, ("KNOWS", "LIVES_IN"), ("contradicts",), ("about_entity", "supports", "WORKS_FOR"))


def some_op(rng: Random, kinds: list[str]) -> Op:
    """One more thing that happens, about few enough things that they meet."""
    memory, other, edge = (Ref(kind, rng.randrange(60)) for kind in ("memory", "memory", "edge"))
    window: dict[str, Any] = {"valid_from": at(rng.randrange(-4, 8))}
    if rng.random() < 0.4:
        window["valid_until"] = max(window["valid_from"], at(rng.randrange(0, 9), rng.choice((0, 0, 1))))
    fact = {"subject": rng.choice(NAMES), "relation": rng.choice(RELATIONS), "object": rng.choice(NAMES), **window}
    secret = {"visibility": "private", "visible_to": rng.choice(([], ["ben"]))} if "secret" in kinds else {}
    told = {"content": f"Thing {rng.randrange(9)}", "entities": rng.sample(NAMES, 2), "triples": [fact]}
    ops: dict[str, Callable[[], tuple[str, dict[str, Any]]]] = {
        "add": lambda: ("add", told),
        "secret": lambda: ("add", {**told, **secret}),
        "secret change": lambda: (
            "remember",
            {"drafts": [{**told, "triples": [{**fact, "relation": "LIVES_IN"}]}]} | secret,
        ),
        "change": lambda: ("remember", {"drafts": [{**told, "triples": [{**fact, "relation": "LIVES_IN"}]}]}),
        "fact": lambda: ("assert_fact", {**fact, **({"memory_id": memory} if rng.random() < 0.5 else {})}),
        "link": lambda: ("link", {"source": memory, "target": other, "relation": rng.choice(LINKS)}),
        "close": lambda: ("invalidate", {"edge": edge, "at": at(rng.randrange(-2, 9))}),
        "reopen": lambda: ("reopen", {"edge": edge}),
        "forget": lambda: ("forget", {"id": rng.choice((memory, edge))}),
        "restore": lambda: ("restore", {"id": rng.choice((memory, edge))}),
        "merge": lambda: ("entity_merge", {"entity": rng.choice(NAMES), "into": rng.choice(NAMES)}),
        "split": lambda: ("entity_split", {"entity_id": Ref("entity", rng.randrange(60))}),
        "purge": lambda: ("purge", {"id": memory, "why": "asked"}),
        "clock": lambda: ("clock", {"hours": rng.choice((1, 1, 2, -1)), "micros": rng.choice((0, 1))}),
    }
    name, arguments = ops[rng.choice(kinds)]()
    return Op(name, arguments, SPACE, rng.choice(("ann", "ben")))


def kinds_of(rng: Random) -> list[str]:
    """What happens in one history: not everything in each, since some things keep the index from answering."""
    often = ("add", "add", "fact", "fact", "link", "close")
    return [
        *often,
        *often,
        *("change", "reopen", "forget", "restore", "clock"),
        *rng.choice(([], ["secret", "secret change"])),
        *rng.choice(([], [], ["merge", "merge", "split"])),
        *rng.choice(([], ["purge"])),
    ]


def routes(rng: Random) -> Iterator[WalkLimits]:
    for direction in Direction:
        closed = rng.random() < 0.3
        yield WalkLimits(Ways(direction, None, closed), depth=3, limit=1_000)
        yield WalkLimits(Ways(direction, rng.choice(WALKED)), depth=rng.randrange(1, 9), limit=rng.randrange(1, 9))


def compare(twins: Twins, atlases: dict[str, Atlas], scope: Scope, rng: Random, starts: int) -> None:
    """Every way of walking, from some nodes."""
    known = [*twins.known.ids("memory"), *twins.known.ids("entity")]
    with twins.first.reader(scope) as right:
        asked = [
            (_whole(right, one), route) for one in rng.sample(known, min(starts, len(known))) for route in routes(rng)
        ]
        trails = [by_steps(right, SPACE, start, route) for start, route in asked]
    for name, store in twins.stores.items():
        with store.reader(scope) as reader:
            for (start, route), trail in zip(asked, trails, strict=True):
                assert by_steps(reader, SPACE, start, route) == trail, (name, scope, start, route)
                assert atlases[name](reader, SPACE, start, route) == trail, (name, scope, start, route)


def _whole(reader: Reader, one: str) -> str:
    entity = reader.entity(one)
    return one if entity is None else entity.id


def live(seed: int, length: int, twins: Twins | None = None) -> None:
    rng = Random(seed)
    kinds, twins = kinds_of(rng), twins or pair(":memory:")
    atlases = {name: Atlas(store, patience=0) for name, store in twins.stores.items()}
    try:
        for number in range(length):
            twins.run(some_op(rng, kinds))
            if number % 4 == 3:
                now = Scope(SPACE, twins.clock.now, principal=rng.choice(PRINCIPALS))
                compare(twins, atlases, now, rng, 2)
        for _ in range(12):
            known_at = rng.choice((None, None, None, rng.randrange(40)))
            question = Question(
                rng.randrange(60), known_at, rng.choice(PRINCIPALS), False, SPACE, (rng.choice((0, -1, 1)), 0)
            )
            compare(twins, atlases, twins.scope(question), rng, 4)
            _compare_answers(twins, twins.scope(question), rng)
    finally:
        twins.close()


def _compare_answers(twins: Twins, scope: Scope, rng: Random) -> None:
    """The whole answers, as the door gives them."""
    a, b = rng.sample(NAMES, 2)
    told = []
    for store in twins.stores.values():
        with store.reader(scope) as reader:
            told.append(
                (
                    _outcome(lambda r=reader: graph(r, a, WalkLimits(Ways(Direction.BOTH), 2, 50))),
                    _outcome(lambda r=reader: paths(r, a, b, PathLimits(None, 4, 5))),
                )
            )
    assert told[0] == told[1], scope


def _outcome(do: Callable[[], Any]) -> Any:
    from treering.errors import TreeringError

    try:
        return do()
    except TreeringError as error:
        return f"{type(error).__name__}: {error}"


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many walks the index answered, and how many edges they crossed."""
    counted: Counter[str] = Counter()
    walk = Adjacency.walk

    def counting(self: Adjacency, *asked: Any) -> Trail:
        trail = walk(self, *asked)
        counted["walks"] += 1
        counted["edges"] += len(trail.edge_ids)
        return trail

    monkeypatch.setattr(Adjacency, "walk", counting)
    return counted


def few_or(many: int) -> pytest.MarkDecorator:
    """So many histories: one or two at every change, all of them in the slow group."""
    few = max(1, many // 4)
    slow = (pytest.mark.slow, pytest.mark.timeout(600))
    return pytest.mark.parametrize(
        "histories", [pytest.param(few, id="few"), pytest.param(many, id="many", marks=slow)]
    )


@few_or(8)
def test_a_walk_from_memory_comes_to_what_the_store_comes_to_after_any_history(
    walks: Counter[str], histories: int
) -> None:
    for seed in range(histories):
        live(seed, 40)
    assert walks["walks"] > 500 * histories // 8
    assert walks["edges"] > 1_000 * histories // 8


@few_or(3)
def test_what_came_later_is_put_in_order_with_what_was_there(monkeypatch: pytest.MonkeyPatch, histories: int) -> None:
    """With an index that puts every new edge in its place at once."""
    monkeypatch.setattr(adjacency, "SETTLE", 0)
    for seed in range(100, 100 + histories):
        live(seed, 48)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("first", range(1_000, 1_400, 40))
def test_a_walk_from_memory_comes_to_what_the_store_comes_to_after_long_histories(first: int) -> None:
    for seed in range(first, first + 40):
        live(seed, 100)
