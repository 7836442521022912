"""LongMem's routes, below `/v1/memory`: collections of facts that update and extend one another.

A collection is a space. What is remembered there is read and related as everywhere; a fact is a memory as LongMem shows
it. Errors are told as `{"detail": …}`.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound, TreeringError
from treering.faces.dialects.namespaces import namespace_of, space_of
from treering.faces.rest.answers import Json, failure, status_of
from treering.faces.rest.asked import body_of
from treering.faces.rest.native import Native
from treering.graph.reached import Step
from treering.model.job import Job
from treering.model.memory import Kind, Memory, State
from treering.model.value import plain
from treering.operation import refusal

PREFIX = "/v1/memory"
TYPES = {Kind.SEMANTIC: "fact", Kind.VIEWPOINT: "preference", Kind.EPISODE: "episode"}
_OWN = ("category", "source", "container_tag", "metadata")
"""What a memory's meta keeps for LongMem."""
_YES = ("true", "1")
_WAYS = {"supersedes": "updates", "extends": "extends"}
_ARCHIVED = (State.FORGOTTEN, State.ARCHIVED, State.EXPIRED, State.SUPERSEDED)

M = TypeVar("M", bound=BaseModel)
Handler = Callable[[Request], Awaitable[Response]]


class _Said(BaseModel):
    model_config = ConfigDict(extra="allow")


class Collection(_Said):
    name: str = Field(min_length=1, max_length=200)
    description: str | None = Field(None, max_length=10_000)
    metadata: dict[str, Any] = Field(default_factory=dict)


class CollectionChange(_Said):
    description: str | None = Field(None, max_length=10_000)
    metadata: dict[str, Any] | None = None


class Content(_Said):
    content: str = Field(min_length=1)


class NewMemory(_Said):
    text: str = Field(min_length=1, max_length=10_000)
    importance: float = Field(0.7, ge=0, le=1)
    category: str = Field("other", max_length=200)
    source: str = Field("api", max_length=200)
    metadata: dict[str, Any] = Field(default_factory=dict)
    container_tag: str | None = Field(None, max_length=200)


class MemoryChange(_Said):
    text: str | None = Field(None, min_length=1, max_length=10_000)
    importance: float | None = Field(None, ge=0, le=1)
    category: str | None = Field(None, max_length=200)
    source: str | None = Field(None, max_length=200)
    metadata: dict[str, Any] | None = None


class Search(_Said):
    query: str = Field(min_length=1, max_length=3_000)
    limit: int = Field(5, ge=1, le=100)
    min_score: float = Field(0.3, ge=0, le=1)
    mode: str = Field("hybrid", pattern="^(hybrid|vector|text)$")
    category: str | None = None
    metadata_filter: dict[str, Any] = Field(default_factory=dict)
    container_tag: str | None = None


class Paging(_Said):
    limit: int = Field(50, ge=1, le=200)
    offset: int = Field(0, ge=0)
    include_archived: bool = False


def routes(native: Native) -> list[Route]:
    serving = _Serving(native)
    one = "/collections/{name}"
    memory = one + "/memories/{id}"
    table: list[tuple[str, str, Callable[..., Any], int]] = [
        ("GET", "/collections", collections, 200),
        ("POST", "/collections", create, 201),
        ("GET", one, collection, 200),
        ("PUT", one, change, 200),
        ("DELETE", one, delete, 200),
        ("POST", one + "/memories", add, 201),
        ("GET", one + "/memories", memories, 200),
        ("GET", memory, one_memory, 200),
        ("PUT", memory, revise, 200),
        ("DELETE", memory, forget, 200),
        ("GET", memory + "/related", related, 200),
        ("POST", one + "/search", search, 200),
        ("POST", "/search", search, 200),
        ("GET", one + "/profile", profile, 200),
        ("GET", "/extract/job/{id}", extraction, 200),
        ("GET", "/ingest/batch/{id}", batch, 200),
    ]
    return [
        Route(f"{PREFIX}{one}/remember", serving.guarding(serving.remember), methods=["POST"]),
        Route(f"{PREFIX}{one}/drop", serving.guarding(serving.drop), methods=["POST"]),
        *(
            Route(PREFIX + path, serving.guarding(partial(serving.plainly, ask, status)), methods=[method])
            for method, path, ask, status in table
        ),
    ]


