"""LangGraph: a graph whose store is Treering. What a node puts is there in the next run, and what it
overwrites has a history."""

import tempfile
from pathlib import Path
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

import treering
from treering.faces.frameworks.langgraph import TreeringRetriever, TreeringStore


class State(TypedDict):
    said: str
    known: list[str]


def node(state: State, *, store: BaseStore) -> dict[str, list[str]]:
    known = [one.value["text"] for one in store.search(("users", "ann"), query=state["said"])]
    store.put(("users", "ann"), str(len(known)), {"text": state["said"]})
    return {"known": known}


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "graph.db") as mem:
        graph = StateGraph(State)
        graph.add_node("node", node)
        graph.add_edge(START, "node")
        graph.add_edge("node", END)
        app = graph.compile(store=TreeringStore(mem))
        app.invoke({"said": "My dog is called Rex", "known": []})
        print(app.invoke({"said": "What is my dog called?", "known": []})["known"])
        print(TreeringRetriever(door=mem, space="langgraph/users/ann", k=1).invoke("the dog")[0].page_content)


if __name__ == "__main__":
    main()
