"""LangGraph's store and LangChain's retriever.

A namespace `("users", "ann", "facts")` is the space `ROOT/users/ann/facts`; a key is a record there. What is put again
is a revision, and what is deleted is forgotten. A search with a query is recall's, over all spaces below the prefix.
Needs `treering[langgraph]`.
"""

from __future__ import annotations

from treering import extras

extras.need("langgraph", "treering.faces.frameworks.langgraph")

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from treering.faces.frameworks.records import AdapterDoor, Records, parts_of, space_for
from treering.model.memory import Memory

KIND = "langgraph"
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda a, b: a == b,
    "$ne": lambda a, b: a != b,
    "$gt": lambda a, b: float(a) > float(b),
    "$gte": lambda a, b: float(a) >= float(b),
    "$lt": lambda a, b: float(a) < float(b),
    "$lte": lambda a, b: float(a) <= float(b),
}


class TreeringStore(BaseStore):
    """`root`: the space above all namespaces. Items do not expire: what is old fades, and is kept."""

    def __init__(self, door: AdapterDoor, root: str = "langgraph") -> None:
        self._records, self._root = Records(door, KIND), root

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return [self._do(one) for one in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _do(self, op: Op) -> Result:
        match op:
            case GetOp():
                found = self._records.get(self._space(op.namespace), op.key)
                return None if found is None else self._item(found)
            case PutOp(value=None):
                self._records.delete(self._space(op.namespace), op.key)
                return None
            case PutOp():
                self._put(op)
                return None
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
        raise TypeError(f"{type(op).__name__} is no operation of a store")

    def _put(self, op: PutOp) -> None:
        """`index` names the fields that are found by; False keeps an item out of searches by words."""
        assert op.value is not None
        words = json.dumps(op.value, ensure_ascii=False) if op.index is False else words_of(op.value, op.index)
        space = self._space(op.namespace)
        before = self._records.get(space, op.key)
        known = {} if before is None else self._records.value(before)
        held = {
            "value": dict(op.value),
            "namespace": list(op.namespace),
            "found": op.index is not False,
            "created": known.get("created") or datetime.now(UTC).isoformat(),
        }
        self._records.put(space, op.key, words or op.key, held)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        space = self._space(op.namespace_prefix)
        wanted = op.offset + op.limit
        if op.query:
            answer = self._records.door.recall(
                op.query,
                space=space,
                tags=(KIND,),
                children=True,
                limit=min(1_000, max(wanted * 4, 50)),
                view="current",
            )
            rows = [(hit.memory, float(hit.score)) for hit in answer if self._records.value(hit.memory).get("found")]
        else:
            rows = [(one, None) for one in self._records.all(space, children=True)]  # type: ignore[misc]
        items = [
            self._item(memory, score) for memory, score in rows if _matches(self._records.value(memory), op.filter)
        ]
        return items[op.offset : wanted]

    def _item(self, memory: Memory, score: float | None = None) -> SearchItem:
        held = self._records.value(memory)
        return SearchItem(
            namespace=tuple(held["namespace"]),
            key=held["key"],
            value=held["value"],
            created_at=datetime.fromisoformat(held["created"]),
            updated_at=memory.recorded_at,
            score=score,
        )

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        root = space_for(self._root)
        every = [parts_of(one.name)[1:] for one in self._records.door.spaces(prefix=root) if one.name != root]
        held = [name for name in every if any(True for _ in self._records.all(self._space(name)))]
        found = [name for name in held if all(_fits(name, one) for one in op.match_conditions or ())]
        cut = found if op.max_depth is None else [name[: op.max_depth] for name in found]
        return sorted(set(cut))[op.offset : op.offset + op.limit]

    def _space(self, namespace: tuple[str, ...]) -> str:
        return space_for(self._root, *namespace)


def words_of(value: Mapping[str, Any], fields: Any = None) -> str:
    """What is to be found by: these fields, or all that are words."""
    named = [name.split(".")[0].removesuffix("[*]") for name in fields] if isinstance(fields, list) else list(value)
    told = [value[name] for name in named if name in value] if "$" not in named else list(value.values())
    return "\n".join(text for one in told if (text := _words(one)))


def _words(value: Any) -> str:
    match value:
        case str():
            return value
        case bool() | None:
            return ""
        case int() | float():
            return str(value)
        case Mapping():
            return " ".join(text for one in value.values() if (text := _words(one)))
        case list() | tuple():
            return " ".join(text for one in value if (text := _words(one)))
    return ""


def _matches(held: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    value = held.get("value") or {}
    for name, expected in (wanted or {}).items():
        got = value.get(name)
        if isinstance(expected, Mapping) and any(key.startswith("$") for key in expected):
            for sign, other in expected.items():
                if sign not in _COMPARISONS:
                    raise ValueError(f"filter: {sign} is not one of {', '.join(_COMPARISONS)}")
                if got is None or not _COMPARISONS[sign](got, other):
                    return False
        elif got != expected:
            return False
    return True


def _fits(name: tuple[str, ...], condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if len(path) > len(name):
        return False
    part = name[: len(path)] if condition.match_type == "prefix" else name[len(name) - len(path) :]
    return all(wanted in ("*", got) for wanted, got in zip(path, part, strict=True))


class TreeringRetriever(BaseRetriever):
    """What is known about a question, as documents: the best first, with when it was said and why it was found."""

    door: Any
    space: str = "default"
    k: int = 5
    as_of: str | None = None
    """At this moment instead of now."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        answer = self.door.recall(query, space=self.space, limit=self.k, as_of=self.as_of)
        return [
            Document(
                id=hit.memory.id,
                page_content=hit.memory.content,
                metadata={
                    "score": hit.score,
                    "why": hit.why,
                    "state": hit.memory.state.value,
                    "said_at": hit.memory.said_at.isoformat(),
                    "tags": list(hit.memory.tags),
                },
            )
            for hit in answer
        ]