class _Serving:
    def __init__(self, native: Native) -> None:
        self._native = native

    def guarding(self, handle: Handler) -> Handler:
        async def guarded(request: Request) -> Response:
            try:
                return await handle(request)
            except TreeringError as error:
                kept = {name: value for name, value in failure(error).headers.items() if name == "retry-after"}
                return Json({"detail": str(error)}, status_of(error), kept)

        return guarded

    async def plainly(self, ask: Callable[..., Any], status: int, request: Request) -> Response:
        query = dict(request.query_params)
        body = await body_of(request) if request.method in ("POST", "PUT") else {}
        path = request.path_params
        told = await self._native.run(request.state.caller, lambda door: ask(door, path, {**query, **body}))
        return Json(plain(told), status)

    async def remember(self, request: Request) -> Response:
        said = checked(Content, await body_of(request))
        space = space_of(request.path_params["name"])
        at_once = request.query_params.get("sync", "false").lower() in _YES
        if not at_once:
            asked = {"content": said.content, "space": space}
            job = await self._native.call(request.state.caller, "enqueue", asked)
            return Json({"job_id": job_number(job), "status": job.status.value}, 202)

        def now(door: Treering) -> Any:
            receipt = door.remember(said.content, space=space)
            again = [one.memory_id for one in receipt.duplicates]
            return {"facts": facts_of(door, space, [*(one.id for one in receipt.memories), *again])}

        return Json(plain(await self._native.run(request.state.caller, now)))

    async def drop(self, request: Request) -> Response:
        """A file, or several, each as it stands. They are read at once; who asks for it later is answered with a batch,
        and one file that cannot be read does not keep the others out."""
        space = space_of(request.path_params["name"])
        made: list[dict[str, Any]] = []
        async with request.form(max_files=100, max_fields=50) as form:
            files = [one for _, one in form.multi_items() if isinstance(one, UploadFile)]
            wish = str(form.get("async_ingest") or request.query_params.get("async_ingest") or "false").lower()
            if not files:
                raise InvalidRequest("file: send at least one file as a part of the form")
            for file in files:
                given = {"file": await file.read(), "name": file.filename or "file.txt", "space": space}
                try:
                    receipt = await self._native.call(request.state.caller, "add_file", given)
                except InvalidRequest:
                    if len(files) == 1 and wish not in _YES:
                        raise
                    continue
                made.append({"file": file.filename, "memories": [one.id for one in receipt.memories]})
        failed = len(files) - len(made)
        if wish not in _YES:
            told = {"files": made, "memories": sum(len(one["memories"]) for one in made), "failed": failed}
            return Json(told, 201)
        number = _number(f"{len(made)}/{failed} {space}")
        return Json({"batch_id": number, "queued": len(files)}, 202)


# collections


