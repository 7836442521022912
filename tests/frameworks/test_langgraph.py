"""LangGraph puts, gets, searches and lists as with its own store, and nothing it overwrites or deletes is lost."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, GetOp, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

import treering
from treering.faces.frameworks.langgraph import TreeringRetriever, TreeringStore


def test_it_answers_as_langgraph_s_own_store(door: treering.Treering) -> None:
    """The same operations on both, and the same answers but for scores and times."""
    ours, theirs = TreeringStore(door), InMemoryStore()
    for store in (ours, theirs):
        store.put(("users", "Ann B"), "food", {"text": "Ann eats no meat", "stars": 5})
        store.put(("users", "Ann B"), "city", {"text": "Ann lives in Oslo", "stars": 3})
        store.put(("users", "bob"), "food", {"text": "Bob likes fish", "stars": 4, "tags": ["a", {"b": 1}]})
        store.put(("docs",), "1", {"text": "A doc"}, index=False)
        store.put(("users", "bob"), "gone", {"text": "x"})
        store.delete(("users", "bob"), "gone")
        store.delete(("users", "bob"), "never there")
        store.put(("users", "bob"), "food", {"text": "Bob likes meat", "stars": 2})

    def told(store: BaseStore) -> list[Any]:
        every = store.search(("users",), limit=100)
        return [
            sorted((tuple(one.namespace), one.key, one.value["text"], one.value["stars"]) for one in every),
            store.get(("users", "bob"), "food").value,  # type: ignore[union-attr]
            store.get(("users", "bob"), "gone"),
            sorted(one.key for one in store.search(("users",), filter={"stars": {"$gte": 3}})),
            [one.key for one in store.search(("users", "bob"), filter={"text": "Bob likes meat"})],
            len(store.search(("users",), limit=1, offset=1)),
            sorted(store.list_namespaces()),
            sorted(store.list_namespaces(prefix=("users",))),
            sorted(store.list_namespaces(suffix=("bob",))),
            sorted(store.list_namespaces(max_depth=1)),
            store.get(("users",), "food"),  # last: theirs lists a namespace that was only looked into
        ]

    assert told(ours) == told(theirs)


def test_a_search_with_words_finds_the_item_across_namespaces(door: treering.Treering) -> None:
    store = TreeringStore(door)
    store.put(("u", "1"), "a", {"text": "The cat is called Momo"})
    store.put(("u", "2"), "b", {"text": "The dog is called Rex"})
    store.put(("u", "2"), "c", {"text": "the dog sleeps"}, index=False)
    found = store.search(("u",), query="What is the dog called?")
    assert found[0].key == "b"
    assert found[0].score > 0
    assert "c" not in {one.key for one in found}
    assert all(one.key != "b" for one in store.search(("u", "1"), query="What is the dog called?"))


def test_what_was_overwritten_or_deleted_has_a_history(door: treering.Treering) -> None:
    store = TreeringStore(door)
    store.put(("a",), "k", {"v": 1})
    created = store.get(("a",), "k").created_at  # type: ignore[union-attr]
    store.put(("a",), "k", {"v": 2})
    store.put(("a",), "k", {"v": 2})
    again = store.get(("a",), "k")
    assert again is not None
    assert (again.value, again.created_at) == ({"v": 2}, created)
    store.delete(("a",), "k")
    assert store.get(("a",), "k") is None
    every = door.list(space="langgraph/a", view="all", limit=10)
    assert [one.state.value for one in every] == ["forgotten", "forgotten"]
    assert [one.meta["langgraph"]["value"]["v"] for one in every] == [1, 2], "and can be restored"


def test_batches_and_asyncio(door: treering.Treering) -> None:
    store = TreeringStore(door)

    async def work() -> Any:
        await store.aput(("a",), "k", {"v": 1})
        return await store.abatch([GetOp(("a",), "k"), PutOp(("a",), "l", {"v": 2}), SearchOp(("a",))])

    got, put, found = asyncio.run(work())
    assert got.value == {"v": 1}
    assert put is None
    assert {one.key for one in found} == {"k", "l"}


def test_a_graph_remembers_from_one_run_to_the_next(door: treering.Treering) -> None:
    class State(TypedDict):
        said: str
        known: list[str]

    def remember(state: State, *, store: BaseStore) -> dict[str, Any]:
        known = [one.value["text"] for one in store.search(("users", "ann"), query=state["said"])]
        store.put(("users", "ann"), state["said"][:20], {"text": state["said"]})
        return {"known": known}

    graph = StateGraph(State)
    graph.add_node("remember", remember)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", END)
    app = graph.compile(store=TreeringStore(door))
    app.invoke({"said": "My dog is called Rex", "known": []})
    assert app.invoke({"said": "What is my dog called?", "known": []})["known"] == ["My dog is called Rex"]


def test_the_retriever_gives_documents_of_now_or_of_then(door: treering.Treering) -> None:
    door.add("Ann works at Google", at="2024-01-01T00:00:00Z", triples=[("Ann", "WORKS_FOR", "Google")])
    retriever = TreeringRetriever(door=door, k=2)
    found = retriever.invoke("Where does Ann work?")
    assert found[0].page_content == "Ann works at Google"
    assert found[0].metadata["said_at"].startswith("2024-01-01")


def test_an_unknown_comparison_is_refused(door: treering.Treering) -> None:
    store = TreeringStore(door)
    store.put(("a",), "k", {"v": 1})
    with pytest.raises(ValueError, match="is not one of"):
        store.search(("a",), filter={"v": {"$near": 1}})
