"""LongMem's tools: collections are spaces, what is latest is current, and what was filed there comes back as it was."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.conftest import HandClock
from tests.recall.hashing import Hashing

import treering
from treering.door import Treering
from treering.errors import CallerError, NotFound
from treering.faces.dialects import DIALECTS
from treering.model.namespaces import space_of
from treering.model.time import to_text

LONGMEM = DIALECTS["longmem"]
REQUIRED = "required"
PEOPLE = "People:A"

PARAMETERS: dict[str, dict[str, Any]] = {
    "remember": {
        "content": REQUIRED, "at": None, "session": None, "speaker": None, "container_tag": None, "metadata": {},
        "collection": "default",
    },
    "store_memory": {
        "text": REQUIRED, "collection": "default", "importance": 0.7, "category": "other", "source": "api",
        "metadata": {}, "container_tag": None,
    },
    "search_memory": {
        "query": REQUIRED, "collection": None, "limit": 5, "min_score": 0.3, "mode": "hybrid", "category": None,
        "metadata_filter": None, "container_tag": None,
    },
    "get_memory": {"memory_id": REQUIRED, "collection": None, "include_deleted": False},
    "list_collections": {},
    "related_memory": {"memory_id": REQUIRED, "collection": None, "limit": 5},
    "what_changed": {"collection": REQUIRED, "since": None, "limit": 20},
    "collection_health": {"collection": REQUIRED},
    "summarize_collection": {"collection": REQUIRED},
    "find_duplicates": {"collection": REQUIRED, "threshold": 0.88, "limit": 20},
    "archive_stale": {"collection": REQUIRED, "dry_run": True, "limit": None},
    "restore_memory": {"memory_id": REQUIRED, "collection": None},
}  # fmt: skip


@pytest.fixture
def door(clock: HandClock) -> Treering:
    return treering.open(":memory:", clock=clock, actor="ann", space="lab")


def ask(door: Treering, name: str, **given: Any) -> dict[str, Any]:
    return LONGMEM.answer(door, name, given)


def store(door: Treering, text: str, **more: Any) -> str:
    return str(ask(door, "store_memory", text=text, collection=PEOPLE, **more)["id"])


def test_there_are_its_tools_with_their_parameters() -> None:
    told = {
        name: {
            parameter: REQUIRED if field.is_required() else field.get_default(call_default_factory=True)
            for parameter, field in tool.arguments.model_fields.items()
        }
        for name, tool in LONGMEM.tools.items()
    }
    assert told == PARAMETERS
    for tool in LONGMEM.tools.values():
        Draft202012Validator.check_schema(tool.schema())


def test_what_is_stored_comes_back_as_it_was_filed(door: Treering, clock: HandClock) -> None:
    stored = ask(
        door,
        "store_memory",
        text="Alex works at Stripe",
        collection=PEOPLE,
        category="work",
        metadata={"k": 1},
        extra=2,
    )
    at = to_text(door.get(stored["id"], space=space_of(PEOPLE)).recorded_at)
    assert stored == {
        "id": stored["id"],
        "text": "Alex works at Stripe",
        "type": "fact",
        "importance": 0.7,
        "category": "work",
        "source": "api",
        "container_tag": None,
        "metadata": {"k": 1, "extra": 2},
        "collection": PEOPLE,
        "is_latest": True,
        "archived": False,
        "expires_at": None,
        "created_at": at,
        "updated_at": at,
    }
    assert ask(door, "get_memory", memory_id=stored["id"]) == stored
    assert ask(door, "get_memory", memory_id=stored["id"], collection=PEOPLE) == stored


def test_a_search_finds_what_is_true_now_in_one_collection_or_all(door: Treering) -> None:
    old = store(door, "Alex works at Google", category="work", container_tag="u1", metadata={"k": 1})
    new = door.revise(old, "Alex works at Stripe", space=space_of(PEOPLE)).id
    other = ask(door, "store_memory", text="Alex is also a town", collection="places")["id"]
    found = ask(door, "search_memory", query="where does Alex work?")
    assert {one["id"] for one in found["results"]} == {new, other}
    assert found["count"] == 2
    assert [one["id"] for one in ask(door, "search_memory", query="Alex", collection=PEOPLE)["results"]] == [new]
    for wish in (
        {"category": "work"},
        {"container_tag": "u1"},
        {"metadata_filter": {"k": 1}},
        {"mode": "text", "limit": 1},
    ):
        assert ask(door, "search_memory", query="Alex works", **wish)["results"][0]["id"] == new
    assert ask(door, "search_memory", query="Alex", metadata_filter={"k": 2})["count"] == 0
    assert ask(door, "search_memory", query="Alex", mode="vector")["count"] == 0  # nobody reads this store for meaning
    assert not ask(door, "get_memory", memory_id=old)["is_latest"]


@pytest.fixture
def read(clock: HandClock) -> Treering:
    """A door whose memories are read for meaning."""
    return treering.open(":memory:", clock=clock, actor="ann", space="lab", embedder=Hashing())


def test_a_search_is_by_meaning_by_words_or_by_both(read: Treering) -> None:
    best, second, _ = (
        store(read, text) for text in ("The sloop lies in the harbour", "A harbour at night", "Bread and jam")
    )
    asked = {"query": "harbour sloop", "collection": PEOPLE, "limit": 10}

    def found(**wish: Any) -> dict[str, float]:
        return {one["id"]: one["score"] for one in ask(read, "search_memory", **asked, **wish)["results"]}

    by_meaning, by_words = found(mode="vector", min_score=0), found(mode="text")
    assert list(by_words) == [best, second]
    assert by_meaning[best] > by_meaning[second]
    between = (by_meaning[best] + by_meaning[second]) / 2
    assert list(found(mode="vector", min_score=between)) == [best]
    assert found(mode="vector", min_score=1) == {}
    assert set(found(mode="hybrid", min_score=1)) == {best, second}  # the words speak for them


@pytest.mark.parametrize(
    "wish",
    [{"category": "rare"}, {"container_tag": "other"}, {"metadata_filter": {"n": 1}}, {"category": "x" * 100}],
)
@pytest.mark.parametrize("embedder", ["none", Hashing()])
def test_one_of_many_alike_is_found_by_what_it_was_filed_under(
    clock: HandClock, wish: dict[str, Any], embedder: Any
) -> None:
    with treering.open(":memory:", clock=clock, embedder=embedder) as door:
        filed = {"metadata": wish["metadata_filter"]} if "metadata_filter" in wish else wish
        one = store(door, "Kim planted a rose one day", **filed)
        for week in range(60):
            store(door, f"Kim planted a tulip in week {week}")
        found = ask(door, "search_memory", query="Which tulip did Kim plant?", collection=PEOPLE, **wish)
        assert [hit["id"] for hit in found["results"]] == [one]
        assert ask(door, "search_memory", query="Which tulip did Kim plant?", **wish, limit=200)["count"] == 1
        usual = ask(door, "search_memory", query="Which tulip did Kim plant?", category="other", limit=5)
        assert usual["count"] == 5
        by_words = ask(door, "search_memory", query="Which tulip did Kim plant?", mode="text", limit=5)
        assert by_words["count"] == 5  # though all memories have them
        assert ask(door, "search_memory", query="What about submarines?", **wish)["count"] == 0
        both = {"metadata_filter": {"n": 1}, "category": "rare"}
        assert ask(door, "search_memory", query="Which tulip did Kim plant?", **both)["count"] == 0


def test_what_changed_tells_an_update_by_the_id_that_stays(door: Treering) -> None:
    first = store(door, "Ann rows")
    for text in ("Ann sails", "Ann swims"):
        update = {"memory_id": first, "collection": PEOPLE, "text": text}
        route = next(one for one in LONGMEM.routes if one.method == "PUT" and "{memory_id}" in one.path)
        assert route(door, update)["id"] == first
    changes = ask(door, "what_changed", collection=PEOPLE)["changes"]
    assert [(one["text"], one["id"], one["related_id"]) for one in changes] == [
        ("Ann swims", first, first),
        ("Ann sails", first, first),
        ("Ann rows", first, None),
    ]
    assert ask(door, "get_memory", memory_id=first)["text"] == "Ann swims"
    [found] = ask(door, "search_memory", query="Ann")["results"]
    assert (found["id"], found["text"]) == (first, "Ann swims")


def test_what_updates_and_extends_is_related(door: Treering) -> None:
    old = store(door, "Alex works at Google")
    new = door.revise(old, "Alex works at Stripe", space=space_of(PEOPLE)).id
    more = store(door, "Alex is a PM at Stripe")
    door.link(more, new, "extends", space=space_of(PEOPLE))
    told = ask(door, "related_memory", memory_id=new)
    assert told["memory_id"] == new
    related = {one["id"]: (one["relation"], one["direction"]) for one in told["related"]}
    assert related == {old: ("updates", "outgoing"), more: ("extends", "incoming")}
    assert ask(door, "related_memory", memory_id=new, limit=1)["count"] == 1


def test_what_changed_since_a_time_is_told_with_what_it_replaced(door: Treering, clock: HandClock) -> None:
    old = store(door, "Alex works at Google")
    clock.advance(days=30)
    new = door.revise(old, "Alex works at Stripe", space=space_of(PEOPLE)).id
    told = ask(door, "what_changed", collection=PEOPLE)
    assert [(one["id"], one["change"], one["related_id"]) for one in told["changes"]] == [(new, "updated", old)]
    every = ask(door, "what_changed", collection=PEOPLE, since="2025-01-01")
    assert [(one["id"], one["change"]) for one in every["changes"]] == [(new, "updated"), (old, "added")]


def test_collections_are_counted_summed_up_and_kept_in_order(door: Treering, clock: HandClock) -> None:
    store(door, "Alex works at Stripe")
    store(door, "Alex works at Stripe.")
    [listed] = ask(door, "list_collections")["collections"]
    assert (listed["name"], listed["count"], listed["archived_count"]) == (PEOPLE, 2, 0)
    health = ask(door, "collection_health", collection=PEOPLE)
    assert (health["total"], health["latest"], health["outdated"]) == (2, 2, 0)
    assert "Alex works at Stripe" in ask(door, "summarize_collection", collection=PEOPLE)["summary"]
    assert ask(door, "find_duplicates", collection=PEOPLE)["count"] == 1
    clock.advance(days=200)
    shown = ask(door, "archive_stale", collection=PEOPLE)
    assert (shown["dry_run"], shown["archived"], shown["count"]) == (True, 0, 2)
    assert ask(door, "archive_stale", collection=PEOPLE, dry_run=False)["archived"] == 2
    [listed] = ask(door, "list_collections")["collections"]
    assert (listed["count"], listed["archived_count"]) == (0, 2)


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("store_memory", {"text": ""}, "text:"),
        ("store_memory", {"text": "x" * 10_001}, "at most 10000 characters"),
        ("store_memory", {"text": "x", "importance": 1.5}, "importance:"),
        ("search_memory", {"query": "x", "limit": 0}, "limit:"),
        ("search_memory", {"query": "x", "mode": "magic"}, "mode:"),
        ("get_memory", {"memory_id": "x"}, "there is no memory 'x' in any collection"),
        ("what_changed", {"collection": "nobody"}, "there is no collection 'nobody'"),
        ("collection_health", {"collection": "nobody"}, "there is no collection 'nobody'"),
        ("archive_stale", {}, "collection: field required"),
        ("collection_health", {"collection": "X" * 80}, "collection: 'XXX"),
        ("search_memory", {"query": "x", "collection": "X" * 80}, "collection: 'XXX"),
        ("store_memory", {"text": " "}, "text: is empty"),
        ("store_memory", {"text": "x", "metadata": {"x": "y" * 70_000}}, "metadata: "),
    ],
)
def test_an_error_says_what_was_wrong(name: str, given: dict[str, Any], told: str, door: Treering) -> None:
    with pytest.raises(CallerError) as refused:
        ask(door, name, **given)
    assert told in LONGMEM.fault(refused.value)["detail"]
    assert LONGMEM.fault(NotFound("x")) == {"detail": "x"}