def collections(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    return {"collections": [_collection(door, one.name) for one in door.spaces()]}


def create(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    wished = checked(Collection, given)
    space = space_of(wished.name)
    door.describe(description=wished.description, metadata=wished.metadata, space=space)
    return _collection(door, space)


def collection(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    return _collection(door, _known(door, path["name"]))


def change(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    wished, space = checked(CollectionChange, given), _known(door, path["name"])
    before = door.about(space=space)
    door.describe(
        description=before.description if wished.description is None else wished.description,
        metadata=before.metadata if wished.metadata is None else wished.metadata,
        space=space,
    )
    return _collection(door, space)


def delete(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    """Everything in it is forgotten; nothing is removed."""
    space, forgotten = _known(door, path["name"]), 0
    while found := door.list(space=space, view="history", limit=200).memories:
        for memory in found:
            door.forget(memory.id, space=space, why="the collection was deleted")
            forgotten += 1
    return {"deleted": True, "name": namespace_of(space), "memories": forgotten}


def _known(door: Treering, name: str) -> str:
    space = space_of(name)
    if not any(one.name == space for one in door.spaces()):
        raise NotFound(f"there is no collection {name!r}")
    return space


def _collection(door: Treering, space: str) -> dict[str, Any]:
    told, status = door.about(space=space), door.status(space=space)
    current = sum(status.memories.get(one, 0) for one in ("active", "promoted"))
    return {
        "name": namespace_of(space),
        "description": told.description,
        "metadata": told.metadata,
        "memory_count": current,
        "count": current,
        "total_count": sum(status.memories.values()),
        "updated_at": status.changed_at,
    }


# memories


def add(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    wished = checked(NewMemory, given)
    meta = {**(wished.model_extra or {}), **{name: getattr(wished, name) for name in _OWN}}
    tags = [wished.container_tag] if wished.container_tag else []
    space = space_of(path["name"])
    receipt = door.add(wished.text, importance=wished.importance, meta=meta, tags=tags, space=space)
    return as_memory(door.get(receipt.id, space=space))


def memories(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    wished, space = checked(Paging, given), _known(door, path["name"])
    view = "all" if wished.include_archived else "current"
    found: list[Memory] = []
    cursor = None
    while len(found) < wished.offset + wished.limit:
        page = door.list(space=space, view=view, order="newest", limit=200, cursor=cursor)
        found += page.memories
        cursor = page.next
        if cursor is None:
            break
    shown = found[wished.offset : wished.offset + wished.limit]
    return {"memories": [as_memory(one) for one in shown], "limit": wished.limit, "offset": wished.offset}


def one_memory(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    return as_memory(door.get(path["id"], space=space_of(path["name"])))


def revise(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    """A new memory takes its place; the answer tells its id, and the old one stays readable."""
    wished, space = checked(MemoryChange, given), space_of(path["name"])
    old = door.get(path["id"], space=space)
    changed = {name: value for name, value in wished.model_dump().items() if name in _OWN and value is not None}
    receipt = door.revise(
        old.id,
        wished.text or old.content,
        importance=wished.importance,
        meta={**old.meta, **changed},
        space=space,
    )
    return {**as_memory(door.get(receipt.id, space=space)), "previous_id": old.id}


def forget(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    """With what it took the place of: who deletes a fact does not want the one before it back."""
    space = space_of(path["name"])
    for one in (path["id"], *door.history(path["id"], space=space).supersedes):
        door.forget(one, space=space)
    return {"deleted": True, "id": path["id"]}


def related(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    space = space_of(path["name"])
    walked = door.graph(path["id"], depth=1, direction="both", space=space, include_closed=True)
    near = {_other_end(one, path["id"]): one.relation for one in walked.edges}
    found = []
    for other, relation in near.items():
        try:
            found.append({**as_memory(door.get(other, space=space)), "relation": _WAYS.get(relation, relation)})
        except NotFound:  # an entity
            continue
    return {"id": path["id"], "related": found}


def search(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    wished = checked(Search, given)
    spaces = [_known(door, path["name"])] if "name" in path else [one.name for one in door.spaces()]
    found = []
    for space in spaces:
        tags = [wished.container_tag] if wished.container_tag else []
        answer = door.recall(wished.query, space=space, limit=min(100, wished.limit * 4), view="current", tags=tags)
        found += [(hit.score, hit.memory) for hit in answer if _fits(hit.memory, wished)]
    found.sort(key=lambda one: (-one[0], one[1].id))
    shown = found[: wished.limit]
    return {"results": [{**as_memory(memory), "score": round(score, 4)} for score, memory in shown]}


def _fits(memory: Memory, wished: Search) -> bool:
    own = memory.meta.get("metadata") or {}
    return (wished.category is None or memory.meta.get("category") == wished.category) and all(
        own.get(name, memory.meta.get(name)) == value for name, value in wished.metadata_filter.items()
    )


def profile(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    space = _known(door, path["name"])
    told = door.profile(space=space)
    return {
        "collection": namespace_of(space),
        "profile": str(told),
        "memories": [one.memory_id for one in told.sentences],
    }


# what is done later


def extraction(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    job_id, space = _read_number(path["id"])
    job = door.job(job_id, space=space)
    ids = list(job.result.memory_ids) if job.result is not None else []
    told = "; ".join(one.message for one in job.errors) or None
    return {"job_id": path["id"], "status": job.status, "facts": facts_of(door, space, ids), "error": told}


def batch(door: Treering, path: Mapping[str, str], given: dict[str, Any]) -> Any:
    """It was done before its number was given: the number tells how it went."""
    counts, space = _read_number(path["id"])
    done, _, failed = counts.partition("/")
    if not (done.isdecimal() and failed.isdecimal()):
        raise NotFound(f"there is no batch {path['id']!r}")
    _known(door, namespace_of(space))
    total = int(done) + int(failed)
    return {"batch_id": path["id"], "total": total, "done": int(done), "failed": int(failed), "complete": True}


def job_number(job: Job) -> str:
    """A job is found by its space and id: the number that clients hold tells both."""
    return _number(f"{job.id} {job.space}")


def _number(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read_number(number: str) -> tuple[str, str]:
    try:
        first, _, space = base64.urlsafe_b64decode(number + "=" * (-len(number) % 4)).decode().partition(" ")
    except (binascii.Error, ValueError):
        first, space = "", ""
    if not space:
        raise NotFound(f"there is no job {number!r}")
    return first, space


# as LongMem shows things


def facts_of(door: Treering, space: str, ids: list[str]) -> list[dict[str, Any]]:
    return [_fact(door, door.get(one, space=space)) for one in dict.fromkeys(ids)]


def _fact(door: Treering, memory: Memory) -> dict[str, Any]:
    links = door.graph(memory.id, relations=list(_WAYS), depth=1, space=memory.space).edges
    related_to = next(((_WAYS[one.relation], one.target_id) for one in links), ("none", None))
    return {
        "id": memory.id,
        "text": memory.content,
        "type": TYPES[memory.kind],
        "relation": related_to[0],
        "related_id": related_to[1],
        "expires_at": memory.expires_at,
        "is_latest": memory.state not in _ARCHIVED,
    }


def as_memory(memory: Memory) -> dict[str, Any]:
    meta = memory.meta
    return {
        "id": memory.id,
        "text": memory.content,
        "type": TYPES[memory.kind],
        "importance": memory.importance,
        "category": meta.get("category", "other"),
        "source": meta.get("source", "api"),
        "metadata": meta.get("metadata") or {},
        "container_tag": meta.get("container_tag"),
        "created_at": memory.recorded_at,
        "updated_at": memory.recorded_at,
        "expires_at": memory.expires_at,
        "is_latest": memory.state not in _ARCHIVED,
        "archived": memory.state in _ARCHIVED,
    }


def _other_end(edge: Step, here: str) -> str:
    return edge.target_id if edge.source_id == here else edge.source_id


def checked(kind: type[M], given: Mapping[str, Any]) -> M:
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        raise refusal(error, kind.__name__.lower(), list(kind.model_fields)) from None
